package central_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/storetest"
)

func catalogue(w *storetest.World) *central.Catalogue {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	c, err := central.ReadCatalogue(w.Context(), snap, w.Clock.Now())
	if err != nil {
		w.Fatal(err)
	}
	return c
}

func gameIn(w *storetest.World, c *central.Catalogue, game string) *central.GameOffer {
	w.Helper()
	for i := range c.Games {
		if c.Games[i].Game == game {
			return &c.Games[i]
		}
	}
	w.Fatalf("%s is not in the catalogue", game)
	return nil
}

// The catalogue shows what is on sale for a draw, its packs item by item with what is left of them, and the hours and announcements of the draws to come.
func TestCatalogue(t *testing.T) {
	covers.Covers(t, "P20", "P21", "P22", "P53", "P54", "P55")
	w := newWorld(t)
	w.Clock.Set(instant(t, "2018-11-02 12:00:00"))
	closes := instant(t, "2018-11-02 20:15:00")
	draw := w.Open(central.OpenDraw{
		Game: "euromillions", Day: "2018-11-02", OpensAt: w.Clock.Now(), ClosesAt: closes, Exceptional: true,
		Packs: []central.PackOffer{{Type: "Grand", Multiples: []string{"6x3*10"}, Simples: 2, Shares: 10, MaxPacks: 3, Formulas: []int64{1, 4, 5}}, {Type: "Petit", Simples: 4, Shares: 5, MaxPacks: 1}},
	})
	w.Do("system", central.BuyShares{Player: w.Player("one", 1000), Draw: draw, Type: "Grand", Shares: 4})
	w.Do("staff/one", central.PlanDraw{Game: "euromillions", Day: "2018-11-06", Super: 13_000_000_000})
	w.Do("staff/one", central.PlanDraw{Game: "euromillions", Day: "2018-11-09"})
	w.Do("staff/one", central.SkipDraw{Draw: "euromillions-2018-11-09", Why: "not held"})
	w.Do("staff/one", central.PlanDraw{Game: "loto", Day: "2018-11-03", Jackpot: 900_000_000})
	c := catalogue(w)
	g := gameIn(w, c, "euromillions")
	if g.Rules != "euromillions@2018-10-29" || g.Price != 250 || g.Packs == nil || !strings.HasSuffix(g.Packs.Article, ":3.4.2.6") || len(g.Draws) != 2 {
		t.Fatalf("%+v", g)
	}
	if diff := cmp.Diff(central.FormatOffer{Main: 6, Extra: 3, Combinations: 18, Cents: 4500}, g.Formats[12]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]central.AddOnOffer{{Game: "etoileplus", Title: "Étoile+", Price: 100}}, g.AddOns); diff != "" {
		t.Error(diff)
	}
	d := g.Draws[0]
	if !d.OnSale || d.State != "open" || !d.Exceptional || !d.ClosesAt.Equal(closes) || len(d.Commitment) != 64 || len(d.Packs) != 2 {
		t.Errorf("%+v", d)
	}
	// The same items as the quote shows: one source.
	q := quoted(w, central.BuyShares{Player: w.Player("two", 1000), Draw: draw, Type: "Grand", Shares: 1})
	if diff := cmp.Diff(*q.Pack, d.Packs[0].PackTerms); diff != "" {
		t.Errorf("quote and catalogue differ: %s", diff)
	}
	if diff := cmp.Diff(central.Stock{Sold: 4, Left: 26, Largest: 10, Packs: 1, MaxPacks: 3}, d.Packs[0].Stock); diff != "" || !d.Packs[0].OnSale {
		t.Error(diff)
	}
	lines := map[string]string{}
	for _, l := range d.Packs[1].Lines(central.French, "euromillions") {
		lines[l.Item] = l.Value
	}
	if want := map[string]string{
		"pack.type": "Petit", "pack.combinations": "4", "pack.codes.mymillion": "4", "pack.codes.euromillions": "4 (sans supplément)", "pack.multiples": "aucune", "pack.simples": "4",
		"pack.shares": "5", "pack.share_price": "2,00\u00a0€", "pack.formulas": "1 part\u00a0: 2,00\u00a0€ ; 2 parts\u00a0: 4,00\u00a0€ ; 5 parts\u00a0: 10,00\u00a0€",
	}; !cmp.Equal(want, lines) {
		t.Error(cmp.Diff(want, lines))
	}
	if next := g.Draws[1]; next.OnSale || next.State != central.DatePlanned || next.Guaranteed != 13_000_000_000 || next.Day != "2018-11-06" {
		t.Errorf("%+v", next)
	}
	l := gameIn(w, c, "loto")
	if next := l.Draws[0]; next.Jackpot != 900_000_000 || next.OnSale || l.GroupMax != 10 || l.MaxIdentical != 45 {
		t.Errorf("%+v", l)
	}
	if diff := cmp.Diff([]central.AddOnOffer{{Game: "jokerplus", Title: "Joker+®", Stakes: []money.Cents{100, 200}}}, l.AddOns); diff != "" {
		t.Error(diff)
	}
	// After the close the draw is gone from the catalogue.
	w.Clock.Set(closes)
	if got := gameIn(w, catalogue(w), "euromillions").Draws; len(got) != 1 || got[0].Day != "2018-11-06" {
		t.Errorf("after the close: %+v", got)
	}
	if b, err := json.Marshal(c); err != nil || strings.Contains(string(b), "null") {
		t.Errorf("as JSON: %s, %v", b, err)
	}
}

// While the day of effect of the packs is put off, they are in the catalogue with the message and on sale nowhere; the grids of the same draw are sold.
func TestCataloguePutOff(t *testing.T) {
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	shares := central.BuyShares{Player: w.Player("one", 1000), Draw: draw, Type: "Grand", Shares: 1}
	q := quoted(w, shares)
	w.Do("staff/one", central.PutOff{Service: central.ServicePacks, Until: "2018-11-05", Why: "the application is late"})
	w.Do("staff/two", central.ConfirmPutOff{Service: central.ServicePacks, Until: "2018-11-05", Proposer: "staff/one"})
	c := catalogue(w)
	const message = "Pour des raisons techniques, « Packs MultiChances » ne peut pas être proposé à compter du 29 octobre 2018. Les prises de jeu seront possibles à compter du 5 novembre 2018."
	if c.Packs.OnSale || c.Packs.French != message {
		t.Errorf("%+v", c.Packs)
	}
	d := gameIn(w, c, "loto").Draws[0]
	if !d.OnSale || d.Packs[0].OnSale {
		t.Errorf("%+v", d)
	}
	// A quote made before is refused in the same words; no new one is made.
	if r := w.Why("pack.not_on_sale", me(q), central.Confirm{Quote: slip(w, q)}); r.In(central.French) != message {
		t.Error(r.In(central.French))
	}
	if _, err := w.Register.Quote(t.Context(), shares); central.CodeOf(err) != central.Closed {
		t.Error(err)
	}
	confirm(w, quoted(w, play(shares.Player, draw, 1)))
}

// Before packs come in, their types stand in the catalogue of a draw that will be on sale then, and are not sold.
func TestCatalogueBeforePacks(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(instant(t, "2018-10-28 23:59:59"))
	w.Open(central.OpenDraw{
		Game: "loto", Day: "2018-10-29", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2018-10-29 20:15:00"),
		Packs: []central.PackOffer{{Type: "p", Multiples: []string{"6x2*1"}, Shares: 6, MaxPacks: 1}},
	})
	c := catalogue(w)
	p := gameIn(w, c, "loto").Draws[0].Packs[0]
	if c.Packs.OnSale || !strings.Contains(c.Packs.French, "29 octobre 2018") || p.OnSale || p.Refusal == nil || p.SharePrice != 440 || len(p.Formulas) != 3 {
		t.Errorf("%+v, %+v", c.Packs, p)
	}
	w.Clock.Set(w.Clock.Now().Add(time.Second))
	c = catalogue(w)
	if p := gameIn(w, c, "loto").Draws[0].Packs[0]; !c.Packs.OnSale || !p.OnSale || p.Refusal != nil {
		t.Errorf("%+v, %+v", c.Packs, p)
	}
}

// Games of rounds stand in the catalogue from the start, with their price once they are sold and the message before.
func TestCatalogueOfRounds(t *testing.T) {
	w := newWorld(t)
	for day, onSale := range map[string]bool{"2019-06-24": false, "2019-06-25": true} {
		w.Clock.Set(instant(t, day+" 12:00:00"))
		found := false
		for _, r := range catalogue(w).Rounds {
			if r.Game == "donuts" {
				found = true
				if r.OnSale != onSale || (r.Price == 50) != onSale || (r.French == "") != onSale {
					t.Errorf("%s: %+v", day, r)
				}
			}
		}
		if !found {
			t.Errorf("%s: the game is not in the catalogue", day)
		}
	}
}
