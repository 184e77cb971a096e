package central

import "fmt"

// checkSubscriptions makes sure that every subscription can be played as it stands, and that its last play is its player's.
func (b *books) checkSubscriptions() error {
	return b.scan(Abos, func(r Row) error {
		s := r.(*Subscription)
		if err := b.checkSubscription(s); err != nil {
			return fmt.Errorf("subscription %v: %w", ID(s.ID), err)
		}
		return nil
	})
}

func (b *books) checkSubscription(s *Subscription) error {
	if _, err := s.order(""); err != nil {
		return err
	}
	switch {
	case b.players[s.Player] == nil:
		return fmt.Errorf("it is player %d's, who does not exist", s.Player)
	case s.Slot < 1 || s.Slot > MaxSubscriptions:
		return fmt.Errorf("place %d, there are %d", s.Slot, MaxSubscriptions)
	case s.State == SubscriptionActive && s.Misses >= SubscriptionMisses:
		return fmt.Errorf("it is %s after %d misses", s.State, s.Misses)
	case (s.Misses > 0) && s.Play != 0:
		return fmt.Errorf("%d draws are missed, the last one was played", s.Misses)
	case s.Play == 0:
		return nil
	}
	row, err := b.snap.Get(b.ctx, playKey(s.Draw, s.Play))
	if err != nil {
		return err
	}
	if play, _ := row.(*Play); play == nil || play.Player != s.Player {
		return fmt.Errorf("its play %s at draw %s is not its player's", PlayID(s.Play), s.Draw)
	}
	return nil
}
