package games

import (
	"fmt"
	"strings"
	"testing"

	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// The tables of the fact sheets, typed once more by hand: rank, hits, winning combinations, then gain in euros or shares in %.
const lotoFixed = `
1 5+1     1       -
2 5+0     9       100000.00
3 4+1     220     1000.00
4 4+0     1980    500.00
5 3+1     9460    50.00
6 3+0     85140   20.00
7 2+1     132440  10.00
8 2+0     1191960 5.00
9 1+1,0+1 1764763 2.20`

const superLotoFixed = `
1 5+1     1       -
2 5+0     9       150000.00
3 4+1     220     2000.00
4 4+0     1980    1000.00
5 3+1     9460    100.00
6 3+0     85140   50.00
7 2+1     132440  20.00
8 2+0     1191960 10.00
9 1+1,0+1 1764763 3.00`

const grandLotoSpread = `
1 5+1     1       -
2 5+0     9       200000.00 1.28%
3 4+1     220     5000.00 0.77%
4 4+0     1980    2500.00 3.48%
5 3+1     9460    200.00 1.31%
6 3+0     85140   100.00 5.96%
7 2+1     132440  30.00 11.24%
8 2+0     1191960 15.00 51.10%
9 1+1,0+1 1764763 5.00 24.86%`

const lotoPool = `
1 5+1     1       -
2 5+0     9       8.44%
3 4+1     220     2.06%
4 4+0     1980    7.43%
5 3+1     9460    4.44%
6 3+0     85140   15.98%
7 2+1     132440  12.43%
8 2+0     1191960 49.22%
9 1+1,0+1 1764763 2.20`

const euro2016 = `
1  5+2 1       43.20% late 27.00%
2  5+1 20      3.95%
3  5+0 45      0.92%
4  4+2 225     0.45%
5  4+1 4500    0.48%
6  3+2 9900    0.67%
7  4+0 10125   0.38%
8  2+2 141900  1.75%
9  3+1 198000  1.85%
10 3+0 445500  3.50%
11 1+2 744975  4.95%
12 2+1 2838000 14.85%
13 2+0 6385500 18.25%`

const euro2020 = `
1  5+2 1       50.00% late 42.00%
2  5+1 20      2.61%
3  5+0 45      0.61%
4  4+2 225     0.19%
5  4+1 4500    0.35%
6  3+2 9900    0.37%
7  4+0 10125   0.26%
8  2+2 141900  1.30%
9  3+1 198000  1.45%
10 3+0 445500  2.70%
11 1+2 744975  3.27%
12 2+1 2838000 10.30%
13 2+0 6385500 16.59%`

const etoile2016 = `
1  5+1 20       0.67%
2  4+2 225      0.08%
3  4+1 4500     0.17%
4  3+2 9900     0.17%
5  2+2 141900   0.58%
6  3+1 198000   0.67%
7  1+2 744975   2.33%
8  0+2 1221759  15.00%
9  2+1 2838000  6.83%
10 0+1 24435180 73.50%`

const etoile2020 = `
1  5+1 20       0.10%
2  4+2 225      0.08%
3  4+1 4500     0.10%
4  3+2 9900     0.10%
5  2+2 141900   0.25%
6  3+1 198000   0.67%
7  1+2 744975   3.15%
8  0+2 1221759  14.60%
9  2+1 2838000  8.25%
10 0+1 24435180 72.70%`

// What each version says besides its ranks: model, total, price, winners' share, booster, codes drawn and the gain of each.
var tables = []struct {
	version, ranks, rest string
}{
	{"loto@2017-03-06", lotoFixed, "fixed 19068840 2.20 54.75% 0.00%/0.00% 10×20000.00"},
	{"loto@2018-10-29", lotoFixed, "fixed 19068840 2.20 54.75% 0.00%/0.00% 10×20000.00"},
	{"loto@2019-11-04", lotoPool, "pool 19068840 2.20 54.75% 0.00%/0.00% 10×20000.00"},
	{"superloto@2017-03-06", superLotoFixed, "fixed 19068840 3.00 54.75% 0.00%/0.00% 50×20000.00"},
	{"superloto@2018-10-29", superLotoFixed, "fixed 19068840 3.00 54.75% 0.00%/0.00% 50×20000.00"},
	{"grandloto@2017-03-06", grandLotoSpread, "spread 19068840 5.00 54.75% 0.00%/0.00% 100×20000.00"},
	{"grandloto@2018-10-29", grandLotoSpread, "spread 19068840 5.00 54.75% 0.00%/0.00% 100×20000.00"},
	{"euromillions@2016-09-27", euro2016, "european 139838160 2.50 50.00% 4.80%/21.00% 25×1000000.00"},
	{"euromillions@2018-10-29", euro2016, "european 139838160 2.50 50.00% 4.80%/21.00% 25×1000000.00"},
	{"euromillions@2020-02-04", euro2020, "european 139838160 2.50 50.00% 10.00%/18.00% 25×1000000.00"},
	{"etoileplus@2016-09-27", etoile2016, "sidepool 139838160 1.00 60.00% 0.00%/0.00%"},
	{"etoileplus@2020-02-04", etoile2020, "sidepool 139838160 1.00 60.00% 0.00%/0.00%"},
}

func TestPrizeTables(t *testing.T) {
	for _, c := range tables {
		r := mustVersion(t, c.version)
		if got, want := ranksText(r.Prizes), words(c.ranks); got != want {
			t.Errorf("%s ranks:\n%s\nwant\n%s", c.version, got, want)
		}
		rest := fmt.Sprintf("%s %d %v %s %s/%s", r.Prizes.Model, r.Matrix.Total(), r.Sale.Price, pct(r.Prizes.WinnersShare), pct(r.Prizes.Booster), pct(r.Prizes.BoosterLate))
		for _, p := range r.CodePrizes {
			rest += fmt.Sprintf(" %d×%v", p.Winners, p.Gain)
		}
		if rest != c.rest {
			t.Errorf("%s: %s, want %s", c.version, rest, c.rest)
		}
	}
}

// words writes each line with one space between its words.
func words(table string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(table)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

func ranksText(t *prize.Table) string {
	var lines []string
	for _, r := range t.Ranks {
		var hits []string
		for _, h := range r.Hits {
			hits = append(hits, fmt.Sprintf("%d+%d", h.Main, h.Extra))
		}
		line := fmt.Sprintf("%d %s %d", r.Number, strings.Join(hits, ","), r.Ways)
		if r.Fixed > 0 {
			line += " " + r.Fixed.String()
		}
		if r.Share > 0 {
			line += " " + pct(r.Share)
		}
		if r.LateShare > 0 {
			line += " late " + pct(r.LateShare)
		}
		if r.Fixed == 0 && r.Share == 0 {
			line += " -"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func pct(p prize.BP) string { return fmt.Sprintf("%d.%02d%%", p/100, p%100) }

func TestJackpots(t *testing.T) {
	for _, c := range []struct{ version, want string }{
		{"loto@2017-03-06", "{Start:2000000.00 AfterWin:2000000.00 Step:1000000.00 RoundUp:1.00 MaxRolls:34 LateFrom:0 Cap:0.00 CapStep:0.00 CapMax:0.00 CapDraws:0 MustBeWon:false}"},
		{"loto@2019-11-04", "{Start:2000000.00 AfterWin:2000000.00 Step:1000000.00 RoundUp:1.00 MaxRolls:34 LateFrom:0 Cap:0.00 CapStep:0.00 CapMax:0.00 CapDraws:0 MustBeWon:false}"},
		{"superloto@2018-10-29", "{Start:13000000.00 AfterWin:2000000.00 Step:1000000.00 RoundUp:1.00 MaxRolls:0 LateFrom:0 Cap:0.00 CapStep:0.00 CapMax:0.00 CapDraws:0 MustBeWon:false}"},
		{"grandloto@2017-03-06", "{Start:20000000.00 AfterWin:2000000.00 Step:0.00 RoundUp:1.00 MaxRolls:0 LateFrom:0 Cap:0.00 CapStep:0.00 CapMax:0.00 CapDraws:0 MustBeWon:true}"},
		{"grandloto@2018-10-29", "{Start:15000000.00 AfterWin:2000000.00 Step:0.00 RoundUp:1.00 MaxRolls:0 LateFrom:0 Cap:0.00 CapStep:0.00 CapMax:0.00 CapDraws:0 MustBeWon:true}"},
		{"euromillions@2018-10-29", "{Start:17000000.00 AfterWin:0.00 Step:0.00 RoundUp:1.00 MaxRolls:0 LateFrom:7 Cap:190000000.00 CapStep:0.00 CapMax:190000000.00 CapDraws:5 MustBeWon:false}"},
		{"euromillions@2020-02-04", "{Start:17000000.00 AfterWin:0.00 Step:0.00 RoundUp:1.00 MaxRolls:0 LateFrom:6 Cap:200000000.00 CapStep:10000000.00 CapMax:250000000.00 CapDraws:5 MustBeWon:false}"},
	} {
		if got := fmt.Sprintf("%+v", mustVersion(t, c.version).Prizes.Jackpot); got != c.want {
			t.Errorf("%s: %s, want %s", c.version, got, c.want)
		}
	}
}

// A combination wins its best rank only, and every pair of hits has the rank of the table or none.
func TestRankOfEveryPairOfHits(t *testing.T) {
	for _, r := range All() {
		if r.Prizes == nil {
			continue
		}
		var winning, all int64
		for main := range r.Matrix.Main + 1 {
			for extra := range r.Matrix.Extra + 1 {
				h := prize.Hits{Main: main, Extra: extra}
				want := 0
				for _, rank := range r.Prizes.Ranks {
					for _, hits := range rank.Hits {
						if hits == h {
							want = rank.Number
						}
					}
				}
				if got := r.RankOf(main, extra); got != want {
					t.Errorf("%s: rank of %d+%d is %d, want %d", r.Header.Version(), main, extra, got, want)
				}
				ways := rulebook.Ways(r.Matrix, h)
				all += ways
				if want > 0 {
					winning += ways
				}
			}
		}
		var stated int64
		for _, rank := range r.Prizes.Ranks {
			stated += rank.Ways
		}
		if all != r.Matrix.Total() || winning != stated {
			t.Errorf("%s: %d combinations, %d winning; want %d and %d", r.Header.Version(), all, winning, r.Matrix.Total(), stated)
		}
	}
}

// Joker+: the return of the table that we assume, 56.0 % and 56.5 %.
func TestJokerPlus(t *testing.T) {
	r := mustVersion(t, "jokerplus@2017-03-06")
	for i, want := range []string{"0.5600", "0.5650"} {
		if got := r.Digits.Stakes[i].Return().FloatString(4); got != want {
			t.Errorf("stake %v € returns %s, want %s", r.Digits.Stakes[i].Stake, got, want)
		}
	}
	for _, f := range r.Facts {
		if strings.HasPrefix(f.Path, "digits.stakes") && f.Confidence != rulebook.Assumed {
			t.Errorf("%s is marked %s, want assumed", f.Path, f.Confidence)
		}
	}
}
