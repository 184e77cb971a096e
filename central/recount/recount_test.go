package recount

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// A grid expands into each of its simple combinations once.
func TestSimples(t *testing.T) {
	m := combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	for _, grid := range []string{"1-2-3-4-5+6", "1-2-3-4-5-6+6", "9-11-13-15-17-19-21+1-2-3", "1-2-3-4-5-6-7-8-9+1-10"} {
		c, err := combin.Parse(grid)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		simples(m, binary.BigEndian.AppendUint64(nil, uint64(c)), func(main, extra []int) {
			one, err := combin.Of(main, extra)
			if err != nil || one.Count(m) != 1 || c.Main() == nil {
				t.Fatalf("%v %v: %v", main, extra, err)
			}
			k, h := one.Hits(c)
			if k != 5 || h != 1 {
				t.Errorf("%v is not in %s", one, grid)
			}
			seen[one.String()] = true
		})
		if int64(len(seen)) != c.Count(m) {
			t.Errorf("%s: %d simple combinations, want %d", grid, len(seen), c.Count(m))
		}
	}
}

// The rank that a look through the table finds is that of the rulebook.
func TestRankOf(t *testing.T) {
	for _, version := range []string{"loto@2018-10-29", "loto@2019-11-04", "grandloto@2018-10-29", "euromillions@2020-02-04"} {
		book, err := games.Version(version)
		if err != nil {
			t.Fatal(err)
		}
		res := &central.Result{Main: []int{1, 2, 3, 4, 5}[:book.Matrix.Main], Extra: []int{1, 2}[:book.Matrix.Extra]}
		for k := range book.Matrix.Main + 1 {
			for h := range book.Matrix.Extra + 1 {
				main, extra := numbersWith(res.Main, k), numbersWith(res.Extra, h)
				if got, want := rankOf(book, res, main, extra), book.RankOf(k, h); got != want {
					t.Errorf("%s: %d+%d hits rank %d, want %d", version, k, h, got, want)
				}
			}
		}
	}
}

// numbersWith returns as many numbers as were drawn, k of them drawn.
func numbersWith(drawn []int, k int) []int {
	out := append([]int(nil), drawn[:k]...)
	for i := range len(drawn) - k {
		out = append(out, 40+i)
	}
	return out
}

func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gain := money.Cents(rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "gain"))
		shares := rapid.Int64Range(1, 100_000).Draw(t, "shares")
		if got, want := share(gain, shares), money.Share(gain, shares); got != want {
			t.Fatalf("%v over %d: %v, want %v", gain, shares, got, want)
		}
	})
}

// Rows that do not belong together are said, not stumbled over.
func TestPackWithoutType(t *testing.T) {
	s := &sealed{draw: "d", packs: map[string]*central.Pack{"lost/0": {Type: "lost"}}}
	if _, err := s.sales(); err == nil || fmt.Sprint(err) != "pack lost/0 of draw d has no type" {
		t.Errorf("%v", err)
	}
}
