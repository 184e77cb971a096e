package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"tirage/bench"
	"tirage/internal/pgserver"
	"tirage/internal/pgtest"
)

// small is a measurement that takes moments and says nothing about speed.
var small = bench.Options{Clients: 2, Players: 20, Seed: 3}

func TestMain(m *testing.M) { pgtest.Main(m) }

// What each measurement reports on each engine, and that the books hold after it. Speed is not looked at.
func TestMeasurements(t *testing.T) {
	for name, db := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return t.TempDir() },
		"postgres": func(t *testing.T) string { return pgtest.Server(t).DSN("postgres") },
	} {
		t.Run(name, func(t *testing.T) {
			e, err := bench.Open(t.Context(), name, db(t))
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			t.Run("sale", func(t *testing.T) { sale(t, e) })
			t.Run("api", func(t *testing.T) { overHTTP(t, e) })
			t.Run("rounds", func(t *testing.T) { rounds(t, e) })
			t.Run("growth", func(t *testing.T) { growth(t, e) })
			t.Run("settle", func(t *testing.T) { settle(t, e) })
		})
	}
}

// TestOwnServer starts a server as `tirage bench` does without --db.
func TestOwnServer(t *testing.T) {
	e, err := bench.Open(t.Context(), "postgres", "")
	if errors.Is(err, pgserver.ErrNotInstalled) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bench.Growth(t.Context(), e, bench.GrowthOptions{Options: small, Plays: []int{1}, Window: time.Millisecond}); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func sale(t *testing.T, e *bench.Engine) {
	r, err := bench.Sale(t.Context(), e, bench.SaleOptions{Options: small, Each: 150 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	fields(t, r, "clients seconds rounds players accepted_per_s naive_per_s ceiling_per_s bare_commits_per_s spread_per_s null_log_per_s accepted_over_null_log "+
		"accepted_over_ceiling accepted_over_naive naive_over_bare hot_over_spread p50_ms p99_ms naive_p50_ms naive_p99_ms p99_turns p99_over_naive_p99 commits")
	checked(t, r.Checked, 3)
	if r.Rounds != 3 || len(r.Targets) < 5 {
		t.Errorf("%d rounds and %d targets", r.Rounds, len(r.Targets))
	}
}

func overHTTP(t *testing.T, e *bench.Engine) {
	r, err := bench.API(t.Context(), e, bench.SaleOptions{Options: small, Each: 150 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	fields(t, r, "clients seconds rounds players accepted_per_s naive_per_s accepted_over_naive p50_ms p99_ms naive_p50_ms naive_p99_ms commits")
	checked(t, r.Checked, 2)
	if r.Rounds != 3 || len(r.Targets) != map[string]int{"postgres": 2}[e.Name] {
		t.Errorf("%d rounds and %d targets", r.Rounds, len(r.Targets))
	}
}

func rounds(t *testing.T, e *bench.Engine) {
	r, err := bench.Rounds(t.Context(), e, bench.RoundsOptions{Options: small, Each: 150 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	fields(t, r, "clients seconds turns players floor_s steps_per_s naive_steps_per_s bare_commits_per_s rounds_per_s "+
		"steps_over_naive naive_over_bare p50_ms p99_ms naive_p50_ms naive_p99_ms commits")
	checked(t, r.Checked, 2)
	if r.Turns != 3 || len(r.Targets) != 1 {
		t.Errorf("%d turns and %d targets", r.Turns, len(r.Targets))
	}
}

func growth(t *testing.T, e *bench.Engine) {
	points, err := bench.Growth(t.Context(), e, bench.GrowthOptions{Options: small, Plays: []int{50, 200}, Window: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{50, 200} {
		m := fields(t, points[i], "plays us_per_play over_previous accepted_per_s plays_after")
		if m["plays"] != want {
			t.Errorf("%v plays, want %v", m["plays"], want)
		}
		checked(t, points[i].Checked, 1)
	}
}

func settle(t *testing.T, e *bench.Engine) {
	r, err := bench.Settle(t.Context(), e, bench.SettleOptions{Options: small, Plays: 1500})
	if err != nil {
		t.Fatal(err)
	}
	fields(t, r, "plays combinations winning_plays credits settle_s count_s pay_s control_s bulk_insert_s settle_over_bulk")
	checked(t, r.Checked, 1)
	if r.Combos != 15_000 || r.Winning < 0.5 || r.Credits < 750 {
		t.Errorf("%d combinations, %v of the plays win, %d credits", r.Combos, r.Winning, r.Credits)
	}
}

// fields decodes the JSON of a report and makes sure that the named numbers are there, above zero.
func fields(t *testing.T, report any, positive string) map[string]any {
	t.Helper()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(positive) {
		if x, ok := m[name].(float64); !ok || x <= 0 {
			t.Errorf("%s: %v, want a number above 0", name, m[name])
		}
	}
	return m
}

func checked(t *testing.T, c bench.Checked, databases int) {
	t.Helper()
	if c.Databases != databases || c.Receipts == 0 {
		t.Errorf("checked %+v, want %d databases and some receipts", c, databases)
	}
}

func TestKernel(t *testing.T) {
	reports, err := bench.Kernel(bench.KernelOptions{Words: 1 << 16, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) != 2 {
		t.Fatalf("%d games", len(reports))
	}
	for _, r := range reports {
		fields(t, r, "words read_gb_per_s counted_per_s listed_per_s counted_over_read listed_over_read multiples_per_s")
	}
}

func TestRefusals(t *testing.T) {
	e, err := bench.Open(t.Context(), "sqlite", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := context.Background()
	for _, c := range []struct {
		want string
		do   func() error
	}{
		{`engine "oracle": accepted`, func() error { _, err := bench.Open(ctx, "oracle", ""); return err }},
		{"how to reach PostgreSQL", func() error { _, err := bench.Open(ctx, "postgres", "://"); return err }},
		{"0 clients: accepted 1 to", func() error { _, err := bench.Sale(ctx, e, bench.SaleOptions{Each: time.Second}); return err }},
		{"-1 players: accepted 1 to", func() error {
			_, err := bench.Growth(ctx, e, bench.GrowthOptions{Options: bench.Options{Clients: 1, Players: -1}})
			return err
		}},
		{"1ms for each thing measured: accepted 30ms to", func() error {
			_, err := bench.Sale(ctx, e, bench.SaleOptions{Options: small, Each: time.Millisecond})
			return err
		}},
		{"20 players for 21 clients: accepted at least one each", func() error {
			_, err := bench.Rounds(ctx, e, bench.RoundsOptions{Options: bench.Options{Clients: 21, Players: 20}, Each: time.Second})
			return err
		}},
		{"2h0m0s for each thing measured: accepted 30ms to", func() error {
			_, err := bench.Rounds(ctx, e, bench.RoundsOptions{Options: small, Each: 2 * time.Hour})
			return err
		}},
		{"[5 5] plays: accepted ascending", func() error {
			_, err := bench.Growth(ctx, e, bench.GrowthOptions{Options: small, Plays: []int{5, 5}})
			return err
		}},
		{"3 plays: accepted 10 to", func() error {
			_, err := bench.Settle(ctx, e, bench.SettleOptions{Options: small, Plays: 3})
			return err
		}},
		{"-1 words: accepted 1 to", func() error { _, err := bench.Kernel(bench.KernelOptions{Words: -1}); return err }},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
