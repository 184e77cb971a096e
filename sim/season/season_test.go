package season_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tirage/central"
	"tirage/internal/covers"
)

// start is the first moment of a season, seed where everything in it follows from.
const (
	start = "2018-10-22 00:00:00"
	seed  = 20181022
)

// Six weeks, across the end of summer time on 28 October and the first packs of the 29th.
func TestSeason(t *testing.T) {
	covers.Covers(t, "P8", "P32", "P78")
	live(t, 6, 31)
}

// The whole season, across both changes of hour, Christmas and the new year: 24 weeks, 120 draws of both calendars and four beside them.
func TestWholeSeason(t *testing.T) {
	covers.Soak(t)
	live(t, 24, 124)
}

// live lives through so many weeks here and in a process of its own, and compares what they leave.
func live(t *testing.T, weeks, published int) {
	other := secondProcess(t, weeks)
	s := newSeason(t, true)
	s.until(weeks)
	s.checkEnd(published)
	s.checkReplay(t)
	t.Log(s.tally.String())
	if ours, theirs := s.outcome(), other(); ours != theirs {
		t.Errorf("two processes leave\n%+v and\n%+v", ours, theirs)
	}
}

// outcome is what a season leaves, to be compared with that of another process.
type outcome struct {
	Leaves int64
	Hash   string // root over all leaves, in their order
	Tally  string
}

// lived is the variable of the environment that has this test binary live through a season and write its outcome to a file.
const lived = "TIRAGE_SEASON_OUTCOME"

type lifeOf struct {
	Weeks int
	File  string
}

// secondProcess starts this test binary again, and returns how to wait for its outcome.
func secondProcess(t *testing.T, weeks int) func() outcome {
	t.Helper()
	life := lifeOf{weeks, t.TempDir() + "/outcome.json"}
	text, err := json.Marshal(life)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSecondProcess$")
	cmd.Env = append(os.Environ(), lived+"="+string(text))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if _, err = cmd.StdinPipe(); err == nil { // it ends with this process
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() (o outcome) {
		t.Helper()
		if err := cmd.Wait(); err != nil {
			t.Fatalf("second process: %v\n%s", err, strings.TrimSpace(said.String()))
		}
		text, err := os.ReadFile(life.File)
		if err == nil {
			err = json.Unmarshal(text, &o)
		}
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
}

// What the second process does: the same season. The books of the first one are checked.
func TestSecondProcess(t *testing.T) {
	text := os.Getenv(lived)
	if text == "" {
		t.Skip("skipped: this is for a process that another test starts")
	}
	var life lifeOf
	if err := json.Unmarshal([]byte(text), &life); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1) // nobody waits for the outcome
	}()
	s := newSeason(t, false)
	s.until(life.Weeks)
	out, err := json.Marshal(s.outcome())
	if err == nil {
		err = os.WriteFile(life.File, out, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkEnd looks at what a season has left: every draw whose day is over has reached its last state, nobody waits for anything, and everything that a season is
// to hold has happened.
func (s *season) checkEnd(published int) {
	s.Helper()
	now := s.Clock.Now().UnixMicro()
	states := map[string]int{}
	for _, r := range s.rows(central.Draws) {
		d := r.(*central.Draw)
		states[d.State]++
		if want := map[bool]string{true: "published", false: "open"}[d.ClosesAt <= now]; d.State != want {
			s.Errorf("draw %s is %s, want %s", d.ID, d.State, want)
		}
	}
	if states["published"] != published {
		s.Errorf("%d draws are published, want %d", states["published"], published)
	}
	if rest := s.step(); len(rest.Waits) > 0 {
		s.Errorf("waits: %+v", rest.Waits)
	}
	for _, what := range []string{packByAbo, packWithMore} {
		if s.tally[what] > 0 {
			s.Errorf("sold %d times: %s", s.tally[what], what)
		}
	}
	for _, what := range usual {
		if s.tally[what] == 0 {
			s.Errorf("of all that a season holds there was no %q", what)
		}
	}
}

// usual is what happens in every season, as counted in the tally.
var usual = []string{
	"bought web", "bought app", "bought retail", "bought shares", "bought group", "bought replay", "ordered subscription", "dropped",
	"draw published", "draw postponed", "draw held", "claim paid", "letter", "message gain", "message subscription",
	"message group", "message deposit", "message withdrawal", "message limit.raised", "message excluded",
	"refused balance.insufficient", "refused limit.stake", "refused limit.deposit", "refused player.excluded", "refused player.unconfirmed",
	"refused pack.add_on", "refused pack.channel", "refused pack.draws", "refused replay.pack", "refused replay.group", "refused subscription.pack",
	"refused check.open", "refused quote.expired", "refused draw.closed",
}
