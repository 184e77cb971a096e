package central_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/store/storetest"
)

// shownAs compares lines of a recap, "label | value" by item, in French and English.
func shownAs(t *testing.T, q *central.Quote, want map[string][2]string) {
	t.Helper()
	for i, lang := range []string{central.French, central.English} {
		r := q.Recap(lang)
		for name, text := range want {
			if l, _ := r.Line(name); l.Label+" | "+l.Value != text[i] {
				t.Errorf("%s of %s: %q, want %q", name, lang, l.Label+" | "+l.Value, text[i])
			}
		}
	}
}

// The organiser of a group is quoted what the group plays and what is the organiser's own part of it; a member who leaves meanwhile makes the
// quote void, and nobody is debited.
func TestGroupQuote(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.QuotesOnly = true })
	draw := openLoto(w)
	one, two := w.Player("one", 100), w.Player("two", 100)
	g := proposed(w, one, draw, 4, chosen(w, "1-2-3-4-5+6"), quick(6, 1))
	joined(w, g, two, 1)
	order := registering(w, g, one)
	w.Why("quote.needed", central.PlayerPrincipal(one), order)
	q := quoted(w, order)
	shownAs(t, q, map[string][2]string{
		"line.1":         {"Grille 1 | 1-2-3-4-5+6", "Grid 1 | 1-2-3-4-5+6"},
		"combinations":   {"Combinaisons Simples | 7", "Simple combinations | 7"},
		"codes.loto":     {"Codes Loto® | 7", "Loto® codes | 7"},
		"group.receipts": {"Jeu en groupe | 4 reçus, dont 3 pour vous", "Group play | 4 receipts, 3 of them yours"},
		"group.cents":    {"Mise du groupe | 15,40\u00a0€", "Stake of the group | €15.40"},
		"cents":          {"Votre mise | 11,55\u00a0€", "Your stake | €11.55"},
		"debit":          {" | Votre mise de 11,55\u00a0€ sera débitée sur vos disponibilités.", " | Your stake of €11.55 will be debited from your available balance."},
	})
	w.Do(central.PlayerPrincipal(two), central.LeaveGroup{Player: two, Draw: draw, Group: g.Group})
	w.Why("group.cents", me(q), central.Confirm{Quote: slip(w, q)})
	joined(w, g, two, 1)
	q = quoted(w, registering(w, g, one))
	var b central.GroupBought
	storetest.Result(w, w.Do(me(q), central.Confirm{Quote: slip(w, q)}), &b)
	if len(b.Receipts) != 4 || w.Balance(one) != 10_000-q.Cents || w.Balance(two) != 10_000-385 {
		t.Errorf("%+v, balances %v and %v", b, w.Balance(one), w.Balance(two))
	}
	// The member is told, however the organiser registered the play.
	catchUp(t, central.NewInbox(w.Store))
	w.CheckBooks()
	if got, organiser := told(t, w.Store, two), told(t, w.Store, one); !slices.Equal(got, []string{"group 3.85"}) || len(organiser) != 0 {
		t.Errorf("told %q, the organiser %q", got, organiser)
	}
}

// A subscription is quoted by draw: nothing is debited at the confirmation, and the recap says when it will be.
func TestSubscriptionQuote(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.QuotesOnly = true })
	player := w.Player("one", 1)
	order := central.Subscribe{
		Player: player, Game: "loto", Lines: []central.Line{quick(5, 1), quick(5, 1)}, Days: []string{"monday", "saturday"}, Cents: 540, Channel: central.ChannelWeb,
		AddOns: []central.AddOn{{Game: "jokerplus", Stake: 100}},
	}
	w.Why("quote.needed", central.PlayerPrincipal(player), order)
	q := quoted(w, order)
	shownAs(t, q, map[string][2]string{
		"subscription":     {"Abo+ Loto® | lundi, samedi", "Abo+ Loto® | Monday, Saturday"},
		"line.1":           {"Grille 1 | Système Flash\u00a0: 5 numéros et 1 N°\u00a0Chance", "Grid 1 | Quick pick: 5 numbers and 1 Chance number"},
		"add_on.jokerplus": {"Joker+® | 1,00\u00a0€ par tirage", "Joker+® | €1.00 for each draw"},
		"cents":            {"Mise par tirage | 5,40\u00a0€", "Stake for each draw | €5.40"},
		"debit": {" | Votre mise de 5,40\u00a0€ sera débitée sur vos disponibilités pour chaque tirage, 24 heures avant sa clôture.",
			" | Your stake of €5.40 will be debited from your available balance for each draw, 24 hours before its sales close."},
	})
	if q.Missing != 0 || q.Hindrance != nil {
		t.Errorf("missing %v, %+v", q.Missing, q.Hindrance)
	}
	var s central.SubscriptionState
	storetest.Result(w, w.Do(me(q), central.Confirm{Quote: slip(w, q)}), &s)
	if s.State != central.SubscriptionActive || s.Cents != q.Cents || w.Balance(player) != 100 {
		t.Errorf("%+v, balance %v", s, w.Balance(player))
	}
	w.Why("quote.confirmed", me(q), central.Confirm{Quote: slip(w, q)})
}

// A replay is quoted with the numbers of the earlier play; a pack is not played again, and has no quote.
func TestReplayQuote(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	player := w.Player("one", 100)
	b := confirm(w, quoted(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(5, 1)}}))
	var id central.ID
	must(w, id.UnmarshalText([]byte(b.Play)))
	q := quoted(w, central.Replay{Player: player, Draw: draw, OfDraw: draw, OfPlay: id})
	if q.Cents != 220 || len(q.Lines) != 1 || q.Lines[0].Grid != b.Grids[0] {
		t.Errorf("%+v", q.Terms)
	}
	if again := confirm(w, q); !cmp.Equal(again.Grids, b.Grids) {
		t.Errorf("played %q, then %q", b.Grids, again.Grids)
	}
	share := confirm(w, quoted(w, central.BuyShares{Player: player, Draw: draw, Type: "small", Shares: 1}))
	must(w, id.UnmarshalText([]byte(share.Play)))
	if _, err := w.Register.Quote(t.Context(), central.Replay{Player: player, Draw: draw, OfDraw: draw, OfPlay: id}); central.CodeOf(err) != central.Forbidden {
		t.Errorf("a pack played again: %v", err)
	}
}
