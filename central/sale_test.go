package central_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// A play sold at 23:59:59 Paris goes by the version of that day, one sold a second later by that of the next; ranks and gains of both are those of the day
// of the draw. Packs are sold from the first second of 29 October 2018 on.
func TestMidnight(t *testing.T) {
	covers.Covers(t, "P3")
	for _, c := range []struct {
		game, draw, midnight  string
		before, after, prizes string
		packsBefore           bool
	}{
		{"loto", "2018-10-29", "2018-10-29", "loto@2017-03-06", "loto@2018-10-29", "loto@2018-10-29", false},
		{"superloto", "2018-11-02", "2018-10-29", "superloto@2017-03-06", "superloto@2018-10-29", "superloto@2018-10-29", false},
		{"grandloto", "2018-12-22", "2018-10-29", "grandloto@2017-03-06", "grandloto@2018-10-29", "grandloto@2018-10-29", false},
		{"euromillions", "2018-10-30", "2018-10-29", "euromillions@2016-09-27", "euromillions@2018-10-29", "euromillions@2018-10-29", false},
		{"loto", "2019-11-04", "2019-11-04", "loto@2018-10-29", "loto@2019-11-04", "loto@2019-11-04", true},
		{"euromillions", "2020-02-04", "2020-02-04", "euromillions@2018-10-29", "euromillions@2020-02-04", "euromillions@2020-02-04", true},
	} {
		t.Run(c.game+" "+c.midnight, func(t *testing.T) {
			w := newWorld(t)
			midnight := instant(t, c.midnight+" 00:00:00")
			w.Clock.Set(midnight.Add(-time.Second))
			multiple, line := "6x2*1", quick(6, 1)
			if c.game == "euromillions" {
				multiple, line = "6x3*1", quick(6, 2)
			}
			draw := w.Open(central.OpenDraw{
				Game: c.game, Day: c.draw, OpensAt: w.Clock.Now(), ClosesAt: instant(t, c.draw+" 20:15:00"),
				Packs: []central.PackOffer{{Type: "p", Multiples: []string{multiple}, Shares: 6, MaxPacks: 1}},
			})
			player := w.Player("one", 1000)
			play := central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{line}}
			shares := central.BuyShares{Player: player, Draw: draw, Type: "p", Shares: 1}
			want := []string{c.before}
			buy(w, play)
			if c.packsBefore {
				buy(w, shares)
				want = append(want, c.before)
			} else {
				w.Refused(central.Closed, "system", shares)
			}
			w.Clock.Set(midnight)
			buy(w, play)
			buy(w, shares)
			want = append(want, c.after, c.after)
			var got []string
			for _, r := range rows(t, w.Store, central.Plays) {
				play := r.(*central.Play)
				got = append(got, play.SaleRules)
				if play.PrizeRules != c.prizes {
					t.Errorf("ranks and gains of %s, want %s", play.PrizeRules, c.prizes)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("sold under %v, want %v", got, want)
			}
		})
	}
}

// A sale is accepted from the second of the opening to the last microsecond before the close.
func TestHoursOfSale(t *testing.T) {
	w := newWorld(t)
	opens, closes := instant(t, lotoDay+" 08:00:00"), instant(t, lotoDay+" 20:15:00")
	openLoto(w, func(c *central.OpenDraw) { c.OpensAt = opens })
	play := central.BuyPlay{Player: w.Player("one", 100), Draw: loto, Lines: []central.Line{quick(5, 1)}}
	for _, c := range []struct {
		at   time.Time
		code central.Code
	}{
		{opens.Add(-time.Microsecond), central.Closed},
		{opens, ""},
		{closes.Add(-time.Microsecond), ""},
		{closes, central.Closed},
		{closes.Add(3 * time.Hour), central.Closed},
	} {
		w.Clock.Set(c.at)
		if _, err := w.Try("system", play); central.CodeOf(err) != c.code {
			t.Errorf("%v: %v, want %q", c.at, err, c.code)
		}
	}
	w.CheckBooks()
}

// A grid may be chosen, drawn, or both in one play; what was drawn follows from the secret and the play, so that nobody can choose it.
func TestQuickPicks(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	player := w.Player("one", 1000)
	lines := []central.Line{chosen(t, "1-2-3-4-5+6"), quick(5, 1), quick(7, 2), chosen(t, "1-2-3-4-5-6+6"), quick(5, 1)}
	a, b := buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: lines}), buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: lines})
	if a.Grids[0] != "1-2-3-4-5+6" || a.Grids[3] != "1-2-3-4-5-6+6" || a.Combos != 1+1+42+6+1 || a.Cents != 51*220 {
		t.Errorf("%+v", a)
	}
	for _, i := range []int{1, 2, 4} {
		if a.Grids[i] == b.Grids[i] || a.Grids[1] == a.Grids[4] {
			t.Errorf("line %d is the same in two plays: %s", i, a.Grids[i])
		}
	}
	if play := rows(t, w.Store, central.Plays)[0].(*central.Play); play.Quick != 0b10110 || play.Kind != central.KindMultiple {
		t.Errorf("quick picks %b of a play of kind %s", play.Quick, play.Kind)
	}
}

// Orders of shares go to the open pack that they fill best, whole or not at all; a pack is opened only when none has enough left.
func TestShareOrders(t *testing.T) {
	covers.Covers(t, "P31", "P65")
	for _, c := range []struct {
		maxPacks int64
		orders   []int64
		want     []string // pack of each order, "" refused
	}{
		{1, []int64{5, 2, 3}, []string{"0", "0", "0"}},
		{1, []int64{7, 5, 2, 2, 1}, []string{"0", "", "0", "", "0"}},
		{2, []int64{7, 8, 2, 3}, []string{"0", "1", "1", "0"}},                        // the pack with the fewest left that has enough
		{3, []int64{6, 6, 6, 4, 4, 4, 1}, []string{"0", "1", "2", "0", "1", "2", ""}}, // the oldest of equal ones
		{2, []int64{10, 10, 1}, []string{"0", "1", ""}},
		{2, []int64{9, 2, 8, 1, 1}, []string{"0", "1", "1", "0", ""}},
	} {
		t.Run(fmt.Sprint(c.orders), func(t *testing.T) {
			w := newWorld(t)
			draw := openLoto(w, func(o *central.OpenDraw) { o.Packs[0].MaxPacks = c.maxPacks })
			player := w.Player("one", 10_000)
			for i, n := range c.orders {
				order := central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: n}
				if c.want[i] == "" {
					before := w.Balance(player)
					w.Refused(central.SoldOut, "system", order)
					if w.Balance(player) != before {
						t.Errorf("order %d: refused and debited", i)
					}
					continue
				}
				if b := buy(w, order); b.Pack != "ten/"+c.want[i] || b.Shares != n || b.Cents.String() != fmt.Sprintf("%d.%02d", n*1320/100, n*1320%100) {
					t.Errorf("order %d of %d shares: %+v, want pack %s", i, n, b, c.want[i])
				}
			}
		})
	}
}

// Several types of packs are on sale for one draw, each with its price and its packs.
func TestSeveralPackTypes(t *testing.T) {
	covers.Covers(t, "P22", "P55")
	for game, c := range map[string]struct {
		day    string
		small  []string
		prices [2]string
	}{
		"loto":         {"2020-06-22", []string{"6x10*1"}, [2]string{"13.20", "6.60"}},
		"euromillions": {"2020-06-23", []string{"6x3*1"}, [2]string{"4.50", "7.50"}},
	} {
		w := newWorld(t)
		player := w.Player("one", 1000)
		draw := w.Open(central.OpenDraw{
			Game: game, Day: c.day, OpensAt: w.Clock.Now(), ClosesAt: instant(t, c.day+" 20:15:00"),
			Packs: []central.PackOffer{{Type: "a", Multiples: c.small, Shares: 10, MaxPacks: 1}, {Type: "b", Simples: 30, Shares: 10, MaxPacks: 1}},
		})
		for i, name := range []string{"a", "b", "a", "b"} {
			b := buy(w, central.BuyShares{Player: player, Draw: draw, Type: name, Shares: 1})
			if b.Pack != name+"/0" || b.Cents.String() != c.prices[i%2] {
				t.Errorf("%s: a share of %s: %+v, want %s", game, name, b, c.prices[i%2])
			}
		}
	}
}

// Whatever the orders, what the register chooses is what looking at every pack chooses, and no pack is ever sold beyond its shares.
func TestShareOrdersAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{})
		defer w.Register.Close()
		maxPacks := rapid.Int64Range(1, 4).Draw(rt, "packs")
		draw := openLoto(w, func(o *central.OpenDraw) { o.Packs[0].MaxPacks = maxPacks })
		player := w.Player("one", 100_000)
		var left []int64
		for i := range rapid.IntRange(1, 25).Draw(rt, "orders") {
			n := rapid.Int64Range(1, 10).Draw(rt, "shares")
			best := -1
			// The two youngest packs that have shares left are open, all of them when there will be no further one.
			open := 0
			for j, l := range slices.Backward(left) {
				if open == 2 && int64(len(left)) < maxPacks {
					break
				}
				if l > 0 {
					open++
				}
				if l >= n && (best < 0 || l <= left[best]) {
					best = j
				}
			}
			if best < 0 && int64(len(left)) < maxPacks {
				left = append(left, 10)
				best = len(left) - 1
			}
			r, err := w.Try("system", central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: n})
			if best < 0 {
				if central.CodeOf(err) != central.SoldOut {
					rt.Fatalf("order %d of %d shares with %v left: %v", i, n, left, err)
				}
				continue
			}
			if err != nil {
				rt.Fatalf("order %d of %d shares with %v left: %v", i, n, left, err)
			}
			left[best] -= n
			var b central.Bought
			if storetest.Result(w, r, &b); b.Pack != fmt.Sprint("ten/", best) {
				rt.Fatalf("order %d of %d shares: pack %s, want %d", i, n, b.Pack, best)
			}
		}
		w.CheckBooks()
	})
}
