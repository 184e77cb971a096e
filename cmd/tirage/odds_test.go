package main

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tirage/games"
	"tirage/internal/covers"
)

// tirage runs the program on buffers.
func tirage(args ...string) (code int, out, errs string) {
	var o, e strings.Builder
	code = (&program{in: strings.NewReader(""), out: &o, err: &e}).run(args)
	return code, o.String(), e.String()
}

// must returns the output of a command that has to succeed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := tirage(args...)
	if code != 0 || errs != "" {
		t.Fatalf("tirage %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// says checks that the output holds each of the texts.
func says(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
}

// refuses checks that the program exits with 2, prints no result and says each of the texts.
func refuses(t *testing.T, args []string, texts ...string) {
	t.Helper()
	code, out, errs := tirage(args...)
	if code != exitBadInput || out != "" {
		t.Errorf("tirage %s: exit %d, output %q", strings.Join(args, " "), code, out)
	}
	says(t, errs, texts...)
}

// squeeze makes one space of many, so that a test may quote a row of a table.
func squeeze(s string) string { return regexp.MustCompile(` +`).ReplaceAllString(s, " ") }

func TestOddsOfLoto(t *testing.T) {
	out := squeeze(must(t, "odds", "loto", "--date", "2018-10-29"))
	says(t, out,
		"Loto® (loto@2018-10-29)",
		"5 of 49 + 1 of 10: 19\u202f068\u202f840 simple combinations at 2.20 €",
		"1 5+1 1 1/19068840 1 chance sur 19\u202f068\u202f840 0.0000052% jackpot loto@2018-10-29:8.1.1.2 verified",
		"3 4+1 220 11/953442 1 chance sur 86\u202f677 0.0012% 1000.00 €",
		"9 1+1 or 0+1 1\u202f764\u202f763 252109/2724120 1 chance sur 10,81 9.25% 2.20 €",
		"any gain: 1 chance sur 5,99 (exactly 50571/302680, 16.71%)",
		"code loto: A 0000 0000 to Z 9999 9999, 2\u202f600\u202f000\u202f000 codes; 10 drawn among those issued, 20000.00 € each",
		"rank 1 with a jackpot of 2000000.00 € (the first of a cycle), its winner taken to be alone",
		"ranks 2 to 9 at their fixed gains 0.8104 € 36.83% exactly 25754131/31781400 €")
}

// The columns stand under each other whatever the bytes of a cell.
func TestOddsColumnsAlign(t *testing.T) {
	for _, game := range games.Games() {
		book, err := bookOn(game, "")
		if err != nil {
			t.Fatal(err)
		}
		if book.Ladder != nil { // its columns have other heads
			continue
		}
		out := must(t, "odds", game)
		column := -1
		for line := range strings.Lines(out) {
			before, _, found := strings.Cut(line, "1 chance sur ")
			if !found || strings.HasPrefix(line, "any gain") || strings.HasPrefix(line, "  one code") {
				continue
			}
			if at := utf8.RuneCountInString(before); column >= 0 && at != column {
				t.Errorf("%s: the odds start at %d and at %d in\n%s", game, column, at, out)
			} else {
				column = at
			}
		}
		if book.Prizes != nil && column < 0 {
			t.Errorf("%s: no odds in\n%s", game, out)
		}
	}
}

func TestOddsOfEuroMillions(t *testing.T) {
	before := squeeze(must(t, "odds", "euromillions", "--date", "2020-02-03"))
	says(t, before,
		"139\u202f838\u202f160 simple combinations at 2.50 €",
		"1 5+2 1 1/139838160 1 chance sur 139\u202f838\u202f160 0.00000072% carry + 43.20 % of the fund (late draw 27.00 %)",
		"13 2+0 6\u202f385\u202f500 9675/211876 1 chance sur 21,90 4.57% 18.25 % of the fund",
		"of each stake of 2.20 €, 50.00 % goes to the winners",
		"no expectation is claimed",
		"25 drawn among those issued at an exceptional draw, 1000000.00 € each",
		"sold with mymillion: tirage odds mymillion",
		"assumed (no source states it)\n sale.formats")
	after := squeeze(must(t, "odds", "euromillions", "--date", "2020-02-04"))
	says(t, after, "carry + 50.00 % of the fund (late draw 42.00 %)", "16.59 % of the fund")
}

// Joker+ is a table of our own, and every line of it says so.
func TestOddsOfJokerPlusAreMarkedAssumed(t *testing.T) {
	out := squeeze(must(t, "odds", "jokerplus"))
	says(t, out,
		"stake 1.00 € (assumed: a table of our own, no source states it)",
		"7 1/10000000 1 chance sur 10\u202f000\u202f000 0.000010% 200000.00 € assumed",
		"6 9/10000000 1 chance sur 1\u202f111\u202f111 0.000090% 50000.00 € assumed",
		"1 9/100 1 chance sur 11,11 9.00% 2.00 € assumed",
		"every gain at a stake of 1.00 € 0.5600 € 56.00% exactly 14/25 €",
		"every gain at a stake of 2.00 € 1.1300 € 56.50% exactly 113/100 €")
}

// oddsOf reads the JSON of a game.
func oddsOf(t *testing.T, args ...string) oddsReport {
	t.Helper()
	var r oddsReport
	if err := json.Unmarshal([]byte(must(t, append([]string{"odds", "--json"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The odds of every game and version add up: exact fractions, the sum over the ranks, the mean and variance of a play.
func TestOddsAddUp(t *testing.T) {
	for _, book := range games.All() {
		r := oddsOf(t, book.Header.Game, "--date", book.Header.Effective)
		if r.Version != book.Header.Version() {
			t.Errorf("%s is shown for %s", r.Version, book.Header.Version())
		}
		sum := new(big.Rat)
		for _, k := range r.Ranks {
			p := exact(t, k.Odds.Exact)
			if p.Cmp(big.NewRat(k.Ways, r.Combinations)) != 0 {
				t.Errorf("%s rank %d: %s for %d of %d", r.Version, k.Rank, k.Odds.Exact, k.Ways, r.Combinations)
			}
			sum.Add(sum, p)
		}
		if r.AnyGain != nil && exact(t, r.AnyGain.Exact).Cmp(sum) != 0 {
			t.Errorf("%s: any gain %s, the ranks make %s", r.Version, r.AnyGain.Exact, sum)
		}
		for _, d := range r.Digits {
			chance, mean := new(big.Rat), new(big.Rat)
			for _, row := range d.Rows {
				p := exact(t, row.Odds.Exact)
				chance.Add(chance, p)
				mean.Add(mean, p.Mul(p, row.GainCents.Rat()))
			}
			if chance.RatString() != "1/10" { // the last digit is right or not
				t.Errorf("%s: some digit right with chance %s", r.Version, chance)
			}
			if inEuros(mean).Cmp(exact(t, d.Return.Euros)) != 0 {
				t.Errorf("%s: return %s € of a stake of %v", r.Version, d.Return.Euros, d.StakeCents)
			}
		}
	}
}

func exact(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no fraction", s)
	}
	return r
}

func TestOddsCountWhatIsGiven(t *testing.T) {
	r := oddsOf(t, "loto", "--date", "2018-10-29", "--jackpot", "8000000", "--issued-codes", "5000000")
	want := []struct{ counted, euros string }{
		{"ranks 2 to 9 at their fixed gains", "25754131/31781400"},
		{"rank 1 with a jackpot of 8000000.00 € (as given), its winner taken to be alone", "200000/476721"},
		{"code loto, 10 drawn among 5000000 issued", "1/25"},
		{"together", "121076161/95344200"},
	}
	if len(r.Returns) != len(want) {
		t.Fatalf("%d returns", len(r.Returns))
	}
	for i, w := range want {
		if got := r.Returns[i]; got.Counted != w.counted || got.Euros != w.euros {
			t.Errorf("return %d: %q %s, want %q %s", i, got.Counted, got.Euros, w.counted, w.euros)
		}
	}
	// 200000/476721 of a jackpot of 8 M€: p·x² − (p·x)².
	p, x := big.NewRat(1, 19_068_840), big.NewRat(8_000_000, 1)
	mean := new(big.Rat).Mul(p, x)
	variance := new(big.Rat).Sub(new(big.Rat).Mul(mean, x), new(big.Rat).Mul(mean, mean))
	if got := r.Returns[1].Variance; got != variance.RatString() {
		t.Errorf("variance %s, want %s", got, variance.RatString())
	}
	if got := r.Codes[0].Odds; got == nil || got.French != "1 chance sur 500\u202f000" || got.English != "1 in 500,000" {
		t.Errorf("odds of a code %+v", got)
	}
	spread := oddsOf(t, "grandloto", "--date", "2018-12-25")
	if got := spread.Returns[0].Counted; !strings.Contains(got, "the part of an unwon jackpot not counted") {
		t.Errorf("Grand Loto counts %q", got)
	}
}

func TestOddsRefuse(t *testing.T) {
	refuses(t, []string{"odds", "nothing"}, `game "nothing"`, "accepted: ", "grandloto, jokerplus, loto, mymillion, superloto")
	refuses(t, []string{"odds"}, "<game>")
	refuses(t, []string{"odds", "loto", "--date", "2018-10-32"}, `day "2018-10-32"`, "YYYY-MM-DD")
	refuses(t, []string{"odds", "loto", "--date", "2010-01-01"}, "no rulebook for 2010-01-01", "2017-03-06")
	refuses(t, []string{"odds", "loto", "--date", "2018-10-29", "--jackpot", "1e6"}, "--jackpot", `"1e6"`, "euros with at most two decimals")
	refuses(t, []string{"odds", "euromillions", "--jackpot", "17000000"}, "--jackpot", "depend on the winners")
	refuses(t, []string{"odds", "mymillion", "--jackpot", "17000000"}, "--jackpot", "no ranks")
	refuses(t, []string{"odds", "loto", "--issued-codes", "9"}, "--issued-codes 9", "10 to 2600000000")
	refuses(t, []string{"odds", "loto", "--issued-codes", "2600000001"}, "--issued-codes 2600000001")
	refuses(t, []string{"odds", "euromillions", "--issued-codes", "9"}, "--issued-codes", "mymillion")
	refuses(t, []string{"odds", "etoileplus", "--issued-codes", "9"}, "--issued-codes", "no code")
}

// The table of the ladder stands beside the one that the regulation prints: 30 figures, of which one differs.
func TestOddsOfDonuts(t *testing.T) {
	covers.Covers(t, "D25", "D26")
	out := squeeze(must(t, "odds", "donuts"))
	says(t, out,
		"stake 0.50 €",
		"1 5 1.05 [1.05] 1.23 [1.23] 1.23 [1.23] 67.985%",
		"8 40 1.14 [1.14] 1.89 [1.90]* 33.60 [33.60] 70.797%",
		"10 50 1.16 [1.16] 2.13 [2.13] 143.30 [143.30] 69.441%",
		"all levels: 0.006978450314586",
		"best rule of play 73.387%, worst 66.572%; largest gain 10000.00 € for who never stops: 1 chance sur 946\u202f639 (assumed",
		"29 of the 30 printed figures are those of the exact chances, rounded once",
		"* level 8 is printed 1.90, the exact chance 5153632/9765625 gives 1.89",
		"the first item of a play cannot fall (inferred): level 1 is passed when the 4 others hold",
		"note: The first donut of a play cannot fall: the printed odds of level 1 are those of four donuts")

	printed, misprints := 0, 0
	for _, level := range oddsOf(t, "donuts").Ladder.Levels {
		for _, f := range []*figure{level.Each, level.Pass, level.Reach} {
			printed++
			if f.Misprint {
				misprints++
			} else if f.OneIn != f.Printed {
				t.Errorf("level %d: %s, printed %s", level.Level, f.OneIn, f.Printed)
			}
		}
	}
	if printed != 30 || misprints != 1 {
		t.Errorf("%d figures, %d misprints", printed, misprints)
	}
}

// Balls that are not put back have no chance of their own, and nothing is printed of them.
func TestOddsOfAnUrn(t *testing.T) {
	l := oddsOf(t, "fortynine").Ladder
	if f := l.Levels[0].Reach; f.Exact != "435461/998844" || f.Printed != "" || l.Levels[0].Each != nil {
		t.Errorf("six good balls: %+v", l.Levels[0])
	}
}
