package audit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"tirage/central"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// place is where a row stands in the log: its leaf, and which of the rows that the leaf gives.
type place struct {
	node, index int64
	n           int32
}

func (p place) leaf() string { return fmt.Sprintf("%d-%d", p.node, p.index) }

// image is a row as the log left it last. It is kept as hashes of 64 bits under a random seed; its columns are read again where they are needed.
type image struct {
	line  uint64 // hash of its columns
	place place
	order int64 // column that only grows, 0 where the table has none
	at    int64 // microseconds
	value int64 // balance of a player, packs opened of a type
	table central.TableID
	met   bool // by the comparison
	wrong bool // the log adds up to something else
}

// after orders two images of one row that different writers wrote: by what only grows in it, then by the time of the leaf.
func (i *image) after(j *image) bool {
	if i.place.node == j.place.node {
		return true // leaves come in their order
	}
	return cmp.Or(cmp.Compare(i.order, j.order), cmp.Compare(i.at, j.at), cmp.Compare(i.place.node, j.place.node)) > 0
}

// account is what one node has added to an account.
type account struct {
	name string
	node int64
}

// balance is the account of one player as the movements give it.
type balance struct {
	cents money.Cents // sum of all movements
	moves int64       // number of all movements
	top   int64       // number of the last one
	after money.Cents // balance that the last one says it left
	place place
}

type packKey struct {
	draw, kind string
	n          int64
}

// purse is what a player has put into a ladder game.
type purse struct {
	player int64
	game   string
}

// roundSum is what one round has cost its player so far.
type roundSum struct {
	purse
	cents money.Cents // stake less gain
	place place
}

// fold is what the leaves so far add up to.
type fold struct {
	seed     maphash.Seed
	images   map[uint64]*image // by the hash of table and key
	accounts map[account]money.Cents
	players  map[int64]*balance
	shares   map[packKey]int64     // sold of each pack, by its plays
	packs    map[string]*packState // of each type: "draw/type"
	rounds   map[string]roundSum
	purses   map[purse]money.Cents
	totals   Totals
	line     []byte
}

// packState is what a pack type has, by its packs.
type packState struct{ opened, sold int64 }

func newFold() *fold {
	return &fold{
		seed: maphash.MakeSeed(), images: map[uint64]*image{}, accounts: map[account]money.Cents{}, players: map[int64]*balance{}, shares: map[packKey]int64{},
		packs: map[string]*packState{}, rounds: map[string]roundSum{}, purses: map[purse]money.Cents{},
	}
}

// logged says whether the rows of a table are given by the leaves. Of the others, docs/audit.md says what they are.
func logged(t central.TableID) bool {
	return t > central.Writers && t < central.Accounts || t == central.Transfers || t == central.Keys || t == central.Leaves
}

// fields returns the columns of a stored row as the log shows them: no password stands there. A row that was read from the log has that form already.
func fields(row central.Row) []any {
	if r, ok := row.(interface{ Logged() []any }); ok {
		return r.Logged()
	}
	return row.Fields()
}

// lineOf returns columns of a row as a line of the log.
func lineOf(b []byte, t central.TableID, columns []any) []byte {
	return logbook.AppendRow(b, logbook.Row{Table: central.Schema[t].Name, Fields: columns})
}

// requestHash is what an idempotency record keeps of a request: kind and command, first half of their SHA-256.
func requestHash(l *logbook.Leaf) []byte {
	h := sha256.New()
	h.Write([]byte(l.Kind + "\n"))
	h.Write(l.Command)
	return h.Sum(nil)[:16]
}

// rowsOf lists every row that a leaf gives: the images in it, its idempotency record, and a transfer for each movement for which no credit stands.
func rowsOf(l *logbook.Leaf, lines [][]byte) ([]central.Row, error) {
	rows := make([]central.Row, 0, len(lines)+len(l.Postings)+1)
	credits := 0
	for _, line := range lines {
		row, err := central.ReadRow(line)
		if err != nil {
			return nil, err
		}
		if !logged(row.Table()) || row.Table() >= central.Accounts {
			return nil, fmt.Errorf("a row of table %s, which stands in no leaf", central.Schema[row.Table()].Name)
		}
		if row.Table() == central.Credits {
			credits++
		}
		rows = append(rows, row)
	}
	if credits > len(l.Postings) {
		return nil, fmt.Errorf("%d credits, %d movements", credits, len(l.Postings))
	}
	rows = append(rows, &central.KeyRow{Key: l.Key, Principal: l.Principal, Hash: requestHash(l), Node: l.Node, Index: l.Index})
	for i, p := range l.Postings[:len(l.Postings)-credits] {
		t := &central.Transfer{Node: l.Node, Pos: l.Index<<16 | int64(i), From: p.From, To: p.To, Cents: p.Cents, Version: p.Version, After: p.After}
		t.Player, _ = playerOf(p)
		rows = append(rows, t)
	}
	return rows, nil
}

// playerOf returns the player whose balance a movement changes, and by how much; 0 for none.
func playerOf(p logbook.Posting) (player int64, cents money.Cents) {
	if id, ok := ledger.Account(p.From).PlayerID(); ok {
		return id, -p.Cents
	}
	if id, ok := ledger.Account(p.To).PlayerID(); ok {
		return id, p.Cents
	}
	return 0, 0
}

// leaf folds one leaf.
func (f *fold) leaf(l *logbook.Leaf, lines [][]byte) error {
	rows, err := rowsOf(l, lines)
	if err != nil {
		return err
	}
	at := place{node: l.Node, index: l.Index}
	for _, p := range l.Postings {
		if err := f.move(p, at); err != nil {
			return err
		}
	}
	for i, row := range rows {
		at.n = int32(i)
		if err := f.row(row, at, l.At); err != nil {
			return err
		}
	}
	return nil
}

// move adds a movement of money up.
func (f *fold) move(p logbook.Posting, at place) error {
	if err := (ledger.Posting{From: ledger.Account(p.From), To: ledger.Account(p.To), Cents: p.Cents}).Check(); err != nil {
		return err
	}
	player, cents := playerOf(p)
	if (player != 0) != (p.Version > 0) {
		return fmt.Errorf("the movement from %s to %s has number %d", p.From, p.To, p.Version)
	}
	for _, side := range []struct {
		name  string
		cents money.Cents
	}{{p.From, -p.Cents}, {p.To, p.Cents}} {
		if _, ok := ledger.Account(side.name).PlayerID(); !ok {
			f.accounts[account{side.name, at.node}] += side.cents
		}
	}
	if player == 0 {
		return nil
	}
	b := f.players[player]
	if b == nil {
		b = &balance{}
		f.players[player] = b
	}
	b.cents += cents
	b.moves++
	if p.Version > b.top {
		b.top, b.after, b.place = p.Version, p.After, at
	}
	other := p.To
	if cents > 0 {
		other = p.From
	}
	if _, game, _ := strings.Cut(other, "/"); other == string(ledger.Stakes(game)) || other == string(ledger.Prizes(game)) {
		f.purses[purse{player, game}] -= cents
	}
	return nil
}

// row takes the image of a row, and what follows from it for others.
func (f *fold) row(row central.Row, at place, when int64) error {
	i := &image{place: at, at: when, table: row.Table()}
	switch r := row.(type) {
	case *central.Player:
		i.order, i.value = r.Version, int64(r.Balance)
	case *central.Pack:
		i.order = r.Sold
	case *central.PackType:
		i.order, i.value = r.Sold, r.Opened
	case *central.CodePointer:
		i.order = r.Next
	case *central.Lease:
		i.order = r.Epoch
	case *central.Round:
		i.order = r.Step
	case *central.Play:
		f.totals.Plays++
		f.totals.Stakes += r.Stake
		if r.Kind == central.KindPack {
			f.sold(r)
		}
	case *central.AddOnRow:
		f.totals.Stakes += r.Stake
	case *central.PackContent:
		f.pack(r.Draw, r.Type).opened++
		f.totals.Packs++
	}
	f.line = lineOf(f.line[:0], row.Table(), row.Fields())
	key := f.keyHash(row)
	i.line = maphash.Bytes(f.seed, f.line)
	old := f.images[key]
	switch {
	case old == nil:
		f.images[key] = i
	case central.Schema[i.table].Append:
		return fmt.Errorf("row %v is written twice, first by leaf %s", central.KeyOf(row), old.place.leaf())
	case i.after(old):
		*old = *i
	default:
		return nil
	}
	if r, ok := row.(*central.Round); ok {
		f.round(r, at)
	}
	return nil
}

func (f *fold) pack(draw, kind string) *packState {
	p := f.packs[draw+"/"+kind]
	if p == nil {
		p = &packState{}
		f.packs[draw+"/"+kind] = p
	}
	return p
}

func (f *fold) sold(r *central.Play) {
	f.shares[packKey{r.Draw, r.PackType, r.Pack}] += r.Shares
	f.pack(r.Draw, r.PackType).sold += r.Shares
	f.totals.Shares += r.Shares
}

// round notes what a round has cost its player.
func (f *fold) round(r *central.Round, at place) {
	sum := roundSum{purse{r.Player, r.Game}, r.Stake - r.Gain, at}
	if r.State == "refunded" {
		sum.cents = 0
	}
	f.rounds[r.Game+"/"+r.ID.String()] = sum
}

// keyHash is the hash of table and key of a row.
func (f *fold) keyHash(row central.Row) uint64 {
	return maphash.Comparable(f.seed, central.KeyOf(row))
}

// hashRow is the image of the stored leaf itself.
func hashRow(node, index int64, hash tlog.Hash, seed maphash.Seed) *image {
	return &image{line: maphash.Bytes(seed, hash[:]), place: place{node, index, leafItself}, table: central.Leaves}
}

// leafItself stands for a row that is the leaf, not one in it.
const leafItself = -1

// note keeps the image of a stored leaf.
func (f *fold) note(i *image) {
	key := central.Key{Table: central.Leaves, N: i.place.node, M: i.place.index}
	f.images[maphash.Comparable(f.seed, key)] = i
}

// finish works out the totals and finds where row images contradict the movements and plays.
func (r *replay) finish() {
	f, t := r.fold, &r.fold.totals
	t.Accounts = map[string]money.Cents{}
	for a, cents := range f.accounts {
		if t.Accounts[a.name] += cents; t.Accounts[a.name] == 0 {
			delete(t.Accounts, a.name)
		}
	}
	for id, b := range f.players {
		t.Balances += b.cents
		if b.top != b.moves || b.after != b.cents || b.cents < 0 {
			r.contradict(b.place, "player %d: %d movements add up to %v, the last one is number %d and says %v", id, b.moves, b.cents, b.top, b.after)
		}
	}
	t.Rounds = int64(len(f.rounds))
	r.finishRounds()
	r.finishImages()
	for _, i := range f.images {
		if i.table == central.Players {
			t.Players++
		}
	}
	r.report.Totals = *t
	slices.SortFunc(r.report.Contradictions, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Why, b.Why))
	})
}

func (r *replay) contradict(at place, format string, a ...any) {
	r.report.Contradictions = append(r.report.Contradictions, Fault{Node: at.node, Index: at.index, Why: fmt.Sprintf(format, a...)})
}

// finishRounds compares what each player has put into each ladder with what the rounds say.
func (r *replay) finishRounds() {
	f := r.fold
	owed, last := map[purse]money.Cents{}, map[purse]place{}
	games := map[string]bool{}
	for _, s := range f.rounds {
		owed[s.purse] += s.cents
		last[s.purse] = s.place
		games[s.game] = true
	}
	for p, cents := range f.purses {
		if games[p.game] && owed[p] != cents {
			r.contradict(last[p], "player %d has put %v into %s, the rounds say %v", p.player, cents, p.game, owed[p])
		}
	}
	for p, cents := range owed {
		if _, moved := f.purses[p]; !moved && cents != 0 {
			r.contradict(last[p], "player %d has put nothing into %s, the rounds say %v", p.player, p.game, cents)
		}
	}
}

// derive puts into a row what the log adds up to for it: the balance of a player, what is sold of packs.
func (f *fold) derive(row central.Row) {
	switch r := row.(type) {
	case *central.Player:
		r.Balance, r.Version = 0, 0
		if b := f.players[r.ID]; b != nil {
			r.Balance, r.Version = b.cents, b.moves
		}
	case *central.Pack:
		r.Sold = f.shares[packKey{r.Draw, r.Type, r.N}]
	case *central.PackType:
		p := f.pack(r.Draw, r.Type)
		r.Sold, r.Opened = p.sold, p.opened
	}
}

// finishImages finds the last images of players and packs that say another figure than movements and plays add up to. Their keys are those of the maps here,
// so no row is read again.
func (r *replay) finishImages() {
	f := r.fold
	check := func(row central.Row, order, value int64) {
		i := f.images[f.keyHash(row)]
		if i == nil || i.order == order && i.value == value {
			return
		}
		i.wrong = true
		r.contradict(i.place, "row %v says %d and %d, the log adds up to %d and %d", central.KeyOf(row), i.order, i.value, order, value)
	}
	for id, b := range f.players {
		check(&central.Player{ID: id}, b.moves, int64(b.cents))
	}
	for k, sold := range f.shares {
		check(&central.Pack{Draw: k.draw, Type: k.kind, N: k.n}, sold, 0)
	}
	for name, p := range f.packs {
		draw, kind, _ := strings.Cut(name, "/")
		check(&central.PackType{Draw: draw, Type: kind}, p.sold, p.opened)
	}
}

// isLeaf reports whether a stored leaf is the one of the log.
func (f *fold) isLeaf(row *central.LeafRow, i *image) bool {
	h := logbook.Hash(row.Salt, row.Body)
	return maphash.Bytes(f.seed, h[:]) == i.line
}

func sameColumn(a, b any) bool {
	switch a := a.(type) {
	case *int64:
		return *a == *b.(*int64)
	case *string:
		return *a == *b.(*string)
	case *[]byte:
		return bytes.Equal(*a, *b.(*[]byte))
	}
	return false
}
