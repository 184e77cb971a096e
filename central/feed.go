package central

import (
	"context"
	"sync"
)

// loader reads rows inside the transaction of a batch.
type loader interface {
	Load(ctx context.Context, keys, shared []Key) ([]Row, error)
}

// feedRows is the number of appended rows that are worth a statement of their own before the end of the batch.
const feedRows = 256

// feed writes the rows that a batch appends while its next commands are still being planned: they are final as soon as their command is
// accepted, and the transaction drops them with everything else when the batch fails. A small batch writes nothing ahead.
type feed struct {
	ctx  context.Context
	tx   Tx
	mu   sync.Mutex // a transaction does one thing at a time
	rows chan []Row
	done chan struct{}
	err  error // read after done is closed
}

func newFeed(ctx context.Context, tx Tx) *feed { return &feed{ctx: ctx, tx: tx} }

// Load reads between two writes.
func (f *feed) Load(ctx context.Context, keys, shared []Key) ([]Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tx.Load(ctx, keys, shared)
}

// offer takes over the appended rows of the batch when there are enough of them.
func (f *feed) offer(b *batch) {
	if len(b.append) < feedRows {
		return
	}
	if f.rows == nil {
		// The buffer holds what a batch can append: planning never waits for the database.
		f.rows, f.done = make(chan []Row, MaxBatch), make(chan struct{})
		go f.run()
	}
	f.rows <- b.append
	b.append = make([]Row, 0, cap(b.append))
}

func (f *feed) run() {
	defer close(f.done)
	for rows := range f.rows {
		if f.err != nil {
			continue
		}
		f.mu.Lock()
		f.err = f.tx.Apply(f.ctx, &Changes{New: rows})
		f.mu.Unlock()
	}
}

// end waits until everything offered is written.
func (f *feed) end() error {
	if f.rows == nil {
		return nil
	}
	close(f.rows)
	<-f.done
	f.rows = nil
	return f.err
}
