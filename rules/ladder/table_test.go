package ladder

import (
	"strings"
	"testing"

	"tirage/rules/money"
)

// TestNewRefuses bends the sample table one value at a time: each error says what was found and what is accepted.
func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		bend func(*Rules)
		want string
	}{
		{"no price", func(r *Rules) { r.Price = 0 }, "price: 0.00 €; accepted: 0.01 to"},
		{"no level", func(r *Rules) { r.Levels = nil }, "levels: 0 levels; accepted: 1 to 64"},
		{"no item", func(r *Rules) { r.Levels[3].Items = 0 }, "levels.4.items: 0 items; accepted: 1 to 8"},
		{"too many items", func(r *Rules) { r.Levels[3].Items = 9 }, "levels.4.items: 9 items; accepted: 1 to 8"},
		{"more than certain", func(r *Rules) { r.Levels[3].Stable = Ratio{101, 100} }, "levels.4.stable: stability 101/100; accepted: a chance above 0 and up to 1"},
		{"cannot be passed", func(r *Rules) { r.Levels[3].Stable = Ratio{0, 100} }, "levels.4.stable: stability 0/100"},
		{"division by zero", func(r *Rules) { r.Levels[3].Star = Ratio{0, 0} }, "levels.4.star: star chance 0/0; accepted: 0 to 1"},
		{"value missing", func(r *Rules) { r.Levels[3].Values = r.Levels[3].Values[:2] }, "levels.4.values: 2 values for 3 kinds of items"},
		{"negative value", func(r *Rules) { r.Levels[3].Values = []money.Cents{1, 2, -3} }, "levels.4.values: -0.03 €; accepted: 0.00 to"},
		{"weight 0", func(r *Rules) { r.Kinds[1].Weight = 0 }, "kinds.2.weight: weight 0; accepted: 1 to 65536"},
		{"too many faces", func(r *Rules) { r.Kinds[1].Weight = 9000 }, "levels.1.star: weights of 9007 in all and a star chance in 100ths; accepted: a product of at most 65536"},
		{"too many outcomes", func(r *Rules) { r.Levels[3].Stable.Den = 1 << 23 }, "levels.4.stable: stability in 8388608ths, times 1000 faces of an item; accepted: a product of at most 4294967296"},
		{"gauge that starts at 2", func(r *Rules) { r.Gauge = r.Gauge[1:] }, "gauge: a gauge of 10 multipliers that begins with 2/1; accepted: 2 to 33, the first one (no star) 1"},
		{"gauge that falls", func(r *Rules) { r.Gauge[3] = Ratio{3, 1} }, "gauge: multiplier 3/1 with 3 stars after 4/1; accepted: no less"},
		{"half a cent", func(r *Rules) { r.Gauge[3] = Ratio{9, 2} }, `gauge: multiplier 9/2 with 3 stars, and rounding "exact"; accepted: whole multipliers, or rounding "down", "nearest"`},
		{"gauge without a unit", func(r *Rules) { r.Gauge[3] = Ratio{9, 0} }, "gauge: multiplier 9/0 with 3 stars; accepted: 1 to"},
		{"full gauge and no gauge", func(r *Rules) { r.Gauge = nil }, "full_gauge: a gain of 10000.00 € with the gauge full, and no gauge"},
		{"top prize below another", func(r *Rules) { r.FullGauge = 600_000 }, "full_gauge: the last level pays 6000.00 € with the gauge full, the largest gain is 6471.68 €"},
		{"top prize out of reach", func(r *Rules) { r.Levels = r.Levels[:1] }, "the largest gain is 13.44 €; accepted: a top prize that can be reached"},
		{"cap below the top prize", func(r *Rules) { r.Cap = 900_000 }, "cap: a cap of 9000.00 below the gain of a full gauge, 10000.00"},
		{"gain out of range", func(r *Rules) { r.Levels[0].Values = []money.Cents{1, 2, MaxAmount} }, "levels.1: "},
		{"no base of the gain", func(r *Rules) { r.Base = "" }, `base: base of the gain ""; accepted: "sum", "level"`},
		{"values that nobody adds", func(r *Rules) { r.Base = LevelAmount }, "accepted: kinds exactly when the gain is the sum of values"},
		{"rounding", func(r *Rules) { r.Rounding = "up" }, `rounding: rounding "up"; accepted: "exact", "down", "nearest"`},
		{"first value", func(r *Rules) { r.First.Value = -1 }, "first.value: -0.01 €; accepted: 0.00 to"},
		{"band", func(r *Rules) { r.Band = &Band{Ratio{75, 100}, Ratio{65, 100}} }, "band: band of the return 75/100 to 65/100; accepted: two fractions of 0 to 1 in order"},
		{"undeclared misprint", func(r *Rules) { r.Levels[7].Printed.Misprint = "" }, `levels.8.printed: column "pass" is printed "1.90", the model gives 1.89`},
		{"misprint that is none", func(r *Rules) { r.Levels[0].Printed.Misprint = Each }, `levels.1.printed: column "each" is printed "1.05", the model gives 1.05`},
		{"unknown column", func(r *Rules) { r.Levels[7].Printed.Misprint = "all" }, `levels.8.misprint: a misprint in column "all"; accepted: ["each" "pass" "reach"]`},
		{"another model", func(r *Rules) { r.Levels[4].Stable = Ratio{92, 100} }, `levels.5.printed: column "each" is printed "1.10", the model gives 1.09`},
	} {
		r := donutRules()
		c.bend(&r)
		if table, err := New(r); err == nil || table != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %q", c.name, err, c.want)
		}
	}
}

func TestNewRefusesUrns(t *testing.T) {
	for _, c := range []struct {
		name string
		bend func(*Rules)
		want string
	}{
		{"no good ball", func(r *Rules) { r.Urn.Good = 0 }, "urn: an urn of 0 good and 6 bad balls; accepted: at least 1 good"},
		{"last level out of reach", func(r *Rules) { r.Urn.Good = 42 }, "urn.good: the levels draw 43 balls, the urn has 42 good ones"},
		{"first ball certain", func(r *Rules) { r.First = &First{Certain: true} }, "first.certain: a first item that cannot fall, and an urn; accepted: one of them"},
		{"value of a ball", func(r *Rules) { r.First = &First{Value: 3} }, "first.value: a value of the first item, where the others have none"},
		{"level that pays nothing", func(r *Rules) { r.Levels[2].Pays = 0 }, "levels.3.pays: 0.00 €; accepted: 0.01 to"},
		{"printed chance of each ball", func(r *Rules) { r.Levels[1].Printed = &Printed{} }, "levels.2.printed: printed odds of each ball of an urn; accepted: none"},
	} {
		r := urnRules()
		c.bend(&r)
		if _, err := New(r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %q", c.name, err, c.want)
		}
	}
}

// TestAnalyseRefusesTooManyStates: values without a common step make more piles than anyone can count.
func TestAnalyseRefusesTooManyStates(t *testing.T) {
	r := donutRules()
	for n := range r.Levels {
		r.Levels[n].Values = []money.Cents{1, 1000, 1_000_000 + money.Cents(n*n)}
		r.Levels[n].Printed = nil
	}
	r.FullGauge, r.Cap = 0, 0
	table, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Analyse(); err == nil || !strings.Contains(err.Error(), "more than 250000 sums") {
		t.Errorf("analysis of a table with too many states: %v", err)
	}
}

func TestParseRatio(t *testing.T) {
	for s, want := range map[string]Ratio{"95/100": {95, 100}, "0/1": {0, 1}, "1/1": {1, 1}} {
		if got, err := ParseRatio(s); err != nil || got != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "1", "1/", "/1", "2/1", "-1/2", "1/-2", "0/0", "1/2/3", "1 /2", "+1/2", "01/2", "1/4294967297", "1/99999999999999999999", "0.5", "½"} {
		if got, err := ParseRatio(s); err == nil || !strings.Contains(err.Error(), "accepted a fraction") {
			t.Errorf("%q was read as %v, %v", s, got, err)
		}
	}
}

func TestParseMultiplier(t *testing.T) {
	for s, want := range map[string]Ratio{"1": {1, 1}, "1024": {1024, 1}, "3/2": {3, 2}, "4/4": {4, 4}} {
		if got, err := ParseMultiplier(s); err != nil || got != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "1/2", "x2", "×2", "1.5", "-2", "02", "2/0", "2147483648", "3/"} {
		if got, err := ParseMultiplier(s); err == nil || !strings.Contains(err.Error(), "accepted a whole number or a fraction") {
			t.Errorf("%q was read as %v, %v", s, got, err)
		}
	}
}

func FuzzParseRatio(f *testing.F) {
	for _, s := range []string{"95/100", "0/1", "1/0", "07/8", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRatio(s)
		if err == nil && (r.String() != s || r.Num < 0 || r.Num > r.Den || r.Den < 1) {
			t.Errorf("%q was read as %v", s, r)
		}
	})
}

func FuzzParseMultiplier(f *testing.F) {
	for _, s := range []string{"2", "3/2", "1/0", "07/8", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseMultiplier(s)
		if err == nil && (r.String() != s && r.String() != s+"/1" || r.Num < r.Den || r.Den < 1) {
			t.Errorf("%q was read as %v", s, r)
		}
	})
}
