package ladder

import (
	"fmt"
	"math/big"
	"slices"

	"tirage/rules/money"
)

// model is a table taken apart for exact counting. Whether the items of a level hold, what they are worth and which are stars
// are three independent draws, so each is counted alone and the counts are multiplied.
type model struct {
	table   *Table
	factors []factor
	layers  []layer // layers[n]: the sums that a pile of n levels can have; layers[0] is the empty pile
	width   int     // positions of the gauge
}

// factor is what one level does: of pass.Den·sumTotal·starTotal equally likely outcomes, how many pass it and add what.
type factor struct {
	pass     *big.Rat
	sums     []term // cents added
	stars    []term // stars added
	outcomes *big.Int
}

// term counts the ways to add something.
type term struct {
	add  int64
	ways *big.Int
}

// layer holds the sums that can be on a pile, ascending.
type layer struct {
	sums  []money.Cents
	index map[money.Cents]int
}

// newModel refuses a table with more than [MaxStates] states.
func newModel(t *Table) (*model, error) {
	m := &model{table: t, width: max(1, len(t.rules.Gauge)), layers: []layer{newLayer(map[money.Cents]bool{0: true})}}
	odds, states := t.Odds(), 0
	for n := range t.levels {
		f := newFactor(&t.levels[n], odds[n].Pass)
		m.factors = append(m.factors, f)
		reached := map[money.Cents]bool{}
		for _, s := range m.layers[n].sums {
			for _, add := range f.sums {
				reached[s+money.Cents(add.add)] = true
			}
			if len(reached)*m.width > MaxStates {
				break
			}
		}
		if states += len(reached) * m.width; states > MaxStates {
			return nil, fmt.Errorf("ladder: more than %d sums of values and positions of the gauge up to level %d: accepted fewer, values with a common step help", MaxStates, n+1)
		}
		m.layers = append(m.layers, newLayer(reached))
	}
	return m, nil
}

// states counts level × sum × position of the gauge.
func (m *model) states() int {
	n := 0
	for _, l := range m.layers[1:] {
		n += len(l.sums) * m.width
	}
	return n
}

func newLayer(reached map[money.Cents]bool) layer {
	l := layer{index: make(map[money.Cents]int, len(reached))}
	for s := range reached {
		l.sums = append(l.sums, s)
	}
	slices.Sort(l.sums)
	for i, s := range l.sums {
		l.index[s] = i
	}
	return l
}

func newFactor(l *level, pass *big.Rat) factor {
	sums, stars := map[int64]*big.Int{0: big.NewInt(1)}, map[int64]*big.Int{0: big.NewInt(1)}
	for i := range l.slots {
		values, starred := map[int64]int64{}, map[int64]int64{}
		for _, look := range l.slots[i].ofFace {
			it := &l.slots[i].items[look]
			values[int64(it.Value)]++
			if it.Star {
				starred[1]++
			} else {
				starred[0]++
			}
		}
		sums, stars = convolve(sums, values), convolve(stars, starred)
	}
	f := factor{pass: pass}
	var sumTotal, starTotal *big.Int
	f.sums, sumTotal = reduce(sums)
	f.stars, starTotal = reduce(stars)
	f.outcomes = new(big.Int).Mul(pass.Denom(), sumTotal)
	f.outcomes.Mul(f.outcomes, starTotal)
	return f
}

// convolve adds one independent draw to a count.
func convolve(a map[int64]*big.Int, b map[int64]int64) map[int64]*big.Int {
	out := map[int64]*big.Int{}
	for x, w := range a {
		for y, v := range b {
			if out[x+y] == nil {
				out[x+y] = new(big.Int)
			}
			out[x+y].Add(out[x+y], new(big.Int).Mul(w, big.NewInt(v)))
		}
	}
	return out
}

// reduce lists a count in ascending order without its common factor, and its total.
func reduce(count map[int64]*big.Int) ([]term, *big.Int) {
	var terms []term
	common, total := new(big.Int), new(big.Int)
	for add, ways := range count {
		terms = append(terms, term{add, ways})
		common.GCD(nil, nil, common, ways)
	}
	slices.SortFunc(terms, func(a, b term) int { return int(a.add - b.add) })
	for _, x := range terms {
		x.ways.Quo(x.ways, common)
		total.Add(total, x.ways)
	}
	return terms, total
}

// counts holds one number for each state of a layer: position i·width+k is sum i with k stars.
type counts []big.Int

// push sends the counts of layer n through the next level: how many outcomes lead to each state of layer n+1.
func (m *model) push(n int, from counts) counts {
	f, here, there := &m.factors[n], &m.layers[n], &m.layers[n+1]
	summed := make(counts, len(there.sums)*m.width)
	var product big.Int
	for i, s := range here.sums {
		for _, add := range f.sums {
			row := there.index[s+money.Cents(add.add)] * m.width
			for k := range m.width {
				if ways := &from[i*m.width+k]; ways.Sign() > 0 {
					summed[row+k].Add(&summed[row+k], product.Mul(ways, add.ways))
				}
			}
		}
	}
	to := make(counts, len(summed))
	for i := range summed {
		if summed[i].Sign() == 0 {
			continue
		}
		summed[i].Mul(&summed[i], f.pass.Num())
		row, k := i/m.width*m.width, i%m.width
		for _, add := range f.stars {
			at := &to[row+m.filled(k, add.add)]
			at.Add(at, product.Mul(&summed[i], add.ways))
		}
	}
	return to
}

// pull is the transpose of push: the expectation of a value of layer n+1, seen from each state of layer n, over the
// outcomes of the level.
func (m *model) pull(n int, value counts) counts {
	f, here, there := &m.factors[n], &m.layers[n], &m.layers[n+1]
	starred := make(counts, len(value))
	var product big.Int
	for i := range value {
		row, k := i/m.width*m.width, i%m.width
		for _, add := range f.stars {
			starred[i].Add(&starred[i], product.Mul(&value[row+m.filled(k, add.add)], add.ways))
		}
		starred[i].Mul(&starred[i], f.pass.Num())
	}
	to := make(counts, len(here.sums)*m.width)
	for i, s := range here.sums {
		for _, add := range f.sums {
			row := there.index[s+money.Cents(add.add)] * m.width
			for k := range m.width {
				at := &to[i*m.width+k]
				at.Add(at, product.Mul(&starred[row+k], add.ways))
			}
		}
	}
	return to
}

// filled returns the gauge after stars are added: what does not fit is lost.
func (m *model) filled(k int, stars int64) int { return min(k+int(stars), m.width-1) }

// gain returns what state at of layer n pays.
func (m *model) gain(n, at int) money.Cents {
	return m.table.Gain(State{Level: n, Sum: m.layers[n].sums[at/m.width], Stars: at % m.width})
}
