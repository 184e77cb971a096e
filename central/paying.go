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
	p := &paying{o: o, draw: c.Draw, snap: snap, paid: map[int64]int64{}, window: newWindow(ctx, o.Register, payWindow)}
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
	request := Request{Principal: p.o.Principal, Key: key, Command: NewCreditSlice(draw, version, n, credits)}
	return p.window.run(func() (Request, error) { return request, nil }, func(r Receipt, err error) error {
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

// window has commands done side by side, at most n at a time, and keeps the first error. They are planned in the order of the calls of run, so
// that the log does not depend on which goroutine happened to be faster.
type window struct {
	ctx   context.Context
	reg   *Register
	slots chan struct{}
	err   chan error
	sent  chan struct{} // closed when the last request so far is sent, or will never be
}

func newWindow(ctx context.Context, reg *Register, n int) *window {
	w := &window{ctx, reg, make(chan struct{}, n), make(chan error, 1), make(chan struct{})}
	close(w.sent)
	return w
}

// run makes, sends and finishes a request when a slot is free; it returns the first error so far.
func (w *window) run(prepare func() (Request, error), finish func(Receipt, error) error) error {
	w.slots <- struct{}{}
	before, sent := w.sent, make(chan struct{})
	w.sent = sent
	go func() {
		if err := w.do(before, sent, prepare, finish); err != nil {
			select {
			case w.err <- err:
			default:
			}
		}
		<-w.slots
	}()
	return w.failed()
}

// do sends one request after those before it.
func (w *window) do(before, sent chan struct{}, prepare func() (Request, error), finish func(Receipt, error) error) error {
	request, err := prepare()
	<-before
	if err != nil {
		close(sent)
		return finish(Receipt{}, err)
	}
	wait := w.reg.start(w.ctx, request)
	close(sent)
	return finish(wait())
}

// wait returns when all are done.
func (w *window) wait() error {
	for range cap(w.slots) {
		w.slots <- struct{}{}
	}
	for range cap(w.slots) {
		<-w.slots
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
