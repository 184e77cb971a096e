package central_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// read returns all plays of a player, page by page of n.
func read(w *storetest.World, player int64, n int) (all []central.PlayRecord) {
	w.Helper()
	for q := (central.PlaysQuery{Player: player, Limit: n}); ; {
		page, err := w.Register.ReadPlays(w.Context(), q)
		if err != nil {
			w.Fatal(err)
		}
		if len(page.Plays) > n {
			w.Errorf("a page of %d plays, at most %d were asked for", len(page.Plays), n)
		}
		all = append(all, page.Plays...)
		if page.Before == 0 {
			return all
		}
		q.Before = page.Before
	}
}

// After the confirmation the whole pack stands in the history, grids and codes, as the receipt showed it, for ever; its gain once it is paid. The same for
// a play of grids.
func TestHistoryShowsTheWholePack(t *testing.T) {
	covers.Covers(t, "P41", "P42", "P75", "P76")
	for _, c := range []struct{ game, day, multiple string }{{"loto", "2018-10-29", "6x10"}, {"euromillions", "2018-11-02", "6x3"}} {
		t.Run(c.game, func(t *testing.T) {
			w := newWorld(t)
			draw := packDraw(w, c.game, c.day, c.multiple, c.game == "euromillions")
			one, two := w.Player("one", 1000), w.Player("two", 1000)
			b := confirm(w, quoted(w, central.BuyShares{Player: one, Draw: draw, Type: "Grand", Shares: 1, Channel: central.ChannelWeb}))
			got := read(w, one, 10)
			if len(got) != 1 {
				t.Fatalf("%d plays", len(got))
			}
			r := got[0]
			var grids []string
			for _, g := range r.Grids {
				grids = append(grids, g.Grid)
				if !g.Quick {
					t.Errorf("grid %s of a pack is no quick pick", g.Grid)
				}
			}
			if diff := cmp.Diff(b.Grids, grids); diff != "" || len(grids) != 12 {
				t.Errorf("grids (-receipt +history): %s", diff)
			}
			if diff := cmp.Diff(b.Codes, r.Codes); diff != "" || len(r.Codes) != map[string]int{"loto": 1, "euromillions": 2}[c.game] {
				t.Errorf("codes (-receipt +history): %s", diff)
			}
			if r.Play != b.Play || r.Cents != b.Cents || r.Pack != b.Pack || r.Shares != 1 || r.PackShares != 10 || r.Combinations != b.Combos || r.Gain != nil ||
				r.Draw.Day != c.day || r.State != "open" || r.Channel != central.ChannelWeb {
				t.Errorf("bought %+v, in the history %+v", b, r)
			}
			// Nobody sees another player's.
			if _, err := w.Register.ReadPlay(t.Context(), two, draw, r.Play); central.CodeOf(err) != central.NotFound {
				t.Errorf("read by another player: %v", err)
			}
			for _, id := range []string{"", "0-999", "x", "-1-1", "9-9999999999999999999"} {
				if _, err := w.Register.ReadPlay(t.Context(), one, draw, id); central.CodeOf(err) != central.NotFound {
					t.Errorf("play %q: %v", id, err)
				}
			}
		})
	}
}

// A history holds every play once, the latest first, in pages of any size; and the gain of each as it was paid.
func TestHistoryOfPlays(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w, func(c *central.OpenDraw) { c.Packs[1].MaxPacks = 9 })
	sellLoto(w, draw)
	other := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-24", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2020-06-24 20:15:00")})
	player := w.Player("three", 1000)
	order := central.BuyPlay{
		Player: player, Draw: draw, Further: []string{other}, Lines: []central.Line{chosen(t, "1-2-3-4-5+6"), quick(5, 1)},
		AddOns: []central.AddOn{{Game: "jokerplus", Stake: 100, Number: "5697395"}},
	}
	b := confirm(w, quoted(w, order))
	share := confirm(w, quoted(w, central.BuyShares{Player: player, Draw: draw, Type: "small", Shares: 1}))
	all := read(w, player, central.PlaysMax)
	var plays []string
	for _, r := range all {
		plays = append(plays, r.Draw.Draw+" "+r.Play)
	}
	if diff := cmp.Diff([]string{draw + " " + share.Play, other + " " + b.Play, draw + " " + b.Play}, plays); diff != "" {
		t.Fatal(diff)
	}
	for n := 1; n <= 3; n++ {
		if diff := cmp.Diff(all, read(w, player, n)); diff != "" {
			t.Errorf("pages of %d: %s", n, diff)
		}
	}
	want := central.PlayRecord{
		Play: b.Play, State: "open", At: w.Clock.Now(), Rules: "loto@2019-11-04", Cents: 540, Combinations: 2, Codes: b.Codes,
		Grids:  []central.GridRecord{{Grid: b.Grids[0]}, {Grid: b.Grids[1], Quick: true}},
		AddOns: []central.AddOnBought{{Game: "jokerplus", Cents: 100, Rules: "jokerplus@2017-03-06", Number: "5 697 395"}},
	}
	if diff := cmp.Diff(want, all[2], cmpopts.IgnoreFields(central.PlayRecord{}, "Draw")); diff != "" {
		t.Errorf("play (-want +got): %s", diff)
	}
	result := lotoResult
	result.Joker = "5 697 395"
	before := w.Balance(player)
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	w.Evening(draw, lotoTerms, result, central.Outside{})
	var gains money.Cents
	for _, r := range read(w, player, 2) {
		if (r.Gain != nil) != (r.Draw.Draw == draw) {
			t.Errorf("gain of draw %s, which is %s: %v", r.Draw.Draw, r.State, r.Gain)
		}
		if r.Gain != nil {
			gains += *r.Gain
		}
	}
	if paid := w.Balance(player) - before; gains != paid || paid == 0 {
		t.Errorf("the history shows gains of %v, %v was paid", gains, paid)
	}
	for _, limit := range []int{0, -1, central.PlaysMax + 1} {
		if _, err := w.Register.ReadPlays(t.Context(), central.PlaysQuery{Player: player, Limit: limit}); central.CodeOf(err) != central.Invalid {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if got := read(w, 999, 10); len(got) != 0 {
		t.Errorf("plays of nobody: %+v", got)
	}
}
