package rngaudit

import (
	"fmt"
	"math"
	"math/bits"
)

// sequence tests outcomes that are drawn one by one with known chances.
func (b *battery) sequence(on string, list []int, chances []float64) {
	n := len(chances)
	counts, pairs, both := make([]int64, n), make([]int64, n*n), make([]float64, n*n)
	for i, v := range list {
		counts[v]++
		if i%2 == 1 {
			pairs[list[i-1]*n+v]++
		}
	}
	for x, p := range chances {
		for y, q := range chances {
			both[x*n+y] = p * q
		}
	}
	b.chi(on, "frequency", counts, times(len(list), chances), 1)
	b.chi(on, "serial pairs", pairs, times(len(list)/2, both), 1)
	b.waiting(on, list, chances)
}

// waiting tests how long the last value with a fair chance stays away.
func (b *battery) waiting(on string, list []int, chances []float64) {
	const longest, fair = 60, 0.02
	value := 0
	for v, p := range chances {
		if p >= fair && p <= 0.5 {
			value = v
		}
	}
	p, gap, total := chances[value], -1, 0
	counts, expected := make([]int64, longest+1), make([]float64, longest+1)
	for _, v := range list {
		switch {
		case v == value && gap >= 0:
			counts[min(gap, longest)]++
			total++
			gap = 0
		case v == value:
			gap = 0
		case gap >= 0:
			gap++
		}
	}
	for g := range longest {
		expected[g] = float64(total) * p * math.Pow(1-p, float64(g))
	}
	expected[longest] = float64(total) * math.Pow(1-p, longest)
	b.chi(on, "gaps", counts, expected, 1)
}

// digitsOf tests the digits of numbers below `below`: each place, pairs of neighbours, different digits among the last five (poker).
func (b *battery) digitsOf(on string, list []int64, below int64, places int) {
	unit := int64(1)
	for place := range places {
		counts, chances := make([]int64, 10), make([]float64, 10)
		for _, v := range list {
			counts[v/unit%10]++
		}
		for d := range int64(10) { // of a zone that ends within a cycle the digits are not equally frequent
			whole, rest := below/(unit*10), below%(unit*10)
			chances[d] = float64(whole*unit+min(unit, max(0, rest-d*unit))) / float64(below)
		}
		b.chi(on, fmt.Sprintf("digits at place %d", place+1), counts, times(len(list), chances), 1)
		unit *= 10
	}
	pairs := make([]int64, 100)
	hands := make([]int64, 6)
	for _, v := range list {
		pairs[v%100]++
		seen, x := uint(0), v
		for range 5 {
			seen |= 1 << (x % 10)
			x /= 10
		}
		hands[bits.OnesCount(seen)]++
	}
	even := make([]float64, 100)
	for i := range even {
		even[i] = 0.01
	}
	b.chi(on, "serial pairs of digits", pairs, times(len(list), even), 1)
	b.chi(on, "different digits of five (poker)", hands, times(len(list), []float64{0, 0.0001, 0.0135, 0.18, 0.504, 0.3024}), 1)
}

// zoneParts is the number of equal parts of a zone of codes that are compared, and of the coarse ones whose order is.
const zoneParts, orderParts = 256, 16

// codes tests codes of a zone of so many, which are unique by construction.
func (b *battery) codes(on string, list []int64, of int64) {
	seen := make(map[int64]bool, len(list))
	twice := int64(0)
	for _, v := range list {
		if seen[v] {
			twice++
		}
		seen[v] = true
	}
	p := 1.0
	if twice > 0 {
		p = 0
	}
	b.tests = append(b.tests, Test{On: on, Name: "no code twice", Statistic: float64(twice), P: p, Detects: 1 / float64(len(list))})
	counts, chances := make([]int64, zoneParts), make([]float64, zoneParts)
	order, coarse := make([]int, len(list)), make([]float64, orderParts)
	part := func(v, parts int64) int { return int(v * parts / of) }
	for i, v := range list {
		counts[part(v, zoneParts)]++
		order[i] = part(v, orderParts)
	}
	for i := range chances {
		chances[i] = 1.0 / zoneParts
	}
	for i := range coarse {
		coarse[i] = 1.0 / orderParts
	}
	b.chi(on, "parts of the zone", counts, times(len(list), chances), 1)
	b.sequence(on+", order of issue", order, coarse)
	b.digitsOf(on, list, of, 8)
}

// run tests all outcomes.
func (k *book) run(o *Outcomes, level float64) []Test {
	b := &battery{level: level}
	b.grids("Loto", k.loto, o.Loto)
	b.grids("Euro Millions", k.euro, o.Euro)
	b.codes("codes of Loto", o.Codes, k.series.Random.Len())
	b.digitsOf("Joker+", o.Digits, 10_000_000, 7)
	b.birthdays("Joker+", o.Digits, 10_000_000)
	b.sequence("donuts", o.Donuts, k.cells)
	return b.tests
}
