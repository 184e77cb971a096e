package central

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// jokerGame is the game whose number stands in [Result.Joker]: one draw for every game of the evening.
const jokerGame = "jokerplus"

// maxAddOns bounds the games that may be added to the plays of one draw.
const maxAddOns = 2

// addedGames lists the games added to plays of a sealed draw, sorted: those that were sold here, and those of whose winners elsewhere the result tells.
func addedGames(s *Sales, o *Outside) []string {
	list := slices.Collect(maps.Keys(o.AddOns))
	for _, k := range s.Kinds {
		if k.Added() {
			list = append(list, k.Kind)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// addOnRanks returns the number of unit gains of an added game: of a game of digits those of each stake.
func addOnRanks(book *rulebook.Rulebook) int {
	if book.Digits != nil {
		return len(book.Digits.Stakes) * book.Digits.Length
	}
	return len(book.Prizes.Ranks)
}

// digitSlot returns the place of a rank among the unit gains of a game of digits.
func digitSlot(book *rulebook.Rulebook, stake, rank int) int {
	return stake*book.Digits.Length + rank - 1
}

// settleAddOn works out the unit gains of a game added to plays, and what becomes of its stakes. The gains of a game of digits are fixed: winners
// elsewhere are paid where they staked. A pool is shared with them.
func settleAddOn(game string, d *Draw, m *Manifest, winners, outside prize.Winners) (*rulebook.Rulebook, []money.Cents, []prize.Move, error) {
	book, err := games.InForce(game, d.Day)
	if err != nil {
		return nil, nil, nil, err
	}
	stakes, err := partOf(game, m.Sales.Rules)
	if err != nil {
		return nil, nil, nil, err
	}
	if book.Digits != nil {
		unit, due := []money.Cents(nil), money.Cents(0)
		for _, s := range book.Digits.Stakes {
			unit = append(unit, s.Gains...)
		}
		for i, n := range winners {
			due = money.Add(due, money.Mul(unit[i], n))
		}
		moves, err := prize.SettleDigits(book.Digits.WinnersShare, book.Digits.Endowment, stakes, due)
		return book, unit, moves, err
	}
	terms := m.Terms.AddOns[game]
	terms.Stakes = stakes
	s, err := prize.Settle(*book.Prizes, terms, plus(winners, outside))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", game, err)
	}
	elsewhere, err := s.Elsewhere(plus(make(prize.Winners, len(winners)), outside), 0)
	return book, s.Unit, append(s.Moves, elsewhere...), err
}

// settleAddOns tries the prize rules of every added game on no winners here.
func settleAddOns(d *Draw, m *Manifest, o *Outside) error {
	for game, terms := range m.Terms.AddOns {
		if book, err := games.InForce(game, d.Day); err != nil || book.Prizes == nil || book.Prizes.Model != prize.SidePool {
			return fmt.Errorf("terms of %.20q: accepted those of a pool that is added to plays", game)
		}
		if len(terms.AddOns) > 0 || terms.Official != nil && d.Reconstructed == 0 {
			return fmt.Errorf("terms of %s: accepted stakes and fund", game)
		}
	}
	for _, game := range addedGames(&m.Sales, o) {
		book, err := games.InForce(game, d.Day)
		if err != nil {
			return err
		}
		if _, _, _, err := settleAddOn(game, d, m, make(prize.Winners, addOnRanks(book)), o.AddOns[game]); err != nil {
			return err
		}
	}
	return nil
}

// postAddOns moves the money of the games added to plays.
func (p *Plan) postAddOns(d *Draw, m *Manifest, c *Count) error {
	for _, a := range c.AddOns {
		book, unit, moves, err := settleAddOn(a.Game, d, m, a.Winners, a.Outside)
		if err != nil {
			return err // it was settled when it was counted
		}
		if !slices.Equal(unit, a.Unit) {
			return fmt.Errorf("draw %s: the unit gains of %s counted are not those of the terms", d.ID, a.Game)
		}
		if err := p.postMoves(d, book, moves); err != nil {
			return err
		}
	}
	return nil
}

// checkAddOns refuses a result without what the games added to plays need, and winners elsewhere that are none of theirs.
func checkAddOns(r *Result, o *Outside, m *Manifest, book *rulebook.Rulebook, d *Draw) error {
	if r.Joker != "" || m.Sales.kind(jokerGame).Plays > 0 {
		joker, err := games.InForce(jokerGame, d.Day)
		if err != nil {
			return err
		}
		if _, err := prize.ParseDigits(r.Joker, joker.Digits.Length); err != nil {
			return refuse(Invalid, "result.joker", "result", "number of %s: %v", joker.Header.Title, err)
		}
	}
	for game, winners := range o.AddOns {
		added, err := games.InForce(game, d.Day)
		if err != nil || !slices.Contains(book.Sale.AddOns, game) || added.Prizes == nil || len(winners) != len(added.Prizes.Ranks) {
			return refuse(Invalid, "result.outside", "outside", "%d winners of %.20q, accepted those of a pool that is added to plays of %s, by rank", len(winners), game, book.Header.Title)
		}
	}
	return nil
}

// addOnPlays are the plays that one game was added to, and what a result gives them.
type addOnPlays struct {
	game    string
	book    *rulebook.Rulebook // in force on the day of the draw
	sold    []addOnPlay        // by play
	next    int                // of sold, as the plays go by
	winners prize.Winners      // of the first pass
	unit    []money.Cents
	scratch prize.Winners // of one play
}

// addOnPlay is one play: what a game of digits gives it is known with the number drawn.
type addOnPlay struct {
	play int64
	slot int // of a game of digits: among the unit gains, −1 for no gain
}

// readAddOns reads the games added to the plays of the draw, in the order of the plays. They take 16 bytes each.
func (c *Counting) readAddOns(ctx context.Context, snap Snapshot) error {
	for _, game := range addedGames(&c.Manifest.Sales, c.Outside) {
		book, err := games.InForce(game, c.Draw.Day)
		if err != nil {
			return err
		}
		n := addOnRanks(book)
		a := &addOnPlays{game: game, book: book, winners: make(prize.Winners, n), scratch: make(prize.Winners, n)}
		err = snap.Scan(ctx, Range{From: Key{Table: AddOnRows, S: c.Draw.ID, U: game}, Prefix: 2}, func(r Row) error {
			slot, err := c.slot(book, r.(*AddOnRow))
			a.sold = append(a.sold, addOnPlay{r.(*AddOnRow).Play, slot})
			return err
		})
		if err != nil {
			return err
		}
		c.addOns = append(c.addOns, a)
	}
	if len(c.addOns) > maxAddOns {
		return fmt.Errorf("draw %s: %d games are added to its plays, accepted at most %d", c.Draw.ID, len(c.addOns), maxAddOns)
	}
	return nil
}

// slot returns what the number drawn gives to a game of digits, as a place among the unit gains, −1 for nothing.
func (c *Counting) slot(book *rulebook.Rulebook, r *AddOnRow) (int, error) {
	if book.Digits == nil {
		return -1, nil
	}
	stake, ok := digitStake(book, r.Stake)
	if !ok {
		return 0, fmt.Errorf("play %s: a stake of %v on %s", PlayID(r.Play), r.Stake, r.Game)
	}
	drawn, err := prize.ParseDigits(c.Result.Joker, book.Digits.Length)
	if err != nil {
		return 0, err
	}
	rank, err := prize.DigitRank(drawn, r.Number)
	if err != nil || rank == 0 {
		return -1, err
	}
	return digitSlot(book, stake, rank), nil
}

// of says whether the game was added to a play. The plays are asked for in order.
func (a *addOnPlays) of(play int64) (addOnPlay, bool) {
	if a.next == len(a.sold) || a.sold[a.next].play != play {
		return addOnPlay{}, false
	}
	a.next++
	return a.sold[a.next-1], true
}

// countAddOns adds the winners of the games added to a play.
func (c *Counting) countAddOns(r *Play) {
	for _, a := range c.addOns {
		s, ok := a.of(r.ID)
		switch {
		case !ok:
		case s.slot >= 0:
			a.winners[s.slot]++
		case a.book.Digits == nil:
			byRank(a.book, r.Lines, c.drawn, a.winners)
		}
	}
}

// addOnGains calls yield for the gains of the games added to a play, with their components.
func (c *Counting) addOnGains(r *Play, yield func(component int, gain money.Cents)) {
	for i, a := range c.addOns {
		s, ok := a.of(r.ID)
		gain := money.Cents(0)
		switch {
		case !ok:
		case s.slot >= 0:
			gain = a.unit[s.slot]
		case a.book.Digits == nil:
			clear(a.scratch)
			byRank(a.book, r.Lines, c.drawn, a.scratch)
			for rank, n := range a.scratch {
				gain = money.Add(gain, money.Mul(a.unit[rank], n))
			}
		}
		if gain > 0 {
			yield(1+len(c.series)+i, gain)
		}
	}
}

// rewindAddOns starts a pass over the plays.
func (c *Counting) rewindAddOns() {
	for _, a := range c.addOns {
		a.next = 0
	}
}

// addOnWinners returns this system's winners of each added game.
func (c *Counting) addOnWinners() map[string]prize.Winners {
	winners := map[string]prize.Winners{}
	for _, a := range c.addOns {
		winners[a.game] = a.winners
	}
	return winners
}

// settleAddOns works out the unit gains of the added games.
func (c *Counting) settleAddOns(winners map[string]prize.Winners) (err error) {
	for _, a := range c.addOns {
		a.winners = winners[a.game]
		if _, a.unit, _, err = settleAddOn(a.game, c.Draw, c.Manifest, a.winners, c.Outside.AddOns[a.game]); err != nil {
			return err
		}
	}
	return nil
}

// addOnCounts returns what the result gives to each added game.
func (c *Counting) addOnCounts() []AddOnCount {
	var counts []AddOnCount
	for _, a := range c.addOns {
		counts = append(counts, AddOnCount{a.game, a.winners, c.Outside.AddOns[a.game], a.unit})
	}
	return counts
}

// AddOnUnit returns the unit gains of a game added to plays, after Settle: by rank, of a game of digits by stake and within by rank; nil for none.
func (c *Counting) AddOnUnit(game string) []money.Cents {
	i, ok := slices.BinarySearchFunc(c.addOns, game, func(a *addOnPlays, game string) int { return cmp.Compare(a.game, game) })
	if !ok {
		return nil
	}
	return c.addOns[i].unit
}
