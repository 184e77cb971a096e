package storetest

import (
	"context"
	"encoding/json"

	"tirage/central"
	"tirage/rules/money"
)

type cents = money.Cents

// Result reads the result of a receipt.
func Result(w *World, r central.Receipt, v any) {
	w.Helper()
	if err := json.Unmarshal(r.Result, v); err != nil {
		w.Fatal(err)
	}
}

// Balance returns what a player has.
func (w *World) Balance(player int64) money.Cents {
	w.Helper()
	snap, err := w.Store.Snapshot(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	row, err := snap.Get(context.Background(), central.Key{Table: central.Players, N: player})
	if err != nil || row == nil {
		w.Fatalf("player %d: %v", player, err)
	}
	return row.(*central.Player).Balance
}
