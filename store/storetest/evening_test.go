package storetest_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/internal/pgtest"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// engines runs a test in a world on the model and on each engine.
func engines(t *testing.T, f func(t *testing.T, w *storetest.World)) {
	stores(t, func(t *testing.T, s central.Store) { f(t, storetest.NewWorld(t, s)) })
}

// stores runs a test on an empty model and on each engine.
func stores(t *testing.T, f func(t *testing.T, s central.Store)) {
	t.Run("mem", func(t *testing.T) { f(t, &mem.Store{}) })
	t.Run("sqlite", func(t *testing.T) { f(t, sqlite(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, postgres(t)) })
}

// blank is a database with tables and nothing in them.
var blank struct {
	sync.Once
	name string
}

// postgresDSN returns how to reach a fresh database with empty tables.
func postgresDSN(t *testing.T) string {
	blank.Do(func() {
		dsn := pgtest.DSN(t)
		s, err := sql.OpenPostgres(t.Context(), dsn)
		check(t, err)
		check(t, s.Close())
		blank.name = pgtest.Name(dsn)
	})
	return pgtest.Copy(t, blank.name)
}

func postgres(t *testing.T) central.Store {
	s, err := sql.OpenPostgres(t.Context(), postgresDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func sqlite(t *testing.T) central.Store {
	s, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// given is the pack of 22 June 2020 as the published gains explain it: one multiple with the five numbers, one with two of them, eight
// with at most one.
var given = []string{
	"5-9-21-36-39-48+1-2-3-4-5-6-7-8-9-10",
	"5-9-1-2-3-4+1-2-3-4-5-6-7-8-9-10",
	"1-2-3-4-6-7+1-2-3-4-5-6-7-8-9-10",
	"8-10-11-12-13-14+1-2-3-4-5-6-7-8-9-10",
	"15-16-17-18-19-20+1-2-3-4-5-6-7-8-9-10",
	"22-23-24-25-26-27+1-2-3-4-5-6-7-8-9-10",
	"28-29-30-31-32-33+1-2-3-4-5-6-7-8-9-10",
	"34-35-37-38-40-41+1-2-3-4-5-6-7-8-9-10",
	"42-43-44-45-46-47+1-2-3-4-5-6-7-8-9-10",
	"5-1-10-20-30-40+1-2-3-4-5-6-7-8-9-10",
}

// The pack that won on 22 June 2020: 40 684.71 € a share, 406 847.10 € for ten.
func TestPackOf22June2020(t *testing.T) {
	covers.Covers(t, "P11", "P25", "P29")
	engines(t, func(t *testing.T, w *storetest.World) {
		one, ten := w.Player("one", 100), w.Player("ten", 100)
		close := time.Date(2020, 6, 22, 18, 15, 0, 0, time.UTC)
		draw := w.Open(central.OpenDraw{
			Game: "loto", Day: "2020-06-22", OpensAt: close.AddDate(0, 0, -3), ClosesAt: close, Reconstructed: true,
			Packs: []central.PackOffer{{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 1, Given: given, Formulas: []int64{1, 10, 100, 190}}},
		})
		w.Do(central.PlayerPrincipal(one), central.BuyShares{Player: one, Draw: draw, Type: "600", Shares: 1})
		w.Do(central.PlayerPrincipal(ten), central.BuyShares{Player: ten, Draw: draw, Type: "600", Shares: 10})
		w.Refused(central.Insufficient, central.PlayerPrincipal(one), central.BuyShares{Player: one, Draw: draw, Type: "600", Shares: 100})
		w.Refused(central.SoldOut, central.PlayerPrincipal(ten), central.BuyShares{Player: ten, Draw: draw, Type: "600", Shares: 190})
		w.Do(central.PlayerPrincipal(ten), central.BuyPlay{Player: ten, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}})
		w.Clock.Set(close)
		w.Refused(central.Closed, central.PlayerPrincipal(one), central.BuyShares{Player: one, Draw: draw, Type: "600", Shares: 1})
		count, _ := w.Evening(draw, prize.Terms{
			Cycle:    prize.Cycle{Jackpot: 800_000_000},
			Official: []money.Cents{800_000_000, 1_291_450, 57_780, 38_950, 4_040, 2_090, 800, 420, 220},
		}, central.Result{Main: []int{5, 9, 21, 36, 39}, Extra: []int{5}}, central.Outside{})
		if count.Packs.Rounding == 0 {
			t.Error("no rounding difference")
		}
		if got := w.Balance(one) - 10_000 + 660; got != 4_068_471 {
			t.Errorf("one share: %v, want 40684.71", got)
		}
	})
}

// A pack takes part in the one draw that it was opened for: its shares name that draw, and a pack of the same type for another draw is another
// pack with other contents and codes.
func TestPackTakesPartInOneDraw(t *testing.T) {
	covers.Covers(t, "P6", "P33", "P67")
	for game, days := range map[string][2]string{
		"loto": {"2020-06-22", "2020-06-24"}, "superloto": {"2019-03-08", "2019-06-14"}, "grandloto": {"2018-12-22", "2018-12-25"}, "euromillions": {"2020-06-23", "2020-06-26"},
	} {
		t.Run(game, func(t *testing.T) {
			w := storetest.NewWorld(t, &mem.Store{})
			w.Clock.Set(time.Date(2018, 11, 1, 0, 0, 0, 0, time.UTC))
			player := w.Player("one", 1000)
			var bought [2]central.Bought
			for i, day := range days {
				date, err := time.Parse(time.DateOnly, day)
				if err != nil {
					t.Fatal(err)
				}
				w.Clock.Set(date)
				multiple := "6x10*1"
				if game == "euromillions" {
					multiple = "7x3*1"
				}
				draw := w.Open(central.OpenDraw{
					Game: game, Day: day, OpensAt: date, ClosesAt: date.Add(18 * time.Hour),
					Packs: []central.PackOffer{{Type: "small", Multiples: []string{multiple}, Shares: 10, MaxPacks: 5}},
				})
				storetest.Result(w, w.Do(central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: draw, Type: "small", Shares: 2}), &bought[i])
			}
			if bought[0].Pack != "small/0" || bought[1].Pack != "small/0" || bought[0].Grids[0] == bought[1].Grids[0] || bought[0].Codes[0].First == bought[1].Codes[0].First {
				t.Errorf("packs of two draws are not apart: %+v and %+v", bought[0], bought[1])
			}
			first := central.DrawID(game, days[0])
			w.Refused(central.Closed, central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: first, Type: "small", Shares: 2})
		})
	}
}
