package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"tirage/bench"
)

// benchCmd groups the measurements.
type benchCmd struct {
	Sale    benchSaleCmd    `cmd:"" help:"Sell from many clients at the same time, beside one purchase a transaction and beside raw batches of the same rows."`
	Rounds  benchRoundsCmd  `cmd:"" help:"Play rounds of the ladder game from many clients at the same time, beside one step a transaction."`
	Control benchControlCmd `cmd:"" help:"Seal and count an evening, and have the independent control check it."`
	Growth  benchGrowthCmd  `cmd:"" help:"Compare the cost of a purchase beside ten thousand, a hundred thousand and a million stored plays."`
	Settle  benchSettleCmd  `cmd:"" help:"Settle a draw with many winning plays, beside a bulk insert of the same credits."`
	Pages   benchPagesCmd   `cmd:"" help:"Walk through the pages of a demo as many players at the same time, who think between two pages."`
	Kernel  benchKernelCmd  `cmd:"" help:"Match simple combinations with a draw, beside the mere reading of them."`
}

// benchFlags are common to the measurements on a database.
type benchFlags struct {
	Engine  string `default:"sqlite" placeholder:"E" help:"sqlite or postgres (default: sqlite)."`
	DB      string `name:"db" placeholder:"WHERE" help:"Where the databases are made: a folder for sqlite, a URL for postgres. Without it a temporary folder, or a server started for the run."`
	Players int    `default:"100000" placeholder:"N" help:"Players with money on their account (default: 100000)."`
	Seed    uint64 `default:"1" placeholder:"S" help:"Seed of players, draws and purchases (default: 1)."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

func (f *benchFlags) options(p *program, clients int) bench.Options {
	return bench.Options{Clients: clients, Players: f.Players, Seed: f.Seed, Progress: benchProgress(p.err)}
}

// benchProgress shows one line for each long preparation, on a terminal only.
func benchProgress(w io.Writer) func(what string, done, of int) {
	return func(what string, done, of int) {
		if show := progress(w, what+":"); show != nil {
			show(done, of)
		}
	}
}

// on runs a measurement on the engine and closes it. Whatever happens, an interrupt included, databases and server of the run are removed.
func (f *benchFlags) on(measure func(context.Context, *bench.Engine) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e, err := bench.Open(ctx, f.Engine, f.DB)
	if err != nil {
		return err
	}
	return errors.Join(measure(ctx, e), e.Close())
}

// benchSaleCmd is `tirage bench sale`.
type benchSaleCmd struct {
	benchFlags
	Clients int    `default:"256" placeholder:"N" help:"Clients that buy at the same time (default: 256)."`
	Seconds int    `default:"10" placeholder:"S" help:"Seconds for each of the things measured, in turns of one second (default: 10)."`
	Via     string `default:"register" enum:"register,api" placeholder:"VIA" help:"register, or api: quotes and confirmations over HTTP with sessions; there --players has 10000 as its default (default: register)."`
}

func (c *benchSaleCmd) Run(p *program) error {
	if c.Via == "api" {
		return c.overHTTP(p)
	}
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.Sale(ctx, e, bench.SaleOptions{Options: c.options(p, c.Clients), Each: time.Duration(c.Seconds) * time.Second})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(r)
		}
		printSale(p.out, r)
		return nil
	})
}

// apiPlayers are the players of a measurement of the API unless another number is given: each registers and logs in before.
const apiPlayers = 10_000

func (c *benchSaleCmd) overHTTP(p *program) error {
	o := c.options(p, c.Clients)
	if o.Players == bench.DefaultPlayers {
		o.Players = apiPlayers
	}
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.API(ctx, e, bench.SaleOptions{Options: o, Each: time.Duration(c.Seconds) * time.Second})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(r)
		}
		printAPI(p.out, r)
		return nil
	})
}

func printAPI(w io.Writer, r *bench.APIReport) {
	fmt.Fprintf(w, "%s through the API, %d clients, %d players, %d rounds, %s s of each\n", r.Engine, r.Clients, r.Players, r.Rounds, measured(r.Seconds))
	printMachine(w, r.Machine)
	t := &table{align: "lrrrl"}
	t.add("purchases", "a second", "p50 ms", "p99 ms", "")
	t.add("accepted", measured(r.Accepted), measured(r.P50), measured(r.P99), fmt.Sprintf("quoted and confirmed; %d commits, %d sessions touched", r.Commits, r.Touches))
	t.add("naive", measured(r.Naive), measured(r.NaiveP50), measured(r.NaiveP99), "the same, each purchase a transaction of its own")
	t.print(w, "  ")
	fmt.Fprintf(w, "median of the ratios of each round: accepted ÷ naive %s\n", measured(r.OverNaive))
	if len(r.Targets) > 0 {
		printTargets(w, r.Targets)
	}
	printVerified(w, r.Checked)
}

func printSale(w io.Writer, r *bench.SaleReport) {
	fmt.Fprintf(w, "%s, %d clients, %d players, %d rounds, %s s of each\n", r.Engine, r.Clients, r.Players, r.Rounds, measured(r.Seconds))
	printMachine(w, r.Machine)
	t := &table{align: "lrrrl"}
	t.add("", "a second", "p50 ms", "p99 ms", "")
	t.add("accepted", measured(r.Accepted), measured(r.P50), measured(r.P99), fmt.Sprintf("through the register, one draw for all; %d commits", r.Commits))
	t.add("spread", measured(r.Spread), "", "", "the same over 20 draws")
	t.add("null log", measured(r.NullLog), "", "", "the same through a register that writes no log: nothing that it sells can be proved")
	t.add("naive", measured(r.Naive), measured(r.NaiveP50), measured(r.NaiveP99), "one purchase a transaction, from as many clients")
	t.add("ceiling", measured(r.Ceiling), "", "", "the same rows, planned before, 256 purchases a transaction")
	t.add("bare", measured(r.Bare), "", "", "transactions that change one row, one after another")
	t.print(w, "  ")
	fmt.Fprintln(w, "medians of the ratios of each round:")
	ratios := &table{align: "lr"}
	ratios.add("accepted ÷ ceiling", measured(r.OverCeiling))
	ratios.add("accepted ÷ null log", measured(r.OverNullLog))
	ratios.add("accepted ÷ naive", measured(r.OverNaive))
	ratios.add("naive ÷ bare", measured(r.NaiveBare))
	ratios.add("hot ÷ spread", measured(r.HotSpread))
	ratios.add("p99 ÷ p99 of naive", measured(r.P99Naive))
	ratios.add("p99 × accepted ÷ clients", measured(r.P99Turns))
	ratios.print(w, "  ")
	printTargets(w, r.Targets)
	printVerified(w, r.Checked)
}

// benchGrowthCmd is `tirage bench growth`.
type benchGrowthCmd struct {
	benchFlags
	Clients int   `default:"256" placeholder:"N" help:"Clients that buy at the same time (default: 256)."`
	Plays   []int `default:"10000,100000,1000000" placeholder:"N,…" help:"Stored plays to compare, ascending (default: 10000,100000,1000000)."`
}

func (c *benchGrowthCmd) Run(p *program) error {
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		points, err := bench.Growth(ctx, e, bench.GrowthOptions{Options: c.options(p, c.Clients), Plays: c.Plays})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(points)
		}
		printGrowth(p.out, points)
		return nil
	})
}

func printGrowth(w io.Writer, points []bench.GrowthPoint) {
	fmt.Fprintf(w, "%s, %d clients\n", points[0].Engine, points[0].Clients)
	printMachine(w, points[0].Machine)
	t := &table{align: "rrrrr"}
	t.add("plays stored", "µs a play", "÷ size before", "a second", "stored after")
	checked := bench.Checked{}
	for _, g := range points {
		t.add(strconv.Itoa(g.Plays), measured(g.Cost), measured(g.Ratio), measured(g.Accepted), strconv.FormatInt(g.After, 10))
		checked.Databases += g.Checked.Databases
		checked.Receipts += g.Checked.Receipts
	}
	t.print(w, "  ")
	printTargets(w, points[len(points)-1].Targets)
	printVerified(w, checked)
}

// benchSettleCmd is `tirage bench settle`.
type benchSettleCmd struct {
	benchFlags
	Plays int `default:"1000000" placeholder:"N" help:"Plays of ten simple combinations each (default: 1000000)."`
}

func (c *benchSettleCmd) Run(p *program) error {
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.Settle(ctx, e, bench.SettleOptions{Options: c.options(p, 1), Plays: c.Plays})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(r)
		}
		printSettle(p.out, r)
		return nil
	})
}

func printSettle(w io.Writer, r *bench.SettleReport) {
	fmt.Fprintf(w, "%s, %d plays with %d simple combinations, %s of the plays win, %d credits\n", r.Engine, r.Plays, r.Combos, measured(r.Winning), r.Credits)
	printMachine(w, r.Machine)
	t := &table{align: "lrl"}
	t.add("", "seconds", "")
	t.add("settle", measured(r.Settle), "from the recorded result to the last credit")
	t.add("  count", measured(r.Count), "winners, gains, the signed count")
	t.add("  pay", measured(r.Pay), "approval and credits")
	t.add("bulk", measured(r.Bulk), "the same credits into the same table, 10 000 a transaction")
	t.add("control", measured(r.Control), "a second count by the same code, signed as the control; no part of settle")
	t.print(w, "  ")
	fmt.Fprintf(w, "settle ÷ bulk %s; the process held at most %s MiB, %s while it was filled\n", measured(r.OverBulk), measured(r.Peak), measured(r.Filled))
	printTargets(w, r.Targets)
	printVerified(w, r.Checked)
}

// benchKernelCmd is `tirage bench kernel`.
type benchKernelCmd struct {
	Words int    `default:"54525952" placeholder:"N" help:"Simple combinations of 8 bytes that are matched (default: 54525952, far beyond every cache)."`
	Seed  uint64 `default:"1" placeholder:"S" help:"Seed of the combinations (default: 1)."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

func (c *benchKernelCmd) Run(p *program) error {
	reports, err := bench.Kernel(bench.KernelOptions{Words: c.Words, Seed: c.Seed})
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(reports)
	}
	printMachine(p.out, reports[len(reports)-1].Machine)
	t := &table{align: "lrrrrrr"}
	t.add("on one core", "read GB/s", "counted/s", "÷ read", "listed/s", "÷ read", "multiples/s")
	for _, r := range reports {
		t.add(r.Game, measured(r.Read), thousands(r.Counted), measured(r.CountRead), thousands(r.Listed), measured(r.ListRead), thousands(r.Multiples))
	}
	t.print(p.out, "  ")
	return nil
}

func printMachine(w io.Writer, m bench.Machine) {
	fmt.Fprintf(w, "%d processors, %s, load of all programs %s before and %s after\n", m.CPUs, m.Go, measured(m.Before), measured(m.After))
}

// printTargets says which of the figures demanded were reached.
func printTargets(w io.Writer, targets []bench.Target) {
	fmt.Fprintln(w, "targets:")
	t := &table{align: "lrlrl"}
	for _, target := range targets {
		sign, verdict := "≥", "reached"
		if target.Most {
			sign = "≤"
		}
		if !target.Pass {
			verdict = "MISSED"
		}
		t.add(target.Name, measured(target.Value), sign, measured(target.Bound), verdict)
	}
	t.print(w, "  ")
}

func printVerified(w io.Writer, c bench.Checked) {
	fmt.Fprintf(w, "books of %d databases hold; %d receipts read again by their key and proved in the log\n", c.Databases, c.Receipts)
}

// measured writes a measured value with the digits that it has.
func measured(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
