package pack_test

import (
	"errors"
	"math/big"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/pack"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

func lotoPrizes() []pack.Prize {
	var prizes []pack.Prize
	for i, r := range fixedRanks {
		prizes = append(prizes, pack.Prize{Rank: i + 2, Gain: r.cents, Chance: odds.Chance(r.ways, 19_068_840)})
	}
	return prizes
}

// A Loto pack of 600 combinations in 200 shares is expected to overpay 85613/3243 € at the fixed ranks.
func TestPreviewOfTheLotoPack(t *testing.T) {
	covers.Covers(t, "P23", "P26")
	typ, err := pack.New(loto(), of(0, "6x10*10"), 200)
	if err != nil {
		t.Fatal(err)
	}
	prizes := append(lotoPrizes(),
		pack.Prize{Rank: 1, Gain: 8_000_000_00, Chance: odds.Chance(1, 19_068_840)},
		pack.Prize{Source: pack.Code, Gain: 20_000_00, Chance: odds.Chance(10, 5_000_000)},
		pack.Prize{Source: pack.EuroCode, Gain: 1_00}) // no chance claimed: counts for nothing
	p := pack.NewPreview(typ, prizes)
	if p.Type.SharePrice != 6_60 {
		t.Errorf("share price %v €, want 6.60", p.Type.SharePrice)
	}
	if r := p.Rows[6]; r.Rank != 8 || r.Gain != 5_00 || r.Paid != 6_00 || r.Rounding != -1_00 {
		t.Errorf("rank 8: %+v", r)
	}
	if r := p.Rows[7]; r.Rank != 9 || r.Gain != 2_20 || r.Paid != 2_00 || r.Rounding != 20 {
		t.Errorf("rank 9: %+v", r)
	}
	euros := func(cents *big.Rat) string { return new(big.Rat).Quo(cents, big.NewRat(100, 1)).RatString() }
	lower := p.Expected(pack.Lower)
	if got := euros(lower.Rounding); got != "-85613/3243" {
		t.Errorf("expected rounding %s €, want -85613/3243", got)
	}
	if got := odds.Decimal(new(big.Rat).Quo(lower.Rounding, big.NewRat(100, 1)), 3); got != "-26.399" {
		t.Errorf("expected rounding %s €, want -26.399", got)
	}
	// + 2.0 points of return.
	if got := odds.Percent(new(big.Rat).Quo(lower.Rounding, typ.Price.Rat()), 1); got != "−2.0%" {
		t.Errorf("expected rounding %s of the price, want −2.0%%", got)
	}
	// 600 codes, each with 10 chances in 5 000 000 of 20 000 €.
	if got := euros(p.Expected(pack.Code.Of).Gain); got != "24" {
		t.Errorf("codes are expected to win %s €, want 24", got)
	}
	if got := p.Expected(pack.EuroCode.Of); got.Gain.Sign() != 0 || got.Rounding.Sign() != 0 {
		t.Errorf("an average where no chance is claimed: %+v", got)
	}
	if got, want := p.Expected(pack.Top).Gain, big.NewRat(600*8_000_000_00, 19_068_840); got.Cmp(want) != 0 {
		t.Errorf("rank 1 is expected to win %s cents, want %s", got, want)
	}
}

// On a game small enough to draw every result, the average over all of them of what the pack wins, is paid and leaves is the
// expectation, though the combinations of a multiple win together.
func TestExpectedIsTheAverageOfEveryDraw(t *testing.T) {
	matrix := combin.Matrix{Main: 2, MainOf: 6, Extra: 1, ExtraOf: 3} // 15 × 3 results
	book := &rulebook.Rulebook{
		Matrix: matrix,
		Sale:   rulebook.Sale{Price: 100},
		Pack:   &rulebook.Pack{Formats: []rulebook.FormatRange{{Main: 3, ExtraMin: 1, ExtraMax: 3}}},
	}
	typ, err := pack.New(book, of(2, "3x2*1", "3x1*1"), 11)
	if err != nil {
		t.Fatal(err)
	}
	// 3×2, 3×1 and two simples, as grids of main and extra numbers.
	grids := []struct{ main, extra []int }{
		{[]int{1, 2, 3}, []int{1, 2}}, {[]int{3, 4, 6}, []int{3}}, {[]int{1, 2}, []int{1}}, {[]int{5, 6}, []int{2}},
	}
	gains := map[[2]int]money.Cents{{2, 1}: 5_03, {2, 0}: 1_17, {1, 1}: 60, {1, 0}: 16} // by hits

	ways := map[[2]int]int64{}
	var won, paid money.Cents
	draws := int64(0)
	for a := 1; a <= matrix.MainOf; a++ {
		for b := a + 1; b <= matrix.MainOf; b++ {
			for e := 1; e <= matrix.ExtraOf; e++ {
				draws++
				ways[[2]int{count([]int{1, 2}, a, b), count([]int{1}, e)}]++ // of one combination
				for _, g := range grids {
					for i, x := range g.main {
						for _, y := range g.main[i+1:] {
							for _, z := range g.extra {
								gain := gains[[2]int{count([]int{x, y}, a, b), count([]int{z}, e)}]
								won += gain
								paid += pack.Part(gain, typ.Shares) * money.Cents(typ.Shares)
							}
						}
					}
				}
			}
		}
	}
	var prizes []pack.Prize
	for hits, gain := range gains {
		prizes = append(prizes, pack.Prize{Rank: 2, Gain: gain, Chance: odds.Chance(ways[hits], draws)})
	}
	got := pack.NewPreview(typ, prizes).Expected(pack.Lower)
	if want := big.NewRat(int64(won), draws); got.Gain.Cmp(want) != 0 {
		t.Errorf("expected gain %s, average %s", got.Gain, want)
	}
	if want := big.NewRat(int64(paid), draws); got.Paid.Cmp(want) != 0 {
		t.Errorf("expected paid %s, average %s", got.Paid, want)
	}
	if want := big.NewRat(int64(won-paid), draws); got.Rounding.Cmp(want) != 0 {
		t.Errorf("expected rounding %s, average %s", got.Rounding, want)
	}
}

// count returns how many of the numbers were drawn.
func count(numbers []int, drawn ...int) int {
	n := 0
	for _, x := range numbers {
		for _, d := range drawn {
			if x == d {
				n++
			}
		}
	}
	return n
}

func TestPrizes(t *testing.T) {
	book := loto()
	book.Prizes = &prize.Table{Model: prize.Fixed, Matrix: book.Matrix, Ranks: []prize.Rank{{Number: 1, Ways: 1}}}
	for i, r := range fixedRanks {
		book.Prizes.Ranks = append(book.Prizes.Ranks, prize.Rank{Number: i + 2, Ways: r.ways, Fixed: r.cents})
	}
	lower, err := pack.FixedPrizes(book, 0)
	if err != nil || len(lower) != 8 || lower[0].Rank != 2 {
		t.Fatalf("fixed prizes without a jackpot: %v, %v", lower, err)
	}
	all, err := pack.FixedPrizes(book, 2_000_000_00)
	if err != nil || len(all) != 9 || all[0].Gain != 2_000_000_00 || all[0].Chance.Cmp(odds.Chance(1, 19_068_840)) != 0 {
		t.Fatalf("fixed prizes with a jackpot: %v, %v", all, err)
	}
	drawn, err := pack.DrawPrizes(book, []money.Cents{0, 0, 1_000_00, 500_00, 50_00, 20_00, 10_00, 5_00, 2_20})
	if err != nil || len(drawn) != 7 || drawn[0].Rank != 3 || drawn[0].Claimed() {
		t.Fatalf("prizes of a draw: %v, %v", drawn, err)
	}
	for _, unit := range [][]money.Cents{nil, {1, 2}, {0, 0, 0, 0, 0, 0, 0, 0, -1}} {
		if _, err := pack.DrawPrizes(book, unit); err == nil {
			t.Errorf("accepted unit gains %v", unit)
		}
	}
	book.Prizes.Model = prize.Pool
	if _, err := pack.FixedPrizes(book, 0); !errors.Is(err, pack.ErrPooled) {
		t.Errorf("pooled gains are said to be fixed: %v", err)
	}
}

func TestCodePrize(t *testing.T) {
	rule := rulebook.CodePrize{Series: "loto", Winners: 10, Gain: 20_000_00}
	z, err := pack.CodePrize(pack.Code, rule, 5_000_000)
	if err != nil || z.Gain != 20_000_00 || z.Chance.Cmp(big.NewRat(1, 500_000)) != 0 {
		t.Errorf("code prize %+v, %v", z, err)
	}
	if z, err := pack.CodePrize(pack.Code, rule, 0); err != nil || z.Claimed() {
		t.Errorf("code prize without issued codes %+v, %v", z, err)
	}
	for _, issued := range []int64{-1, 9} {
		if _, err := pack.CodePrize(pack.Code, rule, issued); err == nil {
			t.Errorf("accepted %d issued codes", issued)
		}
	}
}
