package central_test

import (
	"fmt"
	"slices"

	"tirage/central"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

// withJoker is the setup of a case that buys a play with an added game.
func withJoker(a ...central.AddOn) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: a}
	})
}

// ahead is the setup of a case that buys for several draws: two of Loto and one of Euro Millions are on sale.
func ahead(further ...string) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, player int64) central.Command {
		openAhead(w)
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(6, 1)}, Further: further}
	})
}

const nextLoto, euro = "loto-2020-06-24", "euromillions-2020-06-23"

// openAhead puts the next draw of Loto and one of Euro Millions on sale.
func openAhead(w *storetest.World) {
	w.Helper()
	w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-24", OpensAt: w.Clock.Now(), ClosesAt: instant(w, "2020-06-24 20:15:00"), Reconstructed: true})
	w.Open(central.OpenDraw{Game: "euromillions", Day: "2020-06-23", OpensAt: w.Clock.Now(), ClosesAt: instant(w, "2020-06-23 20:15:00"), Reconstructed: true})
}

// onSaleWith is the setup of a case that buys shares of a pack with something that may not go with them.
func sharesWith(change func(*central.BuyShares)) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, player int64) central.Command {
		c := central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: 1}
		change(&c)
		return c
	})
}

// recordingJoker is the setup of a case whose result cannot be recorded: Joker+ was sold.
func recordingJoker(change func(*central.Result, *central.Outside)) func(w *storetest.World) central.Command {
	return func(w *storetest.World) central.Command {
		openLoto(w)
		w.Do("system", central.BuyPlay{Player: w.Player("one", 100), Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: []central.AddOn{{Game: "jokerplus", Stake: 100}}})
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		must(w, w.Operator.Close(w.Context(), loto))
		must(w, w.Operator.Seal(w.Context(), loto, lotoTerms))
		r, o := lotoResult, central.Outside{Draw: loto, Version: 1}
		r.Draw, r.Version = loto, 1
		change(&r, &o)
		return central.RecordResult{Draw: loto, Result: signed(w, r, w.Keys.Operator), Outside: signed(w, o, w.Keys.Operator)}
	}
}

func sealingTerms(addOns map[string]prize.Terms) func(w *storetest.World) central.Command {
	return sealing(func(m *central.Manifest) { m.Terms.AddOns = addOns })
}

var orderRefusals = []occasion{
	{"sale on no channel", onSale(func(w *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, Channel: "fax"}
	}), central.Invalid, "sale.channel", "channel", []string{`"fax"`, `"web" "app" "retail"`}},

	{"too many draws", ahead(slices.Repeat([]string{nextLoto}, 15)...), central.Invalid, "order.draws", "further", []string{"16 draws", "1 to 15"}},
	{"a draw twice", ahead(nextLoto, nextLoto), central.Invalid, "order.twice", "further.1", []string{nextLoto}},
	{"the first draw twice", ahead(loto), central.Invalid, "order.twice", "further.0", []string{loto}},
	{"a further draw that is none", ahead(nextLoto, "loto-1999-01-01"), central.NotFound, "draw.unknown", "further.1", []string{"loto-1999-01-01"}},
	{"draws of two games", ahead(nextLoto, euro), central.Invalid, "order.game", "further.1", []string{euro, "euromillions", "loto"}},
	{"too little for all draws", onSale(func(w *storetest.World, _ int64) central.Command {
		openAhead(w)
		return central.BuyPlay{Player: w.Player("poor", 4), Draw: loto, Lines: []central.Line{quick(5, 1)}, Further: []string{nextLoto}}
	}), central.Insufficient, "balance.insufficient", "", []string{"4.40 is needed", "4.00 is available"}},

	{"Étoile+ with Loto", withJoker(central.AddOn{Game: "etoileplus"}), central.Invalid, "add_on.game", "add_ons.0.game", []string{`"etoileplus"`, `"jokerplus"`}},
	{"Joker+ without a stake", withJoker(central.AddOn{Game: "jokerplus"}), central.Invalid, "add_on.stake", "add_ons.0.stake", []string{"0.00", "[1.00 2.00]"}},
	{"Joker+ at 3 €", withJoker(central.AddOn{Game: "jokerplus", Stake: 300}), central.Invalid, "add_on.stake", "add_ons.0.stake", []string{"3.00", "[1.00 2.00]"}},
	{"Joker+ of six digits", withJoker(central.AddOn{Game: "jokerplus", Stake: 100, Number: "123456"}), central.Invalid, "add_on.number", "add_ons.0.number", []string{`"123456"`, "7 digits"}},
	{"Joker+ twice", withJoker(central.AddOn{Game: "jokerplus", Stake: 100}, central.AddOn{Game: "jokerplus", Stake: 200}), central.Invalid, "add_on.twice", "add_ons.1.game", []string{"stands twice"}},
	{"Étoile+ with a number", euroWith(central.AddOn{Game: "etoileplus", Number: "1234567"}), central.Invalid, "add_on.numbers", "add_ons.0.number", []string{"numbers of the grids"}},
	{"Étoile+ at another price", euroWith(central.AddOn{Game: "etoileplus", Stake: 200}), central.Invalid, "add_on.price", "add_ons.0.stake", []string{"2.00", "accepted 3.00", "1.00 for each of the 3"}},
	{"too little for the added game", onSale(func(w *storetest.World, _ int64) central.Command {
		return central.BuyPlay{Player: w.Player("poor", 3), Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: []central.AddOn{{Game: "jokerplus", Stake: 100}}}
	}), central.Insufficient, "balance.insufficient", "", []string{"3.20 is needed", "3.00 is available"}},

	{"a pack at a point of sale", sharesWith(func(c *central.BuyShares) { c.Channel = central.ChannelRetail }), central.Forbidden, "pack.channel", "channel", []string{`"retail"`, `"web" "app"`, "loto@2018-10-29:2.1"}},
	{"a pack for two draws", sharesWith(func(c *central.BuyShares) { c.Further = []string{nextLoto} }), central.Invalid, "pack.draws", "further", []string{"2 draws", "loto@2018-10-29:14.8"}},
	{"a pack with Joker+", sharesWith(func(c *central.BuyShares) { c.AddOns = []central.AddOn{{Game: "jokerplus", Stake: 100}} }), central.Invalid, "pack.add_on", "add_ons", []string{"Joker+", "loto@2018-10-29:14.8"}},
	{"a pack with a game that is none", sharesWith(func(c *central.BuyShares) { c.AddOns = []central.AddOn{{Game: "none"}} }), central.Invalid, "pack.add_on", "add_ons", []string{"loto@2018-10-29:14.8"}},

	{"result without the number of Joker+", recordingJoker(func(*central.Result, *central.Outside) {}), central.Invalid, "result.joker", "result", []string{"Joker+", "7 digits"}},
	{"result with six digits of Joker+", recordingJoker(func(r *central.Result, _ *central.Outside) { r.Joker = "569 739" }), central.Invalid, "result.joker", "result", []string{"569 739", "7 digits"}},
	{"Joker+ that nobody plays, of six digits", recording(func(r *central.Result, _ *central.Outside) { r.Joker = "569739" }), central.Invalid, "result.joker", "result", []string{"7 digits"}},
	{"winners of Joker+ elsewhere", recordingJoker(func(r *central.Result, o *central.Outside) {
		r.Joker, o.AddOns = "5697395", map[string]prize.Winners{"jokerplus": make(prize.Winners, 14)}
	}), central.Invalid, "result.outside", "outside", []string{"jokerplus", "by rank"}},
	{"winners elsewhere of a game that is not added", recording(func(_ *central.Result, o *central.Outside) {
		o.AddOns = map[string]prize.Winners{"etoileplus": make(prize.Winners, 10)}
	}), central.Invalid, "result.outside", "outside", []string{"etoileplus", "Loto"}},

	{"seal with terms of a game that is none", sealingTerms(map[string]prize.Terms{"none": {}}), central.Invalid, "seal.terms", "manifest", []string{`"none"`}},
	{"seal with terms of Joker+", sealingTerms(map[string]prize.Terms{"jokerplus": {Fund: 1}}), central.Invalid, "seal.terms", "manifest", []string{"jokerplus"}},
	{"seal with terms inside terms", sealingTerms(map[string]prize.Terms{"etoileplus": {AddOns: map[string]prize.Terms{"etoileplus": {}}}}), central.Invalid, "seal.terms", "manifest", []string{"etoileplus"}},
	{"count of too few gains of Joker+", countingJoker(func(a *central.AddOnCount) { a.Unit = a.Unit[1:] }), central.Invalid, "count.sums", "count", []string{"jokerplus: winners of 14 ranks"}},
}

// euroWith is the setup of a case that buys three simple combinations of Euro Millions with an added game.
func euroWith(a central.AddOn) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, player int64) central.Command {
		openAhead(w)
		return central.BuyPlay{Player: player, Draw: euro, Lines: []central.Line{quick(5, 3)}, AddOns: []central.AddOn{a}}
	})
}

// countingJoker is the setup of a case whose count of Joker+ cannot be taken.
func countingJoker(change func(*central.AddOnCount)) func(w *storetest.World) central.Command {
	return func(w *storetest.World) central.Command {
		record := recordingJoker(func(r *central.Result, _ *central.Outside) { r.Joker = "5697395" })(w)
		w.Do("system", record)
		paper, err := w.Operator.Control.CountResult(w.Context(), loto)
		if err != nil {
			w.Fatal(err)
		}
		c, err := central.ReadPaper[central.Count](paper)
		if err != nil || len(c.AddOns) != 1 {
			w.Fatal(fmt.Errorf("%+v, %w", c, err))
		}
		change(&c.AddOns[0])
		return central.CountDraw{Draw: loto, Count: signed(w, c, w.Keys.Operator), Control: signed(w, c, w.Keys.Control)}
	}
}
