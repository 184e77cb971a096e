package central

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// loader reads rows inside the transaction of a batch.
type loader interface {
	Load(ctx context.Context, keys, shared []Key) ([]Row, error)
}

// feedRows is the number of appended rows that are worth a portion of their own before the end of the batch.
const feedRows = 256

// feed writes what a batch has accepted while its next commands are still being planned: the leaves, and the rows that are only appended. Both are final
// as soon as their command is accepted, and the transaction drops them with everything else when the batch fails. A small batch writes nothing ahead, nor does
// one that is planned while another is written.
type feed struct {
	ctx  context.Context
	from loader        // of what plans lack
	tx   Tx            // nil: nothing is written ahead
	tree *logbook.Tree // grows as the leaves are written; the feed's own until its end
	mu   sync.Mutex    // a transaction does one thing at a time
	work chan portion  // nil: nothing is written ahead
	done chan struct{}
	room []byte // where leaves grow, of who writes
	err  error  // read after done is closed, or after a portion that asked to be told
}

// portion is a part of a batch, in its order.
type portion struct {
	leaves  []*accepted
	rows    []Row
	written chan<- struct{} // closed when the portion is written; nil: nobody waits for it
}

// accepted is a command that was planned and merged into its batch, whose leaf is not written yet. What it holds stays as it is: a later command
// that changes a row changes a copy.
type accepted struct {
	plan   *Plan
	result any
	row    *LeafRow // without its body
	answer *answer  // without its result
	done   *Done    // without its leaf
	hash   tlog.Hash
}

// write writes the leaf, unless it is written. room is where it grows: it is kept at its own size.
func (a *accepted) write(room []byte) ([]byte, error) {
	if a.done.Leaf != nil {
		return room, nil
	}
	call := a.plan.call
	result, err := json.Marshal(a.result)
	if err != nil {
		return room, fmt.Errorf("result of %s: %w", call.req.Command.Kind(), err)
	}
	if a.row == nil { // see [Config.NullLog]
		a.answer.receipt.Result, a.done.Leaf = result, &logbook.Leaf{}
		return room, nil
	}
	leaf := a.plan.leaf(call.req, call.command, result)
	room = leaf.Append(room[:0])
	a.row.Body = bytes.Clone(room)
	a.hash = logbook.Hash(a.row.Salt, a.row.Body)
	a.answer.receipt.Result, a.done.Leaf = result, leaf
	return room, nil
}

func writeLeaves(list []*accepted, room *[]byte) (err error) {
	for _, a := range list {
		if *room, err = a.write(*room); err != nil {
			return err
		}
	}
	return nil
}

func newFeed(ctx context.Context, from loader, tree *logbook.Tree) *feed {
	return &feed{ctx: ctx, from: from, tree: tree}
}

// Load reads between two writes.
func (f *feed) Load(ctx context.Context, keys, shared []Key) ([]Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.from.Load(ctx, keys, shared)
}

// offer takes over what the batch has accepted when there is enough of it; where nothing is written ahead, its leaf at once. A feed that has not come to the portion before leaves the leaves to the planner.
func (f *feed) offer(b *batch) error {
	if f.tx == nil {
		return f.flush(b)
	}
	if len(b.append) < feedRows {
		return nil
	}
	if f.work == nil {
		// The buffer holds what a batch can offer: planning never waits for the database.
		f.work, f.done = make(chan portion, 2*MaxBatch), make(chan struct{})
		go f.run()
	}
	if len(f.work) > 0 {
		if err := writeLeaves(b.leaves, new([]byte)); err != nil {
			return err
		}
	}
	f.work <- portion{leaves: b.leaves, rows: b.append}
	b.leaves, b.append = nil, make([]Row, 0, cap(b.append))
	return nil
}

func (f *feed) run() {
	defer close(f.done)
	for p := range f.work {
		if f.err == nil {
			f.err = f.write(p)
		}
		if p.written != nil {
			close(p.written)
		}
	}
}

func (f *feed) write(p portion) error {
	if err := writeLeaves(p.leaves, &f.room); err != nil {
		return err
	}
	for _, a := range p.leaves {
		if a.row == nil {
			f.tree.Size++ // its indexes go on: see [Config.NullLog]
			continue
		}
		f.tree.Add(a.hash)
	}
	if len(p.rows) == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tx.Apply(f.ctx, &Changes{New: p.rows})
}

// flush writes the leaves of all that the batch has accepted so far.
func (f *feed) flush(b *batch) error {
	p := portion{leaves: b.leaves}
	b.leaves = nil
	if f.work == nil {
		return f.write(p)
	}
	written := make(chan struct{})
	p.written = written
	f.work <- p
	<-written
	return f.err
}

// end writes the last leaves and waits until everything offered is written; the rows of the last commands stay with the batch.
func (f *feed) end(b *batch) error {
	err := writeLeaves(b.leaves, new([]byte))
	if f.work != nil {
		close(f.work)
		<-f.done
		f.work = nil
	}
	if err != nil || f.err != nil {
		return errors.Join(err, f.err)
	}
	return f.flush(b)
}

// acceptUnlogged is accept with [Config.NullLog]: a request is told apart from a repeated one, and has no leaf.
func acceptUnlogged(b *batch, p *Plan, result any) *accepted {
	b.merge(p)
	kr := &KeyRow{Key: p.call.req.Key, Principal: p.call.req.Principal, Hash: p.call.hash, Node: p.Node, Index: p.Index}
	b.append = append(append(b.append, p.transfers()...), kr)
	b.view[KeyOf(kr)] = kr
	a := &accepted{plan: p, result: result}
	b.leaves = append(b.leaves, a)
	return a
}
