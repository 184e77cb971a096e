// Package drawing is the life of a draw as a state machine.
//
//	planned → open → closed → sealed → balanced → drawn → counted → approved → settled → published
//
// A draw whose control disagrees is held and goes back to the state it was held in once the cause is settled; a draw that
// cannot take place is postponed before it is drawn, and keeps its plays. A corrected result before it is approved goes back from counted
// to drawn, as the next version. Nothing is paid before counted and approved, so before two independent counts and an
// officer agree (Art. loto@2018-10-29:7.1.1, « sous le contrôle »).
package drawing

import "fmt"

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
	Held      State = "held"      // two counts differ: nothing moves until it is settled
	Postponed State = "postponed" // not drawn on its day, keeps its plays
)

var next = map[State][]State{
	Planned:   {Open},
	Open:      {Closed},
	Closed:    {Sealed},
	Sealed:    {Balanced, Held, Postponed},
	Balanced:  {Drawn, Postponed},
	Postponed: {Balanced, Drawn},
	Drawn:     {Counted, Drawn, Held},
	Counted:   {Approved, Drawn, Held},
	Approved:  {Settled},
	Settled:   {Published},
	Held:      {Sealed, Drawn},
}

// All lists the states in the order of a draw's life.
var All = []State{Planned, Open, Closed, Sealed, Balanced, Drawn, Counted, Approved, Settled, Published, Held, Postponed}

// Check returns nil when a draw may go from one state to the other, and an error that lists what is accepted otherwise.
func Check(from, to State) error {
	for _, s := range next[from] {
		if s == to {
			return nil
		}
	}
	return fmt.Errorf("a draw that is %s cannot become %s: accepted %v", from, to, next[from])
}
