package central

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"tirage/games"
	"tirage/ledger"
	"tirage/rules/codes"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// drawCheck is what the sealed rows of one draw hold.
type drawCheck struct {
	*books
	draw   *Draw
	prizes string // rulebook of the day of the draw
	rules  map[string]*rulebook.Rulebook
	sales  *salesCounter
	types  map[string]*typeBooks
	packs  map[packID]*packBooks
	groups receiptsOf // of the group plays that were not yet read
	played map[int64]groupBooks
	series []*codeSeries
	runs   map[string][]span     // by scope of the codes
	addOns map[int64][]*AddOnRow // by play, until it is read
	tally  *tally                // of a capped draw, else nil
}

type typeBooks struct {
	PackType
	packs, sold int64      // of the packs
	open        []packLeft // those with shares left
}

type packBooks struct {
	Pack
	content *PackContent
	held    int64 // shares that plays hold
}

// span is a run of codes: positions start to end−1 of its scope.
type span struct{ start, end int64 }

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
	book, err := drawBook(d)
	if err != nil {
		return err
	}
	db := &drawCheck{
		books: b, draw: d, prizes: book.Header.Version(), rules: map[string]*rulebook.Rulebook{}, sales: newSalesCounter(d.ID),
		types: map[string]*typeBooks{}, packs: map[packID]*packBooks{}, runs: map[string][]span{}, groups: receiptsOf{}, played: map[int64]groupBooks{}, addOns: map[int64][]*AddOnRow{},
	}
	if db.tally, err = newTally(d); err != nil {
		return err
	}
	if db.series, err = drawSeries(book, d.Day, d.Exceptional == 1); err != nil {
		return err
	}
	if err := SealedRows(b.ctx, b.snap, d.ID, db.read); err != nil {
		return err
	}
	for _, check := range []func() error{db.checkPacks, db.checkCodes, db.checkAddOns, db.groups.none, db.checkGroups, db.checkCapped} {
		if err := check(); err != nil {
			return err
		}
	}
	sales := db.sales.sum()
	if err := db.checkCounters(sales); err != nil {
		return err
	}
	if err := db.checkSealed(sales); err != nil {
		return err
	}
	return db.checkMoney(sales)
}

func (b *drawCheck) read(r Row) error {
	if err := b.sales.add(r); err != nil {
		return err
	}
	switch r := r.(type) {
	case *PackType:
		b.types[r.Type] = &typeBooks{PackType: *r}
	case *Pack:
		b.packs[packID{r.Type, r.N}] = &packBooks{Pack: *r}
		t := b.types[r.Type]
		t.packs++
		t.sold += r.Sold
		if r.Sold < t.Shares {
			t.open = append(t.open, packLeft{r.N, t.Shares - r.Sold})
		}
	case *PackContent:
		return b.readContent(r)
	case *AddOnRow:
		b.addOns[r.Play] = append(b.addOns[r.Play], r)
	case *GroupReceipt:
		b.groups.add(r)
	case *Play:
		if err := b.readPlay(r); err != nil {
			return fmt.Errorf("play %s: %w", PlayID(r.ID), err)
		}
	}
	return nil
}

// book returns the rulebook with this name.
func (b *drawCheck) book(version string) (*rulebook.Rulebook, error) {
	if r, ok := b.rules[version]; ok {
		return r, nil
	}
	r, err := games.Version(version)
	if err == nil {
		b.rules[version] = r
	}
	return r, err
}

func (b *drawCheck) readContent(r *PackContent) error {
	pk, t := b.packs[packID{r.Type, r.N}], b.types[r.Type]
	if pk == nil {
		return fmt.Errorf("pack %s/%d has contents without a sold share", r.Type, r.N)
	}
	pk.content = r
	book, err := b.book(t.Rules)
	if err != nil {
		return err
	}
	if got := compositionOf(Grids(r.Lines), book.Matrix); formatComposition(got) != t.Composition || r.Combos != t.Combos || got.Combinations(book.Matrix) != r.Combos {
		return fmt.Errorf("pack %s/%d plays %v in %d combinations, its type has %s in %d", r.Type, r.N, got, r.Combos, t.Composition, t.Combos)
	}
	if err := b.tally.count(r.Lines); err != nil {
		return err
	}
	return b.issue(r.Combos, r.CodeAt, r.CodeAt2)
}

func (b *drawCheck) readPlay(r *Play) error {
	switch {
	case b.players[r.Player] == nil:
		return fmt.Errorf("it belongs to player %d, who does not exist", r.Player)
	case r.At < b.draw.OpensAt || r.At >= b.draw.ClosesAt:
		return fmt.Errorf("it was sold outside the hours of the draw")
	case r.PrizeRules != b.prizes:
		return fmt.Errorf("ranks and gains of %s, on the day of the draw %s is in force", r.PrizeRules, b.prizes)
	}
	if r.Channel != "" && !slices.Contains(Channels, Channel(r.Channel)) {
		return fmt.Errorf("sold on channel %q", r.Channel)
	}
	if r.Kind == KindPack {
		return b.readShares(r)
	}
	book, err := b.book(r.SaleRules)
	if err != nil {
		return err
	}
	var combos int64
	kind := KindSimple
	for _, l := range Grids(r.Lines) {
		n := l.Count(book.Matrix)
		if n > 1 {
			kind = KindMultiple
		}
		combos += n
	}
	if r.Kind == KindGroup {
		kind = KindGroup
	}
	if r.Kind != kind || r.Combos != combos || combos == 0 || r.Stake != money.Mul(book.Sale.Price, combos) || r.PackType != "" || (r.Shares != 0) != (kind == KindGroup) {
		return fmt.Errorf("%s of %d combinations at %v: its grids are %s of %d at %v each", r.Kind, r.Combos, r.Stake, kind, combos, book.Sale.Price)
	}
	if err := errors.Join(b.readGroup(book, r), b.readAddOns(r, book), b.tally.count(r.Lines)); err != nil {
		return err
	}
	return b.issue(r.Combos, r.CodeAt, r.CodeAt2)
}

func (b *drawCheck) readShares(r *Play) error {
	pk := b.packs[packID{r.PackType, r.Pack}]
	if pk == nil || pk.content == nil {
		return fmt.Errorf("there is no pack %s/%d", r.PackType, r.Pack)
	}
	t, c := b.types[r.PackType], pk.content
	book, err := b.book(t.Rules)
	if err != nil {
		return err
	}
	if r.Channel != "" && !slices.Contains(book.Pack.Channels, r.Channel) {
		return fmt.Errorf("shares of a pack on channel %q", r.Channel)
	}
	if r.Shares < 1 || r.Stake != money.Mul(t.SharePrice, r.Shares) || len(r.Lines) > 0 {
		return fmt.Errorf("%d shares of pack %s/%d at %v, accepted %v each", r.Shares, r.PackType, r.Pack, r.Stake, t.SharePrice)
	}
	if r.Combos != c.Combos || r.CodeAt != c.CodeAt || r.CodeAt2 != c.CodeAt2 {
		return fmt.Errorf("its combinations and codes are not those of pack %s/%d", r.PackType, r.Pack)
	}
	pk.held += r.Shares
	return nil
}

// checkPacks compares what is sold of each pack, and of each type, with the plays that hold its shares.
func (b *drawCheck) checkPacks() error {
	for id, p := range b.packs {
		if p.content == nil {
			return fmt.Errorf("pack %s/%d has no contents", id.typ, id.n)
		}
		if p.held != p.Sold {
			return fmt.Errorf("pack %s/%d: %d shares sold, its plays hold %d", id.typ, id.n, p.Sold, p.held)
		}
		if t := b.types[id.typ]; id.n >= t.Opened {
			return fmt.Errorf("pack %s/%d: %d packs of its type are open", id.typ, id.n, t.Opened)
		}
	}
	for _, t := range b.types {
		open := packsLeft(t.Open)
		switch {
		case t.Opened > t.MaxPacks || t.Opened != t.packs:
			return fmt.Errorf("packs %s: %d are open of %d, there are %d", t.Type, t.Opened, t.MaxPacks, t.packs)
		case t.Sold != t.sold:
			return fmt.Errorf("packs %s: %d shares are sold, of the packs %d", t.Type, t.Sold, t.sold)
		case len(open) > len(t.open) || !slices.Equal(open, t.open[len(t.open)-len(open):]) || len(open) < len(t.open) && t.Opened <= packsListed:
			return fmt.Errorf("packs %s: %v are listed as having shares left, %v have", t.Type, open, t.open)
		}
	}
	return nil
}

// issue notes the codes of a play or a pack.
func (b *drawCheck) issue(n, at, at2 int64) error {
	for i, s := range b.series {
		floor := b.draw.SeqFloor
		if i == 1 {
			at, floor = at2, b.draw.SeqFloor2
		}
		scope := codeScope(b.draw, s.Series, n)
		if s.ZoneFor(n) == codes.RandomZone {
			floor = 0
		}
		if at < floor || at+n > b.pointers[scope] {
			return fmt.Errorf("codes %s: positions %d to %d, issued are %d to %d", s.ID, at, at+n-1, floor, b.pointers[scope]-1)
		}
		run := PlaceOf(s.Series, n, at)
		if zone := s.Zone(run.Zone); run.End() > zone.Len() {
			return fmt.Errorf("codes %s: positions %d to %d, the %v zone has %d", s.ID, run.Start, run.End()-1, run.Zone, zone.Len())
		}
		b.runs[scope] = append(b.runs[scope], span{run.Start, run.End()})
	}
	return nil
}

// checkCodes makes sure that no code was issued twice, and that the draw's count of its codes is right.
func (b *drawCheck) checkCodes() error {
	for scope, runs := range b.runs {
		slices.SortFunc(runs, func(a, b span) int { return cmp.Compare(a.start, b.start) })
		var issued int64
		for i, r := range runs {
			issued += r.end - r.start
			if i > 0 && runs[i-1].end > r.start {
				return fmt.Errorf("codes %s: positions %d to %d are issued twice", scope, r.start, runs[i-1].end-1)
			}
		}
		if n := b.counters["codes/"+scope+"/"+b.draw.ID]; n != issued {
			return fmt.Errorf("codes %s: %d are issued, the counter says %d", scope, issued, n)
		}
	}
	return nil
}

// checkCounters compares what the sales counted one by one with the plays that stand.
func (b *drawCheck) checkCounters(sales *Sales) error {
	for _, kind := range soldKinds() {
		k := sales.kind(kind)
		if n, cents := b.counters["plays/"+b.draw.ID+"/"+kind], b.counters["cents/"+b.draw.ID+"/"+kind]; n != k.Plays || cents != int64(k.Cents) {
			return fmt.Errorf("%d plays %s of %v, the counters say %d of %v", k.Plays, kind, k.Cents, n, money.Cents(cents))
		}
	}
	if n := b.counters["types/"+b.draw.ID]; n != int64(len(b.types)) {
		return fmt.Errorf("%d pack types, the counter says %d", len(b.types), n)
	}
	packs, shares, cents := b.counters["packs/"+b.draw.ID], b.counters["unsold/"+b.draw.ID], b.counters["unsold-cents/"+b.draw.ID]
	if packs != sales.Packs {
		return fmt.Errorf("%d packs, the counter says %d", sales.Packs, packs)
	}
	if b.onSale() {
		return nil // unsold shares are counted at the close
	}
	if shares != sales.UnsoldShares || cents != int64(sales.UnsoldCents) {
		return fmt.Errorf("%d unsold shares of %v, the counters say %d of %v", sales.UnsoldShares, sales.UnsoldCents, shares, money.Cents(cents))
	}
	return nil
}

func (b *drawCheck) onSale() bool {
	return b.draw.State == string(drawing.Open) || b.draw.State == string(drawing.Planned)
}

// checkSealed compares the plays with those that were sealed.
func (b *drawCheck) checkSealed(sales *Sales) error {
	if b.onSale() || b.draw.State == string(drawing.Closed) {
		return nil
	}
	m, err := readDoc[Manifest](b.ctx, b.snap, b.draw.ID, DocManifest, 0)
	if err != nil {
		return err
	}
	// Both ways through JSON, in which an empty list and none are the same.
	m.Sales.File = nil // no row of the store
	if reflect.DeepEqual(&m.Sales, sales) {
		return nil
	}
	return fmt.Errorf("the plays are not those that were sealed: %d packs and stakes of %v, sealed %d and %v", sales.Packs, sales.Stakes, m.Sales.Packs, m.Sales.Stakes)
}

// checkMoney compares the accounts of the draw with its plays and, once it is paid, with what was counted.
func (b *drawCheck) checkMoney(sales *Sales) error {
	d := b.draw
	stakes, prizes, unsold := b.balances[string(ledger.Stakes(d.ID))], b.balances[string(ledger.Prizes(d.ID))], b.balances[string(ledger.Unsold(d.ID))]
	hold, owed := sales.Stakes, sales.UnsoldCents
	switch state := drawing.State(d.State); state {
	case drawing.Approved, drawing.Settled, drawing.Published:
		hold = 0
		if err := b.checkPaid(prizes); err != nil {
			return err
		}
	case drawing.Open, drawing.Planned:
		hold, owed = money.Add(hold, -owed), 0
		fallthrough
	default:
		if prizes != 0 {
			return fmt.Errorf("prizes of %v while it is %s", prizes, state)
		}
	}
	if stakes != hold || unsold != -owed {
		return fmt.Errorf("stakes of %v with %v for unsold shares, the plays hold %v and unsold shares %v", stakes, unsold, hold, owed)
	}
	return nil
}

// checkPaid compares the slices and credits of a paid draw with what was counted.
func (b *drawCheck) checkPaid(prizes money.Cents) error {
	d := b.draw
	count, err := readDoc[Count](b.ctx, b.snap, d.ID, DocCount, d.Version)
	if err != nil {
		return err
	}
	due, paid, partly, err := b.readSlices()
	if err != nil {
		return err
	}
	if due.cents != count.Due || due.credits != count.Credits || due.slices != d.Slices || paid.slices != d.Paid {
		return fmt.Errorf("%d slices of %v, %d of them paid: counted are %v, in %d slices with %d paid", due.slices, due.cents, paid.slices, count.Due, d.Slices, d.Paid)
	}
	credited, err := b.checkClaims()
	if err != nil {
		return err
	}
	err = b.snap.Scan(b.ctx, Range{From: Key{Table: Credits, S: d.ID}, Prefix: 1}, func(r Row) error {
		c := r.(*Credit)
		if c.Version != d.Version {
			return fmt.Errorf("a credit of version %d of the result, approved is %d", c.Version, d.Version)
		}
		credited.credits++
		credited.cents = money.Add(credited.cents, c.Cents)
		return nil
	})
	if err != nil {
		return err
	}
	// A slice of which credits are held has at least one of them and not all.
	most := total{credits: paid.credits + partly.credits - partly.slices, cents: money.Add(paid.cents, partly.cents)}
	if credited.credits < paid.credits+partly.slices || credited.credits > most.credits ||
		credited.cents < paid.cents || credited.cents > most.cents || money.Add(credited.cents, prizes) != count.Due {
		return fmt.Errorf("%d credits of %v and %v to be paid, due are %v, of them paid %v", credited.credits, credited.cents, prizes, count.Due, paid.cents)
	}
	if settled := d.State != string(drawing.Approved); settled != (d.Paid == d.Slices) {
		return fmt.Errorf("it is %s with %d of %d slices paid", d.State, d.Paid, d.Slices)
	}
	return b.checkGains(count)
}

// total adds up credits.
type total struct {
	slices, credits int64
	cents           money.Cents
}

func (t *total) add(s *Slice) {
	t.slices++
	t.credits += s.Credits
	t.cents = money.Add(t.cents, s.Cents)
}

// readSlices adds up the slices of the current version, those that are paid, and those of which some credits are held.
func (b *drawCheck) readSlices() (due, paid, partly total, err error) {
	err = b.snap.Scan(b.ctx, Range{From: Key{Table: Slices, S: b.draw.ID, N: b.draw.Version}, Prefix: 2}, func(r Row) error {
		s := r.(*Slice)
		due.add(s)
		switch s.Paid {
		case SlicePaid:
			paid.add(s)
		case SlicePartly:
			partly.add(s)
		}
		return nil
	})
	return due, paid, partly, err
}

// checkGains makes sure that the sums of the count hold and that rounding and crumbs stand where they should.
func (b *drawCheck) checkGains(count *Count) error {
	if err := count.check(); err != nil {
		return err
	}
	for account, want := range map[ledger.Account]money.Cents{ledger.Rounding(b.draw.ID): count.Rounding(), ledger.Crumbs(b.draw.ID): 0} {
		if got := b.balances[string(account)]; got != want {
			return fmt.Errorf("account %s has %v, counted are %v", account, got, want)
		}
	}
	return nil
}
