package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"text/tabwriter"

	"tirage/demo"
	"tirage/server"
	"tirage/store/sql"
	"tirage/vault"
	"tirage/web/api"
)

// demoCmd is `tirage demo`.
type demoCmd struct {
	Data    string `placeholder:"DIR" help:"Folder of the demo: made and filled at the first start, gone on with at the next (default: a fresh one in the folder for temporary files)."`
	Listen  string `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where to listen, on this machine alone; when the port is taken, the next one that is free (default: ${default})."`
	Verbose bool   `help:"Log each request and what draws do."`

	crowd int // further players
}

func (c *demoCmd) Help() string {
	return `Serves an operator with some past: an embedded SQLite, one account of the staff a role, players with balances, draws that were sold, drawn and paid, and draws on sale with packs. The past is lived through the same commands as the present, in made-up time; then real time goes on. Prints the accounts with their password and what to open. Passwords cost next to nothing to try, and everybody knows them: it listens on this machine alone.`
}

// Run makes the operator unless it is there, and serves it until a signal.
func (c *demoCmd) Run(p *program) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := listenNear(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	if c.Data == "" {
		if c.Data, err = os.MkdirTemp("", "tirage-demo-"); err != nil {
			return err
		}
	}
	dir, err := c.seeded(ctx, p)
	if err != nil {
		return err
	}
	return c.serve(ctx, p, dir, listener)
}

// names of what stands in the folder of a demo.
const (
	demoOperator = "operator"
	demoSeeding  = "seeding"
	demoDB       = "tirage.db"
	demoKeys     = "keys"
	demoBanList  = "banlist.txt"
	demoMail     = "mail"
	demoSealed   = "sealed"
)

// seeded returns the folder of the operator, made if there is none. It is made apart and gets its name when it is whole.
func (c *demoCmd) seeded(ctx context.Context, p *program) (string, error) {
	dir := filepath.Join(c.Data, demoOperator)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	seeding := filepath.Join(c.Data, demoSeeding)
	if err := os.RemoveAll(seeding); err != nil { // of a start that was cut short
		return "", err
	}
	if err := os.MkdirAll(seeding, 0o700); err != nil {
		return "", err
	}
	list := filepath.Join(seeding, demoBanList)
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		return "", err
	}
	keys, err := vault.Open(filepath.Join(seeding, demoKeys), vault.SystemEntropy{})
	if err != nil {
		return "", err
	}
	store, err := sql.OpenSQLite(ctx, filepath.Join(seeding, demoDB))
	if err != nil {
		return "", err
	}
	err = demo.Seed(ctx, demo.Config{Store: store, Keys: keys, BanList: list, Program: server.Program(), Now: p.time().Now(), Crowd: c.crowd})
	if err := errors.Join(err, store.Close()); err != nil {
		return "", err
	}
	return dir, os.Rename(seeding, dir)
}

func (c *demoCmd) serve(ctx context.Context, p *program, dir string, listener net.Listener) (err error) {
	keys, err := vault.Open(filepath.Join(dir, demoKeys), vault.SystemEntropy{})
	if err != nil {
		return err
	}
	store, err := sql.OpenSQLite(ctx, filepath.Join(dir, demoDB))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	provider, err := (&serveCmd{}).providerKey()
	if err != nil {
		return err
	}
	control := newDemoControl(c.Data)
	s, err := server.New(server.Config{
		Store: store, Keys: keys, Clock: p.time(), Entropy: vault.SystemEntropy{}, Listener: listener, Log: p.logger(slog.LevelWarn, c.Verbose),
		BanList: filepath.Join(dir, demoBanList), ProviderKey: provider, MailDir: filepath.Join(dir, demoMail),
		Games: demo.Games, Packs: demo.Packs, Elsewhere: demo.Elsewhere, Passwords: demo.Passwords, Rates: api.DefaultRates,
		Control: &server.Control{Program: control.program, Sealed: filepath.Join(dir, demoSealed), Key: filepath.Join(dir, demoKeys, "control.key"), State: control.is},
	})
	if err != nil {
		return err
	}
	if _, err := demo.Soon(ctx, s.Register, p.time().Now()); err != nil {
		s.Register.Close()
		return err
	}
	if err := c.tell(p, s.Base, dir); err != nil {
		s.Register.Close()
		return err
	}
	var building sync.WaitGroup
	defer building.Wait()
	building.Go(func() {
		if err := control.build(ctx); err != nil && ctx.Err() == nil {
			fmt.Fprintln(p.err, "control:", err)
		}
	})
	return s.Run(ctx)
}

// tell prints the accounts and what to open.
func (c *demoCmd) tell(p *program, base, dir string) error {
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "open %s/\n\nplayer\tpassword\t\n", base)
	for _, a := range demo.Players() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", a.Name, demo.Password, a.What)
	}
	fmt.Fprintf(t, "\nstaff\tpassword\t\n")
	for _, a := range demo.Staff() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", a.Name, demo.Password, a.What)
	}
	fmt.Fprintf(t, `
%[1]s/office/ the back office, for the staff
%[1]s/api/    the contract, for programs
%[1]s/metrics what an operator watches
Persons, past numbers and what other points of sale report are made up; passwords are hashed at next to no cost. No money moves.
The folder is %[2]s: go on with it by tirage demo --data %[3]s. Ctrl-C stops.
`, base, dir, c.Data)
	return t.Flush()
}

// portsTried is how many ports are tried from the one that was asked for.
const portsTried = 100

// listenNear listens at an address of this machine, or at the next port that is free.
func listenNear(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %q: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %q: everybody knows the passwords of a demo; accepted: an address of this machine alone, such as 127.0.0.1:8080", address)
	}
	first, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("--listen %q: port %.20q; accepted: 0 to 65535", address, port)
	}
	for n := range uint64(portsTried) {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.FormatUint(first+n, 10)))
		if err == nil || first == 0 || first+n >= 65535 || !errors.Is(err, syscall.EADDRINUSE) {
			return l, err
		}
	}
	return nil, fmt.Errorf("--listen %q: this port and the %d after it are taken", address, portsTried-1)
}
