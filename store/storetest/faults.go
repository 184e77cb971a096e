package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tirage/central"
)

// Fault is what goes wrong with one transaction.
type Fault int

// The faults of a transaction that may have an effect or not.
const (
	NoFault      Fault = iota
	Deadlock           // the changes are given up: to be tried again
	CommitFailed       // the commit is given up: to be tried again
	DoubtLost          // the connection is lost at the commit, which was not applied
	DoubtApplied       // the connection is lost at the commit, which was applied
	faults
)

// Faulty is a store some of whose transactions fail.
type Faulty struct {
	central.Store
	// Next says what goes wrong with the next transaction that changes something.
	Next func() Fault

	mu  sync.Mutex
	met [faults]int
}

// Met returns how many transactions met a fault.
func (f *Faulty) Met(fault Fault) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.met[fault]
}

// Begin opens a transaction that may fail.
func (f *Faulty) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := f.Store.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &faultyTx{Tx: tx, store: f}, nil
}

type faultyTx struct {
	central.Tx
	store *Faulty
	drawn bool
	fault Fault
}

// draw decides once what goes wrong.
func (t *faultyTx) draw() Fault {
	if !t.drawn {
		t.store.mu.Lock()
		defer t.store.mu.Unlock()
		t.drawn, t.fault = true, t.store.Next()
		t.store.met[t.fault]++
	}
	return t.fault
}

var errInjected = errors.New("injected")

func (t *faultyTx) Apply(ctx context.Context, c *central.Changes) error {
	if t.draw() == Deadlock {
		return fmt.Errorf("%w: %w", central.ErrRetry, errInjected)
	}
	return t.Tx.Apply(ctx, c)
}

func (t *faultyTx) Commit(ctx context.Context) error {
	switch t.draw() {
	case CommitFailed:
		t.Rollback()
		return fmt.Errorf("%w: %w", central.ErrRetry, errInjected)
	case DoubtLost:
		t.Rollback()
		return fmt.Errorf("%w: %w", central.ErrInDoubt, errInjected)
	case DoubtApplied:
		if err := t.Tx.Commit(ctx); err != nil {
			return err
		}
		return fmt.Errorf("%w: %w", central.ErrInDoubt, errInjected)
	}
	return t.Tx.Commit(ctx)
}
