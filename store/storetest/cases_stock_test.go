package storetest_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tirage/central"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/store/storetest"
)

// 37: 200 buyers for the last five shares, oversold.
func TestCase37LastShares(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w) // one pack of 100 shares
		player := w.Player("one", 10_000)
		share := func(n int64) central.BuyShares {
			return central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: n}
		}
		w.Do(central.PlayerPrincipal(player), share(95))
		var sold, refused atomic.Int64
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				switch _, err := ask(w, central.PlayerPrincipal(player), fmt.Sprint("rush ", i), share(1)); {
				case err == nil:
					sold.Add(1)
				case central.CodeOf(err) == central.SoldOut:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if sold.Load() != 5 || refused.Load() != 195 {
			t.Errorf("%d sold of the last five, %d refused", sold.Load(), refused.Load())
		}
		w.CheckBooks()
	})
	// Three are left and no further pack may be opened: five are refused whole, nothing is debited, two are accepted.
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		player := w.Player("one", 10_000)
		w.Do(central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: 97})
		before := w.Balance(player)
		w.Refused(central.SoldOut, central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: 5})
		if w.Balance(player) != before {
			t.Errorf("%v debited for a refused order", before-w.Balance(player))
		}
		w.Do(central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: 2})
	})
}

// 38: two callers reserved the same block of codes. Here blocks are disjoint and follow each other without a hole, though transactions fail; a code of
// a transaction that was rolled back is issued once, to whoever is next.
func TestCase38CodeBlocks(t *testing.T) {
	const plays = 400
	stores(t, func(t *testing.T, s central.Store) {
		n := 0
		faulty := &storetest.Faulty{Store: s, Next: func() storetest.Fault { n++; return storetest.Fault(n % 5) }}
		w := storetest.NewWorld(t, faulty)
		draw, _ := onSale(w)
		player := w.Player("one", 1_000_000)
		receipts := many(w, plays, func(i int) central.Command {
			return buy(player, draw, combin.Format{Main: 5 + i%3, Extra: 1 + i%8})
		})
		for f := storetest.Deadlock; f <= storetest.DoubtApplied; f++ {
			if faulty.Met(f) == 0 {
				t.Errorf("no transaction met fault %d", f)
			}
		}
		w.CheckBooks() // disjoint
		book, err := games.InForce("loto", "2020-06-22")
		check(t, err)
		series := &book.Codes[0]
		issued := map[codes.Zone]int64{}
		ends := map[codes.Zone]int64{}
		for _, p := range rows[central.Play](t, w.Store, central.Plays) {
			run := central.PlaceOf(series, p.Combos, p.CodeAt)
			issued[run.Zone] += run.Count
			ends[run.Zone] = max(ends[run.Zone], run.End())
		}
		for zone, end := range ends {
			if issued[zone] != end {
				t.Errorf("%v zone: %d codes issued, the last at %d: there are holes", zone, issued[zone], end)
			}
		}
		seen := map[string]bool{}
		for _, r := range receipts {
			var b central.Bought
			storetest.Result(w, r, &b)
			list := b.Codes[0].All
			if list == nil {
				list = []string{b.Codes[0].First, b.Codes[0].Last}
			}
			for _, c := range list {
				if seen[c] {
					t.Errorf("code %s stands on two receipts", c)
				}
				seen[c] = true
			}
		}
	})
}

// 39: random and sequential spaces met. Here what a play receives of up to ten combinations lies at or below V 8214 7230 (My Million: VV 358 2800), what
// a larger one receives above, from the first code on.
func TestCase39ZonesNeverMeet(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		player := w.Player("one", 100_000)
		for _, game := range []struct {
			game, day   string
			extra       int
			last, first string
		}{
			{"loto", "2020-06-22", 1, "V 8214 7230", "V 8214 7231"},
			{"euromillions", "2020-06-23", 2, "VV 358 2800", "VV 358 2801"},
		} {
			draw := w.Open(central.OpenDraw{Game: game.game, Day: game.day, OpensAt: w.Clock.Now(), ClosesAt: w.Clock.Now().AddDate(0, 0, 1)})
			largest := ""
			for i := range 40 {
				small, large := combin.Format{Main: 5, Extra: game.extra}, combin.Format{Main: 8, Extra: game.extra} // 1 and 56 combinations
				var b central.Bought
				storetest.Result(w, mustAsk(w, fmt.Sprintf("%s/%d/small", draw, i), buy(player, draw, small)), &b)
				if c := b.Codes[0]; c.First > game.last || c.Last > game.last {
					t.Errorf("%s: a simple play holds %s to %s", draw, c.First, c.Last)
				}
				storetest.Result(w, mustAsk(w, fmt.Sprintf("%s/%d/large", draw, i), buy(player, draw, large)), &b)
				c := b.Codes[0]
				if c.First <= game.last || c.First <= largest || i == 0 && c.First != game.first {
					t.Errorf("%s: the %dth large play holds %s to %s after %s", draw, i+1, c.First, c.Last, largest)
				}
				largest = c.Last
			}
		}
		w.CheckBooks()
	})
}

func mustAsk(w *storetest.World, key string, c central.Command) central.Receipt {
	w.Helper()
	r, err := ask(w, central.SystemPrincipal, key, c)
	check(w, err)
	return r
}
