package rulebook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/combin"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// sidePool returns a rulebook with one pooled rank for each of the hits, in a matrix of any size, that stands.
func sidePool(m combin.Matrix, hits []prize.Hits) *rulebook.Rulebook {
	r := &rulebook.Rulebook{
		Header:   rulebook.Header{Game: "pool", Made: "2020-01-01", JO: "2020-01-02", Effective: "2020-01-03"},
		Matrix:   m,
		Total:    m.Total(),
		Sale:     rulebook.Sale{Price: 100, Formats: []rulebook.FormatRange{{Main: m.Main, ExtraMin: m.Extra, ExtraMax: m.Extra}}},
		Prizes:   &prize.Table{Model: prize.SidePool, Matrix: m, GainStep: 10, WinnersShare: 6000},
		Calendar: rulebook.Calendar{Close: "20:15", ClaimDays: 60},
	}
	rest := prize.BP(10_000)
	for i, h := range hits {
		share := rest / prize.BP(len(hits)-i)
		rest -= share
		r.Prizes.Ranks = append(r.Prizes.Ranks, prize.Rank{Number: i + 1, Hits: []prize.Hits{h}, Ways: rulebook.Ways(m, h), Share: share})
	}
	return r
}

func anyMatrix(t *rapid.T) combin.Matrix {
	var m combin.Matrix
	m.MainOf = rapid.IntRange(2, combin.MainBits).Draw(t, "main_of")
	m.Main = rapid.IntRange(1, min(m.MainOf, 6)).Draw(t, "main")
	m.ExtraOf = rapid.IntRange(1, combin.ExtraBits).Draw(t, "extra_of")
	m.Extra = rapid.IntRange(1, min(m.ExtraOf, 3)).Draw(t, "extra")
	return m
}

// allHits lists every pair of hits that some combination of the matrix has.
func allHits(m combin.Matrix) []prize.Hits {
	var hits []prize.Hits
	for main := range m.Main + 1 {
		for extra := range m.Extra + 1 {
			if h := (prize.Hits{Main: main, Extra: extra}); rulebook.Ways(m, h) > 0 {
				hits = append(hits, h)
			}
		}
	}
	return hits
}

// Every combination of a small matrix is walked: the closed form counts the same.
func TestWaysAgainstBruteForce(t *testing.T) {
	for _, m := range []combin.Matrix{{Main: 2, MainOf: 7, Extra: 1, ExtraOf: 4}, {Main: 3, MainOf: 6, Extra: 2, ExtraOf: 5}, {Main: 5, MainOf: 5, Extra: 2, ExtraOf: 2}} {
		drawn := set(m.Main) | set(m.Extra)<<combin.MainBits
		counts := map[prize.Hits]int64{}
		for mains := range uint64(1) << m.MainOf {
			for extras := range uint64(1) << m.ExtraOf {
				c := combin.Combination(mains | extras<<combin.MainBits)
				if c.Format() == (combin.Format{Main: m.Main, Extra: m.Extra}) {
					f := (c & drawn).Format()
					counts[prize.Hits{Main: f.Main, Extra: f.Extra}]++
				}
			}
		}
		for h, n := range counts {
			if got := rulebook.Ways(m, h); got != n {
				t.Errorf("%+v: %d combinations with %+v, counted %d", m, got, h, n)
			}
		}
	}
}

// set returns the numbers 1 to n.
func set(n int) combin.Combination { return 1<<n - 1 }

func TestRankOfInAnyMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatrix(t)
		all := allHits(m)
		if len(all) < 2 {
			t.Skip("one pair of hits")
		}
		hits := rapid.Permutation(all).Draw(t, "hits")[:rapid.IntRange(2, len(all)).Draw(t, "ranks")]
		r := sidePool(m, hits)
		if problems := r.Check(); problems != nil {
			t.Fatalf("refused: %v", problems)
		}
		for _, h := range all {
			if got, want := r.RankOf(h.Main, h.Extra), 1+slices.Index(hits, h); got != want {
				t.Errorf("%+v: rank %d, want %d", h, got, want)
			}
		}
	})
}

// Any one wrong count of winning combinations, and any one wrong share, is found at its place.
func TestCheckFindsOneWrongNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatrix(t)
		all := allHits(m)
		if len(all) < 2 {
			t.Skip("one pair of hits")
		}
		r := sidePool(m, all)
		i := rapid.IntRange(0, len(all)-1).Draw(t, "rank")
		off := rapid.SampledFrom([]int64{-1, 1, 10}).Draw(t, "off")
		path := "prizes.ranks"
		if rapid.Bool().Draw(t, "ways") {
			r.Prizes.Ranks[i].Ways += off
			path = fmt.Sprintf("prizes.ranks.%d.ways", i+1)
		} else {
			r.Prizes.Ranks[i].Share += prize.BP(off)
		}
		if !slices.ContainsFunc(r.Check(), func(p rulebook.Problem) bool { return p.Path == path }) {
			t.Errorf("rank %d is off by %d: %v", i+1, off, r.Check())
		}
	})
}

func TestFormatRange(t *testing.T) {
	r := rulebook.FormatRange{Main: 7, ExtraMin: 2, ExtraMax: 8}
	for f, want := range map[combin.Format]bool{{Main: 7, Extra: 1}: false, {Main: 7, Extra: 2}: true, {Main: 7, Extra: 8}: true, {Main: 7, Extra: 9}: false, {Main: 6, Extra: 2}: false} {
		if got := r.Holds(f); got != want {
			t.Errorf("%v holds %v: %v", r, f, got)
		}
	}
	if got := r.String(); got != "7x2-8" {
		t.Errorf("String %q", got)
	}
	if got := (rulebook.FormatRange{Main: 9, ExtraMin: 1, ExtraMax: 1}).String(); got != "9x1" {
		t.Errorf("String %q", got)
	}
}

// A game that gives nothing to win, and a rank table that nobody has checked.
func TestCheckRefusesAnEmptyGame(t *testing.T) {
	problems := (&rulebook.Rulebook{}).Check()
	if len(problems) == 0 || !strings.Contains(problems[0].Reason, "a game without prizes, codes") {
		t.Errorf("problems %v", problems)
	}
}

func TestRankOfPanicsBeforeCheckAndOutsideTheMatrix(t *testing.T) {
	m := combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	r := sidePool(m, allHits(m))
	mustPanic(t, "before Check", func() { r.RankOf(5, 1) })
	if problems := r.Check(); problems != nil {
		t.Fatal(problems)
	}
	mustPanic(t, "six numbers", func() { r.RankOf(6, 0) })
	mustPanic(t, "two extra numbers", func() { r.RankOf(5, 2) })
	mustPanic(t, "minus one", func() { r.RankOf(-1, 0) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
