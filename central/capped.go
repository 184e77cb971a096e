package central

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/rules/combin"
	"tirage/rules/rulebook"
)

// Capped combinations: at an ordinary Loto draw at most 45 identical simple combinations take part (Art. décret 78-1067:15, as the press quotes it), those
// inside multiples and packs counted. The number is that of the rulebook of the draw's day, so that it is one for the whole draw.
//
// No row is kept for a combination. One node at a time sells all capped draws: the one that the row of the [Lease] names, which every such sale holds
// shared until its commit. Whoever takes the lease over ([TakeSales]) waits for the sales on their way, and those after it find another node there. The seller keeps
// a byte for each combination of a draw in memory, 19 MB, and reads them from the plays when it has none, or those of another epoch.
//
// A plan stays pure: what a batch takes is kept beside these counts and added to them after its commit. Whenever the log in the store is not the one that
// the register left, whatever the reason, all counts are dropped and read again.
//
// A quick pick that is sold out is drawn again under the next attempt number, for which a row stands beside the play ([PickAttempts]); a chosen
// combination that is sold out refuses the play, as does one inside a multiple (inferred).

// maxPickAttempts bounds how often a quick pick is drawn. A draw in which so many in a row are sold out is sold out.
const maxPickAttempts = 256

// maxTallies bounds the capped draws that a node keeps the counts of, above all that are on sale together: five weeks of three draws each.
const maxTallies = 32

// tally counts the simple combinations that take part in one draw.
type tally struct {
	draw   string
	full   *full // told of what is sold out; nil: nobody is
	epoch  int64 // of the lease when they were read
	closes int64
	max    uint8
	matrix combin.Matrix
	counts counts
}

// counts counts simple combinations by their index in the matrix, up to 255 of each: in a map while there are few, so that a draw far ahead costs little.
type counts struct {
	total int64 // combinations of the matrix
	few   map[int64]uint8
	all   []uint8
}

// fewMax is how many combinations a map of counts holds, some 2 MB, before it becomes an array.
const fewMax = 1 << 16

func (c *counts) of(at int64) uint8 {
	if c.all != nil {
		return c.all[at]
	}
	return c.few[at]
}

func (c *counts) add(at int64, n uint8) {
	if c.all != nil {
		c.all[at] += n
		return
	}
	if c.few == nil {
		c.few = map[int64]uint8{}
	}
	c.few[at] += n
	if len(c.few) > fewMax {
		c.all = make([]uint8, c.total)
		for at, n := range c.few {
			c.all[at] = n
		}
		c.few = nil
	}
}

// newTallies returns where a register keeps its counts, nil for one that counts none.
func newTallies(cfg Config) map[string]*tally {
	if cfg.Summed {
		return nil
	}
	return map[string]*tally{}
}

// slot is one simple combination of one draw.
type slot struct {
	t  *tally
	at int64
}

// needTally is thrown where a draw is not counted yet; the register reads its plays and plans the command again.
type needTally struct {
	draw  *Draw
	epoch int64
}

// Lease says which node does what one node does at a time. Its row is there before anything is done under it.
type Lease struct {
	Name  string
	Node  int64
	Epoch int64 // how often it was taken, from 1 on
}

func (*Lease) Table() TableID  { return Leases }
func (r *Lease) Fields() []any { return []any{&r.Name, &r.Node, &r.Epoch} }

// cappedKey is the lease under which capped draws are sold. Commands that sell share it.
var cappedKey = Key{Table: Leases, S: "capped"}

// leaseCapped gives the lease to the node that opens the first capped draw.
func (p *Plan) leaseCapped(book *rulebook.Rulebook) {
	if book.Sale.MaxIdentical > 0 && get[Lease](p, cappedKey) == nil {
		p.insert(&Lease{Name: cappedKey.S, Node: p.Node, Epoch: 1})
	}
}

// Holder says which node sells the capped draws.
type Holder struct {
	Node  int64 `json:"node"`
	Epoch int64 `json:"epoch"` // 0: no node does
}

// reasonElsewhere refuses a sale of a capped draw that another node sells. [Refusal.Current] is its [Holder].
const reasonElsewhere = "draw.elsewhere"

// tally returns the counts of the sale's draw: nil when it has no limit, or when nothing is sold, as for a quote.
func (p *Plan) tally(s *saleOf) (*tally, error) {
	if s.prizes.Sale.MaxIdentical == 0 || p.reg.tallies == nil {
		return nil, nil
	}
	var held Holder
	if l := get[Lease](p, cappedKey); l != nil {
		held = Holder{l.Node, l.Epoch}
	}
	if held.Epoch == 0 || held.Node != p.Node {
		r := refuse(Unavailable, reasonElsewhere, "draw", "draw %s is sold by node %d, this is node %d; nothing was done, try again there", s.draw.ID, held.Node, p.Node)
		r.Current = held
		return nil, r
	}
	t := p.reg.tallies[s.draw.ID]
	if t == nil || t.epoch != held.Epoch {
		panic(needTally{s.draw, held.Epoch})
	}
	return t, nil
}

// picking draws the grids of one play or pack and counts their combinations.
type picking struct {
	p     *Plan
	sale  *saleOf
	tally *tally // nil: nothing is counted
	full  *full  // of a plan that only looks: what is known to be sold out; nil: nothing is
	noted picks
}

func (p *Plan) picking(s *saleOf) (*picking, error) {
	k := &picking{p: p, sale: s}
	if p.reg.tallies == nil {
		k.full = p.reg.full
	}
	var err error
	k.tally, err = p.tally(s)
	return k, err
}

// line returns the grid of line i of a play: as chosen, or drawn until none of its combinations is sold out.
func (k *picking) line(l Line, play int64, i int) (combin.Combination, error) {
	attempts := 1
	if l.Grid == 0 {
		attempts = maxPickAttempts
	}
	var full combin.Combination
	if k.full != nil && l.Grid != 0 {
		if full = k.full.among(k.sale.draw.ID, l.Grid); full != 0 {
			return 0, k.soldOut(full, fmt.Sprintf("lines.%d", i))
		}
	}
	for attempt := range attempts {
		grid, err := k.sale.line(l, play, i, attempt)
		if err != nil {
			return 0, refuse(Invalid, "play.grid", fmt.Sprintf("lines.%d", i), "%v", err)
		}
		if full = k.take(grid, i, attempt); full == 0 {
			return grid, nil
		}
	}
	return 0, k.soldOut(full, fmt.Sprintf("lines.%d", i))
}

// take counts the simple combinations of a grid, drawn for line i under an attempt. When one of them takes part as often as the draw allows, it
// counts none and returns that one.
func (k *picking) take(grid combin.Combination, i, attempt int) (full combin.Combination) {
	t, p := k.tally, k.p
	if t == nil {
		return 0
	}
	var room [64]int64
	places := slices.AppendSeq(room[:0], t.matrix.Indexes(grid))
	for _, at := range places {
		s := slot{t, at}
		if t.counts.of(at)+p.batch.took(s)+p.counted[s] >= t.max {
			return t.matrix.At(at)
		}
	}
	if p.counted == nil {
		p.counted = make(map[slot]uint8, len(places))
	}
	for _, at := range places {
		p.counted[slot{t, at}]++
	}
	if attempt > 0 {
		k.noted = append(k.noted, pickAttempt{i, attempt})
	}
	return 0
}

// soldOut says that a combination takes part as often as the draw allows.
func (k *picking) soldOut(full combin.Combination, field string) *Refusal {
	r := refuse(SoldOut, "play.saturated", field, "combination %v takes part in draw %s %d times, which is the most; nothing is debited", full, k.sale.draw.ID, k.sale.prizes.Sale.MaxIdentical)
	r.Article = articleOf(k.sale.prizes, "sale.max_identical")
	return r
}

// PickAttempts says under which attempts the quick picks of a play or a pack were drawn, where it was not under attempt 0 because grids were sold out. Plays
// and packs drawn at the first attempt, nearly all, have no such row.
type PickAttempts struct {
	Draw, Type string // type of the pack, "" for a play
	N          int64  // the play, or the number of the pack in its type
	Attempts   string // "LINE:ATTEMPT LINE:ATTEMPT", lines from 0 and ascending
}

func (*PickAttempts) Table() TableID  { return Attempts }
func (r *PickAttempts) Fields() []any { return []any{&r.Draw, &r.Type, &r.N, &r.Attempts} }

// picks notes under which attempt the lines of a play or a pack were drawn, where it is not the first.
type picks []pickAttempt

type pickAttempt struct{ line, attempt int }

// note stores under which attempts a play or a pack was drawn, if that is worth a row, and returns it as text.
func (k *picking) note(typ string, n int64) string {
	if len(k.noted) == 0 {
		return ""
	}
	row := &PickAttempts{Draw: k.sale.draw.ID, Type: typ, N: n, Attempts: k.noted.String()}
	k.p.append(row)
	return row.Attempts
}

func (ps picks) String() string {
	ss := make([]string, len(ps))
	for i, a := range ps {
		ss[i] = fmt.Sprintf("%d:%d", a.line, a.attempt)
	}
	return strings.Join(ss, " ")
}

// parsePicks reads [PickAttempts.Attempts].
func parsePicks(text string) (picks, error) {
	bad := fmt.Errorf("attempts %.60q: accepted LINE:ATTEMPT, lines ascending, joined by a space", text)
	var ps picks
	for piece := range strings.SplitSeq(text, " ") {
		line, attempt, _ := strings.Cut(piece, ":")
		l, err1 := strconv.Atoi(line)
		a, err2 := strconv.Atoi(attempt)
		if err1 != nil || err2 != nil || l < 0 || a < 1 || a >= maxPickAttempts || len(ps) > 0 && l <= ps[len(ps)-1].line {
			return nil, bad
		}
		ps = append(ps, pickAttempt{l, a})
	}
	if ps.String() != text {
		return nil, bad
	}
	return ps, nil
}

// of returns the attempt under which a line was drawn.
func (ps picks) of(line int) int {
	for _, a := range ps {
		if a.line == line {
			return a.attempt
		}
	}
	return 0
}

// loadTally reads which combinations take part in a draw. This transaction holds the lease, which names this node: no other sells the draw meanwhile, and
// what the node itself has sold is committed.
func (r *Register) loadTally(ctx context.Context, of needTally) error {
	t, err := newTally(of.draw)
	if err != nil {
		return err
	}
	t.full = r.full
	snap, err := r.cfg.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	if err := t.read(ctx, snap); err != nil {
		return err
	}
	t.epoch = of.epoch
	r.tallies[t.draw] = t
	return nil
}

// read counts the grids of all plays and packs of the draw.
func (t *tally) read(ctx context.Context, snap Snapshot) error {
	// The shares of a pack have no grids of their own: what it plays counts once, whoever holds it.
	err := snap.Scan(ctx, Range{From: Key{Table: PackContents, S: t.draw}, Prefix: 1}, func(r Row) error { return t.count(r.(*PackContent).Lines) })
	if err != nil {
		return err
	}
	return snap.Scan(ctx, Range{From: Key{Table: Plays, S: t.draw}, Prefix: 1, Only: []string{"draw", "id", "lines"}}, func(r Row) error { return t.count(r.(*Play).Lines) })
}

// count counts stored grids; nil counts none. One combination too many is an error.
func (t *tally) count(lines []byte) error {
	if t == nil {
		return nil
	}
	for _, grid := range Grids(lines) {
		for at := range t.matrix.Indexes(grid) {
			if t.counts.of(at) == t.max {
				return fmt.Errorf("combination %v takes part in draw %s more than %d times", t.matrix.At(at), t.draw, t.max)
			}
			t.add(at, 1)
		}
	}
	return nil
}

// add counts n more of a simple combination, and tells when it is sold out.
func (t *tally) add(at int64, n uint8) {
	t.counts.add(at, n)
	if t.full != nil && t.counts.of(at) == t.max {
		t.full.add(t, at)
	}
}

// newTally returns empty counts for a draw, nil when it has no limit.
func newTally(d *Draw) (*tally, error) {
	book, err := drawBook(d)
	if err != nil || book.Sale.MaxIdentical == 0 {
		return nil, err
	}
	return &tally{draw: d.ID, closes: d.ClosesAt, max: uint8(book.Sale.MaxIdentical), matrix: book.Matrix, counts: counts{total: book.Matrix.Total()}}, nil
}

// trimTallies forgets the counts of draws that are closed and, beyond maxTallies, of those that close last. It runs between two batches: within one, what a
// draw has sold stands on one tally.
func (r *Register) trimTallies() {
	r.full.trim(r.last)
	for id, t := range r.tallies {
		if t.closes <= r.last {
			delete(r.tallies, id)
		}
	}
	for len(r.tallies) > maxTallies {
		last := ""
		for id, t := range r.tallies {
			if last == "" || t.closes > r.tallies[last].closes || t.closes == r.tallies[last].closes && id > last {
				last = id
			}
		}
		delete(r.tallies, last)
	}
}

// addCounted adds what a batch took to the counts, once it is committed.
func (b *batch) addCounted() {
	b.kept = true
	for s, n := range b.capped {
		s.t.add(s.at, n)
	}
	b.capped = nil
}

// took returns how many of a combination were taken by what is planned and not yet counted.
func (b *batch) took(s slot) uint8 {
	n := b.capped[s]
	if b.under != nil {
		n += b.under.batch.capped[s]
	}
	return n
}

// dropUntaken forgets all counts when a batch is given up that had taken the lease: they are of an epoch that was then not this node's, and may be so
// later.
func (r *Register) dropUntaken(b *batch) {
	if !b.kept && b.dirty[cappedKey] {
		clear(r.tallies)
	}
}

// TakeSales makes the node that does it the seller of the capped draws, in the place of one that has stopped. A register does it by itself, see
// [Register.Do]; nothing breaks when the other node is still there, since it finds the lease taken. The result is a [Holder].
type TakeSales struct {
	Epoch int64 `json:"epoch"` // as it was seen, 0 for no lease: of two nodes that take it at a time one does
}

func (TakeSales) Kind() string { return "take_sales" }
func (TakeSales) Keys() []Key  { return []Key{cappedKey} }

func (c TakeSales) Plan(p *Plan) (any, error) {
	l := edit[Lease](p, cappedKey)
	if l == nil {
		l = &Lease{Name: cappedKey.S}
		p.insert(l)
	}
	// Nor does a node take them from itself: what it has sold in this batch stands on the counts of the epoch that it would end.
	if l.Epoch != c.Epoch || l.Epoch > 0 && l.Node == p.Node {
		return nil, refuse(Conflict, "lease.taken", "epoch", "node %d sells the capped draws, since they were taken %d times", l.Node, l.Epoch)
	}
	l.Node = p.Node
	l.Epoch++
	return Holder{l.Node, l.Epoch}, nil
}

// sellerSilence is how long the seller of the capped draws writes nothing before another node takes its place. A seller that is there and has nothing to do
// is replaced too, which costs the reading of the plays.
const sellerSilence = 10 * time.Second

// takeOver takes the lease that a refused sale found elsewhere, when its node has written nothing for a while, and reports whether the sale is worth
// another try. Clocks need not agree: they decide when the lease is taken, never what is sold.
func (r *Register) takeOver(ctx context.Context, refused error) bool {
	var refusal *Refusal
	if !errors.As(refused, &refusal) || refusal.Reason != reasonElsewhere {
		return false
	}
	held := refusal.Current.(Holder)
	if held.Epoch > 0 {
		at, err := r.lastWrite(ctx, held.Node)
		if err != nil || r.cfg.Clock.Now().Sub(at) < sellerSilence {
			return false
		}
	}
	_, err := r.ask(ctx, Request{Principal: SystemPrincipal, Key: fmt.Sprintf("take sales %d", held.Epoch), Command: TakeSales{held.Epoch}})
	return err == nil
}

// lastWrite returns the time of the last leaf of a node.
func (r *Register) lastWrite(ctx context.Context, node int64) (at time.Time, err error) {
	snap, err := r.cfg.Store.Snapshot(ctx)
	if err != nil {
		return at, err
	}
	defer snap.Close()
	row, err := snap.Get(ctx, Key{Table: Writers, N: node})
	if row == nil || err != nil {
		return at, err
	}
	return time.UnixMicro(row.(*Writer).At), nil
}
