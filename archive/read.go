package archive

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"tirage/rules/combin"
)

// Limits of a file. The operator's largest holds some two thousand draws in two megabytes.
const (
	bytesMax   = 64 << 20
	columnsMax = 400
)

// Open reads the archive at path.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads an archive. The name stands in errors and is the hint for the game. An error of the content is an [*Error].
func Read(name string, src io.Reader) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(src, bytesMax+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > bytesMax {
		return nil, &Error{name, 0, "", "a larger file", fmt.Sprintf("at most %d bytes", bytesMax)}
	}
	r := &reader{file: &File{Name: name}}
	text := r.decode(data)
	if err := r.read(text); err != nil {
		return nil, err
	}
	return r.file, nil
}

// reader fills a File.
type reader struct {
	file   *File
	layout *layout
}

// decode turns the bytes into text. Bytes that are no UTF-8 are Latin-1, where each is the character of its number.
func (r *reader) decode(data []byte) string {
	t := &r.file.Text
	data, t.BOM = bytes.CutPrefix(data, []byte("\ufeff"))
	t.CRLF = bytes.Contains(data, []byte("\r\n"))
	t.UTF8 = utf8.Valid(data)
	if t.UTF8 {
		return string(data)
	}
	runes := make([]rune, len(data))
	for i, b := range data {
		runes[i] = rune(b)
	}
	return string(runes)
}

func (r *reader) read(text string) error {
	text, closed := strings.CutSuffix(text, "\n")
	r.file.Text.LastLineOpen = !closed
	lines := strings.Split(text, "\n")
	if err := r.header(strings.TrimSuffix(lines[0], "\r")); err != nil {
		return err
	}
	seen := make(map[string]int)
	for i, line := range lines[1:] {
		line = strings.TrimSuffix(line, "\r")
		if strings.Trim(line, "; \t") == "" {
			continue // a blank line, or a row of nothing but separators
		}
		d, err := r.row(i+2, line)
		if err != nil {
			return err
		}
		if first, twice := seen[d.Date]; twice {
			return r.fail(d.Line, r.layout.date, "a second draw of "+d.Date, fmt.Sprintf("one draw a day; the first is on line %d", first))
		}
		seen[d.Date] = d.Line
		r.file.Draws = append(r.file.Draws, *d)
	}
	if len(r.file.Draws) == 0 {
		return &Error{r.file.Name, 0, "", "no draw", "a header and one row or more"}
	}
	return r.name()
}

func (r *reader) header(line string) error {
	names, open := cells(line)
	if len(names) > columnsMax {
		return &Error{r.file.Name, 1, "", fmt.Sprintf("%d columns", len(names)), fmt.Sprintf("at most %d", columnsMax)}
	}
	l, err := newLayout(names)
	if err != nil {
		return &Error{r.file.Name, 1, "", fmt.Sprintf("the header %.60q", line), err.Error()}
	}
	r.layout = l
	r.file.Header, r.file.Text.HeaderEndsOpen = names, open
	return nil
}

// cells splits a line. The ';' after the last cell belongs to the row, not to a cell of its own.
func cells(line string) (cs []string, open bool) {
	cs = strings.Split(line, ";")
	if n := len(cs) - 1; n > 0 && cs[n] == "" {
		return cs[:n], false
	}
	return cs, true
}

// fail says what is wrong at a line and column (an index of the header, −1 the row as a whole).
func (r *reader) fail(line, column int, found, accepted string) error {
	e := &Error{File: r.file.Name, Line: line, Found: found, Accepted: accepted}
	if column >= 0 {
		e.Column = r.layout.names[column]
	}
	return e
}

// row reads one draw.
func (r *reader) row(line int, text string) (*Draw, error) {
	cs, open := cells(text)
	names := len(r.layout.names)
	if len(cs) == names-1 && !open {
		cs, open = append(cs, ""), true // the last cell is empty and no ';' follows it
	}
	if len(cs) != names {
		return nil, r.fail(line, -1, fmt.Sprintf("%d cells", len(cs)), fmt.Sprintf("%d, as in the header, with or without a last ';'", names))
	}
	w := &row{reader: r, draw: &Draw{Line: line, Cells: cs, RowEndsOpen: open}}
	w.when()
	w.numbers()
	w.draw.Ranks = w.ranks(r.layout.ranks)
	w.draw.Side = w.optionalRanks(r.layout.side)
	w.draw.Codes = w.codes(r.layout.codes)
	w.draw.EuroCodes = w.codes(r.layout.euroCodes)
	w.second()
	w.draw.Joker = strings.TrimSpace(w.cell(r.layout.joker))
	w.draw.Currency = strings.TrimSpace(w.cell(r.layout.currency))
	return w.draw, w.err
}

// row reads the cells of one draw; the first error stands, and what follows it reads nothing.
type row struct {
	*reader
	draw *Draw
	err  error
}

// cell returns the text of a column, "" for −1.
func (w *row) cell(column int) string {
	if column < 0 {
		return ""
	}
	return w.draw.Cells[column]
}

// read parses one cell.
func read[T any](w *row, column int, parse func(string) (T, error)) T {
	var zero T
	if w.err != nil {
		return zero
	}
	v, err := parse(w.cell(column))
	if err != nil {
		w.err = w.fail(w.draw.Line, column, fmt.Sprintf("%.60q", w.cell(column)), err.Error())
		return zero
	}
	return v
}

func (w *row) when() {
	l, d := w.layout, w.draw
	d.ID = strings.TrimSpace(w.cell(l.id))
	day := read(w, l.date, parseDate)
	d.Date = day.Format(dayForm)
	d.Weekday = read(w, l.weekday, parseWeekday)
	if w.err == nil && d.Weekday != day.Weekday() {
		w.err = w.fail(d.Line, l.weekday, fmt.Sprintf("%.60q", w.cell(l.weekday)), fmt.Sprintf("%s, the weekday of %s", weekdays[day.Weekday()], d.Date))
	}
	if strings.TrimSpace(w.cell(l.deadline)) != "" {
		d.Deadline = read(w, l.deadline, parseDate).Format(dayForm)
	}
	d.Cycle = read(w, l.cycle, parseCycle)
}

func (w *row) numbers() {
	l, d := w.layout, w.draw
	d.Balls = w.balls(l.balls, l.family.MainOf)
	d.Extras = w.balls(l.extras, l.family.ExtraOf)
	if w.err != nil {
		return
	}
	grid, err := combin.Of(d.Balls, d.Extras)
	if err != nil {
		w.err = w.fail(d.Line, l.balls[0], err.Error(), "different numbers")
		return
	}
	d.Grid = grid
	want := [][]int{append(grid.Main(), grid.Extra()...)}
	if len(l.grids) == 2 {
		want = [][]int{grid.Main(), grid.Extra()}
	}
	for i, column := range l.grids {
		if got, ok := numbersOf(w.cell(column)); column >= 0 && (!ok || !slices.Equal(got, want[i])) {
			w.err = w.fail(d.Line, column, fmt.Sprintf("%.60q", w.cell(column)), fmt.Sprintf("the numbers drawn, ascending: %v", want[i]))
			return
		}
	}
}

func (w *row) balls(columns []int, of int) []int {
	ns := make([]int, len(columns))
	for i, column := range columns {
		ns[i] = read(w, column, func(s string) (int, error) { return parseBall(s, of) })
	}
	return ns
}

func (w *row) ranks(columns []rankColumns) []Rank {
	rs := make([]Rank, len(columns))
	for i, c := range columns {
		n := read(w, c.winners, parseCount)
		rs[i] = Rank{Number: i + 1, Winners: n, France: n, Gain: read(w, c.gain, parseGain)}
		if c.france >= 0 && strings.TrimSpace(w.cell(c.france)) != "" {
			rs[i].France = read(w, c.france, parseCount)
		}
	}
	return rs
}

// optionalRanks reads ranks that a row may leave out: all of its cells are empty then.
func (w *row) optionalRanks(columns []rankColumns) []Rank {
	for _, c := range columns {
		if strings.TrimSpace(w.cell(c.winners)+w.cell(c.gain)) != "" {
			return w.ranks(columns)
		}
	}
	return nil
}

func (w *row) codes(c codeColumns) Codes {
	codes := Codes{Listed: c.list >= 0, List: read(w, c.list, parseCodes)}
	codes.Count = int64(len(codes.List))
	if strings.TrimSpace(w.cell(c.count)) != "" {
		codes.Count = read(w, c.count, parseCount)
	}
	if strings.TrimSpace(w.cell(c.gain)) != "" {
		codes.Gain = read(w, c.gain, parseGain)
	}
	return codes
}

func (w *row) second() {
	c := w.layout.second
	if c == nil || strings.TrimSpace(w.cell(c.balls[0])) == "" {
		return
	}
	w.draw.Second = &Second{
		Balls:     w.balls(c.balls, w.layout.family.MainOf),
		Promotion: strings.TrimSpace(w.cell(c.promotion)),
		Grid:      strings.TrimSpace(w.cell(c.grid)),
		Ranks:     w.optionalRanks(c.ranks),
	}
}
