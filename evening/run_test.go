package evening_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tirage/central"
	"tirage/evening"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/vault"
)

var update = flag.Bool("update", false, "rewrite the golden reports; review the difference")

// scenario reads a shipped scenario, each old text replaced by the new one that follows it.
func scenario(t *testing.T, name string, changes ...string) *evening.Scenario {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(covers.Root(t), "testdata", "evenings", name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(changes); i += 2 {
		if strings.Count(text, changes[i]) != 1 {
			t.Fatalf("%s holds %q %d times", name, changes[i], strings.Count(text, changes[i]))
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return parse(t, name, text)
}

func parse(t *testing.T, name, text string) *evening.Scenario {
	t.Helper()
	s, err := evening.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs a scenario as a rehearsal on a store.
func run(t *testing.T, s *evening.Scenario, store central.Store) *evening.Report {
	t.Helper()
	entropy := &evening.Rehearsal{Seed: 1}
	keys, err := vault.New(entropy)
	if err != nil {
		t.Fatal(err)
	}
	r, err := evening.Run(t.Context(), s, evening.Options{Store: store, Keys: keys, Entropy: entropy})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func asJSON(t *testing.T, r *evening.Report) []byte {
	t.Helper()
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

// root is what changes with the form of the log, of which golden reports say nothing.
var root = regexp.MustCompile(`root [0-9a-f]{64}|"root": "[^"]*"`)

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	got = root.ReplaceAll(got, []byte("root"))
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s: rewrite it with -update if this is right (-file +report):\n%s", path, diff)
	}
}

// TestShipped runs every shipped scenario and compares the report with the golden one.
func TestShipped(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(covers.Root(t), "testdata", "evenings", "*.txt"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := run(t, scenario(t, name), &mem.Store{}).WriteText(&text); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".golden", text.Bytes())
		})
	}
}

// TestJSON fixes the names and types of the report.
func TestJSON(t *testing.T) {
	data, err := os.ReadFile("testdata/everything.txt")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "everything.json.golden", asJSON(t, run(t, parse(t, "everything.txt", string(data)), &mem.Store{})))
}

// A rehearsal is the same at each run, log and codes included, and on every store.
func TestRehearsalRepeats(t *testing.T) {
	s := scenario(t, "loto-2020-06-22.txt")
	db, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first, second := asJSON(t, run(t, s, &mem.Store{})), asJSON(t, run(t, s, db))
	if !bytes.Equal(first, second) {
		t.Errorf("two rehearsals differ: %s", cmp.Diff(string(first), string(second)))
	}
	if !bytes.Contains(first, []byte(`"seed": "1"`)) {
		t.Error("the report does not say that it is a rehearsal")
	}
}

// balances by account.
func accounts(r *evening.Report) map[string]money.Cents {
	m := map[string]money.Cents{}
	for _, a := range r.Accounts {
		m[string(a.Account)] = a.Cents
	}
	return m
}

// player returns an account of the report.
func player(t *testing.T, r *evening.Report, name string) evening.PlayerReport {
	t.Helper()
	for _, p := range r.Players {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no player %s", name)
	return evening.PlayerReport{}
}

func published(r *evening.Report) (gains []money.Cents) {
	for _, k := range r.Notice.Ranks {
		gains = append(gains, k.Gain)
	}
	return gains
}
