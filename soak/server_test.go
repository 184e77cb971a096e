//go:build linux

package soak_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/pgserver"
	"tirage/internal/pgtest"
	"tirage/store/sql"
	"tirage/vault"
)

// backLimit bounds the wait for sales to go on when the cause of their refusal is gone.
const backLimit = 60 * time.Second

// Every process of PostgreSQL is killed while 32 clients buy; then the server is started again. The selling process is not touched.
func TestKillPostgres(t *testing.T) {
	pgtest.Server(t) // skips where PostgreSQL is not installed
	seed := seedOf(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	dir, err := os.MkdirTemp("", "tirage-soak-") // the folder of a test is closed to the user who runs the server
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := pgserver.Start(t.Context(), pgserver.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	dsn, err := s.Create(t.Context(), "soak")
	if err != nil {
		t.Fatal(err)
	}
	store, err := sql.OpenPostgres(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c := newCrowd(t, store, seed)
	n := rounds(1, 10)
	for round := range n {
		load := 100*time.Millisecond + time.Duration(rng.Int64N(int64(500*time.Millisecond)))
		down := time.Duration(rng.Int64N(int64(time.Second)))
		time.Sleep(load)
		before := c.told()
		killAll(t, s)
		time.Sleep(down)
		start := time.Now()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		up := time.Since(start)
		back := c.goesOn()
		after := c.told()
		t.Logf("round %d: killed after %v of selling, down for %v, recovered in %v, sold again %v later: %d callers told that nothing was done, %d that it is not known",
			round, load.Round(time.Millisecond), down.Round(time.Millisecond), up.Round(time.Millisecond), back.Round(time.Millisecond),
			after.nothing-before.nothing, after.doubt-before.doubt)
	}
	// A server that is stopped in order and started again is the same to the callers.
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	c.refuses()
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.goesOn()
	c.end()
	t.Logf("seed %d: PostgreSQL killed %d times and stopped once: %v", seed, n, c.told())
}

// killAll kills the server and each of its children by its process id, as if the machine lost its power.
func killAll(t *testing.T, s *pgserver.Server) {
	t.Helper()
	children := childrenOf(s.PID())
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended with its parent
	}
	if len(children) == 0 {
		t.Error("the server had no children: nothing was connected to it")
	}
}

// childrenOf returns the processes whose parent is this one.
func childrenOf(parent int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it ended meanwhile
		}
		// "pid (command) state ppid …"; the command may hold anything.
		fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// crowd is clients that buy in this process and ask again, under the same key, when they are told `unavailable`.
type crowd struct {
	*testing.T
	w       *world
	shop    shop
	stop    atomic.Bool
	clients sync.WaitGroup
	sold    atomic.Int64

	mu      sync.Mutex
	acked   map[place]ack
	answers tally
	words   map[string]bool // errors of the store behind `unavailable`
}

// tally counts what callers were told.
type tally struct {
	accepted, refused, nothing, doubt, late int
}

func (a tally) String() string {
	return fmt.Sprintf("%d accepted and there once, %d refused for a reason of their own, %d answers \"nothing was done\" and %d \"not known\", of which %d turned out done when asked again",
		a.accepted, a.refused, a.nothing, a.doubt, a.late)
}

// newCrowd prepares the evening on an empty store and starts to buy.
func newCrowd(t *testing.T, store central.Store, seed uint64) *crowd {
	t.Helper()
	keys, err := vault.New(vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(store, keys, opens)
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{T: t, w: w, shop: shop{Seed: seed, Draws: []string{settled, onSale}}, acked: map[place]ack{}, words: map[string]bool{}}
	if c.shop.Players, err = w.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range clients {
		c.clients.Go(func() { c.buy(i) })
	}
	t.Cleanup(func() {
		c.stop.Store(true)
		w.register.Close()
		c.clients.Wait()
	})
	c.goesOn()
	return c
}

func (c *crowd) buy(client int) {
	for i := 0; !c.stop.Load(); i++ {
		req := c.shop.request(client, i)
		r, err := c.ask(req)
		c.mu.Lock()
		switch code := central.CodeOf(err); code {
		case "":
			c.acked[place{0, client, i}] = ack{req: req, node: r.Node, index: r.Index, sum: fmt.Sprintf("%x", resultSum(r.Result))}
			c.answers.accepted++
			c.sold.Add(1)
		case central.Insufficient, central.SoldOut:
			c.answers.refused++
		case central.Unavailable: // stopped meanwhile
		default:
			c.Errorf("client %d, purchase %d: %v", client, i, err)
			c.stop.Store(true)
		}
		c.mu.Unlock()
	}
}

// ask asks until the answer is not `unavailable`. Whoever was told that nothing was done must not find it done.
func (c *crowd) ask(req central.Request) (central.Receipt, error) {
	doubt := false
	for {
		r, err := c.w.register.Do(context.Background(), req)
		var refusal *central.Refusal
		switch {
		case err == nil && r.Replayed:
			c.mu.Lock()
			c.answers.late++
			c.mu.Unlock()
			if !doubt {
				c.Errorf("%s had been done, and its caller was told that nothing was", req.Key)
			}
			return r, err
		case !errors.As(err, &refusal) || refusal.Code != central.Unavailable || c.stop.Load():
			return r, err
		}
		c.mu.Lock()
		if refusal.Reason == "store.doubt" {
			doubt = true
			c.answers.doubt++
		} else {
			c.answers.nothing++
		}
		c.words[cause(err)] = true
		c.mu.Unlock()
		time.Sleep(20 * time.Millisecond)
	}
}

// cause returns what the operator reads of an error that the caller knows as a refusal.
func cause(err error) string {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		causes := list.Unwrap()
		return causes[len(causes)-1].Error()
	}
	return err.Error()
}

// told returns what callers were told so far.
func (c *crowd) told() tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers
}

// goesOn waits until purchases are accepted again, without a hand, and returns how long that took.
func (c *crowd) goesOn() time.Duration {
	c.Helper()
	start, target := time.Now(), c.sold.Load()+2*clients
	for c.sold.Load() < target {
		if c.Failed() || time.Since(start) > backLimit {
			c.Fatalf("nothing is sold after %v: %v", time.Since(start), c.causes())
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(start)
}

// refuses waits until callers are told `unavailable`, and makes sure that nothing is accepted from then on.
func (c *crowd) refuses() {
	c.Helper()
	start, before := time.Now(), c.told()
	for now := before; now.nothing+now.doubt < before.nothing+before.doubt+clients; now = c.told() {
		if c.Failed() || time.Since(start) > backLimit {
			c.Fatalf("nobody was refused after %v", time.Since(start))
		}
		time.Sleep(time.Millisecond)
	}
	sold := c.sold.Load()
	time.Sleep(50 * time.Millisecond)
	if more := c.sold.Load() - sold; more != 0 {
		c.Errorf("%d purchases were accepted while the store is down", more)
	}
}

// causes lists what the operator reads.
func (c *crowd) causes() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.words {
		list = append(list, w)
	}
	return list
}

// end stops the clients, then looks at what they were told and at the books.
func (c *crowd) end() {
	c.Helper()
	c.stop.Store(true)
	c.clients.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := acknowledged(c.w.store, c.acked); err != nil {
		c.Fatal(err)
	}
	if err := central.CheckBooks(c.Context(), c.w.store); err != nil {
		c.Fatal(err)
	}
}
