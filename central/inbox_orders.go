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

// tellGroup: the members of a group are told that it is registered, each once and what the own receipts cost; the organiser, whose receipts come first, sees
// it at once. An order of another kind has no receipts.
func tellGroup(t *telling) error {
	var first int // place of the first receipt of a player
	var organiser int64
	var held GroupReceipt // the receipts of one player follow each other
	tell := func() error {
		if held.Player == organiser {
			return nil
		}
		return t.say(first, held.Player, MessageGroup, held.Cents, Facts{Draw: held.Draw, Play: PlayID(held.Play)})
	}
	err := rowsOf(t.Entry, func(place int, r *GroupReceipt) error {
		switch {
		case held.Player == 0:
			organiser = r.Player
		case r.Player == held.Player:
			held.Cents = money.Add(held.Cents, r.Cents)
			return nil
		default:
			if err := tell(); err != nil {
				return err
			}
		}
		first, held = place, *r
		return nil
	})
	if err != nil {
		return err
	}
	return tell()
}
