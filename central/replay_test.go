package central_test

import (
	"slices"
	"testing"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/store/storetest"
)

// idOf reads a printed id.
func idOf(t testing.TB, printed string) (id central.ID) {
	t.Helper()
	if err := id.UnmarshalText([]byte(printed)); err != nil {
		t.Fatal(err)
	}
	return id
}

// A play is played again: the same numbers, those of its quick picks too, at another draw and today's price; twice is two plays.
func TestReplay(t *testing.T) {
	w := newWorld(t)
	openAhead(w)
	draw := openLoto(w)
	one, two := w.Player("one", 100), w.Player("two", 100)
	first := buy(w, central.BuyPlay{Player: one, Draw: draw, Lines: []central.Line{quick(6, 1), chosen(t, "1-2-3-4-5+6")}, AddOns: joker(100, "")})
	again := central.Replay{Player: one, Draw: nextLoto, OfDraw: draw, OfPlay: idOf(t, first.Play), Channel: central.ChannelApp}
	for range 2 {
		var out central.Bought
		storetest.Result(w, w.Do(central.PlayerPrincipal(one), again), &out)
		if !slices.Equal(out.Grids, first.Grids) || out.Cents != 7*220 || len(out.AddOns) != 0 || out.Play == first.Play {
			t.Errorf("%+v, want the grids %q", out, first.Grids)
		}
	}
	if got := w.Balance(one); got != 10_000-100-3*7*220 {
		t.Errorf("balance %v", got)
	}
	w.Why("replay.game", "system", central.Replay{Player: one, Draw: euro, OfDraw: draw, OfPlay: again.OfPlay})
	w.Why("replay.unknown", central.PlayerPrincipal(two), central.Replay{Player: two, Draw: nextLoto, OfDraw: draw, OfPlay: again.OfPlay})
	w.Why("principal.other", central.PlayerPrincipal(two), again)
	w.Why("replay.unknown", "system", central.Replay{Player: one, Draw: nextLoto, OfDraw: nextLoto, OfPlay: again.OfPlay})
}

// Price and formats are those of today: a play sold under an older version is sold again under the newer one.
func TestReplayUnderTheVersionOfToday(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(instant(t, "2019-11-02 12:00:00"))
	before := w.Open(central.OpenDraw{Game: "loto", Day: "2019-11-02", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2019-11-02 20:15:00")})
	one := w.Player("one", 100)
	first := buy(w, central.BuyPlay{Player: one, Draw: before, Lines: []central.Line{quick(5, 1)}})
	w.Clock.Set(instant(t, "2019-11-05 12:00:00"))
	after := w.Open(central.OpenDraw{Game: "loto", Day: "2019-11-06", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2019-11-06 20:15:00")})
	var out central.Bought
	storetest.Result(w, w.Do("system", central.Replay{Player: one, Draw: after, OfDraw: before, OfPlay: idOf(t, first.Play)}), &out)
	if first.Rules != "loto@2018-10-29" || out.Rules != "loto@2019-11-04" || !slices.Equal(out.Grids, first.Grids) {
		t.Errorf("%+v after %+v", out, first)
	}
}

// No pack and no group play is played again, by the article, whoever of its players asks.
func TestReplayExclusions(t *testing.T) {
	covers.Covers(t, "P12", "P35", "P69")
	w := newWorld(t)
	openAhead(w)
	draw := openLoto(w)
	one, two := w.Player("one", 1000), w.Player("two", 1000)
	pack := buy(w, central.BuyShares{Player: one, Draw: draw, Type: "ten", Shares: 1})
	stars := w.Open(central.OpenDraw{Game: "euromillions", Day: "2020-06-26", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2020-06-26 20:15:00"), Reconstructed: true,
		Packs: []central.PackOffer{{Type: "stars", Multiples: []string{"7x3*1"}, Shares: 10, MaxPacks: 1}}})
	euroPack := buy(w, central.BuyShares{Player: one, Draw: stars, Type: "stars", Shares: 1})
	g := proposed(w, one, draw, 2, quick(5, 1))
	joined(w, g, two, 1)
	group := registered(w, g, one)
	for _, c := range []struct {
		player          int64
		of, play, on    string
		reason, article string
	}{
		{player: one, of: draw, play: pack.Play, on: nextLoto, reason: "replay.pack", article: "loto@2018-10-29:14.8"},
		{player: one, of: stars, play: euroPack.Play, on: euro, reason: "replay.pack", article: "euromillions@2018-10-29:3.4.2.6"},
		{player: one, of: draw, play: group.Play, on: nextLoto, reason: "replay.group", article: "loto@2018-10-29:14.5"},
		{player: two, of: draw, play: group.Play, on: nextLoto, reason: "replay.group", article: "loto@2018-10-29:14.5"},
	} {
		before := w.Balance(c.player)
		r := w.Why(c.reason, central.PlayerPrincipal(c.player), central.Replay{Player: c.player, Draw: c.on, OfDraw: c.of, OfPlay: idOf(t, c.play), Channel: central.ChannelWeb})
		if r.Article != c.article || w.Balance(c.player) != before {
			t.Errorf("%s: refused by %q, want %s; balance %v, want %v", c.play, r.Article, c.article, w.Balance(c.player), before)
		}
	}
}

// A replay is quoted and confirmed as any sale.
func TestReplayIsQuoted(t *testing.T) {
	w := newWorld(t)
	openAhead(w)
	draw := openLoto(w)
	one := w.Player("one", 100)
	first := buy(w, central.BuyPlay{Player: one, Draw: draw, Lines: []central.Line{quick(5, 1)}})
	q, err := w.Register.Quote(t.Context(), central.Replay{Player: one, Draw: nextLoto, OfDraw: draw, OfPlay: idOf(t, first.Play), Channel: central.ChannelWeb})
	if err != nil {
		t.Fatal(err)
	}
	if q.Cents != 220 || len(q.Lines) != 1 || q.Lines[0].Grid != first.Grids[0] {
		t.Errorf("%+v", q.Terms)
	}
	slip, err := central.ParseQuote(q.Text)
	if err != nil {
		t.Fatal(err)
	}
	var out central.Bought
	storetest.Result(w, w.Do(central.PlayerPrincipal(one), central.Confirm{Quote: *slip}), &out)
	if !slices.Equal(out.Grids, first.Grids) {
		t.Errorf("%+v", out)
	}
}
