package main

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// print writes the report as text.
func (r *oddsReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s (%s)\n", r.Title, r.Version)
	if r.Matrix != "" {
		fmt.Fprintf(w, "%s: %s simple combinations at %s\n", r.Matrix, odds.FrenchNumber(big.NewRat(r.Combinations, 1), 0), euros(r.PriceCents))
	}
	r.printRanks(w)
	for _, c := range r.Codes {
		c.print(w)
	}
	for _, d := range r.Digits {
		d.print(w)
	}
	if r.Ladder != nil {
		r.Ladder.print(w, r.PriceCents)
	}
	if len(r.Returns) > 0 {
		fmt.Fprintf(w, "\nexpected gain for a stake of %s\n", euros(r.PriceCents))
		t := &table{align: "lrrl"}
		for _, e := range r.Returns {
			t.add(e.cells()...)
		}
		t.print(w, "  ")
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	r.printAssumed(w)
}

func (r *oddsReport) printRanks(w io.Writer) {
	if len(r.Ranks) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := &table{align: "rlrrlrrll"}
	t.add("rank", "hits", "ways", "exact odds", "", "percent", "gain", "article", "confidence")
	for _, k := range r.Ranks {
		t.add(strconv.Itoa(k.Rank), strings.Join(k.Hits, " or "), odds.FrenchNumber(big.NewRat(k.Ways, 1), 0), k.Odds.Exact, k.Odds.French,
			k.Odds.Percent, k.Gain, articleText(k.Article), known(k.Confidence, k.Note))
	}
	t.print(w, "")
	fmt.Fprintf(w, "any gain: %s (exactly %s, %s)\n", r.AnyGain.French, r.AnyGain.Exact, r.AnyGain.Percent)
}

func articleText(article string) string {
	if article == "" {
		return "no article"
	}
	return article
}

// known says how well a value is known.
func known(c rulebook.Confidence, note string) string {
	if note == "" {
		return string(c)
	}
	return string(c) + ", " + note
}

func (c codeOdds) print(w io.Writer) {
	when := ""
	if c.Exceptional {
		when = " at an exceptional draw"
	}
	fmt.Fprintf(w, "\ncode %s: %s to %s, %s codes; %d drawn among those issued%s, %s each (%s, %s)\n", c.Series, c.First, c.Last,
		odds.FrenchNumber(big.NewRat(c.Possible, 1), 0), c.Drawn, when, euros(c.GainCents), articleText(c.Article), known(c.Confidence, c.Note))
	if c.Odds != nil {
		fmt.Fprintf(w, "  one code wins: %s (exactly %s, %s)\n", c.Odds.French, c.Odds.Exact, c.Odds.Percent)
	}
}

func (d digitsOdds) print(w io.Writer) {
	fmt.Fprintf(w, "\nstake %s%s\n", euros(d.StakeCents), mark(d.Confidence))
	t := &table{align: "rrlrrl"}
	t.add("digits right", "exact odds", "", "percent", "gain", "")
	for _, row := range d.Rows {
		t.add(strconv.Itoa(row.Right), row.Odds.Exact, row.Odds.French, row.Odds.Percent, euros(row.GainCents), string(d.Confidence))
	}
	t.print(w, "")
	t = &table{align: "lrrl"}
	t.add(d.Return.cells()...)
	t.print(w, "")
}

// mark says of a value that no source states it.
func mark(c rulebook.Confidence) string {
	if c == rulebook.Assumed {
		return " (assumed: a table of our own, no source states it)"
	}
	return ""
}

func (e expected) cells() []string {
	return []string{e.Counted, odds.Decimal(e.mean, 4) + " €", odds.Percent(e.ofPrice, 2), "exactly " + e.Euros + " €"}
}

func (r *oddsReport) printAssumed(w io.Writer) {
	if len(r.Assumed) == 0 {
		return
	}
	fmt.Fprintln(w, "\nassumed (no source states it)")
	t := &table{align: "lll"}
	for _, a := range r.Assumed {
		t.add(a.Path, a.Value, a.Note)
	}
	t.print(w, "  ")
}
