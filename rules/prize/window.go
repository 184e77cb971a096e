package prize

import (
	"fmt"

	"tirage/rules/money"
)

// Contradiction is the error of published gains that the rules and the published winners can't give.
type Contradiction struct {
	Rank    int         // the first rank at odds with those above it (with the table, where gains are fixed)
	Winners int64       // published
	Gain    money.Cents // published
	Reason  string      // what would have been needed
	Culprit int         // pooled gains: the only rank without which the others agree; 0: none or several
}

func (c *Contradiction) Error() string {
	s := fmt.Sprintf("rank %d: %d winners of %v: %s", c.Rank, c.Winners, c.Gain, c.Reason)
	if c.Culprit > 0 {
		s += fmt.Sprintf("; without rank %d the others agree", c.Culprit)
	}
	return s
}

// FundWindow returns the fund values, in cents and both included, that give every published gain of a pooled draw exactly: the common fund
// of Euro Millions from ranks 2–13, the pool of Loto 2019 from ranks 2–8, the pool of Étoile+ from all its ranks.
//
// Every amount is fund × weight, and the weights (empty ranks, merges) depend on the winners alone: a gain g of w winners, floored to a step, says
// g·w ≤ fund·weight < (g + step)·w. The window is the intersection over the ranks.
//
// Euro Millions rank 1 says nothing here, it depends on the carry. Where terms put rank 1 at its cap for a fund of the window of the other ranks, the
// first lower rank with a winner says nothing either: an overflow is in its gain. Of terms only the cycle is read, and of Loto the jackpot, if it is not 0. The error is a [*Contradiction] when no fund is left, any other one when the input is not what the table accepts.
func FundWindow(t Table, terms Terms, winners Winners, gains []money.Cents) (lo, hi money.Cents, err error) {
	if err := checkPublished(t, winners, gains, Pool, European, SidePool); err != nil {
		return 0, 0, err
	}
	if err := terms.checkAmounts(); err != nil {
		return 0, 0, err
	}
	first := 1
	if t.Model == SidePool {
		first = 0
	}
	if err := t.checkRankOne(terms, winners, gains); err != nil {
		return 0, 0, err
	}
	claims, err := t.claims(first, winners, gains)
	if err != nil {
		return 0, 0, err
	}
	w, at := intersect(claims)
	if at < 0 && !t.reachesCap(terms, w.lo) {
		return w.lo, w.hi, nil
	}
	if skip := firstWon(claims, winners); t.Model == European && skip >= 0 {
		if others, at := intersect(without(claims, skip)); at < 0 && t.reachesCap(terms, others.hi) {
			return others.lo, others.hi, nil
		}
	}
	if at < 0 {
		return w.lo, w.hi, nil
	}
	return 0, 0, contradiction(claims, w, at, winners, gains)
}

// reachesCap reports whether the fund puts rank 1 at its cap: then an overflow, or after the last capped draw the whole pot, is in the gain of a lower
// rank.
func (t Table) reachesCap(terms Terms, fund money.Cents) bool {
	top := t.cap(terms)
	return t.Model == European && top > 0 && t.pot(terms, fund) >= cents(top)
}

// window is a closed range of funds; empty when hi < lo.
type window struct{ lo, hi money.Cents }

func (w window) String() string {
	switch {
	case w.lo > Bound:
		return "no fund"
	case w.hi == Bound:
		return fmt.Sprintf("a fund of at least %v", w.lo)
	}
	return fmt.Sprintf("a fund of %v to %v", w.lo, w.hi)
}

// claim is what one published gain says of the fund.
type claim struct {
	rank int // index in Table.Ranks
	window
}

// intersect returns the funds that all claims allow and -1, or the funds that those before the first contradicting one allow and its place.
func intersect(claims []claim) (window, int) {
	w := window{0, Bound}
	for i, c := range claims {
		next := window{max(w.lo, c.lo), min(w.hi, c.hi)}
		if next.hi < next.lo {
			return w, i
		}
		w = next
	}
	return w, -1
}

func without(claims []claim, i int) []claim {
	return append(claims[:i:i], claims[i+1:]...)
}

// firstWon returns the place of the first claim of a rank with a winner, -1 when there is none.
func firstWon(claims []claim, winners Winners) int {
	for i, c := range claims {
		if winners[c.rank] > 0 {
			return i
		}
	}
	return -1
}

// contradiction explains why claim number at leaves no fund.
func contradiction(claims []claim, before window, at int, winners Winners, gains []money.Cents) error {
	c := claims[at]
	e := &Contradiction{
		Rank: c.rank + 1, Winners: winners[c.rank], Gain: gains[c.rank],
		Reason: fmt.Sprintf("needs %v, the ranks above allow %v", c.window, before),
	}
	for i := range claims {
		if _, at := intersect(without(claims, i)); at >= 0 {
			continue
		}
		if e.Culprit > 0 {
			e.Culprit = 0
			break
		}
		e.Culprit = claims[i].rank + 1
	}
	return e
}

// claims returns what each published gain from index first on says of the fund, best rank first.
func (t Table) claims(first int, winners Winners, gains []money.Cents) ([]claim, error) {
	weight, sharers := make([]BP, len(t.Ranks)), make([]int64, len(t.Ranks))
	for _, g := range t.split(first, winners).groups {
		for _, k := range g.ranks {
			weight[k], sharers[k] = g.weight, g.winners
		}
	}
	var claims []claim
	for k := first; k < len(t.Ranks); k++ {
		r := t.Ranks[k]
		w, n := weight[k], sharers[k]
		if n == 0 && t.Model == Pool && r.Share > 0 {
			// The gain printed for an empty rank 2 is the pool that it would have had; the same is taken for the others (inferred).
			w, n = r.Share, 1
		}
		switch gain := gains[k] - r.Fixed; {
		case w > 0 && gain >= 0:
			claims = append(claims, claim{k, allowed(gain, n, w, t.GainStep)})
		case n == 0 && gains[k] == 0, gain == 0:
		default:
			return nil, &Contradiction{Rank: k + 1, Winners: winners[k], Gain: gains[k], Reason: fmt.Sprintf("the table gives %v", r.Fixed)}
		}
	}
	return claims, nil
}

// allowed returns the funds for which fund·weight over n winners, floored to step, is gain.
func allowed(gain money.Cents, n int64, weight BP, step money.Cents) window {
	least := func(gain money.Cents) money.Cents { // the smallest fund that gives each at least gain
		if gain > Bound/money.Cents(n) {
			return Bound + 1
		}
		w := exact(weight)
		return money.Cents((cents(gain)*exact(n) + w - 1) / w)
	}
	step = max(step, 1)
	if gain%step != 0 {
		return window{Bound + 1, 0}
	}
	return window{least(gain), min(least(gain+step)-1, Bound)}
}

// CheckFixed returns nil when the published gains are those of a table of fixed gains with the announced jackpot in terms; a jackpot
// of 0 is taken from the gain published at rank 1. The error is a [*Contradiction] when they are not.
func CheckFixed(t Table, terms Terms, winners Winners, gains []money.Cents) error {
	return checkComputed(t, terms, winners, gains, Fixed)
}

// CheckSpread does the same for a draw whose jackpot must be won.
func CheckSpread(t Table, terms Terms, winners Winners, gains []money.Cents) error {
	return checkComputed(t, terms, winners, gains, Spread)
}

func checkComputed(t Table, terms Terms, winners Winners, gains []money.Cents, m Model) error {
	if err := checkPublished(t, winners, gains, m); err != nil {
		return err
	}
	if terms.Jackpot == 0 {
		terms.Jackpot = impliedJackpot(winners[0], gains[0])
	}
	s, err := Settle(t, terms, winners)
	if err != nil {
		return err
	}
	for k, want := range s.Published {
		if gains[k] != want {
			return &Contradiction{Rank: k + 1, Winners: winners[k], Gain: gains[k], Reason: fmt.Sprintf("the table gives %v", want)}
		}
	}
	return nil
}

// checkRankOne compares rank 1 of Loto 2019 with the announced jackpot, where that is known.
func (t Table) checkRankOne(terms Terms, winners Winners, gains []money.Cents) error {
	if t.Model != Pool || terms.Jackpot == 0 {
		return nil
	}
	want := terms.Jackpot
	if winners[0] > 0 {
		want = money.CeilDiv(want, winners[0], max(t.Jackpot.RoundUp, 1))
	}
	if gains[0] != want {
		return &Contradiction{Rank: 1, Winners: winners[0], Gain: gains[0], Reason: fmt.Sprintf("the announced jackpot %v gives %v", terms.Jackpot, want)}
	}
	return nil
}

// impliedJackpot returns the largest announced jackpot that gives the published gain of rank 1.
func impliedJackpot(winners int64, gain money.Cents) money.Cents {
	n := money.Cents(max(winners, 1))
	if gain > Bound/n {
		return 0
	}
	return gain * n
}

// checkPublished returns an error unless the table is sound, of one of the models, and winners and gains are in range.
func checkPublished(t Table, winners Winners, gains []money.Cents, models ...Model) error {
	if err := t.Check(); err != nil {
		return err
	}
	ok := false
	for _, m := range models {
		ok = ok || t.Model == m
	}
	if !ok {
		return fmt.Errorf("prize table: model %q, accepted %q", t.Model, models)
	}
	if len(gains) != len(t.Ranks) {
		return fmt.Errorf("gains: %d, accepted one for each of the %d ranks", len(gains), len(t.Ranks))
	}
	for k, g := range gains {
		if g < 0 || g > Bound {
			return fmt.Errorf("gain at rank %d: %v, accepted 0 to %v", k+1, g, Bound)
		}
	}
	return t.checkWinners(Terms{}, winners)
}
