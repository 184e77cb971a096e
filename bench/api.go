package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tirage/central"
	"tirage/central/events"
	"tirage/identity"
	"tirage/vault"
	"tirage/web/api"
)

// APIReport is what [API] measured. A purchase is a quote and its confirmation, two requests; rates count purchases. Rates are medians over the rounds, the
// ratio is the median of the ratios within a round, latencies are those of all purchases of all rounds.
type APIReport struct {
	Engine  string  `json:"engine"`
	Clients int     `json:"clients"`
	Seconds float64 `json:"seconds"` // of each kind
	Rounds  int     `json:"rounds"`
	Players int     `json:"players"`
	Machine Machine `json:"machine"`

	Accepted  float64 `json:"accepted_per_s"` // purchases through the API
	Naive     float64 `json:"naive_per_s"`    // the same where each purchase is a transaction of its own
	OverNaive float64 `json:"accepted_over_naive"`

	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	NaiveP50 float64 `json:"naive_p50_ms"`
	NaiveP99 float64 `json:"naive_p99_ms"`
	Commits  int64   `json:"commits"` // that the purchases of the first kind took
	Touches  int64   `json:"touches"` // uses of sessions that were stored, at most one a minute and session

	Targets []Target `json:"targets"`
	Checked Checked  `json:"checked"`
}

// apiBench is a measurement in progress: two databases that started alike, each behind the API, in turns.
type apiBench struct {
	o       *SaleOptions
	world   *world
	stores  []named // of the API, of the API with one purchase a transaction
	clients [2][]*client
	commits atomic.Int64
	rates   [2][]float64
	sold    [2]sold
	closers []func()
}

// API measures purchases through the public API on a loopback listener: clients with connections that are kept and sessions that were opened by a login quote a
// play and confirm it. Beside them, in turns, the same clients buy from the same API whose every purchase is a transaction of its own. What passwords cost
// is spent before. The first database of the engine must be new.
func API(ctx context.Context, e *Engine, o SaleOptions) (*APIReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	length, rounds, err := turns(o.Each)
	if err != nil {
		return nil, err
	}
	r := &APIReport{Engine: e.Name, Clients: o.Clients, Players: o.Players, Machine: machine(), Rounds: rounds, Seconds: digits((time.Duration(rounds) * length).Seconds(), 3)}
	b := &apiBench{o: &o}
	defer b.close()
	if err := b.open(ctx, e); err != nil {
		return nil, err
	}
	for i := range rounds {
		if err := b.round(ctx, length); err != nil {
			return nil, err
		}
		o.progress("rounds", i+1, rounds)
	}
	r.Machine.After = loadAverage()
	b.report(r)
	return r, b.verify(ctx, r)
}

// close ends everything, last first: listeners before the registers behind them.
func (b *apiBench) close() {
	for i := range b.closers {
		b.closers[len(b.closers)-1-i]()
	}
	b.closers = nil
}

func (b *apiBench) open(ctx context.Context, e *Engine) (err error) {
	if b.stores, err = e.databases(ctx, "tirage", "naive"); err != nil {
		return err
	}
	var tokens map[int64]string
	if b.world, tokens, err = newMembersWorld(ctx, &b.o.Options, b.stores...); err != nil {
		return err
	}
	b.closers = append(b.closers, b.world.close)
	cfg := b.world.config(b.stores[0])
	cfg.QuotesOnly = true
	sessions := b.keepSessions(ctx, 0)
	cfg.OnCommit = func(done []central.Done) {
		b.commits.Add(1)
		sessions.Committed(done)
	}
	register, err := central.NewRegister(cfg)
	if err != nil {
		return err
	}
	b.closers = append(b.closers, register.Close)
	through, err := b.api(0, register, sessions)
	if err != nil {
		return err
	}
	alone, err := b.naive(ctx)
	if err != nil {
		return err
	}
	for kind, handlers := range [][]http.Handler{{through}, alone} {
		if err := b.serve(kind, handlers, tokens); err != nil {
			return err
		}
	}
	return nil
}

// keepSessions checks sessions against a database and stores their uses, until the measurement ends.
func (b *apiBench) keepSessions(ctx context.Context, kind int) *identity.Sessions {
	s := identity.NewSessions(b.stores[kind], b.world.clock)
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(ctx); err != nil && ctx.Err() == nil {
			b.o.progress("uses of sessions: "+err.Error(), 0, 1)
		}
	})
	b.closers = append(b.closers, func() { stop(); running.Wait() })
	return s
}

// api is the API over a register of one of the databases.
func (b *apiBench) api(kind int, r *central.Register, sessions *identity.Sessions) (http.Handler, error) {
	store, w := b.stores[kind].Store, b.world
	desk := &identity.Desk{Register: r, Store: store, Entropy: vault.SystemEntropy{}, BanList: members{w}, Passwords: identity.NewPasswords(quick), Sessions: sessions}
	a, err := api.New(api.Config{
		Register: r, Store: store, Clock: w.clock, Entropy: vault.SystemEntropy{}, Sealer: w.keys, Desk: desk,
		Croupier: &central.Croupier{Register: r, Store: store, Clock: w.clock}, Operator: &central.Operator{Register: r, Store: store, Sealer: w.keys, Signer: w.keys.Operator},
		Feed: events.NewFeed(store), Rates: api.Rates{Requests: maxRate, Burst: maxRate, LoginsMin: maxRate},
	})
	if err != nil {
		return nil, err
	}
	b.closers = append(b.closers, a.Stop)
	return a.Handler(), nil
}

// maxRate is a bound on requests that nobody meets: the limiter works, and refuses nothing.
const maxRate = 1_000_000

// naive makes the API for clients whose purchases are transactions of their own: one for each client where several write at a time, one at which
// confirmations take turns where one writes.
func (b *apiBench) naive(ctx context.Context) (handlers []http.Handler, err error) {
	clients := crowd(&b.o.Options, nil, func(int) customer { return nil })
	closeAll, err := b.world.alone(ctx, clients, b.stores[1])
	if err != nil {
		return nil, err
	}
	b.closers = append(b.closers, closeAll)
	sessions := b.keepSessions(ctx, 1)
	for _, c := range clients {
		h, err := b.api(1, c.register, sessions)
		if err != nil {
			return nil, err
		}
		if c.turn != nil {
			return []http.Handler{inTurn(c.turn, h)}, nil
		}
		handlers = append(handlers, h)
	}
	return handlers, nil
}

// inTurn has confirmations wait for one another.
func inTurn(turn *sync.Mutex, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == confirmPath {
			turn.Lock()
			defer turn.Unlock()
		}
		h.ServeHTTP(w, r)
	})
}

// clientHeader says which client asks, for a server that keeps them apart.
const clientHeader = "X-Bench-Client"

// serve puts the API of a database on a loopback listener and makes its clients.
func (b *apiBench) serve(kind int, handlers []http.Handler, tokens map[int64]string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, _ := strconv.Atoi(r.Header.Get(clientHeader)) // our own clients
		handlers[i%len(handlers)].ServeHTTP(w, r)
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	transport := &http.Transport{MaxIdleConns: b.o.Clients, MaxIdleConnsPerHost: b.o.Clients, DisableCompression: true}
	b.closers = append(b.closers, func() {
		transport.CloseIdleConnections()
		if err := errors.Join(server.Close(), <-ended); err != nil && !errors.Is(err, http.ErrServerClosed) {
			b.o.progress("listener: "+err.Error(), 0, 1)
		}
	})
	b.clients[kind] = crowd(&b.o.Options, nil, func(i int) customer {
		return b.world.newShop(b.o.Seed, uint64(kind*b.o.Clients+i), b.world.draws[:1])
	})
	for i, c := range b.clients[kind] {
		c.browser = &browser{base: "http://" + l.Addr().String(), number: strconv.Itoa(i), tokens: tokens, http: &http.Client{Transport: transport}}
	}
	return nil
}

func (b *apiBench) round(ctx context.Context, length time.Duration) error {
	for kind := range b.clients {
		before := b.commits.Load()
		got, err := settled(ctx, b.clients[kind], length)
		if err != nil {
			return err
		}
		if kind == 0 {
			b.sold[kind].commits += b.commits.Load() - before
		}
		b.rates[kind] = append(b.rates[kind], got.perSecond())
		b.sold[kind].add(got)
	}
	return nil
}

func (b *apiBench) report(r *APIReport) {
	through, alone := &b.sold[0], &b.sold[1]
	r.Accepted, r.Naive = digits(median(b.rates[0]), 4), digits(median(b.rates[1]), 4)
	r.OverNaive = digits(median(ratios(b.rates[0], b.rates[1])), 3)
	r.P50, r.P99 = digits(through.percentile(50), 4), digits(through.percentile(99), 4)
	r.NaiveP50, r.NaiveP99 = digits(alone.percentile(50), 4), digits(alone.percentile(99), 4)
	r.Commits = through.commits
	if r.Engine == "postgres" {
		r.Targets = []Target{atLeast("accepted_over_naive", r.OverNaive, 4), atLeast("accepted_over_naive (aim)", r.OverNaive, 8)}
	}
}

// verify ends what serves, so that every use of a session is stored, and checks the two databases.
func (b *apiBench) verify(ctx context.Context, r *APIReport) error {
	for i := len(b.closers) - 1; i > 0; i-- { // the world stays
		b.closers[i]()
	}
	b.closers = b.closers[:1]
	for kind, clients := range b.clients {
		bought := samples(clients)
		b.world.rng.Shuffle(len(bought), func(i, j int) { bought[i], bought[j] = bought[j], bought[i] })
		if err := b.world.verify(ctx, b.stores[kind], bought, &r.Checked); err != nil {
			return fmt.Errorf("database %d: %w", kind+1, err)
		}
		b.o.progress("checks", kind+1, len(b.stores))
	}
	return b.touches(ctx, r)
}

// touches counts the sessions whose use was stored.
func (b *apiBench) touches(ctx context.Context, r *APIReport) error {
	snap, err := b.stores[0].Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Touches}}, func(central.Row) error { r.Touches++; return nil })
}

// browser buys through the API for one client, with the sessions of whichever player it is.
type browser struct {
	base, number string
	tokens       map[int64]string
	http         *http.Client
}

const confirmPath = api.Prefix + "/plays"

// ask quotes an order and confirms the quote under the key of the request. What was done is the confirmation.
func (b *browser) ask(ctx context.Context, req central.Request) (p purchase, err error) {
	sale := req.Command.(central.Sale)
	var quote struct {
		Quote string `json:"quote"`
	}
	path, order := orderOf(sale)
	body, err := b.post(ctx, path, b.tokens[sale.Buyer()], "", order)
	if err == nil {
		err = json.Unmarshal(body, &quote)
	}
	if err != nil {
		return p, err
	}
	result, err := b.post(ctx, confirmPath, b.tokens[sale.Buyer()], req.Key, api.QuoteBody{Quote: quote.Quote})
	if err != nil {
		return p, err
	}
	slip, err := central.ParseQuote(quote.Quote)
	if err != nil {
		return p, err
	}
	var bought struct{ Play string }
	if err := json.Unmarshal(result, &bought); err != nil {
		return p, err
	}
	r := central.Receipt{Result: result} // a measurement has more nodes than ids are read of
	if _, err := fmt.Sscanf(bought.Play, "%d-%d", &r.Node, &r.Index); err != nil {
		return p, fmt.Errorf("play %q: %w", bought.Play, err)
	}
	req.Command = central.Confirm{Quote: *slip}
	return purchase{req, r}, nil
}

// orderOf writes an order as the API takes it.
func orderOf(s central.Sale) (path string, body any) {
	switch c := s.(type) {
	case central.BuyShares:
		return api.Prefix + "/quotes/shares", api.ShareOrder{Draw: c.Draw, Type: c.Type, Shares: c.Shares, Channel: c.Channel}
	case central.BuyPlay:
		lines := make([]string, len(c.Lines))
		for i, l := range c.Lines {
			text, _ := l.MarshalText() // a line that was made is written
			lines[i] = string(text)
		}
		return api.Prefix + "/quotes/play", api.PlayOrder{Draw: c.Draw, Lines: lines, Channel: c.Channel}
	}
	panic("an order that no client makes: " + s.Kind())
}

// post sends a request and returns the body of the answer, which must be a success.
func (b *browser) post(ctx context.Context, path, token, key string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.base+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set(clientHeader, b.number)
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := b.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode/100 != 2 {
		err = fmt.Errorf("%s: %d %.300s", strings.TrimPrefix(path, api.Prefix), res.StatusCode, answer)
	}
	return bytes.TrimSuffix(answer, []byte("\n")), err
}
