package central_test

import (
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// designShop is a world whose schedule opens draws of Loto.
func designShop(t *testing.T) (*storetest.World, *central.Schedule, string) {
	w := storetest.NewWorld(t, &mem.Store{})
	open := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-24", OpensAt: w.Clock.Now(), ClosesAt: w.Clock.Now().Add(48 * time.Hour)})
	s := &central.Schedule{Operator: w.Operator, Clock: w.Clock, Entropy: &storetest.Entropy{Seed: 2}, Games: []string{"loto"}, Packs: func(*central.DrawDate) []central.PackOffer {
		return []central.PackOffer{{Type: "600", Simples: 10, Shares: 10, MaxPacks: 1}, {Type: "small", Simples: 10, Shares: 10, MaxPacks: 1}}
	}}
	return w, s, open
}

var design600 = central.ProposePack{Game: "loto", Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 50}

func drawnUp(w *storetest.World, c central.ProposePack) (v central.DesignView) {
	w.Helper()
	if c.From == "" {
		c.From = w.Clock.Now().Format(time.DateOnly)
	}
	storetest.Result(w, w.Do("staff/one", c), &v)
	return v
}

// A pack type is drawn up by one person and put on sale by another: with the draws named that are on sale, and with those that open afterwards.
func TestPackTypeTakesTwoPeople(t *testing.T) {
	w, schedule, open := designShop(t)
	v := drawnUp(w, design600)
	if v.State != central.DesignProposed || v.Offer.Shares != 200 || len(v.Offer.Formulas) == 0 || v.Proposer != "staff/one" {
		t.Errorf("proposed %+v", v)
	}
	player := w.Player("one", 10_000)
	share := central.BuyShares{Player: player, Draw: open, Type: "600", Shares: 2}
	w.Why("pack.unknown", "system", share) // one person alone puts nothing on sale
	activate := central.ActivatePack{Design: v.Design, Draws: []string{open}}
	w.Why("design.same", "staff/one", activate)
	storetest.Result(w, w.Do("staff/two", activate), &v)
	if v.State != central.DesignActive || v.Activator != "staff/two" || len(v.Draws) != 1 {
		t.Errorf("active %+v", v)
	}
	w.Do("system", share)
	w.CheckBooks()

	opened := func() (types []string) {
		t.Helper()
		if _, err := schedule.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, r := range rows(t, w.Store, central.PackTypes) {
			if p := r.(*central.PackType); p.Draw > last {
				last = p.Draw
			}
		}
		for _, r := range rows(t, w.Store, central.PackTypes) {
			if p := r.(*central.PackType); p.Draw == last {
				types = append(types, p.Type+" "+p.Composition)
			}
		}
		return types
	}
	if got := strings.Join(opened(), ", "); got != "600 6x10*10, small 10" {
		t.Errorf("a draw that opens sells %s", got)
	}
	w.Do("staff/one", central.EndPack{Design: v.Design, Why: "nobody buys it"})
	w.Why("design.state", "staff/two", central.ActivatePack{Design: v.Design})
	w.Clock.Set(w.Clock.Now().AddDate(0, 0, 14))
	if got := strings.Join(opened(), ", "); got != "600 10, small 10" {
		t.Errorf("after its end a draw that opens sells %s", got)
	}
	w.CheckBooks()
	for _, r := range rows(t, w.Store, central.Designs) {
		findEveryChange(t, w.Store, &central.Schema[central.Designs], r)
	}
}

// What cannot be drawn up or put on sale is refused, and nothing is stored.
func TestDesignsRefused(t *testing.T) {
	w, _, open := designShop(t)
	with := func(change func(*central.ProposePack)) central.ProposePack {
		c := design600
		c.From = w.Clock.Now().Format(time.DateOnly)
		change(&c)
		return c
	}
	for why, c := range map[string]central.Command{
		"design.from": with(func(c *central.ProposePack) { c.From = "2018-01-01" }),
		"draw.game":   with(func(c *central.ProposePack) { c.Game = "bingo" }),
		"pack.type":   with(func(c *central.ProposePack) { c.Shares = 7 }),
		"design.none": central.ActivatePack{Design: "0-1"},
		"design.why":  central.EndPack{Design: "0-1"},
	} {
		w.Why(why, "staff/one", c)
	}
	w.Why("principal.person", "system", with(func(*central.ProposePack) {}))
	v := drawnUp(w, design600)
	w.Why("design.draw", "staff/two", central.ActivatePack{Design: v.Design, Draws: []string{"loto-1999-01-01"}})
	w.Why("design.draws", "staff/two", central.ActivatePack{Design: v.Design, Draws: make([]string, 33)})
	w.Do("staff/two", central.ActivatePack{Design: v.Design, Draws: []string{open}})
	again := drawnUp(w, design600)
	w.Why("design.twice", "staff/two", central.ActivatePack{Design: again.Design, Draws: []string{open}})
	w.Clock.Set(w.Clock.Now().Add(72 * time.Hour))
	other := drawnUp(w, with(func(c *central.ProposePack) { c.Type, c.From = "other", "" }))
	w.Why("design.draw", "staff/two", central.ActivatePack{Design: other.Design, Draws: []string{open}})
	w.CheckBooks()
}
