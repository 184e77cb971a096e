package ladder

import (
	"math/big"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/odds"
)

// TestPrintedTable computes the thirty figures of article 3.2.5: twenty-nine are those of the regulation, and the thirtieth is its
// known misprint.
func TestPrintedTable(t *testing.T) {
	covers.Covers(t, "D11", "D25", "D26")
	table := donuts(t)
	differ := []string{}
	for n, o := range table.Odds() {
		if o.Items != 5*(n+1) {
			t.Errorf("level %d: %d donuts", o.Level, o.Items)
		}
		for _, c := range Columns {
			printed, exact := table.Rules().Levels[n].Printed.Of(c), OneIn(o.Of(c))
			if printed != exact {
				differ = append(differ, string(c)+" "+printed+" for "+exact)
			}
		}
	}
	if got := strings.Join(differ, ", "); got != "pass 1.90 for 1.89" {
		t.Errorf("figures that differ: %q", got)
	}
}

// TestExactOdds compares with the formula of the restated rule, built from scratch.
func TestExactOdds(t *testing.T) {
	all := big.NewRat(1, 1)
	mean := new(big.Rat)
	for n, o := range donuts(t).Odds() {
		for range map[bool]int{true: 4, false: 5}[n == 0] {
			all.Mul(all, big.NewRat(int64(95-n), 100))
		}
		if o.Reach.Cmp(all) != 0 {
			t.Errorf("level %d: %v, want %v", n+1, o.Reach, all)
		}
		mean.Add(mean, all)
	}
	if got := odds.Decimal(all, 15); got != "0.006978450314586" {
		t.Errorf("all ten levels: %s", got)
	}
	if got := odds.Decimal(mean, 6); got != "2.482231" {
		t.Errorf("mean number of levels passed: %s", got)
	}
}

// TestOnlyFirstDonutCertainFits: with five donuts that can fall at level 1, the printed table is refused.
func TestOnlyFirstDonutCertainFits(t *testing.T) {
	r := donutRules()
	r.First.Certain = false
	if _, err := New(r); err == nil || !strings.Contains(err.Error(), `levels.1.printed: column "pass" is printed "1.23", the model gives 1.29`) {
		t.Errorf("five donuts that can fall at level 1: %v", err)
	}
}

// TestNoOtherWholePercentFits: at each level one stability of a whole percent gives the printed chance of one donut and of all levels
// so far, each of them rounded once.
func TestNoOtherWholePercentFits(t *testing.T) {
	for n := range 10 {
		fits := []int64{}
		for percent := int64(50); percent < 100; percent++ {
			r := donutRules()
			r.Levels[n].Stable.Num = percent
			if _, err := New(r); err == nil {
				fits = append(fits, percent)
			}
		}
		if len(fits) != 1 || fits[0] != int64(95-n) {
			t.Errorf("level %d: percentages that fit %v", n+1, fits)
		}
	}
}

// urnRules is the ladder of 43 good and 6 bad balls: six good ones open the first exit, each further one the next.
func urnRules() Rules {
	r := Rules{Price: 100, Urn: &Urn{Good: 43, Bad: 6}, Base: LevelAmount, Rounding: Exact, Levels: []Level{{Items: 6, Pays: 200}}}
	for n := range 37 {
		r.Levels = append(r.Levels, Level{Items: 1, Pays: 200 + 10*money.Cents(n)})
	}
	return r
}

func TestUrnOdds(t *testing.T) {
	table, err := New(urnRules())
	if err != nil {
		t.Fatal(err)
	}
	lines := table.Odds()
	if len(lines) != 38 || lines[37].Items != 43 {
		t.Fatalf("%d levels, %d balls", len(lines), lines[len(lines)-1].Items)
	}
	if want := big.NewRat(435461, 998844); lines[0].Reach.Cmp(want) != 0 {
		t.Errorf("six good balls: %v, want %v", lines[0].Reach, want)
	}
	for _, c := range []struct {
		balls, decimals int
		want            string
	}{{7, 9, "0.375132653"}, {10, 9, "0.233314211"}, {20, 9, "0.033969268"}, {43, 14, "0.00000007151124"}} {
		if got := odds.Decimal(lines[c.balls-6].Reach, c.decimals); got != c.want {
			t.Errorf("%d good balls: %s, want %s", c.balls, got, c.want)
		}
	}
	// C(43, n) / C(49, n) for each exit.
	for _, o := range lines {
		var good, all big.Int
		want := new(big.Rat).SetFrac(good.Binomial(43, int64(o.Items)), all.Binomial(49, int64(o.Items)))
		if o.Reach.Cmp(want) != 0 {
			t.Errorf("%d good balls: %v, want %v", o.Items, o.Reach, want)
		}
	}
}
