package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tirage/central"
	"tirage/store/sql"
)

// Engines are the names of the engines.
var Engines = []string{"sqlite"}

// Engine makes empty databases of one kind, side by side: the same disk, the same settings, the same schema.
type Engine struct {
	Name   string
	open   func(ctx context.Context, name string) (database, error)
	opened []database
	finish func() error
}

// database is a store that was opened for a run.
type database interface {
	central.Store
	Close() error
}

// Open readies an engine. For sqlite db is the folder in which the databases are made, "" for a temporary one.
func Open(ctx context.Context, name, db string) (*Engine, error) {
	switch name {
	case "sqlite":
		return openSQLite(db)
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
		open: func(ctx context.Context, name string) (database, error) {
			return sql.OpenSQLite(ctx, filepath.Join(root, name+".db"))
		},
		finish: func() error { return os.RemoveAll(root) },
	}, nil
}

// database opens the empty database of this name.
func (e *Engine) database(ctx context.Context, name string) (central.Store, error) {
	db, err := e.open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	e.opened = append(e.opened, db)
	return db, nil
}

// databases opens one for each name.
func (e *Engine) databases(ctx context.Context, names ...string) ([]central.Store, error) {
	stores := make([]central.Store, len(names))
	for i, name := range names {
		var err error
		if stores[i], err = e.database(ctx, name); err != nil {
			return nil, err
		}
	}
	return stores, nil
}

// Close closes the databases and removes them.
func (e *Engine) Close() error {
	var err error
	for _, db := range e.opened {
		err = errors.Join(err, db.Close())
	}
	e.opened = nil
	return errors.Join(err, e.finish())
}
