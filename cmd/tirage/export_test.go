package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	db := demoDatabase(t)
	code, out, errs := tirage("export", "funds", "--db", db)
	if code != 0 || errs != "" || !strings.HasPrefix(out, "account,meaning,balance_eur\nplayer,") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	file := filepath.Join(t.TempDir(), "draws.xlsx")
	if code, out, errs = tirage("export", "draws", "--db", db, "--from", "2020-06-22", "--format", "xlsx", "--out", file); code != 0 || errs != "" {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if raw, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(raw), "PK") {
		t.Errorf("%.20q, %v", raw, err)
	}
	for want, args := range map[string][]string{
		"exists and is left as it is": {"draws", "--out", file}, "whose statement?": {"statement"}, "no report": {"secrets"}, "accepted csv, xlsx, pdf, json": {"draws", "--format", "docx"},
		"is no day": {"draws", "--from", "yesterday"}, "without --from": {"funds", "--from", "2020-06-22"}, "without --player": {"draws", "--player", "1"},
	} {
		if code, out, errs := tirage(append([]string{"export", "--db", db}, args...)...); code == 0 || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%v: exit %d, %s%s; want %q", args, code, out, errs, want)
		}
	}
	if code, _, errs := tirage("export", "funds", "--db", filepath.Join(t.TempDir(), "none.db")); code == 0 || errs == "" {
		t.Error("a database that is not there is exported")
	}
}
