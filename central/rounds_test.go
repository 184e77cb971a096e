package central_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/internal/covers"
)

// A round from the stake to the end, in each of the ways in which it may end.
//
// Art. donuts@2019-06-25:annex.2, Art. donuts@2019-06-25:3.1.1, Art. donuts@2019-06-25:3.2.
func TestRoundsEnd(t *testing.T) {
	covers.Covers(t, "D6", "D8", "D12", "D14", "D15", "D17", "D18", "D20", "D21", "D22", "D23")
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Player("one", 10)
		a := h.start(player)
		if a.Balance != 950 || a.Round.State != replay.Open || a.Round.Level != 0 || a.Round.Sure != 0 || a.Round.Next.Items != 5 || a.Round.Next.French != "1 chance sur 1,23" || a.Series != nil {
			t.Fatalf("staked: %+v", a)
		}
		h.CheckBooks()
		h.refused(central.Conflict, "round.not_started", self(player), stop(player, a))

		// « Go » drops five donuts, « Je continue » five more, without a debit.
		for level := 1; level <= 3; level++ {
			commitment := a.Round.Next.Commitment
			a = h.play(player, a, true)
			h.CheckBooks()
			if a.Balance != 950 || a.Round.Level != level || a.Round.Items != 5*level || len(a.Series.Items) != 5 || a.Series.N != level || a.Round.Next.Items != 5*level+5 {
				t.Fatalf("level %d: %+v", level, a)
			}
			if string(a.Series.Commitment) != string(commitment) {
				t.Errorf("level %d was drawn under another commitment than the one shown", level)
			}
			if a.Round.Sure < 30 || a.Round.Gain != 0 {
				t.Errorf("level %d: %v for stopping, %v paid", level, a.Round.Sure, a.Round.Gain)
			}
		}
		sure := a.Round.Sure
		a = h.must(player, stop(player, a))
		h.CheckBooks()
		if a.Round.State != replay.Won || a.Round.Gain != sure || a.Balance != 950+sure || a.Round.Next != nil || a.Series.N != 3 {
			t.Fatalf("stopped at level 3 with %v: %+v", sure, a)
		}

		// A collapse loses the gain of the level passed.
		before := a.Balance
		a = h.climb(player, 2)
		a = h.play(player, a, false)
		h.CheckBooks()
		if a.Round.State != replay.Lost || a.Round.Gain != 0 || a.Balance != before-50 || a.Round.Level != 2 || a.Round.Items != 15 || a.Round.Next != nil {
			t.Fatalf("collapsed at level 3: %+v", a)
		}
		h.refused(central.Conflict, "round.step", self(player), stop(player, a))

		// The last level pays by itself; « J'arrête » at that moment gets the same answer, and nothing is paid twice.
		a = h.climb(player, 10)
		h.CheckBooks()
		again := h.must(player, stop(player, a))
		h.CheckBooks()
		if a.Round.State != replay.Won || a.Round.EndedBy != central.EndedByTop || a.Round.Gain < 300 || a.Balance != before-100+a.Round.Gain || again.Balance != a.Balance || again.Round.Gain != a.Round.Gain || again.Series.N != 10 {
			t.Fatalf("all ten levels: %+v, then %+v", a, again)
		}
		if got := h.Balance(player); got != a.Balance {
			t.Errorf("balance %v, answered %v", got, a.Balance)
		}
	})
}

// One round is open for a player, whatever the device; the floor between two plays is the server's; nobody else plays, staff least of all.
func TestWhoMayStart(t *testing.T) {
	covers.Covers(t, "D8")
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player, other := h.Player("one", 1), h.Player("two", 1)
		start := central.StartRound{Player: player, Game: donuts}
		h.refused(central.Forbidden, "round.principal", self(other), start)
		h.refused(central.Forbidden, "principal.player", "system", start)
		h.refused(central.Forbidden, "staff.plays", "staff/anna", start)
		h.refused(central.NotFound, "game.unknown", self(player), central.StartRound{Player: player, Game: "doughnuts"})
		h.refused(central.Invalid, "game.no_ladder", self(player), central.StartRound{Player: player, Game: "loto"})

		a := h.start(player)
		h.wait(time.Minute)
		refused := h.refused(central.Conflict, "round.open", self(player), start)
		if current := refused.Current.(*central.RoundAnswer); current.Round.Round != a.Round.Round {
			t.Errorf("the open round is %v, told %v", a.Round.Round, current.Round.Round)
		}
		h.refused(central.NotFound, "round.unknown", self(other), central.PlaySeries{Player: other, Game: donuts, Round: a.Round.Round, Contribution: bytes16(1)})
		h.refused(central.Forbidden, "round.principal", self(other), central.PlaySeries{Player: player, Game: donuts, Round: a.Round.Round, Contribution: bytes16(1)})
		h.refused(central.Invalid, "round.contribution", self(player), central.PlaySeries{Player: player, Game: donuts, Round: a.Round.Round, Contribution: bytes16(1)[:15]})

		h.play(player, a, false)
		h.must(player, start)
		h.refused(central.Conflict, "round.open", self(player), start)
		b := h.start(other)
		h.play(other, b, false)
		b = h.start(other)
		h.play(other, b, false)
		h.wait(time.Minute)
		h.refused(central.Insufficient, "balance.insufficient", self(other), central.StartRound{Player: other, Game: donuts})
		h.CheckBooks()
	})
}

// The floor: five seconds between two plays by the server's clock.
func TestFloorBetweenPlays(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Player("one", 5)
		a := h.start(player)
		h.play(player, a, false)
		h.wait(4999 * time.Millisecond)
		h.refused(central.Conflict, "round.floor", self(player), central.StartRound{Player: player, Game: donuts})
		h.wait(time.Millisecond)
		h.must(player, central.StartRound{Player: player, Game: donuts})
	})
}

// At one step several devices act at once: one wins, the others are told what stands.
func TestActionsAtOnce(t *testing.T) {
	covers.Covers(t, "D12")
	allHalls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Player("one", 20)
		for turn := range 6 {
			a := h.climb(player, 2)
			before := h.Balance(player)
			var actions []central.Command
			for range 4 { // devices
				actions = append(actions, h.series(player, a, turn%2 == 0), stop(player, a))
			}
			answers, errs := make([]*central.RoundAnswer, len(actions)), make([]error, len(actions))
			keys := make([]string, len(actions))
			for i := range keys {
				keys[i] = h.fresh()
			}
			var all sync.WaitGroup
			for i, c := range actions {
				all.Go(func() { answers[i], errs[i] = h.under(keys[i], self(player), c) })
			}
			all.Wait()
			won := -1
			for i, err := range errs {
				switch {
				case err == nil && won >= 0:
					t.Fatalf("actions %d and %d are both accepted", won, i)
				case err == nil:
					won = i
				}
			}
			for i, err := range errs {
				if i == won {
					continue
				}
				if current := conflict(t, err); current.Round.State != answers[won].Round.State || current.Round.Gain != answers[won].Round.Gain || current.Balance != answers[won].Balance {
					t.Errorf("told %+v, the winner %+v", current, answers[won])
				}
			}
			h.CheckBooks()
			switch end := answers[won]; {
			case end.Round.State == replay.Won && h.Balance(player) != before+end.Round.Gain:
				t.Errorf("stopped with %v: from %v to %v", end.Round.Gain, before, h.Balance(player))
			case end.Round.State == replay.Open:
				h.must(player, stop(player, end))
			}
		}
	})
}

// The same request, sent again and again: one debit, equal answers; another body under the key is refused.
func TestRoundIdempotency(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Player("one", 1)
		start := central.StartRound{Player: player, Game: donuts}
		answers := make([]*central.RoundAnswer, 20)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i], _ = h.under("click", self(player), start) })
		}
		all.Wait()
		for _, a := range answers {
			if a == nil || a.Round.Round != answers[0].Round.Round || a.Balance != 50 {
				t.Fatalf("answers differ: %+v, %+v", answers[0], a)
			}
		}
		play := h.series(player, answers[0], true)
		first, err := h.under("go", self(player), play)
		if err != nil {
			t.Fatal(err)
		}
		second, err := h.under("go", self(player), play)
		if err != nil || string(second.Series.Secret) != string(first.Series.Secret) {
			t.Errorf("sent again: %+v, %v", second, err)
		}
		play.Contribution = bytes16(12345)
		if _, err := h.under("go", self(player), play); central.CodeOf(err) != central.Conflict {
			t.Errorf("another contribution under the same key: %v", err)
		}
		h.CheckBooks()
	})
}

// The round belongs to the player: another device finds it after a restart, sees what was stored, and ends it.
func TestAnyDevice(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, again func() central.Store) {
		player := h.Player("one", 1)
		a := h.climb(player, 4)
		h.Register.Close()

		later := openHall(t, again(), 1)
		later.Clock.Set(h.Clock.Now())
		found := later.current(player)
		if found == nil || found.Replay || found.Round.Round != a.Round.Round || found.Round.Sure != a.Round.Sure || len(found.Series) != 4 || string(found.Round.Next.Commitment) != string(a.Round.Next.Commitment) {
			t.Fatalf("found %+v after %+v", found, a)
		}
		end := later.must(player, central.StopRound{Player: player, Game: donuts, Round: found.Round.Round, Step: found.Round.Step})
		if end.Round.Gain != a.Round.Sure || later.current(player) != nil {
			t.Errorf("ended with %v, want %v", end.Round.Gain, a.Round.Sure)
		}
		later.CheckBooks()
	})
}

func (h *hall) current(player int64) *central.PastRound {
	h.Helper()
	snap, err := h.Store.Snapshot(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	defer snap.Close()
	r, err := central.CurrentRound(context.Background(), snap, donuts, player)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// A payment that can't be right is not made: the round is blocked, the caller told that a fault was found, and the stake stays safe until a
// member of the staff releases the round, which then pays what its stored series prove.
func TestCase04BreachBlocksTheRound(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Player("one", 1)
		a := h.climb(player, 3)
		r := h.round(a.Round.Round)
		r.Sum = 1_000_000_00
		h.tamper(r)
		h.refused(central.Internal, "round.breach", self(player), stop(player, a))
		h.CheckBooks()
		if r = h.round(r.ID); r.State != string(replay.Blocked) || r.Gain != 0 || h.Balance(player) != 50 {
			t.Fatalf("blocked: %+v", r)
		}
		h.refused(central.Conflict, "round.step", self(player), stop(player, a))
		h.refused(central.Conflict, "round.step", self(player), central.PlaySeries{Player: player, Game: donuts, Round: r.ID, Step: 3, Contribution: bytes16(1)})
		h.wait(time.Minute)
		h.refused(central.Conflict, "round.open", self(player), central.StartRound{Player: player, Game: donuts})

		release := central.ReleaseRound{Player: player, Game: donuts, Round: r.ID, Step: 3, Why: "the sum was damaged"}
		h.refused(central.Forbidden, "principal.staff", self(player), release)
		if _, err := h.as("staff/anna", release); err != nil {
			t.Fatal(err)
		}
		h.CheckBooks()
		if got, want := h.Balance(player), 50+a.Round.Sure; got != want {
			t.Errorf("released with %v, want %v", got, want)
		}
		h.refused(central.Conflict, "round.state", "staff/anna", release)
		// Nobody blocks a round that is sound.
		b := h.climb(player, 1)
		h.refused(central.Conflict, "round.sound", "system", central.BlockRound{Player: player, Game: donuts, Round: b.Round.Round})
	})
}

func conflict(t *testing.T, err error) *central.RoundAnswer {
	t.Helper()
	if central.CodeOf(err) != central.Conflict {
		t.Fatalf("%v, want a conflict", err)
	}
	var r *central.Refusal
	if !errors.As(err, &r) || r.Current == nil {
		t.Fatalf("%v tells nothing of what stands", err)
	}
	return r.Current.(*central.RoundAnswer)
}

// Exclusion and the limit of stakes stop the next round; the one that is open when they are reached is ended by its player.
func TestExcludedPlayerEndsTheRound(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player := h.Registered("one", 100, 1000)
		a := h.climb(player, 1)
		if _, err := h.as(self(player), central.ExcludePlayer{Player: player, Hours: 24}); err != nil {
			t.Fatal(err)
		}
		a = h.play(player, a, true)
		a = h.must(player, stop(player, a))
		if a.Balance != 950+a.Round.Gain {
			t.Errorf("ended with %v: %v", a.Round.Gain, a.Balance)
		}
		h.wait(time.Minute)
		start := central.StartRound{Player: player, Game: donuts}
		h.refused(central.Forbidden, "player.excluded", self(player), start)
		other := h.Registered("two", 50, 1000)
		b := h.climb(other, 1)
		b = h.play(other, b, true)
		h.must(other, stop(other, b))
		h.wait(time.Minute)
		h.refused(central.Forbidden, "limit.stake", self(other), central.StartRound{Player: other, Game: donuts})
		h.CheckBooks()
	})
}
