// Package covers lets a test declare the sentences of the regulations that it proves, and say what it needs.
//
// The ids are those of docs/sentences.md ("P27"). `tirage articles` reads the declarations from the output of a
// `go test -json` run, so that only a test that ran and passed counts.
//
//	func TestShareRounds(t *testing.T) {
//		covers.Covers(t, "P27", "P28")
//		…
package covers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/articles"
)

// Mark opens each line that declares sentences in the output of a test.
const Mark = articles.Mark

// Covers declares that the running test proves the sentences with these ids. An id that docs/sentences.md does not have fails the test.
func Covers(t testing.TB, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if !articles.Known(id) {
			t.Errorf("sentence %q is not in docs/sentences.md", id)
		}
	}
	t.Log(Mark + strings.Join(ids, " "))
}

// Root returns the folder of the module, found from the working folder of the test upwards.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := articles.ModuleRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
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

// SoakVariable is the variable of the environment by which `make soak` lets the long campaigns run.
const SoakVariable = "TIRAGE_SOAK"

// Soak skips a campaign that is too long for every run; `make soak` runs it.
func Soak(t testing.TB) {
	t.Helper()
	if os.Getenv(SoakVariable) == "" {
		t.Skipf("skipped: a long campaign, run by make soak (or with %s=1)", SoakVariable)
	}
}
