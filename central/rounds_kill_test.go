package central_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// mortal is a store whose process is killed at a commit: before it reached the disk, or after.
type mortal struct {
	central.Store
	kill, after, dead bool
}

var errKilled = errors.New("killed")

func (m *mortal) Begin(ctx context.Context) (central.Tx, error) {
	if m.dead {
		return nil, fmt.Errorf("%w: %w", central.ErrDown, errKilled)
	}
	tx, err := m.Store.Begin(ctx)
	return &mortalTx{tx, m}, err
}

type mortalTx struct {
	central.Tx
	store *mortal
}

func (t *mortalTx) Commit(ctx context.Context) error {
	if !t.store.kill {
		return t.Tx.Commit(ctx)
	}
	t.store.dead = true
	if !t.store.after {
		t.Rollback()
	} else if err := t.Tx.Commit(ctx); err != nil {
		return err
	}
	return fmt.Errorf("%w: %w", central.ErrDown, errKilled)
}

// The moves of four rounds: one stopped, one collapsed, one to the top, one abandoned after a level. Its levels in the middle are passed
// undisturbed (u).
const moves = "sppj" + "spc" + "spuuuuuuuupj" + "sp"

// The server is killed at every transition, before and after its commit reached the disk, and started again on the same store. The books are
// right at once, the client's retry under the same key does each thing once, and the round goes on.
func TestKillAtEveryTransition(t *testing.T) {
	covers.Covers(t, "D8", "D20")
	for _, after := range []bool{false, true} {
		t.Run(map[bool]string{false: "before the commit", true: "after the commit"}[after], func(t *testing.T) {
			allHalls(t, func(t *testing.T, h *hall, again func() central.Store) {
				player := h.Player("one", 10)
				k := &killer{t: t, hall: h, again: again, after: after, player: player}
				var ends []*central.RoundAnswer
				for _, move := range moves {
					if move == 'u' {
						k.last = k.hall.play(player, k.last, true)
						continue
					}
					if a := k.move(move); a.Round.State != replay.Open {
						ends = append(ends, a)
					}
				}
				k.abandoned(k.last.Round.Sure)
				balance := 1000 - 4*50 + ends[0].Round.Gain + ends[2].Round.Gain + k.last.Round.Sure
				if ends[0].Round.State != replay.Won || ends[1].Round.State != replay.Lost || ends[2].Round.EndedBy != central.EndedByTop || k.hall.Balance(player) != balance {
					t.Errorf("balance %v, want %v; rounds %+v", k.hall.Balance(player), balance, ends)
				}
				if got := len(k.hall.history(player)); got != 4 {
					t.Errorf("%d rounds, want 4", got)
				}
			})
		})
	}
}

// killer plays moves on a server that dies at each of them.
type killer struct {
	t      *testing.T
	hall   *hall
	again  func() central.Store
	after  bool
	player int64
	starts uint64
	last   *central.RoundAnswer
}

// move does one thing, killed and retried: s start, p pass a level, c collapse, j « J'arrête ».
func (k *killer) move(m rune) *central.RoundAnswer {
	k.t.Helper()
	var c central.Command
	switch m {
	case 's':
		k.hall.wait(10 * time.Second)
		c = central.StartRound{Player: k.player, Game: donuts}
	case 'p', 'c':
		c = k.hall.series(k.player, k.last, m == 'p')
	case 'j':
		c = stop(k.player, k.last)
	}
	key := k.hall.fresh()
	k.die(func(h *hall) error {
		_, err := h.under(key, self(k.player), c)
		return err
	})
	a, err := k.hall.under(key, self(k.player), c)
	if err != nil {
		k.t.Fatalf("%s after the restart: %v", c.Kind(), err)
	}
	k.hall.CheckBooks()
	k.last = a
	return a
}

// die does something on a server that is killed at its first commit, and starts the next one.
func (k *killer) die(f func(h *hall) error) {
	k.t.Helper()
	k.hall.Register.Close()
	k.starts++
	store := &mortal{Store: k.again(), kill: true, after: k.after}
	doomed := openHall(k.t, store, 2*k.starts)
	doomed.Clock.Set(k.hall.Clock.Now())
	if err := f(doomed); central.CodeOf(err) != central.Unavailable {
		k.t.Fatalf("killed: %v", err)
	}
	doomed.Register.Close()
	next := openHall(k.t, k.again(), 2*k.starts+1)
	next.Clock.Set(k.hall.Clock.Now())
	k.hall = next
	k.hall.CheckBooks()
}

// abandoned lets the open round fall due: the sweep is killed, too, and pays once.
func (k *killer) abandoned(sure money.Cents) {
	k.t.Helper()
	k.hall.wait(7 * 24 * time.Hour)
	before := k.hall.Balance(k.player)
	k.die(func(h *hall) error {
		_, err := h.croupier.Sweep(context.Background())
		return err
	})
	for range 2 {
		k.hall.sweep()
		k.hall.CheckBooks()
	}
	if got := k.hall.Balance(k.player); got != before+sure {
		k.t.Errorf("abandoned: from %v to %v, want %v more", before, got, sure)
	}
}

func (h *hall) sweep() central.Abandoned {
	h.Helper()
	done, err := h.croupier.Sweep(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	return done
}

// What nobody goes on with is closed after the stated delay and not before: the last level passed is paid, a stake without a series goes back. A
// restart finds everything, whatever the process knew that died.
func TestAbandonedRounds(t *testing.T) {
	halls(t, func(t *testing.T, h *hall, again func() central.Store) {
		idle, climber, player := h.Player("idle", 1), h.Player("climber", 1), h.Player("player", 5)
		h.start(idle)
		climbed := h.climb(climber, 2)
		for range 3 { // rounds that end by themselves, between those that don't
			h.play(player, h.start(player), false)
		}
		day := 24 * time.Hour
		h.wait(7*day - 21*time.Second)
		if done := h.sweep(); done != (central.Abandoned{}) {
			t.Errorf("closed before their time: %+v", done)
		}
		late := h.start(player)
		h.Register.Close()

		later := openHall(t, again(), 1)
		later.Clock.Set(h.Clock.Now().Add(time.Minute))
		later.refused(central.Closed, "round.due", self(climber), later.series(climber, climbed, true))
		want := central.Abandoned{Paid: 1, Refunded: 1, Cents: 50 + climbed.Round.Sure}
		if done := later.sweep(); done != want {
			t.Errorf("closed %+v, want %+v", done, want)
		}
		later.CheckBooks()
		if later.Balance(idle) != 100 || later.Balance(climber) != 50+climbed.Round.Sure || later.current(idle) != nil {
			t.Errorf("balances %v and %v", later.Balance(idle), later.Balance(climber))
		}
		if done := later.sweep(); done != (central.Abandoned{}) {
			t.Errorf("swept twice: %+v", done)
		}
		later.refused(central.Conflict, "round.step", self(climber), stop(climber, climbed))
		// One that started later is still open.
		later.play(player, late, false)
		later.refused(central.Forbidden, "principal.system", self(player), central.CloseAbandoned{Game: donuts})
	})
}

// More rounds than one command closes.
func TestManyAbandonedRounds(t *testing.T) {
	h, players := openHall(t, newStore(t), 0), 150
	for i := range players {
		var created central.PlayerCreated
		receipt, err := h.Try("system", central.CreatePlayer{Name: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		storetest.Result(h.World, receipt, &created)
		if _, err := h.Try("system", central.Deposit{Player: created.Player, Cents: 50}); err != nil {
			t.Fatal(err)
		}
		h.start(created.Player)
	}
	h.wait(8 * 24 * time.Hour)
	if done := h.sweep(); done.Refunded != int64(players) {
		t.Errorf("closed %+v", done)
	}
	h.CheckBooks()
}

// No command closes a round before its time, whoever sends it.
func TestNobodyClosesEarly(t *testing.T) {
	h := openHall(t, newStore(t), 0)
	player := h.Player("one", 1)
	a := h.start(player)
	c := central.CloseAbandoned{Game: donuts, Through: a.Round.Round, Rounds: []central.RoundRef{{Round: a.Round.Round, Player: player}}}
	h.refused(central.Conflict, "round.early", "system", c)
	c.After = 1
	h.refused(central.Conflict, "sweep.mark", "system", c)
}
