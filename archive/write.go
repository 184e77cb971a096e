package archive

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/rules/money"
)

// Write writes draws of one game as the operator publishes them, in the order given (the published files have the newest first). The form is that of the
// last day among them. It is the inverse of [Read]: every row of the published files is written again byte for byte from what was read of it.
//
// What the reader keeps and a row does not need, such as [Draw.Cells], is not looked at. The columns of a second draw stay empty where there is none.
func Write(draws []*Draw) ([]byte, error) {
	if len(draws) == 0 {
		return nil, fmt.Errorf("no draw: accepted one or more of a game")
	}
	last := slices.MaxFunc(draws, func(a, b *Draw) int { return strings.Compare(a.Date, b.Date) })
	f := formOf(last.Game, last.Date)
	var b bytes.Buffer
	for i, c := range f.columns {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(c.name)
	}
	if !f.headerOpen {
		b.WriteByte(';')
	}
	b.WriteByte('\n')
	for _, d := range draws {
		if d.Game != last.Game {
			return nil, fmt.Errorf("a draw of %s among those of %s: accepted one game a file", d.Game, last.Game)
		}
		if err := f.row(&b, d); err != nil {
			return nil, err
		}
	}
	return f.encode(b.String()), nil
}

// Row writes the row of one draw with its end of line, in the form of its day.
func Row(d *Draw) ([]byte, error) {
	f := formOf(d.Game, d.Date)
	var b bytes.Buffer
	if err := f.row(&b, d); err != nil {
		return nil, err
	}
	return f.encode(b.String()), nil
}

// form is the shape of the archives of one game and period.
type form struct {
	columns    []column
	headerOpen bool // no ';' after the last name
	latin1     bool
	ranks      int
	side       int
	extras     int
}

// column is one column: its name and what a row has in it.
type column struct {
	name string
	cell func(*Draw) string
}

// Days from which the files have another form.
const (
	secondDrawFrom = "2019-11-04" // Loto with its second draw; identifiers of eight digits
	euroFormFrom   = "2020-02-04" // Euro Millions: UTF-8, identifiers of eight digits
)

// formOf returns the form of the files of a game on a day. What those of Super Loto and Grand Loto look like from November 2019 on is not at hand: they
// keep theirs (assumed).
func formOf(game, day string) form {
	switch {
	case game == EuroMillions:
		return euroForm(day >= euroFormFrom)
	case game == Loto && day >= secondDrawFrom:
		return lotoForm(true)
	}
	return lotoForm(false)
}

func lotoForm(second bool) form {
	f := form{ranks: 9, extras: 1}
	f.common()
	f.add("numero_chance", func(d *Draw) string { return strconv.Itoa(d.Extras[0]) })
	f.add("combinaison_gagnante_en_ordre_croissant", func(d *Draw) string { return dashed(d.Grid.Main()) + "+" + dashed(d.Grid.Extra()) })
	for i := range f.ranks {
		f.rank(fmt.Sprintf("nombre_de_gagnant_au_rang%d", i+1), fmt.Sprintf("rapport_du_rang%d", i+1), func(d *Draw) *Rank { return &d.Ranks[i] })
	}
	f.add("nombre_de_codes_gagnants", func(d *Draw) string { return count(d.Codes.Count) })
	f.add("rapport_codes_gagnants", func(d *Draw) string { return gain(d.Codes.Gain) })
	f.add("codes_gagnants", func(d *Draw) string { return codeList(d.Codes) })
	if second {
		f.second()
	}
	f.add("numero_jokerplus", func(d *Draw) string { return d.Joker })
	f.add("devise", func(d *Draw) string { return d.Currency })
	return f
}

func euroForm(utf8 bool) form {
	f := form{ranks: 13, side: 10, extras: 2, headerOpen: !utf8, latin1: !utf8}
	f.common()
	cycle := column{"numéro_de_tirage_dans_le_cycle", func(d *Draw) string { return d.Cycle.Text }}
	f.columns = slices.Insert(f.columns, 3, cycle)
	for i := range f.extras {
		f.add(fmt.Sprintf("etoile_%d", i+1), func(d *Draw) string { return strconv.Itoa(d.Extras[i]) })
	}
	f.add("boules_gagnantes_en_ordre_croissant", func(d *Draw) string { return "-" + dashed(d.Grid.Main()) + "-" })
	f.add("etoiles_gagnantes_en_ordre_croissant", func(d *Draw) string { return "-" + dashed(d.Grid.Extra()) + "-" })
	for i := range f.ranks {
		f.add(fmt.Sprintf("nombre_de_gagnant_au_rang%d_Euro_Millions_en_france", i+1), func(d *Draw) string { return count(d.Ranks[i].France) })
		f.rank(fmt.Sprintf("nombre_de_gagnant_au_rang%d_Euro_Millions_en_europe", i+1), fmt.Sprintf("rapport_du_rang%d_Euro_Millions", i+1), func(d *Draw) *Rank { return &d.Ranks[i] })
	}
	for i := range f.side {
		f.rank(fmt.Sprintf("nombre_de_gagnant_au_rang%d_Etoile+", i+1), fmt.Sprintf("rapport_du_rang%d_Etoile+", i+1), func(d *Draw) *Rank {
			if i < len(d.Side) {
				return &d.Side[i]
			}
			return nil
		})
	}
	f.add("numero_My_Million", func(d *Draw) string { return codeList(d.Codes) })
	exceptional := "numero_Tirage_Exceptionnel_Euro_Millions"
	if utf8 {
		exceptional = "numero_Tirage_Exceptionnel_Euro_Million"
	}
	f.add(exceptional, func(d *Draw) string { return codeList(d.EuroCodes) })
	return f
}

func (f *form) add(name string, cell func(*Draw) string) {
	f.columns = append(f.columns, column{name, cell})
}

// common adds the columns that every file begins with. A weekday is padded to the eight letters of MERCREDI and VENDREDI.
func (f *form) common() {
	f.add("annee_numero_de_tirage", func(d *Draw) string { return d.ID })
	f.add("jour_de_tirage", func(d *Draw) string { return fmt.Sprintf("%-8s", weekdays[d.Weekday]) })
	f.add("date_de_tirage", func(d *Draw) string { return dated(d.Date) })
	f.add("date_de_forclusion", func(d *Draw) string { return dated(d.Deadline) })
	for i := range 5 {
		f.add(fmt.Sprintf("boule_%d", i+1), func(d *Draw) string { return strconv.Itoa(d.Balls[i]) })
	}
}

// rank adds the two columns of a rank; both are empty where a row has no such rank.
func (f *form) rank(winners, cents string, of func(*Draw) *Rank) {
	f.add(winners, func(d *Draw) string {
		if r := of(d); r != nil {
			return count(r.Winners)
		}
		return ""
	})
	f.add(cents, func(d *Draw) string {
		if r := of(d); r != nil {
			return gain(r.Gain)
		}
		return ""
	})
}

// second adds the columns of the second draw (second tirage).
func (f *form) second() {
	of := func(cell func(*Second) string) func(*Draw) string {
		return func(d *Draw) string {
			if d.Second == nil {
				return ""
			}
			return cell(d.Second)
		}
	}
	for i := range 5 {
		f.add(fmt.Sprintf("boule_%d_second_tirage", i+1), of(func(s *Second) string { return strconv.Itoa(s.Balls[i]) }))
	}
	f.add("promotion_second_tirage", of(func(s *Second) string { return s.Promotion }))
	f.add("combinaison_gagnant_second_tirage_en_ordre_croissant", of(func(s *Second) string { return s.Grid }))
	for i := range 4 {
		rank := func(d *Draw) *Rank {
			if d.Second == nil || i >= len(d.Second.Ranks) {
				return nil
			}
			return &d.Second.Ranks[i]
		}
		f.rank(fmt.Sprintf("nombre_de_gagnant_au_rang_%d_second_tirage", i+1), fmt.Sprintf("rapport_du_rang%d_second_tirage", i+1), rank)
	}
}

// row writes one draw, once it has all that the form prints.
func (f *form) row(b *bytes.Buffer, d *Draw) error {
	_, badDate := time.Parse(dayForm, d.Date)
	_, badDeadline := time.Parse(dayForm, d.Deadline)
	if badDate != nil || badDeadline != nil || len(d.Balls) != 5 || len(d.Extras) != f.extras || len(d.Ranks) != f.ranks {
		return fmt.Errorf("draw %.40q of %.20s: drawn on %.20q, payable until %.20q, %d + %d numbers, %d ranks; accepted days as YYYY-MM-DD, 5 + %d and %d",
			d.ID, d.Game, d.Date, d.Deadline, len(d.Balls), len(d.Extras), len(d.Ranks), f.extras, f.ranks)
	}
	for _, c := range f.columns {
		cell := c.cell(d)
		if strings.ContainsAny(cell, ";\r\n") {
			return fmt.Errorf("draw %.40q, column %s: %.60q holds a separator", d.ID, c.name, cell)
		}
		b.WriteString(cell)
		b.WriteByte(';')
	}
	b.WriteByte('\n')
	return nil
}

// encode returns the bytes of a text in the form's encoding. What Latin-1 has not is written as a question mark; no name or cell of a draw holds such.
func (f *form) encode(text string) []byte {
	if !f.latin1 {
		return []byte(text)
	}
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// dated prints YYYY-MM-DD as dd/mm/yyyy.
func dated(day string) string { return day[8:] + "/" + day[5:7] + "/" + day[:4] }

func dashed(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, "-")
}

func count(n int64) string {
	if n == NotPrinted {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// gain prints euros with a decimal comma and no zero that says nothing: 2,2 for 2.20 €, 10540,5, 100000.
func gain(c money.Cents) string {
	euros := fmt.Sprintf("%d,%02d", c/money.Euro, c%money.Euro)
	return strings.TrimSuffix(strings.TrimRight(euros, "0"), ",")
}

// codeList prints codes separated by commas; of codes that were counted and are not listed, the commas alone.
func codeList(c Codes) string {
	if len(c.List) == 0 && c.Count > 1 {
		return strings.Repeat(",", int(min(c.Count, codesMax))-1)
	}
	return strings.Join(c.List, ",")
}

// ID prints the identifier of draw n of a year as the files of its day do: 2019024, and, where they have eight digits, the last digit of the year between
// (20199001, 20211156). It is no key.
func ID(game, day string, n int) string {
	if game == EuroMillions && day >= euroFormFrom || game == Loto && day >= secondDrawFrom {
		return fmt.Sprintf("%.4s%.1s%03d", day, day[3:], n)
	}
	return fmt.Sprintf("%.4s%03d", day, n)
}
