package storetest_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tirage/audit"
	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// twoNodes runs a test with two registers, nodes 0 and 1, that write to one database: through one model, and through two pools of connections
// to PostgreSQL, as two processes do.
func twoNodes(t *testing.T, f func(t *testing.T, a, b *storetest.World)) {
	t.Run("mem", func(t *testing.T) {
		s := &mem.Store{}
		f(t, node(t, s, 0), node(t, s, 1))
	})
	t.Run("postgres", func(t *testing.T) {
		dsn := postgresDSN(t)
		var worlds [2]*storetest.World
		for i := range worlds {
			s, err := sql.OpenPostgres(t.Context(), dsn)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			worlds[i] = node(t, s, int64(i))
		}
		f(t, worlds[0], worlds[1])
	})
}

// codeBlock is what a node reserves ahead: a little more than the largest play.
const codeBlock = 17_000

func node(t *testing.T, s central.Store, n int64) *storetest.World {
	return storetest.NewWorld(t, s, func(c *central.Config) { c.Node, c.CodeBlock = n, codeBlock })
}

// clients is how many callers each node has.
const clients = 64

// crowd runs f in clients goroutines for each node.
func crowd(worlds []*storetest.World, f func(w *storetest.World, node, client int)) {
	var wg sync.WaitGroup
	for n, w := range worlds {
		for c := range clients {
			wg.Go(func() { f(w, n, c) })
		}
	}
	wg.Wait()
}

// ask does a command under a key of its own.
func ask(w *storetest.World, principal, key string, c central.Command) (central.Receipt, error) {
	return w.Register.Do(context.Background(), central.Request{Principal: principal, Key: key, Command: c})
}

// onSale puts the Loto draw of 22 June 2020 on sale, with packs of 100 shares, one at most.
func onSale(w *storetest.World) (draw string, closes time.Time) { return onSaleOf(w, "loto") }

// onSaleByAll puts a draw on sale that several nodes sell at a time: a Super Loto has no limit on identical combinations.
func onSaleByAll(w *storetest.World) (draw string, closes time.Time) { return onSaleOf(w, "superloto") }

func onSaleOf(w *storetest.World, game string) (draw string, closes time.Time) {
	closes = time.Date(2020, 6, 22, 18, 15, 0, 0, time.UTC)
	return w.Open(central.OpenDraw{
		Game: game, Day: "2020-06-22", OpensAt: closes.AddDate(0, 0, -3), ClosesAt: closes, Reconstructed: true,
		Packs: []central.PackOffer{{Type: "last", Multiples: []string{"6x10*10"}, Shares: 100, MaxPacks: 1, Formulas: []int64{1, 2, 3, 5, 95, 97}}},
	}), closes
}

var (
	simple = combin.Format{Main: 5, Extra: 1}
	sixBy4 = combin.Format{Main: 6, Extra: 4} // 24 combinations: codes of the sequential zone
)

func buy(player int64, draw string, f combin.Format) central.BuyPlay {
	return central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{{Quick: f}}}
}

// Two nodes sell the last shares of one pack, codes of one range, plays of one draw: nothing is sold twice, and the books balance.
func TestTwoNodesSellOneDraw(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		draw, closes := onSaleByAll(a)
		var players [8]int64
		for i := range players {
			players[i] = a.Player(fmt.Sprint("player ", i), 100_000)
		}
		var shares, plays atomic.Int64
		crowd([]*storetest.World{a, b}, func(w *storetest.World, n, c int) {
			player := players[c%len(players)]
			principal := fmt.Sprint("player/", player)
			for i, command := range []central.Command{
				central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: int64(1 + c%3)},
				buy(player, draw, simple), buy(player, draw, sixBy4),
				central.BuyShares{Player: player, Draw: draw, Type: "last", Shares: 1},
			} {
				_, err := ask(w, principal, fmt.Sprintf("%d/%d/%d", n, c, i), command)
				order, isShares := command.(central.BuyShares)
				switch {
				case err == nil && isShares:
					shares.Add(order.Shares)
				case err == nil:
					plays.Add(1)
				case !isShares || central.CodeOf(err) != central.SoldOut:
					t.Errorf("%s: %v", command.Kind(), err)
				}
			}
		})
		if shares.Load() != 100 || plays.Load() != 2*2*clients {
			t.Errorf("%d shares of 100 and %d plays of %d are sold", shares.Load(), plays.Load(), 2*2*clients)
		}
		a.CheckBooks()
		mustReplay(t, a)
		// What two nodes sold goes through one evening.
		a.Clock.Set(closes)
		b.Clock.Set(closes)
		b.Evening(draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}, Official: []money.Cents{200_000_000, 10_000_000, 100_000, 50_000, 5_000, 2_000, 1_000, 500, 220}},
			central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}, central.Outside{})
	})
}

// One player spends on two nodes at once: exactly what there is.
func TestTwoNodesSpendOneBalance(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		draw, _ := onSaleByAll(a)
		player := a.Player("one", 150) // 50 plays at 3 €
		var bought, refused atomic.Int64
		crowd([]*storetest.World{a, b}, func(w *storetest.World, n, c int) {
			switch _, err := ask(w, central.PlayerPrincipal(player), fmt.Sprintf("%d/%d", n, c), buy(player, draw, simple)); {
			case err == nil:
				bought.Add(1)
			case central.CodeOf(err) == central.Insufficient:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
		if bought.Load() != 50 || refused.Load() != 2*clients-50 || a.Balance(player) != 0 {
			t.Errorf("%d plays bought, %d refused, %v left", bought.Load(), refused.Load(), a.Balance(player))
		}
		a.CheckBooks()
		mustReplay(t, a)
	})
}

// The same request on two nodes is done once; the same draw is opened once.
func TestTwoNodesDoOneRequestOnce(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		player := a.Player("one", 1000)
		var mu sync.Mutex
		opened, answers := 0, map[string]int{}
		open := central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: a.Clock.Now(), ClosesAt: a.Clock.Now().Add(time.Hour)}
		var err error
		if open.Sealed, open.Commitment, err = central.NewDrawSecret(&storetest.Entropy{Seed: 7}, a.Keys, "loto-2020-06-22"); err != nil {
			t.Fatal(err)
		}
		crowd([]*storetest.World{a, b}, func(w *storetest.World, n, c int) {
			_, err := ask(w, "system", fmt.Sprintf("open/%d/%d", n, c), open)
			r, err2 := ask(w, central.PlayerPrincipal(player), fmt.Sprint("deposit ", c%4), central.Deposit{Player: player, Cents: 100})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				opened++
			} else if central.CodeOf(err) != central.Conflict {
				t.Errorf("open: %v", err)
			}
			if err2 != nil {
				t.Errorf("deposit: %v", err2)
			}
			answers[fmt.Sprintf("%d/%d %s", r.Node, r.Index, r.Result)]++
		})
		if opened != 1 || len(answers) != 4 || a.Balance(player) != 100_400 {
			t.Errorf("opened %d times; 4 deposits got %d different answers: %v; balance %v", opened, len(answers), answers, a.Balance(player))
		}
		a.CheckBooks()
		mustReplay(t, a)
	})
}

// A draw closes on one node while both sell: what was accepted is in the draw, what comes later is refused.
func TestTwoNodesClose(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		draw, closes := onSaleByAll(a)
		player := a.Player("one", 100_000)
		var sold atomic.Int64
		var once sync.Once
		crowd([]*storetest.World{a, b}, func(w *storetest.World, n, c int) {
			for i := range 4 {
				r, err := ask(w, central.PlayerPrincipal(player), fmt.Sprintf("%d/%d/%d", n, c, i), buy(player, draw, simple))
				switch {
				case err == nil && r.At.Before(closes):
					sold.Add(1)
				case central.CodeOf(err) != central.Closed:
					t.Errorf("bought at %v with %v", r.At, err)
				}
				if n == 1 && c == 0 && i == 1 {
					once.Do(func() {
						// Node 0 keeps an older clock: the state of the draw tells it.
						b.Clock.Set(closes)
						if err := b.Operator.Close(context.Background(), draw); err != nil {
							t.Error(err)
						}
					})
				}
			}
		})
		b.CheckBooks()
		mustReplay(t, b)
		if err := b.Operator.Seal(context.Background(), draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}}); err != nil {
			t.Error(err)
		}
		if count := sold.Load(); count == 0 || count == 2*clients*4 {
			t.Errorf("%d plays sold: the close came beside the sales", count)
		}
	})
}

// mustReplay rebuilds the tables from the logs of all nodes and compares.
func mustReplay(t *testing.T, w *storetest.World) {
	t.Helper()
	r, err := audit.Replay(t.Context(), audit.Options{Store: w.Store})
	check(t, err)
	if !r.OK() {
		t.Errorf("%v, %v, %v", r.Fault, r.Contradictions, r.Differences)
	}
}
