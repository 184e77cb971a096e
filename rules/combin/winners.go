package combin

import (
	"fmt"
	"math/bits"
)

// MainHits and ExtraHits are the most hits that a simple combination can have: no matrix draws more.
const (
	MainHits  = 5
	ExtraHits = 2
)

// Tally counts simple combinations by their pair of hits: t[k][h] of them hold k drawn main numbers and h drawn extra
// numbers. The same shape serves Loto (h up to 1) and Euro Millions (h up to 2).
type Tally [MainHits + 1][ExtraHits + 1]int64

// Hits returns how many drawn main numbers and how many drawn extra numbers c holds.
func (c Combination) Hits(drawn Combination) (main, extra int) {
	hit := c & drawn
	return bits.OnesCount64(uint64(hit & mainMask)), bits.OnesCount64(uint64(hit >> MainBits))
}

// Winners counts in closed form the simple combinations of matrix m in the grid c by their hits on the drawn numbers: of
// the f numbers of c, of which a are drawn, C(a, k)·C(f−a, 5−k) choices of five hold k drawn ones, and the extra numbers
// alike. The counts of all pairs add up to c.Count(m). It panics when drawn is no simple combination of m.
func Winners(m Matrix, c, drawn Combination) Tally {
	m.mustDraw(drawn)
	var t Tally
	a, b := c.Hits(drawn)
	t.addGrids(1, m, c.Format(), a, b)
	return t
}

// addGrids adds the simple combinations of n grids of format f that hold a drawn main and b drawn extra numbers.
func (t *Tally) addGrids(n int64, m Matrix, f Format, a, b int) {
	for k := 0; k <= m.Main; k++ {
		mains := n * Choose(a, k) * Choose(f.Main-a, m.Main-k)
		for h := 0; h <= m.Extra; h++ {
			t[k][h] += mains * Choose(b, h) * Choose(f.Extra-b, m.Extra-h)
		}
	}
}

// mustDraw panics when drawn is not what one draw of m gives, or more than a [Tally] can hold.
func (m Matrix) mustDraw(drawn Combination) {
	if drawn&^m.Grid() != 0 || drawn.Format() != (Format{m.Main, m.Extra}) {
		panic(fmt.Sprintf("combin: %v is no draw of %+v", drawn, m))
	}
	mustTally(drawn)
}

func mustTally(drawn Combination) {
	if f := drawn.Format(); f.Main > MainHits || f.Extra > ExtraHits {
		panic(fmt.Sprintf("combin: draw %v of format %v: at most %dx%d", drawn, f, MainHits, ExtraHits))
	}
}

// grids counts grids by their main numbers, drawn main numbers, extra numbers and drawn extra numbers. Every word has its
// place in it, the two bits above the extra numbers included.
type grids [MainBits + 1][MainHits + 1][64 - MainBits + 1][ExtraHits + 1]int64

// TallyMultiples adds to t the simple combinations of all the multiples by their hits, as the sum of [Winners] over them.
// What a grid holds depends on its format and its own hits alone, so the grids are counted by these first and
// decomposed once for each kind: the cost is that of reading them, whatever their size.
// It panics when drawn is no simple combination of m.
func TallyMultiples(m Matrix, drawn Combination, multiples []Combination, t *Tally) {
	m.mustDraw(drawn)
	kinds := new(grids)
	for _, c := range multiples {
		a, b := c.Hits(drawn)
		f := c.Format()
		kinds[f.Main][a][f.Extra][b]++
	}
	for main := range kinds {
		for a := range kinds[main] {
			for extra := range kinds[main][a] {
				for b, n := range kinds[main][a][extra] {
					if n != 0 {
						t.addGrids(n, m, Format{main, extra}, a, b)
					}
				}
			}
		}
	}
}
