package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

// Kinds of faults that were reported of other systems, on the model and on each engine.

// gainsOf2018 are the unit gains of the nine ranks in these tests.
var gainsOf2018 = []money.Cents{200_000_000, 10_000_000, 100_000, 50_000, 5_000, 2_000, 1_000, 500, 220}

var (
	terms  = prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}, Official: gainsOf2018}
	drawn  = central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}
	second = central.Result{Main: []int{1, 2, 3, 4, 6}, Extra: []int{1}}
)

// winner is one of many grids that win the last rank, by their Chance number alone.
func winner(t testing.TB, i int) central.Line {
	var others []int
	for n := 7; n <= 49; n++ {
		others = append(others, n)
	}
	c, err := combin.Of(others, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	return central.Line{Grid: combin.Unrank(combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, c, int64(i))}
}

// many does n commands from clients callers at a time; all must be accepted.
func many(w *storetest.World, n int, c func(i int) central.Command) []central.Receipt {
	w.Helper()
	receipts := make([]central.Receipt, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				var err error
				if receipts[i], err = ask(w, central.SystemPrincipal, fmt.Sprint("many ", i), c(i)); err != nil {
					w.Errorf("command %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	return receipts
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// 19: a settlement key held a list position; a re-pick paid again. Here it is (draw, play, component), whatever the version.
func TestCase19CreditKeyIsThePlay(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		ctx := context.Background()
		draw, closes := onSale(w)
		player := w.Player("one", 100)
		w.Do(central.PlayerPrincipal(player), central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{winner(t, 0)}})
		w.Clock.Set(closes)
		check(t, w.Operator.Close(ctx, draw))
		check(t, w.Operator.Seal(ctx, draw, terms))
		for _, r := range []central.Result{drawn, second} { // the result is picked again before it is paid
			check(t, w.Operator.Record(ctx, draw, r, central.Outside{}))
			_, err := w.Operator.Count(ctx, draw)
			check(t, err)
		}
		check(t, w.Operator.Approve(ctx, draw, 2, "staff/officer"))
		for range 3 {
			check(t, w.Operator.Pay(ctx, draw))
		}
		credits := rows[central.Credit](t, w.Store, central.Credits)
		if len(credits) != 1 || credits[0].Version != 2 || w.Balance(player) != 10_000 {
			t.Errorf("paid %d credits, balance %v, want one of 2.20", len(credits), w.Balance(player))
		}
		for version := range int64(3) {
			w.Refused(map[int64]central.Code{0: central.NotFound, 1: central.Conflict, 2: central.Conflict}[version], "system",
				central.NewCreditSlice(draw, version, 0, []central.Credit{*credits[0]}))
		}
	})
}

// rows returns all rows of a table.
func rows[T any](t testing.TB, s central.Store, table central.TableID) (list []*T) {
	t.Helper()
	snap, err := s.Snapshot(context.Background())
	check(t, err)
	defer snap.Close()
	check(t, snap.Scan(context.Background(), central.Range{From: central.Key{Table: table}}, func(r central.Row) error {
		list = append(list, any(r).(*T))
		return nil
	}))
	return list
}

// losing is a store that has lost the account of a player.
type losing struct {
	central.Store
	player atomic.Int64
}

func (s *losing) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := s.Store.Begin(ctx)
	return losingTx{tx, s}, err
}

type losingTx struct {
	central.Tx
	store *losing
}

func (t losingTx) Load(ctx context.Context, keys, shared []central.Key) ([]central.Row, error) {
	rows, err := t.Tx.Load(ctx, keys, shared)
	var left []central.Row
	for _, r := range rows {
		if p, ok := r.(*central.Player); !ok || p.ID != t.store.player.Load() {
			left = append(left, r)
		}
	}
	return left, err
}

// 20: one bad row aborted the batch; a naive re-queue paid twice. Here all others are paid, the bad one is named, and the next run pays only it.
func TestCase20OneBadRow(t *testing.T) {
	const plays = 1200 // two slices
	stores(t, func(t *testing.T, s central.Store) {
		ctx := context.Background()
		store := &losing{Store: s}
		w := storetest.NewWorld(t, store)
		draw, closes := onSale(w)
		rich, lost := w.Player("rich", 100_000), w.Player("lost", 100)
		many(w, plays, func(i int) central.Command {
			player := rich
			if i == plays/3 {
				player = lost
			}
			return central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{winner(t, i)}}
		})
		before := w.Balance(rich)
		w.Clock.Set(closes)
		check(t, w.Operator.Close(ctx, draw))
		check(t, w.Operator.Seal(ctx, draw, terms))
		check(t, w.Operator.Record(ctx, draw, drawn, central.Outside{}))
		_, err := w.Operator.Count(ctx, draw)
		check(t, err)
		check(t, w.Operator.Approve(ctx, draw, 1, "staff/officer"))
		store.player.Store(lost)
		for range 2 {
			if err := w.Operator.Pay(ctx, draw); central.CodeOf(err) != central.Conflict || !strings.Contains(err.Error(), fmt.Sprint("no player ", lost)) {
				t.Fatalf("paid with %v, want the credit of player %d named", err, lost)
			}
			if credits := rows[central.Credit](t, w.Store, central.Credits); len(credits) != plays-1 || w.Balance(rich)-before != 220*(plays-1) {
				t.Fatalf("%d credits made, %v paid, want all but one", len(credits), w.Balance(rich)-before)
			}
			w.CheckBooks()
		}
		store.player.Store(0)
		leaves := len(rows[central.LeafRow](t, w.Store, central.Leaves))
		check(t, w.Operator.Pay(ctx, draw))
		w.CheckBooks()
		if n := len(rows[central.LeafRow](t, w.Store, central.Leaves)) - leaves; n != 1 || w.Balance(lost) != 10_000 || w.Balance(rich)-before != 220*(plays-1) {
			t.Errorf("the second run made %d commands; balances %v and %v", n, w.Balance(lost), w.Balance(rich)-before)
		}
		_, err = w.Operator.Draft(ctx, draw)
		check(t, err)
		_, err = w.Operator.Publish(ctx, draw, "staff/officer")
		check(t, err)
	})
}

// 24: same key, other body: the cached answer came back.
func TestCase24SameKeyOtherBody(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		player := w.Player("one", 100)
		first, err := ask(w, central.PlayerPrincipal(player), "k", buy(player, draw, simple))
		check(t, err)
		for _, other := range []central.Command{buy(player, draw, sixBy4), central.Deposit{Player: player, Cents: 100}} {
			if _, err := ask(w, central.PlayerPrincipal(player), "k", other); central.CodeOf(err) != central.Conflict {
				t.Errorf("%s under the key of a purchase: %v", other.Kind(), err)
			}
		}
		again, err := ask(w, central.PlayerPrincipal(player), "k", buy(player, draw, simple))
		check(t, err)
		if !again.Replayed || again.Index != first.Index || string(again.Result) != string(first.Result) || w.Balance(player) != 10_000-220 {
			t.Errorf("asked again: %+v, first %+v, balance %v", again, first, w.Balance(player))
		}
		// The same key of somebody else is another key.
		if _, err := ask(w, central.SystemPrincipal, "k", central.Deposit{Player: player, Cents: 100}); err != nil {
			t.Error(err)
		}
		w.CheckBooks()
	})
}

// 25: the key row was written before the effect; crash; retries said "done", never credited. Here both are in one transaction: whichever way it is
// lost, neither is there or both are.
func TestCase25KeyAndEffectTogether(t *testing.T) {
	stores(t, func(t *testing.T, s central.Store) {
		fault := storetest.NoFault
		w := storetest.NewWorld(t, &storetest.Faulty{Store: s, Next: func() storetest.Fault { return fault }})
		player := w.Player("one", 1)
		want := money.Cents(100)
		for i, f := range []storetest.Fault{storetest.Deadlock, storetest.CommitFailed, storetest.DoubtLost, storetest.DoubtApplied} {
			fault = f
			key := fmt.Sprint("deposit ", i)
			// Every attempt is lost: the caller is told that nothing is sure.
			r, err := ask(w, central.PlayerPrincipal(player), key, central.Deposit{Player: player, Cents: 100})
			if f != storetest.DoubtApplied && central.CodeOf(err) != central.Unavailable || f == storetest.DoubtApplied && err != nil {
				t.Errorf("fault %d: %+v, %v", f, r, err)
			}
			done := w.Balance(player) - want
			for _, k := range rows[central.KeyRow](t, w.Store, central.Keys) {
				if k.Key == key {
					done -= 100
				}
			}
			if done != 0 {
				t.Errorf("fault %d: key and effect differ by %v", f, done)
			}
			fault = storetest.NoFault
			if r, err := ask(w, central.PlayerPrincipal(player), key, central.Deposit{Player: player, Cents: 100}); err != nil || r.Replayed != (f == storetest.DoubtApplied) {
				t.Errorf("fault %d, asked again: %+v, %v", f, r, err)
			}
			if want += 100; w.Balance(player) != want {
				t.Errorf("fault %d: balance %v, want %v", f, w.Balance(player), want)
			}
			w.CheckBooks()
		}
	})
}

// 26: two parallel withdrawals both passed the check. Here two parallel purchases together exceed the balance: the second is refused, and no read ever
// sees a balance below zero.
func TestCase26ParallelSpending(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		player := w.Player("one", 3) // one play at 2.20 €, not two
		stop := make(chan struct{})
		var reader sync.WaitGroup
		reader.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if b := w.Balance(player); b < 0 {
						t.Errorf("a read sees %v", b)
					}
				}
			}
		})
		for round := range 20 {
			var accepted, refused atomic.Int64
			var both sync.WaitGroup
			for i := range 2 {
				both.Go(func() {
					_, err := ask(w, central.PlayerPrincipal(player), fmt.Sprintf("%d/%d", round, i), buy(player, draw, simple))
					switch {
					case err == nil:
						accepted.Add(1)
					case central.CodeOf(err) == central.Insufficient:
						refused.Add(1)
					default:
						t.Error(err)
					}
				})
			}
			both.Wait()
			if accepted.Load() != 1 || refused.Load() != 1 || w.Balance(player) != 80 {
				t.Fatalf("%d accepted, %d refused, %v left", accepted.Load(), refused.Load(), w.Balance(player))
			}
			_, err := ask(w, "system", fmt.Sprint("refill ", round), central.Deposit{Player: player, Cents: 220})
			check(t, err)
		}
		close(stop)
		reader.Wait()
		w.CheckBooks()
	})
}

// 27: a serialization failure was reported as insufficient funds. Here it is tried again, and has an error of its own when that does not help.
func TestCase27RetriedNotRefused(t *testing.T) {
	stores(t, func(t *testing.T, s central.Store) {
		left := 0
		faulty := &storetest.Faulty{Store: s, Next: func() storetest.Fault {
			if left--; left >= 0 {
				return []storetest.Fault{storetest.Deadlock, storetest.CommitFailed}[left%2]
			}
			return storetest.NoFault
		}}
		w := storetest.NewWorld(t, faulty)
		draw, _ := onSale(w)
		player := w.Player("one", 3)
		left = 6
		if _, err := ask(w, central.PlayerPrincipal(player), "first", buy(player, draw, simple)); err != nil {
			t.Errorf("after six failures: %v", err)
		}
		w.Refused(central.Insufficient, central.PlayerPrincipal(player), buy(player, draw, simple))
		w.Do("system", central.Deposit{Player: player, Cents: 1000})
		left = 1000
		_, err := ask(w, central.PlayerPrincipal(player), "second", buy(player, draw, simple))
		if central.CodeOf(err) != central.Unavailable || !errors.Is(err, central.ErrRetry) {
			t.Errorf("while it keeps failing: %v", err)
		}
		left = 0
		w.CheckBooks()
		if w.Balance(player) != 300-220+1000 {
			t.Errorf("balance %v", w.Balance(player))
		}
	})
}

// 28: float settlement, 124 of 100 000 stakes off. Here what each player receives equals, as an exact rational, unit gain × winning simple combinations,
// counted one by one.
func TestCase28SettlementIsExact(t *testing.T) {
	const plays = 600
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, closes := onSale(w)
		player := w.Player("one", 1_000_000)
		many(w, plays, func(i int) central.Command {
			return buy(player, draw, combin.Format{Main: 5 + i%3, Extra: 1 + i%5})
		})
		before := w.Balance(player)
		w.Clock.Set(closes)
		_, notice := w.Evening(draw, terms, drawn, central.Outside{})
		book, err := games.InForce("loto", "2020-06-22")
		check(t, err)
		result, err := combin.Of(drawn.Main, drawn.Extra)
		check(t, err)
		credited := map[int64]*big.Rat{}
		for _, c := range rows[central.Credit](t, w.Store, central.Credits) {
			credited[c.Play] = big.NewRat(int64(c.Cents), 100)
		}
		all := new(big.Rat)
		for _, p := range rows[central.Play](t, w.Store, central.Plays) {
			want := new(big.Rat)
			for _, grid := range central.Grids(p.Lines) {
				for one := range grid.Decompose(book.Matrix) {
					main, extra := one.Hits(result)
					if rank := book.RankOf(main, extra); rank > 0 {
						want.Add(want, big.NewRat(int64(notice.Ranks[rank-1].Gain), 100))
					}
				}
			}
			got := credited[p.ID]
			if got == nil {
				got = new(big.Rat)
			}
			if got.Cmp(want) != 0 {
				t.Errorf("play %s received %v, want %v", central.PlayID(p.ID), got, want)
			}
			all.Add(all, want)
		}
		if got := big.NewRat(int64(w.Balance(player)-before), 100); got.Cmp(all) != 0 || all.Sign() == 0 {
			t.Errorf("received %v, want %v", got, all)
		}
	})
}
