package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/articles"
)

// runArticles runs `tirage articles` with the arguments and standard input given, on a checkout of one file.
func runArticles(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	checkout := t.TempDir()
	err := os.WriteFile(filepath.Join(checkout, "pack.go"), []byte("package pack\n\n// Art. loto@2018-10-29:14.8\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var o, e strings.Builder
	p := &program{in: strings.NewReader(stdin), out: &o, err: &e}
	code = p.run(append([]string{"articles", "--source", checkout}, args...))
	return code, o.String(), e.String()
}

const passedP27 = `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: covers: P27\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
`

func TestArticlesSaysThatTestsWereNotRead(t *testing.T) {
	code, out, _ := runArticles(t, "")
	if code != 0 || !strings.Contains(out, "tests not read: give --tests FILE") || !strings.Contains(out, "code read: 1 Go files of ") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestArticlesCountsPassedTests(t *testing.T) {
	code, out, _ := runArticles(t, passedP27, "--tests", "-")
	if code != 0 || !strings.Contains(out, "tests read: 1 passed, 0 failed, 0 skipped in -\nkind engine: 1 of 42\n") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestArticlesRequire(t *testing.T) {
	code, _, errs := runArticles(t, passedP27, "--tests", "-", "--require", "engine,sale")
	if code != exitContradicted || !strings.Contains(errs, "not complete: engine (1 of 42), sale (0 of 23)") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestArticlesJSON(t *testing.T) {
	code, out, _ := runArticles(t, passedP27, "--tests", "-", "--json")
	var r articles.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("exit %d, %v:\n%s", code, err, out)
	}
	if !r.TestsRead || len(r.Rows) != 104 || r.Kinds[0] != (articles.Count{Kind: articles.Engine, Done: 1, Coded: r.Kinds[0].Coded, Total: 42}) {
		t.Errorf("report: tests read %v, %d rows, %+v", r.TestsRead, len(r.Rows), r.Kinds)
	}
	for _, row := range r.Rows {
		if row.Complete != (row.ID == "P27") {
			t.Errorf("%s complete: %v", row.ID, row.Complete)
		}
	}
	if strings.Contains(out, "null") {
		t.Error("a list is null")
	}
}

func TestArticlesRefusesBadInput(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"require without tests", []string{"--require", "engine"}, "--require needs --tests FILE"},
		{"unknown kind", []string{"--tests", "-", "--require", "motor"}, `--require: kind "motor": accepted [engine`},
		{"missing run", []string{"--tests", filepath.Join(empty, "none.json")}, "none.json"},
		{"a run that is no JSON", []string{"--tests", "-"}, `standard input:1: found "ok`},
		{"no code", []string{"--source", empty}, "no Go file there"},
	} {
		code, out, errs := runArticles(t, "ok  \tp\t0.1s\n", test.args...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || out != "" {
			t.Errorf("%s: exit %d, printed %q, error %q, want one with %q", test.name, code, out, errs, test.want)
		}
	}
}

func TestArticlesOutsideACheckoutSaysWhereItLooked(t *testing.T) {
	elsewhere := t.TempDir()
	t.Chdir(elsewhere)
	var e strings.Builder
	p := &program{in: strings.NewReader(""), out: &strings.Builder{}, err: &e}
	if code := p.run([]string{"articles"}); code != exitBadInput || !strings.Contains(e.String(), elsewhere) {
		t.Errorf("exit %d: %s", code, e.String())
	}
}
