// Package mem is the model of a store: sorted maps under one lock. What it does defines what the databases must do; tests run the same
// commands over both.
package mem

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"tirage/central"
)

// Store is an empty store at its zero value.
type Store struct {
	writing sync.Mutex // held by the write transaction
	mu      sync.RWMutex
	rows    tables
	state   int64                      // commits; the writer's own
	wrote   [len(central.Schema)]int64 // the state that a write in a table has left last
}

// tables are the rows by table. A copy is a snapshot: trees are never changed, nor are rows in place.
type tables [len(central.Schema)]*tree

func (t *tables) get(k central.Key) central.Row { return t[k.Table].get(k) }

// texts counts the text columns of the key of each table.
var texts = func() (n [len(central.Schema)]int) {
	for i, t := range central.Schema {
		for _, c := range t.Columns[:t.PK] {
			if c.Type == central.Text {
				n[i]++
			}
		}
	}
	return n
}()

// Begin opens the write transaction; a second one waits for the first.
func (s *Store) Begin(context.Context) (central.Tx, error) {
	s.writing.Lock()
	return &tx{store: s, open: true, rows: s.now()}, nil
}

// now returns all that is committed.
func (s *Store) now() tables {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rows
}

type tx struct {
	store *Store
	open  bool
	rows  tables // as they will be
	wrote map[central.TableID]bool
}

func (t *tx) Load(_ context.Context, keys, shared []central.Key) ([]central.Row, error) {
	var rows []central.Row
	for _, k := range slices.Concat(keys, shared) {
		if r := t.rows.get(k); r != nil {
			rows = append(rows, clone(r))
		}
	}
	slices.SortFunc(rows, func(a, b central.Row) int {
		return cmp.Or(cmp.Compare(a.Table(), b.Table()), compare(central.KeyOf(a), central.KeyOf(b)))
	})
	return rows, nil
}

// Base counts the commits: one transaction writes at a time.
func (t *tx) Base() (state int64, alone bool) { return t.store.state, true }

func (t *tx) Since(state int64, table central.TableID) bool { return t.store.wrote[table] > state }

func (t *tx) Apply(_ context.Context, c *central.Changes) error {
	for _, r := range c.New {
		if k := central.KeyOf(r); t.rows.get(k) != nil {
			return fmt.Errorf("%w: row %v exists", central.ErrRetry, k)
		}
	}
	for _, r := range slices.Concat(c.New, c.Put) {
		if p, ok := r.(*central.Player); ok && p.Balance < 0 {
			return fmt.Errorf("row %v: balance below zero", central.KeyOf(r))
		}
		t.put(clone(r))
	}
	for _, r := range c.Add {
		sum := clone(r)
		if old := t.rows.get(central.KeyOf(r)); old != nil {
			add(sum, old)
		}
		t.put(sum)
	}
	return nil
}

func (t *tx) put(r central.Row) {
	k := central.KeyOf(r)
	if t.wrote == nil {
		t.wrote = map[central.TableID]bool{}
	}
	t.wrote[k.Table] = true
	t.rows[k.Table] = t.rows[k.Table].put(k, r)
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
	t.store.rows = t.rows
	t.store.mu.Unlock()
	t.store.state++
	for table := range t.wrote {
		t.store.wrote[table] = t.store.state
	}
	t.Rollback()
	return nil
}

func (t *tx) Rollback() {
	if t.open {
		t.open = false
		t.store.writing.Unlock()
	}
}

// Snapshot returns what is committed now.
func (s *Store) Snapshot(context.Context) (central.Snapshot, error) {
	rows := snapshot(s.now())
	return &rows, nil
}

type snapshot tables

func (s *snapshot) Get(_ context.Context, k central.Key) (central.Row, error) {
	if r := (*tables)(s).get(k); r != nil {
		return clone(r), nil
	}
	return nil, nil
}

func (s *snapshot) Scan(_ context.Context, r central.Range, yield func(central.Row) error) (err error) {
	left := r.Limit
	s[r.From.Table].ascend(&r, texts[r.From.Table], func(row central.Row) bool {
		err = yield(clone(row))
		left--
		return err == nil && left != 0
	})
	return err
}

func (s *snapshot) Close() {}

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
