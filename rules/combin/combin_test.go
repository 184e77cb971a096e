package combin_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/combin"
)

var (
	loto = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	euro = combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}
)

// grid reads a grid that the test itself wrote.
func grid(s string) combin.Combination {
	c, err := combin.Parse(s)
	if err != nil {
		panic(err)
	}
	return c
}

// simples draws simple combinations of m.
func simples(m combin.Matrix) *rapid.Generator[combin.Combination] {
	return rapid.Map(rapid.Int64Range(0, m.Total()-1), m.At)
}

// grids draws any grids, the empty one included.
func grids() *rapid.Generator[combin.Combination] {
	return rapid.Map(rapid.Uint64Max(1<<(combin.MainBits+combin.ExtraBits)-1), func(u uint64) combin.Combination { return combin.Combination(u) })
}

func Example() {
	c, _ := combin.Parse("1-2-3-4-5-6+1-2") // 6×2: 12 simple Loto combinations
	drawn, _ := combin.Parse("1-2-3-4-49+2")
	t := combin.Winners(combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, c, drawn)
	fmt.Println(t[4][1], t[3][1], t[4][0], t[3][0])
	// Output: 2 4 2 4
}

func TestOfIsTheInverseOfMainAndExtra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := grids().Draw(t, "grid")
		main, extra := c.Main(), c.Extra()
		if !slices.IsSorted(main) || !slices.IsSorted(extra) || c.Format() != (combin.Format{Main: len(main), Extra: len(extra)}) {
			t.Fatalf("%v: main %v extra %v format %v", c, main, extra, c.Format())
		}
		slices.Reverse(main)
		if got, err := combin.Of(main, extra); err != nil || got != c {
			t.Fatalf("Of(%v, %v) = %v, %v", main, extra, got, err)
		}
	})
}

func TestOfRefuses(t *testing.T) {
	for _, c := range []struct {
		main, extra []int
		want        string
	}{
		{[]int{0}, nil, "number 0: accepted 1 to 50"},
		{[]int{51}, nil, "number 51: accepted 1 to 50"},
		{[]int{-1}, nil, "number -1: accepted 1 to 50"},
		{[]int{7, 7}, nil, "number 7 stands twice"},
		{nil, []int{0}, "extra number 0: accepted 1 to 12"},
		{nil, []int{13}, "extra number 13: accepted 1 to 12"},
		{nil, []int{3, 3}, "extra number 3 stands twice"},
	} {
		if got, err := combin.Of(c.main, c.extra); err == nil || err.Error() != c.want || got != 0 {
			t.Errorf("Of(%v, %v) = %v, %v; want error %q", c.main, c.extra, got, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		m    combin.Matrix
		grid string
		want string // "" accepted
	}{
		{loto, "1-2-3-4-5+1", ""},
		{loto, "45-46-47-48-49+10", ""},
		{loto, "1-2-3-4-5-6-7-8-9+1-2-3-4-5-6-7-8-9-10", ""},
		{loto, "1-2-3-4-50+1", "number 50: accepted 1 to 49"},
		{loto, "1-2-3-4-5+11", "extra number 11: accepted 1 to 10"},
		{loto, "1-2-3-4+1", "grid of format 4x1: at least 5 numbers and 1 extra numbers are needed"},
		{euro, "46-47-48-49-50+11-12", ""},
		{euro, "1-2-3-4-5+1", "grid of format 5x1: at least 5 numbers and 2 extra numbers are needed"},
	} {
		err := c.m.Check(grid(c.grid))
		if (err == nil) != (c.want == "") || (err != nil && err.Error() != c.want) {
			t.Errorf("%s: error %v, want %q", c.grid, err, c.want)
		}
	}
	if err := loto.Check(1<<63 | grid("1-2-3-4-5+1")); err == nil {
		t.Error("a bit above the extra numbers is accepted")
	}
}

func TestCounts(t *testing.T) {
	if loto.Total() != 19_068_840 || euro.Total() != 139_838_160 {
		t.Errorf("totals %d and %d", loto.Total(), euro.Total())
	}
	for _, c := range []struct {
		m    combin.Matrix
		f    combin.Format
		want int64
	}{
		{loto, combin.Format{Main: 5, Extra: 1}, 1},
		{loto, combin.Format{Main: 6, Extra: 10}, 60},
		{loto, combin.Format{Main: 7, Extra: 8}, 168},
		{loto, combin.Format{Main: 8, Extra: 3}, 168},
		{loto, combin.Format{Main: 9, Extra: 1}, 126},
		{loto, combin.Format{Main: 9, Extra: 10}, 1260},
		{loto, combin.Format{Main: 4, Extra: 10}, 0},
		{euro, combin.Format{Main: 5, Extra: 2}, 1},
		{euro, combin.Format{Main: 6, Extra: 12}, 396},
		{euro, combin.Format{Main: 10, Extra: 12}, 16_632},
		{euro, combin.Format{Main: 10, Extra: 1}, 0},
	} {
		if got := c.f.Count(c.m); got != c.want {
			t.Errorf("%v of %+v: %d simple combinations, want %d", c.f, c.m, got, c.want)
		}
	}
	if s := (combin.Format{Main: 6, Extra: 10}).String(); s != "6x10" {
		t.Errorf("format printed %q", s)
	}
}

func TestChooseIsExact(t *testing.T) {
	for n := -2; n <= 62; n++ {
		for k := -2; k <= n+2; k++ {
			want := new(big.Int)
			if k >= 0 && k <= n {
				want.Binomial(int64(n), int64(k))
			}
			if got := combin.Choose(n, k); got != want.Int64() || !want.IsInt64() {
				t.Errorf("C(%d, %d) = %d, want %v", n, k, got, want)
			}
		}
	}
	mustPanic(t, "C(63, 3)", func() { combin.Choose(63, 3) })
}

func TestParse(t *testing.T) {
	for s, want := range map[string]string{
		"5-9-21-36-39+5": "5-9-21-36-39+5",
		"39-5-36-9-21+5": "5-9-21-36-39+5",
		"05-09-1-2-3+01": "1-2-3-5-9+1",
		"50+12-1":        "50+1-12",
	} {
		if got, err := combin.Parse(s); err != nil || got.String() != want {
			t.Errorf("Parse(%q) = %v, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{
		"":              "accepted numbers joined by -",
		"1-2-3-4-5":     "accepted numbers joined by -",
		"+":             `"" is not a number of a grid`,
		"1-2-3-4-5+":    `"" is not a number of a grid`,
		"1--2+1":        `"" is not a number of a grid`,
		"1-2+1+2":       `"1+2" is not a number of a grid`,
		"1-2++2":        `"+2" is not a number of a grid`,
		"1- 2+1":        `" 2" is not a number of a grid`,
		"1-x+1":         `"x" is not a number of a grid`,
		"1-100+1":       `"100" is not a number of a grid`,
		"1-51+1":        "number 51: accepted 1 to 50",
		"0-1+1":         "number 0: accepted 1 to 50",
		"1-2+13":        "extra number 13: accepted 1 to 12",
		"7-8-7+1":       "number 7 stands twice",
		"1-2-3-4-5+4-4": "extra number 4 stands twice",
	} {
		if got, err := combin.Parse(s); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "grid ") {
			t.Errorf("Parse(%q) = %v, %v; want error with %q", s, got, err, want)
		}
	}
}

// What Parse accepts prints back to the same grid; what it refuses says which text in a line of bounded length.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1-2-3-4-5+1", "50-49-48-47-46+11-12", "05+5", "+", "1-2", "1-2+3+4", "-1+1", "1-1+1", "99999999999999999999+1", "é-1+٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := combin.Parse(s)
		if err != nil {
			if c != 0 || len(err.Error()) > 1000 {
				t.Fatalf("Parse(%q) = %v, %v", s, c, err)
			}
			return
		}
		if again, err := combin.Parse(c.String()); err != nil || again != c {
			t.Fatalf("Parse(%q) = %v, which reads %v, %v", s, c, again, err)
		}
		if f := c.Format(); f.Main+f.Extra != strings.Count(s, "-")+2 {
			t.Fatalf("Parse(%q) = %v of format %v", s, c, f)
		}
	})
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := grids().Draw(t, "grid")
		got, err := combin.Parse(c.String())
		if f := c.Format(); f.Main == 0 || f.Extra == 0 {
			if err == nil {
				t.Fatalf("a grid without numbers, %q, is accepted", c)
			}
			return
		}
		if err != nil || got != c {
			t.Fatalf("Parse(%q) = %v, %v", c, got, err)
		}
	})
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
