package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"tirage/central"
)

// GrowthOptions are those of [Growth].
type GrowthOptions struct {
	Options
	Plays  []int         // sizes to compare, ascending; nil: 10⁴, 10⁵, 10⁶
	Window time.Duration // of each size in each round; 0: 0.4 s
}

// growthSizes are compared when none are asked for.
var growthSizes = []int{10_000, 100_000, 1_000_000}

const (
	growthRounds = 6
	growthWindow = 400 * time.Millisecond
	maxPlays     = 100_000_000
)

// GrowthPoint is the cost of a purchase beside so many stored ones.
type GrowthPoint struct {
	Engine   string   `json:"engine"`
	Clients  int      `json:"clients"`
	Plays    int      `json:"plays"`         // stored before the first window
	Cost     float64  `json:"us_per_play"`   // median over the windows
	Ratio    float64  `json:"over_previous"` // median over the rounds of the cost beside that of the size before; 1 for the first
	Accepted float64  `json:"accepted_per_s"`
	After    int64    `json:"plays_after"` // stored after the last window
	Machine  Machine  `json:"machine"`
	Targets  []Target `json:"targets,omitempty"`
	Checked  Checked  `json:"checked"`
}

// growing is the database of one size.
type growing struct {
	store   central.Store
	clients []*client
	sold    sold
	costs   []float64 // µs, by round
}

// Growth measures what a purchase costs as the plays grow. A database of each size is filled, then they take turns: so the machine is
// the same for all.
func Growth(ctx context.Context, e *Engine, o GrowthOptions) ([]GrowthPoint, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Plays == nil {
		o.Plays = growthSizes
	}
	for i, n := range o.Plays {
		if n < 1 || n > maxPlays || i > 0 && n <= o.Plays[i-1] {
			return nil, fmt.Errorf("%v plays: accepted ascending numbers from 1 to %d", o.Plays, maxPlays)
		}
	}
	on := machine()
	sizes, w, err := fillSizes(ctx, e, &o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	for i, g := range sizes {
		register, err := central.NewRegister(w.config(g.store))
		if err != nil {
			return nil, err
		}
		defer register.Close()
		g.clients = w.group(&o.Options, uint64((i+1)*o.Clients), w.draws, register)
	}
	if err := growRounds(ctx, sizes, cmp.Or(o.Window, growthWindow)); err != nil {
		return nil, err
	}
	on.After = loadAverage()
	points := make([]GrowthPoint, len(sizes))
	for i, g := range sizes {
		p := GrowthPoint{
			Engine: e.Name, Clients: o.Clients, Plays: o.Plays[i], Cost: digits(median(g.costs), 4), Ratio: 1,
			Accepted: digits(1e6/median(g.costs), 4), After: int64(o.Plays[i]) + g.sold.accepted, Machine: on,
		}
		if i > 0 {
			p.Ratio = digits(median(ratios(g.costs, sizes[i-1].costs)), 3)
		}
		if i == len(sizes)-1 && i > 0 {
			p.Targets = []Target{atMost(fmt.Sprintf("cost at %d ÷ at %d", o.Plays[i], o.Plays[i-1]), p.Ratio, 1.3)}
		}
		if err := w.verify(ctx, g.store, samples(g.clients), &p.Checked); err != nil {
			return nil, fmt.Errorf("%d plays: %w", o.Plays[i], err)
		}
		points[i] = p
		o.progress("checks", i+1, len(sizes))
	}
	return points, nil
}

// growRounds lets the sizes take turns. The first round warms them up and is dropped.
func growRounds(ctx context.Context, sizes []*growing, window time.Duration) error {
	for round := range growthRounds + 1 {
		for _, g := range sizes {
			runtime.GC()
			got, err := run(ctx, g.clients, window)
			if err != nil {
				return err
			}
			g.sold.add(got)
			if round > 0 {
				g.costs = append(g.costs, 1e6/got.perSecond())
			}
		}
	}
	return nil
}

// fillSizes makes the databases: what the smallest holds is the beginning of what the others hold.
func fillSizes(ctx context.Context, e *Engine, o *GrowthOptions) ([]*growing, *world, error) {
	stores, err := e.databases(ctx, slices.Repeat([]string{"plays"}, len(o.Plays))...)
	if err != nil {
		return nil, nil, err
	}
	w, err := newWorld(ctx, &o.Options, 1, stores...)
	if err != nil {
		return nil, nil, err
	}
	shop := w.newShop(o.Seed, 0, w.draws)
	done, last := 0, o.Plays[len(o.Plays)-1]
	var sizes []*growing
	for i, n := range o.Plays {
		err := w.fill(ctx, stores[i:], n-done, func(k int) (central.Request, error) {
			if k%512 == 0 {
				o.progress("plays", done+k, last)
			}
			return shop.next(), nil
		})
		if err != nil {
			w.close()
			return nil, nil, err
		}
		done = n
		sizes = append(sizes, &growing{store: stores[i]})
	}
	o.progress("plays", last, last)
	return sizes, w, nil
}

// fill plans n requests ahead and pours what they change into the databases.
func (w *world) fill(ctx context.Context, stores []named, n int, next func(i int) (central.Request, error)) error {
	p := newPour(ctx, stores)
	w.plans.sink = p.add
	var err error
	for i := 0; i < n && err == nil; i++ {
		var req central.Request
		if req, err = next(i); err == nil {
			_, err = w.ahead.Do(ctx, req)
		}
	}
	if perr := p.end(); err == nil {
		err = perr
	}
	if err != nil {
		return fmt.Errorf("filling: %w", err)
	}
	return nil
}
