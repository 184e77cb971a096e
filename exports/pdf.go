package exports

import (
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tirage/games"
	"tirage/internal/pdf"
	"tirage/rules/money"
)

// MaxPDF bounds the rows of a PDF: who reads more of them wants a file that a program reads.
const MaxPDF = 5000

// writePDF writes A4 pages, wide ones for more than five columns: title, what the rows are, the rows under a head on each page, the totals.
func writePDF(w io.Writer, lang string, t *Table) error {
	rows := make([][]string, 0, 64)
	head := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if head[i] = c.Title.In(lang); c.Kind == Money {
			head[i] += " (€)"
		}
	}
	rows = append(rows, head)
	sums := newTotals(t)
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		if sums.rows == MaxPDF {
			return tooLong("a PDF", "un PDF", MaxPDF)
		}
		sums.add(row)
		rows = append(rows, shown(row, lang))
	}
	total := sums.row(totalWord.In(lang))
	if total != nil {
		rows = append(rows, shown(total, lang))
	}
	p := pdf.New(t.Title.In(lang), lang, t.Read.In(games.Paris).Format(time.DateOnly))
	if len(t.Columns) > 5 {
		p = pdf.NewWide(t.Title.In(lang), lang, t.Read.In(games.Paris).Format(time.DateOnly))
	}
	p.Line(16, "B", t.Title.In(lang))
	p.Gap()
	for _, a := range t.about() {
		p.Note(a.Name.In(lang), a.Value.In(lang))
	}
	p.Gap()
	p.Report(rows, left(t.Columns), total != nil)
	if sums.rows == 0 {
		p.Text(Words{"Aucune ligne.", "No row."}.In(lang))
	}
	b, err := p.Bytes()
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// left says which columns begin at the left: those that are no numbers.
func left(columns []Column) []bool {
	list := make([]bool, len(columns))
	for i, c := range columns {
		list[i] = c.Kind == Text || c.Kind == Instant
	}
	return list
}

// shown is a row as people read it.
func shown(row []any, lang string) []string {
	line := make([]string, len(row))
	for i, cell := range row {
		switch v := cell.(type) {
		case string:
			line[i] = shortened(v, 60)
		case int64:
			line[i] = spaced(strconv.FormatInt(v, 10))
		case money.Cents:
			line[i] = spaced(decimal(v))
			if lang == "fr" {
				line[i] = strings.Replace(line[i], ".", ",", 1)
			}
		case time.Time:
			if !v.IsZero() {
				line[i] = v.In(games.Paris).Format("2006-01-02 15:04:05")
			}
		}
	}
	return line
}

func shortened(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
