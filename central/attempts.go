package central

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"tirage/logbook"
)

const (
	// maxAttempts bounds how often a batch is tried again after the database asked for it.
	maxAttempts = 20
	// halfAttempts is when a batch that the database gives up again and again is halved, as if one of its commands were the cause.
	halfAttempts = 8
)

// process commits the calls after an attempt that failed, nil for none, halving the batch until a culprit stands alone when the database refuses the whole. All are answered.
func (r *Register) process(calls []*call, err error) {
	for attempt := 0; ; attempt++ {
		if err == nil {
			if err = r.try(calls); err == nil {
				return
			}
		}
		switch {
		case r.doubt != nil, errors.Is(err, ErrRetry) && attempt < halfAttempts:
			// The next attempt tells what became of a commit in doubt, and does it if it was not applied.
		case len(calls) > 1 && !errors.Is(err, ErrDown):
			r.loaded = false
			half := len(calls) / 2
			r.process(calls[:half], nil)
			r.process(calls[half:], nil)
			return
		case !errors.Is(err, ErrRetry):
			attempt = maxAttempts
		}
		r.loaded = false
		if attempt >= maxAttempts || r.stopping() {
			if errors.Is(err, ErrDown) && !r.stopping() {
				time.Sleep(downPause) // who asks again at once does not keep the store from coming back
			}
			for _, c := range calls {
				c.answer <- answer{err: r.unavailable(err)}
			}
			return
		}
		err = nil
		time.Sleep(min(time.Duration(attempt)*attempt0, 200*time.Millisecond))
	}
}

// try does the calls in one transaction and answers them, or returns an error when nothing was committed.
func (r *Register) try(calls []*call) error {
	f, err := r.depart(calls)
	if err == nil {
		f.look = false
		err = r.finish(f)
	}
	return err
}

const (
	// attempt0 is the unit of the growing pause between two attempts of a batch.
	attempt0 = 5 * time.Millisecond
	// downPause is the pause before the callers of a store that is down are told.
	downPause = 100 * time.Millisecond
)

func (r *Register) stopping() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// unavailable hides the database's words from the caller and keeps them for the operator.
func (r *Register) unavailable(err error) error {
	told := refuse(Unavailable, "store", "", "the command could not be stored; nothing was done, try again")
	if r.doubt != nil {
		told = refuse(Unavailable, "store.doubt", "", "the store was lost while it stored the command: it may have been accepted; ask again under the same key, which does it once")
	}
	return fmt.Errorf("%w: %w", told, err)
}

func (r *Register) committed(accepted []Done) {
	if r.cfg.OnCommit != nil {
		r.cfg.OnCommit(accepted)
	}
}

// doubt is a batch whose commit may or may not have been applied.
type doubt struct {
	calls    []*call
	answers  []answer
	accepted []Done
	tree     logbook.Tree // after the batch
}

// settle finds out what became of a commit in doubt: only this writer appends to its log, so the log that was loaded tells. If the commit
// was applied, listeners hear of it now, and its callers get the answers that were worked out then.
func (r *Register) settle(calls []*call) []answer {
	d := r.doubt
	r.doubt = nil
	if d == nil || r.tree.Size != d.tree.Size || !bytes.Equal(r.tree.AppendEdge(nil), d.tree.AppendEdge(nil)) {
		return nil
	}
	r.committed(d.accepted)
	if d.calls[0] != calls[0] {
		return nil // they were told that the outcome is unknown
	}
	return d.answers
}
