// Package pgtest gives each test an empty database on a PostgreSQL server that the test binary starts for itself.
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		store, err := sql.OpenPostgres(t.Context(), pgtest.DSN(t))
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tirage/internal/pgserver"
)

var (
	start     = sync.OnceValues(func() (*pgserver.Server, error) { return pgserver.Start(context.Background(), options) })
	options   = pgserver.Options{Volatile: true, Settings: map[string]string{"max_connections": "200", "shared_buffers": "64MB"}}
	started   atomic.Bool
	hasMain   atomic.Bool
	databases atomic.Int64
)

// Main runs the tests of a package and then stops the server, if one was needed.
func Main(m *testing.M) {
	hasMain.Store(true)
	code := m.Run()
	if started.Load() {
		if s, err := start(); err == nil {
			if err := s.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, "pgtest:", err)
				code = max(code, 1)
			}
		}
	}
	os.Exit(code)
}

// Server returns the server of the test binary. Where PostgreSQL is not installed the test is skipped, but with CI=true it fails: there everything
// must run.
func Server(t testing.TB) *pgserver.Server {
	t.Helper()
	if !hasMain.Load() {
		t.Fatal("pgtest: TestMain must call pgtest.Main, which stops the server")
	}
	started.Store(true)
	s, err := start()
	switch {
	case err == nil:
		return s
	case errors.Is(err, pgserver.ErrNotInstalled) && os.Getenv("CI") != "true":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
	return nil
}

// DSN returns how to reach a fresh, empty database. It goes with the server: to drop it costs more than a test.
func DSN(t testing.TB) string { return Copy(t, "template0") }

// Copy returns how to reach a fresh copy of a database of the server, to which nobody may be connected; see [Name].
func Copy(t testing.TB, from string) string {
	t.Helper()
	dsn, err := Server(t).Copy(context.Background(), fmt.Sprintf("test%d", databases.Add(1)), from)
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

// Name returns the name of the database that a DSN of this package reaches.
func Name(dsn string) string { return dsn[strings.LastIndex(dsn, "=")+1:] }
