package sql

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tirage/central"
)

// guard notices that the files of an SQLite database are no longer those that the process writes to. A file that was removed or replaced while it is
// open takes every write without an error, and all of it is lost with the process: what is sold then is sold into nothing. A connection that is opened
// then would even make new files in their place.
type guard struct {
	path      string
	file, log fs.FileInfo // the database and its write-ahead log when they were opened
	anchor    *litePool   // keeps the log the same file: it goes with the last connection
}

func newGuard(ctx context.Context, path string) (*guard, error) {
	g := &guard{path: path, anchor: newLitePool(path, queryOnly, 1)}
	s, err := g.anchor.begin(ctx, "BEGIN")
	if err == nil {
		err = s.run(ctx, firstRead) // opens the log
		s.rollback()
	}
	if err == nil {
		g.file, err = os.Stat(path)
	}
	if err == nil {
		g.log, err = os.Stat(path + "-wal")
	}
	if err != nil {
		return nil, errors.Join(err, g.anchor.close())
	}
	return g, nil
}

// check compares the files in the folder with those that are open. It costs some microseconds.
func (g *guard) check() error {
	if err := same(g.path, g.file); err != nil {
		return err
	}
	return same(g.path+"-wal", g.log)
}

func same(path string, opened fs.FileInfo) error {
	found, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: a file of the database is gone: put it back; if it is lost, stop and %s: %w", central.ErrDown, restoreAdvice, err)
	case !os.SameFile(found, opened):
		return fmt.Errorf("%w: %s was replaced by another file: put it back, or stop and start", central.ErrDown, path)
	}
	return nil
}
