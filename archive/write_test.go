package archive

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tirage/internal/covers"
	"tirage/rules/money"
)

// Every published file is written again byte for byte from the facts read of it, in whatever form of its period.
func TestWriteShared(t *testing.T) {
	dir := covers.SharedData(t)
	for _, want := range shared {
		data, err := os.ReadFile(filepath.Join(dir, want.name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(want.name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var draws []*Draw
		for i := range f.Draws {
			d := f.Draws[i]
			d.Cells = nil
			draws = append(draws, &d)
		}
		got, err := Write(draws)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		want := strings.Split(string(data), "\n")
		for i, line := range strings.Split(string(got), "\n") {
			if i >= len(want) || line != want[i] {
				if wrong++; wrong == 1 {
					t.Errorf("%s, line %d:\n%s", f.Name, i+1, cmp.Diff(want[min(i, len(want)-1)], line))
				}
			}
		}
		if wrong > 0 || !bytes.Equal(got, data) {
			t.Errorf("%s: %d lines differ", f.Name, wrong)
		}
	}
}

// A draw of each form is read back as it was, without the published files too.
func TestWriteIsReadBack(t *testing.T) {
	loto := mustRead(t, "loto.csv", lotoHeader+"\n"+lotoRow+"\n").Draws[0]
	loto.Ranks = append(loto.Ranks, ranks(3, 1000_00, 500_00, 50_00, 20_00, 10_00, 5_00, 2_20)...)
	euro := mustRead(t, "euro.csv", euroHeader+"\n"+euroRow+"\n").Draws[0]
	euro.Ranks = append(euro.Ranks, ranks(2, make([]money.Cents, 12)...)...)
	euro.Side = append(euro.Side, ranks(2, make([]money.Cents, 9)...)...)
	later := loto
	later.Date, later.Weekday, later.Deadline = "2019-11-04", 1, "2020-01-04"
	later.Second = &Second{Balls: []int{7, 9, 13, 31, 42}, Grid: "7-9-13-31-42", Ranks: ranks(1, 30591_00, 219_60, 14_90, 3_00)}
	noCodes := loto
	noCodes.Game, noCodes.Codes.Count, noCodes.Codes.List = GrandLoto, 100, nil
	newer := euro
	newer.Date, newer.Weekday, newer.Deadline = "2020-02-04", 2, "2020-04-05"
	for _, d := range []Draw{loto, later, noCodes, euro, newer} {
		text, err := Write([]*Draw{&d})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(d.Game+".csv", bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		d.Line, f.Draws[0].Cells, d.Cells = 2, nil, nil
		if diff := cmp.Diff(d, f.Draws[0]); diff != "" {
			t.Errorf("%s of %s (-written +read):\n%s", d.Game, d.Date, diff)
		}
		row, err := Row(&d)
		if err != nil || !bytes.HasSuffix(text, row) {
			t.Errorf("the row alone: %s, %v", row, err)
		}
	}
}

func ranks(from int, gains ...money.Cents) (list []Rank) {
	for i, g := range gains {
		list = append(list, Rank{Number: from + i, Gain: g})
	}
	return list
}

// The golden rows: what was published on 25 December 2018 and on 25 February 2019, written from typed facts.
func TestGoldenCells(t *testing.T) {
	for cents, want := range map[money.Cents]string{2_20: "2,2", 100_000_00: "100000", 10_540_50: "10540,5", 12_34: "12,34", 0: "0", 5: "0,05", 1_00: "1", 10_00: "10"} {
		if got := gain(cents); got != want {
			t.Errorf("%v is written %q, want %q", cents, got, want)
		}
	}
	for _, c := range []struct{ game, day, want string }{
		{Loto, "2019-02-25", "2019024"}, {Loto, "2019-11-04", "20199024"}, {Loto, "2021-12-29", "20211024"}, {SuperLoto, "2018-09-14", "2018024"},
		{EuroMillions, "2019-02-26", "2019024"}, {EuroMillions, "2020-02-04", "20200024"},
	} {
		if got := ID(c.game, c.day, 24); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.game, c.day, got, c.want)
		}
	}
}

// What cannot stand in a row is refused, never written half.
func TestWriteRefuses(t *testing.T) {
	good := mustRead(t, "loto.csv", lotoHeader+"\n"+lotoRow+"\n").Draws[0]
	good.Ranks = append(good.Ranks, ranks(3, make([]money.Cents, 7)...)...)
	if _, err := Write(nil); err == nil {
		t.Error("nothing is written")
	}
	other := good
	other.Game = SuperLoto
	if _, err := Write([]*Draw{&good, &other}); err == nil {
		t.Error("two games are written in one file")
	}
	for name, change := range map[string]func(*Draw){
		"no deadline": func(d *Draw) { d.Deadline = "" }, "a day": func(d *Draw) { d.Date = "25/02/2019" }, "balls": func(d *Draw) { d.Balls = d.Balls[1:] },
		"chance": func(d *Draw) { d.Extras = nil }, "ranks": func(d *Draw) { d.Ranks = d.Ranks[1:] }, "separator": func(d *Draw) { d.Joker = "5;6" },
		"line": func(d *Draw) { d.Currency = "eur\n" },
	} {
		d := good
		change(&d)
		if text, err := Row(&d); err == nil {
			t.Errorf("%s: written as %s", name, text)
		}
	}
}
