package games

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"tirage/rules/rulebook"
)

// The keys of provenance: any table may hold them, for its own values and those of the tables inside. A single value is
// written { v = …, article = …, confidence = …, note = … } when it has a provenance of its own.
const (
	keyValue      = "v"
	keyArticle    = "article"
	keyConfidence = "confidence"
	keyNote       = "note"
)

// noArticle is written where no article at hand states the value.
const noArticle = "none"

// maxText bounds each text of a rulebook: more than that is no article, note or title.
const maxText = 1000

func isProvenance(key string) bool {
	return key == keyArticle || key == keyConfidence || key == keyNote
}

// provenance is what a value inherits from the tables around it. A note belongs to its own table only.
type provenance struct {
	article, confidence, note string
}

// wrapped returns the value inside { v = … } and true, or n itself.
func (n *node) wrapped() (*node, bool) {
	if n.kind == unstable.Table && n.child[keyValue] != nil {
		return n.child[keyValue], true
	}
	return n, false
}

// facts lists the provenance of every value below n, in the order of the file.
func (f *file) facts(path string, n *node, p provenance) {
	switch {
	case n.kind == unstable.Table:
		value, isWrapped := n.wrapped()
		p = f.inherit(path, n, p)
		if isWrapped {
			f.checkWrapper(path, n)
			f.fact(path, value, p)
			return
		}
		for _, key := range n.keys {
			if !isProvenance(key) {
				f.facts(join(path, key), n.child[key], p)
			}
		}
	case n.isRows():
		for i, name := range n.rowNames() {
			f.facts(join(path, name), n.items[i], p)
		}
	default:
		f.fact(path, n, p)
	}
}

func (f *file) fact(path string, n *node, p provenance) {
	switch {
	case n.kind == unstable.Table || n.isRows():
		f.refuse(n.line, "%s.%s holds a table; accepted: one value or a list of values", path, keyValue)
	case p.confidence == "":
		f.refuse(n.line, "%s has no confidence; accepted: confidence = %s, on the value or on a table around it", path, confidences)
	case p.article == "":
		f.refuse(n.line, "%s has no article; accepted: article = \"14.8\" or the like, or %q, on the value or on a table around it", path, noArticle)
	case p.confidence == string(rulebook.Text) && p.article == noArticle && p.note == "":
		f.refuse(n.line, "%s is said to stand in a text, without an article; accepted: the article, or a note that says which text", path)
	}
	f.list = append(f.list, rulebook.Fact{
		Path: path, Value: n.String(), Article: p.article, Confidence: rulebook.Confidence(p.confidence), Note: p.note, Line: n.line,
	})
	f.values = append(f.values, n)
}

// inherit returns the provenance of the values of table n.
func (f *file) inherit(path string, n *node, p provenance) provenance {
	p.note = f.provenanceText(path, n, keyNote, "")
	p.article = f.provenanceText(path, n, keyArticle, p.article)
	if c := n.child[keyConfidence]; c != nil {
		p.confidence = f.provenanceText(path, n, keyConfidence, "")
		if !rulebook.Confidence(p.confidence).Known() {
			f.refuse(c.line, "%s %q; accepted: %s", join(path, keyConfidence), p.confidence, confidences)
		}
	}
	return p
}

func (f *file) provenanceText(path string, n *node, key, inherited string) string {
	c := n.child[key]
	if c == nil {
		return inherited
	}
	if c.kind != unstable.String || c.text == "" || !isText(c.text) {
		f.refuse(c.line, "%s = %.40s; accepted: a text in quotes, at most %d bytes on one line", join(path, key), c, maxText)
		return inherited
	}
	return c.text
}

func (f *file) checkWrapper(path string, n *node) {
	for _, key := range n.keys {
		if key != keyValue && !isProvenance(key) {
			f.refuse(n.child[key].line, "unknown key %s; accepted beside %s: %s, %s, %s", join(path, key), keyValue, keyArticle, keyConfidence, keyNote)
		}
	}
}

// isText reports whether s is one short line of valid text.
func isText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// finish gives the facts what is known once the file is read: their units, and article ids that carry their version.
func (f *file) finish(h rulebook.Header) []rulebook.Fact {
	for i := range f.list {
		f.list[i].Article = articleID(f.list[i].Article, h)
		f.list[i].Unit = f.units[f.values[i]]
	}
	return f.list
}

// articleID turns 14.8 into loto@2018-10-29:14.8. An article of another text is written whole and stays as it is.
func articleID(article string, h rulebook.Header) string {
	switch {
	case article == noArticle:
		return ""
	case strings.Contains(article, ":"):
		return article
	}
	return fmt.Sprintf("%s@%s:%s", h.Regulation, h.Effective, article)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
