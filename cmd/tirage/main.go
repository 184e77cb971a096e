// Command tirage is the lottery operator's system: rules and odds, checks of published archives, and whole evenings
// from the sale to the payment.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"tirage/central"
)

// program holds what the commands share: where they read and print. A test builds it on buffers.
type program struct {
	in       io.Reader
	out, err io.Writer
	clock    central.Clock // nil: the machine's
}

// cli is the grammar of the command line, one field a command.
type cli struct {
	Odds     oddsCmd     `cmd:"" help:"Print what can be won at a game, with exact odds and returns."`
	Pack     packCmd     `cmd:"" help:"Packs MultiChances: look at a pack type before it opens, and at what stays unsold."`
	History  historyCmd  `cmd:"" help:"The operator's published results."`
	Rules    rulesCmd    `cmd:"" help:"The rulebooks: show one, list them, check a file."`
	Evening  eveningCmd  `cmd:"" help:"Run a scenario of one draw, from the sale to the payment."`
	Serve    serveCmd    `cmd:"" help:"Serve the API, the draws of the calendar and payments."`
	Demo     demoCmd     `cmd:"" help:"Serve an operator with accounts, a past and draws on sale, to look at."`
	Draws    drawsCmd    `cmd:"" help:"See the draws of a database, and steer them."`
	Notice   noticeCmd   `cmd:"" help:"Notices of settled draws: draft, publish, write in every form."`
	Evidence evidenceCmd `cmd:"" help:"Gather all that proves a draw in one archive; verify such an archive offline."`
	Export   exportCmd   `cmd:"" help:"Sales, what is owed, funds, rounding, audit trail, statements: as CSV, XLSX, PDF or JSON."`
	Audit    auditCmd    `cmd:"" help:"Export the log; rebuild every table from it alone and compare."`
	Backup   backupCmd   `cmd:"" help:"Save a database in one file while sales go on."`
	Restore  restoreCmd  `cmd:"" help:"Restore a saved database into an empty one of either engine."`
	Ladder   ladderCmd   `cmd:"" help:"Ladder games: analyse every outcome, simulate millions of rounds."`
	Rng      rngCmd      `cmd:"" help:"The generators: audit their final outcomes."`
	Bench    benchCmd    `cmd:"" help:"Measure the write path beside its references."`
	Receipt  receiptCmd  `cmd:"" help:"Print the receipt of a play, with the proof that it is in the log."`
	Log      logCmd      `cmd:"" help:"What is published of the logs: key, checkpoints, draws to derive again."`
	Verify   verifyCmd   `cmd:"" help:"Compute again from a file what was drawn: nobody is asked, nobody is believed."`
	Articles articlesCmd `cmd:"" help:"Say which code serves each sentence of the regulations and which test proves it."`
}

// Exit codes: 1 when a check finds a contradiction, 2 for bad input.
const (
	exitContradicted = 1
	exitBadInput     = 2
)

// exitError carries an exit code with what to print.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string { return e.err.Error() }
func (e exitError) Unwrap() error { return e.err }

// contradicted makes the program exit with 1: the input was read and a check failed on it.
func contradicted(format string, a ...any) error {
	return exitError{exitContradicted, fmt.Errorf(format, a...)}
}

// gcPercent trades memory, of which a program that sells has plenty, for fewer collections.
const gcPercent = 300

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	os.Exit(p.run(os.Args[1:]))
}

// run parses the arguments, runs the command and returns the exit code.
func (p *program) run(args []string) int {
	var grammar cli
	exited := -1
	parser, err := kong.New(&grammar,
		kong.Name("tirage"),
		kong.Description("An open lottery operator's system: Loto, Euro Millions – My Million, Packs MultiChances."),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { exited = code }),
		kong.Bind(p),
	)
	if err != nil {
		panic(err) // the grammar itself is wrong
	}
	ctx, err := parser.Parse(args)
	if exited >= 0 { // --help
		return exited
	}
	if err == nil {
		err = ctx.Run()
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(p.err, "tirage: %v\n", err)
	var exit exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return exitBadInput
}
