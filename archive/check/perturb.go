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
	Gains, Counts Changes // of gains, of counts of winners
	Disagreed     int     // changes of which the exhaustive search over funds says otherwise: 0
}

// Changes counts changes of one figure.
type Changes struct {
	Tried    int
	Detected int // contradicted
}

func (c Changes) plus(d Changes) Changes { return Changes{c.Tried + d.Tried, c.Detected + d.Detected} }

// All adds both kinds up.
func (p Perturbation) All() Changes { return p.Gains.plus(p.Counts) }

func (p *Perturbation) add(q Perturbation) {
	p.Gains = p.Gains.plus(q.Gains)
	p.Counts = p.Counts.plus(q.Counts)
	p.Disagreed += q.Disagreed
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
				out[jobs[n].file].add(p)
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
				p.try(&p.Gains, t, d.terms, d.winners, gains)
			}
			if winners[k] >= 0 {
				p.try(&p.Counts, t, d.terms, winners, d.gains)
			}
		}
	}
	return p
}

// try asks both for one change and counts it in kind.
func (p *Perturbation) try(kind *Changes, t prize.Table, terms prize.Terms, winners prize.Winners, gains []money.Cents) {
	_, err := explain(t, terms, winners, gains)
	var no *prize.Contradiction
	found := !errors.As(err, &no)
	kind.Tried++
	if !found {
		kind.Detected++
	}
	if found != newTrial(t, terms, winners, gains).possible() {
		p.Disagreed++
	}
}
