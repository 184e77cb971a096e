package odds_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/odds"
)

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("no rational: " + s)
	}
	return r
}

// One chance sur x of every kind of rank, and the French and English forms. Loto and Euro Millions have 19 068 840 and
// 139 838 160 combinations.
func TestOneChanceIn(t *testing.T) {
	for _, c := range []struct {
		ways, total     int64
		decimals        int
		french, english string
	}{
		{1, 19_068_840, 0, "1 chance sur 19\u202f068\u202f840", "1 in 19,068,840"},
		{1, 139_838_160, 0, "1 chance sur 139\u202f838\u202f160", "1 in 139,838,160"},
		{1, 139_838_160, 2, "1 chance sur 139\u202f838\u202f160", "1 in 139,838,160"}, // whole: no decimals
		{9, 19_068_840, 0, "1 chance sur 2\u202f118\u202f760", "1 in 2,118,760"},
		{220, 19_068_840, 0, "1 chance sur 86\u202f677", "1 in 86,677"},
		{220, 19_068_840, 2, "1 chance sur 86\u202f676,55", "1 in 86,676.55"},
		{1_764_763, 19_068_840, 1, "1 chance sur 10,8", "1 in 10.8"},
		{2, 5, 0, "1 chance sur 3", "1 in 3"},       // 2.5 goes up
		{2, 5, 2, "1 chance sur 2,50", "1 in 2.50"}, // the last 0 stays
		{8, 9, 2, "1 chance sur 1,13", "1 in 1.13"}, // 1.125 goes up
		{7, 7, 2, "1 chance sur 1", "1 in 1"},       // certain
		{0, 7, 2, "aucune chance", "no chance"},     // impossible
		{1, 1000, 0, "1 chance sur 1\u202f000", "1 in 1,000"},
		{1, 999, 0, "1 chance sur 999", "1 in 999"},
	} {
		p := odds.Chance(c.ways, c.total)
		if got := odds.French(p, c.decimals); got != c.french {
			t.Errorf("French(%d/%d, %d) = %q, want %q", c.ways, c.total, c.decimals, got, c.french)
		}
		if got := odds.English(p, c.decimals); got != c.english {
			t.Errorf("English(%d/%d, %d) = %q, want %q", c.ways, c.total, c.decimals, got, c.english)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		r                        string
		decimals                 int
		decimal, french, english string
	}{
		{"0", 2, "0.00", "0,00", "0.00"},
		{"-85613/3243", 2, "-26.40", "−26,40", "−26.40"},
		{"-85613/3243", 3, "-26.399", "−26,399", "−26.399"},
		{"-1/1000", 2, "0.00", "0,00", "0.00"}, // no minus before a zero
		{"-5/1000", 2, "-0.01", "−0,01", "−0.01"},
		{"1/200", 2, "0.01", "0,01", "0.01"},
		{"49/10000", 2, "0.00", "0,00", "0.00"},
		{"1234567/2", 0, "617284", "617\u202f284", "617,284"},
		{"999999/1000", 2, "1000.00", "1\u202f000,00", "1,000.00"}, // a carry through every digit
	} {
		r := rat(c.r)
		if got := odds.Decimal(r, c.decimals); got != c.decimal {
			t.Errorf("Decimal(%s, %d) = %q, want %q", c.r, c.decimals, got, c.decimal)
		}
		if got := odds.FrenchNumber(r, c.decimals); got != c.french {
			t.Errorf("FrenchNumber(%s, %d) = %q, want %q", c.r, c.decimals, got, c.french)
		}
		if got := odds.EnglishNumber(r, c.decimals); got != c.english {
			t.Errorf("EnglishNumber(%s, %d) = %q, want %q", c.r, c.decimals, got, c.english)
		}
	}
}

func TestPercent(t *testing.T) {
	p := rat("5475/10000")
	if got := odds.FrenchPercent(p, 2); got != "54,75\u202f%" {
		t.Errorf("FrenchPercent = %q", got)
	}
	if got := odds.Percent(p, 1); got != "54.8%" {
		t.Errorf("Percent = %q", got)
	}
	if got := odds.Percent(odds.Chance(220, 19_068_840), 4); got != "0.0012%" {
		t.Errorf("Percent of rank 3 = %q", got)
	}
}

// Rounding agrees with the standard library's exact formatter, which rounds the same halves away from zero.
func TestDecimalAgreesWithFloatString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := big.NewRat(rapid.Int64().Draw(t, "num"), rapid.Int64Range(1, 1<<40).Draw(t, "den"))
		decimals := rapid.IntRange(0, 8).Draw(t, "decimals")
		want := r.FloatString(decimals)
		if strings.Trim(want, "-0.") == "" {
			want = strings.TrimPrefix(want, "-")
		}
		if got := odds.Decimal(r, decimals); got != want {
			t.Fatalf("Decimal(%v, %d) = %q, want %q", r, decimals, got, want)
		}
	})
}

// A fair die.
func TestMeanAndVariance(t *testing.T) {
	var die odds.Distribution
	for i := int64(1); i <= 6; i++ {
		die = append(die, odds.Outcome{Chance: big.NewRat(1, 6), Value: big.NewRat(i, 1)})
	}
	if err := die.Check(); err != nil {
		t.Fatal(err)
	}
	if got := die.Mean().RatString(); got != "7/2" {
		t.Errorf("mean %s, want 7/2", got)
	}
	if got := die.Variance().RatString(); got != "35/12" {
		t.Errorf("variance %s, want 35/12", got)
	}
	// The outcomes that are not written down are worth 0.
	half := odds.Distribution{{big.NewRat(1, 2), big.NewRat(-4, 1)}}
	if m, v := half.Mean().RatString(), half.Variance().RatString(); m != "-2" || v != "4" {
		t.Errorf("mean %s, variance %s, want -2 and 4", m, v)
	}
}

// The fixed ranks of Loto of 2018 return 0.81 € of a 2.20 € combination: computed here from the table of the rules,
// summed over one common denominator.
func TestMeanOfTheLotoTable(t *testing.T) {
	table := []struct{ ways, cents int64 }{
		{9, 10_000_000}, {220, 100_000}, {1_980, 50_000}, {9_460, 5_000}, {85_140, 2_000},
		{132_440, 1_000}, {1_191_960, 500}, {1_764_763, 220},
	}
	var d odds.Distribution
	var sum, ways int64
	for _, r := range table {
		d = append(d, odds.Outcome{Chance: odds.Chance(r.ways, 19_068_840), Value: big.NewRat(r.cents, 1)})
		sum, ways = sum+r.ways*r.cents, ways+r.ways
	}
	if got, want := d.Mean(), big.NewRat(sum, 19_068_840); got.Cmp(want) != 0 {
		t.Errorf("mean %s, want %s", got.RatString(), want.RatString())
	}
	if got, want := d.Total(), big.NewRat(ways, 19_068_840); got.Cmp(want) != 0 {
		t.Errorf("any gain %s, want %s", got.RatString(), want.RatString())
	}
}

func TestDistributionRefuses(t *testing.T) {
	for name, d := range map[string]odds.Distribution{
		"negative":    {{big.NewRat(-1, 2), big.NewRat(1, 1)}},
		"more than 1": {{big.NewRat(2, 3), big.NewRat(1, 1)}, {big.NewRat(1, 2), big.NewRat(1, 1)}},
	} {
		if err := d.Check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The variance of a sum of two independent variables is the sum of their variances, whatever the values.
func TestVarianceIsAdditive(t *testing.T) {
	draw := func(t *rapid.T, name string) odds.Distribution {
		n := rapid.IntRange(1, 5).Draw(t, name)
		var d odds.Distribution
		for range n {
			d = append(d, odds.Outcome{
				Chance: big.NewRat(rapid.Int64Range(0, 100).Draw(t, "weight"), 500),
				Value:  big.NewRat(rapid.Int64Range(-1000, 1000).Draw(t, "value"), 7),
			})
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		rest := func(d odds.Distribution) odds.Distribution { // write the losing outcome down
			p := new(big.Rat).Sub(big.NewRat(1, 1), d.Total())
			return append(d, odds.Outcome{Chance: p, Value: new(big.Rat)})
		}
		var both odds.Distribution
		for _, x := range rest(a) {
			for _, y := range rest(b) {
				both = append(both, odds.Outcome{
					Chance: new(big.Rat).Mul(x.Chance, y.Chance),
					Value:  new(big.Rat).Add(x.Value, y.Value),
				})
			}
		}
		if want := new(big.Rat).Add(a.Variance(), b.Variance()); both.Variance().Cmp(want) != 0 {
			t.Fatalf("variance of the sum %s, want %s", both.Variance().RatString(), want.RatString())
		}
		if want := new(big.Rat).Add(a.Mean(), b.Mean()); both.Mean().Cmp(want) != 0 {
			t.Fatalf("mean of the sum %s, want %s", both.Mean().RatString(), want.RatString())
		}
	})
}
