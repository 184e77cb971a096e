package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tirage/central"
	"tirage/drand"
	"tirage/games"
	"tirage/identity"
	"tirage/server"
	"tirage/store/sql"
	"tirage/vault"
	"tirage/web/api"
)

// serveCmd is `tirage serve`. Every flag may stand in the environment instead.
type serveCmd struct {
	DB          string   `name:"db" env:"TIRAGE_DB" default:"tirage.db" placeholder:"DB" help:"Database: the path of an SQLite file, made where there is none, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL (default: ${default})."`
	Keys        string   `env:"TIRAGE_KEYS" placeholder:"DIR" help:"Folder of the keys, made where there is none (default: DB.keys beside an SQLite file; needed with PostgreSQL)."`
	Listen      string   `env:"TIRAGE_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where to listen: this machine alone unless said (default: ${default})."`
	Public      string   `env:"TIRAGE_PUBLIC" placeholder:"URL" help:"Address under which people reach the server, such as https://play.example.org; with https the cookie of a session is kept to it (default: where it listens)."`
	Node        int64    `env:"TIRAGE_NODE" default:"0" help:"Number of this server among those that share a PostgreSQL, 0 to 14 (default: ${default})."`
	BanList     string   `name:"ban-list" env:"TIRAGE_BAN_LIST" default:"banlist.txt" placeholder:"FILE" help:"List of the persons who may not play (package banlist); without it nobody stakes (default: ${default})."`
	Provider    string   `env:"TIRAGE_PROVIDER" placeholder:"URL" help:"Address of the payment provider (default: one for tests, which this server serves itself)."`
	ProviderKey string   `env:"TIRAGE_PROVIDER_KEY" placeholder:"FILE" help:"File of the key that is shared with the provider; needed with --provider."`
	Control     string   `env:"TIRAGE_CONTROL" default:"bin/control" placeholder:"PROGRAM" help:"The independent control system, built of the folder control (make control): while it is not there, every draw waits after its seal (default: ${default})."`
	Sealed      string   `env:"TIRAGE_SEALED" placeholder:"DIR" help:"Folder of the sealed files of the draws (default: DB.sealed beside an SQLite file, else ./sealed)."`
	Beacon      []string `env:"TIRAGE_BEACON" placeholder:"URL" help:"Servers of the public beacon (drand), asked one after another for the value of a draw by the generator (default: its value is brought by hand)."`
	Mail        string   `env:"TIRAGE_MAIL" placeholder:"DIR" help:"Folder to write letters to players in (default: none are written)."`
	Games       []string `env:"TIRAGE_GAMES" default:"loto,euromillions" help:"Games whose regular draws are planned (default: ${default})."`
	Pack        []string `sep:";" env:"TIRAGE_PACKS" placeholder:"OFFER" help:"A pack type that goes on sale with each draw of a game, as game, type, composition, shares and packs at most: \"loto 600 6x10*10 200 50\"; may be given again, or several in one with semicolons between (default: none, packs are put on sale by hand, tirage draws open)."`
	Admin       string   `env:"TIRAGE_ADMIN" placeholder:"NAME" help:"Open this first account of the staff, an admin, unless it is there; its password is taken from the environment, TIRAGE_ADMIN_PASSWORD."`
	Rate        int      `env:"TIRAGE_RATE" default:"50" help:"Requests a second of one caller, 0 for any number (default: ${default})."`
	Verbose     bool     `env:"TIRAGE_VERBOSE" help:"Log each request: method, path and status, nothing of what it holds."`
}

func (c *serveCmd) Help() string {
	return `Serves the player site (/), the API (/api/), payments, /healthz, /readyz and /metrics, and runs the draws of the calendar. Logs are JSON lines on standard error. On SIGINT or SIGTERM it stops without losing anything: running requests end, nothing new is taken. See docs/operating.md.`
}

// adminPassword is where the password of the first admin comes from: a flag would show it to everybody on the machine.
const adminPassword = "TIRAGE_ADMIN_PASSWORD"

// Run serves until a signal.
func (c *serveCmd) Run(p *program) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := c.config(p)
	if err != nil {
		return err
	}
	store, err := sql.Open(ctx, c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	cfg.Store = store
	if cfg.Listener, err = net.Listen("tcp", c.Listen); err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	s, err := server.New(*cfg)
	if err != nil {
		return errors.Join(err, cfg.Listener.Close())
	}
	if c.Admin != "" {
		if err := firstAdmin(ctx, s.Desk, c.Admin, os.Getenv(adminPassword)); err != nil {
			s.Register.Close()
			return errors.Join(err, cfg.Listener.Close())
		}
	}
	fmt.Fprintf(p.out, "open %s/ or %s/api/\n", s.Base, s.Base)
	return s.Run(ctx)
}

// config reads what the flags name.
func (c *serveCmd) config(p *program) (*server.Config, error) {
	if c.Keys == "" {
		if sql.IsPostgres(c.DB) {
			return nil, errors.New("where are the keys? accepted: --keys DIR")
		}
		c.Keys = c.DB + ".keys"
	}
	keys, err := vault.Open(c.Keys, vault.SystemEntropy{})
	if err != nil {
		return nil, err
	}
	cfg := &server.Config{
		Keys: keys, Clock: p.time(), Entropy: vault.SystemEntropy{}, Log: p.logger(slog.LevelInfo, c.Verbose), Node: c.Node,
		Public: c.Public, BanList: c.BanList, Provider: c.Provider, MailDir: c.Mail, Games: c.Games, Passwords: identity.Costs, Rates: api.DefaultRates,
	}
	cfg.Rates.Requests = c.Rate
	if len(c.Beacon) > 0 {
		if cfg.Beacon, err = drand.New(c.Beacon); err != nil {
			return nil, fmt.Errorf("--beacon: %w", err)
		}
	}
	cfg.Control = c.control()
	if cfg.Packs, err = parsePacks(c.Pack, games.Day(cfg.Clock.Now())); err != nil {
		return nil, err
	}
	cfg.ProviderKey, err = c.providerKey()
	return cfg, err
}

// logger writes JSON lines on standard error, from a level on, or everything.
func (p *program) logger(level slog.Level, all bool) *slog.Logger {
	if all {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(p.err, &slog.HandlerOptions{Level: level}))
}

// control says where the control and the sealed files are.
func (c *serveCmd) control() *server.Control {
	dir := c.Sealed
	switch {
	case dir != "":
	case sql.IsPostgres(c.DB):
		dir = "sealed"
	default:
		dir = c.DB + ".sealed"
	}
	return &server.Control{Program: c.Control, Sealed: dir, Key: filepath.Join(c.Keys, "control.key")}
}

// parsePacks reads what is sold with each draw of a game: "loto 600 6x10*10 200 50". What the rulebook of the day refuses is refused here.
func parsePacks(offers []string, day string) (func(*central.DrawDate) []central.PackOffer, error) {
	byGame := map[string][]central.PackOffer{}
	for _, text := range offers {
		game, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		if !slices.Contains(games.Games(), game) {
			return nil, fmt.Errorf("--pack %.60q: game %.20q; accepted: %s", text, game, strings.Join(games.Games(), ", "))
		}
		o, err := parseOffer(rest)
		if err == nil {
			err = o.Check(game, day)
		}
		if err != nil {
			return nil, fmt.Errorf("--pack %.60q: %w", text, err)
		}
		byGame[game] = append(byGame[game], o)
	}
	return func(d *central.DrawDate) []central.PackOffer { return byGame[d.Game] }, nil
}

// providerKey reads the key that is shared with the provider; the one for tests gets a fresh one at each start.
func (c *serveCmd) providerKey() ([]byte, error) {
	switch {
	case c.ProviderKey != "":
		b, err := os.ReadFile(c.ProviderKey)
		if err == nil && len(b) < 16 {
			err = fmt.Errorf("%s holds %d bytes, 16 or more are needed", c.ProviderKey, len(b))
		}
		if err != nil {
			return nil, fmt.Errorf("--provider-key: %w", err)
		}
		return b, nil
	case c.Provider != "":
		return nil, errors.New("--provider needs --provider-key, the file of the key that is shared with it")
	}
	b := make([]byte, 32)
	_, err := (vault.SystemEntropy{}).Read(b)
	return b, err
}

// firstAdmin opens the first account of the staff, once: every other one is opened by an admin.
func firstAdmin(ctx context.Context, desk *identity.Desk, name, password string) error {
	if password == "" {
		return fmt.Errorf("--admin %s needs a password in the environment, %s", name, adminPassword)
	}
	_, err := desk.Hire(ctx, central.SystemPrincipal, "first admin "+name, name, string(central.RoleAdmin), password)
	if refused := new(central.Refusal); errors.As(err, &refused) && (refused.Reason == "staff.exists" || refused.Reason == "key.reused") {
		return nil
	}
	return err
}
