package payments

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

// Courier takes withdrawals to the provider, each as soon as its leaf is committed and none before: it follows the log, so a crash between the commit
// and the order forgets nothing. An order that the provider did not take is deferred and taken again later; the others do not wait for it. The
// provider takes an order that it has already for the same order. Each node's courier takes the payments of its node.
type Courier struct {
	Store    central.Store
	Provider central.Payments
	Clock    central.Clock
	Node     int64
	OnError  func(error) // told of orders that wait for the provider and of failures of the store; may be nil
}

const (
	// CourierJob names the courier's follower, and what it has deferred.
	CourierJob = "courier"
	// sweepEvery is the time between two attempts at the orders that the provider did not take.
	sweepEvery = 30 * time.Second
)

// Follower returns what has the courier hear of withdrawals.
func (c *Courier) Follower() *central.Follower {
	return &central.Follower{
		Name: CourierJob, Store: c.Store, Kinds: []string{central.RequestWithdrawal{}.Kind()}, Own: true, Node: c.Node, Take: c.take,
	}
}

// take takes orders to the provider, and defers those that it does not take.
func (c *Courier) take(ctx context.Context, _ central.Snapshot, entries []central.Entry) (rows []central.Row, err error) {
	for _, e := range entries {
		var w central.RequestWithdrawal
		if err := json.Unmarshal(e.Command, &w); err != nil {
			return nil, err
		}
		id := e.Node<<48 | (e.Index + 1)
		err := c.payOut(ctx, w.Player, id, w.Cents)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			rows = append(rows, &central.Deferred{Name: CourierJob, ID: id, Player: w.Player})
		}
	}
	return rows, nil
}

// Run reminds the provider once, then takes deferred orders to it until the context ends.
func (c *Courier) Run(ctx context.Context) {
	look := time.NewTicker(sweepEvery)
	defer look.Stop()
	for step := c.Remind; ; step = c.Sweep {
		if err := step(ctx); err != nil && ctx.Err() == nil && c.OnError != nil {
			c.OnError(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// Remind takes every withdrawal of this node that is not settled to the provider once more: one that has lost its memory gets it back. Its error
// names the first one that was not taken.
func (c *Courier) Remind(ctx context.Context) error {
	snap, err := c.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	var first error
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.PaymentRows}}, func(r central.Row) error {
		m := r.(*central.Payment)
		if m.Kind != central.PaymentWithdrawal || m.State != central.PaymentRequested || m.ID>>48 != c.Node {
			return nil
		}
		if err := c.payOut(ctx, m.Player, m.ID, m.Cents); err != nil && first == nil {
			first = err
		}
		return ctx.Err()
	})
	return cmp.Or(err, first)
}

func (c *Courier) payOut(ctx context.Context, player, id int64, cents money.Cents) error {
	name := central.PaymentName(player, id)
	if err := c.Provider.PayOut(ctx, central.PaymentOrder{Payment: name, Cents: cents}); err != nil {
		return fmt.Errorf("withdrawal %s: %w", name, err)
	}
	return nil
}

// Sweep takes every deferred order of this node to the provider once more. Its error names the first one that was not taken.
func (c *Courier) Sweep(ctx context.Context) error {
	waiting, err := c.waiting(ctx)
	if err != nil {
		return err
	}
	var first error
	for _, d := range waiting {
		err := c.order(ctx, d)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && first == nil {
			first = err
		}
	}
	return first
}

// waiting lists what this node has deferred.
func (c *Courier) waiting(ctx context.Context) (list []*central.Deferred, err error) {
	snap, err := c.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.DeferredRows, S: CourierJob}, Prefix: 1}, func(r central.Row) error {
		if d := r.(*central.Deferred); d.Done == 0 && d.ID>>48 == c.Node {
			list = append(list, d)
		}
		return nil
	})
	return list, err
}

// order takes a deferred order to the provider, unless its payment is settled already, and notes that it is done.
func (c *Courier) order(ctx context.Context, d *central.Deferred) error {
	snap, err := c.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	row, err := snap.Get(ctx, central.Key{Table: central.PaymentRows, N: d.Player, M: d.ID})
	if err != nil {
		return err
	}
	m, ok := row.(*central.Payment)
	if !ok {
		return fmt.Errorf("there is no withdrawal %s", central.PaymentName(d.Player, d.ID))
	}
	if m.State == central.PaymentRequested {
		if err := c.payOut(ctx, m.Player, m.ID, m.Cents); err != nil {
			return err
		}
	}
	return c.done(ctx, d)
}

func (c *Courier) done(ctx context.Context, d *central.Deferred) error {
	tx, err := c.Store.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Load(ctx, []central.Key{central.KeyOf(d)}, nil); err != nil {
		return err
	}
	done := *d
	done.Done = c.Clock.Now().UnixMicro()
	if err := tx.Apply(ctx, &central.Changes{Put: []central.Row{&done}}); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
