package central_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"tirage/central"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/internal/pgtest"
	"tirage/rules/ladder"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const donuts = "donuts"

// hall is a register over a store with what plays rounds there.
type hall struct {
	*storetest.World
	croupier *central.Croupier
	table    *ladder.Table
	keys     int
}

// openHall starts a register over a store, on a day on which the game is on sale. Each start has its own seed.
func openHall(t testing.TB, store central.Store, seed uint64) *hall {
	t.Helper()
	w := storetest.NewWorld(t, store, func(c *central.Config) { c.Entropy = &storetest.Entropy{Seed: 1_000 + seed} })
	book, err := games.Version("donuts@2019-06-25")
	if err != nil {
		t.Fatal(err)
	}
	return &hall{w, &central.Croupier{Register: w.Register, Store: store, Clock: w.Clock}, book.Ladder, int(seed) * 1_000_000}
}

// halls runs a test on the model and on SQLite; again opens the same store once more, as a new process does.
func halls(t *testing.T, f func(t *testing.T, h *hall, again func() central.Store)) {
	t.Run("mem", func(t *testing.T) {
		store := &mem.Store{}
		f(t, openHall(t, store, 0), func() central.Store { return store })
	})
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tirage.db")
		again := opener(t, func(ctx context.Context) (*sql.Store, error) { return sql.OpenSQLite(ctx, path) })
		f(t, openHall(t, again(), 0), again)
	})
}

// allHalls runs a test on PostgreSQL, too.
func allHalls(t *testing.T, f func(t *testing.T, h *hall, again func() central.Store)) {
	halls(t, f)
	t.Run("postgres", func(t *testing.T) {
		dsn := pgtest.DSN(t)
		store := opener(t, func(ctx context.Context) (*sql.Store, error) { return sql.OpenPostgres(ctx, dsn) })()
		f(t, openHall(t, store, 0), func() central.Store { return store }) // a server of its own: what a process loses are its connections
	})
}

func opener(t *testing.T, open func(context.Context) (*sql.Store, error)) func() central.Store {
	return func() central.Store {
		s, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
}

// fresh returns a key that was not used before.
func (h *hall) fresh() string {
	h.keys++
	return fmt.Sprintf("r%08d", h.keys)
}

// as does a command as somebody, under a fresh key.
func (h *hall) as(principal string, c central.Command) (*central.RoundAnswer, error) {
	return h.under(h.fresh(), principal, c)
}

func (h *hall) under(key, principal string, c central.Command) (*central.RoundAnswer, error) {
	h.Helper()
	receipt, err := h.croupier.Do(context.Background(), central.Request{Principal: principal, Key: key, Command: c})
	if err != nil {
		return nil, err
	}
	a := &central.RoundAnswer{}
	if err := json.Unmarshal(receipt.Result, a); err != nil {
		h.Fatal(err)
	}
	return a, nil
}

func self(player int64) string { return fmt.Sprintf("player/%d", player) }

// must does an action of the player that is accepted.
func (h *hall) must(player int64, c central.Command) *central.RoundAnswer {
	h.Helper()
	a, err := h.as(self(player), c)
	if err != nil {
		h.Fatalf("%s: %v", c.Kind(), err)
	}
	return a
}

// refused does a command that is refused with a code and a reason, and returns what the refusal says.
func (h *hall) refused(code central.Code, reason, principal string, c central.Command) *central.Refusal {
	h.Helper()
	_, err := h.as(principal, c)
	var r *central.Refusal
	if !errors.As(err, &r) || r.Code != code || r.Reason != reason {
		h.Fatalf("%s: %v, want %s %s", c.Kind(), err, code, reason)
	}
	return r
}

// start starts a round; the floor between two plays has passed.
func (h *hall) start(player int64) *central.RoundAnswer {
	h.Helper()
	h.wait(5 * time.Second)
	return h.must(player, central.StartRound{Player: player, Game: donuts})
}

func (h *hall) wait(d time.Duration) { h.Clock.Set(h.Clock.Now().Add(d)) }

// bytes16 is a contribution.
func bytes16(n uint64) replay.Hex {
	return binary.BigEndian.AppendUint64(make([]byte, 8, 16), n)
}

// row reads a row as it is stored.
func row[T central.Row](h *hall, k central.Key) T {
	h.Helper()
	snap, err := h.Store.Snapshot(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	defer snap.Close()
	r, err := snap.Get(context.Background(), k)
	if err != nil || r == nil {
		h.Fatalf("row %v: %v", k, err)
	}
	return r.(T)
}

func (h *hall) round(id central.RoundID) *central.Round {
	h.Helper()
	return row[*central.Round](h, central.Key{Table: central.Rounds, S: donuts, N: int64(id)})
}

// fate finds a contribution with which the next series stands or falls. Nobody can do that without the key that seals the secrets.
func (h *hall) fate(id central.RoundID, stable bool) replay.Hex {
	h.Helper()
	r := h.round(id)
	of := fairness.LadderSeries{Round: id.Bytes(), N: uint16(r.Step + 1)}
	b, err := h.Keys.Open(r.Secret, fmt.Sprintf("ladder/%x/%d", of.Round, of.N))
	if err != nil {
		h.Fatal(err)
	}
	for n := uint64(0); ; n++ {
		c := bytes16(n)
		state := ladder.State{Level: int(r.Step), Sum: r.Sum, Stars: int(r.Stars)}
		if _, series := replay.Draw(h.table, state, of, fairness.Secret(b), fairness.Contribution(c)); series.Stable() == stable {
			return c
		}
	}
}

// play drops the next series, with the outcome that the test asks for.
func (h *hall) play(player int64, a *central.RoundAnswer, stable bool) *central.RoundAnswer {
	h.Helper()
	return h.must(player, h.series(player, a, stable))
}

func (h *hall) series(player int64, a *central.RoundAnswer, stable bool) central.PlaySeries {
	h.Helper()
	return central.PlaySeries{Player: player, Game: donuts, Round: a.Round.Round, Step: a.Round.Step, Contribution: h.fate(a.Round.Round, stable)}
}

// climb starts a round and passes levels.
func (h *hall) climb(player int64, levels int) *central.RoundAnswer {
	h.Helper()
	a := h.start(player)
	for range levels {
		a = h.play(player, a, true)
	}
	return a
}

func stop(player int64, a *central.RoundAnswer) central.StopRound {
	return central.StopRound{Player: player, Game: donuts, Round: a.Round.Round, Step: a.Round.Step}
}

// tamper changes a row behind the program's back.
func (h *hall) tamper(r central.Row) {
	h.Helper()
	storetest.Overwrite(h.World, r)
}
