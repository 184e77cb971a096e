package central

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/codes"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// CheckBooks verifies every invariant of the store and returns the first breach:
//
//   - all balances add up to zero, each equals the sum of its transfers, none is below its floor;
//   - a player's movements follow each other without a gap, each leaving the balance that the next one starts from;
//   - the log has a leaf for every index, its hashes give the stored right edge, every transfer and idempotency record stands in a leaf;
//   - what is sold of each pack is what its plays hold, never more than its shares;
//   - codes of a draw are issued once;
//   - the plays of a draw are worth what its sales counted, and a settled draw has paid what was counted, to the cent;
//   - every round of a ladder is what its secrets and contributions give, and has paid that, once.
func CheckBooks(ctx context.Context, store Reader) error {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	b := &books{ctx: ctx, snap: snap, balances: map[string]money.Cents{}, players: map[int64]*Player{}, owners: map[int64]map[int64]money.Cents{}, counters: map[string]int64{}, rounds: newRoundBooks()}
	for _, check := range []func() error{b.readBalances, b.checkLog, b.checkTransfers, b.checkKeys, b.checkDraws, b.checkRounds} {
		if err := check(); err != nil {
			return fmt.Errorf("books: %w", err)
		}
	}
	return nil
}

type books struct {
	ctx      context.Context
	snap     Snapshot
	balances map[string]money.Cents // accounts other than players', over all nodes
	players  map[int64]*Player
	owners   map[int64]map[int64]money.Cents // player → movement → balance after it
	counters map[string]int64
	logs     map[int64]int64 // node → leaves
	rounds   roundBooks
}

func (b *books) scan(table TableID, yield func(Row) error) error {
	return b.snap.Scan(b.ctx, Range{From: Key{Table: table}}, yield)
}

func (b *books) readBalances() error {
	var sum money.Cents
	err := b.scan(Accounts, func(r Row) error {
		a := r.(*AccountRow)
		b.balances[a.Name] = money.Add(b.balances[a.Name], a.Balance)
		sum = money.Add(sum, a.Balance)
		return nil
	})
	if err != nil {
		return err
	}
	err = b.scan(Players, func(r Row) error {
		p := r.(*Player)
		b.players[p.ID] = p
		sum = money.Add(sum, p.Balance)
		if p.Balance < 0 {
			return fmt.Errorf("player %d has %v", p.ID, p.Balance)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if sum != 0 {
		return fmt.Errorf("all balances add up to %v, not to zero", sum)
	}
	for name, balance := range b.balances {
		if balance < 0 && !ledger.Account(name).MayOwe() {
			return fmt.Errorf("account %s has %v", name, balance)
		}
	}
	return b.scan(Counters, func(r Row) error {
		c := r.(*Counter)
		b.counters[c.Name] += c.N
		return nil
	})
}

// checkLog re-hashes every leaf and compares each writer's right edge.
func (b *books) checkLog() error {
	trees := map[int64]*logbook.Tree{}
	err := b.scan(Leaves, func(r Row) error {
		l := r.(*LeafRow)
		t := trees[l.Node]
		if t == nil {
			t = &logbook.Tree{}
			trees[l.Node] = t
		}
		if l.Index != t.Size {
			return fmt.Errorf("log of node %d: leaf %d stands where leaf %d should", l.Node, l.Index, t.Size)
		}
		t.Add(logbook.Hash(l.Salt, l.Body))
		return nil
	})
	if err != nil {
		return err
	}
	b.logs = map[int64]int64{}
	err = b.scan(Writers, func(r Row) error {
		w := r.(*Writer)
		t := trees[w.Node]
		if t == nil || t.Size != w.Size || !bytes.Equal(t.AppendEdge(nil), w.Edge) {
			return fmt.Errorf("log of node %d: the leaves do not give the stored edge of %d leaves", w.Node, w.Size)
		}
		b.logs[w.Node] = w.Size
		return nil
	})
	if err == nil && len(trees) != len(b.logs) {
		return fmt.Errorf("%d logs have leaves, %d writers are known", len(trees), len(b.logs))
	}
	return err
}

// checkTransfers adds up the transfers and compares them with every balance and with the chain of each player's movements.
func (b *books) checkTransfers() error {
	sums := map[string]money.Cents{}
	err := ScanTransfers(b.ctx, b.snap, func(t *Transfer) error {
		if err := (ledger.Posting{From: ledger.Account(t.From), To: ledger.Account(t.To), Cents: t.Cents}).Check(); err != nil {
			return err
		}
		if t.Pos>>16 >= b.logs[t.Node] {
			return fmt.Errorf("transfer %d of node %d stands in no leaf", t.Pos, t.Node)
		}
		b.rounds.note(t)
		sums[t.From] -= t.Cents
		sums[t.To] = money.Add(sums[t.To], t.Cents)
		if t.Player != 0 {
			m := b.owners[t.Player]
			if m == nil {
				m = map[int64]money.Cents{}
				b.owners[t.Player] = m
			}
			m[t.Version] = t.After
			cents := t.Cents
			if t.From == string(ledger.Player(t.Player)) {
				cents = -cents
			}
			// The balance before is what is left of the one after: compared with the movement before, when that one is known.
			m[-t.Version] = t.After - cents
		}
		return nil
	})
	if err != nil {
		return err
	}
	for name, sum := range sums {
		balance := b.balances[name]
		if id, ok := ledger.Account(name).PlayerID(); ok {
			if b.players[id] == nil {
				return fmt.Errorf("transfers name player %d, who does not exist", id)
			}
			balance = b.players[id].Balance
		}
		if balance != sum {
			return fmt.Errorf("account %s has %v, its transfers add up to %v", name, balance, sum)
		}
	}
	for name, balance := range b.balances {
		if _, ok := sums[name]; !ok && balance != 0 {
			return fmt.Errorf("account %s has %v without a transfer", name, balance)
		}
	}
	return b.checkMovements()
}

func (b *books) checkMovements() error {
	for id, p := range b.players {
		m := b.owners[id]
		var before money.Cents
		for v := int64(1); v <= p.Version; v++ {
			after, ok := m[v]
			if !ok {
				return fmt.Errorf("player %d: movement %d of %d is missing", id, v, p.Version)
			}
			if m[-v] != before {
				return fmt.Errorf("player %d: movement %d starts from %v, the one before left %v", id, v, m[-v], before)
			}
			before = after
		}
		if before != p.Balance || int64(len(m)) != 2*p.Version {
			return fmt.Errorf("player %d: %d movements leave %v, the balance is %v after %d", id, len(m)/2, before, p.Balance, p.Version)
		}
	}
	return nil
}

// checkKeys compares the idempotency records with the leaves that they name.
func (b *books) checkKeys() error {
	var n, leaves int64
	err := b.scan(Keys, func(r Row) error {
		n++
		k := r.(*KeyRow)
		row, err := b.snap.Get(b.ctx, Key{Table: Leaves, N: k.Node, M: k.Index})
		if err != nil {
			return err
		}
		var leaf struct{ Principal, Key string }
		if row == nil || json.Unmarshal(row.(*LeafRow).Body, &leaf) != nil || leaf.Principal != k.Principal || leaf.Key != k.Key {
			return fmt.Errorf("key %s of %s names leaf %d of node %d, which is not its own", k.Key, k.Principal, k.Index, k.Node)
		}
		return nil
	})
	for _, size := range b.logs {
		leaves += size
	}
	if err == nil && n != leaves {
		return fmt.Errorf("%d idempotency records, %d leaves", n, leaves)
	}
	return err
}

func (b *books) checkDraws() error {
	return b.scan(Draws, func(r Row) error {
		d := r.(*Draw)
		if err := b.checkDraw(d); err != nil {
			return fmt.Errorf("draw %s: %w", d.ID, err)
		}
		return nil
	})
}

func (b *books) checkDraw(d *Draw) error {
	sales, err := CountSales(b.ctx, b.snap, d.ID)
	if err != nil {
		return err
	}
	for _, k := range sales.Kinds {
		if n, cents := b.counters["plays/"+d.ID+"/"+k.Kind], b.counters["cents/"+d.ID+"/"+k.Kind]; n != k.Plays || cents != int64(k.Cents) {
			return fmt.Errorf("%d plays %s of %v, the counters say %d of %v", k.Plays, k.Kind, k.Cents, n, money.Cents(cents))
		}
	}
	if err := b.checkPacks(d.ID); err != nil {
		return err
	}
	if err := b.checkCodes(d); err != nil {
		return err
	}
	stakes := b.balances[string(ledger.Stakes(d.ID))]
	prizes := b.balances[string(ledger.Prizes(d.ID))]
	switch drawing.State(d.State) {
	case drawing.Open:
		if stakes != sales.Stakes-sales.UnsoldCents {
			return fmt.Errorf("stakes of %v, the plays hold %v", stakes, sales.Stakes-sales.UnsoldCents)
		}
	case drawing.Approved, drawing.Settled, drawing.Published:
		return b.checkPaid(d, stakes, prizes)
	default:
		if stakes != sales.Stakes || prizes != 0 {
			return fmt.Errorf("stakes of %v and prizes of %v, the plays and unsold shares hold %v", stakes, prizes, sales.Stakes)
		}
	}
	return nil
}

// checkPacks compares what is sold of each pack with the plays that hold its shares.
func (b *books) checkPacks(draw string) error {
	types := map[string]*PackType{}
	held := map[packID]int64{}
	return SealedRows(b.ctx, b.snap, draw, func(r Row) error {
		switch r := r.(type) {
		case *PackType:
			types[r.Type] = r
			held[packID{r.Type, -1}] = r.Sold
			if r.Opened > r.MaxPacks {
				return fmt.Errorf("%d packs %s are open, at most %d may be", r.Opened, r.Type, r.MaxPacks)
			}
		case *Pack:
			if t := types[r.Type]; t == nil || r.Sold < 1 || r.Sold > t.Shares {
				return fmt.Errorf("pack %s/%d has %d shares sold", r.Type, r.N, r.Sold)
			}
			held[packID{r.Type, r.N}] = r.Sold
			held[packID{r.Type, -1}] -= r.Sold
		case *PackContent:
			if _, ok := held[packID{r.Type, r.N}]; !ok {
				return fmt.Errorf("pack %s/%d has contents without a sold share", r.Type, r.N)
			}
			if held[packID{r.Type, -1}] != 0 {
				return fmt.Errorf("packs %s: shares sold by type and by pack differ by %d", r.Type, held[packID{r.Type, -1}])
			}
		}
		return nil
	})
}

// checkCodes makes sure that no code was issued twice: the runs of each zone are disjoint.
func (b *books) checkCodes(d *Draw) error {
	list, err := seriesIssued(d)
	if err != nil {
		return err
	}
	sold := map[packID]int64{}
	runs := make([]map[codes.Zone]map[int64]int64, len(list)) // start → end
	for i := range runs {
		runs[i] = map[codes.Zone]map[int64]int64{codes.RandomZone: {}, codes.SequentialZone: {}}
	}
	issue := func(n, at, at2 int64) error {
		for i, s := range list {
			if i == 1 {
				at = at2
			}
			run := PlaceOf(s.Series, n, at)
			if _, twice := runs[i][run.Zone][run.Start]; twice {
				return fmt.Errorf("codes %s: position %d of the %v zone is issued twice", s.ID, run.Start, run.Zone)
			}
			runs[i][run.Zone][run.Start] = run.End()
		}
		return nil
	}
	err = SealedRows(b.ctx, b.snap, d.ID, func(r Row) error {
		switch r := r.(type) {
		case *PackContent:
			return issue(r.Combos, r.CodeAt, r.CodeAt2)
		case *Play:
			if r.Kind != KindPack {
				return issue(r.Combos, r.CodeAt, r.CodeAt2)
			}
			sold[packID{r.PackType, r.Pack}] += r.Shares
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range runs {
		for zone, byStart := range runs[i] {
			if err := disjoint(byStart); err != nil {
				return fmt.Errorf("codes %s, %v zone: %w", list[i].ID, zone, err)
			}
		}
	}
	return b.checkSold(d.ID, sold)
}

func (b *books) checkSold(draw string, sold map[packID]int64) error {
	return b.snap.Scan(b.ctx, Range{From: Key{Table: Packs, S: draw}, Prefix: 1}, func(r Row) error {
		p := r.(*Pack)
		if n := sold[packID{p.Type, p.N}]; n != p.Sold {
			return fmt.Errorf("pack %s/%d: %d shares sold, its plays hold %d", p.Type, p.N, p.Sold, n)
		}
		return nil
	})
}

// checkPaid compares the credits of a paid draw with what was counted.
func (b *books) checkPaid(d *Draw, stakes, prizes money.Cents) error {
	count, err := readDoc[Count](b.ctx, b.snap, d.ID, DocCount, d.Version)
	if err != nil {
		return err
	}
	var paid money.Cents
	var credits int64
	err = b.snap.Scan(b.ctx, Range{From: Key{Table: Credits, S: d.ID}, Prefix: 1}, func(r Row) error {
		if c := r.(*Credit); c.Version == d.Version {
			paid = money.Add(paid, c.Cents)
			credits++
		}
		return nil
	})
	if err != nil {
		return err
	}
	if stakes != 0 || money.Add(paid, prizes) != count.Due {
		return fmt.Errorf("%v paid, %v to be paid, %v of stakes left; %v are due", paid, prizes, stakes, count.Due)
	}
	if d.State != string(drawing.Approved) && (prizes != 0 || credits != count.Credits || d.Paid != d.Slices) {
		return fmt.Errorf("settled with %d of %d credits and %v left", credits, count.Credits, prizes)
	}
	// Gains = paid to holders and players + parts of unsold shares + rounding, to the cent.
	var reserve money.Cents
	for _, cents := range count.Packs.Reserve {
		reserve = money.Add(reserve, cents)
	}
	if count.Gains != money.Sum(count.Due, reserve, count.Packs.Rounding) {
		return fmt.Errorf("gains of %v, but %v due, %v to reserve funds and %v of rounding", count.Gains, count.Due, reserve, count.Packs.Rounding)
	}
	return nil
}

// ScanTransfers calls yield for every posting: the transfers, then the credits, each of which stands for its own.
func ScanTransfers(ctx context.Context, snap Snapshot, yield func(*Transfer) error) error {
	err := snap.Scan(ctx, Range{From: Key{Table: Transfers}}, func(r Row) error { return yield(r.(*Transfer)) })
	if err != nil {
		return err
	}
	return snap.Scan(ctx, Range{From: Key{Table: Credits}}, func(r Row) error { return yield(r.(*Credit).Transfer()) })
}

// Balances returns the balance of every account that is no player's, those at zero left out.
func Balances(ctx context.Context, snap Snapshot) (map[ledger.Account]money.Cents, error) {
	sums := map[ledger.Account]money.Cents{}
	err := snap.Scan(ctx, Range{From: Key{Table: Accounts}}, func(r Row) error {
		a := r.(*AccountRow)
		sums[ledger.Account(a.Name)] = money.Add(sums[ledger.Account(a.Name)], a.Balance)
		return nil
	})
	for name, cents := range sums {
		if cents == 0 {
			delete(sums, name)
		}
	}
	return sums, err
}

// seriesIssued lists the series that a draw issues, in the order of the stored positions.
func seriesIssued(d *Draw) ([]*codeSeries, error) {
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	return drawSeries(book, d.Day, d.Exceptional == 1)
}

// disjoint returns an error when two runs, start → end, overlap.
func disjoint(runs map[int64]int64) error {
	starts := make([]int64, 0, len(runs))
	for s := range runs {
		starts = append(starts, s)
	}
	slices.Sort(starts)
	for i := 1; i < len(starts); i++ {
		if end := runs[starts[i-1]]; end > starts[i] {
			return fmt.Errorf("positions %d to %d are issued twice", starts[i], end-1)
		}
	}
	return nil
}
