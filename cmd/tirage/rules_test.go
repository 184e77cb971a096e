package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/games"
	"tirage/internal/covers"
)

func TestRulesShow(t *testing.T) {
	covers.Covers(t, "P1", "P3", "P43", "P81")
	says(t, squeeze(must(t, "rules", "show", "loto", "--date", "2018-10-29")),
		"Loto® — loto@2018-10-29\nin force from 2018-10-29, 00:00:00 Europe/Paris, until 2019-11-04\nsha-256 ",
		"base règlement de La Française des jeux dénommé Loto® packs@2018-10-29:1 text",
		"made 2008-09-10 packs@2018-10-29:1 text",
		"jo 2008-09-23 packs@2018-10-29:1 text",
		"amendments\n jo article confidence note\n 2018-03-07 packs@2018-10-29:1 text",
		"effective 2018-10-29 packs@2018-10-29:1 text",
		"publication Journal officiel de la République française packs@2018-10-29:3 text",
		"renumbered.14.8 14.9 packs@2018-10-29:2 text",
		"renumbered.14.13 14.14 packs@2018-10-29:2 text",
		"- In articles 7.1.1 and 7.2.2 « en présence » of the court officer becomes « sous le contrôle ». [packs@2018-10-29:2, text]",
		"price 2.20 € - press of a simple combination",
		"max_identical 45 décret 78-1067:15 press",
		"ranks\n rank hits ways gain article confidence note\n 1 5+1 1 - loto@2018-10-29:8.1.1.2 verified\n",
		"\n 9 1+1, 0+1 1 764 763 2.20 € loto@2018-10-29:8.1.1.2 verified\n",
		"jackpot.max_rolls 34 loto@2018-10-29:8.1.1.2 press then the sum goes",
		"1.sequential V 8214 7231, Z 9999 9999 loto@2018-10-29:3 text",
		"1.random A 0000 0000, V 8214 7230 loto@2018-10-29:3 inferred",
		"formats 5x1-10, 6x1-10, 7x1-10, 8x1-10, 9x1-10 loto@2018-10-29:14.8 text")
}

func TestRulesShowEuroMillions(t *testing.T) {
	covers.Covers(t, "P2", "P77", "P79")
	says(t, squeeze(must(t, "rules", "show", "euromillions", "--date", "2019-01-01")),
		"Euro Millions — euromillions@2018-10-29",
		"base règlement de l'offre de jeux dénommée « Euro Millions-My Million » et du jeu « Etoile+ » packs@2018-10-29:1 text",
		"repealed 4.3.3 packs@2018-10-29:2 text its content is not at hand",
		"renumbered.3.4.2.8 3.4.2.9 packs@2018-10-29:2 text",
		"- The text calls the exceptional draw that of article 2.4 in one place and that of article 2.1.4 in another. [euromillions@2018-10-29:3.4.2.6, text]",
		"late_share",
		"1 5+2 1 43.20 % 27 % euromillions@2018-10-29:4.2.3 verified")
}

// The version in force on the day before, on the day, and without a day.
func TestRulesShowFollowsTheDate(t *testing.T) {
	for _, c := range []struct {
		args, want string
	}{
		{"loto --date 2018-10-28", "loto@2017-03-06"},
		{"loto --date 2018-10-29", "loto@2018-10-29"},
		{"loto --date 2019-11-03", "loto@2018-10-29"},
		{"loto --date 2019-11-04", "loto@2019-11-04"},
		{"loto", "loto@2019-11-04"},
		{"euromillions --date 2020-02-03", "euromillions@2018-10-29"},
		{"euromillions --date 2020-02-04", "euromillions@2020-02-04"},
	} {
		first, _, _ := strings.Cut(must(t, append([]string{"rules", "show"}, strings.Fields(c.args)...)...), "\n")
		if !strings.HasSuffix(first, " — "+c.want) {
			t.Errorf("rules show %s: %q, want %s", c.args, first, c.want)
		}
	}
}

func TestRulesShowJSON(t *testing.T) {
	for _, book := range games.All() {
		var got shownRules
		if err := json.Unmarshal([]byte(must(t, "rules", "show", book.Header.Game, "--date", book.Header.Effective, "--json")), &got); err != nil {
			t.Fatal(err)
		}
		if got.Version != book.Header.Version() || got.Digest != hex.EncodeToString(book.Digest[:]) || len(got.Values) != len(book.Facts) {
			t.Errorf("%s: %s, %s, %d values", book.Header.Version(), got.Version, got.Digest, len(got.Values))
		}
		for i, v := range got.Values {
			if v != shownValue(book.Facts[i]) || v.Confidence == "" {
				t.Errorf("%s: value %+v", got.Version, v)
			}
		}
	}
	out := must(t, "rules", "show", "superloto", "--date", "2017-03-06", "--json")
	says(t, out, `"amendments": []`, `"repealed": []`, `"renumbered": {}`, `"until": "2018-10-29"`)
}

func TestRulesList(t *testing.T) {
	says(t, squeeze(must(t, "rules", "list")),
		"version title from until packs values sha-256\n",
		"loto@2017-03-06 Loto® 2017-03-06 2018-10-29 - ",
		"loto@2018-10-29 Loto® 2018-10-29 2019-11-04 14.8 ",
		"loto@2019-11-04 Loto® 2019-11-04 - 14.8 ",
		"euromillions@2018-10-29 Euro Millions 2018-10-29 2020-02-04 3.4.2.6 ")
	var list []listedRules
	if err := json.Unmarshal([]byte(must(t, "rules", "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(games.All()) || list[0].Values == 0 || len(list[0].Digest) != 64 {
		t.Errorf("%d versions, the first %+v", len(list), list[0])
	}
}

// rulebookFile writes a copy of a rulebook with one edit.
func rulebookFile(t *testing.T, old, new string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(covers.Root(t), "games", "loto", "2018-10-29.toml"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "loto.toml")
	if err := os.WriteFile(name, []byte(strings.Replace(string(data), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRulesCheck(t *testing.T) {
	if got, want := strings.Count(must(t, "rules", "check"), "\n"), len(games.All()); got != want {
		t.Errorf("%d files of the program checked, want %d", got, want)
	}
	name := rulebookFile(t, "", "")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	says(t, must(t, "rules", "check", name), name+": loto@2018-10-29, ", " values, sha-256 "+hex.EncodeToString(sum[:]))
}

func TestRulesCheckNamesFileAndLine(t *testing.T) {
	ways, gain := rulebookFile(t, "ways = 85_140", "ways = 85_141"), rulebookFile(t, "gain = 1_000 ", "gain = 1e3 ")
	refuses(t, []string{"rules", "check", ways, gain},
		"tirage: 2 of 2 files refused\n",
		"\n"+ways+":85: prizes.ranks.6.ways: 85141 winning combinations; accepted: 85140, the count for these hits",
		"\n"+ways+":79: prizes.ranks: winning and losing combinations add up to 19068841; accepted: 19068840 (matrix.total)",
		"\n"+gain+":82: prizes.ranks.3.gain = 1e3; accepted: an amount in euros with at most two decimals")
	// The files that stand are told of, the code is that of the others.
	good := rulebookFile(t, "", "")
	code, out, errs := tirage("rules", "check", good, ways)
	if code != exitBadInput {
		t.Errorf("exit %d", code)
	}
	says(t, out, good+": loto@2018-10-29")
	says(t, errs, "1 of 2 files refused", ways+":85: ")
	refuses(t, []string{"rules", "check", filepath.Join(t.TempDir(), "absent.toml")}, "absent.toml", "no such file")
}

func TestRulesRefuseBadArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"rules show keno", `game "keno"; accepted: `},
		{"rules show loto --date 2018-02-30", `day "2018-02-30"; accepted: a day that exists, as YYYY-MM-DD`},
		{"rules show loto --date 2016-01-01", "loto has no rulebook for 2016-01-01; accepted: 2017-03-06"},
		{"rules show", "<game>"},
		{"rules show loto --day 2018-10-29", "unknown flag --day"},
		{"rules list loto", "unexpected argument loto"},
		{"rules", "expected one of"},
	} {
		refuses(t, strings.Fields(c.args), c.want)
	}
}
