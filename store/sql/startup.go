package sql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"tirage/central"
)

// What a database must be before anything is sold on it. Everything refused here is said in words, with what to do; nothing is written to
// a file that is not ours.

// applicationID stands in the header of our SQLite files: "tirg".
const applicationID = 0x74697267

const (
	restoreAdvice = "restore a backup with tirage restore"
	checkPath     = "is this the right path?"
)

// errNoDatabase says that there is nothing to read.
var errNoDatabase = errors.New("there is no database of tirage: " + checkPath)

// Open opens or makes the database that an operator names: a URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL, or else the path of an SQLite file.
func Open(ctx context.Context, where string) (*Store, error) { return open(ctx, where, true) }

// OpenExisting opens a database that is there already and that this program could sell on. It changes nothing in it.
func OpenExisting(ctx context.Context, where string) (*Store, error) { return open(ctx, where, false) }

func open(ctx context.Context, where string, change bool) (*Store, error) {
	if IsPostgres(where) {
		return openPostgres(ctx, where, change)
	}
	return openSQLite(ctx, where, change)
}

// IsPostgres tells how Open takes the name of a database.
func IsPostgres(where string) bool {
	scheme, _, ok := strings.Cut(where, "://")
	first, _, settings := strings.Cut(where, "=")
	return ok && (scheme == "postgres" || scheme == "postgresql") || settings && !strings.ContainsAny(first, "/\\. ")
}

// maxWhole bounds the files that are read through at the start: they take about four seconds. A larger one must not keep an operator
// waiting who starts again after a crash; tirage backup reads it through.
const maxWhole = 1 << 30

// inspect looks at an SQLite file without changing it: whether it is one, ours, and whole. A file that is not there yet, or empty, is fresh.
func inspect(ctx context.Context, path string) (fresh bool, err error) {
	info, err := os.Stat(path)
	switch wal, _ := os.Stat(path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist) && wal != nil && wal.Size() > 0:
		return false, fmt.Errorf("the database is gone, but its log %s-wal is there: put the file back in its place, or move the log away and %s", path, restoreAdvice)
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("the database cannot be read: %w", err)
	case info.IsDir():
		return false, errors.New("it is a folder; a database file is needed")
	case !info.Mode().IsRegular():
		return false, errors.New("it is no file; a database file is needed")
	case info.Size() == 0 && wal == nil:
		return true, nil
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return false, err
	}
	defer db.Close()
	if fresh, err = owned(ctx, db); err != nil || fresh || info.Size() > maxWhole {
		return fresh, err
	}
	return false, whole(ctx, db)
}

// owned reports whether the database is ours; one without a table is nobody's yet.
func owned(ctx context.Context, db *sql.DB) (fresh bool, err error) {
	var id, tables int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, unreadable(err)
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, unreadable(err)
	}
	switch {
	case id == applicationID:
		return false, nil
	case id == 0 && tables == 0:
		return true, nil
	}
	return false, fmt.Errorf("it is the database of another program (application id %#x, %d tables and indexes): nothing was changed in it; %s", id, tables, checkPath)
}

// whole checks the structure of every page (PRAGMA quick_check): one that was overwritten or lost is found before it is sold on.
func whole(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "PRAGMA quick_check(3)")
	if err != nil {
		return unreadable(err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return unreadable(err)
		}
		for line := range strings.Lines(s) {
			if !strings.HasPrefix(line, "***") { // "*** in database main ***"
				found = append(found, strings.TrimSpace(line))
			}
		}
	}
	if err := rows.Err(); err != nil {
		return unreadable(err)
	}
	if len(found) == 1 && found[0] == "ok" {
		return nil
	}
	return fmt.Errorf("the database is damaged (%s): do not sell on it; %s", strings.Join(found, "; "), restoreAdvice)
}

// unlessStopped returns what an opening found, unless it was stopped meanwhile: what a check says that did not come to its end means nothing.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("it was not opened: %w", ctx.Err())
	}
	return err
}

// unreadable says in words why an SQLite file cannot be read.
func unreadable(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("the database cannot be read: %w", err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the database cannot be read: the file is no SQLite database, or its first page is damaged; %s If so, %s (%w)", checkPath, restoreAdvice, err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the database is damaged: do not sell on it; %s (%w)", restoreAdvice, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY:
		return fmt.Errorf("the database cannot be opened: may this user read and write it and make files beside it, and is its disk not read-only? (%w)", err)
	}
	return fmt.Errorf("the database cannot be read: %w", err)
}

// makeFile makes an empty file, which only its owner may read: it holds who played what.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the database cannot be made: %w", err)
	}
	return f.Close()
}

// claim makes sure that the file can be written, and marks a fresh one as ours before it has a table.
func claim(ctx context.Context, db *sql.DB, fresh bool) error {
	text := "BEGIN IMMEDIATE; ROLLBACK"
	if fresh {
		text = fmt.Sprintf("PRAGMA application_id = %d", applicationID)
	}
	if _, err := db.ExecContext(ctx, text); err != nil {
		var e *sqlite.Error
		if errors.As(err, &e) {
			switch e.Code() & 0xff {
			case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
				return fmt.Errorf("the database cannot be written: is the file, its folder or its disk read-only for this user? (%w)", err)
			case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
				return fmt.Errorf("the database cannot be written: is the disk full? (%w)", err)
			}
		}
		return fmt.Errorf("the database cannot be written: %w", err)
	}
	return nil
}

// checkTables makes sure, on either engine, that each table has its columns, and that each writer's log ends where its row says.
func (s *Store) checkTables(ctx context.Context) error {
	snap, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	var writers []*central.Writer
	for i := range central.Schema {
		table := central.TableID(i)
		r := central.Range{From: central.Key{Table: table}, Limit: 1}
		if table == central.Writers {
			r.Limit = 0
		}
		err := snap.Scan(ctx, r, func(row central.Row) error {
			if w, ok := row.(*central.Writer); ok {
				writers = append(writers, w)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("table %s is not as this program left it: the database is damaged, or another program has changed it; %s (%w)", central.Schema[i].Name, restoreAdvice, err)
		}
	}
	for _, w := range writers {
		last, err := snap.Get(ctx, central.Key{Table: central.Leaves, N: w.Node, M: w.Size - 1})
		if err != nil {
			return err
		}
		next, err := snap.Get(ctx, central.Key{Table: central.Leaves, N: w.Node, M: w.Size})
		if err != nil {
			return err
		}
		if last == nil || next != nil {
			return fmt.Errorf("the log of node %d does not end at its leaf %d: the database is damaged; do not sell on it; %s", w.Node, w.Size-1, restoreAdvice)
		}
	}
	return nil
}
