package games

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// broken is an edit of a real rulebook that must be refused: on the line that holds at (the new text when empty), with words
// of the reason.
type broken struct {
	version  string
	old, new string
	at       string
	want     string
}

var brokenBooks = []broken{
	// The text of the file.
	{"loto@2018-10-29", `game        = "loto"`, `game        = loto`, "", "no valid TOML"},
	{"loto@2018-10-29", `max_combinations = 168`, `max_combinations = 168 168`, "", "no valid TOML"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 49\nmain_of = 50", "main_of = 50", `key "main_of" stands twice, first in line`},
	{"loto@2018-10-29", "[pack]", "[sale] # twice", "", `table [sale] stands twice, first in line`},
	{"loto@2018-10-29", "[matrix]", "[[codes]]\n[matrix]", "[[codes]]", "codes.1.series is missing; accepted: a value for it"},
	{"loto@2018-10-29", "[pack]", "[prizes.ranks.x]", "", `"ranks" in line`},
	{"loto@2018-10-29", "[pack]", "[[prizes.ranks]]", "", "adds to what line"},
	{"loto@2018-10-29", "[prizes.jackpot]", "[codes]", "[[codes]]", "[[codes]] adds to what line"},
	{"loto@2018-10-29", "extra      = 1", "extra.a    = 1", "", "dotted key extra.a; accepted: a key of one word"},
	{"loto@2018-10-29", `[1, 2, 5, 10]`, `[1, { a = 2 }]`, "", "a list mixes tables and other values"},
	{"loto@2018-10-29", `[1, 2, 5, 10]`, `[[[[[[[[[[[1]]]]]]]]]]]`, "", "tables and lists within each other; accepted: at most 8"},
	{"loto@2018-10-29", "[pack]", "[a.a.a.a.a.a.a.a.a]", "", "header of 9 parts; accepted: at most 8"},
	{"loto@2018-10-29", `[1, 2, 5, 10]`, "[" + strings.Repeat("1,", 1001) + "]", "", "more than 1000 keys or values"},

	// Keys and types.
	{"loto@2018-10-29", "main_of    = 49", "main_off   = 49", "", "unknown key matrix.main_off; accepted: extra, extra_of, main, main_of, total"},
	{"loto@2018-10-29", "main_of    = 49", "main_off   = 49", "[matrix]", "matrix.main_of is missing"},
	{"loto@2018-10-29", "[pack]", "[packs]", "", "unknown key packs; accepted: calendar, codes, digits, funds, header,"},
	{"loto@2018-10-29", "ways = 220, ", "waves = 220, ", "", "unknown key prizes.ranks.3.waves"},
	{"loto@2018-10-29", "v = 45, ", "v = 45, vv = 46, ", "", "unknown key sale.max_identical.vv; accepted beside v: article, confidence, note"},
	{"loto@2018-10-29", "v = 45, ", "v = 256, ", "", "256 identical combinations; accepted: at most 255"},
	{"loto@2018-10-29", "gain = 1_000 ", "gain = \"1 000\" ", "", "prizes.ranks.3.gain = 1 000; accepted: an amount in euros with at most two decimals"},
	{"loto@2018-10-29", "gain = 2.20 ", "gain = 2.205 ", "", "accepted: an amount in euros"},
	{"loto@2018-10-29", "gain = 2.20 ", "gain = 22e-1 ", "", "accepted: an amount in euros"},
	{"loto@2018-10-29", "gain = 2.20 ", "gain = nan ", "", "accepted: an amount in euros"},
	{"loto@2018-10-29", "gain = 2.20 ", "gain = -2.20 ", "", "accepted: an amount in euros"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 4.9", "", "matrix.main_of = 4.9; accepted: a whole number from 0 to"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 0x31", "", "matrix.main_of = 0x31; accepted: a whole number from 0 to"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 4_000_000", "", "accepted: a whole number from 0 to 1048576"},
	{"loto@2018-10-29", "total      = 19_068_840", "total      = 9_000_000_000_000", "", "accepted: a whole number from 0 to 1000000000000"},
	{"loto@2018-10-29", "v = 54.75,", "v = 154.75,", "", "accepted: a proportion in per cent"},
	{"loto@2018-10-29", "effective   = 2018-10-29", `effective   = "2018-10-29"`, "", "accepted: a day that exists, as YYYY-MM-DD without quotes"},
	{"loto@2018-10-29", "effective   = 2018-10-29", `effective   = 2018-02-29`, "", "header.effective = 2018-02-29; accepted: a day that exists"},
	{"loto@2018-10-29", "effective   = 2018-10-29", `effective   = 2018-10-29T00:00:00Z`, "", "accepted: a day that exists"},
	{"loto@2018-10-29", `title       = "Loto®"`, `title       = 5`, "", "header.title = 5; accepted: a text in quotes"},
	{"loto@2018-10-29", `model         = "fixed"`, `model         = "fix"`, "", "prizes.model = fix; accepted: fixed, spread, pool, european, sidepool"},
	{"loto@2018-10-29", `"monday"`, `"moonday"`, "", "accepted: monday, tuesday"},
	{"loto@2018-10-29", `["monday", "wednesday", "saturday"]`, `"monday"`, "", "calendar.weekdays = monday; accepted: a list of texts"},
	{"loto@2018-10-29", `["monday", "wednesday", "saturday"]`, `[1]`, "", "accepted: texts in quotes"},
	{"loto@2018-10-29", `["web", "app"]`, `["web", "shop"]`, "", "accepted: web, app"},
	{"loto@2018-10-29", `"7x1-8"`, `"7×1-8"`, "", `accepted: formats such as "7x1-8"`},
	{"loto@2018-10-29", `"9x1"]` + "\nmax", `"9x1-"]` + "\nmax", `"9x1-"`, `accepted: formats such as "7x1-8"`},
	{"loto@2018-10-29", `"4+1"`, `"4"`, "", `accepted: hits such as "4+1"`},
	{"loto@2018-10-29", `[1, 2, 5, 10]`, `["one"]`, "", "pack.formulas = one; accepted: a whole number"},
	{"loto@2018-10-29", "[matrix]", "matrix = 5\n[m]", "matrix = 5", ""},
	{"loto@2019-11-04", "merge_inverted = true", "merge_inverted = 1", "", "accepted: true or false"},
	{"loto@2018-10-29", `"Z 9999 9999"]`, `"Z 9999 999"]`, "", "codes.1.sequential: code"},
	{"loto@2018-10-29", `["V 8214 7231", "Z 9999 9999"]`, `["V 8214 7231"]`, "", "accepted: the first and the last code"},
	{"loto@2018-10-29", "[calendar]", "[calendar.x]", "", "unknown key calendar.x"},

	// Provenance.
	{"loto@2018-10-29", "total      = 19_068_840\narticle    = \"none\"", "total      = 19_068_840", "total      =", `matrix.total has no article; accepted: article = "14.8" or the like`},
	{"loto@2018-10-29", "article    = \"none\"\nconfidence = \"verified\"\n\n[sale]", "article    = \"none\"\n\n[sale]", "main_of", "matrix.main_of has no confidence; accepted: confidence = text, verified, press, inferred, assumed"},
	{"loto@2018-10-29", `confidence = "press", note = "then`, `confidence = "rumour", note = "then`, "", `prizes.jackpot.max_rolls.confidence "rumour"; accepted: text, verified, press, inferred, assumed`},
	{"loto@2018-10-29", `article = "décret 78-1067:15"`, `article = 15`, "", "sale.max_identical.article = 15; accepted: a text in quotes"},
	{"loto@2018-10-29", `article = "none", confidence = "text", note = "on average; in the regulation, the article is not at hand"`, `article = "none", confidence = "text"`, "v = 54.75", "prizes.winners_share is said to stand in a text, without an article"},

	// The header.
	{"loto@2018-10-29", `game        = "loto"`, `game        = "Loto 2"`, "", "header.game: game \"Loto 2\"; accepted: up to 20 small letters"},
	{"loto@2018-10-29", "jo          = 2008-09-23", "jo          = 2008-09-03", "", "published on 2008-09-03, made on 2008-09-10"},
	{"loto@2018-10-29", "effective   = 2018-10-29", "effective   = 2008-09-01", "", "in force from 2008-09-01, its base text published on 2008-09-23"},
	{"loto@2018-10-29", "[{ jo = 2018-03-07 }]", "[{ jo = 2018-03-07 }, { jo = 2018-03-07 }]", "", "header.amendments.2.jo: amendment published on 2018-03-07, after a text of 2018-03-07"},
	{"loto@2018-10-29", "[{ jo = 2018-03-07 }]", "[{ made = 2018-03-08, jo = 2018-03-07 }]", "", "amendment made on 2018-03-08, published on 2018-03-07"},
	{"loto@2018-10-29", `"14.12"    = "14.13"`, `"14.12" = "14.14"`, "[header.renumbered]", "articles 14.12 and 14.13 both become 14.14"},
	{"loto@2018-10-29", `"14.12"    = "14.13"`, `"14.12" = "14.12"`, "[header.renumbered]", "article 14.12 becomes itself"},
	{"euromillions@2018-10-29", `["4.3.3"]`, `["3.4.2.8"]`, "[header.renumbered]", "article 3.4.2.8 is deleted and becomes 3.4.2.9"},

	// Matrix and ranks.
	{"loto@2018-10-29", "total      = 19_068_840", "total      = 19_068_841", "", "matrix.total: 19068841 simple combinations; accepted: 19068840, C(49,5)·C(10,1)"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 51", "[matrix]", "numbers to 51 and extra numbers to 10; accepted: to 50 and 12"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 4", "[matrix]", "a draw of 5 numbers of 4"},
	{"loto@2018-10-29", "main_of    = 49", "main_of    = 50", `hits = ["4+0"]`, "prizes.ranks.4.ways: 1980 winning combinations; accepted: 2025, the count for these hits"},
	{"loto@2018-10-29", "ways = 85_140", "ways = 85_410", "", "prizes.ranks.6.ways: 85410 winning combinations; accepted: 85140"},
	{"loto@2018-10-29", "ways = 85_140", "ways = 85_410", "ranks = [", "winning and losing combinations add up to 19069110; accepted: 19068840 (matrix.total)"},
	{"loto@2018-10-29", `["2+1"],        ways = 132_440`, `["3+1"],        ways = 9_460`, "rank = 7,", "prizes.ranks.7.hits: hits 3+1 stand in rank 5 too; accepted: one rank"},
	{"loto@2018-10-29", `"1+1", "0+1"`, `"1+1", "0+2"`, "", "hits 0+2; accepted: up to 5+1"},
	{"loto@2018-10-29", `["1+1", "0+1"]`, `[]`, "hits = []", "prizes.ranks.9.hits: no hits"},
	{"loto@2018-10-29", "rank = 4,", "rank = 5,", `hits = ["4+0"]`, "rank 5 in row 4; accepted: rank 4"},
	{"loto@2018-10-29", "gain = 500 ", "gain = 1_500 ", "", "gain of 1500.00 € after 1000.00 € at a better rank; accepted: less"},
	{"loto@2018-10-29", "gain = 500 ", "share = 1 ", "", "prizes.ranks.4.gain: gain of 0.00 € at rank 4 of model fixed; accepted: more than 0"},
	{"loto@2018-10-29", "gain = 500 ", "share = 1 ", "", "share of 1.00 % at rank 4 of model fixed; accepted: none"},
	{"loto@2018-10-29", "ways = 1 ", "ways = 1, gain = 5 ", "", "gain of 5.00 € at rank 1 of model fixed; accepted: none"},
	{"loto@2018-10-29", `model         = "fixed"`, `model         = "fixed"` + "\ngain_step = 0.10", "gain_step", "gains floored to 0.10 € in a table of model fixed"},
	{"loto@2018-10-29", `model         = "fixed"`, `model         = "fixed"` + "\nbooster = 5", "booster", "booster in a table of model fixed; accepted: leave it out"},
	{"loto@2018-10-29", "step      = 1_000_000", "cap       = 1_000_000", "", "jackpot.cap in a table of model fixed"},
	{"loto@2018-10-29", "step      = 1_000_000", "cap       = 1_000_000", "[prizes.jackpot]", "a jackpot that grows by 0.00 € a draw"},
	{"loto@2018-10-29", "start     = 2_000_000", "start     = 0", "[prizes.jackpot]", "a jackpot that starts at 0.00 €"},
	{"loto@2018-10-29", "v = 54.75,", "v = 99.80,", "", "winners' share 99.80 % and endowment 0.25 %"},

	// Shares.
	{"loto@2019-11-04", "share = 8.44", "share = 8.45", "ranks = [", "shares add up to 100.01 %; accepted: exactly 100 %"},
	{"loto@2019-11-04", "share = 2.06", "gain = 2.06", "ranks = [", "shares add up to 97.94 %"},
	{"loto@2019-11-04", "gain = 2.20 ", "gain = 2.20, share = 1 ", "", "rank 9 has both a gain and a share, or none"},
	{"loto@2019-11-04", "gain_step      = 0.10", "", "[prizes]", "gains floored to 0.00 € in a table of model pool"},
	{"euromillions@2018-10-29", "share = 18.25", "share = 18.26", "ranks = [", "shares add up to 100.01 % with booster; accepted: exactly 100 %"},
	{"euromillions@2018-10-29", "late_share = 27 ", "late_share = 26.99 ", "ranks = [", "shares of a late draw add up to 99.99 % with booster_late; accepted: exactly 100 %"},
	{"euromillions@2018-10-29", "v = 4.80", "v = 4.08", "ranks = [", "shares add up to 99.28 % with booster"},
	{"euromillions@2018-10-29", "share = 3.95", "share = 3.95, late_share = 3.95", "", "a late share at rank 2 of model european"},
	{"euromillions@2018-10-29", "cap_max   = 190_000_000", "cap_max   = 180_000_000", "", "cap from 190000000.00 € by 0.00 € to 180000000.00 €"},
	{"euromillions@2020-02-04", "v = 10_000_000,", "v = 15_000_000,", "cap_max ", "cap from 200000000.00 € by 15000000.00 € to 250000000.00 €"},
	{"euromillions@2020-02-04", "v = 10_000_000,", "v = 0,", "cap_max ", "accepted: a maximum that whole steps reach"},
	{"euromillions@2020-02-04", "late_from = { v = 6,", "late_from = { v = 1,", "", "late from draw 1 of a cycle; accepted: 2 or more"},
	{"euromillions@2020-02-04", "cap_draws = { v = 5,", "cap_draws = { v = 0,", "", "0 draws at the cap"},
	{"euromillions@2020-02-04", "cap       = 200_000_000", "cap       = 10_000_000", "", "cap of 10000000.00 €; accepted: at least the start, 17000000.00 €"},
	{"etoileplus@2016-09-27", "share = 73.50", "share = 73.05", "ranks = [", "shares add up to 99.55 %"},
	{"etoileplus@2020-02-04", "share = 72.70", "share = 72.71", "ranks = [", "shares add up to 100.01 %"},
	{"grandloto@2018-10-29", "share = 51.10", "share = 51.11", "ranks = [", "shares add up to 100.01 %"},
	{"grandloto@2018-10-29", "must_be_won = { v = true,", "must_be_won = { v = false,", "[prizes.jackpot]", "accepted: must_be_won = true"},

	// Prices and formats.
	{"loto@2018-10-29", "v = 2.20, note", "v = 0, note", "", "sale.price: price 0.00 €; accepted: at least 0.01"},
	{"euromillions@2018-10-29", "mymillion = 0.30", "mymillion = 0.31", "", "sale.price_parts: parts that add up to 2.51 €; accepted: the price, 2.50 €"},
	{"euromillions@2018-10-29", "mymillion = 0.30", "mymilion = 0.30", "", "a part for mymilion; accepted: the game and those sold with it: euromillions, mymillion"},
	{"euromillions@2018-10-29", `with             = ["mymillion"]`, `with             = ["euromillions"]`, "[sale]", "euromillions is sold with itself"},
	{"loto@2018-10-29", `"8x1-3", "9x1"]`, `"8x1-4", "9x1"]`, "", "sale.formats: format 8x4 holds 224 simple combinations; accepted: at most 168 (sale.max_combinations)"},
	{"loto@2018-10-29", "max_combinations = 168", "max_combinations = 170", "", "at most 170 simple combinations in a play; accepted: 168, the largest of the formats"},
	{"loto@2018-10-29", `"8x1-10", "9x1-10"]`, `"8x1-10", "9x1-11"]`, "", "pack.formats: format 9x1-11; accepted: 5 to 49 numbers and 1 to 10 extra numbers"},
	{"loto@2018-10-29", `"8x1-10", "9x1-10"]`, `"8x1-10", "8x2-10"]`, "", "format 8x2-10: 8 numbers stand in two formats"},
	{"loto@2018-10-29", `["5x1-10", "6x1-10", "7x1-10", "8x1-10", "9x1-10"]`, `["4x1-10"]`, "", "format 4x1-10; accepted: 5 to 49 numbers"},
	{"loto@2018-10-29", `["5x1-10", "6x1-10", "7x1-10", "8x1-10", "9x1-10"]`, `["5x10-1"]`, "", "format 5x10-1; accepted"},
	{"loto@2018-10-29", `["5x1-10", "6x1-10", "7x1-10", "8x1-10", "9x1-10"]`, `[]`, "formats       = []", "pack.formats: no format; accepted: at least that of a simple combination, 5x1"},
	{"euromillions@2018-10-29", `"10x2-12"]`, `"10x1-12"]`, "", "format 10x1-12; accepted: 5 to 50 numbers and 2 to 12 extra numbers"},
	{"euromillions@2018-10-29", `"9x2-3", "10x2"]`, `"9x2-3", "10x2-3"]`, "", "format 10x3 holds 756 simple combinations; accepted: at most 396"},

	// Codes.
	{"loto@2018-10-29", `"V 8214 7231"`, `"V 8214 7230"`, "[[codes]]", "V 8214 7230–V 8214 7230 is in both zones"},
	{"loto@2018-10-29", `"V 8214 7231"`, `"V 8214 7232"`, "", "the sequential codes start at V 8214 7232; accepted: V 8214 7231, where the codes before them end"},
	{"loto@2018-10-29", `"Z 9999 9999"`, `"Z 9999 9998"`, "[[codes]]", "the zones end before Z 9999 9999"},
	{"loto@2018-10-29", `"A 0000 0000"`, `"A 0000 0001"`, "", "the random codes start at A 0000 0001; accepted: A 0000 0000"},
	{"mymillion@2018-10-29", `"VV 358 2800"`, `"VV 358 2802"`, "[[codes]]", "is in both zones"},
	{"euromillions@2018-10-29", "unused       = ", "unuzed       = ", "", "unknown key codes.1.unuzed"},
	{"euromillions@2018-10-29", `["F WBB 00000", "F WBB 00000"]`, `["F VZZ 99999", "F WBB 00000"]`, "", "the unused codes start at F VZZ 99999; accepted: F WBB 00000"},
	{"euromillions@2018-10-29", `"BCDFGHJKLMNPQRSTVWXZ"`, `"BCDFGHJKLMNPQRSTVWXZB"`, "[[codes]]", "holds 'B' twice"},
	{"euromillions@2018-10-29", "exceptional  = true", "exceptional  = false", "free ", "free codes at every draw; accepted: at exceptional draws only"},
	{"loto@2018-10-29", "random_up_to = 10", "random_up_to = 0", "", "random codes up to 0 in a play"},
	{"loto@2018-10-29", "codes = 10, gain = 20_000", "codes = 0, gain = 20_000", "", "0 codes drawn win 20000.00 € each"},

	// Packs, funds, calendar.
	{"loto@2018-10-29", "[1, 2, 5, 10]", "[1, 5, 2, 10]", "", "formulas of [1 5 2 10] shares"},
	{"loto@2018-10-29", "[1, 2, 5, 10]", "[0, 1]", "", "formulas of [0 1] shares"},
	{"loto@2018-10-29", `reserve_code  = "loto/reserve"`, `reserve_code  = "loto/reserves"`, "", `pack.reserve_code: fund "loto/reserves"; accepted: one of the funds of the file: loto/reserve, loto/counterpart`},
	{"loto@2018-10-29", `reserve_ranks = "loto/reserve"`, ``, "[pack]", "no fund for the gains of unsold shares at the ranks"},
	{"mymillion@2018-10-29", `reserve_code = "mymillion/reserve"`, ``, "[pack]", "no fund for the gains of unsold shares"},
	{"loto@2018-10-29", `account    = "loto/counterpart"`, `account    = "loto/reserve" # twice`, "", "fund loto/reserve stands twice"},
	{"loto@2018-10-29", `unclaimed  = { v = "loto/reserve"`, `unclaimed  = { v = "lotto/reserve"`, "", `calendar.unclaimed: fund "lotto/reserve"`},
	{"loto@2018-10-29", `"wednesday"`, `"monday"`, "", "monday stands twice"},
	{"loto@2018-10-29", `"20:15"`, `"24:15"`, "", `calendar.close: hour "24:15"; accepted: hours and minutes from 00:00 to 23:59`},
	{"loto@2018-10-29", `"20:15"`, `"8:15"`, "", `calendar.close: hour "8:15"`},
	{"loto@2018-10-29", `"20:15"`, `"02:30"`, "", `calendar.close: hour "02:30"; accepted: hours and minutes from 00:00 to 23:59, but not from 02:00`},
	{"loto@2018-10-29", `"20:45"`, `"25:00"`, "", `calendar.draw: hour "25:00"`},
	{"loto@2018-10-29", `"20:45"`, `"20:00"`, "", `draw at 20:00, close at 20:15`},
	{"loto@2018-10-29", `sale_days  = { v = 35`, `sale_days  = { v = 0`, "", `draw at "20:45", 0 days of sale`},
	{"loto@2018-10-29", `claim_days = { v = 60`, `claim_days = { v = 0`, "", "0 days to claim a gain"},

	// Digits.
	{"jokerplus@2017-03-06", "100, 10, 2]", "100, 100, 2]", "", "a gain of 100.00 € for 2 digits; accepted: more than nothing and less than for 3"},
	{"jokerplus@2017-03-06", "100, 10, 2]", "100, 10]", "", "6 gains; accepted: 7"},
	{"jokerplus@2017-03-06", "100, 10, 2]", "100, 10, 5]", "", "gains that return 0.8300 of the stake; accepted: at most the winners' share, 59.87 %"},
	{"jokerplus@2017-03-06", "stake = 2, ", "stake = 1, ", "gains = [500_000", "stake 1.00 €; accepted: larger than 0 and than the one before"},
	{"jokerplus@2017-03-06", "length        = { v = 7,", "length        = { v = 10,", "", "numbers of 10 digits; accepted: 1 to 9"},
	{"jokerplus@2017-03-06", "[digits]", "[digit]", "", "unknown key digit"},
}

// A rulebook that does not add up is refused with the line and the reason.
func TestBrokenRulebooksAreRefusedWithTheirLine(t *testing.T) {
	for i, c := range brokenBooks {
		t.Run(fmt.Sprintf("%03d %s", i, c.want), func(t *testing.T) {
			text := edit(t, c)
			if c.at == "" {
				c.at = c.new
			}
			want := fmt.Sprintf("broken.toml:%d: ", lineWith(t, text, c.at))
			_, err := Parse("broken.toml", []byte(text))
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

// edit replaces one place of a real rulebook.
func edit(t *testing.T, c broken) string {
	t.Helper()
	name := strings.Replace(c.version, "@", "/", 1) + ".toml"
	data, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), c.old) {
		t.Fatalf("%s does not hold %q", name, c.old)
	}
	return strings.Replace(string(data), c.old, c.new, 1)
}

// lineWith returns the number of the first line that holds the last line of at.
func lineWith(t *testing.T, text, at string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, at)
	if !ok {
		t.Fatalf("the edited file does not hold %q", at)
	}
	return 1 + strings.Count(before, "\n") + strings.Count(at, "\n")
}
