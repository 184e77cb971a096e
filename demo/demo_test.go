package demo_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tirage/central"
	"tirage/demo"
	"tirage/store/mem"
	"tirage/vault"
)

func seed(t *testing.T, now time.Time) *mem.Store {
	t.Helper()
	store := &mem.Store{}
	keys, err := vault.New(vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "banlist.txt")
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), demo.Config{Store: store, Keys: keys, BanList: list, Now: now}); err != nil {
		t.Fatal(err)
	}
	return store
}

// A past is made on an empty store: draws of both games were sold, drawn, counted and paid; the books hold, the players have messages, and more is on sale.
func TestSeed(t *testing.T) {
	store := seed(t, time.Date(2026, 12, 1, 10, 7, 13, 0, time.UTC)) // a Tuesday
	if err := central.CheckBooks(t.Context(), store); err != nil {
		t.Error(err)
	}
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	states, packs := map[string]int{}, 0
	each(t, snap, central.Draws, func(d *central.Draw) { states[d.Game+" "+d.State]++ })
	each(t, snap, central.PackTypes, func(p *central.PackType) {
		if p.Sold > 0 {
			packs++
		}
	})
	if states["loto published"] < 3 || states["euromillions published"] < 2 || states["superloto open"] != 1 || states["loto open"] < 5 || packs < 8 {
		t.Errorf("draws %v, %d pack types of which shares were sold", states, packs)
	}
	gains := map[string]int{}
	each(t, snap, central.Credits, func(c *central.Credit) { gains[c.Component]++ })
	if len(gains) < 2 {
		t.Errorf("credits %v: nothing of ranks, or of codes, was won", gains)
	}
	messages := 0
	each(t, snap, central.Messages, func(*central.Message) { messages++ })
	if messages == 0 {
		t.Error("nobody was told of anything")
	}
	t.Logf("%v, credits %v, %d messages", states, gains, messages)
}

// each calls f for the rows of a table.
func each[R central.Row](t *testing.T, snap central.Snapshot, table central.TableID, f func(R)) {
	t.Helper()
	err := snap.Scan(t.Context(), central.Range{From: central.Key{Table: table}}, func(r central.Row) error {
		f(r.(R))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// At any hour of any day there is a past, and a draw that closes soon: on days of Loto and Euro Millions, before and after midnight, at a change of hour.
func TestSeedAtAnyHour(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(2026, 12, 4, 22, 45, 0, 0, time.UTC), time.Date(2026, 12, 5, 19, 20, 0, 0, time.UTC), time.Date(2026, 10, 25, 0, 59, 0, 0, time.UTC),
	} {
		store := seed(t, at)
		snap, err := store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		closing := 0
		each(t, snap, central.Draws, func(d *central.Draw) {
			if in := time.UnixMicro(d.ClosesAt).Sub(at); d.State == "open" && in > 15*time.Minute && in <= 20*time.Minute {
				closing++
			}
		})
		snap.Close()
		if closing != 1 {
			t.Errorf("%v: %d draws close soon", at, closing)
		}
	}
}
