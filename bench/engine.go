package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"tirage/central"
	"tirage/internal/pgserver"
	"tirage/store/sql"
)

// Engines are the names of the engines.
var Engines = []string{"sqlite", "postgres"}

// Engine makes empty databases of one kind, side by side: the same disk, the same settings, the same schema.
type Engine struct {
	Name    string
	create  func(ctx context.Context, name string) (database, error)
	connect func(ctx context.Context, name string) (database, error) // to one that was created; nil: one store serves all clients
	opened  []database
	finish  []func() error // last first
	made    int
}

// database is a store that was opened for a run.
type database interface {
	central.Store
	Close() error
}

// Open readies an engine. For sqlite db is the folder in which the databases are made, for postgres a server as URL or as "host=… user=…"
// whose user may create databases. With "" the folder is temporary, the server one of its own, which ends with the engine.
func Open(ctx context.Context, name, db string) (*Engine, error) {
	switch {
	case name == "sqlite":
		return openSQLite(db)
	case name == "postgres" && db == "":
		return startPostgres(ctx)
	case name == "postgres":
		return openPostgres(ctx, db)
	}
	return nil, fmt.Errorf("engine %q: accepted %v", name, Engines)
}

func openSQLite(dir string) (*Engine, error) {
	root, err := dir, error(nil)
	if dir != "" {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		root, err = os.MkdirTemp(dir, "tirage-bench-")
	}
	if err != nil {
		return nil, fmt.Errorf("folder of the databases: %w", err)
	}
	return &Engine{
		Name: "sqlite",
		create: func(ctx context.Context, name string) (database, error) {
			return sql.OpenSQLite(ctx, filepath.Join(root, name+".db"))
		},
		finish: []func() error{func() error { return os.RemoveAll(root) }},
	}, nil
}

// serverSettings are those of the server that a run starts. Commits reach the disk, as they do by default; what is set gives
// all kinds of transactions alike the memory and the room for its log that a server of a sale has.
var serverSettings = map[string]string{"max_connections": "400", "shared_buffers": "512MB", "max_wal_size": "8GB"}

// startPostgres starts a server for the run.
func startPostgres(ctx context.Context) (*Engine, error) {
	s, err := pgserver.Start(ctx, pgserver.Options{Settings: serverSettings})
	if err != nil {
		return nil, err
	}
	return &Engine{
		Name: "postgres",
		create: func(ctx context.Context, name string) (database, error) {
			dsn, err := s.Create(ctx, name)
			if err != nil {
				return nil, err
			}
			return sql.OpenPostgres(ctx, dsn)
		},
		connect: func(ctx context.Context, name string) (database, error) { return sql.OpenPostgres(ctx, s.DSN(name)) },
		finish:  []func() error{s.Stop},
	}, nil
}

// openPostgres makes databases on a server that runs already, and removes them at the end. What else the server holds is not touched.
func openPostgres(ctx context.Context, dsn string) (*Engine, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("how to reach PostgreSQL: %w", err)
	}
	run := func(ctx context.Context, statement string) error {
		conn, err := pgx.ConnectConfig(ctx, cfg)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, statement)
		return errors.Join(err, conn.Close(ctx))
	}
	if err := run(ctx, ""); err != nil {
		return nil, fmt.Errorf("PostgreSQL cannot be reached: %w", err)
	}
	e := &Engine{Name: "postgres"}
	full := func(name string) string { return fmt.Sprintf("tirage_bench_%d_%s", os.Getpid(), name) }
	e.connect = func(ctx context.Context, name string) (database, error) {
		other, err := withDatabase(dsn, full(name))
		if err != nil {
			return nil, err
		}
		return sql.OpenPostgres(ctx, other)
	}
	e.create = func(ctx context.Context, name string) (database, error) {
		quoted := pgx.Identifier{full(name)}.Sanitize()
		if err := run(ctx, "CREATE DATABASE "+quoted+" TEMPLATE template0"); err != nil {
			return nil, err
		}
		e.finish = append(e.finish, func() error { return run(context.WithoutCancel(ctx), "DROP DATABASE "+quoted+" WITH (FORCE)") })
		return e.connect(ctx, name)
	}
	return e, nil
}

// withDatabase returns how to reach another database of the same server.
func withDatabase(dsn, name string) (string, error) {
	if !strings.Contains(dsn, "://") {
		return dsn + " dbname=" + name, nil // the last one counts
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", fmt.Errorf("how to reach PostgreSQL: %w", err)
	}
	u.Path = "/" + name
	return u.String(), nil
}

// named is an empty database and its name.
type named struct {
	central.Store
	engine *Engine
	name   string
}

// databases makes an empty one for each name.
func (e *Engine) databases(ctx context.Context, names ...string) ([]named, error) {
	list := make([]named, len(names))
	for i, name := range names {
		e.made++
		name = fmt.Sprintf("%s%d", name, e.made)
		db, err := e.create(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("database %s: %w", name, err)
		}
		e.opened = append(e.opened, db)
		list[i] = named{db, e, name}
	}
	return list, nil
}

// oneWriter reports whether the engine takes one write transaction at a time.
func (n named) oneWriter() bool { return n.engine.connect == nil }

// forClients returns a store for each of n clients that write at the same time: one with connections of its own where the engine takes
// several write transactions at a time, the same for all where it takes one.
func (n named) forClients(ctx context.Context, clients int) ([]central.Store, error) {
	stores := make([]central.Store, clients)
	for i := range stores {
		if n.oneWriter() {
			stores[i] = n.Store
			continue
		}
		db, err := n.engine.connect(ctx, n.name)
		if err != nil {
			return nil, fmt.Errorf("connection %d to database %s: %w", i+1, n.name, err)
		}
		n.engine.opened = append(n.engine.opened, db)
		stores[i] = db
	}
	return stores, nil
}

// Close closes the databases and removes them.
func (e *Engine) Close() error {
	var err error
	for _, db := range e.opened {
		err = errors.Join(err, db.Close())
	}
	for i := range e.finish {
		err = errors.Join(err, e.finish[len(e.finish)-1-i]())
	}
	e.opened, e.finish = nil, nil
	return err
}
