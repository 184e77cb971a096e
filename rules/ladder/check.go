package ladder

import (
	"fmt"
	"strings"

	"tirage/rules/money"
)

// Fault is one reason to refuse rules.
type Fault struct {
	Path   string // the value at fault, as the fields of [Rules] are named in a rulebook: "levels.4.stable"; levels count from 1
	Reason string // what was found; what is accepted
}

// Faults is why [New] refuses rules.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Path + ": " + fault.Reason
	}
	return strings.Join(lines, "\n")
}

// checker collects the faults of rules.
type checker struct {
	*Rules
	faults Faults
}

func (c *checker) refuse(path, format string, args ...any) {
	c.faults = append(c.faults, Fault{path, fmt.Sprintf(format, args...)})
}

// check refuses rules that cannot be compiled.
func check(r *Rules) Faults {
	c := &checker{Rules: r}
	c.amount("price", r.Price, 1)
	c.amount("cap", r.Cap, 0)
	c.amount("full_gauge", r.FullGauge, 0)
	if n := len(r.Levels); n < 1 || n > MaxLevels {
		c.refuse("levels", "%d levels; accepted: 1 to %d", n, MaxLevels)
	}
	if r.Base != SumOfValues && r.Base != LevelAmount {
		c.refuse("base", "base of the gain %q; accepted: %q, %q", r.Base, SumOfValues, LevelAmount)
	}
	if r.Rounding != Exact && r.Rounding != Down && r.Rounding != Nearest {
		c.refuse("rounding", "rounding %q; accepted: %q, %q, %q", r.Rounding, Exact, Down, Nearest)
	}
	if r.Cap > 0 && r.FullGauge > r.Cap {
		c.refuse("cap", "a cap of %s below the gain of a full gauge, %s; accepted: at least that", r.Cap, r.FullGauge)
	}
	c.band()
	c.kinds()
	c.first()
	c.urn()
	c.gauge()
	for i := range r.Levels {
		c.level(i)
	}
	return c.faults
}

func (c *checker) amount(path string, a, least money.Cents) {
	if a < least || a > MaxAmount {
		c.refuse(path, "%s €; accepted: %s to %s", a, least, MaxAmount)
	}
}

func (c *checker) band() {
	if b := c.Band; b != nil && (!b.Min.valid() || !b.Max.valid() || b.Min.Rat().Cmp(b.Max.Rat()) > 0) {
		c.refuse("band", "band of the return %s to %s; accepted: two fractions of 0 to 1 in order", b.Min, b.Max)
	}
}

func (c *checker) kinds() {
	if len(c.Kinds) > MaxKinds {
		c.refuse("kinds", "%d kinds of items; accepted: at most %d", len(c.Kinds), MaxKinds)
	}
	if (c.Base == SumOfValues) != (len(c.Kinds) > 0) {
		c.refuse("base", "base of the gain %q with %d kinds of items; accepted: kinds exactly when the gain is the sum of values", c.Base, len(c.Kinds))
	}
	for i, k := range c.Kinds {
		if k.Weight < 1 || k.Weight > MaxFaces {
			c.refuse(fmt.Sprintf("kinds.%d.weight", i+1), "weight %d; accepted: 1 to %d", k.Weight, MaxFaces)
		}
	}
}

func (c *checker) first() {
	if c.First == nil {
		return
	}
	c.amount("first.value", c.First.Value, 0)
	if c.First.Value > 0 && len(c.Kinds) == 0 {
		c.refuse("first.value", "a value of the first item, where the others have none; accepted: 0")
	}
	if c.First.Certain && c.Urn != nil {
		c.refuse("first.certain", "a first item that cannot fall, and an urn; accepted: one of them")
	}
}

func (c *checker) urn() {
	if c.Urn == nil {
		return
	}
	items := int64(0)
	for _, l := range c.Levels {
		items += int64(l.Items)
	}
	if c.Urn.Good < 1 || c.Urn.Bad < 0 || c.Urn.Good > MaxFaces || c.Urn.Bad > MaxFaces {
		c.refuse("urn", "an urn of %d good and %d bad balls; accepted: at least 1 good, at most %d of each", c.Urn.Good, c.Urn.Bad, MaxFaces)
	}
	if items > c.Urn.Good {
		c.refuse("urn.good", "the levels draw %d balls, the urn has %d good ones; accepted: at least as many, or the last levels cannot be passed", items, c.Urn.Good)
	}
}

func (c *checker) gauge() {
	if len(c.Gauge) == 0 {
		if c.FullGauge > 0 {
			c.refuse("full_gauge", "a gain of %s € with the gauge full, and no gauge; accepted: both or none", c.FullGauge)
		}
		return
	}
	if len(c.Gauge) < 2 || len(c.Gauge) > MaxStars+1 || c.Gauge[0] != Certain {
		c.refuse("gauge", "a gauge of %d multipliers that begins with %s; accepted: 2 to %d, the first one (no star) 1", len(c.Gauge), c.Gauge[0], MaxStars+1)
	}
	last := Certain
	for k, m := range c.Gauge {
		switch {
		case !m.multiplies():
			c.refuse("gauge", "multiplier %s with %d stars; accepted: 1 to %d", m, k, maxMultiplier)
		case m.Num*last.Den < last.Num*m.Den:
			// A star that lowers the gain would be a trap.
			c.refuse("gauge", "multiplier %s with %d stars after %s; accepted: no less", m, k, last)
		case m.Den != 1 && c.Rounding == Exact:
			c.refuse("gauge", "multiplier %s with %d stars, and rounding %q; accepted: whole multipliers, or rounding %q, %q", m, k, Exact, Down, Nearest)
		}
		last = m
	}
}

func (c *checker) level(at int) {
	l := &c.Levels[at]
	path := fmt.Sprintf("levels.%d.", at+1)
	before := len(c.faults)
	if l.Items < 1 || l.Items > MaxItems {
		c.refuse(path+"items", "%d items; accepted: 1 to %d", l.Items, MaxItems)
	}
	if c.Urn == nil && (!l.Stable.valid() || l.Stable.Num == 0) {
		c.refuse(path+"stable", "stability %s; accepted: a chance above 0 and up to 1", l.Stable)
	}
	if len(c.Gauge) > 0 && !l.Star.valid() {
		c.refuse(path+"star", "star chance %s; accepted: 0 to 1", l.Star)
	}
	if len(l.Values) != len(c.Kinds) {
		c.refuse(path+"values", "%d values for %d kinds of items; accepted: one for each", len(l.Values), len(c.Kinds))
	}
	for _, v := range l.Values {
		c.amount(path+"values", v, 0)
	}
	if c.Base == LevelAmount {
		c.amount(path+"pays", l.Pays, 1)
	}
	if len(c.faults) == before {
		c.radix(path, at)
	}
}

// radix refuses an item whose outcomes do not fit the draw.
func (c *checker) radix(path string, at int) {
	faces := int64(1)
	if len(c.Kinds) > 0 {
		faces = 0
	}
	for _, k := range c.Kinds {
		faces += min(k.Weight, MaxFaces+1)
	}
	star := c.star(at).Den
	if star > MaxFaces || faces*star > MaxFaces {
		c.refuse(path+"star", "weights of %d in all and a star chance in %dths; accepted: a product of at most %d", faces, star, MaxFaces)
		return
	}
	stable := c.Levels[at].Stable.Den
	if c.Urn != nil {
		stable = c.Urn.Good + c.Urn.Bad
	}
	if stable > MaxRadix/(faces*star) {
		c.refuse(path+"stable", "stability in %dths, times %d faces of an item; accepted: a product of at most %d", stable, faces*star, int64(MaxRadix))
	}
}

// checkGains refuses gains that leave the range, and a full gauge that pays less than a gauge that is not full. It sets the
// largest gain.
func (t *Table) checkGains() Faults {
	for n := range t.levels {
		l := &t.levels[n]
		for k := 0; k <= l.starsMax; k++ {
			base, m := t.base(n, l.sumMax), t.multiplier(k)
			if base > money.MulDiv(MaxAmount, m.Den, m.Num) {
				return Faults{{fmt.Sprintf("levels.%d", n+1), fmt.Sprintf("%s € × %s with %d stars; accepted: a gain of at most %s", base, m, k, MaxAmount)}}
			}
			t.max = max(t.max, t.Gain(State{Level: n + 1, Sum: l.sumMax, Stars: k}))
		}
	}
	if full := t.rules.FullGauge; full > 0 && t.max != full {
		return Faults{{"full_gauge", fmt.Sprintf("the last level pays %s € with the gauge full, the largest gain is %s €; accepted: a top prize that can be reached and that nothing exceeds", full, t.max)}}
	}
	return nil
}
