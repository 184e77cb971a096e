package codes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Issued is all the codes of one series issued for one draw, numbered from 0 in the order of their runs. Winning codes are
// drawn among these numbers: a code that nobody holds can't win.
type Issued struct {
	runs   []Run
	ends   []int64 // ends[i]: number of codes in runs[0] … runs[i]
	sorted []int   // indexes of runs by zone and start
}

// NewIssued numbers the codes of the runs, in the order given (that of the sealed plays). It refuses runs that share a code:
// within a draw a code is issued once.
func NewIssued(runs []Run) (*Issued, error) {
	is := &Issued{runs: slices.Clone(runs), ends: make([]int64, len(runs)), sorted: make([]int, len(runs))}
	total := int64(0)
	for i, r := range runs {
		if r.Zone != RandomZone && r.Zone != SequentialZone {
			return nil, fmt.Errorf("run %d of codes: %v, accepted random and sequential", i, r.Zone)
		}
		if r.Start < 0 || r.Count < 1 || r.Count > math.MaxInt64-r.Start || r.Count > math.MaxInt64-total {
			return nil, fmt.Errorf("run %d of codes: %d codes from position %d on, accepted 1 or more from 0 on", i, r.Count, r.Start)
		}
		total += r.Count
		is.ends[i], is.sorted[i] = total, i
	}
	slices.SortFunc(is.sorted, func(a, b int) int {
		return cmp.Or(cmp.Compare(runs[a].Zone, runs[b].Zone), cmp.Compare(runs[a].Start, runs[b].Start))
	})
	for k := 1; k < len(is.sorted); k++ {
		i, j := is.sorted[k-1], is.sorted[k]
		if a, b := runs[i], runs[j]; a.Zone == b.Zone && a.End() > b.Start {
			return nil, fmt.Errorf("runs %d and %d of codes both hold position %d of the %v zone", i, j, b.Start, b.Zone)
		}
	}
	return is, nil
}

// Total returns the number of codes issued.
func (is *Issued) Total() int64 {
	if len(is.ends) == 0 {
		return 0
	}
	return is.ends[len(is.ends)-1]
}

// At returns code number k of all issued: the index of its run and its place; false unless 0 ≤ k < Total.
func (is *Issued) At(k int64) (run int, at Place, ok bool) {
	if k < 0 || k >= is.Total() {
		return 0, Place{}, false
	}
	run = sort.Search(len(is.ends), func(i int) bool { return is.ends[i] > k })
	r := is.runs[run]
	return run, Place{r.Zone, r.End() - (is.ends[run] - k)}, true
}

// Find returns the number k of the code at a place and the index of its run, the inverse of At; false when the code was not
// issued.
func (is *Issued) Find(at Place) (k int64, run int, ok bool) {
	i := sort.Search(len(is.sorted), func(i int) bool {
		r := is.runs[is.sorted[i]]
		return r.Zone > at.Zone || r.Zone == at.Zone && r.End() > at.Position
	})
	if i == len(is.sorted) {
		return 0, 0, false
	}
	run = is.sorted[i]
	r := is.runs[run]
	if r.Zone != at.Zone || at.Position < r.Start {
		return 0, 0, false
	}
	return is.ends[run] - (r.End() - at.Position), run, true
}
