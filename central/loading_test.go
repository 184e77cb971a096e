package central

import (
	"testing"

	"tirage/rules/money"
)

// What a batch leaves is what the store will hold after it: rows that it read or wrote, those that it only appends, accounts and counters with what it adds.
func TestWhatABatchLeaves(t *testing.T) {
	account := Key{Table: Accounts, S: "operator/cash"}
	counter := Key{Table: Counters, S: "plays"}
	credit := &Credit{Draw: "loto-2020-06-22", Play: 3, Player: 7, Cents: 220}
	b := newBatch(4)
	b.view[account] = &AccountRow{Name: account.S, Balance: 500}
	b.view[playerKey(7)] = &Player{ID: 7, Balance: 10}
	b.view[playerKey(8)] = nil
	b.append = []Row{&Transfer{}, credit}
	b.added[account], b.added[counter] = -200, 3
	for _, c := range []struct {
		key  Key
		want Row
		ok   bool
	}{
		{playerKey(7), b.view[playerKey(7)], true},
		{playerKey(8), nil, true},
		{playerKey(9), nil, false},
		{KeyOf(credit), credit, true},
	} {
		if got, ok := b.left(c.key); got != c.want || ok != c.ok {
			t.Errorf("%v: %v %v, want %v %v", c.key, got, ok, c.want, c.ok)
		}
	}
	if got, ok := b.left(account); !ok || got.(*AccountRow).Balance != money.Cents(300) {
		t.Errorf("account: %v %v, want 3.00 €", got, ok)
	}
	if got := b.view[account].(*AccountRow).Balance; got != 500 {
		t.Errorf("the row that was read was changed: %v", got)
	}
	if _, ok := b.left(counter); ok {
		t.Error("a counter that was not read has to be read")
	}
	if got := b.sum(counter, &Counter{Name: counter.S, N: 4}); got.(*Counter).N != 7 {
		t.Errorf("counter: %v, want 7", got)
	}
}
