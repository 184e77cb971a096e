package main

import (
	"context"
	"fmt"
	"io"

	"tirage/bench"
)

// benchControlCmd is `tirage bench control`.
type benchControlCmd struct {
	benchFlags
	Plays   int    `default:"1000000" placeholder:"N" help:"Plays of the evening (default: 1000000)."`
	Sealed  string `placeholder:"DIR" help:"Leave the sealed file in this folder."`
	Program string `default:"bin/control" placeholder:"PROGRAM" help:"The built control (default: bin/control, which make control builds)."`
}

func (c *benchControlCmd) Run(p *program) error {
	return c.on(func(ctx context.Context, e *bench.Engine) error {
		r, err := bench.Control(ctx, e, bench.ControlOptions{Options: c.options(p, 1), Plays: c.Plays, Program: c.Program, Sealed: c.Sealed})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(r)
		}
		printControl(p.out, r)
		return nil
	})
}

func printControl(w io.Writer, r *bench.ControlReport) {
	fmt.Fprintf(w, "%d plays with %d simple combinations, packs in full; a sealed file of %s MiB\n", r.Plays, r.Combos, measured(r.MiB))
	printMachine(w, r.Machine)
	t := &table{align: "lrl"}
	t.add("", "seconds", "")
	t.add("seal", measured(r.Seal), "from the closed draw to its manifest")
	t.add("count", measured(r.Count), "winners and gains, with their file")
	t.add("check", measured(r.Check), fmt.Sprintf("the control, before the draw and after it: it agrees; %s s of processor time, at most %s MiB held", measured(r.CPU), measured(r.Peak)))
	t.print(w, "  ")
	printTargets(w, r.Targets)
}
