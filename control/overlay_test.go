package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edit is one line of a file, and another in its place.
type edit struct{ file, old, new string }

// altered is one change of the program that sells and pays: of one line of a rulebook or of its code. Its own second count is changed alike where it would
// find the change itself: this control shall find it.
type altered struct {
	name     string
	edits    []edit
	scenario string
	draw     string
	want     string // what the control finds, with the place
	soak     bool   // in the long campaign alone
}

var alterations = []altered{
	{
		name:     "a figure of a rulebook",
		edits:    []edit{{"games/loto/2018-10-29.toml", "ways = 9_460,     gain = 50 }", "ways = 9_460,     gain = 51 }"}},
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: "rank 5: 50.00 € for each winning combination, the count has 51.00 €",
	},
	{
		name: "a bound of a zone of codes",
		edits: []edit{{
			"games/loto/2018-10-29.toml",
			"V 8214 7230\"], confidence = \"inferred\", note = \"what the sequential zone leaves\" }\nsequential   = [\"V 8214 7231\"",
			"V 8214 7229\"], confidence = \"inferred\", note = \"what the sequential zone leaves\" }\nsequential   = [\"V 8214 7230\"",
		}},
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: "outside the sequential zone", soak: true,
	},
	{
		name: "a share, rounded down",
		edits: []edit{
			{"rules/money/money.go", "if r >= n-r {\n\t\tq++", "if r >= n-r {\n\t\tq += 0"},
			{"central/recount/recount.go", "x.Add(x, big.NewRat(1, 2))", "x.Add(x, new(big.Rat))"},
		},
		scenario: "loto-half-sold", draw: "loto-2019-03-10", want: " of ranks are due, the file of gains has ",
	},
	{
		name:     "the price",
		edits:    []edit{{"games/loto/2018-10-29.toml", "price            = { v = 2.20,", "price            = { v = 2.00,"}},
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: ": a stake of ", soak: true,
	},
	{
		name: "shares of the fund",
		edits: []edit{{
			"games/euromillions/2018-10-29.toml", "share = 14.85 },\n  { rank = 13, hits = [\"2+0\"], ways = 6_385_500, share = 18.25 }",
			"share = 14.86 },\n  { rank = 13, hits = [\"2+0\"], ways = 6_385_500, share = 18.24 }",
		}},
		scenario: "euromillions-2018-11-02", draw: "euromillions-2018-11-02", want: " for each winning combination, the count has ", soak: true,
	},
	{
		name:     "the fund of unsold shares",
		edits:    []edit{{"games/loto/2018-10-29.toml", "reserve_code  = \"loto/reserve\"", "reserve_code  = \"loto/counterpart\""}},
		scenario: "loto-half-sold", draw: "loto-2019-03-10", want: " of unsold shares, the count has ", soak: true,
	},
}

// One figure of a rulebook, one share, one bound of a zone changed in the program that sells and pays: it goes through the whole evening, its own counts
// agree, and this control, in which nothing was changed, refuses the draw or its payment and says where.
func TestChangedProgram(t *testing.T) {
	for _, c := range alterations {
		t.Run(c.name, func(t *testing.T) {
			if c.soak && soak() == 0 {
				t.Skip("skipped: a program is built for each change; run by make soak (or with TIRAGE_SOAK=1)")
			}
			tirage := alter(t, c)
			folder, _, err := evening(t, tirage, c.scenario)
			if err != nil {
				t.Fatalf("the changed program does not agree with itself: %v", err)
			}
			out, status := says(filepath.Join(folder, c.draw+".manifest"))
			if status != differs || !strings.Contains(out, c.want) {
				t.Errorf("status %d: %s\nwant %s", status, out, c.want)
			}
			if _, _, err := evening(t, tirage, c.scenario, "--control", os.Args[0]); err == nil || !strings.Contains(err.Error(), "held: the control found: ") {
				t.Errorf("with this control the draw is not held: %v", err)
			}
		})
	}
}

// alter builds the program with the lines changed; its files stay as they are.
func alter(t *testing.T, c altered) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for _, e := range c.edits {
		path, err := filepath.Abs(filepath.Join(root, e.file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), e.old); n != 1 {
			t.Fatalf("%s holds %q %d times, want once", e.file, e.old, n)
		}
		replace[path] = filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(replace[path], []byte(strings.Replace(string(text), e.old, e.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "tirage")
	if err := build(to, "-overlay", filepath.Join(dir, "overlay.json")); err != nil {
		t.Fatal(err)
	}
	return to
}
