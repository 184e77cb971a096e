package combin

import (
	"fmt"
	"iter"
	"math/bits"
)

// Decompose yields the simple combinations of matrix m that the grid c decomposes into, c.Count(m) of them, each once, in
// the order of [Rank]: by main numbers compared from the smallest on, then by extra numbers (1-2-3-4-5+1, 1-2-3-4-5+2,
// 1-2-3-4-6+1 …).
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: the simple combinations of a pack are those that its
// multiples decompose into and the loose ones.
func (c Combination) Decompose(m Matrix) iter.Seq[Combination] {
	return func(yield func(Combination) bool) {
		for main := range subsets(c&mainMask, m.Main) {
			for extra := range subsets(c&^mainMask, m.Extra) {
				if !yield(main | extra) {
					return
				}
			}
		}
	}
}

// subsets yields the subsets of k numbers of set in lexicographic order.
func subsets(set Combination, k int) iter.Seq[Combination] {
	return func(yield func(Combination) bool) { extend(0, set, k, yield) }
}

// extend yields chosen joined with each subset of k numbers of rest, and reports whether yield wants more.
func extend(chosen, rest Combination, k int, yield func(Combination) bool) bool {
	if k == 0 {
		return yield(chosen)
	}
	for ; size(rest) >= k; rest &= rest - 1 {
		smallest := rest & -rest
		if !extend(chosen|smallest, rest&^smallest, k-1, yield) {
			return false
		}
	}
	return true
}

func size(set Combination) int { return bits.OnesCount64(uint64(set)) }

// Rank returns the place of a simple combination of matrix m among those of the grid c, from 0 to c.Count(m)−1, in the
// order of [Combination.Decompose]. It reports false when simple is no simple combination of c. [Unrank] is its inverse.
func Rank(m Matrix, c, simple Combination) (int64, bool) {
	if simple&^c != 0 || simple.Format() != (Format{m.Main, m.Extra}) {
		return 0, false
	}
	extras := Choose(size(c&^mainMask), m.Extra)
	return rank(c&mainMask, simple&mainMask)*extras + rank(c&^mainMask, simple&^mainMask), true
}

// Unrank returns the simple combination of matrix m that stands at place i among those of the grid c. It panics when i is
// not one of 0 to c.Count(m)−1.
func Unrank(m Matrix, c Combination, i int64) Combination {
	if i < 0 || i >= c.Count(m) {
		panic(fmt.Sprintf("combin: place %d among the %d simple combinations of %v", i, c.Count(m), c))
	}
	extras := Choose(size(c&^mainMask), m.Extra)
	return unrank(c&mainMask, m.Main, i/extras) | unrank(c&^mainMask, m.Extra, i%extras)
}

// rank returns the place of sub among the subsets of its size of set, in lexicographic order: all of them but sub itself,
// less those that stand behind it because they agree with it up to some number and go on with a larger one.
func rank(set, sub Combination) int64 {
	n, k := size(set), size(sub)
	r := Choose(n, k) - 1
	for ; sub != 0; sub &= sub - 1 {
		upTo := sub ^ (sub - 1) // the bits up to the smallest number left
		r -= Choose(n-size(set&upTo), k)
		k--
	}
	return r
}

// unrank returns the subset of k numbers of set at place r in lexicographic order.
func unrank(set Combination, k int, r int64) Combination {
	var sub Combination
	for n := size(set) - 1; k > 0; n-- { // n numbers stand behind the smallest
		smallest := set & -set
		set &^= smallest
		if with := Choose(n, k-1); r >= with {
			r -= with
			continue
		}
		sub |= smallest
		k--
	}
	return sub
}

// Grid returns the grid of all the numbers of the matrix, the largest multiple there is.
func (m Matrix) Grid() Combination {
	return 1<<m.MainOf - 1 | (1<<m.ExtraOf-1)<<MainBits
}

// Index returns the place of a simple combination among all of the matrix, from 0 to m.Total()−1; [Matrix.At] is its
// inverse. With it, what is kept for each simple combination of a game fits an array of m.Total() elements.
// It panics when c is no simple combination of m.
func (m Matrix) Index(c Combination) int64 {
	i, ok := Rank(m, m.Grid(), c)
	if !ok {
		panic(fmt.Sprintf("combin: %v is no simple combination of %+v", c, m))
	}
	return i
}

// Indexes yields the [Matrix.Index] of each simple combination that the grid c decomposes into, ascending. It works the main numbers out once for all extra
// numbers, so that counting the simple combinations of a multiple costs little more than the counting.
func (m Matrix) Indexes(c Combination) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		var room [MainBits]int64
		extras := room[:0]
		for extra := range subsets(c&^mainMask, m.Extra) {
			extras = append(extras, rank(m.Grid()&^mainMask, extra))
		}
		all := Choose(m.ExtraOf, m.Extra)
		for main := range subsets(c&mainMask, m.Main) {
			first := rank(m.Grid()&mainMask, main) * all
			for _, extra := range extras {
				if !yield(first + extra) {
					return
				}
			}
		}
	}
}

// At returns the simple combination at place i of the matrix. It panics when i is not one of 0 to m.Total()−1.
func (m Matrix) At(i int64) Combination { return Unrank(m, m.Grid(), i) }
