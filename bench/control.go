package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/prize"
	"tirage/sealed"
)

// ControlOptions are those of [Control].
type ControlOptions struct {
	Options
	Plays   int
	Program string // the built program of the folder control
	Sealed  string // folder in which the sealed file stays; "": it is removed
}

// ControlReport is what [Control] measured.
type ControlReport struct {
	Plays   int     `json:"plays"`
	Combos  int64   `json:"combinations"` // simple combinations, those of packs included
	MiB     float64 `json:"sealed_mib"`   // of the sealed file with its gains
	Machine Machine `json:"machine"`

	Seal  float64 `json:"seal_s"`      // from the closed draw to its manifest
	Count float64 `json:"count_s"`     // winners and gains, with their file
	Check float64 `json:"check_s"`     // the control, before the draw and after it
	CPU   float64 `json:"check_cpu_s"` // processor seconds of the same: what it takes beside others on a busy machine
	Peak  float64 `json:"check_peak_mib"`

	Targets []Target `json:"targets"`
}

// Control seals and counts an evening of the sale's mix, then has the independent control check it. The first database of the engine must be new.
func Control(ctx context.Context, e *Engine, o ControlOptions) (r *ControlReport, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Plays < 1 || o.Plays > maxPlays {
		return nil, fmt.Errorf("%d plays: accepted 1 to %d", o.Plays, maxPlays)
	}
	if _, err := exec.LookPath(o.Program); err != nil {
		return nil, fmt.Errorf("the built control (make control): %w", err)
	}
	r = &ControlReport{Plays: o.Plays, Machine: machine()}
	stores, err := e.databases(ctx, "control")
	if err != nil {
		return nil, err
	}
	w, err := newWorld(ctx, &o.Options, 1, stores...)
	if err != nil {
		return nil, err
	}
	defer w.close()
	shop := w.newShop(o.Seed, 0, w.draws)
	err = w.fill(ctx, stores, o.Plays, func(i int) (central.Request, error) {
		if i%512 == 0 {
			o.progress("plays", i, o.Plays)
		}
		return shop.next(), nil
	})
	if err != nil {
		return nil, err
	}
	dir := o.Sealed
	if dir == "" {
		if dir, err = os.MkdirTemp("", "tirage-sealed-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if err = w.sealAndCount(ctx, stores[0], dir, r); err == nil {
		err = r.check(ctx, o.Program, dir)
	}
	r.Machine.After = loadAverage()
	r.Targets = []Target{atMost("check_s", r.Check, 60), atMost("check_peak_mib", r.Peak, 2048)}
	return r, err
}

// sealAndCount takes the draw from the close to its count. The control inside is one that copies: the one that is measured comes after.
func (w *world) sealAndCount(ctx context.Context, store named, dir string, r *ControlReport) error {
	register, err := central.NewRegister(w.config(store))
	if err != nil {
		return err
	}
	defer register.Close()
	operator := &central.Operator{Register: register, Store: store, Sealer: w.keys, Signer: w.keys.Operator, Principal: "system"}
	operator.Control = &copier{store: store, signer: w.keys.Control, operator: operator}
	operator.Archive = &sealed.Archive{Dir: dir, Pseudonym: w.keys.Pseudonym}
	draw := w.draws[0]
	w.clock.forward(w.closes)
	if err := operator.Close(ctx, draw); err != nil {
		return err
	}
	start := time.Now()
	if err := operator.Seal(ctx, draw, prize.Terms{Cycle: prize.Cycle{Jackpot: w.book.Prizes.Jackpot.Start}}); err != nil {
		return err
	}
	r.Seal = digits(time.Since(start).Seconds(), 4)
	if err := operator.Record(ctx, draw, central.Result{Main: []int{7, 12, 23, 34, 45}, Extra: []int{8}}, central.Outside{}); err != nil {
		return err
	}
	start = time.Now()
	if _, err := operator.Count(ctx, draw); err != nil {
		return err
	}
	r.Count = digits(time.Since(start).Seconds(), 4)
	return store.sold(ctx, draw, r)
}

// sold notes how many simple combinations take part.
func (n named) sold(ctx context.Context, draw string, r *ControlReport) error {
	snap, err := n.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	sales, err := central.CountSales(ctx, snap, draw)
	if err != nil {
		return err
	}
	for _, rules := range sales.Rules {
		r.Combos += rules.Combos
	}
	return nil
}

// check has the control look at the sealed file.
func (r *ControlReport) check(ctx context.Context, program, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := os.Stat(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		r.MiB += float64(info.Size()) / (1 << 20)
	}
	r.MiB = digits(r.MiB, 3)
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "check", dir)
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err = cmd.Run()
	r.Check = digits(time.Since(start).Seconds(), 4)
	if err != nil {
		return fmt.Errorf("the control: %w: %.2000s", err, strings.TrimSpace(out.String()))
	}
	r.CPU = digits((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), 4)
	r.Peak = digits(peakOf(cmd.ProcessState), 4)
	return nil
}
