package central_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/store/storetest"
)

// What the register sells is what the policy says, order by order, and what is then unsold of the packs is the best possible for these orders.
func TestUnsoldAgainstTheBest(t *testing.T) {
	covers.Covers(t, "P14", "P31", "P65")
	const orders = 1500
	w := newWorld(t)
	draw := openLoto(w, func(c *central.OpenDraw) {
		c.Packs = []central.PackOffer{
			{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 1000}, {Type: "none", Simples: 10, Shares: 10, MaxPacks: 1},
		}
	})
	player := w.Player("one", 1_000_000)
	rng := rand.New(rand.NewPCG(1, 200))
	var left, numbers []int64
	made := int64(0)
	want := central.Unsold{Type: "600", Shares: 200, Orders: map[int64]int64{}, MaxPacks: 1000}
	for i := range orders {
		n := []int64{1, 2, 5, 10}[rng.IntN(4)]
		at := pack.Choose(left, n, true)
		if at == pack.NewPack {
			at, left, numbers = len(left), append(left, 200), append(numbers, made)
			made++
		}
		r, err := w.Try("system", central.BuyShares{Player: player, Draw: draw, Type: "600", Shares: n})
		if err != nil {
			t.Fatalf("order %d of %d shares: %v", i, n, err)
		}
		var b central.Bought
		if storetest.Result(w, r, &b); b.Pack != fmt.Sprint("600/", numbers[at]) {
			t.Fatalf("order %d of %d shares with %v left: pack %s, want %d", i, n, left, b.Pack, numbers[at])
		}
		if left[at] -= n; left[at] == 0 {
			left, numbers = slices.Delete(left, at, at+1), slices.Delete(numbers, at, at+1)
		}
		want.Orders[n]++
		want.Sold += n
	}
	w.CheckBooks()
	snap, err := w.Store.Snapshot(t.Context())
	must(w, err)
	defer snap.Close()
	got, err := central.ReadUnsold(t.Context(), snap, draw)
	must(w, err)
	want.Packs = (want.Sold + 199) / 200
	want.Unsold = want.Packs*200 - want.Sold
	want.Stake = money.Mul(660, want.Unsold)
	want.Best = central.UnsoldBest{Packs: want.Packs, Unsold: want.Unsold, AtMost: want.Packs}
	if diff := cmp.Diff([]central.Unsold{want, {Type: "none", Shares: 10, Orders: map[int64]int64{}, MaxPacks: 1}}, got); diff != "" {
		t.Errorf("report (-want +got): %s", diff)
	}
	if _, err := central.ReadUnsold(t.Context(), snap, "loto-1999-01-01"); central.CodeOf(err) != central.NotFound {
		t.Errorf("report on no draw: %v", err)
	}
}
