package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/audit"
	"tirage/testdata/evenings"
)

// The log of an evening is exported; from it alone the database is rebuilt without a difference, in place and in another one; a changed byte is found.
func TestAuditExportAndReplay(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "evening.db"), filepath.Join(dir, "tirage.log")
	if code, _, errs := tirage("evening", write(t, string(evenings.Loto20200622)), "--db", db); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs := tirage("audit", "export", "--db", db, "--to", file)
	if code != 0 {
		t.Fatal(errs)
	}
	_, checkpoint, _ := strings.Cut(out, "\n\n")
	kept := write(t, checkpoint)
	_, key, _ := tirage("log", "key", "--db", db)
	code, out, errs = tirage("audit", "replay", "--from", file, "--db", db, "--key", strings.TrimSpace(key), "--earlier", kept)
	if code != 0 || !strings.Contains(out, "\n0 differences in ") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if code, out, errs = tirage("audit", "replay", "--from", file); code != 0 || !strings.Contains(out, "fund/loto/counterpart") || !strings.Contains(out, "this key is the file's own word") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if code, out, errs = tirage("audit", "replay", "--db", db); code != 0 || !strings.Contains(out, "\n0 differences in ") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	into := filepath.Join(dir, "again.db")
	code, out, errs = tirage("audit", "replay", "--from", file, "--into", into, "--json")
	var report audit.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || !report.Compared || report.Differing != 0 {
		t.Errorf("%d %v %s %s", code, err, out, errs)
	}
	if code, _, errs = tirage("audit", "replay", "--from", file, "--into", into); code != exitBadInput || !strings.Contains(errs, "not empty") {
		t.Errorf("a second time: %d %s", code, errs)
	}
	if code, _, errs = tirage("audit", "export", "--db", db, "--to", file); code != exitBadInput || !strings.Contains(errs, "left as it is") {
		t.Errorf("export over a file: %d %s", code, errs)
	}
	if code, _, errs = tirage("audit", "replay"); code != exitBadInput || !strings.Contains(errs, "--from FILE") {
		t.Errorf("nothing named: %d %s", code, errs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(data, []byte(`"kind":"deposit"`), []byte(`"kind":"Deposit"`), 1)
	if code, _, errs = tirage("audit", "replay", "--from", write(t, string(changed))); code != exitContradicted || !strings.Contains(errs, "salt and body do not give the hash") {
		t.Errorf("a changed byte: %d %s", code, errs)
	}
}
