package covers_test

import (
	"fmt"
	"testing"

	"tirage/internal/covers"
)

// recorder is a test that notes what is logged and whether it failed.
type recorder struct {
	testing.TB
	logged string
	failed bool
}

func (r *recorder) Helper()                   {}
func (r *recorder) Log(a ...any)              { r.logged += fmt.Sprintln(a...) }
func (r *recorder) Errorf(_ string, _ ...any) { r.failed = true }

func TestCoversPrintsTheMark(t *testing.T) {
	r := &recorder{TB: t}
	covers.Covers(r, "P27", "P28")
	if r.logged != covers.Mark+"P27 P28\n" || r.failed {
		t.Errorf("logged %q, failed %v", r.logged, r.failed)
	}
}

func TestCoversRefusesAnUnknownSentence(t *testing.T) {
	r := &recorder{TB: t}
	covers.Covers(r, "P5")
	if !r.failed {
		t.Error("P5 is no row of docs/sentences.md and was accepted")
	}
}

func TestSoakSkipsUnlessAsked(t *testing.T) {
	ran := func() (ran bool) {
		t.Run("campaign", func(t *testing.T) { covers.Soak(t); ran = true })
		return ran
	}
	t.Setenv(covers.SoakVariable, "")
	if ran() {
		t.Error("a campaign ran without being asked for")
	}
	t.Setenv(covers.SoakVariable, "1")
	if !ran() {
		t.Error("a campaign did not run under " + covers.SoakVariable)
	}
}
