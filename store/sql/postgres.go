package sql

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"tirage/central"
)

// postgresDialect shares a draw between sales and keeps everything else to one transaction.
var postgresDialect = &dialect{name: "postgres", update: " FOR UPDATE", share: " FOR SHARE", arrays: true}

const (
	// writeConns is how many write transactions one process has at a time: a register has one, tests have a few.
	writeConns = 8
	// rollbackLimit bounds the farewell of a transaction that failed.
	rollbackLimit = 5 * time.Second
)

// settings of every connection, as far as the engine knows them. A lock that another node holds for longer than any batch takes is given up
// and asked for again, and a node that stops in the middle of a transaction does not stop the others for long. A batch touches few rows
// of large tables, always by their key, whatever the statistics say: a plan made when the table was empty stays right.
var settings = []string{
	"lock_timeout = '10s'",
	"idle_in_transaction_session_timeout = '60s'",
	"plan_cache_mode = force_generic_plan",
	"enable_seqscan = off",
	"enable_hashjoin = off",
	"enable_mergejoin = off",
}

// OpenPostgres opens a PostgreSQL database, as a URL or as "host=… dbname=…". Several processes may use it, each with its own node number.
// A server that acknowledges commits before they are on the disk is refused.
func OpenPostgres(ctx context.Context, dsn string) (*Store, error) {
	return openPostgres(ctx, dsn, true)
}

func openPostgres(ctx context.Context, dsn string, change bool) (*Store, error) {
	writer, err := newPool(ctx, dsn, writeConns)
	if err != nil {
		return nil, err
	}
	reader, err := newPool(ctx, dsn, int32(max(readConns, 2*runtime.NumCPU())))
	if err != nil {
		writer.Close()
		return nil, err
	}
	db := &postgres{writer, reader}
	s := newStore(postgresDialect, db)
	if err = db.prepare(ctx, change); err == nil {
		err = s.checkTables(ctx)
	}
	if err != nil {
		return nil, errors.Join(unlessStopped(ctx, err), db.close())
	}
	return s, nil
}

func newPool(ctx context.Context, dsn string, conns int32) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("how to reach PostgreSQL: %w", err)
	}
	cfg.MaxConns = conns
	cfg.ConnConfig.RuntimeParams["application_name"] = "tirage"
	cfg.AfterConnect = set
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	return pgxpool.NewWithConfig(ctx, cfg)
}

// set makes the settings of a new connection. Engines that speak like PostgreSQL know some of them only.
func set(ctx context.Context, conn *pgx.Conn) error {
	for _, setting := range settings {
		_, err := conn.PgConn().Exec(ctx, "SET "+setting).ReadAll()
		if e := (*pgconn.PgError)(nil); err != nil && !errors.As(err, &e) {
			return err
		}
	}
	return nil
}

// postgres is a database of a PostgreSQL server. Readers have connections of their own: a long look never keeps a sale waiting.
type postgres struct{ writer, reader *pgxpool.Pool }

// prepare checks the server and brings the schema up to date, or with change false makes sure that it is.
func (p *postgres) prepare(ctx context.Context, change bool) error {
	var encoding, synchronous string
	err := p.writer.QueryRow(ctx, "SELECT current_setting('server_encoding'), current_setting('synchronous_commit')").Scan(&encoding, &synchronous)
	switch {
	case err != nil:
		return fmt.Errorf("PostgreSQL cannot be reached: %w", err)
	case encoding != "UTF8":
		return fmt.Errorf("the database has the encoding %s, accepted UTF8", encoding)
	case synchronous == "off":
		return errors.New("synchronous_commit is off: an acknowledged purchase could be lost; accepted on, remote_write and remote_apply")
	}
	attempts := 10
	if !change {
		attempts = 0
		var ours bool
		if err := p.writer.QueryRow(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&ours); err != nil || !ours {
			return errors.Join(err, errNoDatabase)
		}
	}
	db := stdlib.OpenDBFromPool(p.writer)
	return errors.Join(migrate(ctx, db, "postgres", goose.DialectPostgres, attempts), db.Close())
}

func (p *postgres) close() error {
	p.writer.Close()
	p.reader.Close()
	return nil
}

// begin opens a transaction; BEGIN travels with its first statements.
func (p *postgres) begin(ctx context.Context) (session, error) {
	conn, err := p.writer.Acquire(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	return &pgSession{conn: conn}, nil
}

// snapshot tries another connection when one was lost while it lay idle, as all are after the server has started anew: nothing was read yet.
func (p *postgres) snapshot(ctx context.Context) (session, error) {
	for spare := p.reader.Config().MaxConns; ; spare-- {
		conn, err := p.reader.Acquire(ctx)
		if err != nil {
			return nil, unreachable(err)
		}
		s := &pgSession{conn: conn, begun: true}
		// The view is that of the first read.
		_, err = conn.Conn().PgConn().Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1").ReadAll()
		if err == nil {
			return s, nil
		}
		lost := conn.Conn().IsClosed()
		err = s.classify(err)
		s.rollback()
		if !lost || ctx.Err() != nil || spare == 0 {
			return nil, err
		}
	}
}

// unreachable marks a failure to connect.
func unreachable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", central.ErrDown, err)
}

// pgSession is a transaction. All statements of one call travel together, in one round trip.
type pgSession struct {
	conn  *pgxpool.Conn // nil after the end
	begun bool
}

// send sends statements and calls result for each, in order.
func (s *pgSession) send(ctx context.Context, list []statement, result func(pgx.BatchResults, statement) error) error {
	if len(list) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	first := !s.begun
	if first {
		batch.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
		s.begun = true
	}
	for _, st := range list {
		batch.Queue(st.text, st.args...)
	}
	results := s.conn.SendBatch(ctx, batch)
	err := func() error {
		if first {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		for _, st := range list {
			if err := result(results, st); err != nil {
				return fmt.Errorf("%s: %w", central.Schema[st.table].Name, err)
			}
		}
		return nil
	}()
	if closing := results.Close(); err == nil {
		err = closing
	}
	return s.classify(err)
}

func (s *pgSession) exec(ctx context.Context, list []statement) error {
	return s.send(ctx, list, func(results pgx.BatchResults, _ statement) error {
		_, err := results.Exec()
		return err
	})
}

func (s *pgSession) query(ctx context.Context, list []statement) ([]central.Row, error) {
	var rows []central.Row
	err := s.send(ctx, list, func(results pgx.BatchResults, st statement) error {
		found, err := results.Query()
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			r, fields := st.row()
			if err := found.Scan(fields...); err != nil {
				return err
			}
			rows = append(rows, r)
		}
		return found.Err()
	})
	return rows, err
}

// commit ends the transaction. Unless the server says in words that it was given up, a failure leaves the outcome in doubt.
func (s *pgSession) commit(ctx context.Context) error {
	if !s.begun {
		s.rollback()
		return nil
	}
	tag, err := s.conn.Exec(ctx, "COMMIT")
	switch e := (*pgconn.PgError)(nil); {
	case err == nil && tag.String() != "COMMIT":
		err = errors.New("the transaction had failed before its commit")
	case err == nil:
		s.conn.Release()
		s.conn = nil
		return nil
	case errors.As(err, &e) && (e.Code[:2] == "23" || e.Code[:2] == "40"):
		err = s.classify(err)
	default:
		err = fmt.Errorf("%w: %w", central.ErrInDoubt, err)
	}
	s.drop()
	return err
}

// base: others may hold what this transaction asks for.
func (s *pgSession) base() (state int64, alone bool) { return 0, false }

func (s *pgSession) since(int64, central.TableID) bool { return true }

func (s *pgSession) rollback() {
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackLimit)
	defer cancel()
	if s.begun {
		if _, err := s.conn.Exec(ctx, "ROLLBACK"); err != nil {
			s.drop()
			return
		}
	}
	s.conn.Release()
	s.conn = nil
}

// drop closes the connection: the server gives up what is left of its transaction.
func (s *pgSession) drop() {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackLimit)
	defer cancel()
	_ = s.conn.Conn().Close(ctx) // it failed already
	s.conn.Release()
	s.conn = nil
}

// classify marks what a new attempt may not meet again: a deadlock, a serialization failure, a row that another node inserted first, a
// lock held for too long, a connection lost before the commit; and a server that cannot write.
func (s *pgSession) classify(err error) error {
	var e *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return classifyCode(e.Code, err)
	case s.conn != nil && s.conn.Conn().IsClosed():
		return fmt.Errorf("%w: %w", central.ErrRetry, err)
	}
	return err
}

func classifyCode(code string, err error) error {
	const uniqueViolation, lockNotAvailable, readOnly = "23505", "55P03", "25006"
	switch class := code[:2]; {
	case code == uniqueViolation, code == lockNotAvailable, class == "40", class == "08", class == "57":
		return fmt.Errorf("%w: %w", central.ErrRetry, err)
	case code == readOnly, class == "53", class == "58": // a standby; no space, memory or connection left; the disk fails
		return fmt.Errorf("%w: %w", central.ErrDown, err)
	}
	return err
}
