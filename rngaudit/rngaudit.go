// Package rngaudit looks at the final outcomes of the generators as a testing laboratory does: drawn grids of Loto and Euro Millions, stars, codes, numbers of
// Joker+, donuts. It tests what reaches a player, by the code that sells and draws, never the raw generator alone.
//
//	report, err := rngaudit.Run(rngaudit.Production(rand.Reader), rngaudit.Quick, nil)
//	report.Passed // family-wise error 10⁻⁴, with one retest
//
// # The battery
//
// Of sets (5 of 49, 1 of 10, 5 of 50, 2 of 12): frequency, by Pearson's statistic with the factor (n−1)/(n−k) of draws without replacement; numbers shared with each
// of the three draws before (correlation; a repeat of the last draw must be possible, and is as frequent as it should be); gaps; runs of sums; the number at
// each position; pairs; consecutive and odd numbers; last digits (poker). Of whole grids: equal pairs (birthdays), and on their bits seven tests of NIST SP
// 800-22 rev. 1a. Of codes: none twice, equal parts of the zone, order of issue, digits by place. Of numbers: digits by place, pairs of digits, poker,
// birthdays. Of donuts: value, star and stability together, pairs of donuts, gaps.
//
// # The decision
//
// By Holm's procedure over all tests of the battery: the chance that a sound generator is rejected by any is at most [Level]. What is rejected is tested once
// more on fresh outcomes, by Holm again over what is retested; only what is rejected twice fails. Every report also runs the battery over generators with a known
// fault ([BrokenSources]), each of which it must reject at [BrokenLevel], and states the power of each test.
//
// The tests follow GLI-19 v3.0 and UK RTS in what they look at; no certificate is claimed.
package rngaudit

import (
	"fmt"
	"slices"
)

const (
	// Level is the family-wise error.
	Level = 1e-4
	// BrokenLevel is the level at which each broken generator must be rejected.
	BrokenLevel = 1e-6
)

// Outcomes of each kind.
const (
	Quick = 200_000
	Full  = 3_000_000
	// brokenOutcomes is how many a generator with a known fault is given at most: each fault is seen in fewer.
	brokenOutcomes = 50_000
)

// Report is what an audit found.
type Report struct {
	Outcomes int      `json:"outcomes"` // of each kind
	Level    float64  `json:"level"`
	Passed   bool     `json:"passed"`
	Retested int      `json:"retested"`
	Tests    []Test   `json:"tests"`
	Broken   []Caught `json:"broken"`
}

// Caught is a broken generator and the test that rejects it most clearly.
type Caught struct {
	Name     string  `json:"name"`
	What     string  `json:"what"`
	On       string  `json:"on"`
	Test     string  `json:"test"`
	Adjusted float64 `json:"holm"`
	Retest   float64 `json:"retest"`
	Rejected int     `json:"rejected_tests"` // at BrokenLevel, twice
	Failed   bool    `json:"failed"`         // as it must
}

// Run audits a generator with so many outcomes of each kind. Progress may be nil.
func Run(source Source, n int, progress func(step string, done, of int)) (*Report, error) {
	const least = 20_000 // below it the broken generators are not told apart
	if n < least || n > 100*Full {
		return nil, fmt.Errorf("%d outcomes of each kind: accepted %d to %d", n, least, 100*Full)
	}
	if progress == nil {
		progress = func(string, int, int) {}
	}
	broken := BrokenSources(source)
	steps := len(broken) + 1
	progress("generator", 0, steps)
	r := &Report{Outcomes: n, Level: Level}
	var err error
	if r.Tests, r.Retested, err = audit(source, n, Level); err != nil {
		return nil, err
	}
	r.Passed = !slices.ContainsFunc(r.Tests, func(t Test) bool { return t.Failed })
	for i, b := range broken {
		progress(b.Name, i+1, steps)
		tests, _, err := audit(b.Source, min(n, brokenOutcomes), BrokenLevel)
		if err != nil {
			return nil, err
		}
		c := caught(b, tests)
		r.Broken = append(r.Broken, c)
		r.Passed = r.Passed && c.Failed
	}
	progress("done", steps, steps)
	return r, nil
}

// audit runs the battery, and what a level rejects once more on fresh outcomes.
func audit(source Source, n int, level float64) (tests []Test, retested int, err error) {
	k, err := newBook()
	if err != nil {
		return nil, 0, err
	}
	o, err := source(n)
	if err != nil {
		return nil, 0, err
	}
	tests = k.run(o, level/expectedTests)
	holm(tests)
	var again []int
	for i := range tests {
		if tests[i].Adjusted < level {
			again = append(again, i)
		}
	}
	if len(again) == 0 {
		return tests, 0, nil
	}
	if o, err = source(n); err != nil {
		return nil, 0, err
	}
	fresh := k.run(o, level/expectedTests)
	var kept []Test
	for _, i := range again {
		kept = append(kept, fresh[i])
	}
	holm(kept)
	for j, i := range again {
		tests[i].Retest = max(kept[j].Adjusted, leastP)
		tests[i].Failed = kept[j].Adjusted < level
	}
	return tests, len(again), nil
}

// expectedTests is about the number of tests of the battery: the power of each is stated at its part of the level.
const expectedTests = 120

// leastP stands for a chance too small for a number, so that a retest is never taken for none.
const leastP = 1e-300

// holm adjusts the chances of a family of tests (Holm 1979): the i-th smallest of m times m−i, never below the one before it.
func holm(tests []Test) {
	order := make([]int, len(tests))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case tests[a].P < tests[b].P:
			return -1
		case tests[a].P > tests[b].P:
			return 1
		}
		return a - b
	})
	least := 0.0
	for i, at := range order {
		least = max(least, min(1, float64(len(tests)-i)*tests[at].P))
		tests[at].Adjusted = least
	}
}

// caught says by which test a broken generator is rejected most clearly.
func caught(b Broken, tests []Test) Caught {
	c := Caught{Name: b.Name, What: b.What, Adjusted: 1}
	for _, t := range tests {
		if !t.Failed {
			continue
		}
		c.Rejected++
		if c.Test == "" || t.Adjusted < c.Adjusted {
			c.On, c.Test, c.Adjusted, c.Retest = t.On, t.Name, t.Adjusted, t.Retest
		}
	}
	c.Failed = c.Rejected > 0
	return c
}
