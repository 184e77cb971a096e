// Package server puts the operator together as one process: the register over a store, the API, the schedule of draws, what follows from each commit,
// payments, health and metrics, behind one listener.
//
//	s, err := server.New(server.Config{Store: store, Keys: keys, Listener: listener, …})
//	err = s.Run(ctx)   // until the context ends, then it stops without losing anything
//
// # Stopping
//
// When the context ends the server says that it is not ready, ends the streams of events, lets the requests that run end, then the work behind them, then
// the register: what was accepted is committed, what was not is refused and may be asked for again under its key. A process that is killed instead
// loses nothing either; it only makes callers ask again.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tirage/banlist"
	"tirage/central"
	"tirage/central/events"
	"tirage/fairness/beacon"
	"tirage/identity"
	mailfolder "tirage/mail"
	"tirage/payments"
	"tirage/vault"
	"tirage/web"
	"tirage/web/api"
	"tirage/web/log"
)

// Config is what a server is made of.
type Config struct {
	Store    central.Store
	Keys     *vault.Keys
	Clock    central.Clock
	Entropy  central.Entropy
	Listener net.Listener
	Log      *slog.Logger
	Node     int64

	// Public is the address under which people reach the server, "" for that of the listener.
	Public string
	// BanList is the file of the ban list; where it is missing nobody stakes.
	BanList string
	// ProviderKey is shared with the payment provider, Provider its address: "" for the one for tests, which this server then serves itself.
	ProviderKey []byte
	Provider    string
	// Beacon is asked for the values of draws by the generator; nil: they are brought by hand. Chain is the beacon's, nil for quicknet.
	Beacon central.Beacon
	Chain  *beacon.Chain
	// MailDir is the folder of the letters to players, "" for none.
	MailDir string
	// Games are those whose regular draws are planned; Packs what is sold with a draw.
	Games []string
	Packs func(*central.DrawDate) []central.PackOffer
	// Elsewhere is where other points of sale and countries report of a closed draw; nil: a member of the staff enters it.
	Elsewhere func(context.Context, *central.DrawDate) (*central.ReportOutside, error)
	// Control is the independent control system; nil: a recounter inside the process, as tests have it.
	Control *Control
	// Passwords are the costs of a password.
	Passwords identity.Params
	Rates     api.Rates
}

// Server is one process of the operator.
type Server struct {
	cfg      Config
	Base     string // address of the server
	Register *central.Register
	Desk     *identity.Desk
	Operator *central.Operator
	API      *api.API

	sessions  *identity.Sessions
	feed      *events.Feed
	outbox    *central.Outbox
	schedule  *central.Schedule
	croupier  *central.Croupier
	courier   *payments.Courier
	provider  *payments.Provider // the one for tests, nil for another
	metrics   *metrics
	handler   http.Handler
	stopping  chan struct{} // closed when streams are to end
	reachable atomic.Bool
}

// providerName names the payment provider in principals and paths; it tells of payments at callbackPath. The one for tests stands at providerPath.
const (
	providerName = "test"
	callbackPath = "/payments/" + providerName
	providerPath = "/provider"
)

const (
	// readWithin bounds the reading of a request, headerWithin that of its headers, idleWithin a connection without one.
	readWithin, headerWithin, idleWithin = 30 * time.Second, 5 * time.Second, 2 * time.Minute
	// writeAnswer bounds an answer; streams of events set their own deadlines.
	writeAnswer = time.Minute
	// stopWithin is how long running requests may take when the server stops.
	stopWithin = 20 * time.Second
	// maxHeader bounds the headers of a request, in bytes.
	maxHeader = 32 << 10
)

// New builds a server; nothing runs before [Server.Run].
func New(cfg Config) (*Server, error) {
	s := &Server{
		cfg: cfg, Base: strings.TrimSuffix(cfg.Public, "/"), metrics: newMetrics(), stopping: make(chan struct{}),
		sessions: identity.NewSessions(cfg.Store, cfg.Clock), feed: events.NewFeed(cfg.Store),
	}
	if s.Base == "" {
		s.Base = s.local()
	}
	public, err := url.Parse(s.Base)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" || public.Path != "" {
		return nil, fmt.Errorf("public address %q: accepted http:// or https:// and a host, such as https://play.example.org", s.Base)
	}
	s.Register, err = central.NewRegister(central.Config{
		Store: cfg.Store, Clock: cfg.Clock, Entropy: cfg.Entropy, Sealer: cfg.Keys, Verifier: cfg.Keys.Verifier(), Node: cfg.Node, QuotesOnly: true, DrawRoom: true,
		Program: Program(), Beacon: cfg.Chain,
		OnCommit: s.committed,
	})
	if err != nil {
		return nil, err
	}
	if err := s.compose(public); err != nil {
		s.Register.Close()
		return nil, err
	}
	return s, nil
}

// local is the address by which the server reaches itself.
func (s *Server) local() string {
	addr, ok := s.cfg.Listener.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.IsUnspecified() {
		return "http://" + s.cfg.Listener.Addr().String()
	}
	return fmt.Sprintf("http://127.0.0.1:%d", addr.Port)
}

// committed tells everybody who waits for it that commands were committed.
func (s *Server) committed(done []central.Done) {
	s.sessions.Committed(done)
	s.feed.Committed(done)
	s.outbox.Committed(done)
	s.schedule.Committed(done)
	s.metrics.committed(done)
}

// compose puts the parts together around the register.
func (s *Server) compose(public *url.URL) error {
	cfg := &s.cfg
	s.Desk = &identity.Desk{
		Register: s.Register, Store: cfg.Store, Entropy: cfg.Entropy, BanList: banlist.New(cfg.BanList, cfg.Keys.BanList, cfg.Clock),
		Passwords: identity.NewPasswords(cfg.Passwords), Sessions: s.sessions,
	}
	s.Operator = &central.Operator{Register: s.Register, Store: cfg.Store, Sealer: cfg.Keys, Signer: cfg.Keys.Operator, Beacon: cfg.Beacon, Principal: central.SystemPrincipal}
	s.control()
	subscriptions := &central.Subscriptions{Register: s.Register, Store: cfg.Store, Clock: cfg.Clock, BanList: s.Desk.BanList}
	s.schedule = &central.Schedule{
		Operator: s.Operator, Clock: cfg.Clock, Entropy: cfg.Entropy, Games: cfg.Games, Packs: cfg.Packs, Elsewhere: cfg.Elsewhere,
		BeforeClose: []central.BeforeClose{subscriptions.BeforeClose()}, Report: s.stepped, Wake: make(chan struct{}, 1),
	}
	if err := s.follow(); err != nil {
		return err
	}
	// A browser knows no passkeys for a bare address: on this machine they are those of localhost.
	relying := *public
	if net.ParseIP(public.Hostname()) != nil {
		relying.Host = "localhost:" + public.Port()
	}
	passkeys, err := identity.NewPasskeys(s.Desk, cfg.Clock, relying.Hostname(), "tirage", relying.Scheme+"://"+relying.Host)
	if err != nil {
		return err
	}
	return s.serve(&web.Host{
		Register: s.Register, Store: cfg.Store, Clock: cfg.Clock, Entropy: cfg.Entropy, Sealer: cfg.Keys, Desk: s.Desk, Sessions: s.sessions, Passkeys: passkeys,
		Croupier: &central.Croupier{Register: s.Register, Store: cfg.Store, Clock: cfg.Clock}, Operator: s.Operator, Schedule: s.schedule,
		Control: s.controlState, LogKey: cfg.Keys.Public(central.RoleLog),
		Payments: s.courier.Provider, Feed: s.feed, Stopping: s.stopping, Public: public, Log: cfg.Log,
	})
}

// follow sets up what follows from each commit.
func (s *Server) follow() error {
	cfg := &s.cfg
	provider := cfg.Provider
	if provider == "" {
		provider = s.local() + providerPath
		s.provider = payments.NewProvider(cfg.ProviderKey, s.local()+callbackPath, s.Base+providerPath, cfg.Clock, payments.Faults{})
	}
	s.courier = &payments.Courier{
		Store: cfg.Store, Provider: payments.NewClient(provider, cfg.ProviderKey, cfg.Clock), Clock: cfg.Clock, Node: cfg.Node, OnError: s.failed("courier"),
	}
	followers := []*central.Follower{
		central.NewHistorian(cfg.Store), central.NewInbox(cfg.Store), central.NewTiler(cfg.Store), central.NewSales(cfg.Store), central.NewRaises(s.Register, cfg.Store, cfg.Clock), s.courier.Follower(),
	}
	if cfg.MailDir != "" {
		folder, err := mailfolder.NewFolder(cfg.MailDir, mail.Address{Name: "Tirage", Address: "no-reply@tirage.example"})
		if err != nil {
			return err
		}
		followers = append(followers, central.NewMail(cfg.Store, folder, cfg.Clock, cfg.Node))
	}
	s.outbox = central.NewOutbox(func(name string, err error) { s.failed(name)(err) }, followers...)
	s.metrics.followers(cfg.Store, followers)
	return nil
}

// serve sets up what answers requests.
func (s *Server) serve(host *web.Host) (err error) {
	s.croupier = host.Croupier
	host.Logs = &central.Log{Store: host.Store, Signer: s.cfg.Keys.Log, Operator: host.Public.Host}
	s.API, err = api.New(api.Config{
		Register: host.Register, Store: host.Store, Clock: host.Clock, Entropy: host.Entropy, Sealer: host.Sealer, Desk: host.Desk, Passkeys: host.Passkeys,
		Croupier: host.Croupier, Operator: host.Operator, Payments: host.Payments, Feed: host.Feed, Logs: host.Logs, Log: host.Log, Rates: s.cfg.Rates, Secure: host.Secure(),
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", s.API.Handler())
	mux.Handle("/log/", log.Handler(host.Logs, s.cfg.Keys.Public(central.RoleLog), host.Log))
	mux.Handle("POST "+callbackPath, &payments.Callbacks{Provider: providerName, Key: s.cfg.ProviderKey, Register: s.Register, Clock: s.cfg.Clock})
	if s.provider != nil {
		mux.Handle(providerPath+"/", http.StripPrefix(providerPath, s.provider))
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", s.metrics.handler())
	if err := s.mount(mux, host); err != nil {
		return err
	}
	s.handler = s.watch(mux)
	return nil
}

// Run serves until the context ends, and stops then.
func (s *Server) Run(ctx context.Context) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, f := range []func(context.Context){s.feed.Run, s.outbox.Run, s.schedule.Run, s.courier.Run, s.keepSessions, s.sweep} {
		running.Go(func() { f(work) })
	}
	if s.provider != nil {
		running.Go(func() { s.provider.Run(work) })
	}
	server := &http.Server{
		Handler: s.handler, ReadTimeout: readWithin, ReadHeaderTimeout: headerWithin, WriteTimeout: writeAnswer, IdleTimeout: idleWithin, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.cfg.Listener) }()
	s.reachable.Store(true)
	s.cfg.Log.Info("serving", "address", s.Base, "node", s.cfg.Node)
	var err error
	select {
	case <-ctx.Done():
	case err = <-ended:
	}
	s.reachable.Store(false)
	s.cfg.Log.Info("stopping")
	s.API.Stop()
	close(s.stopping)
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if shut := server.Shutdown(within); shut != nil {
		s.cfg.Log.Warn("requests were cut off: whoever made one asks again under its key", "error", shut.Error())
		_ = server.Close() // nothing is waited for any more
	}
	stopWork()
	running.Wait()
	s.Register.Close()
	s.cfg.Log.Info("stopped")
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// keepSessions stores uses of sessions; a failure of the store is met again, or not, a moment later.
func (s *Server) keepSessions(ctx context.Context) {
	for {
		if err := s.Desk.Sessions.Run(ctx); err != nil {
			s.failed("sessions")(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

// sweep closes rounds that nobody goes on with: at the start, and then at intervals.
func (s *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(central.SweepEvery)
	defer tick.Stop()
	for {
		if _, err := s.croupier.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.failed("rounds")(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// failed returns what logs and counts a failure of a part of the work.
func (s *Server) failed(part string) func(error) {
	return func(err error) {
		s.metrics.failures.WithLabelValues(part).Inc()
		s.cfg.Log.Error("work failed, to be tried again", "part", part, "error", err.Error())
	}
}

// stepped logs what the schedule did.
func (s *Server) stepped(r *central.StepReport, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.failed("schedule")(err)
	}
	for _, act := range r.Done {
		s.cfg.Log.Info("draw", "draw", act.Draw, "what", act.What)
	}
}

// ready says whether requests can be done: the store answers, and the server is not stopping.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if !s.reachable.Load() {
		plain(w, http.StatusServiceUnavailable, "starting or stopping")
		return
	}
	snap, err := s.cfg.Store.Snapshot(r.Context())
	if err != nil {
		s.failed("store")(err)
		plain(w, http.StatusServiceUnavailable, "the store does not answer")
		return
	}
	snap.Close()
	plain(w, http.StatusOK, "ready")
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // who is gone needs no answer
}
