package central

import (
	"context"
	"errors"
	"fmt"

	"tirage/rules/money"
)

// EnforceRaise tells that a raised limit has come into force. A raise takes effect by the clock, whoever looks; this command writes it down, so that
// the player is told. What was cut, dropped or raised anew meanwhile is refused. The result is a [Limit].
type EnforceRaise struct {
	Player int64       `json:"player,string"`
	Of     string      `json:"of"`
	Cents  money.Cents `json:"cents"` // the limit as raised
}

func (EnforceRaise) Kind() string  { return "enforce_raise" }
func (c EnforceRaise) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c EnforceRaise) Plan(p *Plan) (any, error) {
	return p.changeLimit(c.Player, c.Of, func(a *allowance) error {
		if a.limit != c.Cents || a.raise != noLimit {
			return refuse(Conflict, "limit.raise_none", "", "no raise to %v has come into force", c.Cents)
		}
		return nil
	})
}

// RaisesJob names the follower of raised limits.
const RaisesJob = "raises"

// NewRaises returns the follower that has each raise told when it comes into force. It walks behind the log by as much as a raise waits,
// so that it needs no list of what is to come.
func NewRaises(r *Register, s Store, clock Clock) *Follower {
	take := func(ctx context.Context, _ Snapshot, entries []Entry) ([]Row, error) {
		for _, e := range entries {
			c, l, err := read[SetLimit, Limit](e)
			if err != nil {
				return nil, err
			}
			if l.Raise == nil {
				continue
			}
			request := Request{
				Principal: SystemPrincipal, Key: fmt.Sprintf("raise/%d-%d", e.Node, e.Index), Command: EnforceRaise{c.Player, c.Of, *l.Raise},
			}
			var refused *Refusal
			if _, err := r.Do(ctx, request); err != nil && (!errors.As(err, &refused) || refused.Code != Conflict) {
				return nil, err
			}
		}
		return nil, nil
	}
	return &Follower{Name: RaisesJob, Store: s, Kinds: []string{SetLimit{}.Kind()}, Delay: RaiseDelay, Clock: clock, Take: take}
}
