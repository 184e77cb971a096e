//go:build linux

package soak_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/pgtest"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// 18: winners were notified, then the server died and nobody was paid; after the restart they were mailed again. Here whoever notifies hears of a
// command when its leaf is in the store and not before, of each once, in the order of the log, whatever becomes of the transactions; and after a
// restart of nothing that was told before. Credits of winners are among them.
func TestCase18NotifyAfterCommitOnce(t *testing.T) {
	t.Run("mem", func(t *testing.T) { case18(t, &mem.Store{}) })
	t.Run("sqlite", func(t *testing.T) { case18(t, open(t, filepath.Join(t.TempDir(), "tirage.db"))) })
	t.Run("postgres", func(t *testing.T) {
		s, err := sql.OpenPostgres(t.Context(), pgtest.DSN(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		case18(t, s)
	})
}

func case18(t *testing.T, store central.Store) {
	const seed = 18
	rng := rand.New(rand.NewPCG(seed, seed))
	var mu sync.Mutex
	faulty := &storetest.Faulty{Store: store, Next: func() storetest.Fault { return storetest.NoFault }}
	var told []int64
	kinds := map[string]int{}
	hear := func(c *central.Config) {
		c.OnCommit = func(list []central.Done) {
			snap, err := store.Snapshot(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			defer snap.Close()
			for _, d := range list {
				told = append(told, d.Leaf.Index)
				kinds[d.Leaf.Kind]++
				if _, err := row[*central.LeafRow](context.Background(), snap, central.Key{Table: central.Leaves, M: d.Leaf.Index}); err != nil {
					t.Errorf("told of leaf %d before it is stored: %v", d.Leaf.Index, err)
				}
			}
		}
	}
	w := storetest.NewWorld(t, faulty, hear)
	w.Clock.Set(closes.Add(-time.Hour))
	player := w.Player("one", 10_000)
	draw := w.Open(central.OpenDraw{Game: "loto", Day: "2018-11-03", OpensAt: opens, ClosesAt: closes})
	faulty.Next = func() storetest.Fault {
		mu.Lock()
		defer mu.Unlock()
		return storetest.Fault(rng.IntN(int(storetest.DoubtApplied) + 1))
	}
	err := parallel(128, func(i int) error {
		_, err := w.Register.Do(context.Background(), central.Request{
			Principal: central.PlayerPrincipal(player), Key: fmt.Sprint(i), Command: central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{winner(i)}},
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Set(closes)
	w.Evening(draw, terms, drawn, central.Outside{})
	w.Register.Close()

	// The next process hears of what it accepts itself.
	again := storetest.NewWorld(t, store, hear)
	again.Clock.Set(closes)
	request := central.Request{Principal: "system", Key: "next", Command: central.Deposit{Player: player, Cents: 1}}
	for range 3 {
		if _, err := again.Register.Do(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	again.Register.Close()
	for i, index := range told {
		if index != int64(i) {
			t.Fatalf("told of leaf %d as number %d: %v", index, i, told)
		}
	}
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	logs, err := central.LogSizes(t.Context(), snap)
	if err != nil || logs[0].Size != int64(len(told)) {
		t.Errorf("told of %d leaves of %+v, %v", len(told), logs, err)
	}
	t.Logf("seed %d: %d leaves, each told once after its commit (%v); faults met: %d deadlocks, %d failed commits, %d in doubt and lost, %d in doubt and applied",
		seed, len(told), kinds, faulty.Met(storetest.Deadlock), faulty.Met(storetest.CommitFailed), faulty.Met(storetest.DoubtLost), faulty.Met(storetest.DoubtApplied))
}
