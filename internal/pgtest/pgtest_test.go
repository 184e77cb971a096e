package pgtest_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"tirage/internal/pgserver"
	"tirage/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestFreshDatabases(t *testing.T) {
	a, b := pgtest.DSN(t), pgtest.DSN(t)
	if a == b {
		t.Fatalf("two tests share %s", a)
	}
	exec(t, a, "CREATE TABLE only_in_a (n bigint)")
	exec(t, b, "CREATE TABLE only_in_a (n bigint)")
}

// What was committed before a crash of the server is there after its restart, and nothing of it is left after the stop.
func TestKillAndRestart(t *testing.T) {
	pgtest.Server(t) // skips where PostgreSQL is not installed
	s, err := pgserver.Start(t.Context(), pgserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := s.Dir()
	stopped := false
	defer func() {
		if !stopped {
			s.Stop()
		}
	}()
	dsn, err := s.Create(t.Context(), "crash")
	if err != nil {
		t.Fatal(err)
	}
	exec(t, dsn, "CREATE TABLE kept AS SELECT 42 AS n")
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, dsn, "INSERT INTO kept SELECT n FROM kept")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	stopped = true
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("folder %s is left: %v", dir, err)
	}
}

func exec(t *testing.T, dsn, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
