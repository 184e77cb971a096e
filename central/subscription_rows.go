package central

import "tirage/rules/money"

// Subscription is a standing instruction (« Abo+ ») to play the same lines at the draws of a game, see [Subscribe]. A player has a small number of
// places for them; an ended one leaves its place to the next.
type Subscription struct {
	Player, Slot int64
	ID           int64  // number of the leaf that began it, as of a play
	Game         string // of the draws
	Lines        string // JSON, a list of [Line]
	AddOns       string // JSON, the games added to each play; "" for none
	Days         string // "monday saturday"; "" for every draw of the game
	Channel      string
	Cents        money.Cents // what the player agreed to be debited per draw
	State        string      // SubscriptionActive …
	Since        int64       // microseconds; draws whose time to debit is later are played
	Misses       int64       // draws in a row that could not be played
	Draw         string      // the last one handled
	Play         int64       // of that draw, 0: it was missed
	Why          string      // reason of the last miss or suspension, see [Refusal.Reason]
}

func (*Subscription) Table() TableID { return Abos }
func (r *Subscription) Fields() []any {
	return []any{&r.Player, &r.Slot, &r.ID, &r.Game, &r.Lines, &r.AddOns, &r.Days, &r.Channel, (*int64)(&r.Cents), &r.State, &r.Since, &r.Misses, &r.Draw,
		&r.Play, &r.Why}
}
