package fairness

import (
	"math/bits"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/codes"
	"tirage/rules/combin"
)

var euroPlain = combin.Format{Main: 5, Extra: 2}

// Every format that a pack may hold is drawn in its own shape, on the game's numbers, and reaches each of them.
func TestQuickPickOfEveryFormat(t *testing.T) {
	for _, g := range []struct {
		m                           combin.Matrix
		mainMax, extraMin, extraMax int
	}{{loto, 9, 1, 10}, {euro, 10, 2, 12}} {
		var seen combin.Combination
		for main := 5; main <= g.mainMax; main++ {
			for extra := g.extraMin; extra <= g.extraMax; extra++ {
				f := combin.Format{Main: main, Extra: extra}
				for play := range int64(20) {
					c := QuickPick(secret(3), "draw", play, 0, 0, g.m, f)
					if c.Format() != f || g.m.Check(c) != nil {
						t.Fatalf("quick pick of %v is %v: %v", f, c, g.m.Check(c))
					}
					seen |= c
				}
			}
		}
		if got := bits.OnesCount64(uint64(seen)); got != g.m.MainOf+g.m.ExtraOf {
			t.Errorf("%d numbers of %d ever come", got, g.m.MainOf+g.m.ExtraOf)
		}
	}
}

// Each part of what a quick pick is for changes it; the same parts give it again.
func TestQuickPickDependsOnWhatItIsFor(t *testing.T) {
	f := combin.Format{Main: 9, Extra: 5} // enough formats for no chance equality
	pick := func(n int, draw string, play int64, line, attempt int) combin.Combination {
		return QuickPick(secret(n), draw, play, line, attempt, loto, f)
	}
	first := pick(1, "loto-2020-06-22", 12, 3, 0)
	if first != pick(1, "loto-2020-06-22", 12, 3, 0) {
		t.Error("the same quick pick is another grid the second time")
	}
	for what, c := range map[string]combin.Combination{
		"secret": pick(2, "loto-2020-06-22", 12, 3, 0), "draw": pick(1, "loto-2020-06-24", 12, 3, 0), "play": pick(1, "loto-2020-06-22", 13, 3, 0),
		"line": pick(1, "loto-2020-06-22", 12, 4, 0), "attempt": pick(1, "loto-2020-06-22", 12, 3, 1), "digits": pick(1, "loto-2020-06-22", 1, 23, 0),
	} {
		if c == first {
			t.Errorf("another %s gives the same grid %v", what, c)
		}
	}
}

func TestQuickPickOfNoGrid(t *testing.T) {
	for _, c := range []struct {
		m combin.Matrix
		f combin.Format
	}{
		{loto, combin.Format{Main: 4, Extra: 1}}, {loto, combin.Format{Main: 5}}, {loto, combin.Format{Main: 50, Extra: 1}},
		{loto, combin.Format{Main: 5, Extra: 11}}, {loto, combin.Format{Main: -1, Extra: -1}},
		{combin.Matrix{Main: 5, MainOf: 70, Extra: 1, ExtraOf: 10}, plain}, {combin.Matrix{Main: 5, MainOf: 50, Extra: 1, ExtraOf: 30}, plain},
		{combin.Matrix{Main: -5, MainOf: 50, Extra: 1, ExtraOf: 10}, combin.Format{Main: -3, Extra: 1}},
	} {
		if got := QuickPick(secret(1), "draw", 1, 0, 0, c.m, c.f); got != 0 {
			t.Errorf("%+v has no grid %v, got %v", c.m, c.f, got)
		}
	}
}

func digitsAndLetters(letters, digits int, alphabet string) (as []string) {
	for range letters {
		as = append(as, alphabet)
	}
	for range digits {
		as = append(as, "0123456789")
	}
	return as
}

var (
	lotoCodes = codes.Series{ID: "loto", Layout: "# #### ####", Alphabets: digitsAndLetters(1, 8, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), RandomUpTo: 10,
		Random: codes.Range{First: 0, Last: 2_182_147_230}, Sequential: codes.Range{First: 2_182_147_231, Last: 2_599_999_999}}
	myMillion = codes.Series{ID: "mymillion", Layout: "## ### ####", Alphabets: digitsAndLetters(2, 7, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), RandomUpTo: 10,
		Random: codes.Range{First: 0, Last: 5_673_582_800}, Sequential: codes.Range{First: 5_673_582_801, Last: 6_759_999_999}}
)

// A pack is multiples and loose simples, all by quick pick, and its codes: generated from the secret of one draw and the
// number of the pack, each pack another, all of it the same again when it is derived anew.
func TestPackContents(t *testing.T) {
	covers.Covers(t, "P15", "P46")
	type contents struct {
		grids []combin.Combination
		codes []string
	}
	for _, g := range []struct {
		draw    string
		m       combin.Matrix
		series  codes.Series
		formats []combin.Format
	}{
		{"loto-2020-06-22", loto, lotoCodes, []combin.Format{{Main: 6, Extra: 10}, {Main: 7, Extra: 2}, plain, plain}},
		{"loto-2020-06-22", loto, lotoCodes, []combin.Format{plain, plain, plain}}, // simples only, ten codes or fewer
		{"euromillions-2018-11-02", euro, myMillion, []combin.Format{{Main: 10, Extra: 12}, {Main: 5, Extra: 3}, euroPlain}},
	} {
		build := func(p codes.Pointer, use codes.DrawUse, pack int64) (contents, codes.Pointer, codes.DrawUse) {
			var c contents
			simples := int64(0)
			for line, f := range g.formats {
				grid := QuickPick(secret(5), g.draw, pack, line, 0, g.m, f)
				if grid.Format() != f || g.m.Check(grid) != nil {
					t.Fatalf("line %d of a pack is %v, want a grid of %v", line, grid, f)
				}
				c.grids = append(c.grids, grid)
				simples += grid.Count(g.m)
			}
			run, p, use, err := g.series.Reserve(p, use, simples)
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := codes.NewSheet(g.series, CodeKey(secret(5), g.series.ID))
			if err != nil {
				t.Fatal(err)
			}
			if c.codes, err = sheet.Printed(run); err != nil || int64(len(c.codes)) != simples {
				t.Fatalf("%d codes for %d simple combinations: %v", len(c.codes), simples, err)
			}
			return c, p, use
		}
		first, p, use := build(codes.Pointer{}, codes.DrawUse{}, 0)
		again, _, _ := build(codes.Pointer{}, codes.DrawUse{}, 0)
		second, _, _ := build(p, use, 1)
		seen := map[string]bool{}
		for i, grid := range first.grids {
			if grid != again.grids[i] {
				t.Errorf("%s: line %d is %v, derived anew %v", g.draw, i, grid, again.grids[i])
			}
			if grid == second.grids[i] && grid.Format() != plain {
				t.Errorf("%s: line %d of two packs is %v", g.draw, i, grid)
			}
		}
		for i, code := range first.codes {
			if code != again.codes[i] {
				t.Errorf("%s: code %d is %s, derived anew %s", g.draw, i, code, again.codes[i])
			}
			seen[code] = true
		}
		for _, code := range second.codes {
			if seen[code] {
				t.Errorf("%s: both packs hold the code %s", g.draw, code)
			}
			seen[code] = true
		}
	}
}

// Winning codes are drawn among the codes issued and nowhere else: of 10 codes of four plays in both zones each wins equally
// often, whatever play holds it.
func TestWinningCodesAreIssuedCodes(t *testing.T) {
	runs := []codes.Run{
		{Zone: codes.RandomZone, Start: 0, Count: 1}, {Zone: codes.SequentialZone, Start: 400_000_000, Count: 5},
		{Zone: codes.RandomZone, Start: 1, Count: 2}, {Zone: codes.SequentialZone, Start: 0, Count: 2},
	}
	issued, err := codes.NewIssued(runs)
	if err != nil {
		t.Fatal(err)
	}
	const draws, n = 20_000, 3
	s := NewStream(secret(6), "winning codes/loto-2020-06-22/loto")
	counts := make([]int64, issued.Total())
	for range draws {
		winners, err := DrawCodes(s, issued, n)
		if err != nil || len(winners) != n {
			t.Fatalf("%d winning codes, %v, want %d", len(winners), err, n)
		}
		for i, w := range winners {
			if i > 0 && w.Number <= winners[i-1].Number {
				t.Fatalf("winning codes %+v: not in the order of issue, or one twice", winners)
			}
			if r := runs[w.Run]; w.At.Zone != r.Zone || w.At.Position < r.Start || w.At.Position >= r.End() {
				t.Fatalf("winning code %+v is not in its run %+v", w, r)
			}
			if k, run, ok := issued.Find(w.At); !ok || k != w.Number || run != w.Run {
				t.Fatalf("winning code %+v is found as number %d of run %d", w, k, run)
			}
			counts[w.Number]++
		}
	}
	if got := chiSquare(counts, draws, n); got > critical[10] {
		t.Errorf("chi-square of the issued codes %d thousandths, accepted at most %d: %v", got, critical[10], counts)
	}
	if all, err := DrawCodes(s, issued, issued.Total()); err != nil || len(all) != 10 {
		t.Errorf("all codes drawn: %d, %v", len(all), err)
	}
	if _, err := DrawCodes(s, issued, 11); err == nil || err.Error() != "11 of 10 numbers asked for: accepted 0 to 10" {
		t.Errorf("more codes than issued: %v", err)
	}
}

// Over the codes of a draw as they come out of the secret, each play of a few codes, every digit comes at every place: the
// numbers that the sale gives, not only the permutation under them.
func TestDigitsOfIssuedCodesAreEven(t *testing.T) {
	sheet, err := codes.NewSheet(lotoCodes, CodeKey(secret(8), "loto"))
	if err != nil {
		t.Fatal(err)
	}
	var counts [8][10]int64
	n, use := int64(0), codes.DrawUse{}
	for play := range int64(6000) {
		var run codes.Run
		if run, _, use, err = lotoCodes.Reserve(codes.Pointer{}, use, 1+play%10); err != nil {
			t.Fatal(err)
		}
		printed, err := sheet.Printed(run)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range printed {
			if code[0] == 'V' { // the zone ends within V
				continue
			}
			n++
			for i, c := range []byte(code[2:6] + code[7:]) {
				counts[i][c-'0']++
			}
		}
	}
	for i, c := range counts {
		if got := chiSquare(c[:], n, 1); got > 33_720 { // once in ten thousand
			t.Errorf("digit %d: chi-square %d thousandths of %d codes: %v", i+1, got, n, c)
		}
	}
}

func BenchmarkQuickPick(b *testing.B) {
	for _, c := range []struct {
		name string
		m    combin.Matrix
		f    combin.Format
	}{
		{"loto-5x1", loto, plain}, {"loto-9x1", loto, combin.Format{Main: 9, Extra: 1}}, {"euromillions-5x2", euro, euroPlain},
		{"euromillions-10x12", euro, combin.Format{Main: 10, Extra: 12}},
	} {
		b.Run(c.name, func(b *testing.B) {
			play := int64(0)
			for b.Loop() {
				QuickPick(secret0, "loto-2020-06-22", play, 0, 0, c.m, c.f)
				play++
			}
		})
	}
}

var secret0 = secret(0)

func BenchmarkDrawCodes(b *testing.B) {
	runs := make([]codes.Run, 1_000_000)
	for i := range runs {
		runs[i] = codes.Run{Zone: codes.RandomZone, Start: int64(i) * 3, Count: 3}
	}
	issued, err := codes.NewIssued(runs)
	if err != nil {
		b.Fatal(err)
	}
	s := NewStream(secret0, "bench")
	for b.Loop() {
		if _, err := DrawCodes(s, issued, 10); err != nil {
			b.Fatal(err)
		}
	}
}

// Every digit of a number that the system gives takes every value at every place: for eight months of 2006 and 2007 the numbers given online
// never held a 9. χ² of each place at 1 in 10 000 with nine degrees of freedom.
func TestNumberHoldsEveryDigit(t *testing.T) {
	const plays, digits = 20_000, 7
	var seen [digits][10]int
	for play := range int64(plays) {
		n := Number(Secret{1, 2, 3}, "loto-2020-06-22", play, "jokerplus", digits)
		if len(n) != digits {
			t.Fatalf("play %d: %q", play, n)
		}
		for place, d := range []byte(n) {
			seen[place][d-'0']++
		}
	}
	for place, counts := range seen {
		var sum int // plays/10 × χ²
		for _, n := range counts {
			sum += (n - plays/10) * (n - plays/10)
		}
		if sum > 33_720*plays/10/1000 {
			t.Errorf("place %d: %v, χ² is %d/%d", place, counts, sum, plays/10)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a number of 19 digits is made")
		}
	}()
	Number(Secret{}, "", 0, "", 19)
}
