package evening_test

import (
	"slices"
	"testing"

	"tirage/evening"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/mem"
)

// The pack of 22 June 2020: 40 684.71 € a share and 406 847.10 € for ten; with a jackpot of 8 000 100 €, 40 000.50 € of it a share, 50 cents more.
func TestRealPack(t *testing.T) {
	covers.Covers(t, "P9", "P11", "P18", "P24", "P25", "P26", "P29")
	for _, c := range []struct {
		changes  []string
		one, ten money.Cents
	}{
		{nil, 40_684_71, 406_847_10},
		{[]string{"jackpot 8000000", "jackpot 8 000 100.00"}, 40_685_21, 406_852_10},
		// Gains worked out from a fund instead of given: any fund of 1 683 169.44 to 1 683 182.46 € gives the published ones.
		{[]string{"official r2 12914.50 r3 577.80 r4 389.50 r5 40.40 r6 20.90 r7 8.00 r8 4.20 r9 2.20", "fund 1683175"}, 40_684_71, 406_847_10},
	} {
		r := run(t, scenario(t, "loto-2020-06-22.txt", c.changes...), &mem.Store{})
		if one, ten := player(t, r, "one-72").Gains, player(t, r, "ten-1").Gains; one != c.one || ten != c.ten {
			t.Errorf("%v: one share %v, ten %v; want %v and %v", c.changes, one, ten, c.one, c.ten)
		}
		if got := published(r)[1:]; !slices.Equal(got, []money.Cents{12_914_50, 577_80, 389_50, 40_40, 20_90, 8_00, 4_20, 2_20}) {
			t.Errorf("%v: gains %v", c.changes, got)
		}
		if k := r.Packs[0].Codes[0]; k.First != "V 8214 7231" || k.Last != "V 8214 7830" || k.Count != 600 {
			t.Errorf("codes %+v: one for each of the 600 combinations, in a row from the first of the zone on", k)
		}
		if n := len(r.Players); n != 108 {
			t.Errorf("%d players", n)
		}
	}
}

// Half of the shares sold: the other half's part of every gain, code included, goes to the reserve fund.
func TestHalfSoldPack(t *testing.T) {
	covers.Covers(t, "P25", "P30")
	r := run(t, scenario(t, "loto-half-sold.txt"), &mem.Store{})
	// Per share: 2 × 5.00 + 18 × 2.50 + 4 × 0.25 + 36 × 0.10 + 4 × 0.05 + 36 × 0.03 + 50 × 0.01, and 100.00 of the code.
	const perShare = 161_38
	p, a := r.Packs[0], accounts(r)
	if p.PerShare != perShare || p.Sold != 100 || a["fund/loto/reserve"] != 100*perShare || r.Totals.Due != 100*perShare {
		t.Errorf("a share %v, %d sold, reserve %v, players %v", p.PerShare, p.Sold, a["fund/loto/reserve"], r.Totals.Due)
	}
	if a["rounding/loto-2019-03-10"] != -26_00 || a["unsold/loto-2019-03-10"] != -660_00 {
		t.Errorf("rounding %v, stake of the unsold shares %v", a["rounding/loto-2019-03-10"], a["unsold/loto-2019-03-10"])
	}
	var codes []string
	for _, f := range r.Refused {
		codes = append(codes, f.Player+" "+string(f.Code))
	}
	if want := []string{"short insufficient", "greedy sold_out", "late closed"}; !slices.Equal(codes, want) {
		t.Errorf("refused %v, want %v", codes, want)
	}
	for name, balance := range map[string]money.Cents{"short": 6_59, "greedy": 1_000_00, "late": 6_60} {
		if got := player(t, r, name).Balance; got != balance {
			t.Errorf("%s has %v after the refusal, want %v", name, got, balance)
		}
	}
}

// An exceptional draw: as many codes Euro Millions as combinations, sequential; each gain of a code is split and rounded apart; the parts of
// unsold shares go to the funds of 4.3 and 5.3.2.
func TestExceptionalDraw(t *testing.T) {
	covers.Covers(t, "P48", "P49", "P50", "P51", "P58", "P62", "P63", "P64", "P80")
	r := run(t, scenario(t, "euromillions-exceptional.txt"), &mem.Store{})
	p := r.Packs[0]
	for i, want := range []string{"mymillion VV 358 2801 VV 358 3460", "euromillions F WBC 50400 F WBC 51059"} {
		if k := p.Codes[i]; k.Series+" "+k.First+" "+k.Last != want || k.Count != 660 {
			t.Errorf("codes %+v, want 660 of %s", k, want)
		}
	}
	split := map[string]evening.SplitLine{}
	for _, l := range p.Split {
		split[l.Win] = l
	}
	for _, win := range []string{"code euromillions", "code mymillion"} {
		if l := split[win]; l.Gain != 1_000_000_00 || l.Part != 3_030_30 || l.Count != 1 {
			t.Errorf("%s: %+v, want 1 000 000.00 € split into 3 030.30 €", win, l)
		}
	}
	const ranks = 2_79
	one := player(t, r, "one-1")
	if one.Gains != ranks+2*3_030_30 || p.Reserve["euromillions/reserve"] != 30*(ranks+3_030_30) || p.Reserve["mymillion/reserve"] != 30*3_030_30 {
		t.Errorf("a share %v, reserve funds %v", one.Gains, p.Reserve)
	}
	if a := accounts(r); a["fund/mymillion/reserve"] != 30*3_030_30 {
		t.Errorf("fund of article 5.3.2: %v", a["fund/mymillion/reserve"])
	}
	// The gains of 28 October 2016, whose numbers, winners and fund these are.
	want := []money.Cents{17_375_733_00, 317_750_60, 46_254_80, 1_616_00, 144_90, 64_30, 53_70, 12_60, 12_40, 11_00, 7_20, 7_10, 4_10}
	if got := published(r); !slices.Equal(got, want) {
		t.Errorf("gains %v, want %v", got, want)
	}
}

// The first Friday of packs: every published gain of 2 November 2018, the jackpot included, comes out of fund and carry.
func TestEuroMillionsOf2November2018(t *testing.T) {
	r := run(t, scenario(t, "euromillions-2018-11-02.txt"), &mem.Store{})
	want := []money.Cents{87_021_202_00, 616_939_40, 22_106_40, 2_868_70, 142_10, 100_00, 54_80, 18_20, 12_60, 11_30, 10_50, 7_30, 4_10}
	if got := published(r); !slices.Equal(got, want) {
		t.Errorf("gains %v, want %v", got, want)
	}
	winners := []int64{1, 2, 13, 49, 1055, 2091, 2164, 29872, 45644, 96543, 146471, 627533, 1369528}
	for i, k := range r.Notice.Ranks {
		if k.Winners != winners[i] || k.Here+k.Elsewhere != k.Winners {
			t.Errorf("rank %d: %d winners, %d here, %d elsewhere; published %d", k.Rank, k.Winners, k.Here, k.Elsewhere, winners[i])
		}
	}
}

// The Grand Loto of 25 December 2018: a jackpot that nobody won, spread over the lower ranks.
func TestGrandLotoOf2018(t *testing.T) {
	covers.Covers(t, "P9")
	r := run(t, scenario(t, "grandloto-2018.txt"), &mem.Store{})
	want := []money.Cents{15_000_000_00, 248_000_00, 6_228_70, 3_232_10, 247_80, 126_70, 57_20, 30_20, 9_20}
	if got := published(r); !slices.Equal(got, want) {
		t.Errorf("gains %v, want %v", got, want)
	}
	if n := len(r.Notice.Codes[0].Codes); n != 100 || r.Notice.Joker != "6 513 065" {
		t.Errorf("%d codes, Joker+ %s", n, r.Notice.Joker)
	}
}

// Sold at 23:59:59 on the eve of 29 October 2018 → the version before, at 00:00:00 → the new one; ranks and gains follow the day of the draw.
func TestMidnight(t *testing.T) {
	covers.Covers(t, "P3")
	s := parse(t, "midnight.txt", `draw loto 2018-10-29
opens 2018-10-28 00:00
closes 2018-10-29 20:15
jackpot 5000000
at 2018-10-28 23:59:59
player eve deposit 2.20
buy eve quick 5x1
at 2018-10-29 00:00:00
player day deposit 2.20
buy day quick 5x1
at 2018-10-29 20:14:59
player last deposit 2.20
buy last quick 5x1
at 2018-10-29 20:15:00
player late deposit 2.20
buy late quick 5x1
result 9-42-24-43-22+7
joker 5697395
`)
	r := run(t, s, &mem.Store{})
	for name, rules := range map[string]string{"eve": "loto@2017-03-06", "day": "loto@2018-10-29", "last": "loto@2018-10-29"} {
		if p := player(t, r, name); len(p.Plays) != 1 || p.Plays[0].Rules != rules {
			t.Errorf("%s: %+v, want a play under %s", name, p.Plays, rules)
		}
	}
	if len(r.Refused) != 1 || r.Refused[0].Player != "late" || r.Refused[0].Code != "closed" || r.Draw.Rules != "loto@2018-10-29" {
		t.Errorf("refused %+v under %s", r.Refused, r.Draw.Rules)
	}
	if r.Notice.Joker != "5 697 395" {
		t.Errorf("Joker+ %s", r.Notice.Joker)
	}
}
