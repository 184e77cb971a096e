package storetest_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// 9: 45 identical combinations are allowed in a draw, and those inside multiples and packs count. Of 50 parallel purchases of one combination exactly 45 are
// accepted, and the refused ones are not debited.
func TestCase09IdenticalCombinations(t *testing.T) {
	one, inside := grid(t, "1-2-3-4-5+6"), grid(t, "1-2-3-4-5-7+6-8")
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		buyers := newBuyers(w, draw)
		if sold := buyers.rush(t, w, 50, one); sold != 45 {
			t.Errorf("%d of 50 sold", sold)
		}
		buyers.check(t, w, 220)
	})
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		buyers := newBuyers(w, draw)
		if sold := buyers.rush(t, w, 20, inside); sold != 20 { // 12 combinations each, one of them the same
			t.Errorf("%d of 20 multiples sold", sold)
		}
		if sold := buyers.rush(t, w, 50, one); sold != 25 {
			t.Errorf("%d of 50 sold beside 20 multiples", sold)
		}
		if sold := buyers.rush(t, w, 5, inside); sold != 0 {
			t.Errorf("%d multiples sold with a combination that is sold out", sold)
		}
		buyers.check(t, w, 0)
	})
}

// A combination inside a pack counts once, whoever holds the shares.
func TestCase09InsidePacks(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		buyers := newBuyers(w, draw)
		first := buyers.shares(t, w, 1)
		for range 10 {
			buyers.shares(t, w, 2)
		}
		component := combin.Unrank(lotoMatrix, grid(t, first.Grids[0]), 3)
		if sold := buyers.rush(t, w, 50, component); sold != 44 {
			t.Errorf("%d of 50 sold of a combination that one pack plays", sold)
		}
		w.CheckBooks()
	})
}

// Two nodes on one database: while the one that sells is there the other says who it is; when it has stopped the other takes its place and counts on, and back. In all
// 45 are sold, and nobody is debited for the others.
func TestCase09TwoNodes(t *testing.T) {
	one := grid(t, "1-2-3-4-5+6")
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		draw, _ := onSale(a)
		buyers := newBuyers(a, draw)
		if sold := buyers.rush(t, a, 20, one); sold != 20 {
			t.Errorf("%d of 20 sold", sold)
		}
		_, err := ask(b, "system", "elsewhere", central.BuyPlay{Player: buyers.ids[0], Draw: draw, Lines: []central.Line{{Grid: one}}})
		if r, ok := err.(*central.Refusal); !ok || r.Code != central.Unavailable || r.Reason != "draw.elsewhere" || r.Current != (central.Holder{Node: 0, Epoch: 1}) {
			t.Fatalf("the other node answers %v", err)
		}
		// Node 0 has written nothing for a while, as its neighbour sees it.
		b.Clock.Set(a.Clock.Now().Add(11 * time.Second))
		if sold := buyers.rush(t, b, 10, one); sold != 10 {
			t.Errorf("%d of 10 sold by the node that took over", sold)
		}
		// The first node is still there, and does not sell on its old counts.
		_, err = ask(a, "system", "too late", central.BuyPlay{Player: buyers.ids[0], Draw: draw, Lines: []central.Line{{Grid: one}}})
		if central.CodeOf(err) != central.Unavailable {
			t.Errorf("the node that lost the sales answers %v", err)
		}
		a.Clock.Set(b.Clock.Now().Add(11 * time.Second))
		if sold := buyers.rush(t, a, 50, one); sold != 15 {
			t.Errorf("%d of 50 sold after 30 elsewhere", sold)
		}
		buyers.check(t, a, 220)
	})
}

// Two nodes sell at the same time and take the sales from each other again and again: never one too many.
func TestTwoNodesFightForSales(t *testing.T) {
	one := grid(t, "1-2-3-4-5+6")
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		draw, _ := onSale(a)
		buyers := newBuyers(a, draw)
		worlds := []*storetest.World{a, b}
		var sold atomic.Int64
		var wg sync.WaitGroup
		for n, w := range worlds {
			wg.Go(func() {
				for epoch := range int64(40) {
					// Whoever is a step behind is refused, and so is who sells already.
					_, _ = ask(w, "system", fmt.Sprintf("take/%d/%d", n, epoch), central.TakeSales{Epoch: epoch})
				}
			})
			for c := range 16 {
				wg.Go(func() {
					for i := range 6 {
						_, err := ask(w, "system", fmt.Sprintf("%d/%d/%d", n, c, i), central.BuyPlay{Player: buyers.ids[c%len(buyers.ids)], Draw: draw, Lines: []central.Line{{Grid: one}}})
						switch code := central.CodeOf(err); code {
						case "":
							sold.Add(1)
						case central.SoldOut, central.Unavailable:
						default:
							t.Error(err)
						}
					}
				})
			}
		}
		wg.Wait()
		if sold.Load() > 45 {
			t.Errorf("%d sold", sold.Load())
		}
		buyers.sold = sold.Load()
		buyers.check(t, a, 220)
	})
}

// 1: each member of a syndicate got as many entries as the whole had lines. Here each combination and each code of a pack is one entry, whoever holds shares of it.
func TestCase01OneEntryWhoeverHolds(t *testing.T) {
	covers.Covers(t, "P15", "P24")
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, closes := onSale(w)
		buyers := newBuyers(w, draw)
		first := buyers.shares(t, w, 5)
		for i := range 45 {
			if b := buyers.shares(t, w, 2); b.Pack != first.Pack || b.Combos != first.Combos || b.Codes[0].First != first.Codes[0].First {
				t.Fatalf("order %d: %+v", i, b)
			}
		}
		for range 5 {
			buyers.shares(t, w, 1)
		}
		w.Clock.Set(closes)
		simples := grid(t, first.Grids[0])
		result := central.Result{Main: simples.Main()[:5], Extra: simples.Extra()[:1]}
		count, _ := w.Evening(draw, terms, result, central.Outside{})
		// Fifty-one players hold the pack; each of its winning combinations stands once in the count of its rank.
		var winners int64
		for _, n := range count.Winners {
			winners += n
		}
		if want := winningOf(first.Grids, result); winners != want || count.Winners[0] != 1 {
			t.Errorf("%d winning combinations, %d at rank 1: one pack has %d", winners, count.Winners[0], want)
		}
		plays := rows[central.Play](t, w.Store, central.Plays)
		if contents := rows[central.PackContent](t, w.Store, central.PackContents); len(plays) != 51 || len(contents) != 1 {
			t.Errorf("%d plays of %d packs", len(plays), len(contents))
		}
		if issued := rows[central.CodePointer](t, w.Store, central.CodePointers); len(issued) != 1 || issued[0].Next != first.Combos {
			t.Errorf("codes issued: %+v, the pack has %d", issued, first.Combos)
		}
	})
}

var lotoMatrix = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}

// winningOf counts the combinations of grids that win any rank of Loto: two numbers or more, or the Chance number.
func winningOf(grids []string, r central.Result) (n int64) {
	drawn, _ := combin.Of(r.Main, r.Extra)
	for _, g := range grids {
		c, _ := combin.Parse(g)
		for simple := range c.Decompose(lotoMatrix) {
			if main, extra := simple.Hits(drawn); main >= 2 || extra == 1 {
				n++
			}
		}
	}
	return n
}

func grid(t testing.TB, s string) combin.Combination {
	t.Helper()
	c, err := combin.Parse(s)
	check(t, err)
	return c
}

// buyers are players who buy for one draw, each with 1 000 €.
type buyers struct {
	draw  string
	ids   []int64
	asked int
	sold  int64
}

func newBuyers(w *storetest.World, draw string) *buyers {
	b := &buyers{draw: draw}
	for i := range 5 {
		b.ids = append(b.ids, w.Player(fmt.Sprint("buyer ", i), 1000))
	}
	return b
}

// rush has n purchases of one grid at a time and returns how many are accepted; the others are refused as sold out.
func (b *buyers) rush(t testing.TB, w *storetest.World, n int, grid combin.Combination) (sold int64) {
	t.Helper()
	var accepted atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		key := fmt.Sprint("rush ", b.asked+i)
		wg.Go(func() {
			_, err := ask(w, "system", key, central.BuyPlay{Player: b.ids[i%len(b.ids)], Draw: b.draw, Lines: []central.Line{{Grid: grid}}})
			switch central.CodeOf(err) {
			case "":
				accepted.Add(1)
			case central.SoldOut:
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	b.asked += n
	b.sold += accepted.Load()
	return accepted.Load()
}

// shares buys shares of one pack.
func (b *buyers) shares(t testing.TB, w *storetest.World, n int64) (out central.Bought) {
	t.Helper()
	b.asked++
	r, err := ask(w, "system", fmt.Sprint("shares ", b.asked), central.BuyShares{Player: b.ids[b.asked%len(b.ids)], Draw: b.draw, Type: "last", Shares: n})
	check(t, err)
	storetest.Result(w, r, &out)
	return out
}

// check checks the books and, with a price, that the buyers have paid for what was sold and no more.
func (b *buyers) check(t testing.TB, w *storetest.World, price money.Cents) {
	t.Helper()
	w.CheckBooks()
	var left money.Cents
	for _, id := range b.ids {
		left += w.Balance(id)
	}
	if want := 100_000*money.Cents(len(b.ids)) - price*money.Cents(b.sold); price > 0 && left != want {
		t.Errorf("the buyers have %v after %d plays, want %v", left, b.sold, want)
	}
}
