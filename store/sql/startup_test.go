package sql

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/pgtest"
)

// filled makes a database with some pages in every table that sales fill, and closes it.
func filled(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tirage.db")
	s, err := OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fill(t, s)
	return path
}

func fill(t *testing.T, s *Store) {
	t.Helper()
	changes := central.Changes{New: []central.Row{&central.Writer{Size: 500, At: 1}}}
	for i := range int64(500) {
		changes.New = append(changes.New,
			&central.LeafRow{Index: i, Salt: make([]byte, 16), Body: []byte(strings.Repeat("x", 400))},
			&central.Play{Draw: "loto-2018-11-03", ID: i, Lines: make([]byte, 80)})
	}
	tx, err := s.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Apply(t.Context(), &changes); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// change runs statements on an SQLite file as another program would.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// overwrite writes bytes into a file.
func overwrite(t *testing.T, path string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

const pageBytes = 4096

// pageOf returns where the root page of a table stands in a file.
func pageOf(t *testing.T, path, table string) (at int64) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = $1", table).Scan(&at); err != nil {
		t.Fatal(err)
	}
	return (at - 1) * pageBytes
}

// What must not be sold on is refused before anything is written to it, in words that say what to do.
func TestStartRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		says  []string
	}{
		{"text", func(t *testing.T, path string) { overwrite(t, path, 0, []byte("Dear Sir or Madam")) }, []string{"no SQLite database", "right path?", "tirage restore"}},
		{"another program's", func(t *testing.T, path string) {
			os.Remove(path)
			change(t, path, "PRAGMA application_id = 77", "CREATE TABLE songs (title TEXT)")
		}, []string{"another program", "nothing was changed"}},
		{"nobody's", func(t *testing.T, path string) {
			os.Remove(path)
			change(t, path, "CREATE TABLE songs (title TEXT)")
		}, []string{"another program (application id 0x0, 1 tables", "nothing was changed"}},
		{"cut in half", func(t *testing.T, path string) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()/2/pageBytes*pageBytes); err != nil {
				t.Fatal(err)
			}
		}, []string{"damaged", "tirage restore"}},
		{"a page of plays overwritten", func(t *testing.T, path string) {
			overwrite(t, path, pageOf(t, path, "plays"), []byte(strings.Repeat("garbage ", pageBytes/8)))
		}, []string{"damaged", "do not sell", "tirage restore"}},
		{"a page zeroed", func(t *testing.T, path string) {
			overwrite(t, path, pageOf(t, path, "leaves"), make([]byte, pageBytes))
		}, []string{"damaged", "tirage restore"}},
		{"a table dropped", func(t *testing.T, path string) { change(t, path, "DROP TABLE plays") }, []string{"table plays is not as this program left it"}},
		{"a column renamed", func(t *testing.T, path string) { change(t, path, "ALTER TABLE players RENAME balance TO points") }, []string{"table players is not as"}},
		{"leaves removed", func(t *testing.T, path string) { change(t, path, "DELETE FROM leaves WHERE idx > 400") }, []string{"log of node 0 does not end at its leaf 499"}},
		{"the writer set back", func(t *testing.T, path string) { change(t, path, "UPDATE writers SET size = 400") }, []string{"log of node 0 does not end at its leaf 399"}},
		{"gone but for its log", func(t *testing.T, path string) {
			if err := os.Rename(path, path+"-wal"); err != nil {
				t.Fatal(err)
			}
		}, []string{"the database is gone, but its log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t)
			c.spoil(t, path)
			before, _ := os.ReadFile(path) // none is there where it is gone
			s, err := OpenSQLite(t.Context(), path)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			for _, says := range append(c.says, path) {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%v: want %q", err, says)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
				t.Error("the file was changed")
			}
			t.Log(err)
		})
	}
}

// On PostgreSQL the server answers for its files; tables and log are looked at all the same.
func TestStartRefusesPostgres(t *testing.T) {
	dsn := pgtest.DSN(t)
	s, err := OpenPostgres(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fill(t, s)
	for _, c := range []struct{ spoil, says, repair string }{
		{"ALTER TABLE players RENAME balance TO points", "table players is not as this program left it", "ALTER TABLE players RENAME points TO balance"},
		{"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)", "use a newer program", "DELETE FROM goose_db_version WHERE version_id = 99999"},
		{"DELETE FROM leaves WHERE idx > 400", "log of node 0 does not end at its leaf 499", ""},
		{"DROP TABLE plays", "table plays is not as this program left it", ""},
	} {
		exec := func(statement string) {
			if _, err := s.database.(*postgres).writer.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		exec(c.spoil)
		again, err := OpenPostgres(t.Context(), dsn)
		if err == nil {
			again.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.spoil, err, c.says)
		}
		exec(c.repair)
	}
}

func TestOpenExisting(t *testing.T) {
	folder := t.TempDir()
	older := filled(t)
	change(t, older, "DELETE FROM goose_db_version WHERE version_id > 0")
	empty := pgtest.DSN(t)
	for where, says := range map[string]string{
		filepath.Join(folder, "none.db"): "there is no database of tirage",
		empty:                            "there is no database of tirage",
		older:                            "of version 0, this program knows version",
		"postgres://%":                   "how to reach PostgreSQL",
	} {
		s, err := OpenExisting(t.Context(), where)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", where, err, says)
		}
	}
	if names, _ := os.ReadDir(folder); len(names) != 0 {
		t.Errorf("%v was made", names)
	}
	for _, where := range []string{filled(t), empty} {
		s, err := Open(t.Context(), where)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if s, err = OpenExisting(t.Context(), where); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
}

func TestIsPostgres(t *testing.T) {
	for where, want := range map[string]bool{
		"postgres://u@h/db": true, "postgresql:///db": true, "host=/run dbname=x": true, "dbname=x": true,
		"tirage.db": false, "/var/lib/tirage.db": false, "dir/a=b.db": false, "./a=b": false, "file:x.db": false, "http://x": false, "": false,
	} {
		if IsPostgres(where) != want {
			t.Errorf("IsPostgres(%q) = %v", where, !want)
		}
	}
}

// An opening that is cancelled says that, at whatever moment: a whole database is never called damaged.
func TestCancelledOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	s, err := OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cancelled := 0
	for i := range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Microsecond)
		s, err := OpenSQLite(ctx, path)
		cancel()
		switch {
		case err == nil:
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		case strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "restore"):
			t.Fatalf("after %d µs: %v", i*20, err)
		default:
			cancelled++
		}
	}
	if cancelled == 0 {
		t.Log("no opening was cancelled in time")
	}
}
