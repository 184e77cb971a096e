package central

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"tirage/games"
	"tirage/ledger"
	"tirage/rules/codes"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// drawBook returns the rulebook in force on the day of a draw: its ranks and gains.
func drawBook(d *Draw) (*rulebook.Rulebook, error) { return games.InForce(d.Game, d.Day) }

// drawBooks returns the rulebooks of a draw's day: its own first, then those of the games sold with it.
func drawBooks(book *rulebook.Rulebook, day string) ([]*rulebook.Rulebook, error) {
	books := []*rulebook.Rulebook{book}
	for _, with := range book.Sale.With {
		b, err := games.InForce(with, day)
		if err != nil {
			return nil, err
		}
		books = append(books, b)
	}
	return books, nil
}

// codeSeries is a series that a draw issues, with the game that pays it.
type codeSeries struct {
	*codes.Series
	book *rulebook.Rulebook
	gain money.Cents
}

// drawSeries returns the series that a draw issues, in the order of the stored positions: those of the games sold with it, then its own.
func drawSeries(book *rulebook.Rulebook, day string, exceptional bool) ([]*codeSeries, error) {
	books, err := drawBooks(book, day)
	if err != nil {
		return nil, err
	}
	var list []*codeSeries
	for _, b := range append(books[1:], book) {
		for i := range b.Codes {
			s := &b.Codes[i]
			if s.Exceptional && !exceptional {
				continue
			}
			p, ok := b.CodePrize(s.ID)
			if !ok {
				return nil, fmt.Errorf("%s: no gain is stated for the codes %s", b.Header.Version(), s.ID)
			}
			list = append(list, &codeSeries{s, b, p.Gain})
		}
	}
	return list, nil
}

// partOf returns what a game receives of the stakes: all that was staked under its rulebooks, or its part of the price of each combination. What was
// staked on a game added to plays is that game's alone.
func partOf(game string, sold []RulesCount) (money.Cents, error) {
	var sum money.Cents
	for _, r := range sold {
		book, err := games.Version(r.Rules)
		if err != nil {
			return 0, err
		}
		switch {
		case len(book.Sale.PriceParts) > 0:
			sum = money.Add(sum, money.Mul(book.Sale.PriceParts[game], r.Combos))
		case book.Header.Game == game:
			sum = money.Add(sum, r.Cents)
		}
	}
	return sum, nil
}

// settle applies the prize rules of a draw: its terms as sealed, all winners and all codes drawn.
func settle(d *Draw, book *rulebook.Rulebook, m *Manifest, r *Result, winners prize.Winners) (prize.Settlement, error) {
	terms := m.Terms
	var err error
	if terms.Stakes, err = partOf(book.Header.Game, m.Sales.Rules); err != nil {
		return prize.Settlement{}, err
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	if err != nil {
		return prize.Settlement{}, err
	}
	for _, s := range series {
		if s.book == book {
			terms.Codes = money.Add(terms.Codes, money.Mul(s.gain, int64(len(r.Codes[s.ID]))))
		}
	}
	return prize.Settle(*book.Prizes, terms, winners)
}

// plus adds two counts by rank; a nil one is zero.
func plus(a, b prize.Winners) prize.Winners {
	sum := slices.Clone(a)
	for i := range b {
		sum[i] += b[i]
	}
	return sum
}

// account names in the ledger the accounts that the prize rules speak of. Funds belong to the regulation, which Loto, Super Loto and Grand Loto share;
// a rulebook may name a counterpart fund of its own, as Joker+ does.
func account(a prize.Account, d *Draw, book *rulebook.Rulebook) ledger.Account {
	fund := book.Header.Regulation
	switch a {
	case prize.Stakes:
		return ledger.Stakes(d.ID)
	case prize.Prizes:
		return ledger.Prizes(d.ID)
	case prize.Reserve:
		return ledger.Reserve(fund)
	case prize.Carry:
		return ledger.Carry(fund)
	case prize.Counterpart:
		for _, f := range book.Funds {
			if own := ledger.Counterpart(book.Header.Game); string(own) == "fund/"+f.Account {
				return own
			}
		}
		return ledger.Counterpart(fund)
	case prize.Super:
		return ledger.Super(fund)
	case prize.Crumbs:
		return ledger.Crumbs(d.ID)
	case prize.Operator:
		return ledger.Operator(book.Header.Game)
	case prize.Outside:
		return ledger.Outside(d.ID)
	}
	panic("central: account " + string(a))
}

// postPrizes moves the money of an approved result. Afterwards prizes/<draw> holds exactly what the slices will pay to players.
func (p *Plan) postPrizes(d *Draw) error {
	m, err1 := stored[Manifest](p, d.ID, DocManifest, 0)
	r, err2 := stored[Result](p, d.ID, DocResult, d.Version)
	c, err3 := stored[Count](p, d.ID, DocCount, d.Version)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	book, err := drawBook(d)
	if err != nil {
		return err
	}
	s, err := settle(d, book, m, r, plus(c.Winners, c.Outside))
	if err != nil {
		return err // it was settled when it was counted
	}
	if !slices.Equal(s.Unit, c.Unit) {
		return fmt.Errorf("draw %s: the unit gains counted are not those of the terms", d.ID)
	}
	if err := p.postMoves(d, book, s.Moves); err != nil {
		return err
	}
	if err := p.postAddOns(d, m, c); err != nil {
		return err
	}
	if err := p.postElsewhere(d, book, &s, c); err != nil {
		return err
	}
	if err := p.postCodeGames(d, book, m, c); err != nil {
		return err
	}
	if err := p.postShares(d, c); err != nil {
		return err
	}
	if left := p.balance(ledger.Prizes(d.ID)); left != c.Due {
		return fmt.Errorf("draw %s: %v stand ready for players, %v are due", d.ID, left, c.Due)
	}
	return nil
}

// postMoves books what the prize rules of a game of the draw say.
func (p *Plan) postMoves(d *Draw, book *rulebook.Rulebook, moves []prize.Move) error {
	for _, move := range moves {
		if err := p.post(account(move.From, d, book), account(move.To, d, book), move.Cents); err != nil {
			return err
		}
	}
	return nil
}

// postElsewhere hands over what winners outside this system are due from the common money.
func (p *Plan) postElsewhere(d *Draw, book *rulebook.Rulebook, s *prize.Settlement, c *Count) error {
	var due money.Cents
	for i, n := range c.Outside {
		due = money.Add(due, money.Mul(s.Unit[i], n))
	}
	for _, code := range c.Codes {
		if own, ok := book.CodePrize(code.Series); ok {
			due = money.Add(due, money.Mul(own.Gain, code.Drawn-code.Ours))
		}
	}
	return p.postSigned(ledger.Prizes(d.ID), ledger.Outside(d.ID), due)
}

// postCodeGames settles the games of codes sold with the draw (My Million): their part of the price pays their codes. What is above or
// below stands with the operator, or with the other points of sale (assumed: the shares of My Million are not known).
func (p *Plan) postCodeGames(d *Draw, book *rulebook.Rulebook, m *Manifest, c *Count) error {
	for _, game := range book.Sale.With {
		part, err := partOf(game, m.Sales.Rules)
		if err != nil {
			return err
		}
		b, err := games.InForce(game, d.Day)
		if err != nil {
			return err
		}
		var due money.Cents
		for _, code := range c.Codes {
			if own, ok := b.CodePrize(code.Series); ok {
				due = money.Add(due, money.Mul(own.Gain, code.Ours))
			}
		}
		own := min(part, due)
		if err := p.postSigned(ledger.Stakes(d.ID), ledger.Prizes(d.ID), own); err != nil {
			return err
		}
		if err := p.postSigned(ledger.Stakes(d.ID), ledger.Operator(game), part-own); err != nil {
			return err
		}
		if err := p.postSigned(ledger.Outside(d.ID), ledger.Prizes(d.ID), due-own); err != nil {
			return err
		}
	}
	return nil
}

// postShares books what the split of packs and groups leaves: the parts of unsold shares to the reserve funds (Art. loto@2018-10-29:14.8;
// Art. euromillions@2018-10-29:3.4.2.6), the rounding difference of either sign to its own account (inferred).
func (p *Plan) postShares(d *Draw, c *Count) error {
	for _, fund := range slices.Sorted(maps.Keys(c.Packs.Reserve)) {
		if err := p.postSigned(ledger.Prizes(d.ID), ledger.Account("fund/"+fund), c.Packs.Reserve[fund]); err != nil {
			return err
		}
	}
	return p.postSigned(ledger.Prizes(d.ID), ledger.Rounding(d.ID), c.Rounding())
}
