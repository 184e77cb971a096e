// Command testlines turns the output of `go test -json` back into the lines that `go test` prints: one line a package,
// and for a package that failed, all that its failing tests said. One run of the tests so serves both the reader and
// `tirage articles`:
//
//	go test -json ./... | tee bin/test.json | go run ./internal/articles/testlines
//
// It always exits 0: whether the run passed is the answer of go test itself (set -o pipefail).
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"tirage/internal/articles"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testlines:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	p := printer{out: out, held: map[string][]articles.Event{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if e, bad := articles.ParseEvent([]byte(line)); bad == nil {
			p.event(e)
		} else {
			fmt.Fprint(out, line) // what go says before any test runs
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if p.failed {
		fmt.Fprintln(out, "FAIL")
	}
	return nil
}

// printer holds back the output of each package until it is known whether the package failed.
type printer struct {
	out    io.Writer
	held   map[string][]articles.Event // package → output of its tests that have not passed
	failed bool
}

func (p *printer) event(e articles.Event) {
	held := p.held[e.Package]
	switch {
	case e.Action == "build-output":
		fmt.Fprint(p.out, e.Output)
	case e.Action == "output":
		p.held[e.Package] = append(held, e)
	case e.Test != "" && (e.Action == "pass" || e.Action == "skip"):
		p.held[e.Package] = slices.DeleteFunc(held, func(o articles.Event) bool { return o.Test == e.Test })
	case e.Test == "" && (e.Action == "pass" || e.Action == "skip"):
		if len(held) > 0 { // its last line is the summary, "ok  	tirage/rules/money	0.012s"
			fmt.Fprint(p.out, held[len(held)-1].Output)
		}
		delete(p.held, e.Package)
	case e.Test == "" && e.Action == "fail":
		p.failed = true
		for _, o := range held {
			if !strings.HasPrefix(o.Output, "=== ") {
				fmt.Fprint(p.out, o.Output)
			}
		}
		delete(p.held, e.Package)
	}
}
