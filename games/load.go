package games

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tirage/rules/rulebook"
)

// maxFile bounds a rulebook file, in bytes: many times the largest.
const maxFile = 64 << 10

// maxProblems bounds what one error tells: a file with more faults than that is no rulebook.
const maxProblems = 20

// confidences is the list of accepted confidences, for messages.
var confidences = func() string {
	var words []string
	for _, c := range rulebook.Confidences {
		words = append(words, string(c))
	}
	return strings.Join(words, ", ")
}()

// Problem is one fault of a file.
type Problem struct {
	Line   int
	Reason string // what was found; what is accepted
}

// Error lists the faults of a rulebook file, in the order of its lines. Each line of its text is file:line: reason.
type Error struct {
	File     string
	Problems []Problem
}

func (e *Error) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems[:min(len(e.Problems), maxProblems)] {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", e.File, p.Line, p.Reason))
	}
	if more := len(e.Problems) - maxProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d more", e.File, more))
	}
	return strings.Join(lines, "\n")
}

// file collects what is read of one file.
type file struct {
	list     []rulebook.Fact
	values   []*node          // of each fact
	units    map[*node]string // "€" or "%", of the values read as such
	problems []Problem
}

func (f *file) refuse(line int, format string, args ...any) {
	f.problems = append(f.problems, Problem{line, fmt.Sprintf(format, args...)})
}

// Load reads and checks the rulebook file with this name.
func Load(fsys fs.FS, name string) (*rulebook.Rulebook, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("rulebook: %w", err)
	}
	return read(name, f)
}

// LoadFile reads and checks a rulebook file of the machine.
func LoadFile(name string) (*rulebook.Rulebook, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("rulebook: %w", err)
	}
	return read(name, f)
}

// read reads and closes f. It takes no more than it takes to see that the file is too large.
func read(name string, f io.ReadCloser) (*rulebook.Rulebook, error) {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("rulebook: %w", err)
	}
	return Parse(name, data)
}

// Parse reads and checks a rulebook. A fault gives an [*Error] with the lines; name stands in it.
func Parse(name string, data []byte) (*rulebook.Rulebook, error) {
	f := &file{units: map[*node]string{}}
	r := f.parse(data)
	if len(f.problems) > 0 {
		slices.SortStableFunc(f.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &Error{name, f.problems}
	}
	return r, nil
}

// parse goes through the four steps: TOML, provenance, types, sums. What does not add up is only told of a file whose values
// are all readable.
func (f *file) parse(data []byte) *rulebook.Rulebook {
	if len(data) > maxFile {
		f.refuse(1, "a file of more than %d bytes; accepted: at most that", maxFile)
		return nil
	}
	root, p := parseTree(data)
	if p != nil {
		f.problems = append(f.problems, *p)
		return nil
	}
	f.facts("", root, provenance{})
	r := f.rulebook(root)
	if len(f.problems) > 0 {
		return nil
	}
	for _, p := range r.Check() {
		f.refuse(root.place(p.Path), "%s: %s", p.Path, p.Reason)
	}
	r.Facts = f.finish(r.Header)
	r.Digest = sha256.Sum256(data)
	return r
}
