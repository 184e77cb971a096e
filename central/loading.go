package central

import (
	"context"
	"slices"
)

// loadFirst reads what the calls name. Where loads may come in any order those join who came meanwhile: clients who were just answered come back while the
// database is read, and wait neither for each other nor for the batch after this one.
func (r *Register) loadFirst(ctx context.Context, tx Tx, b *batch, calls []*call, join bool) ([]*call, error) {
	keys, shared := r.firstKeys(calls)
	if err := b.load(ctx, tx, keys, shared); err != nil || !join || !tx.Alone() {
		return calls, err
	}
	late := r.take(nil, MaxBatch-len(calls))
	if len(late) == 0 {
		return calls, nil
	}
	keys, shared = r.firstKeys(late)
	for _, k := range keys {
		delete(b.shared, k) // nobody else holds it
	}
	return append(calls, late...), b.load(ctx, tx, keys, shared)
}

// firstKeys lists what the batch is sure to read: the writer, the idempotency records, what each command names; and apart what they share.
func (r *Register) firstKeys(calls []*call) (keys, shared []Key) {
	keys = make([]Key, 0, 4*len(calls)+1)
	keys = append(keys, r.writerKey())
	for _, c := range calls {
		keys = append(keys, c.keys...)
		shared = append(shared, c.shared...)
	}
	return keys, shared
}

func (c *call) key() Key { return Key{Table: Keys, S: c.req.Key, U: c.req.Principal} }

// load reads the rows that the batch does not yet hold. It holds afterwards nil for the keys that have no row. What one command
// needs for itself alone is not shared with others.
func (b *batch) load(ctx context.Context, tx loader, keys, shared []Key) error {
	keys, shared = b.missing(keys), b.missing(shared)
	if len(keys)+len(shared) == 0 {
		return nil
	}
	for _, k := range shared {
		b.shared[k] = true
	}
	rows, err := tx.Load(ctx, keys, shared)
	if err != nil {
		return err
	}
	for _, row := range rows {
		k := KeyOf(row)
		b.view[k], b.stored[k] = row, true
	}
	return nil
}

// missing returns the keys that the batch does not hold, in order, and holds nil for them.
func (b *batch) missing(keys []Key) []Key {
	missing := keys[:0:0]
	for _, k := range keys {
		if _, ok := b.view[k]; !ok {
			b.view[k] = nil
			missing = append(missing, k)
		}
	}
	slices.SortFunc(missing, compareKeys)
	return missing
}
