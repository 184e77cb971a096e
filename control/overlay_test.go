package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// altered is one change of the program that sells and pays: of one line of a rulebook or of its code.
type altered struct {
	name, file string
	old, new   string
	scenario   string
	draw       string
	want       string // what the control finds, with the place
	soak       bool   // in the long campaign alone
}

var alterations = []altered{
	{
		name: "a figure of a rulebook", file: "games/loto/2018-10-29.toml", old: "ways = 9_460,     gain = 50 }", new: "ways = 9_460,     gain = 51 }",
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: "rank 5: 50.00 € for each winning combination, the count has 51.00 €",
	},
	{
		name: "a bound of a zone of codes", file: "games/loto/2018-10-29.toml",
		old:      "V 8214 7230\"], confidence = \"inferred\", note = \"what the sequential zone leaves\" }\nsequential   = [\"V 8214 7231\"",
		new:      "V 8214 7229\"], confidence = \"inferred\", note = \"what the sequential zone leaves\" }\nsequential   = [\"V 8214 7230\"",
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: "outside the sequential zone",
	},
	{
		name: "a share, rounded down", file: "rules/money/money.go", old: "if r >= n-r {\n\t\tq++", new: "if r >= n-r {\n\t\tq += 0",
		scenario: "loto-half-sold", draw: "loto-2019-03-10", want: " of ranks are due, the file of gains has ",
	},
	{
		name: "the price", file: "games/loto/2018-10-29.toml", old: "price            = { v = 2.20,", new: "price            = { v = 2.00,",
		scenario: "loto-multiples", draw: "loto-2019-03-17", want: ": a stake of ", soak: true,
	},
	{
		name: "shares of the fund", file: "games/euromillions/2018-10-29.toml",
		old: "share = 14.85 },\n  { rank = 13, hits = [\"2+0\"], ways = 6_385_500, share = 18.25 }", new: "share = 14.86 },\n  { rank = 13, hits = [\"2+0\"], ways = 6_385_500, share = 18.24 }",
		scenario: "euromillions-2018-11-02", draw: "euromillions-2018-11-02", want: " for each winning combination, the count has ", soak: true,
	},
	{
		name: "the fund of unsold shares", file: "games/loto/2018-10-29.toml", old: "reserve_code  = \"loto/reserve\"", new: "reserve_code  = \"loto/counterpart\"",
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

// alter builds the program with one line changed; its files stay as they are.
func alter(t *testing.T, c altered) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, c.file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), c.old); n != 1 {
		t.Fatalf("%s holds %q %d times, want once", c.file, c.old, n)
	}
	dir := t.TempDir()
	other := filepath.Join(dir, filepath.Base(path))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: other}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o600); err != nil {
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
