// Package sql keeps the rows of package central in a relational database: SQLite in a file, or PostgreSQL.
//
// There is one SQL text, made from the description of the tables, with $N placeholders. What differs between engines is in a [dialect]: the DDL (two folders of
// migrations with the same numbers), how many rows travel in one statement, how a load locks; and in their [session]: how errors are told apart.
//
//	store, err := sql.OpenSQLite(ctx, "tirage.db")
//	store, err := sql.OpenPostgres(ctx, "host=… dbname=tirage")
//
// Text is ordered by its bytes on both, and a commit that has returned is on the disk.
package sql

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"tirage/central"
)

// Store is a database. Several goroutines may use it; SQLite takes one write transaction at a time.
type Store struct {
	dialect  *dialect
	tables   []*statements
	database database
}

// database opens transactions on an engine.
type database interface {
	// begin opens a write transaction.
	begin(ctx context.Context) (session, error)
	// snapshot opens a read-only transaction that sees what is committed now.
	snapshot(ctx context.Context) (session, error)
	// close waits for running write transactions.
	close() error
}

// session is a transaction. Its errors wrap central.ErrRetry, central.ErrDown or central.ErrInDoubt where they apply.
type session interface {
	// query runs statements that select whole rows and returns the rows of all.
	query(ctx context.Context, list []statement) ([]central.Row, error)
	// exec runs statements that write.
	exec(ctx context.Context, list []statement) error
	commit(ctx context.Context) error
	// base is that of [central.Tx].
	base() (state int64, alone bool)
	since(state int64, table central.TableID) bool
	// rollback drops the transaction; after commit it does nothing.
	rollback()
}

// statement is one statement on a table.
type statement struct {
	table central.TableID
	text  string
	args  []any
	known []any // the first columns, which are the same in each row: not selected
	only  []int // columns that it selects; nil: all
}

// row returns a row that holds the columns that are known, and pointers to those that the statement selects.
func (s *statement) row() (central.Row, []any) {
	r := central.Schema[s.table].New()
	fields := r.Fields()
	for i, v := range s.known {
		switch f := fields[i].(type) {
		case *int64:
			*f = v.(int64)
		case *string:
			*f = v.(string)
		}
	}
	if s.only == nil {
		return r, fields
	}
	for i, column := range s.only {
		fields[i] = fields[column] // ascending: nothing is overwritten before it is read
	}
	return r, fields[:len(s.only)]
}

func newStore(d *dialect, db database) *Store {
	s := &Store{dialect: d, database: db}
	for i := range central.Schema {
		s.tables = append(s.tables, newStatements(&central.Schema[i], d))
	}
	return s
}

// Close closes the database; it waits for running write transactions.
func (s *Store) Close() error { return s.database.close() }

// Begin opens a write transaction.
func (s *Store) Begin(ctx context.Context) (central.Tx, error) {
	session, err := s.database.begin(ctx)
	if err != nil {
		return nil, err
	}
	return &tx{s, session}, nil
}

type tx struct {
	store   *Store
	session session
}

// Load selects the rows table by table, in the order of the tables.
func (t *tx) Load(ctx context.Context, keys, shared []central.Key) ([]central.Row, error) {
	var list []statement
	for len(keys)+len(shared) > 0 {
		var run []central.Key
		lock := t.store.dialect.update
		if len(shared) == 0 || len(keys) > 0 && keys[0].Table <= shared[0].Table {
			run, keys = cutTable(keys)
		} else {
			run, shared = cutTable(shared)
			lock = t.store.dialect.share
		}
		list = append(list, t.store.tables[run[0].Table].load(run, lock)...)
	}
	return t.session.query(ctx, list)
}

// cutTable returns the keys of the first table and the others.
func cutTable(keys []central.Key) (run, rest []central.Key) {
	n := 1
	for n < len(keys) && keys[n].Table == keys[0].Table {
		n++
	}
	return keys[:n], keys[n:]
}

// Apply writes the rows of each table with as few statements as their number takes, in the order of the tables.
func (t *tx) Apply(ctx context.Context, c *central.Changes) error {
	inserts, puts := byTable(c.New, nil), byTable(c.Put, c.Add)
	var list []statement
	for i, table := range t.store.tables {
		list = append(list, table.write(insert, inserts[i])...)
		list = append(list, table.write(put, puts[i])...)
	}
	return t.session.exec(ctx, list)
}

func byTable(a, b []central.Row) [][]central.Row {
	tables := make([][]central.Row, len(central.Schema))
	for _, list := range [2][]central.Row{a, b} {
		for _, r := range list {
			tables[r.Table()] = append(tables[r.Table()], r)
		}
	}
	return tables
}

// Base tells what the session knows.
func (t *tx) Base() (state int64, alone bool) { return t.session.base() }

// Since tells what the session knows.
func (t *tx) Since(state int64, table central.TableID) bool { return t.session.since(state, table) }

func (t *tx) Commit(ctx context.Context) error { return t.session.commit(ctx) }
func (t *tx) Rollback()                        { t.session.rollback() }

// Snapshot opens a consistent view.
func (s *Store) Snapshot(ctx context.Context) (central.Snapshot, error) {
	session, err := s.database.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return &snapshot{store: s, session: session}, nil
}

type snapshot struct {
	store   *Store
	mu      sync.Mutex // a transaction does one thing at a time
	session session
}

func (s *snapshot) query(ctx context.Context, list []statement) ([]central.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session.query(ctx, list)
}

func (s *snapshot) Get(ctx context.Context, key central.Key) (central.Row, error) {
	rows, err := s.query(ctx, s.store.tables[key.Table].load([]central.Key{key}, ""))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// GetMany reads rows of several tables on one way there and back.
func (s *snapshot) GetMany(ctx context.Context, keys []central.Key) ([]central.Row, error) {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b central.Key) int { return cmp.Compare(a.Table, b.Table) })
	var list []statement
	for len(keys) > 0 {
		var run []central.Key
		run, keys = cutTable(keys)
		list = append(list, s.store.tables[run[0].Table].load(run, "")...)
	}
	return s.query(ctx, list)
}

// scanPage is how many rows of a scan are read at a time. A page is read whole, so that no cursor is open while its rows are worked on.
const scanPage = 2048

// scanned is one page of a scan, or the error that it met.
type scanned struct {
	rows []central.Row
	err  error
}

// Scan reads the next page while the rows of the last one are worked on.
func (s *snapshot) Scan(ctx context.Context, r central.Range, yield func(central.Row) error) error {
	left := r.Limit
	read := func(r central.Range) <-chan scanned {
		next := make(chan scanned, 1)
		go func() {
			rows, err := s.query(ctx, []statement{s.store.tables[r.From.Table].scan(r)})
			next <- scanned{rows, err}
		}()
		return next
	}
	limit := func() int {
		if left > 0 {
			return min(scanPage, left)
		}
		return scanPage
	}
	r.Limit = limit()
	next := read(r)
	for {
		p := <-next
		if p.err != nil {
			return p.err
		}
		last := len(p.rows) < r.Limit
		if left -= len(p.rows); !last && left != 0 {
			r.From, r.After, r.Limit = central.KeyOf(p.rows[len(p.rows)-1]), true, limit()
			next = read(r)
		} else {
			last = true
		}
		for _, row := range p.rows {
			if err := yield(row); err != nil {
				if !last {
					<-next // the transaction may end when it is back
				}
				return err
			}
		}
		if last {
			return nil
		}
	}
}

func (s *snapshot) Close() { s.session.rollback() } // read only: nothing to keep
