package central_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"tirage/central"
	"tirage/games"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// night is a random evening: what is sold, what is drawn, on which terms.
type night struct {
	opening central.OpenDraw
	book    *rulebook.Rulebook // in force on the day of the draw
	players int
	buys    []func(player int64) central.Command
	groups  []groupNight
	terms   prize.Terms
	result  central.Result
	outside central.Outside
}

// nights are days of every table: game and day, of Loto and Super Loto before and after the packs, of Euro Millions on both sides of February 2020.
var nights = []struct {
	game, day   string
	exceptional bool
}{
	{"loto", "2018-11-05", false}, {"loto", "2020-06-22", false}, {"superloto", "2019-06-14", false}, {"grandloto", "2018-12-22", false},
	{"euromillions", "2018-11-02", false}, {"euromillions", "2020-06-23", false}, {"euromillions", "2018-10-31", true},
	{"loto", "2018-03-05", false}, {"euromillions", "2017-05-05", false},
}

// drawNight draws an evening.
func drawNight(t *rapid.T) night {
	day := rapid.SampledFrom(nights).Draw(t, "day")
	book, err := games.InForce(day.game, day.day)
	if err != nil {
		t.Fatal(err)
	}
	date, err := time.Parse(time.DateOnly, day.day)
	if err != nil {
		t.Fatal(err)
	}
	n := night{book: book, players: rapid.IntRange(1, 4).Draw(t, "players"), opening: central.OpenDraw{
		Game: day.game, Day: day.day, OpensAt: date.Add(8 * time.Hour), ClosesAt: date.Add(18 * time.Hour), Exceptional: day.exceptional, Reconstructed: true,
	}}
	n.result = central.Result{Main: numbers(t, book.Matrix.Main, book.Matrix.MainOf, "main"), Extra: numbers(t, book.Matrix.Extra, book.Matrix.ExtraOf, "extra")}
	n.drawSales(t)
	n.drawTerms(t)
	if rapid.Bool().Draw(t, "elsewhere") {
		for range book.Prizes.Ranks {
			n.outside.Winners = append(n.outside.Winners, rapid.SampledFrom([]int64{0, 0, 1, 2, 7}).Draw(t, "outside"))
		}
	}
	n.drawAddedTerms(t)
	return n
}

// numbers draws k of n numbers.
func numbers(t *rapid.T, k, n int, label string) []int {
	return rapid.Permutation(seq(n)).Draw(t, label)[:k]
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i + 1
	}
	return s
}

// drawSales draws pack types and purchases; many chosen grids share numbers with the result, so that every rank is won now and then.
func (n *night) drawSales(t *rapid.T) {
	m := n.book.Matrix
	var types []central.PackOffer
	if n.book.Pack != nil {
		for i := range rapid.IntRange(0, 3).Draw(t, "types") {
			o := central.PackOffer{Type: fmt.Sprint("type", i), MaxPacks: rapid.Int64Range(1, 3).Draw(t, "packs"), Simples: rapid.IntRange(1, 12).Draw(t, "simples")}
			if rapid.Bool().Draw(t, "with a multiple") {
				o.Multiples = []string{combin.Format{Main: m.Main + 1, Extra: m.Extra + 1}.String()}
			}
			o.Shares = rapid.SampledFrom(wholeShares(int64(n.book.Sale.Price)*combinations(m, o))).Draw(t, "shares")
			for n := o.Shares % (o.Shares/16 + 1); n <= o.Shares; n += o.Shares/16 + 1 {
				if n > 0 {
					o.Formulas = append(o.Formulas, n)
				}
			}
			types = append(types, o)
		}
	}
	n.opening.Packs = types
	for range rapid.IntRange(0, 12).Draw(t, "purchases") {
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case (kind == 0 || kind == 4) && len(types) > 0:
			o := rapid.SampledFrom(types).Draw(t, "type")
			shares := rapid.SampledFrom(o.Formulas).Draw(t, "of")
			n.buys = append(n.buys, func(player int64) central.Command {
				return central.BuyShares{Player: player, Draw: n.id(), Type: o.Type, Shares: shares}
			})
		case kind == 1:
			f := combin.Format{Main: m.Main + rapid.IntRange(0, 2).Draw(t, "more"), Extra: m.Extra}
			n.buyWith(t, central.Line{Quick: f})
		default:
			lines := make([]central.Line, rapid.IntRange(1, 3).Draw(t, "lines"))
			for i := range lines {
				lines[i].Grid = n.near(t)
			}
			n.buyWith(t, lines...)
		}
	}
	if n.book.Sale.GroupMax > 0 {
		for range rapid.IntRange(0, 2).Draw(t, "groups") {
			n.drawGroup(t)
		}
	}
}

// combinations returns the simple combinations of an offer.
func combinations(m combin.Matrix, o central.PackOffer) int64 {
	n := int64(o.Simples)
	if len(o.Multiples) > 0 {
		n += combin.Format{Main: m.Main + 1, Extra: m.Extra + 1}.Count(m)
	}
	return n
}

// wholeShares lists the numbers of shares, up to 40, that divide a price.
func wholeShares(price int64) (list []int64) {
	for n := int64(1); n <= 40; n++ {
		if price%n == 0 {
			list = append(list, n)
		}
	}
	return list
}

func (n *night) id() string { return central.DrawID(n.opening.Game, n.opening.Day) }

// buyWith buys grids with the games that go with them, now and then.
func (n *night) buyWith(t *rapid.T, lines ...central.Line) {
	var added []central.AddOn
	for _, game := range n.book.Sale.AddOns {
		if rapid.Bool().Draw(t, "with "+game) {
			a := central.AddOn{Game: game}
			if game == "jokerplus" {
				a.Stake = rapid.SampledFrom([]money.Cents{100, 200}).Draw(t, "stake")
				right := rapid.IntRange(0, 7).Draw(t, "digits right")
				a.Number = rapid.StringMatching("([0-9]{7})?").Draw(t, "number")
				if a.Number != "" {
					a.Number = a.Number[:7-right] + jokerDrawn[7-right:]
				}
			}
			added = append(added, a)
		}
	}
	n.buys = append(n.buys, func(player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: n.id(), Lines: lines, AddOns: added}
	})
}

// jokerDrawn is the number of Joker+ of 29 October 2018.
const jokerDrawn = "5697395"

// drawAddedTerms draws what is known of the games that are added to plays: the number of Joker+, the pool of Étoile+ and its winners elsewhere.
func (n *night) drawAddedTerms(t *rapid.T) {
	switch {
	case slices.Contains(n.book.Sale.AddOns, "jokerplus"):
		n.result.Joker = jokerDrawn
	case slices.Contains(n.book.Sale.AddOns, "etoileplus") && rapid.Bool().Draw(t, "Étoile+ elsewhere"):
		n.terms.AddOns = map[string]prize.Terms{"etoileplus": {OutsideStakes: money.Cents(rapid.Int64Range(0, 90_000_000).Draw(t, "stakes elsewhere"))}}
		winners := make(prize.Winners, 10)
		for i := range winners {
			winners[i] = rapid.Int64Range(0, 5).Draw(t, "Étoile+ outside")
		}
		n.outside.AddOns = map[string]prize.Winners{"etoileplus": winners}
	}
}

// near draws a grid that has some numbers of the result.
func (n *night) near(t *rapid.T) combin.Combination {
	m := n.book.Matrix
	pick := func(drawn []int, k, of int, label string) []int {
		hits := rapid.IntRange(0, len(drawn)).Draw(t, label)
		set := map[int]bool{}
		for _, x := range drawn[:hits] {
			set[x] = true
		}
		for _, x := range rapid.Permutation(seq(of)).Draw(t, label+" others") {
			if len(set) < k {
				set[x] = true
			}
		}
		var out []int
		for x := range set {
			out = append(out, x)
		}
		return out
	}
	more := rapid.IntRange(0, 1).Draw(t, "multiple")
	c, err := combin.Of(pick(n.result.Main, m.Main+more, m.MainOf, "hits"), pick(n.result.Extra, m.Extra, m.ExtraOf, "extra hits"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// drawTerms draws terms of the model, or gains given as of a draw of the past.
func (n *night) drawTerms(t *rapid.T) {
	jackpot := money.Cents(rapid.Int64Range(1, 40).Draw(t, "jackpot")) * 100_000_000
	n.terms = prize.Terms{Cycle: prize.Cycle{Position: 1, Jackpot: jackpot}}
	if n.book.Prizes.Model == prize.European {
		n.terms.Position = rapid.IntRange(1, 6).Draw(t, "position")
		if n.terms.Position > 1 {
			n.terms.Carry = jackpot
		}
		n.terms.Jackpot = 0
	}
	pooled := n.book.Prizes.Model == prize.European || n.book.Prizes.Model == prize.Pool
	if rapid.IntRange(0, 3).Draw(t, "official") == 0 {
		for range n.book.Prizes.Ranks {
			n.terms.Official = append(n.terms.Official, money.Cents(rapid.Int64Range(0, 100_000_000).Draw(t, "gain")))
		}
		pooled = pooled && rapid.Bool().Draw(t, "fund known")
	}
	if pooled {
		n.terms.Fund = money.Cents(rapid.Int64Range(10_000_000, 9_000_000_000).Draw(t, "fund"))
	}
}

// drawCodes draws winning codes: some of those that were issued, some that were not.
func (n *night) drawCodes(t *rapid.T, bought []central.Bought) {
	n.result.Codes = map[string][]string{}
	for _, b := range bought {
		for _, run := range b.Codes {
			code := rapid.SampledFrom(append([]string{run.First, run.Last, ""}, run.All...)).Draw(t, "code")
			if code == "" || len(n.result.Codes[run.Series]) == 3 || contains(n.result.Codes[run.Series], code) {
				continue
			}
			n.result.Codes[run.Series] = append(n.result.Codes[run.Series], code)
		}
	}
	if rapid.Bool().Draw(t, "a code that nobody has") {
		if n.opening.Game == "euromillions" {
			n.result.Codes["mymillion"] = append(n.result.Codes["mymillion"], "ZZ 999 9999")
		} else {
			series := n.book.Codes[0].ID
			n.result.Codes[series] = append(n.result.Codes[series], "Z 9999 9999")
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// play takes the evening from the opening to the notice; the books are checked after each step. The winning codes are drawn the first time.
func (n *night) play(t *rapid.T, w *storetest.World) (bought []central.Bought, count *central.Count) {
	w.Clock.Set(n.opening.OpensAt.Add(-time.Hour))
	var players []int64
	for i := range n.players {
		players = append(players, w.Player(fmt.Sprint("player ", i), 2000))
	}
	w.Open(n.opening)
	w.Clock.Set(n.opening.OpensAt)
	for i, b := range n.buys {
		cmd := b(players[i%len(players)])
		r, err := w.Try("system", cmd)
		switch code := central.CodeOf(err); {
		case code == central.SoldOut || code == central.Insufficient:
			continue
		case err != nil:
			t.Fatalf("%+v: %v", cmd, err)
		}
		var out central.Bought
		storetest.Result(w, r, &out)
		bought = append(bought, out)
	}
	for i := range n.groups {
		bought = append(bought, n.groups[i].play(t, w, n.id(), players)...)
	}
	w.CheckBooks()
	if n.result.Codes == nil {
		n.drawCodes(t, bought)
	}
	w.Clock.Set(n.opening.ClosesAt)
	count, _ = w.Evening(n.id(), n.terms, n.result, n.outside)
	return bought, count
}

// Whatever is sold and drawn at whatever terms: operator and control count the same, every cent is placed, the players have what they are due, and
// nothing is left in stakes and prizes.
func TestRandomEvenings(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := drawNight(rt)
		store := &mem.Store{}
		w := storetest.NewWorld(rapidTB{t, rt}, store)
		defer w.Register.Close()
		bought, count := n.play(rt, w)
		var staked, held money.Cents
		for _, b := range bought {
			staked += b.Cents
		}
		for _, r := range rows(w, store, central.Players) {
			held += r.(*central.Player).Balance
		}
		if want := money.Cents(200_000*n.players) - staked + count.Due; held != want {
			rt.Fatalf("players hold %v, want %v", held, want)
		}
		for _, a := range []ledger.Account{ledger.Stakes(n.id()), ledger.Prizes(n.id()), ledger.Crumbs(n.id())} {
			if left := account(w, string(a)); left != 0 {
				rt.Fatalf("%v are left in %s", left, a)
			}
		}
		var reserve money.Cents
		for _, cents := range count.Packs.Reserve {
			reserve += cents
		}
		if count.Gains != count.Due+reserve+count.Rounding() {
			rt.Fatalf("gains %v ≠ paid %v + reserve %v + rounding %v", count.Gains, count.Due, reserve, count.Rounding())
		}
	})
}

// The same evening twice leaves the same log, byte for byte, and the same tables.
func TestSameInputsSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := drawNight(rt)
		run := func() (root, tables string, bodies []string) {
			w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{})
			defer w.Register.Close()
			n.play(rt, w)
			var tree logbook.Tree
			for _, r := range rows(w, w.Store, central.Leaves) {
				l := r.(*central.LeafRow)
				bodies = append(bodies, string(l.Body))
				tree.Add(logbook.Hash(l.Salt, l.Body))
			}
			return tree.Root().String(), dump(w), bodies
		}
		root, tables, bodies := run()
		again, tablesAgain, bodiesAgain := run()
		if diff := cmp.Diff(bodies, bodiesAgain); diff != "" {
			rt.Fatalf("leaves differ:\n%s", diff)
		}
		if root != again || tables != tablesAgain {
			rt.Fatal("roots or tables differ")
		}
	})
}
