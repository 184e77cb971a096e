package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"tirage/archive"
	"tirage/archive/check"
	"tirage/games"
)

// historyCmd holds the commands on the operator's published results.
type historyCmd struct {
	Check historyCheckCmd `cmd:"" help:"Say whether the rules explain every published gain, and follow the jackpots."`
}

// historyCheckCmd checks archives together: the cycle of Loto passes through the files of Super Loto and Grand Loto when they are given too.
type historyCheckCmd struct {
	Files   []string `arg:"" name:"file" help:"Archives as the operator publishes them (CSV)."`
	JSON    bool     `name:"json" xor:"out" help:"Print a list of {file, game, draws, explained, contradicted, untestable}."`
	Perturb bool     `xor:"out" help:"Also change each figure of each pooled draw, one at a time, and count how many changes are detected."`
	Verbose bool     `short:"v" help:"Also print each won jackpot of Euro Millions with its prediction."`
}

// historyJSON is one file in the output of --json. Its names and types don't change.
type historyJSON struct {
	File         string `json:"file"` // as given
	Game         string `json:"game"`
	Draws        int    `json:"draws"`
	Explained    int    `json:"explained"`
	Contradicted int    `json:"contradicted"`
	Untestable   int    `json:"untestable"`
}

// Run reads every file before it prints anything: one that can't be read refuses the whole.
func (c *historyCheckCmd) Run(p *program) error {
	var files []*archive.File
	for _, path := range c.Files {
		f, err := archive.Open(path)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	report := check.Files(files, games.InForce)
	var changes []check.Perturbation
	if c.Perturb {
		changes = report.Perturb(1, progress(p.err, "changing figures of draw"))
	}
	if err := c.print(p, report, changes); err != nil {
		return err
	}
	return verdict(report, changes)
}

func (c *historyCheckCmd) print(p *program, report *check.Report, changes []check.Perturbation) error {
	if c.JSON {
		list := make([]historyJSON, len(report.Files))
		for i, f := range report.Files {
			list[i] = historyJSON{f.Name, f.Game, f.Draws, f.Explained, f.Contradicted, f.Untestable}
		}
		return p.printJSON(list)
	}
	for i, f := range report.Files {
		if err := f.WriteText(p.out, c.Verbose); err != nil {
			return err
		}
		if c.Perturb && changes[i].All().Tried > 0 {
			fmt.Fprintf(p.out, "  %v\n", changes[i])
		}
	}
	return nil
}

// verdict is the error, and so the exit code, of what was found.
func verdict(report *check.Report, changes []check.Perturbation) error {
	draws, disagreed := 0, 0
	for _, f := range report.Files {
		draws += f.Contradicted
	}
	for _, c := range changes {
		disagreed += c.Disagreed
	}
	switch {
	case draws > 0:
		return contradicted("draws contradicted by the rules: %d", draws)
	case disagreed > 0:
		return contradicted("changes on which the check and the exhaustive search disagree: %d", disagreed)
	}
	return nil
}

// progress returns a function that shows how far a long work is on a terminal, nil where w is none. The line is wiped at the end.
func progress(w io.Writer, what string) func(done, of int) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(done, of int) {
		if done == of {
			fmt.Fprint(f, "\r\x1b[K")
			return
		}
		fmt.Fprintf(f, "\r%s %d of %d", what, done, of)
	}
}
