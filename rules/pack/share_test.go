package pack_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
)

// How much the rounding matters: gain, shares → part of a share, paid in all.
func TestPart(t *testing.T) {
	covers.Covers(t, "P26", "P27", "P28", "P59", "P60")
	for _, c := range []struct {
		gain       money.Cents
		shares     int64
		part, paid money.Cents
	}{
		{5_00, 200, 3, 6_00},
		{2_20, 200, 1, 2_00},
		{1_00, 200, 1, 2_00},
		{99, 200, 0, 0},
		{2_00, 420, 0, 0},
		{2_10, 420, 1, 4_20},
		{190_000_000_00, 420, 452_380_95, 189_999_999_00},
		{12_914_50, 200, 64_57, 12_914_00}, // 64.5725
		{577_80, 200, 2_89, 578_00},        // 2.889
		{389_50, 200, 1_95, 390_00},        // 1.9475: a thousandth of 7
		{20_90, 200, 10, 20_00},            // 0.1045: a thousandth of 4
		{222_00, 2_000, 11, 220_00},        // 0.1110: a thousandth of 1
		{10_06, 20, 50, 10_00},             // 0.5030
		{10_10, 20, 51, 10_20},             // 0.5050: exactly 5 goes up
		{10_05, 1_000, 1, 10_00},           // 0.01005: a thousandth of 0 and more decimals goes down
	} {
		part := pack.Part(c.gain, c.shares)
		if paid := part * money.Cents(c.shares); part != c.part || paid != c.paid {
			t.Errorf("%v € over %d shares: %v € each, %v € in all, want %v and %v", c.gain, c.shares, part, paid, c.part, c.paid)
		}
	}
}

// The rounding is the one that the text spells out on the printed thousandth, for every gain and number of shares.
func TestPartIsTheText(t *testing.T) {
	covers.Covers(t, "P27", "P28", "P59", "P60")
	rapid.Check(t, func(t *rapid.T) {
		gain := rapid.Int64Range(0, int64(money.Limit)).Draw(t, "gain")
		shares := rapid.Int64Range(1, pack.SharesMax).Draw(t, "shares")
		thousandths := new(big.Int).Mul(big.NewInt(gain), big.NewInt(10))
		thousandths.Quo(thousandths, big.NewInt(shares)) // cut after the third decimal of a euro
		cents, last := new(big.Int).QuoRem(thousandths, big.NewInt(10), new(big.Int))
		want := cents.Int64()
		if last.Int64() >= 5 {
			want++
		}
		if got := pack.Part(money.Cents(gain), shares); int64(got) != want {
			t.Fatalf("%d cents over %d shares: %d, the text says %d", gain, shares, got, want)
		}
	})
}

// The pack of the Loto draw of 22 June 2020, 5-9-21-36-39 + 5: ten multiples 6×10 in 200 shares. The winning one has the five
// numbers and the Chance number, one has two numbers, eight have one or none.
func TestRealPack(t *testing.T) {
	covers.Covers(t, "P11", "P24", "P25", "P29")
	gains := func(jackpot money.Cents) []pack.Gain {
		return []pack.Gain{
			{Unit: jackpot, Count: 1}, {Unit: 12_914_50, Count: 9}, {Unit: 577_80, Count: 5}, {Unit: 389_50, Count: 45},
			{Unit: 8_00, Count: 4}, {Unit: 4_20, Count: 36}, {Unit: 2_20, Count: 2},
			{Unit: 2_20, Count: 8 * 6},
		}
	}
	out, err := pack.Split(gains(8_000_000_00), 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	if winning, two, rest := sum(out.Lines[:4]), sum(out.Lines[4:7]), sum(out.Lines[7:]); winning != 40_683_33 || two != 90 || rest != 48 {
		t.Errorf("multiples pay %v, %v and %v € a share, want 40683.33, 0.90 and 0.48", winning, two, rest)
	}
	if out.PerShare != 40_684_71 || 10*out.PerShare != 406_847_10 {
		t.Errorf("%v € a share, %v € for ten, want 40684.71 and 406847.10", out.PerShare, 10*out.PerShare)
	}
	balance(t, out)

	// With a jackpot of 8 000 100 €, 40 000.50 € a share: 50 cents more.
	out, err = pack.Split(gains(8_000_100_00), 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	if out.PerShare != 40_685_21 || 10*out.PerShare != 406_852_10 {
		t.Errorf("%v € a share, %v € for ten, want 40685.21 and 406852.10", out.PerShare, 10*out.PerShare)
	}
}

func sum(lines []pack.Line) money.Cents {
	var s money.Cents
	for _, l := range lines {
		s += l.PerShare
	}
	return s
}

// Case 13: one euro over three shares loses a cent, 1 000 over six pays two cents too many. The difference is a named amount.
func TestCase13DifferenceIsNamed(t *testing.T) {
	for _, c := range []struct {
		gain                    money.Cents
		shares                  int64
		part, holders, rounding money.Cents
	}{
		{1_00, 3, 33, 99, 1},
		{1_000_00, 6, 166_67, 1_000_02, -2},
		{1_000_00, 8, 125_00, 1_000_00, 0},
	} {
		out, err := pack.Split([]pack.Gain{{Unit: c.gain, Count: 1}}, c.shares, c.shares)
		if err != nil {
			t.Fatal(err)
		}
		if out.PerShare != c.part || out.Holders != c.holders || out.Rounding != c.rounding {
			t.Errorf("%v € over %d: %v € each, %v € in all, rounding %v €", c.gain, c.shares, out.PerShare, out.Holders, out.Rounding)
		}
		balance(t, out)
	}
}

// Case 14: three shares of a gain that makes 37.5 cents each. Rounded first, 3 × 0.38 = 1.14 €; the total 1.125 € rounded
// would be 1.13 €. Two such combinations make 2 × 0.38, not 0.75.
func TestCase14RoundedPerShareAndCombination(t *testing.T) {
	covers.Covers(t, "P26", "P29", "P63")
	out, err := pack.Split([]pack.Gain{{Unit: 75_00, Count: 1}}, 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	if three := 3 * out.PerShare; three != 1_14 {
		t.Errorf("three shares receive %v €, want 1.14", three)
	}
	out, err = pack.Split([]pack.Gain{{Unit: 75_00, Count: 2}}, 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	if out.PerShare != 76 || 3*out.PerShare != 2_28 {
		t.Errorf("a share receives %v €, three %v €, want 0.76 and 2.28", out.PerShare, 3*out.PerShare)
	}
	balance(t, out)
}

// Case 15: whatever a pack wins and however many shares are sold, what leaves it is what it won: holders, funds and rounding, once.
func TestCase15EveryCentOnce(t *testing.T) {
	covers.Covers(t, "P24", "P25", "P30", "P57", "P58", "P64")
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.Int64Range(1, 1_000).Draw(t, "shares")
		sold := rapid.Int64Range(1, shares).Draw(t, "sold")
		var gains []pack.Gain
		for range rapid.IntRange(0, 15).Draw(t, "gains") {
			gains = append(gains, pack.Gain{
				Source: pack.Source(rapid.IntRange(0, 2).Draw(t, "source")),
				Unit:   money.Cents(rapid.Int64Range(0, 200_000_000_00).Draw(t, "unit")),
				Count:  rapid.Int64Range(0, 600).Draw(t, "count"),
			})
		}
		out, err := pack.Split(gains, shares, sold)
		if err != nil {
			t.Fatal(err)
		}
		balance(t, out)

		// One winner at a time, one share at a time.
		var won, holders, unsold, each money.Cents
		for _, g := range gains {
			for range g.Count {
				won += g.Unit
				each += pack.Part(g.Unit, shares)
			}
		}
		for share := range shares {
			if share < sold {
				holders += each
			} else {
				unsold += each
			}
		}
		reserve := money.Sum(out.Reserve[:]...)
		if out.Gains != won || out.PerShare != each || out.Holders != holders || reserve != unsold {
			t.Fatalf("split says won %v, share %v, holders %v, reserve %v; one by one %v, %v, %v, %v",
				out.Gains, out.PerShare, out.Holders, reserve, won, each, holders, unsold)
		}
	})
}

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// balance checks the invariant of a split, as a whole and on each line.
func balance(t fataler, o pack.ShareOut) {
	t.Helper()
	if total := money.Sum(o.Reserve[:]...) + o.Holders + o.Rounding; total != o.Gains {
		t.Fatalf("%v € won, %v € placed: %+v", o.Gains, total, o)
	}
	if o.Holders != o.PerShare*money.Cents(o.Sold) {
		t.Fatalf("holders receive %v €, %d shares × %v €", o.Holders, o.Sold, o.PerShare)
	}
	for _, l := range o.Lines {
		if l.Holders+l.Reserve+l.Rounding != l.Total() {
			t.Fatalf("a gain is not placed in full: %+v", l)
		}
	}
}

// Unsold shares: the funds receive unsold shares × rounded part, ranks and codes each to its own. Half of a pack of Euro Millions,
// 330 shares, at an exceptional draw: a rank, a code My Million and a code Euro Millions.
func TestUnsoldShares(t *testing.T) {
	covers.Covers(t, "P30", "P58", "P62", "P63", "P64", "P80")
	out, err := pack.Split([]pack.Gain{
		{Source: pack.Rank, Unit: 12_60, Count: 2},
		{Source: pack.Code, Unit: 1_000_000_00, Count: 1},
		{Source: pack.EuroCode, Unit: 1_000_000_00, Count: 1},
	}, 330, 165)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Lines[2].Part; got != 3_030_30 {
		t.Errorf("a share receives %v € of a code Euro Millions, want 3030.30", got)
	}
	// 12.60 / 330 = 0.03818 → 0.04, twice.
	if out.PerShare != 8+2*3_030_30 {
		t.Errorf("a share receives %v €", out.PerShare)
	}
	want := [...]money.Cents{165 * 8, 165 * 3_030_30, 165 * 3_030_30}
	if out.Reserve != want {
		t.Errorf("the funds receive %v, want %v", out.Reserve, want)
	}
	// Two parts of 0.04 pay 26.40 € for 25.20 €, a part of 3030.30 pays 999 999 € for 1 000 000 €.
	if want := money.Cents(-1_20 + 2*1_00); out.Rounding != want {
		t.Errorf("rounding %v €, want %v", out.Rounding, want)
	}
	balance(t, out)
}

func TestFund(t *testing.T) {
	covers.Covers(t, "P30", "P64")
	for _, c := range []struct {
		book                 *rulebook.Rulebook
		rank, code, euroCode string
	}{
		{loto(), "loto/reserve", "loto/reserve", ""},
		{euromillions(), "euromillions/reserve", "mymillion/reserve", "euromillions/reserve"},
	} {
		p := c.book.Pack
		if r, k, e := pack.Rank.Fund(p), pack.Code.Fund(p), pack.EuroCode.Fund(p); r != c.rank || k != c.code || e != c.euroCode {
			t.Errorf("%s: funds %q, %q, %q", c.book.Header.Version(), r, k, e)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	one := []pack.Gain{{Unit: 5_00, Count: 1}}
	for name, c := range map[string]struct {
		gains        []pack.Gain
		shares, sold int64
		want         string
	}{
		"no share":        {one, 0, 0, "0 shares: accepted 1 to 100000"},
		"too many shares": {one, 100_001, 1, "100001 shares"},
		"nothing sold":    {one, 200, 0, "0 shares sold: accepted 1 to 200"},
		"oversold":        {one, 200, 201, "201 shares sold: accepted 1 to 200"},
		"negative gain":   {[]pack.Gain{{Unit: -1, Count: 1}}, 200, 200, "gain 1 of the pack: 1 × -0.01 €"},
		"negative count":  {[]pack.Gain{{Unit: 1, Count: -1}}, 200, 200, "-1 winners"},
		"huge gain":       {[]pack.Gain{one[0], {Unit: money.Limit, Count: 2}}, 200, 200, "gain 2 of the pack"},
		"huge sum":        {[]pack.Gain{one[0], {Unit: money.Limit, Count: 1}}, 200, 200, "in all"},
		"unknown source":  {[]pack.Gain{{Source: 3, Unit: 1, Count: 1}}, 200, 200, "accepted rank, code, euro code"},
	} {
		if _, err := pack.Split(c.gains, c.shares, c.sold); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
}
