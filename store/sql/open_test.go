package sql

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tirage/internal/pgtest"
)

// Processes that start at the same time on an empty database make its tables once.
func TestOpenTogether(t *testing.T) {
	dsn := pgtest.DSN(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s, err := OpenPostgres(context.Background(), dsn)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
}

func TestRefusedDatabases(t *testing.T) {
	folder := t.TempDir()
	garbage := filepath.Join(folder, "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("this is no database. ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(folder, "newer.db")
	writeVersion(t, newer)
	unsafe := pgtest.DSN(t)
	if err := pgtest.Server(t).Exec(t.Context(), "ALTER DATABASE "+pgtest.Name(unsafe)+" SET synchronous_commit = off"); err != nil {
		t.Fatal(err)
	}
	sqlite := func(path string) func() (*Store, error) {
		return func() (*Store, error) { return OpenSQLite(t.Context(), path) }
	}
	postgres := func(dsn string) func() (*Store, error) {
		return func() (*Store, error) { return OpenPostgres(t.Context(), dsn) }
	}
	for _, c := range []struct {
		name string
		open func() (*Store, error)
		says string
	}{
		{"folder", sqlite(folder), "is a folder"},
		{"garbage", sqlite(garbage), "cannot be read"},
		{"newer SQLite", sqlite(newer), "use a newer program"},
		{"newer PostgreSQL", postgres(newerPostgres(t)), "use a newer program"},
		{"acknowledges too early", postgres(unsafe), "synchronous_commit is off"},
		{"no server", postgres("host=" + folder + " user=nobody dbname=none"), "cannot be reached"},
		{"no DSN", postgres("postgres://%"), "how to reach PostgreSQL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.open()
			if err == nil {
				s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("opened with %v, want %q", err, c.says)
			}
		})
	}
}

const newVersion = "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)"

// writeVersion makes an SQLite file as a newer program leaves it.
func writeVersion(t *testing.T, path string) {
	t.Helper()
	s, err := OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := liteDB(t, path).ExecContext(t.Context(), newVersion); err != nil {
		t.Fatal(err)
	}
}

// liteDB opens an SQLite file beside its store.
func liteDB(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", source(path, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newerPostgres(t *testing.T) (dsn string) {
	t.Helper()
	dsn = pgtest.DSN(t)
	s, err := OpenPostgres(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.database.(*postgres).writer.Exec(t.Context(), newVersion); err != nil {
		t.Fatal(err)
	}
	return dsn
}
