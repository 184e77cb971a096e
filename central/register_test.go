package central_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// A refused neighbour in the same transaction touches nobody.
func TestRefusedNeighbours(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	player := w.Player("one", 100)
	release := hold(w)
	var asked []<-chan error
	for i := range 60 {
		cmd := central.Command(central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}})
		switch i % 6 {
		case 1:
			cmd = central.BuyShares{Player: player, Draw: loto, Type: "none", Shares: 1}
		case 3:
			cmd = central.Unlawful{Do: func(*central.Plan) error { panic("a fault of the program") }}
		case 5:
			cmd = central.Unlawful{Do: func(p *central.Plan) error {
				if err := central.Post(p, ledger.Player(player), ledger.Operator("loto"), 100); err != nil {
					return err
				}
				return errors.New("refused after a posting")
			}}
		}
		asked = append(asked, ask(w, fmt.Sprint("n", i), cmd))
	}
	release(len(asked))
	for i, a := range asked {
		want := map[int]central.Code{1: central.NotFound, 3: central.Internal, 5: central.Internal}[i%6]
		if err := <-a; central.CodeOf(err) != want {
			t.Errorf("request %d: %v, want code %q", i, err, want)
		}
	}
	if got := w.Balance(player); got != 10_000-30*220 {
		t.Errorf("balance %v", got)
	}
	w.CheckBooks()
}

// ask sends a command and does not wait for the answer.
func ask(w *storetest.World, key string, c central.Command) <-chan error {
	return askAs(w, "system", key, c)
}

func askAs(w *storetest.World, principal, key string, c central.Command) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := w.Register.Do(context.Background(), central.Request{Principal: principal, Key: key, Command: c})
		done <- err
	}()
	return done
}

// hold keeps the register busy, so that what is asked meanwhile forms one batch; the returned function lets it go on once n commands wait.
func hold(w *storetest.World) (release func(n int)) {
	entered, leave := make(chan struct{}), make(chan struct{})
	once := false
	done := ask(w, "hold", central.Unlawful{Do: func(*central.Plan) error {
		if !once {
			once = true
			close(entered)
			<-leave
		}
		return nil
	}})
	<-entered
	return func(n int) {
		w.Helper()
		for central.Waiting(w.Register) < n {
			runtime.Gosched()
		}
		close(leave)
		if err := <-done; err != nil {
			w.Fatal(err)
		}
	}
}

// Case 23: a double click, twenty times at once: one debit, twenty equal answers.
func TestCase23DoubleClick(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	player := w.Player("one", 100)
	request := central.Request{Principal: central.PlayerPrincipal(player), Key: "click", Command: central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: 2}}
	receipts := make([]central.Receipt, 20)
	var wg sync.WaitGroup
	for i := range receipts {
		wg.Go(func() {
			var err error
			if receipts[i], err = w.Register.Do(t.Context(), request); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	replayed := 0
	for _, r := range receipts {
		if r.Replayed {
			replayed++
		}
		if r.Node != receipts[0].Node || r.Index != receipts[0].Index || !r.At.Equal(receipts[0].At) || !bytes.Equal(r.Result, receipts[0].Result) {
			t.Errorf("two answers: %+v and %+v", r, receipts[0])
		}
	}
	if replayed != 19 || w.Balance(player) != 10_000-2*1320 || len(rows(t, w.Store, central.Plays)) != 1 {
		t.Errorf("%d of 20 answers are replays, balance %v", replayed, w.Balance(player))
	}
	// The same key of somebody else is another request.
	request.Principal = central.SystemPrincipal
	if r, err := w.Register.Do(t.Context(), request); err != nil || r.Replayed {
		t.Errorf("%+v, %v", r, err)
	}
	w.CheckBooks()
}

func TestKeyAndPrincipalAreNeeded(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		principal, key string
		code           central.Code
		want           string
	}{
		{"system", "", central.Invalid, "1 to 64 characters is needed, 0 found"},
		{"system", strings.Repeat("k", 65), central.Invalid, "65 found"},
		{"system", "k\x00", central.Invalid, "without NUL"},
		{"", "k", central.Forbidden, "nobody asks"},
		{"system", strings.Repeat("k", 64), "", ""},
	} {
		_, err := w.Register.Do(t.Context(), central.Request{Principal: c.principal, Key: c.key, Command: central.CreatePlayer{Name: "one"}})
		if central.CodeOf(err) != c.code || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %s %q", c.principal, c.key, err, c.code, c.want)
		}
	}
}

// A refusal that can be cured is not kept: the same request is accepted later under the same key.
func TestRefusalIsNotFinal(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	player := w.Player("one", 1)
	request := central.Request{Principal: central.PlayerPrincipal(player), Key: "k", Command: central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}}}
	if _, err := w.Register.Do(t.Context(), request); central.CodeOf(err) != central.Insufficient {
		t.Fatal(err)
	}
	w.Do("system", central.Deposit{Player: player, Cents: 120})
	if r, err := w.Register.Do(t.Context(), request); err != nil || r.Replayed {
		t.Fatalf("%+v, %v", r, err)
	}
}

// A command whose keys cannot be listed harms its caller alone.
func TestPanicOfKeys(t *testing.T) {
	w := newWorld(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = w.Register.Do(t.Context(), central.Request{Principal: "system", Key: "k", Command: (*central.CreditSlice)(nil)})
	}()
	w.Player("one", 1)
}

// More commands than the queue holds are told to come back; none of them was done.
func TestQueueFull(t *testing.T) {
	w := newWorld(t)
	release := hold(w)
	var wg sync.WaitGroup
	for i := range central.MaxQueue {
		wg.Go(func() {
			_, err := w.Register.Do(context.Background(), central.Request{Principal: "system", Key: fmt.Sprint(i), Command: central.Deposit{Player: 1, Cents: 1}})
			if central.CodeOf(err) != central.NotFound {
				t.Errorf("command %d: %v", i, err)
			}
		})
	}
	for central.Waiting(w.Register) < central.MaxQueue {
		runtime.Gosched()
	}
	_, err := w.Try("system", central.CreatePlayer{Name: "late"})
	if central.CodeOf(err) != central.Unavailable || !strings.Contains(err.Error(), "nothing was done, try again") {
		t.Errorf("%v", err)
	}
	release(central.MaxQueue)
	wg.Wait()
	if n := len(rows(t, w.Store, central.Players)); n != 0 {
		t.Errorf("%d players", n)
	}
}

// Close lets the running batch end and refuses the rest: whoever got a receipt is in the log, nobody else is.
func TestCloseDuringWork(t *testing.T) {
	w := newWorld(t)
	release := hold(w)
	var asked []<-chan error
	for i := range 100 {
		asked = append(asked, ask(w, fmt.Sprint(i), central.CreatePlayer{Name: "p"}))
	}
	closed := make(chan struct{})
	for central.Waiting(w.Register) < len(asked) {
		runtime.Gosched()
	}
	go func() {
		w.Register.Close()
		close(closed)
	}()
	for !central.Stopping(w.Register) {
		runtime.Gosched()
	}
	release(0)
	<-closed
	accepted := 0
	for i, a := range asked {
		switch err := <-a; central.CodeOf(err) {
		case "":
			accepted++
		case central.Unavailable:
		default:
			t.Errorf("command %d: %v", i, err)
		}
	}
	if n := len(rows(t, w.Store, central.Players)); n != accepted {
		t.Errorf("%d players, %d were accepted", n, accepted)
	}
	if _, err := w.Try("system", central.CreatePlayer{Name: "late"}); central.CodeOf(err) != central.Unavailable {
		t.Errorf("after the close: %v", err)
	}
	w.Register.Close() // once more
	w.CheckBooks()
}

// A caller who has gone asks for nothing; one who goes while the command waits learns under the same key what became of it.
func TestCallerGoes(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request := central.Request{Principal: "system", Key: "k", Command: central.CreatePlayer{Name: "one"}}
	if _, err := w.Register.Do(ctx, request); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if n := len(rows(t, w.Store, central.Leaves)); n != 0 {
		t.Fatalf("%d leaves", n)
	}
	release := hold(w)
	ctx, cancel = context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := w.Register.Do(ctx, request)
		gone <- err
	}()
	for central.Waiting(w.Register) < 1 {
		runtime.Gosched()
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	release(1)
	if r, err := w.Register.Do(t.Context(), request); err != nil || !r.Replayed {
		t.Errorf("%+v, %v", r, err)
	}
	if n := len(rows(t, w.Store, central.Players)); n != 1 {
		t.Errorf("%d players", n)
	}
}

// The time of the log never goes back, whatever the clock does; a new register goes on from the last leaf.
func TestTimeNeverGoesBack(t *testing.T) {
	store := &mem.Store{}
	w := storetest.NewWorld(t, store)
	start := w.Clock.Now()
	for _, d := range []time.Duration{0, time.Hour, 30 * time.Minute, -time.Hour, 2 * time.Hour, 0} {
		w.Clock.Set(start.Add(d))
		w.Do("system", central.CreatePlayer{Name: "p"})
		w.Register.Close()
		again := storetest.NewWorld(t, store)
		again.Clock.Set(w.Clock.Now())
		w.Register = again.Register
		w.Clock.Set(again.Clock.Now())
		w.Clock = again.Clock
	}
	var last int64
	for _, r := range rows(t, store, central.Leaves) {
		leaf, _, err := logbook.ParseLeaf(r.(*central.LeafRow).Body)
		if err != nil || leaf.At < last {
			t.Errorf("leaf %d at %d after %d, %v", leaf.Index, leaf.At, last, err)
		}
		last = leaf.At
	}
	if want := start.Add(2 * time.Hour).UnixMicro(); last != want {
		t.Errorf("the last leaf is of %d, want %d", last, want)
	}
	w.CheckBooks()
}

// Two processes that write as the same node: the one that is behind notices, and the log stays whole.
func TestTwoWritersOfOneNode(t *testing.T) {
	store := &mem.Store{}
	a, b := storetest.NewWorld(t, store), storetest.NewWorld(t, store)
	a.Do("system", central.CreatePlayer{Name: "one"})
	if err := <-ask(b, "b", central.CreatePlayer{Name: "two"}); err != nil {
		t.Fatal(err)
	}
	_, err := a.Register.Do(t.Context(), central.Request{Principal: "system", Key: "a", Command: central.CreatePlayer{Name: "three"}})
	if central.CodeOf(err) != central.Unavailable || !strings.Contains(err.Error(), "does another process write as the same node?") {
		t.Errorf("%v", err)
	}
	a.CheckBooks()
}

func TestNodesAreBounded(t *testing.T) {
	for _, node := range []int64{-1, central.MaxNodes} {
		if _, err := central.NewRegister(central.Config{Node: node}); err == nil || !strings.Contains(err.Error(), "accepted 0 to 15") {
			t.Errorf("node %d: %v", node, err)
		}
	}
}

// A batch of commands leaves the same leaves as the commands one by one, and two runs the same bytes.
func TestBatchesLeaveTheSameLeaves(t *testing.T) {
	run := func(t *testing.T, batched bool) (root string, bodies []string) {
		w := newWorld(t)
		openLoto(w)
		var players []int64
		for i := range 3 {
			players = append(players, w.Player(fmt.Sprint(i), 30))
		}
		var cmds []central.Command
		for i := range 40 {
			player := players[i%3]
			switch i % 4 {
			case 0:
				cmds = append(cmds, central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1), quick(6, 1)}})
			case 1:
				cmds = append(cmds, central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: int64(1 + i%3)})
			case 2:
				cmds = append(cmds, central.Deposit{Player: player, Cents: 500})
			case 3:
				cmds = append(cmds, central.BuyShares{Player: player, Draw: loto, Type: "small", Shares: 2})
			}
		}
		release := hold(w)
		if !batched {
			release(0)
		}
		var asked []<-chan error
		for i, c := range cmds {
			asked = append(asked, ask(w, fmt.Sprint("c", i), c))
			if !batched {
				<-asked[i]
				continue
			}
			for central.Waiting(w.Register) <= i { // in this order
				runtime.Gosched()
			}
		}
		if batched {
			release(len(cmds))
			for _, a := range asked {
				<-a
			}
		}
		w.CheckBooks()
		var tree logbook.Tree
		for _, r := range rows(t, w.Store, central.Leaves) {
			l := r.(*central.LeafRow)
			bodies = append(bodies, string(l.Body))
			tree.Add(logbook.Hash(l.Salt, l.Body))
		}
		return tree.Root().String(), bodies
	}
	root, bodies := run(t, false)
	for _, batched := range []bool{false, true} {
		r, b := run(t, batched)
		if r != root {
			t.Errorf("batched %v: root %s, want %s", batched, r, root)
		}
		for i := range b {
			if i < len(bodies) && b[i] != bodies[i] {
				t.Fatalf("batched %v: leaf %d is\n%s\nwant\n%s", batched, i, b[i], bodies[i])
			}
		}
	}
}

// A register that sells to people writes its log, whatever else it is told; one of a bench goes on without, and keeps its indexes apart.
func TestNullLog(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	base := central.Config{Store: &mem.Store{}, Clock: w.Clock, Entropy: &storetest.Entropy{Seed: 3}, Sealer: w.Keys, Verifier: w.Keys.Verifier(), NullLog: true}
	for name, sells := range map[string]func(*central.Config){"quotes": func(c *central.Config) { c.QuotesOnly = true }, "room": func(c *central.Config) { c.DrawRoom = true }} {
		cfg := base
		if sells(&cfg); cfg.NullLog {
			if r, err := central.NewRegister(cfg); err == nil {
				r.Close()
				t.Errorf("%s: a register without a log sells", name)
			}
		}
	}
	r, err := central.NewRegister(base)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, name := range []string{"one", "two", "three"} {
		add := central.AddStaff{Name: name, Role: "auditor", Password: "$argon2id$test"}
		receipt, err := r.Do(t.Context(), central.Request{Principal: central.SystemPrincipal, Key: name, Command: add})
		if err != nil || receipt.Index != int64(i) {
			t.Fatalf("%+v %v", receipt, err)
		}
	}
	if n := len(rows(t, base.Store, central.Leaves)); n != 0 {
		t.Errorf("%d leaves", n)
	}
	if central.CheckBooks(t.Context(), base.Store) == nil {
		t.Error("the books hold without a log")
	}
}
