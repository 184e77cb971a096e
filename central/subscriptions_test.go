package central_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// subscribed begins a subscription to Loto at its price.
func subscribed(w *storetest.World, player int64, cents money.Cents, change ...func(*central.Subscribe)) (s central.SubscriptionState) {
	w.Helper()
	c := central.Subscribe{Player: player, Game: "loto", Lines: []central.Line{quick(5, 1)}, Cents: cents, Channel: central.ChannelWeb}
	for _, f := range change {
		f(&c)
	}
	storetest.Result(w, w.Do(central.PlayerPrincipal(player), c), &s)
	return s
}

// runner plays subscriptions in a world.
func runner(w *storetest.World) *central.Subscriptions {
	return &central.Subscriptions{Register: w.Register, Store: w.Store, Clock: w.Clock, BanList: banList{w: w}}
}

// swept sweeps without an error, checks the books and returns what was done as text.
func swept(w *storetest.World, s *central.Subscriptions) string {
	w.Helper()
	d, err := s.Sweep(w.Context())
	must(w, err)
	return fmt.Sprintf("%d played, %d missed, %d suspended, %v", d.Played, d.Missed, d.Suspended, d.Cents)
}

// standing returns the only subscription of a player.
func standing(w *storetest.World, player int64) *central.SubscriptionState {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	list, err := central.ReadSubscriptions(w.Context(), snap, player)
	if err != nil || len(list) != 1 {
		w.Fatalf("%d subscriptions, %v", len(list), err)
	}
	return list[0]
}

// weekOfLoto puts four draws of Loto on sale that a world of 20 June 2020 meets one after the other, and returns their closes.
func weekOfLoto(w *storetest.World) (closes []time.Time) {
	w.Helper()
	for _, day := range []string{"2020-06-22", "2020-06-24", "2020-06-27", "2020-06-29"} {
		at := instant(w, day+" 20:15:00")
		w.Open(central.OpenDraw{Game: "loto", Day: day, OpensAt: w.Clock.Now(), ClosesAt: at})
		closes = append(closes, at)
	}
	return closes
}

func sellingWorld(t testing.TB) *storetest.World {
	return storetest.NewWorld(t, &mem.Store{}, func(c *central.Config) { c.AllowReconstructed, c.AllowBare = false, false })
}

// A subscription is debited once for each draw, a day before its close, with or without a session, the quick pick drawn anew and the added game with it.
func TestSubscriptionIsDebitedPerDraw(t *testing.T) {
	w := sellingWorld(t)
	id := w.Registered("one", 5000, 5000)
	closes := weekOfLoto(w)
	s := subscribed(w, id, 420, func(c *central.Subscribe) { c.AddOns = joker(200, "") })
	if s.State != central.SubscriptionActive || s.After != 3 || !s.From.Equal(w.Clock.Now().Add(24*time.Hour)) {
		t.Errorf("%+v", s)
	}
	run := runner(w)
	for i, at := range closes {
		for _, c := range []struct {
			at   time.Time
			want string
		}{
			{at.Add(-central.SubscriptionLead - time.Microsecond), "0 played, 0 missed, 0 suspended, 0.00"},
			{at.Add(-central.SubscriptionLead), "1 played, 0 missed, 0 suspended, 4.20"},
			{at.Add(-central.SubscriptionLead + time.Hour), "0 played, 0 missed, 0 suspended, 0.00"},
		} {
			w.Clock.Set(c.at)
			if got := swept(w, run); got != c.want {
				t.Errorf("draw %d at %v: %s, want %s", i, c.at, got, c.want)
			}
		}
		if got := w.Balance(id); got != money.Cents(5000-420*(i+1)) {
			t.Errorf("after draw %d: %v", i, got)
		}
	}
	grids := map[string]bool{}
	for _, r := range rows(t, w.Store, central.Plays) {
		grids[fmt.Sprintf("%x", r.(*central.Play).Lines)] = true
	}
	if len(grids) != 4 || len(rows(t, w.Store, central.AddOnRows)) != 4 || standing(w, id).Misses != 0 {
		t.Errorf("%d grids, %+v", len(grids), standing(w, id))
	}
	catchUp(t, central.NewInbox(w.Store))
	if got := told(t, w.Store, id); !slices.Equal(got[len(got)-4:], slices.Repeat([]string{"subscription 4.20"}, 4)) {
		t.Errorf("told %q", got)
	}
}

// Funds or a limit that refuse skip the draw, and the player is told why; after three in a row the subscription is suspended until it is resumed.
func TestSubscriptionMissesAndResumes(t *testing.T) {
	for name, c := range map[string]struct {
		limit, deposit money.Cents
		why            string
	}{
		"funds": {5000, 100, "balance.insufficient"},
		"limit": {200, 5000, "limit.stake"},
	} {
		t.Run(name, func(t *testing.T) {
			w := sellingWorld(t)
			id := w.Registered("one", c.limit, c.deposit)
			closes := weekOfLoto(w)
			subscribed(w, id, 220)
			run := runner(w)
			for i, at := range closes {
				w.Clock.Set(at.Add(-time.Hour))
				want := []string{"0 played, 1 missed, 0 suspended, 0.00", "0 played, 1 missed, 0 suspended, 0.00", "0 played, 1 missed, 1 suspended, 0.00", "0 played, 0 missed, 0 suspended, 0.00"}[i]
				if got := swept(w, run); got != want {
					t.Errorf("draw %d: %s, want %s", i, got, want)
				}
			}
			s := standing(w, id)
			if s.State != central.SubscriptionSuspended || s.Misses != 3 || s.Why != c.why || s.Play != nil || w.Balance(id) != c.deposit || len(rows(t, w.Store, central.Plays)) != 0 {
				t.Errorf("%+v, balance %v", s, w.Balance(id))
			}
			catchUp(t, central.NewInbox(w.Store))
			got := told(t, w.Store, id)
			if want := []string{"subscription.missed 2.20", "subscription.missed 2.20", "subscription.suspended 2.20"}; !slices.Equal(got[len(got)-3:], want) {
				t.Errorf("told %q", got)
			}
			me := central.PlayerPrincipal(id)
			resume := central.ResumeSubscription{Player: id, Subscription: s.Subscription, Cents: 220}
			w.Why("check.open", me, resume)
			w.Clock.Set(w.Clock.Now().Add(time.Hour))
			w.Login(id)
			wrong := resume
			wrong.Cents = 100
			w.Why("subscription.cents", me, wrong)
			w.Do(me, resume)
			w.Why("subscription.state", me, resume)
			if s := standing(w, id); s.State != central.SubscriptionActive || s.Misses != 0 {
				t.Errorf("resumed: %+v", s)
			}
		})
	}
}

// An exclusion, a ban and another price suspend at once. A ban that the list tells then holds for everything; a list that does not answer debits nobody
// and is asked again.
func TestSubscriptionIsSuspendedAtOnce(t *testing.T) {
	w := sellingWorld(t)
	excluded, banned, fine := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 5000), w.Registered("three", 5000, 5000)
	closes := weekOfLoto(w)
	for _, id := range []int64{excluded, banned, fine} {
		subscribed(w, id, 220)
	}
	w.Do(central.PlayerPrincipal(excluded), central.ExcludePlayer{Player: excluded, Months: 1})
	w.Clock.Set(closes[0].Add(-time.Hour))
	run := runner(w)
	run.BanList = banList{w: w, silent: true}
	if d, err := run.Sweep(t.Context()); err == nil || d != (central.Debited{}) {
		t.Errorf("with a list that does not answer: %+v, %v", d, err)
	}
	w.CheckBooks()
	run.BanList = banList{w: w, banned: banned}
	if got := swept(w, run); got != "1 played, 2 missed, 2 suspended, 2.20" {
		t.Error(got)
	}
	for id, why := range map[int64]string{excluded: "player.excluded", banned: "player.banned"} {
		if s := standing(w, id); s.State != central.SubscriptionSuspended || s.Why != why || w.Balance(id) != 5000 {
			t.Errorf("%+v, want %s", s, why)
		}
	}
	w.Why("player.banned", central.PlayerPrincipal(banned), play(banned, "loto-2020-06-24", 1))
	// An excluded player may end a subscription and begin none.
	me := central.PlayerPrincipal(excluded)
	w.Why("player.excluded", me, central.Subscribe{Player: excluded, Game: "loto", Lines: []central.Line{quick(5, 1)}, Cents: 220, Channel: central.ChannelWeb})
	w.Do(me, central.EndSubscription{Player: excluded, Subscription: standing(w, excluded).Subscription})
}

// The player pauses a subscription: no draw is debited until it is resumed, at the price of then, and those in between stay unplayed.
func TestSubscriptionPauses(t *testing.T) {
	w := sellingWorld(t)
	id, other := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 5000)
	closes := weekOfLoto(w)
	me := central.PlayerPrincipal(id)
	s := subscribed(w, id, 220)
	pause := central.PauseSubscription{Player: id, Subscription: s.Subscription}
	w.Why("principal.other", central.PlayerPrincipal(other), pause)
	w.Why("subscription.unknown", central.PlayerPrincipal(other), central.PauseSubscription{Player: other, Subscription: s.Subscription})
	w.Do(me, pause)
	w.Why("subscription.state", me, pause)
	if s := standing(w, id); s.State != central.SubscriptionSuspended || s.Why != "" || s.Misses != 0 {
		t.Errorf("paused: %+v", s)
	}
	w.Clock.Set(closes[0].Add(-time.Hour))
	w.Why("subscription.due", "system", central.DebitSubscription{Player: id, Slot: 1, Subscription: s.Subscription, Draw: "loto-2020-06-22"})
	if got := swept(w, runner(w)); got != "0 played, 0 missed, 0 suspended, 0.00" {
		t.Error(got)
	}
	w.Login(id)
	w.Do(me, central.ResumeSubscription{Player: id, Subscription: s.Subscription, Cents: 220})
	if s := standing(w, id); s.State != central.SubscriptionActive || w.Balance(id) != 5000 {
		t.Errorf("resumed: %+v", s)
	}
	w.CheckBooks()
}

// The player ends a subscription at any time: no draw is debited after that. Its place is free again.
func TestSubscriptionEnds(t *testing.T) {
	w := sellingWorld(t)
	id, other := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 5000)
	closes := weekOfLoto(w)
	me := central.PlayerPrincipal(id)
	s := subscribed(w, id, 220)
	end := central.EndSubscription{Player: id, Subscription: s.Subscription}
	w.Why("principal.other", central.PlayerPrincipal(other), end)
	w.Why("subscription.unknown", central.PlayerPrincipal(other), central.EndSubscription{Player: other, Subscription: s.Subscription})
	w.Do(me, end)
	w.Why("subscription.state", me, end)
	w.Clock.Set(closes[0].Add(-time.Hour))
	w.Why("subscription.due", "system", central.DebitSubscription{Player: id, Slot: 1, Subscription: s.Subscription, Draw: "loto-2020-06-22"})
	if got := swept(w, runner(w)); got != "0 played, 0 missed, 0 suspended, 0.00" {
		t.Error(got)
	}
	w.Clock.Set(closes[0].Add(time.Hour))
	w.Login(id)
	for range central.MaxSubscriptions {
		subscribed(w, id, 220)
	}
	w.Why("subscription.many", me, central.Subscribe{Player: id, Game: "loto", Lines: []central.Line{quick(5, 1)}, Cents: 220, Channel: central.ChannelWeb})
}

// No subscription takes a pack, at Loto or at Euro Millions, by the article; nor a group play.
func TestSubscriptionExclusions(t *testing.T) {
	covers.Covers(t, "P32", "P66")
	w := newWorld(t)
	id := w.Player("one", 100)
	for game, article := range map[string]string{
		"loto": "loto@2018-10-29:14.8", "superloto": "loto@2018-10-29:14.8", "grandloto": "loto@2018-10-29:14.8", "euromillions": "euromillions@2018-10-29:3.4.2.6",
	} {
		w.Clock.Set(instant(t, "2019-06-03 12:00:00"))
		r := w.Why("subscription.pack", central.PlayerPrincipal(id), central.Subscribe{Player: id, Game: game, Pack: "600"})
		if r.Article != article || r.Field != "pack" {
			t.Errorf("%s: refused by %q at %q, want %s", game, r.Article, r.Field, article)
		}
		w.Why("subscription.group", central.PlayerPrincipal(id), central.Subscribe{Player: id, Game: game, Lines: []central.Line{quick(5, 1)}, Receipts: 3})
	}
}

func TestSubscribeRefuses(t *testing.T) {
	w := sellingWorld(t)
	id := w.Registered("one", 5000, 5000)
	me := central.PlayerPrincipal(id)
	good := central.Subscribe{Player: id, Game: "loto", Lines: []central.Line{quick(5, 1)}, Cents: 220, Channel: central.ChannelWeb}
	for reason, change := range map[string]func(*central.Subscribe){
		"draw.game":          func(c *central.Subscribe) { c.Game = "mymillion" },
		"sale.channel":       func(c *central.Subscribe) { c.Channel = "fax" },
		"play.lines":         func(c *central.Subscribe) { c.Lines = nil },
		"play.grid":          func(c *central.Subscribe) { c.Lines = []central.Line{quick(9, 9)} },
		"add_on.game":        func(c *central.Subscribe) { c.AddOns = []central.AddOn{{Game: "etoileplus"}} },
		"subscription.cents": func(c *central.Subscribe) { c.Cents = 250 },
		"subscription.days":  func(c *central.Subscribe) { c.Days = []string{"tuesday"} },
	} {
		c := good
		change(&c)
		w.Why(reason, me, c)
	}
	c := good
	c.Days = []string{"saturday", "saturday"}
	w.Why("subscription.days", me, c)
	c.Days = []string{"saturday", "monday"}
	var s central.SubscriptionState
	storetest.Result(w, w.Do(me, c), &s)
	if !slices.Equal(s.Days, []string{"monday", "saturday"}) {
		t.Errorf("days %q", s.Days)
	}
}

// Only the chosen days of the week are played.
func TestSubscriptionDays(t *testing.T) {
	w := sellingWorld(t)
	id := w.Registered("one", 5000, 5000)
	closes := weekOfLoto(w)
	subscribed(w, id, 220, func(c *central.Subscribe) { c.Days = []string{"monday"} })
	run := runner(w)
	for _, at := range closes {
		w.Clock.Set(at.Add(-time.Hour))
		swept(w, run)
	}
	var draws []string
	for _, r := range rows(t, w.Store, central.Plays) {
		draws = append(draws, r.(*central.Play).Draw)
	}
	if want := []string{"loto-2020-06-22", "loto-2020-06-29"}; !slices.Equal(draws, want) {
		t.Errorf("played %q, want %q", draws, want)
	}
}

// stopping lets so many answers of the ban list through and then ends the sweep, as a killed server would.
type stopping struct {
	banList
	left int
	stop context.CancelFunc
}

func (l *stopping) Ask(ctx context.Context, p *central.Person) (string, error) {
	if l.left--; l.left < 0 {
		l.stop()
		return "", errors.New("killed")
	}
	return l.banList.Ask(ctx, p)
}

// A sweep that is stopped anywhere is taken up by another one, also on another node: each subscription is debited once.
func TestSweepIsTakenUp(t *testing.T) {
	store := &mem.Store{}
	w := storetest.NewWorld(t, store, func(c *central.Config) { c.AllowReconstructed, c.AllowBare = false, false })
	var players []int64
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		players = append(players, w.Registered(name, 5000, 5000))
	}
	closes := weekOfLoto(w)
	for _, id := range players {
		subscribed(w, id, 220)
		subscribed(w, id, 220)
	}
	w.Clock.Set(closes[0].Add(-time.Hour))
	for left := range 4 {
		ctx, stop := context.WithCancel(t.Context())
		list := &stopping{banList{w: w}, left, stop}
		run := runner(w)
		run.BanList = &oneByOne{list: list}
		if _, err := run.Sweep(ctx); err == nil {
			t.Error("a stopped sweep says nothing")
		}
		stop()
		w.CheckBooks()
	}
	done := make(chan error)
	for range 2 {
		run := runner(w)
		run.BanList = &oneByOne{list: banList{w: w}}
		go func() { _, err := run.Sweep(t.Context()); done <- err }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	w.CheckBooks()
	if n := len(rows(t, store, central.Plays)); n != 10 {
		t.Errorf("%d plays of 10 subscriptions", n)
	}
	for _, id := range players {
		if got := w.Balance(id); got != 5000-440 {
			t.Errorf("player %d has %v", id, got)
		}
	}
}

// The server was down through the moment and the close: the draw is missed, and the player is told; nothing is debited.
func TestSubscriptionMissedWhileNoServerRan(t *testing.T) {
	w := sellingWorld(t)
	id := w.Registered("one", 5000, 5000)
	closes := weekOfLoto(w)
	subscribed(w, id, 220)
	w.Clock.Set(closes[0].Add(time.Minute))
	if got := swept(w, runner(w)); got != "0 played, 1 missed, 0 suspended, 0.00" {
		t.Error(got)
	}
	if s := standing(w, id); s.Why != "draw.closed" || w.Balance(id) != 5000 {
		t.Errorf("%+v", s)
	}
}

// A schedule plays the subscriptions to its draws.
func TestScheduleHasSubscriptionsPlayed(t *testing.T) {
	w := sellingWorld(t)
	id := w.Registered("one", 5000, 5000)
	closes := weekOfLoto(w)
	subscribed(w, id, 220)
	hook := runner(w).BeforeClose()
	w.Clock.Set(closes[0].Add(-hook.Lead))
	if err := hook.Run(t.Context(), &central.DrawDate{Game: "loto", Day: "2020-06-22"}); err != nil {
		t.Fatal(err)
	}
	w.CheckBooks()
	if got := w.Balance(id); got != 5000-220 {
		t.Errorf("balance %v", got)
	}
	if !strings.HasPrefix(standing(w, id).Draw, "loto-2020-06-22") {
		t.Errorf("%+v", standing(w, id))
	}
}

// crossed is a ban list whose answers come in another order than the questions: after the first, each odd one waits for the one after it.
type crossed struct {
	list  oneByOne
	mu    sync.Mutex
	asked int
	next  chan struct{}
}

func (l *crossed) Ask(ctx context.Context, p *central.Person) (string, error) {
	l.mu.Lock()
	n, next := l.asked, l.next
	l.asked++
	if n%2 == 1 {
		next = make(chan struct{})
		l.next = next
	}
	l.mu.Unlock()
	if n%2 == 1 {
		<-next
	}
	answer, err := l.list.Ask(ctx, p)
	if n > 0 && n%2 == 0 {
		close(next)
	}
	return answer, err
}

// Subscriptions are prepared side by side and debited in their own order, however the ban list answers: the log of two runs is the same.
func TestSubscriptionsAreDebitedInOrder(t *testing.T) {
	w := sellingWorld(t)
	const players = 9 // an odd number: the last question is answered at once
	var want []int64
	for i := range players {
		id := w.Registered(fmt.Sprintf("p%c", 'a'+i), 5000, 5000)
		want = append(want, id)
	}
	closes := weekOfLoto(w)
	for _, id := range want {
		subscribed(w, id, 220)
	}
	w.Clock.Set(closes[0].Add(-time.Hour))
	run := runner(w)
	run.BanList = &crossed{list: oneByOne{list: banList{w: w}}}
	if got := swept(w, run); got != "9 played, 0 missed, 0 suspended, 19.80" {
		t.Error(got)
	}
	var got []int64
	for _, r := range rows(t, w.Store, central.Plays) {
		got = append(got, r.(*central.Play).Player)
	}
	if !slices.Equal(got, want) {
		t.Errorf("debited %v, want %v", got, want)
	}
}
