package rounds

import (
	"math"
	"math/big"

	"tirage/rules/ladder"
	"tirage/rules/money"
)

// Kind of a comparison.
const (
	PassRate  = "pass"  // part of the rounds at level n−1 that pass level n
	MeanGain  = "gain"  // average gain of stopping at level n, in cents
	ReachAll  = "all"   // part of all rounds that pass every level
	ChiSquare = "gains" // χ² of the gains of stopping at level n; expected is its number of degrees of freedom
)

// Comparison is one figure beside its exact value.
type Comparison struct {
	Kind     string
	Level    int
	Observed float64
	Expected float64
	Sigma    float64 // the distance, in standard deviations of a run of this length
}

// minExpected is the least expectation of a class of the χ² test: rarer gains are put together.
const minExpected = 10

// Compare holds the rounds against the analysis of their table. A level that no round reached, or whose outcome is certain, has nothing
// to compare.
func (p *Played) Compare(t *ladder.Table, a *ladder.Analysis) []Comparison {
	var list []Comparison
	all := t.Odds()
	for n := 1; n < len(p.Reached); n++ {
		if tried := p.Reached[n-1]; tried > 0 {
			list = append(list, rate(PassRate, n, p.Reached[n], tried, all[n-1].Pass))
		}
	}
	for n := 1; n < len(p.Gains); n++ {
		list = append(list, p.meanGain(n, &a.Stop[n-1]))
	}
	last := len(all)
	list = append(list, rate(ReachAll, last, p.Reached[last], p.Rounds, all[last-1].Reach))
	for n := 1; n < len(p.Gains); n++ {
		if c, ok := p.chiSquare(n, &a.Stop[n-1]); ok {
			list = append(list, c)
		}
	}
	return list
}

// MaxSigma returns the largest distance.
func MaxSigma(list []Comparison) float64 {
	worst := 0.0
	for _, c := range list {
		worst = max(worst, math.Abs(c.Sigma))
	}
	return worst
}

func rate(kind string, level int, hits, tried int64, exact *big.Rat) Comparison {
	p, _ := exact.Float64()
	c := Comparison{Kind: kind, Level: level, Observed: float64(hits) / float64(tried), Expected: p}
	c.Sigma = distance(c.Observed-p, math.Sqrt(p*(1-p)/float64(tried)))
	return c
}

func (p *Played) meanGain(n int, g *ladder.Gains) Comparison {
	sum := new(big.Int)
	for gain, count := range p.Gains[n] {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(gain)), big.NewInt(count)))
	}
	observed, _ := new(big.Rat).SetFrac(sum, big.NewInt(p.Rounds)).Float64()
	mean, _ := g.Mean().Float64()
	variance, _ := g.Variance().Float64()
	return Comparison{
		Kind: MeanGain, Level: n, Observed: observed, Expected: mean,
		Sigma: distance(observed-mean, math.Sqrt(variance/float64(p.Rounds))),
	}
}

// distance is 0 for a certain outcome that came out, and infinite for one that did not.
func distance(off, deviation float64) float64 {
	if off == 0 {
		return 0
	}
	return off / deviation
}

// chiSquare compares the gains class by class, rare neighbours put together. ok is false where one class is all.
func (p *Played) chiSquare(n int, g *ladder.Gains) (c Comparison, ok bool) {
	var sum float64
	classes := 0
	var expected, observed float64
	total := new(big.Float).SetInt(g.Total)
	left := float64(p.Rounds)
	for _, o := range g.List {
		expected += float64(p.Rounds) * part(o.Ways, total)
		observed += float64(p.Gains[n][o.Gain])
		if expected >= minExpected && left-expected >= minExpected || o.Gain == highest(g) {
			sum += (observed - expected) * (observed - expected) / expected
			classes++
			left -= expected
			expected, observed = 0, 0
		}
	}
	if classes < 2 {
		return Comparison{}, false
	}
	freedom := float64(classes - 1)
	return Comparison{Kind: ChiSquare, Level: n, Observed: sum, Expected: freedom, Sigma: wilsonHilferty(sum, freedom)}, true
}

func part(ways *big.Int, total *big.Float) float64 {
	f, _ := new(big.Float).Quo(new(big.Float).SetInt(ways), total).Float64()
	return f
}

func highest(g *ladder.Gains) money.Cents { return g.List[len(g.List)-1].Gain }

// wilsonHilferty turns a χ² into the standard deviations of a normal variable, to about a hundredth.
func wilsonHilferty(x, freedom float64) float64 {
	v := 2 / (9 * freedom)
	return (math.Cbrt(x/freedom) - (1 - v)) / math.Sqrt(v)
}
