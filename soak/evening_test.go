//go:build linux

package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"tirage/central"
	"tirage/central/recount"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/vault"
)

const (
	clients  = 32
	players  = 100
	funds    = 20_000_000 // cents of each player at the start
	packType = "small"
)

// The evening: one draw that is settled in the later rounds, one that is sold to the end.
var (
	opens   = time.Date(2018, 11, 1, 8, 0, 0, 0, time.UTC)
	closes  = time.Date(2018, 11, 3, 19, 15, 0, 0, time.UTC)
	settled = central.DrawID("loto", "2018-11-03")
	onSale  = central.DrawID("loto", "2018-11-05")
	drawn   = central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}, Joker: "5 697 395"}
	terms   = prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}}
)

// clock runs from a moment of the evening on and can be set.
type clock struct{ ahead atomic.Int64 }

func newClock(now time.Time) *clock {
	c := new(clock)
	c.set(now)
	return c
}

func (c *clock) set(now time.Time) { c.ahead.Store(int64(time.Until(now))) }

// Now returns the time of the evening.
func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// world is a register over a store with its operator.
type world struct {
	store    central.Store
	clock    *clock
	keys     *vault.Keys
	register *central.Register
	operator *central.Operator
}

func newWorld(store central.Store, keys *vault.Keys, now time.Time, change ...func(*central.Config)) (*world, error) {
	w := &world{store: store, keys: keys, clock: newClock(now)}
	cfg := central.Config{Store: store, Clock: w.clock, Entropy: vault.SystemEntropy{}, Sealer: keys, Verifier: keys.Verifier(), AllowReconstructed: true}
	for _, f := range change {
		f(&cfg)
	}
	var err error
	if w.register, err = central.NewRegister(cfg); err != nil {
		return nil, err
	}
	w.operator = &central.Operator{Register: w.register, Store: store, Sealer: keys, Signer: keys.Operator, Principal: "system"}
	w.operator.Control = &recount.Recounter{Store: store, Signer: keys.Control, Secret: w.operator.OpenSecret}
	return w, nil
}

// open puts the draws on sale and gives players money; it returns the players.
func (w *world) open(ctx context.Context) ([]int64, error) {
	for _, day := range []string{"2018-11-03", "2018-11-05"} {
		c := central.OpenDraw{
			Game: "loto", Day: day, OpensAt: opens, ClosesAt: closes,
			Packs: []central.PackOffer{{Type: packType, Multiples: []string{"6x1*2"}, Simples: 3, Shares: 20, MaxPacks: 100_000, Formulas: []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
		}
		id := central.DrawID(c.Game, c.Day)
		if id == onSale {
			c.ClosesAt = closes.AddDate(0, 0, 2)
		}
		if err := w.openDraw(ctx, c); err != nil {
			return nil, err
		}
	}
	ids := make([]int64, players)
	return ids, parallel(players, func(i int) (err error) {
		ids[i], err = w.player(ctx, i)
		return err
	})
}

// openDraw puts a draw on sale with a secret of its own.
func (w *world) openDraw(ctx context.Context, c central.OpenDraw) error {
	id := central.DrawID(c.Game, c.Day)
	var err error
	if c.Sealed, c.Commitment, err = central.NewDrawSecret(vault.SystemEntropy{}, w.keys, id); err != nil {
		return err
	}
	_, err = w.do(ctx, "open/"+id, c)
	return err
}

// player makes a player with money.
func (w *world) player(ctx context.Context, i int) (int64, error) {
	r, err := w.do(ctx, fmt.Sprintf("player/%d", i), central.CreatePlayer{Name: fmt.Sprintf("player %d", i)})
	if err != nil {
		return 0, err
	}
	var created central.PlayerCreated
	if err := json.Unmarshal(r.Result, &created); err != nil {
		return 0, err
	}
	_, err = w.do(ctx, fmt.Sprintf("funds/%d", i), central.Deposit{Player: created.Player, Cents: funds})
	return created.Player, err
}

// sellWinners sells plays of the first draw that win its last rank, so that its settlement takes several slices.
func (w *world) sellWinners(ctx context.Context, name string, players []int64, n int) error {
	return parallel(n, func(i int) error {
		_, err := w.do(ctx, fmt.Sprintf("%s/%06d", name, i), central.BuyPlay{Player: players[i%len(players)], Draw: settled, Lines: []central.Line{winner(i)}})
		return err
	})
}

// winner is grid i of those that win the last rank of the draw, by their Chance number alone: few are the same, as a draw takes a combination 45 times at most.
func winner(i int) central.Line {
	numbers := rand.New(rand.NewPCG(uint64(i), 1)).Perm(44)[:5]
	for j := range numbers {
		numbers[j] += 6
	}
	c, err := combin.Of(numbers, drawn.Extra)
	if err != nil {
		panic(err) // numbers are within the matrix
	}
	return central.Line{Grid: c}
}

// parallel calls f for 0 to n−1, some at a time, and returns an error of one of them.
func parallel(n int, f func(i int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	failed := make(chan error, 4*clients)
	for range cap(failed) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failed)
	return <-failed
}

func (w *world) do(ctx context.Context, key string, c central.Command) (central.Receipt, error) {
	return w.register.Do(ctx, central.Request{Principal: "system", Key: key, Command: c})
}

// settle takes the first draw from whatever state it is in to its publication.
func (w *world) settle(ctx context.Context, step func(state string)) error {
	for {
		d, err := w.operator.Draw(ctx, settled)
		if err != nil {
			return err
		}
		step(d.State)
		switch d.State {
		case "open":
			err = w.operator.Close(ctx, settled)
		case "closed", "sealed":
			err = w.operator.Seal(ctx, settled, terms)
		case "balanced":
			err = w.operator.Record(ctx, settled, drawn, central.Outside{})
		case "drawn":
			_, err = w.operator.Count(ctx, settled)
		case "counted":
			err = w.operator.Approve(ctx, settled, d.Version, "staff/officer")
		case "approved":
			err = w.operator.Pay(ctx, settled)
		case "settled":
			if _, err = w.operator.Draft(ctx, settled); err == nil {
				_, err = w.operator.Publish(ctx, settled, "staff/officer")
			}
		case "published":
			return nil
		default:
			err = fmt.Errorf("draw %s is %s", d.ID, d.State)
		}
		if err != nil {
			return fmt.Errorf("draw %s, %s: %w", d.ID, d.State, err)
		}
	}
}

// shop makes purchases. Each depends on the seed and its own place alone, so that it can be asked for again after a crash.
type shop struct {
	Seed    uint64
	Round   int
	Players []int64
	Draws   []string
}

// request returns purchase i of a client.
func (s *shop) request(client, i int) central.Request {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(s.Round)<<48|uint64(client)<<32|uint64(i)))
	player := s.Players[rng.IntN(len(s.Players))]
	draw := s.Draws[rng.IntN(len(s.Draws))]
	req := central.Request{Principal: fmt.Sprintf("player/%d", player), Key: fmt.Sprintf("%d-%03d-%02d-%06d", s.Seed, s.Round, client, i)}
	switch kind := rng.IntN(10); {
	case kind < 3:
		req.Command = central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{grid(rng, 5)}}
	case kind < 4:
		joker := central.AddOn{Game: "jokerplus", Stake: 200, Number: []string{"", "1117395"}[rng.IntN(2)]}
		req.Command = central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelRetail, Lines: []central.Line{grid(rng, 5)}, AddOns: []central.AddOn{joker}}
	case kind < 5: // for every draw on sale
		req.Command = central.BuyPlay{Player: player, Draw: s.Draws[0], Further: s.Draws[1:], Channel: central.ChannelApp, Lines: []central.Line{grid(rng, 5)}}
	case kind < 7:
		req.Command = central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{grid(rng, 6), {Quick: combin.Format{Main: 5, Extra: 2}}}}
	case kind < 9:
		req.Command = central.BuyShares{Player: player, Draw: draw, Channel: central.ChannelApp, Type: packType, Shares: 1 + rng.Int64N(10)}
	default:
		req.Command = central.Deposit{Player: player, Cents: money.Cents(1 + rng.Int64N(100_000))}
	}
	return req
}

// grid is a quick pick, or a grid of the Chance number that is drawn.
func grid(rng *rand.Rand, main int) central.Line {
	if rng.IntN(4) == 0 {
		return central.Line{Quick: combin.Format{Main: main, Extra: 1}}
	}
	numbers := rng.Perm(49)[:main]
	for i := range numbers {
		numbers[i]++
	}
	c, err := combin.Of(numbers, drawn.Extra)
	if err != nil {
		panic(err) // numbers are within the matrix
	}
	return central.Line{Grid: c}
}
