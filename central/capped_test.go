package central_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tirage/central"
	"tirage/fairness"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/store/mem"
	"tirage/store/storetest"
)

const identicalMax = 45

var (
	lotoMatrix = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	simpleLoto = combin.Format{Main: 5, Extra: 1}
)

// saturate sells a simple combination as often as the draw allows, without a look at the books in between.
func saturate(w *storetest.World, player int64, draw string, grid combin.Combination) {
	w.Helper()
	for range identicalMax {
		if _, err := w.Try("system", central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{{Grid: grid}}}); err != nil {
			w.Fatal(err)
		}
	}
}

// buyAs buys under a key of its own, whatever register it is.
func buyAs(w *storetest.World, key string, player int64, draw string, lines ...central.Line) (central.Receipt, error) {
	return w.Register.Do(w.Context(), central.Request{Principal: "system", Key: key, Command: central.BuyPlay{Player: player, Draw: draw, Lines: lines}})
}

// secretOf opens the secret of a draw.
func secretOf(w *storetest.World, draw string) fairness.Secret {
	w.Helper()
	secret, err := w.Operator.OpenSecret(drawRow(w, draw))
	must(w, err)
	return secret
}

// nextPlay is the number that the play has which is sold after so many further leaves of node 0.
func nextPlay(w *storetest.World, leaves int64) int64 {
	w.Helper()
	return storedRow[central.Writer](w, w.Store, central.Key{Table: central.Writers}).Size + leaves + 1
}

// checkPicks draws all quick picks of a draw again.
func checkPicks(w *storetest.World, reader central.Reader, draw string) error {
	w.Helper()
	snap, err := reader.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	return central.CheckPicks(w.Context(), snap, draw, secretOf(w, draw))
}

// sellSaturated sells a quick pick and a pack whose first attempts are sold out.
func sellSaturated(w *storetest.World) (draw string, first combin.Combination, play central.Bought, packs [2]central.Bought) {
	w.Helper()
	draw = openLoto(w)
	player := w.Player("one", 1000)
	secret := secretOf(w, draw)
	first = fairness.QuickPick(secret, draw, nextPlay(w, identicalMax), 1, 0, lotoMatrix, simpleLoto)
	saturate(w, player, draw, first)
	play = buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{chosen(w, "1-2-3-4-5+6"), quick(5, 1)}})
	// One component of the first grid of the pack is enough.
	grid := fairness.QuickPick(secret, draw+"/ten", 0, 0, 0, lotoMatrix, combin.Format{Main: 6, Extra: 10})
	saturate(w, player, draw, combin.Unrank(lotoMatrix, grid, 17))
	for i := range packs {
		packs[i] = buy(w, central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: int64(1 + i)})
	}
	return draw, first, play, packs
}

// A quick pick that is sold out is drawn again under the next attempt, which stands in the leaf; with it anybody who knows the secret draws the same grid.
func TestSaturatedQuickPick(t *testing.T) {
	covers.Covers(t, "P16", "P47")
	w := newWorld(t)
	draw, first, play, packs := sellSaturated(w)
	secret := secretOf(w, draw)
	var id int64
	for _, r := range rows(t, w.Store, central.Plays) {
		if p := r.(*central.Play); central.PlayID(p.ID) == play.Play {
			id = p.ID
		}
	}
	if want := fairness.QuickPick(secret, draw, id, 1, 1, lotoMatrix, simpleLoto).String(); play.Grids[1] != want || want == first.String() || play.Attempts != "1:1" {
		t.Errorf("the quick pick is %v under attempts %q, want %v under 1:1", play.Grids[1], play.Attempts, want)
	}
	if want := fairness.QuickPick(secret, draw+"/ten", 0, 0, 1, lotoMatrix, combin.Format{Main: 6, Extra: 10}).String(); packs[0].Grids[0] != want || packs[1].Grids[0] != want {
		t.Errorf("the pack plays %v and %v, want %v", packs[0].Grids, packs[1].Grids, want)
	}
	attempts := storedRow[central.PickAttempts](t, w.Store, central.Key{Table: central.Attempts, S: draw, U: "ten"})
	if attempts.Attempts != "0:1" {
		t.Errorf("attempts of the pack: %+v", attempts)
	}
	must(w, checkPicks(w, w.Store, draw))
	// Another attempt, or none, is found.
	for _, text := range []string{"1:2", "0:1", "", "1:0", "1:256"} {
		err := checkPicks(w, doctored{w.Store, func(r central.Row) []central.Row {
			if a, ok := r.(*central.PickAttempts); ok && a.Type == "" {
				a.Attempts = text
			}
			return []central.Row{r}
		}}, draw)
		if err == nil {
			t.Errorf("attempts %q of the play: nobody finds it", text)
		}
	}
	// A pick that was passed over though it was not sold out is found: without the row nobody could tell why.
	err := checkPicks(w, doctored{w.Store, func(r central.Row) []central.Row {
		if p, ok := r.(*central.Play); ok && len(p.Lines) == 8 && central.Grids(p.Lines)[0] == first && p.ID%2 == 0 {
			return nil
		}
		return []central.Row{r}
	}}, draw)
	if err == nil || !strings.Contains(err.Error(), "of which nothing was sold out") {
		t.Errorf("a pick passed over without a reason: %v", err)
	}
}

// A chosen combination that is sold out refuses the whole play, alone, inside a multiple or among other grids, with the article; nothing is debited, and nothing of
// the refused play is counted.
func TestSaturatedChoice(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	player := w.Player("one", 1000)
	full := chosen(t, "1-2-3-4-5+6").Grid
	saturate(w, player, draw, full)
	before := w.Balance(player)
	for _, lines := range [][]central.Line{
		{{Grid: full}},
		{chosen(t, "1-2-3-4-5-7+5-6")},
		{chosen(t, "10-11-12-13-14+6"), {Grid: full}},
	} {
		_, err := w.Try("system", central.BuyPlay{Player: player, Draw: draw, Lines: lines})
		if err == nil || central.CodeOf(err) != central.SoldOut {
			t.Fatalf("%v: %v", lines, err)
		}
		for _, want := range []string{fmt.Sprintf("lines.%d", len(lines)-1), "combination 1-2-3-4-5+6", "45 times", "nothing is debited", "art. décret 78-1067:15"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", lines, err, want)
			}
		}
	}
	if got := w.Balance(player); got != before {
		t.Errorf("%v debited for refused plays", before-got)
	}
	// What stood beside it was refused three times and is still free 45 times; the same grid twice in one play counts twice.
	saturate(w, player, draw, chosen(t, "1-2-3-4-7+5").Grid)
	other := chosen(t, "10-11-12-13-14+6")
	saturated := slices.Repeat([]central.Line{other}, identicalMax)
	w.Refused(central.SoldOut, "system", central.BuyPlay{Player: player, Draw: draw, Lines: append(saturated, other)})
	w.Do("system", central.BuyPlay{Player: player, Draw: draw, Lines: saturated})
	w.Refused(central.SoldOut, "system", central.BuyPlay{Player: player, Draw: draw, Lines: saturated[:1]})
}

// A game without a limit sells any number, and so does another draw of a game that has one.
func TestNoLimit(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(instant(t, "2019-03-08 09:00:00"))
	player := w.Player("one", 1000)
	for _, draw := range []central.OpenDraw{{Game: "superloto", Day: "2019-03-08"}, {Game: "loto", Day: "2019-03-09"}, {Game: "loto", Day: "2019-03-11"}} {
		draw.OpensAt, draw.ClosesAt = w.Clock.Now(), instant(t, draw.Day+" 20:15:00")
		id := w.Open(draw)
		saturate(w, player, id, chosen(t, "1-2-3-4-5+6").Grid)
		_, err := w.Try("system", central.BuyPlay{Player: player, Draw: id, Lines: []central.Line{chosen(t, "1-2-3-4-5+6")}})
		if (err == nil) != (draw.Game == "superloto") {
			t.Errorf("%s: the 46th: %v", id, err)
		}
	}
	w.CheckBooks()
}

// Whatever is bought, simple or multiple, by whatever register and after whatever fault of the store, what is accepted is what counting each simple
// combination in a map accepts.
func TestCappedAgainstModel(t *testing.T) {
	for seed := range uint64(16) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { cappedStory(t, rand.New(rand.NewPCG(seed, 45))) })
	}
}

func cappedStory(t *testing.T, rng *rand.Rand) {
	n := 0
	store := &storetest.Faulty{Store: &mem.Store{}, Next: func() storetest.Fault {
		if n++; n%8 > 0 {
			return storetest.NoFault
		}
		return storetest.Deadlock + storetest.Fault(rng.IntN(4))
	}}
	w := storetest.NewWorld(t, store)
	draw := openLoto(w)
	player := w.Player("one", 1_000_000)
	taken := map[combin.Combination]int{}
	for i := range 50 + rng.IntN(50) {
		switch rng.IntN(60) {
		case 0: // the process stops, another one goes on
			w.Register.Close()
			w = storetest.NewWorld(t, store)
		case 1:
			w.CheckBooks()
		}
		var lines []central.Line
		for range 1 + rng.IntN(3) {
			// Five or six of the numbers 1 to 6, Chance 1, 2 or both.
			grid := chosen(t, "1-2-3-4-5-6+1-2").Grid &^ (1 << rng.IntN(10) & (1<<6 - 1))
			lines = append(lines, central.Line{Grid: grid &^ []combin.Combination{0, 1 << combin.MainBits, 2 << combin.MainBits}[rng.IntN(3)]})
		}
		counted, fits := map[combin.Combination]int{}, true
		for _, l := range lines {
			for c := range l.Grid.Decompose(lotoMatrix) {
				counted[c]++
				fits = fits && taken[c]+counted[c] <= identicalMax
			}
		}
		_, err := buyAs(w, fmt.Sprint("play ", i), player, draw, lines...)
		switch {
		case fits && err != nil, !fits && central.CodeOf(err) != central.SoldOut:
			t.Fatalf("%v with %v taken: %v", lines, taken, err)
		case fits:
			for c, n := range counted {
				taken[c] += n
			}
		}
	}
	w.CheckBooks()
}

// The books find a combination that takes part once too often, whatever let it in.
func TestBooksFindOneTooMany(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	player := w.Player("one", 1000)
	saturate(w, player, draw, chosen(t, "1-2-3-4-5+6").Grid)
	if _, err := w.Try("system", central.Unlawful{Do: func(p *central.Plan) error {
		play := *rows(t, w.Store, central.Plays)[0].(*central.Play)
		play.ID = p.ID()
		central.Insert(p, &play)
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if err := central.CheckBooks(context.Background(), w.Store); err == nil || !strings.Contains(err.Error(), "combination 1-2-3-4-5+6 takes part in draw "+draw+" more than 45 times") {
		t.Errorf("the books say %v", err)
	}
	// Nor is anything sold on such counts.
	w = storetest.NewWorld(t, w.Store)
	if _, err := buyAs(w, "one more", player, draw, chosen(t, "1-2-3-4-6+6")); central.CodeOf(err) != central.Unavailable {
		t.Errorf("on counts that cannot be, a sale is answered with %v", err)
	}
}

// A quote of a combination that is sold out is refused like its sale, before anybody is asked for money, alone or inside a multiple; a quick pick is
// quoted, since it is drawn again. What is sold out is known again after a restart, from the first sale on.
func TestCase09QuoteTellsWhatIsSoldOut(t *testing.T) {
	store := &mem.Store{}
	w := storetest.NewWorld(t, store)
	draw := openLoto(w)
	player := w.Player("one", 1000)
	other := openLoto(w, func(c *central.OpenDraw) { c.Day, c.ClosesAt = "2020-06-24", instant(t, "2020-06-24 20:15:00") })
	grid := chosen(t, "1-2-3-4-5+6")
	order := func(draw string, l central.Line) central.BuyPlay {
		return central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{l}, Channel: central.ChannelWeb}
	}
	told := func(w *storetest.World, c central.BuyPlay) string {
		t.Helper()
		_, err := w.Register.Quote(t.Context(), c)
		if refused, ok := err.(*central.Refusal); ok {
			return refused.Reason + " " + refused.Field
		}
		must(w, err)
		return ""
	}
	for range identicalMax - 1 {
		buy(w, order(draw, grid))
	}
	if got := told(w, order(draw, grid)); got != "" {
		t.Errorf("one is left: %s", got)
	}
	buy(w, order(draw, grid))
	const full = "play.saturated lines.0"
	for _, c := range []struct {
		order central.BuyPlay
		want  string
	}{
		{order(draw, grid), full}, {order(draw, chosen(t, "1-2-3-4-5-49+6-7")), full}, {order(draw, chosen(t, "1-2-3-4-5+7")), ""},
		{order(draw, quick(5, 1)), ""}, {order(other, grid), ""},
	} {
		if got := told(w, c.order); got != c.want {
			t.Errorf("%+v: told %q, want %q", c.order, got, c.want)
		}
	}
	w.Why("play.saturated", "system", order(draw, grid))
	w.Register.Close()
	again := storetest.NewWorld(t, store)
	again.Clock.Set(w.Clock.Now())
	if _, err := buyAs(again, "after", player, draw, quick(5, 1)); err != nil {
		t.Fatal(err)
	}
	if got := told(again, order(draw, grid)); got != full {
		t.Errorf("after a restart: told %q", got)
	}
}
