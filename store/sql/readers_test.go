package sql

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"tirage/central"
)

// As many as follow the log, pay and sweep at a time may each keep a view while they wait for the writer: who holds the writer still gets one.
func TestViewsOfThoseWhoWait(t *testing.T) {
	s, err := OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tx, err := s.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for i := range readConns {
		var view central.Snapshot
		if view, err = s.Snapshot(ctx); err != nil {
			t.Fatalf("view %d: %v", i+1, err)
		}
		defer view.Close()
	}
}
