package check

import (
	"errors"

	"tirage/archive"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// funds are the values of a draw's fund that give every gain printed, both included; zero where the table has no fund.
type funds struct{ low, high money.Cents }

// judge tests the gains of one draw on its own: by d.terms, d.winners and d.gains. It sets the verdict and returns the funds.
func (d *draw) judge() funds {
	if d.rules == nil {
		return d.is(Untestable, d.why)
	}
	if !d.Counted() {
		return d.is(Untestable, "every count of winners is zero: none is published")
	}
	w, err := explain(*d.rules.Prizes, d.terms, d.winners, d.gains)
	var no *prize.Contradiction
	switch {
	case errors.As(err, &no):
		return d.is(Contradicted, no.Error())
	case err != nil:
		return d.is(Untestable, err.Error())
	}
	d.is(Explained, "")
	return w
}

// is sets the verdict.
func (d *draw) is(v Verdict, why string) funds {
	d.verdict, d.why = v, why
	return funds{}
}

// explain returns the funds that give every gain, and a *prize.Contradiction when there is none or the table gives others.
func explain(t prize.Table, terms prize.Terms, winners prize.Winners, gains []money.Cents) (w funds, err error) {
	switch t.Model {
	case prize.Fixed:
		err = prize.CheckFixed(t, terms, winners, gains)
	case prize.Spread:
		err = prize.CheckSpread(t, terms, winners, gains)
	default:
		w.low, w.high, err = prize.FundWindow(t, terms, winners, gains)
	}
	return w, err
}

// sideGame is the rulebook of the separate pool that stands in the rows of Euro Millions.
const sideGame = "etoileplus"

// side tests the separate pool of each row that has one.
func (f *File) side(rules Rules) {
	for _, d := range f.draws {
		if len(d.Side) == 0 {
			continue
		}
		s := &draw{Draw: &archive.Draw{Game: sideGame, Date: d.Date, Line: d.Line, Ranks: d.Side}}
		for _, r := range d.Side {
			s.winners = append(s.winners, r.Winners)
			s.gains = append(s.gains, r.Gain)
		}
		s.rules, s.why = inForce(rules, s.Draw, len(d.Side))
		s.judge()
		f.Side.add(s.verdict)
		if s.verdict != Explained {
			f.SideWhy = append(f.SideWhy, Fault{d.Date, d.Line, s.verdict, s.why})
		}
	}
}
