package sql

import (
	"context"
	"testing"

	"tirage/central"
	"tirage/internal/pgtest"
)

// Sales hold their draw together; the close waits for all of them, and what comes after it waits for the close.
func TestDrawIsSharedBetweenSales(t *testing.T) {
	ctx := context.Background()
	s, err := OpenPostgres(ctx, pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	draw := []central.Key{{Table: central.Draws, S: "d"}}
	begin := func() central.Tx {
		tx, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	load := func(tx central.Tx, keys, shared []central.Key) <-chan string {
		done := make(chan string, 1)
		go func() {
			rows, err := tx.Load(ctx, keys, shared)
			if err != nil || len(rows) != 1 {
				t.Errorf("loaded %d rows with %v", len(rows), err)
				done <- ""
				return
			}
			done <- rows[0].(*central.Draw).State
		}()
		return done
	}
	tx := begin()
	if err := tx.Apply(ctx, &central.Changes{New: []central.Row{&central.Draw{ID: "d", State: "open"}}}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}

	first, second, closing, late := begin(), begin(), begin(), begin()
	defer late.Rollback()
	<-load(first, nil, draw)
	<-load(second, nil, draw) // beside the first
	closed := load(closing, draw, nil)
	waiting(t, s, 1)
	first.Rollback()
	waiting(t, s, 1) // for the second
	second.Rollback()
	if state := <-closed; state != "open" {
		t.Errorf("the close finds a draw that is %s", state)
	}
	sale := load(late, nil, draw)
	waiting(t, s, 1)
	if err := closing.Apply(ctx, &central.Changes{Put: []central.Row{&central.Draw{ID: "d", State: "closed"}}}); err != nil {
		t.Fatal(err)
	}
	if err := closing.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if state := <-sale; state != "closed" {
		t.Errorf("a sale that waited for the close finds a draw that is %s", state)
	}
}

// waiting returns when n sessions wait for a lock.
func waiting(t *testing.T, s *Store, n int) {
	t.Helper()
	for found := -1; found != n; {
		err := s.database.(*postgres).reader.QueryRow(context.Background(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&found)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A look at the database survives the loss of every connection that lay idle: as after a new start of the server.
func TestSnapshotAfterLostConnections(t *testing.T) {
	ctx := context.Background()
	dsn := pgtest.DSN(t)
	s, err := OpenPostgres(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var open []central.Snapshot
	for range 6 {
		look, err := s.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, look)
	}
	for _, look := range open {
		look.Close()
	}
	end := "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + pgtest.Name(dsn) + "'"
	if err := pgtest.Server(t).Exec(ctx, end); err != nil {
		t.Fatal(err)
	}
	look, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	if _, err := look.Get(ctx, central.Key{Table: central.Draws, S: "d"}); err != nil {
		t.Error(err)
	}
}
