// Package ladder holds press-your-luck games: a play climbs level after level, each level drops a series of items, one that
// falls ends the play without a gain, and after each level passed the player takes its gain or gives it up to go on.
//
// It is one model for a family of games. An item holds with a chance of its own at each level, or the items are balls drawn
// from an urn and not put back. Items may have values, drawn with stated weights, and may be stars; stars fill a gauge that shows a
// multiplier. The gain of a level is the sum of the values on the pile, or the level's own amount, times the multiplier,
// in whole cents, under a cap. The last level ends the play, won.
//
// [Rules] is the regulation as data; [New] checks it and makes the [Table] that everything else reads: [Step] plays one
// series, [Table.Odds] gives the exact chances, [Table.Analyse] the exact return of each way to play.
//
//	t, err := ladder.New(rules)
//	state, series := ladder.Step(t, ladder.State{}, draw) // « Go »
//	for !t.Ended(state) && goOn(state, series) {
//		state, series = ladder.Step(t, state, draw) // « Je continue »
//	}
//	paid := t.Gain(state) // « J'arrête », collapse or last level
//
// Invariant: Step and the analysis read the same compiled table, so that no chance, value or gain is written down twice. All
// chances are exact: [Step] draws integers, the analysis counts them.
//
// Source: Art. donuts@2019-06-25:3 (« Pile Up Donuts ! »). Its articles 3.3 and following are missing: see the rulebook for
// what is assumed.
package ladder

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"tirage/rules/money"
)

// Bounds of a table. They keep a series in a fixed array, an item in one draw and the exact analysis under a second or so.
const (
	MaxLevels = 64
	MaxItems  = 8       // items of one level
	MaxKinds  = 32      // kinds of items
	MaxStars  = 32      // stars of the gauge
	MaxFaces  = 1 << 16 // kind weights × denominator of the star chance
	MaxRadix  = 1 << 32 // faces × denominator of the stability: the outcomes of one item
	MaxStates = 250_000 // levels × sums × stars that the analysis visits
	MaxAmount = money.Cents(100_000_000_000)
)

// Ratio is an exact fraction Num/Den: a chance, 0 ≤ Num ≤ Den, or a multiplier.
type Ratio struct{ Num, Den int64 }

// Certain is the chance of what always happens.
var Certain = Ratio{1, 1}

// Rat returns the fraction as a rational.
func (r Ratio) Rat() *big.Rat { return big.NewRat(r.Num, r.Den) }

// String returns the fraction as [ParseRatio] reads it: "95/100".
func (r Ratio) String() string { return fmt.Sprintf("%d/%d", r.Num, r.Den) }

func (r Ratio) valid() bool { return r.Den >= 1 && r.Num >= 0 && r.Num <= r.Den && r.Den <= MaxRadix }

// ParseRatio reads a chance written as a fraction of two whole numbers, "95/100", of 0 to 1 and not reduced: the fraction
// says how the draw is made.
func ParseRatio(s string) (Ratio, error) {
	num, den, found := strings.Cut(s, "/")
	n, errNum := parseWhole(num)
	d, errDen := parseWhole(den)
	r := Ratio{n, d}
	if !found || errNum != nil || errDen != nil || !r.valid() {
		return Ratio{}, fmt.Errorf("chance %.40q: accepted a fraction of two whole numbers from 0 to 1, such as 95/100", s)
	}
	return r, nil
}

// maxMultiplier bounds the numerator and the denominator of a multiplier.
const maxMultiplier = 1<<31 - 1

func (r Ratio) multiplies() bool {
	return r.Den >= 1 && r.Den <= maxMultiplier && r.Num >= r.Den && r.Num <= maxMultiplier
}

// ParseMultiplier reads a multiplier, of 1 or more, written as a whole number, "4", or as a fraction of two, "3/2".
func ParseMultiplier(s string) (Ratio, error) {
	num, den, fraction := strings.Cut(s, "/")
	if !fraction {
		den = "1"
	}
	n, errNum := parseWhole(num)
	d, errDen := parseWhole(den)
	r := Ratio{n, d}
	if errNum != nil || errDen != nil || !r.multiplies() {
		return Ratio{}, fmt.Errorf("multiplier %.40q: accepted a whole number or a fraction of two, from 1 up, such as 4 or 3/2", s)
	}
	return r, nil
}

// parseWhole reads digits alone: no sign, no space, no leading zero.
func parseWhole(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil && strconv.FormatInt(n, 10) != s {
		err = strconv.ErrSyntax
	}
	return n, err
}

// Base says what the multiplier of the gauge applies to.
type Base string

const (
	// SumOfValues: the values of all the items of the pile.
	SumOfValues Base = "sum"
	// LevelAmount: the amount that the level pays.
	LevelAmount Base = "level"
)

// Rounding says how a gain that is no whole number of cents is paid.
type Rounding string

const (
	Exact   Rounding = "exact"   // there is none: multipliers are whole numbers
	Down    Rounding = "down"    // down to the cent
	Nearest Rounding = "nearest" // to the nearest cent, half a cent up
)

// Rules is a ladder as its rulebook states it.
type Rules struct {
	Price     money.Cents // stake of a play: 0.50 € in Art. donuts@2019-06-25:annex.2
	Levels    []Level     // in the order of the climb
	First     *First      // the first item of a play, where it differs from the others
	Urn       *Urn        // nil: each item holds or falls by its own chance
	Kinds     []Kind      // kinds of items; empty: items have no value
	Gauge     []Ratio     // multiplier shown with 0, 1, 2 … stars; empty: no stars
	Base      Base
	Rounding  Rounding    // of a gain that is no whole number of cents
	Cap       money.Cents // no play pays more; 0: no cap
	FullGauge money.Cents // gain of the last level with the gauge full, whatever the pile; 0: none
	Band      *Band       // bounds of the return; nil: [FrenchBand]
}

// Level (palier) is one rung: it is passed when all its items hold (Art. donuts@2019-06-25:3.1.2). The donut ladder has ten of
// them, numbered by the donuts on the pile, 5 to 50 (Art. donuts@2019-06-25:3.1.1).
type Level struct {
	Items  int
	Stable Ratio         // chance that an item holds; unused with an urn
	Star   Ratio         // chance that an item is a star; unused without a gauge
	Values []money.Cents // value of an item of each kind
	Pays   money.Cents   // LevelAmount: what the level pays
	// Printed is what the regulation prints of this level, checked by [New] against the model.
	Printed *Printed
}

// Kind is one kind of items: Weight of the draws of a value give it.
type Kind struct {
	Name   string // "plain"
	Weight int64
}

// First describes the first item of a play.
type First struct {
	Certain bool        // it cannot fall
	Value   money.Cents // its value, of no kind; 0: drawn as the others
}

// Urn holds the balls of a ladder whose items are drawn and not put back: a bad ball falls.
type Urn struct{ Good, Bad int64 }

// Printed is a line of the table of odds: « 1 chance sur … », two decimals, as printed with a point.
type Printed struct {
	Each     string // each item holds
	Pass     string // this level is passed
	Reach    string // all levels up to this one are passed
	Misprint Column // the one figure that the exact model does not give; "" where it gives all three
}

// Column names a figure of the printed table.
type Column string

const (
	Each  Column = "each"
	Pass  Column = "pass"
	Reach Column = "reach"
)
