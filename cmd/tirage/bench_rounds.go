package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"tirage/bench"
)

// benchRoundsCmd is `tirage bench rounds`.
type benchRoundsCmd struct {
	benchFlags
	Clients int `default:"256" placeholder:"N" help:"Clients that play at the same time, each with players of its own (default: 256)."`
	Seconds int `default:"10" placeholder:"S" help:"Seconds for each of the three things measured, in turns of one second (default: 10)."`
}

func (c *benchRoundsCmd) Run(p *program) error {
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.Rounds(ctx, e, bench.RoundsOptions{Options: c.options(p, c.Clients), Each: time.Duration(c.Seconds) * time.Second})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(r)
		}
		printRounds(p.out, r)
		return nil
	})
}

func printRounds(w io.Writer, r *bench.RoundsReport) {
	fmt.Fprintf(w, "%s, %d clients walk over %d players, %d s between two plays of one player, %d turns, %s s of each\n",
		r.Engine, r.Clients, r.Players, r.Floor, r.Turns, measured(r.Seconds))
	printMachine(w, r.Machine)
	t := &table{align: "lrrrl"}
	t.add("", "a second", "p50 ms", "p99 ms", "")
	t.add("steps", measured(r.Steps), measured(r.P50), measured(r.P99), fmt.Sprintf("through the register: stakes, series, stops; %d commits", r.Commits))
	t.add("rounds", measured(r.Played), "", "", "the same from the stake to the end")
	t.add("naive", measured(r.Naive), measured(r.NaiveP50), measured(r.NaiveP99), "one step a transaction, from as many clients")
	t.add("bare", measured(r.Bare), "", "", "transactions that change one row, one after another")
	t.print(w, "  ")
	fmt.Fprintln(w, "medians of the ratios of each turn:")
	ratios := &table{align: "lr"}
	ratios.add("steps ÷ naive", measured(r.OverNaive))
	ratios.add("naive ÷ bare", measured(r.NaiveBare))
	ratios.print(w, "  ")
	printTargets(w, r.Targets)
	printVerified(w, r.Checked)
}
