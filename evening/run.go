package evening

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"tirage/central"
	"tirage/central/recount"
	"tirage/vault"
)

// Principals of the commands that no player sends.
const (
	system  = "system"
	officer = "staff/officer"
)

// Options is where an evening runs.
type Options struct {
	Store    central.Store // empty
	Keys     *vault.Keys
	Entropy  central.Entropy
	Archive  central.Archive                 // keeps the sealed file; may be nil
	Control  central.Control                 // nil: a recounter inside the process
	Progress func(step string, done, of int) // may be nil
}

// Refused is a command of the scenario that the operator refused: nothing was written.
type Refused struct {
	Line    int          `json:"line"`
	Player  string       `json:"player"`
	Command string       `json:"command"`
	Code    central.Code `json:"code"`
	Text    string       `json:"text"`
}

// Run runs a scenario on an empty store and checks the books after each step. An [*Error] names the line at fault; any other error is
// one of the store, or a breach of the books.
func Run(ctx context.Context, s *Scenario, o Options) (*Report, error) {
	r := &runner{s: s, o: o, clock: &clock{now: s.Opens}, accounts: map[string]*account{}}
	reg, err := central.NewRegister(central.Config{
		Store: o.Store, Clock: r.clock, Entropy: o.Entropy, Sealer: o.Keys, Verifier: o.Keys.Verifier(), AllowReconstructed: true,
	})
	if err != nil {
		return nil, err
	}
	defer reg.Close()
	r.register = reg
	r.operator = &central.Operator{Register: reg, Store: o.Store, Sealer: o.Keys, Signer: o.Keys.Operator, Principal: system, Progress: r.credits}
	r.operator.Archive, r.operator.Control = o.Archive, o.Control
	if o.Control == nil {
		r.operator.Control = &recount.Recounter{Store: o.Store, Signer: o.Keys.Control, Secret: r.operator.OpenSecret}
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.report(ctx)
}

// clock is the clock of the scenario.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// set moves the clock, never back.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// account is an account of the scenario with what it bought.
type account struct {
	name, crowd string // crowd: the name under which it acts with others, or its own
	id          int64
	bought      []bought
}

type bought struct {
	central.Bought
	at time.Time
}

type runner struct {
	s        *Scenario
	o        Options
	clock    *clock
	register *central.Register
	operator *central.Operator
	accounts map[string]*account
	order    []*account // as opened
	refused  []Refused
	count    *central.Count
	notice   *central.Notice
	draw     string
}

// run does everything up to the notice, and checks the books after each step.
func (r *runner) run(ctx context.Context) error {
	steps := []struct {
		name string
		do   func(context.Context) error
	}{
		{"open", r.open},
		{"sell", r.sell},
		{"close", func(ctx context.Context) error { return r.operator.Close(ctx, r.draw) }},
		{"seal", func(ctx context.Context) error { return r.operator.Seal(ctx, r.draw, r.s.Terms) }},
		{"record", func(ctx context.Context) error {
			return r.operator.Record(ctx, r.draw, r.s.Result, central.Outside{Winners: r.s.Elsewhere})
		}},
		{"count", func(ctx context.Context) (err error) { r.count, err = r.operator.Count(ctx, r.draw); return err }},
		{"approve", func(ctx context.Context) error { return r.operator.Approve(ctx, r.draw, r.count.Version, officer) }},
		{"pay", func(ctx context.Context) error { return r.operator.Pay(ctx, r.draw) }},
		{"draft", func(ctx context.Context) error { _, err := r.operator.Draft(ctx, r.draw); return err }},
		{"publish", func(ctx context.Context) (err error) {
			r.notice, err = r.operator.Publish(ctx, r.draw, officer)
			return err
		}},
	}
	for i, step := range steps {
		r.progress(step.name, i, len(steps))
		err := step.do(ctx)
		if err == nil {
			err = central.CheckBooks(ctx, r.o.Store)
		}
		if err != nil {
			return r.failed(step.name, err)
		}
	}
	r.progress("done", len(steps), len(steps))
	return nil
}

// failed tells a fault of the scenario, which the operator finds where plays and terms meet, from a failure of the evening.
func (r *runner) failed(step string, err error) error {
	var fault *Error
	var refusal *central.Refusal
	switch {
	case errors.As(err, &fault):
		return err
	case errors.As(err, &refusal) && (refusal.Code == central.Invalid || refusal.Reason == "count.terms"):
		return r.s.fault(r.s.about(refusal.Text), "%s: %v", step, refusal)
	}
	return fmt.Errorf("%s: %w", step, err)
}

func (r *runner) progress(step string, done, of int) {
	if r.o.Progress != nil {
		r.o.Progress(step, done, of)
	}
}

func (r *runner) credits(step string, done, all int64) { r.progress(step, int(done), int(all)) }

// open puts the draw on sale at its opening.
func (r *runner) open(ctx context.Context) error {
	s := r.s
	r.draw = central.DrawID(s.Game, s.Day)
	c := central.OpenDraw{
		Game: s.Game, Day: s.Day, OpensAt: s.Opens, ClosesAt: s.Closes, Exceptional: s.Exceptional, Reconstructed: s.Reconstructed,
		Packs: s.Packs, Codes: s.FirstCodes,
	}
	entropy := r.o.Entropy
	if seeded, ok := entropy.(*Rehearsal); ok {
		// A stream of its own: quick picks and codes follow from the seed, whatever keys and salts took of it before.
		entropy = &Rehearsal{Seed: seeded.Seed, Use: "secret of the draw"}
	}
	var err error
	if c.Sealed, c.Commitment, err = central.NewDrawSecret(entropy, r.o.Keys, r.draw); err != nil {
		return err
	}
	_, err = r.register.Do(ctx, central.Request{Principal: system, Key: "open", Command: c})
	return err
}

// sell does the lines of the sales, then lets the clock come to the close.
func (r *runner) sell(ctx context.Context) error {
	for i, a := range r.s.Acts {
		r.progress(fmt.Sprintf("line %d, act", a.Line), i, len(r.s.Acts))
		r.clock.set(a.At)
		for n, who := range a.Who {
			if err := r.act(ctx, &a, n, who); err != nil {
				return err
			}
		}
		if err := central.CheckBooks(ctx, r.o.Store); err != nil {
			return fmt.Errorf("after line %d: %w", a.Line, err)
		}
	}
	r.clock.set(r.s.Closes)
	return nil
}

// act does one line for account number n of its crowd.
func (r *runner) act(ctx context.Context, a *Act, n int, who string) error {
	send := func(principal, what string, c central.Command, result any) error {
		key := fmt.Sprintf("%s/%d/%d", what, a.Line, n)
		receipt, err := r.register.Do(ctx, central.Request{Principal: principal, Key: key, Command: c})
		if err != nil {
			return err
		}
		return json.Unmarshal(receipt.Result, result)
	}
	if a.Open {
		var created central.PlayerCreated
		if err := send(system, "open", central.CreatePlayer{Name: who}, &created); err != nil {
			return err
		}
		acc := &account{name: who, crowd: a.As, id: created.Player}
		r.accounts[who], r.order = acc, append(r.order, acc)
	}
	acc := r.accounts[who]
	if a.Deposit > 0 {
		var balance central.Balance
		if err := send(system, "deposit", central.Deposit{Player: acc.id, Cents: a.Deposit}, &balance); err != nil {
			return r.refuse(a, who, err)
		}
	}
	var c central.Command
	switch {
	case a.Shares > 0:
		c = central.BuyShares{Player: acc.id, Draw: r.draw, Channel: central.ChannelWeb, Type: a.Type, Shares: a.Shares}
	case a.Lines != nil:
		c = central.BuyPlay{Player: acc.id, Draw: r.draw, Channel: central.ChannelWeb, Lines: a.Lines}
	default:
		return nil
	}
	b := bought{at: a.At}
	if err := send(fmt.Sprintf("player/%d", acc.id), "buy", c, &b.Bought); err != nil {
		return r.refuse(a, who, err)
	}
	acc.bought = append(acc.bought, b)
	return nil
}

// refuse keeps a refusal for the report: it is part of the evening. Any other error ends it.
func (r *runner) refuse(a *Act, who string, err error) error {
	var refusal *central.Refusal
	if !errors.As(err, &refusal) || refusal.Code == central.Unavailable || refusal.Code == central.Internal {
		return fmt.Errorf("line %d, %s: %w", a.Line, who, err)
	}
	r.refused = append(r.refused, Refused{a.Line, who, a.Text, refusal.Code, refusal.Error()})
	return nil
}
