package bench

import (
	"context"
	"sync"

	"tirage/central"
)

// naive is a store for a program without group commit: each client does its purchases one by one, each in a transaction of its own, with the
// same plans and the same prepared statements. Where several write at a time each client writes a log of its own, so that no purchase waits for the log of
// another; where one writes at a time they take turns at one log, whose rows then stay together. Accounts and counters are one row for all, as a plain program
// keeps them, and so are packs and code pointers.
type naive struct{ central.Store }

func (s naive) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := s.Store.Begin(ctx)
	return naiveTx{tx}, err
}

type naiveTx struct{ central.Tx }

func (t naiveTx) Apply(ctx context.Context, c *central.Changes) error {
	for _, r := range c.Add {
		switch r := r.(type) {
		case *central.AccountRow:
			r.Node = 0
		case *central.Counter:
			r.Node = 0
		}
	}
	return t.Tx.Apply(ctx, c)
}

// naiveClients makes clients whose transactions hold one purchase each.
func (w *world) naiveClients(ctx context.Context, o *Options, first uint64, draws []string, to named) (clients []*client, closeAll func(), err error) {
	clients = w.group(o, first, draws, nil)
	closeAll, err = w.alone(ctx, clients, to)
	return clients, closeAll, err
}

// alone gives each of the clients a register of its own, or all of them one to take turns at: what waits for a register is one command, so each transaction
// holds one purchase. Node 0 stays with the players and draws.
func (w *world) alone(ctx context.Context, clients []*client, to named) (closeAll func(), err error) {
	stores, err := to.forClients(ctx, len(clients))
	if err != nil {
		return nil, err
	}
	closeAll = func() {
		for _, c := range clients {
			if c.register != nil {
				c.register.Close()
			}
		}
	}
	if to.oneWriter() {
		return closeAll, w.takeTurns(clients, naive{stores[0]})
	}
	for i, c := range clients {
		cfg := w.config(naive{stores[i]})
		cfg.Node, cfg.Summed = int64(i)+1, true
		if c.register, err = central.NewRegister(cfg); err != nil {
			closeAll()
			return nil, err
		}
	}
	return closeAll, nil
}

// takeTurns gives clients one register, one after another.
func (w *world) takeTurns(clients []*client, store central.Store) error {
	cfg := w.config(store)
	cfg.Node, cfg.Summed = 1, true
	register, err := central.NewRegister(cfg)
	if err != nil {
		return err
	}
	turn := new(sync.Mutex)
	for _, c := range clients {
		c.register, c.turn = register, turn
	}
	return nil
}
