package central

import (
	"encoding/base32"
	"errors"
	"slices"

	"tirage/ledger"
	"tirage/rules/money"
)

// « Jeu en groupe » is one play divided in receipts, two to ten (Art. loto@2018-10-29:3.4, Art. loto@2018-10-29:8.2). The text of 8.2 is not at hand; what
// a receipt is on line is assumed:
//
//   - An organiser proposes the play ([ProposeGroup]) and passes the invitation on. Who joins takes receipts ([JoinGroup]) and may leave again
//     ([LeaveGroup]). Nothing is debited or reserved meanwhile.
//   - The organiser registers the play ([PlayGroup]). Each member is debited for the receipts taken, the organiser for all others, at least one: all of
//     them and the play in one transaction, or nothing. So nobody's money waits for somebody else, and what is paid is in the draw. One player may hold
//     all receipts.
//   - Each stake counts against the limit of the player who pays it. Receipts are equal; each has the same part of the gains, which is credited to
//     its holder: no money goes from player to player.
//
// The leaf of a registered group shows movements of several players, so it is nobody's own to be handed out.

// ProposeGroup proposes a group play for a draw on sale. The result is a [GroupState] with the invitation.
type ProposeGroup struct {
	Player   int64   `json:"player,string"`
	Draw     string  `json:"draw"`
	Lines    []Line  `json:"lines"`
	Receipts int64   `json:"receipts"`
	Channel  Channel `json:"channel,omitempty"`
}

// GroupState is a group as one of its players sees it.
type GroupState struct {
	Group      ID          `json:"group"`
	Draw       string      `json:"draw"`
	Receipts   int64       `json:"receipts"`
	Taken      int64       `json:"taken"` // by members other than the organiser
	Stake      money.Cents `json:"stake"` // of the play
	Part       money.Cents `json:"part"`  // of a member's receipt
	Yours      int64       `json:"yours"` // receipts that are the player's if the play is registered now
	Cents      money.Cents `json:"cents"` // what the player would be debited
	Lines      []Line      `json:"lines"`
	Invitation string      `json:"invitation,omitempty"` // for the organiser, to pass on
	Play       *ID         `json:"play,omitempty"`       // once it is registered
}

func (ProposeGroup) Kind() string    { return "propose_group" }
func (c ProposeGroup) Keys() []Key   { return []Key{playerKey(c.Player)} }
func (c ProposeGroup) Shared() []Key { return []Key{drawKey(c.Draw)} }

func (c ProposeGroup) Plan(p *Plan) (any, error) {
	if err := p.present(c.Player); err != nil {
		return nil, err
	}
	sale, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	most := int64(sale.book.Sale.GroupMax)
	if most == 0 {
		return nil, refuse(Closed, "group.not_sold", "draw", "%s has no group play; nothing is debited", sale.book.Header.Title)
	}
	if c.Receipts < groupMin || c.Receipts > most {
		r := refuse(Invalid, "group.receipts", "receipts", "%d receipts, accepted %d to %d; nothing is debited", c.Receipts, groupMin, most)
		r.Article = articleOf(sale.book, "sale.group_max")
		return nil, r
	}
	play, err := p.play(sale, c.Player, c.Channel)
	if err != nil {
		return nil, err
	}
	// For the price: what the quick picks draw, and whether the grids are sold out, shows when the play is registered.
	if _, err := (&picking{p: p, sale: sale}).fill(play, c.Lines); err != nil {
		return nil, err
	}
	g := &Group{
		Draw: c.Draw, ID: play.ID, Player: c.Player, Receipts: c.Receipts, Stake: play.Stake, Channel: string(c.Channel), At: play.At,
	}
	if g.Lines, err = writeList(c.Lines); err != nil {
		return nil, err
	}
	var secret [10]byte
	if err := p.Random(secret[:]); err != nil {
		return nil, err
	}
	g.Invitation = base32.StdEncoding.EncodeToString(secret[:])
	p.insert(g)
	return g.state(c.Player)
}

// state is the group as a player sees it.
func (r *Group) state(player int64) (*GroupState, error) {
	members, err := r.members()
	if err != nil {
		return nil, err
	}
	s := &GroupState{
		Group: ID(r.ID), Draw: r.Draw, Receipts: r.Receipts, Taken: r.Receipts - left(r.Receipts, members), Stake: r.Stake, Part: receiptPart(r.Stake, r.Receipts, 2),
	}
	if s.Lines, err = r.lines(); err != nil {
		return nil, err
	}
	if r.Play != 0 {
		play := ID(r.Play)
		s.Play = &play
	}
	for _, h := range r.holders(members) {
		if h.Player == player {
			s.Yours++
			s.Cents = money.Add(s.Cents, h.Cents)
		}
	}
	if player == r.Player {
		s.Invitation = r.Invitation
	}
	return s, nil
}

// holders lists the receipts as they would be, or were, paid: the organiser's first, then those of the members in the order of joining.
func (r *Group) holders(members []GroupMember) []*GroupReceipt {
	list := make([]*GroupReceipt, 0, r.Receipts)
	for _, m := range append([]GroupMember{{r.Player, left(r.Receipts, members)}}, members...) {
		for range m.Receipts {
			n := int64(len(list)) + 1
			list = append(list, &GroupReceipt{Draw: r.Draw, Play: r.Play, N: n, Player: m.Player, Cents: receiptPart(r.Stake, r.Receipts, n)})
		}
	}
	return list
}

// JoinGroup takes receipts of a group: the player agrees to be debited for them when the organiser registers the play. Who knows the invitation may
// join, once. The result is a [GroupState].
type JoinGroup struct {
	Player     int64       `json:"player,string"`
	Draw       string      `json:"draw"`
	Group      ID          `json:"group"`
	Invitation string      `json:"invitation"`
	Receipts   int64       `json:"receipts"`
	Cents      money.Cents `json:"cents"` // what the player agrees to pay for them
}

func (JoinGroup) Kind() string    { return "join_group" }
func (c JoinGroup) Keys() []Key   { return []Key{playerKey(c.Player), groupKey(c.Draw, int64(c.Group))} }
func (c JoinGroup) Shared() []Key { return []Key{drawKey(c.Draw)} }

func (c JoinGroup) Plan(p *Plan) (any, error) {
	if err := p.present(c.Player); err != nil {
		return nil, err
	}
	g, members, err := p.openGroup(c.Draw, c.Group)
	if err != nil {
		return nil, err
	}
	if g.Invitation != c.Invitation {
		return nil, noGroup(c.Group)
	}
	if _, err := p.sale(c.Draw); err != nil {
		return nil, err
	}
	if g.Player == c.Player || slices.ContainsFunc(members, func(m GroupMember) bool { return m.Player == c.Player }) {
		return nil, refuse(Conflict, "group.joined", "player", "you take part in group %v already", c.Group)
	}
	// One receipt at least stays the organiser's.
	if most := left(g.Receipts, members) - 1; c.Receipts < 1 || c.Receipts > most {
		return nil, refuse(SoldOut, "group.full", "receipts", "%d receipts, accepted 1 to %d: %d of %d are taken, one is the organiser's; nothing is debited", c.Receipts, most, g.Receipts-1-most, g.Receipts)
	}
	if want := money.Mul(receiptPart(g.Stake, g.Receipts, 2), c.Receipts); c.Cents != want {
		return nil, refuse(Conflict, "group.cents", "cents", "%v, accepted %v for your receipts; nothing is debited", c.Cents, want)
	}
	if g.Members, err = writeList(append(members, GroupMember{c.Player, c.Receipts})); err != nil {
		return nil, err
	}
	return g.state(c.Player)
}

// openGroup returns a group that is not yet registered, for writing, and its members.
func (p *Plan) openGroup(draw string, id ID) (*Group, []GroupMember, error) {
	g := edit[Group](p, groupKey(draw, int64(id)))
	if g == nil {
		return nil, nil, noGroup(id)
	}
	if g.Play != 0 {
		return nil, nil, refuse(Conflict, "group.played", "group", "group %v is registered as play %s; nothing more is debited", id, PlayID(g.Play))
	}
	members, err := g.members()
	return g, members, err
}

// noGroup is the refusal of a group that does not exist, and of one that the player has nothing to do with.
func noGroup(id ID) *Refusal {
	return refuse(NotFound, "group.unknown", "group", "there is no group %v for you", id)
}

// LeaveGroup gives the player's receipts back to the organiser, at any time before the play is registered. The result is a [GroupState].
type LeaveGroup struct {
	Player int64  `json:"player,string"`
	Draw   string `json:"draw"`
	Group  ID     `json:"group"`
}

func (LeaveGroup) Kind() string  { return "leave_group" }
func (c LeaveGroup) Keys() []Key { return []Key{groupKey(c.Draw, int64(c.Group))} }

func (c LeaveGroup) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	g, members, err := p.openGroup(c.Draw, c.Group)
	if err != nil {
		return nil, err
	}
	staying := slices.DeleteFunc(slices.Clone(members), func(m GroupMember) bool { return m.Player == c.Player })
	if len(staying) == len(members) {
		return nil, noGroup(c.Group)
	}
	if g.Members, err = writeList(staying); err != nil {
		return nil, err
	}
	return g.state(c.Player)
}

// PlayGroup registers a group play: members and organiser are debited and the play is stored, all or nothing. What it costs the organiser must be what the
// organiser saw, so that a member who leaves meanwhile is no surprise. [GroupDesk.Play] makes the command ready. The result is a [GroupBought].
type PlayGroup struct {
	Player int64       `json:"player,string"` // organiser
	Draw   string      `json:"draw"`
	Group  ID          `json:"group"`
	Cents  money.Cents `json:"cents"` // what the organiser agrees to pay

	Clearances map[int64]string `json:"-"` // signed answers of the ban list about the members
}

// GroupBought is the result of [PlayGroup]: the play, which is the group's, and its receipts.
type GroupBought struct {
	Bought
	Receipts []ReceiptBought `json:"receipts"`
}

// ReceiptBought is one receipt of a group play.
type ReceiptBought struct {
	Receipt int64       `json:"receipt"`
	Cents   money.Cents `json:"cents"`
	Yours   bool        `json:"yours"` // the organiser's
}

func (PlayGroup) Kind() string { return "play_group" }

func (c PlayGroup) Keys() []Key {
	keys := []Key{playerKey(c.Player), groupKey(c.Draw, int64(c.Group))}
	for player := range c.Clearances {
		keys = append(keys, playerKey(player))
	}
	return keys
}

func (c PlayGroup) Shared() []Key { return []Key{cappedKey, drawKey(c.Draw)} }

func (c PlayGroup) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	if err := p.shown(); err != nil {
		return nil, err
	}
	g, members, err := p.openGroup(c.Draw, c.Group)
	if err != nil {
		return nil, err
	}
	if g.Player != c.Player {
		return nil, noGroup(c.Group)
	}
	var keys []Key
	for _, m := range members {
		keys = append(keys, playerKey(m.Player), guardKey(m.Player), personKey(m.Player))
	}
	p.Need(keys...)
	lines, err := g.lines()
	if err != nil {
		return nil, err
	}
	t, err := p.ticket(order{player: c.Player, draw: c.Draw, lines: lines, channel: Channel(g.Channel)})
	if err != nil {
		return nil, err
	}
	if t.cents() != g.Stake {
		return nil, refuse(Conflict, "group.price", "", "the play was proposed for %v and costs %v now; nothing is debited, propose it anew", g.Stake, t.cents())
	}
	t.play.Kind, t.play.Shares = KindGroup, g.Receipts
	g.Play = t.play.ID
	holders := g.holders(members)
	if err := c.debit(p, t, holders); err != nil {
		return nil, err
	}
	out := GroupBought{Bought: t.bought}
	for _, h := range holders {
		out.Receipts = append(out.Receipts, ReceiptBought{h.N, h.Cents, h.Player == c.Player})
	}
	return out, nil
}

// debit has every holder pay, player by player, and stores the play with its receipts.
func (c PlayGroup) debit(p *Plan, t *ticket, holders []*GroupReceipt) error {
	for rest := holders; len(rest) > 0; {
		var part money.Cents
		n := 0
		for ; n < len(rest) && rest[n].Player == rest[0].Player; n++ {
			part = money.Add(part, rest[n].Cents)
		}
		if err := c.pay(p, rest[0].Player, part); err != nil {
			return err
		}
		rest = rest[n:]
	}
	p.store(t)
	for _, h := range holders {
		p.append(h)
	}
	return nil
}

// pay takes the part of one player. Why a member cannot pay is that member's own affair.
func (c PlayGroup) pay(p *Plan, player int64, part money.Cents) error {
	accepts := p.standing(c.Clearances[player])
	if player == c.Player {
		if part != c.Cents {
			return refuse(Conflict, "group.cents", "cents", "%v, accepted %v for your receipts; nothing is debited", c.Cents, part)
		}
		accepts = p.stake
	}
	err := accepts(player, part)
	if err == nil {
		err = p.post(ledger.Player(player), ledger.Stakes(c.Draw), part)
	}
	if r := (*Refusal)(nil); player != c.Player && errors.As(err, &r) && r.Code != Unavailable {
		return refuse(Conflict, "group.member", "", "the part of a member, %v, cannot be debited now: the member can put that right or leave the group; nothing is debited", part)
	}
	return err
}
