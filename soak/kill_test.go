//go:build linux

package soak_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/internal/pgtest"
	"tirage/store/sql"
	"tirage/vault"
)

// rounds returns how often something is killed.
func rounds(short, campaign int) int {
	if os.Getenv(covers.SoakVariable) != "" {
		return campaign
	}
	return short
}

// seedOf returns the seed of a campaign: that of TIRAGE_SOAK_SEED, or a new one.
func seedOf(t *testing.T) uint64 {
	seed := uint64(time.Now().UnixNano()) % 1_000_000
	if text := os.Getenv("TIRAGE_SOAK_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("TIRAGE_SOAK_SEED=%q: a number is needed", text)
		}
	}
	return seed
}

// A process that sells is killed at random moments, under load and while it settles a draw; see the package comment.
func TestKillSeller(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { killSeller(t, filepath.Join(t.TempDir(), "tirage.db")) })
	t.Run("postgres", func(t *testing.T) { killSeller(t, pgtest.DSN(t)) })
}

func killSeller(t *testing.T, db string) {
	seed := seedOf(t)
	c := &campaign{
		T: t, rng: rand.New(rand.NewPCG(seed, 0)), acked: map[place]ack{}, seen: map[string][]byte{},
		job: job{shop: shop{Seed: seed, Draws: []string{settled, onSale}}, DB: db, Keys: filepath.Join(t.TempDir(), "keys"), Letters: filepath.Join(t.TempDir(), "letters")},
	}
	c.prepare()
	n := rounds(5, 50)
	for round := range n {
		c.job.Round = round
		c.job.Now = opens.Add(time.Duration(1+round) * time.Minute)
		if round == n-n*2/5 { // the last two fifths settle the first draw while the second is sold
			c.job.Settle, c.job.Draws = true, []string{onSale}
		}
		if c.job.Settle {
			c.job.Now = closes.Add(time.Duration(1+round) * time.Minute)
		}
		c.job.Linger = 0
		if c.rng.IntN(2) == 0 {
			c.job.Linger = 3 * time.Millisecond
		}
		c.round(true)
	}
	c.job.Round, c.job.Now, c.job.Linger, c.job.Finish = n, c.job.Now.Add(time.Minute), 0, true
	c.round(false)
	c.end()
}

// place is where a purchase stands: the round, the client and its number.
type place struct{ round, client, i int }

// ack is what a client was told.
type ack struct {
	req   central.Request
	node  int64
	index int64
	sum   string
}

// campaign is a database and what was promised on it.
type campaign struct {
	*testing.T
	rng   *rand.Rand
	job   job
	acked map[place]ack
	fresh map[place]ack     // acknowledged in this round
	open  map[place]bool    // asked for in this round and not answered
	seen  map[string][]byte // letters that were there after a death

	kills, early, stored, lost, slices, steps int
}

// with opens the database as a process that starts does, and closes it.
func (c *campaign) with(f func(w *world)) {
	c.Helper()
	store, err := sql.Open(c.Context(), c.job.DB)
	if err != nil {
		c.Fatalf("seed %d, round %d: the database does not open again: %v", c.job.Seed, c.job.Round, err)
	}
	defer store.Close()
	keys, err := vault.Open(c.job.Keys, vault.SystemEntropy{})
	if err != nil {
		c.Fatal(err)
	}
	w, err := newWorld(store, keys, c.job.Now.Add(30*time.Second))
	if err != nil {
		c.Fatal(err)
	}
	defer w.register.Close()
	f(w)
}

func (c *campaign) prepare() {
	c.job.Now = opens
	c.with(func(w *world) {
		var err error
		w.clock.set(opens)
		if c.job.Players, err = w.open(c.Context()); err != nil {
			c.Fatal(err)
		}
		if err = w.sellWinners(c.Context(), "winner", c.job.Players, rounds(2_500, 12_000)); err != nil {
			c.Fatal(err)
		}
		people := make([]int64, addressed)
		err = parallel(addressed, func(i int) (err error) {
			people[i], err = w.winner(c.Context(), i)
			return err
		})
		if err != nil {
			c.Fatal(err)
		}
		if err = w.sellWinners(c.Context(), "addressed", people, rounds(lettersShort, lettersLong)); err != nil {
			c.Fatal(err)
		}
	})
}

// round lets a child sell, kills it, and looks at what it left.
func (c *campaign) round(kill bool) {
	c.Helper()
	c.fresh, c.open = map[place]ack{}, map[place]bool{}
	when := "not killed"
	if kill {
		when = c.killed()
	} else {
		c.child(func(*os.Process, <-chan string) {}, true)
	}
	c.with(func(w *world) {
		start := time.Now()
		if err := central.CheckBooks(c.Context(), w.store); err != nil {
			c.Fatalf("seed %d, round %d, %s: %v", c.job.Seed, c.job.Round, when, err)
		}
		checked := time.Since(start)
		c.letters(w)
		c.verify(w.store, c.fresh)
		stored := c.again(w)
		c.stored += stored
		c.lost += len(c.open) - stored
		for p, a := range c.fresh {
			c.acked[p] = a
		}
		c.Logf("round %d, %s: %d acknowledged and there, %d on their way: %d stored, %d not; books hold, checked in %v",
			c.job.Round, when, len(c.fresh), len(c.open), stored, len(c.open)-stored, checked.Round(time.Millisecond))
	})
}

// killed runs a child until a random moment: while it starts, after some time under load, or just after a step of the settlement.
func (c *campaign) killed() (when string) {
	c.kills++
	pause := time.Duration(c.rng.Int64N(int64(400 * time.Millisecond)))
	switch start := c.rng.IntN(10) == 0; {
	case start:
		c.early++
		pause /= 8
		c.child(func(p *os.Process, _ <-chan string) { time.Sleep(pause); c.kill(p) }, false)
		return fmt.Sprintf("killed %v after its start", pause.Round(time.Millisecond))
	case c.job.Settle:
		steps := 1 + c.rng.IntN(2)
		what := ""
		c.child(func(p *os.Process, events <-chan string) {
			for seen := 0; seen < steps && what != "step published"; {
				if what = <-events; what != "ready" {
					seen++
				}
			}
			if what != "step published" {
				pause /= 16
			}
			time.Sleep(pause)
			c.kill(p)
		}, false)
		return fmt.Sprintf("killed %v after %q of the settlement", pause.Round(time.Millisecond), what)
	}
	c.child(func(p *os.Process, events <-chan string) { <-events; time.Sleep(pause); c.kill(p) }, false)
	return fmt.Sprintf("killed %v after the first purchase", pause.Round(time.Millisecond))
}

func (c *campaign) kill(p *os.Process) { kill(c.T, p) }

func kill(t *testing.T, p *os.Process) {
	if err := p.Signal(syscall.SIGKILL); err != nil {
		t.Errorf("the child had ended: %v", err)
	}
}

// child runs a child that sells: "ready" and the steps of the settlement are passed on to the killer.
func (c *campaign) child(killer func(*os.Process, <-chan string), ends bool) {
	c.Helper()
	text, err := json.Marshal(c.job)
	if err != nil {
		c.Fatal(err)
	}
	child(c.T, childVariable+"="+string(text), fmt.Sprintf("seed %d, round %d", c.job.Seed, c.job.Round), killer, c.heard, ends)
}

// child runs this binary with a job and follows what it says: what heard returns true for is passed on to the killer. It returns when all is read
// that the child had written.
func child(t *testing.T, job, when string, killer func(*os.Process, <-chan string), heard func(line string) bool, ends bool) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	var stderr bytes.Buffer
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), job)
	cmd.ExtraFiles, cmd.Stderr = []*os.File{write}, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	events := make(chan string, 1<<16)
	done := make(chan struct{})
	go func() { defer close(done); killer(cmd.Process, events) }()
	lines := bufio.NewReader(read)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break // what stands after the last newline was not said
		} else if err != nil {
			t.Fatal(err)
		}
		if line = strings.TrimSuffix(line, "\n"); heard(line) {
			events <- line
		}
	}
	close(events)
	<-done
	if err := cmd.Wait(); (err == nil) != ends || stderr.Len() > 0 {
		t.Fatalf("%s: the child ended with %v: %s", when, err, &stderr)
	}
}

// heard notes a line of the child; it returns true for those that the killer waits for.
func (c *campaign) heard(line string) bool {
	var client, i int
	var node, index int64
	var rest string
	p := func() place { return place{c.job.Round, client, i} }
	switch verb, args, _ := strings.Cut(line, " "); verb {
	case "try":
		if _, err := fmt.Sscan(args, &client, &i); err != nil {
			c.Fatalf("%q: %v", line, err)
		}
		c.open[p()] = true
	case "ack":
		if _, err := fmt.Sscan(args, &client, &i, &node, &index, &rest); err != nil {
			c.Fatalf("%q: %v", line, err)
		}
		req := c.job.request(client, i)
		c.fresh[p()] = ack{req: req, node: node, index: index, sum: rest}
		delete(c.open, p())
	case "no":
		if _, err := fmt.Sscan(args, &client, &i, &rest); err != nil {
			c.Fatalf("%q: %v", line, err)
		}
		delete(c.open, p())
	case "step":
		c.steps++
		if args == "slice" {
			c.slices++
		}
		return true
	default:
		return true
	}
	return false
}

// again sends the requests that were not answered, and some that were, as clients do after a crash. It returns how many of the first had been stored.
func (c *campaign) again(w *world) (stored int) {
	c.Helper()
	for p := range c.open {
		req := c.job.request(p.client, p.i)
		r, err := w.register.Do(c.Context(), req)
		switch code := central.CodeOf(err); code {
		case "":
			if r.Replayed {
				stored++
			}
			c.fresh[p] = ack{req: req, node: r.Node, index: r.Index, sum: fmt.Sprintf("%x", resultSum(r.Result))}
		case central.Insufficient, central.SoldOut, central.Closed:
		default:
			c.Fatalf("seed %d: %s, sent again: %v", c.job.Seed, req.Key, err)
		}
	}
	left := 20
	for _, a := range c.fresh {
		if left--; left < 0 {
			break
		}
		r, err := w.register.Do(c.Context(), a.req)
		if err != nil || !r.Replayed || r.Node != a.node || r.Index != a.index || fmt.Sprintf("%x", resultSum(r.Result)) != a.sum {
			c.Fatalf("seed %d: %s, sent again: %+v, %v; want the receipt of leaf %d", c.job.Seed, a.req.Key, r, err, a.index)
		}
	}
	return stored
}

// end looks at everything once more: what was ever acknowledged is there, and the settlement has paid once.
func (c *campaign) end() {
	c.Helper()
	c.with(func(w *world) {
		if err := central.CheckBooks(c.Context(), w.store); err != nil {
			c.Fatalf("seed %d: %v", c.job.Seed, err)
		}
		c.verify(w.store, c.acked)
		credits, cents := c.paidOnce(w)
		gains, letters := c.toldOnce(w)
		c.Logf("seed %d: killed %d times, %d of them while starting: %d purchases acknowledged and there once, %d on their way when killed: %d stored whole, %d not at all; "+
			"settlement resumed over %d steps: %d credits and claims of %v made once, %d told once in an inbox, %d letters written once; books hold",
			c.job.Seed, c.kills, c.early, len(c.acked), c.stored+c.lost, c.stored, c.lost, c.steps, credits, cents, gains, letters)
	})
}

// paidOnce makes sure that the settled draw has paid what was counted, and that asking for the payment again pays nothing.
func (c *campaign) paidOnce(w *world) (credits int64, cents string) {
	c.Helper()
	ctx := context.Background()
	size := func() (leaves int64) {
		snap, err := w.store.Snapshot(ctx)
		if err != nil {
			c.Fatal(err)
		}
		defer snap.Close()
		logs, err := central.LogSizes(ctx, snap)
		if err != nil {
			c.Fatal(err)
		}
		return logs[0].Size
	}
	before := size()
	if err := w.operator.Pay(ctx, settled); err != nil {
		c.Fatal(err)
	}
	if after := size(); after != before {
		c.Errorf("the payment of a settled draw, asked for again, was %d commands", after-before)
	}
	snap, err := w.store.Snapshot(ctx)
	if err != nil {
		c.Fatal(err)
	}
	defer snap.Close()
	var sum, due int64
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Credits, S: settled}, Prefix: 1}, func(r central.Row) error {
		credits++
		sum += int64(r.(*central.Credit).Cents)
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
	// What was sold at points of sale waits for its claim.
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Claims, S: settled}, Prefix: 1}, func(r central.Row) error {
		credits++
		sum += int64(r.(*central.Claim).Cents)
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Docs, S: settled, U: central.DocCount}, Prefix: 2}, func(r central.Row) error {
		count, err := central.ReadPaper[central.Count](r.(*central.Doc).Body)
		if err == nil {
			due = int64(count.Due)
		}
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	if credits == 0 || sum != due {
		c.Errorf("%d credits and claims of %d cents, %d are due", credits, sum, due)
	}
	return credits, fmt.Sprintf("%d.%02d €", sum/100, sum%100)
}
