package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tirage/banlist"
	"tirage/central"
	"tirage/central/recount"
	"tirage/fairness"
	"tirage/games"
	"tirage/identity"
	"tirage/vault"
)

const (
	// past is how long before now it begins: some draws of each game.
	past = 9 * 24 * time.Hour
	// eve is how long before the close of a draw its players buy.
	eve = 3 * time.Hour
)

// Games are those whose draws are on sale.
var Games = []string{"loto", "euromillions"}

// seeder lives through the past.
type seeder struct {
	Config
	clock    *clock
	register *central.Register
	desk     *identity.Desk
	schedule *central.Schedule
	drawing  *fairness.Stream // of the numbers drawn
	players  []int64          // of people
	orders   atomic.Int64     // names of what is done once

	mu     sync.Mutex
	shares map[string]held // by draw: one play of shares
}

// held is a play of somebody.
type held struct {
	player int64
	play   string
}

// clock is made-up time: it stands until it is set.
type clock struct{ micro atomic.Int64 }

func (c *clock) Now() time.Time    { return time.UnixMicro(c.micro.Load()).UTC() }
func (c *clock) set(now time.Time) { c.micro.Store(now.UnixMicro()) }

// Seed makes the operator on an empty store and lives through its past. At the end nothing runs.
func Seed(ctx context.Context, cfg Config) error {
	s, err := newSeeder(cfg)
	if err != nil {
		return err
	}
	defer s.register.Close()
	s.clock.set(cfg.Now.Add(-past).Truncate(time.Hour))
	for _, step := range []func(context.Context) error{s.hire, s.join, s.live, s.present, s.crowd, s.follow} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("demo at %v: %w", s.clock.Now(), err)
		}
	}
	return nil
}

func newSeeder(cfg Config) (*seeder, error) {
	s := &seeder{Config: cfg, clock: &clock{}, shares: map[string]held{}}
	entropy := vault.SystemEntropy{}
	var seed fairness.Secret
	if _, err := entropy.Read(seed[:]); err != nil {
		return nil, err
	}
	s.drawing = fairness.NewStream(seed, "demo")
	var err error
	s.register, err = central.NewRegister(central.Config{
		Store: cfg.Store, Clock: s.clock, Entropy: entropy, Sealer: cfg.Keys, Verifier: cfg.Keys.Verifier(), QuotesOnly: true,
		DrawRoom: true, Program: cfg.Program,
	})
	if err != nil {
		return nil, err
	}
	s.desk = &identity.Desk{
		Register: s.register, Store: cfg.Store, Entropy: entropy, BanList: banlist.New(cfg.BanList, cfg.Keys.BanList, s.clock),
		Passwords: identity.NewPasswords(Passwords), Sessions: identity.NewSessions(cfg.Store, s.clock),
	}
	operator := &central.Operator{Register: s.register, Store: cfg.Store, Sealer: cfg.Keys, Signer: cfg.Keys.Operator, Principal: central.SystemPrincipal}
	operator.Control = &recount.Recounter{Store: cfg.Store, Signer: cfg.Keys.Control, Secret: operator.OpenSecret}
	s.schedule = &central.Schedule{
		Operator: operator, Clock: s.clock, Entropy: entropy, Games: Games, Packs: Packs, Elsewhere: Elsewhere,
		BeforeClose: []central.BeforeClose{{Lead: eve, Run: s.sell}},
	}
	return s, nil
}

// live takes the schedule from one instant at which something is due to the next, until now.
func (s *seeder) live(ctx context.Context) error {
	for {
		report, err := s.schedule.Step(ctx)
		if err != nil {
			return err
		}
		moved, err := s.act(ctx, report)
		switch {
		case err != nil:
			return err
		case moved:
			continue
		case report.Next.IsZero() || report.Next.After(s.Now):
			s.clock.set(s.Now)
			_, err := s.schedule.Step(ctx)
			return err
		}
		s.clock.set(report.Next)
	}
}

// act is what members of the staff do for the draws that wait for them.
func (s *seeder) act(ctx context.Context, report *central.StepReport) (moved bool, err error) {
	o, officer := s.schedule.Operator, central.StaffPrincipal(officer)
	for _, w := range report.Waits {
		switch w.For {
		case central.WaitResult:
			err = s.room(ctx, w.Draw)
		case central.WaitApproval:
			var d *central.Draw
			if d, err = o.Draw(ctx, w.Draw); err == nil {
				err = o.Approve(ctx, w.Draw, d.Version, officer)
			}
		case central.WaitNotice:
			_, err = o.Publish(ctx, w.Draw, officer)
		default:
			continue
		}
		if err != nil {
			return false, fmt.Errorf("%s waits for %s: %w", w.Draw, w.For, err)
		}
		moved = true
	}
	return moved, nil
}

// room makes the result of a draw: looked at, attended, typed by two, signed.
func (s *seeder) room(ctx context.Context, draw string) error {
	d, err := s.schedule.Operator.Draw(ctx, draw)
	if err != nil {
		return err
	}
	entry, err := s.drawn(ctx, d)
	if err != nil {
		return err
	}
	enter := central.EnterResult{Draw: draw, Version: 1, Round: 1, Entry: *entry}
	for _, act := range []struct {
		name string
		c    central.Command
	}{
		{string(roleOperator), central.CheckRoom{Draw: draw, Program: s.Program, Rules: central.RulesDigest(), Checked: central.RoomChecks}},
		{officer, central.AttendDraw{Draw: draw}},
		{enterer, enter},
		{enterer + "2", enter},
		{officer, central.SignResult{Draw: draw, Version: 1, Round: 1, Statements: (&central.Room{}).Statements()}},
	} {
		if err := s.do(ctx, central.StaffPrincipal(act.name), act.c, nil); err != nil {
			return err
		}
	}
	return nil
}

// present sets up what is going on now: a draw that closes soon, and something sold for the next one of each game.
func (s *seeder) present(ctx context.Context) error {
	if _, err := Soon(ctx, s.register, s.Now); err != nil {
		return err
	}
	if _, err := s.schedule.Step(ctx); err != nil {
		return err
	}
	next, err := s.next(ctx)
	if err != nil {
		return err
	}
	for _, d := range next {
		if err := s.sell(ctx, d); err != nil {
			return err
		}
	}
	for i, p := range people {
		if p.what == excluded {
			return s.do(ctx, central.PlayerPrincipal(s.players[i]), central.ExcludePlayer{Player: s.players[i], Hours: 24}, nil)
		}
	}
	return nil
}

// next returns the first draw on sale of each game whose players have not yet bought for it.
func (s *seeder) next(ctx context.Context) (list []*central.DrawDate, err error) {
	snap, err := s.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	dates, err := central.ReadDates(ctx, snap, "")
	seen := map[string]bool{}
	for _, d := range dates { // by close
		if d.State == central.DateOpened && d.ClosesAt > s.Now.UnixMicro() && !seen[d.Game] {
			seen[d.Game] = true
			if _, sold := s.shares[d.ID()]; !sold {
				list = append(list, d)
			}
		}
	}
	return list, err
}

// follow tells what followed from all that, so that histories and inboxes are there when the first page is.
func (s *seeder) follow(ctx context.Context) error {
	for _, f := range []*central.Follower{central.NewHistorian(s.Store), central.NewInbox(s.Store), central.NewSales(s.Store)} {
		if err := f.CatchUp(ctx); err != nil {
			return err
		}
	}
	return nil
}

// do does a command once.
func (s *seeder) do(ctx context.Context, principal string, c central.Command, out any) error {
	_, err := s.once(ctx, principal, fmt.Sprint("demo/", s.orders.Add(1)), c, out)
	return err
}

func (s *seeder) once(ctx context.Context, principal, key string, c central.Command, out any) (central.Receipt, error) {
	r, err := s.register.Do(ctx, central.Request{Principal: principal, Key: key, Command: c})
	if err != nil {
		return r, fmt.Errorf("%s: %w", c.Kind(), err)
	}
	if out == nil {
		return r, nil
	}
	return r, json.Unmarshal(r.Result, out)
}

const (
	// soon is how long the draw that closes soon is on sale, and then until it is drawn.
	soon, soonDrawn = 20 * time.Minute, 5 * time.Minute
)

// Soon plans one draw that closes in some minutes, so that a whole evening can be seen without waiting for one: a Super Loto, or on a day of Loto one of
// Euro Millions. It returns its name, "" where the day has such a draw already.
func Soon(ctx context.Context, register *central.Register, now time.Time) (string, error) {
	closes := now.Add(soon).Truncate(time.Minute)
	day := games.Day(closes)
	for _, game := range []string{"superloto", "euromillions"} {
		plan := central.PlanDraw{Game: game, Day: day, OpensAt: now.Add(-time.Minute), ClosesAt: closes, DrawsAt: closes.Add(soonDrawn)}
		_, err := register.Do(ctx, central.Request{Principal: central.StaffPrincipal(string(roleOperator)), Key: "soon/" + central.DrawID(game, day), Command: plan})
		switch {
		case err == nil:
			return central.DrawID(game, day), nil
		case central.CodeOf(err) != central.Conflict:
			return "", err
		}
	}
	return "", nil
}
