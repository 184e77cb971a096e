package central

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// Flow is where the money of a draw came from and where it went, to the cent: In and Out add up to the same.
type Flow struct {
	In       []FlowPart  `json:"in"`
	Out      []FlowPart  `json:"out"`
	Total    money.Cents `json:"total"`
	Gains    money.Cents `json:"gains"`    // of this system's plays and packs, part of Out, and of them:
	Players  money.Cents `json:"players"`  // credited, or waiting for their winners
	Reserve  money.Cents `json:"reserve"`  // parts of unsold shares
	Rounding money.Cents `json:"rounding"` // of the parts of packs and groups, of either sign
}

// FlowPart is one amount of a [Flow]. Kind is "players" or "unsold" (stakes), "rank" (Rank), "code" (Of a series), "added" (Of a game), or the account
// that the money came from or went to: "fund" (Of "loto/reserve"), "operator" (Of a game), "outside", "crumbs".
type FlowPart struct {
	Kind  string      `json:"kind"`
	Of    string      `json:"of,omitempty"`
	Rank  int         `json:"rank,omitempty"`
	Cents money.Cents `json:"cents"`
}

// Kinds of parts of a flow that are no accounts.
const (
	FlowPlayers = "players"
	FlowUnsold  = "unsold"
	FlowRank    = "rank"
	FlowCode    = "code"
	FlowAdded   = "added"
)

// ReadFlow works out what became of the stakes of a published draw: it plans the postings of the approval again, from the papers alone, and writes nothing.
func ReadFlow(ctx context.Context, snap Snapshot, draw string) (*Flow, error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	if d.State != string(drawing.Published) {
		return nil, refuse(NotFound, "draw.unpublished", "draw", "the result of draw %s is not published", draw)
	}
	m, err := readDoc[Manifest](ctx, snap, draw, DocManifest, 0)
	if err != nil {
		return nil, err
	}
	c, err := readDoc[Count](ctx, snap, draw, DocCount, d.Version)
	if err != nil {
		return nil, err
	}
	net, err := replayPrizes(ctx, snap, d)
	if err != nil {
		return nil, err
	}
	f := &Flow{Gains: c.Gains, Players: c.Due, Rounding: c.Rounding()}
	for _, cents := range c.Packs.Reserve {
		f.Reserve = money.Add(f.Reserve, cents)
	}
	f.stakes(m, -net[ledger.Stakes(draw)])
	f.gains(c)
	f.accounts(d, c, net)
	return f, f.check()
}

// replayPrizes returns what each account gains by the approval of a draw: [Plan.postPrizes] planned on its papers and on empty accounts.
func replayPrizes(ctx context.Context, snap Snapshot, d *Draw) (map[ledger.Account]money.Cents, error) {
	b := newBatch(MaxNodes)
	for _, k := range []Key{docKey(d.ID, DocManifest, 0), docKey(d.ID, DocResult, d.Version), docKey(d.ID, DocCount, d.Version)} {
		row, err := snap.Get(ctx, k)
		if err != nil {
			return nil, err
		}
		b.view[k] = row
	}
	for _, k := range totalKeys(Accounts, string(ledger.Prizes(d.ID))) {
		b.view[k] = nil
	}
	p := &Plan{batch: b}
	if err := p.postPrizes(d); err != nil {
		return nil, err
	}
	net := map[ledger.Account]money.Cents{}
	for _, line := range p.posts {
		net[ledger.Account(line.From)] -= line.Cents
		net[ledger.Account(line.To)] += line.Cents
	}
	return net, nil
}

func (f *Flow) in(p FlowPart) {
	if p.Cents > 0 {
		f.In, f.Total = append(f.In, p), money.Add(f.Total, p.Cents)
	}
}

func (f *Flow) out(p FlowPart) {
	if p.Cents > 0 {
		f.Out = append(f.Out, p)
	}
}

// stakes are what players and, for unsold shares, the operator have staked.
func (f *Flow) stakes(m *Manifest, all money.Cents) {
	f.in(FlowPart{Kind: FlowPlayers, Cents: all - m.Sales.UnsoldCents})
	f.in(FlowPart{Kind: FlowUnsold, Cents: m.Sales.UnsoldCents})
}

// gains are those of the plays and packs of this system, by rank, series of codes and added game.
func (f *Flow) gains(c *Count) {
	for i, n := range c.Winners {
		f.out(FlowPart{Kind: FlowRank, Rank: i + 1, Cents: money.Mul(c.Unit[i], n)})
	}
	for _, code := range c.Codes {
		f.out(FlowPart{Kind: FlowCode, Of: code.Series, Cents: money.Mul(code.Unit, code.Ours)})
	}
	for _, a := range c.AddOns {
		var sum money.Cents
		for i, n := range a.Winners {
			sum = money.Add(sum, money.Mul(a.Unit[i], n))
		}
		f.out(FlowPart{Kind: FlowAdded, Of: a.Game, Cents: sum})
	}
}

// accounts are all others that gave or received. What packs and groups leave of their gains is part of the gains already.
func (f *Flow) accounts(d *Draw, c *Count, net map[ledger.Account]money.Cents) {
	delete(net, ledger.Stakes(d.ID))
	delete(net, ledger.Prizes(d.ID))
	net[ledger.Rounding(d.ID)] -= c.Rounding()
	for fund, cents := range c.Packs.Reserve {
		net[ledger.Account("fund/"+fund)] -= cents
	}
	names := make([]ledger.Account, 0, len(net))
	for a := range net {
		names = append(names, a)
	}
	slices.Sort(names)
	for _, a := range names {
		kind, of, _ := strings.Cut(string(a), "/")
		if of == d.ID {
			of = ""
		}
		f.out(FlowPart{Kind: kind, Of: of, Cents: net[a]})
		f.in(FlowPart{Kind: kind, Of: of, Cents: -net[a]})
	}
}

// check makes sure that what came is what went.
func (f *Flow) check() error {
	var out money.Cents
	for _, p := range f.Out {
		out = money.Add(out, p.Cents)
	}
	if out != f.Total || f.Gains != money.Sum(f.Players, f.Reserve, f.Rounding) {
		return fmt.Errorf("flow: %v came and %v went; gains of %v, but %v to players, %v to reserve funds and %v of rounding", f.Total, out, f.Gains, f.Players, f.Reserve, f.Rounding)
	}
	return nil
}
