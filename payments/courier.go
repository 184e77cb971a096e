package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tirage/central"
)

// Courier takes withdrawals to the provider: those that the register accepts while it runs, and at its start those of before, so that none is forgotten
// by a crash between the commit and the order. The provider takes an order that it has already for the same order. Each node's courier takes the
// payments of its node.
type Courier struct {
	Store    central.Reader
	Provider central.Payments
	Node     int64
	queue    chan central.PaymentOrder
}

const (
	// courierQueue bounds the orders that wait; what finds no place is found by the next look through the store.
	courierQueue = 1024
	// courierPause is the time between two looks through the store, for orders that the provider did not take.
	courierPause = 30 * time.Second
)

// NewCourier returns the courier of a node.
func NewCourier(store central.Reader, provider central.Payments, node int64) *Courier {
	return &Courier{Store: store, Provider: provider, Node: node, queue: make(chan central.PaymentOrder, courierQueue)}
}

// Committed takes the withdrawals of a batch; it never blocks. OnCommit of the register calls it.
func (c *Courier) Committed(done []central.Done) {
	for _, d := range done {
		w, ok := d.Request.Command.(central.RequestWithdrawal)
		if !ok {
			continue
		}
		o := central.PaymentOrder{Payment: central.PaymentName(w.Player, d.Leaf.Node<<48|(d.Leaf.Index+1)), Cents: w.Cents}
		select {
		case c.queue <- o:
		default:
		}
	}
}

// Run takes orders to the provider until the context ends.
func (c *Courier) Run(ctx context.Context) error {
	look := time.NewTicker(courierPause)
	defer look.Stop()
	if err := c.Sweep(ctx); err != nil && !errors.Is(err, errProvider) {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case o := <-c.queue:
			_ = c.Provider.PayOut(ctx, o) // the next look finds what was not taken
		case <-look.C:
			if err := c.Sweep(ctx); err != nil && !errors.Is(err, errProvider) {
				return err
			}
		}
	}
}

// errProvider marks an order that the provider did not take.
var errProvider = errors.New("the provider did not take it")

// Sweep takes every withdrawal of this node that is on its way to the provider once more, and tells of the first that was not taken.
func (c *Courier) Sweep(ctx context.Context) error {
	orders, err := c.waiting(ctx)
	if err != nil {
		return err
	}
	var first error
	for _, o := range orders {
		if err := c.Provider.PayOut(ctx, o); err != nil && first == nil {
			first = fmt.Errorf("%w: %w", errProvider, err)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return first
}

func (c *Courier) waiting(ctx context.Context) (orders []central.PaymentOrder, err error) {
	snap, err := c.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.PaymentRows}}, func(r central.Row) error {
		m := r.(*central.Payment)
		if m.Kind == central.PaymentWithdrawal && m.State == central.PaymentRequested && m.ID>>48 == c.Node {
			orders = append(orders, central.PaymentOrder{Payment: central.PaymentName(m.Player, m.ID), Cents: m.Cents})
		}
		return nil
	})
	return orders, err
}
