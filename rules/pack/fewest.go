package pack

import (
	"fmt"
	"maps"
	"slices"
)

// Fewest returns the fewest packs that hold all orders, none of them split over two packs: what somebody could do who knew all orders beforehand.
// orders counts them by their number of shares. It panics on an order that no pack holds.
//
// The number lies between low and high. They are equal unless the search between them had to be given up, which takes many formulas that hardly fit
// together; for the formulas 1, 2, 5 and 10 on packs of a multiple of ten shares they always are, with
//
//	low = high = ⌈Σ orders / shares⌉
//
// Filled from the largest order down, all packs but the last one are then full, or one of them lacks a single share after the last order of 5 because there
// is no order of 1: the rest are of 2 then, so the last pack holds two shares or more, and one pack less could not hold the sum.
func Fewest(shares int64, orders map[int64]int64) (low, high int64) {
	s := &search{shares: shares, sizes: slices.Sorted(maps.Keys(orders)), failed: map[string]bool{}, steps: searchSteps}
	slices.Reverse(s.sizes)
	if len(s.sizes) > 0 && (s.sizes[0] > shares || s.sizes[len(s.sizes)-1] < 1) {
		panic(fmt.Sprintf("pack: orders of %v shares, a pack has %d", s.sizes, shares))
	}
	counts := make([]int64, len(s.sizes))
	for i, size := range s.sizes {
		counts[i] = orders[size]
	}
	low, high = s.atLeast(counts), s.descending(counts)
	for low < high {
		fits, given := s.fits(counts, low)
		if fits {
			return low, low
		}
		if given {
			return low, high
		}
		low++
	}
	return low, high
}

// searchSteps bounds the packs that one search fills.
const searchSteps = 200_000

// search looks for a way to fill packs.
type search struct {
	shares int64
	sizes  []int64 // of orders, descending
	failed map[string]bool
	steps  int // left
}

func (s *search) sum(counts []int64) (sum int64) {
	for i, n := range counts {
		sum += n * s.sizes[i]
	}
	return sum
}

// atLeast returns the packs that the sum of the orders needs, if each is as full as orders of these sizes make it.
func (s *search) atLeast(counts []int64) int64 {
	reached := make([]bool, s.shares+1)
	reached[0] = true
	full := int64(0)
	for n := int64(1); n <= s.shares; n++ {
		for i, size := range s.sizes {
			if counts[i] > 0 && size <= n && reached[n-size] {
				reached[n], full = true, n
			}
		}
	}
	if full == 0 {
		return 0
	}
	return (s.sum(counts) + full - 1) / full
}

// descending returns the packs that are needed when they are filled one after another, each from the largest order that is left down.
func (s *search) descending(counts []int64) (packs int64) {
	counts = slices.Clone(counts)
	for s.sum(counts) > 0 {
		// The same filling is repeated as often as the orders last.
		left, times := s.shares, int64(1<<62)
		filling := make([]int64, len(counts))
		for i, size := range s.sizes {
			filling[i] = min(counts[i], left/size)
			left -= filling[i] * size
			if filling[i] > 0 {
				times = min(times, counts[i]/filling[i])
			}
		}
		for i := range counts {
			counts[i] -= times * filling[i]
		}
		packs += times
	}
	return packs
}

// fits says whether the orders fit so many packs; given: the search was given up.
func (s *search) fits(counts []int64, packs int64) (fits, given bool) {
	sum := s.sum(counts)
	if sum == 0 {
		return true, false
	}
	slack := packs*s.shares - sum
	if slack < 0 || s.failed[key(counts, packs)] {
		return false, false
	}
	if s.steps--; s.steps < 0 {
		return false, true
	}
	largest := slices.IndexFunc(counts, func(n int64) bool { return n > 0 })
	// One pack holds an order of the largest size: it may as well be this one.
	next := slices.Clone(counts)
	next[largest]--
	fits, given = s.fill(next, largest, s.shares-s.sizes[largest], packs, slack)
	if !fits && !given {
		s.failed[key(counts, packs)] = true
	}
	return fits, given
}

// fill puts orders of size i and smaller into a pack that has so many shares left, leaving at most slack of them, and goes on with the next pack.
func (s *search) fill(counts []int64, i int, left, packs, slack int64) (fits, given bool) {
	if i == len(counts) {
		if left > slack {
			return false, false
		}
		return s.fits(counts, packs-1)
	}
	for n := min(counts[i], left/s.sizes[i]); n >= 0; n-- {
		next := slices.Clone(counts)
		next[i] -= n
		if fits, given = s.fill(next, i+1, left-n*s.sizes[i], packs, slack); fits || given {
			return fits, given
		}
	}
	return false, false
}

func key(counts []int64, packs int64) string {
	b := make([]byte, 0, 8*len(counts)+8)
	for _, n := range append(slices.Clip(counts), packs) {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56))
	}
	return string(b)
}
