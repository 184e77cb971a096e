// Package mem is the model of a store: maps under one lock. What it does defines what the databases must do; tests run the same
// commands over both.
package mem

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"tirage/central"
)

// Store is an empty store at its zero value.
type Store struct {
	writing sync.Mutex // held by the write transaction
	mu      sync.RWMutex
	rows    map[central.Key]central.Row
}

// Begin opens the write transaction; a second one waits for the first.
func (s *Store) Begin(context.Context) (central.Tx, error) {
	s.writing.Lock()
	return &tx{store: s, open: true, writes: map[central.Key]central.Row{}}, nil
}

type tx struct {
	store  *Store
	open   bool
	writes map[central.Key]central.Row
}

func (t *tx) Load(_ context.Context, keys, shared []central.Key) ([]central.Row, error) {
	t.store.mu.RLock()
	defer t.store.mu.RUnlock()
	var rows []central.Row
	for _, k := range slices.Concat(keys, shared) {
		r, ok := t.writes[k]
		if !ok {
			r, ok = t.store.rows[k]
		}
		if ok {
			rows = append(rows, clone(r))
		}
	}
	slices.SortFunc(rows, func(a, b central.Row) int { return compare(central.KeyOf(a), central.KeyOf(b)) })
	return rows, nil
}

func (t *tx) Apply(_ context.Context, c *central.Changes) error {
	t.store.mu.RLock()
	defer t.store.mu.RUnlock()
	for _, r := range c.New {
		k := central.KeyOf(r)
		_, exists := t.store.rows[k]
		_, written := t.writes[k]
		if exists || written {
			return fmt.Errorf("%w: row %v exists", central.ErrRetry, k)
		}
	}
	for _, r := range slices.Concat(c.New, c.Put) {
		k := central.KeyOf(r)
		if p, ok := r.(*central.Player); ok && p.Balance < 0 {
			return fmt.Errorf("row %v: balance below zero", k)
		}
		t.writes[k] = clone(r)
	}
	for _, r := range c.Add {
		k := central.KeyOf(r)
		sum := clone(r)
		for _, m := range []map[central.Key]central.Row{t.writes, t.store.rows} {
			if old, ok := m[k]; ok {
				add(sum, old)
				break
			}
		}
		t.writes[k] = sum
	}
	return nil
}

// add adds the value of a row of Accounts or Counters to another's.
func add(sum, old central.Row) {
	switch sum := sum.(type) {
	case *central.AccountRow:
		sum.Balance += old.(*central.AccountRow).Balance
	case *central.Counter:
		sum.N += old.(*central.Counter).N
	}
}

func (t *tx) Commit(context.Context) error {
	t.store.mu.Lock()
	if t.store.rows == nil {
		t.store.rows = map[central.Key]central.Row{}
	}
	maps.Copy(t.store.rows, t.writes)
	t.store.mu.Unlock()
	t.Rollback()
	return nil
}

func (t *tx) Rollback() {
	if t.open {
		t.open = false
		t.store.writing.Unlock()
	}
}

// Snapshot copies the map: rows are never changed in place.
func (s *Store) Snapshot(context.Context) (central.Snapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return snapshot(maps.Clone(s.rows)), nil
}

type snapshot map[central.Key]central.Row

func (s snapshot) Get(_ context.Context, k central.Key) (central.Row, error) {
	if r, ok := s[k]; ok {
		return clone(r), nil
	}
	return nil, nil
}

func (s snapshot) Scan(_ context.Context, r central.Range, yield func(central.Row) error) error {
	var keys []central.Key
	for k := range s {
		if inRange(k, r) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, compare)
	if r.Limit > 0 && len(keys) > r.Limit {
		keys = keys[:r.Limit]
	}
	for _, k := range keys {
		if err := yield(clone(s[k])); err != nil {
			return err
		}
	}
	return nil
}

func inRange(k central.Key, r central.Range) bool {
	if k.Table != r.From.Table {
		return false
	}
	kv, fv := k.Values(), r.From.Values()
	for i := range r.Prefix {
		if kv[i] != fv[i] {
			return false
		}
	}
	return !r.After || compare(k, r.From) > 0
}

func compare(a, b central.Key) int {
	if a.Table != b.Table {
		return cmp.Compare(a.Table, b.Table)
	}
	av, bv := a.Values(), b.Values()
	for i := range av {
		var c int
		switch x := av[i].(type) {
		case string:
			c = cmp.Compare(x, bv[i].(string))
		case int64:
			c = cmp.Compare(x, bv[i].(int64))
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (s snapshot) Close() {}

// clone copies a row, byte columns included.
func clone(r central.Row) central.Row {
	c := central.Schema[r.Table()].New()
	from, to := r.Fields(), c.Fields()
	for i := range from {
		switch f := from[i].(type) {
		case *int64:
			*to[i].(*int64) = *f
		case *string:
			*to[i].(*string) = *f
		case *[]byte:
			*to[i].(*[]byte) = bytes.Clone(*f)
		}
	}
	return c
}
