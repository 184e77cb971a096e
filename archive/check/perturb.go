package check

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// Perturbation is how often a change of one printed figure of a pooled draw is noticed.
type Perturbation struct {
	Changes   int // one figure of one draw changed
	Detected  int // contradicted
	Disagreed int // where the exhaustive search over funds says otherwise: 0
}

// Perturb changes, in every explained pooled draw of the report, each gain of a pooled rank by ± 0.10 € and each of its counts of winners by ± 5 % (at
// least 1), one at a time, asks whether a fund is left, and asks the exhaustive search the same. It returns one Perturbation for each
// file. Draws beyond every stride-th are left out (1: none). progress may be nil; it is called with the draws done, in any order.
func (r *Report) Perturb(stride int, progress func(done, of int)) []Perturbation {
	out := make([]Perturbation, len(r.Files))
	type job struct {
		file int
		*draw
	}
	var jobs []job
	for i, f := range r.Files {
		for n, d := range f.draws {
			if d.verdict == Explained && pooled(d.rules.Prizes.Model) && n%stride == 0 {
				jobs = append(jobs, job{i, d})
			}
		}
	}
	var (
		next, done atomic.Int64
		mu         sync.Mutex
		wg         sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := next.Add(1) - 1; int(n) < len(jobs); n = next.Add(1) - 1 {
				p := jobs[n].perturb()
				mu.Lock()
				sum := &out[jobs[n].file]
				sum.Changes += p.Changes
				sum.Detected += p.Detected
				sum.Disagreed += p.Disagreed
				if progress != nil {
					progress(int(done.Add(1)), len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return out
}

func pooled(m prize.Model) bool { return m == prize.Pool || m == prize.European }

// perturb tries every change of one draw.
func (d *draw) perturb() (p Perturbation) {
	t := *d.rules.Prizes
	for k := 1; k < len(t.Ranks); k++ {
		if t.Ranks[k].Share == 0 {
			continue
		}
		for _, by := range []int64{-1, 1} {
			gains, winners := slices.Clone(d.gains), slices.Clone(d.winners)
			gains[k] += 10 * money.Cents(by) // 0.10 €
			winners[k] += by * max(1, d.winners[k]/20)
			if gains[k] >= 0 {
				p.try(t, d.terms, d.winners, gains)
			}
			if winners[k] >= 0 {
				p.try(t, d.terms, winners, d.gains)
			}
		}
	}
	return p
}

// try asks both for one change.
func (p *Perturbation) try(t prize.Table, terms prize.Terms, winners prize.Winners, gains []money.Cents) {
	_, err := explain(t, terms, winners, gains)
	var no *prize.Contradiction
	found := !errors.As(err, &no)
	p.Changes++
	if !found {
		p.Detected++
	}
	if found != newTrial(t, terms, winners, gains).possible() {
		p.Disagreed++
	}
}
