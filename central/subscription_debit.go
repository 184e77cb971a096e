package central

import (
	"errors"

	"tirage/rules/drawing"
)

// debits reports whether the subscriptions to a draw are due: from the moment of debit on, while it is on sale; after its close what is left is missed.
func (r *Draw) debits(now int64) bool {
	return now >= r.debitAt() && (now >= r.ClosesAt || r.State == string(drawing.Open))
}

// DebitSubscription plays a subscription at a draw: it is debited and the play stored as in any sale, or the draw is missed and the player told why.
// Either is final for this subscription and this draw. What can be tried again, such as a ban list that does not answer, is refused and leaves no
// trace. The result is a [SubscriptionDebited]; [Subscriptions] makes the commands.
type DebitSubscription struct {
	Player       int64  `json:"player,string"`
	Slot         int64  `json:"slot"`
	Subscription ID     `json:"subscription"`
	Draw         string `json:"draw"`
	Clearance    string `json:"-"` // signed answer of the ban list
}

// SubscriptionDebited is what became of a subscription at one draw, the event that the player is told of.
type SubscriptionDebited struct {
	Subscription ID      `json:"subscription"`
	Draw         string  `json:"draw"`
	Bought       *Bought `json:"bought,omitempty"`
	Missed       string  `json:"missed,omitempty"`  // reason, see [Refusal.Reason]
	French       string  `json:"french,omitempty"`  // the same for people
	English      string  `json:"english,omitempty"` //
	Misses       int64   `json:"misses"`            // in a row
	State        string  `json:"state"`             // of the subscription from now on
}

func (DebitSubscription) Kind() string { return "debit_subscription" }
func (c DebitSubscription) Keys() []Key {
	return []Key{playerKey(c.Player), guardKey(c.Player), personKey(c.Player), slotKey(c.Player, c.Slot)}
}
func (c DebitSubscription) Shared() []Key { return []Key{cappedKey, drawKey(c.Draw)} }

func (c DebitSubscription) Plan(p *Plan) (any, error) {
	d, s := get[Draw](p, drawKey(c.Draw)), get[Subscription](p, slotKey(c.Player, c.Slot))
	if d == nil || s == nil || s.ID != int64(c.Subscription) || !s.due(d, p.Now.UnixMicro()) {
		return nil, refuse(Conflict, "subscription.due", "", "subscription %v is not to be played at draw %s now", c.Subscription, c.Draw)
	}
	t, refused, err := c.sell(p, s)
	if err != nil {
		return nil, err
	}
	s = edit[Subscription](p, slotKey(c.Player, c.Slot))
	s.Draw = c.Draw
	out := SubscriptionDebited{Subscription: c.Subscription, Draw: c.Draw}
	if refused == nil {
		s.Play, s.Misses, s.Why = t.play.ID, 0, ""
		out.Bought = &t.bought
	} else {
		s.Play, s.Why = 0, refused.Reason
		s.Misses++
		if s.Misses >= SubscriptionMisses || suspendAtOnce[refused.Reason] {
			s.State = SubscriptionSuspended
		}
		out.Missed, out.French, out.English = refused.Reason, refused.In(French), refused.In(English)
	}
	out.Misses, out.State = s.Misses, s.State
	return out, nil
}

// suspendAtOnce lists the misses that no further draw waits for. Nothing goes on by itself after an exclusion, and no price is paid that the
// player has not agreed to.
var suspendAtOnce = map[string]bool{"player.excluded": true, "player.banned": true, "player.unconfirmed": true, "subscription.price": true}

// sell tries the sale. What refuses it for this draw comes back as a refusal of which nothing is left but a ban that the list has just told.
func (c DebitSubscription) sell(p *Plan, s *Subscription) (t *ticket, refused *Refusal, err error) {
	o, err := s.order(c.Draw)
	if err != nil {
		return nil, nil, err
	}
	refused, err = p.attempt(func() (err error) {
		if t, err = p.ticket(o); err != nil {
			return err
		}
		if t.cents() != s.Cents {
			return refuse(Conflict, "subscription.price", "", "you agreed to %v for each draw, it is %v now; nothing is debited", s.Cents, t.cents())
		}
		return p.sellIf(p.standing(c.Clearance), t)
	})
	if err == nil && refused != nil && refused.Reason == "player.banned" && c.Clearance != "" {
		pl, g, err := p.guarded(c.Player)
		if err == nil {
			err = p.asked(c.Clearance, g)
		}
		if err != nil {
			return nil, nil, err
		}
		pl.PlayFrom = g.playFrom()
	}
	return t, refused, err
}

// attempt does f. When f is refused nothing that it wrote is left and the refusal is returned; one that a later attempt may not meet, and any other
// error, is an error. Nothing may have been written before.
func (p *Plan) attempt(f func() error) (*Refusal, error) {
	if len(p.order)+len(p.appended)+len(p.posts)+len(p.paid)+len(p.adds) > 0 {
		panic("an attempt after something was written")
	}
	err := f()
	var r *Refusal
	if !errors.As(err, &r) || r.Code == Unavailable || r.Code == Internal {
		return nil, err
	}
	p.rows, p.order, p.appended, p.posts, p.paid, p.adds, p.counted, p.drawn = nil, nil, nil, nil, nil, nil, nil, 0
	return r, nil
}
