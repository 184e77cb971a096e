package audit

import (
	"errors"
	"fmt"

	"tirage/central"
	"tirage/logbook"
)

// ErrFilled says that the store to rebuild into is not empty.
var ErrFilled = errors.New("the database is not empty: a log is replayed into an empty one only")

// chunk is how many rows are handed to the store at a time.
const chunk = 2048

// rebuilder writes rows into an empty store, in one transaction.
type rebuilder struct {
	*replay
	tx      central.Tx
	changes central.Changes
}

// rebuild reads the log once more and writes every row where its last image stands.
func (r *replay) rebuild() error {
	if err := r.mustBeEmpty(); err != nil {
		return err
	}
	tx, err := r.o.Into.Begin(r.ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	b := &rebuilder{replay: r, tx: tx}
	for _, l := range r.logs {
		for index := range l.tree.Size {
			if err := b.leaf(l.node, index); err != nil {
				return err
			}
		}
		if l.tree.Size > 0 {
			if err := b.write(l.writer()); err != nil {
				return err
			}
		}
	}
	for a, cents := range r.fold.accounts {
		b.changes.Add = append(b.changes.Add, &central.AccountRow{Name: a.name, Node: a.node, Balance: cents})
	}
	if err := b.flush(); err != nil {
		return err
	}
	return tx.Commit(r.ctx)
}

func (r *replay) mustBeEmpty() error {
	snap, err := r.o.Into.Snapshot(r.ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	for i := range central.Schema {
		err := snap.Scan(r.ctx, central.Range{From: central.Key{Table: central.TableID(i)}, Limit: 1}, func(central.Row) error { return ErrFilled })
		if err != nil {
			return fmt.Errorf("table %s: %w", central.Schema[i].Name, err)
		}
	}
	return nil
}

// leaf writes a leaf and the rows whose last image it holds.
func (b *rebuilder) leaf(node, index int64) error {
	salt, body, err := b.leafAt(node, index)
	if err != nil {
		return err
	}
	leaf, lines, err := logbook.ParseLeaf(body)
	if err != nil {
		return err
	}
	rows, err := rowsOf(leaf, lines)
	if err != nil {
		return err
	}
	for i, row := range rows {
		image := b.fold.images[b.fold.keyHash(row)]
		if image == nil || image.place != (place{node, index, int32(i)}) || row.Table() == central.Credentials {
			continue
		}
		b.fold.derive(row)
		if err := b.write(row); err != nil {
			return err
		}
	}
	return b.write(&central.LeafRow{Node: node, Index: index, Salt: salt, Body: body})
}

func (b *rebuilder) write(row central.Row) error {
	if b.changes.New = append(b.changes.New, row); len(b.changes.New) == chunk {
		return b.flush()
	}
	return b.ctx.Err()
}

func (b *rebuilder) flush() error {
	err := b.tx.Apply(b.ctx, &b.changes)
	b.changes = central.Changes{}
	return err
}
