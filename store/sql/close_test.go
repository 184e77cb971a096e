package sql_test

import (
	"os"
	"path/filepath"
	"testing"

	"tirage/central"
	"tirage/store/sql"
)

// A closed database is one file: what is copied or moved then holds everything.
func TestSQLiteCloseLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	s, err := sql.OpenSQLite(t.Context(), filepath.Join(dir, "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := s.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Apply(t.Context(), &central.Changes{Add: []central.Row{&central.Counter{Name: "plays", N: 1}}}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := snap.Get(t.Context(), central.Key{Table: central.Counters, S: "plays"}); err != nil {
		t.Fatal(err)
	}
	snap.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}
