package exports

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tirage/rules/money"
)

// Defused returns a text that no spreadsheet takes for a formula: one that begins, after spaces and other marks that are not seen, with = + - @ or their wide
// forms, or with a tab or a line's end, gets an apostrophe before it. Other texts stay as they are.
func Defused(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	seen := strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	if first, _ := utf8.DecodeRuneInString(seen); strings.ContainsRune("=+-@＝＋－＠−", first) {
		return "'" + s
	}
	return s
}

// writeCSV writes names, then rows. Texts are defused; numbers are numbers.
func writeCSV(w io.Writer, t *Table) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if line[i] = c.Name; c.Kind == Money {
			line[i] += "_eur"
		}
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		for i, cell := range row {
			switch v := cell.(type) {
			case string:
				line[i] = Defused(v)
			case int64:
				line[i] = strconv.FormatInt(v, 10)
			case money.Cents:
				line[i] = decimal(v)
			case time.Time:
				line[i] = hour(v)
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// writeJSON writes one object: title and about in both languages, columns, rows as objects, their number and the totals.
func writeJSON(w io.Writer, t *Table) error {
	type text struct {
		FR string `json:"fr"`
		EN string `json:"en"`
	}
	head := struct {
		Name  string            `json:"name"`
		Title text              `json:"title"`
		About []map[string]text `json:"about"`
		Read  string            `json:"read_at"`
	}{Name: t.Name, Title: text(t.Title), Read: hour(t.Read), About: []map[string]text{}}
	for _, p := range t.About {
		head.About = append(head.About, map[string]text{"name": text(p.Name), "value": text(p.Value)})
	}
	b, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(b[:len(b)-1], `,"rows":[`...)); err != nil {
		return err
	}
	sums := newTotals(t)
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		line := "\n"
		if sums.rows > 0 {
			line = ",\n"
		}
		sums.add(row)
		o, err := object(t.Columns, row)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, line+o); err != nil {
			return err
		}
	}
	all := "{}"
	if row := sums.row(""); row != nil {
		if all, err = object(t.Columns, row); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n],\"count\":"+strconv.Itoa(sums.rows)+",\"totals\":"+all+"}\n")
	return err
}

// object writes a row as an object whose members stand in the order of the columns; empty cells and words of a row of totals are left out.
func object(columns []Column, row []any) (string, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, c := range columns {
		name := c.Name
		if c.Kind == Money {
			name += "_cents"
		}
		cell := row[i]
		switch v := cell.(type) {
		case nil:
			continue
		case string:
			if v == "" {
				continue
			}
		case time.Time:
			if v.IsZero() {
				continue
			}
			cell = hour(v)
		case money.Cents:
			cell = int64(v)
		}
		value, err := json.Marshal(cell)
		if err != nil {
			return "", err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":" + string(value))
	}
	b.WriteByte('}')
	return b.String(), nil
}
