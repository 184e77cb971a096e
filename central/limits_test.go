package central_test

import (
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// shop is a world with a Loto draw on sale for six weeks: a simple play costs 2.20 €.
func shop(t *testing.T) (*storetest.World, string) {
	w := storetest.NewWorld(t, &mem.Store{}, func(c *central.Config) { c.AllowReconstructed, c.AllowBare = false, false })
	opens := w.Clock.Now()
	return w, w.Open(central.OpenDraw{Game: "loto", Day: "2020-08-01", OpensAt: opens, ClosesAt: opens.AddDate(0, 0, 41)})
}

// play is a quick pick of n grids: n × 2.20 €.
func play(player int64, draw string, n int) central.BuyPlay {
	c := central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelApp}
	for range n {
		c.Lines = append(c.Lines, central.Line{Quick: combin.Format{Main: 5, Extra: 1}})
	}
	return c
}

func TestNoStakeBeforeConfirmation(t *testing.T) {
	w, draw := shop(t)
	id := w.Applicant("one")
	me := central.PlayerPrincipal(id)
	buy := play(id, draw, 1)
	w.Why("player.unconfirmed", me, buy)
	w.Why("player.unconfirmed", me, central.RequestDeposit{Player: id, Cents: 1000})
	w.Why("player.unconfirmed", me, central.RequestWithdrawal{Player: id, Cents: 1000})
	w.Why("principal.staff", me, central.VerifyIdentity{Player: id, Evidence: "passport"})
	confirm := central.ConfirmIdentity{Player: id, Clearance: w.Clear(id, false)}
	w.Why("principal.staff", me, confirm)
	w.Why("identity.state", central.SystemPrincipal, confirm)
	w.Why("identity.evidence", central.SystemPrincipal, central.VerifyIdentity{Player: id, Evidence: " "})
	w.Do(central.SystemPrincipal, central.VerifyIdentity{Player: id, Evidence: "passport"})
	w.Why("player.unconfirmed", me, buy)
	w.Do(central.SystemPrincipal, confirm)
	w.Why("session.play", me, buy)
	w.Login(id)
	w.Why("limit.stake_none", me, buy)
	w.Why("limit.deposit_none", me, central.RequestDeposit{Player: id, Cents: 1000})
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitDeposits, Cents: 1000})
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 1000})
	w.Why("balance.insufficient", me, buy)
	w.Deposit(id, 1000)
	w.Do(me, buy)
	if got := w.Balance(id); got != 780 {
		t.Errorf("balance %v, want 7.80", got)
	}
}

// A raise takes effect after 48 hours: not at 47:59, but at 48:00. A cut takes effect at once.
func TestRaiseAfter48Hours(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 500, 10_000)
	me := central.PlayerPrincipal(id)
	login := func() { w.Login(id) }
	w.Do(me, play(id, draw, 2))
	w.Why("limit.stake", me, play(id, draw, 1))
	begin := w.Clock.Now()
	raise := central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 2000}
	var limit central.Limit
	storetest.Result(w, w.Do(me, raise), &limit)
	if *limit.Cents != 500 || *limit.Raise != 2000 || !limit.RaiseAt.Equal(begin.Add(48*time.Hour)) || limit.Left != 60 {
		t.Fatalf("after the raise: %+v", limit)
	}
	w.Clock.Set(begin.Add(47*time.Hour + 59*time.Minute))
	login()
	w.Why("limit.stake", me, play(id, draw, 1))
	w.Clock.Set(begin.Add(48*time.Hour - time.Microsecond))
	w.Why("limit.stake", me, play(id, draw, 1))
	w.Clock.Set(begin.Add(48 * time.Hour))
	w.Do(me, play(id, draw, 5))
	w.Why("limit.stake", me, play(id, draw, 3))
	w.Why("limit.raise_none", me, central.CancelRaise{Player: id, Of: central.LimitStakes})
	// A cut below what is used leaves nothing, and nothing negative.
	limit = central.Limit{}
	storetest.Result(w, w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 500}), &limit)
	if *limit.Cents != 500 || limit.Left != 0 || limit.Used != 1540 || limit.Raise != nil {
		t.Errorf("after the cut: %+v", limit)
	}
	w.Why("limit.stake", me, play(id, draw, 1))
}

// A raise can be cancelled, is replaced by another one, whose 48 hours begin anew, and is dropped by a cut.
func TestRaiseCancelled(t *testing.T) {
	w, _ := shop(t)
	id := w.Registered("one", 500, 0)
	me := central.PlayerPrincipal(id)
	begin := w.Clock.Now()
	set := func(of string, cents money.Cents) (l central.Limit) {
		storetest.Result(w, w.Do(me, central.SetLimit{Player: id, Of: of, Cents: cents}), &l)
		return l
	}
	for _, of := range []string{central.LimitStakes, central.LimitDeposits} {
		w.Clock.Set(begin)
		set(of, 2000)
		w.Do(me, central.CancelRaise{Player: id, Of: of})
		w.Why("limit.raise_none", me, central.CancelRaise{Player: id, Of: of})
		set(of, 2000)
		w.Clock.Set(begin.Add(47 * time.Hour))
		if l := set(of, 3000); *l.Raise != 3000 || !l.RaiseAt.Equal(begin.Add(95*time.Hour)) {
			t.Errorf("second raise: %+v", l)
		}
		if l := set(of, 400); *l.Cents != 400 || l.Raise != nil {
			t.Errorf("cut: %+v", l)
		}
	}
	w.Why("limit.amount", me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: -1})
	w.Why("limit.amount", me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: central.LimitMax + 1})
	w.Why("limit.of", me, central.SetLimit{Player: id, Of: "losses"})
	w.Why("principal.other", "player/999", central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 1})
}

// The window is seven times 24 hours of elapsed time, in the week of a change of clocks too.
func TestRollingWindow(t *testing.T) {
	for name, begin := range map[string]time.Time{
		"summer": time.Date(2020, 6, 20, 10, 0, 0, 0, time.UTC), "spring night": time.Date(2020, 3, 29, 0, 30, 0, 0, time.UTC),
		"autumn night": time.Date(2020, 10, 25, 0, 30, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.NewWorld(t, &mem.Store{})
			w.Clock.Set(begin)
			draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-12-19", OpensAt: begin, ClosesAt: begin.AddDate(0, 0, 28)})
			id := w.Registered("one", 500, 10_000)
			me := central.PlayerPrincipal(id)
			w.Do(me, play(id, draw, 1))
			w.Clock.Set(begin.Add(3 * 24 * time.Hour))
			w.Login(id)
			w.Do(me, play(id, draw, 1))
			w.Clock.Set(begin.Add(7*24*time.Hour - time.Microsecond))
			w.Login(id)
			w.Why("limit.stake", me, play(id, draw, 1))
			w.Clock.Set(begin.Add(7 * 24 * time.Hour))
			w.Do(me, play(id, draw, 1))
			w.Why("limit.stake", me, play(id, draw, 1))
		})
	}
}

func TestDepositLimit(t *testing.T) {
	w, _ := shop(t)
	id := w.Registered("one", 1000, 0)
	me := central.PlayerPrincipal(id)
	var first, second central.PaymentState
	storetest.Result(w, w.Do(me, central.RequestDeposit{Player: id, Cents: 600}), &first)
	// What is on its way counts.
	w.Why("limit.deposit", me, central.RequestDeposit{Player: id, Cents: 401})
	storetest.Result(w, w.Do(me, central.RequestDeposit{Player: id, Cents: 400}), &second)
	w.Do("provider/test", storetest.Settled(w, first, true))
	// What failed counts no longer.
	w.Do("provider/test", storetest.Settled(w, second, false))
	w.Why("limit.deposit", me, central.RequestDeposit{Player: id, Cents: 401})
	w.Deposit(id, 400)
	w.Clock.Set(w.Clock.Now().Add(7 * 24 * time.Hour))
	w.Deposit(id, 1000)
	if got := w.Balance(id); got != 2000 {
		t.Errorf("balance %v, want 20.00", got)
	}
}

// An exclusion takes effect at once at every point where play begins, and lets what was begun be ended.
func TestExclusion(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 5000, 4000)
	me := central.PlayerPrincipal(id)
	var waiting central.PaymentState
	storetest.Result(w, w.Do(me, central.RequestDeposit{Player: id, Cents: 1}), &waiting)
	begin := w.Clock.Now()
	for _, bad := range []central.ExcludePlayer{{}, {Hours: 23}, {Hours: 366*24 + 1}, {Months: 13}, {Hours: 24, Months: 1}, {Hours: -24}, {Months: -1}} {
		bad.Player = id
		w.Why("exclusion.length", me, bad)
	}
	w.Why("principal.other", "player/999", central.ExcludePlayer{Player: id, Hours: 24})
	w.Do(me, play(id, draw, 1))
	w.Do(me, central.ExcludePlayer{Player: id, Hours: 24})
	refused := func() {
		t.Helper()
		w.Why("player.excluded", me, play(id, draw, 1))
		w.Why("player.excluded", me, central.RequestDeposit{Player: id, Cents: 100})
		w.Why("player.excluded", "system", w.Session(id, true))
		if g := storetest.Get[central.Guard](w, central.Key{Table: central.Guards, N: id}); g.MayWrite(w.Clock.Now()) {
			t.Error("mail may be sent")
		}
	}
	refused()
	w.Clock.Set(begin.Add(time.Hour))
	w.Why("player.excluded", me, central.AckCheck{Player: id, Clearance: w.Clear(id, false)})
	// The account can be read, money withdrawn, and money that has arrived is credited.
	w.Do("system", w.Session(id, false))
	w.Do(me, central.RequestWithdrawal{Player: id, Cents: 100})
	w.Do("provider/test", storetest.Settled(w, waiting, true))
	// It is made longer and never shorter.
	w.Do(me, central.ExcludePlayer{Player: id, Months: 1})
	w.Why("exclusion.shorter", me, central.ExcludePlayer{Player: id, Hours: 24})
	end := begin.Add(time.Hour).AddDate(0, 1, 0)
	w.Clock.Set(end.Add(-time.Microsecond))
	refused()
	w.Clock.Set(end)
	w.Login(id)
	w.Do(me, play(id, draw, 1))
}

// Months go by the calendar in Paris: to the same time of day, on the last day of a shorter month.
func TestExclusionByTheCalendar(t *testing.T) {
	for _, row := range []struct {
		now    string
		c      central.ExcludePlayer
		paris  string
		refuse bool
	}{
		{now: "2019-01-31T12:00:00Z", c: central.ExcludePlayer{Months: 1}, paris: "2019-02-28 13:00:00"},
		{now: "2019-10-01T12:00:00Z", c: central.ExcludePlayer{Months: 1}, paris: "2019-11-01 14:00:00"},
		{now: "2020-02-29T12:00:00Z", c: central.ExcludePlayer{Months: 12}, paris: "2021-02-28 13:00:00"},
		{now: "2019-10-26T12:00:00Z", c: central.ExcludePlayer{Hours: 24}, paris: "2019-10-27 13:00:00"},
		{now: "2019-01-01T12:00:00Z", c: central.ExcludePlayer{Hours: 365 * 24}, paris: "2020-01-01 13:00:00"},
		{now: "2019-01-01T12:00:00Z", c: central.ExcludePlayer{Hours: 366 * 24}, refuse: true},
	} {
		w := storetest.NewWorld(t, &mem.Store{})
		now, err := time.Parse(time.RFC3339, row.now)
		if err != nil {
			t.Fatal(err)
		}
		w.Clock.Set(now)
		row.c.Player = w.Player("one", 1)
		me := central.PlayerPrincipal(row.c.Player)
		if row.refuse {
			w.Why("exclusion.length", me, row.c)
			continue
		}
		var out central.Excluded
		storetest.Result(w, w.Do(me, row.c), &out)
		paris, err := time.LoadLocation("Europe/Paris")
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Until.In(paris).Format(time.DateTime); got != row.paris {
			t.Errorf("%s, %+v: until %s, want %s", row.now, row.c, got, row.paris)
		}
	}
}

// The reality check opens after the interval, blocks stakes until it is acknowledged, and logging in again does not skip it.
func TestRealityCheck(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 50_000, 50_000)
	me := central.PlayerPrincipal(id)
	begin := w.Clock.Now()
	ack := func() central.AckCheck { return central.AckCheck{Player: id, Clearance: w.Clear(id, false)} }
	w.Why("check.none", me, ack())
	w.Clock.Set(begin.Add(time.Hour - time.Microsecond))
	w.Do(me, play(id, draw, 1))
	w.Clock.Set(begin.Add(time.Hour))
	w.Why("check.open", me, play(id, draw, 1))
	w.Login(id)
	w.Why("check.open", me, play(id, draw, 1))
	w.Do(me, central.SetCheck{Player: id, Minutes: 10})
	w.Why("check.open", me, play(id, draw, 1))
	w.Why("banlist.unavailable", me, central.AckCheck{Player: id})
	w.Do(me, ack())
	w.Do(me, play(id, draw, 1))
	w.Why("check.none", me, ack())
	w.Clock.Set(begin.Add(70 * time.Minute))
	w.Why("check.open", me, play(id, draw, 1))
	w.Do(me, ack())
	// A longer interval waits for the next acknowledgement, a shorter one does not.
	w.Do(me, central.SetCheck{Player: id, Minutes: 60})
	w.Clock.Set(begin.Add(80 * time.Minute))
	w.Why("check.open", me, play(id, draw, 1))
	w.Do(me, ack())
	w.Do(me, central.SetCheck{Player: id, Minutes: 5})
	w.Clock.Set(begin.Add(85 * time.Minute))
	w.Why("check.open", me, play(id, draw, 1))
	for _, minutes := range []int64{0, 61, -1} {
		w.Why("check.minutes", me, central.SetCheck{Player: id, Minutes: minutes})
	}
	// After a rest the next login begins a new stretch.
	w.Clock.Set(begin.Add(85*time.Minute + 30*time.Minute))
	w.Login(id)
	w.Do(me, play(id, draw, 1))
	if g := storetest.Get[central.Guard](w, central.Key{Table: central.Guards, N: id}); g.Since != w.Clock.Now().UnixMicro() {
		t.Errorf("the stretch begins at %v", time.UnixMicro(g.Since))
	}
}
