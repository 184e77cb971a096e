package evening_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/evening"
	"tirage/games"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/vault"
)

// small is a sound scenario; the tables of faults change it.
const small = `draw loto 2019-03-17 reconstructed
opens 2019-03-15 20:15
closes 2019-03-17 20:15
pack six 6x10 shares 20 max 1
jackpot 5000000
player one deposit 100.00
buy one 1-2-3-4-5+6
result 5-4-3-2-1+9
`

const european = `draw euromillions 2019-03-17
opens 2019-03-15 20:15
closes 2019-03-17 20:15
cycle 2
fund 30000000
player one deposit 1000.00
buy one 1-2-3-4-5+6-7
result 5-4-3-2-1+9-10
`

// Every fault names the line, what was found and what is accepted.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{small, "draw loto", "tirage loto", `s.txt:1: command "tirage"; accepted: at, buy, cap, carry`},
		{small, "draw loto 2019-03-17 reconstructed\n", "\n", `s.txt:2: opens before the draw; accepted first: draw GAME DAY`},
		{small, "draw loto", "draw lotto", `s.txt:1: draw: game "lotto"; accepted: euromillions, grandloto, loto, superloto`},
		{small, "loto 2019-03-17", "loto 2019-02-30", `s.txt:1: draw: day "2019-02-30"; accepted: a day that exists`},
		{small, "loto 2019-03-17", "loto 2010-03-17", `s.txt:1: draw: loto has no rulebook for 2010-03-17; accepted: 2017-03-06`},
		{small, "reconstructed", "exceptional", `s.txt:1: draw: exceptional: loto@2018-10-29 has no exceptional draw; accepted for euromillions`},
		{small, "reconstructed", "rebuilt", `s.txt:1: found "draw loto 2019-03-17 rebuilt"; accepted: draw GAME DAY [reconstructed] [exceptional]`},
		{small, "opens 2019-03-15 20:15\n", "", `s.txt:1: the draw has no opens; accepted with a line opens DAY TIME`},
		{small, "result 5-4-3-2-1+9", "", `s.txt:1: the draw has no result; accepted with a line result GRID`},
		{small, "opens 2019-03-15 20:15", "opens 2019-03-15 8pm", `s.txt:2: opens: "2019-03-15 8pm"; accepted: a day and an hour of Europe/Paris`},
		{small, "closes 2019-03-17", "closes 2019-03-14", `s.txt:3: closes at 2019-03-14 20:15:00; accepted: after the opening`},
		{small, "closes 2019-03-17", "closes 2019-03-18", `s.txt:3: closes on 2019-03-18; accepted: on the day of the draw, 2019-03-17, or before`},
		{small, "closes ", "opens ", `s.txt:3: opens stands on line 2 already; accepted once`},
		{small, "6x10 shares", "6x11 shares", `s.txt:4: pack six: multiple of format 6x11: accepted in a pack of loto@2018-10-29 5x1-10`},
		{small, "6x10 shares", "6x shares", `s.txt:4: pack: multiple "6x": accepted: NUMBERSxEXTRA*COUNT`},
		{small, "shares 20", "shares 7", `s.txt:4: pack six: 132.00 € over 7 shares is no whole number of cents a share: accepted`},
		{small, "max 1", "max 0", `s.txt:4: pack: packs at most "0"; accepted: 1 to 10000`},
		{small, "pack six 6x10 shares 20 max 1", "pack six 6x10", `s.txt:4: found "pack six 6x10"; accepted: pack TYPE COMPOSITION shares N max N`},
		{small, "jackpot", "given six 1-2-3-4-5+6\njackpot", `s.txt:5: the grids given for pack six are 1 simple; accepted: 6x10*1`},
		{small, "jackpot", "given ten 1-2-3-4-5+6\njackpot", `s.txt:5: given: pack type "ten"; accepted: six`},
		{small, "jackpot", "first-code loto V 8214 7230\njackpot", `s.txt:5: first-code: code V 8214 7230; accepted: one of the sequential zone, V 8214 7231 to Z 9999 9999`},
		{small, "jackpot", "first-code joker V 8214 7231\njackpot", `s.txt:5: first-code: codes "joker"; this draw issues: loto`},
		{small, "jackpot 5000000", "jackpot 50 00 000", `s.txt:5: jackpot: amount "50 00 000"; accepted: euros`},
		{small, "jackpot 5000000", "jackpot", `s.txt:5: found "jackpot"; accepted: jackpot EUROS`},
		{small, "jackpot 5000000", "", `s.txt:1: terms: the announced jackpot is missing`},
		{small, "jackpot 5000000", "jackpot 5000000\ncarry 1", `s.txt:6: carry: no term of loto@2018-10-29; accepted where the prizes are [european]`},
		{small, "jackpot 5000000", "jackpot 999999999999", `s.txt:5: jackpot: 999999999999.00; accepted: at most 100000000000.00`},
		{small, "deposit 100.00", "deposit -1", `s.txt:6: player: amount "-1"; accepted: euros`},
		{small, "deposit 100.00", "deposit 1.001", `s.txt:6: player: amount "1.001"; accepted: euros`},
		{small, "deposit 100.00", "deposit 0", `s.txt:6: player: 0.00 for each of 1 accounts; accepted: 0.01 to`},
		{small, "player one", "player 1", `s.txt:6: player: name "1"; accepted: a letter, then`},
		{small, "player one", "players 20000 one", `s.txt:6: players: players "20000"; accepted: 1 to 10000`},
		{small, "buy one 1", "player one\nbuy one 1", `s.txt:7: player: name "one" is taken; accepted: another one`},
		{small, "buy one", "buy two", `s.txt:7: buy: "two" has no account; accepted after a line player NAME [deposit EUROS]`},
		{small, "1-2-3-4-5+6", "1-2-3-4-50+6", `s.txt:7: buy: grid "1-2-3-4-50+6": number 50: accepted 1 to 49`},
		{small, "1-2-3-4-5+6", "1-2-3-4+6", `s.txt:7: buy: grid "1-2-3-4+6": grid of format 4x1: at least 5 numbers and 1 extra numbers are needed`},
		{small, "1-2-3-4-5+6", "quick", `s.txt:7: found "buy one quick"; accepted: buy NAME GRID…, or buy NAME quick FORMAT…, or buy NAME N shares of TYPE`},
		{small, "1-2-3-4-5+6", "quick 6", `s.txt:7: buy: line "quick 6": accepted quick and a format`},
		{small, "1-2-3-4-5+6", "1 share of ten", `s.txt:7: buy: pack type "ten"; accepted: six`},
		{small, "1-2-3-4-5+6", "0 shares of six", `s.txt:7: buy: shares "0"; accepted: 1 to 100000`},
		{small, "buy one", "at 2019-03-15 20:14:59\nbuy one", `s.txt:7: at: 2019-03-15 20:14:59 lies before where the clock stands`},
		{small, "player one", "closes 2019-03-17 20:00\nplayer one", `s.txt:6: closes stands on line 3 already`},
		{small, "result 5-4-3-2-1+9", "pack ten 6x10 shares 20 max 1\nresult 5-4-3-2-1+9", `s.txt:8: pack after line 6; accepted before the first sale`},
		{small, "result 5-4-3-2-1+9", "result 5-4-3-2-1+9\nbuy one quick 5x1", `s.txt:9: buy after line 8; accepted before the outcome`},
		{small, "result 5-4-3-2-1+9", "result 6-5-4-3-2-1+9", `s.txt:8: result: "6-5-4-3-2-1+9" has 6x1 numbers; accepted: 5 numbers + 1`},
		{small, "1+9", "1+9\nwinning-codes loto V 8214 723", `s.txt:9: winning-codes: code "V 8214 723": 8 characters found, accepted 9`},
		{small, "1+9", "1+9\nwinning-codes loto V 8214 7231, V82147231", `s.txt:9: winning-codes: code V 8214 7231 stands twice; accepted once`},
		{small, "1+9", "1+9\njoker 12", `s.txt:9: joker: "12"; accepted: 7 digits, such as 5 697 395`},
		{small, "1+9", "1+9\nelsewhere r10 4", `s.txt:9: elsewhere: rank "r10"; accepted: r1 to r9`},
		{small, "1+9", "1+9\nelsewhere r2 4 r2 5", `s.txt:9: elsewhere: r2: given twice; accepted once`},
		{small, "1+9", "1+9\nclaims-until 2019-03-16", `s.txt:9: claims-until: "2019-03-16"; accepted: a day as YYYY-MM-DD, not before the draw`},
		{small, "1+9", "1+9 \xff", `s.txt:8: bytes that are not UTF-8`},
		{strings.Replace(small, "2019-03-17 reconstructed", "2019-03-17", 1), "jackpot", "given six 1-2-3-4-5-6+1-2-3-4-5-6-7-8-9-10\njackpot", `s.txt:5: given: contents and codes come from the secret of the draw; accepted: draw loto 2019-03-17 reconstructed`},
		{strings.ReplaceAll(small, "2019-03", "2020-02"), "jackpot", "official r2 1\njackpot", `s.txt:5: the gains of r3, r4, r5, r6, r7, r8 are not known; accepted with a line fund EUROS`},
		{european, "cycle 2", "", `s.txt:1: terms: position 0 in the cycle, accepted 1 and more`},
		{european, "cycle 2", "cycle 1\ncarry 5", `s.txt:5: terms: carry 5.00 at the first draw of a cycle, accepted 0`},
		{european, "cycle 2", "cycle 2 capped 5", `s.txt:4: terms: 5 draws already made at the cap`},
		{european, "cycle 2", "cycle 2 late", `s.txt:4: found "cycle 2 late"; accepted: cycle N [capped N] [after-super]`},
	} {
		if !strings.Contains(c.text, c.old) {
			t.Fatalf("no %q to change", c.old)
		}
		_, err := evening.Parse("s.txt", []byte(strings.Replace(c.text, c.old, c.new, 1)))
		var fault *evening.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q:\n  says %v\n  want %s", c.new, c.old, err, c.want)
		}
	}
}

// Several faults are told at once, in the order of the lines.
func TestAllFaultsAtOnce(t *testing.T) {
	text := strings.NewReplacer("jackpot 5000000", "jackpot x", "buy one", "buy two").Replace(small)
	_, err := evening.Parse("s.txt", []byte(text))
	if err == nil || !regexp.MustCompile(`^s\.txt:5: .*\ns\.txt:7: .*$`).MatchString(err.Error()) {
		t.Errorf("says %v", err)
	}
}

// Faults that only the plays show end the evening, with the line of the term.
func TestFaultsOfTheEvening(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"fund 30000000", "fund 1", "s.txt:5: seal: manifest: terms: fund 1.00, accepted at least"},
		{"2019-03-17\nopens 2019-03-15 20:15\ncloses 2019-03-17 20:15\ncycle 2\nfund 30000000", "2019-03-17 reconstructed\nopens 2019-03-15 20:15\ncloses 2019-03-17 20:15\ncycle 2\nofficial r1 5", "s.txt:5: count: official gain at rank 10 is missing"},
		{"fund 30000000", "official r1 5", "s.txt:1: seal: manifest: unit gains are given for a reconstructed draw only"},
	} {
		text := strings.NewReplacer(c.old, c.new, "1-2-3-4-5+6-7", "1-2-3-48-49+6-7").Replace(european)
		entropy := &evening.Rehearsal{Seed: 1}
		keys, err := vault.New(entropy)
		if err != nil {
			t.Fatal(err)
		}
		_, err = evening.Run(t.Context(), parse(t, "s.txt", text), evening.Options{Store: &mem.Store{}, Keys: keys, Entropy: entropy})
		var fault *evening.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: says %v, want %s", c.new, err, c.want)
		}
	}
}

// Hours are those of Paris: the one that the change to summer time skips and those that the change back repeats are refused.
func TestHoursOfParis(t *testing.T) {
	for _, c := range []struct {
		day, hour string
		utc       string
	}{
		{"2018-10-27", "23:59:59", "2018-10-27T21:59:59Z"},
		{"2018-10-28", "23:59:59", "2018-10-28T22:59:59Z"},
		{"2018-10-28", "02:30", ""},
		{"2019-03-31", "02:30", ""},
		{"2019-03-31", "03:00", "2019-03-31T01:00:00Z"},
	} {
		_, err := evening.Parse("s.txt", []byte("draw loto 2019-04-01\nopens 2018-10-27 20:15\ncloses 2019-04-01 20:15\njackpot 2000000\nat "+c.day+" "+c.hour+"\nresult 1-2-3-4-5+6\n"))
		if (err == nil) != (c.utc != "") {
			t.Errorf("%s %s: %v", c.day, c.hour, err)
		}
		if err == nil {
			at, _ := time.ParseInLocation("2006-01-02 15:04:05", c.day+" "+(c.hour + ":00")[:8], games.Paris)
			if got := at.UTC().Format(time.RFC3339); got != c.utc {
				t.Errorf("%s %s is %s, want %s", c.day, c.hour, got, c.utc)
			}
		}
	}
}

// docs/scenarios.md holds every form of every command, and every name of the report.
func TestGrammarIsDocumented(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(covers.Root(t), "docs", "scenarios.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	for _, form := range evening.Forms() {
		if !strings.Contains(page, form) {
			t.Errorf("docs/scenarios.md does not hold %q", form)
		}
	}
	data, err := os.ReadFile("testdata/everything.json.golden")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(string(data), -1) {
		names[m[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !strings.Contains(page, "`"+name+"`") && name != "euromillions" && name != "mymillion" {
			t.Errorf("docs/scenarios.md does not explain %q of the report", name)
		}
	}
}

// FuzzParse: no text makes the reader panic; what it refuses has a line, a reason and what is accepted.
func FuzzParse(f *testing.F) {
	everything, err := os.ReadFile("testdata/everything.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(everything) // small texts alone: the engine takes minutes to shorten large ones
	f.Add([]byte(small))
	f.Add([]byte(european))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := evening.Parse("f.txt", data)
		if err == nil {
			if s.Game == "" || !s.Opens.Before(s.Closes) || len(s.Result.Main) == 0 {
				t.Errorf("accepted: %+v", s)
			}
			return
		}
		var fault *evening.Error
		if !errors.As(err, &fault) || len(fault.Problems) == 0 {
			t.Fatalf("refused with %v", err)
		}
		for _, p := range fault.Problems {
			if p.Line < 1 || p.Line > 1+strings.Count(string(data), "\n")+1 || p.Reason == "" {
				t.Errorf("fault %+v", p)
			}
		}
	})
}
