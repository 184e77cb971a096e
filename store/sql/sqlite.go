package sql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"runtime"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"tirage/central"
)

// OpenSQLite opens or makes the database in a file: write-ahead log, every commit on the disk before it returns, one writer. A file that is another
// program's, damaged, newer or not to be written is refused in words.
func OpenSQLite(ctx context.Context, path string) (*Store, error) { return openSQLite(ctx, path, true) }

func openSQLite(ctx context.Context, path string, change bool) (*Store, error) {
	s, err := openFile(ctx, path, change)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, unlessStopped(ctx, err))
	}
	return s, nil
}

func openFile(ctx context.Context, path string, change bool) (*Store, error) {
	fresh, err := inspect(ctx, path)
	if err != nil {
		return nil, err
	}
	if fresh && !change {
		return nil, errNoDatabase
	}
	if fresh {
		if err := makeFile(path); err != nil {
			return nil, err
		}
	}
	db := &lite{writer: newLitePool(path, "", 1), reader: newLitePool(path, queryOnly, max(readConns, runtime.NumCPU()))}
	s := newStore(&dialect{name: "sqlite"}, db)
	err = prepare(ctx, path, fresh, change)
	if err == nil {
		err = s.checkTables(ctx)
	}
	if err == nil {
		db.guard, err = newGuard(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(err, db.close())
	}
	return s, nil
}

// readConns is how many views may be open at a time, at least. A follower, a payment and a sweep each keep one while they wait for the writer, and the
// register may need one more while it holds the writer: with no more connections than there are of those, all would wait for each other for ever.
const readConns = 24

// prepare brings the schema of the file up to date, or checks it when nothing may be changed.
func prepare(ctx context.Context, path string, fresh, change bool) error {
	db, err := sql.Open("sqlite", source(path, "&_txlock=immediate"))
	if err != nil {
		return err
	}
	attempts := 0
	if change {
		attempts = 1
		err = claim(ctx, db, fresh)
	}
	if err == nil {
		err = migrate(ctx, db, "sqlite", goose.DialectSQLite3, attempts)
	}
	return errors.Join(err, db.Close())
}

const (
	queryOnly = "&_pragma=query_only(1)"
	firstRead = "SELECT 1 FROM writers LIMIT 1" // the view of a transaction is that of its first read
)

// source names the file to the driver with the settings of every connection. A file that is lost is not made anew.
//
// A checkpoint every 2000 pages writes a page that many commits have changed once, and is still short enough for those who wait for it. When pages of a
// table are split, SQLite walks its whole cache at the commit: a cache of 16 MiB holds what sales touch, a larger one slows them down.
func source(path, extra string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?mode=rw&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=wal_autocheckpoint(2000)&_pragma=cache_size(-16384)" + extra
}

// lite is an SQLite file.
type lite struct {
	writer, reader *litePool
	guard          *guard

	// Of the transaction that writes.
	state   int64                      // commits that were seen, of anybody
	last    *liteConn                  // by which the state was seen last
	version int64                      // what that connection knew then of the commits of others
	wrote   [len(central.Schema)]int64 // the state that a write in a table has left last
}

// close ends with the writer: only a connection that may write brings the write-ahead log into the file and removes it, and it does so as the last.
func (l *lite) close() error {
	var err error
	if l.guard != nil {
		err = l.guard.anchor.close()
	}
	return errors.Join(err, l.reader.close(), l.writer.close())
}

func (l *lite) begin(ctx context.Context) (session, error) {
	s, err := l.open(ctx, l.writer, "BEGIN IMMEDIATE")
	if err != nil {
		return nil, err
	}
	s.guard, s.file = l.guard, l
	if err := l.follow(s); err != nil {
		s.rollback()
		return nil, classifySQLite(err)
	}
	return s, nil
}

// follow counts what others have committed since the last transaction that wrote: another process, or whatever a connection that failed has left.
func (l *lite) follow(s *liteSession) error {
	version, err := s.number("PRAGMA data_version")
	if err != nil {
		return err
	}
	if s.conn != l.last || version != l.version {
		l.state++
		l.last, l.version = s.conn, version
		for table := range l.wrote {
			l.wrote[table] = l.state // nobody knows in which
		}
	}
	return nil
}

func (l *lite) snapshot(ctx context.Context) (session, error) {
	s, err := l.open(ctx, l.reader, "BEGIN")
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx, firstRead); err != nil {
		s.rollback()
		return nil, classifySQLite(err)
	}
	return s, nil
}

// open opens a transaction on the files that were opened at the start. Until then there is no guard.
func (l *lite) open(ctx context.Context, p *litePool, begin string) (*liteSession, error) {
	if l.guard != nil {
		if err := l.guard.check(); err != nil {
			return nil, err
		}
	}
	return p.begin(ctx, begin)
}

// litePool is a fixed number of connections, opened when needed. They stand on the driver itself: database/sql turns every number into text and
// back, which made a third of the cost of a scan.
type litePool struct {
	source string
	conns  chan *liteConn // idle; nil: to be opened
}

// liteConn is a connection with its prepared statements. Their texts are few: see dialect.
type liteConn struct {
	driver.Conn
	prepared map[string]*liteStmt
}

// liteStmt is a prepared statement.
type liteStmt struct {
	driver.Stmt
	args []driver.NamedValue // of the last use
}

// end gives the connection up with its statements: SQLite keeps a connection, and the log beside the file, as long as one of them is open.
func (c *liteConn) end() error {
	var err error
	for _, st := range c.prepared {
		err = errors.Join(err, st.Close())
	}
	return errors.Join(err, c.Close())
}

func newLitePool(path, extra string, conns int) *litePool {
	p := &litePool{source(path, extra), make(chan *liteConn, conns)}
	for range conns {
		p.conns <- nil
	}
	return p
}

// close closes the pool when all connections are back.
func (p *litePool) close() error {
	var err error
	for range cap(p.conns) {
		if c := <-p.conns; c != nil {
			err = errors.Join(err, c.end())
		}
	}
	return err
}

func (p *litePool) begin(ctx context.Context, text string) (*liteSession, error) {
	var c *liteConn
	select {
	case c = <-p.conns:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c == nil {
		raw, err := new(sqlite.Driver).Open(p.source)
		if err != nil {
			p.conns <- nil
			return nil, classifySQLite(err)
		}
		c = &liteConn{Conn: raw, prepared: map[string]*liteStmt{}}
	}
	s := &liteSession{pool: p, conn: c}
	if err := s.run(ctx, text); err != nil {
		s.release(false)
		return nil, classifySQLite(err)
	}
	return s, nil
}

type liteSession struct {
	pool  *litePool
	conn  *liteConn // nil after the end
	guard *guard    // nil: nothing is written
	file  *lite     // the same
	wrote map[central.TableID]bool
}

func (s *liteSession) base() (state int64, alone bool) { return s.file.state, true }

func (s *liteSession) since(state int64, table central.TableID) bool {
	return s.file.wrote[table] > state
}

// committed counts a commit.
func (l *lite) committed(tables map[central.TableID]bool) {
	l.state++
	for table := range tables {
		l.wrote[table] = l.state
	}
}

// release gives the connection back; one that failed is closed and a new one opened in its place.
func (s *liteSession) release(sound bool) {
	c := s.conn
	s.conn = nil
	if !sound {
		_ = c.end() // it failed already
		c = nil
	}
	s.pool.conns <- c
}

// statement prepares a text once a connection, with its arguments. A statement is short, so a context that ends is noticed between two of them.
func (s *liteSession) statement(ctx context.Context, text string, args []any) (*liteStmt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st, ok := s.conn.prepared[text]
	if !ok {
		raw, err := s.conn.Prepare(unnumbered(text))
		if err != nil {
			return nil, fmt.Errorf("%w in %.200s", err, text)
		}
		st = &liteStmt{raw, make([]driver.NamedValue, len(args))}
		s.conn.prepared[text] = st
	}
	for i, a := range args {
		st.args[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return st, nil
}

var numbered = regexp.MustCompile(`\$[0-9]+`)

// unnumbered turns $1, $2, … into ?: every statement names its parameters once and in order, and SQLite looks a named parameter up in a
// list at each binding, which made half of the cost of an insert of 64 rows.
func unnumbered(query string) string { return numbered.ReplaceAllString(query, "?") }

func (s *liteSession) run(ctx context.Context, text string, args ...any) error {
	st, err := s.statement(ctx, text, args)
	if err == nil {
		_, err = st.Stmt.(driver.StmtExecContext).ExecContext(context.Background(), st.args)
	}
	return err
}

// number runs a statement that returns one number.
func (s *liteSession) number(text string) (n int64, err error) {
	st, err := s.statement(context.Background(), text, nil)
	if err != nil {
		return 0, err
	}
	found, err := st.Stmt.(driver.StmtQueryContext).QueryContext(context.Background(), st.args)
	if err != nil {
		return 0, err
	}
	value := make([]driver.Value, 1)
	if err = found.Next(value); err == nil {
		err = setFields([]any{&n}, value)
	}
	return n, errors.Join(err, found.Close())
}

func (s *liteSession) exec(ctx context.Context, list []statement) error {
	if s.wrote == nil {
		s.wrote = map[central.TableID]bool{}
	}
	for _, st := range list {
		s.wrote[st.table] = true
		if err := s.run(ctx, st.text, st.args...); err != nil {
			return classifySQLite(fmt.Errorf("%s: %w", central.Schema[st.table].Name, err))
		}
	}
	return nil
}

func (s *liteSession) query(ctx context.Context, list []statement) ([]central.Row, error) {
	var rows []central.Row
	for _, st := range list {
		found, err := s.selectRows(ctx, st)
		if err != nil {
			return nil, classifySQLite(err)
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

func (s *liteSession) selectRows(ctx context.Context, q statement) ([]central.Row, error) {
	st, err := s.statement(ctx, q.text, q.args)
	if err != nil {
		return nil, err
	}
	found, err := st.Stmt.(driver.StmtQueryContext).QueryContext(context.Background(), st.args)
	if err != nil {
		return nil, err
	}
	values := make([]driver.Value, len(found.Columns()))
	var rows []central.Row
	for {
		if err = found.Next(values); err != nil {
			break
		}
		r, fields := q.row()
		if err = setFields(fields, values); err != nil {
			err = fmt.Errorf("%s: %w", central.Schema[q.table].Name, err)
			break
		}
		rows = append(rows, r)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return rows, errors.Join(err, found.Close())
}

// setFields sets the columns of a row. The tables are STRICT, so the types are those of the schema.
func setFields(fields []any, values []driver.Value) error {
	for i, f := range fields {
		ok := true
		switch f := f.(type) {
		case *int64:
			*f, ok = values[i].(int64)
		case *string:
			*f, ok = values[i].(string)
		case *[]byte:
			*f, ok = values[i].([]byte)
		}
		if !ok {
			return fmt.Errorf("column %d of a row holds a %T", i+1, values[i])
		}
	}
	return nil
}

// commit ends the transaction. The connection of a failed commit is closed, which rolls back whatever is left of it.
func (s *liteSession) commit(ctx context.Context) error {
	err := s.run(ctx, "COMMIT")
	if err == nil && s.file != nil {
		s.file.committed(s.wrote)
	}
	if err == nil && s.guard != nil {
		// Nobody is answered for what was written into a file that is gone.
		if err := s.guard.check(); err != nil {
			s.release(true)
			return fmt.Errorf("%w: %w", central.ErrInDoubt, err)
		}
	}
	s.release(err == nil)
	if e := (*sqlite.Error)(nil); errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_IOERR {
		// What the log got may count after a crash.
		return fmt.Errorf("%w: %w", central.ErrInDoubt, err)
	}
	return classifySQLite(err)
}

func (s *liteSession) rollback() {
	if s.conn != nil {
		s.release(s.run(context.Background(), "ROLLBACK") == nil)
	}
}

// classifySQLite marks what a new attempt may not meet again, another writer or a row that is there already, and a file that can't be written.
func classifySQLite(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return fmt.Errorf("%w: %w", central.ErrRetry, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", central.ErrRetry, err)
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", central.ErrDown, err)
	}
	return err
}
