package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"tirage/internal/articles"
)

// articlesCmd is `tirage articles`: which code serves each sentence of the two regulations, and which test proves it.
type articlesCmd struct {
	Tests   string   `placeholder:"FILE" help:"Output of go test -json ./... ('-': standard input); without it no test is counted."`
	Source  string   `placeholder:"DIR" help:"Folder of the source code (default: the module around the working folder)."`
	Require []string `placeholder:"KIND" help:"Exit with 1 unless these kinds are complete: engine, sale, ladder, procedure, screen."`
	All     bool     `help:"Print the complete sentences too, each with its code and its tests."`
	JSON    bool     `name:"json" help:"Print the whole report as JSON."`
}

func (c *articlesCmd) Help() string {
	return "The sentences are those of docs/sentences.md. Code serves a sentence when a comment names its article " +
		"(Art. loto@2018-10-29:14.8); a test proves it when it ran, passed and declared its id (covers.Covers)."
}

func (c *articlesCmd) Run(p *program) error {
	required, err := c.required()
	if err != nil {
		return err
	}
	root, code, err := c.scan()
	if err != nil {
		return err
	}
	tests, err := c.readTests(p)
	if err != nil {
		return err
	}
	report := articles.NewReport(articles.Sentences(), code, tests)
	if c.JSON {
		enc := json.NewEncoder(p.out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		err = enc.Encode(report)
	} else {
		fmt.Fprintf(p.out, "code read: %d Go files of %s\n", code.Files, root)
		fmt.Fprintln(p.out, c.testsLine(tests))
		err = report.Print(p.out, c.All)
	}
	if err != nil {
		return err
	}
	return demand(report, required)
}

// required reads --require. It needs --tests: without a run of tests no sentence is complete.
func (c *articlesCmd) required() ([]articles.Kind, error) {
	var kinds []articles.Kind
	for _, name := range c.Require {
		k, err := articles.ParseKind(name)
		if err != nil {
			return nil, fmt.Errorf("--require: %w", err)
		}
		kinds = append(kinds, k)
	}
	if len(kinds) > 0 && c.Tests == "" {
		return nil, fmt.Errorf("--require needs --tests FILE, the output of a go test -json run")
	}
	return kinds, nil
}

func (c *articlesCmd) scan() (root string, code articles.Code, err error) {
	root = c.Source
	if root == "" {
		if root, err = articles.ModuleRoot("."); err != nil {
			return "", code, fmt.Errorf("no source code to scan: %w; give its folder with --source", err)
		}
	}
	code, err = articles.Scan(os.DirFS(root))
	if err == nil && code.Files == 0 {
		err = fmt.Errorf("--source %s: no Go file there", root)
	}
	return root, code, err
}

// readTests returns nil where no run of tests was given.
func (c *articlesCmd) readTests(p *program) (*articles.Tests, error) {
	switch c.Tests {
	case "":
		return nil, nil
	case "-":
		tests, err := articles.ReadTests("standard input", p.in)
		return &tests, err
	}
	f, err := os.Open(c.Tests)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tests, err := articles.ReadTests(c.Tests, f)
	return &tests, err
}

func (c *articlesCmd) testsLine(t *articles.Tests) string {
	if t == nil {
		return "tests not read: give --tests FILE, the output of go test -json ./..."
	}
	return fmt.Sprintf("tests read: %d passed, %d failed, %d skipped in %s", t.Passed, t.Failed, t.Skipped, c.Tests)
}

// demand fails for the required kinds that are not complete.
func demand(r articles.Report, required []articles.Kind) error {
	var short []string
	for _, c := range r.Incomplete(required) {
		short = append(short, fmt.Sprintf("%s (%d of %d)", c.Kind, c.Done, c.Total))
	}
	if len(short) > 0 {
		return contradicted("not complete: %s", strings.Join(short, ", "))
	}
	return nil
}
