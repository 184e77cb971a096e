package main

import (
	"encoding/json"
	"strings"
	"testing"

	"tirage/bench"
)

// Some players walk through the pages of a demo for a moment: nothing fails, somebody buys, the books are right.
func TestBenchPages(t *testing.T) {
	var out, errs strings.Builder
	code := (&program{in: strings.NewReader(""), out: &out, err: &errs}).run([]string{"bench", "pages", "--players", "6", "--minutes", "0.05", "--think", "0.02", "--json"})
	var r bench.PagesReport
	if err := json.Unmarshal([]byte(out.String()), &r); code != 0 || err != nil {
		t.Fatalf("exit %d, %v: %s%s", code, err, out.String(), errs.String())
	}
	if r.Failed != 0 || r.Books != "" || r.Bought == 0 || len(r.Pages) < 12 || r.All.Requests < 50 {
		t.Errorf("%+v", r)
	}
	var text strings.Builder
	printPages(&text, &r)
	if !strings.Contains(text.String(), "no error: yes (0)") || !strings.Contains(text.String(), "books right: yes") {
		t.Errorf("printed:\n%s", text.String())
	}
	if code := (&program{in: strings.NewReader(""), out: &out, err: &errs}).run([]string{"bench", "pages", "--players", "0"}); code == 0 {
		t.Error("nobody walks")
	}
}
