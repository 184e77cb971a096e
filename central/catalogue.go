package central

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// Catalogue is what is on sale at one instant: the games of draws with their coming draws and packs, the games of rounds, and what players are told of
// what is not on sale. Everything that must be shown before a play is chosen stands here, each amount from the cents that will be debited.
type Catalogue struct {
	At     time.Time    `json:"at"`
	Games  []GameOffer  `json:"games"`
	Packs  Offer        `json:"packs"`  // the service « Packs MultiChances », with the message where its day of effect is not met
	Rounds []RoundOffer `json:"rounds"` // games of rounds
}

// GameOffer is a game of draws.
type GameOffer struct {
	Game         string        `json:"game"`
	Title        string        `json:"title"`
	Rules        string        `json:"rules"`                   // version in force
	Price        money.Cents   `json:"price"`                   // of a simple combination, its codes included
	Formats      []FormatOffer `json:"formats"`                 // of the grids sold, simple and multiple
	AddOns       []AddOnOffer  `json:"add_ons,omitempty"`       // games that may be added to a play
	With         []string      `json:"with,omitempty"`          // games sold together with it
	GroupMax     int           `json:"group_max,omitempty"`     // participants of a group play (jeu en groupe); none: no such play
	MaxIdentical int           `json:"max_identical,omitempty"` // identical simple combinations of one draw; none: no such limit
	Packs        *PackRules    `json:"packs,omitempty"`         // none: the version in force has no packs
	Draws        []DrawOffer   `json:"draws"`                   // coming, in the order of their days
}

// FormatOffer is a size of grid and what it costs for one draw.
type FormatOffer struct {
	Main         int         `json:"main"`
	Extra        int         `json:"extra"`
	Combinations int64       `json:"combinations"`
	Cents        money.Cents `json:"cents"`
}

// AddOnOffer is a game that may be added to a play: at one of its stakes, or at a price for each simple combination.
type AddOnOffer struct {
	Game   string        `json:"game"`
	Title  string        `json:"title"`
	Price  money.Cents   `json:"price,omitempty"`
	Stakes []money.Cents `json:"stakes,omitempty"`
}

// PackRules says where packs are sold and what cannot go with one.
type PackRules struct {
	Article  string   `json:"article"`
	Channels []string `json:"channels"`
	Excludes []string `json:"excludes"` // games, "subscription" (Abo+), "replay" (rejouer)
	Formulas []int64  `json:"formulas"`
}

// DrawOffer is a coming draw.
type DrawOffer struct {
	DrawTerms
	State      string      `json:"state"` // DatePlanned, or that of the draw
	OnSale     bool        `json:"on_sale"`
	OpensAt    time.Time   `json:"opens_at"`
	DrawsAt    time.Time   `json:"draws_at"`
	Jackpot    money.Cents `json:"jackpot,omitempty"`    // of rank 1, announced or given by the draws before; none: not yet known
	Carry      money.Cents `json:"carry,omitempty"`      // report, where rank 1 is a part of a common fund
	Guaranteed money.Cents `json:"guaranteed,omitempty"` // super jackpot (super cagnotte)
	Commitment string      `json:"commitment,omitempty"` // to the secret of its quick picks and codes, hexadecimal
	Generator  bool        `json:"generator,omitempty"`  // its numbers are drawn by the generator, no balls
	Packs      []PackStock `json:"packs,omitempty"`
}

// PackStock is a pack type on sale for a draw: what it is, what is sold and left of it now.
type PackStock struct {
	PackTerms
	Stock   Stock      `json:"stock"`
	OnSale  bool       `json:"on_sale"`
	Refusal *Hindrance `json:"refusal,omitempty"` // why it is not
}

// RoundOffer is a game of rounds.
type RoundOffer struct {
	Offer
	Title string      `json:"title"`
	Price money.Cents `json:"price,omitempty"` // of a round; none: no version is in force
}

// maxComing bounds the draws of one game in a catalogue: more than two months of any game.
const maxComing = 32

// ReadCatalogue reads what is on sale at an instant.
func ReadCatalogue(ctx context.Context, snap Snapshot, now time.Time) (*Catalogue, error) {
	packs, err := ReadOffer(ctx, snap, ServicePacks, now)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{At: now, Games: []GameOffer{}, Packs: *packs, Rounds: []RoundOffer{}}
	for _, game := range games.Games() {
		versions, err := games.Versions(game)
		if err != nil {
			return nil, err
		}
		switch latest := versions[len(versions)-1]; {
		case latest.Ladder != nil:
			err = c.addRounds(ctx, snap, latest)
		case latest.Calendar.Draw != "":
			err = c.addDraws(ctx, snap, game)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Catalogue) addRounds(ctx context.Context, snap Snapshot, latest *rulebook.Rulebook) error {
	o, err := ReadOffer(ctx, snap, latest.Header.Game, c.At)
	if err != nil {
		return err
	}
	out := RoundOffer{Offer: *o, Title: latest.Header.Title}
	if o.Rules != "" {
		book, err := games.Version(o.Rules)
		if err != nil {
			return err
		}
		out.Price = book.Sale.Price
	}
	c.Rounds = append(c.Rounds, out)
	return nil
}

// addDraws adds a game of draws, unless no version of it is in force yet.
func (c *Catalogue) addDraws(ctx context.Context, snap Snapshot, game string) error {
	book, err := games.At(game, c.At)
	if err != nil {
		return nil
	}
	out := gameOffer(book)
	if out.AddOns, err = addOnOffers(book, c.At); err != nil {
		return err
	}
	dates, err := c.coming(ctx, snap, game)
	if err != nil {
		return err
	}
	for i, date := range dates {
		d, err := c.drawOffer(ctx, snap, date)
		if err != nil {
			return err
		}
		if i == 0 { // those that follow wait for the result of this one
			err = d.propose(ctx, snap)
		}
		if err != nil {
			return err
		}
		out.Draws = append(out.Draws, *d)
	}
	c.Games = append(c.Games, out)
	return nil
}

func gameOffer(book *rulebook.Rulebook) GameOffer {
	out := GameOffer{
		Game: book.Header.Game, Title: book.Header.Title, Rules: book.Header.Version(), Price: book.Sale.Price, With: book.Sale.With,
		GroupMax: book.Sale.GroupMax, MaxIdentical: book.Sale.MaxIdentical, Formats: []FormatOffer{}, Draws: []DrawOffer{},
	}
	for _, r := range book.Sale.Formats {
		for extra := r.ExtraMin; extra <= r.ExtraMax; extra++ {
			n := combin.Format{Main: r.Main, Extra: extra}.Count(book.Matrix)
			out.Formats = append(out.Formats, FormatOffer{r.Main, extra, n, money.Mul(book.Sale.Price, n)})
		}
	}
	if p := book.Pack; p != nil {
		out.Packs = &PackRules{Article: articleOf(book, "pack.excludes"), Channels: p.Channels, Excludes: p.Excludes, Formulas: p.Formulas}
	}
	return out
}

func addOnOffers(book *rulebook.Rulebook, now time.Time) (list []AddOnOffer, err error) {
	for _, game := range book.Sale.AddOns {
		added, err := games.At(game, now)
		if err != nil {
			continue // not yet in force
		}
		o := AddOnOffer{Game: game, Title: added.Header.Title, Price: added.Sale.Price}
		if added.Digits != nil {
			for _, s := range added.Digits.Stakes {
				o.Stakes = append(o.Stakes, s.Stake)
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// coming lists the draws of a game whose sales have not ended, in the order of their days. The calendar is read from today on: a draw closes on its day.
func (c *Catalogue) coming(ctx context.Context, snap Snapshot, game string) (list []*DrawDate, err error) {
	yesterday := games.Day(c.At.AddDate(0, 0, -1))
	r := Range{From: Key{Table: Calendar, S: game, U: yesterday}, Prefix: 1, After: true, Limit: maxComing}
	err = snap.Scan(ctx, r, func(row Row) error {
		if d := row.(*DrawDate); d.State != DateSkipped && c.At.UnixMicro() < d.ClosesAt {
			list = append(list, d)
		}
		return nil
	})
	return list, err
}

func (c *Catalogue) drawOffer(ctx context.Context, snap Snapshot, date *DrawDate) (*DrawOffer, error) {
	prizes, err := games.InForce(date.Game, date.Day)
	if err != nil {
		return nil, err
	}
	// What has not been opened yet has the hours of the calendar.
	d := &Draw{ID: date.ID(), Game: date.Game, Day: date.Day, State: DatePlanned, ClosesAt: date.ClosesAt, Exceptional: date.Exceptional}
	if date.State == DateOpened {
		row, err := snap.Get(ctx, drawKey(d.ID))
		if err != nil {
			return nil, err
		}
		d = row.(*Draw)
	}
	now := c.At.UnixMicro()
	out := &DrawOffer{
		DrawTerms: drawTerms(d, prizes), State: d.State, OnSale: d.State == string(drawing.Open) && date.OpensAt <= now && now < date.ClosesAt,
		OpensAt: time.UnixMicro(date.OpensAt).UTC(), DrawsAt: time.UnixMicro(date.DrawsAt).UTC(),
		Jackpot: date.Jackpot, Guaranteed: date.Super, Commitment: hex.EncodeToString(d.Commitment),
	}
	row, err := snap.Get(ctx, generatorKey(d.ID))
	if err != nil {
		return nil, err
	}
	g, _ := row.(*Generator)
	out.Generator = g != nil && g.Confirmer != ""
	if date.State == DateOpened {
		out.Packs, err = c.packs(ctx, snap, d, out.OnSale)
	}
	return out, err
}

// propose tells the jackpot that the draws before give, unless another one is announced.
func (o *DrawOffer) propose(ctx context.Context, snap Snapshot) error {
	p, err := ProposeTerms(ctx, snap, o.Draw)
	if err != nil {
		return err
	}
	for _, m := range p.Missing {
		if m == MissingBefore {
			return nil
		}
	}
	if book, err := games.Version(o.PrizeRules); err != nil || book.Prizes.Jackpot.LateFrom > 0 { // a part of a common fund
		o.Carry = p.Terms.Carry
		return err
	}
	o.Jackpot = p.Terms.Jackpot
	return nil
}

// packs lists the pack types of a draw.
func (c *Catalogue) packs(ctx context.Context, snap Snapshot, d *Draw, onSale bool) (list []PackStock, err error) {
	s, err := newSale(d, c.At)
	if err != nil {
		return nil, err
	}
	err = snap.Scan(ctx, Range{From: Key{Table: PackTypes, S: d.ID}, Prefix: 1}, func(row Row) error {
		t := row.(*PackType)
		terms, err := s.packTerms(t)
		if err != nil {
			return err
		}
		out := PackStock{PackTerms: *terms, Stock: *t.stock(), OnSale: onSale && c.Packs.OnSale}
		if r := (*Refusal)(nil); errors.As(s.sells(t), &r) {
			out.OnSale, out.Refusal = false, told(r)
		}
		list = append(list, out)
		return nil
	})
	return list, err
}
