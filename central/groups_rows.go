package central

import "tirage/rules/money"

// Group is a group play (« Jeu en groupe ») as its organiser proposes it, and what became of it: see [ProposeGroup].
type Group struct {
	Draw       string
	ID         int64  // number of the leaf that proposed it, as of a play
	Player     int64  // organiser
	Lines      string // JSON, a list of [Line]
	Receipts   int64
	Stake      money.Cents // of the play, as proposed
	Channel    string
	At         int64  // microseconds
	Invitation string // who knows it may join
	Members    string // JSON, a list of [GroupMember] in the order of joining
	Play       int64  // the play, 0 until it is registered
}

func (*Group) Table() TableID { return Groups }
func (r *Group) Fields() []any {
	return []any{&r.Draw, &r.ID, &r.Player, &r.Lines, &r.Receipts, (*int64)(&r.Stake), &r.Channel, &r.At, &r.Invitation, &r.Members, &r.Play}
}

// GroupMember is a player who agreed to pay receipts of a group.
type GroupMember struct {
	Player   int64 `json:"player,string"`
	Receipts int64 `json:"receipts"`
}
