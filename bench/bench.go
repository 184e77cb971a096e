// Package bench measures the write path beside its references: in the same run, the same program and on the same kind of database, in
// turns, so that what the machine does meanwhile meets them all. What it reports are medians of the ratios within each round.
//
//	engine, err := bench.Open(ctx, "sqlite", "")
//	defer engine.Close()
//	report, err := bench.Sale(ctx, engine, bench.SaleOptions{Options: bench.Options{Clients: 256}, Each: 10 * time.Second})
//
// # What is sold
//
// Seven purchases of ten are one simple combination, two a multiple of 6 to 60 simple combinations, one some shares of a pack; half of the
// grids are chosen, half quick picks; any of the players buys. Each purchase is whole: combinations, codes, idempotency key, postings and leaf.
// Players, draws and purchases follow from the seed; keys are UUIDv7, as clients are advised, and hold the time.
//
// # What is played
//
// [Rounds] plays the ladder game: every client walks over players of its own and ends a round with each before the next one. A step is a stake, a series
// or a stop, and each is durable before its client goes on.
//
// # Trust
//
// After each measurement [central.CheckBooks] runs over every database that was written, and a thousand random receipts are read again by their
// key, with a proof that their leaf stands in the log.
package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Options are common to the measurements on a database.
type Options struct {
	Clients  int                             // that buy at the same time
	Players  int                             // with money on their account; 0: DefaultPlayers
	Seed     uint64                          // of players, draws and purchases
	Progress func(what string, done, of int) // told of long preparations; may be nil
}

// DefaultPlayers is the number of players of a measurement.
const DefaultPlayers = 100_000

// Bounds of what may be asked for: beyond them a run takes hours or says nothing.
const (
	maxClients = 4096
	maxPlayers = 10_000_000
)

func (o *Options) check() error {
	if o.Players == 0 {
		o.Players = DefaultPlayers
	}
	switch {
	case o.Clients < 1 || o.Clients > maxClients:
		return fmt.Errorf("%d clients: accepted 1 to %d", o.Clients, maxClients)
	case o.Players < 1 || o.Players > maxPlayers:
		return fmt.Errorf("%d players: accepted 1 to %d", o.Players, maxPlayers)
	}
	return nil
}

// turns divides the time for each of the things measured into rounds of at most a second.
func turns(each time.Duration) (length time.Duration, rounds int, err error) {
	if each < minEach || each > maxEach {
		return 0, 0, fmt.Errorf("%v for each thing measured: accepted %v to %v", each, minEach, maxEach)
	}
	length = min(time.Second, each/leastRounds)
	return length, int(each / length), nil
}

func (o *Options) progress(what string, done, of int) {
	if o.Progress != nil {
		o.Progress(what, done, of)
	}
}

// Machine is where and beside what a measurement ran: the load of others shows in the figures.
type Machine struct {
	CPUs   int     `json:"cpus"`
	Go     string  `json:"go"`
	Before float64 `json:"load_before"` // load average of the last minute
	After  float64 `json:"load_after"`
}

func machine() Machine {
	return Machine{CPUs: runtime.GOMAXPROCS(0), Go: runtime.Version(), Before: loadAverage()}
}

// loadAverage returns the load of the last minute, 0 where the system does not tell.
func loadAverage() (load float64) {
	b, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, err = fmt.Sscan(string(b), &load)
	}
	if err != nil {
		return 0
	}
	return load
}

// Target is a figure that must be reached, beside what was measured.
type Target struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"`
	Most  bool    `json:"most"` // the bound is the most that is accepted, not the least
	Pass  bool    `json:"pass"`
}

func atLeast(name string, value, bound float64) Target {
	return Target{name, value, bound, false, value >= bound}
}

func atMost(name string, value, bound float64) Target {
	return Target{name, value, bound, true, value <= bound}
}

// Checked says what was verified after a measurement. A measurement whose check fails is an error, not a report.
type Checked struct {
	Databases int `json:"databases"` // whose books hold
	Receipts  int `json:"receipts"`  // that were read again and proved
}

// median returns the middle of the values, 0 for none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// ratios divides round by round.
func ratios(a, b []float64) []float64 {
	out := make([]float64, 0, len(a))
	for i := range a {
		if b[i] > 0 {
			out = append(out, a[i]/b[i])
		}
	}
	return out
}

// digits rounds to n significant digits: the others are noise.
func digits(x float64, n int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	places := n - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	if places < 0 {
		unit := math.Pow10(-places)
		return math.Round(x/unit) * unit
	}
	scale := math.Pow10(places)
	return math.Round(x*scale) / scale
}

// peakMiB returns the most memory that the process has held so far, 0 where the system does not tell.
func peakMiB() float64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			return kib / 1024
		}
	}
	return 0
}

// ended reports whether the run was called off.
func ended(ctx context.Context) bool { return ctx.Err() != nil }
