package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
	"tirage/vault"
)

// The evening of the bench: a game with packs, on the days of its first rulebook that has them, whose gains are fixed.
const (
	game      = "loto"
	firstDay  = "2018-11-03"
	packType  = "600"
	packParts = 200
	packsMax  = 1_000_000
)

// funds is what each player starts with: enough for some hundreds of purchases.
const funds money.Cents = 1_000_000

// clock starts on the day of the bench and runs like any clock; it can be set forward.
type clock struct {
	base  time.Time
	start time.Time
	ahead atomic.Int64
}

// Now returns the time of the bench.
func (c *clock) Now() time.Time {
	return c.base.Add(time.Since(c.start) + time.Duration(c.ahead.Load()))
}

// forward sets the clock to t.
func (c *clock) forward(t time.Time) { c.skip(t.Sub(c.Now())) }

// skip sets the clock forward by d.
func (c *clock) skip(d time.Duration) { c.ahead.Add(int64(d)) }

// world is what all databases of a measurement start with: players who have money and draws on sale.
type world struct {
	keys    *vault.Keys
	clock   *clock
	rng     *rand.Rand
	entropy *rand.ChaCha8
	book    *rulebook.Rulebook
	plans   *planner
	ahead   *central.Register // over plans
	players []int64
	draws   []string
	closes  time.Time
}

// newWorld plans players and draws and pours them into the databases.
func newWorld(ctx context.Context, o *Options, draws int, stores ...named) (*world, error) {
	w, day, err := emptyWorld(o, firstDay)
	if err != nil {
		return nil, err
	}
	w.closes = day.Add(20*time.Hour + 15*time.Minute)
	if w.book, err = games.At(game, w.clock.Now()); err != nil {
		w.close()
		return nil, err
	}
	return w, w.prepare(ctx, stores, func() error {
		err := w.openDraws(ctx, draws, day)
		if err == nil {
			err = w.openPlayers(ctx, o)
		}
		for i := 0; i < draws && err == nil; i++ {
			err = w.firstSales(ctx, w.draws[i])
		}
		return err
	})
}

// emptyWorld makes a world on the morning of a day, with nobody in it.
func emptyWorld(o *Options, date string) (w *world, day time.Time, err error) {
	if day, err = time.ParseInLocation(time.DateOnly, date, games.Paris); err != nil {
		return nil, day, err
	}
	var seed [32]byte
	seed[0], seed[1] = byte(o.Seed), byte(o.Seed>>8)
	w = &world{
		clock: &clock{base: day.Add(8 * time.Hour), start: time.Now()},
		rng:   rand.New(rand.NewPCG(o.Seed, 1)), entropy: rand.NewChaCha8(seed), plans: &planner{},
	}
	if w.keys, err = vault.New(w.entropy); err != nil {
		return nil, day, err
	}
	w.ahead, err = central.NewRegister(w.config(w.plans))
	return w, day, err
}

// prepare pours what plan does ahead into the databases. After an error the world is closed.
func (w *world) prepare(ctx context.Context, stores []named, plan func() error) error {
	pour := newPour(ctx, stores)
	w.plans.sink = pour.add
	err := plan()
	if perr := pour.end(); err == nil {
		err = perr
	}
	if err != nil {
		w.close()
		return fmt.Errorf("preparation: %w", err)
	}
	return nil
}

// close ends the register that plans ahead.
func (w *world) close() { w.ahead.Close() }

// config is that of a register of the world over a store. Salts are as random as in production.
func (w *world) config(s central.Store) central.Config {
	return central.Config{Store: s, Clock: w.clock, Entropy: vault.SystemEntropy{}, Sealer: w.keys, Verifier: w.keys.Verifier(), AllowBare: true, CodeBlock: codeBlock}
}

// codeBlock is the number of codes that a node reserves ahead, four times the largest play.
const codeBlock = 1 << 16

// plan does a command ahead of the databases.
func (w *world) plan(ctx context.Context, principal string, c central.Command) (central.Receipt, error) {
	return w.ahead.Do(ctx, central.Request{Principal: principal, Key: newKey(w.rng, w.clock.Now()), Command: c})
}

func (w *world) openDraws(ctx context.Context, n int, day time.Time) error {
	for i := range n {
		c := central.OpenDraw{
			Game: game, Day: day.AddDate(0, 0, i).Format(time.DateOnly), OpensAt: day, ClosesAt: w.closes,
			Packs: []central.PackOffer{{Type: packType, Multiples: []string{"6x10*10"}, Shares: packParts, MaxPacks: packsMax}},
		}
		id := central.DrawID(c.Game, c.Day)
		var err error
		if c.Sealed, c.Commitment, err = central.NewDrawSecret(w.entropy, w.keys, id); err != nil {
			return err
		}
		if _, err := w.plan(ctx, "system", c); err != nil {
			return err
		}
		w.draws = append(w.draws, id)
	}
	return nil
}

func (w *world) openPlayers(ctx context.Context, o *Options) error {
	for i := range o.Players {
		r, err := w.plan(ctx, "system", central.CreatePlayer{Name: fmt.Sprintf("player %d", i+1)})
		if err != nil {
			return err
		}
		var created central.PlayerCreated
		if err := json.Unmarshal(r.Result, &created); err != nil {
			return err
		}
		if _, err := w.plan(ctx, "system", central.Deposit{Player: created.Player, Cents: funds}); err != nil {
			return err
		}
		w.players = append(w.players, created.Player)
		if i%512 == 0 {
			o.progress("players", i, o.Players)
		}
	}
	o.progress("players", o.Players, o.Players)
	return nil
}

// firstSales sells one play of each zone of codes and one share for a draw, so that its hot rows exist: nobody measures how they come to be.
func (w *world) firstSales(ctx context.Context, draw string) error {
	m := w.book.Matrix
	one, many := combin.Format{Main: m.Main, Extra: m.Extra}, combin.Format{Main: m.Main + 1, Extra: m.ExtraOf}
	player := w.players[0]
	for _, c := range []central.Command{
		central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{{Quick: one}}},
		central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{{Quick: many}}},
		central.BuyShares{Player: player, Draw: draw, Channel: central.ChannelWeb, Type: packType, Shares: 1},
	} {
		if _, err := w.plan(ctx, fmt.Sprintf("player/%d", player), c); err != nil {
			return err
		}
	}
	return nil
}

// newKey returns a UUIDv7: its order is that of time, so records of one time lie together.
func newKey(rng *rand.Rand, now time.Time) string {
	ms, a, b := uint64(now.UnixMilli()), rng.Uint64(), rng.Uint64()
	return fmt.Sprintf("%08x-%04x-7%03x-%04x-%012x", ms>>16&0xffffffff, ms&0xffff, a&0xfff, 0x8000|a>>48&0x3fff, b>>16)
}

// shop makes the purchases of one client.
type shop struct {
	world     *world
	rng       *rand.Rand
	draws     []string
	multiples []combin.Format
}

// Multiples hold from 6 to 60 simple combinations.
const (
	multipleMin = 6
	multipleMax = 60
)

// newShop returns a client's purchases for the draws; stream tells the clients and rounds of a run apart.
func (w *world) newShop(seed, stream uint64, draws []string) *shop {
	s := &shop{world: w, rng: rand.New(rand.NewPCG(seed, stream)), draws: draws}
	m := w.book.Matrix
	for main := m.Main; main <= m.MainOf; main++ {
		for extra := m.Extra; extra <= m.ExtraOf; extra++ {
			f := combin.Format{Main: main, Extra: extra}
			if n := f.Count(m); n >= multipleMin && n <= multipleMax && w.book.SaleFormat(f) {
				s.multiples = append(s.multiples, f)
			}
		}
	}
	return s
}

// next returns the next purchase.
func (s *shop) next() central.Request {
	player := s.world.players[s.rng.IntN(len(s.world.players))]
	draw := s.draws[s.rng.IntN(len(s.draws))]
	var c central.Command
	switch kind := s.rng.IntN(10); {
	case kind < 7:
		m := s.world.book.Matrix
		c = central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{s.line(combin.Format{Main: m.Main, Extra: m.Extra})}}
	case kind < 9:
		c = central.BuyPlay{Player: player, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{s.line(s.multiples[s.rng.IntN(len(s.multiples))])}}
	default:
		formulas := s.world.book.Pack.Formulas
		c = central.BuyShares{Player: player, Draw: draw, Channel: central.ChannelWeb, Type: packType, Shares: int64(formulas[s.rng.IntN(len(formulas))])}
	}
	return central.Request{Principal: fmt.Sprintf("player/%d", player), Key: newKey(s.rng, s.world.clock.Now()), Command: c}
}

// told has nothing to learn from a receipt: no purchase goes by the one before.
func (s *shop) told(central.Receipt) error { return nil }

func (s *shop) random() *rand.Rand { return s.rng }

// line is a chosen grid or a quick pick of a format.
func (s *shop) line(f combin.Format) central.Line {
	if s.rng.IntN(2) == 0 {
		return central.Line{Quick: f}
	}
	m := s.world.book.Matrix
	c, err := combin.Of(s.numbers(f.Main, m.MainOf), s.numbers(f.Extra, m.ExtraOf))
	if err != nil {
		panic(err) // numbers are within the matrix
	}
	return central.Line{Grid: c}
}

// numbers picks n different numbers of 1 to of.
func (s *shop) numbers(n, of int) []int {
	list := make([]int, 0, n)
	for seen := uint64(0); len(list) < n; {
		if i := s.rng.IntN(of) + 1; seen&(1<<i) == 0 {
			seen |= 1 << i
			list = append(list, i)
		}
	}
	return list
}
