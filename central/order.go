package central

import (
	"errors"
	"fmt"
	"slices"

	"tirage/ledger"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// Channel is where a play is sold. Every sale carries it; a register that takes bare accounts ([Config.AllowBare]) sells without one too, for tools
// that stand for no channel.
type Channel string

// The channels. Packs are sold on the first two only (Art. loto@2018-10-29:2.1).
const (
	ChannelWeb    Channel = "web"    // the operator's site
	ChannelApp    Channel = "app"    // its applications
	ChannelRetail Channel = "retail" // points of sale
)

// Channels lists them.
var Channels = []Channel{ChannelWeb, ChannelApp, ChannelRetail}

// order is one play asked for: grids for one draw, with the games added to it.
type order struct {
	player  int64
	draw    string
	lines   []Line
	channel Channel
	addOns  []AddOn
}

// ticket is a play as it is planned, whole and not yet debited: what [Plan.sell] stores and what its buyer is told.
type ticket struct {
	play   *Play
	addOns []*AddOnRow
	bought Bought
}

// cents is what the ticket costs.
func (t *ticket) cents() money.Cents {
	sum := t.play.Stake
	for _, a := range t.addOns {
		sum = money.Add(sum, a.Stake)
	}
	return sum
}

// ticket plans one play of grids: draws the quick picks, reserves the codes, works out the price. Nothing is debited or stored.
func (p *Plan) ticket(o order) (*ticket, error) {
	sale, err := p.sale(o.draw)
	if err != nil {
		return nil, err
	}
	play, err := p.play(sale, o.player, o.channel)
	if err != nil {
		return nil, err
	}
	picking, err := p.picking(sale)
	if err != nil {
		return nil, err
	}
	lines, err := picking.fill(play, o.lines)
	if err != nil {
		return nil, err
	}
	if play.CodeAt, play.CodeAt2, err = p.reserveCodes(sale, play.Combos); err != nil {
		return nil, err
	}
	t := &ticket{play: play, bought: Bought{Play: PlayID(play.ID), Cents: play.Stake, Rules: play.SaleRules, Combos: play.Combos}}
	t.bought.Attempts = picking.note("", play.ID)
	for _, l := range lines {
		t.bought.Grids = append(t.bought.Grids, l.String())
	}
	if t.bought.Codes, err = sale.codeRuns(play.Combos, play.CodeAt, play.CodeAt2); err != nil {
		return nil, err
	}
	return t, t.add(p, sale, o.addOns)
}

// play returns a play for the draw that holds nothing yet.
func (p *Plan) play(s *saleOf, player int64, c Channel) (*Play, error) {
	if err := p.channel(c); err != nil {
		return nil, err
	}
	return &Play{
		Draw: s.draw.ID, ID: p.ID(), Player: player, At: p.Now.UnixMicro(), Channel: string(c),
		SaleRules: s.book.Header.Version(), PrizeRules: s.prizes.Header.Version(),
	}, nil
}

// channel refuses a sale that names no channel.
func (p *Plan) channel(c Channel) error {
	if !slices.Contains(Channels, c) && (c != "" || p.bare() != nil) {
		return refuse(Invalid, "sale.channel", "channel", "channel %.20q, accepted %q", c, Channels)
	}
	return nil
}

// fill gives a play its grids and its stake: the price of each simple combination.
func (k *picking) fill(play *Play, lines []Line) (grids []combin.Combination, err error) {
	if len(lines) < 1 || len(lines) > maxLines {
		return nil, refuse(Invalid, "play.lines", "lines", "%d grids, accepted 1 to %d", len(lines), maxLines)
	}
	grids = make([]combin.Combination, len(lines))
	play.Kind = KindSimple
	for i, l := range lines {
		if grids[i], err = k.line(l, play.ID, i); err != nil {
			return nil, err
		}
		if l.Grid == 0 {
			play.Quick |= 1 << i
		}
		n := grids[i].Count(k.sale.book.Matrix)
		if n > 1 {
			play.Kind = KindMultiple
		}
		play.Combos += n
	}
	play.Lines = packLines(grids)
	play.Stake = money.Mul(k.sale.book.Sale.Price, play.Combos)
	return grids, nil
}

// sell debits tickets of one player and stores them: all or none, one transaction, one leaf. The player buys, or the system for the player; a
// member of the staff has no account and never buys. A sale is final: no command takes it back (Art. loto@2018-10-29:14.8,
// Art. euromillions@2018-10-29:3.4.2.6: « Lorsqu’il valide sa prise de jeu, celle-ci devient irrévocable »).
func (p *Plan) sell(tickets ...*ticket) error { return p.sellIf(p.stake, tickets...) }

// sellIf sells where a check accepts the stake: that of a player who plays now, or of a standing instruction.
func (p *Plan) sellIf(accepts func(player int64, cents money.Cents) error, tickets ...*ticket) error {
	player, cents := tickets[0].play.Player, money.Cents(0)
	for _, t := range tickets {
		cents = money.Add(cents, t.cents())
	}
	if err := p.own(player); err != nil {
		return err
	}
	if err := p.shown(); err != nil {
		return err
	}
	if err := accepts(player, cents); err != nil {
		return err
	}
	// The refusal names what the whole order needs, not what is missing for the last of its plays.
	if pl := get[Player](p, playerKey(player)); pl.Balance < cents {
		return insufficient(cents, pl.Balance)
	}
	for _, t := range tickets {
		if err := p.post(ledger.Player(player), ledger.Stakes(t.play.Draw), t.cents()); err != nil {
			return err
		}
		p.store(t)
	}
	return nil
}

// store stores a ticket that is paid.
func (p *Plan) store(t *ticket) {
	p.append(t.play)
	p.sold(t.play.Draw, t.play.Kind, t.play.Stake)
	for _, a := range t.addOns {
		p.append(a)
		p.sold(a.Draw, a.Game, a.Stake)
	}
}

// sold counts a play of a kind, or a game added to one: from these counters the seal knows that nothing was lost.
func (p *Plan) sold(draw, kind string, stake money.Cents) {
	p.count("plays/"+draw+"/"+kind, 1)
	p.count("cents/"+draw+"/"+kind, int64(stake))
}

func insufficient(needed, available money.Cents) *Refusal {
	return refuse(Insufficient, "balance.insufficient", "", "%v is needed, %v is available", needed, available)
}

// maxAhead bounds the draws of one order: five weeks of Loto (assumed).
const maxAhead = 15

// tickets plans an order for several draws: one play for each, all on sale now, all of one game. The order is accepted for all or refused whole.
func (p *Plan) tickets(o order, further []string) ([]*ticket, error) {
	if len(further) >= maxAhead {
		return nil, refuse(Invalid, "order.draws", "further", "%d draws, accepted 1 to %d; nothing is debited", len(further)+1, maxAhead)
	}
	first, err := p.ticket(o)
	if err != nil {
		return nil, err
	}
	p.needCodes(further, first.play.Combos)
	tickets := []*ticket{first}
	game := get[Draw](p, drawKey(o.draw)).Game
	for i, draw := range further {
		field := fmt.Sprintf("further.%d", i)
		if slices.ContainsFunc(tickets, func(t *ticket) bool { return t.play.Draw == draw }) {
			return nil, refuse(Invalid, "order.twice", field, "draw %q stands twice; nothing is debited", draw)
		}
		if d := get[Draw](p, drawKey(draw)); d != nil && d.Game != game {
			return nil, refuse(Invalid, "order.game", field, "draw %s is one of %s, accepted draws of %s as the first; nothing is debited", draw, d.Game, game)
		}
		o.draw = draw
		t, err := p.ticket(o)
		if r := (*Refusal)(nil); errors.As(err, &r) && r.Field == "draw" {
			r.Field = field
		}
		if err != nil {
			return nil, err
		}
		tickets = append(tickets, t)
	}
	return tickets, nil
}

// boughtFor tells the buyer of several draws what each play holds.
func boughtFor(tickets []*ticket) Bought {
	out := tickets[0].bought
	if len(tickets) == 1 {
		return out
	}
	for i, t := range tickets {
		t.bought.Draw = t.play.Draw
		out.Total = money.Add(out.Total, t.bought.Cents)
		if i > 0 {
			out.Further = append(out.Further, t.bought)
		}
	}
	out.Draw = tickets[0].bought.Draw
	return out
}
