package central

import (
	"context"

	"tirage/rules/money"
)

// ReadGroup returns a group as a player sees it: its organiser, a member, or who knows the invitation.
func ReadGroup(ctx context.Context, snap Snapshot, draw string, id ID, player int64, invitation string) (*GroupState, error) {
	row, err := snap.Get(ctx, groupKey(draw, int64(id)))
	if err != nil {
		return nil, err
	}
	g, _ := row.(*Group)
	if g == nil {
		return nil, noGroup(id)
	}
	s, err := g.state(player)
	if err == nil && s.Yours == 0 && g.Invitation != invitation {
		return nil, noGroup(id)
	}
	return s, err
}

// ReadGroups returns the groups of a draw in which a player takes part, the first proposed at the head. It goes through all groups of the draw.
func ReadGroups(ctx context.Context, snap Snapshot, draw string, player int64) (list []*GroupState, err error) {
	err = snap.Scan(ctx, Range{From: groupKey(draw, 0), Prefix: 1}, func(r Row) error {
		s, err := r.(*Group).state(player)
		if err == nil && s.Yours > 0 {
			list = append(list, s)
		}
		return err
	})
	return list, err
}

// GroupDesk makes the registration of group plays ready: it asks the ban list about the members, as a login does about the player who logs in.
type GroupDesk struct {
	Register *Register
	Store    Reader
	BanList  BanList
}

// Play registers a group play, for the principal and under the key of its organiser.
func (g *GroupDesk) Play(ctx context.Context, principal, key string, c PlayGroup) (Receipt, error) {
	answers, err := g.ask(ctx, c)
	if err != nil {
		return Receipt{}, err
	}
	c.Clearances = answers
	return g.Register.Do(ctx, Request{Principal: principal, Key: key, Command: c})
}

// Ready returns an order as it is planned, to be quoted or confirmed: a group play with the answers of the ban list about its members, any other one as it
// is. The answers are no part of the quote, which stays the same with fresher ones.
func (g *GroupDesk) Ready(ctx context.Context, s Sale) (Sale, error) {
	c, ok := s.(PlayGroup)
	if !ok {
		return s, nil
	}
	var err error
	c.Clearances, err = g.ask(ctx, c)
	return c, err
}

// ask asks about each member that has a person. A list that does not answer leaves out its answer, so that the command is refused: it fails closed, and a
// request that was accepted before still gets its receipt.
func (g *GroupDesk) ask(ctx context.Context, c PlayGroup) (map[int64]string, error) {
	snap, err := g.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	row, err := snap.Get(ctx, groupKey(c.Draw, int64(c.Group)))
	if row == nil || err != nil {
		return nil, err
	}
	members, err := row.(*Group).members()
	if err != nil {
		return nil, err
	}
	answers := map[int64]string{}
	for _, m := range members {
		if answers[m.Player], err = clearanceOf(ctx, snap, g.BanList, m.Player); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// clearanceOf asks the ban list about a player: "" when it does not answer, or when the player is a bare account.
func clearanceOf(ctx context.Context, snap Snapshot, list BanList, player int64) (string, error) {
	row, err := snap.Get(ctx, personKey(player))
	person, _ := row.(*Person)
	if person == nil || err != nil {
		return "", err
	}
	answer, err := list.Ask(ctx, person)
	if err != nil && ctx.Err() == nil {
		return "", nil
	}
	return answer, err
}

// receiptsHeld returns the receipts of a group play that a player holds.
func receiptsHeld(ctx context.Context, snap Snapshot, play *Play, player int64) (list []*GroupReceipt, err error) {
	err = snap.Scan(ctx, Range{From: receiptKey(play.Draw, play.ID, 0), Prefix: 2}, func(r Row) error {
		if receipt := r.(*GroupReceipt); receipt.Player == player {
			list = append(list, receipt)
		}
		return nil
	})
	return list, err
}

// addReceipts says which receipts of a group play are the player's, and what they cost.
func (r *PlayRecord) addReceipts(play *Play, held []*GroupReceipt) {
	if play.Kind != KindGroup {
		return
	}
	r.Shares, r.Cents, r.OfReceipts = 0, 0, play.Shares
	for _, receipt := range held {
		r.Receipts = append(r.Receipts, receipt.N)
		r.Cents = money.Add(r.Cents, receipt.Cents)
	}
}

// ofReceipts names the components of the player's receipts.
func (r *PlayRecord) ofReceipts(components []string) (list []string) {
	for _, c := range components {
		for _, n := range r.Receipts {
			list = append(list, ReceiptComponent(c, n))
		}
	}
	return list
}
