package audit_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"tirage/audit"
	"tirage/central"
	"tirage/demo"
	"tirage/internal/pgtest"
	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
	"tirage/vault"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// exported is a log in a file, with what its verifier holds.
type exported struct {
	data  []byte
	keys  note.Verifiers
	store central.Store
	log   *central.Log
	vault *vault.Keys
	last  []string // checkpoints
}

func export(t testing.TB, store central.Store, keys *vault.Keys) *exported {
	t.Helper()
	e := &exported{store: store, vault: keys, log: &central.Log{Store: store, Signer: keys.Log, Operator: "tirage.example"}}
	var b bytes.Buffer
	out, err := audit.Export(t.Context(), &b, e.log, keys.Public(central.RoleLog), nil)
	check(t, err)
	verifier, err := note.NewVerifier(keys.Public(central.RoleLog))
	check(t, err)
	e.data, e.keys, e.last = b.Bytes(), note.VerifierList(verifier), out.Checkpoints
	return e
}

// options replays the file as its verifier does.
func (e *exported) options() audit.Options { return e.with(e.data) }

func (e *exported) with(data []byte) audit.Options {
	return audit.Options{From: &audit.File{R: bytes.NewReader(data), Size: int64(len(data))}, Keys: e.keys, Earlier: e.last}
}

func replay(t testing.TB, o audit.Options) *audit.Report {
	t.Helper()
	r, err := audit.Replay(t.Context(), o)
	check(t, err)
	return r
}

func mustAgree(t testing.TB, r *audit.Report) {
	t.Helper()
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	for i := range r.Contradictions {
		t.Error(r.Contradictions[i].Error())
	}
	for _, d := range r.Differences {
		t.Error(d)
	}
	if !r.OK() {
		t.Fatalf("%d differences", r.Differing)
	}
}

// An operator's past — packs, added games, several games, draws that were drawn and paid — is rebuilt from the exported log alone:
// it is what the tables hold, and into the other engines it is written again without a difference.
func TestReplayOfAPast(t *testing.T) {
	store := &mem.Store{}
	keys, err := vault.New(vault.SystemEntropy{})
	check(t, err)
	list := filepath.Join(t.TempDir(), "banlist.txt")
	check(t, os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600))
	check(t, demo.Seed(t.Context(), demo.Config{Store: store, Keys: keys, BanList: list, Now: time.Date(2026, 12, 1, 10, 7, 13, 0, time.UTC)}))
	e := export(t, store, keys)
	o := e.options()
	o.Store = store
	r := replay(t, o)
	mustAgree(t, r)
	rows := map[string]int64{}
	for _, c := range r.Tables {
		if rows[c.Table] = c.Stored; c.Logged != c.Stored && c.Table != "accounts" {
			t.Errorf("%s: %d rows in the log, %d in the table", c.Table, c.Logged, c.Stored)
		}
	}
	for _, table := range []string{"players", "plays", "packs", "pack_types", "credits", "add_ons", "docs", "transfers"} {
		if rows[table] == 0 {
			t.Errorf("no row of %s: the past is too poor", table)
		}
	}
	t.Logf("%d bytes, logs %+v, totals %+v, rows %v", len(e.data), r.Logs, r.Totals, rows)
	mustAgree(t, replay(t, audit.Options{Store: store})) // « verify now »
	for name, into := range engines(t) {
		t.Run(name, func(t *testing.T) {
			o := e.options()
			o.Into = into
			again := replay(t, o)
			mustAgree(t, again)
			if fmt.Sprint(again.Totals) != fmt.Sprint(r.Totals) {
				t.Errorf("%+v, want %+v", again.Totals, r.Totals)
			}
			if _, err := audit.Replay(t.Context(), o); !errors.Is(err, audit.ErrFilled) {
				t.Errorf("a second time: %v", err)
			}
			// Its own log, exported from there, says the same.
			mustAgree(t, replay(t, func() audit.Options { o := export(t, into, keys).options(); o.Earlier = e.last; return o }()))
		})
	}
}

func engines(t *testing.T) map[string]central.Store {
	lite, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	check(t, err)
	t.Cleanup(func() { lite.Close() })
	pg, err := sql.OpenPostgres(t.Context(), pgtest.DSN(t))
	check(t, err)
	t.Cleanup(func() { pg.Close() })
	return map[string]central.Store{"sqlite": lite, "postgres": pg}
}

// small is a world of few leaves: two players, a draw with packs, plays with added games, and so many deposits.
func small(t testing.TB, deposits int) (*storetest.World, *exported) {
	w := storetest.NewWorld(t, &mem.Store{})
	one, two := w.Player("one", 1000), w.Player("two", 1000)
	closes := time.Date(2020, 6, 22, 18, 15, 0, 0, time.UTC)
	draw := w.Open(central.OpenDraw{
		Game: "loto", Day: "2020-06-22", OpensAt: closes.AddDate(0, 0, -3), ClosesAt: closes, Reconstructed: true,
		Packs: []central.PackOffer{{Type: "ten", Multiples: []string{"6x1*1"}, Shares: 10, MaxPacks: 2}},
	})
	for _, player := range []int64{one, two} {
		w.Do("system", central.BuyShares{Player: player, Draw: draw, Type: "ten", Shares: 5})
		w.Do("system", central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 6, Extra: 1}}}, AddOns: []central.AddOn{{Game: "jokerplus", Stake: 100}}})
	}
	w.Do("system", central.BuyShares{Player: one, Draw: draw, Type: "ten", Shares: 1})
	for range deposits {
		_, err := w.Try("system", central.Deposit{Player: two, Cents: 100})
		check(t, err)
	}
	return w, export(t, w.Store, w.Keys)
}

// mutate changes one record of a file in one of many ways and returns the line where it must be found: the first one that is not as it was.
func mutate(rng *rand.Rand, lines [][]byte) (how string, changed [][]byte, first int) {
	changed = slices.Clone(lines)
	i := rng.IntN(len(lines))
	switch rng.IntN(7) {
	case 0, 1:
		line := bytes.Clone(lines[i])
		at := rng.IntN(len(line))
		line[at] ^= byte(1 << rng.IntN(8))
		changed[i] = line
		return fmt.Sprintf("flip byte %d of line %d", at, i+1), changed, i
	case 2:
		return fmt.Sprintf("drop line %d", i+1), slices.Delete(changed, i, i+1), i
	case 3:
		other := rng.IntN(len(lines))
		return fmt.Sprintf("insert line %d at %d", other+1, i+1), slices.Insert(changed, i, lines[other]), i
	case 4:
		j := rng.IntN(len(lines))
		changed[i], changed[j] = changed[j], changed[i]
		return fmt.Sprintf("swap lines %d and %d", i+1, j+1), changed, min(i, j)
	case 5:
		j := rng.IntN(len(lines) + 1)
		from, to := min(i, j), max(i, j)
		slices.Reverse(changed[from:to])
		return fmt.Sprintf("reverse lines %d to %d", from+1, to), changed, from
	}
	return fmt.Sprintf("cut off from line %d on", i+1), changed[:i], i
}

// Thousands of times one record of the exported log is flipped, dropped, inserted, swapped, reordered or cut: each time it is found, at the line and leaf
// where it was done.
func TestEveryMutationOfTheLogIsLocated(t *testing.T) {
	t.Run("short", func(t *testing.T) { locate(t, 12, 3000) })
	t.Run("long", func(t *testing.T) { locate(t, 2*audit.Every, 120) })
}

// locate changes the log of a small world so many times.
func locate(t *testing.T, deposits, mutations int) {
	_, e := small(t, deposits)
	lines := bytes.SplitAfter(e.data, []byte("\n"))
	lines = lines[:len(lines)-1]
	mustAgree(t, replay(t, e.options()))
	rng, tried := rand.New(rand.NewPCG(1, 2)), 0
	for tried < mutations {
		how, changed, first := mutate(rng, lines)
		data := bytes.Join(changed, nil)
		if bytes.Equal(data, e.data) {
			continue // nothing was changed
		}
		for first < len(lines) && first < len(changed) && bytes.Equal(changed[first], lines[first]) {
			first++ // a line was put where the same one stood
		}
		tried++
		r := replay(t, e.with(data))
		if r.OK() || r.Fault == nil {
			t.Fatalf("%s: not detected", how)
		}
		// The head says how many leaves stand in each log, and which: where it is changed, that shows where they end.
		if want := int64(first) + 1; first > 0 && r.Fault.Line != want {
			t.Fatalf("%s: found at %v, want line %d", how, r.Fault, want)
		}
		// Between the head and a leaf stand the leaves before it, and a checkpoint after every so many.
		if index := int64(first) - 1 - int64(first-1)/(audit.Every+1); first > 0 && first < len(lines)-2 && r.Fault.Index != index {
			t.Fatalf("%s: found at %v, want leaf %d", how, r.Fault, index)
		}
	}
	t.Logf("%d mutations of %d lines, each located", tried, len(lines))
}

// rehashed changes one leaf so that its line is right again, as somebody does who has no key.
func rehashed(t *testing.T, line []byte, change func(body string) string) []byte {
	t.Helper()
	var salt [logbook.SaltSize]byte
	_, body, _ := bytes.Cut(line, []byte(`"body":`))
	body = []byte(change(string(body[:len(body)-2])))
	hash := logbook.Hash(salt[:], body)
	return fmt.Appendf(nil, `{"hash":"%s","salt":"%s","body":%s}`+"\n", base64.StdEncoding.EncodeToString(hash[:]), base64.StdEncoding.EncodeToString(salt[:]), body)
}

// Who can hash but not sign is found at the next checkpoint; an operator who signs a shorter log, by the checkpoint that somebody kept.
func TestForgedAndShortened(t *testing.T) {
	w, before := small(t, audit.Every)
	lines := bytes.SplitAfter(before.data, []byte("\n"))
	forged := slices.Clone(lines)
	forged[3] = rehashed(t, lines[3], func(body string) string { return strings.Replace(body, `"system"`, `"other"`, 1) })
	if r := replay(t, before.with(bytes.Join(forged, nil))); r.Fault == nil || r.Fault.Line != audit.Every+2 || r.Fault.Index != 0 {
		t.Errorf("forged: %+v", r.Fault)
	}
	w.Player("three", 1)
	after := export(t, w.Store, w.Keys)
	o := before.options()
	o.Earlier = after.last
	r := replay(t, o)
	if size := int64(len(lines)) - 5; r.Fault == nil || r.Fault.Index != size {
		t.Errorf("shortened: %v, want leaf %d", r.Fault, size)
	}
	o = after.options()
	o.Earlier = before.last
	mustAgree(t, replay(t, o))
	// The newer leaves are the store's.
	o = before.options()
	o.Store = w.Store
	if r := replay(t, o); !r.OK() || r.Logs[0].Newer != 2 {
		t.Errorf("%+v, differences %v", r.Logs, r.Differences)
	}
	// Another key is not believed.
	other, err := vault.New(&storetest.Entropy{Seed: 9})
	check(t, err)
	verifier, err := note.NewVerifier(other.Public(central.RoleLog))
	check(t, err)
	o = before.options()
	o.Keys, o.Earlier = note.VerifierList(verifier), nil
	if r := replay(t, o); r.Fault == nil || r.Fault.Line != 1 {
		t.Errorf("another key: %v", r.Fault)
	}
}

// An operator who changes a row image and signs it contradicts the movements of the same log.
func TestContradictionIsLocated(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{})
	w.Player("one", 10)
	last := storetest.Get[central.LeafRow](w, central.Key{Table: central.Leaves, M: 1})
	last.Body = []byte(strings.Replace(string(last.Body), `["players",`+last1(last.Body)+`,1000,1,`, `["players",`+last1(last.Body)+`,9000,1,`, 1))
	storetest.Overwrite(w, last)
	var tree logbook.Tree
	first := storetest.Get[central.LeafRow](w, central.Key{Table: central.Leaves})
	tree.Add(logbook.Hash(first.Salt, first.Body))
	tree.Add(logbook.Hash(last.Salt, last.Body))
	writer := storetest.Get[central.Writer](w, central.Key{Table: central.Writers})
	writer.Edge = tree.AppendEdge(nil)
	storetest.Overwrite(w, writer)
	r := replay(t, export(t, w.Store, w.Keys).options())
	if len(r.Contradictions) != 1 || r.Contradictions[0].Index != 1 {
		t.Errorf("%+v, want one at leaf 1", r)
	}
}

// last1 is the number of the player whose row a leaf holds.
func last1(body []byte) string {
	_, rest, _ := strings.Cut(string(body), `["players",`)
	id, _, _ := strings.Cut(rest, ",")
	return id
}
