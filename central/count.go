package central

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// SliceCredits is the number of credits that one command pays.
const SliceCredits = 1000

// Counting is the work of one result: two passes over the sealed rows, the first for the winners of each rank, the second for the gain
// of each play. It holds only the packs that win.
type Counting struct {
	Draw     *Draw
	Book     *rulebook.Rulebook // in force on the day of the draw
	Manifest *Manifest
	Result   *Result
	Outside  *Outside
	Unit     []money.Cents // after Winners
	winners  prize.Winners
	drawn    combin.Combination
	series   []*winningCodes
	addOns   []*addOnPlays
	packs    map[packID]byComponent // what one share receives, of the packs that win
	groups   receiptsOf             // of the group plays that were not yet read
	names    []string               // of the components
	order    []int                  // components in the order of their names
	counts   prize.Winners          // scratch of one play
	types    map[string]*PackType
}

type packID struct {
	typ string
	n   int64
}

// componentsMax bounds the components of a credit: the ranks, at most two series of codes (Play.CodeAt, Play.CodeAt2), the games added.
const componentsMax = 1 + maxSeries + maxAddOns

// byComponent holds an amount for the ranks at 0, for series i at i+1, then for the games added.
type byComponent [componentsMax]money.Cents

// winningCodes are the drawn codes of one series, as positions.
type winningCodes struct {
	*codeSeries
	index  int // 0: Play.CodeAt, 1: Play.CodeAt2
	drawn  int64
	ours   int64
	places map[codes.Zone][]int64 // ascending
}

// Component names of credits. That of an added game is its name.
const ComponentRanks = "ranks"

func componentCode(series string) string { return "code/" + series }

// NewCounting reads the papers of a drawn result.
func NewCounting(ctx context.Context, snap Snapshot, draw string, open func(*Draw) (fairness.Secret, error)) (*Counting, error) {
	row, err := snap.Get(ctx, drawKey(draw))
	if err != nil {
		return nil, err
	}
	d, _ := row.(*Draw)
	if d == nil || d.Version == 0 {
		return nil, refuse(Conflict, "count.result", "draw", "draw %s has no result", draw)
	}
	c := &Counting{Draw: d, packs: map[packID]byComponent{}, groups: receiptsOf{}, types: map[string]*PackType{}}
	if c.Manifest, err = readDoc[Manifest](ctx, snap, draw, DocManifest, 0); err != nil {
		return nil, err
	}
	if c.Result, err = readDoc[Result](ctx, snap, draw, DocResult, d.Version); err != nil {
		return nil, err
	}
	if c.Outside, err = readDoc[Outside](ctx, snap, draw, DocOutside, d.Version); err != nil {
		return nil, err
	}
	if c.Book, err = drawBook(d); err != nil {
		return nil, err
	}
	if c.drawn, err = combin.Of(c.Result.Main, c.Result.Extra); err != nil {
		return nil, err
	}
	secret, err := open(d)
	if err != nil {
		return nil, err
	}
	if err := c.readCodes(secret); err != nil {
		return nil, err
	}
	if err := c.readAddOns(ctx, snap); err != nil {
		return nil, err
	}
	c.nameComponents()
	return c, nil
}

// nameComponents puts the components in the order of their names, which is that of the credits of a play.
func (c *Counting) nameComponents() {
	c.names = []string{ComponentRanks}
	for _, w := range c.series {
		c.names = append(c.names, componentCode(w.ID))
	}
	for _, a := range c.addOns {
		c.names = append(c.names, a.game)
	}
	c.order = make([]int, len(c.names))
	for i := range c.order {
		c.order[i] = i
	}
	slices.SortFunc(c.order, func(a, b int) int { return strings.Compare(c.names[a], c.names[b]) })
}

// readDoc reads a paper of a draw from the store.
func readDoc[T any](ctx context.Context, snap Snapshot, draw, kind string, version int64) (*T, error) {
	row, err := snap.Get(ctx, docKey(draw, kind, version))
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(Conflict, "paper.missing", "draw", "draw %s has no %s of version %d", draw, kind, version)
	}
	return ReadPaper[T](row.(*Doc).Body)
}

// readCodes finds the positions of the drawn codes in the zones of their series.
func (c *Counting) readCodes(secret fairness.Secret) error {
	list, err := drawSeries(c.Book, c.Draw.Day, c.Draw.Exceptional == 1)
	if err != nil {
		return err
	}
	for i, s := range list {
		w := &winningCodes{codeSeries: s, index: i, drawn: int64(len(c.Result.Codes[s.ID])), places: map[codes.Zone][]int64{}}
		sheet, err := codes.NewSheet(*s.Series, fairness.CodeKey(secret, s.ID))
		if err != nil {
			return err
		}
		for _, printed := range c.Result.Codes[s.ID] {
			ordinal, err := s.Parse(printed)
			if err != nil {
				return err
			}
			if at, ok := sheet.Place(ordinal); ok {
				w.places[at.Zone] = append(w.places[at.Zone], at.Position)
			}
		}
		for _, ps := range w.places {
			slices.Sort(ps)
		}
		c.series = append(c.series, w)
	}
	c.counts = make(prize.Winners, len(c.Book.Prizes.Ranks))
	return nil
}

// hits returns how many drawn codes of the series a play or a pack of n codes holds.
func (w *winningCodes) hits(n, at, at2 int64) int64 {
	if w.drawn == 0 {
		return 0
	}
	if w.index == 1 {
		at = at2
	}
	run := PlaceOf(w.Series, n, at)
	ps := w.places[run.Zone]
	first, _ := slices.BinarySearch(ps, run.Start)
	end, _ := slices.BinarySearch(ps, run.End())
	return int64(end - first)
}

// byRank adds the winning simple combinations of packed grids to counts by rank of a game.
func byRank(book *rulebook.Rulebook, lines []byte, drawn combin.Combination, counts prize.Winners) {
	m := book.Matrix
	simple := combin.Format{Main: m.Main, Extra: m.Extra}
	for ; len(lines) > 0; lines = lines[8:] {
		l := combin.Combination(binary.BigEndian.Uint64(lines))
		if l.Format() == simple {
			if rank := book.RankOf(l.Hits(drawn)); rank > 0 {
				counts[rank-1]++
			}
			continue
		}
		t := combin.Winners(m, l, drawn)
		for main := range m.Main + 1 {
			for extra := range m.Extra + 1 {
				if n := t[main][extra]; n > 0 {
					if rank := book.RankOf(main, extra); rank > 0 {
						counts[rank-1] += n
					}
				}
			}
		}
	}
}

// Winners is the first pass: it counts the winners of this system and settles the unit gains.
func (c *Counting) Winners(ctx context.Context, snap Snapshot) error {
	c.winners = make(prize.Winners, len(c.Book.Prizes.Ranks))
	c.rewindAddOns()
	err := sealedRows(ctx, snap, c.Draw.ID, gridColumns, func(r Row) error {
		switch r := r.(type) {
		case *PackContent:
			byRank(c.Book, r.Lines, c.drawn, c.winners)
			c.countCodes(r.Combos, r.CodeAt, r.CodeAt2)
		case *Play:
			if r.PackType == "" {
				byRank(c.Book, r.Lines, c.drawn, c.winners)
				c.countCodes(r.Combos, r.CodeAt, r.CodeAt2)
				c.countAddOns(r)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.Settle(c.winners, c.addOnWinners())
}

// Settle works out the unit gains from this system's winners by rank, of the draw and of each game added to its plays.
func (c *Counting) Settle(winners prize.Winners, addOns map[string]prize.Winners) error {
	s, err := settle(c.Draw, c.Book, c.Manifest, c.Result, plus(winners, c.Outside.Winners))
	if err != nil {
		return refuse(Conflict, "count.terms", "", "%v", err)
	}
	c.winners, c.Unit = winners, s.Unit
	if err := c.settleAddOns(addOns); err != nil {
		return refuse(Conflict, "count.terms", "", "%v", err)
	}
	return nil
}

// resume takes winners and unit gains from a count that stands, in the place of the first pass.
func (c *Counting) resume(count *Count) error {
	if len(count.AddOns) != len(c.addOns) {
		return fmt.Errorf("draw %s: %d games are added to its plays, %d were counted", c.Draw.ID, len(c.addOns), len(count.AddOns))
	}
	c.Unit, c.winners = count.Unit, count.Winners
	for i, a := range c.addOns {
		a.unit, a.winners = count.AddOns[i].Unit, count.AddOns[i].Winners
	}
	return nil
}

func (c *Counting) countCodes(n, at, at2 int64) {
	for _, w := range c.series {
		w.ours += w.hits(n, at, at2)
	}
}

// Credits is the second pass: it calls yield for each gain of a player, in the order of the plays, and returns the totals. Winners must have run.
func (c *Counting) Credits(ctx context.Context, snap Snapshot, yield func(Credit) error) (*Count, error) {
	out := &Count{
		Draw: c.Draw.ID, Version: c.Draw.Version, Winners: c.winners, Outside: c.Outside.Winners, Unit: c.Unit,
		AddOns: c.addOnCounts(), Packs: PackTotals{Reserve: map[string]money.Cents{}},
	}
	c.rewindAddOns()
	for _, w := range c.series {
		out.Codes = append(out.Codes, CodeCount{w.ID, w.drawn, w.ours, w.gain})
	}
	clear(c.packs)
	clear(c.groups)
	sold := map[packID]int64{}
	err := sealedRows(ctx, snap, c.Draw.ID, betColumns, func(r Row) error {
		switch r := r.(type) {
		case *PackType:
			c.types[r.Type] = r
		case *Pack:
			sold[packID{r.Type, r.N}] = r.Sold
		case *PackContent:
			return c.shareOut(r, sold[packID{r.Type, r.N}], &out.Packs)
		case *GroupReceipt:
			c.groups.add(r)
		case *Play:
			if r.Shares > 0 && r.PackType == "" {
				return c.creditGroup(r, out, yield)
			}
			return c.credit(r, out, yield)
		}
		return nil
	})
	if err == nil {
		err = c.groups.none()
	}
	out.Gains = money.Sum(out.Gains, out.Packs.Gains, out.Groups.Gains)
	return out, err
}

// eachGain calls yield for the gains of grids and codes: the winning combinations of each rank, the drawn codes of each series.
func (c *Counting) eachGain(lines []byte, n, at, at2 int64, yield func(component int, unit money.Cents, count int64)) {
	clear(c.counts)
	byRank(c.Book, lines, c.drawn, c.counts)
	for i, k := range c.counts {
		if k > 0 && c.Unit[i] > 0 {
			yield(0, c.Unit[i], k)
		}
	}
	for i, w := range c.series {
		if k := w.hits(n, at, at2); k > 0 {
			yield(i+1, w.gain, k)
		}
	}
}

// source tells a code Euro Millions, which is free and issued at exceptional draws only, from the codes of each draw.
func (c *Counting) source(component int) pack.Source {
	switch {
	case component == 0:
		return pack.Rank
	case c.series[component-1].Exceptional:
		return pack.EuroCode
	}
	return pack.Code
}

// shareOut splits the gains of one pack between its shares (Art. loto@2018-10-29:11, Art. loto@2018-10-29:14.8,
// Art. euromillions@2018-10-29:7, Art. euromillions@2018-10-29:3.4.2.6).
func (c *Counting) shareOut(r *PackContent, sold int64, totals *PackTotals) error {
	t := c.types[r.Type]
	out, perShare, err := c.split(r.Lines, r.Combos, r.CodeAt, r.CodeAt2, t.Shares, sold)
	if err != nil {
		return fmt.Errorf("pack %s/%d: %w", r.Type, r.N, err)
	}
	if len(out.Lines) == 0 {
		return nil
	}
	// The reserve funds are those of the version in force at the sale.
	book, err := games.Version(t.Rules)
	if err != nil {
		return err
	}
	totals.Gains = money.Add(totals.Gains, out.Gains)
	totals.Holders = money.Add(totals.Holders, out.Holders)
	totals.Rounding = money.Add(totals.Rounding, out.Rounding)
	for source, cents := range out.Reserve {
		if cents > 0 {
			fund := pack.Source(source).Fund(book.Pack)
			totals.Reserve[fund] = money.Add(totals.Reserve[fund], cents)
		}
	}
	c.packs[packID{r.Type, r.N}] = perShare
	return nil
}

// split splits the gains of grids and codes between equal shares, each winning combination and code for itself, and says what one share receives.
func (c *Counting) split(lines []byte, n, at, at2, shares, sold int64) (out pack.ShareOut, perShare byComponent, err error) {
	var gains []pack.Gain
	var components []int
	c.eachGain(lines, n, at, at2, func(component int, unit money.Cents, count int64) {
		gains = append(gains, pack.Gain{Source: c.source(component), Unit: unit, Count: count})
		components = append(components, component)
	})
	if out, err = pack.Split(gains, shares, sold); err != nil {
		return out, perShare, err
	}
	for i, l := range out.Lines {
		perShare[components[i]] = money.Add(perShare[components[i]], l.PerShare)
	}
	return out, perShare, nil
}

// credit yields the gains of one play, by component.
func (c *Counting) credit(r *Play, out *Count, yield func(Credit) error) error {
	var due byComponent
	if r.PackType != "" {
		perShare, ok := c.packs[packID{r.PackType, r.Pack}]
		if !ok {
			return nil
		}
		for i, cents := range perShare {
			due[i] = money.Mul(cents, r.Shares)
		}
	} else {
		c.eachGain(r.Lines, r.Combos, r.CodeAt, r.CodeAt2, func(component int, unit money.Cents, count int64) {
			gain := money.Mul(unit, count)
			due[component] = money.Add(due[component], gain)
			out.Gains = money.Add(out.Gains, gain)
		})
		c.addOnGains(r, func(component int, gain money.Cents) {
			due[component] = gain
			out.Gains = money.Add(out.Gains, gain)
		})
	}
	for _, i := range c.order {
		if due[i] == 0 {
			continue
		}
		out.Credits++
		out.Due = money.Add(out.Due, due[i])
		credit := Credit{Draw: r.Draw, Component: c.names[i], Play: r.ID, Version: c.Draw.Version, Player: r.payee(), Cents: due[i]}
		if err := yield(credit); err != nil {
			return err
		}
	}
	return nil
}

// payee returns who is credited with the gains of a play: nobody at first for one that was sold at a point of sale, whose winner shows the receipt
// (inferred: on the web site and in the applications gains are credited at once).
func (r *Play) payee() int64 {
	if r.Channel == string(ChannelRetail) {
		return 0
	}
	return r.Player
}

// CountResult works out a result whole: winners, unit gains, totals and the slices of credits.
func (c *Counting) CountResult(ctx context.Context, snap Snapshot) (*Count, error) {
	if err := c.Winners(ctx, snap); err != nil {
		return nil, err
	}
	var sums []SliceSum
	out, err := c.Slices(ctx, snap, func(_ int64, credits []Credit) error {
		sums = append(sums, SumCredits(credits))
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Slices = sums
	return out, nil
}

// Slices is the second pass, its credits gathered into slices. The credits are valid until yield returns.
func (c *Counting) Slices(ctx context.Context, snap Snapshot, yield func(n int64, credits []Credit) error) (*Count, error) {
	slice := make([]Credit, 0, SliceCredits)
	var n int64
	flush := func() error {
		if len(slice) == 0 {
			return nil
		}
		err := yield(n, slice)
		n++
		slice = slice[:0]
		return err
	}
	out, err := c.Credits(ctx, snap, func(credit Credit) error {
		if slice = append(slice, credit); len(slice) == SliceCredits {
			return flush()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, flush()
}
