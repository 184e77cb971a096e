package central_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

func statement(t *testing.T, w *storetest.World, q central.StatementQuery) *central.Statement {
	t.Helper()
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	s, err := central.ReadStatement(t.Context(), snap, q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A statement of any period adds up to what the ledger says, wherever the index stands (P3, P5).
func TestStatement(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	begin := w.Clock.Now()
	closes := begin.Add(50 * time.Hour)
	draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: begin, ClosesAt: closes, Reconstructed: true})
	id, other := w.Registered("one", 100_000, 50_000), w.Registered("two", 100_000, 50_000)
	history := central.NewHistorian(w.Store)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 30 {
		w.Clock.Set(begin.Add(time.Duration(i) * 95 * time.Minute))
		w.Login(id)
		for _, player := range []int64{id, other} {
			me := central.PlayerPrincipal(player)
			if player == id || i == 0 {
				w.Login(player)
				w.Do(me, play(player, draw, 1+rng.IntN(3)))
			}
			switch rng.IntN(4) {
			case 0:
				w.Deposit(player, money.Cents(1+rng.IntN(100)))
			case 1:
				var asked central.PaymentState
				storetest.Result(w, w.Do(me, central.RequestWithdrawal{Player: player, Cents: money.Cents(1 + rng.IntN(100))}), &asked)
				w.Do("provider/test", storetest.Settled(w, asked, rng.IntN(2) == 0))
			}
		}
		if i == 15 {
			if err := history.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.CheckBooks()
		}
	}
	w.Clock.Set(closes)
	w.Evening(draw, prize.Terms{
		Cycle:    prize.Cycle{Jackpot: 800_000_000},
		Official: []money.Cents{800_000_000, 1_291_450, 57_780, 38_950, 4_040, 2_090, 800, 420, 220},
	}, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}, central.Outside{})
	full := statement(t, w, central.StatementQuery{Player: id})
	if full.Totals.Gains == 0 {
		t.Fatal("no gain: the test proves little")
	}
	checkStatements(t, w, id, full, begin)
	if err := history.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.CheckBooks()
	checkStatements(t, w, id, full, begin)
	t.Logf("%d movements: %+v", len(full.Movements), full.Totals)
}

func checkStatements(t *testing.T, w *storetest.World, id int64, full *central.Statement, begin time.Time) {
	t.Helper()
	// The chain: each movement starts from what the one before left.
	var before money.Cents
	for i, m := range full.Movements {
		if m.Version != int64(i+1) || m.After-m.Cents != before {
			t.Fatalf("movement %d: %+v after %v", i+1, m, before)
		}
		before = m.After
	}
	if before != w.Balance(id) || full.Closing != before || full.Opening != 0 {
		t.Fatalf("%v, balance %v", full, w.Balance(id))
	}
	for from := 0; from < 50; from += 6 {
		for _, length := range []int{0, 1, 30, 100} {
			q := central.StatementQuery{Player: id, From: begin.Add(time.Duration(from) * time.Hour), To: begin.Add(time.Duration(from+length) * time.Hour)}
			got := statement(t, w, q)
			want := ledgerSums(t, w, id, q)
			if got.Totals != want {
				t.Fatalf("%v: %+v, the ledger says %+v", q, got.Totals, want)
			}
			sum := got.Opening + want.Deposits - want.Withdrawals + want.Net + want.Other
			if got.Closing != sum {
				t.Fatalf("%v: closing %v, opening and totals give %v", q, got.Closing, sum)
			}
			if length == 30 {
				checkPages(t, w, q, got)
			}
		}
	}
}

// ledgerSums adds up the postings in the leaves' own tables, without the history.
func ledgerSums(t *testing.T, w *storetest.World, id int64, q central.StatementQuery) (sums central.Totals) {
	t.Helper()
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	me := central.PlayerPrincipal(id) // the account has the same name
	at := map[int64]int64{}
	full := statement(t, w, central.StatementQuery{Player: id})
	for _, m := range full.Movements {
		at[m.Version] = m.At
	}
	err = central.ScanTransfers(context.Background(), snap, func(tr *central.Transfer) error {
		if tr.Player != id || at[tr.Version] < q.From.UnixMicro() || at[tr.Version] >= q.To.UnixMicro() {
			return nil
		}
		switch {
		case tr.From == "bank":
			sums.Deposits += tr.Cents
		case tr.From == me && tr.To[:7] == "stakes/":
			sums.Stakes += tr.Cents
		case tr.From == me:
			sums.Withdrawals += tr.Cents
		case tr.From[:7] == "prizes/":
			sums.Gains += tr.Cents
		default:
			sums.Withdrawals -= tr.Cents
		}
		return nil
	})
	sums.Net = sums.Gains - sums.Stakes
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// checkPages reads a statement page by page.
func checkPages(t *testing.T, w *storetest.World, q central.StatementQuery, whole *central.Statement) {
	t.Helper()
	var n int
	for q.Limit = 7; ; {
		page := statement(t, w, q)
		if page.Totals != whole.Totals || page.Opening != whole.Opening || page.Closing != whole.Closing {
			t.Fatalf("a page of another statement: %+v", page)
		}
		for _, m := range page.Movements {
			if *m != *whole.Movements[n] {
				t.Fatalf("movement %d of pages: %+v, want %+v", n, *m, *whole.Movements[n])
			}
			n++
		}
		if !page.More {
			break
		}
		q.After = page.Movements[len(page.Movements)-1].Version
	}
	if n != len(whole.Movements) {
		t.Fatalf("%d movements in pages, %d in all", n, len(whole.Movements))
	}
}

// The reality check shows what happened since the stretch of play began.
func TestCheckFigures(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 50_000, 50_000)
	figures := func() *central.CheckFigures {
		snap, err := w.Store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		f, err := central.ReadCheck(t.Context(), snap, id, w.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	w.Do(central.PlayerPrincipal(id), play(id, draw, 3))
	w.Clock.Set(w.Clock.Now().Add(59 * time.Minute))
	if f := figures(); f.Open || f.Minutes != 59 || f.Totals.Stakes != 660 || f.Totals.Net != -660 {
		t.Errorf("%+v", f)
	}
	w.Clock.Set(w.Clock.Now().Add(time.Minute))
	if f := figures(); !f.Open || f.Minutes != 60 {
		t.Errorf("%+v", f)
	}
	// A new stretch does not show the old one.
	w.Clock.Set(w.Clock.Now().Add(24 * time.Hour))
	w.Login(id)
	w.Do(central.PlayerPrincipal(id), play(id, draw, 1))
	if f := figures(); f.Open || f.Minutes != 0 || f.Totals.Stakes != 220 {
		t.Errorf("%+v", f)
	}
}

// Two historians of two nodes take in each leaf once; Run follows what is told.
func TestHistorians(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 50_000, 50_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := func(name string, err error) { t.Errorf("%s: %v", name, err) }
	outboxes := []*central.Outbox{central.NewOutbox(failed, central.NewHistorian(w.Store)), central.NewOutbox(failed, central.NewHistorian(w.Store))}
	var running sync.WaitGroup
	for _, o := range outboxes {
		running.Go(func() { o.Run(ctx) })
	}
	for range 20 {
		w.Do(central.PlayerPrincipal(id), play(id, draw, 1))
		for _, o := range outboxes {
			o.Committed(nil)
		}
	}
	for n := 0; n < 21; {
		n = 0
		snap, err := w.Store.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Movements, N: id}, Prefix: 1}, func(central.Row) error { n++; return nil })
		snap.Close()
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	w.CheckBooks()
	cancel()
	running.Wait()
}
