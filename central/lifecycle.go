package central

import (
	"slices"
	"time"

	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// CloseDraw ends the sales of a draw. The operator takes up the unsold shares of its packs. The result is a [DrawClosed].
type CloseDraw struct {
	Draw  string   `json:"draw"`
	Types []string `json:"types"` // all its pack types
}

// DrawClosed is the result of [CloseDraw].
type DrawClosed struct {
	UnsoldShares int64       `json:"unsold_shares"`
	UnsoldCents  money.Cents `json:"unsold_cents"`
}

func (CloseDraw) Kind() string { return "close_draw" }
func (c CloseDraw) Keys() []Key {
	keys := append(totalKeys(Counters, "types/"+c.Draw), drawKey(c.Draw))
	for _, t := range c.Types {
		keys = append(keys, typeKey(c.Draw, t))
	}
	return keys
}

func (c CloseDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Closed)
	if err != nil {
		return nil, err
	}
	if p.Now.UnixMicro() < d.ClosesAt {
		return nil, refuse(Conflict, "draw.early", "", "draw %s is on sale until %v", d.ID, time.UnixMicro(d.ClosesAt).UTC())
	}
	names := slices.Compact(slices.Sorted(slices.Values(c.Types)))
	if n := p.total(Counters, "types/"+d.ID); int64(len(names)) != n {
		return nil, refuse(Invalid, "close.types", "types", "%d pack types are named, accepted all %d of the draw", len(names), n)
	}
	var out DrawClosed
	for _, name := range names {
		t := get[PackType](p, typeKey(c.Draw, name))
		if t == nil {
			return nil, refuse(NotFound, "pack.unknown", "types", "draw %s has no pack type %q", c.Draw, name)
		}
		unsold := t.Opened*t.Shares - t.Sold
		out.UnsoldShares += unsold
		out.UnsoldCents = money.Add(out.UnsoldCents, money.Mul(t.SharePrice, unsold))
	}
	// The stake of unsold shares is the operator's: the pack plays in full (inferred).
	if err := p.postSigned(ledger.Unsold(d.ID), ledger.Stakes(d.ID), out.UnsoldCents); err != nil {
		return nil, err
	}
	if out.UnsoldShares > 0 {
		p.count("unsold/"+d.ID, out.UnsoldShares)
		p.count("unsold-cents/"+d.ID, int64(out.UnsoldCents))
	}
	d.State = string(drawing.Closed)
	return out, nil
}

// draw returns the draw for a move to another state, or the refusal that says which states it may go to.
func (p *Plan) draw(id string, to drawing.State) (*Draw, error) {
	d := edit[Draw](p, drawKey(id))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", id)
	}
	if err := drawing.Check(drawing.State(d.State), to); err != nil {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: %v", id, err)
	}
	return d, nil
}

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
	keys := append(totalKeys(Accounts, string(ledger.Stakes(c.Draw))), drawKey(c.Draw), dateKey(c.Draw), docKey(c.Draw, DocManifest, 0))
	for _, kind := range soldKinds() {
		keys = append(keys, totalKeys(Counters, "plays/"+c.Draw+"/"+kind)...)
		keys = append(keys, totalKeys(Counters, "cents/"+c.Draw+"/"+kind)...)
	}
	keys = append(keys, totalKeys(Counters, "packs/"+c.Draw)...)
	keys = append(keys, totalKeys(Counters, "unsold/"+c.Draw)...)
	return append(keys, totalKeys(Counters, "unsold-cents/"+c.Draw)...)
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
	if err := checkTerms(d, m); err != nil {
		return nil, err
	}
	if err := checkAnnounced(get[DrawDate](p, dateKey(c.Draw)), &m.Terms); err != nil {
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
	var sold []KindCount
	for _, kind := range soldKinds() {
		k := KindCount{kind, p.total(Counters, "plays/"+s.Draw+"/"+kind), money.Cents(p.total(Counters, "cents/"+s.Draw+"/"+kind))}
		if k.Plays > 0 {
			sold = append(sold, k)
		}
	}
	if !slices.Equal(sold, s.Kinds) {
		return refuse(Conflict, "seal.count", "manifest", "plays %v are sealed, %v were sold", s.Kinds, sold)
	}
	packs, unsold, cents := p.total(Counters, "packs/"+s.Draw), p.total(Counters, "unsold/"+s.Draw), money.Cents(p.total(Counters, "unsold-cents/"+s.Draw))
	if packs != s.Packs || unsold != s.UnsoldShares || cents != s.UnsoldCents {
		return refuse(Conflict, "seal.packs", "manifest", "%d packs with %d unsold shares of %v are sealed, %d with %d of %v were sold", s.Packs, s.UnsoldShares, s.UnsoldCents, packs, unsold, cents)
	}
	var byRules money.Cents
	for _, r := range s.Rules {
		byRules = money.Add(byRules, r.Cents)
	}
	if byRules != s.Stakes {
		return refuse(Conflict, "seal.rules", "manifest", "%v are sealed by rulebook, %v in all", byRules, s.Stakes)
	}
	return nil
}

// checkTerms refuses terms with which no result could be settled.
func checkTerms(d *Draw, m *Manifest) error {
	if m.Terms.Official != nil && d.Reconstructed == 0 {
		return refuse(Invalid, "seal.official", "manifest", "unit gains are given for a reconstructed draw only")
	}
	if err := settles(d, m, &Result{}, &Outside{}); err != nil {
		return refuse(Invalid, "seal.terms", "manifest", "%v", err)
	}
	return nil
}

// settles tries the prize rules on the winners elsewhere alone.
func settles(d *Draw, m *Manifest, r *Result, o *Outside) error {
	book, err := drawBook(d)
	if err != nil {
		return err
	}
	if _, err := settle(d, book, m, r, plus(make(prize.Winners, len(book.Prizes.Ranks)), o.Winners)); err != nil {
		return err
	}
	return settleAddOns(d, m, o)
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
	if why := m.Sales.Differs(sales); why != "" {
		return p.hold(d, drawing.Sealed, why), nil
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocSales, Body: c.Sales})
	d.State = string(drawing.Balanced)
	return State{State: d.State}, nil
}
