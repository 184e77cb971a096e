package storetest_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tirage/central"
	"tirage/internal/pgserver"
	"tirage/internal/pgtest"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// PostgreSQL is killed under load and comes back: sales are refused with a clear error meanwhile, go on by themselves afterwards, and each client
// that asks again under the same key has bought once.
func TestPostgreSQLKilledUnderLoad(t *testing.T) {
	pgtest.Server(t) // skips where PostgreSQL is not installed
	server, err := pgserver.Start(t.Context(), pgserver.Options{})
	check(t, err)
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	dsn, err := server.Create(t.Context(), "lost")
	check(t, err)
	store, err := sql.OpenPostgres(t.Context(), dsn)
	check(t, err)
	t.Cleanup(func() { store.Close() })
	w := storetest.NewWorld(t, store)
	draw, _ := onSale(w)
	player := w.Player("one", 1_000_000)

	const each = 12
	var accepted, unavailable atomic.Int64
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := range each {
				for {
					_, err := ask(w, central.PlayerPrincipal(player), fmt.Sprintf("%d/%d", c, i), buy(player, draw, simple))
					if err == nil {
						accepted.Add(1)
						break
					}
					unavailable.Add(1)
					if central.CodeOf(err) != central.Unavailable {
						t.Errorf("refused with %v", err)
						return
					}
				}
			}
		})
	}
	for accepted.Load() < 200 && !t.Failed() {
		_ = w.Balance(player) // reads go on beside the sales
	}
	check(t, server.Kill())
	check(t, server.Restart(t.Context()))
	wg.Wait()
	w.CheckBooks()
	plays := rows[central.Play](t, store, central.Plays)
	if accepted.Load() != each*clients || len(plays) != each*clients {
		t.Errorf("%d purchases accepted of %d, %d plays stored", accepted.Load(), each*clients, len(plays))
	}
	t.Logf("%d purchases, %d times told to try again", accepted.Load(), unavailable.Load())
}
