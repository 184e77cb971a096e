package ladder

import (
	"errors"
	"fmt"
	"math"

	"tirage/rules/money"
)

// check refuses rules that cannot be compiled.
func check(r *Rules) error {
	var errs []error
	fault := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }

	if r.Price < 1 || r.Price > MaxAmount {
		fault("price %s: accepted 0.01 to %s", r.Price, MaxAmount)
	}
	if n := len(r.Levels); n < 1 || n > MaxLevels {
		fault("%d levels: accepted 1 to %d", n, MaxLevels)
	}
	if r.Base != SumOfValues && r.Base != LevelAmount {
		fault("base of the gain %q: accepted %q, %q", r.Base, SumOfValues, LevelAmount)
	}
	if r.Rounding != Exact && r.Rounding != Down && r.Rounding != Nearest {
		fault("rounding %q: accepted %q, %q, %q", r.Rounding, Exact, Down, Nearest)
	}
	if (r.Base == SumOfValues) != (len(r.Kinds) > 0) {
		fault("base of the gain %q with %d kinds of items: items have values exactly when the gain is their sum", r.Base, len(r.Kinds))
	}
	if r.Cap < 0 || r.Cap > MaxAmount || r.FullGauge < 0 || r.FullGauge > MaxAmount {
		fault("cap %s, full gauge %s: accepted 0 to %s", r.Cap, r.FullGauge, MaxAmount)
	}
	if r.Cap > 0 && r.FullGauge > r.Cap {
		fault("cap %s below the gain of a full gauge, %s", r.Cap, r.FullGauge)
	}
	if r.First != nil && (r.First.Value < 0 || r.First.Value > MaxAmount || r.First.Value > 0 && len(r.Kinds) == 0) {
		fault("value %s of the first item: accepted 0 to %s, and 0 alone where items have no value", r.First.Value, MaxAmount)
	}
	if r.Band != nil {
		if err := r.Band.check(); err != nil {
			errs = append(errs, err)
		}
	}
	errs = append(errs, checkUrn(r), checkGauge(r), checkKinds(r))
	for i := range r.Levels {
		errs = append(errs, checkLevel(r, i))
	}
	return errors.Join(errs...)
}

func checkUrn(r *Rules) error {
	if r.Urn == nil {
		return nil
	}
	items := int64(0)
	for _, l := range r.Levels {
		items += int64(l.Items)
	}
	switch {
	case r.Urn.Good < 1 || r.Urn.Bad < 0 || r.Urn.Good > MaxFaces || r.Urn.Bad > MaxFaces:
		return fmt.Errorf("urn of %d good and %d bad balls: accepted at least 1 good, at most %d of each", r.Urn.Good, r.Urn.Bad, MaxFaces)
	case items > r.Urn.Good:
		return fmt.Errorf("the levels draw %d balls, the urn has %d good ones: the last levels cannot be passed", items, r.Urn.Good)
	case r.First != nil && r.First.Certain:
		return errors.New("a first item that cannot fall and an urn: accepted one of them")
	}
	return nil
}

func checkGauge(r *Rules) error {
	if len(r.Gauge) == 0 {
		if r.FullGauge > 0 {
			return fmt.Errorf("a gain of %s with the gauge full, and no gauge", r.FullGauge)
		}
		return nil
	}
	if len(r.Gauge) < 2 || len(r.Gauge) > MaxStars+1 || r.Gauge[0] != (Ratio{1, 1}) {
		return fmt.Errorf("gauge %v: accepted 2 to %d multipliers, the first one (no star) 1/1", r.Gauge, MaxStars+1)
	}
	for k, m := range r.Gauge {
		if m.Num < 1 || m.Den < 1 || m.Num > math.MaxInt32 || m.Den > math.MaxInt32 {
			return fmt.Errorf("gauge: multiplier %s with %d stars: accepted 1/1 to %d/1", m, k, math.MaxInt32)
		}
		// A star that lowers the gain would be a trap.
		if k > 0 && m.Num*r.Gauge[k-1].Den < r.Gauge[k-1].Num*m.Den {
			return fmt.Errorf("gauge: multiplier %s with %d stars after %s: accepted no less", m, k, r.Gauge[k-1])
		}
		if m.Den != 1 && r.Rounding == Exact {
			return fmt.Errorf("gauge: multiplier %s with %d stars and rounding %q: accepted whole multipliers, or rounding %q, %q", m, k, Exact, Down, Nearest)
		}
	}
	return nil
}

func checkKinds(r *Rules) error {
	if len(r.Kinds) > MaxKinds {
		return fmt.Errorf("%d kinds of items: accepted at most %d", len(r.Kinds), MaxKinds)
	}
	for _, k := range r.Kinds {
		if k.Weight < 1 || k.Weight > MaxFaces {
			return fmt.Errorf("kind %q: weight %d: accepted 1 to %d", k.Name, k.Weight, MaxFaces)
		}
	}
	return nil
}

// checkLevel refuses a level that cannot be compiled.
func checkLevel(r *Rules, at int) error {
	l := &r.Levels[at]
	var errs []error
	fault := func(format string, a ...any) {
		errs = append(errs, fmt.Errorf("level %d: "+format, append([]any{at + 1}, a...)...))
	}
	if l.Items < 1 || l.Items > MaxItems {
		fault("%d items: accepted 1 to %d", l.Items, MaxItems)
	}
	if r.Urn == nil && (!l.Stable.valid() || l.Stable.Num == 0) {
		fault("stability %s: accepted a chance above 0 and up to 1", l.Stable)
	}
	if len(r.Gauge) > 0 && !l.Star.valid() {
		fault("star chance %s: accepted 0 to 1", l.Star)
	}
	if len(l.Values) != len(r.Kinds) {
		fault("%d values for %d kinds of items", len(l.Values), len(r.Kinds))
	}
	for _, v := range l.Values {
		if v < 0 || v > MaxAmount {
			fault("value %s: accepted 0 to %s", v, MaxAmount)
		}
	}
	if r.Base == LevelAmount && (l.Pays < 1 || l.Pays > MaxAmount) {
		fault("pays %s: accepted 0.01 to %s", l.Pays, MaxAmount)
	}
	if len(errs) == 0 {
		errs = append(errs, checkRadix(r, at))
	}
	return errors.Join(errs...)
}

// checkRadix refuses an item whose outcomes do not fit the draw.
func checkRadix(r *Rules, at int) error {
	l := &r.Levels[at]
	weights := int64(1)
	if len(r.Kinds) > 0 {
		weights = 0
	}
	for _, k := range r.Kinds {
		weights += k.Weight
	}
	star := r.star(at).Den
	if weights > MaxFaces || star > MaxFaces || weights*star > MaxFaces {
		return fmt.Errorf("level %d: weights of %d times a star chance in %dths: accepted up to %d faces of an item", at+1, weights, star, MaxFaces)
	}
	stable := l.Stable.Den
	if r.Urn != nil {
		stable = r.Urn.Good + r.Urn.Bad
	}
	if stable > MaxRadix/(weights*star) {
		return fmt.Errorf("level %d: stability in %dths of %d faces of an item: accepted up to %d outcomes", at+1, stable, weights*star, int64(MaxRadix))
	}
	return nil
}

// checkGains refuses gains that leave the range, and a full gauge that pays less than a gauge that is not full.
func (t *Table) checkGains() error {
	for n := range t.levels {
		l := &t.levels[n]
		for k := 0; k <= l.starsMax; k++ {
			base, m := t.base(n, l.sumMax), t.multiplier(k)
			if base > money.MulDiv(MaxAmount, m.Den, m.Num) {
				return fmt.Errorf("level %d with %d stars can pay %s × %s: accepted up to %s", n+1, k, base, m, MaxAmount)
			}
			t.max = max(t.max, t.Gain(State{Level: n + 1, Sum: l.sumMax, Stars: k}))
		}
	}
	if full := t.rules.FullGauge; full > 0 && t.max != full {
		return fmt.Errorf("the last level with the gauge full pays %s, another pile %s: accepted a top prize that no other gain exceeds and that can be reached", full, t.max)
	}
	return nil
}
