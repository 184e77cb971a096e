// Package combin holds the number grids of the draw games: sets of numbers as bit masks, simple and multiple
// combinations, and how many simple combinations of a grid win at each pair of hits.
//
// A grid, simple or multiple, is one [Combination]: a 64-bit word whose bit i−1 is the main number i (1–50) and whose
// bit 50+j−1 is the extra number j (1–12: the Chance number of Loto, the stars of Euro Millions). Main and extra numbers
// live in disjoint bits, so an extra number can never count as a main number of equal value.
//
// A multiple combination (Combinaison Multiple) is never written out one simple combination a row: [Combination.Decompose]
// iterates over them, [Rank] and [Unrank] number them, [Winners] counts the winning ones in closed form.
//
//	c, _ := combin.Parse("1-2-3-4-5-6+1-2") // 6×2: 12 simple Loto combinations
//	drawn, _ := combin.Parse("1-2-3-4-49+2")
//	t := combin.Winners(combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, c, drawn)
//	fmt.Println(t[4][1], t[3][1], t[4][0], t[3][0]) // 2 4 2 4
//
// Over the millions of plays of a draw the kernel does the same: [CountHits] and [ListWinners] over packed simple
// combinations, [TallyMultiples] over multiples.
//
// Source: Art. loto@2018-10-29:14.8 and Art. euromillions@2018-10-29:3.4.2.6 (« décomposition des Combinaisons
// Multiples en Combinaisons Simples »).
package combin

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Matrix says what one draw of a game holds: Main numbers of 1–MainOf and Extra numbers of 1–ExtraOf.
// Loto is {5, 49, 1, 10}, Euro Millions {5, 50, 2, 12}.
type Matrix struct {
	Main, MainOf   int
	Extra, ExtraOf int
}

// MainBits and ExtraBits bound the numbers that a [Combination] can hold.
const (
	MainBits  = 50
	ExtraBits = 12
)

// Combination is a grid: a set of main numbers and a set of extra numbers. The zero value is the empty grid.
type Combination uint64

const mainMask Combination = 1<<MainBits - 1

// Of builds a grid from its numbers. It refuses a number out of range or given twice.
func Of(main, extra []int) (Combination, error) {
	var c Combination
	for _, n := range main {
		if n < 1 || n > MainBits {
			return 0, fmt.Errorf("number %d: accepted 1 to %d", n, MainBits)
		}
		if c&(1<<(n-1)) != 0 {
			return 0, fmt.Errorf("number %d stands twice", n)
		}
		c |= 1 << (n - 1)
	}
	for _, n := range extra {
		if n < 1 || n > ExtraBits {
			return 0, fmt.Errorf("extra number %d: accepted 1 to %d", n, ExtraBits)
		}
		if c&(1<<(MainBits+n-1)) != 0 {
			return 0, fmt.Errorf("extra number %d stands twice", n)
		}
		c |= 1 << (MainBits + n - 1)
	}
	return c, nil
}

// Main returns the main numbers, ascending.
func (c Combination) Main() []int { return numbers(uint64(c & mainMask)) }

// Extra returns the extra numbers, ascending.
func (c Combination) Extra() []int { return numbers(uint64(c >> MainBits)) }

func numbers(m uint64) []int {
	var ns []int
	for ; m != 0; m &= m - 1 {
		ns = append(ns, bits.TrailingZeros64(m)+1)
	}
	return ns
}

// Format is the shape of a grid: how many main and extra numbers it holds (5×1 is a simple Loto combination).
type Format struct{ Main, Extra int }

// String returns "6x10".
func (f Format) String() string { return fmt.Sprintf("%dx%d", f.Main, f.Extra) }

// Format returns the shape of c.
func (c Combination) Format() Format {
	return Format{bits.OnesCount64(uint64(c & mainMask)), bits.OnesCount64(uint64(c >> MainBits))}
}

// Count returns the number of simple combinations of matrix m in a grid of format f: C(f.Main, m.Main)·C(f.Extra, m.Extra).
func (f Format) Count(m Matrix) int64 { return Choose(f.Main, m.Main) * Choose(f.Extra, m.Extra) }

// Count returns the number of simple combinations of matrix m that c decomposes into, 0 when c is too small for m.
func (c Combination) Count(m Matrix) int64 { return c.Format().Count(m) }

// Total returns the number of simple combinations of the game: 19 068 840 for Loto, 139 838 160 for Euro Millions.
func (m Matrix) Total() int64 { return Format{m.MainOf, m.ExtraOf}.Count(m) }

// Check returns an error when c holds a number outside m or too few numbers for one simple combination.
func (m Matrix) Check(c Combination) error {
	if bad := uint64(c&mainMask) >> m.MainOf; bad != 0 {
		return fmt.Errorf("number %d: accepted 1 to %d", bits.Len64(bad)+m.MainOf, m.MainOf)
	}
	if bad := uint64(c>>MainBits) >> m.ExtraOf; bad != 0 {
		return fmt.Errorf("extra number %d: accepted 1 to %d", bits.Len64(bad)+m.ExtraOf, m.ExtraOf)
	}
	if f := c.Format(); f.Main < m.Main || f.Extra < m.Extra {
		return fmt.Errorf("grid of format %v: at least %d numbers and %d extra numbers are needed", f, m.Main, m.Extra)
	}
	return nil
}

// maxChoose is the largest n of [Choose]: as many numbers as a grid has bits in use.
const maxChoose = MainBits + ExtraBits

// pascal holds C(n, k) for k up to the half of n. Sums alone make it, so that nothing overflows on the way.
var pascal = func() (t [maxChoose + 1][maxChoose/2 + 1]int64) {
	for n := range t {
		t[n][0] = 1
		for k := 1; k <= min(n, maxChoose/2); k++ {
			t[n][k] = t[n-1][k-1] + t[n-1][k]
		}
	}
	return t
}()

// Choose returns the binomial coefficient C(n, k), 0 when k < 0 or k > n. It panics when n > 62.
func Choose(n, k int) int64 {
	if k < 0 || k > n {
		return 0
	}
	if n > maxChoose {
		panic(fmt.Sprintf("combin: C(%d, %d): at most %d numbers", n, k, maxChoose))
	}
	return pascal[n][min(k, n-k)]
}

// String returns the grid as scenario files write it: "5-9-21-36-39+5", "1-2-3-4-5+1-2".
func (c Combination) String() string { return join(c.Main()) + "+" + join(c.Extra()) }

func join(ns []int) string {
	ss := make([]string, len(ns))
	for i, n := range ns {
		ss[i] = strconv.Itoa(n)
	}
	return strings.Join(ss, "-")
}

// Parse reads what [Combination.String] writes; order does not matter.
func Parse(s string) (Combination, error) {
	main, extra, ok := strings.Cut(s, "+")
	if !ok {
		return 0, fmt.Errorf("grid %.60q: accepted numbers joined by -, then + and the extra numbers, such as 5-9-21-36-39+5", s)
	}
	ms, err := split(main)
	if err != nil {
		return 0, fmt.Errorf("grid %.60q: %w", s, err)
	}
	es, err := split(extra)
	if err != nil {
		return 0, fmt.Errorf("grid %.60q: %w", s, err)
	}
	c, err := Of(ms, es)
	if err != nil {
		return 0, fmt.Errorf("grid %.60q: %w", s, err)
	}
	return c, nil
}

func split(s string) ([]int, error) {
	var ns []int
	for f := range strings.SplitSeq(s, "-") {
		n, err := strconv.Atoi(f)
		if err != nil || len(f) > 2 || f[0] == '+' {
			return nil, fmt.Errorf("%.20q is not a number of a grid", f)
		}
		ns = append(ns, n)
	}
	return ns, nil
}
