package central_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/games"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// Three weeks of both calendars, across the end of summer time on 28 October 2018 and the first packs of the 29th: draws open and close by themselves at
// the hour of the clock in Paris, each comes to its notice, its jackpot follows from the draw before, the books hold after each draw. Twice the same
// season leaves the same log.
func TestCase40SeasonAcrossTheChangeOfHour(t *testing.T) {
	var hashes []string
	for i := range 2 {
		s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00")
		s.unchecked = i > 0
		s.until("2018-11-05 12:00:00")
		hashes = append(hashes, s.hash())
		if len(hashes) == 1 {
			s.checkSeason(t)
		}
	}
	if hashes[0] != hashes[1] {
		t.Errorf("two runs leave %s and %s", hashes[0], hashes[1])
	}
}

func (s *season) checkSeason(t *testing.T) {
	var published []string
	closes := map[string]string{}
	for _, r := range rows(t, s.Store, central.Draws) {
		d := r.(*central.Draw)
		if d.State == "published" {
			published = append(published, d.ID)
		} else if d.State != "open" {
			t.Errorf("draw %s is %s", d.ID, d.State)
		}
		closes[d.ID] = time.UnixMicro(d.ClosesAt).UTC().Format("15:04")
	}
	want := strings.Fields(`euromillions-2018-10-16 euromillions-2018-10-19 euromillions-2018-10-23 euromillions-2018-10-26 euromillions-2018-10-30 euromillions-2018-11-02
		loto-2018-10-15 loto-2018-10-17 loto-2018-10-20 loto-2018-10-22 loto-2018-10-24 loto-2018-10-27 loto-2018-10-29 loto-2018-10-31 loto-2018-11-03`)
	if diff := cmp.Diff(want, published); diff != "" {
		t.Errorf("published (-want +got): %s", diff)
	}
	if closes["loto-2018-10-27"] != "18:15" || closes["loto-2018-10-29"] != "19:15" {
		t.Errorf("closes at %s and %s UTC", closes["loto-2018-10-27"], closes["loto-2018-10-29"])
	}
	// The terms of each draw are those that the draw before left.
	snap, err := s.Store.Snapshot(t.Context())
	s.good(err)
	defer snap.Close()
	jackpot, carry, rolled, won := money.Cents(200_000_000), money.Cents(0), 0, 0
	for _, id := range published {
		m := paperOf[central.Manifest](t, snap, id, central.DocManifest, 0)
		c := paperOf[central.Count](t, snap, id, central.DocCount, 1)
		if strings.HasPrefix(id, "euro") {
			if m.Terms.Carry != carry {
				t.Errorf("%s carries %v, left were %v", id, m.Terms.Carry, carry)
			}
			if carry = 0; c.Winners[0] == 0 {
				carry = c.Unit[0]
				for _, tr := range rows(t, s.Store, central.Transfers) {
					if tr := tr.(*central.Transfer); tr.To == string(ledger.Carry("euromillions")) && tr.From == string(ledger.Prizes(id)) {
						carry += tr.Cents
					}
				}
			}
			continue
		}
		if m.Terms.Jackpot != jackpot {
			t.Errorf("%s has %v, want %v", id, m.Terms.Jackpot, jackpot)
		}
		if jackpot += 100_000_000; c.Winners[0] > 0 {
			jackpot = 200_000_000
			won++
		} else {
			rolled++
		}
	}
	if rolled == 0 || won == 0 {
		t.Errorf("%d draws of Loto rolled over, %d were won: nothing is shown", rolled, won)
	}
	claims, err := central.Liabilities(t.Context(), snap)
	s.good(err)
	if len(claims) == 0 || claims[0].Cents == 0 || claims[0].Until != "2018-12-14" {
		t.Errorf("gains that wait: %+v", claims)
	}
	t.Logf("%d acts, %d leaves, %d draws of Loto won", len(s.done), len(rows(t, s.Store, central.Leaves)), won)
}

// Two schedules on two nodes do the same season side by side: every draw is opened once, with one secret, closed once, and has one result.
func TestCase21TwoSchedules(t *testing.T) {
	store := &mem.Store{}
	a := newSeason(t, store, "2018-10-15 12:00:00")
	b := &season{World: storetest.NewWorld(t, store, func(c *central.Config) { c.Node = 1 }), won: map[string]bool{}}
	b.Clock.Set(a.Clock.Now())
	a.Faulty, b.Faulty = true, true // their clock stands still: it does not tell which of two nodes changed a draw first
	other := *a.schedule
	other.Operator, other.Clock, other.Entropy = b.Operator, b.Clock, &storetest.Entropy{Seed: 99} // other secrets
	b.schedule = &other
	for _, at := range []string{"2018-10-15 12:00:00", "2018-10-15 20:15:00", "2018-10-15 20:45:00", "2018-10-16 20:15:00", "2018-10-16 20:45:00", "2018-10-17 21:00:00"} {
		a.Clock.Set(instant(t, at))
		b.Clock.Set(instant(t, at))
		for range 3 {
			errs := make(chan error, 2)
			for _, s := range []*season{a, b} {
				go func() { _, err := s.schedule.Step(context.Background()); errs <- err }()
			}
			if err := errors.Join(<-errs, <-errs); err != nil {
				t.Fatal(err)
			}
			a.CheckBooks()
			for _, r := range rows(t, store, central.Draws) {
				switch d := r.(*central.Draw); d.State {
				case "counted":
					must(a.World, a.Operator.Approve(t.Context(), d.ID, d.Version, officer))
				case "settled":
					_, err := a.Operator.Publish(t.Context(), d.ID, officer)
					must(a.World, err)
				}
			}
		}
	}
	// Of each act of the life of a draw there is one leaf.
	seen := map[string]int{}
	for _, r := range rows(t, store, central.Leaves) {
		leaf, _, err := logbook.ParseLeaf(r.(*central.LeafRow).Body)
		must(a.World, err)
		switch leaf.Kind {
		case "open_draw", "close_draw", "seal_draw", "balance_draw", "record_result", "count_draw", "draft_notice", "publish_draw":
			seen[leaf.Kind+" "+leaf.Key]++
		}
	}
	for act, n := range seen {
		if n != 1 {
			t.Errorf("%s stands in %d leaves", act, n)
		}
	}
	for _, id := range []string{"loto-2018-10-15", "euromillions-2018-10-16", "loto-2018-10-17"} {
		if d := drawRow(a.World, id); d.State != "published" || d.Version != 1 {
			t.Errorf("draw %s is %s with version %d", id, d.State, d.Version)
		}
	}
}

// A schedule that was away for a day does all that was due, in order; what closed meanwhile unopened is left out; a late result needs its reason.
func TestScheduleCatchesUp(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) { s.Results = nil })
	s.step()
	s.play()
	s.Clock.Set(instant(t, "2018-10-18 12:00:00"))
	report := s.step()
	// Two draws of Loto are closed; the second's terms follow from the first, whose result nobody has recorded.
	waits := map[string]central.WaitFor{}
	for _, w := range report.Waits {
		waits[w.Draw] = w.For
	}
	want := map[string]central.WaitFor{"loto-2018-10-15": central.WaitResult, "loto-2018-10-17": central.WaitTerms, "euromillions-2018-10-16": central.WaitResult}
	if diff := cmp.Diff(want, waits); diff != "" {
		t.Fatalf("waits (-want +got): %s", diff)
	}
	if err := s.Operator.SealProposed(t.Context(), "loto-2018-10-17"); central.CodeOf(err) != central.Conflict || !strings.Contains(err.Error(), "loto-2018-10-15") {
		t.Errorf("sealed before the draw before: %v", err)
	}
	if err := s.Operator.Record(t.Context(), "loto-2018-10-15", lotoResult, central.Outside{}); central.CodeOf(err) != central.Invalid {
		t.Errorf("late without a reason: %v", err)
	}
	late := lotoResult
	late.Late = "the database was away"
	for _, id := range []string{"loto-2018-10-15", "loto-2018-10-17"} {
		must(s.World, s.Operator.Record(t.Context(), id, late, central.Outside{}))
		s.step()
		if d := drawRow(s.World, id); d.State != "published" {
			t.Errorf("draw %s is %s", id, d.State)
		}
	}
}

// A guaranteed jackpot above what its fund holds is told before the seal; a draw without the report of the others waits for it.
func TestTermsWaitForTheOthers(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) {
		s.Games, s.Elsewhere = []string{"euromillions"}, nil
	})
	s.step()
	const id = "euromillions-2018-10-16"
	s.Do(operator, central.AnnounceDraw{Draw: id, Super: 13_000_000_000, Why: "super jackpot of the autumn"})
	s.Clock.Set(instant(t, "2018-10-16 20:15:00"))
	s.step()
	p, err := s.Operator.Proposed(t.Context(), id)
	must(s.World, err)
	if p.Short != 13_000_000_000 || p.Terms.Super != 13_000_000_000 || !slices.Contains(p.Missing, central.MissingOutside) || p.Missing[0].String() == "" {
		t.Errorf("%+v", p)
	}
	if err := s.Operator.SealProposed(t.Context(), id); central.CodeOf(err) != central.Conflict {
		t.Errorf("sealed without the others: %v", err)
	}
	s.Do(operator, central.ReportOutside{Draw: id, Fund: 3_000_000_000})
	s.step()
	if d := drawRow(s.World, id); d.State != "balanced" {
		t.Errorf("draw %s is %s", id, d.State)
	}
}

// A Super Loto takes over the running jackpot, the draw after it goes on from there; a regular draw gives way to one announced by hand on its day.
func TestSuperLotoTakesOverTheJackpot(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) {
		s.Games = []string{"loto"}
		s.Results = func(context.Context, *central.Draw) (*central.Result, *central.Outside, error) {
			return &central.Result{Main: []int{45, 46, 47, 48, 49}, Extra: []int{10}}, nil, nil
		}
	})
	s.Do(operator, central.PlanDraw{Game: "superloto", Day: "2018-10-19", Jackpot: 1_300_000_000})
	s.Do(operator, central.PlanDraw{Game: "superloto", Day: "2018-12-01"})
	for _, at := range []string{"2018-10-15 12:00:00", "2018-10-15 20:45:00", "2018-10-17 20:45:00", "2018-10-19 20:45:00", "2018-10-20 20:45:00"} {
		s.Clock.Set(instant(t, at))
		s.step()
	}
	snap, err := s.Store.Snapshot(t.Context())
	must(s.World, err)
	defer snap.Close()
	for id, want := range map[string]money.Cents{
		"loto-2018-10-15": 200_000_000, "loto-2018-10-17": 300_000_000, "superloto-2018-10-19": 1_300_000_000, "loto-2018-10-20": 1_400_000_000,
	} {
		if m := paperOf[central.Manifest](t, snap, id, central.DocManifest, 0); m.Terms.Jackpot != want {
			t.Errorf("%s has a jackpot of %v, want %v", id, m.Terms.Jackpot, want)
		}
	}
	s.schedule.Results = nil
	s.Clock.Set(instant(t, "2018-11-10 12:00:00"))
	s.step()
	after, err := s.Store.Snapshot(t.Context())
	must(s.World, err)
	defer after.Close()
	if row, _ := after.Get(t.Context(), central.Key{Table: central.Calendar, S: "loto", U: "2018-12-01"}); row != nil {
		t.Error("the day of a Super Loto has a draw of Loto too")
	}
}

// What is to be done before a close is done once, again when it failed, and never after it.
func TestBeforeClose(t *testing.T) {
	var ran []string
	failures := 1
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) {
		s.Games = []string{"loto"}
		s.BeforeClose = []central.BeforeClose{{Lead: time.Hour, Run: func(_ context.Context, d *central.DrawDate) error {
			if failures--; failures >= 0 {
				return errors.New("not yet")
			}
			ran = append(ran, d.ID()+" at "+s.Clock.Now().In(games.Paris).Format("15:04"))
			return nil
		}}}
	})
	if r := s.step(); !r.Next.Equal(instant(t, "2018-10-15 19:15:00")) {
		t.Errorf("due again at %v", r.Next)
	}
	s.Clock.Set(instant(t, "2018-10-15 19:15:00"))
	if _, err := s.schedule.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "loto-2018-10-15: not yet") {
		t.Errorf("%v", err)
	}
	s.step()
	s.step()
	s.Clock.Set(instant(t, "2018-10-15 20:15:00"))
	s.step()
	if diff := cmp.Diff([]string{"loto-2018-10-15 at 19:15"}, ran); diff != "" {
		t.Error(diff)
	}
}

// A postponed draw goes on by itself at its new instant; a held one waits for an officer.
func TestSchedulePauses(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) { s.Games = []string{"loto"} })
	s.step()
	s.Clock.Set(instant(t, "2018-10-15 20:15:00"))
	s.step()
	const id = "loto-2018-10-15"
	s.Do(officer, central.PostponeDraw{Draw: id, Until: instant(t, "2018-10-16 10:00:00"), Why: "no electricity"})
	s.Clock.Set(instant(t, "2018-10-15 20:45:00"))
	if r := s.step(); !r.Next.Equal(instant(t, "2018-10-16 10:00:00")) || drawRow(s.World, id).State != "postponed" {
		t.Errorf("due again at %v, %s", r.Next, drawRow(s.World, id).State)
	}
	s.schedule.Results = nil
	s.Clock.Set(instant(t, "2018-10-16 10:00:00"))
	s.step()
	s.Do(officer, central.HoldDraw{Draw: id, Why: "a ball is cracked"})
	if r := s.step(); len(r.Waits) != 1 || r.Waits[0].For != central.WaitRelease || r.Waits[0].Why != "a ball is cracked" {
		t.Errorf("%+v", r.Waits)
	}
	s.Do(officer, central.ResumeDraw{Draw: id, Why: "another ball"})
	late := lotoResult
	late.Late = "no electricity"
	must(s.World, s.Operator.Record(t.Context(), id, late, central.Outside{}))
	s.step()
	if d := drawRow(s.World, id); d.State != "published" {
		t.Errorf("the draw is %s", d.State)
	}
}

// The gain of a play sold at a point of sale waits for who shows the receipt, through the 60th day; then it goes to the fund that the rulebook names.
func TestClaimsLapse(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-10-15 12:00:00", func(s *central.Schedule) {
		s.Games = []string{"loto"}
		s.Results = func(context.Context, *central.Draw) (*central.Result, *central.Outside, error) {
			r := lotoResult
			r.Late = "the test was away" // where it leaps over weeks
			return &r, nil, nil
		}
	})
	s.step()
	const id = "loto-2018-10-15"
	player := s.players[0]
	self := central.PlayerPrincipal(player)
	var plays []central.Bought
	for _, channel := range []central.Channel{central.ChannelRetail, central.ChannelRetail, central.ChannelWeb} {
		var b central.Bought
		storetest.Result(s.World, s.Do(self, central.BuyPlay{Player: player, Draw: id, Lines: []central.Line{chosen(t, "1-2-3-4-7+9")}, Channel: channel}), &b)
		plays = append(plays, b)
	}
	s.Clock.Set(instant(t, "2018-10-15 20:45:00"))
	s.step()
	if got := account(s.World, "claims/"+id); got != 100_000 {
		t.Fatalf("%v wait, want two gains of 500.00", got)
	}
	if got := len(rows(t, s.Store, central.Credits)); got != 1 {
		t.Errorf("%d credits", got)
	}
	claim := central.PayClaim{Draw: id, Component: central.ComponentRanks, Play: plays[0].Play}
	s.Refused(central.Forbidden, self, claim)
	before := storedRow[central.Player](t, s.Store, central.Key{Table: central.Players, N: player}).Balance
	s.Clock.Set(instant(t, "2018-12-14 23:59:59")) // the 60th day
	s.step()
	s.Do(operator, claim)
	s.Refused(central.Conflict, operator, claim)
	s.Refused(central.NotFound, operator, central.PayClaim{Draw: id, Component: central.ComponentRanks, Play: plays[2].Play})
	if after := storedRow[central.Player](t, s.Store, central.Key{Table: central.Players, N: player}).Balance; after != before+50_000 {
		t.Errorf("%v, before %v", after, before)
	}
	reserve := account(s.World, "fund/loto/reserve")
	s.Clock.Set(instant(t, "2018-12-15 00:00:00"))
	claim.Play = plays[1].Play
	s.Refused(central.Closed, operator, claim)
	s.step()
	if got := account(s.World, "claims/"+id); got != 0 || account(s.World, "fund/loto/reserve") != reserve+50_000 {
		t.Errorf("%v wait, the reserve has %v after %v", got, account(s.World, "fund/loto/reserve"), reserve)
	}
	s.Refused(central.Closed, operator, claim)
	if n := len(s.done); !slices.Contains(s.done[n-40:], id+" lapsed") {
		t.Errorf("%v", s.done)
	}
}
