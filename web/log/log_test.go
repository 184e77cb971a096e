package log_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/central"
	"tirage/logbook"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/web/log"
)

const operator = "tirage.example"

// served is a log of n leaves, served.
func served(t *testing.T, n int) (*storetest.World, string) {
	t.Helper()
	w := storetest.NewWorld(t, &mem.Store{})
	tiler := central.NewTiler(w.Store)
	grow(w, n)
	if err := tiler.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.CheckBooks()
	l := &central.Log{Store: w.Store, Signer: w.Keys.Log, Operator: operator}
	server := httptest.NewServer(log.Handler(l, w.Keys.Public(central.RoleLog), nil))
	t.Cleanup(server.Close)
	return w, server.URL + "/log/"
}

// grow adds leaves.
func grow(w *storetest.World, n int) {
	w.Helper()
	for i := range n {
		if _, err := w.Try("system", central.CreatePlayer{Name: fmt.Sprint("player ", i)}); err != nil {
			w.Fatal(err)
		}
	}
}

func get(t *testing.T, url string) (int, http.Header, []byte) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, body.Bytes()
}

// A client of another author reads the log: it opens our checkpoints, fetches tiles by its own paths, checks them against the signed root, and its proofs
// say what ours say, leaf by leaf and between any two sizes.
func TestAnIndependentClientReadsTheLog(t *testing.T) {
	const leaves = 700
	w, base := served(t, leaves)
	verifier, err := note.NewVerifier(w.Keys.Public(central.RoleLog))
	if err != nil {
		t.Fatal(err)
	}
	fetcher, err := torchwood.NewTileFetcher(base + "0/")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := fetcher.ReadEndpoint(t.Context(), "checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	c, err := torchwood.ParseCheckpoint(opened.Text)
	if err != nil || c.N != leaves || c.Origin != operator+"/node-0" {
		t.Fatalf("%+v, %v", c, err)
	}
	ours, err := logbook.OpenCheckpoint(string(signed), note.VerifierList(verifier))
	if err != nil || ours.String() != c.String() || ours.Tree() != c.Tree {
		t.Fatalf("%v, they read %v: %v", ours, c, err)
	}
	theirs := torchwood.TileHashReaderWithContext(t.Context(), c.Tree, fetcher)
	for index := int64(0); index < leaves; index += 37 {
		row := storetest.Get[central.LeafRow](w, central.Key{Table: central.Leaves, N: 0, M: index})
		hash := logbook.Hash(row.Salt, row.Body)
		proof, err := tlog.ProveRecord(c.N, index, theirs)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(proof, c.N, c.Hash, index, hash); err != nil {
			t.Fatalf("leaf %d: %v", index, err)
		}
		half, err := tlog.TreeHash(index, theirs)
		if err != nil {
			t.Fatal(err)
		}
		if err := logbook.Check(logbook.Checkpoint{Origin: ours.Origin, Size: index, Root: half}, ours, theirs); err != nil {
			t.Fatalf("from %d to %d: %v", index, c.N, err)
		}
	}
	// What its client reads of entries is not served: they are the players' own.
	client, err := torchwood.NewClient(fetcher)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.Entry(t.Context(), c.Tree, 3); err == nil {
		t.Error("an entry was served")
	}
}

func TestRoutes(t *testing.T) {
	w, base := served(t, 300)
	code, head, body := get(t, base)
	var index log.Index
	if err := json.Unmarshal(body, &index); err != nil || code != 200 || index.Key != w.Keys.Public(central.RoleLog) || len(index.Logs) != 1 || index.Logs[0].Origin != operator+"/node-0" {
		t.Errorf("index: %d %s %v", code, body, err)
	}
	if head.Get("Access-Control-Allow-Origin") != "*" || head.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", head)
	}
	for path, want := range map[string]int{
		"0/checkpoint":          200,
		"0/tile/0/000":          200,
		"0/tile/0/000.p/7":      200, // what was published once stays
		"0/tile/0/001.p/44":     200,
		"0/tile/1/000.p/1":      200,
		"0/tile/0/001":          404,
		"0/tile/0/001.p/45":     404,
		"0/tile/0/002.p/1":      404,
		"0/tile/0/0":            404,
		"0/tile/0/001.p/0":      404,
		"0/tile/0/001.p/256":    404,
		"0/tile/9999999999/001": 404,
		"0/tile/entries/000":    404,
		"0/tile/data/000":       404,
		"1/checkpoint":          404,
		"00/checkpoint":         404,
		"-1/checkpoint":         404,
		"99/checkpoint":         404,
		"x/checkpoint":          404,
		"0/":                    404,
		"0/checkpoint/":         404,
	} {
		code, head, body := get(t, base+path)
		if code != want {
			t.Errorf("%s: %d %.80q, want %d", path, code, body, want)
		}
		if code == 200 && strings.Contains(path, "tile/") != strings.Contains(head.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: Cache-Control %q", path, head.Get("Cache-Control"))
		}
	}
	if code, _, body := get(t, base+"0/tile/0/000"); code != 200 || len(body) != 256*32 {
		t.Errorf("a full tile has %d bytes", len(body))
	}
	resp, err := http.Post(base+"0/checkpoint", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", resp.StatusCode)
	}
}

// A checkpoint promises what its tiles hold while the log grows, and each holds the one before. A log whose leaves or tiles were changed behind the
// register is not signed.
func TestCheckpointsFollowEachOther(t *testing.T) {
	w, base := served(t, 10)
	tiler := central.NewTiler(w.Store)
	verifier, err := note.NewVerifier(w.Keys.Public(central.RoleLog))
	if err != nil {
		t.Fatal(err)
	}
	checkpoint := func() logbook.Checkpoint {
		_, _, body := get(t, base+"0/checkpoint")
		c, err := logbook.OpenCheckpoint(string(body), note.VerifierList(verifier))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	read := func(tile tlog.Tile) ([]byte, error) {
		code, _, body := get(t, base+"0/"+logbook.TilePath(tile))
		if code != 200 {
			return nil, fmt.Errorf("%d", code)
		}
		return body, nil
	}
	held := checkpoint()
	for _, n := range []int{1, 244, 1, 1, 300} {
		grow(w, n)
		if c := checkpoint(); c != held {
			t.Fatalf("%v before the tiles were written, %v", c, held)
		}
		if err := tiler.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.CheckBooks()
		later := checkpoint()
		if later.Size != held.Size+int64(n) {
			t.Fatalf("%d leaves, %d and %d were sold", later.Size, held.Size, n)
		}
		if err := logbook.Check(held, later, logbook.Hashes(later.Size, read)); err != nil {
			t.Fatal(err)
		}
		if _, err := logbook.ReadLeafHashes(later, read); err != nil {
			t.Fatal(err)
		}
		held = later
	}
	tile := *storetest.Get[central.Tile](w, central.Key{Table: central.Tiles, N: 0, M: 1})
	tile.Hashes = bytes.Clone(tile.Hashes)
	tile.Hashes[40] ^= 1
	storetest.Overwrite(w, &tile)
	if err := central.CheckBooks(t.Context(), w.Store); err == nil || !strings.Contains(err.Error(), "tile/0/001 does not hold") {
		t.Errorf("the books of a changed tile: %v", err)
	}
	// Its hash stands in the tile above, so the root is still right; the tile is not, as everyone sees who reads it.
	broken := new(logbook.Broken)
	if _, err := logbook.ReadLeafHashes(held, read); err == nil || fmt.Sprint(err) != "tile/0/001: it does not give the hash that stands above it" {
		t.Errorf("a changed tile: %v %v", err, broken)
	}
	last := *storetest.Get[central.Tile](w, central.Key{Table: central.Tiles, N: 0, M: 2})
	last.Hashes = bytes.Clone(last.Hashes)
	last.Hashes[40] ^= 1
	storetest.Overwrite(w, &last)
	if code, _, body := get(t, base+"0/checkpoint"); code != 500 || strings.Contains(string(body), "root") {
		t.Errorf("a log whose tiles do not give its root: %d %s", code, body)
	}
}
