package central_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/rulebook"
)

// The game is on sale from 25 June 2019, 00:00:00 in Paris; before, players get the message of article 1.
//
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1.
func TestOnSaleFromTheDayOfEffect(t *testing.T) {
	covers.Covers(t, "D2", "D4")
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		effect := time.Date(2019, 6, 25, 0, 0, 0, 0, games.Paris)
		h.Clock.Set(effect.Add(-time.Second))
		player := h.Player("one", 1)
		start := central.StartRound{Player: player, Game: donuts}
		r := h.refused(central.Closed, "round.not_on_sale", self(player), start)
		if !strings.Contains(r.French, "possibles à compter du 25 juin 2019") || !strings.Contains(r.Text, "from 25 June 2019 on") || r.Article != "donuts@2019-06-25:1" {
			t.Errorf("told %q and %q", r.French, r.Text)
		}
		h.Clock.Set(effect)
		h.must(player, start)

		// Where the day can't be met for technical reasons, players are told so: the staff stops the game before or on that day.
		withdraw := central.WithdrawGame{Game: donuts, Why: "server not ready"}
		h.refused(central.Forbidden, "principal.staff", self(player), withdraw)
		h.refused(central.Invalid, "game.why", "staff/anna", central.WithdrawGame{Game: donuts})
		if _, err := h.as("staff/anna", withdraw); err != nil {
			t.Fatal(err)
		}
		h.refused(central.Conflict, "game.state", "staff/anna", withdraw)
		other := h.Player("two", 1)
		r = h.refused(central.Closed, "round.not_on_sale", self(other), central.StartRound{Player: other, Game: donuts})
		if !strings.Contains(r.French, "raisons techniques") || !strings.Contains(r.Text, "technical reasons") {
			t.Errorf("told %q and %q", r.French, r.Text)
		}
		if o := h.offer(); o.OnSale || o.French != r.French || o.English != r.Text {
			t.Errorf("the pages say %+v", o)
		}
	})
}

// A withdrawn game takes no new stake; the rounds that are open finish, and it can be resumed.
func TestOpenRoundsFinishWhenTheGameIsWithdrawn(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player, other := h.Player("one", 1), h.Player("two", 1)
		a := h.climb(player, 1)
		b := h.climb(other, 1)
		const french, english = "Le jeu s'arrête ce soir.", "The game ends tonight."
		if _, err := h.as("staff/anna", central.WithdrawGame{Game: donuts, Why: "end of the season", French: french, English: english}); err != nil {
			t.Fatal(err)
		}
		a = h.play(player, a, true)
		a = h.must(player, stop(player, a))
		b = h.play(other, b, false)
		if a.Round.State != replay.Won || b.Round.State != replay.Lost {
			t.Errorf("open rounds end %s and %s", a.Round.State, b.Round.State)
		}
		h.wait(time.Minute)
		if r := h.refused(central.Closed, "round.not_on_sale", self(player), central.StartRound{Player: player, Game: donuts}); r.French != french || r.Text != english {
			t.Errorf("told %q and %q", r.French, r.Text)
		}
		if _, err := h.as("staff/anna", central.ResumeGame{Game: donuts, Why: "a new season"}); err != nil {
			t.Fatal(err)
		}
		if o := h.offer(); !o.OnSale || o.French != "" {
			t.Errorf("resumed: %+v", o)
		}
		h.start(player)
		h.CheckBooks()
	})
}

func (h *hall) offer() *central.Offer {
	h.Helper()
	snap, err := h.Store.Snapshot(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	defer snap.Close()
	o, err := central.ReadOffer(context.Background(), snap, donuts, h.Clock.Now())
	if err != nil {
		h.Fatal(err)
	}
	return o
}

// The history shows what was shown when the round was played, page by page, marked as a replay; the file of each round proves itself.
func TestCase05HistoryShowsWhatWasStored(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		player, other := h.Player("one", 10), h.Player("two", 10)
		h.play(other, h.climb(other, 1), false)
		var played []*central.PastRound // the latest first
		for n := range 5 {
			past := &central.PastRound{Replay: true}
			a := h.start(player)
			for level := range n {
				a = h.play(player, a, level < n-1 || n%2 == 0)
				past.Series = append(past.Series, *a.Series)
			}
			if n > 0 && a.Round.State == replay.Open {
				a = h.must(player, stop(player, a))
			}
			past.Round = a.Round
			played = append([]*central.PastRound{past}, played...)
			if n == 0 {
				h.wait(7 * 24 * time.Hour)
				h.sweep()
			}
		}
		played[4].Round = h.history(player)[4].Round // closed by the operator
		if got := h.history(player); cmp.Diff(played, got, cmpopts.EquateEmpty()) != "" {
			t.Errorf("(-played +history)\n%s", cmp.Diff(played, got, cmpopts.EquateEmpty()))
		}
		snap, err := h.Store.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		page, err := central.RoundHistory(context.Background(), snap, donuts, player, played[1].Round.Round, 2)
		if err != nil || len(page) != 2 || page[0].Round.Round != played[2].Round.Round {
			t.Errorf("second page: %+v, %v", page, err)
		}
		if _, err := central.RoundHistory(context.Background(), snap, donuts, other, played[1].Round.Round, 2); central.CodeOf(err) != central.NotFound {
			t.Errorf("another player's history: %v", err)
		}
		book, err := games.Version("donuts@2019-06-25")
		if err != nil {
			t.Fatal(err)
		}
		for _, past := range played {
			checkExport(t, snap, player, past, book)
		}
		if _, err := central.ExportRound(context.Background(), snap, donuts, other, played[0].Round.Round); central.CodeOf(err) != central.NotFound {
			t.Errorf("another player's file: %v", err)
		}
	})
}

func (h *hall) history(player int64) []*central.PastRound {
	h.Helper()
	snap, err := h.Store.Snapshot(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	defer snap.Close()
	list, err := central.RoundHistory(context.Background(), snap, donuts, player, 0, 100)
	if err != nil {
		h.Fatal(err)
	}
	return list
}

// checkExport writes the file of a round, reads it again and computes the round from it.
func checkExport(t *testing.T, snap central.Snapshot, player int64, past *central.PastRound, book *rulebook.Rulebook) {
	t.Helper()
	file, err := central.ExportRound(context.Background(), snap, donuts, player, past.Round.Round)
	if err != nil {
		t.Fatal(err)
	}
	text, err := central.FormatRound(file)
	if err != nil {
		t.Fatal(err)
	}
	read, err := replay.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	findings := read.Check(book)
	if len(findings) != len(past.Series)+1 {
		t.Errorf("%d findings for %d series", len(findings), len(past.Series))
	}
	for _, f := range findings {
		if f.Err != nil {
			t.Error(f)
		}
	}
}
