// Package replay computes a round of a ladder again from what its player holds once it is over, so that nobody has to believe the
// operator's own page.
//
// # The file, version 1
//
// One JSON object, at most [MaxFile] bytes, no other field than these. Bytes are hexadecimal, a–f small; amounts are cents.
//
//	{
//	  "format": "tirage/round/1",
//	  "game": "donuts",
//	  "rules": "donuts@2019-06-25",         version of the rulebook
//	  "rules_digest": "64 digits",          SHA-256 of the rulebook's file
//	  "round": "32 digits",                 the round's id
//	  "state": "won",                       open, won, lost, refunded or blocked
//	  "stake": 50,
//	  "gain": 123,                          paid; 0 unless the round is won
//	  "series": [ {                         in the order in which they fell
//	    "n": 1,                             the level that it was to pass
//	    "commitment": "64 digits",          shown with the decision, before « Go » or « Je continue »
//	    "contribution": "32 digits",        what the player's device sent with it
//	    "secret": "64 digits",              shown with the outcome
//	    "items": [ {"value": 30, "kind": "", "stable": true, "star": false}, … ]
//	  }, … ]
//	}
//
// A series is right when the secret opens the commitment, which fixed it before the contribution was known, and when secret, round, number and
// contribution give its items ([tirage/fairness.LadderSeries] says how the numbers come, [ladder.Step] what they mean). The round is right when
// its state and its gain follow from its series. What the file can't tell is whether the commitment is the one that was shown: the
// player's device saw it.
//
//	r, err := replay.Parse(data)
//	for _, f := range r.Check(book) {
//		fmt.Println(f) // "series 1: OK"
//	}
package replay

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tirage/rules/ladder"
	"tirage/rules/money"
)

// Format names the version of the file.
const Format = "tirage/round/1"

// MaxFile bounds a file, in bytes: several times a round of the most levels and items.
const MaxFile = 256 << 10

// State is what became of a round.
type State string

const (
	Open     State = "open"     // the player may go on
	Won      State = "won"      // ended with a gain
	Lost     State = "lost"     // the pile collapsed
	Refunded State = "refunded" // never started, the stake went back
	Blocked  State = "blocked"  // stopped by the operator before a payment that could not be right
)

var states = []State{Open, Won, Lost, Refunded, Blocked}

// Hex is bytes that stand in JSON as hexadecimal digits.
type Hex []byte

// MarshalText writes the digits.
func (h Hex) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

// UnmarshalText reads digits, a–f small. Its error does not repeat them: they may be a secret.
func (h *Hex) UnmarshalText(text []byte) error {
	b := make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(b, text); err != nil || !bytes.Equal(hex.AppendEncode(nil, b), text) {
		return fmt.Errorf("%d characters that are not pairs of the digits 0–9 and a–f", len(text))
	}
	*h = b
	return nil
}

// Round is a round and everything that it takes to compute it again.
type Round struct {
	Format string      `json:"format"`
	Game   string      `json:"game"`
	Rules  string      `json:"rules"`
	Digest Hex         `json:"rules_digest"`
	Round  Hex         `json:"round"`
	State  State       `json:"state"`
	Stake  money.Cents `json:"stake"`
	Gain   money.Cents `json:"gain"`
	Series []Series    `json:"series"`
}

// Series is one series of items.
type Series struct {
	N            int    `json:"n"`
	Commitment   Hex    `json:"commitment"`
	Contribution Hex    `json:"contribution"`
	Secret       Hex    `json:"secret"`
	Items        []Item `json:"items"`
}

// Item is one item of a series as it came down.
type Item struct {
	Value  money.Cents `json:"value"`
	Kind   string      `json:"kind"` // name in the rulebook, "" for an item of none
	Stable bool        `json:"stable"`
	Star   bool        `json:"star"`
}

// Items names the items of a series by the kinds of its table.
func Items(t *ladder.Table, s *ladder.Series) []Item {
	kinds := t.Rules().Kinds
	items := make([]Item, 0, ladder.MaxItems)
	for _, it := range s.Items() {
		kind := ""
		if it.Kind != ladder.NoKind {
			kind = kinds[it.Kind].Name
		}
		items = append(items, Item{it.Value, kind, it.Stable, it.Star})
	}
	return items
}

// Parse reads a file. Its error says what was found, what is accepted and, where the text itself is broken, on which line.
func Parse(data []byte) (*Round, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("round of %d bytes: accepted at most %d", len(data), MaxFile)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := &Round{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("%sno round of format %s: %w", where(data, err), Format, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: text after the round: accepted one JSON object", lineAt(data, d.InputOffset()))
	}
	return r, r.wellFormed()
}

// where says on which line an error is, "" when it does not tell.
func where(data []byte, err error) string {
	at := int64(len(data))
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typed):
		at = typed.Offset
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return ""
	}
	return fmt.Sprintf("line %d: ", lineAt(data, at))
}

// lineAt returns the line of an offset, counted from 1.
func lineAt(data []byte, at int64) int {
	return 1 + bytes.Count(data[:min(at, int64(len(data)))], []byte("\n"))
}

// wellFormed refuses a file whose fields have a wrong size.
func (r *Round) wellFormed() error {
	known := false
	for _, s := range states {
		known = known || s == r.State
	}
	switch {
	case r.Format != Format:
		return fmt.Errorf("format %.40q: accepted %q", r.Format, Format)
	case !known:
		return fmt.Errorf("state %.40q: accepted one of %q", r.State, states)
	case len(r.Digest) != 32 || len(r.Round) != 16:
		return fmt.Errorf("rules_digest of %d bytes and round of %d: accepted 32 and 16", len(r.Digest), len(r.Round))
	case len(r.Series) > ladder.MaxLevels:
		return fmt.Errorf("%d series: accepted at most %d", len(r.Series), ladder.MaxLevels)
	}
	for i := range r.Series {
		s := &r.Series[i]
		switch {
		case len(s.Commitment) != 32 || len(s.Contribution) != 16 || len(s.Secret) != 32:
			return fmt.Errorf("series %d: commitment, contribution and secret of %d, %d and %d bytes: accepted 32, 16 and 32",
				i+1, len(s.Commitment), len(s.Contribution), len(s.Secret))
		case len(s.Items) > ladder.MaxItems:
			return fmt.Errorf("series %d: %d items: accepted at most %d", i+1, len(s.Items), ladder.MaxItems)
		}
	}
	return nil
}
