package central_test

import (
	"context"

	"tirage/audit"
	"tirage/store/storetest"
)

// Whatever a test has done — rounds, groups, subscriptions, corrected and generated results — its tables are rebuilt from the log alone without a difference.
func init() {
	storetest.AtEnd = func(w *storetest.World) {
		r, err := audit.Replay(context.Background(), audit.Options{Store: w.Store})
		switch {
		case err != nil:
			w.Errorf("replay: %v", err)
		case !r.OK():
			w.Errorf("replay: %v %v %v", r.Fault, r.Contradictions, r.Differences)
		}
	}
}
