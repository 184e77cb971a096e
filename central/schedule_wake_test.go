package central_test

import (
	"testing"

	"tirage/central"
)

// A schedule is told at once of what somebody does to a draw, and of nothing that it did itself or that moves no draw.
func TestScheduleIsToldOfActs(t *testing.T) {
	s := &central.Schedule{Operator: &central.Operator{Principal: central.SystemPrincipal}, Wake: make(chan struct{}, 1)}
	done := func(principal string, c central.Command) []central.Done {
		return []central.Done{{Request: &central.Request{Principal: principal, Command: c}}}
	}
	for _, test := range []struct {
		done []central.Done
		told bool
	}{
		{done("staff/officer", central.ApproveDraw{Draw: "loto-2018-10-29"}), true},
		{done("staff/operator", central.RecordResult{Draw: "loto-2018-10-29"}), true},
		{done(central.SystemPrincipal, central.RecordResult{Draw: "loto-2018-10-29"}), false},
		{done("player/1", central.BuyPlay{Draw: "loto-2018-10-29"}), false},
	} {
		s.Committed(test.done)
		s.Committed(test.done) // never blocks
		told := len(s.Wake) == 1
		if told {
			<-s.Wake
		}
		if told != test.told {
			t.Errorf("%s of %s: told %v", test.done[0].Request.Command.Kind(), test.done[0].Request.Principal, told)
		}
	}
	(&central.Schedule{Operator: s.Operator}).Committed(done("staff/officer", central.ApproveDraw{})) // one that is not told
}
