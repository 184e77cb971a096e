// Package storetest is the contract of a store as tests: the same commands over the model and every engine, results, refusals and books compared.
package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/central/recount"
	"tirage/rules/prize"
	"tirage/vault"
)

// Clock is a clock that tests set.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time that was set.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the clock.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Entropy is a stream of bytes that depends on its seed alone, so that two runs give the same log.
type Entropy struct {
	mu   sync.Mutex
	Seed uint64
	n    uint64
}

// Read fills p.
func (e *Entropy) Read(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := 0; i < len(p); i += sha256.Size {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:], e.Seed)
		binary.BigEndian.PutUint64(b[8:], e.n)
		e.n++
		h := sha256.Sum256(b[:])
		copy(p[i:], h[:])
	}
	return len(p), nil
}

// World is a register over a store, with the people around it.
type World struct {
	testing.TB
	Store    central.Store
	Clock    *Clock
	Keys     *vault.Keys
	Register *central.Register
	Operator *central.Operator
	keys     int
	Faulty   bool   // the test does what no register lets through: AtEnd is not called
	arm      func() // makes the next transaction meet the fault of a story
}

// AtEnd looks at each world when its test has ended well; nil: nobody does. A package's tests set it before they begin.
var AtEnd func(*World)

// NewWorld starts a register over a store.
func NewWorld(t testing.TB, store central.Store, change ...func(*central.Config)) *World {
	t.Helper()
	entropy := &Entropy{Seed: 1}
	keys, err := vault.New(entropy)
	if err != nil {
		t.Fatal(err)
	}
	w := &World{TB: t, Store: store, Clock: &Clock{now: time.Date(2020, 6, 20, 10, 0, 0, 0, time.UTC)}, Keys: keys, arm: func() {}}
	cfg := central.Config{Store: store, Clock: w.Clock, Entropy: entropy, Sealer: keys, Verifier: keys.Verifier(), AllowReconstructed: true}
	for _, f := range change {
		f(&cfg)
	}
	w.Register, err = central.NewRegister(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Register.Close()
		if AtEnd != nil && !w.Faulty && !t.Failed() {
			AtEnd(w)
		}
	})
	w.Operator = &central.Operator{Register: w.Register, Store: store, Sealer: keys, Signer: keys.Operator, Principal: "system"}
	w.Operator.Control = &recount.Recounter{Store: store, Signer: keys.Control, Secret: w.Operator.OpenSecret}
	return w
}

// Try does a command under a fresh key.
func (w *World) Try(principal string, c central.Command) (central.Receipt, error) {
	w.Helper()
	w.keys++
	return w.Register.Do(context.Background(), central.Request{Principal: principal, Key: fmt.Sprintf("k%06d", w.keys), Command: c})
}

// Do does a command that must be accepted, and checks the books.
func (w *World) Do(principal string, c central.Command) central.Receipt {
	w.Helper()
	r, err := w.Try(principal, c)
	if err != nil {
		w.Fatalf("%s: %v", c.Kind(), err)
	}
	w.CheckBooks()
	return r
}

// Refused does a command that must be refused with this code, and checks the books.
func (w *World) Refused(code central.Code, principal string, c central.Command) {
	w.Helper()
	_, err := w.Try(principal, c)
	if got := central.CodeOf(err); got != code {
		w.Fatalf("%s: refused with %q (%v), want %q", c.Kind(), got, err, code)
	}
	if r := new(central.Refusal); errors.As(err, &r) {
		w.checkTexts(r)
	}
	w.CheckBooks()
}

// CheckBooks verifies every invariant.
func (w *World) CheckBooks() {
	w.Helper()
	if err := central.CheckBooks(context.Background(), w.Store); err != nil {
		w.Fatal(err)
	}
}

// Player opens an account with money on it.
func (w *World) Player(name string, euros int64) int64 {
	w.Helper()
	var created central.PlayerCreated
	Result(w, w.Do("system", central.CreatePlayer{Name: name}), &created)
	w.Do("system", central.Deposit{Player: created.Player, Cents: 100 * cents(euros)})
	return created.Player
}

// Open puts a draw on sale with a fresh secret.
func (w *World) Open(c central.OpenDraw) string {
	w.Helper()
	id := central.DrawID(c.Game, c.Day)
	var err error
	if c.Sealed, c.Commitment, err = central.NewDrawSecret(&Entropy{Seed: 7}, w.Keys, id); err != nil {
		w.Fatal(err)
	}
	w.Do("system", c)
	return id
}

// Evening takes a draw from the close to the publication.
func (w *World) Evening(draw string, terms prize.Terms, r central.Result, out central.Outside) (*central.Count, *central.Notice) {
	w.Helper()
	ctx := context.Background()
	step := func(name string, err error) {
		w.Helper()
		if err != nil {
			w.Fatalf("%s: %v", name, err)
		}
		w.CheckBooks()
	}
	step("close", w.Operator.Close(ctx, draw))
	step("seal", w.Operator.Seal(ctx, draw, terms))
	step("record", w.Operator.Record(ctx, draw, r, out))
	count, err := w.Operator.Count(ctx, draw)
	step("count", err)
	step("approve", w.Operator.Approve(ctx, draw, count.Version, "staff/officer"))
	step("pay", w.Operator.Pay(ctx, draw))
	_, err = w.Operator.Draft(ctx, draw)
	step("draft", err)
	notice, err := w.Operator.Publish(ctx, draw, "staff/officer")
	step("publish", err)
	return count, notice
}
