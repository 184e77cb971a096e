package ladder

import (
	"math/big"

	"tirage/rules/money"
)

// Analysis is the exact account of a table: every gain of every rule with its number of ways.
//
// A rule says when the player stops. The ten rules of ten levels « stop at level n » need no look at the pile; an adaptive rule may
// look at all that counts, the level, the sum and the stars.
type Analysis struct {
	price  money.Cents
	States int     // levels × sums of values × positions of the gauge
	Stop   []Gains // Stop[n−1]: stop at level n
	Best   Policy  // the adaptive rule of the highest return
	Worst  Policy  // the adaptive rule of the lowest return, among those that start and take a gain where they stop
}

// Return returns the part of the stakes that comes back under a rule, in the long run.
func (a *Analysis) Return(g *Gains) *big.Rat {
	mean := g.Mean()
	return mean.Quo(mean, a.price.Rat())
}

// Analyse counts everything. It takes a fraction of a second for ten levels of five items; it returns an error
// only for a table of more than [MaxStates] states.
func (t *Table) Analyse() (*Analysis, error) {
	m, err := newModel(t)
	if err != nil {
		return nil, err
	}
	return &Analysis{
		price:  t.rules.Price,
		States: m.states(),
		Stop:   m.stopRules(),
		Best:   m.adapt(func(goOn, stop *big.Int) bool { return goOn.Cmp(stop) > 0 }),
		Worst:  m.adapt(func(goOn, stop *big.Int) bool { return goOn.Cmp(stop) < 0 }),
	}, nil
}

// stopRules returns the gains of each rule « stop at level n ». Sum and stars never meet before the end: two
// vectors are carried up, and multiplied at each level.
func (m *model) stopRules() []Gains {
	rules := make([]Gains, len(m.factors))
	sums, stars := counts{*big.NewInt(1)}, make(counts, m.width)
	stars[0].SetInt64(1)
	total, passed := big.NewInt(1), big.NewInt(1)
	var product big.Int
	for n := range m.factors {
		f := &m.factors[n]
		sums, stars = m.pushSums(n, sums), m.pushStars(n, stars)
		total.Mul(total, f.outcomes)
		passed.Mul(passed, f.pass.Num())
		y := tally{}
		for i := range sums {
			for k := range stars {
				if stars[k].Sign() > 0 {
					product.Mul(&sums[i], &stars[k])
					y.add(m.gain(n+1, i*m.width+k), product.Mul(&product, passed))
				}
			}
		}
		rules[n] = y.gains(total)
	}
	return rules
}

func (m *model) pushSums(n int, from counts) counts {
	here, there := &m.layers[n], &m.layers[n+1]
	to := make(counts, len(there.sums))
	var product big.Int
	for i, s := range here.sums {
		for _, add := range m.factors[n].sums {
			at := &to[there.index[s+money.Cents(add.add)]]
			at.Add(at, product.Mul(&from[i], add.ways))
		}
	}
	return to
}

func (m *model) pushStars(n int, from counts) counts {
	to := make(counts, m.width)
	var product big.Int
	for k := range from {
		for _, add := range m.factors[n].stars {
			at := &to[m.filled(k, add.add)]
			at.Add(at, product.Mul(&from[k], add.ways))
		}
	}
	return to
}

// Policy is an adaptive rule: stop or go on, for each level, sum and number of stars.
type Policy struct {
	Gains Gains
	model *model
	stops [][]bool // stops[n][state of layer n]; nil at level 0, where there is nothing to take
}

// Decision is a run of neighbouring sums, with as many stars, at which a policy does the same.
type Decision struct {
	Stars    int
	From, To money.Cents // sums of values
	Stop     bool
}

// Decisions lists what the policy does after a level is passed, by stars, then by sum. Only sums and stars that a pile of that
// level can have are listed.
func (p *Policy) Decisions(level int) []Decision {
	var list []Decision
	sums := p.model.layers[level].sums
	for k := 0; k <= p.model.table.levels[level-1].starsMax; k++ {
		for i, s := range sums {
			stop := p.stops[level][i*p.model.width+k]
			if i > 0 && list[len(list)-1].Stop == stop {
				list[len(list)-1].To = s
			} else {
				list = append(list, Decision{Stars: k, From: s, To: s, Stop: stop})
			}
		}
	}
	return list
}

// adapt returns the rule that goes on where prefer says so, by dynamic programming from the last level down: a state is worth what
// stopping pays, or the expectation of going on. Equal values stop. All the values of a layer are integers over the outcomes
// of the levels above it, so the comparison is exact.
func (m *model) adapt(prefer func(goOn, stop *big.Int) bool) Policy {
	last := len(m.factors)
	p := Policy{model: m, stops: make([][]bool, last+1)}
	worth := make(counts, len(m.layers[last].sums)*m.width)
	p.stops[last] = make([]bool, len(worth))
	for at := range worth {
		worth[at].SetInt64(int64(m.gain(last, at)))
		p.stops[last][at] = true // Art. donuts@2019-06-25:3.1.1: level 10 is the last
	}
	outcomes := big.NewInt(1)
	var stop big.Int
	for n := last - 1; n >= 1; n-- {
		outcomes.Mul(outcomes, m.factors[n].outcomes)
		worth = m.pull(n, worth)
		p.stops[n] = make([]bool, len(worth))
		for at := range worth {
			stop.Mul(outcomes, stop.SetInt64(int64(m.gain(n, at))))
			if !prefer(&worth[at], &stop) {
				worth[at].Set(&stop)
				p.stops[n][at] = true
			}
		}
	}
	p.Gains = m.follow(p.stops)
	return p
}

// follow returns the gains of a policy: the counts climb, and leave where it stops.
func (m *model) follow(stops [][]bool) Gains {
	// above[n]: outcomes of the levels above level n, which a play that stops there leaves undrawn.
	last := len(m.factors)
	above := make([]*big.Int, last+1)
	above[last] = big.NewInt(1)
	for n := last - 1; n >= 0; n-- {
		above[n] = new(big.Int).Mul(above[n+1], m.factors[n].outcomes)
	}
	y := tally{}
	climbing := make(counts, m.width)
	climbing[0].SetInt64(1)
	var product big.Int
	for n := range m.factors {
		climbing = m.push(n, climbing)
		for at := range climbing {
			if stops[n+1][at] && climbing[at].Sign() > 0 {
				y.add(m.gain(n+1, at), product.Mul(&climbing[at], above[n+1]))
				climbing[at].SetInt64(0)
			}
		}
	}
	return y.gains(above[0])
}
