package storetest

import (
	"context"
	"errors"

	"tirage/central"
)

// Overwrite writes a row that exists behind the register's back, as somebody does who has the database in hand.
func Overwrite(w *World, r central.Row) {
	w.Helper()
	ctx := context.Background()
	tx, err := w.Store.Begin(ctx)
	if err != nil {
		w.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Load(ctx, []central.Key{central.KeyOf(r)}, nil); err != nil {
		w.Fatal(err)
	}
	if err := errors.Join(tx.Apply(ctx, &central.Changes{Put: []central.Row{r}}), tx.Commit(ctx)); err != nil {
		w.Fatal(err)
	}
}
