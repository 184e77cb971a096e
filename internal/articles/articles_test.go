package articles_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"tirage/internal/articles"
	"tirage/internal/covers"
)

// The page has 104 rows: 26 sentences of the ladder game and 78 of the packs.
func TestSentencesOfThePage(t *testing.T) {
	count := map[articles.Kind]int{}
	byID := map[string]articles.Sentence{}
	for _, s := range articles.Sentences() {
		count[s.Kind]++
		byID[s.ID] = s
	}
	want := map[articles.Kind]int{
		articles.Engine: 42, articles.Sale: 23, articles.Ladder: 21, articles.Procedure: 3, articles.Screen: 15,
	}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("rows per kind (-want +got):\n%s", diff)
	}
	for id, want := range map[string]string{
		"D25": "donuts@2019-06-25:3.2.5",
		"P8":  "loto@2018-10-29:7.1.1 loto@2018-10-29:7.2.2",
		"P27": "loto@2018-10-29:14.8",
		"P64": "euromillions@2018-10-29:3.4.2.6",
	} {
		if got := strings.Join(byID[id].Articles, " "); got != want {
			t.Errorf("%s stands at %q, want %q", id, got, want)
		}
	}
	if articles.Known("P5") || !articles.Known("P81") {
		t.Error("P5 only inserts words elsewhere and is left out; P81 is a row")
	}
}

func TestParseSentencesSaysWhatIsWrong(t *testing.T) {
	const head = "prose\n\n| id | article | what it says | kind |\n|---|---|---|---|\n"
	for _, test := range []struct{ row, want string }{
		{"| P1 | loto@2018-10-29:14.8 | text | engine |\n| P1 | loto@2018-10-29:2.1 | text | engine |", "page.md:6: id P1 stands on line 5 too"},
		{"| P1 | loto@2018-10-29:14.8 | engine |", "page.md:5: 3 cells"},
		{"| Q1 | loto@2018-10-29:14.8 | text | engine |", `page.md:5: id "Q1"`},
		{"| P1 | 14.8 | text | engine |", `article "14.8": accepted such as loto@2018-10-29:14.8`},
		{"| P1 |  | text | engine |", "page.md:5: sentence P1: an article and a text"},
		{"| P1 | loto@2018-10-29:14.8 | text | motor |", `page.md:5: kind "motor": accepted [engine sale`},
		{"", "page.md: no row found"},
	} {
		_, err := articles.ParseSentences("page.md", head+test.row)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("row %q: error %v, want one with %q", test.row, err, test.want)
		}
	}
}

func TestScanReadsTheCommentsOfCode(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	module := fstest.MapFS{
		"go.mod": file("module tirage\n"),
		"rules/pack/pack.go": file("// Package pack shares out.\npackage pack\n\n" +
			"/*\nThe rounding (Art. loto@2018-10-29:14.8, euromillions@2018-10-29:3.4.2.6).\n*/\n" +
			"const share = 1 // Art. loto@2018-10-29:14.8.\n"),
		"rules/rule.go":          file("package rules\n\nconst article = \"Art. loto@2018-10-29:2.1\" // such as \"loto@2018-10-29:2.1\"\n"),
		"rules/pack/a_test.go":   file("package pack\n\n// Art. loto@2018-10-29:11\n"),
		"internal/x/x.go":        file("package x\n\n// Art. loto@2018-10-29:11\n"),
		"rules/testdata/t.go":    file("not Go"),
		"control/go.mod":         file("module control\n"),
		"control/c.go":           file("package control\n\n// Art. loto@2018-10-29:11\n"),
		"rules/pack/composed.md": file("Art. loto@2018-10-29:11\n"),
	}
	got, err := articles.Scan(module)
	if err != nil {
		t.Fatal(err)
	}
	want := articles.Code{Files: 2, Places: map[string][]articles.Place{
		"loto@2018-10-29:14.8":            {{File: "rules/pack/pack.go", Line: 5}, {File: "rules/pack/pack.go", Line: 7}},
		"euromillions@2018-10-29:3.4.2.6": {{File: "rules/pack/pack.go", Line: 5}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}

	module["rules/bad.go"] = file("package rules\n\nfunc {\n")
	if _, err := articles.Scan(module); err == nil || !strings.Contains(err.Error(), "rules/bad.go:3") {
		t.Errorf("a file that is not Go: error %v, want one that names rules/bad.go:3", err)
	}
}

// testdata/run.json is the real output of a run of `go test -json` with a package that passes, one that fails, one that
// does not compile and one without tests.
func TestOnlyPassedTestsDeclare(t *testing.T) {
	f, err := os.Open("testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := articles.ReadTests("run.json", f)
	if err != nil {
		t.Fatal(err)
	}
	want := articles.Tests{Passed: 6, Failed: 1, Skipped: 1, Declared: map[string][]string{
		"P25": {"sample/bad.TestRight"},                                // beside a test that failed
		"P27": {"sample/bad.TestWrong/right", "sample/good.TestShare"}, // a subtest stands for itself
		"P28": {"sample/good.TestShare"},
		"P30": {"sample/good.TestPack/half_sold"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
}

func TestATestThatFailedOnceDoesNotDeclare(t *testing.T) {
	run := `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: covers: P27\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: covers: P27\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
`
	got, err := articles.ReadTests("run.json", strings.NewReader(run))
	if err != nil || len(got.Declared) != 0 || got.Failed != 1 {
		t.Errorf("a test run twice, failed and passed: %+v, %v", got, err)
	}
}

func TestReadTestsSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ run, want string }{
		{"ok  \ttirage/rules/money\t0.1s\n", `run.json:1: found "ok  \ttirage/rules/money\t0.1s": accepted a line of the output of go test -json`},
		{"{\"Action\":\"start\"}\n{\"Package\":\"p\"}\n", "run.json:2: found"},
		{`{"Action":"output","Package":"p","Test":"T","Output":"    a_test.go:1: covers: P5\n"}`, `run.json:1: p.T declares sentence "P5"`},
		{strings.Repeat("x", 1<<20+1), "run.json:1: bufio.Scanner: token too long"},
	} {
		_, err := articles.ReadTests("run.json", strings.NewReader(test.run))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("run %.60q: error %.200v, want one with %q", test.run, err, test.want)
		}
	}
}

func FuzzReadTests(f *testing.F) {
	run, err := os.ReadFile("testdata/run.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(run))
	f.Fuzz(func(t *testing.T, run string) {
		tests, err := articles.ReadTests("run.json", strings.NewReader(run))
		if err != nil {
			return
		}
		for id := range tests.Declared {
			if !articles.Known(id) {
				t.Errorf("declared %q is no sentence", id)
			}
		}
	})
}

func FuzzParseSentences(f *testing.F) {
	f.Add("|---|\n| P1 | loto@2018-10-29:14.8 | text | engine |")
	f.Fuzz(func(t *testing.T, page string) {
		rows, err := articles.ParseSentences("page.md", page)
		if err == nil && len(rows) == 0 {
			t.Error("neither rows nor an error")
		}
	})
}

func TestReport(t *testing.T) {
	sentences := []articles.Sentence{
		{ID: "P1", Articles: []string{"loto@2018-10-29:1"}, Text: "coded and tested", Kind: articles.Engine},
		{ID: "P2", Articles: []string{"loto@2018-10-29:1"}, Text: "coded", Kind: articles.Engine},
		{ID: "P3", Articles: []string{"loto@2018-10-29:1", "loto@2018-10-29:2"}, Text: "half coded, tested", Kind: articles.Engine},
		{ID: "P4", Articles: []string{"loto@2018-10-29:3"}, Text: "nothing", Kind: articles.Sale},
	}
	code := articles.Code{Places: map[string][]articles.Place{"loto@2018-10-29:1": {{File: "a.go", Line: 1}, {File: "b.go", Line: 9}}}}
	tests := articles.Tests{Declared: map[string][]string{"P1": {"p.TestA", "p.TestB"}, "P3": {"p.TestA"}}}

	for _, test := range []struct {
		name  string
		tests *articles.Tests
		all   bool
		want  string
	}{
		{"lacks", &tests, false, `kind engine: 1 of 3
  P2   no test: loto@2018-10-29:1 · coded
  P3   no code for loto@2018-10-29:2: loto@2018-10-29:1 loto@2018-10-29:2 · half coded, tested
kind sale: 0 of 1
  P4   no code, no test: loto@2018-10-29:3 · nothing
`},
		{"all", &tests, true, `kind engine: 1 of 3
  P1   loto@2018-10-29:1 · coded and tested
       code a.go:1 and 1 more
       test p.TestA and 1 more
  P2   no test: loto@2018-10-29:1 · coded
       code a.go:1 and 1 more
  P3   no code for loto@2018-10-29:2: loto@2018-10-29:1 loto@2018-10-29:2 · half coded, tested
       code a.go:1 and 1 more
       test p.TestA
kind sale: 0 of 1
  P4   no code, no test: loto@2018-10-29:3 · nothing
`},
		{"code alone", nil, false, `kind engine: 2 of 3 named in code
  P3   no code for loto@2018-10-29:2: loto@2018-10-29:1 loto@2018-10-29:2 · half coded, tested
kind sale: 0 of 1 named in code
  P4   no code: loto@2018-10-29:3 · nothing
`},
	} {
		var b strings.Builder
		if err := articles.NewReport(sentences, code, test.tests).Print(&b, test.all); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	short := articles.NewReport(sentences, code, &tests).Incomplete([]articles.Kind{articles.Engine, articles.Ladder})
	if diff := cmp.Diff([]articles.Count{{Kind: articles.Engine, Done: 1, Coded: 2, Total: 3}}, short); diff != "" {
		t.Errorf("incomplete (-want +got):\n%s", diff)
	}
}

func TestModuleRoot(t *testing.T) {
	root := covers.Root(t)
	if _, err := os.Stat(root + "/docs/sentences.md"); err != nil {
		t.Errorf("the module was found at %s: %v", root, err)
	}
	elsewhere := t.TempDir()
	if _, err := articles.ModuleRoot(elsewhere); err == nil || !strings.Contains(err.Error(), elsewhere) {
		t.Errorf("outside a checkout: error %v, want one that says where it looked", err)
	}
}
