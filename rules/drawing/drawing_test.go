package drawing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "tirage/rules/drawing"
)

// The table of the life of a draw, to be read beside the article: "x" where the row's state may become the column's.
const table = `
           planned open closed sealed balanced drawn counted approved settled published held postponed
planned    .       x    .      .      .        .     .       .        .       .         .    .
open       .       .    x      .      .        .     .       .        .       .         .    .
closed     .       .    .      x      .        .     .       .        .       .         .    .
sealed     .       .    .      .      x        .     .       .        .       .         x    x
balanced   .       .    .      .      .        x     .       .        .       .         x    x
drawn      .       .    .      .      .        x     x       .        .       .         x    .
counted    .       .    .      .      .        x     .       x        .       .         x    .
approved   .       .    .      .      .        .     .       .        x       .         .    .
settled    .       .    .      .      .        .     .       .        .       x         .    .
published  .       .    .      .      .        .     .       .        .       .         .    .
held       .       .    .      .      .        .     .       .        .       .         .    .
postponed  .       .    .      .      .        .     .       .        .       .         .    .
`

func TestEveryTransition(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	to := strings.Fields(lines[0])
	if len(to) != len(All) || len(lines)-1 != len(All) {
		t.Fatalf("the table has %d × %d states, there are %d", len(lines)-1, len(to), len(All))
	}
	for i, line := range lines[1:] {
		cells := strings.Fields(line)
		from := State(cells[0])
		if from != All[i] || State(to[i]) != All[i] {
			t.Fatalf("state %d is %s in the table, %s in All", i, from, All[i])
		}
		for j, cell := range cells[1:] {
			err := Check(from, State(to[j]))
			if (err == nil) != (cell == "x") {
				t.Errorf("%s → %s: %v", from, to[j], err)
			}
			if err != nil && (!strings.Contains(err.Error(), string(from)) || !strings.Contains(err.Error(), to[j])) {
				t.Errorf("%s → %s: the error names neither: %v", from, to[j], err)
			}
		}
	}
}

func TestUnknownStateGoesNowhere(t *testing.T) {
	for _, s := range append(All, "", "lost") {
		if Check("lost", s) == nil || Check(s, "lost") == nil {
			t.Errorf("lost and %q lead to each other", s)
		}
	}
}

// A paused draw goes back to a state in which it may have been paused, and no other draw is resumed.
func TestEveryResume(t *testing.T) {
	back := map[State][]State{Held: {Sealed, Balanced, Drawn, Counted}, Postponed: {Sealed, Balanced}}
	for _, paused := range All {
		for _, to := range All {
			err := CheckResume(paused, to)
			if (err == nil) != slices.Contains(back[paused], to) {
				t.Errorf("%s resumed as %s: %v", paused, to, err)
			}
		}
	}
}

// standing is where a draw stands: its state, and the one in which it was paused.
type standing struct{ state, pausedIn State }

// reaches says whether a draw may go from one state to another without ever being in a third.
func reaches(from, to, without State) bool {
	seen := []standing{{from, ""}}
	for i := 0; i < len(seen); i++ {
		at := seen[i]
		for _, s := range All {
			then := standing{s, ""}
			switch {
			case s == without:
				continue
			case at.pausedIn != "":
				if s != at.pausedIn || CheckResume(at.state, s) != nil {
					continue
				}
			case Check(at.state, s) != nil:
				continue
			case s == Held || s == Postponed:
				then.pausedIn = at.state
			}
			if !slices.Contains(seen, then) {
				seen = append(seen, then)
			}
		}
	}
	return slices.ContainsFunc(seen, func(at standing) bool { return at.state == to })
}

// Nothing is paid before two counts and an officer agree: every way from a sale to the payment goes through these states, pauses included.
func TestPaymentComesAfterControl(t *testing.T) {
	for _, needed := range []State{Closed, Sealed, Balanced, Drawn, Counted, Approved} {
		if reaches(Open, Settled, needed) {
			t.Errorf("a draw can be settled without having been %s", needed)
		}
	}
}

func TestEveryDrawCanEnd(t *testing.T) {
	for _, s := range All {
		if s != Published && s != Held && s != Postponed && !reaches(s, Published, "") {
			t.Errorf("a draw that is %s can never be published", s)
		}
	}
}

func Example() {
	fmt.Println(Check(Open, Closed))
	fmt.Println(Check(Open, Drawn))
	fmt.Println(CheckResume(Held, Sealed))
	// Output:
	// <nil>
	// a draw that is open cannot become drawn: accepted closed
	// <nil>
}
