// Package sql keeps the rows of package central in a relational database.
//
// There is one SQL text, made from the description of the tables, with $N placeholders. What differs between engines is in a [dialect]: the DDL (two folders of
// migrations), how a load locks, how errors are told apart.
package sql

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"tirage/central"
)

//go:embed migrations
var migrations embed.FS

// dialect is what differs between engines.
type dialect struct {
	name     string
	goose    goose.Dialect
	begin    string              // opens a write transaction
	lock     string              // ends a load: " FOR UPDATE"
	writers  int                 // write transactions at a time
	text     func(string) string // adapts placeholders; nil: as they are
	classify func(error) error   // wraps central.ErrRetry or central.ErrInDoubt where they apply
}

// Store is a database. Several goroutines may use it; SQLite takes one write transaction at a time.
type Store struct {
	dialect *dialect
	writer  *sql.DB
	reader  *sql.DB
	tables  []*statements
	conns   chan *conn // of writer, idle; nil: to be opened
}

// conn is a connection for write transactions with its prepared statements. Their texts are few: sizes are rounded to powers of two.
type conn struct {
	*sql.Conn
	prepared map[string]*sql.Stmt
}

func newStore(ctx context.Context, d *dialect, writer, reader *sql.DB) (*Store, error) {
	s := &Store{dialect: d, writer: writer, reader: reader, conns: make(chan *conn, d.writers)}
	for range d.writers {
		s.conns <- nil
	}
	for i := range central.Schema {
		s.tables = append(s.tables, newStatements(&central.Schema[i]))
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// migrate brings the schema up to date. It refuses a database that a newer program has written.
func (s *Store) migrate(ctx context.Context) error {
	dir, err := fs.Sub(migrations, "migrations/"+s.dialect.name)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(s.dialect.goose, s.writer, dir)
	if err != nil {
		return err
	}
	current, known, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("the database cannot be read: %w", err)
	}
	if current > known {
		return fmt.Errorf("the database is of version %d, this program knows version %d: use a newer program", current, known)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("the database could not be brought to version %d: %w", known, err)
	}
	return nil
}

// Close closes the database; it waits for running write transactions.
func (s *Store) Close() error {
	for range s.dialect.writers {
		if c := <-s.conns; c != nil {
			_ = c.Close() // closing the pool tells
		}
	}
	err := s.writer.Close()
	if s.reader != s.writer {
		err = errors.Join(err, s.reader.Close())
	}
	return err
}

// Begin opens a write transaction.
func (s *Store) Begin(ctx context.Context) (central.Tx, error) {
	c := <-s.conns
	if c == nil {
		raw, err := s.writer.Conn(ctx)
		if err != nil {
			s.conns <- nil
			return nil, s.dialect.classify(err)
		}
		c = &conn{raw, map[string]*sql.Stmt{}}
	}
	t := &tx{store: s, conn: c}
	if err := t.exec(ctx, s.dialect.begin); err != nil {
		t.release(false)
		return nil, s.dialect.classify(err)
	}
	return t, nil
}

type tx struct {
	store *Store
	conn  *conn // nil after the end
}

func (t *tx) exec(ctx context.Context, query string) error {
	st, err := t.statement(ctx, query)
	if err == nil {
		_, err = st.ExecContext(ctx)
	}
	return err
}

// statement prepares a query once a connection.
func (t *tx) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := t.conn.prepared[query]; ok {
		return st, nil
	}
	text := query
	if t.store.dialect.text != nil {
		text = t.store.dialect.text(query)
	}
	st, err := t.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%w in %.200s", err, query)
	}
	t.conn.prepared[query] = st
	return st, nil
}

// release gives the connection back; one that failed is closed and a new one opened in its place.
func (t *tx) release(sound bool) {
	c := t.conn
	t.conn = nil
	if !sound {
		_ = c.Close() // it failed already
		c = nil
	}
	t.store.conns <- c
}

// maxRows bounds the rows of one statement; 64 rows of the widest table stay below every engine's limit of parameters.
const maxRows = 64

// Load selects the rows table by table, in the order of the tables; keys come sorted.
func (t *tx) Load(ctx context.Context, keys []central.Key) ([]central.Row, error) {
	var rows []central.Row
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && n < maxRows && keys[n].Table == keys[0].Table {
			n++
		}
		found, err := t.loadTable(ctx, keys[:n])
		if err != nil {
			return nil, t.store.dialect.classify(err)
		}
		rows = append(rows, found...)
		keys = keys[n:]
	}
	return rows, nil
}

// loadTable selects up to maxRows rows of one table. The last key is repeated up to a power of two.
func (t *tx) loadTable(ctx context.Context, keys []central.Key) ([]central.Row, error) {
	table := keys[0].Table
	size := 1
	for size < len(keys) {
		size *= 2
	}
	args := make([]any, 0, size*central.Schema[table].PK)
	for i := range size {
		args = append(args, keys[min(i, len(keys)-1)].Values()...)
	}
	lock := t.store.dialect.lock
	if central.Schema[table].Add != "" || central.Schema[table].Append {
		lock = ""
	}
	st, err := t.statement(ctx, t.store.tables[table].load(size, lock))
	if err != nil {
		return nil, err
	}
	found, err := st.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	var rows []central.Row
	err = each(found, table, func(r central.Row) error {
		rows = append(rows, r)
		return nil
	})
	return rows, err
}

// each scans the rows of a table and closes them.
func each(found *sql.Rows, table central.TableID, yield func(central.Row) error) error {
	defer found.Close()
	for found.Next() {
		r := central.Schema[table].New()
		if err := found.Scan(r.Fields()...); err != nil {
			return err
		}
		if err := yield(r); err != nil {
			return err
		}
	}
	return found.Err()
}

// Apply writes runs of rows of one table with as few statements as their number takes.
func (t *tx) Apply(ctx context.Context, c *central.Changes) error {
	byTable := make([][]central.Row, len(central.Schema))
	for _, list := range [][]central.Row{c.Put, c.Add} {
		for _, r := range list {
			byTable[r.Table()] = append(byTable[r.Table()], r)
		}
	}
	for table, rows := range byTable {
		for size := maxRows; len(rows) > 0; size /= 2 {
			for len(rows) >= size {
				if err := t.put(ctx, central.TableID(table), rows[:size]); err != nil {
					return t.store.dialect.classify(err)
				}
				rows = rows[size:]
			}
		}
	}
	return nil
}

func (t *tx) put(ctx context.Context, table central.TableID, rows []central.Row) error {
	st, err := t.statement(ctx, t.store.tables[table].put(len(rows)))
	if err != nil {
		return err
	}
	args := make([]any, 0, len(rows)*len(central.Schema[table].Columns))
	for _, r := range rows {
		for _, f := range r.Fields() {
			switch f := f.(type) {
			case *int64:
				args = append(args, *f)
			case *string:
				args = append(args, *f)
			case *[]byte:
				args = append(args, notNil(*f))
			}
		}
	}
	if _, err := st.ExecContext(ctx, args...); err != nil {
		return fmt.Errorf("%s: %w", central.Schema[table].Name, err)
	}
	return nil
}

// notNil turns no bytes into an empty value: the columns are NOT NULL.
func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Commit ends the transaction. The connection of a failed commit is closed, which rolls back whatever is left of it.
func (t *tx) Commit(ctx context.Context) error {
	err := t.exec(ctx, "COMMIT")
	t.release(err == nil)
	return t.store.dialect.classify(err)
}

// Rollback drops the transaction; after Commit it does nothing.
func (t *tx) Rollback() {
	if t.conn == nil {
		return
	}
	t.release(t.exec(context.Background(), "ROLLBACK") == nil)
}

// Snapshot opens a read-only transaction.
func (s *Store) Snapshot(ctx context.Context) (central.Snapshot, error) {
	t, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return nil, s.dialect.classify(err)
	}
	return &snapshot{s, t}, nil
}

type snapshot struct {
	store *Store
	tx    *sql.Tx
}

func (s *snapshot) Get(ctx context.Context, key central.Key) (central.Row, error) {
	found, err := s.tx.QueryContext(ctx, s.store.tables[key.Table].load(1, ""), key.Values()...)
	if err != nil {
		return nil, s.store.dialect.classify(err)
	}
	var row central.Row
	err = each(found, key.Table, func(r central.Row) error {
		row = r
		return nil
	})
	return row, err
}

// scanPage is how many rows of a scan are read at a time. A page is read whole before its rows are worked on, so that no cursor is open meanwhile.
const scanPage = 2048

func (s *snapshot) Scan(ctx context.Context, r central.Range, yield func(central.Row) error) error {
	left := r.Limit
	for {
		r.Limit = scanPage
		if left > 0 {
			r.Limit = min(scanPage, left)
		}
		rows, err := s.page(ctx, r)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := yield(row); err != nil {
				return err
			}
		}
		if left -= len(rows); len(rows) < r.Limit || left == 0 {
			return nil
		}
		r.From, r.After = central.KeyOf(rows[len(rows)-1]), true
	}
}

// page reads one page of a range.
func (s *snapshot) page(ctx context.Context, r central.Range) (rows []central.Row, err error) {
	query, args := s.store.tables[r.From.Table].scan(r)
	found, err := s.tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.store.dialect.classify(err)
	}
	err = each(found, r.From.Table, func(row central.Row) error {
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

func (s *snapshot) Close() { _ = s.tx.Rollback() } // read only: nothing to keep
