package storetest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"tirage/central"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// Transactions fail in every way under load: each caller gets the one right answer, each purchase is there once, listeners hear of each once.
func TestFaultsUnderLoad(t *testing.T) {
	stores(t, func(t *testing.T, s central.Store) {
		n := 0
		faulty := &storetest.Faulty{Store: s, Next: func() storetest.Fault { n++; return storetest.Fault(n % 7 % 5) }}
		heard := map[string]int{} // told by the register's loop alone
		w := storetest.NewWorld(t, faulty, func(c *central.Config) {
			c.OnCommit = func(list []central.Done) {
				for _, d := range list {
					heard[d.Request.Key]++
				}
			}
		})
		draw, _ := onSale(w)
		player := w.Player("one", 100_000)
		receipts := many(w, 500, func(i int) central.Command { return buy(player, draw, simple) })
		for f := storetest.Deadlock; f <= storetest.DoubtApplied; f++ {
			if faulty.Met(f) == 0 {
				t.Errorf("no transaction met fault %d", f)
			}
		}
		plays := map[string]bool{}
		for i, r := range receipts {
			var b central.Bought
			storetest.Result(w, r, &b)
			if plays[b.Play] || r.Replayed || b.Play != central.PlayID(r.Node<<48|(r.Index+1)) {
				t.Errorf("purchase %d: %+v, play %s", i, r, b.Play)
			}
			plays[b.Play] = true
			if key := fmt.Sprint("many ", i); heard[key] != 1 {
				t.Errorf("%s was told %d times", key, heard[key])
			}
		}
		if sold := rows[central.Play](t, w.Store, central.Plays); len(sold) != 500 {
			t.Errorf("%d plays of 500", len(sold))
		}
		w.CheckBooks()
	})
}

// history gathers operations of many clients with the order in which they began and ended.
type history struct {
	mu   sync.Mutex
	now  atomic.Int64
	list []porcupine.Operation
}

func (h *history) do(client int, input any, f func() any) {
	called := h.now.Add(1)
	output := f()
	returned := h.now.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, porcupine.Operation{ClientId: client, Input: input, Output: output, Call: called, Return: returned})
}

// linear fails unless the operations could have happened one at a time, each between its call and its answer.
func (h *history) linear(t *testing.T, m porcupine.Model) {
	t.Helper()
	const limit = 20 * time.Second
	switch porcupine.CheckOperationsTimeout(m, h.list, limit) {
	case porcupine.Illegal:
		t.Errorf("%d operations of %d clients are not linearizable", len(h.list), clients)
	case porcupine.Unknown:
		t.Errorf("%d operations could not be checked within %v", len(h.list), limit)
	}
}

// walletOp is a read, a deposit or a purchase of one wallet.
type walletOp struct {
	player int64
	cents  money.Cents // above zero: a deposit; below: a purchase; zero: a read
}

// wallet is the balance of a player: its output is the balance afterwards, or −1 for a purchase that was refused.
var wallet = porcupine.Model{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		parts := map[int64][]porcupine.Operation{}
		for _, op := range all {
			p := op.Input.(walletOp).player
			parts[p] = append(parts[p], op)
		}
		var list [][]porcupine.Operation
		for _, part := range parts {
			list = append(list, part)
		}
		return list
	},
	Init: func() any { return money.Cents(100) },
	Step: func(state, input, output any) (bool, any) {
		balance, op, out := state.(money.Cents), input.(walletOp), output.(money.Cents)
		if after := balance + op.cents; after >= 0 {
			return out == after, after
		}
		return out == -1, balance
	},
}

// A wallet under 64 clients behaves as if they came one after the other.
func TestWalletIsLinearizable(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		var players [8]int64
		for i := range players {
			players[i] = w.Player(fmt.Sprint("player ", i), 1)
		}
		h := &history{}
		crowd([]*storetest.World{w}, func(w *storetest.World, _, client int) {
			player := players[client%len(players)]
			for i := range 5 {
				op := walletOp{player, []money.Cents{500, -220, 0, -220, -220}[(client+i)%5]}
				h.do(client, op, func() any { return op.do(w, draw, fmt.Sprintf("%d/%d", client, i)) })
			}
		})
		h.linear(t, wallet)
		w.CheckBooks()
	})
}

// do does the operation and returns the balance after it, −1 when it was refused.
func (op walletOp) do(w *storetest.World, draw, key string) money.Cents {
	var c central.Command = central.Deposit{Player: op.player, Cents: op.cents}
	switch {
	case op.cents == 0:
		return w.Balance(op.player)
	case op.cents < 0:
		c = buy(op.player, draw, simple)
	}
	r, err := ask(w, central.PlayerPrincipal(op.player), key, c)
	if central.CodeOf(err) == central.Insufficient {
		return -1
	}
	check(w, err)
	// The movement that the leaf holds never changes.
	snap, err := w.Store.Snapshot(context.Background())
	check(w, err)
	defer snap.Close()
	row, err := snap.Get(context.Background(), central.Key{Table: central.Transfers, N: r.Node, M: r.Index << 16})
	check(w, err)
	return row.(*central.Transfer).After
}

// shop is what three packs of ten shares have left; −1: not opened yet. Its operations are orders of shares, their output is the pack, or −1.
type shop [3]int64

var packs = porcupine.Model{
	Init: func() any { return shop{-1, -1, -1} },
	Step: func(state, input, output any) (bool, any) {
		s, shares := state.(shop), input.(int64)
		best := -1
		for i, left := range s {
			if left >= shares && (best < 0 || left < s[best]) {
				best = i // the open pack that the order fills best
			}
		}
		if next := slices.Index(s[:], -1); best < 0 && next >= 0 {
			best, s[next] = next, 10
		}
		if best >= 0 {
			s[best] -= shares
		}
		return output.(int) == best, s
	},
}

// The stock of packs under 64 clients behaves as if they came one after the other.
func TestPackStockIsLinearizable(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		player := w.Player("one", 10_000)
		closes := w.Clock.Now().Add(time.Hour)
		draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: w.Clock.Now(), ClosesAt: closes, Packs: []central.PackOffer{
			{Type: "ten", Multiples: []string{"6x10*10"}, Shares: 10, MaxPacks: 3, Formulas: []int64{1, 2, 3, 4}}}})
		h := &history{}
		crowd([]*storetest.World{w}, func(w *storetest.World, _, client int) {
			shares := int64(1 + client%4)
			h.do(client, shares, func() any {
				r, err := ask(w, central.PlayerPrincipal(player), fmt.Sprint("order ", client), central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: shares})
				if central.CodeOf(err) == central.SoldOut {
					return -1
				}
				check(w, err)
				var b central.Bought
				storetest.Result(w, r, &b)
				var pack int
				_, err = fmt.Sscanf(b.Pack, "ten/%d", &pack)
				check(w, err)
				return pack
			})
		})
		h.linear(t, packs)
		w.CheckBooks()
	})
}

// What the checks above must find: a sale beyond the stock, a read of an older balance.
func TestHistoriesThatAreNotLinear(t *testing.T) {
	oversold := []porcupine.Operation{}
	for i := range 16 {
		oversold = append(oversold, porcupine.Operation{ClientId: i, Input: int64(2), Output: i / 5, Call: int64(2 * i), Return: int64(2*i + 1)})
	}
	if !porcupine.CheckOperations(packs, oversold[:15]) || porcupine.CheckOperations(packs, oversold) {
		t.Error("fifteen orders of two shares fill three packs of ten; a sixteenth does not fit")
	}
	stale := []porcupine.Operation{
		{Input: walletOp{1, 500}, Output: money.Cents(600), Call: 1, Return: 2},
		{Input: walletOp{1, 0}, Output: money.Cents(100), Call: 3, Return: 4},
	}
	if porcupine.CheckOperations(wallet, stale) {
		t.Error("a read after the deposit returned shows the balance before it")
	}
}
