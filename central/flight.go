package central

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"tirage/logbook"
)

// While the store writes one batch the next is planned on top of it: from what that batch has read and written and, for the rest, from the state of the
// store that it stands on. A batch is thus open for as long as the one before is written, and the store need not wait for the planner.
//
// Only one batch is under way at a time, and nothing is promised of the next before both are committed: when the one under way fails, or anybody else has
// written meanwhile, the next is planned again from the store. Where several transactions may write at a time ([Tx.Base]) each batch is planned in its own.

// flight is a batch from its planning to its commit.
type flight struct {
	batch   *batch
	feed    *feed
	calls   []*call
	answers []answer
	done    []Done
	first   int64        // index of its first leaf
	tree    logbook.Tree // the log, with what the feed has written
	now     time.Time    // of the commands that are planned
	last    int64        // time of its last leaf, microseconds
	broken  error        // why its planning was given up

	base    int64 // the state of the store that it stands on
	look    bool  // the next batch may be planned while it is written
	tx      Tx    // nil: begun when its turn comes
	changes *Changes

	begun  chan struct{} // closed when view stands
	view   Snapshot      // of the base; nil: there is none
	over   chan struct{} // closed when the transaction has ended
	lost   error         // how it failed
	landed bool
}

// newFlight returns an empty batch that is likely to take so many calls, and may take up to room.
func newFlight(likely, room int) *flight {
	return &flight{
		batch: newBatch(4*likely + 1), calls: make([]*call, 0, room), answers: make([]answer, 0, room), done: make([]Done, 0, room),
		begun: make(chan struct{}), over: make(chan struct{}),
	}
}

// follow sets where the log of the batch begins.
func (f *flight) follow(tree *logbook.Tree, last time.Time) {
	f.tree, f.first, f.now = tree.Clone(), tree.Size, last
}

// serve plans calls and what waits behind them: in a transaction of their own or, while a batch is written, on top of that one. It returns those that are
// left for the batch after.
func (r *Register) serve(calls []*call) (rest []*call) {
	r.baton <- struct{}{}
	defer func() { <-r.baton }()
	under := r.flying
	if under == nil {
		r.begin(r.gather(calls))
		return nil
	}
	if r.next == nil {
		if <-under.begun; under.view == nil {
			<-under.over
			return calls
		}
		r.next = r.onTop(under)
	}
	room := min(aheadMost, cap(r.next.calls)-len(r.next.calls))
	if r.next.broken != nil || room < len(calls) {
		<-under.over
		return calls
	}
	rest, r.next.broken = r.join(r.next, r.take(calls, room))
	return rest
}

// aheadMost bounds how many calls are planned at one time of the clock while another batch is written.
const aheadMost = 64

// begin plans calls in a transaction and has them written.
func (r *Register) begin(calls []*call) {
	f, err := r.depart(calls)
	if err == nil && f.look {
		r.flying = f
		r.flights.Add(1)
		go r.fly(f)
		return
	}
	if err == nil {
		err = r.finish(f)
	}
	if err != nil {
		r.process(calls, err)
	}
}

// fly writes a batch and the ones that are planned meanwhile, until nothing is.
func (r *Register) fly(f *flight) {
	defer r.flights.Done()
	for f != nil {
		f.write(context.Background(), r.cfg.Store)
		f = r.turn(f)
	}
}

// turn ends the planning of the next batch, whose turn it is when this one is committed.
func (r *Register) turn(f *flight) *flight {
	r.wanted.Store(true)
	r.baton <- struct{}{}
	defer func() { <-r.baton }()
	r.wanted.Store(false)
	next := r.next
	r.next, r.flying = nil, nil
	err := r.land(f)
	if err == nil && next != nil && next.broken == nil {
		next.broken = r.seal(next)
	}
	if f.view != nil {
		f.view.Close()
	}
	if err != nil {
		r.process(f.calls, err)
	} else {
		r.tell(f)
	}
	switch {
	case next == nil || len(next.calls) == 0:
		return nil
	case err != nil || next.broken != nil:
		r.dropUntaken(next.batch)
		r.process(next.calls, next.broken)
		return nil
	}
	r.flying = next
	return next
}

// depart plans calls in a transaction, up to its writing.
func (r *Register) depart(calls []*call) (f *flight, err error) {
	ctx := context.Background()
	tx, err := r.cfg.Store.Begin(ctx)
	if err != nil {
		return nil, err
	}
	f = newFlight(len(calls), len(calls))
	given := f.batch
	defer func() {
		if err != nil {
			tx.Rollback()
			r.dropUntaken(given)
		}
	}()
	f.tx = tx
	f.base, r.alone = tx.Base()
	keys, shared := r.firstKeys(calls)
	if err := f.batch.load(ctx, tx, keys, shared); err != nil {
		return nil, err
	}
	if err := r.recover(f.batch); err != nil {
		return nil, err
	}
	if answers := r.settle(calls); answers != nil {
		f.calls, f.answers = calls, answers
		return f, nil
	}
	r.trimTallies()
	f.follow(&r.tree, time.UnixMicro(r.last))
	f.feed = newFeed(ctx, tx, &f.tree)
	if !r.alone {
		f.feed.tx = tx
	}
	if _, err := r.planAll(ctx, f, calls); err != nil {
		return nil, errors.Join(err, f.feed.end(f.batch))
	}
	if err := r.seal(f); err != nil {
		return nil, err
	}
	f.look = r.alone && (len(calls) > 1 || len(r.queue) > 0) // there may be more to plan meanwhile
	return f, nil
}

// onTop returns an empty batch that stands on one that is being written.
func (r *Register) onTop(f *flight) *flight {
	r.trimTallies()
	next := newFlight(len(f.calls), min(MaxBatch, max(aheadMost, 2*len(f.calls)))) // a crowd grows from batch to batch
	next.batch.under, next.base, next.look = f, f.base+1, true
	next.follow(&f.tree, f.now)
	next.feed = newFeed(context.Background(), snapLoader{f.view}, &next.tree)
	return next
}

// join plans calls in a batch that stands on another, their leaves too. It returns those that it did not come to when the batch is wanted.
func (r *Register) join(f *flight, calls []*call) (rest []*call, err error) {
	ctx := context.Background()
	keys, shared := r.firstKeys(calls)
	for _, k := range keys {
		delete(f.batch.shared, k) // nobody else holds it
	}
	if err := f.batch.load(ctx, f.feed, keys, shared); err != nil {
		f.calls = append(f.calls, calls...)
		return nil, err
	}
	if rest, err = r.planAll(ctx, f, calls); err != nil {
		f.calls, rest = append(f.calls, rest...), nil
	}
	return rest, err
}

// planAll plans calls at one time of the clock, on top of what the batch holds. It returns those that it did not come to.
func (r *Register) planAll(ctx context.Context, f *flight, calls []*call) (rest []*call, err error) {
	f.now, f.batch.behind = r.now(f.now)
	for i, c := range calls {
		if f.tx == nil && r.wanted.Load() {
			return calls[i:], nil
		}
		a, ans, err := r.plan(ctx, f, c)
		f.calls, f.answers = append(f.calls, c), append(f.answers, ans)
		if a != nil {
			f.last = f.now.UnixMicro()
			f.done = append(f.done, Done{Request: c.req})
			a.answer, a.done = &f.answers[len(f.answers)-1], &f.done[len(f.done)-1] // they have room: nothing moves
			err = f.feed.offer(f.batch)
		}
		if err != nil {
			return calls[i+1:], err
		}
	}
	return nil, nil
}

// seal ends the planning of a batch.
func (r *Register) seal(f *flight) error {
	f.batch.under = nil
	writer := &Writer{Node: r.cfg.Node, At: f.last}
	f.batch.write(writer)
	f.changes = f.batch.changes() // while the feed still writes
	err := f.feed.end(f.batch)
	writer.Size, writer.Edge = f.tree.Size, f.tree.AppendEdge(nil)
	return err
}

// write writes a batch and commits it. One that changes nothing writes nothing.
func (f *flight) write(ctx context.Context, store Store) {
	defer close(f.over)
	f.lost = f.store(ctx, store)
	if f.view == nil {
		close(f.begun)
	}
}

func (f *flight) store(ctx context.Context, store Store) (err error) {
	if len(f.done) == 0 {
		if f.tx != nil {
			f.tx.Rollback()
		}
		return nil
	}
	if f.tx == nil {
		if f.tx, err = store.Begin(ctx); err != nil {
			return err
		}
	}
	defer f.tx.Rollback()
	if f.stale() {
		return fmt.Errorf("%w: somebody else has written since the batch was planned", ErrRetry)
	}
	f.base, _ = f.tx.Base()
	if f.look {
		f.open(ctx, store)
	}
	if err := f.tx.Apply(ctx, f.changes); err != nil {
		return err
	}
	if f.look {
		runtime.Gosched() // a garbage collection leaves one of two processors: who waits for it has waited for long by now
	}
	return f.tx.Commit(ctx)
}

// stale reports whether anybody else has written in a table that the batch was planned by. Followers write all the time, in tables of their own.
func (f *flight) stale() bool {
	state, _ := f.tx.Base()
	if state == f.base {
		return false
	}
	for k := range f.batch.view {
		if f.tx.Since(f.base, k.Table) {
			return true
		}
	}
	return false
}

// open opens the view by which the next batch is planned. Without it that batch is planned after this one.
func (f *flight) open(ctx context.Context, store Store) {
	soon, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	if view, err := store.Snapshot(soon); err == nil {
		f.view = view
		close(f.begun)
	}
}

// lookLimit bounds how long a transaction waits for the view by which the next batch is planned.
const lookLimit = 20 * time.Millisecond

// land takes over what a batch left when it is over: the log, the counts.
func (r *Register) land(f *flight) error {
	<-f.over
	if f.landed {
		return f.lost
	}
	f.landed = true
	switch {
	case f.lost != nil:
		r.dropUntaken(f.batch)
		if errors.Is(f.lost, ErrInDoubt) {
			r.doubt = &doubt{f.calls, f.answers, f.done, f.tree}
		}
	case len(f.done) > 0:
		r.tree, r.last = f.tree, f.last
		f.batch.addCounted()
	}
	return f.lost
}

// finish writes a batch and answers its callers while nothing else goes on.
func (r *Register) finish(f *flight) error {
	f.write(context.Background(), r.cfg.Store)
	if err := r.land(f); err != nil {
		return err
	}
	r.tell(f)
	r.crowd = min(len(f.calls)+len(r.queue), MaxBatch)
	return nil
}

// tell gives the answers of a batch.
func (r *Register) tell(f *flight) {
	if len(f.done) > 0 {
		r.committed(f.done)
	}
	for i, c := range f.calls {
		c.answer <- f.answers[i]
	}
}
