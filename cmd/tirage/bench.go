package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"tirage/bench"
)

// benchCmd groups the measurements.
type benchCmd struct {
	Sale benchSaleCmd `cmd:"" help:"Sell from many clients at the same time, beside one purchase a transaction and beside raw batches of the same rows."`
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

// on runs a measurement on the engine and closes it. Whatever happens, databases and server of the run are removed.
func (f *benchFlags) on(measure func(context.Context, *bench.Engine) error) error {
	ctx := context.Background()
	e, err := bench.Open(ctx, f.Engine, f.DB)
	if err != nil {
		return err
	}
	return errors.Join(measure(ctx, e), e.Close())
}

// benchSaleCmd is `tirage bench sale`.
type benchSaleCmd struct {
	benchFlags
	Clients int `default:"256" placeholder:"N" help:"Clients that buy at the same time (default: 256)."`
	Seconds int `default:"10" placeholder:"S" help:"Seconds for each of the five things measured, in turns of one second (default: 10)."`
}

func (c *benchSaleCmd) Run(p *program) error {
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.Sale(ctx, e, bench.SaleOptions{Options: c.options(p, c.Clients), Seconds: c.Seconds})
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

func printSale(w io.Writer, r *bench.SaleReport) {
	fmt.Fprintf(w, "%s, %d clients, %d players, %d rounds, %s s of each\n", r.Engine, r.Clients, r.Players, r.Rounds, measured(r.Seconds))
	printMachine(w, r.Machine)
	t := &table{align: "lrrrl"}
	t.add("", "a second", "p50 ms", "p99 ms", "")
	t.add("accepted", measured(r.Accepted), measured(r.P50), measured(r.P99), fmt.Sprintf("through the register, one draw for all; %d commits", r.Commits))
	t.add("spread", measured(r.Spread), "", "", "the same over 20 draws")
	t.add("naive", measured(r.Naive), measured(r.NaiveP50), measured(r.NaiveP99), "one purchase a transaction, from as many clients")
	t.add("ceiling", measured(r.Ceiling), "", "", "the same rows, planned before, 256 purchases a transaction")
	t.add("bare", measured(r.Bare), "", "", "transactions that change one row, one after another")
	t.print(w, "  ")
	fmt.Fprintln(w, "medians of the ratios of each round:")
	ratios := &table{align: "lr"}
	ratios.add("accepted ÷ ceiling", measured(r.OverCeiling))
	ratios.add("accepted ÷ naive", measured(r.OverNaive))
	ratios.add("naive ÷ bare", measured(r.NaiveBare))
	ratios.add("hot ÷ spread", measured(r.HotSpread))
	ratios.add("p99 ÷ p99 of naive", measured(r.P99Naive))
	ratios.add("p99 × accepted ÷ clients", measured(r.P99Turns))
	ratios.print(w, "  ")
	printTargets(w, r.Targets)
	printVerified(w, r.Checked)
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
