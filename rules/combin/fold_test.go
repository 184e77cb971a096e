package combin

import (
	"math/rand/v2"
	"testing"
)

// checkFold enumerates what a word can share with the draw and reads each pair of hits back from its bin.
func checkFold(t *testing.T, drawn Combination, f *fold) {
	t.Helper()
	subsets := 0
	for hit := drawn; ; hit = (hit - 1) & drawn {
		k, h, ok := f.pairs[bin(hit, f.mul)].hits()
		if wantK, wantH := hit.Hits(drawn); !ok || k != wantK || h != wantH {
			t.Fatalf("draw %v: %v falls in the bin of %d+%d (%v), want %d+%d", drawn, hit, k, h, ok, wantK, wantH)
		}
		subsets++
		if hit == 0 {
			break
		}
	}
	if want := 1 << size(drawn); subsets != want {
		t.Fatalf("draw %v: %d subsets, want %d", drawn, subsets, want)
	}
}

func TestFoldTellsPairsOfHitsApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, m := range []Matrix{{5, 49, 1, 10}, {5, 50, 2, 12}} {
		draws := []Combination{m.At(0), m.At(m.Total() - 1), m.At(m.Total() / 2)}
		for range 20_000 {
			draws = append(draws, m.At(rng.Int64N(m.Total())))
		}
		for _, drawn := range draws {
			f, ok := newFold(drawn, foldTries)
			if !ok {
				t.Fatalf("no multiplier for the draw %v", drawn)
			}
			checkFold(t, drawn, f)
		}
	}
}

// The draws of both games that need the most tries of all.
func TestFoldOfTheHardestDraws(t *testing.T) {
	for s, tries := range map[string]int{"6-13-15-29-48+2": 38, "9-22-31-38-43+3-5": 671} {
		drawn, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := newFold(drawn, tries-1); ok {
			t.Errorf("draw %v: a multiplier within %d tries", drawn, tries-1)
		}
		f, ok := newFold(drawn, tries)
		if !ok {
			t.Fatalf("draw %v: no multiplier within %d tries", drawn, tries)
		}
		checkFold(t, drawn, f)
	}
}

func TestFoldGivesUp(t *testing.T) {
	if f, ok := newFold(Combination(31), 0); ok {
		t.Errorf("a fold without a try: %v", f)
	}
}
