package sql

import (
	"fmt"
	"io/fs"
	"os"

	"tirage/central"
)

// guard notices that the files of an SQLite database are no longer those that the process writes to. A file that was removed or replaced while it is
// open takes every write without an error, and all of it is lost with the process: what is sold then is sold into nothing.
type guard struct {
	path string
	file fs.FileInfo // the database when it was opened
}

func newGuard(path string) (*guard, error) {
	file, err := os.Stat(path)
	return &guard{path, file}, err
}

// check compares the files in the folder with those that a connection has open. It costs some microseconds; the write-ahead log lives as
// long as connections are open, so each connection knows its own.
func (g *guard) check(c *liteConn) error {
	if err := same(g.path, g.file); err != nil {
		return err
	}
	if c.log != nil {
		return same(g.path+"-wal", c.log)
	}
	var err error
	if c.log, err = os.Stat(g.path + "-wal"); err != nil {
		return fmt.Errorf("%w: the log of the database cannot be seen: %w", central.ErrDown, err)
	}
	return nil
}

func same(path string, opened fs.FileInfo) error {
	found, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: the file of the database is gone: put it back, or stop, restore a backup and start: %w", central.ErrDown, err)
	case !os.SameFile(found, opened):
		return fmt.Errorf("%w: %s was replaced by another file: put it back, or stop and start", central.ErrDown, path)
	}
	return nil
}
