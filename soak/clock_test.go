//go:build linux

package soak_test

import (
	"path/filepath"
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// The clock goes back near the close: time stands still for the log, sales are decided by the later of the clock and the last leaf, and stop when
// the clock is too far behind for that. They go on by themselves when it is right.
func TestClockGoesBack(t *testing.T) {
	for name, store := range map[string]central.Store{"mem": &mem.Store{}, "sqlite": open(t, filepath.Join(t.TempDir(), "tirage.db"))} {
		t.Run(name, func(t *testing.T) {
			w := storetest.NewWorld(t, store)
			w.Clock.Set(closes.Add(-time.Hour))
			player := w.Player("one", 1000)
			draw := w.Open(central.OpenDraw{Game: "loto", Day: "2018-11-03", OpensAt: opens, ClosesAt: closes})
			play := central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}}
			deposit := central.Deposit{Player: player, Cents: 100}
			at := func(c time.Duration) { w.Clock.Set(closes.Add(c)) }
			stands := func(r central.Receipt, want time.Duration) {
				t.Helper()
				if got := r.At.Sub(closes); got != want {
					t.Errorf("leaf %d stands at %v from the close, want %v", r.Index, got, want)
				}
			}
			at(-100 * time.Millisecond)
			stands(w.Do(central.PlayerPrincipal(player), play), -100*time.Millisecond)
			at(-1900 * time.Millisecond) // a small step back: time stands still
			stands(w.Do(central.PlayerPrincipal(player), play), -100*time.Millisecond)
			at(-time.Hour) // a large one: nothing is sold, other commands are taken
			w.Refused(central.Unavailable, central.PlayerPrincipal(player), play)
			stands(w.Do("system", deposit), -100*time.Millisecond)
			at(-50 * time.Millisecond) // right again
			stands(w.Do(central.PlayerPrincipal(player), play), -50*time.Millisecond)
			at(0)
			w.Refused(central.Closed, central.PlayerPrincipal(player), play)
			at(-time.Millisecond) // nothing was accepted at the close, so that nothing stands in the way
			stands(w.Do(central.PlayerPrincipal(player), play), -time.Millisecond)
			at(time.Millisecond)
			stands(w.Do("system", deposit), time.Millisecond)
			at(-time.Second) // the log has passed the close: the clock does not open the draw again
			w.Refused(central.Closed, central.PlayerPrincipal(player), play)

			// Another process that starts with a clock behind the log goes by the log.
			w.Register.Close()
			again := storetest.NewWorld(t, store)
			again.Clock.Set(closes.Add(-time.Second))
			_, err := again.Register.Do(t.Context(), central.Request{Principal: central.PlayerPrincipal(player), Key: "again", Command: play})
			if code := central.CodeOf(err); code != central.Closed {
				t.Errorf("after a restart: %v, want %s", err, central.Closed)
			}
			again.Clock.Set(closes.Add(-time.Hour))
			_, err = again.Register.Do(t.Context(), central.Request{Principal: central.PlayerPrincipal(player), Key: "again", Command: play})
			if code := central.CodeOf(err); code != central.Closed {
				t.Errorf("after a restart: %v, want %s", err, central.Closed)
			}
			if err := central.CheckBooks(t.Context(), store); err != nil {
				t.Error(err)
			}
			t.Logf("refused with %q", err)
		})
	}
}
