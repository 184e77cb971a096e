package central_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"tirage/central"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// slow is a store whose first load after armed waits until the register's queue is full enough; it counts commits.
type slow struct {
	central.Store
	armed    func()
	commits  int
	together bool // what Alone says
}

func (s *slow) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := s.Store.Begin(ctx)
	return &slowTx{tx, s}, err
}

type slowTx struct {
	central.Tx
	store *slow
}

func (t *slowTx) Alone() bool { return !t.store.together }

func (t *slowTx) Load(ctx context.Context, keys, shared []central.Key) ([]central.Row, error) {
	if arm := t.store.armed; arm != nil {
		t.store.armed = nil
		arm()
	}
	return t.Tx.Load(ctx, keys, shared)
}

func (t *slowTx) Commit(ctx context.Context) error {
	t.store.commits++
	return t.Tx.Commit(ctx)
}

// Who comes while a batch reads its rows joins it where nobody else can hold a row, and waits for the next batch where somebody may. One who is refused spoils
// nothing.
func TestWhoComesWhileABatchLoadsJoinsIt(t *testing.T) {
	for _, together := range []bool{false, true} {
		t.Run(fmt.Sprintf("together=%t", together), func(t *testing.T) {
			store := &slow{Store: new(mem.Store), together: together}
			w := storetest.NewWorld(t, store)
			openLoto(w)
			players := []int64{w.Player("one", 100), w.Player("two", 100), w.Player("three", 1)}
			var late []<-chan error
			store.armed = func() {
				for i, p := range players {
					late = append(late, ask(w, fmt.Sprint("late", i), central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{quick(5, 1)}}))
				}
				for central.Waiting(w.Register) < len(players) {
					runtime.Gosched()
				}
			}
			before := store.commits
			first := central.Request{Principal: central.PlayerPrincipal(players[0]), Key: "first", Command: central.BuyPlay{Player: players[0], Draw: loto, Lines: []central.Line{quick(5, 1)}}}
			if _, err := w.Register.Do(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			for i, a := range late {
				want := []central.Code{"", "", central.Insufficient}[i]
				if err := <-a; central.CodeOf(err) != want {
					t.Errorf("late %d: %v, want code %q", i, err, want)
				}
			}
			want := 1
			if together {
				want = 2
			}
			if got := store.commits - before; got != want {
				t.Errorf("%d commits, want %d", got, want)
			}
			if got := w.Balance(players[0]); got != 10_000-2*220 {
				t.Errorf("balance %v: of two plays for 2.20 € each", got)
			}
			w.CheckBooks()
		})
	}
}

// A batch looks at the role of who asks; one who joins it may change that role, for those who come after.
func TestWhoJoinsMayChangeARole(t *testing.T) {
	store := &slow{Store: new(mem.Store)}
	w := storetest.NewWorld(t, store)
	for _, name := range []string{"chief", "one"} {
		w.Do("system", central.AddStaff{Name: name, Role: map[string]string{"chief": "admin", "one": "operator"}[name], Password: "$argon2id$"})
	}
	var change <-chan error
	store.armed = func() {
		change = askAs(w, "staff/chief", "change", central.SetStaffRole{Name: "one", Role: "auditor", Why: "moved"})
		for central.Waiting(w.Register) < 1 {
			runtime.Gosched()
		}
	}
	before := store.commits
	w.Do("staff/one", central.PlanDraw{Game: "loto", Day: "2020-06-24", Jackpot: 900_000_000})
	if err := <-change; err != nil || store.commits != before+1 {
		t.Errorf("%v, %d commits, want 1", err, store.commits-before)
	}
	w.Refused(central.Forbidden, "staff/one", central.PlanDraw{Game: "loto", Day: "2020-06-27", Jackpot: 900_000_000})
}
