package main

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/pack"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// previewReport is what `tirage pack preview` prints. Amounts in cents are whole numbers; what ends in Euros is an exact fraction
// written as text.
type previewReport struct {
	Version         string          `json:"version"`
	Title           string          `json:"title"`
	Multiples       []multipleShown `json:"multiples"`
	Simples         int             `json:"simples"`
	Combinations    int64           `json:"combinations"`
	Codes           int64           `json:"codes"`
	EuroCodes       int64           `json:"euro_codes"`
	Shares          int64           `json:"shares"`
	Formulas        []int64         `json:"formulas"` // numbers of shares sold at once
	PriceCents      money.Cents     `json:"price_cents"`
	SharePriceCents money.Cents     `json:"share_price_cents"`
	GainsFrom       string          `json:"gains_from"`
	Rows            []previewRow    `json:"rows"`
	Expected        packExpected    `json:"expected"`
	Notes           []string        `json:"notes,omitempty"`

	preview pack.Preview
}

type multipleShown struct {
	Format string `json:"format"`
	Count  int    `json:"count"`
}

// previewRow is one winning combination or code, all shares sold.
type previewRow struct {
	Prize         string      `json:"prize"` // "rank 8", "code", "euro code"
	Hits          []string    `json:"hits,omitempty"`
	Odds          *chance     `json:"odds,omitempty"` // of one combination, of one code
	GainCents     money.Cents `json:"gain_cents"`
	ShareCents    money.Cents `json:"share_cents"`
	PaidCents     money.Cents `json:"paid_cents"`
	RoundingCents money.Cents `json:"rounding_cents"` // gain − paid
}

// packExpected holds the averages of one pack. A part is absent where nothing is claimed.
type packExpected struct {
	Fixed     *expectedSplit `json:"fixed_ranks,omitempty"` // ranks below 1
	Rank1     *expectedSplit `json:"rank_1,omitempty"`
	Codes     *expectedSplit `json:"codes,omitempty"`
	EuroCodes *expectedSplit `json:"euro_codes,omitempty"`
}

// expectedSplit is what a pack wins on average, what its shares are paid, and the difference, exact.
type expectedSplit struct {
	Gain     string `json:"gain_euros"`
	Paid     string `json:"paid_euros"`
	Rounding string `json:"rounding_euros"`    // gain − paid
	OfPrice  string `json:"rounding_of_price"` // rounding / price of the pack
	e        pack.Expectation
}

func newPreviewReport(book *rulebook.Rulebook, p pack.Preview, from string) *previewReport {
	t := p.Type
	v := &previewReport{
		Version: book.Header.Version(), Title: book.Header.Title, Multiples: []multipleShown{}, Simples: t.Composition.Simples,
		Combinations: t.Combinations, Codes: t.Codes, Shares: t.Shares, PriceCents: t.Price, SharePriceCents: t.SharePrice,
		GainsFrom: from, Rows: []previewRow{}, preview: p,
	}
	for _, m := range t.Composition.Multiples {
		v.Multiples = append(v.Multiples, multipleShown{m.Format.String(), m.Count})
	}
	v.Formulas = slices.DeleteFunc(slices.Clone(book.Pack.Formulas), func(n int64) bool { return n > t.Shares })
	for _, r := range p.Rows {
		v.Rows = append(v.Rows, newPreviewRow(r))
		if r.Source == pack.EuroCode {
			v.EuroCodes = t.Codes
		}
	}
	v.Expected = packExpected{v.split(pack.Lower), v.split(pack.Top), v.split(pack.Code.Of), v.split(pack.EuroCode.Of)}
	return v
}

func newPreviewRow(r pack.Row) previewRow {
	row := previewRow{
		Prize: r.Source.String(), Hits: hitTexts(r.Hits), GainCents: r.Gain, ShareCents: r.Part, PaidCents: r.Paid, RoundingCents: r.Rounding,
	}
	if r.Source == pack.Rank {
		row.Prize = fmt.Sprintf("rank %d", r.Rank)
	}
	if r.Claimed() {
		c := newChance(r.Chance)
		row.Odds = &c
	}
	return row
}

// split returns the averages over the rows that keep selects, nil when none of them has a chance.
func (v *previewReport) split(keep func(pack.Row) bool) *expectedSplit {
	if !slices.ContainsFunc(v.preview.Rows, func(r pack.Row) bool { return keep(r) && r.Claimed() }) {
		return nil
	}
	e := v.preview.Expected(keep)
	return &expectedSplit{
		Gain: inEuros(e.Gain).RatString(), Paid: inEuros(e.Paid).RatString(), Rounding: inEuros(e.Rounding).RatString(),
		OfPrice: new(big.Rat).Quo(e.Rounding, v.PriceCents.Rat()).RatString(), e: e,
	}
}

// addNotes says what is counted, what is not, and which gains are too small for the shares.
func (v *previewReport) addNotes(book *rulebook.Rulebook) {
	has := func(keep func(pack.Row) bool) bool { return slices.ContainsFunc(v.preview.Rows, keep) }
	fixed := v.Expected.Fixed != nil
	if fixed && book.Prizes.Model == prize.Spread {
		v.note("the ranks below 1 are counted at their base gains: what an unwon jackpot adds to them is not counted")
	}
	switch {
	case v.Expected.Rank1 != nil:
		v.note("rank 1: the jackpot is taken to have one winner")
	case fixed:
		v.note("rank 1 is not counted: give --jackpot EUROS")
	default:
		v.note("these gains depend on the winners of the draw: no average is claimed at the ranks, and winners in the pack would have lowered them")
	}
	for _, r := range book.Prizes.Ranks {
		if !has(func(row pack.Row) bool { return row.Source == pack.Rank && row.Rank == r.Number }) && (r.Number > 1 || !fixed) {
			v.note("rank %d: no winner, so no gain to split", r.Number)
		}
	}
	if v.Expected.Codes == nil && has(pack.Code.Of) {
		v.note("the code is not counted: give --issued-codes N")
	}
	if v.Expected.EuroCodes == nil && has(pack.EuroCode.Of) {
		v.note("the code Euro Millions is not counted: give --issued-euro-codes N, all countries")
	}
	for _, r := range v.Rows {
		if r.ShareCents == 0 {
			v.note("%s: %s over %d shares is less than half a cent each, nothing is paid", r.Prize, euros(r.GainCents), v.Shares)
		}
	}
}

func (v *previewReport) note(format string, args ...any) {
	v.Notes = append(v.Notes, fmt.Sprintf(format, args...))
}

// print writes the preview as text.
func (v *previewReport) print(w io.Writer) {
	t := v.preview.Type
	fmt.Fprintf(w, "pack of %s (%s): %v\n", v.Title, v.Version, t.Composition)
	fmt.Fprintf(w, "%s, %s, %s", count(v.Combinations, "simple combination"), count(int64(t.Composition.MultipleCount()), "multiple"), count(v.Codes, "code"))
	if v.EuroCodes > 0 {
		fmt.Fprintf(w, ", %d codes Euro Millions (free)", v.EuroCodes)
	}
	fmt.Fprintf(w, "; price %s\n", euros(v.PriceCents))
	fmt.Fprintf(w, "%s, share price %s, sold by %s shares\n", count(v.Shares, "share"), euros(v.SharePriceCents), join(v.Formulas))
	fmt.Fprintf(w, "gains of %s\n\n", v.GainsFrom)

	rows := &table{align: "lllrrrr"}
	rows.add("", "hits", "one wins", "gain", "one share", "all shares", "gain − paid")
	for _, r := range v.Rows {
		oneWins := ""
		if r.Odds != nil {
			oneWins = r.Odds.French
		}
		rows.add(r.Prize, strings.Join(r.Hits, " or "), oneWins, r.GainCents.String(), r.ShareCents.String(), r.PaidCents.String(), minus(r.RoundingCents.String()))
	}
	rows.print(w, "")
	v.printExpected(w)
	for _, note := range v.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
}

func (v *previewReport) printExpected(w io.Writer) {
	if v.Expected == (packExpected{}) {
		fmt.Fprintln(w)
		return
	}
	t := &table{align: "lrrrrl"}
	t.add("expected for one pack, all shares sold", "gain", "paid", "gain − paid", "of the price", "gain − paid, exactly")
	for _, part := range []struct {
		name  string
		split *expectedSplit
	}{
		{"fixed ranks", v.Expected.Fixed}, {"rank 1", v.Expected.Rank1}, {"codes", v.Expected.Codes}, {"codes Euro Millions", v.Expected.EuroCodes},
	} {
		if s := part.split; s != nil {
			t.add("  "+part.name, odds.EnglishNumber(inEuros(s.e.Gain), 3), odds.EnglishNumber(inEuros(s.e.Paid), 3), odds.EnglishNumber(inEuros(s.e.Rounding), 3),
				odds.Percent(new(big.Rat).Quo(s.e.Rounding, v.PriceCents.Rat()), 2), minus(s.Rounding)+" €")
		}
	}
	fmt.Fprintln(w)
	t.print(w, "")
	fmt.Fprintln(w)
}

// minus prints the sign of an amount as pages do.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// count writes a number of things.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func join(ns []int64) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ", ")
}
