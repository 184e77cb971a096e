package combin_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/combin"
)

// lotoRanks and euroRanks are the rank tables of both games (rank 1 the best), etoileRanks that of Étoile+.
var (
	lotoRanks = combin.RankTable{
		5: {2, 1}, 4: {4, 3}, 3: {6, 5}, 2: {8, 7}, 1: {0, 9}, 0: {0, 9},
	}
	euroRanks = combin.RankTable{
		5: {3, 2, 1}, 4: {7, 5, 4}, 3: {10, 9, 6}, 2: {13, 12, 8}, 1: {0, 0, 11},
	}
	etoileRanks = combin.RankTable{
		5: {0, 1}, 4: {0, 3, 2}, 3: {0, 6, 4}, 2: {0, 9, 5}, 1: {0, 0, 7}, 0: {0, 10, 8},
	}
)

// byRank adds up the winners of each rank; index 0 is unused.
func byRank(t combin.Tally, ranks combin.RankTable) (winners [14]int64) {
	for k := range t {
		for h, n := range t[k] {
			if r := ranks[k][h]; r != 0 {
				winners[r] += n
			}
		}
	}
	return winners
}

// The grid of all numbers is one multiple: its winners are the ways of the published tables.
func TestWaysOfTheMatrix(t *testing.T) {
	for _, c := range []struct {
		name  string
		m     combin.Matrix
		drawn string
		ranks combin.RankTable
		want  []int64
	}{
		{"Loto", loto, "5-9-21-36-39+5", lotoRanks, []int64{0, 1, 9, 220, 1980, 9460, 85140, 132440, 1191960, 1764763}},
		{
			"Euro Millions", euro, "5-15-17-37-44+7-11", euroRanks,
			[]int64{0, 1, 20, 45, 225, 4500, 9900, 10125, 141900, 198000, 445500, 744975, 2838000, 6385500},
		},
	} {
		got := byRank(combin.Winners(c.m, c.m.Grid(), grid(c.drawn)), c.ranks)
		if !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%s: ways %v, want %v", c.name, got, c.want)
		}
	}
}

// The ways printed for Étoile+ are those of its ten pairs of hits alone: 5+2 and 1+1 stand in none of its ranks.
func TestWaysOfEtoilePlus(t *testing.T) {
	got := byRank(combin.Winners(euro, euro.Grid(), grid("1-3-29-47-48+3-12")), etoileRanks)
	want := []int64{0, 20, 225, 4500, 9900, 141900, 198000, 744975, 1221759, 2838000, 24435180}
	if !slices.Equal(got[:len(want)], want) {
		t.Errorf("ways %v, want %v", got, want)
	}
}

// Winners of the multiples printed with the regulation, and their gains in cents with the fixed table of 2018.
func TestWinnersOfPrintedMultiples(t *testing.T) {
	gains := [...]int64{2: 100_000_00, 3: 1_000_00, 4: 500_00, 5: 50_00, 6: 20_00, 7: 10_00, 8: 5_00, 9: 2_20}
	for _, c := range []struct {
		format combin.Format
		k, h   int
		want   [14]int64
		cents  int64
	}{
		{combin.Format{Main: 6, Extra: 10}, 2, 1, [14]int64{7: 4, 8: 36, 9: 2}, 224_40},
		{combin.Format{Main: 7, Extra: 2}, 4, 1, [14]int64{3: 3, 4: 3, 5: 12, 6: 12, 7: 6, 8: 6}, 5_430_00},
		{combin.Format{Main: 7, Extra: 2}, 4, 0, [14]int64{4: 6, 6: 24, 8: 12}, 3_540_00},
		{combin.Format{Main: 8, Extra: 3}, 3, 1, [14]int64{5: 10, 6: 20, 7: 30, 8: 60, 9: 16}, 1_535_20},
		{combin.Format{Main: 9, Extra: 1}, 5, 0, [14]int64{2: 1, 4: 20, 6: 60, 8: 40}, 111_400_00},
		// The pack of 22 June 2020: ten 6×10, one with everything, one with two numbers, eight with one number or none.
		{combin.Format{Main: 6, Extra: 10}, 5, 1, [14]int64{1: 1, 2: 9, 3: 5, 4: 45}, 9*100_000_00 + 5*1_000_00 + 45*500_00},
		{combin.Format{Main: 6, Extra: 10}, 1, 1, [14]int64{9: 6}, 6 * 2_20},
		{combin.Format{Main: 6, Extra: 10}, 0, 1, [14]int64{9: 6}, 6 * 2_20},
	} {
		multiple, drawn, ok := meeting(loto, c.format, c.k, c.h)
		if !ok {
			t.Fatalf("%v cannot have %d+%d hits", c.format, c.k, c.h)
		}
		got := byRank(combin.Winners(loto, multiple, drawn), lotoRanks)
		cents := int64(0)
		for r, gain := range gains {
			cents += got[r] * gain
		}
		if got != c.want || cents != c.cents {
			t.Errorf("%v with %d+%d hits: %v worth %d cents, want %v worth %d", c.format, c.k, c.h, got, cents, c.want, c.cents)
		}
	}
}

// meeting returns a grid of format f and a draw of m that share k main and h extra numbers, shuffled alike on every run;
// false where the matrix is too small for it.
func meeting(m combin.Matrix, f combin.Format, k, h int) (c, drawn combin.Combination, ok bool) {
	if k > f.Main || h > f.Extra || m.Main-k > m.MainOf-f.Main || m.Extra-h > m.ExtraOf-f.Extra {
		return 0, 0, false
	}
	rng := rand.New(rand.NewPCG(uint64(f.Main)<<32|uint64(f.Extra), uint64(k)<<32|uint64(h)))
	main, extra := oneTo(rng, m.MainOf), oneTo(rng, m.ExtraOf)
	c, err := combin.Of(main[:f.Main], extra[:f.Extra])
	if err != nil {
		panic(err)
	}
	drawn, err = combin.Of(main[f.Main-k:][:m.Main], extra[f.Extra-h:][:m.Extra])
	if err != nil {
		panic(err)
	}
	return c, drawn, true
}

func oneTo(rng *rand.Rand, n int) []int {
	ns := rng.Perm(n)
	for i := range ns {
		ns[i]++
	}
	return ns
}

// countOneByOne is the brute force: every choice of numbers, compared number by number with the draw.
func countOneByOne(m combin.Matrix, c, drawn combin.Combination) (t combin.Tally) {
	hits := func(choice, drawn []int) (n int) {
		for _, number := range choice {
			if slices.Contains(drawn, number) {
				n++
			}
		}
		return n
	}
	extras := choices(c.Extra(), m.Extra)
	for _, main := range choices(c.Main(), m.Main) {
		k := hits(main, drawn.Main())
		for _, extra := range extras {
			t[k][hits(extra, drawn.Extra())]++
		}
	}
	return t
}

func TestWinnersOfEveryFormatAndPairOfHits(t *testing.T) {
	check := func(m combin.Matrix, f combin.Format) (pairs int) {
		for k := range m.Main + 1 {
			for h := range m.Extra + 1 {
				c, drawn, ok := meeting(m, f, k, h)
				if !ok {
					continue
				}
				if a, b := c.Hits(drawn); a != k || b != h {
					t.Fatalf("%v and %v share %d+%d numbers, want %d+%d", c, drawn, a, b, k, h)
				}
				if got, want := combin.Winners(m, c, drawn), countOneByOne(m, c, drawn); got != want {
					t.Errorf("%v, draw %v: %v, want %v", c, drawn, got, want)
				}
				pairs++
			}
		}
		return pairs
	}
	// A grid with all ten Chance numbers holds the drawn one; with 11 or 12 of the 12 stars, one or both drawn stars.
	pairs, formats := 0, 0
	for f := range lotoFormats() {
		pairs += check(loto, f)
		formats++
	}
	if formats != 50 || pairs != 5*6*(9*2+1) {
		t.Errorf("Loto: %d formats, %d pairs", formats, pairs)
	}
	pairs, formats = 0, 0
	for f := range euroFormats() {
		pairs += check(euro, f)
		formats++
	}
	t.Logf("Euro Millions: %d formats, %d pairs of hits", formats, pairs)
}

func TestWinnersAddUpToTheGrid(t *testing.T) {
	for _, m := range []combin.Matrix{loto, euro} {
		rapid.Check(t, func(t *rapid.T) {
			c, drawn := grids().Draw(t, "grid")&m.Grid(), simples(m).Draw(t, "drawn")
			sum := int64(0)
			for _, row := range combin.Winners(m, c, drawn) {
				for _, n := range row {
					sum += n
				}
			}
			if sum != c.Count(m) {
				t.Fatalf("%v has %d simple combinations, its tally %d", c, c.Count(m), sum)
			}
		})
	}
}

func TestWinnersRefusesWhatIsNoDraw(t *testing.T) {
	c := grid("1-2-3-4-5-6+1-2")
	for _, s := range []string{"1-2-3-4+1", "1-2-3-4-5-6+1", "1-2-3-4-5+1-2", "1-2-3-4-50+1", "1-2-3-4-5+11"} {
		mustPanic(t, "Winners, draw "+s, func() { combin.Winners(loto, c, grid(s)) })
		mustPanic(t, "TallyMultiples, draw "+s, func() {
			combin.TallyMultiples(loto, grid(s), []combin.Combination{c}, new(combin.Tally))
		})
	}
	wide := combin.Matrix{Main: 6, MainOf: 49, Extra: 1, ExtraOf: 10}
	mustPanic(t, "six numbers", func() { combin.Winners(wide, c, grid("1-2-3-4-5-6+1")) })
}

// multiplesOf draws grids of any sellable format and some that are too small, n of each sort.
func multiplesOf(rng *rand.Rand, m combin.Matrix, n int) []combin.Combination {
	grids := make([]combin.Combination, n)
	for i := range grids {
		main, extra := oneTo(rng, m.MainOf), oneTo(rng, m.ExtraOf)
		c, err := combin.Of(main[:4+rng.IntN(7)], extra[:1+rng.IntN(m.ExtraOf)])
		if err != nil {
			panic(err)
		}
		grids[i] = c
	}
	return grids
}

func TestTallyMultiplesIsTheSumOfWinners(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for _, m := range []combin.Matrix{loto, euro} {
		multiples := append(multiplesOf(rng, m, 3000), m.Grid(), 0)
		drawn := m.At(rng.Int64N(m.Total()))
		start := combin.Tally{5: {1, 2, 3}}
		got, want := start, start
		combin.TallyMultiples(m, drawn, multiples, &got)
		for _, c := range multiples {
			for k, row := range combin.Winners(m, c, drawn) {
				for h, n := range row {
					want[k][h] += n
				}
			}
		}
		if got != want {
			t.Errorf("%+v: %v, want %v", m, got, want)
		}
	}
}

// Case 16: a bonus ball counted as a number. A star or Chance number never counts as a main number of equal value, nor a main
// number as a star, whichever way the winners are counted.
func TestCase16ExtraNumberNeverCountsAsMainNumber(t *testing.T) {
	for v := 1; v <= 10; v++ {
		w := v%10 + 1
		played := grid(fmt.Sprintf("41-42-43-44-45+%d", v)) // v is played as an extra number …
		mains := []int{v, 46, 47, 48, 49}
		drawn, err := combin.Of(mains, []int{w}) // … and drawn as a main number, and the other way round
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]combin.Combination{{played, drawn}, {drawn, played}} {
			checkNoHit(t, pair[0], pair[1])
		}
		c := grid(fmt.Sprintf("%d-42-43-44-45+%d", v, w))
		d := grid(fmt.Sprintf("%d-46-47-48-49+%d", w, v))
		checkNoHit(t, c, d)
	}
	// Both at once: the number counts on each side for itself alone.
	c, d := grid("7-42-43-44-45+7"), grid("7-46-47-48-49+7")
	if k, h := c.Hits(d); k != 1 || h != 1 {
		t.Errorf("%v on %v: %d+%d hits, want 1+1", c, d, k, h)
	}
}

func checkNoHit(t *testing.T, c, drawn combin.Combination) {
	t.Helper()
	if k, h := c.Hits(drawn); k != 0 || h != 0 {
		t.Errorf("%v on %v: %d+%d hits", c, drawn, k, h)
	}
	if got := combin.Winners(loto, c, drawn); got != (combin.Tally{{1}}) {
		t.Errorf("%v on %v: winners %v", c, drawn, got)
	}
	same := slices.Repeat([]combin.Combination{c}, 10_000) // long enough for the kernel
	var counted, tallied combin.Tally
	combin.CountHits(drawn, same, &counted)
	combin.TallyMultiples(loto, drawn, same, &tallied)
	if want := (combin.Tally{{10_000}}); counted != want || tallied != want {
		t.Errorf("%v on %v: counted %v, tallied %v", c, drawn, counted, tallied)
	}
	if got := combin.ListWinners(drawn, same, lotoRanks, nil); len(got) != 0 {
		t.Errorf("%v on %v: %d winners listed", c, drawn, len(got))
	}
}
