package rngaudit

import (
	"fmt"
	"math"
	"math/bits"

	"tirage/rules/combin"
)

// Test is one test of the battery and what it found.
type Test struct {
	On        string  `json:"on"` // which outcomes
	Name      string  `json:"name"`
	Statistic float64 `json:"statistic"`
	DF        int     `json:"df,omitempty"`
	P         float64 `json:"p"`
	Adjusted  float64 `json:"holm"`             // by Holm, over the battery
	Retest    float64 `json:"retest,omitempty"` // the value on fresh outcomes, of a test that the first pass rejected
	Failed    bool    `json:"failed,omitempty"`
	// Detects is the power: the smallest departure that the test finds with 99 %, relative to what is expected, as the root of its mean square over the cells;
	// of a test of bits and of pairs of equal outcomes that of their number.
	Detects  float64   `json:"detects"`
	Counts   []int64   `json:"counts,omitempty"` // of a test that is drawn
	Expected []float64 `json:"expected,omitempty"`
}

// battery runs the tests over outcomes.
type battery struct {
	tests []Test
	level float64 // of one test, for its power
}

// missed is the chance at which the power is stated: a departure of this size escapes once in a hundred times.
const missed = 2.3263478740 // standard deviations that 99 % lie below

// chi adds a test of Pearson, its statistic times a factor.
func (b *battery) chi(on, name string, counts []int64, expected []float64, factor float64) {
	s, df := chiSquare(counts, expected)
	s *= factor
	n := 0.0
	for _, c := range counts {
		n += float64(c)
	}
	t := Test{On: on, Name: name, Statistic: s, DF: df, P: chiSquareP(s, df), Detects: math.Sqrt(b.noncentral(df) / (n * factor))}
	if len(counts) <= drawnCells {
		t.Counts, t.Expected = counts, expected
	}
	b.tests = append(b.tests, t)
}

// drawnCells bounds the cells of a histogram.
const drawnCells = 64

// noncentral is the shift of the chi-square distribution that its test finds with 99 %: by the normal approximation.
func (b *battery) noncentral(df int) float64 {
	critical, f := chiSquareAt(b.level, df), float64(df)
	low, high := 0.0, 10*critical+1000
	for range 100 {
		l := (low + high) / 2
		if f+l-missed*math.Sqrt(2*(f+2*l)) < critical {
			low = l
		} else {
			high = l
		}
	}
	return high
}

// poisson adds a test of a rare count.
func (b *battery) poisson(on, name string, n int64, mean float64) {
	z := math.Sqrt(chiSquareAt(b.level, 1)) + missed
	b.tests = append(b.tests, Test{On: on, Name: name, Statistic: float64(n), P: poissonP(n, mean), Detects: z / math.Sqrt(mean)})
}

// value adds a test that gives its chance alone, of n bits.
func (b *battery) value(on, name string, p float64, n int) {
	z := math.Sqrt(chiSquareAt(b.level, 1)) + missed
	b.tests = append(b.tests, Test{On: on, Name: name, P: min(1, max(0, p)), Detects: z / math.Sqrt(float64(n))})
}

func times(n int, chances []float64) []float64 {
	out := make([]float64, len(chances))
	for i, p := range chances {
		out[i] = float64(n) * p
	}
	return out
}

// grids tests drawn grids: their numbers, their extra numbers, and the grids as a whole.
func (b *battery) grids(on string, m combin.Matrix, list []combin.Combination) {
	main, extra := make([]uint64, len(list)), make([]uint64, len(list))
	index := make([]int64, len(list))
	for i, c := range list {
		main[i], extra[i] = uint64(c)&(1<<combin.MainBits-1), uint64(c)>>combin.MainBits
		index[i] = m.Index(c)
	}
	b.sets(on+", numbers", main, m.MainOf, m.Main)
	b.sets(on+", extra numbers", extra, m.ExtraOf, m.Extra)
	b.birthdays(on+", grids", index, float64(m.Total()))
	b.bits(on+", bits of the grids", index)
}

// sets tests draws of k of n numbers, as bits.
func (b *battery) sets(on string, list []uint64, n, k int) {
	counts := make([]int64, n)
	for _, s := range list {
		for ; s > 0; s &= s - 1 {
			counts[bits.TrailingZeros64(s)]++
		}
	}
	expected := make([]float64, n)
	for i := range expected {
		expected[i] = float64(len(list)*k) / float64(n)
	}
	// The k numbers of a draw exclude each other: Pearson's statistic comes out too small by (n−k)/(n−1).
	b.chi(on, "frequency", counts, expected, float64(n-1)/float64(n-k))
	for lag := 1; lag <= 3; lag++ {
		b.overlaps(on, list, n, k, lag)
	}
	b.gaps(on, list, n, k)
	b.runsOfSums(on, list, n, k)
	if k > 1 {
		b.positions(on, list, n, k)
		b.shapes(on, list, n, k)
	}
}

// overlaps tests how many numbers a draw shares with one before it: hypergeometric. A repeated draw shares all.
func (b *battery) overlaps(on string, list []uint64, n, k, lag int) {
	counts, chances := make([]int64, k+1), make([]float64, k+1)
	for i := lag; i < len(list); i++ {
		counts[bits.OnesCount64(list[i]&list[i-lag])]++
	}
	for j := range chances {
		chances[j] = choose(k, j) * choose(n-k, k-j) / choose(n, k)
	}
	b.chi(on, fmt.Sprintf("numbers shared with the draw %d before", lag), counts, times(len(list)-lag, chances), 1)
}

// gaps tests how long a number is away: geometric. Each number has a stretch of draws of its own, so that the gaps are independent.
func (b *battery) gaps(on string, list []uint64, n, k int) {
	const longest = 40
	p := float64(k) / float64(n)
	counts, chances := make([]int64, longest+1), make([]float64, longest+1)
	total, stretch := 0, len(list)/n
	for number := range n {
		gap := -1 // before the first time it counts for nothing
		for _, s := range list[number*stretch : (number+1)*stretch] {
			switch hit := s>>number&1 == 1; {
			case hit && gap >= 0:
				counts[min(gap, longest)]++
				total++
				gap = 0
			case hit:
				gap = 0
			case gap >= 0:
				gap++
			}
		}
	}
	for g := range longest {
		chances[g] = p * math.Pow(1-p, float64(g))
	}
	chances[longest] = math.Pow(1-p, longest)
	b.chi(on, "gaps", counts, times(total, chances), 1)
}

// runsOfSums tests the runs of draws whose sum lies above or below the middle, which is that of their distribution.
func (b *battery) runsOfSums(on string, list []uint64, n, k int) {
	sides := make([]byte, 0, len(list))
	for _, s := range list {
		sum := 0
		for ; s > 0; s &= s - 1 {
			sum += bits.TrailingZeros64(s) + 1
		}
		switch middle := k * (n + 1); {
		case 2*sum > middle:
			sides = append(sides, 1)
		case 2*sum < middle:
			sides = append(sides, 0)
		}
	}
	b.value(on, "runs of sums", bitRuns(sides), len(sides))
	b.value(on, "sums above the middle", monobit(sides), len(sides))
}

// positions tests the i-th smallest number of the draws, and the two smallest together (pairs).
func (b *battery) positions(on string, list []uint64, n, k int) {
	counts := make([][]int64, k)
	for i := range counts {
		counts[i] = make([]int64, n)
	}
	pairs := make([]int64, n*n)
	for _, s := range list {
		first := bits.TrailingZeros64(s)
		pairs[first*n+bits.TrailingZeros64(s&(s-1))]++
		for i := 0; s > 0; s &= s - 1 {
			counts[i][bits.TrailingZeros64(s)]++
			i++
		}
	}
	all := choose(n, k)
	for i := range k {
		chances := make([]float64, n)
		for m := range n {
			chances[m] = choose(m, i) * choose(n-1-m, k-1-i) / all
		}
		b.chi(on, fmt.Sprintf("position %d", i+1), counts[i], times(len(list), chances), 1)
	}
	chances := make([]float64, n*n)
	for x := range n {
		for y := x + 1; y < n; y++ {
			chances[x*n+y] = choose(n-1-y, k-2) / all
		}
	}
	b.chi(on, "pairs", pairs, times(len(list), chances), 1)
}

// shapes tests what players look at: consecutive numbers, odd numbers, different last digits (poker).
func (b *battery) shapes(on string, list []uint64, n, k int) {
	adjacent, odd, digits := make([]int64, k), make([]int64, k+1), make([]int64, k+1)
	var odds uint64
	for i := 0; i < n; i += 2 {
		odds |= 1 << i
	}
	for _, s := range list {
		adjacent[bits.OnesCount64(s&(s>>1))]++
		odd[bits.OnesCount64(s&odds)]++
		last := 0
		for r := s; r > 0; r &= r - 1 {
			last |= 1 << ((bits.TrailingZeros64(r) + 1) % 10)
		}
		digits[bits.OnesCount(uint(last))]++
	}
	all := choose(n, k)
	chances := make([]float64, k)
	for r := range chances {
		chances[r] = choose(k-1, r) * choose(n-k+1, k-r) / all
	}
	b.chi(on, "consecutive numbers", adjacent, times(len(list), chances), 1)
	chances = make([]float64, k+1)
	for j := range chances {
		chances[j] = choose((n+1)/2, j) * choose(n/2, k-j) / all
	}
	b.chi(on, "odd numbers", odd, times(len(list), chances), 1)
	b.chi(on, "last digits (poker)", digits, times(len(list), differentDigits(n, k)), 1)
}

// differentDigits are the chances that k of n numbers have 0 … k different last digits.
func differentDigits(n, k int) []float64 {
	ways := make([][]float64, k+1) // by numbers taken, by digits among them
	for i := range ways {
		ways[i] = make([]float64, k+1)
	}
	ways[0][0] = 1
	for d := range 10 {
		size := (n-d)/10 + 1
		if d == 0 {
			size = n / 10
		} else if n < d {
			size = 0
		}
		for taken := k; taken > 0; taken-- {
			for seen := k; seen > 0; seen-- {
				for j := 1; j <= min(size, taken); j++ {
					ways[taken][seen] += ways[taken-j][seen-1] * choose(size, j)
				}
			}
		}
	}
	out := make([]float64, k+1)
	for seen := range out {
		out[seen] = ways[k][seen] / choose(n, k)
	}
	return out
}

// birthdays tests how often two outcomes are equal, of so many possible ones: Poisson.
func (b *battery) birthdays(on string, list []int64, of float64) {
	seen := make(map[int64]int64, len(list))
	var pairs int64
	for _, v := range list {
		pairs += seen[v]
		seen[v]++
	}
	n := float64(len(list))
	b.poisson(on, "equal pairs (birthdays)", pairs, n*(n-1)/2/of)
}

// bits tests the three lowest bits of outcomes whose number is a multiple of eight, as NIST SP 800-22 does.
func (b *battery) bits(on string, list []int64) {
	const of = 3
	seq := make([]byte, 0, of*len(list))
	for _, v := range list {
		for i := range of {
			seq = append(seq, byte(v>>i&1))
		}
	}
	n := len(seq)
	b.value(on, "NIST frequency", monobit(seq), n)
	b.value(on, "NIST block frequency", blockFrequency(seq, 128), n)
	b.value(on, "NIST runs", bitRuns(seq), n)
	b.value(on, "NIST cumulative sums", cumulativeSums(seq, false), n)
	b.value(on, "NIST cumulative sums, backward", cumulativeSums(seq, true), n)
	p1, p2 := serial(seq, 9)
	b.value(on, "NIST serial 1", p1, n)
	b.value(on, "NIST serial 2", p2, n)
	b.value(on, "NIST approximate entropy", approximateEntropy(seq, 6), n)
}
