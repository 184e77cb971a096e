package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"tirage/central"
)

// SaleOptions are those of [Sale].
type SaleOptions struct {
	Options
	Each time.Duration // for each of the things measured, in rounds of at most a second
}

const (
	ceilingBatch = 256 // purchases of one transaction of the ceiling
	spreadDraws  = 20
	minEach      = 30 * time.Millisecond
	maxEach      = time.Hour
	leastRounds  = 3
)

// SaleReport is what [Sale] measured. Rates are medians over the rounds, ratios medians of the ratios within a round, latencies those of all
// purchases of all rounds.
type SaleReport struct {
	Engine  string  `json:"engine"`
	Clients int     `json:"clients"`
	Seconds float64 `json:"seconds"` // of each kind
	Rounds  int     `json:"rounds"`
	Players int     `json:"players"`
	Machine Machine `json:"machine"`

	Accepted float64 `json:"accepted_per_s"`     // through the register, one draw for all
	Naive    float64 `json:"naive_per_s"`        // one purchase a transaction, from as many clients
	Ceiling  float64 `json:"ceiling_per_s"`      // the same rows, planned before, 256 purchases a transaction
	Bare     float64 `json:"bare_commits_per_s"` // transactions that change one row
	Spread   float64 `json:"spread_per_s"`       // through the register, over 20 draws
	NullLog  float64 `json:"null_log_per_s"`     // through a register that writes no log

	OverCeiling float64 `json:"accepted_over_ceiling"`
	OverNaive   float64 `json:"accepted_over_naive"`
	NaiveBare   float64 `json:"naive_over_bare"`
	HotSpread   float64 `json:"hot_over_spread"`
	OverNullLog float64 `json:"accepted_over_null_log"` // what the log leaves of the rate

	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	NaiveP50 float64 `json:"naive_p50_ms"`
	NaiveP99 float64 `json:"naive_p99_ms"`
	P99Turns float64 `json:"p99_turns"` // p99 × accepted per second ÷ clients: 1 when everyone waits alike
	P99Naive float64 `json:"p99_over_naive_p99"`
	Commits  int64   `json:"commits"` // that the purchases of the hot draw took

	Targets []Target `json:"targets"`
	Checked Checked  `json:"checked"`
}

// sale is a measurement in progress: four databases that started alike, in turns.
type sale struct {
	o       *SaleOptions
	world   *world
	stores  []named // of the register, the naive clients, the ceiling, the register without a log
	hot     []*client
	spread  []*client
	alone   []*client
	nulled  []*client
	planned sample
	commits atomic.Int64
	rates   [kinds][]float64
	sold    [kinds]sold
	closers []func()
}

// The kinds, in the order of their turns.
const (
	kindAccepted = iota
	kindNullLog
	kindNaive
	kindCeiling
	kindBare
	kindSpread
	kinds
)

// Sale measures purchases on an engine. Its first database must be new.
func Sale(ctx context.Context, e *Engine, o SaleOptions) (*SaleReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	length, rounds, err := turns(o.Each)
	if err != nil {
		return nil, err
	}
	r := &SaleReport{Engine: e.Name, Clients: o.Clients, Players: o.Players, Machine: machine(), Rounds: rounds}
	s := &sale{o: &o, planned: sample{size: receipts}}
	defer s.close()
	if err := s.open(ctx, e); err != nil {
		return nil, err
	}
	r.Seconds = digits((time.Duration(r.Rounds) * length).Seconds(), 3)
	for i := range r.Rounds {
		if err := s.round(ctx, length); err != nil {
			return nil, err
		}
		o.progress("rounds", i+1, r.Rounds)
	}
	r.Machine.After = loadAverage()
	s.report(r)
	return r, s.verify(ctx, &r.Checked)
}

func (s *sale) close() {
	for _, f := range s.closers {
		f()
	}
}

// open makes the databases, what they start with, and the clients.
func (s *sale) open(ctx context.Context, e *Engine) (err error) {
	if s.stores, err = e.databases(ctx, "tirage", "naive", "ceiling", "nulllog"); err != nil {
		return err
	}
	if s.world, err = newWorld(ctx, &s.o.Options, 1+spreadDraws, s.stores...); err != nil {
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
	cfg = s.world.config(s.stores[3])
	cfg.NullLog = true
	unlogged, err := central.NewRegister(cfg)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, unlogged.Close)
	streams := uint64(s.o.Clients)
	s.nulled = s.world.group(&s.o.Options, 4*streams, s.world.draws[:1], unlogged)
	s.hot = s.world.group(&s.o.Options, 0, s.world.draws[:1], register)
	s.spread = s.world.group(&s.o.Options, streams, s.world.draws[1:], register)
	var closeAll func()
	if s.alone, closeAll, err = s.world.naiveClients(ctx, &s.o.Options, 2*streams, s.world.draws[:1], s.stores[1]); err == nil {
		s.closers = append(s.closers, closeAll)
	}
	return err
}

// round gives each kind its turn.
func (s *sale) round(ctx context.Context, length time.Duration) error {
	for kind, turn := range []func(context.Context, time.Duration) (*sold, error){
		kindAccepted: s.accepted, kindNullLog: s.withoutLog, kindNaive: s.naive, kindCeiling: s.ceiling, kindBare: s.bare, kindSpread: s.spreadOver,
	} {
		got, err := turn(ctx, length)
		if err != nil {
			return err
		}
		s.rates[kind] = append(s.rates[kind], got.perSecond())
		s.sold[kind].add(got)
	}
	return nil
}

func (s *sale) accepted(ctx context.Context, length time.Duration) (*sold, error) {
	before := s.commits.Load()
	got, err := settled(ctx, s.hot, length)
	s.sold[kindAccepted].commits += s.commits.Load() - before
	return got, err
}

func (s *sale) withoutLog(ctx context.Context, length time.Duration) (*sold, error) {
	return settled(ctx, s.nulled, length)
}

func (s *sale) spreadOver(ctx context.Context, length time.Duration) (*sold, error) {
	return settled(ctx, s.spread, length)
}

func (s *sale) naive(ctx context.Context, length time.Duration) (*sold, error) {
	return settled(ctx, s.alone, length)
}

// ceilingFirst is the rate for which the first turn of the ceiling is planned, purchases a second; later turns go by the one before.
const ceilingFirst = 10_000

// ceiling plans as many purchases as the turn is likely to take, then writes their rows in transactions of 256 purchases.
func (s *sale) ceiling(ctx context.Context, length time.Duration) (*sold, error) {
	rate := float64(ceilingFirst)
	if n := len(s.rates[kindCeiling]); n > 0 {
		rate = s.rates[kindCeiling][n-1]
	}
	batches, err := s.planBatches(ctx, 1+int(rate*length.Seconds()/ceilingBatch))
	if err != nil {
		return nil, err
	}
	runtime.GC()
	start := time.Now()
	for _, b := range batches {
		if err := write(ctx, s.stores[2], b); err != nil {
			return nil, err
		}
	}
	return &sold{accepted: int64(len(batches) * ceilingBatch), elapsed: time.Since(start)}, nil
}

// planBatches plans purchases for the hot draw and merges their changes by 256.
func (s *sale) planBatches(ctx context.Context, n int) ([]*central.Changes, error) {
	var changes []*central.Changes
	s.world.plans.sink = func(c *central.Changes) error {
		changes = append(changes, c)
		return nil
	}
	shop := s.world.newShop(s.o.Seed, uint64(3*s.o.Clients+len(s.rates[kindCeiling])), s.world.draws[:1])
	ahead := &client{shop: shop, register: s.world.ahead, sample: s.planned}
	batches := make([]*central.Changes, n)
	for i := range batches {
		changes = nil
		for range ceilingBatch {
			if err := ahead.buy(ctx, shop.next()); err != nil {
				return nil, err
			}
		}
		batches[i] = merge(changes)
	}
	s.planned = ahead.sample
	return batches, nil
}

func (s *sale) bare(ctx context.Context, length time.Duration) (*sold, error) {
	runtime.GC()
	return bareCommits(ctx, s.stores[1], length)
}

// bareCommits commits transactions that change one row, one after another.
func bareCommits(ctx context.Context, store central.Store, length time.Duration) (*sold, error) {
	got := &sold{}
	row := &central.Changes{Add: []central.Row{&central.Counter{Name: "bench/bare", N: 1}}}
	for start := time.Now(); got.elapsed < length && !ended(ctx); got.elapsed = time.Since(start) {
		if err := write(ctx, store, row); err != nil {
			return nil, err
		}
		got.accepted++
	}
	return got, ctx.Err()
}

// report fills in what the rounds gave.
func (s *sale) report(r *SaleReport) {
	rate := func(kind int) float64 { return digits(median(s.rates[kind]), 4) }
	ratio := func(a, b int) float64 { return digits(median(ratios(s.rates[a], s.rates[b])), 3) }
	r.Accepted, r.Naive, r.Ceiling = rate(kindAccepted), rate(kindNaive), rate(kindCeiling)
	r.Bare, r.Spread, r.NullLog = rate(kindBare), rate(kindSpread), rate(kindNullLog)
	r.OverCeiling, r.OverNaive = ratio(kindAccepted, kindCeiling), ratio(kindAccepted, kindNaive)
	r.OverNullLog = ratio(kindAccepted, kindNullLog)
	r.NaiveBare, r.HotSpread = ratio(kindNaive, kindBare), ratio(kindAccepted, kindSpread)
	hot, alone := &s.sold[kindAccepted], &s.sold[kindNaive]
	r.P50, r.P99 = digits(hot.percentile(50), 4), digits(hot.percentile(99), 4)
	r.NaiveP50, r.NaiveP99 = digits(alone.percentile(50), 4), digits(alone.percentile(99), 4)
	r.P99Turns = digits(r.P99/1000*hot.perSecond()/float64(r.Clients), 3)
	if r.NaiveP99 > 0 {
		r.P99Naive = digits(r.P99/r.NaiveP99, 3)
	}
	r.Commits = hot.commits
	r.Targets = saleTargets(r)
}

// saleTargets are what is demanded: of SQLite with 256 clients, of PostgreSQL with 64.
func saleTargets(r *SaleReport) []Target {
	if r.Engine == "sqlite" {
		return []Target{
			atLeast("accepted_over_ceiling", r.OverCeiling, 0.65), atLeast("accepted_over_naive", r.OverNaive, 2.2),
			atLeast("naive_over_bare", r.NaiveBare, 0.4), atMost("p99_turns", r.P99Turns, 4), atLeast("accepted_per_s (aim)", r.Accepted, 12_000),
			atLeast("accepted_over_null_log", r.OverNullLog, 0.85),
		}
	}
	return []Target{
		atLeast("accepted_over_naive", r.OverNaive, 8), atLeast("accepted_over_naive (aim)", r.OverNaive, 12), atLeast("accepted_over_ceiling", r.OverCeiling, 0.5),
		atMost("p99_over_naive_p99", r.P99Naive, 0.125), atLeast("hot_over_spread", r.HotSpread, 0.8),
		atLeast("accepted_over_null_log", r.OverNullLog, 0.85),
	}
}

// verify checks the databases that have a log.
func (s *sale) verify(ctx context.Context, done *Checked) error {
	for i, bought := range [][]purchase{append(samples(s.hot), samples(s.spread)...), samples(s.alone), s.planned.chosen} {
		s.world.rng.Shuffle(len(bought), func(i, j int) { bought[i], bought[j] = bought[j], bought[i] })
		if err := s.world.verify(ctx, s.stores[i], bought, done); err != nil {
			return fmt.Errorf("database %d: %w", i+1, err)
		}
		s.o.progress("checks", i+1, len(s.stores)-1)
	}
	return nil
}
