package central

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tirage/games"
	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// Proposal is what the terms of a draw are, from the settlement of the draw before it, what was announced of it and what is reported from outside. It
// binds nobody: the operator signs the terms with the sealed plays ([Operator.SealProposed]).
type Proposal struct {
	Draw    string                         `json:"draw"`
	After   string                         `json:"after,omitempty"` // the draw whose settlement they follow from; "": the first of the sequence
	Terms   prize.Terms                    `json:"terms"`
	Missing []Missing                      `json:"missing,omitempty"` // what must come before the terms are whole
	Funds   map[ledger.Account]money.Cents `json:"funds"`             // what stands in the funds of the regulation now
	Short   money.Cents                    `json:"short,omitempty"`   // what a guarantee needs above what its fund holds, 0: nothing
}

// Missing is what the terms of a draw wait for.
type Missing string

const (
	MissingBefore  Missing = "before"  // the draw before is not approved
	MissingOutside Missing = "outside" // stakes and fund of the other countries, or the pool, are not reported ([ReportOutside])
)

// ProposeTerms works out the terms of a draw of the calendar, on sale or not. The draw before it is the last one of the same sequence of jackpots whose
// day is earlier: a Super Loto takes over the running jackpot of Loto and the next Loto draw goes on from it.
func ProposeTerms(ctx context.Context, snap Snapshot, draw string) (*Proposal, error) {
	date, err := readDate(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	if date == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	book, err := games.InForce(date.Game, date.Day)
	if err != nil {
		return nil, err
	}
	p := &Proposal{Draw: draw, Terms: prize.Terms{Super: date.Super, Fund: date.Fund, OutsideStakes: date.Stakes}}
	if err := p.follow(ctx, snap, date, book); err != nil {
		return nil, err
	}
	if date.Jackpot > 0 {
		p.Terms.Jackpot = date.Jackpot
	}
	if m := book.Prizes.Model; date.Reported == 0 && (m == prize.European || m == prize.Pool) {
		p.Missing = append(p.Missing, MissingOutside)
	}
	return p, p.look(ctx, snap, book)
}

// follow takes over the cycle that the draw before leaves.
func (p *Proposal) follow(ctx context.Context, snap Snapshot, date *DrawDate, book *rulebook.Rulebook) error {
	before, err := drawBefore(ctx, snap, date)
	if err != nil {
		return err
	}
	jackpot := book.Prizes.Jackpot
	p.Terms.Cycle = prize.Cycle{Position: 1, Jackpot: jackpot.Start}
	if before == nil {
		return nil
	}
	p.After = before.ID
	switch drawing.State(before.State) {
	case drawing.Approved, drawing.Settled, drawing.Published:
	default:
		p.Missing = append(p.Missing, MissingBefore)
		return nil
	}
	next, err := nextCycle(ctx, snap, before)
	if err != nil {
		return err
	}
	// A jackpot that is announced one by one starts no lower than the rulebook says.
	if len(book.Calendar.Weekdays) == 0 {
		next.Jackpot = max(next.Jackpot, jackpot.Start)
	}
	p.Terms.Cycle = next
	return nil
}

// drawBefore returns the last draw of the same sequence of jackpots on an earlier day, nil when there is none.
func drawBefore(ctx context.Context, snap Snapshot, date *DrawDate) (*Draw, error) {
	var last *DrawDate
	for _, game := range append(slices.Clone(sameJackpot(date.Game)), date.Game) {
		err := snap.Scan(ctx, Range{From: Key{Table: Calendar, S: game}, Prefix: 1}, func(r Row) error {
			if d := r.(*DrawDate); d.State == DateOpened && d.Day < date.Day && (last == nil || d.Day > last.Day) {
				last = d
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if last == nil {
		return nil, nil
	}
	return readDraw(ctx, snap, last.ID())
}

// nextCycle returns what an approved draw leaves to the next one.
func nextCycle(ctx context.Context, snap Snapshot, d *Draw) (prize.Cycle, error) {
	s, err := settled(ctx, snap, d)
	return s.Next, err
}

// settled returns the settlement of a counted draw: a pure function of its papers.
func settled(ctx context.Context, snap Snapshot, d *Draw) (prize.Settlement, error) {
	m, err := readDoc[Manifest](ctx, snap, d.ID, DocManifest, 0)
	if err != nil {
		return prize.Settlement{}, err
	}
	r, err := readDoc[Result](ctx, snap, d.ID, DocResult, d.Version)
	if err != nil {
		return prize.Settlement{}, err
	}
	c, err := readDoc[Count](ctx, snap, d.ID, DocCount, d.Version)
	if err != nil {
		return prize.Settlement{}, err
	}
	book, err := drawBook(d)
	if err != nil {
		return prize.Settlement{}, err
	}
	return settle(d, book, m, r, plus(c.Winners, c.Outside))
}

// look reads the funds of the regulation. A guaranteed jackpot above what its fund and the carry hold is told before the plays are sealed: the draw is
// then paid with money that the fund does not have.
func (p *Proposal) look(ctx context.Context, snap Snapshot, book *rulebook.Rulebook) error {
	balances, err := Balances(ctx, snap)
	if err != nil {
		return err
	}
	p.Funds = map[ledger.Account]money.Cents{}
	prefix := "fund/" + book.Header.Regulation + "/"
	for account, cents := range balances {
		if strings.HasPrefix(string(account), prefix) {
			p.Funds[account] = cents
		}
	}
	regulation := book.Header.Regulation
	switch {
	case p.Terms.Super > 0:
		p.Short = max(0, p.Terms.Super-p.Terms.Carry-max(0, p.Funds[ledger.Super(regulation)]))
	case book.Prizes.Jackpot.MustBeWon:
		p.Short = max(0, p.Terms.Jackpot-max(0, p.Funds[ledger.Counterpart(regulation)]))
	}
	return nil
}

// checkAnnounced refuses terms that are not what was announced of the draw or reported from outside.
func checkAnnounced(date *DrawDate, t *prize.Terms) error {
	if date == nil {
		return nil
	}
	if date.Jackpot > 0 && t.Jackpot != date.Jackpot || date.Super > 0 && t.Super != date.Super {
		return refuse(Conflict, "seal.announced", "manifest", "rank 1 has %v with %v guaranteed, announced are %v and %v", t.Jackpot, t.Super, date.Jackpot, date.Super)
	}
	if date.Reported == 1 && (t.OutsideStakes != date.Stakes || t.Fund != date.Fund) {
		return refuse(Conflict, "seal.reported", "manifest", "stakes elsewhere of %v and a fund of %v, reported are %v and %v", t.OutsideStakes, t.Fund, date.Stakes, date.Fund)
	}
	return nil
}

// Proposed returns the terms that a draw is to be sealed with.
func (o *Operator) Proposed(ctx context.Context, draw string) (p *Proposal, err error) {
	err = o.snapshot(ctx, func(snap Snapshot) (err error) {
		p, err = ProposeTerms(ctx, snap, draw)
		return err
	})
	return p, err
}

// SealProposed signs the proposed terms with the plays of a closed draw. It refuses terms that are not whole.
func (o *Operator) SealProposed(ctx context.Context, draw string) error {
	p, err := o.Proposed(ctx, draw)
	if err != nil {
		return err
	}
	if len(p.Missing) > 0 {
		return p.incomplete()
	}
	return o.Seal(ctx, draw, p.Terms)
}

// incomplete says what the terms wait for.
func (p *Proposal) incomplete() *Refusal {
	if slices.Contains(p.Missing, MissingBefore) {
		return refuse(Conflict, "terms.before", "draw", "the terms of draw %s follow from draw %s, which is not approved", p.Draw, p.After)
	}
	return refuse(Conflict, "terms.outside", "draw", "the stakes and the fund of others are not reported for draw %s", p.Draw)
}

// As returns the operator with the principal of a person, for acts by hand.
func (o *Operator) As(principal string) *Operator {
	other := *o
	other.Principal = principal
	return &other
}

// String says what is missing in words.
func (m Missing) String() string {
	switch m {
	case MissingBefore:
		return "the draw before is not approved"
	case MissingOutside:
		return "stakes and fund of others are not reported"
	}
	return fmt.Sprintf("Missing(%q)", string(m))
}
