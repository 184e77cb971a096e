package ladder

import (
	"testing"

	"tirage/rules/money"
)

// donuts returns the sample table, built without the rulebook that packages above this one read.
func donuts(t testing.TB) *Table {
	t.Helper()
	table, err := New(donutRules())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func donutRules() Rules {
	values := [10][3]money.Cents{
		{1, 2, 3}, {1, 2, 3}, {1, 2, 5}, {2, 3, 5}, {2, 3, 10}, {4, 5, 10}, {5, 10, 15}, {10, 15, 20}, {10, 20, 50}, {15, 30, 100},
	}
	printed := [10]Printed{
		{"1.05", "1.23", "1.23", ""}, {"1.06", "1.36", "1.67", ""}, {"1.08", "1.44", "2.40", ""}, {"1.09", "1.52", "3.65", ""},
		{"1.10", "1.60", "5.85", ""}, {"1.11", "1.69", "9.90", ""}, {"1.12", "1.79", "17.73", ""}, {"1.14", "1.90", "33.60", Pass},
		{"1.15", "2.01", "67.41", ""}, {"1.16", "2.13", "143.30", ""},
	}
	r := Rules{
		Price:     50,
		First:     &First{Certain: true, Value: 30},
		Kinds:     []Kind{{"plain", 6}, {"glazed", 3}, {"golden", 1}},
		Base:      SumOfValues,
		Rounding:  Exact,
		FullGauge: 1_000_000,
		Cap:       1_000_000,
	}
	for k := range 11 {
		r.Gauge = append(r.Gauge, Ratio{1 << k, 1})
	}
	for n := range 10 {
		r.Levels = append(r.Levels, Level{
			Items:   5,
			Stable:  Ratio{int64(95 - n), 100},
			Star:    Ratio{int64(3 + n/2), 100},
			Values:  values[n][:],
			Printed: &printed[n],
		})
	}
	return r
}
