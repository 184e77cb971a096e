package central_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"reflect"
	"testing"
	"time"

	"tirage/central"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

func newStore(testing.TB) central.Store { return &mem.Store{} }

// adversary knows all that is public before a decision and guesses whether the next series stands, by drawing it with something else in the place of
// the secret.
type adversary struct {
	name   string
	secret func(commitment, before, contribution []byte) [32]byte
	levels [levelsGuessed]tally
}

// levelsGuessed is how far the rounds go. Levels are told apart: their odds differ.
const levelsGuessed = 4

// tally counts, of n guesses, how often the series stood, was guessed to stand, both.
type tally struct{ n, stood, guessed, both int64 }

func adversaries() []*adversary {
	return []*adversary{
		{name: "the commitment is the seed", secret: func(c, _, _ []byte) [32]byte { return [32]byte(c) }},
		{name: "the hash of the commitment", secret: func(c, _, _ []byte) [32]byte { return sha256.Sum256(c) }},
		{name: "the secret before", secret: func(_, b, _ []byte) [32]byte { return [32]byte(b) }},
		{name: "the hash of the secret before", secret: func(_, b, _ []byte) [32]byte { return sha256.Sum256(b) }},
		{name: "secret before and commitment", secret: func(c, b, _ []byte) [32]byte { return sha256.Sum256(append(bytes.Clone(b), c...)) }},
		{name: "the contribution", secret: func(_, _, x []byte) [32]byte { return sha256.Sum256(x) }},
	}
}

func (a *tally) note(stood, guessed bool) {
	a.n++
	if stood {
		a.stood++
	}
	if guessed {
		a.guessed++
	}
	if stood && guessed {
		a.both++
	}
}

// sigma is how far guesses and outcomes are from independence, in standard deviations.
func (a *tally) sigma() float64 {
	n, s, g, b := float64(a.n), float64(a.stood), float64(a.guessed), float64(a.both)
	return (b - s*g/n) / math.Sqrt(s*g*(n-s)*(n-g)/(n*n*n))
}

// Everything public before a decision, the commitment shown and all secrets before, says nothing of what comes: guesses made from it are
// independent of the outcomes, and the outcomes come as the published odds say.
//
// Art. donuts@2019-06-25:3.2.2, Art. donuts@2019-06-25:3.2.5.
func TestPublicDataForetellsNothing(t *testing.T) {
	covers.Covers(t, "D16", "D24")
	h := openHall(t, newStore(t), 0)
	player := h.Player("one", 10_000)
	eves := adversaries()
	const rounds = 1500
	passed, tried := make([]int64, h.table.Levels()), make([]int64, h.table.Levels())
	for range rounds {
		a := h.start(player)
		before := sha256.Sum256(nil)
		for level := 0; level < levelsGuessed && a.Round.State == replay.Open; level++ {
			contribution := bytes16(uint64(tried[0]))
			shown := a
			a = h.must(player, central.PlaySeries{Player: player, Game: donuts, Round: shown.Round.Round, Step: shown.Round.Step, Contribution: contribution})
			stood := a.Round.State != replay.Lost
			tried[level]++
			if stood {
				passed[level]++
			}
			of := fairness.LadderSeries{Round: shown.Round.Round.Bytes(), N: uint16(level + 1)}
			state := ladder.State{Level: level, Sum: shown.Round.Sum, Stars: shown.Round.Stars}
			for _, eve := range eves {
				guess := eve.secret(shown.Round.Next.Commitment, before[:], contribution)
				_, series := replay.Draw(h.table, state, of, guess, fairness.Contribution(contribution))
				eve.levels[level].note(stood, series.Stable())
			}
			before = [32]byte(a.Series.Secret)
		}
		if a.Round.State == replay.Open {
			h.must(player, stop(player, a))
		}
	}
	h.CheckBooks()
	for _, eve := range eves {
		for level := range eve.levels {
			if s := eve.levels[level].sigma(); math.Abs(s) > 4 {
				t.Errorf("%s: the guesses at level %d are %.1f σ from independence", eve.name, level+1, s)
			}
		}
	}
	for level, o := range h.table.Odds()[:levelsGuessed] {
		p, _ := o.Pass.Float64()
		n := float64(tried[level])
		if s := (float64(passed[level]) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(s) > 4 {
			t.Errorf("level %d: %d of %d passed, %.1f σ from the odds", level+1, passed[level], tried[level], s)
		}
	}
}

// A secret is nowhere in the open before its series is stored: neither in an answer, nor in the log, nor in a row but sealed; and each is made
// only when the series before is stored.
func TestSecretsStayHidden(t *testing.T) {
	h := openHall(t, newStore(t), 0)
	player := h.Player("one", 10)
	a := h.climb(player, 5)
	h.must(player, stop(player, a))
	snap, err := h.Store.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	var leaves [][]byte
	err = snap.Scan(context.Background(), central.Range{From: central.Key{Table: central.Leaves}}, func(r central.Row) error {
		leaves = append(leaves, r.(*central.LeafRow).Body)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, past := range h.history(player) {
		for i, s := range past.Series {
			first := -1
			for l, body := range leaves {
				if bytes.Contains(body, []byte(hex.EncodeToString(s.Secret))) || bytes.Contains(body, []byte(base64.StdEncoding.EncodeToString(s.Secret))) {
					first = l
					break
				}
			}
			committed := -1
			for l, body := range leaves {
				if bytes.Contains(body, []byte(hex.EncodeToString(s.Commitment))) {
					committed = l
					break
				}
			}
			if first < 0 || committed < 0 || committed != first-1 {
				t.Errorf("series %d: committed to in leaf %d, revealed in leaf %d of %d", i+1, committed, first, len(leaves))
			}
		}
	}
}

// With the secret fixed and committed to, every outcome is still open until the device's contribution is there, in the proportion of the odds:
// the operator has chosen nothing.
func TestTheContributionDecides(t *testing.T) {
	table := mustLadder(t)
	secret := fairness.Secret(sha256.Sum256([]byte("a secret")))
	of := fairness.LadderSeries{N: 1}
	const n = 40_000
	stood := 0
	for i := range uint64(n) {
		if _, s := replay.Draw(table, ladder.State{}, of, secret, fairness.Contribution(bytes16(i))); s.Stable() {
			stood++
		}
	}
	p, _ := table.Odds()[0].Pass.Float64()
	if s := (float64(stood) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(s) > 4 {
		t.Errorf("%d of %d stand, %.1f σ from the odds", stood, n, s)
	}
}

func mustLadder(t *testing.T) *ladder.Table {
	t.Helper()
	book, err := games.Version("donuts@2019-06-25")
	if err != nil {
		t.Fatal(err)
	}
	return book.Ladder
}

// walk is what a round looked like.
type walk struct {
	series []replay.Series
	state  replay.State
	gain   money.Cents
}

// walked plays one round in a fresh world: same seed, same commands, another player, name, wealth, history of stakes and day.
func walked(t *testing.T, day time.Time, second bool, deposit money.Cents) walk {
	t.Helper()
	w := storetest.NewWorld(t, newStore(t), func(c *central.Config) { c.Entropy = &storetest.Entropy{Seed: 42} })
	h := &hall{World: w, croupier: &central.Croupier{Register: w.Register, Store: w.Store, Clock: w.Clock}, table: mustLadder(t)}
	w.Clock.Set(day)
	var ids []int64
	for _, name := range []string{"ann", day.Weekday().String()} {
		var created central.PlayerCreated
		receipt, err := w.Try("system", central.CreatePlayer{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		storetest.Result(w, receipt, &created)
		ids = append(ids, created.Player)
	}
	for _, id := range ids {
		if _, err := w.Try("system", central.Deposit{Player: id, Cents: deposit}); err != nil {
			t.Fatal(err)
		}
	}
	player := ids[0]
	if second {
		player = ids[1]
	}
	a := h.must(player, central.StartRound{Player: player, Game: donuts})
	var out walk
	for a.Round.State == replay.Open {
		a = h.must(player, central.PlaySeries{Player: player, Game: donuts, Round: a.Round.Round, Step: a.Round.Step, Contribution: bytes16(7)})
		out.series = append(out.series, *a.Series)
	}
	out.state, out.gain = a.Round.State, a.Round.Gain
	w.Register.Close()
	return out
}

// The outcome depends on secret, round, number and contribution alone: neither on the player, nor on what he has, nor on the time of day or the
// date. Every day of a leap year, at another second each, gives the same round.
func TestOutcomeDependsOnTheSecretAlone(t *testing.T) {
	first := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	want := walked(t, first, false, 50)
	if len(want.series) < 3 {
		t.Fatalf("a round of %d series tells too little", len(want.series))
	}
	for day := range 366 {
		at := first.AddDate(0, 0, day).Add(time.Duration(day) * 237 * time.Second)
		if got := walked(t, at, day%2 == 1, money.Cents(50+day*day*999)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %+v, want %+v", at, got, want)
		}
	}
}
