package api_test

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/storetest"
	"tirage/web/api"
)

// friend registers one more player with limits and money, all through the API.
func friend(o *office, name string, deposit money.Cents) (token string) {
	o.Helper()
	token = second(o, name)
	for _, of := range []string{"stakes", "deposits"} {
		must[central.Limit](o, "PUT", "/me/limits/"+of, token, "", map[string]int{"cents": 1_000_000})
	}
	player, err := strconv.ParseInt(must[api.Account](o, "GET", "/me", token, "", nil).Player, 10, 64)
	if err != nil {
		o.Fatal(err)
	}
	o.World.Deposit(player, deposit)
	return token
}

func (o *office) balance(token string) money.Cents {
	o.Helper()
	return must[api.Account](o, "GET", "/me", token, "", nil).Balance
}

// buy quotes an order and confirms it.
func buy[O any](o *office, token, path, key string, order any) *O {
	o.Helper()
	q := must[api.Quote](o, "POST", path, token, "", order)
	return must[O](o, "POST", "/plays", token, key, map[string]string{"quote": q.Text})
}

// refuses sends a request that must be refused for a reason, about a field, in both languages; the balance stays.
func (o *office) refuses(token, method, path string, body any, status int, reason, field string) *api.Problem {
	o.Helper()
	before := o.balance(token)
	a := o.ask(method, path, token, "refused-"+reason, body)
	p := a.problem(o)
	if a.status != status || p.Reason != reason || p.Field != field || p.Texts.French == "" || p.Texts.English == "" || p.Texts.French == p.Texts.English {
		o.Errorf("%s %s: %d %s, want %d %s about %q", method, path, a.status, a.body, status, reason, field)
	}
	if p.Said == "" && p.Accepted == "" {
		o.Errorf("%s %s does not say what is accepted: %s", method, path, a.body)
	}
	if after := o.balance(token); after != before {
		o.Errorf("%s %s moved the balance from %v to %v", method, path, before, after)
	}
	return p
}

// Two players share a play: proposed, joined, left, quoted for the organiser and confirmed like any order; each is debited the own part, once.
func TestGroupsOverHTTP(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, zoe := o.join("zoe", 10_000)
	max := friend(o, "max", 10_000)
	g := must[central.GroupState](o, "POST", "/groups", zoe, "", map[string]any{"draw": draw, "lines": []string{"1-2-3-4-5+6", "quick 6x1"}, "receipts": 4})
	path := "/groups/" + draw + "/" + g.Group.String()
	if g.Invitation == "" || g.Stake != 7*220 || g.Yours != 4 {
		t.Errorf("%+v", g)
	}
	o.refuses(max, "GET", path, nil, 404, "group.unknown", "group")
	if seen := must[central.GroupState](o, "GET", path+"?invitation="+g.Invitation, max, "", nil); seen.Invitation != "" || seen.Yours != 0 {
		t.Errorf("%+v", seen)
	}
	join := func(receipts int64, cents money.Cents, invitation string) map[string]any {
		return map[string]any{"invitation": invitation, "receipts": receipts, "cents": cents}
	}
	o.refuses(max, "POST", path+"/join", join(1, g.Part, "WRONG"), 404, "group.unknown", "group")
	o.refuses(max, "POST", path+"/join", join(1, g.Part+1, g.Invitation), 409, "group.cents", "cents")
	o.refuses(max, "POST", path+"/join", join(4, 4*g.Part, g.Invitation), 409, "group.full", "receipts")
	o.refuses(max, "POST", path+"/join", join(0, 0, g.Invitation), 422, "request.invalid", "receipts")
	o.refuses(max, "POST", path+"/leave", nil, 404, "group.unknown", "group")
	must[central.GroupState](o, "POST", path+"/join", max, "", join(2, 2*g.Part, g.Invitation))
	stale := must[api.Quote](o, "POST", path+"/quote", zoe, "", nil)
	must[central.GroupState](o, "POST", path+"/leave", max, "", nil)
	o.refuses(zoe, "POST", "/plays", map[string]string{"quote": stale.Text}, 409, "group.cents", "cents")
	must[central.GroupState](o, "POST", path+"/join", max, "", join(1, g.Part, g.Invitation))
	o.refuses(max, "POST", path+"/quote", nil, 404, "group.unknown", "group") // a member's to join and leave, not to register
	q := must[api.Quote](o, "POST", path+"/quote", zoe, "", nil)
	if q.Group == nil || q.Group.Yours != 3 || q.Cents != g.Stake-g.Part {
		t.Errorf("%+v", q)
	}
	body := map[string]string{"quote": q.Text}
	out := must[central.GroupBought](o, "POST", "/plays", zoe, "group", body)
	if again := must[central.GroupBought](o, "POST", "/plays", zoe, "group", body); again.Play != out.Play || len(out.Receipts) != 4 || len(out.Grids) != 2 {
		t.Errorf("%+v, again %+v", out, again)
	}
	if z, m := o.balance(zoe), o.balance(max); z != 10_000-q.Cents || m != 10_000-g.Part {
		t.Errorf("balances %v and %v after a play of %v", z, m, g.Stake)
	}
	for token, receipts := range map[string]int{zoe: 3, max: 1} {
		mine := must[api.List[central.GroupState]](o, "GET", "/groups?draw="+draw, token, "", nil).Items
		plays := must[api.PlaysPage](o, "GET", "/plays", token, "", nil).Plays
		if len(mine) != 1 || mine[0].Yours != int64(receipts) || mine[0].Play.String() != out.Play || len(plays) != 1 || len(plays[0].Receipts) != receipts {
			t.Errorf("%d receipts: %+v, %+v", receipts, mine, plays)
		}
	}
	o.refuses(max, "POST", path+"/leave", nil, 409, "group.played", "group")
	o.refuses(zoe, "POST", "/quotes/replay", map[string]any{"draw": draw, "of_draw": draw, "of_play": out.Play}, 403, "replay.group", "of_play")
	o.refuses(zoe, "POST", "/groups", map[string]any{"draw": draw, "lines": []string{"1-2-3-4-5+6"}, "receipts": 11}, 422, "group.receipts", "receipts")
	o.refuses(zoe, "POST", "/groups", map[string]any{"draw": draw, "lines": []string{"1-2-3-4-99+6"}, "receipts": 2}, 422, "play.line", "lines.0")
	o.CheckBooks()
}

// A subscription is quoted at the price of today and confirmed like any order; packs and group plays are refused with what orders it.
func TestSubscriptionsOverHTTP(t *testing.T) {
	o := open(t)
	o.sale()
	_, token := o.join("zoe", 10_000)
	order := map[string]any{"game": "loto", "lines": []string{"quick 5x1", "1-2-3-4-5+6"}, "days": []string{"saturday", "monday"}, "add_ons": []any{map[string]any{"game": "jokerplus", "stake": 100}}}
	with := func(field string, value any) map[string]any {
		changed := map[string]any{field: value}
		for k, v := range order {
			if k != field {
				changed[k] = v
			}
		}
		return changed
	}
	if p := o.refuses(token, "POST", "/quotes/subscription", with("pack", "ten"), 422, "subscription.pack", "pack"); p.Article == "" {
		t.Errorf("no article orders it: %+v", p)
	}
	o.refuses(token, "POST", "/quotes/subscription", with("receipts", 2), 422, "subscription.group", "receipts")
	o.refuses(token, "POST", "/quotes/subscription", with("game", "bingo"), 422, "draw.game", "game")
	o.refuses(token, "POST", "/quotes/subscription", with("days", []string{"sunday"}), 422, "subscription.days", "days")
	o.refuses(token, "POST", "/quotes/subscription", with("lines", []string{}), 422, "request.invalid", "lines")
	o.refuses(token, "POST", "/quotes/subscription", with("channel", "retail"), 422, "request.invalid", "channel")
	q := must[api.Quote](o, "POST", "/quotes/subscription", token, "", order)
	if q.Subscription == nil || q.Cents != 2*220+100 || q.Missing != 0 {
		t.Errorf("%+v", q)
	}
	body := map[string]string{"quote": q.Text}
	s := must[central.SubscriptionState](o, "POST", "/plays", token, "sub", body)
	if s.State != central.SubscriptionActive || s.Cents != q.Cents || len(s.Days) != 2 || o.balance(token) != 10_000 {
		t.Errorf("%+v", s)
	}
	path := "/subscriptions/" + s.Subscription.String()
	if l := must[api.List[api.SubscriptionView]](o, "GET", "/subscriptions", token, "", nil).Items; len(l) != 1 || l[0].Price != q.Cents || l[0].Subscription != s.Subscription {
		t.Errorf("%+v", l)
	}
	o.refuses(token, "POST", path+"/resume", map[string]any{"cents": q.Cents}, 409, "subscription.state", "")
	o.refuses(token, "POST", "/subscriptions/0-9999/end", nil, 404, "subscription.unknown", "subscription")
	o.refuses(token, "POST", "/subscriptions/nine/end", nil, 404, "subscription.unknown", "subscription")
	o.refuses(token, "POST", path+"/resume", map[string]any{"cents": -1}, 422, "request.invalid", "cents")
	token = o.suspend(token, "zoe")
	o.refuses(token, "POST", path+"/resume", map[string]any{"cents": q.Cents + 1}, 409, "subscription.cents", "cents")
	if s := must[central.SubscriptionState](o, "POST", path+"/resume", token, "", map[string]any{"cents": q.Cents}); s.State != central.SubscriptionActive {
		t.Errorf("%+v", s)
	}
	if s := must[central.SubscriptionState](o, "POST", path+"/end", token, "", nil); s.State != central.SubscriptionEnded {
		t.Errorf("%+v", s)
	}
	o.refuses(token, "POST", path+"/end", nil, 409, "subscription.state", "")
	o.CheckBooks()
}

// suspend lets the only subscription of a player miss draws until it is suspended: there is no money for them. Weeks go by, so the player logs
// in again.
func (o *office) suspend(token, name string) string {
	o.Helper()
	must[central.PaymentState](o, "POST", "/withdrawals", token, "all", map[string]any{"cents": o.balance(token)})
	desk := &central.Subscriptions{Register: o.Register, Store: o.Store, Clock: o.Clock, BanList: list{o.World}}
	day := time.Date(2020, 6, 27, 0, 0, 0, 0, time.UTC)
	for range central.SubscriptionMisses {
		opens := o.Clock.Now()
		closes := day.Add(18 * time.Hour)
		draw := o.Open(central.OpenDraw{Game: "loto", Day: day.Format(time.DateOnly), OpensAt: opens, ClosesAt: closes})
		o.Clock.Set(closes.Add(-time.Hour))
		if _, err := desk.Play(o.Context(), draw); err != nil {
			o.Fatal(err)
		}
		day = day.AddDate(0, 0, 7)
	}
	return must[api.LoggedIn](o, "POST", "/sessions", "", "", map[string]string{"email": name + "@example.org", "password": password}).Token
}

// The numbers of an earlier play are played again at another draw, with the games added that are asked for anew; shares are not.
func TestReplayOverHTTP(t *testing.T) {
	o := open(t)
	draw := o.sale()
	next := o.Open(central.OpenDraw{Game: "loto", Day: "2020-06-24", OpensAt: o.Clock.Now(), ClosesAt: o.Clock.Now().Add(time.Hour)})
	_, token := o.join("zoe", 10_000)
	first := buy[central.Bought](o, token, "/quotes/play", "one", map[string]any{"draw": draw, "lines": []string{"quick 6x1", "1-2-3-4-5+6"}})
	order := map[string]any{"draw": next, "of_draw": draw, "of_play": first.Play, "add_ons": []any{map[string]any{"game": "jokerplus", "stake": 200, "number": "5 697 395"}}}
	again := buy[central.Bought](o, token, "/quotes/replay", "two", order)
	if strings.Join(again.Grids, " ") != strings.Join(first.Grids, " ") || again.Cents != first.Cents+200 || again.AddOns[0].Number != "5 697 395" {
		t.Errorf("%+v after %+v", again, first)
	}
	if b := o.balance(token); b != 10_000-first.Cents-again.Cents {
		t.Errorf("balance %v", b)
	}
	shares := must[central.Bought](o, "POST", "/plays", token, "three", map[string]string{"quote": o.shares(token, draw, 1).Text})
	if p := o.refuses(token, "POST", "/quotes/replay", map[string]any{"draw": next, "of_draw": draw, "of_play": shares.Play}, 403, "replay.pack", "of_play"); p.Article == "" {
		t.Errorf("no article orders it: %+v", p)
	}
	for of, field := range map[string]string{"0-9999": "of_play", "x": "of_play", "0-01": "of_play"} {
		o.refuses(token, "POST", "/quotes/replay", map[string]any{"draw": next, "of_draw": draw, "of_play": of}, 404, "replay.unknown", field)
	}
	o.refuses(token, "POST", "/quotes/replay", map[string]any{"draw": "loto-2099-01-01", "of_draw": draw, "of_play": first.Play}, 404, "draw.unknown", "draw")
	other := friend(o, "max", 1000)
	o.refuses(other, "POST", "/quotes/replay", map[string]any{"draw": next, "of_draw": draw, "of_play": first.Play}, 404, "replay.unknown", "of_play")
	o.CheckBooks()
}

// Games are added to a play in its quote, each at its price; what they do not take is refused where it stands.
func TestAddOnsOverHTTP(t *testing.T) {
	o := open(t)
	loto := o.sale()
	euro := o.Open(central.OpenDraw{Game: "euromillions", Day: "2020-06-23", OpensAt: o.Clock.Now(), ClosesAt: o.Clock.Now().Add(time.Hour)})
	_, token := o.join("zoe", 10_000)
	play := func(draw, line string, addOns ...map[string]any) map[string]any {
		return map[string]any{"draw": draw, "lines": []string{line}, "add_ons": addOns}
	}
	joker, etoile := map[string]any{"game": "jokerplus", "stake": 100}, map[string]any{"game": "etoileplus"}
	for key, c := range map[string]struct {
		order map[string]any
		game  string
	}{"joker": {play(loto, "quick 5x1", joker), "jokerplus"}, "etoile": {play(euro, "quick 5x3", etoile), "etoileplus"}} {
		q := must[api.Quote](o, "POST", "/quotes/play", token, "", c.order)
		b := must[central.Bought](o, "POST", "/plays", token, key, map[string]string{"quote": q.Text})
		if len(q.AddOns) != 1 || len(b.AddOns) != 1 || b.AddOns[0].Game != c.game || b.AddOns[0].Cents != q.AddOns[0].Cents || b.Cents != q.Cents {
			t.Errorf("%s: quoted %+v, bought %+v", key, q.AddOns, b)
		}
	}
	o.refuses(token, "POST", "/quotes/play", play(loto, "quick 5x1", etoile), 422, "add_on.game", "add_ons.0.game")
	o.refuses(token, "POST", "/quotes/play", play(loto, "quick 5x1", map[string]any{"game": "jokerplus", "stake": 150}), 422, "add_on.stake", "add_ons.0.stake")
	o.refuses(token, "POST", "/quotes/play", play(loto, "quick 5x1", map[string]any{"game": "jokerplus", "stake": 100, "number": "12"}), 422, "add_on.number", "add_ons.0.number")
	o.refuses(token, "POST", "/quotes/play", play(loto, "quick 5x1", joker, joker), 422, "add_on.twice", "add_ons.1.game")
	o.refuses(token, "POST", "/quotes/play", play(loto, "quick 5x1", map[string]any{"game": "jokerplus", "stake": "1,5"}), 422, "request.invalid", "add_ons[0].stake")
	o.CheckBooks()
}

// The inbox has what the stream of events told, each message once; it is read when its player says so.
func TestInboxOverHTTP(t *testing.T) {
	o := open(t)
	_, token := o.join("zoe", 10_000) // two limits and a deposit
	inbox := central.NewInbox(o.Store)
	for range 2 { // whoever fills it again fills in nothing twice
		if err := inbox.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	page := must[api.InboxPage](o, "GET", "/messages?limit=2", token, "", nil)
	if len(page.Messages) != 2 || page.Next == "" || page.Unread != 3 || page.Messages[0].Kind != central.MessageDeposit || page.Messages[0].Cents != 10_000 {
		t.Fatalf("%+v", page)
	}
	first := page.Messages[0]
	if !strings.Contains(first.FR.Text, "100,00\u00a0€") || !strings.Contains(first.EN.Text, "€100.00") || first.Read != nil {
		t.Errorf("%+v", first)
	}
	rest := must[api.InboxPage](o, "GET", "/messages?limit=2&after="+page.Next, token, "", nil)
	if len(rest.Messages) != 1 || rest.Next != "" {
		t.Errorf("%+v", rest)
	}
	ids := []string{first.ID.String(), rest.Messages[0].ID.String()}
	if r := must[central.MessagesRead](o, "POST", "/messages/read", token, "", map[string]any{"messages": ids}); r.Read != 2 {
		t.Errorf("%+v", r)
	}
	if r := must[central.MessagesRead](o, "POST", "/messages/read", token, "", map[string]any{"messages": ids[:1]}); r.Read != 0 {
		t.Errorf("again: %+v", r)
	}
	if page = must[api.InboxPage](o, "GET", "/messages", token, "", nil); page.Unread != 1 || page.Messages[0].Read == nil || page.Messages[1].Read != nil {
		t.Errorf("%+v", page)
	}
	o.refuses(token, "POST", "/messages/read", map[string]any{"messages": []string{ids[0], "0-0-0"}}, 404, "inbox.unknown", "messages.1")
	o.refuses(token, "POST", "/messages/read", map[string]any{"messages": []string{"x"}}, 404, "inbox.unknown", "messages.0")
	o.refuses(token, "POST", "/messages/read", map[string]any{"messages": []string{}}, 422, "request.invalid", "messages")
	o.refuses(token, "GET", "/messages?after=x", nil, 422, "inbox.after", "after")
	o.refuses(token, "GET", "/messages?limit=0", nil, 422, "request.invalid", "limit")
	other := friend(o, "max", 100)
	o.refuses(other, "POST", "/messages/read", map[string]any{"messages": ids}, 404, "inbox.unknown", "messages.0")
	o.CheckBooks()
}

// A gain of a point of sale waits for who shows the receipt: found by its number, paid once, and what nobody claims lapses on its day.
func TestClaimsOverHTTP(t *testing.T) {
	o := open(t)
	draw := o.sale()
	id, token := o.join("zoe", 10_000)
	player, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var played [2]central.Bought
	for i, grid := range []string{"1-2-3-4-9+1", "1-2-3-8-9+1"} {
		var l central.Line
		if err := l.UnmarshalText([]byte(grid)); err != nil {
			t.Fatal(err)
		}
		r := o.World.Do(central.SystemPrincipal, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{l}, Channel: central.ChannelRetail})
		storetest.Result(o.World, r, &played[i])
	}
	finance := o.staff("finance")
	o.staff("officer")
	o.Clock.Set(o.Clock.Now().Add(10 * time.Minute))
	o.Evening(draw, prize.Terms{Cycle: prize.Cycle{Position: 1, Jackpot: 200_000_000}, Fund: 50_000_000}, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{6}, Codes: map[string][]string{}}, central.Outside{})
	owed := must[api.List[central.DrawLiability]](o, "GET", "/staff/liabilities", finance, "", nil).Items
	path := "/staff/draws/" + draw + "/claims/" + played[0].Play
	claims := must[api.List[api.ClaimView]](o, "GET", path, finance, "", nil).Items
	if len(owed) != 1 || len(claims) != 1 || claims[0].Paid != nil || claims[0].Cents == 0 || owed[0].Cents <= claims[0].Cents {
		t.Fatalf("%+v, %+v", owed, claims)
	}
	before := o.balance(token)
	body := map[string]string{"component": claims[0].Component}
	for range 2 { // under one key
		if paid := must[api.ClaimView](o, "POST", path+"/pay", finance, "pay", body); paid.Paid == nil || paid.Cents != claims[0].Cents {
			t.Errorf("%+v", paid)
		}
	}
	if got := o.balance(token) - before; got != claims[0].Cents {
		t.Errorf("paid %v, want %v", got, claims[0].Cents)
	}
	staffRefused := func(path, reason, field string, status int, body any) {
		t.Helper()
		a := o.ask("POST", path, finance, "no-"+reason, body)
		if p := a.problem(t); a.status != status || p.Reason != reason || p.Field != field {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	staffRefused(path+"/pay", "claim.paid", "play", 409, body)
	staffRefused("/staff/draws/"+draw+"/claims/0-9999/pay", "claim.unknown", "play", 404, body)
	staffRefused("/staff/draws/"+draw+"/lapse", "claim.early", "draw", 409, nil)
	o.Clock.Set(o.Clock.Now().AddDate(0, 4, 0))
	finance = must[api.LoggedIn](o, "POST", "/staff/sessions", "", "", map[string]string{"name": "finance", "password": password}).Token
	staffRefused("/staff/draws/"+draw+"/claims/"+played[1].Play+"/pay", "claim.late", "play", 409, body)
	lapse := must[central.Lapse](o, "POST", "/staff/draws/"+draw+"/lapse", finance, "lapse", nil)
	if lapse.Cents != owed[0].Cents-claims[0].Cents {
		t.Errorf("%+v of %+v", lapse, owed)
	}
	staffRefused("/staff/draws/"+draw+"/lapse", "claim.lapsed", "draw", 409, nil)
	o.CheckBooks()
}

// What was won is one stored outcome: the screen, the history, the message and the movement of the balance say the same cents.
func TestCase05OneOutcomeOverHTTP(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	bought := buy[central.Bought](o, token, "/quotes/play", "play", map[string]any{"draw": draw, "lines": []string{"1-2-3-4-9+1"}})
	round := must[central.RoundAnswer](o, "POST", "/rounds/donuts", token, "round", nil)
	path := "/rounds/donuts/" + round.Round.Round.String()
	round = must[central.RoundAnswer](o, "POST", path+"/series", token, "go", map[string]any{"step": 0, "contribution": strings.Repeat("ab", 16)})
	if round.Round.State == "open" {
		round = must[central.RoundAnswer](o, "POST", path+"/stop", token, "stop", map[string]any{"step": round.Round.Step})
	}
	past := must[api.RoundsPage](o, "GET", "/rounds/donuts", token, "", nil).Rounds
	if len(past) != 1 || past[0].Round.Gain != round.Round.Gain || past[0].Round.State != round.Round.State || o.balance(token) != round.Balance {
		t.Errorf("the screen said %+v, the history says %+v", round, past)
	}
	before := o.balance(token)
	o.staff("officer")
	o.Clock.Set(o.Clock.Now().Add(10 * time.Minute))
	o.Evening(draw, prize.Terms{Cycle: prize.Cycle{Position: 1, Jackpot: 200_000_000}, Fund: 50_000_000}, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{6}, Codes: map[string][]string{}}, central.Outside{})
	if err := central.NewInbox(o.Store).CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	record := must[central.PlayRecord](o, "GET", "/plays/"+draw+"/"+bought.Play, token, "", nil)
	movements := must[api.Statement](o, "GET", "/statement", token, "", nil).Movements
	message := must[api.InboxPage](o, "GET", "/messages?limit=1", token, "", nil).Messages[0]
	last, gain := movements[len(movements)-1], o.balance(token)-before
	if gain == 0 || record.Gain == nil || *record.Gain != gain || last.Cents != gain || message.Kind != central.MessageGain || message.Cents != gain {
		t.Errorf("the balance rose by %v, the history says %v, the statement %+v, the message %+v", gain, record.Gain, last, message)
	}
	if euros := gain.String(); !strings.Contains(message.EN.Text, euros[len(euros)-3:]) {
		t.Errorf("%v: %q", gain, message.EN.Text)
	}
	o.CheckBooks()
}

// The exported statement is the statement, movement by movement and to the cent; the staff exports the same file.
func TestCase03ExportsAreTheLedgers(t *testing.T) {
	o := open(t)
	draw := o.sale()
	player, token := o.join("zoe", 10_000)
	for _, key := range []string{"one", "two", "three"} {
		must[central.Bought](o, "POST", "/plays", token, key, map[string]string{"quote": o.shares(token, draw, 1).Text})
	}
	a := o.ask("GET", "/statement/export", token, "", nil)
	if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv") || !strings.Contains(a.header.Get("Content-Disposition"), "statement-"+player+".csv") {
		t.Errorf("%v", a.header)
	}
	rows, err := csv.NewReader(strings.NewReader(string(a.body))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := must[api.Statement](o, "GET", "/statement", token, "", nil)
	if len(rows) != 1+len(s.Movements) || len(rows) != 5 {
		t.Fatalf("%q", rows)
	}
	for i, m := range s.Movements {
		row := rows[i+1]
		amount, err1 := money.Parse(strings.TrimPrefix(row[4], "-"))
		after, err2 := money.Parse(row[5])
		if strings.HasPrefix(row[4], "-") {
			amount = -amount
		}
		if err1 != nil || err2 != nil || row[0] != strconv.FormatInt(m.Number, 10) || row[3] != m.Account || amount != m.Cents || after != m.After {
			t.Errorf("%q, the statement says %+v", row, m)
		}
	}
	finance := o.staff("finance")
	if same := o.ask("GET", "/staff/players/"+player+"/statement/export", finance, "", nil); string(same.body) != string(a.body) {
		t.Errorf("the staff's file: %d %s", same.status, same.body)
	}
	for _, f := range []string{"xlsx", "pdf", "json"} {
		if a := o.ask("GET", "/statement/export?lang=en&format="+f, token, "", nil); a.status != 200 || len(a.body) == 0 || a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
			t.Errorf("%s: %d, %v", f, a.status, a.header)
		}
		if a := o.ask("GET", "/staff/exports/funds?format="+f, finance, "", nil); a.status != 200 || len(a.body) == 0 {
			t.Errorf("funds as %s: %d", f, a.status)
		}
	}
	if empty := o.ask("GET", "/statement/export?to=2000-01-01", token, "", nil); strings.Count(string(empty.body), "\n") != 1 {
		t.Errorf("%s", empty.body)
	}
	o.refuses(token, "GET", "/statement/export?from=yesterday", nil, 422, "export.day", "from")
	o.refuses(token, "GET", "/statement/export?from=2020-06-22&to=2020-06-21", nil, 422, "export.period", "to")
	if a := o.ask("GET", "/staff/exports/log", finance, "", nil); a.status != 403 {
		t.Errorf("finance exports the log: %d", a.status)
	}
}

// The operator puts a planned draw on sale with packs; what the rulebook does not allow is refused, and nothing is on sale twice.
func TestOpenDrawOverHTTP(t *testing.T) {
	o := open(t)
	operator := o.staff("operator")
	must[central.Planned](o, "POST", "/staff/draws", operator, "", map[string]any{"game": "loto", "day": "2020-06-24"})
	path := "/staff/draws/loto-2020-06-24/open"
	offer := func(composition string) map[string]any {
		return map[string]any{"packs": []any{map[string]any{"type": "ten", "multiples": []string{composition}, "shares": 10, "max_packs": 3}}}
	}
	for body, want := range map[string]string{"7x99*1": "", "6x10*0": "", "": ""} {
		if a := o.ask("POST", path, operator, "", offer(body)); a.status != 422 {
			t.Errorf("%q: %d %s, want %s", body, a.status, a.body, want)
		}
	}
	opened := must[central.DrawOpened](o, "POST", path, operator, "", offer("6x10*1"))
	if opened.Draw != "loto-2020-06-24" || len(opened.Commitment) == 0 {
		t.Errorf("%+v", opened)
	}
	if a := o.ask("POST", path, operator, "", offer("6x10*1")); a.status != 409 {
		t.Errorf("twice: %d %s", a.status, a.body)
	}
	if a := o.ask("POST", "/staff/draws/loto-2020-06-25/open", operator, "", map[string]any{}); a.status != 404 || a.problem(t).Reason != "draw.unknown" {
		t.Errorf("unplanned: %d %s", a.status, a.body)
	}
	c := must[central.Catalogue](o, "GET", "/catalogue", "", "", nil)
	loto := slices.IndexFunc(c.Games, func(g central.GameOffer) bool { return g.Game == "loto" })
	if draws := c.Games[loto].Draws; len(draws) != 1 || len(draws[0].Packs) != 1 || !draws[0].OnSale {
		t.Errorf("%+v", draws)
	}
}
