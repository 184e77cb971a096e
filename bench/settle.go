package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/prize"
)

// SettleOptions are those of [Settle].
type SettleOptions struct {
	Options
	Plays int // of ten simple combinations each
}

const (
	settleCombos = 10        // of each play
	bulkBatch    = 10_000    // credits of one transaction of the reference
	bulkRuns     = 3         // of the reference; the median counts
	winningCodes = 10        // of a draw of the Loto 2018
	goMemory     = 512 << 20 // what Go's heap may hold before it is collected more often, as GOMEMLIMIT of a machine of 1 GiB; SQLite's own memory is beside it
)

// SettleReport is what [Settle] measured. The settlement runs from the recorded result to the last credit: count, approval, credits, each with its leaf.
// The control of this measurement signs a count that the operator's code has made a second time; its time stands apart and is no part of the settlement.
type SettleReport struct {
	Engine   string  `json:"engine"`
	Plays    int     `json:"plays"`
	Combos   int64   `json:"combinations"`
	Winning  float64 `json:"winning_plays"` // part of the plays that win
	Credits  int64   `json:"credits"`
	Machine  Machine `json:"machine"`
	Settle   float64 `json:"settle_s"`
	Count    float64 `json:"count_s"`   // two passes over the plays and the signed count; part of settle_s
	Pay      float64 `json:"pay_s"`     // approval and credits; part of settle_s
	Control  float64 `json:"control_s"` // the second count, no part of settle_s
	Bulk     float64 `json:"bulk_insert_s"`
	OverBulk float64 `json:"settle_over_bulk"`
	Filled   float64 `json:"filled_mib"` // the most that the process held until the plays were sold
	Peak     float64 `json:"peak_mib"`   // the same until the last credit

	Targets []Target `json:"targets"`
	Checked Checked  `json:"checked"`
}

// settling is a settlement being measured.
type settling struct {
	o        *SettleOptions
	world    *world
	store    named
	draw     string
	operator *central.Operator
	control  *copier
	bought   sample
	codes    []string // codes that were issued, to be drawn
}

// Settle measures the settlement of a draw with many winning plays. The first database of the engine must be new.
func Settle(ctx context.Context, e *Engine, o SettleOptions) (*SettleReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Plays < winningCodes || o.Plays > maxPlays {
		return nil, fmt.Errorf("%d plays: accepted %d to %d", o.Plays, winningCodes, maxPlays)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(goMemory))
	r := &SettleReport{Engine: e.Name, Plays: o.Plays, Machine: machine()}
	s := &settling{o: &o, bought: sample{size: receipts}}
	stores, err := e.databases(ctx, "settle")
	if err != nil {
		return nil, err
	}
	s.store = stores[0]
	if s.world, err = newWorld(ctx, &o.Options, 1, s.store); err != nil {
		return nil, err
	}
	defer s.world.close()
	s.draw = s.world.draws[0]
	if err := s.sell(ctx); err != nil {
		return nil, err
	}
	r.Filled = digits(peakMiB(), 4)
	register, err := central.NewRegister(s.world.config(s.store))
	if err != nil {
		return nil, err
	}
	defer register.Close()
	s.appoint(register)
	if err := s.draws(ctx); err != nil {
		return nil, err
	}
	if err := s.settle(ctx, r); err != nil {
		return nil, err
	}
	if err := s.bulk(ctx, e, r); err != nil {
		return nil, err
	}
	r.Machine.After = loadAverage()
	r.OverBulk = digits(r.Settle/r.Bulk, 3)
	r.Targets = []Target{
		atMost("settle_over_bulk", r.OverBulk, 8), atMost("settle_over_bulk (aim)", r.OverBulk, 4),
		atMost("peak_mib", r.Peak, 1024), atLeast("winning_plays", r.Winning, 0.5),
	}
	return r, s.world.verify(ctx, s.store, s.bought.chosen, &r.Checked)
}

// sell fills the draw with uniform plays: half of them ten simple combinations, half a multiple of ten.
func (s *settling) sell(ctx context.Context) error {
	shop := s.world.newShop(s.o.Seed, 0, s.world.draws)
	pick := rand.New(rand.NewPCG(s.o.Seed, 2))
	keep := &client{shop: shop, register: s.world.ahead, sample: s.bought}
	p := newPour(ctx, []named{s.store})
	s.world.plans.sink = p.add
	var err error
	for i := 0; i < s.o.Plays && err == nil; i++ {
		err = keep.buy(ctx, shop.tens())
		if i%512 == 0 {
			s.o.progress("plays", i, s.o.Plays)
		}
	}
	if perr := p.end(); err == nil {
		err = perr
	}
	s.o.progress("plays", s.o.Plays, s.o.Plays)
	s.bought = keep.sample
	for len(s.codes) < winningCodes && err == nil {
		err = s.pickCode(pick)
	}
	return err
}

// pickCode adds one of the codes of a random purchase to those that are drawn.
func (s *settling) pickCode(rng *rand.Rand) error {
	var b central.Bought
	if err := json.Unmarshal(s.bought.chosen[rng.IntN(len(s.bought.chosen))].receipt.Result, &b); err != nil {
		return err
	}
	all := b.Codes[0].All
	code := all[rng.IntN(len(all))]
	for _, c := range s.codes {
		if c == code {
			return nil
		}
	}
	s.codes = append(s.codes, code)
	return nil
}

// tens is a play of ten simple combinations: ten grids, or one grid with every Chance number.
func (s *shop) tens() central.Request {
	m := s.world.book.Matrix
	lines := make([]central.Line, 0, settleCombos)
	if s.rng.IntN(2) == 0 {
		lines = append(lines, s.line(combin.Format{Main: m.Main, Extra: settleCombos}))
	} else {
		for range settleCombos {
			lines = append(lines, s.line(combin.Format{Main: m.Main, Extra: m.Extra}))
		}
	}
	player := s.world.players[s.rng.IntN(len(s.world.players))]
	return central.Request{
		Principal: fmt.Sprintf("player/%d", player), Key: newKey(s.rng, s.world.clock.Now()),
		Command: central.BuyPlay{Player: player, Draw: s.draws[0], Channel: central.ChannelWeb, Lines: lines},
	}
}

// appoint names the operator and the control of the draw.
func (s *settling) appoint(r *central.Register) {
	w := s.world
	s.operator = &central.Operator{Register: r, Store: s.store, Sealer: w.keys, Signer: w.keys.Operator, Principal: "system"}
	s.operator.Progress = func(step string, done, all int64) { s.o.progress(step, int(done), int(all)) }
	s.control = &copier{store: s.store, signer: w.keys.Control, operator: s.operator}
	s.operator.Control = s.control
}

// draws closes and seals the draw and records its result.
func (s *settling) draws(ctx context.Context) error {
	s.world.clock.forward(s.world.closes)
	if err := s.operator.Close(ctx, s.draw); err != nil {
		return err
	}
	jackpot := s.world.book.Prizes.Jackpot.Start
	if err := s.operator.Seal(ctx, s.draw, prize.Terms{Cycle: prize.Cycle{Jackpot: jackpot}}); err != nil {
		return err
	}
	result := central.Result{Main: []int{7, 12, 23, 34, 45}, Extra: []int{8}, Codes: map[string][]string{s.world.book.Codes[0].ID: s.codes}}
	return s.operator.Record(ctx, s.draw, result, central.Outside{})
}

// settle measures from the recorded result to the last credit.
func (s *settling) settle(ctx context.Context, r *SettleReport) error {
	runtime.GC()
	s.control.spent = 0
	start := time.Now()
	count, err := s.operator.Count(ctx, s.draw)
	if err != nil {
		return err
	}
	counted := time.Since(start) - s.control.spent
	start = time.Now()
	if err := s.operator.Approve(ctx, s.draw, count.Version, "staff/officer"); err != nil {
		return err
	}
	if err := s.operator.Pay(ctx, s.draw); err != nil {
		return err
	}
	paid := time.Since(start)
	r.Peak = digits(peakMiB(), 4)
	r.Count, r.Pay, r.Control = digits(counted.Seconds(), 4), digits(paid.Seconds(), 4), digits(s.control.spent.Seconds(), 4)
	r.Settle = digits((counted + paid).Seconds(), 4)
	r.Credits, r.Combos = count.Credits, int64(s.o.Plays)*settleCombos
	return nil
}

// bulk writes the same credits into the same table of fresh databases, 10 000 a transaction, and notes how many plays won.
func (s *settling) bulk(ctx context.Context, e *Engine, r *SettleReport) error {
	times := make([]float64, bulkRuns)
	for i := range times {
		to, err := e.databases(ctx, "bulk")
		if err != nil {
			return err
		}
		runtime.GC()
		spent, winners, err := s.copyCredits(ctx, to[0])
		if err != nil {
			return err
		}
		times[i] = spent.Seconds()
		r.Winning = digits(float64(winners)/float64(s.o.Plays), 3)
		s.o.progress("reference", i+1, bulkRuns)
	}
	r.Bulk = digits(median(times), 4)
	return nil
}

// copyCredits returns the time of the transactions alone, and how many plays have a gain by their ranks.
func (s *settling) copyCredits(ctx context.Context, to central.Store) (spent time.Duration, winners int, err error) {
	snap, err := s.store.Snapshot(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer snap.Close()
	batch := &central.Changes{}
	flush := func() error {
		start := time.Now()
		err := write(ctx, to, batch)
		spent += time.Since(start)
		batch.New = batch.New[:0]
		return err
	}
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Credits, S: s.draw}, Prefix: 1}, func(row central.Row) error {
		if row.(*central.Credit).Component == central.ComponentRanks {
			winners++
		}
		if batch.New = append(batch.New, row); len(batch.New) == bulkBatch {
			return flush()
		}
		return nil
	})
	if err == nil && len(batch.New) > 0 {
		err = flush()
	}
	return spent, winners, err
}

// copier stands for the control in this measurement: it counts with the operator's own code and signs as the control. It proves nothing; an independent count is
// a system of its own, whose time is its own.
type copier struct {
	store    central.Store
	signer   note.Signer
	operator *central.Operator
	spent    time.Duration
}

func (c *copier) CountSales(ctx context.Context, draw string) (string, error) {
	snap, err := c.store.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	sales, err := central.CountSales(ctx, snap, draw)
	if err != nil {
		return "", err
	}
	return central.SignPaper(sales, c.signer)
}

func (c *copier) CountResult(ctx context.Context, draw string) (string, error) {
	defer func(start time.Time) { c.spent += time.Since(start) }(time.Now())
	snap, err := c.store.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	counting, err := central.NewCounting(ctx, snap, draw, c.operator.OpenSecret)
	if err != nil {
		return "", err
	}
	count, err := counting.CountResult(ctx, snap)
	if err != nil {
		return "", err
	}
	return central.SignPaper(count, c.signer)
}
