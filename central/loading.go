package central

import (
	"context"
	"slices"

	"tirage/rules/money"
)

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
	if b.under != nil {
		for _, k := range keys {
			b.view[k] = b.under.batch.sum(k, b.view[k])
		}
	}
	return nil
}

// missing returns the keys that the batch does not hold, in order, and holds nil for them.
func (b *batch) missing(keys []Key) []Key {
	missing := keys[:0:0]
	for _, k := range keys {
		if _, ok := b.view[k]; ok {
			continue
		}
		if b.under != nil {
			if row, ok := b.under.batch.left(k); ok {
				b.view[k], b.stored[k] = row, row != nil
				continue
			}
		}
		b.view[k] = nil
		missing = append(missing, k)
	}
	slices.SortFunc(missing, compareKeys)
	return missing
}

// left returns a row as the batch leaves it, nil for none, if the batch has read or written it.
func (b *batch) left(k Key) (Row, bool) {
	row, ok := b.view[k]
	if row == nil && Schema[k.Table].Append && k.Table != Keys && k.Table != Leaves { // those are in the view
		if b.appended == nil {
			b.appended = make(map[Key]Row)
			for _, r := range b.append {
				if t := r.Table(); t != Keys && t != Leaves && t != Transfers {
					b.appended[KeyOf(r)] = r
				}
			}
		}
		if r := b.appended[k]; r != nil {
			return r, true
		}
	}
	return b.sum(k, row), ok
}

// sum adds what the batch adds to a row of Accounts or Counters.
func (b *batch) sum(k Key, row Row) Row {
	n := b.added[k]
	if n == 0 {
		return row
	}
	if k.Table == Accounts {
		sum := &AccountRow{Name: k.S, Node: k.N, Balance: money.Cents(n)}
		if r, _ := row.(*AccountRow); r != nil {
			sum.Balance += r.Balance
		}
		return sum
	}
	sum := &Counter{Name: k.S, Node: k.N, N: n}
	if r, _ := row.(*Counter); r != nil {
		sum.N += r.N
	}
	return sum
}
