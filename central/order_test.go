package central_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

// joker adds Joker+ to a play.
func joker(stake money.Cents, number string) []central.AddOn {
	return []central.AddOn{{Game: "jokerplus", Stake: stake, Number: number}}
}

// jokerResult is the numbers of lotoResult with the Joker+ of 29 October 2018.
var jokerResult = central.Result{Main: lotoResult.Main, Extra: lotoResult.Extra, Joker: "5 697 395"}

// sellJoker sells plays with Joker+ that have all digits right, four of them, none, and a number of the system; and one without.
func sellJoker(w *storetest.World, draw string) (player int64) {
	w.Helper()
	player = w.Player("one", 100)
	for _, a := range [][]central.AddOn{joker(200, "5 697 395"), joker(100, "1117395"), joker(100, "5697394"), joker(200, ""), nil} {
		w.Do("system", central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{chosen(w, "10-20-30-40-49+1")}, AddOns: a})
	}
	return player
}

// Joker+ is sold with a play of Loto at 1 € or 2 €, with a number of the system or a chosen one; what it wins is fixed, matched from the right.
// A play without it has no row and no byte more.
func TestJokerPlus(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	player := sellJoker(w, draw)
	if got, want := w.Balance(player), money.Cents(10_000-5*220-600); got != want {
		t.Errorf("balance %v, want %v", got, want)
	}
	sold := rows(t, w.Store, central.AddOnRows)
	plays := rows(t, w.Store, central.Plays)
	for i, number := range []string{"5697395", "1117395", "5697394"} {
		if a := sold[i].(*central.AddOnRow); a.Number != number || a.Game != "jokerplus" || a.SaleRules != "jokerplus@2017-03-06" || a.Play != plays[i].(*central.Play).ID {
			t.Errorf("%+v, want number %s", a, number)
		}
	}
	given := sold[3].(*central.AddOnRow).Number
	right, err := prize.DigitGain([]money.Cents{50_000_000, 10_000_000, 1_000_000, 200_000, 20_000, 2_000, 400}, "5697395", given)
	if len(sold) != 4 || err != nil {
		t.Errorf("%d rows, the system gave %q", len(sold), given)
	}
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	count, notice := w.Evening(draw, lotoTerms, jokerResult, central.Outside{})
	due := 50_000_000 + 100_000 + right
	if got := w.Balance(player); count.Due != due || got != 10_000-5*220-600+due {
		t.Errorf("due %v, balance %v, want %v more", count.Due, got, due)
	}
	a := count.AddOns[0]
	if len(count.AddOns) != 1 || a.Game != "jokerplus" || a.Winners[7] != 1 || a.Winners[3] != 1 || len(a.Outside) != 0 {
		t.Errorf("%+v", count.AddOns)
	}
	// 59.87 % of 6 € to the winners, 0.51 % to the counterpart fund, the rest to the operator; the fund answers for the difference.
	share, endowment := money.Cents(359), money.Cents(3)
	for name, want := range map[string]money.Cents{
		"operator/jokerplus": 600 - share - endowment, "fund/jokerplus/counterpart": endowment - (due - share), "prizes/" + draw: 0, "stakes/" + draw: 0,
	} {
		if got := account(w, name); got != want {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	if r := notice.AddOns[0].Ranks; notice.Joker != "5 697 395" || len(r) != 14 || r[7] != (central.NoticeRank{Rank: 1, Winners: 1, Gain: 50_000_000, Stake: 200}) ||
		r[3] != (central.NoticeRank{Rank: 4, Winners: 1, Gain: 100_000, Stake: 100}) {
		t.Errorf("%+v", notice)
	}
}

// Étoile+ costs 1 € for each simple combination and shares a pool of its own: 60 % of its stakes, here and elsewhere.
func TestEtoilePlus(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(instant(t, "2018-11-02 09:00:00"))
	draw := w.Open(central.OpenDraw{Game: "euromillions", Day: "2018-11-02", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2018-11-02 20:15:00")})
	player := w.Player("one", 1000)
	// 6 numbers and 3 stars, five and one right: rank 1 of Étoile+ (5+1) for two of three pairs of stars …
	b := buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{chosen(t, "5-15-17-37-44-50+7-8-9")}, AddOns: []central.AddOn{{Game: "etoileplus"}}})
	if b.Combos != 18 || b.Cents != 18*250+18*100 || len(b.AddOns) != 1 || b.AddOns[0] != (central.AddOnBought{Game: "etoileplus", Cents: 1800, Rules: "etoileplus@2016-09-27"}) {
		t.Errorf("%+v", b)
	}
	buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{chosen(t, "5-15-17-37-44-50+7-8-9")}})
	w.Clock.Set(instant(t, "2018-11-02 20:15:00"))
	terms := prize.Terms{
		Cycle: prize.Cycle{Position: 8, Carry: 7_858_709_300}, Fund: 3_123_743_798,
		AddOns: map[string]prize.Terms{"etoileplus": {OutsideStakes: 99_998_200}}, // with ours 1 000 000 €
	}
	elsewhere := prize.Winners{0, 0, 0, 0, 0, 3, 0, 0, 0, 100}
	count, notice := w.Evening(draw, terms, central.Result{Main: []int{5, 15, 17, 37, 44}, Extra: []int{7, 11}},
		central.Outside{AddOns: map[string]prize.Winners{"etoileplus": elsewhere}})
	a := count.AddOns[0]
	// Of the 18: five numbers 1 × (two pairs with one right, one with none); four numbers 5 × the same. Étoile+ pays 5+1 and 4+1.
	if want := (prize.Winners{2, 0, 10, 0, 0, 0, 0, 0, 0, 0}); !slices.Equal(a.Winners, want) || len(count.AddOns) != 1 {
		t.Fatalf("winners %v, want %v", a.Winners, want)
	}
	// 600 000 €: rank 1 0.67 %, rank 2 0.08 % falls to rank 3 with 0.17 %; ranks 4 and 5 to rank 6; 7 to 9 to rank 10.
	unit := []money.Cents{600_000_00 * 67 / 10_000 / 2, 0, 600_000_00 * 25 / 10_000 / 10, 0, 0, 600_000_00 * (17 + 58 + 67) / 10_000 / 3, 0, 0, 0, 600_000_00 * (233 + 1500 + 683 + 7350) / 10_000 / 100}
	if !slices.Equal(a.Unit, unit) || !slices.Equal(a.Outside, elsewhere) {
		t.Errorf("unit gains %v, want %v", a.Unit, unit)
	}
	var paid money.Cents
	for _, r := range rows(t, w.Store, central.Credits) {
		if c := r.(*central.Credit); c.Component == "etoileplus" {
			paid += c.Cents
		}
	}
	if want := 2*unit[0] + 10*unit[2]; paid != want {
		t.Errorf("%v paid, want %v", paid, want)
	}
	if got := notice.AddOns[0].Ranks[9]; got != (central.NoticeRank{Rank: 10, Winners: 100, Gain: unit[9]}) || account(w, "operator/etoileplus") != 1800-1080 {
		t.Errorf("%+v, operator %v", got, account(w, "operator/etoileplus"))
	}
}

// What is staked on an added game changes nothing of the draw that it is added to.
func TestAddOnsLeaveTheDrawAlone(t *testing.T) {
	gains := func(added []central.AddOn) (*central.Count, money.Cents) {
		w := newWorld(t)
		draw := openLoto(w)
		w.Do("system", central.BuyPlay{Player: w.Player("one", 100), Draw: draw, Lines: []central.Line{chosen(w, "1-2-3-4-5+6")}, AddOns: added})
		w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
		count, _ := w.Evening(draw, lotoTerms, jokerResult, central.Outside{})
		return count, account(w, "fund/loto/counterpart")
	}
	plain, fund := gains(nil)
	with, fundWith := gains(joker(100, "0000000"))
	if !slices.Equal(plain.Unit, with.Unit) || plain.Due != with.Due || fund != fundWith {
		t.Errorf("gains %v of %v with the fund at %v, with Joker+ %v of %v with %v", plain.Unit, plain.Due, fund, with.Unit, with.Due, fundWith)
	}
}

// Packs are sold on the web site and in the applications, never at points of sale; plays everywhere. Each sale carries its channel, in its row and its
// leaf.
func TestChannels(t *testing.T) {
	covers.Covers(t, "P4", "P13", "P44")
	for game, day := range map[string]string{"loto": "2020-08-01", "euromillions": "2020-08-04"} {
		w := storetest.NewWorld(t, newWorld(t).Store, func(c *central.Config) { c.AllowReconstructed = false })
		line, offer := quick(5, 1), central.PackOffer{Type: "p", Simples: 10, Shares: 10, MaxPacks: 1}
		if game == "euromillions" {
			line = quick(5, 2)
		}
		draw := w.Open(central.OpenDraw{Game: game, Day: day, OpensAt: w.Clock.Now(), ClosesAt: instant(t, day+" 20:15:00"), Packs: []central.PackOffer{offer}})
		id := w.Registered("one", 100_000, 100_000)
		me := central.PlayerPrincipal(id)
		play := central.BuyPlay{Player: id, Draw: draw, Lines: []central.Line{line}}
		shares := central.BuyShares{Player: id, Draw: draw, Type: "p", Shares: 1}
		w.Why("sale.channel", me, play)
		w.Why("sale.channel", me, shares)
		want := []string{}
		for _, c := range central.Channels {
			play.Channel, shares.Channel = c, c
			w.Do(me, play)
			want = append(want, string(c))
			if c != central.ChannelRetail {
				w.Do(me, shares)
				want = append(want, string(c))
				continue
			}
			r := w.Why("pack.channel", me, shares)
			article := map[string]string{"loto": "loto@2018-10-29:2.1", "euromillions": "euromillions@2018-10-29:3.4.2.6"}[game]
			if r.Article != article || !strings.Contains(r.In(central.French), "applications") {
				t.Errorf("%v, want article %s", r, article)
			}
		}
		var got []string
		for _, r := range rows(t, w.Store, central.Plays) {
			got = append(got, r.(*central.Play).Channel)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: channels %v, want %v", game, got, want)
		}
		leaves := rows(t, w.Store, central.Leaves)
		var leaf struct{ Command struct{ Channel string } }
		if err := json.Unmarshal(leaves[len(leaves)-1].(*central.LeafRow).Body, &leaf); err != nil || leaf.Command.Channel != "retail" {
			t.Errorf("%+v, %v", leaf, err)
		}
	}
}

// A pack takes part in one draw, with no game added, whatever version sells it; the refusal names the article.
func TestPackExclusions(t *testing.T) {
	covers.Covers(t, "P33", "P34", "P67", "P68")
	for _, c := range []struct{ game, day, added, article string }{
		{"loto", "2018-11-03", "jokerplus", "loto@2018-10-29:14.8"},
		{"superloto", "2018-11-09", "jokerplus", "loto@2018-10-29:14.8"},
		{"grandloto", "2018-12-22", "jokerplus", "loto@2018-10-29:14.8"},
		{"loto", "2020-08-01", "jokerplus", "loto@2018-10-29:14.8"},
		{"euromillions", "2018-11-02", "etoileplus", "euromillions@2018-10-29:3.4.2.6"},
		{"euromillions", "2020-08-04", "etoileplus", "euromillions@2018-10-29:3.4.2.6"},
	} {
		w := newWorld(t)
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		w.Clock.Set(day.Add(8 * time.Hour))
		open := central.OpenDraw{
			Game: c.game, Day: c.day, OpensAt: w.Clock.Now(), ClosesAt: day.Add(18 * time.Hour),
			Packs: []central.PackOffer{{Type: "p", Simples: 10, Shares: 10, MaxPacks: 1}},
		}
		draw := w.Open(open)
		open.Day = day.AddDate(0, 0, 7).Format(time.DateOnly)
		open.ClosesAt = open.ClosesAt.AddDate(0, 0, 7)
		next := w.Open(open)
		player := w.Player("one", 1000)
		shares := central.BuyShares{Player: player, Draw: draw, Type: "p", Shares: 1}
		with, both := shares, shares
		with.AddOns = []central.AddOn{{Game: c.added, Stake: 100}}
		both.Further = []string{next}
		for reason, cmd := range map[string]central.Command{"pack.add_on": with, "pack.draws": both} {
			if r := w.Why(reason, "system", cmd); r.Article != c.article {
				t.Errorf("%s: %v, want article %s", draw, r, c.article)
			}
		}
		if w.Balance(player) != 100_000 || len(rows(t, w.Store, central.Plays)) != 0 {
			t.Errorf("%s: refused and sold", draw)
		}
		w.Do("system", shares)
	}
}

// Who buys is the player or the system; nobody buys for another, a member of the staff for no one.
func TestWhoBuys(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	one, two := w.Player("one", 100), w.Player("two", 100)
	for _, cmd := range []central.Command{
		central.BuyPlay{Player: one, Draw: draw, Lines: []central.Line{quick(5, 1)}},
		central.BuyShares{Player: one, Draw: draw, Type: "ten", Shares: 1},
	} {
		for who, why := range map[string]string{
			central.PlayerPrincipal(two): "principal.other", "player/": "principal.other", "player/0" + fmt.Sprint(one): "principal.other",
			"staff/care": "staff.plays", "staff/1": "staff.plays", "provider": "principal.player",
		} {
			w.Why(why, who, cmd)
		}
		w.Do(central.PlayerPrincipal(one), cmd)
		w.Do(central.SystemPrincipal, cmd)
	}
	// Not even what the account holds is told.
	r := w.Why("principal.other", central.PlayerPrincipal(two), central.BuyPlay{Player: one, Draw: draw, Lines: slices.Repeat([]central.Line{quick(5, 1)}, 60)})
	if strings.Contains(r.Error(), "available") {
		t.Error(r)
	}
}

// Case 8: an order for two draws straddles the close of one: it is refused whole, nothing is moved to another draw.
func TestCase08OrderStraddlesTheClose(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	openAhead(w)
	player := w.Player("one", 100)
	order := central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(5, 1), quick(6, 1)}, Further: []string{nextLoto}}
	b := buy(w, order)
	if b.Draw != draw || b.Cents != 7*220 || b.Total != 2*7*220 || len(b.Further) != 1 || b.Further[0].Draw != nextLoto || b.Further[0].Play != b.Play || b.Further[0].Cents != 7*220 {
		t.Errorf("%+v", b)
	}
	// One play for each draw: with numbers of its own, under the same id.
	plays := rows(t, w.Store, central.Plays)
	first, second := plays[0].(*central.Play), plays[1].(*central.Play)
	if len(plays) != 2 || first.Draw != draw || second.Draw != nextLoto || first.ID != second.ID || string(first.Lines) == string(second.Lines) {
		t.Errorf("%+v and %+v", first, second)
	}
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	balance := w.Balance(player)
	w.Why("draw.closed", "system", order)
	order.Draw, order.Further = nextLoto, []string{draw}
	if r := w.Why("draw.closed", "system", order); r.Field != "further.0" {
		t.Errorf("field %q", r.Field)
	}
	if w.Balance(player) != balance || len(rows(t, w.Store, central.Plays)) != 2 {
		t.Errorf("balance %v, want %v", w.Balance(player), balance)
	}
	// Both draws are held, each with its own plays.
	count, _ := w.Evening(draw, lotoTerms, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}, central.Outside{})
	w.Clock.Set(instant(t, "2020-06-24 20:15:00"))
	next, _ := w.Evening(nextLoto, lotoTerms, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}, central.Outside{})
	if got := w.Balance(player); got != balance+count.Due+next.Due {
		t.Errorf("balance %v, want %v + %v + %v", got, balance, count.Due, next.Due)
	}
}

// An order with games added and several draws adds the game to each play; a chosen number is the same in all, a given one is drawn for each.
func TestOrderWithAddOns(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	openAhead(w)
	player := w.Player("one", 100)
	order := central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(5, 1)}, Further: []string{nextLoto}, AddOns: joker(100, "0 000 009")}
	a := buy(w, order)
	order.AddOns = joker(200, "")
	b := buy(w, order)
	if a.Total != 2*320 || a.AddOns[0].Number != "0 000 009" || a.Further[0].AddOns[0].Number != "0 000 009" || b.Total != 2*420 || b.AddOns[0].Number == b.Further[0].AddOns[0].Number {
		t.Errorf("%+v\n%+v", a, b)
	}
	if got := w.Balance(player); got != 10_000-a.Total-b.Total {
		t.Errorf("balance %v", got)
	}
	// A draw that goes wrong with its added game refuses the order whole.
	order.AddOns = joker(100, "12")
	w.Why("add_on.number", "system", order)
}

// Numbers of Joker+ that the system gives at the sale hold every digit at every place, the 9 too.
func TestGivenNumbersHoldEveryDigit(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	player := w.Player("one", 10_000)
	const plays = 400
	asked := make([]<-chan error, plays)
	for i := range asked {
		asked[i] = ask(w, fmt.Sprint("j", i), central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}, AddOns: joker(100, "")})
	}
	for _, a := range asked {
		if err := <-a; err != nil {
			t.Fatal(err)
		}
	}
	var seen [7][10]int
	for _, r := range rows(t, w.Store, central.AddOnRows) {
		for place, d := range []byte(r.(*central.AddOnRow).Number) {
			seen[place][d-'0']++
		}
	}
	for place, counts := range seen {
		if least := slices.Min(counts[:]); least < 10 { // 40 are expected
			t.Errorf("place %d: %v", place, counts)
		}
	}
	w.CheckBooks()
}

// What may be added to a play is what its rulebook names, and each such game has rules on every day of that version.
func TestAddedGamesHaveRules(t *testing.T) {
	for _, book := range games.All() {
		for _, game := range book.Sale.AddOns {
			added, err := games.InForce(game, book.Header.Effective)
			if err != nil {
				t.Fatal(err)
			}
			if added.Digits == nil && (added.Prizes == nil || added.Prizes.Model != prize.SidePool || added.Matrix != book.Matrix) {
				t.Errorf("%s is added to %s: neither digits nor a pool on its numbers", game, book.Header.Version())
			}
			if pack := book.Pack; pack != nil && !slices.Contains(pack.Excludes, game) {
				t.Errorf("%s does not exclude %s from packs", book.Header.Version(), game)
			}
		}
	}
}

// Case 23: one order for two draws with Joker+, asked for twenty times at once under one key: debited once, twenty equal answers.
func TestCase23OneOrderOneDebit(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	openAhead(w)
	player := w.Player("one", 100)
	request := central.Request{Principal: central.PlayerPrincipal(player), Key: "click", Command: central.BuyPlay{
		Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, Further: []string{nextLoto}, AddOns: joker(200, ""), Channel: central.ChannelApp,
	}}
	answers := make(chan central.Receipt, 20)
	for range cap(answers) {
		go func() {
			r, err := w.Register.Do(t.Context(), request)
			if err != nil {
				t.Error(err)
			}
			answers <- r
		}()
	}
	first, replayed := <-answers, 0
	for _, r := range append([]central.Receipt{first}, drain(answers, cap(answers)-1)...) {
		if r.Replayed {
			replayed++
		}
		if r.Index != first.Index || string(r.Result) != string(first.Result) {
			t.Errorf("two answers: %s and %s", r.Result, first.Result)
		}
	}
	if got := w.Balance(player); replayed != 19 || got != 10_000-2*420 || len(rows(t, w.Store, central.Plays)) != 2 || len(rows(t, w.Store, central.AddOnRows)) != 2 {
		t.Errorf("%d replays, balance %v", replayed, got)
	}
	w.CheckBooks()
}

// drain takes n answers.
func drain[T any](answers <-chan T, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = <-answers
	}
	return list
}

// Case 29: a balance above 2³¹ and 2⁵³⁄8 cents is debited to the cent; ids and numbers of a sale travel as text.
func TestCase29SaleFromALargeBalance(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.Node = central.MaxNodes - 1 })
	openLoto(w)
	player := w.Player("one", 0x7fffffff*10)
	before := w.Balance(player)
	r := w.Do("system", central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: joker(100, "0000007")})
	if got := w.Balance(player); before != 0x7fffffff*1000 || got != before-320 {
		t.Errorf("balance %v of %v", got, before)
	}
	if s := string(r.Result); !strings.Contains(s, `"play":"15-`) || !strings.Contains(s, `"number":"0 000 007"`) || !strings.Contains(s, `"cents":320`) {
		t.Error(s)
	}
	if play := rows(t, w.Store, central.Plays)[0].(*central.Play); play.ID <= 1<<48 {
		t.Errorf("play %d", play.ID)
	}
}

// Case 30: stakes, numbers and counts that are none are refused before anything is debited, at the edge or in the domain.
func TestCase30StakesAndShares(t *testing.T) {
	for _, text := range []string{"1e-12", "NaN", "1e18", "1,5", "1.5", `"100"`, "Infinity", "9223372036854775808", "{}", "true"} {
		for field, c := range map[string]any{
			`"shares":` + text: new(central.BuyShares), `"add_ons":[{"game":"jokerplus","stake":` + text + `}]`: new(central.BuyPlay),
		} {
			if err := json.Unmarshal([]byte(`{"player":"1",`+field+`}`), c); err == nil {
				t.Errorf("%s is read as %+v", field, c)
			}
		}
	}
	w := newWorld(t)
	openLoto(w)
	player := w.Player("one", 100)
	for _, n := range []int64{-1, 0, 11, 1 << 31, 1 << 62, -1 << 63} {
		w.Why("pack.shares", "system", central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: n})
	}
	for _, stake := range []money.Cents{-100, 1, 150, 1 << 31, 1 << 62, -1 << 63} {
		w.Why("add_on.stake", "system", central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: joker(stake, "")})
	}
	for _, number := range []string{"-697395", "1e-0012", "NaN", "5,69739", "56973950", "５697395", " ", strings.Repeat("9", 1000)} {
		w.Why("add_on.number", "system", central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}, AddOns: joker(100, number)})
	}
	if got := w.Balance(player); got != 10_000 {
		t.Errorf("balance %v", got)
	}
}

// The longest order, 15 draws, is sold like any other, also when it is quoted and confirmed: each play has codes of its own draw.
func TestLongestOrderAhead(t *testing.T) {
	w := newWorld(t)
	player := w.Player("one", 1000)
	var draws []string
	for i := range 15 {
		day := instant(t, lotoDay+" 20:15:00").AddDate(0, 0, i)
		draws = append(draws, w.Open(central.OpenDraw{Game: "loto", Day: day.Format(time.DateOnly), OpensAt: w.Clock.Now(), ClosesAt: day}))
	}
	order := central.BuyPlay{Player: player, Draw: draws[0], Further: draws[1:], Lines: []central.Line{quick(5, 1), quick(6, 1)}, Channel: central.ChannelWeb}
	bought := buy(w, order)
	quote, err := w.Register.Quote(t.Context(), order)
	must(w, err)
	slip, err := central.ParseQuote(quote.Text)
	must(w, err)
	w.Do(central.PlayerPrincipal(player), central.Confirm{Quote: *slip})
	if want := money.Cents(15 * 7 * 220); bought.Total != want || quote.Cents != want || len(bought.Further) != 14 || w.Balance(player) != 100_000-2*want {
		t.Errorf("%v and %v, %d further plays, balance %v", bought.Total, quote.Cents, len(bought.Further), w.Balance(player))
	}
	order.Further = append(slices.Clone(draws[1:]), "loto-2020-08-01")
	w.Refused(central.Invalid, central.PlayerPrincipal(player), order)
}
