package storetest_test

import (
	"testing"

	"tirage/central"
	"tirage/store/storetest"
)

// Text that one of the engines cannot hold is refused the same on all, before it reaches a batch.
func TestTextThatCannotBeStored(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		draw, _ := onSale(w)
		player := w.Player("Zoé 😀", 100)
		for _, bad := range []string{"\x00", "a\x00b", "\xff", "caf\xe9"} {
			for name, request := range map[string]central.Request{
				"key":       {Principal: central.PlayerPrincipal(player), Key: bad, Command: central.Deposit{Player: player, Cents: 1}},
				"principal": {Principal: bad, Key: "k", Command: central.Deposit{Player: player, Cents: 1}},
				"draw":      {Principal: central.PlayerPrincipal(player), Key: "k", Command: buy(player, bad, simple)},
				"type":      {Principal: central.PlayerPrincipal(player), Key: "k", Command: central.BuyShares{Player: player, Draw: draw, Type: bad, Shares: 1}},
				"name":      {Principal: "system", Key: "k", Command: central.CreatePlayer{Name: bad}},
			} {
				if _, err := w.Register.Do(t.Context(), request); central.CodeOf(err) != central.Invalid {
					t.Errorf("%s %q: %v", name, bad, err)
				}
			}
		}
		w.CheckBooks()
		w.Do(central.PlayerPrincipal(player), buy(player, draw, simple))
	})
}
