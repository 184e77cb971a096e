package prize_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// published is one row of an archive file, as far as this test needs it.
type published struct {
	date    string // YYYY-MM-DD
	winners prize.Winners
	gains   []money.Cents
}

// readPublished reads the winners and gains in n ranks, from column on, step columns apart, oldest draw first.
func readPublished(t *testing.T, file string, column, step, n int) []published {
	t.Helper()
	f, err := os.Open(filepath.Join(covers.SharedData(t), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = ';', -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var draws []published
	for _, row := range rows[1:] {
		day := row[2]
		d := published{date: day[6:] + "-" + day[3:5] + "-" + day[:2]}
		for k := range n {
			w, err := strconv.ParseInt(row[column+step*k], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			d.winners = append(d.winners, w)
			d.gains = append(d.gains, euros(row[column+step*k+1])...)
		}
		draws = append(draws, d)
	}
	slices.SortFunc(draws, func(a, b published) int { return strings.Compare(a.date, b.date) })
	return draws
}

var supers = map[string]money.Cents{
	"2016-09-30": 130, "2017-06-30": 100, "2017-09-15": 130, "2018-04-20": 130, "2018-09-21": 130, "2019-02-01": 120, "2019-06-07": 130,
	"2020-02-07": 130, "2020-07-03": 130, "2020-09-25": 130, "2020-11-20": 130, "2021-02-05": 130, "2021-06-04": 130, "2021-09-24": 130, "2021-12-03": 130,
}

// Followed from draw to draw, the cycle predicts every won jackpot of both files to the euro, between what the lowest and the highest funds and carries give,
// and every overflow in the gain of rank 2.
func TestPublishedEuroMillions(t *testing.T) {
	won, overflows := 0, 0
	for _, c := range []struct {
		file  string
		table prize.Table
		draws int
	}{
		{"euromillions_201609_4.csv", euromillions2016(), 253}, {"euromillions_202002_to_202112.csv", euromillions2020(), 200},
	} {
		low := prize.Cycle{Position: 1}
		high := low
		draws := readPublished(t, c.file, 15, 3, 13)
		if len(draws) != c.draws {
			t.Errorf("%s: %d draws, want %d", c.file, len(draws), c.draws)
		}
		for _, d := range draws {
			l, h := followEuroMillions(t, c.table, d, low, high)
			if d.winners[0] > 0 {
				won++
			}
			for _, e := range l.Events {
				if e.Kind == prize.EventOverflow {
					overflows++
				}
			}
			low, high = l.Next, h.Next
		}
	}
	if won != 86 || overflows != 9 {
		t.Errorf("%d won jackpots and %d overflows, want 86 and 9", won, overflows)
	}
}

// followEuroMillions settles a draw at both ends of what is known of it and compares each published gain.
func followEuroMillions(t *testing.T, table prize.Table, d published, low, high prize.Cycle) (l, h prize.Settlement) {
	t.Helper()
	terms := prize.Terms{Cycle: high, Super: supers[d.date] * million}
	lo, hi, err := prize.FundWindow(table, terms, d.winners, d.gains)
	if err != nil {
		t.Fatalf("%s: %v", d.date, err)
	}
	terms.Fund = hi
	h = settle(t, table, terms, d.winners)
	terms.Cycle, terms.Fund = low, lo
	l = settle(t, table, terms, d.winners)
	for k, gain := range d.gains {
		if l.Published[k] > gain || gain > h.Published[k] {
			t.Errorf("%s rank %d: between %v and %v, published %v", d.date, k+1, l.Published[k], h.Published[k], gain)
		}
	}
	return l, h
}

// jumps are the draws before which the running jackpot was topped up by announcement.
var jumps = map[string]money.Cents{
	"2017-05-27": 10, "2018-02-14": 10, "2018-05-26": 10, "2018-12-31": 10,
}

// Every gain of the fixed tables comes out, and each announced jackpot is the one that the draw before it leads to, Super and Grand Loto in their
// places; the known announcements apart.
func TestPublishedFixedLoto(t *testing.T) {
	type draw struct {
		published
		t     prize.Table
		check func(prize.Table, prize.Terms, prize.Winners, []money.Cents) error
	}
	var draws []draw
	for file, c := range map[string]draw{
		"loto_201703.csv":             {t: loto2017(), check: prize.CheckFixed},
		"superloto_201703.csv":        {t: superLoto2017(), check: prize.CheckFixed},
		"grandloto_201712_201812.csv": {t: grandLoto2017(), check: prize.CheckSpread},
	} {
		for _, p := range readPublished(t, file, 11, 2, 9) {
			draws = append(draws, draw{p, c.t, c.check})
		}
	}
	slices.SortFunc(draws, func(a, b draw) int { return strings.Compare(a.date, b.date) })
	ordinary := loto2017().Ranks[8].Fixed
	running := draws[0].gains[0] // the cycle began under the earlier formula
	for _, d := range draws {
		terms := prize.Terms{Cycle: prize.Cycle{Jackpot: running}}
		if up := jumps[d.date] * million; up > 0 {
			terms.Jackpot = up
		}
		if d.t.Ranks[8].Fixed != ordinary {
			terms.Jackpot = 0 // of a Super or Grand Loto: announced for itself
		}
		if err := d.check(d.t, terms, d.winners, d.gains); err != nil {
			t.Errorf("%s: running jackpot %v: %v", d.date, running, err)
		}
		terms.Jackpot = d.gains[0] * max(1, money.Cents(d.winners[0]))
		running = settle(t, d.t, terms, d.winners).Next.Jackpot
	}
	if len(draws) != 316 {
		t.Errorf("%d draws, want 316", len(draws))
	}
}

// One pool explains ranks 2–8 of every draw, that of 14 August 2021 through the merge, and no pool around the window does.
func TestPublishedPooledLoto(t *testing.T) {
	table, merged := loto2019(), ""
	draws := readPublished(t, "loto_201911_to_202112.csv", 11, 2, 9)
	for _, d := range draws {
		lo, hi, err := prize.FundWindow(table, prize.Terms{}, d.winners, d.gains)
		if err != nil {
			t.Errorf("%s: %v", d.date, err)
			continue
		}
		jackpot := d.gains[0] * max(1, money.Cents(d.winners[0]))
		for fund, want := range map[money.Cents]bool{lo: true, hi: true, lo - 1: false, hi + 1: false} {
			s := settle(t, table, prize.Terms{Cycle: prize.Cycle{Jackpot: jackpot}, Fund: fund}, d.winners)
			if slices.Equal(s.Published, d.gains) != want {
				t.Errorf("%s: pool %v of %v–%v: %v, published %v", d.date, fund, lo, hi, s.Published, d.gains)
			}
			if fund == lo {
				for _, e := range s.Events {
					if e.Kind == prize.EventMerge {
						merged += fmt.Sprintf("%s %d+%d ", d.date, e.Rank, e.To)
					}
				}
			}
		}
	}
	if len(draws) != 338 || merged != "2021-08-14 3+4 " {
		t.Errorf("%d draws, want 338; merged %q, want 2021-08-14 3+4 alone", len(draws), merged)
	}
}

// The pool of Étoile+ explains every draw of both files.
func TestPublishedEtoilePlus(t *testing.T) {
	for file, table := range map[string]prize.Table{
		"euromillions_201609_4.csv": etoilePlus2016(), "euromillions_202002_to_202112.csv": etoilePlus2020(),
	} {
		for _, d := range readPublished(t, file, 53, 2, 10) {
			lo, hi, err := prize.FundWindow(table, prize.Terms{}, d.winners, d.gains)
			if err != nil {
				t.Errorf("%s: %v", d.date, err)
				continue
			}
			for _, fund := range []money.Cents{lo, hi} {
				if s := settle(t, table, prize.Terms{Fund: fund}, d.winners); !slices.Equal(s.Published, d.gains) {
					t.Errorf("%s: pool %v: %v, published %v", d.date, fund, s.Published, d.gains)
				}
			}
		}
	}
}
