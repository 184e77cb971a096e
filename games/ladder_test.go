package games

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// The header is that of article 1: the base text, its eighteen amendments with their publications, the day of effect. A play costs
// 0.50 €.
//
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.2.
func TestDonutHeaderAndPrice(t *testing.T) {
	covers.Covers(t, "D1", "D6")
	r := mustVersion(t, "donuts@2019-06-25")
	h := r.Header
	if h.BaseText != "règlement de l'offre de jeux à tirages immédiats en ligne" || h.Made != "2015-10-28" || h.JO != "2015-11-01" || h.Effective != "2019-06-25" {
		t.Errorf("header %+v", h)
	}
	made := strings.Fields(`2015-11-27 2016-01-06 2016-02-09 2016-04-15 2016-04-28 2016-07-26 2016-09-05 2016-11-28 2017-03-20
		2017-05-29 2017-07-25 2017-10-27 2017-12-01 2017-12-19 2018-03-06 2018-05-03 2019-01-31 2019-04-19`)
	published := strings.Fields(`2015-12-02 2016-01-27 2016-02-12 2016-04-19 2016-05-22 2016-09-03 2016-09-13 2016-12-08 2017-04-06
		2017-06-14 2017-08-01 2017-11-09 2017-12-12 2018-03-13 2018-03-23 2018-05-18 2019-02-05 2019-04-26`)
	if len(h.Amendments) != 18 || len(made) != 18 || len(published) != 18 {
		t.Fatalf("%d amendments", len(h.Amendments))
	}
	for i, a := range h.Amendments {
		if a.Made != made[i] || a.JO != published[i] {
			t.Errorf("amendment %d: %+v, want %s and %s", i+1, a, made[i], published[i])
		}
	}
	if _, err := InForce("donuts", "2019-06-24"); err == nil {
		t.Error("there is a rulebook on the day before the day of effect")
	}
	if r.Sale.Price != 50 || r.Ladder.Rules().Price != 50 {
		t.Errorf("a play costs %v, the ladder counts %v", r.Sale.Price, r.Ladder.Rules().Price)
	}
}

// The rulebook says of each value where it comes from: what the regulation states, what its table proves, what is ours.
//
// Art. donuts@2019-06-25:3.3: the text at hand stops before it.
func TestDonutProvenance(t *testing.T) {
	covers.Covers(t, "D27")
	r := mustVersion(t, "donuts@2019-06-25")
	want := func(path string) rulebook.Confidence {
		switch {
		case path == "sale.price", strings.HasSuffix(path, ".items"), strings.HasSuffix(path, ".printed"):
			return rulebook.Text
		case path == "ladder.first.certain", strings.HasSuffix(path, ".stable"), strings.HasSuffix(path, ".misprint"):
			return rulebook.Inferred
		}
		return rulebook.Assumed
	}
	counted := map[rulebook.Confidence]int{}
	for _, f := range r.Facts {
		if strings.HasPrefix(f.Path, "header.") {
			continue
		}
		counted[f.Confidence]++
		if f.Confidence != want(f.Path) {
			t.Errorf("%s is marked %s, want %s", f.Path, f.Confidence, want(f.Path))
		}
		if f.Confidence == rulebook.Assumed && f.Article != "" {
			t.Errorf("%s is ours and stands in article %s", f.Path, f.Article)
		}
	}
	if counted[rulebook.Text] != 21 || counted[rulebook.Inferred] != 12 || counted[rulebook.Assumed] != 34 {
		t.Errorf("values by confidence %v", counted)
	}
}

// Ten levels of five donuts, numbered 5 to 50; the printed odds are those of the model but for the known misprint, else the
// rulebook would not have been read.
func TestDonutLadder(t *testing.T) {
	covers.Covers(t, "D11", "D25", "D26")
	table := mustVersion(t, "donuts@2019-06-25").Ladder
	if table.Levels() != 10 || table.Max() != 10_000*money.Euro {
		t.Errorf("%d levels, largest gain %v", table.Levels(), table.Max())
	}
	var misprints []string
	for n, o := range table.Odds() {
		if o.Items != 5*(n+1) {
			t.Errorf("level %d has %d donuts", n+1, o.Items)
		}
		printed := table.Rules().Levels[n].Printed
		for _, c := range ladder.Columns {
			if printed.Of(c) != ladder.OneIn(o.Of(c)) {
				misprints = append(misprints, printed.Of(c))
			}
		}
	}
	if !slices.Equal(misprints, []string{"1.90"}) {
		t.Errorf("printed figures that the model does not give: %v", misprints)
	}
}

// The sample table keeps every rule of play in its band.
func TestReturnsOfEmbeddedLadders(t *testing.T) {
	covers.Covers(t, "D24", "D27")
	for _, r := range All() {
		if err := CheckReturns(r.Header.Version(), r); err != nil {
			t.Error(err)
		}
	}
}

// The second ladder is another rulebook and no other code: an urn, exits after six balls and after each further one.
func TestSecondLadder(t *testing.T) {
	table := mustVersion(t, "fortynine@2019-06-25").Ladder
	lines := table.Odds()
	for _, c := range []struct {
		balls, decimals int
		want            string
	}{{7, 9, "0.375132653"}, {10, 9, "0.233314211"}, {20, 9, "0.033969268"}, {43, 14, "0.00000007151124"}} {
		if got := odds.Decimal(lines[c.balls-6].Reach, c.decimals); got != c.want {
			t.Errorf("%d good balls: %s, want %s", c.balls, got, c.want)
		}
	}
	if got := lines[0].Reach.RatString(); got != "435461/998844" || len(lines) != 38 || lines[0].Items != 6 {
		t.Errorf("six good balls: %s, %d levels", got, len(lines))
	}
	if gain := table.Gain(ladder.State{Level: 1}); gain != 2*table.Rules().Price {
		t.Errorf("six good balls pay %v", gain)
	}
}

var brokenLadders = []broken{
	{"donuts@2019-06-25", `"92/100"`, `"91/100"`, `["1.09", "1.52"`, `column "each" is printed "1.09", the model gives 1.10`},
	{"donuts@2019-06-25", `"33.60"`, `"33.61"`, "", `column "reach" is printed "33.61", the model gives 33.60`},
	{"donuts@2019-06-25", `"95/100"`, `"0.95"`, "", `chance "0.95": accepted a fraction of two whole numbers from 0 to 1, such as 95/100`},
	{"donuts@2019-06-25", `"95/100"`, "95", "v = 95", "accepted: a text in quotes"},
	{"donuts@2019-06-25", `["1.05", "1.23", "1.23"]`, `["1.05", "1.23"]`, "# 5 donuts", "2 printed figures; accepted: 3"},
	{"donuts@2019-06-25", `misprint   = { v = "pass"`, `misprint   = { v = "all"`, "", "ladder.levels.8.misprint = all; accepted: each, pass, reach"},
	{"donuts@2019-06-25", `"1024"]`, `"1,5"]`, "", `with 10 stars: multiplier "1,5": accepted a whole number or a fraction of two`},
	{"donuts@2019-06-25", `"1024"]`, `"3/2"]`, "", "multiplier 3/2 with 10 stars after 512/1; accepted: no less"},
	{"donuts@2019-06-25", "[0.10, 0.20, 0.50]", "[0.10, 0.20]", "", "2 values for 3 kinds of items; accepted: one for each"},
	{"donuts@2019-06-25", "v = 10_000,", "v = 5_000,", "", "the last level pays 5000.00 € with the gauge full, the largest gain is 6471.68 €"},
	{"donuts@2019-06-25", "weight     = 6", "weight     = 0", "", "weight 0; accepted: 1 to 65536"},
	{"donuts@2019-06-25", "price      = 0.50", "price      = 0", "", "0.00 €; accepted: 0.01"},
	{"donuts@2019-06-25", "[ladder.first]", "[ladder.firstly]", "", "unknown key ladder.firstly; accepted: band, base, cap"},
	{"donuts@2019-06-25", "[sale]", "[calendar]\nclose = \"20:15\"\nclaim_days = 60\narticle = \"none\"\nconfidence = \"assumed\"\n[sale]", "[calendar]", "a calendar of draws for a ladder; accepted: none"},
	{"fortynine@2019-06-25", "good = 43", "good = 42", "", "the levels draw 43 balls, the urn has 42 good ones"},
	{"fortynine@2019-06-25", "items = 6, pays", "items = 9, pays", "", "9 items; accepted: 1 to 8"},

	{"donuts@2019-06-25", "v = 7,", "v = 0,", "", "an open round is closed after 0 days; accepted: 1 to 366"},
	{"donuts@2019-06-25", "v = 5, note", "v = 5000, note", "", "5000 seconds between two plays; accepted: 0 to 3600"},
	{"donuts@2019-06-25", "floor_seconds", "floor", "[rounds]", "rounds.floor_seconds is missing"},

	// Returns out of the band.
	{"donuts@2019-06-25", "price      = 0.50", "price      = 0.40", "# 5 donuts\n", "stopping at level 1 returns 84.9812%; accepted: 65.00% to 75.00%"},
	{"donuts@2019-06-25", "v = 0.30", "v = 0.34", "# 5 donuts\n", "the best adaptive rule returns 7"},
	{"donuts@2019-06-25", "[0.15, 0.30, 1.00]", "[0.15, 0.30, 3.00]", "# 50 donuts\n", "stopping at level 10 returns 85.0991%; accepted: 65.00% to 75.00%"},
	{"fortynine@2019-06-25", `"88/100"`, `"87/100"`, "items = 6", "stopping at level 1 returns 87.1930%; accepted: 86.00% to 87.00%"},
}

// A ladder that does not add up, or whose returns leave their band, is refused with the line and the reason.
func TestBrokenLaddersAreRefusedWithTheirLine(t *testing.T) {
	for i, c := range brokenLadders {
		t.Run(fmt.Sprintf("%03d %s", i, c.want), func(t *testing.T) {
			text := edit(t, c)
			if c.at == "" {
				c.at = c.new
			}
			want := fmt.Sprintf("broken.toml:%d: ", lineWith(t, text, c.at))
			r, err := Parse("broken.toml", []byte(text))
			if err == nil {
				err = CheckReturns("broken.toml", r)
			}
			var faults *Error
			if !errors.As(err, &faults) {
				t.Fatalf("accepted, or refused as %v", err)
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, want) && strings.Contains(line, c.want) {
					return
				}
			}
			t.Errorf("want %s… %q, got\n%v", want, c.want, err)
		})
	}
}
