//go:build linux

package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"tirage/central"
)

// verify makes sure that what was acknowledged is there: the idempotency record names the leaf, the leaf holds the result that the client was
// told, and play and transfer stand. That there is one leaf a record, and nothing else, is a matter of the books.
func (c *campaign) verify(store central.Reader, list map[place]ack) {
	c.Helper()
	if err := acknowledged(store, list); err != nil {
		c.Fatalf("seed %d, round %d: %v", c.job.Seed, c.job.Round, err)
	}
}

func acknowledged[K comparable](store central.Reader, list map[K]ack) error {
	ctx := context.Background()
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	for _, a := range list {
		if err := a.check(ctx, snap); err != nil {
			return fmt.Errorf("acknowledged and not there: %s of %s, leaf %d: %w", a.req.Key, a.req.Principal, a.index, err)
		}
	}
	return nil
}

func (a *ack) check(ctx context.Context, snap central.Snapshot) error {
	record, err := row[*central.KeyRow](ctx, snap, central.Key{Table: central.Keys, S: a.req.Key, U: a.req.Principal})
	if err != nil {
		return err
	}
	if record.Node != a.node || record.Index != a.index {
		return fmt.Errorf("its record names leaf %d of node %d", record.Index, record.Node)
	}
	leaf, err := row[*central.LeafRow](ctx, snap, central.Key{Table: central.Leaves, N: a.node, M: a.index})
	if err != nil {
		return err
	}
	var body struct {
		Principal, Key, Kind string
		Result               json.RawMessage
	}
	if err := json.Unmarshal(leaf.Body, &body); err != nil {
		return err
	}
	if body.Key != a.req.Key || body.Principal != a.req.Principal || body.Kind != a.req.Command.Kind() || fmt.Sprintf("%x", resultSum(body.Result)) != a.sum {
		return fmt.Errorf("the leaf holds %s of %s with another result", body.Key, body.Principal)
	}
	switch a.req.Command.(type) {
	case central.StartRound, central.PlaySeries, central.StopRound:
		return checkStep(ctx, snap, body.Result)
	}
	transfer, err := row[*central.Transfer](ctx, snap, central.Key{Table: central.Transfers, N: a.node, M: a.index << 16})
	if err != nil {
		return err
	}
	switch cmd := a.req.Command.(type) {
	case central.BuyPlay:
		for i, draw := range append([]string{cmd.Draw}, cmd.Further...) {
			if err := a.checkPlay(ctx, snap, i, draw, cmd.Player, cmd.AddOns); err != nil {
				return err
			}
		}
	case central.BuyShares:
		return a.checkPlay(ctx, snap, 0, cmd.Draw, cmd.Player, nil)
	case central.Deposit:
		if transfer.Player != cmd.Player {
			return fmt.Errorf("its transfer is of player %d", transfer.Player)
		}
	}
	return nil
}

// checkPlay makes sure that a play of an order stands, with the games added to it, and that its transfer is of what it costs.
func (a *ack) checkPlay(ctx context.Context, snap central.Snapshot, i int, draw string, player int64, addOns []central.AddOn) error {
	id := a.node<<48 | (a.index + 1)
	transfer, err := row[*central.Transfer](ctx, snap, central.Key{Table: central.Transfers, N: a.node, M: a.index<<16 | int64(i)})
	if err != nil {
		return err
	}
	play, err := row[*central.Play](ctx, snap, central.Key{Table: central.Plays, S: draw, N: id})
	if err != nil {
		return err
	}
	cents := play.Stake
	for _, added := range addOns {
		a, err := row[*central.AddOnRow](ctx, snap, central.Key{Table: central.AddOnRows, S: draw, U: added.Game, N: id})
		if err != nil {
			return err
		}
		cents += a.Stake
	}
	if play.Player != player || transfer.Player != player || cents != transfer.Cents {
		return fmt.Errorf("its play is of player %d for %v, its transfer of player %d for %v", play.Player, cents, transfer.Player, transfer.Cents)
	}
	return nil
}

// checkStep makes sure that a round stands where the answer to a step said, or further on; that it has ended as it said, when it did; and that the
// series which was shown is the one that is stored.
func checkStep(ctx context.Context, snap central.Snapshot, result []byte) error {
	var told central.RoundAnswer
	if err := json.Unmarshal(result, &told); err != nil {
		return err
	}
	is, err := row[*central.Round](ctx, snap, central.Key{Table: central.Rounds, S: told.Round.Game, N: int64(told.Round.Round)})
	if err != nil {
		return err
	}
	ended := told.Round.EndedBy != ""
	if is.Step < told.Round.Step || ended && (is.State != string(told.Round.State) || is.Gain != told.Round.Gain || is.Step != told.Round.Step) {
		return fmt.Errorf("round %v is %s at step %d with a gain of %v, its player was told %s at step %d, %v",
			is.ID, is.State, is.Step, is.Gain, told.Round.State, told.Round.Step, told.Round.Gain)
	}
	if told.Series == nil {
		return nil
	}
	drawn, err := row[*central.SeriesRow](ctx, snap, central.Key{Table: central.RoundSeries, S: is.Game, N: int64(is.ID), M: int64(told.Series.N)})
	if err == nil && (!bytes.Equal(drawn.Secret, told.Series.Secret) || !bytes.Equal(drawn.Contribution, told.Series.Contribution)) {
		err = fmt.Errorf("series %d of round %v is not the one that was shown", drawn.N, is.ID)
	}
	return err
}

// row returns the row with a key, or an error when there is none.
func row[R central.Row](ctx context.Context, snap central.Snapshot, k central.Key) (R, error) {
	var none R
	r, err := snap.Get(ctx, k)
	if err != nil {
		return none, err
	}
	if r == nil {
		return none, fmt.Errorf("there is no row %v", k)
	}
	return r.(R), nil
}
