//go:build linux

package soak_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/internal/pgtest"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/store/sql"
	"tirage/vault"
)

const (
	ladderPlayers = 400
	ladderFunds   = 10_000_000 // cents of each player at the start
	// ladderRest lies between two children: more than time gains within one, and more than the delay after which a round is closed.
	ladderRest = 60 * 24 * time.Hour
)

// A process that plays rounds is killed at each transition of a round, before and after the commit that stores it, and at random moments; see the
// package comment.
func TestKillCroupier(t *testing.T) {
	covers.Covers(t, "D8", "D20")
	t.Run("sqlite", func(t *testing.T) { killCroupier(t, filepath.Join(t.TempDir(), "tirage.db")) })
	t.Run("postgres", func(t *testing.T) { killCroupier(t, pgtest.DSN(t)) })
}

func killCroupier(t *testing.T, db string) {
	seed := seedOf(t)
	c := &ladderCampaign{
		T: t, rng: rand.New(rand.NewPCG(seed, 1)), acked: map[string]ack{}, killed: map[string]int{},
		job: ladderJob{Seed: seed, DB: db, Keys: filepath.Join(t.TempDir(), "keys"), Now: time.Date(2019, 7, 1, 8, 0, 0, 0, time.UTC)},
	}
	c.prepare()
	moments := []string{"ready"} // and some time after it
	for _, what := range []string{started, series, stopped, swept} {
		moments = append(moments, "before "+what, "after "+what)
	}
	n := rounds(len(moments), 8*len(moments))
	for round := range n {
		c.job.Round = round
		c.job.Now = c.job.Now.Add(ladderRest)
		c.job.Linger = time.Duration(c.rng.IntN(4)) * time.Millisecond
		c.round(moments[round%len(moments)])
	}
	c.end()
}

// ladderCampaign is a database and what was promised on it.
type ladderCampaign struct {
	*testing.T
	rng    *rand.Rand
	job    ladderJob
	acked  map[string]ack             // by idempotency key
	fresh  map[string]ack             // acknowledged in this round
	asked  map[string]central.Request // in this round
	open   map[string]central.Request // in this round, and not answered
	killed map[string]int             // by moment
	stored int
	lost   int
}

// with opens the database as a process that starts does, at a time before the last leaf, and closes it.
func (c *ladderCampaign) with(now time.Time, f func(w *world)) {
	c.Helper()
	store, err := sql.Open(c.Context(), c.job.DB)
	if err != nil {
		c.Fatalf("seed %d, round %d: the database does not open again: %v", c.job.Seed, c.job.Round, err)
	}
	defer store.Close()
	keys, err := vault.Open(c.job.Keys, vault.SystemEntropy{})
	if err != nil {
		c.Fatal(err)
	}
	w, err := newWorld(store, keys, now)
	if err != nil {
		c.Fatal(err)
	}
	defer w.register.Close()
	f(w)
}

func (c *ladderCampaign) prepare() {
	c.job.Players = make([]int64, ladderPlayers)
	c.with(c.job.Now, func(w *world) {
		err := parallel(ladderPlayers, func(i int) error {
			r, err := w.do(c.Context(), fmt.Sprintf("player/%d", i), central.CreatePlayer{Name: fmt.Sprintf("player %d", i)})
			if err != nil {
				return err
			}
			var created central.PlayerCreated
			if err := json.Unmarshal(r.Result, &created); err != nil {
				return err
			}
			c.job.Players[i] = created.Player
			_, err = w.do(c.Context(), fmt.Sprintf("funds/%d", i), central.Deposit{Player: created.Player, Cents: ladderFunds})
			return err
		})
		if err != nil {
			c.Fatal(err)
		}
	})
}

// round lets a child play, kills it at a moment, and looks at what it left.
func (c *ladderCampaign) round(moment string) {
	c.Helper()
	c.fresh, c.asked, c.open = map[string]ack{}, map[string]central.Request{}, map[string]central.Request{}
	text, err := json.Marshal(c.job)
	if err != nil {
		c.Fatal(err)
	}
	times, pause := 1+c.rng.IntN(5), time.Duration(c.rng.Int64N(int64(2*time.Millisecond)))
	if moment == "ready" {
		times, pause = 1, time.Duration(c.rng.Int64N(int64(400*time.Millisecond)))
	}
	killer := func(p *os.Process, events <-chan string) {
		for seen := 0; seen < times; {
			event, more := <-events
			if !more {
				return // the child ended by itself, which its parent finds
			}
			if event == moment {
				seen++
			}
		}
		time.Sleep(pause)
		kill(c.T, p)
	}
	when := fmt.Sprintf("seed %d, round %d, killed %v after %q", c.job.Seed, c.job.Round, pause.Round(time.Microsecond), moment)
	child(c.T, ladderVariable+"="+string(text), when, killer, c.heard, false)
	c.killed[moment]++
	c.look(when)
}

// look checks what a kill left, and sends again what was on its way.
func (c *ladderCampaign) look(when string) {
	c.Helper()
	c.with(c.job.Now, func(w *world) {
		if err := central.CheckBooks(c.Context(), w.store); err != nil {
			c.Fatalf("%s: %v", when, err)
		}
		if err := acknowledged(w.store, c.fresh); err != nil {
			c.Fatalf("%s: %v", when, err)
		}
		stored := c.again(w, when)
		c.stored += stored
		c.lost += len(c.open) - stored
		for key, a := range c.fresh {
			c.acked[key] = a
		}
		if err := central.CheckBooks(c.Context(), w.store); err != nil {
			c.Fatalf("%s, after the retries: %v", when, err)
		}
		c.Logf("%s: %d steps acknowledged and there, %d on their way: %d stored, %d not", when, len(c.fresh), len(c.open), stored, len(c.open)-stored)
	})
}

// heard notes a line of the child; it returns true for those that the killer waits for.
func (c *ladderCampaign) heard(line string) bool {
	words := strings.SplitN(line, " ", 5)
	switch words[0] {
	case "try":
		c.asked[words[1]] = central.Request{Principal: words[2], Key: words[1], Command: c.command(words[3], words[4])}
		c.open[words[1]] = c.asked[words[1]]
	case "ack":
		a := ack{req: c.asked[words[1]]}
		if _, err := fmt.Sscan(strings.Join(words[2:], " "), &a.node, &a.index, &a.sum); err != nil {
			c.Fatalf("%q: %v", line, err)
		}
		c.fresh[words[1]] = a
		delete(c.open, words[1])
	case "no":
		delete(c.open, words[1])
	default:
		return true
	}
	return false
}

// command reads a command as it stands in the log.
func (c *ladderCampaign) command(kind, text string) central.Command {
	decode := func(into any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			c.Fatalf("%s %s: %v", kind, text, err)
		}
	}
	switch kind {
	case central.StartRound{}.Kind():
		var cmd central.StartRound
		decode(&cmd)
		return cmd
	case central.PlaySeries{}.Kind():
		var cmd central.PlaySeries
		decode(&cmd)
		return cmd
	case central.StopRound{}.Kind():
		var cmd central.StopRound
		decode(&cmd)
		return cmd
	}
	c.Fatalf("command %q", kind)
	return nil
}

// again sends the steps that were not answered, as devices do after a crash, and some that were. It returns how many of the first had been stored.
func (c *ladderCampaign) again(w *world, when string) (stored int) {
	c.Helper()
	for key, req := range c.open {
		r, err := w.croupier().Do(c.Context(), req)
		switch code := central.CodeOf(err); code {
		case "":
			if r.Replayed {
				stored++
			}
			c.fresh[key] = ack{req: req, node: r.Node, index: r.Index, sum: fmt.Sprintf("%x", resultSum(r.Result))}
		case central.Conflict, central.Closed:
		default:
			c.Fatalf("%s: %s, sent again: %v", when, key, err)
		}
	}
	left := 20
	for key, a := range c.fresh {
		if left--; left < 0 {
			break
		}
		r, err := w.register.Do(c.Context(), a.req)
		if err != nil || !r.Replayed || r.Node != a.node || r.Index != a.index || fmt.Sprintf("%x", resultSum(r.Result)) != a.sum {
			c.Fatalf("%s: %s, sent again: %+v, %v; want the receipt of leaf %d", when, key, r, err, a.index)
		}
	}
	return stored
}

// end closes what is still open, then counts the money of every round from the log and from the tables.
func (c *ladderCampaign) end() {
	c.Helper()
	c.with(c.job.Now.Add(ladderRest), func(w *world) {
		if _, err := w.croupier().Sweep(c.Context()); err != nil {
			c.Fatal(err)
		}
		if err := central.CheckBooks(c.Context(), w.store); err != nil {
			c.Fatalf("seed %d: %v", c.job.Seed, err)
		}
		if err := acknowledged(w.store, c.acked); err != nil {
			c.Fatalf("seed %d: %v", c.job.Seed, err)
		}
		ends := c.paidOnce(w.store)
		c.Logf("seed %d: killed %v; %d steps acknowledged and there, %d on their way when killed: %d stored whole, %d not at all; rounds ended, each once: %v; books hold",
			c.job.Seed, c.killed, len(c.acked), c.stored+c.lost, c.stored, c.lost, ends)
	})
}

// paidOnce makes sure that each round has one stake and one end in the log, that none is open, and that each player has what the rounds left. It
// returns how many rounds ended by what.
func (c *ladderCampaign) paidOnce(store central.Reader) map[string]int {
	c.Helper()
	snap, err := store.Snapshot(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	defer snap.Close()
	scan := func(r central.Range, yield func(central.Row) error) {
		c.Helper()
		if err := snap.Scan(c.Context(), r, yield); err != nil {
			c.Fatal(err)
		}
	}
	stakes, logged := map[central.RoundID]int{}, map[central.RoundID]int{}
	scan(central.Range{From: central.Key{Table: central.Leaves}}, func(row central.Row) error {
		return roundsOf(row.(*central.LeafRow).Body, func(r *central.Round) {
			if r.Ended != 0 {
				logged[r.ID]++
			} else if r.Step == 0 {
				stakes[r.ID]++
			}
		})
	})
	ends, left := map[string]int{}, map[int64]money.Cents{}
	scan(central.Range{From: central.Key{Table: central.Rounds, S: ladderGame}, Prefix: 1}, func(row central.Row) error {
		r := row.(*central.Round)
		ends[r.State+" by "+r.EndedBy]++
		left[r.Player] += r.Gain - r.Stake
		if r.State == "refunded" {
			left[r.Player] += r.Stake
		}
		if r.Ended == 0 || stakes[r.ID] != 1 || logged[r.ID] != 1 {
			c.Errorf("seed %d: round %v is %s, its log holds %d stakes and %d ends", c.job.Seed, r.ID, r.State, stakes[r.ID], logged[r.ID])
		}
		return nil
	})
	scan(central.Range{From: central.Key{Table: central.Players}}, func(row central.Row) error {
		if p := row.(*central.Player); p.Balance != ladderFunds+left[p.ID] {
			c.Errorf("seed %d: player %d has %v, the rounds leave %v", c.job.Seed, p.ID, p.Balance, ladderFunds+left[p.ID])
		}
		return nil
	})
	if len(ends) < 4 {
		c.Errorf("seed %d: rounds ended %v", c.job.Seed, ends)
	}
	return ends
}

// roundsOf calls yield for each row of a round in a leaf.
func roundsOf(body []byte, yield func(*central.Round)) error {
	_, rows, err := logbook.ParseLeaf(body)
	if err != nil {
		return err
	}
	for _, line := range rows {
		if !bytes.HasPrefix(line, []byte(`["rounds",`)) {
			continue
		}
		r := new(central.Round)
		if _, err := logbook.ParseRow(line, func(string) ([]any, error) { return r.Fields(), nil }); err != nil {
			return err
		}
		yield(r)
	}
	return nil
}
