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
		{"no price", func(r *Rules) { r.Price = 0 }, "price 0.00: accepted 0.01 to"},
		{"no level", func(r *Rules) { r.Levels = nil }, "0 levels: accepted 1 to 64"},
		{"no item", func(r *Rules) { r.Levels[3].Items = 0 }, "level 4: 0 items: accepted 1 to 8"},
		{"too many items", func(r *Rules) { r.Levels[3].Items = 9 }, "level 4: 9 items: accepted 1 to 8"},
		{"more than certain", func(r *Rules) { r.Levels[3].Stable = Ratio{101, 100} }, "level 4: stability 101/100: accepted a chance above 0 and up to 1"},
		{"cannot be passed", func(r *Rules) { r.Levels[3].Stable = Ratio{0, 100} }, "level 4: stability 0/100"},
		{"division by zero", func(r *Rules) { r.Levels[3].Star = Ratio{0, 0} }, "level 4: star chance 0/0: accepted 0 to 1"},
		{"value missing", func(r *Rules) { r.Levels[3].Values = r.Levels[3].Values[:2] }, "level 4: 2 values for 3 kinds of items"},
		{"negative value", func(r *Rules) { r.Levels[3].Values = []money.Cents{1, 2, -3} }, "level 4: value -0.03: accepted 0 to"},
		{"weight 0", func(r *Rules) { r.Kinds[1].Weight = 0 }, `kind "glazed": weight 0: accepted 1 to 65536`},
		{"too many faces", func(r *Rules) { r.Kinds[1].Weight = 9000 }, "level 1: weights of 9007 times a star chance in 100ths: accepted up to 65536 faces"},
		{"too many outcomes", func(r *Rules) { r.Levels[3].Stable.Den = 1 << 23 }, "level 4: stability in 8388608ths of 1000 faces of an item: accepted up to 4294967296 outcomes"},
		{"gauge that starts at 2", func(r *Rules) { r.Gauge = r.Gauge[1:] }, "the first one (no star) 1/1"},
		{"gauge that falls", func(r *Rules) { r.Gauge[3] = Ratio{3, 1} }, "multiplier 3/1 with 3 stars after 4/1: accepted no less"},
		{"half a cent", func(r *Rules) { r.Gauge[3] = Ratio{9, 2} }, `multiplier 9/2 with 3 stars and rounding "exact": accepted whole multipliers, or rounding "down", "nearest"`},
		{"gauge without a unit", func(r *Rules) { r.Gauge[3] = Ratio{9, 0} }, "multiplier 9/0 with 3 stars: accepted"},
		{"full gauge and no gauge", func(r *Rules) { r.Gauge = nil }, "a gain of 10000.00 with the gauge full, and no gauge"},
		{"top prize below another", func(r *Rules) { r.FullGauge = 600_000 }, "the last level with the gauge full pays 6000.00, another pile 6471.68"},
		{"top prize out of reach", func(r *Rules) { r.Levels = r.Levels[:1] }, "can be reached"},
		{"cap below the top prize", func(r *Rules) { r.Cap = 900_000 }, "cap 9000.00 below the gain of a full gauge, 10000.00"},
		{"gain out of range", func(r *Rules) { r.Levels[0].Values = []money.Cents{1, 2, MaxAmount} }, "level 1 with 0 stars can pay"},
		{"no base of the gain", func(r *Rules) { r.Base = "" }, `base of the gain "": accepted "sum", "level"`},
		{"values that nobody adds", func(r *Rules) { r.Base = LevelAmount }, "items have values exactly when the gain is their sum"},
		{"rounding", func(r *Rules) { r.Rounding = "up" }, `rounding "up": accepted "exact", "down", "nearest"`},
		{"first value", func(r *Rules) { r.First.Value = -1 }, "value -0.01 of the first item: accepted 0 to"},
		{"band", func(r *Rules) { r.Band = &Band{Ratio{75, 100}, Ratio{65, 100}} }, "band of the return 75/100 to 65/100: accepted two fractions of 0 to 1 in order"},
		{"undeclared misprint", func(r *Rules) { r.Levels[7].Printed.Misprint = "" }, `level 8: column "pass" is printed "1.90", the model gives 1.89`},
		{"misprint that is none", func(r *Rules) { r.Levels[0].Printed.Misprint = Each }, `level 1: column "each" is printed "1.05", the model gives 1.05`},
		{"unknown column", func(r *Rules) { r.Levels[7].Printed.Misprint = "all" }, `level 8: misprint in column "all": accepted ["each" "pass" "reach"]`},
		{"another model", func(r *Rules) { r.Levels[4].Stable = Ratio{92, 100} }, `level 5: column "each" is printed "1.10", the model gives 1.09`},
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
		{"no good ball", func(r *Rules) { r.Urn.Good = 0 }, "urn of 0 good and 6 bad balls: accepted at least 1 good"},
		{"last level out of reach", func(r *Rules) { r.Urn.Good = 42 }, "the levels draw 43 balls, the urn has 42 good ones"},
		{"first ball certain", func(r *Rules) { r.First = &First{Certain: true} }, "a first item that cannot fall and an urn: accepted one of them"},
		{"value of a ball", func(r *Rules) { r.First = &First{Value: 3} }, "0 alone where items have no value"},
		{"level that pays nothing", func(r *Rules) { r.Levels[2].Pays = 0 }, "level 3: pays 0.00: accepted 0.01 to"},
		{"printed chance of each ball", func(r *Rules) { r.Levels[1].Printed = &Printed{} }, `level 2: column "each" of printed odds: balls of an urn have no single chance`},
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
