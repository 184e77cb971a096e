package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"tirage/bench"
	"tirage/central"
	"tirage/demo"
	"tirage/server"
	"tirage/store/sql"
	"tirage/vault"
	"tirage/web/api"
)

// benchPagesCmd is `tirage bench pages`.
type benchPagesCmd struct {
	Players int     `default:"300" placeholder:"N" help:"Players at the same time (default: 300)."`
	Minutes float64 `default:"5" placeholder:"M" help:"How long (default: 5)."`
	Think   float64 `default:"2" placeholder:"S" help:"Mean time that a player thinks between two pages, in seconds, exponentially distributed (default: 2)."`
	JSON    bool    `name:"json" help:"Print JSON."`
}

func (c *benchPagesCmd) Help() string {
	return `Makes a fresh demo in a temporary folder, logs its players in, and lets each walk through the pages by HTTP with the cookie of their session on connections that are kept: home, packs, the page of a pack, the grid, results, odds, the game, their account and plays; one walk in twelve ends in a purchase. Prints how long pages took, what failed, and whether the books are right at the end. Client and server share the machine.`
}

// pagesP99 is the most that a page may take, in milliseconds.
const pagesP99 = 300

func (c *benchPagesCmd) Run(p *program) error {
	if c.Players < 1 || c.Players > 10_000 || c.Minutes <= 0 || c.Think < 0 {
		return errors.New("accepted: 1 to 10000 players, some minutes, no negative time to think")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "tirage-pages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, err := c.measure(ctx, p, dir)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(r)
	}
	printPages(p.out, r)
	return nil
}

// measure serves a fresh demo, walks through it and checks its books.
func (c *benchPagesCmd) measure(ctx context.Context, p *program, dir string) (r *bench.PagesReport, err error) {
	operator, err := (&demoCmd{Data: dir, crowd: c.Players}).seeded(ctx, p)
	if err != nil {
		return nil, err
	}
	keys, err := vault.Open(filepath.Join(operator, demoKeys), vault.SystemEntropy{})
	if err != nil {
		return nil, err
	}
	store, err := sql.OpenSQLite(ctx, filepath.Join(operator, demoDB))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	provider, err := (&serveCmd{}).providerKey()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s, err := server.New(server.Config{
		Store: store, Keys: keys, Clock: p.time(), Entropy: vault.SystemEntropy{}, Listener: listener, Log: p.logger(slog.LevelError, false),
		BanList: filepath.Join(operator, demoBanList), ProviderKey: provider, MailDir: filepath.Join(operator, demoMail),
		Games: demo.Games, Packs: demo.Packs, Elsewhere: demo.Elsewhere, Passwords: demo.Passwords, Rates: api.DefaultRates,
	})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	serving, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(serving) }()
	names := make([]string, c.Players)
	for i := range names {
		names[i] = demo.CrowdName(i)
	}
	r, err = bench.Pages(ctx, bench.PagesOptions{
		Base: s.Base, Names: names, Password: demo.Password, Length: time.Duration(c.Minutes * float64(time.Minute)), Think: time.Duration(c.Think * float64(time.Second)),
	})
	end()
	if err := errors.Join(err, <-ended); err != nil {
		return nil, err
	}
	if err := central.CheckBooks(ctx, store); err != nil {
		r.Books = err.Error()
	}
	return r, nil
}

func printPages(w io.Writer, r *bench.PagesReport) {
	fmt.Fprintf(w, "%d players for %g s, %d pages a second, %d purchases\n", r.Players, r.Seconds, int(float64(r.All.Requests)/r.Seconds), r.Bought)
	t := &table{align: "lrrrr"}
	t.add("page", "requests", "p50 ms", "p99 ms", "longest ms")
	for _, p := range append(r.Pages, r.All) {
		t.add(p.Page, fmt.Sprint(p.Requests), measured(p.P50), measured(p.P99), measured(p.Longest))
	}
	t.print(w, "  ")
	verdict := func(ok bool) string {
		if ok {
			return "yes"
		}
		return "NO"
	}
	slowest := slices.MaxFunc(r.Pages, func(a, b bench.PageTime) int { return int(a.P99*10) - int(b.P99*10) })
	fmt.Fprintf(w, "no error: %s (%d)\np99 of every page at most %d ms: %s (%s: %s ms)\nbooks right: %s %s\n",
		verdict(r.Failed == 0), r.Failed, pagesP99, verdict(slowest.P99 <= pagesP99), slowest.Page, measured(slowest.P99), verdict(r.Books == ""), r.Books)
	for _, e := range r.Errors {
		fmt.Fprintln(w, "  "+e)
	}
}
