package central

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/drawing"
	"tirage/rules/pack"
)

// States of a design.
const (
	DesignProposed = "proposed"
	DesignActive   = "active" // sold with every draw that opens
	DesignEnded    = "ended"  // withdrawn before it was active, or no longer put on sale
)

// PackDesign is a pack type that one person has drawn up and, before anything of it is sold, another one has put on sale: with the draws of a game that open
// from then on, and with those on sale that were named. What it is made of never changes; another composition is another design.
type PackDesign struct {
	ID          int64
	Game, Type  string
	State       string
	From        string // first day of a draw that it is sold with, YYYY-MM-DD
	Composition string // pack.Composition as text: "6x10*10"
	Shares      int64
	MaxPacks    int64
	Formulas    string // "1, 2, 5, 10"
	Rules       string // rulebook version that it was checked against
	Proposer    string // principals
	Activator   string
	At          int64  // microseconds, of the last change
	Draws       string // on sale already when it was activated, and sold with it since: "loto-2020-06-22, …"
	Why         string // it ended
}

func (*PackDesign) Table() TableID { return Designs }
func (r *PackDesign) Fields() []any {
	return []any{&r.ID, &r.Game, &r.Type, &r.State, &r.From, &r.Composition, &r.Shares, &r.MaxPacks, &r.Formulas, &r.Rules, &r.Proposer, &r.Activator, &r.At, &r.Draws, &r.Why}
}

func designKey(id int64) Key { return Key{Table: Designs, N: id} }

// Offer returns what is put on sale.
func (r *PackDesign) Offer() (PackOffer, error) {
	c, err := parseComposition(r.Composition)
	if err != nil {
		return PackOffer{}, err
	}
	o := PackOffer{Type: r.Type, Simples: c.Simples, Shares: r.Shares, MaxPacks: r.MaxPacks}
	for _, m := range c.Multiples {
		o.Multiples = append(o.Multiples, m.String())
	}
	f, err := pack.ParseFormulas(r.Formulas)
	o.Formulas = f
	return o, err
}

// ProposePack draws up a pack type. Nothing of it is sold before another person has activated it ([ActivatePack]). The result is a [DesignView].
type ProposePack struct {
	Game      string   `json:"game"`
	From      string   `json:"from"` // first day of a draw that it is sold with
	Type      string   `json:"type"`
	Multiples []string `json:"multiples,omitempty"` // "6x10*10"
	Simples   int      `json:"simples,omitempty"`
	Shares    int64    `json:"shares"`
	MaxPacks  int64    `json:"max_packs"`
	Formulas  []int64  `json:"formulas,omitempty"` // ascending; none: those of the rulebook
}

// ActivatePack is the second person's word. From the commit on the type is sold with the draws named, which are on sale, and with those that open later, from
// the day of the design on. The result is a [DesignView].
type ActivatePack struct {
	Design string   `json:"design"` // printed id
	Draws  []string `json:"draws,omitempty"`
}

// EndPack withdraws a proposal, or takes an active type off the draws that open from then on: what is on sale stays. The result is a [DesignView].
type EndPack struct {
	Design string `json:"design"` // printed id
	Why    string `json:"why"`
}

func (ProposePack) Kind() string  { return "propose_pack" }
func (ProposePack) Keys() []Key   { return nil }
func (ActivatePack) Kind() string { return "activate_pack" }
func (EndPack) Kind() string      { return "end_pack" }

func designKeys(printed string) []Key {
	id, err := ParseProgramID(printed)
	if err != nil {
		return nil
	}
	return []Key{designKey(id)}
}

func (c ActivatePack) Keys() []Key {
	keys := designKeys(c.Design)
	for _, d := range c.Draws[:min(len(c.Draws), maxPackTypes)] {
		keys = append(keys, drawKey(d))
	}
	return keys
}
func (ActivatePack) Shared() []Key { return []Key{gameKey(ServicePacks)} }
func (c EndPack) Keys() []Key      { return designKeys(c.Design) }

// DesignView is a design as the staff sees it.
type DesignView struct {
	Design string    `json:"design"` // printed id
	Game   string    `json:"game"`
	State  string    `json:"state"`
	From   string    `json:"from"`
	Offer  PackOffer `json:"offer"`

	Rules     string    `json:"rules"`
	Proposer  string    `json:"proposer"`
	Activator string    `json:"activator,omitempty"`
	At        time.Time `json:"at"`
	Draws     []string  `json:"draws,omitempty"`
	Why       string    `json:"why,omitempty"`
}

// View returns what the staff sees of a design.
func (r *PackDesign) View() (DesignView, error) {
	o, err := r.Offer()
	v := DesignView{
		Design: PlayID(r.ID), Game: r.Game, State: r.State, From: r.From, Offer: o, Rules: r.Rules, Proposer: r.Proposer, Activator: r.Activator,
		At: utc(r.At), Why: r.Why,
	}
	if r.Draws != "" {
		v.Draws = strings.Split(r.Draws, ", ")
	}
	return v, err
}

// Plan checks the type against the rulebook in force on its first day (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
func (c ProposePack) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	day, err := time.Parse(time.DateOnly, c.From)
	if err != nil || day.Before(parseDay(games.Day(p.Now))) {
		return nil, refuse(Invalid, "design.from", "from", "first day %.20q, accepted a day as YYYY-MM-DD from %s on", c.From, games.Day(p.Now))
	}
	book, err := games.InForce(c.Game, c.From)
	if err != nil {
		return nil, refuse(Invalid, "draw.game", "game", "%v", err)
	}
	o := PackOffer{Type: c.Type, Multiples: c.Multiples, Simples: c.Simples, Shares: c.Shares, MaxPacks: c.MaxPacks, Formulas: c.Formulas}
	t, err := o.packType(&Draw{}, book)
	if err != nil {
		return nil, refuse(Invalid, "pack.type", "type", "%v", err)
	}
	d := &PackDesign{
		ID: p.ID(), Game: c.Game, Type: t.Type, State: DesignProposed, From: c.From, Composition: t.Composition, Shares: t.Shares, MaxPacks: t.MaxPacks,
		Formulas: t.Formulas, Rules: t.Rules, Proposer: p.Principal, At: p.Now.UnixMicro(),
	}
	p.insert(d)
	return d.View()
}

// design returns the design that a command is about, to be changed.
func (p *Plan) design(printed string) (*PackDesign, error) {
	id, err := ParseProgramID(printed)
	if err != nil {
		return nil, refuse(NotFound, "design.none", "design", "there is no design %.40q", printed)
	}
	d := edit[PackDesign](p, designKey(id))
	if d == nil {
		return nil, refuse(NotFound, "design.none", "design", "there is no design %.40q", printed)
	}
	return d, nil
}

func (c ActivatePack) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	d, err := p.design(c.Design)
	switch {
	case err != nil:
		return nil, err
	case d.State != DesignProposed:
		return nil, refuse(Conflict, "design.state", "design", "the design is %s, accepted one that is proposed", d.State)
	case d.Proposer == p.Principal:
		return nil, refuse(Forbidden, "design.same", "", "two people put a pack type on sale: somebody else activates what you proposed")
	case len(c.Draws) > maxPackTypes:
		return nil, refuse(Invalid, "design.draws", "draws", "%d draws are named, accepted at most %d", len(c.Draws), maxPackTypes)
	}
	o, err := d.Offer()
	if err != nil {
		return nil, err
	}
	for _, id := range c.Draws {
		if err := p.addPackType(d, o, id); err != nil {
			return nil, err
		}
	}
	d.State, d.Activator, d.At, d.Draws = DesignActive, p.Principal, p.Now.UnixMicro(), strings.Join(c.Draws, ", ")
	return d.View()
}

// addPackType puts a type on sale with a draw that is on sale already.
func (p *Plan) addPackType(design *PackDesign, o PackOffer, id string) error {
	d := get[Draw](p, drawKey(id))
	if d == nil || d.Game != design.Game || d.Day < design.From || d.State != string(drawing.Open) || p.Now.UnixMicro() >= d.ClosesAt {
		return refuse(Conflict, "design.draw", "draws", "%.60q is not on sale, or no draw of %s from %s on", id, design.Game, design.From)
	}
	sale, err := games.At(d.Game, p.Now)
	if err != nil {
		return refuse(Closed, "draw.rules", "game", "%v", err)
	}
	t, err := o.packType(d, sale)
	if err != nil {
		return refuse(Invalid, "pack.type", "draws", "%v", err)
	}
	if get[PackType](p, KeyOf(t)) != nil {
		return refuse(Conflict, "design.twice", "draws", "draw %s has a pack type %s already", id, o.Type)
	}
	p.insert(t)
	p.count("types/"+id, 1)
	if get[Game](p, gameKey(ServicePacks)) == nil { // what every sale of shares holds must exist
		p.insert(&Game{ID: ServicePacks, At: p.Now.UnixMicro()})
	}
	return nil
}

func (c EndPack) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Why) == "" || len(c.Why) > whyMax || !storable(c.Why) {
		return nil, refuse(Invalid, "design.why", "why", "say why, in at most %d bytes", whyMax)
	}
	d, err := p.design(c.Design)
	if err != nil {
		return nil, err
	}
	if d.State == DesignEnded {
		return nil, refuse(Conflict, "design.state", "design", "the design is %s", d.State)
	}
	d.State, d.At, d.Why = DesignEnded, p.Now.UnixMicro(), c.Why
	return d.View()
}

// ReadDesigns reads all designs, the latest first.
func ReadDesigns(ctx context.Context, snap Snapshot) (list []*PackDesign, err error) {
	err = snap.Scan(ctx, Range{From: Key{Table: Designs}}, func(r Row) error {
		list = append(list, r.(*PackDesign))
		return nil
	})
	slices.SortFunc(list, func(a, b *PackDesign) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) })
	return list, err
}

// ReadDesign reads one design by its printed id.
func ReadDesign(ctx context.Context, snap Snapshot, printed string) (*PackDesign, error) {
	id, err := ParseProgramID(printed)
	if err == nil {
		var row Row
		if row, err = snap.Get(ctx, designKey(id)); err == nil && row != nil {
			return row.(*PackDesign), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, refuse(NotFound, "design.none", "design", "there is no design %.40q", printed)
}

// withDesigns adds the active designs to what is sold with a draw that opens; a design stands for an offer of the same name, the latest for all. One that the
// rulebook of the draw no longer allows is left out: the draw opens all the same.
func withDesigns(ctx context.Context, snap Snapshot, date *DrawDate, offers []PackOffer) ([]PackOffer, error) {
	designs, err := ReadDesigns(ctx, snap)
	if err != nil {
		return nil, err
	}
	named, list := map[string]bool{}, []PackOffer(nil)
	for _, d := range designs {
		if d.State != DesignActive || d.Game != date.Game || d.From > date.Day || named[d.Type] {
			continue
		}
		o, err := d.Offer()
		if err != nil {
			return nil, err
		}
		if o.Check(date.Game, date.Day) == nil {
			named[d.Type], list = true, append(list, o)
		}
	}
	offers = slices.DeleteFunc(slices.Clone(offers), func(o PackOffer) bool { return named[o.Type] })
	return append(offers, list...), nil
}

// checkDesigns: what is active was proposed by one person and activated by another, and every draw named has the type.
func (b *books) checkDesigns() error {
	return b.scan(Designs, func(r Row) error {
		d := r.(*PackDesign)
		if (d.State == DesignActive && d.Activator == "") || (d.State == DesignProposed && d.Activator != "") || d.Activator == d.Proposer {
			return fmt.Errorf("design %s is %s, proposed by %s and activated by %q", PlayID(d.ID), d.State, d.Proposer, d.Activator)
		}
		v, err := d.View()
		if err != nil {
			return fmt.Errorf("design %s: %w", PlayID(d.ID), err)
		}
		for _, draw := range v.Draws {
			row, err := b.snap.Get(b.ctx, Key{Table: PackTypes, S: draw, U: d.Type})
			if err != nil {
				return err
			}
			if t, ok := row.(*PackType); !ok || t.Composition != d.Composition || t.Shares != d.Shares {
				return fmt.Errorf("design %s: draw %s does not sell it", PlayID(d.ID), draw)
			}
		}
		return nil
	})
}
