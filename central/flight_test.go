package central_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"tirage/central"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// gated is a store whose next load and next commit do something before they go on.
type gated struct {
	central.Store
	load     func()
	commit   func(commit func() error) error
	commits  int
	begun    int
	together bool // others may write at the same time
}

func (s *gated) Begin(ctx context.Context) (central.Tx, error) {
	s.begun++
	tx, err := s.Store.Begin(ctx)
	return &gatedTx{tx, s}, err
}

type gatedTx struct {
	central.Tx
	store *gated
}

func (t *gatedTx) Base() (int64, bool) {
	state, alone := t.Tx.Base()
	return state, alone && !t.store.together
}

func (t *gatedTx) Load(ctx context.Context, keys, shared []central.Key) ([]central.Row, error) {
	if f := t.store.load; f != nil {
		t.store.load = nil
		f()
	}
	return t.Tx.Load(ctx, keys, shared)
}

func (t *gatedTx) Commit(ctx context.Context) error {
	t.store.commits++
	commit := func() error { return t.Tx.Commit(ctx) }
	if f := t.store.commit; f != nil {
		t.store.commit = nil
		return f(commit)
	}
	return commit()
}

// flown is a world with a Loto draw on a gated store.
type flown struct {
	*storetest.World
	store *gated
	late  []<-chan error
}

func newFlown(t *testing.T) *flown {
	store := &gated{Store: new(mem.Store)}
	f := &flown{World: storetest.NewWorld(t, store), store: store}
	openLoto(f.World)
	return f
}

// ask sends a command without waiting for its answer, behind those that were sent before.
func (f *flown) ask(principal, key string, cmd central.Command) {
	before := central.Waiting(f.Register)
	f.late = append(f.late, askAs(f.World, principal, key, cmd))
	for central.Waiting(f.Register) == before {
		runtime.Gosched()
	}
}

// during does a first command and sends others while its batch is written; then goes on with the commit as it is told.
func (f *flown) during(principal string, first central.Command, send func(), commit func(commit func() error) error) error {
	// Something has to wait behind the first command for others to be planned while it is written.
	f.store.load = send
	f.store.commit = func(inner func() error) error {
		for !f.store.together && central.PlannedAhead(f.Register) < len(f.late) {
			runtime.Gosched()
		}
		return commit(inner)
	}
	_, err := f.Register.Do(context.Background(), central.Request{Principal: principal, Key: "first", Command: first})
	return err
}

func (f *flown) answers(t *testing.T, want ...central.Code) {
	t.Helper()
	for i, a := range f.late {
		if err := <-a; central.CodeOf(err) != want[i] {
			t.Errorf("late %d: %v, want code %q", i, err, want[i])
		}
	}
}

func asIs(commit func() error) error { return commit() }

// Who comes while a batch is written is planned on top of it where nobody else can write, and waits for the next batch where somebody may. One who is refused
// spoils nothing.
func TestWhatComesWhileABatchIsWritten(t *testing.T) {
	for _, together := range []bool{false, true} {
		t.Run(fmt.Sprintf("together=%t", together), func(t *testing.T) {
			f := newFlown(t)
			players := []int64{f.Player("one", 5), f.Player("two", 100), f.Player("three", 1)}
			f.store.together = together
			before := f.store.commits
			buy := func(p int64) central.Command {
				return central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{quick(5, 1)}}
			}
			err := f.during(central.PlayerPrincipal(players[0]), buy(players[0]), func() {
				for i, p := range []int64{players[0], players[1], players[2], players[0]} {
					f.ask(central.PlayerPrincipal(p), fmt.Sprint("late ", i), buy(p))
				}
			}, asIs)
			if err != nil {
				t.Fatal(err)
			}
			// The first player has 5.00 €, enough for two plays of the three.
			f.answers(t, "", "", central.Insufficient, central.Insufficient)
			if got := f.store.commits - before; got != 2 {
				t.Errorf("%d commits, want 2", got)
			}
			if got := f.Balance(players[0]); got != 500-2*220 {
				t.Errorf("balance %v: of two plays for 2.20 € each", got)
			}
			f.CheckBooks()
		})
	}
}

// What was planned on top of a batch is planned again when that batch, or its outcome, is lost; all are done once.
func TestTheBatchBelowFails(t *testing.T) {
	injected := errors.New("injected")
	for name, commit := range map[string]func(func() error) error{
		"given up":    func(func() error) error { return fmt.Errorf("%w: %w", central.ErrRetry, injected) },
		"doubt, lost": func(func() error) error { return fmt.Errorf("%w: %w", central.ErrInDoubt, injected) },
		"doubt, applied": func(c func() error) error {
			return errors.Join(c(), fmt.Errorf("%w: %w", central.ErrInDoubt, injected))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFlown(t)
			p := f.Player("one", 10)
			me := central.PlayerPrincipal(p)
			buy := central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{quick(5, 1)}}
			err := f.during(me, buy, func() {
				f.ask(me, "first", buy) // the same request again
				f.ask(me, "second", buy)
			}, commit)
			if err != nil {
				t.Fatal(err)
			}
			f.answers(t, "", "")
			if got := f.Balance(p); got != 1000-2*220 {
				t.Errorf("balance %v, want what is left after two plays for 2.20 €", got)
			}
			f.CheckBooks()
		})
	}
}

// Somebody else writes between a batch and the one planned on top of it: that one is planned again on what is there now, unless it had nothing to do with
// what was written.
func TestSomebodyElseWritesBetween(t *testing.T) {
	for _, theirs := range []bool{true, false} {
		t.Run(fmt.Sprintf("rows that were read=%t", theirs), func(t *testing.T) {
			f := newFlown(t)
			f.Faulty = true // the other one writes no log
			rich, poor := f.Player("rich", 100), f.Player("poor", 3)
			buy := func(p int64) central.Command {
				return central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{quick(5, 1)}}
			}
			f.Do("system", buy(rich))
			other := central.Row(&central.Progress{Name: "somebody", N: 1})
			want := central.Code("")
			if theirs {
				row := storetest.Get[central.Player](f.World, central.Key{Table: central.Players, N: poor})
				row.Balance = 219
				other, want = row, central.Insufficient
			}
			begun := f.store.begun
			err := f.during(central.PlayerPrincipal(rich), buy(rich), func() { f.ask(central.PlayerPrincipal(poor), "late", buy(poor)) }, func(commit func() error) error {
				if err := commit(); err != nil {
					return err
				}
				tx, err := f.store.Store.Begin(t.Context())
				if err != nil {
					return err
				}
				defer tx.Rollback()
				return errors.Join(tx.Apply(t.Context(), &central.Changes{Put: []central.Row{other}}), tx.Commit(t.Context()))
			})
			if err != nil {
				t.Fatal(err)
			}
			f.answers(t, want)
			// One transaction for each batch, and one more for the one that is planned again.
			if got, want := f.store.begun-begun, map[bool]int{true: 3, false: 2}[theirs]; got != want {
				t.Errorf("%d transactions, want %d", got, want)
			}
		})
	}
}

// A batch looks at the role of who asks; who comes later may change that role, for those who come after. On both sides of a commit.
func TestARoleChangesWhileABatchIsWritten(t *testing.T) {
	f := newFlown(t)
	for name, role := range map[string]string{"chief": "admin", "one": "operator", "two": "operator"} {
		f.Do("system", central.AddStaff{Name: name, Role: role, Password: "$argon2id$"})
	}
	err := f.during("staff/one", central.PlanDraw{Game: "loto", Day: "2020-06-24", Jackpot: 900_000_000}, func() {
		f.ask("staff/chief", "change", central.SetStaffRole{Name: "one", Role: "auditor", Why: "moved"})
		f.ask("staff/one", "plan", central.PlanDraw{Game: "loto", Day: "2020-06-27", Jackpot: 900_000_000})
		f.ask("staff/two", "plan too", central.PlanDraw{Game: "loto", Day: "2020-06-29", Jackpot: 900_000_000})
	}, asIs)
	if err != nil {
		t.Fatal(err)
	}
	f.answers(t, "", central.Forbidden, "")
}

// décret 78-1067:15: at most 45 identical combinations, counted across a batch and the one planned on top of it.
func TestCappedAcrossBatches(t *testing.T) {
	f := newFlown(t)
	p := f.Player("one", 1000)
	me := central.PlayerPrincipal(p)
	buy := central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{chosen(f.World, "1-2-3-4-5+6")}}
	var want []central.Code
	for range 43 {
		f.Do(me, buy)
	}
	err := f.during(me, buy, func() {
		for i := range 3 {
			f.ask(me, fmt.Sprint("late ", i), buy)
			want = append(want, []central.Code{"", central.SoldOut, central.SoldOut}[i])
		}
	}, asIs)
	if err != nil {
		t.Fatal(err)
	}
	f.answers(t, want...)
	f.CheckBooks()
}

// Two confirmations of one quote under keys of their own, in one batch or in the one planned on top of it: the second is told what was bought.
func TestCase23TwoConfirmationsAtOnce(t *testing.T) {
	f := newFlown(t)
	player := f.Player("one", 100)
	me := central.PlayerPrincipal(player)
	q, err := f.Register.Quote(t.Context(), central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}})
	must(f.World, err)
	slip, err := central.ParseQuote(q.Text)
	must(f.World, err)
	confirm := central.Confirm{Quote: *slip}
	told := func(err error) {
		t.Helper()
		var no *central.Refusal
		if !errors.As(err, &no) || no.Reason != "quote.confirmed" || len(no.Current.(central.Receipt).Result) == 0 {
			t.Errorf("%v, want quote.confirmed with what was bought", err)
		}
	}
	release := hold(f.World)
	f.ask(me, "a", confirm)
	f.ask(me, "b", confirm)
	release(2)
	if err := <-f.late[0]; err != nil {
		t.Fatal(err)
	}
	told(<-f.late[1])

	q, err = f.Register.Quote(t.Context(), central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}})
	must(f.World, err)
	slip, err = central.ParseQuote(q.Text)
	must(f.World, err)
	confirm, f.late = central.Confirm{Quote: *slip}, nil
	must(f.World, f.during(me, confirm, func() { f.ask(me, "c", confirm) }, asIs))
	told(<-f.late[0])
	f.CheckBooks()
}

// The time of the log is that of its last leaf, whatever was refused after it in the same batch.
func TestARefusalLeavesNoTime(t *testing.T) {
	f := newFlown(t)
	p := f.Player("one", 3)
	me := central.PlayerPrincipal(p)
	buy := central.BuyPlay{Player: p, Draw: loto, Lines: []central.Line{quick(5, 1)}}
	f.Do(me, buy)
	must(f.World, f.during("system", central.Deposit{Player: p, Cents: 300}, func() { f.ask(me, "late", buy) }, func(commit func() error) error {
		f.Clock.Set(f.Clock.Now().Add(time.Second))
		f.late = append(f.late, askAs(f.World, me, "too late", buy))
		for central.PlannedAhead(f.Register) < len(f.late) {
			runtime.Gosched()
		}
		return commit()
	}))
	f.answers(t, "", central.Insufficient)
	f.CheckBooks()
}
