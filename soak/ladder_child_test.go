//go:build linux

package soak_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/store/sql"
	"tirage/vault"
)

// ladderVariable holds the job of a child that plays rounds.
const ladderVariable = "TIRAGE_SOAK_LADDER"

const ladderGame = "donuts"

// The transitions of a round, as a child names them right before the commit that stores them and right after it.
const (
	started = "started"
	series  = "series"
	stopped = "stopped"
	swept   = "swept"
)

// transitionOf returns the transition that a changed row stands for, "" for none.
func transitionOf(r central.Row, fresh bool) string {
	switch r := r.(type) {
	case *central.SeriesRow:
		return series
	case *central.Round:
		switch {
		case fresh:
			return started
		case r.EndedBy == central.EndedByPlayer:
			return stopped
		case r.EndedBy == central.EndedByDelay:
			return swept
		}
	}
	return ""
}

// ladderJob is what a child that plays rounds is to do.
type ladderJob struct {
	Seed    uint64
	Round   int
	Players []int64
	DB      string
	Keys    string // folder of the vault
	Now     time.Time
	Linger  time.Duration // before and after a commit: a kill falls there more often than it would
}

// watched is a store that tells what its transactions store, before and after their commits.
type watched struct {
	central.Store
	say    func(format string, a ...any)
	linger time.Duration
}

func (s *watched) Begin(ctx context.Context) (central.Tx, error) {
	tx, err := s.Store.Begin(ctx)
	return &watchedTx{Tx: tx, store: s, stores: map[string]bool{}}, err
}

type watchedTx struct {
	central.Tx
	store  *watched
	stores map[string]bool
}

func (t *watchedTx) Apply(ctx context.Context, c *central.Changes) error {
	for _, r := range c.New {
		t.stores[transitionOf(r, true)] = true
	}
	for _, r := range c.Put {
		t.stores[transitionOf(r, false)] = true
	}
	delete(t.stores, "")
	return t.Tx.Apply(ctx, c)
}

func (t *watchedTx) Commit(ctx context.Context) error {
	t.tell("before")
	err := t.Tx.Commit(ctx)
	t.tell("after")
	return err
}

func (t *watchedTx) tell(when string) {
	if len(t.stores) == 0 {
		return
	}
	for what := range t.stores {
		t.store.say("%s %s", when, what)
	}
	time.Sleep(t.store.linger)
}

// Time in a child runs fast, so that what is abandoned falls due under load: by ladderTick every ladderPause.
const (
	ladderTick  = 4 * time.Hour
	ladderPause = 20 * time.Millisecond
)

// runLadder plays rounds and sweeps what is abandoned until it is killed, and tells the parent what it does, a line each:
//
//	ready                            playing begins
//	try KEY PRINCIPAL KIND COMMAND   a step is asked for
//	ack KEY NODE LEAF SUM            it was accepted, and the player was told
//	no KEY CODE                      it was refused
//	before WHAT, after WHAT          a commit that stores a transition
func runLadder(ctx context.Context, text string) error {
	var j ladderJob
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
	w, err := newWorld(&watched{store, say, j.Linger}, keys, j.Now)
	if err != nil {
		return err
	}
	defer w.register.Close()
	say("ready")
	table := &croupier{job: &j, say: say, Croupier: w.croupier()}
	failed := make(chan error, clients+1)
	for c := range clients {
		go func() { failed <- table.play(ctx, c) }()
	}
	go func() { failed <- table.sweep(ctx, w.clock) }()
	return errors.Join(<-failed, errors.New("playing ended by itself"))
}

// croupier is a table at which clients play.
type croupier struct {
	*central.Croupier
	job *ladderJob
	say func(format string, a ...any)
}

func (w *world) croupier() *central.Croupier {
	return &central.Croupier{Register: w.register, Store: w.store, Clock: w.clock}
}

// sweep lets time pass and closes what is abandoned.
func (c *croupier) sweep(ctx context.Context, clock *clock) error {
	for ; ; time.Sleep(ladderPause) {
		if _, err := c.Sweep(ctx); err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		clock.ahead.Add(int64(ladderTick))
	}
}

// seat is a client at the table.
type seat struct {
	*croupier
	rng    *rand.Rand
	client int
	asked  int
}

// play plays one round after another with the players of a client. One in four is abandoned, before its first series or later.
func (c *croupier) play(ctx context.Context, client int) error {
	s := &seat{croupier: c, rng: rand.New(rand.NewPCG(c.job.Seed, uint64(c.job.Round)<<32|uint64(client))), client: client}
	for at := client; ; at += clients {
		player := c.job.Players[at%len(c.job.Players)]
		if err := s.round(ctx, player); err != nil {
			return fmt.Errorf("client %d, player %d: %w", client, player, err)
		}
	}
}

// round plays one round. A step that is refused, because a round of the player is open since long or is being closed, ends it.
func (s *seat) round(ctx context.Context, player int64) error {
	stop, leave := 1+s.rng.Int64N(4), int64(-1)
	if s.rng.IntN(4) == 0 {
		leave = s.rng.Int64N(stop + 1)
	}
	a, err := s.ask(ctx, player, s.key(), central.StartRound{Player: player, Game: ladderGame})
	for a != nil && err == nil && a.Round.State == replay.Open && a.Round.Step != leave {
		if a.Round.Step == stop {
			return s.stopTwice(ctx, player, a)
		}
		contribution := binary.BigEndian.AppendUint64(make([]byte, 8, 16), s.rng.Uint64())
		a, err = s.ask(ctx, player, s.key(), central.PlaySeries{Player: player, Game: ladderGame, Round: a.Round.Round, Step: a.Round.Step, Contribution: contribution})
	}
	return err
}

// stopTwice presses « J'arrête » on two devices at once: one of them is paid.
func (s *seat) stopTwice(ctx context.Context, player int64, a *central.RoundAnswer) error {
	var errs [2]error
	var paid [2]bool
	keys := [2]string{s.key(), s.key()}
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() {
			var got *central.RoundAnswer
			got, errs[i] = s.ask(ctx, player, keys[i], central.StopRound{Player: player, Game: ladderGame, Round: a.Round.Round, Step: a.Round.Step})
			paid[i] = got != nil
		})
	}
	both.Wait()
	if paid[0] && paid[1] {
		return fmt.Errorf("round %v was stopped twice", a.Round.Round)
	}
	return errors.Join(errs[:]...)
}

func (s *seat) key() string {
	s.asked++
	return fmt.Sprintf("%d-%03d-%02d-%06d", s.job.Seed, s.job.Round, s.client, s.asked)
}

// ask does one step, and returns nil when it is refused.
func (s *seat) ask(ctx context.Context, player int64, key string, c central.Command) (*central.RoundAnswer, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	req := central.Request{Principal: central.PlayerPrincipal(player), Key: key, Command: c}
	s.say("try %s %s %s %s", key, req.Principal, c.Kind(), text)
	r, err := s.Do(ctx, req)
	switch code := central.CodeOf(err); code {
	case "":
		s.say("ack %s %d %d %x", key, r.Node, r.Index, resultSum(r.Result))
		a := new(central.RoundAnswer)
		return a, json.Unmarshal(r.Result, a)
	case central.Conflict, central.Closed:
		s.say("no %s %s", key, code)
		return nil, nil
	default:
		return nil, fmt.Errorf("%s under key %s: %w", c.Kind(), key, err)
	}
}
