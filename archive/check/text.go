package check

import (
	"fmt"
	"io"
)

// WriteText prints the outcome of a file: the line of its draws, then, each indented, what is not explained and why, the jackpots, the events and what else the
// file holds. verbose adds each won jackpot of Euro Millions and each first draw of a cycle that was raised to its least amount.
func (f *File) WriteText(w io.Writer, verbose bool) error {
	p := &printer{w: w}
	p.line("%s %s..%s: %v", f.Game, f.First, f.Last, f.Tally)
	for _, why := range f.Faults {
		p.line("  %v", why)
	}
	f.writeJackpots(p, verbose)
	for _, e := range f.Events {
		if verbose || e.Kind != Start {
			p.line("  event %s %s: %s", e.Date, e.Kind, e.Text)
		}
	}
	if f.Side.Draws > 0 {
		p.line("  Étoile+: %v", f.Side)
	}
	for _, why := range f.SideWhy {
		p.line("  Étoile+ %v", why)
	}
	if f.Second > 0 {
		p.line("  second draw (second tirage): %d read and kept; no rule, not checked", f.Second)
	}
	return p.err
}

func (f *File) writeJackpots(p *printer, verbose bool) {
	if len(f.Jackpots) == 0 {
		return
	}
	predicted, raised := 0, 0
	for _, j := range f.Jackpots {
		if j.Predicted() {
			predicted++
		}
	}
	for _, e := range f.Events {
		if e.Kind == Start {
			raised++
		}
	}
	p.line("  jackpots: %d won, %d predicted from the funds; %d first draws of a cycle raised to their least amount", len(f.Jackpots), predicted, raised)
	for _, j := range f.Jackpots {
		if verbose || !j.Predicted() {
			p.line("  jackpot %v", j)
		}
	}
}

// printer keeps the first error of what it writes.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

func (t Tally) String() string {
	return fmt.Sprintf("%d draws, %d explained, %d contradicted, %d untestable", t.Draws, t.Explained, t.Contradicted, t.Untestable)
}

func (f Fault) String() string {
	return fmt.Sprintf("%s (line %d) %s: %s", f.Date, f.Line, f.Verdict, f.Why)
}

func (j Jackpot) String() string {
	s := fmt.Sprintf("%s: %d × %v €", j.Date, j.Winners, j.Printed)
	switch {
	case j.High == 0:
		return s + ", not predicted: " + j.Why
	case j.Low == j.High:
		return s + fmt.Sprintf(", predicted %v €", j.Low)
	}
	return s + fmt.Sprintf(", predicted %v € to %v €", j.Low, j.High)
}

func (p Perturbation) String() string {
	return fmt.Sprintf("one figure of a pooled rank changed: detected %v (gains ± 0.10 €: %v; counts ± 5 %%, at least 1: %v); the exhaustive search over funds disagrees on %d",
		p.All(), p.Gains, p.Counts, p.Disagreed)
}

func (c Changes) String() string { return fmt.Sprintf("%d of %d", c.Detected, c.Tried) }
