package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"tirage/central"
)

// sold is what clients asked for and got in some windows.
type sold struct {
	accepted  int64
	elapsed   time.Duration
	commits   int64
	latencies []time.Duration
}

// perSecond returns the purchases a second.
func (s *sold) perSecond() float64 {
	if s.elapsed <= 0 {
		return 0
	}
	return float64(s.accepted) / s.elapsed.Seconds()
}

// add takes up another window.
func (s *sold) add(w *sold) {
	s.accepted += w.accepted
	s.elapsed += w.elapsed
	s.latencies = append(s.latencies, w.latencies...)
}

// percentile returns the latency that p per cent of the purchases do not exceed, in milliseconds.
func (s *sold) percentile(p int) float64 {
	n := len(s.latencies)
	if n == 0 {
		return 0
	}
	slices.Sort(s.latencies)
	return s.latencies[min(n-1, n*p/100)].Seconds() * 1000
}

// purchase is an accepted request with its receipt.
type purchase struct {
	request central.Request
	receipt central.Receipt
}

// sample is a random choice of at most size purchases among all that it is shown, each as likely as any other.
type sample struct {
	size   int
	seen   int64
	chosen []purchase
}

func (s *sample) show(rng *rand.Rand, p purchase) {
	s.seen++
	if len(s.chosen) < s.size {
		s.chosen = append(s.chosen, p)
	} else if i := rng.Int64N(s.seen); i < int64(s.size) {
		s.chosen[i] = p
	}
}

// customer makes the requests of one client, each with what the answers before it said.
type customer interface {
	// next returns the next request.
	next() central.Request
	// told hears the answer to it.
	told(central.Receipt) error
	// random is the customer's generator.
	random() *rand.Rand
}

// client asks for one thing after another, each after the answer to the one before.
type client struct {
	shop     customer
	register *central.Register
	browser  *browser    // buys through the API instead; nil otherwise
	turn     *sync.Mutex // held for each purchase where clients of one register must not share a transaction; nil otherwise
	sample   sample
}

// buy does one purchase; each must be accepted.
func (c *client) buy(ctx context.Context, req central.Request) error {
	p, err := c.do(ctx, req)
	if err != nil {
		return fmt.Errorf("%s by %s: %w", req.Command.Kind(), req.Principal, err)
	}
	c.sample.show(c.shop.random(), p)
	return c.shop.told(p.receipt)
}

func (c *client) do(ctx context.Context, req central.Request) (purchase, error) {
	if c.browser != nil {
		return c.browser.ask(ctx, req)
	}
	if c.turn != nil {
		c.turn.Lock()
		defer c.turn.Unlock()
	}
	r, err := c.register.Do(ctx, req)
	return purchase{req, r}, err
}

// settled lets all clients buy at the same time for a while, from a heap that was swept.
func settled(ctx context.Context, clients []*client, d time.Duration) (*sold, error) {
	runtime.GC()
	return run(ctx, clients, d)
}

// run lets all clients buy at the same time for a while.
func run(ctx context.Context, clients []*client, d time.Duration) (*sold, error) {
	var wg sync.WaitGroup
	latencies := make([][]time.Duration, len(clients))
	errs := make(chan error, len(clients))
	start := time.Now()
	for i, c := range clients {
		wg.Go(func() {
			for time.Since(start) < d && !ended(ctx) {
				req := c.shop.next()
				asked := time.Now()
				if err := c.buy(ctx, req); err != nil {
					errs <- err
					return
				}
				latencies[i] = append(latencies[i], time.Since(asked))
			}
		})
	}
	wg.Wait()
	s := &sold{elapsed: time.Since(start), latencies: slices.Concat(latencies...)}
	s.accepted = int64(len(s.latencies))
	select {
	case err := <-errs:
		return nil, err
	default:
		return s, ctx.Err()
	}
}

// samples gathers what the clients kept.
func samples(clients []*client) []purchase {
	var list []purchase
	for _, c := range clients {
		list = append(list, c.sample.chosen...)
	}
	return list
}

// group makes n clients of one register that buy for the draws; their streams follow from the first one.
func (w *world) group(o *Options, first uint64, draws []string, r *central.Register) []*client {
	return crowd(o, r, func(i int) customer { return w.newShop(o.Seed, first+uint64(i), draws) })
}

// crowd makes as many clients of one register as are asked for.
func crowd(o *Options, r *central.Register, customers func(i int) customer) []*client {
	clients := make([]*client, o.Clients)
	for i := range clients {
		clients[i] = &client{shop: customers(i), register: r, sample: sample{size: receipts/o.Clients + 1}}
	}
	return clients
}
