package sql

import (
	"path/filepath"
	"testing"

	"tirage/central"
)

// What another process commits into the file between two transactions is seen by the second one, as is whatever a connection that was lost has left.
func TestAnotherProcessWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	open := func() *Store {
		s, err := OpenSQLite(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	ours, theirs := open(), open()
	write := func(s *Store) int64 {
		tx, err := s.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		state, alone := tx.Base()
		if !alone {
			t.Fatal("a transaction on a file is alone")
		}
		if err := tx.Apply(t.Context(), &central.Changes{Add: []central.Row{&central.Counter{Name: "base", N: 1}}}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		return state
	}
	first := write(ours)
	if second := write(ours); second != first+1 {
		t.Errorf("state %d after %d", second, first)
	}
	write(theirs)
	tx, err := ours.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !tx.Since(first+2, central.Players) {
		t.Error("another process may have written in any table")
	}
	tx.Rollback()
	third := write(ours)
	if third <= first+2 {
		t.Errorf("state %d after %d, though another process has written", third, first)
	}
	if fourth := write(ours); fourth != third+1 {
		t.Errorf("state %d after %d", fourth, third)
	}
}
