package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/money"
)

// A round that is still open after the delay that its rulebook states, counted from its stake, is closed by the operator: the gain of the last level
// passed is paid, or the stake refunded where no series was drawn. Counted so, the rounds of a node fall due in the order of their
// numbers, and one mark a node tells a sweep where to go on.

const (
	maxSwept  = 64   // rounds that one command closes
	markEvery = 4096 // rounds that have all ended and are looked at again before the mark moves
	// SweepEvery is how often a server sweeps: nobody waits for longer than that beyond the delay.
	SweepEvery = time.Minute
)

// RoundRef names a round and its player.
type RoundRef struct {
	Round  RoundID `json:"round"`
	Player int64   `json:"player,string"`
}

// CloseAbandoned closes rounds that are due and moves the mark of their node. The result is an [Abandoned].
type CloseAbandoned struct {
	Game    string     `json:"game"`
	Node    int64      `json:"node"`
	After   RoundID    `json:"after"`   // where the mark stands
	Through RoundID    `json:"through"` // up to here all rounds have ended or are named
	Rounds  []RoundRef `json:"rounds"`
}

// Abandoned is the result of [CloseAbandoned].
type Abandoned struct {
	Paid     int64       `json:"paid"` // rounds
	Refunded int64       `json:"refunded"`
	Blocked  int64       `json:"blocked"` // could not be right: a member of the staff must look
	Cents    money.Cents `json:"cents"`   // gains and stakes
}

func (CloseAbandoned) Kind() string { return "close_abandoned" }
func (c CloseAbandoned) Keys() []Key {
	keys := []Key{sweepKey(c.Game, c.Node)}
	for _, ref := range c.Rounds {
		keys = append(keys, playerKey(ref.Player), seatKey(c.Game, ref.Player), roundKey(c.Game, ref.Round))
	}
	return keys
}

func (c CloseAbandoned) Plan(p *Plan) (any, error) {
	if len(c.Rounds) > maxSwept {
		return nil, refuse(Invalid, "sweep.rounds", "rounds", "%d rounds, accepted at most %d", len(c.Rounds), maxSwept)
	}
	sweep := edit[Sweep](p, sweepKey(c.Game, c.Node))
	if sweep == nil {
		sweep = &Sweep{Game: c.Game, Node: c.Node, Through: RoundID(c.Node << 48)}
		p.insert(sweep)
	}
	if sweep.Through != c.After || c.Through < c.After {
		return nil, refuse(Conflict, "sweep.mark", "after", "the mark of node %d stands at %d", c.Node, sweep.Through)
	}
	sweep.Through = c.Through
	out := &Abandoned{}
	for _, ref := range c.Rounds {
		if err := p.abandon(c.Game, ref, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// abandon closes one round, unless it has ended meanwhile.
func (p *Plan) abandon(game string, ref RoundRef, out *Abandoned) error {
	if r := get[Round](p, roundKey(game, ref.Round)); r != nil && r.Player == ref.Player && !r.open() {
		return nil
	}
	r, rules, err := p.operated(ref.Player, game, ref.Round)
	switch {
	case err != nil:
		return err
	case p.Now.UnixMicro() < r.Due:
		return refuse(Conflict, "round.early", "rounds", "round %v may go on until %s", r.ID, paris(r.Due))
	case rules.breach(r.ladder()) != "":
		r.State = string(replay.Blocked)
		out.Blocked++
		return nil
	case r.Step == 0:
		out.Refunded++
		out.Cents = money.Add(out.Cents, r.Stake)
		return p.refund(r, EndedByDelay)
	}
	err = p.win(r, rules, EndedByDelay)
	out.Paid++
	out.Cents = money.Add(out.Cents, r.Gain)
	return err
}

// Croupier does what the rounds of ladders need beside their players: it blocks a round that can't be right, and closes those that nobody
// goes on with. It keeps nothing between two calls, so another process can go on where one died; a server sweeps when it starts and then at intervals.
type Croupier struct {
	Register *Register
	Store    Reader
	Clock    Clock
}

// Do does an action of a player on a round. When it meets a round that can't be right the round is blocked before the refusal is passed on.
func (c *Croupier) Do(ctx context.Context, req Request) (Receipt, error) {
	receipt, err := c.Register.Do(ctx, req)
	var refused *Refusal
	if !errors.As(err, &refused) || refused.Reason != reasonBreach {
		return receipt, err
	}
	block := BlockRound{}
	switch action := req.Command.(type) {
	case PlaySeries:
		block = BlockRound{action.Player, action.Game, action.Round}
	case StopRound:
		block = BlockRound{action.Player, action.Game, action.Round}
	default:
		return receipt, err
	}
	_, blocked := c.Register.Do(ctx, Request{Principal: SystemPrincipal, Key: fmt.Sprintf("block/%s/%v", block.Game, block.Round), Command: block})
	if blocked != nil {
		err = errors.Join(err, fmt.Errorf("blocking round %v: %w", block.Round, blocked))
	}
	return receipt, err
}

// Sweep closes every round that is due, of every ladder game and node, and returns what it did.
func (c *Croupier) Sweep(ctx context.Context) (Abandoned, error) {
	var sum Abandoned
	for _, game := range games.Games() {
		if _, err := ladderGame(game); err != nil {
			continue
		}
		for node := range int64(MaxNodes) {
			if err := c.sweepNode(ctx, game, node, &sum); err != nil {
				return sum, fmt.Errorf("abandoned rounds of %s, node %d: %w", game, node, err)
			}
		}
	}
	return sum, nil
}

func (c *Croupier) sweepNode(ctx context.Context, game string, node int64, sum *Abandoned) error {
	for {
		cmd, passed, err := c.due(ctx, game, node)
		if err != nil || len(cmd.Rounds) == 0 && passed < markEvery {
			return err
		}
		receipt, err := c.Register.Do(ctx, Request{Principal: SystemPrincipal, Key: fmt.Sprintf("swept/%s/%v/%v", game, cmd.After, cmd.Through), Command: cmd})
		if CodeOf(err) == Conflict {
			return nil // another process swept meanwhile; what is left is for the next sweep
		}
		if err != nil {
			return err
		}
		var out Abandoned
		if err := json.Unmarshal(receipt.Result, &out); err != nil {
			return err
		}
		sum.Paid += out.Paid
		sum.Refunded += out.Refunded
		sum.Blocked += out.Blocked
		sum.Cents = money.Add(sum.Cents, out.Cents)
	}
}

// errEnough ends a scan.
var errEnough = errors.New("the rest is not needed")

// due lists the next rounds of a node to close, and counts those that it passed on the way.
func (c *Croupier) due(ctx context.Context, game string, node int64) (cmd CloseAbandoned, passed int, err error) {
	snap, err := c.Store.Snapshot(ctx)
	if err != nil {
		return cmd, 0, err
	}
	defer snap.Close()
	cmd = CloseAbandoned{Game: game, Node: node, After: RoundID(node << 48), Through: RoundID(node << 48)}
	row, err := snap.Get(ctx, sweepKey(game, node))
	if err != nil {
		return cmd, 0, err
	}
	if row != nil {
		cmd.After = row.(*Sweep).Through
		cmd.Through = cmd.After
	}
	now := c.Clock.Now().UnixMicro()
	err = snap.Scan(ctx, Range{From: roundKey(game, cmd.After), Prefix: 1, After: true}, func(row Row) error {
		r := row.(*Round)
		if int64(r.ID)>>48 != node || now < r.Due || len(cmd.Rounds) == maxSwept || passed == markEvery {
			return errEnough
		}
		cmd.Through = r.ID
		passed++
		if r.open() {
			cmd.Rounds = append(cmd.Rounds, RoundRef{r.ID, r.Player})
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return cmd, passed, err
}
