package main

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tirage/rules/rulebook"
)

// shownRules is what `tirage rules show` prints.
type shownRules struct {
	Version    string            `json:"version"`
	Title      string            `json:"title"`
	Regulation string            `json:"regulation"` // game whose articles are cited
	BaseText   string            `json:"base_text"`
	Made       string            `json:"made"`
	JO         string            `json:"jo"`
	Amendments []shownAmendment  `json:"amendments"`
	Effective  string            `json:"effective"`
	Until      string            `json:"until,omitempty"` // first day of the next version
	Repealed   []string          `json:"repealed"`
	Renumbered map[string]string `json:"renumbered"` // old article → new article
	Notes      []string          `json:"notes"`
	Digest     string            `json:"digest"` // SHA-256 of the file, hexadecimal
	Values     []shownValue      `json:"values"`
}

type shownAmendment struct {
	Made string `json:"made,omitempty"`
	JO   string `json:"jo"`
}

// shownValue is one value with its provenance.
type shownValue struct {
	Path       string              `json:"path"` // "prizes.ranks.2.gain": rows are counted from 1
	Value      string              `json:"value"`
	Unit       string              `json:"unit,omitempty"`    // "€" or "%"
	Article    string              `json:"article,omitempty"` // "loto@2018-10-29:14.8"
	Confidence rulebook.Confidence `json:"confidence"`
	Note       string              `json:"note,omitempty"`
	Line       int                 `json:"line"` // of the file
}

func newShownRules(book *rulebook.Rulebook) *shownRules {
	h := book.Header
	s := &shownRules{
		Version: h.Version(), Title: h.Title, Regulation: h.Regulation, BaseText: h.BaseText, Made: h.Made, JO: h.JO,
		Amendments: []shownAmendment{}, Effective: h.Effective, Until: until(book), Repealed: append([]string{}, h.Repealed...),
		Renumbered: map[string]string{}, Notes: append([]string{}, h.Notes...), Digest: hex.EncodeToString(book.Digest[:]),
	}
	for _, a := range h.Amendments {
		s.Amendments = append(s.Amendments, shownAmendment(a))
	}
	maps.Copy(s.Renumbered, h.Renumbered)
	for _, f := range book.Facts {
		s.Values = append(s.Values, shownValue(f))
	}
	return s
}

// print writes a table for each part of the rulebook, a line for each value, and inside it one for each list of rows, such as
// the ranks, a line for each row.
func (s *shownRules) print(p *program) {
	inForce := "in force from " + s.Effective + ", 00:00:00 Europe/Paris"
	if s.Until != "" {
		inForce += ", until " + s.Until
	}
	fmt.Fprintf(p.out, "%s — %s\n%s\nsha-256 %s\n", s.Title, s.Version, inForce, s.Digest)
	fmt.Fprintln(p.out, "Each line: name, value, article, confidence, note; a dash where there is none.")
	part, list := "", ""
	for _, group := range s.groups() {
		if group.part != part {
			fmt.Fprintf(p.out, "\n%s\n", group.part)
		}
		if group.list != "" && group.list != list {
			fmt.Fprintf(p.out, "  %s\n", group.list)
		}
		part, list = group.part, group.list
		switch group.list {
		case "":
			printValues(p, group.values)
		case "notes":
			printNotes(p, group.values)
		default:
			printRows(p, group.values)
		}
	}
}

// shownGroup is a run of values that are printed together.
type shownGroup struct {
	part, list string // "prizes" and "ranks"; list is "" for values that are no rows
	values     []shownValue
}

func (s *shownRules) groups() []shownGroup {
	var groups []shownGroup
	for _, v := range s.Values {
		part, rest, _ := strings.Cut(v.Path, ".")
		list, _, _ := cutRow(rest)
		if last := len(groups) - 1; last < 0 || groups[last].part != part || groups[last].list != list {
			groups = append(groups, shownGroup{part: part, list: list})
		}
		last := &groups[len(groups)-1]
		v.Path = rest
		last.values = append(last.values, v)
	}
	return groups
}

// cutRow splits "ranks.2.gain" into "ranks", "2" and "gain". The list is "" where no row number stands after a name.
func cutRow(path string) (list, row, key string) {
	list, rest, _ := strings.Cut(path, ".")
	row, key, ok := strings.Cut(rest, ".")
	if _, err := strconv.Atoi(row); !ok || err != nil || list == "renumbered" {
		return "", "", ""
	}
	return list, row, key
}

func printValues(p *program, values []shownValue) {
	t := &table{align: "lllll"}
	for _, v := range values {
		t.add(v.Path, v.text(), dash(v.Article), string(v.Confidence), v.Note)
	}
	t.print(p.out, "  ")
}

func printNotes(p *program, values []shownValue) {
	for _, v := range values {
		fmt.Fprintf(p.out, "    - %s [%s, %s]\n", v.Value, dash(v.Article), v.Confidence)
	}
}

// printRows writes a line for each row of a list, a column for each key, and the provenance of the first value. A value of the
// row that has another is told of in the note.
func printRows(p *program, values []shownValue) {
	var keys []string
	rows := [][]shownValue{}
	last := ""
	for _, v := range values {
		_, row, key := cutRow(v.Path)
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		if row != last {
			rows, last = append(rows, nil), row
		}
		v.Path = key
		rows[len(rows)-1] = append(rows[len(rows)-1], v)
	}
	t := &table{align: strings.Repeat("l", len(keys)+3)}
	t.add(append(slices.Clone(keys), "article", "confidence", "note")...)
	for _, row := range rows {
		t.add(append(rowCells(keys, row), dash(row[0].Article), string(row[0].Confidence), rowNote(row))...)
	}
	t.print(p.out, "    ")
}

func rowCells(keys []string, row []shownValue) []string {
	cells := make([]string, len(keys))
	for i, key := range keys {
		cells[i] = "-"
		for _, v := range row {
			if v.Path == key {
				cells[i] = v.text()
			}
		}
	}
	return cells
}

// rowNote joins the notes of a row, and the provenance of the values that differ from the first.
func rowNote(row []shownValue) string {
	var notes []string
	for _, v := range row {
		if v.Article != row[0].Article || v.Confidence != row[0].Confidence {
			notes = append(notes, fmt.Sprintf("%s: %s, %s", v.Path, dash(v.Article), v.Confidence))
		}
		if v.Note != "" && !slices.Contains(notes, v.Note) {
			notes = append(notes, v.Note)
		}
	}
	return strings.Join(notes, "; ")
}

// text writes the value with its unit, for readers: 100_000 in euros is « 100 000 € ».
func (v shownValue) text() string {
	text := v.Value
	if strings.Trim(text, "0123456789_., ") == "" {
		text = strings.ReplaceAll(text, "_", " ")
	}
	if v.Unit != "" {
		text += " " + v.Unit
	}
	return dash(text)
}
