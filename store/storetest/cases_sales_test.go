package storetest_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

// rush asks for n orders from many callers at a time and moves the clock to an instant in the middle. It returns the answers.
func rush(w *storetest.World, n int, closes time.Time, order func(i int) (principal string, c central.Command)) []error {
	w.Helper()
	answers := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		if i == n/2 {
			w.Clock.Set(closes.Add(-time.Millisecond))
			wg.Go(func() { w.Clock.Set(closes) })
		}
		wg.Go(func() {
			who, c := order(i)
			_, answers[i] = ask(w, who, fmt.Sprint("rush ", i), c)
		})
	}
	wg.Wait()
	for i, err := range answers {
		if code := central.CodeOf(err); code != "" && code != central.Closed && code != central.SoldOut {
			w.Errorf("order %d: %v", i, err)
		}
	}
	return answers
}

// sealedPlays lists the plays of a draw by player.
func sealedPlays(w *storetest.World, draw string) map[int64][]*central.Play {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	plays := map[int64][]*central.Play{}
	err = central.SealedRows(w.Context(), snap, draw, func(r central.Row) error {
		if p, ok := r.(*central.Play); ok {
			plays[p.Player] = append(plays[p.Player], p)
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	return plays
}

var noWinner = central.Result{Main: []int{45, 46, 47, 48, 49}, Extra: []int{10}}

// 7: share orders of a rush were not placed before the close and refunded after the draw. Here who has paid is in the draw, whoever is not was refused
// before the debit, and nothing is refunded.
func TestCase07PaidMeansInTheDraw(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, closes := onSale(w)
		var players [8]int64
		for i := range players {
			players[i] = w.Player(fmt.Sprint("player ", i), 1000)
		}
		w.Clock.Set(closes.Add(-time.Minute))
		answers := rush(w, 200, closes, func(i int) (string, central.Command) {
			player := players[i%len(players)]
			return central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: 1, Channel: central.ChannelApp}
		})
		want := map[int64]int{}
		for i, err := range answers {
			if err == nil {
				want[players[i%len(players)]]++
			}
		}
		w.Clock.Set(closes)
		check(t, w.Operator.Close(w.Context(), draw))
		plays := sealedPlays(w, draw)
		before := map[int64]money.Cents{}
		for _, player := range players {
			before[player] = w.Balance(player)
			if got := len(plays[player]); got != want[player] || before[player] != 100_000-money.Cents(want[player])*1320 {
				t.Errorf("player %d: %d orders accepted, %d in the draw, balance %v", player, want[player], got, before[player])
			}
		}
		w.Evening(draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}, Fund: 1_000_000}, noWinner, central.Outside{})
		for _, r := range transfersTo(w, "player/") {
			if r.From != "bank" && r.From != "prizes/"+draw {
				t.Errorf("%v go from %s to %s", r.Cents, r.From, r.To)
			}
		}
	})
}

// 8: a two-play order straddled the close and one play was moved to the next draw. Here an order for two draws is in both or in none.
func TestCase08OrderInBothDrawsOrNone(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, closes := onSale(w)
		next := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-24", OpensAt: closes.AddDate(0, 0, -3), ClosesAt: closes.AddDate(0, 0, 2)})
		var players [8]int64
		for i := range players {
			players[i] = w.Player(fmt.Sprint("player ", i), 1000)
		}
		w.Clock.Set(closes.Add(-time.Minute))
		answers := rush(w, 200, closes, func(i int) (string, central.Command) {
			c := buy(players[i%len(players)], draw, simple)
			c.Further = []string{next}
			if i%2 == 1 {
				c.Draw, c.Further = next, []string{draw}
			}
			return central.PlayerPrincipal(c.Player), c
		})
		want := map[int64]int{}
		for i, err := range answers {
			if err == nil {
				want[players[i%len(players)]]++
			}
		}
		first, second := sealedPlays(w, draw), sealedPlays(w, next)
		for _, player := range players {
			n := want[player]
			if len(first[player]) != n || len(second[player]) != n || w.Balance(player) != 100_000-money.Cents(n)*440 {
				t.Errorf("player %d: %d orders accepted, %d and %d plays, balance %v", player, n, len(first[player]), len(second[player]), w.Balance(player))
			}
			for i := range min(len(first[player]), len(second[player])) {
				if first[player][i].ID != second[player][i].ID {
					t.Errorf("plays %d and %d are of two orders", first[player][i].ID, second[player][i].ID)
				}
			}
		}
		w.CheckBooks()
	})
}

// transfersTo lists the postings to the accounts of a kind.
func transfersTo(w *storetest.World, prefix string) (list []*central.Transfer) {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	err = central.ScanTransfers(w.Context(), snap, func(t *central.Transfer) error {
		if len(t.To) > len(prefix) && t.To[:len(prefix)] == prefix {
			list = append(list, t)
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	return list
}
