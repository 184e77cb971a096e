package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/testdata/evenings"
)

// The archive of an evening is written by one command and verified by another with the two public keys alone; another key, or one byte changed, is a
// contradiction.
func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	db, folder, out := filepath.Join(dir, "tirage.db"), filepath.Join(dir, "sealed"), filepath.Join(dir, "draw.zip")
	file := filepath.Join(covers.Root(t), "testdata", "evenings", evenings.Loto20200622File)
	if code, _, errs := tirage("evening", file, "--db", db, "--sealed", folder); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := tirage("evidence", "loto-2020-06-23", "--db", db, "--sealed", folder, "-o", out); code != exitBadInput || !strings.Contains(errs, "accepted a draw whose notice is published") {
		t.Errorf("exit %d: %s", code, errs)
	}
	code, said, errs := tirage("evidence", "loto-2020-06-22", "--db", db, "--sealed", folder, "-o", out)
	if code != 0 {
		t.Fatal(errs)
	}
	lines := strings.Split(said, "\n")
	operator, control := strings.TrimPrefix(lines[1], "operator "), strings.TrimPrefix(lines[2], "control ")
	if code, said, errs := tirage("evidence", "verify", out, "--operator", operator, "--control", control); code != 0 || !strings.Contains(said, "loto-2020-06-22, result 1") {
		t.Errorf("exit %d: %s%s", code, said, errs)
	}
	if code, _, errs := tirage("evidence", "verify", out, "--operator", control, "--control", operator); code != exitContradicted || !strings.Contains(errs, "index.note") {
		t.Errorf("exit %d: %s", code, errs)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(out, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := tirage("evidence", "verify", out, "--operator", operator, "--control", control); code != exitContradicted {
		t.Errorf("a byte changed: exit %d, %s", code, errs)
	}
}
