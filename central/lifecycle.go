package central

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// SealDraw fixes the plays and the terms of a closed draw. The manifest is signed by the operator; it must agree with the ledger and with
// the counters that the sales kept, or the draw stays closed.
type SealDraw struct {
	Draw     string `json:"draw"`
	Manifest string `json:"manifest"`
}

// State is the result of a command that moves a draw on.
type State struct {
	State string `json:"state"`
	Why   string `json:"why,omitempty"` // for held
}

func (SealDraw) Kind() string { return "seal_draw" }
func (c SealDraw) Keys() []Key {
	keys := append(totalKeys(Accounts, string(ledger.Stakes(c.Draw))), drawKey(c.Draw), docKey(c.Draw, DocManifest, 0))
	for _, kind := range playKinds {
		keys = append(keys, totalKeys(Counters, "plays/"+c.Draw+"/"+kind)...)
		keys = append(keys, totalKeys(Counters, "cents/"+c.Draw+"/"+kind)...)
	}
	keys = append(keys, totalKeys(Counters, "packs/"+c.Draw)...)
	return append(keys, totalKeys(Counters, "unsold/"+c.Draw)...)
}

func (c SealDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Sealed)
	if err != nil {
		return nil, err
	}
	m, err := paper[Manifest](p, c.Manifest, RoleOperator, "manifest")
	if err != nil {
		return nil, err
	}
	if m.Sales.Draw != d.ID {
		return nil, refuse(Invalid, "manifest.draw", "manifest", "it seals %s, not %s", m.Sales.Draw, d.ID)
	}
	if err := p.checkSales(&m.Sales); err != nil {
		return nil, err
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocManifest, Body: c.Manifest})
	d.State = string(drawing.Sealed)
	return State{State: d.State}, nil
}

// checkSales compares what the sealed plays add up to with the ledger and with what the sales counted one by one: a play lost or
// added between the sale and the seal is found here.
func (p *Plan) checkSales(s *Sales) error {
	if ledgers := p.balance(ledger.Stakes(s.Draw)); ledgers != s.Stakes {
		return refuse(Conflict, "seal.stakes", "manifest", "the sealed plays hold %v, the ledger %v", s.Stakes, ledgers)
	}
	for _, kind := range playKinds {
		var sealed KindCount
		for _, k := range s.Kinds {
			if k.Kind == kind {
				sealed = k
			}
		}
		plays, cents := p.total(Counters, "plays/"+s.Draw+"/"+kind), p.total(Counters, "cents/"+s.Draw+"/"+kind)
		if plays != sealed.Plays || cents != int64(sealed.Cents) {
			return refuse(Conflict, "seal.count", "manifest", "%d plays %s of %v are sealed, %d of %v were sold", sealed.Plays, kind, sealed.Cents, plays, money.Cents(cents))
		}
	}
	packs, unsold := p.total(Counters, "packs/"+s.Draw), p.total(Counters, "unsold/"+s.Draw)
	if packs != s.Packs || unsold != s.UnsoldShares {
		return refuse(Conflict, "seal.packs", "manifest", "%d packs with %d unsold shares are sealed, %d with %d were sold", s.Packs, s.UnsoldShares, packs, unsold)
	}
	return nil
}

// BalanceDraw takes the control's own count of the sealed plays. Where it differs from the manifest the draw is held.
type BalanceDraw struct {
	Draw  string `json:"draw"`
	Sales string `json:"sales"` // signed by the control
}

func (BalanceDraw) Kind() string { return "balance_draw" }
func (c BalanceDraw) Keys() []Key {
	return []Key{drawKey(c.Draw), docKey(c.Draw, DocManifest, 0), docKey(c.Draw, DocSales, 0)}
}

func (c BalanceDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Balanced)
	if err != nil {
		return nil, err
	}
	sales, err := paper[Sales](p, c.Sales, RoleControl, "sales")
	if err != nil {
		return nil, err
	}
	m, err := stored[Manifest](p, d.ID, DocManifest, 0)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(&m.Sales, sales) {
		return p.hold(d, drawing.Sealed, "the control's count of the plays differs from the manifest"), nil
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocSales, Body: c.Sales})
	d.State = string(drawing.Balanced)
	return State{State: d.State}, nil
}

// hold stops a draw: the act is accepted and logged, nothing moves until the cause is settled.
func (p *Plan) hold(d *Draw, resume drawing.State, why string) State {
	d.State, d.Resume = string(drawing.Held), string(resume)
	return State{State: d.State, Why: why}
}

// ResumeDraw takes a held draw back to the state in which it was stopped, once the cause is settled.
type ResumeDraw struct {
	Draw string `json:"draw"`
	Why  string `json:"why"`
}

func (ResumeDraw) Kind() string  { return "resume_draw" }
func (c ResumeDraw) Keys() []Key { return []Key{drawKey(c.Draw)} }

func (c ResumeDraw) Plan(p *Plan) (any, error) {
	d := edit[Draw](p, drawKey(c.Draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", c.Draw)
	}
	if strings.TrimSpace(c.Why) == "" {
		return nil, refuse(Invalid, "draw.why", "why", "say what was found and settled")
	}
	if err := drawing.CheckResume(drawing.State(d.State), drawing.State(d.Resume)); err != nil {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: %v", d.ID, err)
	}
	d.State, d.Resume = d.Resume, ""
	return State{State: d.State}, nil
}

// RecordResult records what was drawn, and what other points of sale and countries report of it. A second result before the payment is
// approved replaces the first as the next version.
type RecordResult struct {
	Draw    string `json:"draw"`
	Result  string `json:"result"`  // signed by the operator
	Outside string `json:"outside"` // signed by the operator
}

func (RecordResult) Kind() string  { return "record_result" }
func (c RecordResult) Keys() []Key { return []Key{drawKey(c.Draw)} }

func (c RecordResult) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Drawn)
	if err != nil {
		return nil, err
	}
	r, err := paper[Result](p, c.Result, RoleOperator, "result")
	if err != nil {
		return nil, err
	}
	o, err := paper[Outside](p, c.Outside, RoleOperator, "outside")
	if err != nil {
		return nil, err
	}
	version := d.Version + 1
	if r.Draw != d.ID || o.Draw != d.ID || r.Version != version || o.Version != version {
		return nil, refuse(Conflict, "result.version", "result", "result %d of %s with outside winners %d of %s, accepted version %d of %s", r.Version, r.Draw, o.Version, o.Draw, version, d.ID)
	}
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	if err := checkResult(r, o, book, d); err != nil {
		return nil, err
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocResult, Version: version, Body: c.Result})
	p.insert(&Doc{Draw: d.ID, Kind: DocOutside, Version: version, Body: c.Outside})
	d.State, d.Version, d.Slices, d.Paid = string(drawing.Drawn), version, 0, 0
	return State{State: d.State}, nil
}

// checkResult refuses numbers outside the matrix, a wrong number of them, codes that the draw does not issue.
func checkResult(r *Result, o *Outside, book *rulebook.Rulebook, d *Draw) error {
	drawn, err := combin.Of(r.Main, r.Extra)
	if err == nil {
		err = book.Matrix.Check(drawn)
	}
	if err != nil {
		return refuse(Invalid, "result.numbers", "result", "%v", err)
	}
	if len(r.Main) != book.Matrix.Main || len(r.Extra) != book.Matrix.Extra {
		return refuse(Invalid, "result.numbers", "result", "%d + %d numbers, accepted %d + %d", len(r.Main), len(r.Extra), book.Matrix.Main, book.Matrix.Extra)
	}
	if len(o.Winners) != 0 && len(o.Winners) != len(book.Prizes.Ranks) {
		return refuse(Invalid, "result.outside", "outside", "winners of %d ranks, accepted %d", len(o.Winners), len(book.Prizes.Ranks))
	}
	if _, err := time.Parse(time.DateOnly, r.Claims); r.Claims != "" && (err != nil || r.Claims < d.Day) {
		return refuse(Invalid, "result.claims", "result", "last day of payment %.20q, accepted a day as YYYY-MM-DD, not before the draw", r.Claims)
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	if err != nil {
		return err
	}
	for id, drawn := range r.Codes {
		i := slices.IndexFunc(series, func(s *codeSeries) bool { return s.ID == id })
		if i < 0 {
			return refuse(Invalid, "result.codes", "result", "codes %q: this draw issues no such codes", id)
		}
		seen := map[int64]bool{}
		for _, c := range drawn {
			n, err := series[i].Parse(c)
			if err != nil {
				return refuse(Invalid, "result.codes", "result", "%v", err)
			}
			if seen[n] {
				return refuse(Invalid, "result.codes", "result", "code %s stands twice", c)
			}
			seen[n] = true
		}
	}
	return nil
}

// CountDraw takes the winners and gains of a result as the operator and as the control worked them out. Both must be equal, or the
// draw is held. From then on each slice of credits is fixed by its hash.
type CountDraw struct {
	Draw    string `json:"draw"`
	Count   string `json:"count"`   // signed by the operator
	Control string `json:"control"` // signed by the control
}

func (CountDraw) Kind() string  { return "count_draw" }
func (c CountDraw) Keys() []Key { return []Key{drawKey(c.Draw), docKey(c.Draw, DocManifest, 0)} }

func (c CountDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Counted)
	if err != nil {
		return nil, err
	}
	ours, err := paper[Count](p, c.Count, RoleOperator, "count")
	if err != nil {
		return nil, err
	}
	control, err := paper[Count](p, c.Control, RoleControl, "control")
	if err != nil {
		return nil, err
	}
	if ours.Draw != d.ID || ours.Version != d.Version {
		return nil, refuse(Conflict, "count.version", "count", "it counts version %d of %s, the result is version %d of %s", ours.Version, ours.Draw, d.Version, d.ID)
	}
	if !reflect.DeepEqual(ours, control) {
		return p.hold(d, drawing.Drawn, "operator and control count different winners or gains"), nil
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocCount, Version: d.Version, Body: c.Count})
	p.insert(&Doc{Draw: d.ID, Kind: DocControl, Version: d.Version, Body: c.Control})
	for i, s := range ours.Slices {
		p.insert(&Slice{Draw: d.ID, Version: d.Version, N: int64(i), Credits: s.Credits, Cents: s.Cents, Hash: s.Hash})
	}
	d.State, d.Slices, d.Paid = string(drawing.Counted), int64(len(ours.Slices)), 0
	return State{State: d.State}, nil
}

// ApproveDraw is an officer's word that a counted result may be paid. It moves the prize money of the draw to where the rules send it; the
// players' part waits in prizes/<draw> for the slices.
type ApproveDraw struct {
	Draw    string `json:"draw"`
	Version int64  `json:"version"`
}

func (ApproveDraw) Kind() string { return "approve_draw" }
func (c ApproveDraw) Keys() []Key {
	keys := []Key{drawKey(c.Draw), docKey(c.Draw, DocManifest, 0)}
	for _, kind := range []string{DocResult, DocOutside, DocCount} {
		keys = append(keys, docKey(c.Draw, kind, c.Version))
	}
	return keys
}

func (c ApproveDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Approved)
	if err != nil {
		return nil, err
	}
	if c.Version != d.Version {
		return nil, refuse(Conflict, "approve.version", "version", "version %d, the result counted is version %d", c.Version, d.Version)
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
			keys[i] = KeyOf(&c.credits[i])
		}
		p.Need(keys...)
	}
	prizes := ledger.Prizes(c.Draw)
	var cents money.Cents
	for i := range c.credits {
		credit := &c.credits[i]
		if partly && get[Credit](p, KeyOf(credit)) != nil {
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
	return held, nil
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

// PublishDraw publishes the notice of a settled draw.
type PublishDraw struct {
	Draw   string `json:"draw"`
	Notice string `json:"notice"` // signed by the operator
}

func (PublishDraw) Kind() string  { return "publish_draw" }
func (c PublishDraw) Keys() []Key { return []Key{drawKey(c.Draw)} }

func (c PublishDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Published)
	if err != nil {
		return nil, err
	}
	n, err := paper[Notice](p, c.Notice, RoleOperator, "notice")
	if err != nil {
		return nil, err
	}
	if n.Draw != d.ID || n.Version != d.Version {
		return nil, refuse(Conflict, "notice.version", "notice", "notice of version %d of %s, accepted version %d of %s", n.Version, n.Draw, d.Version, d.ID)
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocNotice, Version: d.Version, Body: c.Notice})
	d.State = string(drawing.Published)
	return State{State: d.State}, nil
}
