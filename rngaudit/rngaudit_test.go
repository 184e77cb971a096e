package rngaudit

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tirage/fairness"
)

// counting is a generator of secrets that are the same at each run.
type counting struct{ next byte }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = c.next
	}
	c.next++
	return len(p), nil
}

// 36: byte modulo over a shrinking list favoured small numbers. The generator that sells passes; each broken one is rejected at 10⁻⁶, on the outcomes it spoils.
func TestCase36BrokenGeneratorsAreRejected(t *testing.T) {
	r, err := Run(Production(&counting{}), 30_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Passed || len(r.Tests) < 90 || len(r.Broken) != 5 {
		t.Errorf("passed %t, %d tests, %d broken generators", r.Passed, len(r.Tests), len(r.Broken))
	}
	on := map[string]string{"modulo bias": "Loto, numbers", "shrinking list": "Loto, numbers", "time-seeded": "Loto", "missing digit 9": "Joker+ codes of Loto", "repeated draw": "Loto"}
	for _, c := range r.Broken {
		t.Logf("%s: %s, %s: %.1e, then %.1e; %d tests reject it", c.Name, c.On, c.Test, c.Adjusted, c.Retest, c.Rejected)
		if !c.Failed || c.Adjusted >= BrokenLevel || c.Retest >= BrokenLevel || !strings.Contains(on[c.Name], strings.Split(c.On, ",")[0]) {
			t.Errorf("%+v", c)
		}
	}
	for _, x := range r.Tests {
		if x.P < 0 || x.P > 1 || math.IsNaN(x.P) || x.Detects <= 0 || x.On == "" || x.Name == "" {
			t.Errorf("%+v", x)
		}
	}
	var page, text bytes.Buffer
	if err := r.WriteHTML(&page); err != nil || !strings.Contains(page.String(), "<svg") || !strings.Contains(page.String(), "modulo bias") {
		t.Errorf("%.300s, %v", page.String(), err)
	}
	if err := json.NewEncoder(&text).Encode(r); err != nil {
		t.Error(err)
	}
}

// Over many secrets the chances of a sound generator are themselves uniform: none of the tests leans to one side.
func TestChancesAreUniform(t *testing.T) {
	b, err := newBook()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 40
	all := map[string][]float64{}
	for i := range runs {
		o, err := b.outcomes(fairness.Secret{byte(i), 77}, 4_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range b.run(o, 1e-6) {
			all[x.On+": "+x.Name] = append(all[x.On+": "+x.Name], x.P)
		}
	}
	for name, ps := range all {
		mean, low := 0.0, 0
		for _, p := range ps {
			mean += p / runs
			if p < 0.01 {
				low++
			}
		}
		// Six standard deviations of the mean of uniform chances. A rare count has few values, all of which round up.
		far := 6*math.Sqrt(1.0/12/runs) + 0.03
		rare := strings.Contains(name, "birthdays") || strings.HasSuffix(name, "no code twice")
		if mean < 0.5-far || mean > 0.5+far && !rare || low > 8 {
			t.Errorf("%s: mean %.3f, %d of %d below 0.01", name, mean, low, runs)
		}
	}
}

func TestHolm(t *testing.T) {
	tests := []Test{{P: 0.01}, {P: 0.04}, {P: 0.03}, {P: 0.005}}
	holm(tests)
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if math.Abs(tests[i].Adjusted-want) > 1e-12 {
			t.Errorf("%d: %v, want %v", i, tests[i].Adjusted, want)
		}
	}
}

// What must be possible is: the distributions of shapes add up to one, and hold every shape.
func TestShapes(t *testing.T) {
	for _, c := range [][2]int{{49, 5}, {50, 5}, {12, 2}} {
		sum := 0.0
		for d, p := range differentDigits(c[0], c[1]) {
			if sum += p; d > 1 && p <= 0 {
				t.Errorf("%d of %d with %d different last digits: impossible", c[1], c[0], d)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("chances of last digits of %d of %d: %.12f", c[1], c[0], sum)
		}
	}
	for _, n := range []int{0, Quick / 100, 1000 * Full} {
		if _, err := Run(nil, n, nil); err == nil {
			t.Errorf("%d outcomes are accepted", n)
		}
	}
}
