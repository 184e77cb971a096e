package articles

import (
	"fmt"
	"io"
	"strings"
)

// Row is a sentence with what serves and proves it.
type Row struct {
	Sentence
	Code     []Place  `json:"code"`     // where comments name its articles
	Uncoded  []string `json:"uncoded"`  // its articles that no comment names
	Tests    []string `json:"tests"`    // tests that passed and declare it
	Complete bool     `json:"complete"` // every article named, and a test
}

// Count is the state of one kind.
type Count struct {
	Kind  Kind `json:"kind"`
	Done  int  `json:"done"`  // complete sentences
	Coded int  `json:"coded"` // sentences whose articles are all named by code
	Total int  `json:"total"`
}

// Report is the state of every sentence. It is also the schema of `tirage articles --json`; lists are never null.
type Report struct {
	TestsRead bool    `json:"tests_read"` // false: no run of tests was given, nothing can be complete
	Kinds     []Count `json:"kinds"`
	Rows      []Row   `json:"sentences"`
}

// NewReport puts sentences, code and a run of tests side by side; tests is nil where no run was read.
func NewReport(sentences []Sentence, code Code, tests *Tests) Report {
	r := Report{TestsRead: tests != nil, Kinds: []Count{}, Rows: []Row{}}
	counts := map[Kind]*Count{}
	for _, s := range sentences {
		row := newRow(s, code, tests)
		r.Rows = append(r.Rows, row)
		if counts[s.Kind] == nil {
			counts[s.Kind] = &Count{Kind: s.Kind}
		}
		c := counts[s.Kind]
		c.Total++
		if len(row.Uncoded) == 0 {
			c.Coded++
		}
		if row.Complete {
			c.Done++
		}
	}
	for _, k := range Kinds {
		if counts[k] != nil {
			r.Kinds = append(r.Kinds, *counts[k])
		}
	}
	return r
}

func newRow(s Sentence, code Code, tests *Tests) Row {
	row := Row{Sentence: s, Code: []Place{}, Uncoded: []string{}, Tests: []string{}}
	for _, a := range s.Articles {
		if len(code.Places[a]) == 0 {
			row.Uncoded = append(row.Uncoded, a)
		}
		row.Code = append(row.Code, code.Places[a]...)
	}
	if tests != nil {
		row.Tests = append(row.Tests, tests.Declared[s.ID]...)
	}
	row.Complete = len(row.Uncoded) == 0 && len(row.Tests) > 0
	return row
}

// Incomplete returns the counts of those of the kinds that are not complete.
func (r Report) Incomplete(kinds []Kind) []Count {
	var short []Count
	for _, k := range kinds {
		for _, c := range r.Kinds {
			if c.Kind == k && c.Done < c.Total {
				short = append(short, c)
			}
		}
	}
	return short
}

// Print writes the report for people: per kind "kind engine: n of N", then the sentences that lack code or a passed test;
// with all, the complete ones too, and for each the first place of its code and the first of its tests.
func (r Report) Print(w io.Writer, all bool) error {
	var b strings.Builder
	for _, c := range r.Kinds {
		if r.TestsRead {
			fmt.Fprintf(&b, "kind %s: %d of %d\n", c.Kind, c.Done, c.Total)
		} else {
			fmt.Fprintf(&b, "kind %s: %d of %d named in code\n", c.Kind, c.Coded, c.Total)
		}
		for _, row := range r.Rows {
			if row.Kind == c.Kind && (all || r.lacks(row) != "") {
				r.printRow(&b, row, all)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) printRow(b *strings.Builder, row Row, all bool) {
	fmt.Fprintf(b, "  %-4s %s%s · %s\n", row.ID, r.lacks(row), strings.Join(row.Articles, " "), row.Text)
	if all && len(row.Code) > 0 {
		fmt.Fprintf(b, "       code %s%s\n", row.Code[0], more(len(row.Code)-1))
	}
	if all && len(row.Tests) > 0 {
		fmt.Fprintf(b, "       test %s%s\n", row.Tests[0], more(len(row.Tests)-1))
	}
}

// lacks says what was looked for and not found: "no code, no test: ", "" for nothing.
func (r Report) lacks(row Row) string {
	var lacks []string
	switch {
	case len(row.Uncoded) == len(row.Articles):
		lacks = append(lacks, "no code")
	case len(row.Uncoded) > 0:
		lacks = append(lacks, "no code for "+strings.Join(row.Uncoded, " "))
	}
	if r.TestsRead && len(row.Tests) == 0 {
		lacks = append(lacks, "no test")
	}
	if lacks == nil {
		return ""
	}
	return strings.Join(lacks, ", ") + ": "
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
