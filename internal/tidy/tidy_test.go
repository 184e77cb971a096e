package tidy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"tirage/internal/covers"
	"tirage/internal/tidy"
)

// TestTree is the check itself: the whole checkout obeys the rules.
func TestTree(t *testing.T) {
	findings, err := tidy.Check(os.DirFS(covers.Root(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// tree is a small checkout: the text of each file.
type tree map[string]string

func (files tree) check(t *testing.T) []string {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	findings, err := tidy.Check(root)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, f := range findings {
		got = append(got, f.String())
	}
	return got
}

// goFile writes a file of package p, its package comment on the first line: imports begin on line 4.
func goFile(body string, imports ...string) string {
	text := "// Package p is a fixture.\npackage p\n\n"
	for _, i := range imports {
		text += "import " + i + "\n"
	}
	return text + body
}

func TestFindings(t *testing.T) {
	for _, test := range []struct {
		name  string
		files tree
		want  []string
	}{
		{"a tidy tree", tree{
			"rules/p/p.go":         goFile("var day = time.UTC\n", `"time"`, `"math/big"`, `"tirage/rules/q"`),
			"rules/p/p_test.go":    "package p\n\nimport _ \"tirage/store/mem\"\n\nvar x, now = 0.5, time.Now()\n",
			"games/p.go":           goFile("", `"embed"`, `"github.com/pelletier/go-toml/v2"`, `"tirage/rules/q"`),
			"central/p.go":         goFile("const most = math.MaxInt64\n", `"math"`, `"tirage/logbook"`, `"tirage/games"`),
			"store/p.go":           goFile("var q = \"SELECT id FROM plays\"\n", `"tirage/central"`, `"tirage/store/sql"`),
			"store/sql/1.sql":      "CREATE TABLE plays (id INTEGER);\n",
			"store/storetest/p.go": goFile("", `"testing"`, `"tirage/internal/covers"`),
			"sim/p.go":             goFile("", `"math/rand/v2"`, `"tirage/store"`, `"tirage/web"`),
			"cmd/tirage/main.go":   "// Command tirage is a fixture.\npackage main\n\nimport _ \"tirage/internal/articles\"\n",
			"control/go.mod":       "module tirage/control\n",
			"control/p.go":         goFile("var q = \"SELECT count(*) FROM plays\"\n", `"tirage/control/count"`),
			"tools/go.mod":         "module tirage/tools\n",
			"tools/x.go":           "not Go",
		}, []string{}},

		{"rules and a third party", tree{"rules/p/p.go": goFile("", `"pgregory.net/rapid"`)}, []string{
			"rules/p/p.go:4: rules imports pgregory.net/rapid: accepted the standard library and rules",
		}},
		{"rules and a folder outside", tree{"rules/p/p.go": goFile("", `"tirage/games"`)}, []string{
			"rules/p/p.go:4: rules imports tirage/games: accepted nothing of ours but rules",
		}},
		{"the inside imports the outside", tree{"central/p.go": goFile("", `"tirage/rules/money"`, `"tirage/store"`)}, []string{
			"central/p.go:5: central imports tirage/store: accepted central, rules, games, fairness, ledger, logbook, verify, docs",
		}},
		{"two adapters", tree{"web/p.go": goFile("", `"tirage/store/sql"`)}, []string{
			"web/p.go:4: web imports tirage/store/sql: accepted web, rules, games, fairness, ledger, logbook, verify, central, identity, notices, receipts, exports, audit",
		}},
		{"a program is imported", tree{"sim/p.go": goFile("", `"tirage/cmd/tirage"`, `"tirage/control"`)}, []string{
			"sim/p.go:4: sim imports tirage/cmd/tirage: accepted every folder but cmd and control",
			"sim/p.go:5: sim imports tirage/control: accepted every folder but cmd and control",
		}},
		{"code imports what is for tests", tree{"sim/p.go": goFile("", `"tirage/internal/covers"`)}, []string{
			"sim/p.go:4: sim imports tirage/internal/covers: it is for tests",
		}},
		{"control shares a package, even in a test", tree{
			"control/go.mod":    "module tirage/control\n",
			"control/p.go":      goFile("", `"tirage/rules/money"`),
			"control/p_test.go": "package p\n\nimport _ \"tirage/rules/money\"\n",
		}, []string{
			"control/p.go:4: control imports tirage/rules/money: accepted nothing of ours but control",
			"control/p_test.go:3: control imports tirage/rules/money: accepted nothing of ours but control",
		}},
		{"control without a module of its own", tree{"control/p.go": goFile("")}, []string{
			"control/p.go:1: control is a module of its own: accepted with control/go.mod",
		}},
		{"a folder without a place", tree{"util/p.go": goFile("")}, []string{
			"util/p.go:1: folder util has no place in the direction of imports: give it a row in internal/tidy/direction.go",
		}},

		{"a clock", tree{
			"rules/p.go":   goFile("var t = time.Now()\n", `"time"`),
			"central/p.go": goFile("var now = clock.Now\n\nfunc f(t clock.Time) { clock.Since(t); clock.Sleep(1) }\n", `clock "time"`),
			"logbook/p.go": goFile("func f(now func()) { now(); time.Sleep(1) }\n", `"time"`),
		}, []string{
			"central/p.go:5: time.Now in central: accepted a time that is an argument, or the port Clock",
			"central/p.go:7: time.Since in central: accepted a time that is an argument, or the port Clock",
			"logbook/p.go:5: time.Sleep in logbook: logbook is pure and waits for nothing",
			"rules/p.go:5: time.Now in rules: accepted a time that is an argument, or the port Clock",
		}},
		{"a clock without a name", tree{"ledger/p.go": goFile("", `. "time"`)}, []string{
			`ledger/p.go:4: import . "time" hides what is used of it: accepted under a name`,
		}},
		{"randomness", tree{"web/p.go": goFile("", `"math/rand/v2"`), "fairness/p.go": goFile("", `"crypto/rand"`)}, []string{
			"fairness/p.go:4: fairness imports crypto/rand: fairness is pure, what it needs is an argument",
			"web/p.go:4: math/rand/v2 can be predicted: accepted crypto/rand through a port, or in sim, bench and tests",
		}},
		{"the world", tree{"rules/p.go": goFile("", `"os"`, `"net/http"`, `"log/slog"`)}, []string{
			"rules/p.go:4: rules imports os: rules is pure, what it needs is an argument",
			"rules/p.go:5: rules imports net/http: rules is pure, what it needs is an argument",
			"rules/p.go:6: rules imports log/slog: rules is pure, what it needs is an argument",
		}},
		{"floating point", tree{
			"rules/p.go":   goFile("func f(x float64) int { return int(x * 1.5) }\n"),
			"ledger/p.go":  goFile("// rate is a float64.\nvar rate, _ = half.Float64()\n\nvar r = math.Sqrt(2)\n", `"math"`),
			"central/p.go": goFile("var x, err = strconv.ParseFloat(s, 64)\n", `"strconv"`),
			"web/p.go":     goFile("var zoom float64 = 1.5\n"),
		}, []string{
			"central/p.go:5: ParseFloat is floating point in central: accepted money.Cents, integers and big.Rat",
			`ledger/p.go:5: float64 in a comment of ledger: accepted "floating point"`,
			"ledger/p.go:6: Float64 is floating point in ledger: accepted money.Cents, integers and big.Rat",
			"ledger/p.go:8: Sqrt is floating point in ledger: accepted money.Cents, integers and big.Rat",
			"rules/p.go:4: float64 in rules: accepted money.Cents, integers and big.Rat",
			"rules/p.go:4: literal 1.5 in rules: accepted integers and big.Rat",
		}},
		{"SQL", tree{
			"web/p.go": goFile("var a = `\n\tSELECT id\n\tFROM plays`\nvar b = \"update plays set x = 1\"\nvar c = \"WITH x AS (SELECT 1 FROM y)\"\n" +
				"var d = \"select a draw\"\nvar e = \"an UPDATE of the rules\"\nvar f struct{ X int `help:\"DELETE FROM the list\"` }\n"),
			"central/q.sql": "SELECT 1;\n",
		}, []string{
			"central/q.sql:1: a file of SQL: accepted in store alone",
			"web/p.go:4: SQL in web: accepted in store alone",
			"web/p.go:7: SQL in web: accepted in store alone",
			"web/p.go:8: SQL in web: accepted in store alone",
		}},
		{"a generated file", tree{"rules/p.go": "// Code generated by templ - DO NOT EDIT.\n\n" + goFile(strings.Repeat("var _ = 0.5\n", 600))}, []string{}},

		{"a long file", tree{
			"web/p.go":      goFile(strings.Repeat("\n", 497) + "var x int\n"),
			"web/short.go":  goFile(strings.Repeat("\n", 496) + "var y int\n"),
			"web/reason.go": "// long file: one table\n\n" + goFile(strings.Repeat("\n", 600)+"var z int\n"),
			"web/bare.go":   "// long file:\n\n" + goFile(strings.Repeat("\n", 600)+"var w int\n"),
		}, []string{
			`web/bare.go:501: 606 lines: accepted 500, or a line "// long file: reason" within the first 30`,
			`web/p.go:501: 501 lines: accepted 500, or a line "// long file: reason" within the first 30`,
		}},
		{"work left open", tree{
			"docs/page.md": "# Page\n\n" + "FIX" + "ME: later\n",
			"web/p.go":     goFile("// " + "TO" + "DO(x): later\nvar err = \"Not" + " implemented\"\n"),
			".ci/run":      "true # X" + "XX\n",
			"web/q.go":     goFile("var todos, code = 1, \"FX" + "XX\"\n"),
		}, []string{
			`.ci/run:1: "X` + `XX" leaves work open: accepted finished code; a known hole is written as BUG`,
			`docs/page.md:3: "FIX` + `ME" leaves work open: accepted finished code; a known hole is written as BUG`,
			`web/p.go:4: "TO` + `DO" leaves work open: accepted finished code; a known hole is written as BUG`,
			`web/p.go:5: "Not` + ` implemented" leaves work open: accepted finished code; a known hole is written as BUG`,
		}},
		{"package comments", tree{
			"web/a.go":         "package web\n",
			"web/b.go":         "// Package web is in another file.\npackage web\n",
			"sealed/a.go":      "package sealed\n",
			"archive/a.go":     "// This package reads.\npackage archive\n",
			"cmd/x/main.go":    "// The program.\npackage main\n",
			"store/a_test.go":  "package store_test\n",
			"sealed/broken.go": "package sealed\n\nfunc {\n",
		}, []string{
			`archive/a.go:2: package archive has no package comment: accepted one that begins "Package archive "`,
			`cmd/x/main.go:2: package main has no package comment: accepted one that begins "Command "`,
			`sealed/a.go:1: package sealed has no package comment: accepted one that begins "Package sealed "`,
			"sealed/broken.go:3: does not parse: expected 'IDENT', found '{'",
		}},
		{"a dependency without a reason", tree{
			"go.mod":          "module tirage\n\nrequire (\n\tpgregory.net/rapid v1.3.0\n\tgithub.com/alecthomas/kong v1.17.0\n\tmodernc.org/libc v1.80.2\n)\n",
			"DEPENDENCIES.md": "| `github.com/alecthomas/kong` | flags |\n",
			"web/p_test.go":   "package p\n\nimport _ \"github.com/alecthomas/kong\"\nimport _ \"pgregory.net/rapid/x\"\n",
		}, []string{
			"web/p_test.go:4: module pgregory.net/rapid is imported and DEPENDENCIES.md does not explain it: accepted with a row there",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.files.check(t)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckNeedsAReadableTree(t *testing.T) {
	for name, root := range map[string]fstest.MapFS{
		"bad go.mod":         {"go.mod": {Data: []byte("module tirage\n\nrequire (\n")}, "DEPENDENCIES.md": {}},
		"no DEPENDENCIES.md": {"go.mod": {Data: []byte("module tirage\n")}},
	} {
		if findings, err := tidy.Check(root); err == nil {
			t.Errorf("%s: no error, findings %v", name, findings)
		}
	}
}

func ExampleFinding() {
	fmt.Println(tidy.Finding{File: "rules/money/money.go", Line: 7, Text: "time.Now in rules"})
	// Output: rules/money/money.go:7: time.Now in rules
}
