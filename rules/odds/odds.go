// Package odds holds exact chances and what follows from them: expectations, variances, and the forms in which the
// regulations, the pages and the reports print them.
//
// Every chance and every average is a [big.Rat], from the counting of combinations to the last digit shown. Rounding
// happens once, on display, half-up: a number that lies halfway between two neighbours takes the larger absolute value.
//
//	p := odds.Chance(220, 19_068_840)     // rank 3 of Loto, 4 numbers and the Chance number
//	odds.French(p, 0)                     // "1 chance sur 86 677", U+202F between thousands
//	odds.English(p, 0)                    // "1 in 86,677"
//	odds.Percent(p, 4)                    // "0.0012%"
//
// The printed table of Art. donuts@2019-06-25:3.2.5 has two decimals (« arrondi au centième »), the pages of the draw
// games whole numbers.
package odds

import (
	"errors"
	"fmt"
	"math/big"
)

// Chance returns ways/total as an exact probability. It panics unless 0 ≤ ways ≤ total and total ≥ 1: a table whose ways
// do not add up has been refused long before.
func Chance(ways, total int64) *big.Rat {
	if ways < 0 || total < 1 || ways > total {
		panic(fmt.Sprintf("odds: %d ways of %d", ways, total))
	}
	return big.NewRat(ways, total)
}

// Outcome is a value and the probability that it comes out.
type Outcome struct {
	Chance *big.Rat
	Value  *big.Rat
}

// Distribution lists outcomes that exclude each other. What they leave up to probability 1 has the value 0: a losing
// combination is not written down.
type Distribution []Outcome

// ErrDistribution is what [Distribution.Check] wraps.
var ErrDistribution = errors.New("accepted: probabilities from 0 to 1 whose sum is at most 1")

// Check returns an error when a probability is negative or all together exceed 1.
func (d Distribution) Check() error {
	for i, o := range d {
		if o.Chance.Sign() < 0 {
			return fmt.Errorf("outcome %d has probability %s: %w", i+1, o.Chance.RatString(), ErrDistribution)
		}
	}
	if sum := d.Total(); sum.Cmp(one) > 0 {
		return fmt.Errorf("the probabilities sum to %s: %w", sum.RatString(), ErrDistribution)
	}
	return nil
}

// Total returns the probability that one of the outcomes comes out: for the ranks of a game, that of any gain.
func (d Distribution) Total() *big.Rat {
	sum := new(big.Rat)
	for _, o := range d {
		sum.Add(sum, o.Chance)
	}
	return sum
}

// Mean returns the expectation Σ p·x, in the unit of the values.
func (d Distribution) Mean() *big.Rat { return d.moment(1) }

// Variance returns Σ p·x² − (Σ p·x)², in the square of the unit of the values.
func (d Distribution) Variance() *big.Rat {
	mean := d.Mean()
	return new(big.Rat).Sub(d.moment(2), mean.Mul(mean, mean))
}

func (d Distribution) moment(order int) *big.Rat {
	sum := new(big.Rat)
	for _, o := range d {
		term := new(big.Rat).Set(o.Chance)
		for range order {
			term.Mul(term, o.Value)
		}
		sum.Add(sum, term)
	}
	return sum
}

var one = big.NewRat(1, 1)
