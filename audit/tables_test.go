package audit_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"tirage/audit"
	"tirage/central"
)

// tampered shows a store in which one row is not as it is stored.
type tampered struct {
	central.Reader
	row  central.Row // the row that is meant
	with central.Row // stands in its place; nil: it is gone
	more bool        // with stands beside it
}

func (s *tampered) Snapshot(ctx context.Context) (central.Snapshot, error) {
	snap, err := s.Reader.Snapshot(ctx)
	return &tamperedView{snap, s}, err
}

type tamperedView struct {
	central.Snapshot
	by *tampered
}

func (s *tamperedView) Scan(ctx context.Context, r central.Range, yield func(central.Row) error) error {
	return s.Snapshot.Scan(ctx, r, func(row central.Row) error {
		if row.Table() != s.by.row.Table() || central.KeyOf(row) != central.KeyOf(s.by.row) {
			return yield(row)
		}
		if s.by.with != nil {
			if err := yield(s.by.with); err != nil {
				return err
			}
		}
		if s.by.more {
			return yield(row)
		}
		return nil
	})
}

// all lists every row that the log gives.
func all(t *testing.T, store central.Reader) (rows []central.Row) {
	snap, err := store.Snapshot(t.Context())
	check(t, err)
	defer snap.Close()
	for table := range central.TableID(len(central.Schema)) {
		switch table {
		case central.Counters, central.ProgressRows, central.Tiles, central.Movements, central.Messages, central.Touches, central.DeferredRows:
			continue // not of the log: docs/audit.md
		}
		check(t, snap.Scan(t.Context(), central.Range{From: central.Key{Table: table}}, func(row central.Row) error {
			rows = append(rows, row)
			return nil
		}))
	}
	return rows
}

func clone(row central.Row) central.Row {
	c := central.Schema[row.Table()].New()
	from, to := row.Fields(), c.Fields()
	for i := range from {
		switch f := from[i].(type) {
		case *int64:
			*to[i].(*int64) = *f
		case *string:
			*to[i].(*string) = *f
		case *[]byte:
			*to[i].(*[]byte) = append([]byte(nil), *f...)
		}
	}
	return c
}

// change changes a column a little.
func change(rng *rand.Rand, column any) {
	switch c := column.(type) {
	case *int64:
		*c += 1 + rng.Int64N(3)
	case *string:
		*c += "x"
	case *[]byte:
		if len(*c) == 0 {
			*c = []byte{1}
		} else {
			(*c)[rng.IntN(len(*c))] ^= byte(1 << rng.IntN(8))
		}
	}
}

// Every column of every row of every table that the log gives is changed, every row dropped or doubled under another key: the replay of the exported log finds
// each, and names table, key and column.
func TestEveryMutationOfATableIsLocated(t *testing.T) {
	w, e := small(t, 20)
	rng, tried := rand.New(rand.NewPCG(3, 4)), 0
	find := func(s *tampered) *audit.Report {
		tried++
		o := e.options()
		o.Store = s
		return replay(t, o)
	}
	for _, row := range all(t, w.Store) {
		table := &central.Schema[row.Table()]
		for c := range row.Fields() {
			with := clone(row)
			change(rng, with.Fields()[c])
			r := find(&tampered{Reader: w.Store, row: row, with: with})
			if row.Table() == central.Writers && r.Fault != nil {
				continue // the store's log is longer than its leaves
			}
			if r.Differing == 0 {
				t.Fatalf("%v: column %s changed, not detected", central.KeyOf(row), table.Columns[c].Name)
			}
			found := false
			for _, d := range r.Differences {
				found = found || d.Table == table.Name && (d.Column == table.Columns[c].Name || c < table.PK || row.Table() == central.Leaves)
			}
			if !found || c >= table.PK && r.Differing != 1 {
				t.Fatalf("%v: column %s changed, found %v", central.KeyOf(row), table.Columns[c].Name, r.Differences)
			}
		}
		if r := find(&tampered{Reader: w.Store, row: row}); r.Differing != 1 || r.Differences[0].Table != table.Name {
			account, isAccount := row.(*central.AccountRow)
			if !isAccount || account.Balance != 0 {
				t.Fatalf("%v dropped, found %v", central.KeyOf(row), r.Differences)
			}
		}
		more := clone(row)
		change(rng, more.Fields()[table.PK-1])
		if r := find(&tampered{Reader: w.Store, row: row, with: more, more: true}); r.OK() {
			t.Fatalf("%v beside %v, not detected", central.KeyOf(more), central.KeyOf(row))
		}
	}
	t.Logf("%d mutations, each located", tried)
}
