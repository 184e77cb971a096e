package ladder

import (
	"math/rand/v2"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/money"
)

// every is a draw that goes through all the outcomes: run a step, call next, until next returns false.
type every struct {
	digits, radix []uint64
	at            int
}

func (e *every) Uniform(n uint64) uint64 {
	if e.at == len(e.digits) {
		e.digits, e.radix = append(e.digits, 0), append(e.radix, n)
	}
	e.at++
	return e.digits[e.at-1]
}

func (e *every) next() bool {
	e.at = 0
	for len(e.digits) > 0 {
		last := len(e.digits) - 1
		if e.digits[last]++; e.digits[last] < e.radix[last] {
			return true
		}
		e.digits, e.radix = e.digits[:last], e.radix[:last]
	}
	return false
}

// fixed gives every item the same outcome of the largest space, scaled down where there are fewer.
type fixed uint64

func (f fixed) Uniform(n uint64) uint64 { return uint64(f) % n }

// source is a fast fair draw for tests: 32 bits a draw, rejected where they would favour small numbers.
type source struct {
	*rand.ChaCha8
	spare uint64 // the other half of the last word, above a marker bit; 0: none
}

func newSource(seed byte) *source { return &source{ChaCha8: rand.NewChaCha8([32]byte{seed})} }

func (s *source) Uniform(n uint64) uint64 {
	m := s.uint32() * n
	if low := uint32(m); uint64(low) < n {
		for reject := uint32(1 << 32 % n); low < reject; low = uint32(m) {
			m = s.uint32() * n
		}
	}
	return m >> 32
}

func (s *source) uint32() uint64 {
	if half := s.spare; half != 0 {
		s.spare = 0
		return half >> 1
	}
	word := s.Uint64()
	s.spare = word>>32<<1 | 1
	return word & 0xffff_ffff
}

// TestStepCountsOfEachItem runs the production step over all 100 000 draws of an item, at each level and place of the donut
// ladder: its stability, its value and its star have exactly the chances of the table, and are independent.
func TestStepCountsOfEachItem(t *testing.T) {
	covers.Covers(t, "D13", "D16", "D24")
	table := donuts(t)
	type look struct {
		stable, star bool
		kind         uint8
	}
	for n, l := range table.Rules().Levels {
		var got [5]map[look]int64
		for i := range got {
			got[i] = map[look]int64{}
		}
		for u := range fixed(100_000) {
			_, series := Step(table, State{Level: n}, u)
			for i, it := range series.Items() {
				got[i][look{it.Stable, it.Star, it.Kind}]++
				if it.Kind != NoKind && it.Value != l.Values[it.Kind] {
					t.Fatalf("level %d: item of kind %d is worth %s", n+1, it.Kind, it.Value)
				}
			}
		}
		for i := range got {
			for _, stable := range []bool{true, false} {
				for _, star := range []bool{true, false} {
					for k, weight := range []int64{6, 3, 1} {
						want := part(l.Stable, stable) * part(l.Star, star) * weight
						if n == 0 && i == 0 {
							want = 0
						}
						if c := got[i][look{stable, star, uint8(k)}]; c != want {
							t.Errorf("level %d item %d stable %t star %t kind %d: %d of 100000, want %d", n+1, i+1, stable, star, k, c, want)
						}
					}
				}
			}
		}
	}
}

func part(r Ratio, of bool) int64 {
	if of {
		return r.Num
	}
	return r.Den - r.Num
}

// TestFirstDonutCannotFall: over all its draws the first donut holds, is worth the base value and is a star 3 times of 100.
func TestFirstDonutCannotFall(t *testing.T) {
	table := donuts(t)
	stars := 0
	for u := range fixed(100) {
		_, series := Step(table, State{}, u)
		first := series.Items()[0]
		if !first.Stable || first.Kind != NoKind || first.Value != 30 {
			t.Fatalf("draw %d: first donut %+v", u, first)
		}
		if first.Star {
			stars++
		}
	}
	if stars != 3 {
		t.Errorf("%d stars of 100 draws", stars)
	}
}

// TestStepPassesExactlyStablePiles walks plays and checks what each step makes of the state.
func TestStepPassesExactlyStablePiles(t *testing.T) {
	covers.Covers(t, "D14", "D17", "D18", "D23")
	table := donuts(t)
	d := newSource(1)
	var collapsed, won int
	for range 40_000 {
		s := State{}
		for !table.Ended(s) {
			next, series := Step(table, s, d)
			if len(series.Items()) != 5 {
				t.Fatalf("%d donuts in a series", len(series.Items()))
			}
			if next.Collapsed == series.Stable() {
				t.Fatalf("%+v after %+v", next, series)
			}
			if next.Collapsed {
				// Lost and over: no gain, no further step; the levels passed stay on record.
				if want := (State{s.Level, s.Sum, s.Stars, true}); next != want || table.Gain(next) != 0 || !table.Ended(next) {
					t.Fatalf("collapse of %+v gives %+v, gain %s", s, next, table.Gain(next))
				}
				collapsed++
			} else if want := climbed(s, series); next != want || table.Gain(next) == 0 {
				t.Fatalf("%+v after %+v gives %+v, want %+v", s, series, next, want)
			}
			if err := table.Check(next); err != nil {
				t.Fatal(err)
			}
			s = next
		}
		if s.Level == 10 {
			won++
		}
	}
	if collapsed == 0 || won == 0 {
		t.Errorf("%d collapses, %d plays won at level 10", collapsed, won)
	}
}

func climbed(s State, series Series) State {
	s.Level++
	for _, it := range series.Items() {
		s.Sum += it.Value
		if it.Star {
			s.Stars = min(s.Stars+1, 10)
		}
	}
	return s
}

func TestStepOfAnEndedPlayPanics(t *testing.T) {
	table := donuts(t)
	for _, s := range []State{{Level: 10, Sum: 500}, {Level: 3, Sum: 60, Collapsed: true}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("step of %+v did not panic", s)
				}
			}()
			Step(table, s, fixed(0))
		}()
	}
}

func TestGain(t *testing.T) {
	table := donuts(t)
	for _, c := range []struct {
		s    State
		want string
	}{
		{State{}, "0.00"},
		{State{Level: 1, Sum: 34}, "0.34"},
		{State{Level: 1, Sum: 42, Stars: 5}, "13.44"},
		{State{Level: 4, Sum: 107, Stars: 1}, "2.14"},
		{State{Level: 9, Sum: 632, Stars: 10}, "6471.68"},
		{State{Level: 10, Sum: 1132, Stars: 9}, "5795.84"},
		{State{Level: 10, Sum: 284, Stars: 10}, "10000.00"}, // flat, whatever the pile
		{State{Level: 10, Sum: 1132, Stars: 10}, "10000.00"},
		{State{Level: 5, Sum: 90, Stars: 2, Collapsed: true}, "0.00"},
	} {
		if got := table.Gain(c.s).String(); got != c.want {
			t.Errorf("gain of %+v: %s, want %s", c.s, got, c.want)
		}
	}
	if table.Max() != 1_000_000 {
		t.Errorf("largest gain %s", table.Max())
	}
}

func TestGainRounding(t *testing.T) {
	for _, c := range []struct {
		rounding Rounding
		sum      money.Cents
		want     string
	}{
		{Down, 33, "0.41"}, {Nearest, 33, "0.41"}, // 41.25
		{Down, 34, "0.42"}, {Nearest, 34, "0.43"}, // 42.5
		{Down, 35, "0.43"}, {Nearest, 35, "0.44"}, // 43.75
		{Down, 36, "0.45"}, {Nearest, 36, "0.45"},
		{Down, 90, "1.00"}, {Nearest, 90, "1.00"}, // 1.125 under the cap of 1.00
	} {
		r := donutRules()
		r.Gauge, r.Rounding, r.FullGauge, r.Cap = []Ratio{{1, 1}, {5, 4}}, c.rounding, 0, 100
		table, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Gain(State{Level: 2, Sum: c.sum, Stars: 1}).String(); got != c.want {
			t.Errorf("%d × 5/4 rounded %s: %s, want %s", c.sum, c.rounding, got, c.want)
		}
	}
}

func TestCheckRefusesStatesOfNoPlay(t *testing.T) {
	table := donuts(t)
	for _, s := range []State{
		{Level: -1}, {Level: 11}, {Sum: 1}, {Stars: 1}, {Level: 1, Sum: 43}, {Level: 1, Sum: 34, Stars: 6},
		{Level: 2, Sum: -1}, {Level: 10, Sum: 500, Collapsed: true},
	} {
		if table.Check(s) == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
	for _, s := range []State{{}, {Collapsed: true}, {Level: 1, Sum: 42, Stars: 5}, {Level: 10, Sum: 1132, Stars: 10}} {
		if err := table.Check(s); err != nil {
			t.Error(err)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	table := donuts(t)
	var d Draw = newSource(2)
	if n := testing.AllocsPerRun(1000, func() { Step(table, State{}, d) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// BenchmarkRounds plays rounds that always go on: 3.475 steps each on average.
func BenchmarkRounds(b *testing.B) {
	table := donuts(b)
	var d Draw = newSource(3)
	for b.Loop() {
		s := State{}
		for !table.Ended(s) {
			s, _ = Step(table, s, d)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
}
