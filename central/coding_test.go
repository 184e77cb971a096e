package central_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// buy does a purchase that must be accepted, and returns what was bought.
func buy(w *storetest.World, c central.Command) central.Bought {
	w.Helper()
	var b central.Bought
	storetest.Result(w, w.Do("system", c), &b)
	return b
}

// simples is a play of n simple combinations.
func simples(player int64, draw string, n int) central.BuyPlay {
	return central.BuyPlay{Player: player, Draw: draw, Lines: slices.Repeat([]central.Line{quick(5, 1)}, n)}
}

// A play or a pack has as many codes as simple combinations. Up to ten come from the random zone, each once; more come in a row from the
// sequential zone, which goes on from play to play and from draw to draw. What counts is the number of codes of the PACK, not the shares bought.
func TestCodesOfPlaysAndPacks(t *testing.T) {
	covers.Covers(t, "P17", "P18")
	w := newWorld(t)
	player := w.Player("one", 10_000)
	ten := central.PackOffer{Type: "ten", Multiples: []string{"6x1*1"}, Simples: 4, Shares: 2, MaxPacks: 9}
	eleven := central.PackOffer{Type: "eleven", Multiples: []string{"6x1*1"}, Simples: 5, Shares: 2, MaxPacks: 9}
	draw := openLoto(w, func(c *central.OpenDraw) { c.Packs = []central.PackOffer{ten, eleven} })
	seen := map[string]bool{}
	for i, c := range []struct {
		cmd         central.Command
		count       int64
		first, last string // "": random
	}{
		{simples(player, draw, 1), 1, "", ""},
		{simples(player, draw, 10), 10, "", ""},
		{simples(player, draw, 11), 11, "V 8214 7231", "V 8214 7241"},
		{central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(6, 2)}}, 12, "V 8214 7242", "V 8214 7253"},
		{central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: 1}, 10, "", ""},
		{central.BuyShares{Player: player, Draw: draw, Type: "eleven", Shares: 1}, 11, "V 8214 7254", "V 8214 7264"},
		{simples(player, draw, 2), 2, "", ""},
		{simples(player, draw, 11), 11, "V 8214 7265", "V 8214 7275"},
	} {
		b := buy(w, c.cmd)
		if b.Combos != c.count || len(b.Codes) != 1 || b.Codes[0].Count != c.count {
			t.Fatalf("purchase %d: %+v, want %d codes", i, b, c.count)
		}
		k := b.Codes[0]
		if c.first != "" {
			if k.First != c.first || k.Last != c.last || k.All != nil {
				t.Errorf("purchase %d: %s to %s, want %s to %s", i, k.First, k.Last, c.first, c.last)
			}
			continue
		}
		if int64(len(k.All)) != c.count || k.First != k.All[0] || k.Last != k.All[c.count-1] {
			t.Errorf("purchase %d: %+v", i, k)
		}
		for _, code := range k.All {
			if code >= "V 8214 7231" || seen[code] {
				t.Errorf("purchase %d: code %s is not of the random zone, or was issued before", i, code)
			}
			seen[code] = true
		}
	}
	// The other share of the pack holds the same codes; the next draw goes on where this one stands.
	if k := buy(w, central.BuyShares{Player: player, Draw: draw, Type: "eleven", Shares: 1}).Codes[0]; k.First != "V 8214 7254" {
		t.Errorf("the second share of the pack has codes from %s on", k.First)
	}
	next := openLoto(w, func(c *central.OpenDraw) {
		c.Day, c.ClosesAt, c.Packs = "2020-06-24", instant(t, "2020-06-24 20:15:00"), nil
	})
	if k := buy(w, simples(player, next, 11)).Codes[0]; k.First != "V 8214 7276" {
		t.Errorf("the next draw has codes from %s on", k.First)
	}
	if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != "V 8214 7287" {
		t.Errorf("this draw goes on from %s", k.First)
	}
}

// The pointer goes back to the start at the end of the zone and skips a tail that is too short (assumed).
func TestSequentialCodesWrap(t *testing.T) {
	w := newWorld(t)
	player := w.Player("one", 10_000)
	draw := openLoto(w, func(c *central.OpenDraw) { c.Codes = map[string]string{"loto": "Z 9999 9980"} })
	for i, want := range []string{"Z 9999 9980", "V 8214 7231", "V 8214 7242"} {
		if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != want {
			t.Errorf("play %d: codes from %s on, want %s", i, k.First, want)
		}
	}
	// The pointer never goes back: a code given for a later draw is that of the next lap.
	next := openLoto(w, func(c *central.OpenDraw) {
		c.Day, c.ClosesAt, c.Codes = "2020-06-24", instant(t, "2020-06-24 20:15:00"), map[string]string{"loto": "V 8214 7231"}
	})
	if k := buy(w, simples(player, next, 11)).Codes[0]; k.First != "V 8214 7231" {
		t.Errorf("given code %s", k.First)
	}
	if floor := drawRow(w, next).SeqFloor; floor != 2*417_852_769 {
		t.Errorf("the next draw starts at %d", floor)
	}
}

// lap is the length of the sequential zone of Loto, and pointerKey its pointer.
const lap = 417_852_769

var pointerKey = central.Key{Table: central.CodePointers, S: "seq/loto/loto"}

// turn moves the pointer of the game, as the sales of other draws do.
func turn(w *storetest.World, to int64) {
	w.Helper()
	_, err := w.Try("system", central.Unlawful{Name: fmt.Sprint("turn to ", to), Read: []central.Key{pointerKey}, Do: func(p *central.Plan) error {
		central.Edit[central.CodePointer](p, pointerKey).Next = to
		return nil
	}})
	if err != nil {
		w.Fatal(err)
	}
}

// When the pointer has been through the whole zone while a draw is on sale, the draw goes on with the codes that it does not hold itself; it is refused only
// when its own zone is used up.
func TestSequentialCodesAfterALap(t *testing.T) {
	w := newWorld(t)
	player := w.Player("one", 10_000)
	draw := openLoto(w)
	for _, want := range []string{"V 8214 7231", "V 8214 7242"} {
		if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != want {
			t.Fatalf("codes from %s on, want %s", k.First, want)
		}
	}
	buy(w, central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: 1}) // 60 codes from V 8214 7253 to V 8214 7312
	turn(w, lap-5)
	// In one batch and in the next one: behind what the draw holds.
	release := hold(w)
	a, b := ask(w, "a", simples(player, draw, 11)), ask(w, "b", simples(player, draw, 12))
	release(2)
	if err := <-a; err != nil {
		t.Fatal(err)
	}
	if err := <-b; err != nil {
		t.Fatal(err)
	}
	if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != "V 8214 7336" {
		t.Errorf("codes from %s on, want V 8214 7336", k.First)
	}
	turn(w, 3*lap+20)
	if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != "V 8214 7347" {
		t.Errorf("codes from %s on, want V 8214 7347", k.First)
	}
	// All but 30 codes of the zone.
	_, err := w.Try("system", central.Unlawful{Name: "all", Do: func(p *central.Plan) error {
		play := somePlay(w, p, central.KindSimple)
		play.CodeAt, play.Combos = 4*lap+127, lap-30-127
		central.Insert(p, play)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	turn(w, 5*lap+40)
	for _, want := range []string{"Z 9999 9970", "Z 9999 9981"} {
		r, err := w.Try("system", simples(player, draw, 11))
		if err != nil {
			t.Fatal(err)
		}
		var bought central.Bought
		if storetest.Result(w, r, &bought); bought.Codes[0].First != want {
			t.Errorf("codes from %s on, want %s", bought.Codes[0].First, want)
		}
	}
	if _, err := w.Try("system", simples(player, draw, 11)); central.CodeOf(err) != central.SoldOut || !strings.Contains(err.Error(), "no 11 codes in a row are left") {
		t.Errorf("%v", err)
	}
	// Another draw has the whole zone.
	if _, err := w.Try("system", lotoOpening(w, func(c *central.OpenDraw) {
		c.Day, c.ClosesAt = "2020-06-24", instant(t, "2020-06-24 20:15:00")
	})); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Try("system", simples(player, "loto-2020-06-24", 60)); err != nil {
		t.Error(err)
	}
}

// What another node has reserved ahead is not given away after a lap.
func TestLapLeavesReservedBlocks(t *testing.T) {
	store := &mem.Store{}
	a := storetest.NewWorld(t, store)
	b := storetest.NewWorld(t, store, func(c *central.Config) { c.Node, c.CodeBlock = 1, 1000 })
	player := a.Player("one", 10_000)
	draw := openLoto(a)
	first := make([]string, 0, 4)
	// The draw goes from node to node: its combinations are capped.
	epoch, seller := int64(1), a
	sell := func(w *storetest.World, key string) {
		t.Helper()
		if w != seller {
			if _, err := w.Register.Do(context.Background(), central.Request{Principal: "system", Key: "take " + key, Command: central.TakeSales{Epoch: epoch}}); err != nil {
				t.Fatal(err)
			}
			epoch, seller = epoch+1, w
		}
		r, err := w.Register.Do(context.Background(), central.Request{Principal: central.PlayerPrincipal(player), Key: key, Command: simples(player, draw, 11)})
		if err != nil {
			t.Fatal(err)
		}
		var bought central.Bought
		storetest.Result(w, r, &bought)
		first = append(first, bought.Codes[0].First)
		a.CheckBooks()
	}
	sell(b, "b1") // reserves 1000
	sell(a, "a1")
	turn(a, lap+3)
	sell(a, "a2")
	sell(b, "b2")
	if want := []string{"V 8214 7231", "V 8214 8231", "V 8214 8242", "V 8214 7242"}; !slices.Equal(first, want) {
		t.Errorf("codes from %v on, want %v", first, want)
	}
}

// Blocks reserved ahead hold what this node sells; a draw that opens later leaves what was reserved before it.
func TestBlocksReservedAhead(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.CodeBlock = 100 })
	player := w.Player("one", 10_000)
	draw := openLoto(w)
	for i, want := range []string{"V 8214 7231", "V 8214 7242"} {
		if k := buy(w, simples(player, draw, 11)).Codes[0]; k.First != want {
			t.Errorf("play %d: %s", i, k.First)
		}
	}
	if next := storedRow[central.CodePointer](t, w.Store, pointerKey).Next; next != 100 {
		t.Errorf("the pointer stands at %d", next)
	}
	w.Clock.Set(w.Clock.Now().Add(time.Hour))
	later := openLoto(w, func(c *central.OpenDraw) {
		c.Day, c.ClosesAt, c.Packs = "2020-06-24", instant(t, "2020-06-24 20:15:00"), nil
	})
	for i, c := range []struct{ draw, want string }{{draw, "V 8214 7253"}, {later, "V 8214 7331"}, {draw, "V 8214 7342"}, {later, "V 8214 7353"}} {
		if k := buy(w, simples(player, c.draw, 11)).Codes[0]; k.First != c.want {
			t.Errorf("play %d: %s, want %s", i, k.First, c.want)
		}
	}
	// A play larger than a block has a row of its own.
	if k := buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(7, 8)}}).Codes[0]; k.Count != 168 || k.First != "V 8214 7431" {
		t.Errorf("%+v", k)
	}
}
