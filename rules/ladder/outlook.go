package ladder

import (
	"fmt"
	"math/big"

	"tirage/rules/money"
)

// Outlook tells what lies ahead of a play: the average gain of each level for those plays that reach it. It is what a player weighs against the
// sure gain, and like the chances it follows from the table alone, whatever was drawn before (Art. donuts@2019-06-25:3.2.5).
//
//	o := t.Outlook()
//	means := o.Means(state) // means[0]: of the next level, when its series holds
type Outlook struct {
	table   *Table
	factors []factor
}

// Outlook prepares the averages of a table.
func (t *Table) Outlook() *Outlook {
	o := &Outlook{table: t}
	for n, odds := range t.Odds() {
		o.factors = append(o.factors, newFactor(&t.levels[n], odds.Pass))
	}
	return o
}

// Means returns the average gain in cents, exact, of every level above the state, given that all series up to it hold; none when the play has
// ended. It panics for a state that no play can be in.
func (o *Outlook) Means(s State) []*big.Rat {
	if err := o.table.Check(s); err != nil {
		panic(fmt.Sprintf("ladder: outlook: %v", err))
	}
	if o.table.Ended(s) {
		return nil
	}
	var means []*big.Rat
	sums, stars := map[int64]*big.Int{int64(s.Sum): big.NewInt(1)}, map[int64]*big.Int{int64(s.Stars): big.NewInt(1)}
	for n := s.Level; n < len(o.factors); n++ {
		top := int64(max(0, len(o.table.rules.Gauge)-1))
		sums, stars = spread(sums, o.factors[n].sums, -1), spread(stars, o.factors[n].stars, top)
		means = append(means, o.mean(n+1, sums, stars))
	}
	return means
}

// mean averages the gain of a level over independent counts of sums and stars.
func (o *Outlook) mean(level int, sums, stars map[int64]*big.Int) *big.Rat {
	total, ways, outcomes, product := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for sum, a := range sums {
		for k, b := range stars {
			ways.Mul(a, b)
			outcomes.Add(outcomes, ways)
			gain := o.table.Gain(State{Level: level, Sum: money.Cents(sum), Stars: int(k)})
			total.Add(total, product.Mul(ways, big.NewInt(int64(gain))))
		}
	}
	return new(big.Rat).SetFrac(total, outcomes)
}

// spread adds one independent draw to a count; what exceeds top is lost (top < 0: nothing is).
func spread(count map[int64]*big.Int, draw []term, top int64) map[int64]*big.Int {
	out := map[int64]*big.Int{}
	var product big.Int
	for x, ways := range count {
		for _, t := range draw {
			y := x + t.add
			if top >= 0 {
				y = min(y, top)
			}
			if out[y] == nil {
				out[y] = new(big.Int)
			}
			out[y].Add(out[y], product.Mul(ways, t.ways))
		}
	}
	return out
}
