package ladder

import (
	"math/big"
	"slices"

	"tirage/rules/money"
)

// Gains is the exact distribution of the gain of a play under one rule of the player: of Total equally likely outcomes, each gain
// has its ways. The fractions have no common factor.
type Gains struct {
	Total *big.Int
	List  []GainWays // ascending, no gain (0) included, no gain without a way
}

// GainWays counts the outcomes that pay a gain.
type GainWays struct {
	Gain money.Cents
	Ways *big.Int
}

// tally collects ways by gain.
type tally map[money.Cents]*big.Int

func (y tally) add(gain money.Cents, ways *big.Int) {
	if sum := y[gain]; sum != nil {
		sum.Add(sum, ways)
	} else {
		y[gain] = new(big.Int).Set(ways)
	}
}

// gains closes the tally: outcomes that it does not hold pay nothing.
func (y tally) gains(total *big.Int) Gains {
	lost := new(big.Int).Set(total)
	for _, ways := range y {
		lost.Sub(lost, ways)
	}
	y.add(0, lost)

	g := Gains{Total: new(big.Int).Set(total)}
	common := new(big.Int).Set(total)
	for gain, ways := range y {
		if ways.Sign() > 0 {
			g.List = append(g.List, GainWays{gain, ways})
			common.GCD(nil, nil, common, ways)
		}
	}
	g.Total.Quo(g.Total, common)
	for _, o := range g.List {
		o.Ways.Quo(o.Ways, common)
	}
	slices.SortFunc(g.List, func(a, b GainWays) int { return int(a.Gain - b.Gain) })
	return g
}

// Mean returns the average gain of a play in cents.
func (g *Gains) Mean() *big.Rat { return g.moment(1) }

// Variance returns the variance of the gain of a play in square cents.
func (g *Gains) Variance() *big.Rat {
	mean := g.Mean()
	return new(big.Rat).Sub(g.moment(2), mean.Mul(mean, mean))
}

// HitRate returns the chance of any gain.
func (g *Gains) HitRate() *big.Rat {
	return new(big.Rat).Sub(big.NewRat(1, 1), g.Chance(0))
}

// Chance returns the chance of exactly this gain.
func (g *Gains) Chance(gain money.Cents) *big.Rat {
	for _, o := range g.List {
		if o.Gain == gain {
			return new(big.Rat).SetFrac(o.Ways, g.Total)
		}
	}
	return new(big.Rat)
}

// Highest returns the largest gain and its chance.
func (g *Gains) Highest() (money.Cents, *big.Rat) {
	top := g.List[len(g.List)-1].Gain
	return top, g.Chance(top)
}

// moment sums over the common denominator: adding thousands of rationals would reduce each one.
func (g *Gains) moment(order int) *big.Rat {
	sum, term := new(big.Int), new(big.Int)
	for _, o := range g.List {
		term.Set(o.Ways)
		for range order {
			term.Mul(term, big.NewInt(int64(o.Gain)))
		}
		sum.Add(sum, term)
	}
	return new(big.Rat).SetFrac(sum, g.Total)
}
