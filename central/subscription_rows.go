package central

import (
	"strings"
	"time"

	"tirage/rules/money"
)

// Subscription is a standing instruction (« Abo+ ») to play the same lines at the draws of a game, see [Subscribe]. A player has a few places for
// them; an ended one leaves its place to the next.
type Subscription struct {
	Player, Slot int64  // place, from 1 on
	ID           int64  // number of the leaf that began it, as of a play
	Game         string // of the draws
	Lines        string // JSON, a list of [Line]
	AddOns       string // JSON, a list of [AddOn]
	Days         string // "monday saturday"; "" for every draw of the game
	Channel      string
	Cents        money.Cents // what the player agreed to be debited for each draw
	State        string      // SubscriptionActive …
	Since        int64       // microseconds; draws whose moment of debit is later are played
	Misses       int64       // draws in a row that could not be played
	Draw         string      // the last one handled
	Play         int64       // at that draw, 0: it was missed
	Why          string      // reason of the last miss, see [Refusal.Reason]
}

// States of a subscription.
const (
	SubscriptionActive    = "active"
	SubscriptionSuspended = "suspended" // by the player, or after misses, an exclusion or another price: until the player resumes it
	SubscriptionEnded     = "ended"     // by the player
)

func (*Subscription) Table() TableID { return Abos }
func (r *Subscription) Fields() []any {
	return []any{&r.Player, &r.Slot, &r.ID, &r.Game, &r.Lines, &r.AddOns, &r.Days, &r.Channel, (*int64)(&r.Cents), &r.State, &r.Since, &r.Misses, &r.Draw,
		&r.Play, &r.Why}
}

func slotKey(player, slot int64) Key { return Key{Table: Abos, N: player, M: slot} }

// slotKeys lists the places of a player.
func slotKeys(player int64) []Key {
	keys := make([]Key, MaxSubscriptions)
	for i := range keys {
		keys[i] = slotKey(player, int64(i)+1)
	}
	return keys
}

// order is what the subscription buys at a draw.
func (r *Subscription) order(draw string) (o order, err error) {
	o = order{player: r.Player, draw: draw, channel: Channel(r.Channel)}
	if err = readList(r.Lines, &o.lines); err == nil {
		err = readList(r.AddOns, &o.addOns)
	}
	return o, err
}

// on reports whether the subscription plays the draws of a day, YYYY-MM-DD.
func (r *Subscription) on(day string) bool {
	date, err := time.Parse(time.DateOnly, day)
	return r.Days == "" || err == nil && strings.Contains(r.Days, strings.ToLower(date.Weekday().String()))
}

// debitAt is the moment from which the subscriptions to a draw are debited: [SubscriptionLead] before its close, but not before it is on sale.
func (r *Draw) debitAt() int64 { return max(r.OpensAt, r.ClosesAt-SubscriptionLead.Microseconds()) }

// due reports whether the subscription is to be played at a draw now. When the time has passed it is due too: the player is told that it was missed.
func (r *Subscription) due(d *Draw, now int64) bool {
	return r.State == SubscriptionActive && r.Game == d.Game && r.on(d.Day) && r.Draw != d.ID && d.debits(now) && r.Since < d.debitAt()
}
