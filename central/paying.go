package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tirage/rules/drawing"
)

// payWindow is how many slices are on their way at a time: while the register commits some, the next are ready. With no more than one batch on its
// way the register would find a lone slice after each commit.
const payWindow = 32

// Pay credits the slices of an approved result that are not paid yet. Killed at any point, it goes on from the slices that the store holds as
// unpaid: each credit is made once. A credit that cannot be made holds up no other; the error names it.
func (o *Operator) Pay(ctx context.Context, draw string) error {
	snap, err := o.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	c, err := NewCounting(ctx, snap, draw, o.OpenSecret)
	if err != nil {
		return err
	}
	if drawing.State(c.Draw.State) == drawing.Settled {
		return nil
	}
	p := &paying{o: o, draw: c.Draw, snap: snap, paid: map[int64]int64{}, window: newWindow(payWindow)}
	err = snap.Scan(ctx, Range{From: Key{Table: Slices, S: draw, N: c.Draw.Version}, Prefix: 2}, func(r Row) error {
		p.paid[r.(*Slice).N] = r.(*Slice).Paid
		return nil
	})
	if err != nil {
		return err
	}
	count, err := readDoc[Count](ctx, snap, draw, DocCount, c.Draw.Version)
	if err != nil {
		return err
	}
	if err := c.resume(count); err != nil {
		return err
	}
	done := c.Draw.Paid
	_, err = c.Slices(ctx, snap, func(n int64, credits []Credit) error {
		if p.paid[n] == SlicePaid {
			return nil
		}
		err := p.slice(ctx, n, slices.Clone(credits))
		done++
		o.progress("credits", done, c.Draw.Slices)
		return err
	})
	if werr := p.window.wait(); err == nil {
		err = werr
	}
	if err == nil && p.held != nil {
		err = refuse(Conflict, "credits.held", "", "draw %s is paid but for %d slices; slice %s", draw, len(p.held), p.held[0])
	}
	return err
}

// paying is one run of [Operator.Pay].
type paying struct {
	o      *Operator
	draw   *Draw
	snap   Snapshot
	paid   map[int64]int64 // Slice.Paid, by number
	window *window

	mu   sync.Mutex
	held []string // what is held, by slice
}

// slice sends one slice on its way. The key of a slice that is partly paid tells how far it is, so that it may be asked for again.
func (p *paying) slice(ctx context.Context, n int64, credits []Credit) error {
	draw, version := p.draw.ID, p.draw.Version
	key := fmt.Sprintf("credit/%s/%d/%d", draw, version, n)
	if p.paid[n] == SlicePartly {
		made := 0
		for i := range credits {
			row, err := p.snap.Get(ctx, credits[i].madeKey())
			if err != nil {
				return err
			}
			if row != nil {
				made++
			}
		}
		key = fmt.Sprintf("%s/%d", key, made)
	}
	return p.window.run(func() error {
		r, err := p.o.do(ctx, key, NewCreditSlice(draw, version, n, credits))
		var state State
		if refusal := (*Refusal)(nil); errors.As(err, &refusal) && refusal.Reason == heldReason {
			state.Why, err = refusal.Text, nil
		} else if err == nil {
			err = json.Unmarshal(r.Result, &state)
		}
		if state.Why != "" {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.held = append(p.held, fmt.Sprintf("%d: %s", n, state.Why))
		}
		return err
	})
}

// window runs functions side by side, at most n at a time, and keeps the first error.
type window struct {
	slots chan struct{}
	err   chan error
}

func newWindow(n int) *window { return &window{make(chan struct{}, n), make(chan error, 1)} }

// run starts f when a slot is free; it returns the first error so far.
func (w *window) run(f func() error) error {
	w.slots <- struct{}{}
	go func() {
		if err := f(); err != nil {
			select {
			case w.err <- err:
			default:
			}
		}
		<-w.slots
	}()
	return w.failed()
}

// wait returns when all are done.
func (w *window) wait() error {
	for range cap(w.slots) {
		w.slots <- struct{}{}
	}
	return w.failed()
}

func (w *window) failed() error {
	select {
	case err := <-w.err:
		w.err <- err
		return err
	default:
		return nil
	}
}
