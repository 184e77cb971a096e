package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tirage/rules/money"
)

// table is text in columns. Each column is as wide as its longest cell, counted in characters, not bytes.
type table struct {
	align string // for each column, 'l' or 'r'
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the rows, each after the indent, columns two spaces apart. No row ends with a space.
func (t *table) print(w io.Writer, indent string) {
	widths := make([]int, len(t.align))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		line := indent
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.align[i] == 'r' {
				line += pad + cell + "  "
			} else {
				line += cell + pad + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// euros writes an amount for a report: "1320.00 €".
func euros(c money.Cents) string { return c.String() + " €" }

// printJSON writes v as the whole output of a command. Neither « nor & nor < is escaped.
func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
