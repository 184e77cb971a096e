package sql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"runtime"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"tirage/central"
)

var sqliteDialect = &dialect{name: "sqlite", goose: goose.DialectSQLite3, begin: "BEGIN IMMEDIATE", writers: 1, text: unnumbered, classify: classifySQLite}

// OpenSQLite opens or makes the database in a file: write-ahead log, every commit on the disk before it returns, one writer.
func OpenSQLite(ctx context.Context, path string) (*Store, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; a database file is needed", path)
	}
	writer, err := openSQLite(path, "_txlock=immediate", 2)
	if err != nil {
		return nil, err
	}
	reader, err := openSQLite(path, "_pragma=query_only(1)", max(4, runtime.NumCPU()))
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	s, err := newStore(ctx, sqliteDialect, writer, reader)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func openSQLite(path, extra string, conns int) (*sql.DB, error) {
	q := "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=cache_size(-65536)&" + extra
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+q)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

var numbered = regexp.MustCompile(`\$[0-9]+`)

// unnumbered turns $1, $2, … into ?: every statement names its parameters once and in order, and SQLite looks a named parameter up in a
// list at each binding, which made half of the cost of an insert of 64 rows.
func unnumbered(query string) string { return numbered.ReplaceAllString(query, "?") }

// classifySQLite marks what a new attempt may not meet again: another writer, a row that is there already.
func classifySQLite(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", central.ErrRetry, err)
	}
	return err
}
