package central_test

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/ledger"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// proposed proposes a group play.
func proposed(w *storetest.World, organiser int64, draw string, receipts int64, lines ...central.Line) (g central.GroupState) {
	w.Helper()
	storetest.Result(w, w.Do(central.PlayerPrincipal(organiser), central.ProposeGroup{
		Player: organiser, Draw: draw, Lines: lines, Receipts: receipts, Channel: central.ChannelWeb,
	}), &g)
	return g
}

// joining is the command by which a player takes receipts of a group at their price.
func joining(g central.GroupState, player, receipts int64) central.JoinGroup {
	return central.JoinGroup{
		Player: player, Draw: g.Draw, Group: g.Group, Invitation: g.Invitation, Receipts: receipts, Cents: g.Part * money.Cents(receipts),
	}
}

func joined(w *storetest.World, g central.GroupState, player, receipts int64) {
	w.Helper()
	w.Do(central.PlayerPrincipal(player), joining(g, player, receipts))
}

// seen is the group as a player sees it.
func seen(w *storetest.World, g central.GroupState, player int64) *central.GroupState {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	s, err := central.ReadGroup(w.Context(), snap, g.Draw, g.Group, player, "")
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// registering is the command by which the organiser registers the group as it stands.
func registering(w *storetest.World, g central.GroupState, organiser int64) central.PlayGroup {
	w.Helper()
	return central.PlayGroup{Player: organiser, Draw: g.Draw, Group: g.Group, Cents: seen(w, g, organiser).Cents}
}

func registered(w *storetest.World, g central.GroupState, organiser int64) (out central.GroupBought) {
	w.Helper()
	storetest.Result(w, w.Do(central.PlayerPrincipal(organiser), registering(w, g, organiser)), &out)
	return out
}

// Three players share a play in seven receipts. Nothing is debited before it is registered, then each pays the receipts taken; each
// winning combination and each code is split and rounded for itself, then added up.
func TestGroupPlay(t *testing.T) {
	covers.Covers(t, "P10")
	w := newWorld(t)
	draw := openLoto(w)
	one, two, three := w.Player("one", 100), w.Player("two", 100), w.Player("three", 100)
	g := proposed(w, one, draw, 7, chosen(w, "1-2-3-4-5+6"), chosen(w, "1-2-3-4-10-11+6"), quick(5, 1))
	if want := money.Cents(8 * 220); g.Stake != want || g.Part != 251 || g.Yours != 7 || g.Cents != want || g.Taken != 0 {
		t.Errorf("proposed: %+v", g)
	}
	joined(w, g, two, 1)
	joined(w, g, three, 4)
	w.Do(central.PlayerPrincipal(two), central.LeaveGroup{Player: two, Draw: draw, Group: g.Group})
	joined(w, g, two, 2)
	for player, want := range map[int64][2]int64{one: {1, 254}, two: {2, 502}, three: {4, 1004}} {
		if s := seen(w, g, player); s.Yours != want[0] || s.Cents != money.Cents(want[1]) || (s.Invitation != "") != (player == one) || w.Balance(player) != 10_000 {
			t.Errorf("before: %+v, want %v", s, want)
		}
	}
	out := registered(w, g, one)
	for player, want := range map[int64]money.Cents{one: 254, two: 502, three: 1004} {
		if paid := 10_000 - w.Balance(player); paid != want {
			t.Errorf("player %d paid %v, want %v", player, paid, want)
		}
	}
	if out.Cents != 1760 || len(out.Receipts) != 7 || !out.Receipts[0].Yours || out.Receipts[1].Yours || out.Receipts[0].Cents != 254 || len(out.Grids) != 3 {
		t.Errorf("registered: %+v", out)
	}
	play := rows(t, w.Store, central.Plays)[0].(*central.Play)
	if play.Kind != central.KindGroup || play.Shares != 7 || play.Combos != 8 || play.Quick != 0b100 || central.ID(play.ID) != *seen(w, g, two).Play {
		t.Errorf("%+v", play)
	}
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	result := lotoResult
	result.Codes = map[string][]string{"loto": {out.Codes[0].All[0]}}
	count, _ := w.Evening(draw, prize.Terms{
		Cycle:    prize.Cycle{Jackpot: 800_000_000},
		Official: []money.Cents{800_000_000, 1_291_450, 57_780, 38_950, 4_040, 2_090, 800, 420, 220},
	}, result, central.Outside{})
	// The first grid wins rank 1; the multiple holds four drawn numbers and the Chance: two simple combinations of rank 3 and four of rank 5; the last is of no
	// rank or of one of the small ones. 8 000 000 / 7 = 1 142 857.142… goes down, 577.80 / 7 = 82.542… down, 40.40 / 7 = 5.771… down,
	// 20 000 / 7 = 2 857.142… down.
	gain := money.Cents(114_285_714 + 2*8254 + 4*577 + 285_714)
	for _, small := range []money.Cents{0, 800, 420, 220, 2_090, 4_040} {
		if part := money.Share(small, 7); w.Balance(two)-10_000+502 == 2*(gain+part) {
			gain += part
			break
		}
	}
	for player, receipts := range map[int64]money.Cents{one: 1, two: 2, three: 4} {
		record := read(w, player, 1)[0]
		paid := map[int64]money.Cents{one: 254, two: 502, three: 1004}[player]
		if got := w.Balance(player) - 10_000 + paid; got != gain*receipts || *record.Gain != got || record.Cents != paid || int64(len(record.Receipts)) != int64(receipts) || record.OfReceipts != 7 {
			t.Errorf("player %d gained %v, want %v; the history says %+v", player, got, gain*receipts, record)
		}
	}
	if g := count.Groups; g.Rounding == 0 || g.Gains != g.Holders+g.Rounding || account(w, string(ledger.Rounding(draw))) != g.Rounding || count.Packs.Gains != 0 {
		t.Errorf("%+v, on the account %v", g, account(w, string(ledger.Rounding(draw))))
	}
}

// A group whose member cannot pay is refused whole: nobody is debited, and why is not told. When the member has put it right, or has left, it goes.
func TestGroupIsPaidWholeOrNotAtAll(t *testing.T) {
	w, draw := shop(t)
	one, two := w.Registered("one", 5000, 5000), w.Registered("two", 300, 1000)
	g := proposed(w, one, draw, 2, quick(6, 1))
	joined(w, g, two, 1)
	desk := central.GroupDesk{Register: w.Register, Store: w.Store, BanList: banList{w: w}}
	me := central.PlayerPrincipal(one)
	play := registering(w, g, one)
	w.Why("banlist.unavailable", me, play) // nobody was asked about the member
	try := func(key string) string {
		_, err := desk.Play(t.Context(), me, key, play)
		w.CheckBooks()
		r, ok := err.(*central.Refusal)
		if !ok {
			must(w, err)
			return ""
		}
		if strings.Contains(r.Error()+r.In(central.French), "limit") || strings.Contains(r.Error(), "exclu") {
			t.Errorf("it says too much: %v", r)
		}
		return r.Reason
	}
	if got := try("limit"); got != "group.member" { // 6.60 € against a limit of 3 €
		t.Errorf("above the limit: %q", got)
	}
	if w.Balance(one) != 5000 || w.Balance(two) != 1000 {
		t.Errorf("balances %v and %v", w.Balance(one), w.Balance(two))
	}
	w.Do(central.PlayerPrincipal(two), central.LeaveGroup{Player: two, Draw: draw, Group: g.Group})
	if got := try("left"); got != "group.cents" { // the organiser would pay all
		t.Errorf("after the member has left: %q", got)
	}
	three := w.Registered("three", 5000, 5000)
	joined(w, g, three, 1)
	w.Do(central.PlayerPrincipal(three), central.ExcludePlayer{Player: three, Hours: 24})
	if got := try("excluded"); got != "group.member" {
		t.Errorf("excluded: %q", got)
	}
	w.Clock.Set(w.Clock.Now().AddDate(0, 0, 1))
	if got := try("reality check"); got != "check.open" { // of the organiser, who plays now
		t.Errorf("open reality check: %q", got)
	}
	w.Login(one)
	desk.BanList = banList{w: w, silent: true}
	if got := try("silent"); got != "banlist.unavailable" {
		t.Errorf("silent list: %q", got)
	}
	desk.BanList = banList{w: w, banned: three}
	if got := try("banned"); got != "group.member" {
		t.Errorf("banned: %q", got)
	}
	desk.BanList = banList{w: w}
	if got := try("good"); got != "" { // no session of the member is needed
		t.Errorf("%q", got)
	}
	if got := try("good"); got != "" {
		t.Errorf("again: %q", got)
	}
	if got := try("once more"); got != "group.played" {
		t.Errorf("a second time: %q", got)
	}
	if w.Balance(one) != 5000-660 || w.Balance(three) != 5000-660 {
		t.Errorf("balances %v and %v", w.Balance(one), w.Balance(three))
	}
}

// The gains of a group that was sold at a point of sale wait for who shows the receipt: each is paid to the holder of its own.
func TestClaimsOfAGroup(t *testing.T) {
	w := newWorld(t)
	draw := openLoto(w)
	one, two := w.Player("one", 100), w.Player("two", 100)
	var g central.GroupState
	storetest.Result(w, w.Do("system", central.ProposeGroup{Player: one, Draw: draw, Lines: []central.Line{chosen(w, "1-2-3-4-9+1")}, Receipts: 2, Channel: central.ChannelRetail}), &g)
	joined(w, g, two, 1)
	out := registered(w, g, one)
	w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
	count, _ := w.Evening(draw, lotoTerms, lotoResult, central.Outside{})
	part := money.Share(count.Unit[3], 2)
	before := w.Balance(two)
	w.Do("staff/care", central.PayClaim{Draw: draw, Component: central.ReceiptComponent(central.ComponentRanks, 2), Play: out.Play})
	if got := w.Balance(two) - before; got != part || part == 0 || account(w, string(ledger.Claims(draw))) != part {
		t.Errorf("paid %v of %v, %v wait", got, part, account(w, string(ledger.Claims(draw))))
	}
	if gain := read(w, one, 1)[0].Gain; gain == nil || *gain != part {
		t.Errorf("the history of the organiser says %v, want %v", gain, part)
	}
}

// However a gain falls on however many receipts: each receives the exact part rounded half up, and what is left stands as rounding. Added up over
// several combinations the sum is never rounded again.
func TestGroupSplit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		receipts := rapid.Int64Range(2, 10).Draw(rt, "receipts")
		w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{})
		defer w.Register.Close()
		draw := openLoto(w)
		organiser := w.Player("one", 100)
		var official []money.Cents
		for i := range 9 {
			official = append(official, money.Cents(rapid.Int64Range(0, 5_000).Draw(rt, fmt.Sprint("rank ", i+1))))
		}
		grid := rapid.SampledFrom([]string{"1-2-3-4-5+6", "1-2-3-4-5-7+6-7", "1-2-3-8-9-10+6", "1-2-10-20-30-40-49+1-6"}).Draw(rt, "grid")
		g := proposed(w, organiser, draw, receipts, chosen(w, grid))
		taken := rapid.Int64Range(0, receipts-1).Draw(rt, "taken")
		member := w.Player("two", 100)
		if taken > 0 {
			joined(w, g, member, taken)
		}
		registered(w, g, organiser)
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		before := w.Balance(member)
		count, _ := w.Evening(draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 1_000_000}, Official: official}, lotoResult, central.Outside{})
		var part, all money.Cents
		for i, n := range count.Winners {
			x := new(big.Rat).SetFrac64(int64(count.Unit[i]), receipts)
			x.Add(x, big.NewRat(1, 2))
			part += money.Cents(n) * money.Cents(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
			all += money.Cents(n) * count.Unit[i]
		}
		if got := w.Balance(member) - before; got != part*money.Cents(taken) {
			rt.Fatalf("%d of %d receipts: %v, want %v each", taken, receipts, got, part)
		}
		want := central.GroupTotals{Gains: all, Holders: part * money.Cents(receipts), Rounding: all - part*money.Cents(receipts)}
		if count.Groups != want || count.Rounding() != want.Rounding || account(w, string(ledger.Rounding(draw))) != want.Rounding {
			rt.Fatalf("%+v, want %+v", count.Groups, want)
		}
	})
}

// Every way to cut a stake in receipts gives it whole; the organiser's first receipt bears at most nine cents more than the others.
func TestGroupStakesAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := central.Group{
			Player: 1, Receipts: rapid.Int64Range(2, 10).Draw(rt, "receipts"), Stake: money.Cents(rapid.Int64Range(220, 10_000_000).Draw(rt, "stake")),
		}
		var sum money.Cents
		holders := central.GroupHolders(&g, []central.GroupMember{{Player: 2, Receipts: rapid.Int64Range(1, g.Receipts-1).Draw(rt, "taken")}})
		for i, h := range holders {
			sum += h.Cents
			if extra := h.Cents - holders[1].Cents; h.N != int64(i)+1 || i == 0 && (extra < 0 || extra > 9) || i > 0 && extra != 0 {
				rt.Fatalf("receipt %d costs %v", h.N, h.Cents)
			}
		}
		if sum != g.Stake || int64(len(holders)) != g.Receipts || holders[0].Player != 1 || holders[len(holders)-1].Player != 2 {
			rt.Fatalf("%d receipts of %v in all, stake %v", len(holders), sum, g.Stake)
		}
	})
}

// Euro Millions has no group play; who is not invited sees no group.
func TestGroupsAreByInvitation(t *testing.T) {
	w := newWorld(t)
	openAhead(w)
	draw := openLoto(w)
	one, two, three := w.Player("one", 100), w.Player("two", 100), w.Player("three", 100)
	w.Why("group.not_sold", central.PlayerPrincipal(one), central.ProposeGroup{Player: one, Draw: euro, Lines: []central.Line{quick(5, 2)}, Receipts: 2})
	g := proposed(w, one, draw, 3, quick(5, 1))
	w.Why("principal.other", central.PlayerPrincipal(two), joining(g, three, 1))
	wrong := joining(g, two, 1)
	wrong.Invitation = strings.ToLower(wrong.Invitation)
	w.Why("group.unknown", central.PlayerPrincipal(two), wrong)
	joined(w, g, two, 1)
	w.Why("group.joined", central.PlayerPrincipal(two), joining(g, two, 1))
	w.Why("group.joined", central.PlayerPrincipal(one), joining(g, one, 1))
	w.Why("group.full", central.PlayerPrincipal(three), joining(g, three, 2))
	w.Why("group.unknown", central.PlayerPrincipal(three), central.LeaveGroup{Player: three, Draw: draw, Group: g.Group})
	w.Why("group.unknown", central.PlayerPrincipal(two), central.PlayGroup{Player: two, Draw: draw, Group: g.Group, Cents: 146})
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for _, c := range []struct {
		player     int64
		invitation string
		sees       bool
	}{{one, "", true}, {two, "", true}, {three, "", false}, {three, "x", false}, {three, g.Invitation, true}} {
		s, err := central.ReadGroup(t.Context(), snap, draw, g.Group, c.player, c.invitation)
		if (err == nil) != c.sees || err == nil && !reflect.DeepEqual(s.Lines, []central.Line{quick(5, 1)}) {
			t.Errorf("player %d with %q: %+v, %v", c.player, c.invitation, s, err)
		}
	}
}
