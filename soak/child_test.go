//go:build linux

package soak_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/pgtest"
	"tirage/store/sql"
	"tirage/vault"
)

// childVariable holds the job of a child process, which is this test binary.
const childVariable = "TIRAGE_SOAK_CHILD"

func TestMain(m *testing.M) {
	for variable, run := range map[string]func(context.Context, string) error{childVariable: runChild, ladderVariable: runLadder, nodeVariable: runNode} {
		if text := os.Getenv(variable); text != "" {
			if err := run(context.Background(), text); err != nil {
				fmt.Fprintln(os.Stderr, "child:", err)
				os.Exit(1)
			}
			return
		}
	}
	pgtest.Main(m)
}

// job is what a child is to do.
type job struct {
	shop
	DB      string
	Keys    string // folder of the vault
	Letters string // folder of the mail
	Now     time.Time
	Linger  time.Duration // between a commit and its answers: a kill falls there more often than it would
	Settle  bool
	Finish  bool // end when the draw is settled
}

// runChild sells until it is killed, and tells the parent what it does, a line each:
//
//	ready                      selling begins
//	try CLIENT N               purchase N of a client is asked for
//	ack CLIENT N NODE LEAF SUM it was accepted, and the client was told
//	no CLIENT N CODE           it was refused
//	step WHAT                  the settlement goes on
func runChild(ctx context.Context, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	parent := os.NewFile(3, "parent")
	say := func(format string, a ...any) {
		// One write a line: the pipe keeps lines whole, and what was written outlives this process.
		if _, err := parent.Write(fmt.Appendf(nil, format+"\n", a...)); err != nil {
			os.Exit(2)
		}
	}
	store, err := sql.Open(ctx, j.DB)
	if err != nil {
		return err
	}
	defer store.Close()
	keys, err := vault.Open(j.Keys, vault.SystemEntropy{})
	if err != nil {
		return err
	}
	var tell *teller // there before the first command
	w, err := newWorld(store, keys, j.Now, func(c *central.Config) {
		c.OnCommit = func(list []central.Done) {
			tell.Committed(list)
			for _, d := range list {
				if d.Leaf.Kind == (&central.CreditSlice{}).Kind() {
					say("step slice")
				}
			}
			time.Sleep(j.Linger)
		}
	})
	if err != nil {
		return err
	}
	defer w.register.Close()
	if tell, err = newTeller(w, j.Letters); err != nil {
		return err
	}
	go tell.Run(ctx)
	say("ready")
	failed := make(chan error, clients+1)
	var stop atomic.Bool
	for c := range clients {
		go func() { failed <- w.sell(ctx, &j, c, say, &stop) }()
	}
	if j.Settle {
		go func() {
			err := w.settle(ctx, func(state string) { say("step %s", state) })
			if err != nil || j.Finish {
				stop.Store(true)
				failed <- err
			}
		}()
	}
	ends := clients
	if j.Finish {
		ends++
	}
	for range ends {
		if err := <-failed; err != nil {
			return err
		}
	}
	if !j.Finish {
		return errors.New("selling ended by itself")
	}
	return tell.finish(ctx)
}

// sell is one client. What it is told is the same in any order of the clients: accepted, or refused for a reason of its own.
func (w *world) sell(ctx context.Context, j *job, client int, say func(string, ...any), stop *atomic.Bool) error {
	for i := 0; !stop.Load(); i++ {
		req := j.request(client, i)
		say("try %d %d", client, i)
		r, err := w.register.Do(ctx, req)
		switch code := central.CodeOf(err); code {
		case "":
			say("ack %d %d %d %d %x", client, i, r.Node, r.Index, resultSum(r.Result))
		case central.Insufficient, central.SoldOut:
			say("no %d %d %s", client, i, code)
		default:
			return fmt.Errorf("client %d, purchase %d: %w", client, i, err)
		}
	}
	return nil
}

// resultSum tells results apart.
func resultSum(result []byte) []byte {
	sum := sha256.Sum256(bytes.TrimSpace(result))
	return sum[:8]
}
