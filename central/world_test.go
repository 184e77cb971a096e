package central_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// newWorld starts a register over the model of a store.
func newWorld(t testing.TB, change ...func(*central.Config)) *storetest.World {
	t.Helper()
	return storetest.NewWorld(t, &mem.Store{}, change...)
}

// rapidTB lets a world fail a property instead of the whole test.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (t rapidTB) Helper()                      { t.rt.Helper() }
func (t rapidTB) Error(args ...any)            { t.rt.Error(args...) }
func (t rapidTB) Errorf(f string, args ...any) { t.rt.Errorf(f, args...) }
func (t rapidTB) Fatal(args ...any)            { t.rt.Fatal(args...) }
func (t rapidTB) Fatalf(f string, args ...any) { t.rt.Fatalf(f, args...) }
func (t rapidTB) Log(args ...any)              {}
func (t rapidTB) Logf(f string, args ...any)   {}
func (t rapidTB) Cleanup(func())               {} // the property closes its register itself

// instant reads a time of Paris.
func instant(t testing.TB, s string) time.Time {
	t.Helper()
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05", s, paris)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// quick is a quick pick.
func quick(main, extra int) central.Line {
	return central.Line{Quick: combin.Format{Main: main, Extra: extra}}
}

// chosen reads a grid.
func chosen(t testing.TB, s string) central.Line {
	t.Helper()
	c, err := combin.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return central.Line{Grid: c}
}

// lotoDay is the day of the draw that these tests sell.
const lotoDay = "2020-06-22"

// lotoTerms are terms of a draw of Loto 2019: jackpot and pool.
var lotoTerms = prize.Terms{Cycle: prize.Cycle{Jackpot: 300_000_000}, Fund: 50_000_000}

// openLoto puts the draw of Loto on sale from now on: packs of 10 shares at 13.20 €, packs of 3 shares without sequential codes.
func openLoto(w *storetest.World, change ...func(*central.OpenDraw)) string {
	w.Helper()
	c := central.OpenDraw{
		Game: "loto", Day: lotoDay, OpensAt: w.Clock.Now(), ClosesAt: instant(w, lotoDay+" 20:15:00"), Reconstructed: true,
		Packs: []central.PackOffer{
			{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3, Formulas: sizes(10)},
			{Type: "small", Simples: 3, Shares: 3, MaxPacks: 2},
		},
	}
	for _, f := range change {
		f(&c)
	}
	return w.Open(c)
}

// sizes are the numbers of shares from 1 to n.
func sizes(n int64) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i) + 1
	}
	return list
}

// sellLoto sells plays of every kind and shares of three packs, one of them in full.
func sellLoto(w *storetest.World, draw string) (players [2]int64) {
	w.Helper()
	players = [2]int64{w.Player("one", 1000), w.Player("two", 1000)}
	for i, id := range players {
		for _, lines := range [][]central.Line{
			{chosen(w, "1-2-3-4-5+6")},
			{quick(5, 1), quick(5, 1)},
			{quick(6, 1), chosen(w, "1-2-3-4-5-7+1-2")},
		} {
			w.Do("system", central.BuyPlay{Player: id, Draw: draw, Lines: lines})
		}
		w.Do("system", central.BuyShares{Player: id, Draw: draw, Type: "ten", Shares: int64(4 + i)})
		w.Do("system", central.BuyShares{Player: id, Draw: draw, Type: "small", Shares: 2})
		w.Do("system", central.BuyShares{Player: id, Draw: draw, Type: "small", Shares: 1})
	}
	return players
}

// lotoResult is a result at which the plays of sellLoto win.
var lotoResult = central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{6}}

// rows reads every row of a table.
func rows(t testing.TB, store central.Reader, table central.TableID) []central.Row {
	t.Helper()
	snap, err := store.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	var out []central.Row
	err = snap.Scan(context.Background(), central.Range{From: central.Key{Table: table}}, func(r central.Row) error {
		out = append(out, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// storedRow reads one row, or fails the test.
func storedRow[T any](t testing.TB, store central.Reader, k central.Key) *T {
	t.Helper()
	snap, err := store.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	r, err := snap.Get(context.Background(), k)
	if err != nil || r == nil {
		t.Fatalf("row %v: %v, %v", k, r, err)
	}
	return any(r).(*T)
}

func drawRow(w *storetest.World, draw string) *central.Draw {
	w.Helper()
	return storedRow[central.Draw](w, w.Store, central.Key{Table: central.Draws, S: draw})
}

// account returns the balance of an account that is no player's.
func account(w *storetest.World, name string) money.Cents {
	w.Helper()
	var sum money.Cents
	for _, r := range rows(w, w.Store, central.Accounts) {
		if a := r.(*central.AccountRow); a.Name == name {
			sum += a.Balance
		}
	}
	return sum
}
