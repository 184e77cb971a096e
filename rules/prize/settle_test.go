package prize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// situations lists every table with the terms in which it takes another path.
func situations() map[string]struct {
	t     prize.Table
	terms prize.Terms
} {
	all := named()
	for _, name := range []string{"euromillions 2016", "euromillions 2020"} {
		c := all[name]
		limit := c.t.Jackpot.Cap
		for situation, cycle := range map[string]prize.Cycle{
			"first draw":    {Position: 1},
			"late":          {Position: 9, Carry: 77_777_777_77},
			"after a super": {Position: 3, Carry: 131 * million, AfterSuper: true},
			"overflow":      {Position: 12, Carry: limit - 33_33, Capped: 0},
			"fifth capped":  {Position: 16, Carry: limit, Capped: 4},
		} {
			c := c
			c.terms.Cycle = cycle
			all[name+", "+situation] = c
		}
		c.terms.Super, c.terms.Codes = 130*million, 25*million
		all[name+", super jackpot"] = c
	}
	c := all["loto 2017"]
	c.terms.Position = 35
	all["loto 2017, last roll-over"] = c
	return all
}

// Nothing panics, every cent is placed and the money of each empty rank lands where the rules send it: all 2¹³ patterns of empty ranks of Euro
// Millions, in seven situations; all 2⁹ of the Loto tables and 2¹⁰ of Étoile+.
func TestCase12EveryPatternOfEmptyRanks(t *testing.T) {
	for name, c := range situations() {
		n := len(c.t.Ranks)
		for pattern := range 1 << n {
			winners := make(prize.Winners, n)
			for k := range winners {
				if pattern>>k&1 == 1 {
					winners[k] = 1 + int64(k*k*k)*7
				}
			}
			s := settle(t, c.t, c.terms, winners)
			audit(t, c.t, c.terms, winners, s)
			if (n < 13 || pattern%8 == 0) && !strings.HasSuffix(name, "last roll-over") {
				checkReference(t, c.t, c.terms, winners, s)
			}
			if t.Failed() {
				t.Fatalf("%s, winners %v: %+v", name, winners, s)
			}
		}
	}
}

// With no winner at all, the whole fund stands on named accounts: carried, in the booster, in the reserve.
func TestNobodyWins(t *testing.T) {
	terms := prize.Terms{Cycle: prize.Cycle{Position: 2, Carry: 20 * million}, Fund: 100 * million}
	s := settle(t, euromillions2016(), terms, make(prize.Winners, 13))
	want := []prize.Move{
		{prize.Outside, prize.Prizes, 100 * million, prize.WhyOutside},
		{prize.Carry, prize.Prizes, 20 * million, prize.WhyCarryIn},
		{prize.Prizes, prize.Super, 4_800_000_00, prize.WhyBooster},
		{prize.Prizes, prize.Carry, 63_200_000_00, prize.WhyCarryOut},
		{prize.Prizes, prize.Reserve, 52 * million, prize.WhyEmptyLast},
	}
	if !slices.Equal(s.Moves, want) {
		t.Errorf("moves %v, want %v", s.Moves, want)
	}
	if last := s.Events[len(s.Events)-1]; last != (prize.Event{Kind: prize.EventEmpty, Rank: 13, Cents: 52 * million}) {
		t.Errorf("last event %+v", last)
	}
}

// 0, 1, 2, 45 winners at every rank: prizes are sized by the winners there are, never by those expected.
func TestCase11WinnersAtEveryRank(t *testing.T) {
	for name, c := range situations() {
		for k := range c.t.Ranks {
			for _, n := range []int64{0, 1, 2, 45} {
				winners := make(prize.Winners, len(c.t.Ranks))
				for j := range winners {
					winners[j] = int64(j * 1000)
				}
				winners[k] = n
				s := settle(t, c.t, c.terms, winners)
				audit(t, c.t, c.terms, winners, s)
				if n > 0 && s.Amount[k] != s.Unit[k]*money.Cents(n) {
					t.Errorf("%s: rank %d: %d × %v is not %v", name, k+1, n, s.Unit[k], s.Amount[k])
				}
				if t.Failed() {
					t.Fatalf("%s: %d winners at rank %d", name, n, k+1)
				}
			}
		}
	}
}

func find(moves []prize.Move, why prize.Why) (found []prize.Move) {
	for _, m := range moves {
		if m.Why == why {
			found = append(found, m)
		}
	}
	return found
}

// 10 M€ over three winners is 3 333 334 € each; the 2 € stand on the counterpart fund. What floors leave goes through the crumbs to the reserve.
func TestCase13TheDifferenceHasAnAccount(t *testing.T) {
	c := named()["loto 2017"]
	s := settle(t, c.t, c.terms, prize.Winners{3, 0, 0, 0, 0, 0, 0, 0, 0})
	if s.Unit[0] != 3_333_334_00 {
		t.Errorf("rank 1 pays %v", s.Unit[0])
	}
	if got, want := find(s.Moves, prize.WhyRoundUp), []prize.Move{{prize.Counterpart, prize.Prizes, 2_00, prize.WhyRoundUp}}; !slices.Equal(got, want) {
		t.Errorf("rounding %v, want %v", got, want)
	}
	if !prize.WhyRoundUp.Assumed() || prize.WhyShare.Assumed() {
		t.Error("who pays the rounding is assumed, the winners' share is not")
	}

	// 100,00 € of pool, rank 10 alone takes all: 3 × 33,30 € and 0,10 € of crumbs.
	s = settle(t, etoilePlus2016(), prize.Terms{Fund: 100_00}, prize.Winners{9: 3})
	want := []prize.Move{{prize.Prizes, prize.Crumbs, 10, prize.WhyCrumbs}, {prize.Crumbs, prize.Reserve, 10, prize.WhyCrumbs}}
	if got := find(s.Moves, prize.WhyCrumbs); s.Unit[9] != 33_30 || !slices.Equal(got, want) {
		t.Errorf("unit %v, crumbs %v", s.Unit[9], got)
	}
}

// What one rank receives no other keeps: a jackpot that is spread, rolled down or overflows is paid once.
func TestCase15TheSplitSumIsPaidOnce(t *testing.T) {
	grand := named()["grand loto 2017"]
	bases := settle(t, grand.t, grand.terms, prize.Winners{1, 4, 94, 713, 4107, 33375, 61901, 502554, 870296})
	spread := settle(t, grand.t, grand.terms, prize.Winners{0, 4, 94, 713, 4107, 33375, 61901, 502554, 870296})
	crumbs := find(spread.Moves, prize.WhyCrumbs)[0].Cents
	if bases.Due() != spread.Due()+crumbs {
		t.Errorf("won %v, spread %v with crumbs of %v", bases.Due(), spread.Due(), crumbs)
	}

	c := situations()["euromillions 2016, fifth capped"]
	winners := counts("0 3 16 52 1068 2515 2566 38002 53715 121412 211329 824779 1862827")
	s := settle(t, c.t, c.terms, winners)
	if s.Next.Carry != 0 || s.Next.Position != 1 || s.Published[0] != 0 {
		t.Errorf("rank 1 keeps %v, next %+v", s.Published[0], s.Next)
	}
	if s.Amount[1] < c.t.Jackpot.Cap || s.Amount[1] > c.t.Jackpot.Cap+c.terms.Fund {
		t.Errorf("rank 2 receives %v", s.Amount[1])
	}
}

// Ranks and gains are those of the table in force on the day of the draw: another one contradicts what was published.
func TestCase17TheTableOfTheDay(t *testing.T) {
	for _, g := range goldens() {
		other := euromillions2020()
		if g.date >= "2020-02-04" {
			other = euromillions2016()
		}
		if _, _, err := prize.FundWindow(other, g.terms, counts(g.winners), euros(g.gains)); err == nil {
			t.Errorf("%s: the other version's shares give the gains too", g.date)
		}
	}
	winners := counts("0 0 48 181 1732 9799 27734 151855 433301") // 25/02/2019
	gains := euros("4000000 100000 1000 500 50 20 10 5 2.2")
	if err := prize.CheckFixed(loto2017(), prize.Terms{}, winners, gains); err != nil {
		t.Error(err)
	}
	if err := prize.CheckFixed(superLoto2017(), prize.Terms{}, winners, gains); err == nil {
		t.Error("the gains of a Super Loto agree with those of a Loto")
	}
}

// The two published Grand Loto de Noël, both spread.
func TestGoldenGrandLoto(t *testing.T) {
	for _, g := range []struct {
		date           string
		jackpot        money.Cents
		winners, gains string
	}{
		{"2017-12-22", 20 * million, "0 0 74 663 3459 31769 51260 471623 678474", "20000000 200000 10540.5 3549.7 275.7 137.5 73.8 36.6 12.3"},
		{"2018-12-25", 15 * million, "0 4 94 713 4107 33375 61901 502554 870296", "15000000 248000 6228.7 3232.1 247.8 126.7 57.2 30.2 9.2"},
	} {
		terms := prize.Terms{Cycle: prize.Cycle{Jackpot: g.jackpot}}
		s := settle(t, grandLoto2017(), terms, counts(g.winners))
		if !slices.Equal(s.Published, euros(g.gains)) {
			t.Errorf("%s: %v, published %s", g.date, s.Published, g.gains)
		}
		if s.Next != (prize.Cycle{Position: 1, Jackpot: 2 * million}) {
			t.Errorf("%s: next %+v", g.date, s.Next)
		}
		audit(t, grandLoto2017(), terms, counts(g.winners), s)
	}
}

// Ranks 3 and 4 of 14 August 2021 would have paid 403.00 and 435.80: they pay 403.10 both.
func TestGoldenMergedRanks(t *testing.T) {
	winners := counts("0 1 134 447 3163 18754 43780 274397 692759")
	gains := euros("14000000 208298.8 403.1 403.1 34.6 21 7 4.4 2.2")
	lo, hi, err := prize.FundWindow(loto2019(), prize.Terms{}, winners, gains)
	if err != nil {
		t.Fatal(err)
	}
	terms := prize.Terms{Cycle: prize.Cycle{Jackpot: 14 * million}, Fund: lo}
	s := settle(t, loto2019(), terms, winners)
	if !slices.Equal(s.Published, gains) || s.Events[0].Kind != prize.EventMerge {
		t.Errorf("pool %v–%v: %v, %v", lo, hi, s.Published, s.Events)
	}
	left := loto2019()
	left.MergeInverted = false
	if s := settle(t, left, terms, winners); s.Unit[2] >= s.Unit[3] {
		t.Errorf("left as they are: %v and %v", s.Unit[2], s.Unit[3])
	}
}

// The jackpot of Loto from one draw to the next, Super and Grand Loto in their places.
func TestNextLotoJackpot(t *testing.T) {
	nobody, one := prize.Winners{8: 5}, prize.Winners{0: 1, 8: 5}
	for _, c := range []struct {
		name    string
		t       prize.Table
		now     prize.Cycle
		winners prize.Winners
		next    prize.Cycle
	}{
		{"unwon", loto2017(), prize.Cycle{Position: 3, Jackpot: 4 * million}, nobody, prize.Cycle{Position: 4, Jackpot: 5 * million}},
		{"won", loto2017(), prize.Cycle{Position: 3, Jackpot: 4 * million}, one, prize.Cycle{Position: 1, Jackpot: 2 * million}},
		{"not followed", loto2017(), prize.Cycle{Jackpot: 4 * million}, nobody, prize.Cycle{Jackpot: 5 * million}},
		{"Super Loto unwon", superLoto2017(), prize.Cycle{Position: 6, Jackpot: 13 * million}, nobody, prize.Cycle{Position: 7, Jackpot: 14 * million}},
		{"Super Loto won", superLoto2017(), prize.Cycle{Position: 6, Jackpot: 13 * million}, one, prize.Cycle{Position: 1, Jackpot: 2 * million}},
		{"34th roll-over", loto2017(), prize.Cycle{Position: 34, Jackpot: 35 * million}, nobody, prize.Cycle{Position: 35, Jackpot: 36 * million}},
		{"no 35th", loto2017(), prize.Cycle{Position: 35, Jackpot: 36 * million}, nobody, prize.Cycle{Position: 1, Jackpot: 2 * million}},
	} {
		s := settle(t, c.t, prize.Terms{Cycle: c.now}, c.winners)
		if s.Next != c.next {
			t.Errorf("%s: next %+v, want %+v", c.name, s.Next, c.next)
		}
	}
	// 36 M€ over the five winners of rank 9, on top of 2,20 €.
	s := settle(t, loto2017(), prize.Terms{Cycle: prize.Cycle{Position: 35, Jackpot: 36 * million}}, nobody)
	if s.Unit[8] != 7_200_002_20 || s.Events[0] != (prize.Event{Kind: prize.EventRollDown, Rank: 1, To: 9, Cents: 36 * million}) {
		t.Errorf("rolled down: %v, %v", s.Unit[8], s.Events)
	}
}

// The cap of 200 M€: reached, held for five draws, raised when the capped jackpot is won.
func TestCap(t *testing.T) {
	table := euromillions2020()
	winners := counts("0 3 16 52 1068 2515 2566 38002 53715 121412 211329 824779 1862827")
	terms := prize.Terms{Cycle: prize.Cycle{Position: 12, Carry: 190 * million}, Fund: 50 * million}
	for draw := 1; draw <= 5; draw++ {
		s := settle(t, table, terms, winners)
		audit(t, table, terms, winners, s)
		wantNext := prize.Cycle{Position: 12 + draw, Jackpot: 200 * million, Carry: 200 * million, Capped: draw}
		if draw == 5 {
			wantNext = prize.Cycle{Position: 1, Jackpot: 17 * million}
		}
		if s.Next != wantNext {
			t.Fatalf("draw %d at the cap: next %+v, want %+v", draw, s.Next, wantNext)
		}
		won := slices.Clone(winners)
		won[0] = 1
		if s := settle(t, table, terms, won); s.Unit[0] != 200*million || s.Next != (prize.Cycle{Position: 1, Jackpot: 17 * million, Cap: 210 * million}) {
			t.Fatalf("draw %d at the cap, won: %v, next %+v", draw, s.Unit[0], s.Next)
		}
		terms.Cycle = s.Next
	}
	terms = prize.Terms{Cycle: prize.Cycle{Position: 12, Carry: 249 * million, Cap: 250 * million}, Fund: 50 * million}
	winners[0] = 1
	if s := settle(t, table, terms, winners); s.Next.Cap != 250*million {
		t.Errorf("a cap of 250 M€ becomes %v", s.Next.Cap)
	}
	terms = prize.Terms{Cycle: prize.Cycle{Position: 12, Carry: 189 * million}, Fund: 50 * million}
	if s := settle(t, euromillions2016(), terms, winners); s.Next.Cap != 0 {
		t.Errorf("the cap of 2016 is raised to %v", s.Next.Cap)
	}
}

// Official gains stand in the place of the computed ones; the difference is on a named account.
func TestOfficialGains(t *testing.T) {
	official := euros("8000000 12914.50 577.80 389.50 40.40 20.90 8.00 4.20 2.20") // Loto, 22 June 2020
	terms := prize.Terms{Cycle: prize.Cycle{Position: 7, Jackpot: 8 * million}, Stakes: 1320_00, Official: official}
	winners := counts("1 9 5 45 0 0 4 36 50")
	s := settle(t, loto2019(), terms, winners)
	audit(t, loto2019(), terms, winners, s)
	if !slices.Equal(s.Published, official) || s.Unit[4] != 0 || s.Unit[1] != 12_914_50 {
		t.Errorf("published %v", s.Published)
	}
	if s.Next != (prize.Cycle{Position: 1, Jackpot: 2 * million}) {
		t.Errorf("next %+v", s.Next)
	}

	g := goldens()[3]
	euro := g.terms
	euro.Stakes, euro.Official = 660*2_20, euros(g.gains)
	s = settle(t, g.table, euro, counts(g.winners))
	audit(t, g.table, euro, counts(g.winners), s)
	if !slices.Equal(s.Unit, euro.Official) || s.Next.Carry != 0 || s.Events[0].Kind != prize.EventUnknown {
		t.Errorf("units %v, next %+v, events %v", s.Unit, s.Next, s.Events)
	}
	unwon := counts(g.winners)
	unwon[0] = 0
	s = settle(t, g.table, euro, unwon)
	audit(t, g.table, euro, unwon, s)
	if s.Next.Carry != euro.Carry || s.Next.Position != euro.Position+1 {
		t.Errorf("next %+v", s.Next)
	}

	// With the fund, a rank may be left to be computed, and the cycle goes on.
	euro.Fund = 31_237_440_00
	euro.Official[0], euro.Official[5] = prize.Computed, 100_10
	s = settle(t, g.table, euro, counts(g.winners))
	audit(t, g.table, euro, counts(g.winners), s)
	want := []prize.Move{{prize.Outside, prize.Prizes, 2091 * 10, prize.WhyOfficial}}
	if got := find(s.Moves, prize.WhyOfficial); s.Unit[0]/100 != 87_021_202 && s.Unit[0]/100 != 87_021_203 || !slices.Equal(got, want) {
		t.Errorf("rank 1 %v, difference %v", s.Unit[0], got)
	}
}

// What winners elsewhere are due leaves the prizes; the rest is what our own winners are due.
func TestElsewhere(t *testing.T) {
	c := named()["loto 2017"]
	s := settle(t, c.t, c.terms, counts("1 2 3 4 5 6 7 8 9"))
	moves, err := s.Elsewhere(counts("1 1 0 0 0 0 0 0 9"), 180_000_00)
	want := []prize.Move{{prize.Prizes, prize.Outside, 10*million + 100_000_00 + 19_80 + 180_000_00, prize.WhyElsewhere}}
	if err != nil || !slices.Equal(moves, want) {
		t.Errorf("%v, %v", moves, err)
	}
	if moves, err := s.Elsewhere(make(prize.Winners, 9), 0); err != nil || moves != nil {
		t.Errorf("nobody elsewhere: %v, %v", moves, err)
	}
	for _, bad := range []struct {
		w     prize.Winners
		codes money.Cents
	}{{counts("2 0 0 0 0 0 0 0 0"), 0}, {counts("0 -1 0 0 0 0 0 0 0"), 0}, {counts("1 1"), 0}, {make(prize.Winners, 9), 200_000_01}} {
		if _, err := s.Elsewhere(bad.w, bad.codes); err == nil {
			t.Errorf("accepted %v and %v", bad.w, bad.codes)
		}
	}
}

func drawTerms(r *rapid.T, table prize.Table) prize.Terms {
	amount := func(name string, most money.Cents) money.Cents {
		return money.Cents(rapid.Int64Range(0, int64(most)).Draw(r, name))
	}
	terms := prize.Terms{Stakes: amount("stakes", 50*million), OutsideStakes: amount("outside stakes", 50*million)}
	terms.Fund = 1 + terms.Stakes + amount("fund", 200*million)
	switch table.Model {
	case prize.European:
		terms.Position = rapid.IntRange(1, 40).Draw(r, "position")
		terms.Cap = rapid.SampledFrom([]money.Cents{0, 0, 190 * million, 230 * million}).Draw(r, "cap")
		limit := max(terms.Cap, table.Jackpot.Cap)
		if terms.Cap > 0 {
			limit = terms.Cap
		}
		if terms.Position > 1 {
			terms.Carry = amount("carry", limit)
			terms.AfterSuper = rapid.Bool().Draw(r, "after super")
			terms.Capped = rapid.IntRange(0, 4).Draw(r, "capped")
		}
		if rapid.IntRange(0, 4).Draw(r, "super?") == 0 {
			terms.Super = amount("super", limit)
		}
		terms.Codes = amount("codes", 25*million)
		return terms
	case prize.Pool:
		terms.Fund = 1 + amount("pool", 20*million)
	case prize.SidePool:
		return terms
	default:
		terms.Fund = 0
	}
	terms.Jackpot = 1 + amount("jackpot", 30*million)
	terms.Position = rapid.IntRange(0, 34).Draw(r, "position")
	terms.Codes = amount("codes", million)
	return terms
}

func drawWinners(r *rapid.T, n int) prize.Winners {
	winners := make(prize.Winners, n)
	for k := range winners {
		most := rapid.SampledFrom([]int64{0, 1, 3, 45, 1000, 3_000_000}).Draw(r, "most")
		winners[k] = rapid.Int64Range(0, most).Draw(r, fmt.Sprintf("winners at rank %d", k+1))
	}
	return winners
}

// Random terms and winners: every cent is placed and every gain is that of the rational reference.
func TestConservation(t *testing.T) {
	for name, c := range named() {
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			terms := drawTerms(r, c.t)
			winners := drawWinners(r, len(c.t.Ranks))
			s, err := prize.Settle(c.t, terms, winners)
			if err != nil {
				r.Fatal(err)
			}
			audit(r, c.t, terms, winners, s)
			checkReference(r, c.t, terms, winners, s)
			terms.Cycle, terms.Super = s.Next, 0
			if _, err := prize.Settle(c.t, terms, winners); err != nil {
				r.Fatalf("the next draw is refused: %v", err)
			}
		}))
	}
}
