package check

import (
	"path/filepath"
	"testing"

	"tirage/archive"
	"tirage/games"
	"tirage/internal/covers"
)

// sharedReport checks the archives at hand together.
func sharedReport(t *testing.T) *Report {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(covers.SharedData(t), "*.csv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archive: %v", err)
	}
	var files []*archive.File
	for _, p := range paths {
		f, err := archive.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return Files(files, games.InForce)
}

// TestShared explains every draw of the archives at hand.
func TestShared(t *testing.T) {
	want := map[string]int{
		"loto_201703.csv": 310, "superloto_201703.csv": 4, "grandloto_201712_201812.csv": 2, "loto_201911_to_202112.csv": 338,
		"euromillions_201609_4.csv": 253, "euromillions_202002_to_202112.csv": 200,
	}
	for _, f := range sharedReport(t).Files {
		n := want[filepath.Base(f.Name)]
		if f.Tally != (Tally{Draws: n, Explained: n}) {
			t.Errorf("%s: %+v, want %d explained", f.Name, f.Tally, n)
		}
		for _, w := range f.Faults {
			t.Errorf("%s %v", f.Game, w)
		}
		if f.Game == archive.EuroMillions && f.Side != f.Tally {
			t.Errorf("%s: Étoile+ %+v", f.Name, f.Side)
		}
		for _, j := range f.Jackpots {
			if !j.Predicted() {
				t.Errorf("%s: jackpot %+v is not predicted", f.Name, j)
			}
		}
	}
}
