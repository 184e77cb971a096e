package central

import "tirage/rules/money"

// tellSubscription: what became of a subscription at a draw. Its player was not there to see it.
func tellSubscription(t *telling) error {
	_, out, err := read[DebitSubscription, SubscriptionDebited](t.Entry)
	if err != nil {
		return err
	}
	facts := Facts{Draw: out.Draw, Subscription: out.Subscription.String(), French: out.French, English: out.English}
	return rowsOf(t.Entry, func(place int, s *Subscription) error {
		switch {
		case out.Bought != nil:
			facts.Play = out.Bought.Play
			return t.say(place, s.Player, MessageSubscription, out.Bought.Cents, facts)
		case out.State == SubscriptionSuspended:
			return t.say(place, s.Player, MessageSubscriptionSuspended, s.Cents, facts)
		}
		return t.say(place, s.Player, MessageSubscriptionMissed, s.Cents, facts)
	})
}

// tellGroup: the members of a group are told that it is registered, each once and what the own receipts cost; the organiser sees it at once.
func tellGroup(t *telling) error {
	c, out, err := read[PlayGroup, GroupBought](t.Entry)
	if err != nil {
		return err
	}
	var first int
	var held GroupReceipt // the receipts of one player follow each other
	tell := func() error {
		if held.Player == 0 || held.Player == c.Player {
			return nil
		}
		return t.say(first, held.Player, MessageGroup, held.Cents, Facts{Draw: c.Draw, Play: out.Play})
	}
	err = rowsOf(t.Entry, func(place int, r *GroupReceipt) error {
		if r.Player == held.Player {
			held.Cents = money.Add(held.Cents, r.Cents)
			return nil
		}
		err := tell()
		first, held = place, *r
		return err
	})
	if err != nil {
		return err
	}
	return tell()
}
