package combin_test

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/combin"
)

// lotoFormats yields the 50 formats of a Loto multiple in a pack, simple ones included: 5–9 numbers × 1–10 Chance numbers.
func lotoFormats() iter.Seq[combin.Format] { return formats(5, 9, 1, 10, 2000) }

// euroFormats yields the formats of Euro Millions, 5–10 numbers × 2–12 stars, of up to 3 000 simple combinations.
func euroFormats() iter.Seq[combin.Format] { return formats(5, 10, 2, 12, 3000) }

func formats(mainMin, mainMax, extraMin, extraMax int, most int64) iter.Seq[combin.Format] {
	m := combin.Matrix{Main: 5, Extra: extraMin}
	return func(yield func(combin.Format) bool) {
		for main := mainMin; main <= mainMax; main++ {
			for extra := extraMin; extra <= extraMax; extra++ {
				f := combin.Format{Main: main, Extra: extra}
				if f.Count(m) <= most && !yield(f) {
					return
				}
			}
		}
	}
}

// choices lists the choices of k of the numbers in lexicographic order, by plain recursion on lists: the brute force that
// the masks are compared with.
func choices(numbers []int, k int) [][]int {
	if k == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, n := range numbers {
		for _, tail := range choices(numbers[i+1:], k-1) {
			all = append(all, append([]int{n}, tail...))
		}
	}
	return all
}

func checkDecomposition(t *testing.T, m combin.Matrix, c combin.Combination) {
	t.Helper()
	next, stop := iter.Pull(c.Decompose(m))
	defer stop()
	place := int64(0)
	for _, main := range choices(c.Main(), m.Main) {
		for _, extra := range choices(c.Extra(), m.Extra) {
			want, err := combin.Of(main, extra)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := next(); !ok || got != want {
				t.Fatalf("%v: simple combination %d is %v (%v), want %v", c, place, got, ok, want)
			}
			if r, ok := combin.Rank(m, c, want); !ok || r != place {
				t.Fatalf("%v: %v has rank %d (%v), want %d", c, want, r, ok, place)
			}
			if u := combin.Unrank(m, c, place); u != want {
				t.Fatalf("%v: %d is %v, want %v", c, place, u, want)
			}
			place++
		}
	}
	if extra, ok := next(); ok || place != c.Count(m) {
		t.Fatalf("%v: %d simple combinations, want %d; one more: %v", c, place, c.Count(m), extra)
	}
}

func TestEveryFormatDecomposes(t *testing.T) {
	seen := 0
	for f := range lotoFormats() {
		checkDecomposition(t, loto, spread(loto, f))
		seen++
	}
	if seen != 50 {
		t.Errorf("%d Loto formats, want 50", seen)
	}
	for f := range euroFormats() {
		checkDecomposition(t, euro, spread(euro, f))
	}
	checkDecomposition(t, euro, grid("1-2-3-4+1-2-3")) // too small: nothing
}

// spread returns a grid of format f whose numbers lie apart as far as the matrix allows.
func spread(m combin.Matrix, f combin.Format) combin.Combination {
	var main, extra []int
	for i := range f.Main {
		main = append(main, m.MainOf-i*m.MainOf/f.Main)
	}
	for i := range f.Extra {
		extra = append(extra, m.ExtraOf-i*m.ExtraOf/f.Extra)
	}
	c, err := combin.Of(main, extra)
	if err != nil {
		panic(err)
	}
	return c
}

func TestDecomposeStops(t *testing.T) {
	n := 0
	for range grid("1-2-3-4-5-6-7+1-2-3").Decompose(loto) {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("stopped after %d", n)
	}
}

func TestRankRefuses(t *testing.T) {
	multiple := grid("1-2-3-4-5-6+1-2")
	for _, s := range []string{"1-2-3-4-7+1", "1-2-3-4-5+3", "1-2-3-4+1", "1-2-3-4-5-6+1", "1-2-3-4-5+1-2"} {
		if r, ok := combin.Rank(loto, multiple, grid(s)); ok {
			t.Errorf("%s has rank %d in %v", s, r, multiple)
		}
	}
	mustPanic(t, "place −1", func() { combin.Unrank(loto, multiple, -1) })
	mustPanic(t, "place 12 of 12", func() { combin.Unrank(loto, multiple, 12) })
	mustPanic(t, "place 0 of none", func() { combin.Unrank(loto, grid("1-2-3-4+1"), 0) })
	mustPanic(t, "index of a multiple", func() { loto.Index(multiple) })
	mustPanic(t, "index out of the matrix", func() { loto.Index(grid("1-2-3-4-50+1")) })
	mustPanic(t, "place after the last", func() { loto.At(loto.Total()) })
}

// The whole of a small matrix: the index is its place in the decomposition of the grid of all numbers.
func TestIndexOverASmallMatrix(t *testing.T) {
	for _, m := range []combin.Matrix{
		{Main: 3, MainOf: 8, Extra: 2, ExtraOf: 5},
		{Main: 5, MainOf: 11, Extra: 1, ExtraOf: 10},
		{Main: 5, MainOf: 10, Extra: 2, ExtraOf: 12},
		{Main: 2, MainOf: 50, Extra: 0, ExtraOf: 0},
	} {
		i := int64(0)
		for c := range m.Grid().Decompose(m) {
			if m.Index(c) != i || m.At(i) != c {
				t.Fatalf("%+v: %v stands at %d, %d holds %v", m, c, m.Index(c), i, m.At(i))
			}
			i++
		}
		if i != m.Total() {
			t.Errorf("%+v: %d simple combinations, want %d", m, i, m.Total())
		}
	}
}

func TestIndexOfTheGames(t *testing.T) {
	for _, c := range []struct {
		m           combin.Matrix
		first, last string
	}{
		{loto, "1-2-3-4-5+1", "45-46-47-48-49+10"},
		{euro, "1-2-3-4-5+1-2", "46-47-48-49-50+11-12"},
	} {
		if got := c.m.At(0).String(); got != c.first {
			t.Errorf("first of %+v: %s", c.m, got)
		}
		if got := c.m.At(c.m.Total() - 1).String(); got != c.last {
			t.Errorf("last of %+v: %s", c.m, got)
		}
		rapid.Check(t, func(t *rapid.T) {
			i := rapid.Int64Range(0, c.m.Total()-2).Draw(t, "place")
			here, next := c.m.At(i), c.m.At(i+1)
			if c.m.Index(here) != i || c.m.Check(here) != nil {
				t.Fatalf("place %d holds %v, whose index is %d", i, here, c.m.Index(here))
			}
			if slices.Compare(append(here.Main(), here.Extra()...), append(next.Main(), next.Extra()...)) >= 0 {
				t.Fatalf("%v stands before %v", here, next)
			}
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	c := euro.At(euro.Total() / 3)
	for b.Loop() {
		euro.Index(c)
	}
}

// The indexes of a grid are those of the simple combinations that it decomposes into, in their order.
func TestIndexes(t *testing.T) {
	for _, m := range []combin.Matrix{{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, {Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}} {
		rapid.Check(t, func(t *rapid.T) {
			numbers := func(least, of int) []int {
				return rapid.SliceOfNDistinct(rapid.IntRange(1, of), least, least+4, rapid.ID[int]).Draw(t, "numbers")
			}
			c, err := combin.Of(numbers(m.Main, m.MainOf), numbers(m.Extra, m.ExtraOf))
			if err != nil {
				t.Fatal(err)
			}
			var want []int64
			for simple := range c.Decompose(m) {
				want = append(want, m.Index(simple))
			}
			if got := slices.Collect(m.Indexes(c)); !slices.Equal(got, want) || !slices.IsSorted(got) {
				t.Fatalf("%v: indexes %v, want %v", c, got, want)
			}
			for range m.Indexes(c) {
				break
			}
		})
	}
}
