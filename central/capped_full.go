package central

import (
	"sync"

	"tirage/rules/combin"
)

// full knows combinations that are sold out, for plans that only look: a quote says so before anybody is asked for money. The register's loop tells it
// what the counts of a draw come to; what is sold out stays so, so that nothing is ever taken back. A node that has counted nothing of a draw yet
// says nothing of it: the confirmation does.
type full struct {
	mu    sync.RWMutex
	draws map[string]*fullOf
}

// fullOf is what is sold out of one draw.
type fullOf struct {
	closes int64
	matrix combin.Matrix
	at     map[int64]bool
}

// add notes that a combination of a draw takes part as often as it may.
func (f *full) add(t *tally, at int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	of := f.draws[t.draw]
	if of == nil {
		of = &fullOf{t.closes, t.matrix, map[int64]bool{}}
		f.draws[t.draw] = of
	}
	of.at[at] = true
}

// among returns a simple combination of a grid that is sold out, 0 when none is known to be.
func (f *full) among(draw string, grid combin.Combination) combin.Combination {
	f.mu.RLock()
	defer f.mu.RUnlock()
	of := f.draws[draw]
	if of == nil || of.matrix.Check(grid) != nil {
		return 0
	}
	for at := range of.matrix.Indexes(grid) {
		if of.at[at] {
			return of.matrix.At(at)
		}
	}
	return 0
}

// trim forgets the draws that are closed.
func (f *full) trim(now int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for draw, of := range f.draws {
		if of.closes <= now {
			delete(f.draws, draw)
		}
	}
}
