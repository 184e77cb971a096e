package prize

import (
	"fmt"

	"tirage/rules/money"
)

// whole is 100 %.
const whole BP = 10_000

// maxRanks bounds a table; Euro Millions has 13 ranks.
const maxRanks = 64

// Check returns an error when the table does not add up: ranks not numbered from 1, shares that don't make 100 %, amounts out of range.
// The hits and ways of the ranks are checked where the rulebook is read.
func (t Table) Check() error {
	if n := len(t.Ranks); n < 2 || n > maxRanks {
		return fmt.Errorf("prize table: %d ranks, accepted 2 to %d", n, maxRanks)
	}
	for k, r := range t.Ranks {
		switch {
		case r.Number != k+1:
			return fmt.Errorf("prize table: rank %d stands at place %d, accepted 1, 2, 3 … in order", r.Number, k+1)
		case r.Fixed < 0 || r.Fixed > Bound:
			return fmt.Errorf("prize table: rank %d: fixed gain %v, accepted 0 to %v", r.Number, r.Fixed, Bound)
		case r.Share < 0 || r.Share > whole || r.LateShare < 0 || r.LateShare > whole:
			return fmt.Errorf("prize table: rank %d: share outside 0 to 100 %%", r.Number)
		}
	}
	if t.WinnersShare < 0 || t.Endowment < 0 || t.WinnersShare+t.Endowment > whole {
		return fmt.Errorf("prize table: winners' share %v and endowment %v, accepted from 0, together at most 100 %%", t.WinnersShare, t.Endowment)
	}
	j := t.Jackpot
	for _, c := range []money.Cents{t.GainStep, j.Start, j.AfterWin, j.Step, j.RoundUp, j.Cap, j.CapStep, j.CapMax} {
		if c < 0 || c > Bound {
			return fmt.Errorf("prize table: amount %v, accepted 0 to %v", c, Bound)
		}
	}
	if t.GainStep > stepMax || j.RoundUp > stepMax {
		return fmt.Errorf("prize table: gains rounded to more than %v", stepMax)
	}
	if (t.Model == Spread) != j.MustBeWon {
		return fmt.Errorf("prize table: a jackpot that must be won goes with the model %q and no other", Spread)
	}
	return t.checkShares()
}

// stepMax bounds what gains are rounded to, so that step × winners stays in range.
const stepMax = 100 * money.Euro

// checkShares verifies that the shares of what is pooled make 100 %, and that there are none where nothing is pooled.
func (t Table) checkShares() error {
	var lower BP
	for k := range t.Ranks {
		lower += t.Ranks[k].pooled(t.Model)
	}
	first := t.Ranks[0]
	want := whole
	switch t.Model {
	case Fixed:
		want = 0
	case Spread, Pool, SidePool:
	case European:
		if t.Jackpot.LateFrom > 0 && lower+first.LateShare+t.BoosterLate != whole {
			return fmt.Errorf("prize table: late shares add up to %v, accepted %v", lower+first.LateShare+t.BoosterLate, whole)
		}
		lower += first.Share + t.Booster
	default:
		return fmt.Errorf("prize table: model %q, accepted %q, %q, %q, %q or %q", t.Model, Fixed, Spread, Pool, European, SidePool)
	}
	if lower != want {
		return fmt.Errorf("prize table: shares add up to %v, accepted %v", lower, want)
	}
	return nil
}

// String returns the proportion as "43.20 %".
func (p BP) String() string { return money.Cents(p).String() + " %" }

// check returns an error when the inputs of a settlement are out of range or at odds with each other.
func check(t Table, terms Terms, winners Winners) error {
	if err := t.Check(); err != nil {
		return err
	}
	if err := terms.checkAmounts(); err != nil {
		return err
	}
	var err error
	if t.Model == European {
		err = t.checkCycle(terms)
	} else {
		err = t.checkOther(terms)
	}
	if err != nil {
		return err
	}
	if own := t.WinnersShare.of(terms.Stakes).floor(); (t.Model == European || t.Model == SidePool) && terms.Fund > 0 && own > terms.Fund {
		return fmt.Errorf("terms: fund %v, accepted at least %v, the winners' share of our own stakes", terms.Fund, own)
	}
	return t.checkWinners(terms, winners)
}

func (terms Terms) checkAmounts() error {
	for _, a := range []struct {
		name string
		c    money.Cents
	}{
		{"jackpot", terms.Jackpot}, {"carry", terms.Carry}, {"cap", terms.Cap}, {"super jackpot", terms.Super}, {"fund", terms.Fund},
		{"stakes", terms.Stakes}, {"stakes elsewhere", terms.OutsideStakes}, {"codes", terms.Codes},
	} {
		if a.c < 0 || a.c > Bound {
			return fmt.Errorf("terms: %s %v, accepted 0 to %v", a.name, a.c, Bound)
		}
	}
	if terms.Position < 0 || terms.Capped < 0 || terms.Position > maxCycle || terms.Capped > maxCycle {
		return fmt.Errorf("terms: position %d, %d draws at the cap: accepted 0 to %d", terms.Position, terms.Capped, maxCycle)
	}
	return nil
}

// maxCycle bounds the draws of a cycle: ten years of three draws a week.
const maxCycle = 1560

// checkCycle verifies the terms of a Euro Millions draw.
func (t Table) checkCycle(terms Terms) error {
	top := t.cap(terms)
	switch {
	case terms.Position == 0:
		return fmt.Errorf("terms: position 0 in the cycle, accepted 1 and more")
	case terms.Position == 1 && terms.Carry > 0:
		return fmt.Errorf("terms: carry %v at the first draw of a cycle, accepted 0", terms.Carry)
	case top > 0 && (terms.Carry > top || terms.Super > top):
		return fmt.Errorf("terms: carry %v, super jackpot %v: accepted at most the cap %v", terms.Carry, terms.Super, top)
	case t.Jackpot.CapDraws > 0 && terms.Capped >= t.Jackpot.CapDraws:
		return fmt.Errorf("terms: %d draws already made at the cap, accepted at most %d", terms.Capped, t.Jackpot.CapDraws-1)
	}
	return nil
}

// checkOther verifies the terms of a draw of any other game.
func (t Table) checkOther(terms Terms) error {
	if terms.Carry > 0 || terms.Cap > 0 || terms.Super > 0 || terms.Capped > 0 || terms.AfterSuper {
		return fmt.Errorf("terms: carry, cap and super jackpot go with the model %q, this table is %q", European, t.Model)
	}
	switch t.Model {
	case SidePool:
		if terms.Jackpot > 0 || terms.Codes > 0 {
			return fmt.Errorf("terms: jackpot and codes have no place in the model %q", SidePool)
		}
	case Pool:
		if terms.Fund == 0 && terms.Official == nil {
			return fmt.Errorf("terms: the pool of the lower ranks is missing")
		}
	default:
		if terms.Fund > 0 {
			return fmt.Errorf("terms: fund %v, accepted none: the table %q has no pool", terms.Fund, t.Model)
		}
	}
	if t.Model != SidePool && terms.Jackpot == 0 {
		return fmt.Errorf("terms: the announced jackpot is missing")
	}
	return nil
}

// checkWinners verifies counts and official gains, and that what they make due is in range.
func (t Table) checkWinners(terms Terms, winners Winners) error {
	if len(winners) != len(t.Ranks) {
		return fmt.Errorf("winners: %d counts, accepted one for each of the %d ranks", len(winners), len(t.Ranks))
	}
	if n := len(terms.Official); terms.Official != nil && n != len(t.Ranks) {
		return fmt.Errorf("official gains: %d, accepted one for each of the %d ranks", n, len(t.Ranks))
	}
	for k, w := range winners {
		if w < 0 || w > MaxWinners {
			return fmt.Errorf("winners at rank %d: %d, accepted 0 to %d", k+1, w, MaxWinners)
		}
		most := t.Ranks[k].Fixed
		if terms.Official != nil {
			g := terms.Official[k]
			if g != Computed && (g < 0 || g > Bound) {
				return fmt.Errorf("official gain at rank %d: %v, accepted 0 to %v", k+1, g, Bound)
			}
			if g == Computed && w > 0 && t.Model == European && terms.Fund == 0 {
				return fmt.Errorf("official gain at rank %d is missing: without the fund it can't be computed", k+1)
			}
			most = max(most, g)
		}
		if w > 0 && most > money.Limit/money.Cents(w) {
			return fmt.Errorf("rank %d: %d winners of %v: accepted at most %v in all", k+1, w, most, money.Limit)
		}
	}
	return nil
}
