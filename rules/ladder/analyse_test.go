package ladder

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/odds"
)

// TestDonutReturns types in the returns of the sample table and computes them anew.
func TestDonutReturns(t *testing.T) {
	covers.Covers(t, "D24", "D27")
	table := donuts(t)
	start := time.Now()
	a, err := table.Analyse()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("analysed in %v", time.Since(start))

	want := strings.Fields("67.985% 69.892% 70.716% 70.882% 69.915% 68.726% 69.697% 70.797% 69.954% 69.441%")
	for n, o := range table.Odds() {
		g := &a.Stop[n]
		if got := odds.Percent(a.Return(g), 3); got != want[n] {
			t.Errorf("stop at level %d returns %s, want %s", n+1, got, want[n])
		}
		if g.HitRate().Cmp(o.Reach) != 0 {
			t.Errorf("stop at level %d: hit rate %s, chance of the level %s", n+1, g.HitRate(), o.Reach)
		}
	}
	for _, c := range []struct {
		name, want string
		p          *Policy
	}{{"best", "73.3871%", &a.Best}, {"worst", "66.5724%", &a.Worst}} {
		if got := odds.Percent(a.Return(&c.p.Gains), 4); got != c.want {
			t.Errorf("%s adaptive rule returns %s, want %s", c.name, got, c.want)
		}
	}
	if a.States != 22_110 {
		t.Errorf("%d states, want 22110", a.States)
	}
	top, chance := a.Stop[9].Highest()
	if top != 1_000_000 || odds.English(chance, 0) != "1 in 946,639" {
		t.Errorf("top prize %s, %s", top, odds.English(chance, 0))
	}
	if faults := table.CheckReturns(a); len(faults) != 0 {
		t.Error(faults)
	}
}

// TestTableIsRich: enough values and multipliers, a best rule that rewards thought.
func TestTableIsRich(t *testing.T) {
	covers.Covers(t, "D27")
	table := donuts(t)
	values := map[money.Cents]bool{}
	for _, l := range table.Rules().Levels {
		for _, v := range l.Values {
			values[v] = true
		}
	}
	if g := table.Rules().Gauge; len(values) < 5 || len(g) < 4 || g[len(g)-1].Num < 10 {
		t.Errorf("%d values, gauge %v", len(values), g)
	}
	a, err := table.Analyse()
	if err != nil {
		t.Fatal(err)
	}
	best := a.Return(&a.Best.Gains)
	for n := range a.Stop {
		if lead := new(big.Rat).Sub(best, a.Return(&a.Stop[n])); lead.Cmp(big.NewRat(1, 200)) < 0 {
			t.Errorf("the best adaptive rule is %s above stopping at level %d", odds.Percent(lead, 3), n+1)
		}
	}
}

// brute knows nothing of the analysis: it plays the production step with every draw.
type brute struct {
	table *Table
	worth map[State]*big.Rat
	after map[State]map[State]*big.Rat
}

// series returns the states after one step, with their chances.
func (b *brute) series(s State) map[State]*big.Rat {
	if known := b.after[s]; known != nil {
		return known
	}
	out := map[State]*big.Rat{}
	for draws := (&every{}); ; {
		next, _ := Step(b.table, s, draws)
		p := big.NewRat(1, 1)
		for _, n := range draws.radix {
			p.Mul(p, big.NewRat(1, int64(n)))
		}
		if next.Collapsed {
			next = State{Collapsed: true}
		}
		if out[next] == nil {
			out[next] = new(big.Rat)
		}
		out[next].Add(out[next], p)
		if !draws.next() {
			break
		}
	}
	b.after[s] = out
	return out
}

// adaptive returns the expectation of the best rule (sign 1) or the worst (−1) from a state on.
func (b *brute) adaptive(s State, sign int) *big.Rat {
	if b.table.Ended(s) {
		return b.table.Gain(s).Rat()
	}
	if v := b.worth[s]; v != nil {
		return v
	}
	v := new(big.Rat)
	for next, p := range b.series(s) {
		v.Add(v, new(big.Rat).Mul(p, b.adaptive(next, sign)))
	}
	if stop := b.table.Gain(s).Rat(); s.Level > 0 && v.Cmp(stop)*sign < 0 {
		v = stop
	}
	b.worth[s] = v
	return v
}

// stopAt returns the gains of « stop at level n ».
func (b *brute) stopAt(n int) map[money.Cents]*big.Rat {
	states := map[State]*big.Rat{{}: big.NewRat(1, 1)}
	for range n {
		next := map[State]*big.Rat{}
		for s, p := range states {
			if b.table.Ended(s) {
				addTo(next, s, p)
				continue
			}
			for to, q := range b.series(s) {
				addTo(next, to, new(big.Rat).Mul(p, q))
			}
		}
		states = next
	}
	gains := map[money.Cents]*big.Rat{}
	for s, p := range states {
		addTo(gains, b.table.Gain(s), p)
	}
	return gains
}

func addTo[K comparable](m map[K]*big.Rat, k K, p *big.Rat) {
	if m[k] == nil {
		m[k] = new(big.Rat)
	}
	m[k].Add(m[k], p)
}

// smallRules draws ladders small enough to be played out whole, of every shape that the rules allow.
func smallRules(t *rapid.T) Rules {
	r := Rules{Price: money.Cents(rapid.IntRange(1, 60).Draw(t, "price")), Base: LevelAmount, Rounding: Exact}
	levels := rapid.IntRange(1, 3).Draw(t, "levels")
	for range levels {
		r.Levels = append(r.Levels, Level{Items: rapid.IntRange(1, 2).Draw(t, "items"), Stable: chance(t, 1, "stable"), Pays: money.Cents(rapid.IntRange(1, 99).Draw(t, "pays"))})
	}
	if rapid.Bool().Draw(t, "values") {
		r.Base = SumOfValues
		for range rapid.IntRange(1, 2).Draw(t, "kinds") {
			r.Kinds = append(r.Kinds, Kind{"", rapid.Int64Range(1, 2).Draw(t, "weight")})
			for n := range r.Levels {
				r.Levels[n].Values = append(r.Levels[n].Values, money.Cents(rapid.IntRange(0, 40).Draw(t, "value")))
			}
		}
	}
	if rapid.Bool().Draw(t, "gauge") {
		r.Rounding = rapid.SampledFrom([]Rounding{Down, Nearest}).Draw(t, "rounding")
		r.Gauge = []Ratio{{1, 1}}
		for range rapid.IntRange(1, 2).Draw(t, "stars") {
			last := r.Gauge[len(r.Gauge)-1]
			r.Gauge = append(r.Gauge, Ratio{last.Num + rapid.Int64Range(0, 3).Draw(t, "more"), last.Den})
			if rapid.Bool().Draw(t, "half") {
				last := &r.Gauge[len(r.Gauge)-1]
				last.Num, last.Den = 2*last.Num+1, 2*last.Den
			}
		}
		for n := range r.Levels {
			r.Levels[n].Star = chance(t, 0, "star")
		}
	}
	if rapid.Bool().Draw(t, "urn") {
		r.Urn = &Urn{Good: int64(2*levels) + rapid.Int64Range(0, 2).Draw(t, "good"), Bad: rapid.Int64Range(0, 2).Draw(t, "bad")}
	} else if rapid.Bool().Draw(t, "first") {
		r.First = &First{Certain: rapid.Bool().Draw(t, "certain")}
		if r.Base == SumOfValues {
			r.First.Value = money.Cents(rapid.IntRange(0, 30).Draw(t, "base"))
		}
	}
	if rapid.Bool().Draw(t, "capped") {
		r.Cap = money.Cents(rapid.IntRange(1, 200).Draw(t, "cap"))
	}
	return r
}

func chance(t *rapid.T, least int64, label string) Ratio {
	den := rapid.Int64Range(1, 3).Draw(t, label+" den")
	return Ratio{rapid.Int64Range(min(least, den), den).Draw(t, label), den}
}

// TestAnalysisEqualsEveryDraw plays small ladders of every shape with every draw of the production step: each rule's distribution,
// and the best and worst adaptive rules, are those of the analysis, to the last digit.
func TestAnalysisEqualsEveryDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, err := New(smallRules(t))
		if err != nil {
			t.Fatal(err)
		}
		a, err := table.Analyse()
		if err != nil {
			t.Fatal(err)
		}
		b := &brute{table: table, after: map[State]map[State]*big.Rat{}}
		for n := range a.Stop {
			want := b.stopAt(n + 1)
			got := map[money.Cents]*big.Rat{}
			for _, o := range a.Stop[n].List {
				got[o.Gain] = new(big.Rat).SetFrac(o.Ways, a.Stop[n].Total)
			}
			for gain, p := range want {
				if p.Sign() > 0 && (got[gain] == nil || got[gain].Cmp(p) != 0) {
					t.Fatalf("stop at level %d pays %s with chance %v, played out %v", n+1, gain, got[gain], p)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("stop at level %d: %d gains, played out %d", n+1, len(got), len(want))
			}
		}
		for sign, p := range map[int]*Policy{1: &a.Best, -1: &a.Worst} {
			b.worth = map[State]*big.Rat{}
			if got, want := p.Gains.Mean(), b.adaptive(State{}, sign); got.Cmp(want) != 0 {
				t.Fatalf("adaptive rule %d: mean %v, played out %v", sign, got, want)
			}
		}
	})
}

// TestMomentsEqualTheSums checks the integer moments against plain rationals.
func TestMomentsEqualTheSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, err := New(smallRules(t))
		if err != nil {
			t.Fatal(err)
		}
		a, err := table.Analyse()
		if err != nil {
			t.Fatal(err)
		}
		for n := range a.Stop {
			g := &a.Stop[n]
			var plain odds.Distribution
			for _, o := range g.List {
				plain = append(plain, odds.Outcome{Chance: g.Chance(o.Gain), Value: o.Gain.Rat()})
			}
			if plain.Total().Cmp(big.NewRat(1, 1)) != 0 || plain.Mean().Cmp(g.Mean()) != 0 || plain.Variance().Cmp(g.Variance()) != 0 {
				t.Fatalf("stop at level %d: total %v, mean %v and %v, variance %v and %v", n+1, plain.Total(), plain.Mean(), g.Mean(), plain.Variance(), g.Variance())
			}
		}
	})
}

// TestDecisionsCoverEachPile: the runs of a policy list every reachable pile once, in order, and the last level always stops.
func TestDecisionsCoverEachPile(t *testing.T) {
	a, err := donuts(t).Analyse()
	if err != nil {
		t.Fatal(err)
	}
	for level := 1; level <= 10; level++ {
		last := Decision{Stars: -1}
		for _, d := range a.Best.Decisions(level) {
			if d.From > d.To || d.Stars == last.Stars && (d.From != last.To+1 || d.Stop == last.Stop) || d.Stars != last.Stars && d.Stars != last.Stars+1 {
				t.Fatalf("level %d: %+v after %+v", level, d, last)
			}
			if level == 10 && !d.Stop {
				t.Fatalf("level 10: %+v", d)
			}
			last = d
		}
		if want := min(10, 5*level); last.Stars != want {
			t.Errorf("level %d: decisions for up to %d stars, want %d", level, last.Stars, want)
		}
	}
}

// TestCheckReturnsRefusesTablesOutOfTheBand bends the sample table in both directions.
func TestCheckReturnsRefusesTablesOutOfTheBand(t *testing.T) {
	for _, c := range []struct {
		name string
		bend func(*Rules)
		want []string
	}{
		{"base donut of 0.34", func(r *Rules) { r.First.Value = 34 }, []string{"the best adaptive rule returns 7", "accepted: at most 75.00%"}},
		{"base donut of 0.20", func(r *Rules) { r.First.Value = 20 }, []string{"stopping at level 1 returns 49.1003%; accepted: 65.00% to 75.00%", "stopping at level 7"}},
		{"golden donut of 3.00 at level 10", func(r *Rules) { r.Levels[9].Values = []money.Cents{15, 30, 300} }, []string{"stopping at level 10 returns 85.0991%", "the best adaptive rule returns 85.1139%"}},
		{"price of 0.40", func(r *Rules) { r.Price = 40 }, []string{"stopping at level 1 returns 84.9812%; accepted: 65.00% to 75.00%", "the best adaptive rule returns 91.7339%; accepted: at most 75.00%"}},
		{"a band of its own", func(r *Rules) { r.Band = &Band{Ratio{68, 100}, Ratio{73, 100}} }, []string{"level 1 returns 67.9850%; accepted: 68.00% to 73.00%", "best adaptive rule"}},
	} {
		r := donutRules()
		c.bend(&r)
		table, err := New(r)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		a, err := table.Analyse()
		if err != nil {
			t.Fatal(err)
		}
		got := table.CheckReturns(a).Error()
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s\nwant %q", c.name, got, want)
			}
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	table := donuts(b)
	for b.Loop() {
		if _, err := table.Analyse(); err != nil {
			b.Fatal(err)
		}
	}
}
