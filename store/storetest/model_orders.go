package storetest

import (
	"encoding/json"
	"fmt"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// standingOrder does one thing of a group play, a subscription or a replay. What the first such thing made is picked up by those that follow.
func (s *story) standingOrder() {
	draw := s.draws[0]
	player := s.player()
	line := []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}
	switch n := s.rand.IntN(9); {
	case n == 0 || s.group == nil:
		if g := made[central.GroupState](s, player, central.ProposeGroup{Player: player, Draw: draw, Lines: line, Receipts: 2 + int64(s.rand.IntN(10))}); g != nil {
			s.group, s.organiser = g, player
		}
	case n == 1:
		s.do(player, central.JoinGroup{Player: player, Draw: draw, Group: s.group.Group, Invitation: s.group.Invitation, Receipts: 1, Cents: s.group.Part})
	case n == 2:
		s.do(player, central.LeaveGroup{Player: player, Draw: draw, Group: s.group.Group})
	case n == 3:
		cents := s.group.Stake - s.group.Part*money.Cents(s.rand.IntN(2))
		s.do(s.organiser, central.PlayGroup{Player: s.organiser, Draw: draw, Group: s.group.Group, Cents: cents})
	case n < 6 || s.abo == nil:
		if a := made[central.SubscriptionState](s, player, central.Subscribe{Player: player, Game: "loto", Lines: line, Cents: 220 + money.Cents(s.rand.IntN(20)/19)}); a != nil {
			s.abo, s.subscriber = a, player
		}
	case n == 6:
		s.do(s.subscriber, central.EndSubscription{Player: s.subscriber, Subscription: s.abo.Subscription})
	case n == 7:
		s.asSystem(central.DebitSubscription{Player: s.subscriber, Slot: 1 + int64(s.rand.IntN(3)), Subscription: s.abo.Subscription, Draw: draw})
	default:
		s.do(player, central.Replay{Player: player, Draw: draw, OfDraw: draw, OfPlay: central.ID(1 + s.rand.IntN(40))})
	}
}

// asSystem does a command of the operator's own programs.
func (s *story) asSystem(c central.Command) {
	req := central.Request{Principal: central.SystemPrincipal, Key: fmt.Sprintf("story-%d", len(s.past)), Command: c}
	s.past = append(s.past, req)
	s.request(req)
}

// made does a command and reads its result, nil when it is refused. The answer is the same in both worlds.
func made[T any](s *story, player int64, c central.Command) *T {
	answer := s.do(player, c)
	for i := range answer {
		if answer[i] == '{' {
			v := new(T)
			if json.Unmarshal([]byte(answer[i:]), v) == nil {
				return v
			}
			return nil
		}
	}
	return nil
}
