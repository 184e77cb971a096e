package central

import (
	"encoding/json"
	"fmt"

	"tirage/rules/money"
)

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

// members returns who has joined, in order.
func (r *Group) members() (list []GroupMember, err error) { return list, readList(r.Members, &list) }

// lines returns the grids.
func (r *Group) lines() (list []Line, err error) { return list, readList(r.Lines, &list) }

// left returns the receipts that nobody has joined for: they are the organiser's.
func left(receipts int64, members []GroupMember) int64 {
	for _, m := range members {
		receipts -= m.Receipts
	}
	return receipts
}

// readList reads a list that a row stores as JSON; "" is the empty one. writeList writes it.
func readList[T any](s string, list *[]T) error {
	if s == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(s), list); err != nil {
		return fmt.Errorf("list %.80q cannot be read: %w", s, err)
	}
	return nil
}

func writeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	b, err := json.Marshal(list)
	return string(b), err
}

func groupKey(draw string, id int64) Key { return Key{Table: Groups, S: draw, N: id} }
func receiptKey(draw string, play, n int64) Key {
	return Key{Table: Receipts, S: draw, N: play, M: n}
}
