package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tirage/archive"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// announced is a draw of fixed gains of which only rank 1 matters.
func announced(game, date string, winners int, euros string) published {
	d := published{game: game, date: date, numbers: "1 2 3 4 5 + 6"}
	lower := map[string]string{
		archive.Loto:      " 100000 1000 500 50 20 10 5 2.2",
		archive.SuperLoto: " 150000 2000 1000 100 50 20 10 3",
	}
	d.winners, d.gains = fmt.Sprint(winners)+" 0 1 2 3 4 5 6 7", euros+lower[game]
	return d
}

// TestLotoCycle follows the jackpot through stories of a few draws.
func TestLotoCycle(t *testing.T) {
	loto := func(date string, winners int, euros string) published {
		return announced(archive.Loto, date, winners, euros)
	}
	super := func(winners int) published {
		return announced(archive.SuperLoto, "2018-10-12", winners, "13000000")
	}
	for _, c := range []struct {
		name   string
		loto   []published
		super  []published
		events []EventKind // of the Loto file
		why    string      // of its only contradicted draw
	}{
		{"one million more until it is won, then two", []published{
			loto("2018-10-06", 0, "9000000"), loto("2018-10-08", 0, "10000000"), loto("2018-10-10", 3, "3666667"), loto("2018-10-13", 1, "2000000"),
		}, nil, nil, ""},
		{"topped up", []published{loto("2018-10-10", 1, "9000000"), loto("2018-10-13", 2, "5000000"), loto("2018-10-15", 0, "2000000")}, nil, []EventKind{TopUp}, ""},
		{"a Super Loto between, unwon", []published{loto("2018-10-10", 0, "5000000"), loto("2018-10-13", 0, "14000000")}, []published{super(0)}, nil, ""},
		{"a Super Loto between, won", []published{loto("2018-10-10", 0, "5000000"), loto("2018-10-13", 0, "2000000")}, []published{super(1)}, nil, ""},
		{"a Super Loto that is in no file", []published{loto("2018-10-10", 0, "5000000"), loto("2018-10-13", 0, "2000000")}, nil, []EventKind{Reset}, ""},
		{"draws are missing", []published{loto("2018-10-06", 0, "5000000"), loto("2018-10-10", 0, "3000000")}, nil, []EventKind{Gap}, ""},
		{"a fall that nothing explains", []published{loto("2018-10-10", 0, "5000000"), loto("2018-10-13", 0, "4000000")}, nil, nil,
			"rank 1: a jackpot of 4000000.00 where the cycle leads to 6000000.00"},
		{"another gain", []published{func() published {
			d := loto("2018-10-10", 0, "5000000")
			d.gains = strings.Replace(d.gains, " 20 ", " 20.1 ", 1)
			return d
		}()}, nil, nil, "rank 6: 4 winners of 20.10: the table gives 20.00"},
	} {
		texts := []string{csv(c.loto...)}
		if c.super != nil {
			texts = append(texts, csv(c.super...))
		}
		files := checked(t, texts...).Files
		var kinds []EventKind
		for _, e := range files[0].Events {
			kinds = append(kinds, e.Kind)
		}
		if !slices.Equal(kinds, c.events) {
			t.Errorf("%s: events %v, want %v", c.name, files[0].Events, c.events)
		}
		switch faults := files[0].Faults; {
		case c.why == "" && len(faults) > 0:
			t.Errorf("%s: %v", c.name, faults)
		case c.why != "" && (len(faults) != 1 || faults[0].Verdict != Contradicted || faults[0].Why != c.why):
			t.Errorf("%s: %v, want %s", c.name, faults, c.why)
		}
		if len(files) == 2 && (files[1].Explained != 1 || files[1].Events[0].Kind != TakeOver) {
			t.Errorf("%s: Super Loto %v %v", c.name, files[1].Tally, files[1].Events)
		}
	}
}

// history has the engine pay draws of Euro Millions from the super jackpot of 15 September 2017 on, each with a fund and winners that t
// draws, and prints what an archive would.
func history(t *rapid.T, n int) []published {
	var out []published
	day := time.Date(2017, 9, 15, 0, 0, 0, 0, time.UTC)
	cycle := prize.Cycle{Position: 4}
	for range n {
		date := day.Format(time.DateOnly)
		b, err := games.InForce(archive.EuroMillions, date)
		if err != nil {
			t.Fatal(err)
		}
		terms := prize.Terms{Cycle: cycle, Super: superJackpots[date], Fund: money.Cents(rapid.Int64Range(20_000_000_00, 90_000_000_00).Draw(t, "fund"))}
		var winners prize.Winners
		for k, r := range b.Prizes.Ranks {
			most := max(1, 40_000_000*r.Ways/b.Matrix.Total())
			if k == 0 {
				most = 0
				if rapid.IntRange(0, 14).Draw(t, "won") == 0 {
					most = 3
				}
			}
			winners = append(winners, rapid.Int64Range(most/2, most).Draw(t, "winners"))
		}
		s, err := prize.Settle(*b.Prizes, terms, winners)
		if err != nil {
			t.Fatal(err)
		}
		d := published{game: archive.EuroMillions, date: date, numbers: "1 2 3 4 5 + 6 7"}
		for k, w := range winners {
			d.winners += fmt.Sprint(w, " ")
			d.gains += s.Published[k].String() + " "
		}
		out = append(out, d)
		cycle = s.Next
		day = day.AddDate(0, 0, 3+int(day.Weekday())/5) // Friday + 4, Tuesday + 3
	}
	return out
}

// TestEuroCycle: every draw that the engine paid is explained by its archive row, every jackpot won is predicted; a jackpot moved by 1 000 € is not.
func TestEuroCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draws := history(t, 30)
		f := checkedRapid(t, csv(draws...))
		if f.Explained != len(draws) {
			t.Fatalf("%v\n%v", f.Tally, f.Faults)
		}
		for _, j := range f.Jackpots {
			if !j.Predicted() {
				t.Fatal(j)
			}
		}
		if len(f.Jackpots) == 0 {
			return
		}
		j := f.Jackpots[len(f.Jackpots)-1]
		at := slices.IndexFunc(draws, func(d published) bool { return d.date == j.Date })
		_, lower, _ := strings.Cut(draws[at].gains, " ")
		draws[at].gains = (j.High + 1000*money.Euro).String() + " " + lower
		if f := checkedRapid(t, csv(draws...)); f.Contradicted != 1 || f.Faults[0].Date != j.Date {
			t.Fatalf("a jackpot moved: %v %v", f.Tally, f.Faults)
		}
	})
}

func checkedRapid(t *rapid.T, text string) *File {
	a, err := archive.Read("e.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return Files([]*archive.File{a}, games.InForce).Files[0]
}
