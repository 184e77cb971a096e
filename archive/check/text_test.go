package check

import (
	"strings"
	"testing"
)

// TestWriteText prints a file with one of each line.
func TestWriteText(t *testing.T) {
	f := &File{
		Game: "euromillions", First: "2018-10-30", Last: "2018-11-06", Tally: Tally{3, 1, 1, 1},
		Faults: []Fault{{"2018-10-30", 2, Contradicted, "rank 4: no fund"}, {"2018-11-06", 4, Untestable, "no counts"}},
		Events: []Event{{"2018-11-02", Super, "130000000.00 € guaranteed"}, {"2018-11-06", Start, "first draw of a cycle, raised to 17000000.00 €"}},
		Jackpots: []Jackpot{
			{Date: "2018-10-30", Winners: 2, Printed: 100, Why: "the draws before are not in these files"},
			{Date: "2018-11-02", Winners: 1, Printed: 8702120200, Low: 8702120200, High: 8702120300},
		},
		Side: Tally{3, 2, 1, 0}, SideWhy: []Fault{{"2018-11-06", 4, Contradicted, "rank 2: no fund"}},
		Second: 3,
	}
	var b strings.Builder
	if err := f.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	const want = `euromillions 2018-10-30..2018-11-06: 3 draws, 1 explained, 1 contradicted, 1 untestable
  2018-10-30 (line 2) contradicted: rank 4: no fund
  2018-11-06 (line 4) untestable: no counts
  jackpots: 2 won, 1 predicted from the funds; 1 first draws of a cycle raised to their least amount
  jackpot 2018-10-30: 2 × 1.00 €, not predicted: the draws before are not in these files
  event 2018-11-02 super jackpot: 130000000.00 € guaranteed
  Étoile+: 3 draws, 2 explained, 1 contradicted, 0 untestable
  Étoile+ 2018-11-06 (line 4) contradicted: rank 2: no fund
  second draw (second tirage): 3 read and kept; no rule, not checked
`
	if b.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := f.WriteText(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"  jackpot 2018-11-02: 1 × 87021202.00 €, predicted 87021202.00 € to 87021203.00 €\n",
		"  event 2018-11-06 guarantee: first draw of a cycle, raised to 17000000.00 €\n",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("verbose: %q is missing from\n%s", line, b.String())
		}
	}
}
