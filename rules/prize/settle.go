package prize

import (
	"fmt"

	"tirage/rules/money"
)

// exact is an amount in ten-thousandths of a cent. A fund in cents × a share in [BP] is a whole number of them, so int64
// holds every rank's amount exactly; [Bound] keeps their sums in range.
type exact int64

// perCent is one cent.
const perCent exact = 10_000

func cents(c money.Cents) exact { return exact(c) * perCent }

// floor returns e in whole cents, rounded down. e ≥ 0.
func (e exact) floor() money.Cents { return money.Cents(e / perCent) }

// ceil returns e in whole cents, rounded up. e ≥ 0.
func (e exact) ceil() money.Cents { return money.Cents((e + perCent - 1) / perCent) }

// of returns the part of the fund, a whole number of ten-thousandths of a cent.
func (p BP) of(fund money.Cents) exact { return exact(fund) * exact(p) }

// Settle gives the unit gains of a draw and places every cent of its prize money.
//
// winners holds one count per rank of t, over all sources. When terms.Fund is 0, the fund of Euro Millions and of Étoile+ is the winners' share of
// the stakes in terms; the pool of Loto 2019 has no such formula in the sources and must be given. With official gains a fund of 0 means that it is
// not known: the gains stand, whoever answers for the draw settles the difference, and the cycle of Euro Millions can't be followed.
//
// It returns an error for a table that does not add up ([Table.Check]), terms or counts out of range or at odds with each other. It panics
// if its own result loses or makes a cent.
func Settle(t Table, terms Terms, winners Winners) (Settlement, error) {
	if err := check(t, terms, winners); err != nil {
		return Settlement{}, err
	}
	n := len(t.Ranks)
	d := &draw{t: t, terms: terms, winners: winners, s: Settlement{
		Unit: make([]money.Cents, n), Published: make([]money.Cents, n), Amount: make([]money.Cents, n),
		Codes: terms.Codes,
	}}
	switch t.Model {
	case European:
		d.european()
	case SidePool:
		d.lower(0, d.commonFund(), 0)
	default:
		d.loto()
	}
	d.sweep()
	d.override()
	d.prove()
	return d.s, nil
}

// draw is a settlement under way.
type draw struct {
	t       Table
	terms   Terms
	winners Winners
	s       Settlement
	crumbs  exact // left over by floors so far
}

func (d *draw) won() bool { return d.winners[0] > 0 }

// move books cents, the other way round when they are negative, nothing when they are 0.
func (d *draw) move(from, to Account, c money.Cents, why Why) {
	switch {
	case c > 0:
		d.s.Moves = append(d.s.Moves, Move{from, to, c, why})
	case c < 0:
		d.s.Moves = append(d.s.Moves, Move{to, from, -c, why})
	}
}

// out moves the whole cents of an amount out of the prizes; the rest is crumbs.
func (d *draw) out(to Account, amount exact, why Why) {
	d.move(Prizes, to, amount.floor(), why)
	d.crumbs += amount % perCent
}

func (d *draw) event(kind EventKind, rank, to int, c money.Cents) {
	d.s.Events = append(d.s.Events, Event{kind, rank, to, c})
}

// share books the stakes that this operator took: the winners' share, the endowment of the counterpart fund, the rest. It returns the winners' share.
func (d *draw) share() money.Cents {
	own := d.t.WinnersShare.of(d.terms.Stakes).floor()
	endowment := d.t.Endowment.of(d.terms.Stakes).floor()
	d.move(Stakes, Prizes, own, WhyShare)
	d.move(Stakes, Counterpart, endowment, WhyEndowment)
	d.move(Stakes, Operator, d.terms.Stakes-own-endowment, WhyRest)
	return own
}

// commonFund books what this operator and the others contribute to a fund that belongs to all of them, and returns the fund.
func (d *draw) commonFund() money.Cents {
	own, fund := d.share(), d.terms.Fund
	if fund == 0 {
		fund = own + d.t.WinnersShare.of(d.terms.OutsideStakes).floor()
	}
	d.move(Outside, Prizes, fund-own, WhyOutside)
	return fund
}

// lower shares the fund over the ranks from index first on, by their shares; extra falls to the best of them with a winner. What no rank
// receives goes to the reserve (assumed).
func (d *draw) lower(first int, fund money.Cents, extra exact) {
	p := d.t.split(first, d.winners)
	for _, h := range p.hops {
		d.event(EventEmpty, h.from, h.to, h.weight.of(fund).floor())
	}
	for _, m := range p.merges {
		d.event(EventMerge, m.from, m.to, m.weight.of(fund).floor())
	}
	for _, g := range p.groups {
		amount := g.weight.of(fund) + extra
		extra = 0
		unit := floorUnit(amount, g.winners, d.t.GainStep)
		d.crumbs += amount - exact(unit)*exact(g.winners)*perCent
		for _, k := range g.ranks {
			d.s.Unit[k] = d.t.Ranks[k].Fixed + unit
		}
	}
	d.out(Reserve, p.rest.of(fund)+extra, WhyEmptyLast)
}

// floorUnit returns amount/winners rounded down to a multiple of step, to the cent if step is 0.
func floorUnit(amount exact, winners int64, step money.Cents) money.Cents {
	step = max(step, 1)
	return money.Cents(amount/(exact(winners)*cents(step))) * step
}

// jackpotPart returns each of n equal parts of a jackpot, rounded up as the table says: 10 M€ over three is 3 333 334 €. What the parts come to above
// the jackpot is paid by an account of the game (assumed).
func (d *draw) jackpotPart(pot exact, n int64, payer Account) money.Cents {
	j := d.t.Jackpot
	part := floorUnit(pot, n, 0)
	if j.RoundUp > 0 {
		part = floorUnit(pot+cents(j.RoundUp)*exact(n)-1, n, j.RoundUp)
	}
	missing := max(0, cents(part)*exact(n)-pot)
	d.move(payer, Prizes, missing.ceil(), WhyRoundUp)
	d.crumbs += pot + cents(missing.ceil()) - cents(part)*exact(n)
	return part
}

// sweep moves what the floors left over to the reserve (assumed).
func (d *draw) sweep() {
	if d.crumbs%perCent != 0 {
		panic(fmt.Sprintf("prize: bad math: crumbs of %d ten-thousandths of a cent", d.crumbs))
	}
	d.move(Prizes, Crumbs, d.crumbs.floor(), WhyCrumbs)
	d.move(Crumbs, Reserve, d.crumbs.floor(), WhyCrumbs)
}

// override puts the official gains in the place of the computed ones. The difference is between the prizes and whoever answers for
// the draw: the counterpart fund in the Loto models, the operators together where the fund is common.
func (d *draw) override() {
	answers := Counterpart
	if d.t.Model == European || d.t.Model == SidePool {
		answers = Outside
	}
	var difference money.Cents
	for k, g := range d.terms.Official {
		if g == Computed {
			continue
		}
		if w := d.winners[k]; w > 0 && g != d.s.Unit[k] {
			difference = money.Add(difference, money.Mul(g-d.s.Unit[k], w))
			d.s.Unit[k] = g
			d.event(EventOfficial, k+1, 0, g)
		}
		d.s.Published[k] = g
	}
	d.move(answers, Prizes, difference, WhyOfficial)
}

// prove fills in what is due and panics unless every cent is placed.
func (d *draw) prove() {
	for k, w := range d.winners {
		if w == 0 {
			d.s.Unit[k] = 0
			continue
		}
		d.s.Amount[k] = money.Mul(d.s.Unit[k], w)
		d.s.Published[k] = d.s.Unit[k]
	}
	balance := map[Account]money.Cents{Stakes: d.terms.Stakes, Carry: d.terms.Carry}
	for _, m := range d.s.Moves {
		if m.Cents <= 0 || m.From == m.To {
			panic(fmt.Sprintf("prize: bad math: move %v", m))
		}
		balance[m.From] -= m.Cents
		balance[m.To] = money.Add(balance[m.To], m.Cents)
	}
	for account, want := range map[Account]money.Cents{
		Prizes: d.s.Due(), Stakes: 0, Crumbs: 0, Carry: d.s.Next.Carry,
	} {
		if balance[account] != want {
			panic(fmt.Sprintf("prize: bad math: %s holds %v, not %v", account, balance[account], want))
		}
	}
}

// Elsewhere returns the move of what winners and codes elsewhere are due, none when that is nothing: prizes keeps what this operator's own winners are due.
// It refuses more winners than the draw has.
func (s Settlement) Elsewhere(winners Winners, codes money.Cents) ([]Move, error) {
	if len(winners) != len(s.Unit) {
		return nil, fmt.Errorf("winners elsewhere: %d counts, accepted one for each of the %d ranks", len(winners), len(s.Unit))
	}
	if codes < 0 || codes > s.Codes {
		return nil, fmt.Errorf("codes elsewhere: %v, accepted 0 to %v, what all codes are due", codes, s.Codes)
	}
	sum := codes
	for k, w := range winners {
		if w < 0 || (w > 0 && s.Unit[k] > s.Amount[k]/money.Cents(w)) {
			return nil, fmt.Errorf("winners elsewhere at rank %d: %d × %v, accepted 0 to %v in all", k+1, w, s.Unit[k], s.Amount[k])
		}
		sum = money.Add(sum, money.Mul(s.Unit[k], w))
	}
	if sum == 0 {
		return nil, nil
	}
	return []Move{{Prizes, Outside, sum, WhyElsewhere}}, nil
}
