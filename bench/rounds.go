package bench

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// The day on which rounds are measured: the ladder game is on sale since its first day.
const (
	ladderGame = "donuts"
	ladderDay  = "2019-07-01"
)

// RoundsOptions are those of [Rounds].
type RoundsOptions struct {
	Options
	Each time.Duration // for each of the things measured, in turns of at most a second
}

// RoundsReport is what [Rounds] measured. A step is one action of a player: a stake, a series, a stop. Rates are medians over the turns, ratios
// medians of the ratios within a turn, latencies those of all steps of all turns.
type RoundsReport struct {
	Engine  string  `json:"engine"`
	Clients int     `json:"clients"`
	Seconds float64 `json:"seconds"` // of each kind
	Turns   int     `json:"turns"`
	Players int     `json:"players"`
	Floor   int64   `json:"floor_s"` // between two plays of one player, as the rules have it
	Machine Machine `json:"machine"`

	Steps  float64 `json:"steps_per_s"`        // through the register
	Naive  float64 `json:"naive_steps_per_s"`  // one step a transaction, from as many clients
	Bare   float64 `json:"bare_commits_per_s"` // transactions that change one row
	Played float64 `json:"rounds_per_s"`       // through the register, from the stake to the end

	OverNaive float64 `json:"steps_over_naive"`
	NaiveBare float64 `json:"naive_over_bare"`

	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	NaiveP50 float64 `json:"naive_p50_ms"`
	NaiveP99 float64 `json:"naive_p99_ms"`
	Commits  int64   `json:"commits"` // that the steps took

	Targets []Target `json:"targets"`
	Checked Checked  `json:"checked"`
}

// rounds is a measurement in progress: two databases that started alike, in turns.
type rounds struct {
	o       *RoundsOptions
	world   *world
	stores  []named // of the register, the naive clients
	walking []*client
	alone   []*client
	commits atomic.Int64
	rates   [3][]float64
	sold    [3]sold
	closers []func()
}

// The kinds, in the order of their turns.
const (
	kindSteps = iota
	kindNaiveSteps
	kindBareCommits
)

// Rounds measures the steps of rounds of the ladder game: each client walks over players of its own, plays one round with each, from the stake to
// the end, and stops at a level chosen before. The floor between two plays is on; the clock goes forward by it when a client has been at all its players, so that
// nobody is refused. The first database of the engine must be new.
func Rounds(ctx context.Context, e *Engine, o RoundsOptions) (*RoundsReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	length, turns, err := turns(o.Each)
	if err != nil {
		return nil, err
	}
	if o.Players < o.Clients {
		return nil, fmt.Errorf("%d players for %d clients: accepted at least one each", o.Players, o.Clients)
	}
	r := &RoundsReport{Engine: e.Name, Clients: o.Clients, Players: o.Players, Machine: machine()}
	s := &rounds{o: &o}
	defer s.close()
	if err := s.open(ctx, e); err != nil {
		return nil, err
	}
	r.Turns, r.Floor = turns, s.world.book.Rounds.FloorSeconds
	r.Seconds = digits((time.Duration(r.Turns) * length).Seconds(), 3)
	for i := range r.Turns {
		if err := s.turn(ctx, length); err != nil {
			return nil, err
		}
		o.progress("turns", i+1, r.Turns)
	}
	r.Machine.After = loadAverage()
	s.report(r)
	return r, s.verify(ctx, &r.Checked)
}

func (s *rounds) close() {
	for _, f := range s.closers {
		f()
	}
}

// open makes the databases, what they start with, and the clients.
func (s *rounds) open(ctx context.Context, e *Engine) (err error) {
	if s.stores, err = e.databases(ctx, "tirage", "naive"); err != nil {
		return err
	}
	if s.world, err = newLadderWorld(ctx, &s.o.Options, s.stores...); err != nil {
		return err
	}
	s.closers = append(s.closers, s.world.close)
	cfg := s.world.config(s.stores[0])
	cfg.OnCommit = func([]central.Done) { s.commits.Add(1) }
	register, err := central.NewRegister(cfg)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, register.Close)
	s.walking = crowd(&s.o.Options, register, func(i int) customer { return s.world.newWalker(s.o, i, 0) })
	s.alone = crowd(&s.o.Options, nil, func(i int) customer { return s.world.newWalker(s.o, i, 1) })
	closeAll, err := s.world.alone(ctx, s.alone, s.stores[1])
	if err == nil {
		s.closers = append(s.closers, closeAll)
	}
	return err
}

// newLadderWorld plans players and one round of the first of them, so that the hot rows exist, and pours them into the databases.
func newLadderWorld(ctx context.Context, o *Options, stores ...named) (*world, error) {
	w, _, err := emptyWorld(o, ladderDay)
	if err != nil {
		return nil, err
	}
	if w.book, err = games.At(ladderGame, w.clock.Now()); err != nil {
		w.close()
		return nil, err
	}
	return w, w.prepare(ctx, stores, func() error {
		if err := w.openPlayers(ctx, o); err != nil {
			return err
		}
		first := &client{shop: &walker{world: w, rng: w.rng, players: w.players[:1]}, register: w.ahead}
		for range ladder.MaxLevels + 2 {
			if err := first.buy(ctx, first.shop.next()); err != nil {
				return err
			}
			if first.shop.(*walker).round == 0 {
				break
			}
		}
		w.clock.skip(w.floor())
		return nil
	})
}

// floor is the time between two plays of one player.
func (w *world) floor() time.Duration { return time.Duration(w.book.Rounds.FloorSeconds) * time.Second }

// walker plays rounds with one player after another.
type walker struct {
	world   *world
	rng     *rand.Rand
	players []int64
	at      int             // of the player whose turn it is
	round   central.RoundID // 0: none is open
	step    int64
	stop    int64 // level at which the round is ended
	ended   int64 // rounds
}

// stopMax is the highest level at which a walker ends a round: each from 1 on is as likely as the others.
const stopMax = 5

// newWalker makes the steps of client i on one of the databases: it has every so many players to itself.
func (w *world) newWalker(o *RoundsOptions, i, database int) *walker {
	k := &walker{world: w, rng: rand.New(rand.NewPCG(o.Seed, uint64(1+i+database*o.Clients)))}
	for at := i; at < len(w.players); at += o.Clients {
		k.players = append(k.players, w.players[at])
	}
	return k
}

func (k *walker) random() *rand.Rand { return k.rng }

// next returns the next step.
func (k *walker) next() central.Request {
	player := k.players[k.at]
	var c central.Command
	switch {
	case k.round == 0:
		k.step, k.stop = 0, 1+k.rng.Int64N(stopMax)
		c = central.StartRound{Player: player, Game: ladderGame}
	case k.step == k.stop:
		c = central.StopRound{Player: player, Game: ladderGame, Round: k.round, Step: k.step}
	default:
		contribution := make(replay.Hex, 0, 16)
		contribution = binary.BigEndian.AppendUint64(contribution, k.rng.Uint64())
		contribution = binary.BigEndian.AppendUint64(contribution, k.rng.Uint64())
		c = central.PlaySeries{Player: player, Game: ladderGame, Round: k.round, Step: k.step, Contribution: contribution}
	}
	return central.Request{Principal: central.PlayerPrincipal(player), Key: newKey(k.rng, k.world.clock.Now()), Command: c}
}

// told learns how the round stands; where it has ended, the next player's turn comes.
func (k *walker) told(r central.Receipt) error {
	var answer struct {
		Round struct {
			State replay.State `json:"state"`
			Step  int64        `json:"step"`
		} `json:"round"`
		Balance money.Cents `json:"balance"`
	}
	if err := json.Unmarshal(r.Result, &answer); err != nil {
		return fmt.Errorf("answer to a step: %w", err)
	}
	if k.round == 0 {
		k.round = central.RoundID(r.Node<<48 | (r.Index + 1)) // the number of a round is that of the leaf of its stake
	}
	k.step = answer.Round.Step
	if answer.Round.State == replay.Open {
		return nil
	}
	k.round = 0
	k.ended++
	if k.at = (k.at + 1) % len(k.players); k.at == 0 {
		k.world.clock.skip(k.world.floor())
	}
	return nil
}

// turn gives each kind its turn.
func (s *rounds) turn(ctx context.Context, length time.Duration) error {
	for kind, turn := range []func(context.Context, time.Duration) (*sold, error){
		kindSteps: s.steps, kindNaiveSteps: s.naive, kindBareCommits: s.bare,
	} {
		runtime.GC()
		got, err := turn(ctx, length)
		if err != nil {
			return err
		}
		s.rates[kind] = append(s.rates[kind], got.perSecond())
		s.sold[kind].add(got)
	}
	return nil
}

func (s *rounds) steps(ctx context.Context, length time.Duration) (*sold, error) {
	before := s.commits.Load()
	got, err := run(ctx, s.walking, length)
	s.sold[kindSteps].commits += s.commits.Load() - before
	return got, err
}

func (s *rounds) naive(ctx context.Context, length time.Duration) (*sold, error) {
	return run(ctx, s.alone, length)
}

func (s *rounds) bare(ctx context.Context, length time.Duration) (*sold, error) {
	return bareCommits(ctx, s.stores[1], length)
}

// report fills in what the turns gave.
func (s *rounds) report(r *RoundsReport) {
	rate := func(kind int) float64 { return digits(median(s.rates[kind]), 4) }
	ratio := func(a, b int) float64 { return digits(median(ratios(s.rates[a], s.rates[b])), 3) }
	r.Steps, r.Naive, r.Bare = rate(kindSteps), rate(kindNaiveSteps), rate(kindBareCommits)
	r.OverNaive, r.NaiveBare = ratio(kindSteps, kindNaiveSteps), ratio(kindNaiveSteps, kindBareCommits)
	through, alone := &s.sold[kindSteps], &s.sold[kindNaiveSteps]
	r.P50, r.P99 = digits(through.percentile(50), 4), digits(through.percentile(99), 4)
	r.NaiveP50, r.NaiveP99 = digits(alone.percentile(50), 4), digits(alone.percentile(99), 4)
	r.Commits = through.commits
	var ended int64
	for _, c := range s.walking {
		ended += c.shop.(*walker).ended
	}
	r.Played = digits(float64(ended)/through.elapsed.Seconds(), 4)
	r.Targets = roundsTargets(r)
}

// roundsTargets are what is demanded: of SQLite with 256 clients, of PostgreSQL with 64.
func roundsTargets(r *RoundsReport) []Target {
	if r.Engine == "sqlite" {
		return []Target{atLeast("steps_over_naive", r.OverNaive, 2.2)}
	}
	return []Target{atLeast("steps_over_naive", r.OverNaive, 6)}
}

// verify checks the two databases.
func (s *rounds) verify(ctx context.Context, done *Checked) error {
	for i, played := range [][]purchase{samples(s.walking), samples(s.alone)} {
		s.world.rng.Shuffle(len(played), func(i, j int) { played[i], played[j] = played[j], played[i] })
		if err := s.world.verify(ctx, s.stores[i], played, done); err != nil {
			return fmt.Errorf("database %d: %w", i+1, err)
		}
		s.o.progress("checks", i+1, len(s.stores))
	}
	return nil
}
