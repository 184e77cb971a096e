// Package archive reads the operator's published results: one CSV file per game and period, one row per draw.
//
// The format, as found in the files: Latin-1 or UTF-8, cells separated by ';', rows that end with ';' under a header that
// may not, no quotes. Columns are found by the names of the header, in any order; the game is told by the header
// (`etoile_1`: Euro Millions, `numero_chance`: the Loto family) and, within the Loto family, by the content: 10 drawn
// codes a draw are Loto, 50 Super Loto, 100 Grand Loto de Noël. The name of the file is a hint, used only where the content
// is silent.
//
//	annee_numero_de_tirage;jour_de_tirage;date_de_tirage;…;boule_1;…;nombre_de_gagnant_au_rang1;rapport_du_rang1;…
//	2019024;LUNDI   ;25/02/2019;27/04/2019;7;44;37;48;38;7;7-37-38-44-48+7;0;4000000;0;100000;48;1000;…
//
// What changes from file to file and is read all the same: amounts `26429`, `29272,9`, `13000000,00`; dates dd/mm/yyyy,
// dd/mm/yy, yyyymmdd; weekdays padded or cut to two letters; the words « Super Jackpot et tirages suivants » in the numeric
// column of the cycle; several codes in one cell, or only the commas between them; newest or oldest draw first.
// Identifiers change shape over the years (2019024, 20199001, 24001): a draw is known by its game and its date ([Key]).
//
// Invariant: what is read is kept. A [Draw] holds each cell as it stood beside what was understood of it, and a [File]
// the shape of its text, so that the very bytes can be written again.
//
// Source: the files themselves; the regulation says nothing of their form.
package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/rules/combin"
	"tirage/rules/money"
)

// Games of the archives, as the rulebooks name them.
const (
	Loto         = "loto"
	SuperLoto    = "superloto"
	GrandLoto    = "grandloto"
	EuroMillions = "euromillions"
)

// File is one archive.
type File struct {
	Name   string // as given to [Read]
	Game   string
	Header []string // names of the columns, as they stand
	Text   Text
	Draws  []Draw // in the order of the file
}

// Text is the shape of a file's text: what its bytes say beyond its cells.
type Text struct {
	UTF8           bool // Latin-1 otherwise
	BOM            bool
	CRLF           bool
	HeaderEndsOpen bool // no ';' after the last name
	LastLineOpen   bool // no end of line after the last row
}

// Key names a draw. Identifiers change shape over the years; a game draws at most once a day.
type Key struct{ Game, Date string }

func (k Key) String() string { return k.Game + " " + k.Date }

// Draw is one row.
type Draw struct {
	Game     string
	Line     int    // of the file; the header is line 1
	ID       string // as printed; no key
	Weekday  time.Weekday
	Date     string // YYYY-MM-DD
	Deadline string // last day to claim, plus one (date de forclusion), YYYY-MM-DD; "" where none is printed

	Balls  []int              // main numbers, in the order in which they were drawn
	Extras []int              // Chance number or stars, in the same order
	Grid   combin.Combination // both, as a set

	Cycle Cycle
	Ranks []Rank // rank 1 first

	Codes     Codes   // Loto codes, or My Million codes
	EuroCodes Codes   // codes Euro Millions of an exceptional draw
	Side      []Rank  // Étoile+; empty where the row has none
	Second    *Second // nil where the file has none
	Joker     string  // Joker+ number as printed: "5 031 606"
	Currency  string  // "eur"

	Cells       []string // as they stand, one for each name of the header
	RowEndsOpen bool     // no ';' after the last cell
}

// Rank is what is printed of one rank.
type Rank struct {
	Number  int
	Winners int64       // of all countries
	France  int64       // of France alone; equal to Winners where the file has one count; [NotPrinted]: the cell stays empty
	Gain    money.Cents // per winning simple combination (rapport)
}

// NotPrinted is a count that is written as an empty cell: nobody here knows it.
const NotPrinted = -1

// Codes are the codes drawn.
type Codes struct {
	Count  int64       // as printed; the length of List where the file prints no count
	Gain   money.Cents // each; 0 where the file prints none
	List   []string    // as printed, without the spaces around them; empty where only commas stand
	Listed bool        // the file has a column of codes
}

// Cycle is the cell « numéro de tirage dans le cycle ».
type Cycle struct {
	Position int    // 0: none printed
	Super    bool   // « Super Jackpot et tirages suivants »
	Text     string // as printed
}

// Second is the second draw (second tirage) held with a Loto draw from 4 November 2019 on. No rule of it is known here:
// it is kept, not checked.
type Second struct {
	Balls     []int
	Promotion string
	Grid      string // ascending, as printed
	Ranks     []Rank
}

// Key returns the name of the draw.
func (d *Draw) Key() Key { return Key{d.Game, d.Date} }

// Counted reports whether the row gives winners at all: where a file has counts of Europe, a draw whose European counts are
// all zero (31 January 2020) gives none.
func (d *Draw) Counted() bool {
	return slices.ContainsFunc(d.Ranks, func(r Rank) bool { return r.Winners != 0 })
}

// ByDate returns the draws, oldest first, whatever the order of the file.
func (f *File) ByDate() []*Draw {
	ds := make([]*Draw, len(f.Draws))
	for i := range f.Draws {
		ds[i] = &f.Draws[i]
	}
	slices.SortStableFunc(ds, func(a, b *Draw) int { return strings.Compare(a.Date, b.Date) })
	return ds
}

// Error is what is wrong in a file and where.
type Error struct {
	File     string
	Line     int    // 0: the file as a whole
	Column   string // name in the header; "" the row as a whole
	Found    string
	Accepted string
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
	}
	if e.Column != "" {
		at += fmt.Sprintf(": column %.80s", e.Column)
	}
	return fmt.Sprintf("%s: found %s, accepted %s", at, e.Found, e.Accepted)
}
