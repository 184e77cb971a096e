package prize_test

import (
	"strconv"
	"strings"
	"testing"

	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// The tables of the rulebooks, typed once more: package games, which reads the files, stands above this one.

const million = 1_000_000 * money.Euro

var lotoMatrix = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}

func lotoRanks(fixed [9]money.Cents, shares [9]prize.BP) []prize.Rank {
	hits := [9][]prize.Hits{{{5, 1}}, {{5, 0}}, {{4, 1}}, {{4, 0}}, {{3, 1}}, {{3, 0}}, {{2, 1}}, {{2, 0}}, {{1, 1}, {0, 1}}}
	ways := [9]int64{1, 9, 220, 1980, 9460, 85140, 132440, 1191960, 1764763}
	ranks := make([]prize.Rank, 9)
	for k := range ranks {
		ranks[k] = prize.Rank{Number: k + 1, Hits: hits[k], Ways: ways[k], Fixed: fixed[k], Share: shares[k]}
	}
	return ranks
}

var lotoJackpot = prize.Jackpot{Start: 2 * million, AfterWin: 2 * million, Step: million, RoundUp: money.Euro, MaxRolls: 34}

func loto2017() prize.Table {
	return prize.Table{
		Model: prize.Fixed, Matrix: lotoMatrix, Jackpot: lotoJackpot, WinnersShare: 5475, Endowment: 25,
		Ranks: lotoRanks([9]money.Cents{0, 100_000_00, 1_000_00, 500_00, 50_00, 20_00, 10_00, 5_00, 2_20}, [9]prize.BP{}),
	}
}

func superLoto2017() prize.Table {
	t := loto2017()
	t.Jackpot.Start = 13 * million
	t.Ranks = lotoRanks([9]money.Cents{0, 150_000_00, 2_000_00, 1_000_00, 100_00, 50_00, 20_00, 10_00, 3_00}, [9]prize.BP{})
	return t
}

func grandLoto2017() prize.Table {
	t := loto2017()
	t.Model, t.GainStep = prize.Spread, 10
	t.Jackpot = prize.Jackpot{Start: 15 * million, AfterWin: 2 * million, RoundUp: money.Euro, MustBeWon: true}
	t.Ranks = lotoRanks([9]money.Cents{0, 200_000_00, 5_000_00, 2_500_00, 200_00, 100_00, 30_00, 15_00, 5_00},
		[9]prize.BP{0, 128, 77, 348, 131, 596, 1124, 5110, 2486})
	return t
}

func loto2019() prize.Table {
	t := loto2017()
	t.Model, t.GainStep, t.MergeInverted = prize.Pool, 10, true
	t.Ranks = lotoRanks([9]money.Cents{8: 2_20}, [9]prize.BP{0, 844, 206, 743, 444, 1598, 1243, 4922, 0})
	return t
}

func euromillions(first, late prize.BP, lower [12]prize.BP, j prize.Jackpot, booster, boosterLate prize.BP) prize.Table {
	hits := [13]prize.Hits{{5, 2}, {5, 1}, {5, 0}, {4, 2}, {4, 1}, {3, 2}, {4, 0}, {2, 2}, {3, 1}, {3, 0}, {1, 2}, {2, 1}, {2, 0}}
	ways := [13]int64{1, 20, 45, 225, 4500, 9900, 10125, 141900, 198000, 445500, 744975, 2838000, 6385500}
	t := prize.Table{
		Model: prize.European, Matrix: combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}, Jackpot: j,
		GainStep: 10, WinnersShare: 5000, Booster: booster, BoosterLate: boosterLate,
	}
	for k := range hits {
		r := prize.Rank{Number: k + 1, Hits: hits[k : k+1], Ways: ways[k]}
		if k == 0 {
			r.Share, r.LateShare = first, late
		} else {
			r.Share = lower[k-1]
		}
		t.Ranks = append(t.Ranks, r)
	}
	return t
}

func euromillions2016() prize.Table {
	return euromillions(4320, 2700, [12]prize.BP{395, 92, 45, 48, 67, 38, 175, 185, 350, 495, 1485, 1825},
		prize.Jackpot{Start: 17 * million, RoundUp: money.Euro, LateFrom: 7, Cap: 190 * million, CapMax: 190 * million, CapDraws: 5}, 480, 2100)
}

func euromillions2020() prize.Table {
	return euromillions(5000, 4200, [12]prize.BP{261, 61, 19, 35, 37, 26, 130, 145, 270, 327, 1030, 1659},
		prize.Jackpot{Start: 17 * million, RoundUp: money.Euro, LateFrom: 6, Cap: 200 * million, CapStep: 10 * million, CapMax: 250 * million, CapDraws: 5}, 1000, 1800)
}

func etoilePlus(shares [10]prize.BP) prize.Table {
	hits := [10]prize.Hits{{5, 1}, {4, 2}, {4, 1}, {3, 2}, {2, 2}, {3, 1}, {1, 2}, {0, 2}, {2, 1}, {0, 1}}
	ways := [10]int64{20, 225, 4500, 9900, 141900, 198000, 744975, 1221759, 2838000, 24435180}
	t := prize.Table{
		Model: prize.SidePool, Matrix: combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}, GainStep: 10, WinnersShare: 6000,
	}
	for k := range hits {
		t.Ranks = append(t.Ranks, prize.Rank{Number: k + 1, Hits: hits[k : k+1], Ways: ways[k], Share: shares[k]})
	}
	return t
}

func etoilePlus2016() prize.Table {
	return etoilePlus([10]prize.BP{67, 8, 17, 17, 58, 67, 233, 1500, 683, 7350})
}

func etoilePlus2020() prize.Table {
	return etoilePlus([10]prize.BP{10, 8, 10, 10, 25, 67, 315, 1460, 825, 7270})
}

// named lists every table with terms of an ordinary draw.
func named() map[string]struct {
	t     prize.Table
	terms prize.Terms
} {
	type row = struct {
		t     prize.Table
		terms prize.Terms
	}
	loto := prize.Terms{Cycle: prize.Cycle{Position: 3, Jackpot: 10 * million}, Stakes: 9_876_543_20, OutsideStakes: 123_456_60, Codes: 200_000_00}
	pool := loto
	pool.Fund = 2_222_222_33
	euro := prize.Terms{Cycle: prize.Cycle{Position: 4, Carry: 55_555_555_55}, Stakes: 3_333_333_40, Fund: 28_459_006_17}
	return map[string]row{
		"loto 2017":         {loto2017(), loto},
		"super loto 2017":   {superLoto2017(), loto},
		"grand loto 2017":   {grandLoto2017(), loto},
		"loto 2019":         {loto2019(), pool},
		"euromillions 2016": {euromillions2016(), euro},
		"euromillions 2020": {euromillions2020(), euro},
		"étoile+ 2016":      {etoilePlus2016(), prize.Terms{Stakes: 1_234_567_00}},
		"étoile+ 2020":      {etoilePlus2020(), prize.Terms{Stakes: 1_234_567_00}},
	}
}

// counts reads « 1 5 8 » as winners.
func counts(s string) prize.Winners {
	var ws prize.Winners
	for f := range strings.FieldsSeq(s) {
		w, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			panic(err)
		}
		ws = append(ws, w)
	}
	return ws
}

// euros reads « 317750.6 46254.8 » as amounts.
func euros(s string) []money.Cents {
	var cs []money.Cents
	for f := range strings.FieldsSeq(s) {
		c, err := money.Parse(f)
		if err != nil {
			panic(err)
		}
		cs = append(cs, c)
	}
	return cs
}

func settle(t testing.TB, table prize.Table, terms prize.Terms, winners prize.Winners) prize.Settlement {
	t.Helper()
	s, err := prize.Settle(table, terms, winners)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTablesAddUp(t *testing.T) {
	for name, c := range named() {
		if err := c.t.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, r := range c.t.Ranks {
			var ways int64
			for _, h := range r.Hits {
				ways += combin.Choose(5, h.Main) * combin.Choose(c.t.Matrix.MainOf-5, 5-h.Main) *
					combin.Choose(c.t.Matrix.Extra, h.Extra) * combin.Choose(c.t.Matrix.ExtraOf-c.t.Matrix.Extra, c.t.Matrix.Extra-h.Extra)
			}
			if r.Ways != ways {
				t.Errorf("%s: rank %d has %d ways, not %d", name, r.Number, ways, r.Ways)
			}
		}
	}
}
