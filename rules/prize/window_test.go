package prize_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// pooled returns the tables that have a fund, and terms in which rank 1 of Euro Millions stays far from its cap.
func pooled(r *rapid.T) (prize.Table, prize.Terms) {
	c := named()[rapid.SampledFrom([]string{"loto 2019", "euromillions 2016", "euromillions 2020", "étoile+ 2016", "étoile+ 2020"}).Draw(r, "table")]
	c.terms.Stakes, c.terms.OutsideStakes, c.terms.Fund = 0, 0, 0
	return c.t, c.terms
}

// lower returns the gains that depend on the fund.
func lower(t prize.Table, gains []money.Cents) []money.Cents {
	if t.Model == prize.SidePool {
		return gains
	}
	return gains[1:]
}

// search tries every fund from 1 to most and returns the first and the last that give the gains; it fails when they don't hang together.
func search(r *rapid.T, t prize.Table, terms prize.Terms, winners prize.Winners, gains []money.Cents, most money.Cents) (lo, hi money.Cents, found bool) {
	for fund := money.Cents(1); fund <= most; fund++ {
		terms.Fund = fund
		s, err := prize.Settle(t, terms, winners)
		if err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(lower(t, s.Published), lower(t, gains)) {
			continue
		}
		if found && hi != fund-1 {
			r.Fatalf("funds %v and %v, not those between", hi, fund)
		}
		if !found {
			lo, found = fund, true
		}
		hi = fund
	}
	return lo, hi, found
}

// The closed form agrees with a search over every fund of a small draw, with gains and counts as they come out and with one of them changed.
func TestFundWindowAgainstSearch(t *testing.T) {
	contradicted, agreed := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		table, terms := pooled(r)
		winners := make(prize.Winners, len(table.Ranks))
		for k := range winners {
			winners[k] = rapid.Int64Range(0, 4).Draw(r, "winners")
		}
		const most = 2_500
		terms.Fund = money.Cents(rapid.Int64Range(1, most-1_000).Draw(r, "fund"))
		s, err := prize.Settle(table, terms, winners)
		if err != nil {
			r.Fatal(err)
		}
		gains := slices.Clone(s.Published)
		k := rapid.IntRange(1, len(gains)-1).Draw(r, "rank")
		switch rapid.IntRange(0, 3).Draw(r, "change") {
		case 1:
			gains[k] += 10
		case 2:
			gains[k] = max(0, gains[k]-10)
		case 3:
			winners[k]++
		}
		lo, hi, found := search(r, table, terms, winners, gains, most)
		gotLo, gotHi, err := prize.FundWindow(table, terms, winners, gains)
		if hi == most || (err == nil && gotHi > most) {
			return // the window goes on where the search stops
		}
		if _, contradiction := errors.AsType[*prize.Contradiction](err); found == contradiction || (err != nil && !contradiction) {
			r.Fatalf("search found %v, closed form %v", found, err)
		}
		if found && (max(gotLo, 1) != lo || gotHi != hi) {
			r.Fatalf("search %v–%v, closed form %v–%v", lo, hi, gotLo, gotHi)
		}
		if found {
			agreed++
		} else {
			contradicted++
		}
	})
	if agreed == 0 || contradicted == 0 {
		t.Errorf("%d agreed, %d contradicted: both kinds were to be tried", agreed, contradicted)
	}
}

// The fund is always in the window of the gains that it gives, at any size.
func TestFundWindowHoldsTheFund(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		table, terms := pooled(r)
		winners := drawWinners(r, len(table.Ranks))
		terms.Fund = money.Cents(rapid.Int64Range(1, int64(100*million)).Draw(r, "fund"))
		s, err := prize.Settle(table, terms, winners)
		if err != nil {
			r.Fatal(err)
		}
		lo, hi, err := prize.FundWindow(table, terms, winners, s.Published)
		if err != nil || terms.Fund < lo || terms.Fund > hi {
			r.Fatalf("fund %v, window %v–%v, %v", terms.Fund, lo, hi, err)
		}
		for fund, want := range map[money.Cents]bool{lo: true, hi: true, lo - 1: false, hi + 1: false} {
			if fund < 1 || fund > prize.Bound {
				continue
			}
			terms.Fund = fund
			again, err := prize.Settle(table, terms, winners)
			if err != nil {
				r.Fatal(err)
			}
			if slices.Equal(lower(table, again.Published), lower(table, s.Published)) != want {
				r.Fatalf("window %v–%v: fund %v", lo, hi, fund)
			}
		}
	})
}

// An overflow says nothing of the fund, but a gain of rank 2 that only an overflow explains is refused where the cap is far.
func TestFundWindowAtTheCap(t *testing.T) {
	g := goldens()[4]
	if _, _, err := prize.FundWindow(g.table, g.terms, counts(g.winners), euros(g.gains)); err != nil {
		t.Error(err)
	}
	far := prize.Terms{Cycle: prize.Cycle{Position: 20, Carry: 150 * million}}
	_, _, err := prize.FundWindow(g.table, far, counts(g.winners), euros(g.gains))
	c, ok := errors.AsType[*prize.Contradiction](err)
	if !ok || c.Culprit != 2 {
		t.Errorf("the cap is far: %v", err)
	}
}

// An overflow too small to show in the gain of rank 2 leaves the window of ranks 3–13.
func TestFundWindowWithASmallOverflow(t *testing.T) {
	g := goldens()[4]
	terms := prize.Terms{Cycle: prize.Cycle{Position: 20}, Fund: 49_868_400_00}
	terms.Carry = 190*million - terms.Fund*27/100 + 1 // over the cap by one cent
	s := settle(t, g.table, terms, counts(g.winners))
	lo, hi, err := prize.FundWindow(g.table, terms, counts(g.winners), s.Published)
	if err != nil || lo.String() != g.lo || hi.String() != g.hi {
		t.Errorf("%v–%v, %v, want %s–%s", lo, hi, err, g.lo, g.hi)
	}
}

// Each gain of the real draws 0.10 € higher or lower leaves no fund, and neither does 5 % more or fewer winners at any rank; the rank is named.
func TestContradictionsOfRealDraws(t *testing.T) {
	detected, of := 0, 0
	for _, g := range goldens() {
		for k := 2; k < 13; k++ {
			for change := range 4 {
				winners, gains := counts(g.winners), euros(g.gains)
				five := max(1, winners[k]/20)
				switch change {
				case 0:
					gains[k] += 10
				case 1:
					gains[k] = max(0, gains[k]-10)
				case 2:
					winners[k] += five
				case 3:
					winners[k] = max(0, winners[k]-five)
				}
				if slices.Equal(winners, counts(g.winners)) && slices.Equal(gains, euros(g.gains)) {
					continue
				}
				of++
				_, _, err := prize.FundWindow(g.table, g.terms, winners, gains)
				if c, ok := errors.AsType[*prize.Contradiction](err); ok {
					detected++
					if c.Rank < 2 || !strings.Contains(c.Error(), "rank ") {
						t.Errorf("%s: %v", g.date, err)
					}
				}
			}
		}
	}
	t.Logf("%d of %d changes detected", detected, of)
	if detected*100 < of*95 {
		t.Errorf("%d of %d changes detected", detected, of)
	}
}

// Winners of a second export that is 0.3–0.5 % short fit no common fund.
func TestCase43ShortCountsAreRefused(t *testing.T) {
	for _, g := range goldens() {
		winners := counts(g.winners)
		for k := range winners {
			winners[k] -= winners[k] * int64(3+k%3) / 1000
		}
		if _, _, err := prize.FundWindow(g.table, g.terms, winners, euros(g.gains)); err == nil {
			t.Errorf("%s: accepted", g.date)
		}
	}
}

func TestCheckFixedNamesTheRank(t *testing.T) {
	winners := counts("2 0 85 1050 4715 49718 65402 708925 770519") // Super Loto, 13 July 2018, two winners supposed
	gains := euros("6500000 150000 2000 1000 100 50 20 10 3")
	if err := prize.CheckFixed(superLoto2017(), prize.Terms{}, winners, gains); err != nil {
		t.Error(err)
	}
	if err := prize.CheckFixed(superLoto2017(), prize.Terms{Cycle: prize.Cycle{Jackpot: 13 * million}}, winners, gains); err != nil {
		t.Error(err)
	}
	for k := range gains {
		wrong := slices.Clone(gains)
		wrong[k] += 10
		err := prize.CheckFixed(superLoto2017(), prize.Terms{}, winners, wrong)
		if c, ok := errors.AsType[*prize.Contradiction](err); !ok || c.Rank != k+1 {
			t.Errorf("rank %d: %v", k+1, err)
		}
	}
	if err := prize.CheckSpread(superLoto2017(), prize.Terms{}, winners, gains); err == nil {
		t.Error("a fixed table was checked as one that must be won")
	}
	if _, _, err := prize.FundWindow(superLoto2017(), prize.Terms{}, winners, gains); err == nil {
		t.Error("a fixed table has a fund")
	}
}

// Rank 1 of the pooled Loto is compared with the announced jackpot where that is known, its fixed rank always.
func TestFundWindowChecksFixedGains(t *testing.T) {
	winners := counts("4 1 134 447 3163 18754 43780 274397 692759")
	gains := euros("1750000 208298.8 403.1 403.1 34.6 21 7 4.4 2.2")
	for _, c := range []struct {
		jackpot money.Cents
		rank    int
		gain    money.Cents
		want    int
	}{{0, 0, 0, 0}, {7 * million, 0, 0, 0}, {8 * million, 0, 0, 1}, {0, 9, 2_30, 9}, {0, 9, 0, 9}} {
		gains := slices.Clone(gains)
		if c.rank > 0 {
			gains[c.rank-1] = c.gain
		}
		_, _, err := prize.FundWindow(loto2019(), prize.Terms{Cycle: prize.Cycle{Jackpot: c.jackpot}}, winners, gains)
		found, ok := errors.AsType[*prize.Contradiction](err)
		if ok != (c.want > 0) || (ok && found.Rank != c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
