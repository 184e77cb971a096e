package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/pack"
)

// preview runs `tirage pack preview` with the arguments, split at spaces.
func preview(args string) []string {
	return append([]string{"pack", "preview"}, strings.Fields(args)...)
}

func previewOf(t *testing.T, args string) previewReport {
	t.Helper()
	var r previewReport
	if err := json.Unmarshal([]byte(must(t, preview(args+" --json")...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// row returns one row of a preview.
func (v previewReport) row(t *testing.T, prize string) previewRow {
	t.Helper()
	for _, r := range v.Rows {
		if r.Prize == prize {
			return r
		}
	}
	t.Fatalf("no row %q in %+v", prize, v.Rows)
	return previewRow{}
}

const realPack = "--game loto --date 2018-10-29 --multiple 6x10*10 --shares 200"

func TestPreviewOfTheRealPack(t *testing.T) {
	covers.Covers(t, "P16", "P17", "P23", "P26")
	says(t, squeeze(must(t, preview(realPack)...)),
		"pack of Loto® (loto@2018-10-29): 6x10*10",
		"600 simple combinations, 10 multiples, 600 codes; price 1320.00 €",
		"200 shares, share price 6.60 €, sold by 1, 2, 5, 10 shares",
		"rank 8 2+0 1 chance sur 16,00 5.00 0.03 6.00 −1.00",
		"rank 9 1+1 or 0+1 1 chance sur 10,81 2.20 0.01 2.00 0.20",
		"code 20000.00 100.00 20000.00 0.00",
		"fixed ranks 486.211 512.611 −26.399 −2.00% −85613/3243 €",
		"rank 1 is not counted: give --jackpot EUROS",
		"the code is not counted: give --issued-codes N")
}

func TestPreviewJSON(t *testing.T) {
	v := previewOf(t, realPack)
	if v.Version != "loto@2018-10-29" || v.SharePriceCents != 6_60 || v.PriceCents != 1_320_00 || v.Combinations != 600 || v.Codes != 600 || v.EuroCodes != 0 {
		t.Errorf("pack %+v", v)
	}
	if r := v.row(t, "rank 8"); r.GainCents != 5_00 || r.ShareCents != 3 || r.PaidCents != 6_00 || r.RoundingCents != -1_00 || r.Odds.Exact != "473/7567" {
		t.Errorf("rank 8: %+v", r)
	}
	if r := v.row(t, "rank 9"); r.GainCents != 2_20 || r.PaidCents != 2_00 || r.RoundingCents != 20 {
		t.Errorf("rank 9: %+v", r)
	}
	if e := v.Expected.Fixed; e.Rounding != "-85613/3243" || e.Gain != "25754131/52969" || e.Paid != "81457430/158907" {
		t.Errorf("expected at the fixed ranks %+v", e)
	}
	if e := v.Expected; e.Rank1 != nil || e.Codes != nil || e.EuroCodes != nil {
		t.Errorf("something is counted that was not given: %+v", e)
	}

	// The fixed ranks stay what they are; the rest stands beside them.
	v = previewOf(t, realPack+" --jackpot 190000000.10 --issued-codes 5000000")
	if e := v.Expected; e.Fixed.Rounding != "-85613/3243" || e.Codes.Gain != "24" || e.Codes.Rounding != "0" || e.Rank1.Rounding != "1/317814" {
		t.Errorf("expected %+v %+v %+v", e.Fixed, e.Codes, e.Rank1)
	}
	if r := v.row(t, "rank 1"); r.GainCents != 190_000_000_10 || r.RoundingCents != 10 {
		t.Errorf("rank 1: %+v", r)
	}
}

// How much the rounding matters, at the sizes that were sold.
func TestPreviewSaysWhatIsTooSmall(t *testing.T) {
	out := must(t, preview("--game superloto --date 2018-10-29 --simple 700 --shares 700")...)
	says(t, squeeze(out), "rank 9 1+1 or 0+1 1 chance sur 10,81 3.00 0.00 0.00 3.00", "rank 9: 3.00 € over 700 shares is less than half a cent each, nothing is paid")
	v := previewOf(t, "--game grandloto --date 2018-12-25 --multiple 6x10*1 --shares 200")
	if !strings.Contains(strings.Join(v.Notes, "\n"), "base gains") {
		t.Errorf("notes %q", v.Notes)
	}
}

// The draw of 2 November 2018: its gains over 330 shares, with a code Euro Millions as at an exceptional draw.
func TestPreviewOfADrawOfTheArchive(t *testing.T) {
	covers.Covers(t, "P50", "P62")
	archive := filepath.Join(covers.SharedData(t), "euromillions_201609_4.csv")
	v := previewOf(t, "--game euromillions --date 2018-10-29 --multiple 6x12 --multiple 6x9 --multiple 5x4*8 --shares 330 --exceptional --draw 2018-11-02 --archive "+archive)
	if v.SharePriceCents != 5_00 || v.Combinations != 660 || v.Codes != 660 || v.EuroCodes != 660 {
		t.Errorf("pack %+v", v)
	}
	if v.GainsFrom != "the draw of 2018-11-02, euromillions@2018-10-29, in euromillions_201609_4.csv" {
		t.Errorf("gains from %q", v.GainsFrom)
	}
	for prize, want := range map[string][2]money.Cents{ // gain, paid
		"rank 1":    {87_021_202_00, 87_021_201_30},
		"rank 10":   {11_30, 9_90},
		"code":      {1_000_000_00, 999_999_00},
		"euro code": {1_000_000_00, 999_999_00},
	} {
		if r := v.row(t, prize); r.GainCents != want[0] || r.PaidCents != want[1] || r.Odds != nil {
			t.Errorf("%s: %+v", prize, r)
		}
	}
	if got := v.row(t, "euro code").ShareCents; got != 3_030_30 {
		t.Errorf("a share receives %v € of a code Euro Millions", got)
	}
	if v.Expected != (packExpected{}) {
		t.Errorf("an average is claimed: %+v", v.Expected)
	}
	says(t, strings.Join(v.Notes, "\n"), "no average is claimed at the ranks", "give --issued-codes N", "give --issued-euro-codes N")

	// Rank 2 was empty on 19 October 2018: nothing to split.
	v = previewOf(t, "--game euromillions --date 2018-10-29 --simple 10 --shares 10 --draw 2018-10-19 --archive "+archive)
	says(t, strings.Join(v.Notes, "\n"), "rank 1: no winner", "rank 2: no winner")
}

// file writes a file of the test.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The same draw from its fund and winners, in every way to write an amount.
func TestPreviewOfAFund(t *testing.T) {
	const winners = "[1, 2, 13, 49, 1055, 2091, 2164, 29872, 45644, 96543, 146471, 627533, 1369528]"
	for name, path := range map[string]string{
		"TOML":         file(t, "f.toml", "fund = \"31237440.00\"\nposition = 8\ncarry = \"78587093\"\nwinners = "+winners),
		"TOML numbers": file(t, "f.toml", "fund = 31_237_440.00\nposition = 8\ncarry = 78587093\nwinners = "+winners),
		"JSON":         file(t, "f.json", `{"fund": "31237440,00", "position": 8, "carry": "78587093", "winners": `+winners+`}`),
		"JSON numbers": file(t, "f.json", `{"fund": 31237440.00, "position": 8, "carry": 78587093, "winners": `+winners+`}`),
	} {
		v := previewOf(t, "--game euromillions --date 2018-10-29 --multiple 6x12 --simple 4 --shares 100 --fund "+path)
		if r := v.row(t, "rank 1"); r.GainCents != 87_021_202_00 {
			t.Errorf("%s: rank 1 %v €", name, r.GainCents)
		}
		if r := v.row(t, "rank 10"); r.GainCents != 11_30 || r.ShareCents != 11 || r.PaidCents != 11_00 {
			t.Errorf("%s: rank 10 %+v", name, r)
		}
	}
	// Grand Loto de Noël of 25 December 2018: nobody at rank 1, its jackpot spread.
	v := previewOf(t, "--game grandloto --date 2018-12-25 --multiple 6x10 --shares 200 --fund "+
		file(t, "f.toml", "jackpot = 15000000\nwinners = [0, 4, 94, 713, 4107, 33375, 61901, 502554, 870296]"))
	if r := v.row(t, "rank 2"); r.GainCents != 248_000_00 {
		t.Errorf("rank 2 of Grand Loto %v €", r.GainCents)
	}
}

// em is a pack of Euro Millions that wants the gains of a draw.
const em = "--game euromillions --date 2018-10-29 --simple 10 --shares 10 "

func TestPreviewRefuses(t *testing.T) {
	fund := func(name, text string) string { return em + "--fund " + file(t, name, text) }
	for args, want := range map[string][]string{
		"--game loto --date 2018-10-29 --shares 200":                             {"empty pack", "at least 1"},
		"--game loto --date 2018-10-29 --simple 10":                              {"--shares"},
		"--simple 10 --shares 10":                                                {"--game"},
		"--game bingo --simple 10 --shares 10":                                   {`game "bingo"`, "accepted: ", "etoileplus, euromillions"},
		"--game loto --date 2018-10-28 --simple 10 --shares 10":                  {"loto@2017-03-06 has no packs"},
		"--game mymillion --simple 10 --shares 10":                               {"mymillion@2018-10-29 has no combinations"},
		"--game loto --date 2018-10-29 --multiple 6*10 --shares 10":              {"--multiple", `"6*10"`, "6x10*10"},
		"--game loto --date 2018-10-29 --multiple 6x10*0 --shares 10":            {"--multiple", "6x10*10"},
		"--game loto --date 2018-10-29 --multiple 10x1 --shares 10":              {"10x1", "5x1-10, 6x1-10, 7x1-10, 8x1-10, 9x1-10", "14.8"},
		"--game loto --date 2018-10-29 --multiple 6x10*10 --shares 7":            {"1320.00 € over 7 shares", "6 (220.00 €) and 8 (165.00 €)"},
		"--game loto --date 2018-10-29 --simple 10 --shares 0":                   {"0 shares", "1 to 100000"},
		"--game loto --date 2018-10-29 --simple ten --shares 10":                 {"--simple"},
		"--game loto --date 2018-10-29 --simple 10 --shares 10 --jackpot 1e6":    {"--jackpot", `"1e6"`},
		"--game loto --date 2018-10-29 --simple 10 --shares 10 --exceptional":    {"--exceptional", "euromillions"},
		"--game loto --date 2018-10-29 --simple 10 --shares 10 --issued-codes 9": {"--issued-codes", "at least the 10"},
		"--game loto --date 2019-11-04 --simple 10 --shares 10":                  {"loto@2019-11-04", "--archive FILE --draw DAY", "--fund FILE"},
		em:                       {"--archive FILE --draw DAY", "--fund FILE"},
		em + "--archive x":       {"--archive FILE and --draw DAY go together"},
		em + "--draw 2018-11-02": {"--archive FILE and --draw DAY go together"},
		em + "--archive x --draw 2018-11-02 --fund y":      {"accepted one of them"},
		em + "--archive x --draw 2018-11-02":               {"--archive", "no such file"},
		em + "--fund nothing.toml":                         {"--fund", "no such file"},
		fund("a.toml", "fund = \"1e3\"\n"):                 {"a.toml:1:", `"1e3"`, "euros with at most two decimals"},
		fund("b.toml", "fund = 3\n\nfunds = 3\n"):          {"b.toml:3:", "funds", "accepted keys: fund, winners"},
		fund("c.toml", "fund = 3\nwinners == [1]\n"):       {"c.toml:2:"},
		fund("d.toml", "winners = [1.5]\n"):                {"d.toml:1:"},
		fund("e.toml", "position = 1\nwinners = [1, 2]"):   {"2 counts", "13 ranks"},
		fund("f.json", "{\n\"fund\": \"-3\"}"):             {"f.json:2:", `"-3"`},
		fund("g.json", `{"funds": 3}`):                     {"g.json:1:", "funds", "accepted keys"},
		fund("h.json", "{}\n{}"):                           {"h.json:2:", "more than one value"},
		fund("i.json", strings.Repeat(" ", maxFundFile+1)): {"more than 65536 bytes"},
		"--game loto --date 2018-10-29 --simple 10 --shares 10 --fund " + file(t, "j.toml", "fund = 3"): {"--fund", "fixed"},
	} {
		refuses(t, preview(args), want...)
	}
}

func TestPreviewRefusesADrawOfTheArchive(t *testing.T) {
	data := covers.SharedData(t)
	for args, want := range map[string][]string{
		em + "--draw 2018-11-02 --archive " + filepath.Join(data, "loto_201703.csv"):                                               {"draws of loto", "euromillions"},
		em + "--draw 2018-11-03 --archive " + filepath.Join(data, "euromillions_201609_4.csv"):                                     {"2018-11-03", "2016-09-27 to 2019-02-26"},
		em + "--draw 2018-11-33 --archive " + filepath.Join(data, "euromillions_201609_4.csv"):                                     {"2018-11-33", "YYYY-MM-DD"},
		em + "--issued-euro-codes 100 --draw 2018-11-02 --archive " + filepath.Join(data, "euromillions_201609_4.csv"):             {"--issued-euro-codes", "--exceptional"},
		em + "--exceptional --issued-euro-codes 3 --draw 2018-11-02 --archive " + filepath.Join(data, "euromillions_201609_4.csv"): {"--issued-euro-codes", "at least the 25"},
	} {
		refuses(t, preview(args), want...)
	}
}

// No file makes the reader, or the rules that take what it read, panic; what is accepted is read the same in both forms.
func FuzzFund(f *testing.F) {
	book, err := games.InForce("euromillions", "2018-10-29")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, []byte(`{"fund": 31237440.00, "position": 8, "carry": "78587093", "winners": [1,2,13,49,1055,2091,2164,29872,45644,96543,146471,627533,1369528]}`))
	f.Add(false, []byte("fund = 31_237_440.00\nposition = 8\nwinners = [0,0,0,0,0,0,0,0,0,0,0,0,1]\nafter_super = true"))
	f.Add(false, []byte("carry = [1]\nsuper = 1979-05-27"))
	f.Fuzz(func(t *testing.T, isJSON bool, data []byte) {
		name := "f.toml"
		if isJSON {
			name = "f.json"
		}
		in, err := parseFund(name, data)
		if err != nil {
			return
		}
		if unit, err := in.gains(book); err == nil {
			if _, err := pack.DrawPrizes(book, unit); err != nil {
				t.Errorf("gains %v: %v", unit, err)
			}
		}
	})
}
