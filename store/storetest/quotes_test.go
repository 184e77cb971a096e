package storetest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/store/storetest"
)

// desk is a draw on sale to a registered player, with packs of one type. Each has a day of its own.
func desk(w *storetest.World, n int) (closes time.Time, order central.BuyShares) {
	closes = time.Date(2020, 6, 22+n, 18, 15, 0, 0, time.UTC)
	draw := w.Open(central.OpenDraw{
		Game: "loto", Day: closes.Format(time.DateOnly), OpensAt: w.Clock.Now(), ClosesAt: closes,
		Packs: []central.PackOffer{{Type: "p", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 1}},
	})
	return closes, central.BuyShares{Player: w.Registered("one"+string(rune('a'+n)), 100_000, 20_000), Draw: draw, Type: "p", Shares: 5} // 66.00 €
}

// quote asks for a quote and reads it.
func quote(w *storetest.World, s central.Sale) central.Slip {
	w.Helper()
	q, err := w.Register.Quote(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	slip, err := central.ParseQuote(q.Text)
	if err != nil {
		w.Fatal(err)
	}
	return *slip
}

// stamped is a quote that this system made when something was otherwise.
func stamped(w *storetest.World, s central.Slip, change func(*central.Slip)) central.Slip {
	w.Helper()
	change(&s)
	s.Stamp = nil
	b, err := json.Marshal(s)
	if err != nil {
		w.Fatal(err)
	}
	s.Stamp = w.Keys.Stamp(append([]byte("tirage quote v1\n"), b...))[:16]
	return s
}

// Every way in which a confirmation is refused has a code of its own, says so in French and English, and leaves nothing behind: no debit, no posting, no
// leaf, no row.
func TestRefusedConfirmations(t *testing.T) {
	cases := []struct {
		name   string
		code   central.Code
		reason string
		happen func(w *storetest.World, slip *central.Slip, order central.BuyShares)
		by     string // "": the player
	}{
		{"changed by the player", central.Invalid, "quote.form", func(_ *storetest.World, slip *central.Slip, _ central.BuyShares) { slip.Cents-- }, ""},
		{"price changed", central.Conflict, "quote.price", func(w *storetest.World, slip *central.Slip, _ central.BuyShares) {
			*slip = stamped(w, *slip, func(s *central.Slip) { s.Cents = 6500 })
		}, ""},
		{"rulebook changed", central.Conflict, "quote.rules", func(w *storetest.World, slip *central.Slip, _ central.BuyShares) {
			*slip = stamped(w, *slip, func(s *central.Slip) { s.Rules = "loto@2018-10-29" })
		}, ""},
		{"another item changed", central.Conflict, "quote.changed", func(w *storetest.World, slip *central.Slip, _ central.BuyShares) {
			*slip = stamped(w, *slip, func(s *central.Slip) { s.Terms = make([]byte, len(s.Terms)) })
		}, ""},
		{"stock gone", central.SoldOut, "pack.sold_out", func(w *storetest.World, _ *central.Slip, order central.BuyShares) {
			w.Do("system", central.BuyShares{Player: w.Player("rich", 1000), Draw: order.Draw, Type: "p", Shares: 10})
		}, ""},
		{"expired", central.Conflict, "quote.expired", func(w *storetest.World, _ *central.Slip, _ central.BuyShares) {
			w.Clock.Set(w.Clock.Now().Add(central.QuoteLife))
		}, ""},
		{"confirmed twice", central.Conflict, "quote.confirmed", func(w *storetest.World, slip *central.Slip, order central.BuyShares) {
			w.Do(central.PlayerPrincipal(order.Player), central.Confirm{Quote: *slip})
		}, ""},
		{"dropped", central.Conflict, "quote.dropped", func(w *storetest.World, slip *central.Slip, order central.BuyShares) {
			w.Do(central.PlayerPrincipal(order.Player), central.DropQuote{Quote: *slip})
		}, ""},
		{"by another player", central.Forbidden, "quote.other", nil, "player/1"},
		{"by the staff", central.Forbidden, "staff.plays", nil, "staff/care"},
		{"over a limit", central.Forbidden, "limit.stake", func(w *storetest.World, _ *central.Slip, order central.BuyShares) {
			w.Do(central.PlayerPrincipal(order.Player), central.SetLimit{Player: order.Player, Of: central.LimitStakes, Cents: 6599})
		}, ""},
		{"while excluded", central.Forbidden, "player.excluded", func(w *storetest.World, _ *central.Slip, order central.BuyShares) {
			w.Do(central.PlayerPrincipal(order.Player), central.ExcludePlayer{Player: order.Player, Hours: 24})
		}, ""},
		{"without funds", central.Insufficient, "balance.insufficient", func(w *storetest.World, _ *central.Slip, order central.BuyShares) {
			w.Do(central.PlayerPrincipal(order.Player), central.RequestWithdrawal{Player: order.Player, Cents: 15_000})
		}, ""},
		{"during an open reality check", central.Conflict, "check.open", func(w *storetest.World, slip *central.Slip, order central.BuyShares) {
			w.Clock.Set(w.Clock.Now().Add(59 * time.Minute))
			*slip = quote(w, order)
			w.Clock.Set(w.Clock.Now().Add(time.Minute))
		}, ""},
		{"after the close", central.Closed, "draw.closed", func(w *storetest.World, slip *central.Slip, order central.BuyShares) {
			closes := storetest.Get[central.Draw](w, central.Key{Table: central.Draws, S: order.Draw}).ClosesAt
			w.Clock.Set(time.UnixMicro(closes - 1))
			*slip = quote(w, order)
			w.Clock.Set(time.UnixMicro(closes))
		}, ""},
	}
	engines(t, func(t *testing.T, w *storetest.World) {
		for i, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				_, order := desk(w, i)
				slip := quote(w, order)
				if c.happen != nil {
					c.happen(w, &slip, order)
				}
				by := c.by
				if by == "" {
					by = central.PlayerPrincipal(order.Player)
				}
				before := w.Dump()
				r := w.Why(c.reason, by, central.Confirm{Quote: slip})
				if r.Code != c.code {
					t.Errorf("refused as %s, want %s", r.Code, c.code)
				}
				if w.Dump() != before {
					t.Error("the refusal left something behind")
				}
				if receipt, ok := r.Current.(central.Receipt); ok != (c.reason == "quote.confirmed") || ok && (!receipt.Replayed || len(receipt.Result) == 0) {
					t.Errorf("what stands now: %+v", r.Current)
				}
			})
		}
	})
}

// Many confirmations of one quote at a time, each under a key of its own, buy once; all others are told what was bought. Equal requests get one answer.
func TestCase23OneQuoteBuysOnce(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		_, order := desk(w, 0)
		slip := quote(w, order)
		me := central.PlayerPrincipal(order.Player)
		var mu sync.Mutex
		bought, replayed, refused := 0, 0, 0
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				r, err := ask(w, me, fmt.Sprint("confirm ", i%20), central.Confirm{Quote: slip})
				mu.Lock()
				defer mu.Unlock()
				var no *central.Refusal
				switch {
				case err == nil && !r.Replayed:
					bought++
				case err == nil:
					replayed++
				case errors.As(err, &no) && no.Reason == "quote.confirmed":
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if bought != 1 || replayed != 1 || refused != 38 || w.Balance(order.Player) != 13_400 {
			t.Errorf("bought %d, replayed %d, refused %d, balance %v", bought, replayed, refused, w.Balance(order.Player))
		}
		w.CheckBooks()
	})
}

// Two nodes are asked at a time to confirm and to drop one quote: exactly one of the two happens.
func TestTwoNodesConfirmOrDrop(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		_, order := desk(a, 0)
		me := central.PlayerPrincipal(order.Player)
		order.Shares = 1
		for i := range 5 {
			slip := quote(a, order)
			before := a.Balance(order.Player)
			var errs [2]error
			var wg sync.WaitGroup
			wg.Go(func() { _, errs[0] = ask(a, me, fmt.Sprint("confirm ", i), central.Confirm{Quote: slip}) })
			b.Clock.Set(a.Clock.Now())
			wg.Go(func() { _, errs[1] = ask(b, me, fmt.Sprint("drop ", i), central.DropQuote{Quote: slip}) })
			wg.Wait()
			debited := before != a.Balance(order.Player)
			if (errs[0] == nil) == (errs[1] == nil) || debited != (errs[0] == nil) {
				t.Errorf("confirmed: %v, dropped: %v, debited %v", errs[0], errs[1], debited)
			}
		}
		a.CheckBooks()
	})
}
