package archive

import (
	"os"
	"path/filepath"
	"testing"

	"tirage/internal/covers"
)

// shared are the archives at hand: what each must give.
var shared = []struct {
	name, game, first, last string
	draws                   int
}{
	{"loto_201703.csv", Loto, "2017-03-06", "2019-02-25", 310},
	{"superloto_201703.csv", SuperLoto, "2017-10-13", "2018-09-14", 4},
	{"grandloto_201712_201812.csv", GrandLoto, "2017-12-22", "2018-12-25", 2},
	{"loto_201911_to_202112.csv", Loto, "2019-11-04", "2021-12-29", 338},
	{"euromillions_201609_4.csv", EuroMillions, "2016-09-27", "2019-02-26", 253},
	{"euromillions_202002_to_202112.csv", EuroMillions, "2020-02-04", "2021-12-31", 200},
}

// TestReadShared reads every archive at hand, and makes its very bytes again from what was kept.
func TestReadShared(t *testing.T) {
	dir := covers.SharedData(t)
	for _, want := range shared {
		path := filepath.Join(dir, want.name)
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		ds := f.ByDate()
		if f.Game != want.game || len(ds) != want.draws || ds[0].Date != want.first || ds[len(ds)-1].Date != want.last {
			t.Errorf("%s: read as %s %s..%s, %d draws", want.name, f.Game, ds[0].Date, ds[len(ds)-1].Date, len(ds))
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := rebuild(f); string(got) != string(data) {
			t.Errorf("%s: the facts kept do not give its bytes again", want.name)
		}
	}
}
