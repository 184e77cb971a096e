package central

import "time"

// gather takes what waits behind the first commands. Where nothing is planned while a batch is written, it gives those who were just answered a moment to
// come back under load, so that they do not form two groups that take turns; a lone command goes at once.
func (r *Register) gather(first []*call) []*call {
	calls := append(make([]*call, 0, min(len(first)+len(r.queue), MaxBatch)), first...)
	enough := r.crowd - r.crowd/4
	if r.alone {
		enough = 0
	}
	var patience <-chan time.Time
	for {
		calls = r.take(calls, MaxBatch)
		if len(calls) >= enough {
			return calls
		}
		if patience == nil {
			patience = time.After(gatherLimit)
		}
		select {
		case c := <-r.queue:
			calls = append(calls, c)
		case <-patience:
			return calls
		}
	}
}

// gatherLimit bounds how long a crowd is waited for: a small part of what a commit takes.
const gatherLimit = time.Millisecond

// take takes what waits now, up to a number of calls in all.
func (r *Register) take(calls []*call, most int) []*call {
	for len(calls) < most {
		select {
		case c := <-r.queue:
			calls = append(calls, c)
		default:
			return calls
		}
	}
	return calls
}
