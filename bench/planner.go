package bench

import (
	"context"

	"tirage/central"
	"tirage/store/mem"
)

// planner is a store that plans ahead of the databases: it keeps in memory what later commands read and hands the changes of every commit
// to sink. What only the books read (plays, leaves, keys, transfers, names) passes through, so a million plays need no memory.
type planner struct {
	mem.Store
	sink func(*central.Changes) error
}

// passing are the tables that the planner does not keep: no command of a fixture reads them. Its keys are fresh, so their records are not looked up.
var passing = [...]bool{central.Plays: true, central.Leaves: true, central.Keys: true, central.Transfers: true, central.Profiles: true}

func (p *planner) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := p.Store.Begin(ctx)
	return &planTx{Tx: tx, planner: p}, err
}

type planTx struct {
	central.Tx
	planner *planner
	changes central.Changes
}

func (t *planTx) Apply(ctx context.Context, c *central.Changes) error {
	t.changes.New = append(t.changes.New, c.New...)
	t.changes.Put = append(t.changes.Put, c.Put...)
	t.changes.Add = append(t.changes.Add, c.Add...)
	kept := central.Changes{Put: c.Put, Add: c.Add}
	for _, r := range c.New {
		if id := int(r.Table()); id >= len(passing) || !passing[id] {
			kept.New = append(kept.New, r)
		}
	}
	return t.Tx.Apply(ctx, &kept)
}

func (t *planTx) Commit(ctx context.Context) error {
	if err := t.Tx.Commit(ctx); err != nil {
		return err
	}
	return t.planner.sink(&t.changes)
}

// merge puts the changes of many commits into one: the last state of each row, the sum of what is added.
func merge(list []*central.Changes) *central.Changes {
	out := &central.Changes{}
	type place struct {
		rows *[]central.Row
		i    int
	}
	at := map[central.Key]place{} // of rows that may come again
	add := func(rows *[]central.Row, r central.Row) {
		if k := central.KeyOf(r); !central.Schema[k.Table].Append {
			at[k] = place{rows, len(*rows)}
		}
		*rows = append(*rows, r)
	}
	for _, c := range list {
		for _, r := range c.New {
			add(&out.New, r)
		}
		for _, r := range c.Put {
			if p, ok := at[central.KeyOf(r)]; ok {
				(*p.rows)[p.i] = r
			} else {
				add(&out.Put, r)
			}
		}
		for _, r := range c.Add {
			if p, ok := at[central.KeyOf(r)]; ok {
				(*p.rows)[p.i] = sum((*p.rows)[p.i], r)
			} else {
				add(&out.Add, r)
			}
		}
	}
	return out
}

// sum adds up two rows of Accounts or Counters under the same key.
func sum(a, b central.Row) central.Row {
	switch a := a.(type) {
	case *central.AccountRow:
		c := *a
		c.Balance += b.(*central.AccountRow).Balance
		return &c
	case *central.Counter:
		c := *a
		c.N += b.(*central.Counter).N
		return &c
	}
	return b
}

// write commits changes to a database as they are: no planning, one transaction.
func write(ctx context.Context, store central.Store, c *central.Changes) error {
	tx, err := store.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Apply(ctx, c); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// pourRows is about how many rows one transaction of a pour writes.
const pourRows = 50_000

// pour writes planned changes to databases in large transactions while the next ones are planned.
type pour struct {
	ctx     context.Context
	stores  []named
	pending []*central.Changes
	rows    int
	full    chan *central.Changes
	done    chan error
}

func newPour(ctx context.Context, stores []named) *pour {
	p := &pour{ctx: ctx, stores: stores, full: make(chan *central.Changes, 1), done: make(chan error, 1)}
	go p.run()
	return p
}

func (p *pour) run() {
	var err error
	for c := range p.full {
		for _, s := range p.stores {
			if err == nil {
				err = write(p.ctx, s, c)
			}
		}
	}
	p.done <- err
}

// add takes the changes of one commit.
func (p *pour) add(c *central.Changes) error {
	p.pending = append(p.pending, c)
	if p.rows += len(c.New) + len(c.Put); p.rows >= pourRows {
		p.flush()
	}
	return nil
}

func (p *pour) flush() {
	p.full <- merge(p.pending)
	p.pending, p.rows = p.pending[:0], 0
}

// end writes what is left and returns the first error.
func (p *pour) end() error {
	p.flush()
	close(p.full)
	return <-p.done
}
