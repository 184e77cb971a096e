package rulebook

import (
	"fmt"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// whole is 100 %.
const whole prize.BP = 100_00

func (c *checker) prizes() {
	t := c.Prizes
	if t == nil {
		return
	}
	before := len(c.problems)
	c.hits(t)
	c.fields(t)
	c.gains(t)
	c.shares(t)
	c.jackpot(t)
	if t.WinnersShare <= 0 || t.WinnersShare+t.Endowment > whole {
		c.refuse("prizes.winners_share", "winners' share %v and endowment %v; accepted: a share above 0, both together up to 100 %%", t.WinnersShare, t.Endowment)
	}
	if len(c.problems) == before { // what settlement asks of a table beyond that: bounds
		if err := t.Check(); err != nil {
			c.refuse("prizes", "%v", err)
		}
	}
}

func rankPath(i int, key string) string { return fmt.Sprintf("prizes.ranks.%d.%s", i+1, key) }

// hits refuses ranks out of order, hits that stand in two ranks or outside the matrix, and ways that are not the closed-form
// count. Ranks and losing hits together must be the whole matrix as the source states it.
func (c *checker) hits(t *prize.Table) {
	taken := map[prize.Hits]int{}
	sum := int64(0)
	for i, r := range t.Ranks {
		if r.Number != i+1 {
			c.refuse(rankPath(i, "rank"), "rank %d in row %d; accepted: rank %d", r.Number, i+1, i+1)
		}
		var ways int64
		for _, h := range r.Hits {
			if h.Main > t.Matrix.Main || h.Extra > t.Matrix.Extra {
				c.refuse(rankPath(i, "hits"), "hits %d+%d; accepted: up to %d+%d", h.Main, h.Extra, t.Matrix.Main, t.Matrix.Extra)
				continue
			}
			if taken[h] > 0 {
				c.refuse(rankPath(i, "hits"), "hits %d+%d stand in rank %d too; accepted: one rank", h.Main, h.Extra, taken[h])
			}
			taken[h] = i + 1
			ways += Ways(t.Matrix, h)
		}
		if len(r.Hits) == 0 {
			c.refuse(rankPath(i, "hits"), "no hits; accepted: at least one pair such as \"4+1\"")
		}
		if r.Ways != ways {
			c.refuse(rankPath(i, "ways"), "%d winning combinations; accepted: %d, the count for these hits", r.Ways, ways)
		}
		sum += r.Ways
	}
	if all := sum + c.losing(taken); all != c.Total {
		c.refuse("prizes.ranks", "winning and losing combinations add up to %d; accepted: %d (matrix.total)", all, c.Total)
	}
}

// losing counts the combinations of the matrix whose hits win nothing.
func (c *checker) losing(taken map[prize.Hits]int) int64 {
	var n int64
	for main := range c.Matrix.Main + 1 {
		for extra := range c.Matrix.Extra + 1 {
			if h := (prize.Hits{Main: main, Extra: extra}); taken[h] == 0 {
				n += Ways(c.Matrix, h)
			}
		}
	}
	return n
}

// fields refuses values that mean nothing in the model of the table.
func (c *checker) fields(t *prize.Table) {
	european, spread := t.Model == prize.European, t.Model == prize.Spread
	j := t.Jackpot
	for _, f := range []struct {
		key   string
		given bool
		fits  bool
	}{
		{"booster", t.Booster != 0, european},
		{"booster_late", t.BoosterLate != 0, european},
		{"jackpot.late_from", j.LateFrom != 0, european},
		{"jackpot.cap", j.Cap != 0, european},
		{"jackpot.cap_step", j.CapStep != 0, european},
		{"jackpot.cap_max", j.CapMax != 0, european},
		{"jackpot.cap_draws", j.CapDraws != 0, european},
		{"jackpot.must_be_won", j.MustBeWon, spread},
		{"merge_inverted", t.MergeInverted, t.Model == prize.Pool},
		{"jackpot", j != prize.Jackpot{}, t.Model != prize.SidePool},
	} {
		if f.given && !f.fits {
			c.refuse("prizes."+f.key, "%s in a table of model %s; accepted: leave it out", f.key, t.Model)
		}
	}
	if floors := t.Model != prize.Fixed; floors != (t.GainStep > 0) {
		c.refuse("prizes.gain_step", "gains floored to %v € in a table of model %s; accepted: a step above 0 where gains are shared, none where they are fixed", t.GainStep, t.Model)
	}
}

// gains refuses a rank with a gain or a share that its model does not have, or without one that it needs, and fixed gains
// that do not fall from rank to rank.
func (c *checker) gains(t *prize.Table) {
	var last money.Cents
	for i, r := range t.Ranks {
		fixed, share := gainKinds(t.Model, i)
		if !fixed.allows(r.Fixed > 0) {
			c.refuse(rankPath(i, "gain"), "gain of %v € at rank %d of model %s; accepted: %s", r.Fixed, i+1, t.Model, fixed)
		}
		if !share.allows(r.Share > 0) {
			c.refuse(rankPath(i, "share"), "share of %v at rank %d of model %s; accepted: %s", r.Share, i+1, t.Model, share)
		}
		if t.Model == prize.Pool && i > 0 && (r.Fixed > 0) == (r.Share > 0) {
			c.refuse(rankPath(i, "share"), "rank %d has both a gain and a share, or none; accepted: one of the two", i+1)
		}
		if r.LateShare > 0 && (t.Model != prize.European || i > 0) {
			c.refuse(rankPath(i, "late_share"), "a late share at rank %d of model %s; accepted: at rank 1 of model %s", i+1, t.Model, prize.European)
		}
		if r.Fixed > 0 && last > 0 && r.Fixed >= last {
			c.refuse(rankPath(i, "gain"), "gain of %v € after %v € at a better rank; accepted: less", r.Fixed, last)
		}
		if r.Fixed > 0 {
			last = r.Fixed
		}
	}
}

// presence says whether a rank has a value.
type presence string

const (
	none   presence = "none"
	needed presence = "more than 0"
	free   presence = "any"
)

func (p presence) allows(given bool) bool { return p == free || given == (p == needed) }

// gainKinds says which of a fixed gain and a share the rank in row i has.
func gainKinds(m prize.Model, i int) (fixed, share presence) {
	switch {
	case m == prize.European || m == prize.SidePool:
		return none, needed
	case i == 0: // the jackpot
		return none, none
	case m == prize.Fixed:
		return needed, none
	case m == prize.Spread:
		return needed, needed
	}
	return free, free
}

// shares refuses shares that do not make 100 %: of the pool, of the jackpot that is spread, or of the European fund with its
// booster, in an early and in a late draw.
func (c *checker) shares(t *prize.Table) {
	if t.Model == prize.Fixed || len(t.Ranks) == 0 {
		return
	}
	sum := t.Booster
	for _, r := range t.Ranks {
		sum += r.Share
	}
	if sum != whole {
		c.refuse("prizes.ranks", "shares add up to %v%s; accepted: exactly 100 %%", sum, withBooster(t, "booster"))
	}
	if t.Model != prize.European {
		return
	}
	late := sum - t.Booster - t.Ranks[0].Share + t.BoosterLate + t.Ranks[0].LateShare
	if late != whole {
		c.refuse("prizes.ranks", "shares of a late draw add up to %v%s; accepted: exactly 100 %%", late, withBooster(t, "booster_late"))
	}
}

func withBooster(t *prize.Table, key string) string {
	if t.Model != prize.European {
		return ""
	}
	return " with " + key
}

func (c *checker) jackpot(t *prize.Table) {
	j := t.Jackpot
	if t.Model == prize.SidePool {
		return
	}
	if j.Start <= 0 {
		c.refuse("prizes.jackpot", "a jackpot that starts at %v €; accepted: above 0", j.Start)
	}
	if j.RoundUp <= 0 {
		c.refuse("prizes.jackpot", "parts of the jackpot rounded up to %v €; accepted: above 0", j.RoundUp)
	}
	switch t.Model {
	case prize.Spread:
		if !j.MustBeWon {
			c.refuse("prizes.jackpot", "a jackpot that may stay unwon in a table of model %s; accepted: must_be_won = true", t.Model)
		}
	case prize.European:
		c.cap(j)
	default:
		if j.Step <= 0 {
			c.refuse("prizes.jackpot", "a jackpot that grows by %v € a draw; accepted: above 0", j.Step)
		}
	}
}

// cap refuses a cap that does not rise to its maximum by whole steps.
func (c *checker) cap(j prize.Jackpot) {
	if j.LateFrom < 2 {
		c.refuse("prizes.jackpot.late_from", "late from draw %d of a cycle; accepted: 2 or more", j.LateFrom)
	}
	if j.Cap < j.Start {
		c.refuse("prizes.jackpot.cap", "cap of %v €; accepted: at least the start, %v €", j.Cap, j.Start)
	}
	room := j.CapMax - j.Cap
	if room < 0 || (j.CapStep == 0) != (room == 0) || (room > 0 && room%j.CapStep != 0) {
		c.refuse("prizes.jackpot.cap_max", "cap from %v € by %v € to %v €; accepted: a maximum that whole steps reach", j.Cap, j.CapStep, j.CapMax)
	}
	if j.CapDraws < 1 {
		c.refuse("prizes.jackpot.cap_draws", "%d draws at the cap; accepted: at least 1", j.CapDraws)
	}
}
