package central

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"tirage/rules/money"
)

// QuoteLife is how long a quote may be confirmed: assumed. It leaves time for a deposit in between.
const QuoteLife = 15 * time.Minute

// quoteTextMax bounds the text of a quote, in bytes: several times the largest order.
const quoteTextMax = 16 << 10

// Quote is the answer to an order that is not yet confirmed: every item that the player must see before, and the text that confirms or drops it.
// Nothing is stored for it, debited or reserved: a quote that nobody confirms leaves no trace.
//
// The life of an order is
//
//	quote, err := register.Quote(ctx, central.BuyShares{Player: 42, Draw: "loto-2018-10-29", Type: "600", Shares: 5})
//	quote.Recap(central.French)                                  // the screen « Récapitulatif »
//	slip, err := central.ParseQuote(quote.Text)
//	register.Do(ctx, central.Request{…, Command: central.Confirm{Quote: *slip}})   // « Je valide » …
//	register.Do(ctx, central.Request{…, Command: central.DropQuote{Quote: *slip}}) // … or « Modifier »
type Quote struct {
	ID      int64     `json:"id,string"`
	Text    string    `json:"quote"` // opaque: see ParseQuote
	Order   Order     `json:"order"` // as it was asked for, so that « Modifier » keeps everything
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"` // confirmed before, or never
	Terms
	Balance   money.Cents `json:"balance"`             // disponibilités when the quote was made
	Missing   money.Cents `json:"missing"`             // what must be deposited first; 0: nothing, as for a subscription
	Stock     *Stock      `json:"stock,omitempty"`     // of the pack type, when the quote was made
	Hindrance *Hindrance  `json:"hindrance,omitempty"` // why a confirmation would be refused as things stand
}

// Terms are what a quote promises and what a confirmation must find again, to the letter: a change of any item refuses it.
//
// The items of packs are those of Art. loto@2018-10-29:14.8 and Art. euromillions@2018-10-29:3.4.2.6.
type Terms struct {
	Rules        string       `json:"rules"`             // version in force at the sale: price, formats, codes
	Draws        []DrawTerms  `json:"draws"`             // one play for each
	Lines        []LineTerms  `json:"lines,omitempty"`   // grids of a play, the same for each draw
	AddOns       []AddOnTerms `json:"add_ons,omitempty"` // games added to a play
	Pack         *PackTerms   `json:"pack,omitempty"`    // of an order of shares
	Shares       int64        `json:"shares,omitempty"`  // ordered, all of one pack
	Combinations int64        `json:"combinations"`      // simple combinations of the whole order; of the whole pack for shares
	Codes        []CodeTerms  `json:"codes,omitempty"`   // the same of the codes
	Cents        money.Cents  `json:"cents"`             // total stake, debited at the confirmation; of a subscription, for each draw

	Group        *GroupTerms        `json:"group,omitempty"`        // of a group play, whose organiser confirms
	Subscription *SubscriptionTerms `json:"subscription,omitempty"` // there are no draws then
}

// GroupTerms is how a group play (jeu en groupe) is divided.
type GroupTerms struct {
	Receipts int64       `json:"receipts"`
	Yours    int64       `json:"yours"` // the organiser's
	Cents    money.Cents `json:"cents"` // of the whole play
}

// SubscriptionTerms is at which draws a subscription (Abo+) plays.
type SubscriptionTerms struct {
	Game  string   `json:"game"`
	Title string   `json:"title"`
	Days  []string `json:"days,omitempty"` // "monday" …; none: every draw
}

// game is that of the order's draws.
func (t *Terms) game() string {
	if t.Subscription != nil {
		return t.Subscription.Game
	}
	return t.Draws[0].Game
}

// DrawTerms names a draw in which an order takes part.
type DrawTerms struct {
	Draw        string    `json:"draw"`
	Game        string    `json:"game"`
	Title       string    `json:"title"`
	Day         string    `json:"day"` // YYYY-MM-DD, Europe/Paris
	ClosesAt    time.Time `json:"closes_at"`
	Exceptional bool      `json:"exceptional,omitempty"`
	PrizeRules  string    `json:"prize_rules"` // version in force on that day: ranks and gains
}

// LineTerms is one grid of a play.
type LineTerms struct {
	Grid         string `json:"grid,omitempty"` // as chosen, "5-9-21-36-39+5"; none: a quick pick (Système Flash), drawn at the confirmation
	Main         int    `json:"main"`           // numbers
	Extra        int    `json:"extra"`          // Chance numbers or stars
	Combinations int64  `json:"combinations"`   // simple combinations that it decomposes into
}

// AddOnTerms is a game added to a play.
type AddOnTerms struct {
	Game   string      `json:"game"`
	Title  string      `json:"title"`
	Rules  string      `json:"rules"`
	Number string      `json:"number,omitempty"` // of a game of digits: chosen; none: the system gives one
	Cents  money.Cents `json:"cents"`            // for each draw
}

// CodeTerms is how many codes of a series come with an order: « mymillion », « euromillions », « loto ».
type CodeTerms struct {
	Series string `json:"series"`
	Count  int64  `json:"count"`
	Free   bool   `json:"free,omitempty"` // not counted in the price
}

// PackTerms is what a pack type is, whatever has been sold of it: all that is shown before a share is bought.
type PackTerms struct {
	Type         string          `json:"type"`
	Shares       int64           `json:"shares"`      // equal shares of one pack
	SharePrice   money.Cents     `json:"share_price"` // of one share
	Formulas     []Formula       `json:"formulas"`    // how many shares are sold at once
	Combinations int64           `json:"combinations"`
	Codes        []CodeTerms     `json:"codes"`
	Multiples    int64           `json:"multiples"` // multiple combinations in all
	Formats      []MultipleTerms `json:"formats"`   // of the multiple combinations
	Simples      int64           `json:"simples"`   // simple combinations that belong to no multiple
}

// Formula is a number of shares that is sold at once, and its price.
type Formula struct {
	Shares int64       `json:"shares"`
	Cents  money.Cents `json:"cents"`
}

// MultipleTerms counts the multiple combinations of one format.
type MultipleTerms struct {
	Count        int64 `json:"count"`
	Main         int   `json:"main"`         // numbers of each
	Extra        int   `json:"extra"`        // Chance numbers or stars of each
	Combinations int64 `json:"combinations"` // simple combinations that one of them decomposes into
}

// Stock is what is sold and left of a pack type at one moment.
type Stock struct {
	Sold     int64 `json:"sold"`    // shares
	Left     int64 `json:"left"`    // shares that may still be sold, over all packs
	Largest  int64 `json:"largest"` // shares of the largest order that one pack can take now
	Packs    int64 `json:"packs"`   // opened so far
	MaxPacks int64 `json:"max_packs"`
}

// Hindrance is what would refuse a confirmation as things stand: funds, a limit, an exclusion, a reality check. Nothing else is wrong with the order.
type Hindrance struct {
	Code    Code   `json:"code"`
	Reason  string `json:"reason"`
	French  string `json:"french"`
	English string `json:"english"`
}

// Slip is the part of a quote that comes back to confirm or drop it. Its stamp says that this system made it, for this order and these terms; so a
// quote costs no write.
type Slip struct {
	ID      int64       `json:"id,string"` // grows with time, see quoteID
	Expires int64       `json:"expires"`   // microseconds
	Order   Order       `json:"order"`
	Rules   string      `json:"rules"`
	Cents   money.Cents `json:"cents"`
	Terms   []byte      `json:"terms"` // digest of all terms
	Stamp   []byte      `json:"stamp,omitempty"`
}

// slipSum is the length of digest and stamp in a slip, in bytes: 128 bits that nobody finds by trying.
const slipSum = 16

// digest is that of the canonical JSON of the terms.
func (t *Terms) digest() ([]byte, error) {
	b, err := json.Marshal(t)
	sum := sha256.Sum256(b)
	return sum[:slipSum], err
}

// stampBy returns the stamp of the slip.
func (s *Slip) stampBy(sealer Sealer) ([]byte, error) {
	bare := *s
	bare.Stamp = nil
	b, err := json.Marshal(bare)
	if err != nil {
		return nil, err
	}
	return sealer.Stamp(append([]byte("tirage quote v1\n"), b...))[:slipSum], nil
}

// stampedBy reports whether the slip is this system's own.
func (s *Slip) stampedBy(sealer Sealer) bool {
	if s.Order.Sale == nil {
		return false
	}
	stamp, err := s.stampBy(sealer)
	return err == nil && hmac.Equal(stamp, s.Stamp)
}

// text writes the slip as [ParseQuote] reads it.
func (s *Slip) text() (string, error) {
	b, err := json.Marshal(s)
	return base64.RawURLEncoding.EncodeToString(b), err
}

// ParseQuote reads [Quote.Text]. Who made it is checked when it is confirmed or dropped.
func ParseQuote(text string) (*Slip, error) {
	bad := refuse(Invalid, "quote.form", "quote", "a quote cannot be read: accepted the text that a quote was answered with")
	if len(text) > quoteTextMax {
		return nil, bad
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, bad
	}
	s := &Slip{}
	if unmarshalStrict(b, s) != nil || s.Order.Sale == nil {
		return nil, bad
	}
	return s, nil
}
