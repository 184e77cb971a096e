package central_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// catchUp lets followers take all that is committed.
func catchUp(t testing.TB, followers ...*central.Follower) {
	t.Helper()
	for _, f := range followers {
		if err := f.CatchUp(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// inbox reads all messages of a player, the latest first, page by page.
func inbox(t testing.TB, s central.Reader, player int64, limit int) (all []central.InboxMessage) {
	t.Helper()
	snap, err := s.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for q := (central.InboxQuery{Player: player, Limit: limit}); ; {
		page, err := central.ReadInbox(context.Background(), snap, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Messages) > limit || page.Next != "" && len(page.Messages) < limit {
			t.Fatalf("a page of %d messages, %d were asked for; next %q", len(page.Messages), limit, page.Next)
		}
		all = append(all, page.Messages...)
		if q.After = page.Next; q.After == "" {
			return all
		}
	}
}

// told returns the kinds of a player's messages with their cents, the earliest first, and makes sure that each has its words.
func told(t testing.TB, s central.Reader, player int64) (list []string) {
	t.Helper()
	for _, m := range inbox(t, s, player, 3) {
		list = append(list, fmt.Sprintf("%s %v", m.Kind, m.Cents))
		for _, lang := range []string{central.French, central.English} {
			subject, text, err := m.In(lang)
			if err != nil || subject == "" || text == "" || strings.ContainsAny(subject+text, "{}") {
				t.Errorf("%s in %s: %q, %q, %v", m.Kind, lang, subject, text, err)
			}
		}
	}
	slices.Reverse(list)
	return list
}

// A player is told what becomes of money and protections, each thing once and nothing else; the same things are told to nobody else.
func TestInboxTells(t *testing.T) {
	w := newWorld(t)
	id, other := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 0)
	me := central.PlayerPrincipal(id)
	begin := w.Clock.Now()
	ask := func(c central.Command) (state central.PaymentState) {
		storetest.Result(w, w.Do(me, c), &state)
		return state
	}
	paid, failed := ask(central.RequestWithdrawal{Player: id, Cents: 700}), ask(central.RequestWithdrawal{Player: id, Cents: 800})
	w.Do("provider/test", storetest.Settled(w, paid, true))
	w.Do("provider/test", storetest.Settled(w, paid, true)) // told twice by the provider, once to the player
	w.Do("provider/test", storetest.Settled(w, failed, false))
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 4000}) // a cut, at once
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 9000}) // a raise, to be dropped
	w.Do(me, central.CancelRaise{Player: id, Of: central.LimitStakes})
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitDeposits, Cents: 6000}) // a raise
	raises := central.NewRaises(w.Register, w.Store, w.Clock)
	w.Clock.Set(begin.Add(central.RaiseDelay - time.Microsecond))
	catchUp(t, raises)
	w.Do("system", central.TryLogin{Name: central.LoginName("one@example.org")})
	w.Clock.Set(begin.Add(central.RaiseDelay))
	catchUp(t, raises)
	catchUp(t, raises)
	w.Do("provider/test", storetest.Settled(w, ask(central.RequestDeposit{Player: id, Cents: 100}), false))
	w.Do(me, central.ExcludePlayer{Player: id, Hours: 24})
	catchUp(t, central.NewInbox(w.Store))
	w.CheckBooks()
	want := []string{
		"limit 50.00", "limit 50.00", "deposit 50.00", "withdrawal 7.00", "withdrawal.failed 8.00",
		"limit 40.00", "limit.raise 90.00", "limit.raise_off 40.00", "limit.raise 60.00", "limit.raised 60.00", "deposit.failed 1.00", "excluded 0.00",
	}
	if got := told(t, w.Store, id); !slices.Equal(got, want) {
		t.Errorf("told %q\nwant %q", got, want)
	}
	if got := told(t, w.Store, other); !slices.Equal(got, []string{"limit 50.00", "limit 50.00"}) {
		t.Errorf("the other player was told %q", got)
	}
	// The texts say what the facts are.
	list := inbox(t, w.Store, id, 100)
	for i, want := range map[int][2]string{
		0: {"Exclusion jusqu’au 23/06/2020 à 12:00:00", "you are excluded from play until 23 June 2020 at 12:00:00"},
		3: {"Hausse demandée de votre limite de versements", "Your limit of deposits will be €60.00 over seven days from 22 June 2020 at 12:00:00 on."},
		5: {"Hausse demandée de votre limite de mises", "€90.00"},
	} {
		subject, _, _ := list[i].In(central.French)
		_, text, _ := list[i].In(central.English)
		if subject != want[0] || !strings.Contains(text, want[1]) {
			t.Errorf("%s says %q, %q", list[i].Kind, subject, text)
		}
	}
}

// A raise that was cut, dropped or replaced meanwhile comes into force without a word of its own; the one that replaced it is told at its own time.
func TestRaisesToldAtTheirTime(t *testing.T) {
	w := newWorld(t)
	id := w.Registered("one", 5000, 5000)
	me := central.PlayerPrincipal(id)
	begin := w.Clock.Now()
	raises, box := central.NewRaises(w.Register, w.Store, w.Clock), central.NewInbox(w.Store)
	set := func(hours int, of string, cents money.Cents) {
		w.Clock.Set(begin.Add(time.Duration(hours) * time.Hour))
		w.Do(me, central.SetLimit{Player: id, Of: of, Cents: cents})
	}
	set(0, central.LimitStakes, 9000)
	set(0, central.LimitDeposits, 7000)
	set(1, central.LimitStakes, 8000)   // replaces the 9000
	set(2, central.LimitDeposits, 4000) // a cut drops the 7000
	set(3, central.LimitDeposits, 7000)
	for hour := 40; hour < 60; hour++ {
		w.Clock.Set(begin.Add(time.Duration(hour) * time.Hour))
		catchUp(t, raises, box)
	}
	w.CheckBooks()
	var at []string
	for _, m := range inbox(t, w.Store, id, 100) {
		if m.Kind == central.MessageLimitRaised {
			at = append(at, fmt.Sprintf("%v after %v", m.Cents, time.UnixMicro(m.At).Sub(begin)))
		}
	}
	if want := []string{"70.00 after 51h0m0s", "80.00 after 49h0m0s"}; !slices.Equal(at, want) {
		t.Errorf("%q, want %q", at, want)
	}
	w.Why("principal.system", me, central.EnforceRaise{Player: id, Of: central.LimitStakes, Cents: 8000})
	w.Why("limit.raise_none", "system", central.EnforceRaise{Player: id, Of: central.LimitStakes, Cents: 8001})
}

// 3, 5: what the inbox and the mail say of a gain, what the history shows and what was credited are the same cents.
func TestCase03MessagesSayWhatWasPaid(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	players := sellLoto(w, draw)
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	w.Evening(draw, lotoTerms, lotoResult, central.Outside{})
	catchUp(t, central.NewInbox(w.Store), central.NewHistorian(w.Store))
	w.CheckBooks()
	gains := map[string]money.Cents{} // by player, play and component
	for _, r := range rows(t, w.Store, central.Credits) {
		c := r.(*central.Credit)
		gains[fmt.Sprint(c.Player, " ", central.PlayID(c.Play), " ", c.Component)] = c.Cents
	}
	n := 0
	for _, id := range players {
		var sum money.Cents
		for _, m := range inbox(t, w.Store, id, 2) {
			var f central.Facts
			if err := json.Unmarshal([]byte(m.Facts), &f); err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprint(m.Player, " ", f.Play, " ", f.Source)
			if gains[key] != m.Cents || f.Draw != draw {
				t.Errorf("told of %v for %s, credited %v", m.Cents, key, gains[key])
			}
			_, fr, err := m.In(central.French)
			if err != nil || !strings.Contains(fr, m.Cents.French()) || !strings.Contains(fr, "Loto® du lundi 22 juin 2020") {
				t.Errorf("%q, %v", fr, err)
			}
			_, en, err := m.In(central.English)
			if err != nil || !strings.Contains(en, m.Cents.English()) || !strings.Contains(en, "Loto®, Monday 22 June 2020") {
				t.Errorf("%q, %v", en, err)
			}
			sum += m.Cents
			n++
			delete(gains, key)
		}
		if s := statement(t, w, central.StatementQuery{Player: id}); s.Totals.Gains != sum || sum == 0 {
			t.Errorf("told of %v in all, the statement says %v", sum, s.Totals.Gains)
		}
	}
	if len(gains) > 0 {
		t.Errorf("nobody was told of %v", gains)
	}
	t.Logf("%d gains", n)
}

// What the operator does to rounds is told: paid at the last level, refunded, blocked, released. What the player ended is not.
func TestInboxTellsOfRounds(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, _ func() central.Store) {
		var players []int64
		for i := range 5 {
			players = append(players, h.Player(fmt.Sprint(i), 10))
		}
		paid, damaged, stopped := h.climb(players[0], 2), h.climb(players[2], 3), h.climb(players[3], 1)
		h.start(players[1])
		h.must(players[3], stop(players[3], stopped))
		r := h.round(damaged.Round.Round)
		whole := *r
		r.Sum = 1_000_000_00
		h.tamper(r)
		h.wait(40 * 24 * time.Hour)
		if _, err := h.croupier.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.as("staff/anna", central.ReleaseRound{Player: players[2], Game: donuts, Round: whole.ID, Step: 3, Why: "the sum was damaged"}); err != nil {
			t.Fatal(err)
		}
		catchUp(t, central.NewInbox(h.Store))
		h.CheckBooks()
		for i, want := range [][]string{
			{fmt.Sprintf("round.paid %v", paid.Round.Sure)}, {"round.refunded 0.50"}, {"round.blocked 0.50", fmt.Sprintf("round.paid %v", damaged.Round.Sure)}, nil, nil,
		} {
			if got := told(t, h.Store, players[i]); !slices.Equal(got, want) {
				t.Errorf("player %d was told %q, want %q", i, got, want)
			}
		}
	})
}

// A player marks messages as read, once; nobody else does, and what is no message is refused.
func TestReadMessages(t *testing.T) {
	w := newWorld(t)
	id, other := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 0)
	me := central.PlayerPrincipal(id)
	catchUp(t, central.NewInbox(w.Store))
	list := inbox(t, w.Store, id, 100)
	unread := func() int64 {
		t.Helper()
		snap, err := w.Store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		n, err := central.Unread(t.Context(), snap, id)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if len(list) != 3 || unread() != 3 {
		t.Fatalf("%d messages, %d not read", len(list), unread())
	}
	ids := func(list ...central.InboxMessage) (ids []central.MessageID) {
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	var out central.MessagesRead
	storetest.Result(w, w.Do(me, central.ReadMessages{Player: id, Messages: ids(list[1], list[1])}), &out)
	at := w.Clock.Now()
	w.Clock.Set(at.Add(time.Hour))
	if out.Read != 1 || unread() != 2 {
		t.Errorf("%+v, %d not read", out, unread())
	}
	storetest.Result(w, w.Do(me, central.ReadMessages{Player: id, Messages: ids(list...)}), &out)
	if out.Read != 2 || unread() != 0 {
		t.Errorf("%+v, %d not read", out, unread())
	}
	if again := inbox(t, w.Store, id, 1); !again[1].Read.Equal(at) || !again[0].Read.Equal(at.Add(time.Hour)) {
		t.Errorf("read at %v and %v", again[1].Read, again[0].Read)
	}
	w.Why("principal.other", central.PlayerPrincipal(other), central.ReadMessages{Player: id, Messages: ids(list...)})
	w.Why("inbox.unknown", central.PlayerPrincipal(other), central.ReadMessages{Player: other, Messages: ids(list...)})
	w.Why("inbox.messages", me, central.ReadMessages{Player: id})
	w.Why("inbox.messages", me, central.ReadMessages{Player: id, Messages: make([]central.MessageID, central.InboxPageMax+1)})
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for reason, q := range map[string]central.InboxQuery{
		"inbox.limit": {Player: id}, "inbox.after": {Player: id, Limit: 1, After: "0-1-2.0-1-3"},
	} {
		if _, err := central.ReadInbox(t.Context(), snap, q); err == nil || err.(*central.Refusal).Reason != reason {
			t.Errorf("%+v: %v, want %s", q, err, reason)
		}
	}
}

// Pages hold every message once, the latest first, whichever writers they come from; what arrives meanwhile disturbs no page.
func TestInboxPages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const player = 7
		store := &mem.Store{}
		var all []*central.Message
		var changes central.Changes
		for node := range int64(rapid.IntRange(1, 4).Draw(rt, "writers")) {
			at := int64(1_000_000)
			n := rapid.IntRange(0, 12).Draw(rt, "messages")
			for leaf := range int64(n) {
				at += rapid.Int64Range(0, 3).Draw(rt, "later")
				for place := range int64(rapid.IntRange(1, 3).Draw(rt, "places")) {
					var id central.MessageID
					if err := id.UnmarshalText(fmt.Appendf(nil, "%d-%d-%d", node, leaf*5, place)); err != nil {
						rt.Fatal(err)
					}
					all = append(all, &central.Message{Player: player, ID: id, At: at, Facts: "{}"})
					changes.New = append(changes.New, all[len(all)-1])
				}
			}
			changes.New = append(changes.New, &central.Writer{Node: node, Size: int64(n) * 5})
		}
		write(rt, store, &changes)
		limit := rapid.IntRange(1, 7).Draw(rt, "limit")
		got := inbox(rapidTB{t, rt}, store, player, limit)
		if len(got) != len(all) {
			rt.Fatalf("%d messages in pages of %d, %d are there", len(got), limit, len(all))
		}
		seen := map[central.MessageID]bool{}
		for i, m := range got {
			if seen[m.ID] {
				rt.Errorf("%v stands twice", m.ID)
			}
			seen[m.ID] = true
			if i > 0 && m.At > got[i-1].At {
				rt.Errorf("%v of %d follows %v of %d", m.ID, m.At, got[i-1].ID, got[i-1].At)
			}
		}
	})
}

func write(t rapid.TB, store central.Store, c *central.Changes) {
	ctx := context.Background()
	tx, err := store.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := tx.Apply(ctx, c); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
}

func FuzzMessageID(f *testing.F) {
	for _, s := range []string{"0-0-0", "15-4398046511103-65535", "0-12", "0-1-2-3", "16-0-0", "-1-0-0", "0-01-2", "0-4398046511104-0", "0-0-65536"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var id central.MessageID
		if err := id.UnmarshalText([]byte(s)); err == nil && id.String() != s {
			t.Errorf("%q reads as %v", s, id)
		}
	})
}
