// Package tidy checks the tree against the project's own rules, so that the guide cannot rot. Its test runs over the whole
// checkout; what it finds stands as file:line with what is accepted instead.
//
// The rules:
//
//   - direction: a folder imports only the folders that its row in [layers] names; rules imports nothing but itself and the
//     standard library; adapters never import each other; control is a module of its own that shares no package;
//   - bans, in code that is not a test: no clock in rules, fairness, ledger, logbook and central, and no randomness, no I/O in
//     the first four; math/rand only in sim and bench; no floating point in rules, ledger and central, neither by type nor by literal
//     nor by the functions that make or take one; SQL only in store;
//   - files: more than [maxLines] lines of Go need a line "// long file: reason" near the top; no word that leaves work
//     open; each package says what it is in a package comment;
//   - dependencies: each module that code imports is explained in DEPENDENCIES.md.
//
// Tests may import what they like: a story may need a store. A package whose folder ends in "test" (storetest) counts as
// test code. Generated files are exempt from bans and length, testdata from everything.
//
//	findings, err := tidy.Check(os.DirFS(root))
package tidy

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// module is the path of the module that is checked.
const module = "tirage"

// Finding is one breach of the rules.
type Finding struct {
	File string // from the root of the checkout
	Line int
	Text string // what was found, then what is accepted
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text) }

// Check returns what the tree breaks, in the order of files and lines. The error says that the tree could not be read.
func Check(tree fs.FS) ([]Finding, error) {
	c := &checker{tree: tree}
	if err := fs.WalkDir(tree, ".", c.visit); err != nil {
		return nil, err
	}
	c.packageComments()
	if err := c.dependencies(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return c.findings, nil
}

// checker gathers the findings, and the Go files for the rules that look at more than one.
type checker struct {
	tree     fs.FS
	sources  []*source
	findings []Finding
}

// source is one Go file of the tree.
type source struct {
	name      string // from the root: "rules/money/money.go"
	folder    string // its first element: "rules"
	test      bool   // a test, or a package that serves tests
	generated bool
	text      string
	file      *ast.File
	positions *token.FileSet
}

func (c *checker) report(file string, line int, format string, a ...any) {
	c.findings = append(c.findings, Finding{file, line, fmt.Sprintf(format, a...)})
}

// reportAt reports a finding at a node of a Go file.
func (c *checker) reportAt(s *source, at token.Pos, format string, a ...any) {
	c.report(s.name, s.line(at), format, a...)
}

func (s *source) line(at token.Pos) int { return s.positions.Position(at).Line }

// unread are the folders without text of ours, wherever they stand.
var unread = []string{"testdata", "vendor", "node_modules", "bin"}

func (c *checker) visit(name string, entry fs.DirEntry, err error) error {
	base := path.Base(name)
	switch {
	case err != nil:
		return err
	case name == "." || name == ".ci":
		return nil
	case entry.IsDir() && (base[0] == '.' || base[0] == '_' || slices.Contains(unread, base) || c.nested(name)):
		return fs.SkipDir
	case entry.IsDir() || base[0] == '.':
		return nil
	}
	return c.checkFile(name)
}

// nested reports whether the folder is a module that is not checked here. control is one that is: it must share nothing.
func (c *checker) nested(dir string) bool {
	return dir != control && c.has(path.Join(dir, "go.mod"))
}

func (c *checker) has(name string) bool {
	_, err := fs.Stat(c.tree, name)
	return err == nil
}

func (c *checker) checkFile(name string) error {
	if !isText(name) {
		return nil
	}
	b, err := fs.ReadFile(c.tree, name)
	if err != nil {
		return err
	}
	c.openWords(name, string(b))
	switch path.Ext(name) {
	case ".sql":
		c.sqlFile(name)
	case ".go":
		c.checkGo(name, string(b))
	}
	return nil
}

func (c *checker) checkGo(name, text string) {
	s, err := parse(name, text)
	if err != nil {
		line, message := firstError(err)
		c.report(name, line, "does not parse: %s", message)
		return
	}
	c.sources = append(c.sources, s)
	c.direction(s)
	c.length(s)
	if !s.test && !s.generated {
		c.bans(s)
	}
}

func parse(name, text string) (*source, error) {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	folder, _, below := strings.Cut(name, "/")
	if !below {
		folder = "."
	}
	return &source{
		name:      name,
		folder:    folder,
		test:      strings.HasSuffix(name, "_test.go") || strings.HasSuffix(path.Dir(name), "test"),
		generated: ast.IsGenerated(file),
		text:      text,
		file:      file,
		positions: positions,
	}, nil
}

// firstError returns the line and the message of a parser's first error.
func firstError(err error) (line int, message string) {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Pos.Line, list[0].Msg
	}
	return 1, err.Error()
}
