package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/run.txt is what `go test` itself prints for the run of run.json, but for the order of a failed test's lines.
func TestRunPrintsWhatGoTestPrints(t *testing.T) {
	in, err := os.Open("../testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want, err := os.ReadFile("../testdata/run.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(in, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// A test that hangs or panics has no end of its own: what it said must not be lost.
func TestRunPrintsTheOutputOfATestWithoutEnd(t *testing.T) {
	in := `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"panic: test timed out\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t600s\n"}
{"Action":"fail","Package":"p"}
go: a line of go itself
`
	var out strings.Builder
	if err := run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := "panic: test timed out\nFAIL\tp\t600s\ngo: a line of go itself\nFAIL\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
