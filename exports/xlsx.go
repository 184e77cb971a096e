package exports

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"tirage/games"
	"tirage/rules/money"
)

// What a sheet of XLSX holds at most: rows under its head, and characters of a cell.
const (
	MaxXLSX = 1_048_576 - 2
	maxCell = 32_767
)

// maxExact bounds the numbers that a spreadsheet keeps whole: it holds doubles, and 15 digits of them.
const maxExact = 1_000_000_000_000_000

// book is a workbook being written.
type book struct {
	file                       *excelize.File
	head, cents, instant, text int
	bold, boldCents            int
}

// writeXLSX writes a workbook: a sheet with the rows, their head fixed above and their totals below, and one that says what they are. Texts are cells of text.
func writeXLSX(w io.Writer, lang string, t *Table) (err error) {
	b := &book{file: excelize.NewFile()}
	defer func() { err = errors.Join(err, b.file.Close()) }()
	if err := b.styles(); err != nil {
		return err
	}
	sheet := sheetName(t.Title.In(lang))
	if err := b.file.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	if err := b.rows(sheet, lang, t); err != nil {
		return err
	}
	if err := b.about(Words{"À propos", "About"}.In(lang), lang, t); err != nil {
		return err
	}
	if err := b.file.SetDocProps(&excelize.DocProperties{Title: t.Title.In(lang), Creator: "tirage", Language: lang, Created: t.Read.UTC().Format(time.RFC3339), Modified: t.Read.UTC().Format(time.RFC3339)}); err != nil {
		return err
	}
	return b.file.Write(w)
}

func (b *book) styles() (err error) {
	cents, instant := `#,##0.00\ "€"`, "yyyy-mm-dd hh:mm:ss"
	for _, s := range []struct {
		to    *int
		style excelize.Style
	}{
		{&b.head, excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}}},
		{&b.bold, excelize.Style{Font: &excelize.Font{Bold: true}}},
		{&b.cents, excelize.Style{CustomNumFmt: &cents}},
		{&b.boldCents, excelize.Style{CustomNumFmt: &cents, Font: &excelize.Font{Bold: true}}},
		{&b.instant, excelize.Style{CustomNumFmt: &instant}},
		{&b.text, excelize.Style{NumFmt: 49}}, // « @ »: text, whatever it begins with, also when the cell is typed again
	} {
		if *s.to, err = b.file.NewStyle(&s.style); err != nil {
			return err
		}
	}
	return nil
}

func (b *book) rows(sheet, lang string, t *Table) error {
	out, err := b.file.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	head := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = excelize.Cell{StyleID: b.head, Value: c.Title.In(lang)}
		if err := out.SetColWidth(i+1, i+1, width(c, lang)); err != nil {
			return err
		}
	}
	if err := out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if err := out.SetRow("A1", head); err != nil {
		return err
	}
	sums := newTotals(t)
	cells := make([]any, len(t.Columns))
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		if sums.rows == MaxXLSX {
			return tooLong("a sheet", "une feuille", MaxXLSX)
		}
		sums.add(row)
		for i, v := range row {
			cells[i] = b.cell(v)
		}
		if err := out.SetRow(fmt.Sprintf("A%d", sums.rows+1), cells); err != nil {
			return err
		}
	}
	if total := sums.row(totalWord.In(lang)); total != nil {
		for i, v := range total {
			c := b.cell(v)
			if c.StyleID = b.bold; t.Columns[i].Kind == Money {
				c.StyleID = b.boldCents
			}
			cells[i] = c
		}
		if err := out.SetRow(fmt.Sprintf("A%d", sums.rows+2), cells); err != nil {
			return err
		}
	}
	return out.Flush()
}

// cell is a value as a typed cell. An instant is that of Paris, for spreadsheets know no zones; an amount that a spreadsheet would round is a text.
func (b *book) cell(v any) excelize.Cell {
	switch v := v.(type) {
	case string:
		return excelize.Cell{StyleID: b.text, Value: clipped(v)}
	case money.Cents:
		if v >= maxExact || v <= -maxExact {
			return excelize.Cell{StyleID: b.text, Value: decimal(v)}
		}
		return excelize.Cell{StyleID: b.cents, Value: float64(v) / 100} // the nearest double to the decimal, which is what a spreadsheet reads
	case time.Time:
		if v.IsZero() {
			return excelize.Cell{}
		}
		p := v.In(games.Paris)
		return excelize.Cell{StyleID: b.instant, Value: time.Date(p.Year(), p.Month(), p.Day(), p.Hour(), p.Minute(), p.Second(), 0, time.UTC)}
	case int64:
		if v >= maxExact || v <= -maxExact {
			return excelize.Cell{StyleID: b.text, Value: fmt.Sprint(v)}
		}
	}
	return excelize.Cell{Value: v}
}

// about adds the sheet that says what the rows are.
func (b *book) about(sheet, lang string, t *Table) error {
	if _, err := b.file.NewSheet(sheet); err != nil {
		return err
	}
	out, err := b.file.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	if err := errors.Join(out.SetColWidth(1, 1, 28), out.SetColWidth(2, 2, 80)); err != nil {
		return err
	}
	lines := append([]Pair{{Words{"Contenu", "Content"}, t.Title}}, t.about()...)
	for i, p := range lines {
		row := []any{excelize.Cell{StyleID: b.bold, Value: p.Name.In(lang)}, excelize.Cell{StyleID: b.text, Value: clipped(p.Value.In(lang))}}
		if err := out.SetRow(fmt.Sprintf("A%d", i+1), row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// about lists the lines about the table, when it was read among them.
func (t *Table) about() []Pair {
	read := t.Read.In(games.Paris).Format("2006-01-02 15:04:05")
	return append(append([]Pair{}, t.About...), Pair{Words{"Lu le", "Read at"}, Words{read + ", heure de Paris", read + ", Paris time"}})
}

func width(c Column, lang string) float64 {
	least := map[Kind]int{Text: 18, Count: 10, Money: 16, Instant: 20}[c.Kind]
	return float64(max(least, min(28, utf8.RuneCountInString(c.Title.In(lang))+2)))
}

// sheetName is a title as the name of a sheet: at most 31 characters, none of those that are not allowed.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) {
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 31 {
		s = string(r[:31])
	}
	return strings.TrimSpace(s)
}

// clipped is a text that a cell holds: at most 32 767 characters, without those that XML has not.
func clipped(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r != 0xfffe && r != 0xffff {
			return r
		}
		return utf8.RuneError
	}, s)
	if r := []rune(s); len(r) > maxCell {
		s = string(r[:maxCell-1]) + "…"
	}
	return s
}
