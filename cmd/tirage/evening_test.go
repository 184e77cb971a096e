package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/testdata/evenings"
)

// inTemp makes every temporary folder of the program one of the test, and returns what is left in it.
func inTemp(t *testing.T) (left func() []string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() []string { return names(t, dir) }
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// write puts a text in a file of the test.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "evening.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The main job: the real evening on SQLite, and a copy with a jackpot of 100 € more.
func TestEveningOf22June2020(t *testing.T) {
	covers.Covers(t, "P11", "P25", "P29")
	left := inTemp(t)
	file := filepath.Join(covers.Root(t), "testdata", "evenings", evenings.Loto20200622File)
	for _, c := range []struct {
		file string
		want []string
	}{
		{file, []string{"1 share: 40 684.71 €", "10 shares: 406 847.10 €", "Joker+ 2 615 300"}},
		{write(t, strings.Replace(string(evenings.Loto20200622), "jackpot 8000000", "jackpot 8000100", 1)), []string{"1 share: 40 685.21 €", "10 shares: 406 852.10 €"}},
	} {
		code, out, errs := tirage("evening", c.file)
		if code != 0 || errs != "" || !strings.HasSuffix(out, "\nbooks balanced\n") {
			t.Fatalf("exit %d: %s\n%s", code, errs, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, "  "+want+"\n") {
				t.Errorf("not printed: %s", want)
			}
		}
	}
	if names := left(); names != nil {
		t.Errorf("left behind: %v", names)
	}
}

func TestEveningJSON(t *testing.T) {
	inTemp(t)
	code, out, errs := tirage("evening", "--json", "--seed", "7", write(t, string(evenings.Loto20200622)))
	var report struct {
		Format, Seed, Books string
		Players             []struct{ Gains int64 }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || errs != "" {
		t.Fatalf("exit %d: %s, %v", code, errs, err)
	}
	if report.Format != "tirage-evening-1" || report.Seed != "7" || report.Books != "balanced" || len(report.Players) != 108 || report.Players[0].Gains != 40_684_71 {
		t.Errorf("report %+v", report)
	}
}

// Bad input exits with 2, names file and line, prints nothing else and leaves nothing behind: found by the reader, or by the operator in the middle
// of the evening.
func TestEveningRefuses(t *testing.T) {
	left := inTemp(t)
	const late = `draw euromillions 2019-03-17
opens 2019-03-15 20:15
closes 2019-03-17 20:15
cycle 2
fund 1
player one deposit 50.00
buy one quick 6x3
result 5-4-3-2-1+9-10
`
	db := filepath.Join(t.TempDir(), "kept.db")
	for _, c := range []struct{ text, want string }{
		{strings.Replace(string(evenings.Loto20200622), "max 1", "max one", 1), `evening.txt:13: pack: packs at most "one"; accepted: 1 to`},
		{late, `evening.txt:5: seal: manifest: terms: fund 1.00, accepted at least`},
	} {
		for _, flags := range [][]string{nil, {"--db", db}, {"--json"}} {
			code, out, errs := tirage(append([]string{"evening", write(t, c.text)}, flags...)...)
			if code != 2 || out != "" || !strings.Contains(errs, c.want) {
				t.Errorf("%v: exit %d, printed %q, says %s; want %s", flags, code, out, errs, c.want)
			}
		}
	}
	if code, _, errs := tirage("evening", filepath.Join(t.TempDir(), "none.txt")); code != 2 || !strings.Contains(errs, "none.txt") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if names := append(left(), names(t, filepath.Dir(db))...); names != nil {
		t.Errorf("left behind: %v", names)
	}
}

// A database is kept where it was asked for, as one file with its keys, and never written over.
func TestEveningKeepsDatabase(t *testing.T) {
	left := inTemp(t)
	dir := t.TempDir()
	db, file := filepath.Join(dir, "kept.db"), write(t, string(evenings.Loto20200622))
	if code, _, errs := tirage("evening", file, "--db", db); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if got := names(t, dir); len(got) != 2 || got[0] != "kept.db" || got[1] != "kept.db.keys" || left() != nil {
		t.Errorf("kept %v, left behind %v", got, left())
	}
	before, err := os.ReadFile(db)
	if err != nil || !bytes.HasPrefix(before, []byte("SQLite format 3\x00")) {
		t.Fatalf("%.20q, %v", before, err)
	}
	code, out, errs := tirage("evening", file, "--db", db)
	after, err := os.ReadFile(db)
	if code != 2 || out != "" || !strings.Contains(errs, "kept.db exists") || err != nil || !bytes.Equal(before, after) {
		t.Errorf("exit %d: %s%s, %v; the file changed: %v", code, out, errs, err, !bytes.Equal(before, after))
	}
	if code, _, errs := tirage("evening", file, "--db", filepath.Join(dir, "none", "x.db")); code != 2 || !strings.Contains(errs, "database: ") {
		t.Errorf("a folder that does not exist: exit %d: %s", code, errs)
	}
}
