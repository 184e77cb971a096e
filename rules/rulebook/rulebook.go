// Package rulebook is the regulation of one game from one day of effect on, as data: what the engine, the odds pages, the recap
// screens, the notices and the tests all read.
//
// An amendment is a new rulebook, never an edit. Price, formats and codes follow the version in force at the sale; ranks and
// gains the version in force on the day of the draw. The TOML files and their parser are in package games.
//
// Invariant: a rulebook in use has passed [Rulebook.Check], so its numbers add up. The winning combinations of each rank are
// the closed-form count of its hits, the shares of a pool make exactly 100 %, every format fits the matrix, the zones of the
// codes tile their series, the parts of a price make the price.
//
//	r, err := games.InForce("loto", "2018-10-29")
//	r.RankOf(4, 1)                                // 3: four numbers and the Chance
//	r.SaleFormat(combin.Format{Main: 9, Extra: 2}) // false: a grid of nine numbers takes one Chance number
package rulebook

import (
	"slices"

	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// Confidence says how well a value is known.
type Confidence string

const (
	Text     Confidence = "text"     // stated by a legal text at hand
	Verified Confidence = "verified" // recomputed on the operator's published results
	Press    Confidence = "press"    // press or lottery sites
	Inferred Confidence = "inferred" // our reading
	Assumed  Confidence = "assumed"  // ours: no source says it
)

// Confidences lists every confidence, the strongest first.
var Confidences = []Confidence{Text, Verified, Press, Inferred, Assumed}

// Known reports whether c is one of [Confidences].
func (c Confidence) Known() bool { return slices.Contains(Confidences, c) }

// Fact is the provenance of one value of the rulebook.
type Fact struct {
	Path       string // "sale.price", "prizes.ranks.2.gain"; rows are counted from 1
	Value      string // as written in the file
	Unit       string // "€" or "%", "" for anything else
	Article    string // "loto@2018-10-29:14.8"; "": no article at hand states it
	Confidence Confidence
	Note       string
	Line       int // line of the file
}

// Amendment is one published change of the base text.
type Amendment struct {
	Made string // day it was made, YYYY-MM-DD; "" unknown
	JO   string // day of the Journal officiel
}

// Header identifies a version: the text that it complements, the day from which it is in force, where it is published
// (Art. packs@2018-10-29:1, Art. packs@2018-10-29:3).
type Header struct {
	Game       string // "loto", "superloto", "grandloto", "euromillions", "mymillion", "etoileplus", "jokerplus", "donuts"
	Title      string // "Loto®"
	Regulation string // game whose regulation the articles belong to: "loto" for Super Loto, "euromillions" for My Million
	BaseText   string // the base regulation, as the text names it
	Made       string // day it was made, YYYY-MM-DD
	JO         string // day of its publication
	Amendments []Amendment
	Effective  string            // first day of effect, Europe/Paris, YYYY-MM-DD
	Publish    string            // where the text of this version is published
	Source     string            // where the values come from
	Repealed   []string          // articles that this version deletes (Art. euromillions@2018-10-29:4.3.3)
	Renumbered map[string]string // old article → new article (Art. loto@2018-10-29:14.9, Art. euromillions@2018-10-29:3.4.2.7)
	Notes      []string          // contradictions of the source, printed as they are
}

// Version returns "loto@2018-10-29".
func (h Header) Version() string { return h.Game + "@" + h.Effective }

// Sale holds what a play costs and may hold.
type Sale struct {
	Price        money.Cents            // of a simple combination, its code included
	PriceParts   map[string]money.Cents // split of the price by game sold together ("euromillions" 220, "mymillion" 30); nil: all to the game
	Formats      []FormatRange          // sold as an ordinary play
	MaxCombos    int64                  // simple combinations of the largest format; 0: none stated
	MaxIdentical int                    // identical simple combinations per draw; 0: no limit
	GroupMax     int                    // participants of a group play (jeu en groupe); 0: none
	With         []string               // games sold with it ("mymillion")
	AddOns       []string               // games that may be added ("jokerplus", "etoileplus")
}

// MaxIdentical bounds [Sale.MaxIdentical]: a seller keeps one byte for each simple combination of a draw.
const MaxIdentical = 255

// Pack holds the rules of the service « Packs MultiChances »; nil where the version has none.
type Pack struct {
	Formats         []FormatRange // multiples that a pack may hold
	Article         string        // "14.8"
	Channels        []string      // "web", "app"
	Excludes        []string      // what cannot go with a pack: games ("jokerplus"), "subscription" (Abo+), "replay"
	Formulas        []int64       // numbers of shares sold at once
	ReserveRanks    string        // fund that receives the gains of unsold shares at the ranks: "loto/reserve"
	ReserveCode     string        // the same for the code: "mymillion/reserve"
	ReserveEuroCode string        // the same for a code Euro Millions
}

// CodePrize says what a drawn code wins.
type CodePrize struct {
	Series  string      // codes.Series.ID
	Winners int64       // codes drawn at an ordinary draw; of an exceptional series, at an exceptional draw
	Gain    money.Cents // each
}

// Calendar holds the days and hours of the draws, Europe/Paris wall time.
type Calendar struct {
	Weekdays  []string // "monday" …; empty: dates announced one by one
	SaleDays  int      // a draw is on sale from the hour of the close so many days before its own; 0: it has no sale of its own
	Close     string   // "20:15", on the day of the draw
	Draw      string   // "20:45", the hour for which the draw is announced; "": it has no draw of its own
	ClaimDays int      // payable through this day after the draw (60)
}

// Fund is a fund of the regulation that this version pays into or draws from.
type Fund struct {
	Account string // account of the ledger after "fund/": "loto/reserve"
	Title   string // "Fonds de Réserve"
}

// Digits is the table of Joker+: the number is matched from the right.
type Digits struct {
	Length       int
	WinnersShare prize.BP // part of the stakes that goes to the winners, on average
	Endowment    prize.BP // part of the stakes that endows the counterpart fund
	Stakes       []DigitStake
}

// DigitStake is the table for one stake: Gains[k] for Length−k digits right, in order from the right.
type DigitStake struct {
	Stake money.Cents
	Gains []money.Cents
}

// Rounds says how the rounds of a ladder are run on a server. No article says so: assumed.
type Rounds struct {
	AbandonDays  int64 // a round that is still open so many days after its stake is closed: its last level is paid, or its stake refunded
	FloorSeconds int64 // at least this time lies between two plays of one player
}

// Rulebook is one version of one game.
type Rulebook struct {
	Header     Header
	Matrix     combin.Matrix // zero for a game of codes or digits alone
	Total      int64         // simple combinations of the matrix, as the source states them
	Sale       Sale
	Prizes     *prize.Table // nil for a game of codes or digits alone
	Codes      []codes.Series
	CodePrizes []CodePrize
	Pack       *Pack
	Calendar   Calendar
	Funds      []Fund
	Unclaimed  string // account of the fund that receives unclaimed gains, "": unknown
	Digits     *Digits
	Ladder     *ladder.Table // nil for a game of draws
	Rounds     Rounds        // of a ladder
	Facts      []Fact        // provenance of every value, in the order of the file
	Digest     [32]byte      // SHA-256 of the file

	ranks *RankTable // of Prizes, made by Check
}
