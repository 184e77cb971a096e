package events_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/central/events"
	"tirage/rules/combin"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// follow starts to follow, until the test ends.
func follow(t testing.TB, f *events.Feed, v events.Viewer, after *events.Place) *events.Follower {
	t.Helper()
	w, err := f.Follow(context.Background(), v, after)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// run lets a feed read until the test ends.
func run(t testing.TB, f *events.Feed) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { f.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
}

// gather takes events until the follower has passed all leaves of the store.
func gather(t testing.TB, f *events.Feed, w *events.Follower, s central.Reader) (list []events.Told) {
	t.Helper()
	end := present(t, s)
	for {
		told, changed, err := w.Take()
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, told...); w.Place() == end {
			return list
		}
		f.Committed(nil)
		<-changed
	}
}

// present is the end of the logs of a store.
func present(t testing.TB, s central.Reader) (p events.Place) {
	t.Helper()
	snap, err := s.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	err = snap.Scan(context.Background(), central.Range{From: central.Key{Table: central.Writers}}, func(r central.Row) error {
		p[r.(*central.Writer).Node] = r.(*central.Writer).Size
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// written writes events as a client reads them.
func written(t testing.TB, list []events.Told) (lines []string) {
	t.Helper()
	for _, e := range list {
		b, err := json.Marshal(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%v %s %s", e.Place, e.Event.Name(), b))
	}
	return lines
}

// play is a quick pick.
func play(player int64, draw string) central.BuyPlay {
	return central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}}
}

// open puts a draw with a pack type on sale and registers two players.
func open(w *storetest.World) (draw string, one, two int64) {
	w.Helper()
	draw = w.Open(central.OpenDraw{
		Game: "loto", Day: "2020-06-22", OpensAt: w.Clock.Now(), ClosesAt: w.Clock.Now().Add(30 * time.Minute), Reconstructed: true,
		Packs: []central.PackOffer{{Type: "small", Simples: 3, Shares: 20, MaxPacks: 2}},
	})
	return draw, w.Registered("one", 50_000, 50_000), w.Registered("two", 50_000, 50_000)
}

func buy(w *storetest.World, player int64, draw string) {
	w.Helper()
	w.Do(central.PlayerPrincipal(player), play(player, draw))
}

// Everybody is told of draws and packs, a player of their own, nobody of another's; amounts are those of the ledger; a message says what the inbox says.
func TestWhoIsToldWhat(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	f := events.NewFeed(w.Store)
	run(t, f)
	draw, one, two := open(w)
	public, own, other := follow(t, f, events.Viewer{}, nil), follow(t, f, events.Viewer{Player: one, Draw: "loto-1999-01-01"}, nil), follow(t, f, events.Viewer{Player: two, Draw: draw}, nil)
	grid, err := combin.Parse("1-2-3-4-5+6")
	if err != nil {
		t.Fatal(err)
	}
	w.Do(central.PlayerPrincipal(one), central.BuyPlay{Player: one, Draw: draw, Lines: []central.Line{{Grid: grid}}})
	w.Do(central.PlayerPrincipal(two), central.BuyShares{Player: two, Draw: draw, Type: "small", Shares: 5})
	w.Clock.Set(w.Clock.Now().Add(30 * time.Minute))
	w.Evening(draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 300_000_000}, Fund: 50_000_000}, central.Result{Main: []int{1, 2, 3, 4, 9}, Extra: []int{6}}, central.Outside{})
	var states []string
	for _, e := range gather(t, f, public, w.Store) {
		switch e := e.Event.(type) {
		case events.Draw:
			states = append(states, e.State)
		case events.Pack:
			if e.Sold != 5 || e.Left != 15 || e.Opened != 1 {
				t.Errorf("%+v", e)
			}
		default:
			t.Errorf("everybody is told %+v", e)
		}
	}
	if want := []string{"closed", "sealed", "balanced", "drawn", "counted", "approved", "settled", "published"}; !slices.Equal(states, want) {
		t.Errorf("the draw was %q, want %q", states, want)
	}
	var names []string
	balance := int64(-1)
	var message events.Message
	for _, e := range gather(t, f, own, w.Store) {
		names = append(names, e.Event.Name())
		switch e := e.Event.(type) {
		case events.Balance:
			balance = int64(e.Balance)
		case events.Message:
			message = e
		}
	}
	if want := []string{"play", "balance", "done", "balance", "message"}; !slices.Equal(names, want) {
		t.Errorf("one is told %q, want %q", names, want)
	}
	if balance != int64(w.Balance(one)) {
		t.Errorf("the last balance told is %d, it is %v", balance, w.Balance(one))
	}
	if message.Kind != central.MessageGain || message.Cents == 0 || message.FR.Text == "" || message.EN.Text == message.FR.Text || message.Facts.Draw != draw {
		t.Errorf("%+v", message)
	}
	for _, e := range gather(t, f, other, w.Store) {
		if p, ok := e.Event.(events.Play); ok && (p.Pack != "small/0" || p.Shares != 5) {
			t.Errorf("two is told %+v", p)
		}
	}
}

// Whoever goes on from the place of any event is told what follows it and nothing else: from what the feed keeps, and from the log after a restart.
func TestGoesOnFromAnyPlace(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	f := events.NewFeed(w.Store)
	run(t, f)
	draw, one, _ := open(w)
	v := events.Viewer{Player: one}
	live := follow(t, f, v, nil)
	for range 10 {
		buy(w, one, draw)
		w.Do(central.PlayerPrincipal(one), central.BuyShares{Player: one, Draw: draw, Type: "small", Shares: 2})
	}
	list := gather(t, f, live, w.Store)
	if len(list) != 10*3+10*4 { // of a purchase of shares everybody is told what is sold, too
		t.Errorf("%d events", len(list))
	}
	again := events.NewFeed(w.Store) // a process that has just started
	run(t, again)
	for i, from := range list {
		if i+1 < len(list) && list[i+1].Place == from.Place {
			continue // events of one leaf go together
		}
		want := written(t, list[i+1:])
		for name, feed := range map[string]*events.Feed{"kept": f, "restarted": again} {
			text, err := events.ParsePlace(from.Place.String())
			if err != nil || text != from.Place {
				t.Fatalf("%v reads as %v, %v", from.Place, text, err)
			}
			if got := written(t, gather(t, feed, follow(t, feed, v, &text), w.Store)); !slices.Equal(got, want) {
				t.Fatalf("%s, from event %d: %d events %.200q, want %d", name, i, len(got), got, len(want))
			}
		}
	}
}

// One that falls behind is told so once and goes on from the present; nobody waits for it, and what is kept stays bounded.
func TestTooSlow(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	f := events.NewFeed(w.Store)
	run(t, f)
	draw, one, _ := open(w)
	slow, quick := follow(t, f, events.Viewer{Player: one}, nil), follow(t, f, events.Viewer{Player: one}, nil)
	events.Bound(f, 5, 1000)
	n := 0
	for range 20 {
		buy(w, one, draw)
		n += len(gather(t, f, quick, w.Store))
	}
	if n != 60 {
		t.Errorf("%d events in time, want 60", n)
	}
	if steps, kept := events.Kept(f); steps > 5 || kept > 15 {
		t.Errorf("%d steps of %d events are kept", steps, kept)
	}
	if _, _, err := slow.Take(); !errors.Is(err, events.ErrAway) {
		t.Fatalf("too slow: %v", err)
	}
	buy(w, one, draw)
	if list := gather(t, f, slow, w.Store); len(list) != 3 {
		t.Errorf("%d events from the present on, want 3", len(list))
	}
	// A place long ago.
	far := present(t, w.Store)
	events.Behind(f, 10)
	old := events.Place{far[0] - 11}
	s, err := f.Follow(t.Context(), events.Viewer{}, &old)
	if !errors.Is(err, events.ErrAway) || s == nil || s.Place() != far {
		t.Errorf("from long ago: %v", err)
	}
	s.Close()
}

// A feed that nobody follows reads nothing, and forgets what it kept.
func TestIdle(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	f := events.NewFeed(w.Store)
	draw, one, _ := open(w)
	v := events.Viewer{Player: one}
	live, err := f.Follow(t.Context(), v, nil)
	if err != nil {
		t.Fatal(err)
	}
	buy(w, one, draw)
	look(t, f)
	if list, _, err := live.Take(); err != nil || len(list) != 3 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	at := live.Place()
	live.Close()
	buy(w, one, draw)
	look(t, f)
	if steps, kept := events.Kept(f); steps != 0 || kept != 0 {
		t.Errorf("%d steps of %d events are kept for nobody", steps, kept)
	}
	if list, _, err := follow(t, f, v, &at).Take(); err != nil || len(list) != 3 {
		t.Errorf("back again: %d events, %v", len(list), err)
	}
}

func look(t testing.TB, f *events.Feed) {
	t.Helper()
	if err := events.Look(f, context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Followers who come and go while much is sold miss nothing and are told nothing twice.
func TestManyFollowers(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	f := events.NewFeed(w.Store)
	run(t, f)
	draw, one, _ := open(w)
	start := present(t, w.Store)
	const followers, plays = 8, 60
	var crowd sync.WaitGroup
	for i := range followers {
		crowd.Go(func() {
			at := start
			for numbers := []int64{}; len(numbers) < plays; {
				w, err := f.Follow(context.Background(), events.Viewer{Player: one}, &at)
				if err != nil {
					t.Error(err)
					return
				}
				for range 1 + i { // then it comes back
					list, changed, err := w.Take()
					if err != nil {
						t.Error(err)
					}
					for _, e := range list {
						if b, ok := e.Event.(events.Balance); ok {
							if n := len(numbers); n > 0 && b.Number != numbers[n-1]+1 {
								t.Errorf("follower %d is told movement %d after %d", i, b.Number, numbers[n-1])
							}
							numbers = append(numbers, b.Number)
						}
					}
					if len(numbers) < plays {
						<-changed
					}
				}
				at = w.Place()
				w.Close()
			}
		})
	}
	for range plays {
		if _, err := w.Try(central.PlayerPrincipal(one), play(one, draw)); err != nil {
			t.Fatal(err)
		}
		f.Committed(nil)
	}
	done := make(chan struct{})
	go func() { crowd.Wait(); close(done) }()
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond): // who came back just now waits for a change
			w.Do("system", central.Deposit{Player: one, Cents: 1})
			f.Committed(nil)
		}
	}
}

func FuzzPlace(f *testing.F) {
	for _, s := range []string{"0:0", "0:124,1:7", "", "16:1", "0:-1", "0:1,0:2", "a:b", "0:9223372036854775808"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := events.ParsePlace(s)
		if err != nil {
			return
		}
		if again, err := events.ParsePlace(p.String()); err != nil || again != p {
			t.Errorf("%q reads as %v, which reads as %v, %v", s, p, again, err)
		}
	})
}
