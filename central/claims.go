package central

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/games"
	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// Claim is a gain that waits for its winner: that of a play which was sold at a point of sale, whose receipt is to be shown. Gains of the web site and the
// applications are credited at once and never stand here.
type Claim struct {
	Draw, Component string
	Play, Version   int64
	Cents           money.Cents
	Player          int64 // to whom it was paid, 0: to nobody yet
	At              int64 // microseconds, of the payment
}

func (*Claim) Table() TableID { return Claims }
func (r *Claim) Fields() []any {
	return []any{&r.Draw, &r.Component, &r.Play, &r.Version, (*int64)(&r.Cents), &r.Player, &r.At}
}

func claimKey(draw, component string, play, version int64) Key {
	return Key{Table: Claims, S: draw, U: component, N: play, M: version}
}

// claimed writes the claim of a gain that waits for its winner; its money moves with that of the whole slice.
func (p *Plan) claimed(c *Credit) {
	p.insert(&Claim{Draw: c.Draw, Component: c.Component, Play: c.Play, Version: c.Version, Cents: c.Cents})
}

// lastDay returns the last day on which the gains of a draw are payable, YYYY-MM-DD (forclusion): a datum of its result, by default so many days
// after its day.
func lastDay(d *Draw, r *Result) (string, error) {
	if r.Claims != "" {
		return r.Claims, nil
	}
	hours, err := games.DrawHours(d.Game, d.Day)
	return hours.Claims, err
}

// lapsesAt is the instant from which gains are no longer payable: the first of the day after the last one, in Paris.
func lapsesAt(last string) time.Time {
	day := parseDay(last).AddDate(0, 0, 1)
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, games.Paris)
}

// PayClaim pays a gain to the winner who shows the receipt, on the account of the play. The result is a [Balance].
type PayClaim struct {
	Draw      string `json:"draw"`
	Component string `json:"component"`
	Play      string `json:"play"` // as printed on the receipt
}

func (PayClaim) Kind() string { return "pay_claim" }
func (c PayClaim) Keys() []Key {
	return []Key{drawKey(c.Draw), dateKey(c.Draw)}
}

func (c PayClaim) Plan(p *Plan) (any, error) {
	d := get[Draw](p, drawKey(c.Draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", c.Draw)
	}
	var id RoundID // plays and rounds are numbered alike
	if err := id.UnmarshalText([]byte(c.Play)); err != nil {
		return nil, refuse(Invalid, "claim.play", "play", "%v", err)
	}
	k := claimKey(d.ID, c.Component, int64(id), d.Version)
	p.Need(k, Key{Table: Plays, S: d.ID, N: int64(id)})
	claim, play := edit[Claim](p, k), get[Play](p, Key{Table: Plays, S: d.ID, N: int64(id)})
	switch {
	case claim == nil || play == nil:
		return nil, refuse(NotFound, "claim.unknown", "play", "no gain at %q waits for play %.40q of draw %s", c.Component, c.Play, d.ID)
	case claim.Player != 0:
		return nil, refuse(Conflict, "claim.paid", "play", "the gain of play %s was paid on %v", c.Play, moment(claim.At))
	}
	last, err := p.lastDay(d)
	if err != nil {
		return nil, err
	}
	if date := get[DrawDate](p, dateKey(d.ID)); date != nil && date.Lapsed != 0 || !p.Now.Before(lapsesAt(last)) {
		return nil, refuse(Closed, "claim.late", "play", "the gains of draw %s were payable through %s", d.ID, last)
	}
	winner := play.Player
	if _, n := CutReceipt(c.Component); n > 0 { // of a group play
		winner = get[GroupReceipt](p, receiptKey(d.ID, play.ID, n)).Player
	}
	claim.Player, claim.At = winner, p.Now.UnixMicro()
	if err := p.post(ledger.Claims(d.ID), ledger.Player(winner), claim.Cents); err != nil {
		return nil, err
	}
	return Balance{get[Player](p, playerKey(winner)).Balance}, nil
}

// lastDay returns the last day on which the gains of a counted draw are payable.
func (p *Plan) lastDay(d *Draw) (string, error) {
	r, err := stored[Result](p, d.ID, DocResult, d.Version)
	if err != nil {
		return "", err
	}
	return lastDay(d, r)
}

// LapseClaims sends what nobody claimed by the last day to the fund that the rulebook names. The result is a [Lapse].
type LapseClaims struct {
	Draw string `json:"draw"`
}

// Lapse is the result of [LapseClaims].
type Lapse struct {
	Cents money.Cents    `json:"cents"`
	Fund  ledger.Account `json:"fund"`
}

func (LapseClaims) Kind() string { return "lapse_claims" }
func (c LapseClaims) Keys() []Key {
	return append(totalKeys(Accounts, string(ledger.Claims(c.Draw))), drawKey(c.Draw), dateKey(c.Draw))
}

func (c LapseClaims) Plan(p *Plan) (any, error) {
	// For itself alone, so that no gain is claimed meanwhile.
	d := edit[Draw](p, drawKey(c.Draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", c.Draw)
	}
	if s := drawing.State(d.State); s != drawing.Settled && s != drawing.Published {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: a draw that is %s has gains to be paid: accepted when they are settled", d.ID, d.State)
	}
	date, err := p.date(d.ID)
	if err != nil {
		return nil, err
	}
	last, err := p.lastDay(d)
	if err != nil {
		return nil, err
	}
	switch {
	case date.Lapsed != 0:
		return nil, refuse(Conflict, "claim.lapsed", "draw", "the claims of draw %s have lapsed already", d.ID)
	case p.Now.Before(lapsesAt(last)):
		return nil, refuse(Conflict, "claim.early", "draw", "the gains of draw %s are payable through %s", d.ID, last)
	}
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	out := Lapse{p.balance(ledger.Claims(d.ID)), ledger.Account("fund/" + book.Unclaimed)}
	if out.Cents > 0 {
		if err := p.post(ledger.Claims(d.ID), out.Fund, out.Cents); err != nil {
			return nil, err
		}
	}
	date.Lapsed = p.Now.UnixMicro()
	return out, nil
}

// checkClaims: what waits for winners is what their open claims add up to, until it lapses.
func (b *drawCheck) checkClaims() (claims total, err error) {
	var open money.Cents
	err = b.snap.Scan(b.ctx, Range{From: Key{Table: Claims, S: b.draw.ID}, Prefix: 1}, func(r Row) error {
		c := r.(*Claim)
		if c.Version != b.draw.Version {
			return fmt.Errorf("a claim of version %d of the result, approved is %d", c.Version, b.draw.Version)
		}
		claims.credits++
		claims.cents = money.Add(claims.cents, c.Cents)
		if c.Player == 0 {
			open = money.Add(open, c.Cents)
		}
		return nil
	})
	if err != nil {
		return claims, err
	}
	date, err := readDate(b.ctx, b.snap, b.draw.ID)
	if err != nil {
		return claims, err
	}
	if date != nil && date.Lapsed != 0 {
		open = 0
	}
	if left := b.balances[string(ledger.Claims(b.draw.ID))]; left != open {
		return claims, fmt.Errorf("%v wait for winners, their claims add up to %v", left, open)
	}
	return claims, nil
}

// DrawLiability is what the operator still owes to the winners of a draw.
type DrawLiability struct {
	Draw  string      `json:"draw"`
	Until string      `json:"until"` // last day of payment
	Cents money.Cents `json:"cents"`
}

// Liabilities lists what waits for winners, the draw whose gains lapse first at the head.
func Liabilities(ctx context.Context, snap Snapshot) ([]DrawLiability, error) {
	balances, err := BalancesOf(ctx, snap, "claims")
	if err != nil {
		return nil, err
	}
	dates, err := ReadDates(ctx, snap, "")
	if err != nil {
		return nil, err
	}
	var list []DrawLiability
	for _, date := range dates {
		cents := balances[ledger.Claims(date.ID())]
		if cents == 0 {
			continue
		}
		until, err := ClaimsUntil(ctx, snap, date.ID())
		if err != nil {
			return nil, err
		}
		list = append(list, DrawLiability{date.ID(), until, cents})
	}
	slices.SortStableFunc(list, func(a, b DrawLiability) int { return strings.Compare(a.Until, b.Until) })
	return list, nil
}

// ClaimsUntil returns the last day on which the gains of a draw with a result are payable, YYYY-MM-DD.
func ClaimsUntil(ctx context.Context, snap Snapshot, draw string) (string, error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return "", err
	}
	r, err := readDoc[Result](ctx, snap, draw, DocResult, d.Version)
	if err != nil {
		return "", err
	}
	return lastDay(d, r)
}
