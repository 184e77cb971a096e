// Package covers lets a test declare the sentences of the regulations that it proves.
//
// The ids are those of docs/sentences.md ("P27"). `tirage articles` reads the declarations from the output of a
// `go test -json` run, so that only a test that ran and passed counts.
package covers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Mark opens each line that declares sentences in the output of a test.
const Mark = "covers: "

// Covers declares that the running test proves the sentences with these ids.
func Covers(t testing.TB, ids ...string) {
	t.Helper()
	t.Log(Mark + strings.Join(ids, " "))
}

// Root returns the folder of the module, found from the working folder of the test upwards.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working folder")
		}
		dir = filepath.Dir(dir)
	}
}

// SharedData returns the folder of the operator's published archives, beside the checkout; the test is skipped, saying so, where it is absent.
func SharedData(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(Root(t), "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("skipped: the published archives are not at %s", dir)
	}
	return dir
}
