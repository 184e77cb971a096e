package central

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// ApproveDraw is an officer's word that a counted result may be paid. It moves the prize money of the draw to where the rules send it; the
// players' part waits in prizes/<draw> for the slices.
type ApproveDraw struct {
	Draw    string `json:"draw"`
	Version int64  `json:"version"`
}

func (ApproveDraw) Kind() string { return "approve_draw" }
func (c ApproveDraw) Keys() []Key {
	keys := []Key{drawKey(c.Draw), dateKey(c.Draw), roomKey(c.Draw), docKey(c.Draw, DocManifest, 0)}
	for _, kind := range []string{DocResult, DocOutside, DocCount} {
		keys = append(keys, docKey(c.Draw, kind, c.Version))
	}
	return keys
}

// Plan approves. A draw is under the control of the officer: no program approves it, nor who recorded its result or typed one.
// Art. loto@2018-10-29:7.1.1, Art. loto@2018-10-29:7.2.2, Art. euromillions@2018-10-29:4.1.4, Art. euromillions@2018-10-29:4.1.5 (« sous le contrôle »).
func (c ApproveDraw) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	if date := get[DrawDate](p, dateKey(c.Draw)); date != nil && date.Recorder == p.Principal {
		return nil, refuse(Forbidden, "approve.same", "", "who recorded the result of draw %s does not approve it", c.Draw)
	}
	d, err := p.draw(c.Draw, drawing.Approved)
	if err != nil {
		return nil, err
	}
	if c.Version != d.Version {
		return nil, refuse(Conflict, "approve.version", "version", "version %d, the result counted is version %d", c.Version, d.Version)
	}
	if err := p.mayApprove(d.ID, d.Version); err != nil {
		return nil, err
	}
	if err := p.postPrizes(d); err != nil {
		return nil, err
	}
	d.State = string(drawing.Approved)
	if d.Slices == 0 {
		d.State = string(drawing.Settled)
	}
	return State{State: d.State}, nil
}

// What Slice.Paid says.
const (
	SlicePaid   = 1 // all its credits are made
	SlicePartly = 2 // some of its credits are held
)

// heldReason is the refusal of a slice none of whose open credits can be made.
const heldReason = "slice.held"

// CreditSlice pays one slice of a counted result: its rows must have the hash that was counted and approved. A credit that cannot be made is
// held, the others are paid; its money waits in prizes/<draw>, and the same slice asked for again pays only what is left. [NewCreditSlice] makes the command.
type CreditSlice struct {
	Draw    string `json:"draw"`
	Version int64  `json:"version"`
	N       int64  `json:"slice"`

	credits []Credit // recomputed from the sealed plays; the slice's hash stands for them in the command
	sum     SliceSum // of credits
}

// NewCreditSlice returns the command that pays slice n. The credits are its own from now on.
func NewCreditSlice(draw string, version, n int64, credits []Credit) *CreditSlice {
	return &CreditSlice{draw, version, n, credits, SumCredits(credits)}
}

// Kind is "credit_slice".
func (*CreditSlice) Kind() string { return "credit_slice" }

// Keys lists the draw, the slice and the players.
func (c *CreditSlice) Keys() []Key {
	keys := make([]Key, 0, len(c.credits)+2)
	keys = append(keys, drawKey(c.Draw), Key{Table: Slices, S: c.Draw, N: c.Version, M: c.N})
	for i := range c.credits {
		keys = append(keys, playerKey(c.credits[i].Player))
	}
	return keys
}

// Plan credits the players. The result is a [State].
func (c *CreditSlice) Plan(p *Plan) (any, error) {
	p.grow(len(c.credits) + 2) // a player each, the draw, the slice
	d := edit[Draw](p, drawKey(c.Draw))
	s := edit[Slice](p, Key{Table: Slices, S: c.Draw, N: c.Version, M: c.N})
	switch {
	case d == nil || s == nil:
		return nil, refuse(NotFound, "slice.unknown", "slice", "draw %s has no slice %d of version %d", c.Draw, c.N, c.Version)
	case d.State != string(drawing.Approved) || d.Version != c.Version:
		return nil, refuse(Conflict, "slice.state", "", "draw %s is %s at version %d: only an approved result is paid", d.ID, d.State, d.Version)
	case s.Paid == SlicePaid:
		return nil, refuse(Conflict, "slice.paid", "slice", "slice %d of draw %s is paid", c.N, d.ID)
	case c.sum.Credits != s.Credits || c.sum.Cents != s.Cents || !bytes.Equal(c.sum.Hash, s.Hash):
		return nil, refuse(Conflict, "slice.hash", "credits", "%d credits of %v are not those that were counted: %d of %v", c.sum.Credits, c.sum.Cents, s.Credits, s.Cents)
	}
	held, err := c.pay(p, s.Paid == SlicePartly)
	if err != nil {
		return nil, err
	}
	if len(held) > 0 {
		why := heldText(held)
		if p.paid == nil {
			return nil, refuse(Conflict, heldReason, "", "%s", why)
		}
		s.Paid = SlicePartly
		return State{State: d.State, Why: why}, nil
	}
	s.Paid = SlicePaid
	if d.Paid++; d.Paid == d.Slices {
		d.State = string(drawing.Settled)
	}
	return State{State: d.State}, nil
}

// pay makes the credits of the slice that are not made yet and returns those that cannot be made.
func (c *CreditSlice) pay(p *Plan, partly bool) (held []*Credit, err error) {
	if partly {
		keys := make([]Key, len(c.credits))
		for i := range c.credits {
			keys[i] = c.credits[i].madeKey()
		}
		p.Need(keys...)
	}
	prizes := ledger.Prizes(c.Draw)
	var cents, claims money.Cents
	for i := range c.credits {
		credit := &c.credits[i]
		if partly && p.made(credit) {
			continue
		}
		if credit.Player == 0 {
			p.claimed(credit)
			claims = money.Add(claims, credit.Cents)
			continue
		}
		if get[Player](p, playerKey(credit.Player)) == nil {
			held = append(held, credit)
			continue
		}
		if err := p.pay(credit, prizes); err != nil {
			return nil, err
		}
		cents = money.Add(cents, credit.Cents)
	}
	p.add(Key{Table: Accounts, S: string(prizes), N: p.Node}, -int64(cents))
	return held, p.postSigned(prizes, ledger.Claims(c.Draw), claims)
}

// madeKey is the key of the row that says that a credit was made: its own, or that of the claim of a gain that waits for its winner.
func (r *Credit) madeKey() Key {
	if r.Player == 0 {
		return claimKey(r.Draw, r.Component, r.Play, r.Version)
	}
	return KeyOf(r)
}

func (p *Plan) made(c *Credit) bool {
	if c.Player == 0 {
		return get[Claim](p, c.madeKey()) != nil
	}
	return get[Credit](p, c.madeKey()) != nil
}

// heldText names the credits that are held, the first few one by one.
func heldText(held []*Credit) string {
	const most = 5
	var list []string
	for _, h := range held[:min(len(held), most)] {
		list = append(list, fmt.Sprintf("%v of play %s, as there is no player %d", h.Cents, PlayID(h.Play), h.Player))
	}
	return fmt.Sprintf("%d credits are held: %s", len(held), strings.Join(list, "; "))
}

// SumCredits returns the sum of a slice. The hash is SHA-256 over its rows, each as a line of the log's row encoding, up to the cents: the movement of the
// balance is not known before the payment.
func SumCredits(credits []Credit) SliceSum {
	h := sha256.New()
	sum := SliceSum{Credits: int64(len(credits))}
	var line []byte
	for i := range credits {
		c := &credits[i]
		sum.Cents = money.Add(sum.Cents, c.Cents)
		line = append(logbook.AppendRow(line[:0], logbook.Row{Table: Schema[Credits].Name, Fields: c.Fields()[:creditCounted]}), '\n')
		h.Write(line)
	}
	sum.Hash = h.Sum(nil)
	return sum
}

// creditCounted is the number of columns of a credit that are known when it is counted.
const creditCounted = 6
