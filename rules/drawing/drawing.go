// Package drawing is the life of a draw as a state machine.
//
//	planned → open → closed → sealed → balanced → drawn → counted → approved → settled → published
//
// A draw whose control disagrees is held, as is one that an officer stops between the seal and the approval. A draw that cannot take place, or was
// interrupted, is postponed before it is drawn, and keeps its plays. Both are pauses: a draw goes back to the state in which it was paused and to no
// other ([CheckResume]), so no pause leads around a control. A corrected result before the approval goes back from counted to drawn, as the next
// version. Nothing is paid before counted and approved, so before two independent counts and an officer agree
// (Art. loto@2018-10-29:7.1.1, Art. loto@2018-10-29:7.2.2, Art. euromillions@2018-10-29:4.1.4, Art. euromillions@2018-10-29:4.1.5, « sous le contrôle »).
package drawing

import (
	"fmt"
	"slices"
	"strings"
)

// State is where a draw stands.
type State string

const (
	Planned   State = "planned"   // announced, not on sale
	Open      State = "open"      // on sale
	Closed    State = "closed"    // no play is accepted any more
	Sealed    State = "sealed"    // plays counted, hashed and signed, with the draw's terms
	Balanced  State = "balanced"  // the control system agrees with the sealed plays
	Drawn     State = "drawn"     // result recorded
	Counted   State = "counted"   // winners and gains counted, the control system agrees
	Approved  State = "approved"  // an officer approved the payment
	Settled   State = "settled"   // every gain is credited
	Published State = "published" // notice published
	Held      State = "held"      // pause: two counts differ, or an officer looks at something; nothing moves until it is settled
	Postponed State = "postponed" // pause: not drawn on its day, keeps its plays
)

var next = map[State][]State{
	Planned:  {Open},
	Open:     {Closed},
	Closed:   {Sealed},
	Sealed:   {Balanced, Held, Postponed},
	Balanced: {Drawn, Held, Postponed},
	Drawn:    {Counted, Drawn, Held},
	Counted:  {Approved, Drawn, Held},
	Approved: {Settled},
	Settled:  {Published},
}

// All lists the states in the order of a draw's life.
var All = []State{Planned, Open, Closed, Sealed, Balanced, Drawn, Counted, Approved, Settled, Published, Held, Postponed}

// Check returns nil when a draw may go from one state to the other, and an error that lists what is accepted otherwise. No draw leaves a pause
// this way.
func Check(from, to State) error {
	if slices.Contains(next[from], to) {
		return nil
	}
	accepted := list(next[from])
	if from.paused() {
		accepted = "that it is resumed first"
	}
	return fmt.Errorf("a draw that is %s cannot become %s: accepted %s", from, to, accepted)
}

// CheckResume returns nil when a paused draw may go back to a state: one in which it may have been paused.
func CheckResume(paused, to State) error {
	if paused.paused() && slices.Contains(next[to], paused) {
		return nil
	}
	return fmt.Errorf("a draw that is %s is not resumed as %q: accepted a draw that is %s or %s, and the state in which it was paused", paused, to, Held, Postponed)
}

func (s State) paused() bool { return s == Held || s == Postponed }

func list(states []State) string {
	if len(states) == 0 {
		return "nothing"
	}
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
