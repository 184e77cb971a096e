// Package articles answers, for each sentence of the two regulations: which code serves it, and which test proves it?
//
// Three things are read and put side by side:
//
//   - the sentences of docs/sentences.md, each with its versioned article and its kind;
//   - the comments of the module's Go code. A comment names an article as "Art. GAME@DAY:ARTICLE", several of them
//     parted by commas;
//   - the output of a `go test -json` run, in which a passed test declared sentences with covers.Covers.
//
// A sentence is complete when code names every article of its row and at least one test that ran and passed declares
// its id. Comments of tests and of the folders that only check the project (internal, docs) count for nothing, and
// neither does a test that failed, was skipped, or did not run.
//
//	sentences := articles.Sentences()
//	code, err := articles.Scan(os.DirFS(root))
//	tests, err := articles.ReadTests("bin/test.json", file)
//	report := articles.NewReport(sentences, code, &tests)
package articles

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tirage/docs"
)

// Kind is a group of sentences that is completed together.
type Kind string

const (
	Engine    Kind = "engine"    // rules and settlement
	Sale      Kind = "sale"      // accounts, sales, refusals
	Ladder    Kind = "ladder"    // the ladder game
	Procedure Kind = "procedure" // draw and publication
	Screen    Kind = "screen"    // what is shown
)

// Kinds lists the kinds in the order in which they are reported.
var Kinds = []Kind{Engine, Sale, Ladder, Procedure, Screen}

// ParseKind reads the name of a kind.
func ParseKind(s string) (Kind, error) {
	if k := Kind(s); slices.Contains(Kinds, k) {
		return k, nil
	}
	return "", fmt.Errorf("kind %.40q: accepted %v", s, Kinds)
}

// Sentence is one row of docs/sentences.md.
type Sentence struct {
	ID       string   `json:"id"`       // "P27"
	Articles []string `json:"articles"` // where it stands, one or more: "loto@2018-10-29:14.8"
	Text     string   `json:"text"`
	Kind     Kind     `json:"kind"`
}

// Sentences returns the rows of docs/sentences.md as embedded in the program, in the order of the page.
func Sentences() []Sentence { return slices.Clone(embedded()) }

// Known reports whether docs/sentences.md has a sentence with this id.
func Known(id string) bool {
	return slices.ContainsFunc(embedded(), func(s Sentence) bool { return s.ID == id })
}

var embedded = sync.OnceValue(func() []Sentence {
	rows, err := ParseSentences("docs/sentences.md", docs.Sentences)
	if err != nil {
		panic(err) // the page is part of the program
	}
	return rows
})

// article is the form of a versioned article: game, day of effect, number of the article.
const article = `[a-z]+@\d{4}-\d{2}-\d{2}:[0-9a-z]+(?:\.[0-9a-z]+)*`

var (
	sentenceID  = regexp.MustCompile(`^[DP][1-9]\d*$`)
	fullArticle = regexp.MustCompile(`^` + article + `$`)
)

// ParseSentences reads the table of a page in the form of docs/sentences.md; name is the file that errors cite.
// Lines outside the table are prose; a line of the table is four cells: id, articles parted by spaces, text, kind.
func ParseSentences(name, page string) ([]Sentence, error) {
	var rows []Sentence
	first := map[string]int{} // id → its line
	inTable := false
	for i, line := range strings.Split(page, "\n") {
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
			continue
		case strings.HasPrefix(line, "|---"):
			inTable = true
			continue
		case !inTable: // the head of the table
			continue
		}
		s, err := parseRow(line)
		if err == nil && first[s.ID] > 0 {
			err = fmt.Errorf("id %s stands on line %d too", s.ID, first[s.ID])
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		first[s.ID] = i + 1
		rows = append(rows, s)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no row found: accepted a table of | id | articles | text | kind |", name)
	}
	return rows, nil
}

func parseRow(line string) (Sentence, error) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	if len(cells) != 4 {
		return Sentence{}, fmt.Errorf("%d cells: accepted 4, id, articles, text, kind", len(cells))
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	s := Sentence{ID: cells[0], Articles: strings.Fields(cells[1]), Text: cells[2]}
	if !sentenceID.MatchString(s.ID) {
		return Sentence{}, fmt.Errorf("id %.40q: accepted D or P and a number, such as P27", s.ID)
	}
	if len(s.Articles) == 0 || s.Text == "" {
		return Sentence{}, fmt.Errorf("sentence %s: an article and a text are needed", s.ID)
	}
	for _, a := range s.Articles {
		if !fullArticle.MatchString(a) {
			return Sentence{}, fmt.Errorf("sentence %s: article %.60q: accepted such as loto@2018-10-29:14.8", s.ID, a)
		}
	}
	kind, err := ParseKind(cells[3])
	s.Kind = kind
	return s, err
}
