package replay_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/ladder"
	"tirage/rules/rulebook"
)

func book(t testing.TB) *rulebook.Rulebook {
	t.Helper()
	b, err := games.Version("donuts@2019-06-25")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// made plays a round from secrets and contributions that follow from a seed; it stops at a level unless it collapses before.
func made(t testing.TB, seed string, stop int) *replay.Round {
	t.Helper()
	b := book(t)
	id := sha256.Sum256([]byte(seed + " id"))
	r := &replay.Round{Format: replay.Format, Game: "donuts", Rules: b.Header.Version(), Digest: b.Digest[:], Round: id[:16], State: replay.Open, Stake: 50, Series: []replay.Series{}}
	var state ladder.State
	for n := 1; n <= stop && !b.Ladder.Ended(state); n++ {
		secret := sha256.Sum256(fmt.Appendf(nil, "%s secret %d", seed, n))
		contribution := sha256.Sum256(fmt.Appendf(nil, "%s contribution %d", seed, n))
		of := fairness.LadderSeries{Round: [16]byte(r.Round), N: uint16(n)}
		commitment := of.Commit(secret)
		next, series := replay.Draw(b.Ladder, state, of, secret, fairness.Contribution(contribution[:16]))
		r.Series = append(r.Series, replay.Series{N: n, Commitment: commitment[:], Contribution: contribution[:16], Secret: secret[:], Items: replay.Items(b.Ladder, &series)})
		state = next
	}
	switch {
	case state.Collapsed:
		r.State = replay.Lost
	case state.Level > 0:
		r.State, r.Gain = replay.Won, b.Ladder.Gain(state)
	}
	return r
}

func verdicts(fs []replay.Finding) (right bool, text string) {
	right = true
	for _, f := range fs {
		right = right && f.Err == nil
		text += f.String() + "\n"
	}
	return right, text
}

// The files in testdata are test vectors for readers in any language: a change of the format, of the derivation or of what a draw means would make
// rounds of yesterday unverifiable.
func TestVectors(t *testing.T) {
	covers.Covers(t, "D16")
	for name, want := range map[string]*replay.Round{"won.json": made(t, "vector 11", 4), "lost.json": made(t, "vector 1", 10)} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := replay.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		// The digest of the rulebook is that of today's file.
		got.Digest = want.Digest
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-made +read)\n%s", name, d)
		}
		if right, text := verdicts(got.Check(book(t))); !right {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Any one thing that is changed in the file of a round, be it one bit, is found.
func TestEveryChangeIsFound(t *testing.T) {
	b := book(t)
	var changes int
	try := func(seed string, stop int, what string, change func(r *replay.Round)) {
		r := made(t, seed, stop)
		change(r)
		changes++
		if right, text := verdicts(r.Check(b)); right {
			t.Errorf("%s is not found:\n%s", what, text)
		}
	}
	for seed, stop := range map[string]int{"vector 11": 4, "vector 1": 10} {
		whole := made(t, seed, stop)
		for i := range whole.Series {
			for bit := range 256 {
				at, mask := bit/8, byte(1)<<(bit%8)
				try(seed, stop, "a bit of the secret", func(r *replay.Round) { r.Series[i].Secret[at] ^= mask })
				try(seed, stop, "a bit of the commitment", func(r *replay.Round) { r.Series[i].Commitment[at] ^= mask })
			}
			try(seed, stop, "another number", func(r *replay.Round) { r.Series[i].N++ })
			for j := range whole.Series[i].Items {
				try(seed, stop, "a value", func(r *replay.Round) { r.Series[i].Items[j].Value++ })
				try(seed, stop, "a stability", func(r *replay.Round) { r.Series[i].Items[j].Stable = !r.Series[i].Items[j].Stable })
				try(seed, stop, "a star", func(r *replay.Round) { r.Series[i].Items[j].Star = !r.Series[i].Items[j].Star })
				try(seed, stop, "a kind", func(r *replay.Round) { r.Series[i].Items[j].Kind += "x" })
			}
			try(seed, stop, "one item less", func(r *replay.Round) { r.Series[i].Items = r.Series[i].Items[1:] })
			try(seed, stop, "one item more", func(r *replay.Round) { r.Series[i].Items = append(r.Series[i].Items, r.Series[i].Items[0]) })
			try(seed, stop, "a series less", func(r *replay.Round) { r.Series = append(r.Series[:i:i], r.Series[i+1:]...) })
		}
		for bit := range 128 {
			try(seed, stop, "a bit of the id", func(r *replay.Round) { r.Round[bit/8] ^= 1 << (bit % 8) })
		}
		try(seed, stop, "a gain of one cent more", func(r *replay.Round) { r.Gain++ })
		try(seed, stop, "another stake", func(r *replay.Round) { r.Stake++ })
		try(seed, stop, "another rulebook", func(r *replay.Round) { r.Digest = make([]byte, 32) })
		try(seed, stop, "a series after the end", func(r *replay.Round) { r.Series = append(r.Series, made(t, seed, 10).Series...) })
		for _, s := range []replay.State{replay.Open, replay.Won, replay.Lost, replay.Refunded, replay.Blocked} {
			if s != whole.State {
				try(seed, stop, "state "+string(s), func(r *replay.Round) { r.State = s })
			}
		}
	}
	t.Logf("%d changes, all found", changes)
}

// A contribution of other bytes gives another outcome, or at least another series of numbers: here all bits together.
func TestContributionCounts(t *testing.T) {
	b, whole := book(t), made(t, "vector 11", 4)
	same := 0
	for bit := range 128 {
		r := made(t, "vector 11", 4)
		r.Series[0].Contribution[bit/8] ^= 1 << (bit % 8)
		if right, _ := verdicts(r.Check(b)); right {
			same++
		}
	}
	if same > 16 { // five like items by chance
		t.Errorf("%d of 128 changed contributions give the same %v", same, whole.Series[0].Items)
	}
}

func TestParseRefuses(t *testing.T) {
	good, err := json.MarshalIndent(made(t, "vector 11", 4), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string { return strings.Replace(string(good), old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "no round of format tirage/round/1"},
		{"something else", "%PDF", "line 1: no round"},
		{"another version", edit("round/1", "round/2"), `format "tirage/round/2": accepted "tirage/round/1"`},
		{"an unknown field", edit(`"stake"`, `"bet"`), `unknown field "bet"`},
		{"an amount in a text", edit(`"stake": 50`, `"stake": "50"`), "line 8: no round"},
		{"half a cent", edit(`"stake": 50`, `"stake": 50.5`), "line 8: no round"},
		{"capitals", edit(`"commitment": "`, `"commitment": "AA`), "not pairs of the digits 0–9 and a–f"},
		{"a short secret", edit(`"secret": "`, `"secret": "00`), "secret of 32, 16 and 33 bytes: accepted 32, 16 and 32"},
		{"an unknown state", edit(`"won"`, `"winning"`), `state "winning": accepted one of`},
		{"two rounds", string(good) + string(good), "text after the round"},
		{"too long", strings.Repeat(" ", replay.MaxFile+1), "accepted at most 262144"},
	} {
		if _, err := replay.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// What Parse accepts is written back as it was read, and Check never panics on it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"vector 11", "vector 1"} {
		data, err := json.Marshal(made(f, seed, 4))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":"tirage/round/1","state":"open","series":null}`))
	b := book(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := replay.Parse(data)
		if err != nil {
			return
		}
		r.Check(b)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := replay.Parse(text); err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("read %+v, written and read again %+v, %v", r, again, err)
		}
	})
}
