package storetest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"tirage/central"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// between is a store on which something happens between the loads of its first transaction that writes and the writing.
type between struct {
	central.Store
	once sync.Once
	do   func()
}

func (s *between) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := s.Store.Begin(ctx)
	return &betweenTx{tx, s}, err
}

type betweenTx struct {
	central.Tx
	store *between
}

func (t *betweenTx) Apply(ctx context.Context, c *central.Changes) error {
	if t.store.do != nil {
		t.store.once.Do(t.store.do)
	}
	return t.Tx.Apply(ctx, c)
}

// The first round that was ever asked for and the first withdrawal of a game meet on two nodes: the round has found the game on sale, and the
// withdrawal is accepted before the round is written. The round is refused.
func TestFirstWithdrawalMeetsFirstRound(t *testing.T) {
	dsn := postgresDSN(t)
	open := func() *sql.Store {
		s, err := sql.OpenPostgres(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	paused := &between{Store: open()}
	a, b := node(t, paused, 0), node(t, open(), 1)
	player := a.Player("one", 10)
	paused.do = func() {
		if _, err := ask(b, "staff/anna", "withdraw", central.WithdrawGame{Game: "donuts", Why: "server not ready"}); err != nil {
			t.Error(err)
		}
	}
	start := central.StartRound{Player: player, Game: "donuts"}
	_, err := ask(a, central.PlayerPrincipal(player), "start", start)
	if central.CodeOf(err) != central.Closed {
		t.Errorf("a round starts after the withdrawal: %v", err)
	}
	if _, err := ask(b, "staff/anna", "resume", central.ResumeGame{Game: "donuts", Why: "ready"}); err != nil {
		t.Error(err)
	}
	if _, err := ask(a, central.PlayerPrincipal(player), "again", start); err != nil {
		t.Error(err)
	}
	a.CheckBooks()
	mustReplay(t, a)
}

// Rounds start on two nodes while one of them withdraws the game, which nobody had played: whatever was accepted was accepted before the withdrawal.
func TestTwoNodesWithdrawAGame(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		var players [2 * clients]int64
		for i := range players {
			players[i] = a.Player(fmt.Sprint("player ", i), 1)
		}
		withdrawn := make(chan struct{})
		crowd([]*storetest.World{a, b}, func(w *storetest.World, n, c int) {
			if n == 1 && c == clients/2 {
				if _, err := ask(w, "staff/anna", "withdraw", central.WithdrawGame{Game: "donuts", Why: "server not ready"}); err != nil {
					t.Error(err)
				}
				close(withdrawn)
			}
			if c%8 == 7 {
				<-withdrawn
			}
			player := players[n*clients+c]
			_, err := ask(w, central.PlayerPrincipal(player), fmt.Sprint("start ", player), central.StartRound{Player: player, Game: "donuts"})
			if code := central.CodeOf(err); code != "" && code != central.Closed || code == "" && c%8 == 7 {
				t.Errorf("node %d, client %d: %v", n, c, err)
			}
		})
		a.CheckBooks()
		mustReplay(t, a)
	})
}
