package central

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tirage/rules/money"
)

const (
	// subscriptionPage is how many subscriptions are read at a time.
	subscriptionPage = 512
	// subscriptionWindow is how many of them are on their way at a time: enough for the register to batch them.
	subscriptionWindow = 64
	// subscriptionLate bounds how long after the close of a draw its players are told of what was missed while no server ran.
	subscriptionLate = 7 * 24 * time.Hour
	// subscriptionSettle is how long after the moment of debit a walk must begin to be the last one: whoever subscribed before the moment, on a node whose
	// clock is a little behind, is stored by then.
	subscriptionSettle = time.Minute
)

// Subscriptions plays the subscriptions to the draws that are due. A server sweeps when it starts and then at intervals, as every node may; a schedule has
// it done for each draw ([Subscriptions.BeforeClose]). What became of a subscription at a draw stands under a key of its own, so it is decided
// once, whoever asks and however often; a killed sweep goes on where nothing stands yet.
type Subscriptions struct {
	Register *Register
	Store    Reader
	Clock    Clock
	BanList  BanList

	mu   sync.Mutex
	done map[string]bool // draws whose subscriptions have all been handled
}

// Debited is what a sweep did.
type Debited struct {
	Played    int64       `json:"played"`
	Missed    int64       `json:"missed"`
	Suspended int64       `json:"suspended"`
	Cents     money.Cents `json:"cents"`
}

func (d *Debited) add(more Debited) {
	d.Played += more.Played
	d.Missed += more.Missed
	d.Suspended += more.Suspended
	d.Cents = money.Add(d.Cents, more.Cents)
}

// Sweep plays every subscription that is due, draw by draw in the order of the closes. One that cannot be handled holds up no other; the error names
// the first ones, and the next sweep tries them again.
func (s *Subscriptions) Sweep(ctx context.Context) (sum Debited, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	draws, err := s.due(ctx)
	if err != nil {
		return sum, err
	}
	var errs []error
	for _, d := range draws {
		began := s.Clock.Now().UnixMicro()
		of, err := s.walk(ctx, d)
		sum.add(of)
		switch {
		case errors.Is(err, errElsewhere): // the node that sells it plays them
		case err != nil:
			errs = append(errs, err)
		case began >= d.debitAt()+subscriptionSettle.Microseconds():
			s.done[d.ID] = true
		}
	}
	return sum, errors.Join(errs...)
}

// Play plays the subscriptions to one draw, if it is time.
func (s *Subscriptions) Play(ctx context.Context, draw string) (Debited, error) {
	snap, err := s.Store.Snapshot(ctx)
	if err != nil {
		return Debited{}, err
	}
	d, err := readDraw(ctx, snap, draw)
	snap.Close()
	if err != nil || !d.debits(s.Clock.Now().UnixMicro()) {
		return Debited{}, err
	}
	return s.walk(ctx, d)
}

// BeforeClose has a [Schedule] play the subscriptions to each of its draws.
func (s *Subscriptions) BeforeClose() BeforeClose {
	return BeforeClose{Lead: SubscriptionLead - subscriptionSettle, Run: func(ctx context.Context, d *DrawDate) error {
		_, err := s.Play(ctx, d.ID())
		return err
	}}
}

// due lists the draws whose subscriptions are due and not all handled.
func (s *Subscriptions) due(ctx context.Context) (list []*Draw, err error) {
	snap, err := s.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	now := s.Clock.Now()
	late, done := now.Add(-subscriptionLate).UnixMicro(), map[string]bool{}
	err = snap.Scan(ctx, Range{From: Key{Table: Draws}}, func(r Row) error {
		switch d := r.(*Draw); {
		case d.ClosesAt < late:
		case s.done[d.ID]:
			done[d.ID] = true
		case d.debits(now.UnixMicro()):
			list = append(list, d)
		}
		return nil
	})
	s.done = done // forgets what is too late anyway
	slices.SortStableFunc(list, func(a, b *Draw) int { return cmp.Compare(a.ClosesAt, b.ClosesAt) })
	return list, err
}

// walk goes through all subscriptions in pages and plays those that are due at a draw.
func (s *Subscriptions) walk(ctx context.Context, d *Draw) (Debited, error) {
	sum, window := &sweepSum{}, newWindow(ctx, s.Register, subscriptionWindow)
	err := s.pages(ctx, d, func(t debiting) bool {
		prepare := func() (Request, error) { return s.request(ctx, t) }
		finish := func(r Receipt, err error) error { sum.add(t.debited(r, err)); return nil }
		_ = window.run(prepare, finish)
		if !sum.asked { // the first one alone: it tells whether another node sells the draw
			sum.asked = true
			_ = window.wait()
		}
		return !sum.elsewhere.Load() && ctx.Err() == nil
	})
	_ = window.wait() // the tasks keep their own errors
	if err = errors.Join(append(sum.errs, err, ctx.Err())...); err != nil {
		err = fmt.Errorf("subscriptions to draw %s: %w", d.ID, err)
	}
	return sum.Debited, err
}

// pages calls yield for each subscription that is due at a draw, until it returns false.
func (s *Subscriptions) pages(ctx context.Context, d *Draw, yield func(debiting) bool) error {
	for after := slotKey(0, 0); ; {
		page, next, err := s.page(ctx, d, after)
		if err != nil {
			return err
		}
		for _, t := range page {
			if !yield(t) {
				return nil
			}
		}
		if next == nil {
			return nil
		}
		after = *next
	}
}

// debiting is one subscription to play, and the person to ask the ban list about, nil for a bare account.
type debiting struct {
	command DebitSubscription
	person  *Person
}

// page reads the next subscriptions and returns those that are due, and the key to go on from, nil at the end.
func (s *Subscriptions) page(ctx context.Context, d *Draw, after Key) (list []debiting, next *Key, err error) {
	snap, err := s.Store.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer snap.Close()
	now, read := s.Clock.Now().UnixMicro(), 0
	err = snap.Scan(ctx, Range{From: after, After: true, Limit: subscriptionPage}, func(r Row) error {
		sub := r.(*Subscription)
		read++
		after = slotKey(sub.Player, sub.Slot)
		if sub.due(d, now) {
			list = append(list, debiting{command: DebitSubscription{Player: sub.Player, Slot: sub.Slot, Subscription: ID(sub.ID), Draw: d.ID}})
		}
		return nil
	})
	for i := 0; i < len(list) && err == nil; i++ {
		var row Row
		row, err = snap.Get(ctx, personKey(list[i].command.Player))
		list[i].person, _ = row.(*Person)
	}
	if read == subscriptionPage {
		next = &after
	}
	return list, next, err
}

// request makes the command that plays one subscription.
func (s *Subscriptions) request(ctx context.Context, t debiting) (Request, error) {
	c := t.command
	if t.person != nil {
		var err error
		if c.Clearance, err = s.BanList.Ask(ctx, t.person); err != nil {
			return Request{}, fmt.Errorf("ban list about player %d: %w", c.Player, err)
		}
	}
	return Request{Principal: SystemPrincipal, Key: fmt.Sprintf("abo/%s/%v", c.Draw, c.Subscription), Command: c}, nil
}

// debited is what became of a subscription whose command was answered so.
func (t debiting) debited(r Receipt, err error) (out SubscriptionDebited, _ error) {
	if refused := (*Refusal)(nil); errors.As(err, &refused) {
		switch refused.Reason {
		case "subscription.due":
			return out, nil // ended or suspended meanwhile
		case reasonElsewhere:
			return out, errElsewhere
		}
	}
	if err != nil {
		return out, fmt.Errorf("subscription %v: %w", t.command.Subscription, err)
	}
	if r.Replayed {
		return out, nil // another node was faster
	}
	err = json.Unmarshal(r.Result, &out)
	return out, err
}

// sweepSum adds up what a walk does.
type sweepSum struct {
	mu sync.Mutex
	Debited
	errs      []error     // the first ones
	asked     bool        // for the first subscription
	elsewhere atomic.Bool // another node sells the draw, and plays its subscriptions
}

// errElsewhere ends the walk of a draw that another node sells.
var errElsewhere = errors.New("the draw is sold by another node")

func (s *sweepSum) add(out SubscriptionDebited, err error) {
	const most = 5 // errors that are worth a line
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if errors.Is(err, errElsewhere) {
			s.elsewhere.Store(true)
		}
		if len(s.errs) < most {
			s.errs = append(s.errs, err)
		}
		return
	}
	switch {
	case out.Bought != nil:
		s.Debited.add(Debited{Played: 1, Cents: out.Bought.Cents})
	case out.State == SubscriptionSuspended:
		s.Debited.add(Debited{Missed: 1, Suspended: 1})
	case out.Missed != "":
		s.Debited.add(Debited{Missed: 1})
	}
}
