package central_test

import (
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/ledger"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// What was sold by hour is what the counters of the draws say, wherever the follower stopped on the way; the books find every change of it.
func TestSalesByHour(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	begin := w.Clock.Now().Truncate(time.Hour)
	draw := w.Open(central.OpenDraw{
		Game: "loto", Day: "2020-08-01", OpensAt: begin, ClosesAt: begin.AddDate(0, 0, 41),
		Packs: []central.PackOffer{{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 5}},
	})
	id := w.Registered("one", 500_000, 400_000)
	me := central.PlayerPrincipal(id)
	first, second := central.NewSales(w.Store), central.NewSales(w.Store) // two processes
	for hour := range 3 {
		w.Clock.Set(begin.Add(time.Duration(2*hour)*time.Hour + time.Hour - time.Microsecond))
		w.Login(id)
		w.Do(me, play(id, draw, 1+hour))
		w.Do(me, central.BuyShares{Player: id, Draw: draw, Type: "600", Shares: 2, Channel: central.ChannelWeb})
		catchUp(t, first)
		w.Do(me, play(id, draw, 1))
		catchUp(t, second, first)
	}
	w.Do(me, play(id, draw, 4)) // not yet passed
	w.CheckBooks()

	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	all, err := central.ReadHours(t.Context(), snap, begin, begin.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	plays, cents, hours := int64(0), money.Cents(0), map[time.Time]bool{}
	for _, s := range all {
		hours[s.Hour] = true
		if s.Kind == central.KindPack && (s.PackType != "600" || s.Plays != 1 || s.Cents != 2*660) {
			t.Errorf("shares %+v", s)
		}
		plays, cents = plays+s.Plays, cents+s.Cents
	}
	if v, err := central.ReadDrawView(t.Context(), snap, draw); err != nil || len(hours) != 3 || plays != v.Plays-1 || cents != v.Stakes-4*220 {
		t.Errorf("%d plays of %v in %d hours, the draw has %d of %v (%v)", plays, cents, len(hours), v.Plays, v.Stakes, err)
	}
	part, err := central.ReadHours(t.Context(), snap, begin.Add(2*time.Hour), begin.Add(3*time.Hour))
	if err != nil || len(part) == 0 || len(part) >= len(all) {
		t.Errorf("one hour has %d rows of %d (%v)", len(part), len(all), err)
	}
	for _, r := range rows(t, w.Store, central.Counters) {
		if strings.HasPrefix(r.(*central.Counter).Name, "hour/") {
			findEveryChange(t, w.Store, &central.Schema[central.Counters], r)
		}
	}
	for _, r := range rows(t, w.Store, central.ProgressRows) {
		findEveryChange(t, w.Store, &central.Schema[central.ProgressRows], r)
	}
}

// Balances of some kinds are those of all.
func TestBalancesOfKinds(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 5000, 5000)
	w.Do(central.PlayerPrincipal(id), play(id, draw, 1))
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	all, err := central.Balances(t.Context(), snap)
	if err != nil {
		t.Fatal(err)
	}
	some, err := central.BalancesOf(t.Context(), snap, "stakes", "fund")
	if err != nil || len(some) == 0 || some[ledger.Stakes(draw)] != all[ledger.Stakes(draw)] {
		t.Errorf("%v of %v (%v)", some, all, err)
	}
	for name := range some {
		if k := name.Kind(); k != "stakes" && k != "fund" {
			t.Errorf("account %s was read, too", name)
		}
	}
}
