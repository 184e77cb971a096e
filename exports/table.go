// Package exports writes what people read in other programs: sales, what is owed, funds, rounding, the audit trail and players' statements, as CSV, XLSX,
// PDF or JSON.
//
//	t, err := exports.Sales(snap, exports.Scope{…})
//	err = exports.Write(ctx, w, exports.XLSX, "fr", t)
//
// A [Table] says what it holds, of which period, and when it was read; it is written row by row as the rows are read, so that only a PDF is held in memory.
// Amounts are exact: whole cents in JSON, two decimals elsewhere. No text of anybody becomes a formula in a spreadsheet (see [Defused]).
package exports

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
)

// Words are a text in French and English.
type Words struct{ FR, EN string }

// In returns the text in a language: "fr", English otherwise.
func (w Words) In(lang string) string {
	if lang == "fr" {
		return w.FR
	}
	return w.EN
}

// Kind is what a column holds, and the Go type of its cells.
type Kind int

// The kinds of columns.
const (
	Text    Kind = iota // string, or Words
	Count               // int64
	Money               // money.Cents
	Instant             // time.Time, the zero time for none
)

// Column is one column of a table.
type Column struct {
	Name  string // in CSV and JSON: small letters and _; Money adds _eur or _cents to it, Instant _at is part of it
	Title Words  // in XLSX and PDF
	Kind  Kind
	Sum   bool // the sheet ends with its total
}

// Pair is a line above a table: what it holds, of which period, when it was read.
type Pair struct{ Name, Value Words }

// Row is one row, a cell for each column.
type Row []any

// Table is what is exported. Its rows are read once.
type Table struct {
	Name    string // of the file, without its ending
	Title   Words
	About   []Pair
	Columns []Column
	Rows    iter.Seq2[Row, error]
	Read    time.Time // when its figures were read
}

// Format is a form in which a table is written.
type Format string

// The formats.
const (
	CSV  Format = "csv"  // RFC 4180, UTF-8, decimal points
	XLSX Format = "xlsx" // Office Open XML, typed cells
	PDF  Format = "pdf"  // A4 pages, at most [MaxPDF] rows
	JSON Format = "json" // one object: what the table is, its rows, its totals
)

// Formats lists the formats.
func Formats() []Format { return []Format{CSV, XLSX, PDF, JSON} }

// MediaType returns the media type of a format.
func (f Format) MediaType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8; header=present"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case PDF:
		return "application/pdf"
	}
	return "application/json"
}

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, error) {
	if f := Format(strings.ToLower(s)); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", &central.Refusal{Code: central.Invalid, Reason: "export.format", Field: "format",
		Text: fmt.Sprintf("%.20q: accepted csv, xlsx, pdf, json", s), French: fmt.Sprintf("%.20q : acceptés csv, xlsx, pdf, json", s)}
}

// tooLong is the refusal of a table that a format does not hold.
func tooLong(what, quoi string, rows int) error {
	return &central.Refusal{Code: central.Invalid, Reason: "export.too_long", Field: "format",
		Text:   fmt.Sprintf("%s holds at most %d rows: ask for a shorter period, for CSV or for JSON", what, rows),
		French: fmt.Sprintf("%s contient au plus %d lignes : demandez une période plus courte, du CSV ou du JSON", quoi, rows)}
}

// Write writes a table in a language, "fr" or "en"; names in CSV and JSON are the same in both. progress is told the rows that are written; nil tells nobody.
func Write(ctx context.Context, w io.Writer, f Format, lang string, t *Table, progress func(rows int)) error {
	t = t.watched(ctx, lang, progress)
	switch f {
	case CSV:
		return writeCSV(w, t)
	case XLSX:
		return writeXLSX(w, lang, t)
	case PDF:
		return writePDF(w, lang, t)
	case JSON:
		return writeJSON(w, t)
	}
	return fmt.Errorf("format %.20q: accepted csv, xlsx, pdf, json", f)
}

// watched is the table whose rows end with the context, are told as they go, speak one language, and fit the columns.
func (t *Table) watched(ctx context.Context, lang string, progress func(rows int)) *Table {
	c := *t
	c.Rows = func(yield func(Row, error) bool) {
		n := 0
		for row, err := range t.Rows {
			if err == nil {
				err = ctx.Err()
			}
			for i, cell := range row {
				if w, ok := cell.(Words); ok {
					row[i] = w.In(lang)
				}
			}
			if err == nil {
				err = t.fits(row)
			}
			if !yield(row, err) || err != nil {
				return
			}
			if n++; progress != nil {
				progress(n)
			}
		}
	}
	return &c
}

func (t *Table) fits(row Row) error {
	if len(row) != len(t.Columns) {
		return fmt.Errorf("%s: a row of %d cells under %d columns", t.Name, len(row), len(t.Columns))
	}
	for i, c := range t.Columns {
		var ok bool
		switch c.Kind {
		case Text:
			_, ok = row[i].(string)
		case Count:
			_, ok = row[i].(int64)
		case Money:
			_, ok = row[i].(money.Cents)
		case Instant:
			_, ok = row[i].(time.Time)
		}
		if !ok {
			return fmt.Errorf("%s: %s holds a %T", t.Name, c.Name, row[i])
		}
	}
	return nil
}

// totals adds up the columns that say so.
type totals struct {
	columns []Column
	sums    []int64
	rows    int
}

func newTotals(t *Table) *totals {
	return &totals{columns: t.Columns, sums: make([]int64, len(t.Columns))}
}

func (s *totals) add(row Row) {
	s.rows++
	for i, c := range s.columns {
		if !c.Sum {
			continue
		}
		switch n := row[i].(type) {
		case int64:
			s.sums[i] += n
		case money.Cents:
			s.sums[i] = int64(money.Add(money.Cents(s.sums[i]), n))
		}
	}
}

// row returns the row of totals: nil where nothing is added up. Its first cell, where it is no sum, is the word.
func (s *totals) row(word string) []any {
	row := make([]any, len(s.columns))
	found := false
	for i, c := range s.columns {
		if !c.Sum {
			continue
		}
		found = true
		if row[i] = s.sums[i]; c.Kind == Money {
			row[i] = money.Cents(s.sums[i])
		}
	}
	if !found {
		return nil
	}
	if row[0] == nil {
		row[0] = word
	}
	return row
}

var totalWord = Words{"Total", "Total"}

// hour writes an instant as CSV and JSON have it: RFC 3339 in Paris, with its distance from UTC. No instant is "".
func hour(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(games.Paris).Format("2006-01-02T15:04:05-07:00")
}

// decimal writes cents with two decimals and a point: -0.05, 1234.50.
func decimal(c money.Cents) string {
	sign, n := "", uint64(c)
	if c < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

// spaced writes a number with narrow groups of three digits, for people.
func spaced(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, rest, point := strings.Cut(digits, ".")
	var b strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	if point {
		b.WriteString("." + rest)
	}
	return sign + b.String()
}
