package central_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
)

// A text that this system did not make, or that was changed in any byte, is refused.
func TestForgedQuotes(t *testing.T) {
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	one, two := w.Player("one", 1000), w.Player("two", 1000)
	good := slip(w, quoted(w, central.BuyShares{Player: one, Draw: draw, Type: "Grand", Shares: 5}))
	for name, change := range map[string]func(*central.Slip){
		"cheaper":        func(s *central.Slip) { s.Cents-- },
		"later":          func(s *central.Slip) { s.Expires++ },
		"another number": func(s *central.Slip) { s.ID++ },
		"other rules":    func(s *central.Slip) { s.Rules = "loto@2019-11-04" },
		"other terms":    func(s *central.Slip) { s.Terms = make([]byte, 16) },
		"another player": func(s *central.Slip) {
			s.Order.Sale = central.BuyShares{Player: two, Draw: draw, Type: "Grand", Shares: 5}
		},
		"more shares": func(s *central.Slip) {
			s.Order.Sale = central.BuyShares{Player: one, Draw: draw, Type: "Grand", Shares: 10}
		},
		"no stamp":        func(s *central.Slip) { s.Stamp = nil },
		"half a stamp":    func(s *central.Slip) { s.Stamp = s.Stamp[:8] },
		"a longer stamp":  func(s *central.Slip) { s.Stamp = append(s.Stamp[:16:16], 0) },
		"a flipped stamp": func(s *central.Slip) { s.Stamp = append([]byte{s.Stamp[0] ^ 1}, s.Stamp[1:]...) },
	} {
		s := good
		change(&s)
		t.Log(name)
		for _, id := range []int64{one, two} {
			w.Why("quote.form", central.PlayerPrincipal(id), central.Confirm{Quote: s})
			w.Why("quote.form", central.PlayerPrincipal(id), central.DropQuote{Quote: s})
		}
	}
	if _, err := w.Try(central.PlayerPrincipal(one), central.Confirm{}); central.CodeOf(err) != central.Invalid {
		t.Errorf("a confirmation of nothing: %v", err)
	}
	if w.Balance(one) != 100_000 || w.Balance(two) != 100_000 {
		t.Error("debited")
	}
}

// The books find a quote that is marked as confirmed or dropped by anything but its own command.
func TestBooksKnowQuotes(t *testing.T) {
	for _, row := range []central.QuoteRow{{ID: 1, Player: 1, State: 1, Leaf: 1}, {ID: 1, Player: 1, State: 2, Leaf: 2}} {
		w := newWorld(t)
		if _, err := w.Try("player/1", central.Unlawful{Name: "mark", Do: func(p *central.Plan) error { central.Insert(p, &row); return nil }}); err != nil {
			t.Fatal(err)
		}
		if err := central.CheckBooks(t.Context(), w.Store); err == nil || !strings.Contains(err.Error(), "quote") {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

// Quotes are numbered in the order of time, so that their rows grow at one end.
func TestQuotesGrowWithTime(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	id := w.Player("one", 100)
	var last int64
	for range 50 {
		q, err := w.Register.Quote(t.Context(), play(id, draw, 1))
		if err != nil {
			t.Fatal(err)
		}
		if q.ID <= last {
			t.Fatalf("quote %d after %d", q.ID, last)
		}
		last = q.ID
		w.Clock.Set(w.Clock.Now().Add(time.Millisecond))
	}
}

// Quotes are asked for while sales go on, by many at a time: each adds up, and what is confirmed is what was quoted.
func TestQuotesInACrowd(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w, func(c *central.OpenDraw) { c.Packs[0].MaxPacks = 100 })
	player := w.Player("one", 100_000)
	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			sale := central.Sale(play(player, draw, 1+i%3))
			if i%2 == 0 {
				sale = central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: 1}
			}
			q, err := w.Register.Quote(t.Context(), sale)
			if err != nil {
				t.Error(err)
				return
			}
			s, err := central.ParseQuote(q.Text)
			if err != nil {
				t.Error(err)
				return
			}
			r, err := w.Register.Do(t.Context(), central.Request{Principal: me(q), Key: fmt.Sprint("crowd ", i), Command: central.Confirm{Quote: *s}})
			if err != nil {
				t.Error(err)
				return
			}
			var b central.Bought
			if err := json.Unmarshal(r.Result, &b); err != nil || b.Cents != q.Cents {
				t.Errorf("quoted %v, bought for %v, %v", q.Cents, b.Cents, err)
			}
		})
	}
	wg.Wait()
	w.CheckBooks()
}

// An order that nobody could buy is refused when its quote is asked for.
func TestOrdersWithoutQuote(t *testing.T) {
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	player := w.Player("one", 1)
	shares := central.BuyShares{Player: player, Draw: draw, Type: "Grand", Shares: 1}
	for reason, change := range map[string]func(*central.BuyShares){
		"draw.unknown":   func(c *central.BuyShares) { c.Draw = "loto-2018-10-31" },
		"pack.unknown":   func(c *central.BuyShares) { c.Type = "Petit" },
		"pack.shares":    func(c *central.BuyShares) { c.Shares = 11 },
		"pack.channel":   func(c *central.BuyShares) { c.Channel = central.ChannelRetail },
		"player.unknown": func(c *central.BuyShares) { c.Player = 999 },
		"text.encoding":  func(c *central.BuyShares) { c.Type = "\x00" },
	} {
		order := shares
		change(&order)
		_, err := w.Register.Quote(t.Context(), order)
		var r *central.Refusal
		if !errors.As(err, &r) || r.Reason != reason {
			t.Errorf("%v, want %s", err, reason)
		}
	}
	for _, text := range []string{"", "e30", "!", "bnVsbA", strings.Repeat("A", 1<<20)} {
		if _, err := central.ParseQuote(text); central.CodeOf(err) != central.Invalid {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func FuzzParseQuote(f *testing.F) {
	w := newWorld(f)
	draw := openLoto(w)
	player := w.Player("one", 100)
	for _, sale := range []central.Sale{play(player, draw, 2), central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: 1}} {
		q, err := w.Register.Quote(w.Context(), sale)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(q.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := central.ParseQuote(text)
		if err != nil {
			return
		}
		// Whatever can be read can be asked for, and nothing but what this system stamped is accepted.
		_, err = w.Register.Do(t.Context(), central.Request{Principal: "player/1", Key: "fuzz", Command: central.Confirm{Quote: *s}})
		if err == nil {
			t.Errorf("%q buys something", text)
		}
	})
}
