package main

import (
	"fmt"
	"io"
	"math/big"
	"strconv"

	"tirage/rules/odds"
	"tirage/sim/rounds"
)

// ladderSimulateCmd is `tirage ladder simulate`.
type ladderSimulateCmd struct {
	ladderArgs
	Rounds int64  `default:"20000000" placeholder:"N" help:"Rounds to play, each until it ends (default: 20000000)."`
	Seed   uint64 `default:"1" placeholder:"S" help:"Seed: the same one gives the same rounds on any machine (default: 1)."`
	HMAC   bool   `name:"hmac" help:"Draw each series as production does: HMAC of a secret, the round, the series and the player's contribution."`
}

func (c *ladderSimulateCmd) Help() string {
	return "Exit 1 when a figure lies more than 4 standard deviations from the exact one. Short runs see too few of the rare gains for that measure: from a million rounds on it holds."
}

// sigmaMax is the largest distance that passes: one of the figures of a sound run exceeds it once in some hundreds of seeds.
const sigmaMax = 4

func (c *ladderSimulateCmd) Run(p *program) error {
	book, err := c.book()
	if err != nil {
		return err
	}
	analysis, err := book.Ladder.Analyse()
	if err != nil {
		return err
	}
	played, err := rounds.Play(book.Ladder, rounds.Config{Rounds: c.Rounds, Seed: c.Seed, HMAC: c.HMAC})
	if err != nil {
		return fmt.Errorf("--rounds: %w", err)
	}
	r := &simulationReport{
		Version: book.Header.Version(), Rounds: c.Rounds, Seed: c.Seed, Source: "chacha8",
		Workers: played.Workers, Seconds: played.Elapsed.Seconds(), Busy: played.Busy.Seconds(), PerCore: played.PerCore(),
		figures: played.Compare(book.Ladder, analysis),
	}
	if c.HMAC {
		r.Source = "hmac-sha256"
	}
	r.MaxSigma = rounds.MaxSigma(r.figures)
	r.Within = r.MaxSigma <= sigmaMax
	for _, f := range r.figures {
		r.Figures = append(r.Figures, simulatedFigure(f))
	}
	if c.JSON {
		err = p.printJSON(r)
	} else {
		r.print(p.out)
	}
	if err == nil && !r.Within {
		return contradicted("%s: a figure lies %.2f standard deviations from the exact one, accepted at most %d", r.Version, r.MaxSigma, sigmaMax)
	}
	return err
}

// simulationReport is what the command prints.
type simulationReport struct {
	Version  string            `json:"version"`
	Rounds   int64             `json:"rounds"`
	Seed     uint64            `json:"seed"`
	Source   string            `json:"source"` // "chacha8", "hmac-sha256"
	Workers  int               `json:"workers"`
	Seconds  float64           `json:"seconds"`               // on the clock
	Busy     float64           `json:"processor_seconds"`     // of all workers together
	PerCore  float64           `json:"rounds_per_s_per_core"` // rounds in a second of processor time
	MaxSigma float64           `json:"max_sigma"`
	Within   bool              `json:"within_4_sigma"`
	Figures  []simulatedFigure `json:"figures"`
	figures  []rounds.Comparison
}

// simulatedFigure is a figure beside its exact value. Kinds: "pass" (rate of a level), "gain" (average of stopping at a level, in
// cents), "all" (rate of all levels together), "gains" (χ² of the gains of stopping at a level; expected: degrees of freedom).
type simulatedFigure struct {
	Kind     string  `json:"kind"`
	Level    int     `json:"level"`
	Observed float64 `json:"observed"`
	Expected float64 `json:"expected"`
	Sigma    float64 `json:"sigma"`
}

func (r *simulationReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s rounds, seed %d, %s, %d cores\n", r.Version, thousands(float64(r.Rounds)), r.Seed, r.Source, r.Workers)
	fmt.Fprintf(w, "%s rounds/s per core (%.2f s on the clock, %.2f s of processor time)\n\n", thousands(r.PerCore), r.Seconds, r.Busy)
	t := &table{align: "rrrrrrrrrr"}
	t.add("level", "pass rate", "exact", "σ", "mean gain", "exact", "σ", "χ² of gains", "freedom", "σ")
	rows := map[int][]string{}
	last := 0
	for _, f := range r.figures {
		if f.Kind == rounds.ReachAll {
			continue
		}
		if rows[f.Level] == nil {
			rows[f.Level] = []string{strconv.Itoa(f.Level), "", "", "", "", "", "", "", "", ""}
		}
		last = max(last, f.Level)
		column, decimals, scale := 1, 6, 1.0
		switch f.Kind {
		case rounds.MeanGain:
			column, scale = 4, 0.01
		case rounds.ChiSquare:
			column, decimals = 7, 1
		}
		row := rows[f.Level][column:]
		row[0], row[2] = strconv.FormatFloat(f.Observed*scale, 'f', decimals, 64), fmt.Sprintf("%+.2f", f.Sigma)
		row[1] = strconv.FormatFloat(f.Expected*scale, 'f', decimals, 64)
	}
	for n := 1; n <= last; n++ {
		if rows[n] != nil {
			t.add(rows[n]...)
		}
	}
	t.print(w, "")
	for _, f := range r.figures {
		if f.Kind == rounds.ReachAll {
			fmt.Fprintf(w, "\nall %d levels passed: %.9f, exactly %.9f, %+.2f σ\n", f.Level, f.Observed, f.Expected, f.Sigma)
		}
	}
	verdict := "within"
	if !r.Within {
		verdict = "NOT within"
	}
	fmt.Fprintf(w, "largest of %d distances: %.2f σ, %s %d σ\n", len(r.figures), r.MaxSigma, verdict, sigmaMax)
}

// thousands writes a count with its thousands apart.
func thousands(x float64) string {
	return odds.FrenchNumber(new(big.Rat).SetInt64(int64(x)), 0)
}
