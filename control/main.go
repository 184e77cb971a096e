package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit statuses.
const (
	agrees   = 0
	differs  = 1
	notTried = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `control recounts sealed files of draws.

  control check [flags] FILE…

FILE is a file of a draw, such as loto-2018-11-03.manifest; the others are found beside it.
`

// options are those of control check.
type options struct {
	json     bool
	operator string // public key
	sign     string // file of the control's key
	memory   int    // MiB
	of       string // "sales", "result"; "": both
}

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	if len(args) == 0 || args[0] != "check" {
		fmt.Fprint(errs, usage)
		return notTried
	}
	var o options
	flags := flag.NewFlagSet("control check", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.BoolVar(&o.json, "json", false, "print JSON, one line a draw")
	flags.StringVar(&o.operator, "operator", "", "public `key` of the operator: papers must be signed with it")
	flags.StringVar(&o.sign, "sign", "", "`file` with the control's key: the answer is a signed paper")
	flags.IntVar(&o.memory, "memory", 1200, "most `MiB` that the engine may hold")
	flags.StringVar(&o.of, "of", "", "`what` to check: sales, before the draw; result, after it; without it both, the result where there is one")
	if err := flags.Parse(args[1:]); err != nil {
		return notTried
	}
	status, err := checkAll(ctx, &o, flags.Args(), out)
	if err != nil {
		fmt.Fprintln(errs, "control:", err)
		return notTried
	}
	return status
}

// checkAll checks every draw that the files belong to.
func checkAll(ctx context.Context, o *options, files []string, out io.Writer) (status int, err error) {
	if o.of != "" && o.of != "sales" && o.of != "result" {
		return notTried, fmt.Errorf("--of %.20q: accepted sales or result", o.of)
	}
	if o.sign != "" && o.of == "" {
		return notTried, errors.New("--sign: accepted with --of sales or --of result, a paper says one thing")
	}
	stems, err := stems(files)
	if err != nil {
		return notTried, err
	}
	for _, stem := range stems {
		report, err := check(ctx, o, stem)
		if err != nil {
			return notTried, fmt.Errorf("%s: %w", stem, err)
		}
		if !report.Agrees {
			status = differs
		}
		if err := answer(o, report, out); err != nil {
			return notTried, err
		}
	}
	return status, nil
}

// answer prints a report, or signs it.
func answer(o *options, r *report, out io.Writer) error {
	switch {
	case o.sign != "":
		key, err := os.ReadFile(o.sign)
		if err != nil {
			return err
		}
		var paper any = r.Sales
		if o.of == "result" {
			paper = r.Count
		}
		signed, err := signPaper(paper, string(key))
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, signed)
		return err
	case o.json:
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	r.print(out)
	return nil
}
