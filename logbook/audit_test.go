package logbook_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
	"tirage/logbook"
)

// published is a log as its writer publishes it: records, tiles, checkpoints.
type published struct {
	records [][]byte
	tiling  logbook.Tiling
	tiles   map[string][]byte
	tree    logbook.Tree
}

func publish(records [][]byte) *published {
	p := &published{tiles: map[string][]byte{}}
	for _, r := range records {
		p.grow(r)
	}
	p.tiling.Partial(p.keep)
	return p
}

// add publishes one more record.
func (p *published) add(record []byte) {
	p.grow(record)
	p.tiling.Partial(p.keep)
}

func (p *published) grow(record []byte) {
	p.records = append(p.records, record)
	p.tiling.Add(tlog.RecordHash(record), p.keep)
	p.tree.Add(tlog.RecordHash(record))
}

func (p *published) keep(t tlog.Tile, data []byte) { p.tiles[logbook.TilePath(t)] = slices.Clone(data) }

func (p *published) checkpoint() logbook.Checkpoint {
	return logbook.Checkpoint{Origin: logbook.OriginOf("tirage.example", 0), Size: p.tree.Size, Root: p.tree.Root()}
}

func (p *published) read(t tlog.Tile) ([]byte, error) {
	data, ok := p.tiles[logbook.TilePath(t)]
	if !ok {
		return nil, errors.New("there is no such tile")
	}
	return data, nil
}

func (p *published) hashes() tlog.HashReader { return logbook.Hashes(p.tree.Size, p.read) }

func records(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = fmt.Appendf(nil, "record %d", i)
	}
	return list
}

func recordHashes(list [][]byte) []tlog.Hash {
	hashes := make([]tlog.Hash, len(list))
	for i := range list {
		hashes[i] = tlog.RecordHash(list[i])
	}
	return hashes
}

// mutation is a change of a list of records and how it must be found.
type mutation struct {
	records [][]byte
	fault   logbook.Fault
}

// mutate changes a list at random: n is the size of the run that is changed.
func mutate(rng *rand.Rand, list [][]byte) mutation {
	list = slices.Clone(list)
	at, n := rng.IntN(len(list)), 1+rng.IntN(3)
	end := min(at+n, len(list))
	forged := func() []byte { return fmt.Appendf(nil, "forged %d", rng.Uint64()) }
	switch rng.IntN(6) {
	case 0:
		for i := at; i < end; i++ {
			list[i] = forged()
		}
		return mutation{list, logbook.Fault{Kind: logbook.Edited, First: int64(at), End: int64(end)}}
	case 1:
		kind := logbook.Deleted
		if end == len(list) {
			kind = logbook.Truncated
		}
		return mutation{slices.Delete(list, at, end), logbook.Fault{Kind: kind, First: int64(at), End: int64(end)}}
	case 2:
		return mutation{list[:at], logbook.Fault{Kind: logbook.Truncated, First: int64(at), End: int64(len(list))}}
	case 3:
		return mutation{slices.Insert(list, at, forged()), logbook.Fault{Kind: logbook.Inserted, First: int64(at), End: int64(at + 1)}}
	case 4:
		return mutation{append(list, forged()), logbook.Fault{Kind: logbook.Appended, First: int64(len(list)), End: int64(len(list) + 1)}}
	}
	for at == len(list)-1 {
		at = rng.IntN(len(list))
	}
	other := at + 1 + rng.IntN(len(list)-at-1)
	list[at], list[other] = list[other], list[at]
	return mutation{list, logbook.Fault{Kind: logbook.Reordered, First: int64(at), End: int64(other + 1)}}
}

// A stranger who keeps one checkpoint finds that the log was changed, whatever its writer publishes afterwards, signed and consistent in itself: a
// writer who changes leaves has to publish another tree. Who kept the published hashes finds the leaf.
func TestEveryChangeIsDetectedAndLocated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := map[logbook.Kind]int{}
	for range 4000 {
		before := publish(records(2 + rng.IntN(40)))
		if rng.IntN(20) == 0 {
			before = publish(records(250 + rng.IntN(20)))
		}
		held, mirror := before.checkpoint(), recordHashes(before.records)
		m := mutate(rng, before.records)
		after := publish(m.records)
		grown := rng.IntN(3)
		for range grown {
			after.add(fmt.Appendf(nil, "later %d", rng.Uint64()))
		}
		later := after.checkpoint()
		hashes, err := logbook.ReadLeafHashes(later, after.read)
		if err != nil {
			t.Fatal(err)
		}
		err = logbook.Check(held, later, after.hashes())
		if m.fault.Kind == logbook.Appended {
			// Growth is what a log is for; what nobody signed for stands behind the checkpoint.
			if err != nil {
				t.Fatalf("a log that grew: %v", err)
			}
		} else if fault := (*logbook.Fault)(nil); !errors.As(err, &fault) {
			t.Fatalf("%v of %d leaves passes the held checkpoint: %v", m.fault, held.Size, err)
		}
		if grown > 0 {
			hashes = hashes[:len(hashes)-grown]
		}
		fault := logbook.Compare(mirror, hashes)
		if fault == nil || *fault != m.fault {
			t.Fatalf("of %d leaves %v was found, %v was done", held.Size, fault, m.fault)
		}
		found[fault.Kind]++
	}
	t.Logf("found and located: %v", found)
	if len(found) != 6 {
		t.Errorf("not every kind was tried")
	}
}

// A tile that was changed on the way, or in the store of the tiles, is named by its path; so is one that is missing.
func TestEveryChangedTileIsLocated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	log := publish(records(256*257 + 77))
	c := log.checkpoint()
	if _, err := logbook.ReadLeafHashes(c, log.read); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for n := int64(0); n <= 257; n++ {
		paths = append(paths, logbook.TilePath(tlog.Tile{H: 8, L: 0, N: n, W: 256}))
	}
	paths[257] = logbook.TilePath(tlog.Tile{H: 8, L: 0, N: 257, W: 77})
	paths = append(paths, logbook.TilePath(tlog.Tile{H: 8, L: 1, N: 0, W: 256}), logbook.TilePath(tlog.Tile{H: 8, L: 1, N: 1, W: 1}), logbook.TilePath(tlog.Tile{H: 8, L: 2, N: 0, W: 1}))
	for i := range 5 {
		path := paths[rng.IntN(len(paths))]
		if i < 3 {
			path = paths[len(paths)-1-i]
		}
		changed := slices.Clone(log.tiles[path])
		bit := rng.IntN(8 * len(changed))
		changed[bit/8] ^= 1 << (bit % 8)
		_, err := logbook.ReadLeafHashes(c, func(t tlog.Tile) ([]byte, error) {
			if logbook.TilePath(t) == path {
				return changed, nil
			}
			return log.read(t)
		})
		broken := (*logbook.Broken)(nil)
		if !errors.As(err, &broken) {
			t.Fatalf("%s with a changed bit passes: %v", path, err)
		}
		// The last tile of the leaves has nothing above it: the root alone tells.
		if got := logbook.TilePath(broken.Tile); got != path && path != paths[257] {
			t.Errorf("%s was changed, %v", path, err)
		}
	}
}

// Tiles that grow leaf by leaf, and are taken up again at any size, give the proofs of tlog at every size.
func TestTiles(t *testing.T) {
	var all hashes
	log := publish(nil)
	for n := int64(0); n < 700; n++ {
		record := fmt.Appendf(nil, "record %d", n)
		stored, err := tlog.StoredHashes(n, record, all)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored...)
		again, err := logbook.NewTiling(n, log.read)
		if err != nil {
			t.Fatal(err)
		}
		log.tiling = *again
		log.add(record)
		root, err := tlog.TreeHash(n+1, log.hashes())
		if err != nil || root != log.tree.Root() {
			t.Fatalf("size %d: root %v, %v", n+1, root, err)
		}
		old := n / 2
		proof, err := tlog.ProveRecord(n+1, old, log.hashes())
		if err != nil {
			t.Fatal(err)
		}
		want, err := tlog.ProveRecord(n+1, old, all)
		if err != nil || !slices.Equal(proof, want) {
			t.Fatalf("size %d: another proof of leaf %d", n+1, old)
		}
	}
	if _, err := log.hashes().ReadHashes([]int64{tlog.StoredHashIndex(0, 700)}); err == nil {
		t.Error("a hash behind the log was read")
	}
	if _, err := logbook.NewTiling(700, func(tlog.Tile) ([]byte, error) { return nil, nil }); err == nil {
		t.Error("a tiling was taken up without its tiles")
	}
}

func TestCheck(t *testing.T) {
	log := publish(records(300))
	whole := log.checkpoint()
	other := whole
	other.Origin = logbook.OriginOf("tirage.example", 1)
	if err := logbook.Check(whole, other, log.hashes()); err == nil || errors.As(err, new(*logbook.Fault)) {
		t.Errorf("checkpoints of two logs: %v", err)
	}
	for n := range 301 {
		if err := logbook.Check(publish(records(n)).checkpoint(), whole, log.hashes()); err != nil {
			t.Fatalf("%d leaves before: %v", n, err)
		}
	}
	other = whole
	other.Root[0] ^= 1
	var fault *logbook.Fault
	if err := logbook.Check(other, whole, log.hashes()); !errors.As(err, &fault) || fault.Kind != logbook.Edited {
		t.Errorf("another root of the same size: %v", err)
	}
}

func TestCheckpoints(t *testing.T) {
	private, public, err := note.GenerateKey(nil, "tirage-log")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	want := publish(records(7)).checkpoint()
	signed, err := want.Sign(signer)
	if err != nil {
		t.Fatal(err)
	}
	got, err := logbook.OpenCheckpoint(signed, note.VerifierList(verifier))
	if err != nil || got != want {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range signed {
		b := []byte(signed)
		b[i] ^= 1
		if c, err := logbook.OpenCheckpoint(string(b), note.VerifierList(verifier)); err == nil && c != want {
			t.Errorf("with byte %d changed it reads %v", i, c)
		}
	}
	for _, text := range []string{"", "a\n1\n", "\n1\n" + want.Root.String() + "\n", "a\n01\n" + want.Root.String() + "\n", "a\n-1\n" + want.Root.String() + "\n", "a\n1\nYQ==\n", want.String() + "more\n"} {
		if c, err := logbook.ParseCheckpoint(text); err == nil {
			t.Errorf("%q reads %v", text, c)
		}
	}
	if node, err := logbook.NodeOf(logbook.OriginOf("tirage.example", 3)); node != 3 || err != nil {
		t.Errorf("node %d, %v", node, err)
	}
	for _, origin := range []string{"", "tirage.example", "tirage.example/node-", "tirage.example/node-03", "tirage.example/node--1"} {
		if node, err := logbook.NodeOf(origin); err == nil {
			t.Errorf("%q names node %d", origin, node)
		}
	}
}

func FuzzParseCheckpoint(f *testing.F) {
	f.Add(publish(records(7)).checkpoint().String())
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := logbook.ParseCheckpoint(text); err == nil && c.String() != text {
			t.Errorf("%q reads %v", text, c)
		}
	})
}

func FuzzParseTilePath(f *testing.F) {
	f.Add("tile/0/x001/067")
	f.Add("tile/1/004.p/17")
	f.Add("tile/entries/000")
	f.Fuzz(func(t *testing.T, path string) {
		if tile, err := logbook.ParseTilePath(path); err == nil && (logbook.TilePath(tile) != path || tile.L < 0) {
			t.Errorf("%q reads %v", path, tile)
		}
	})
}

// Whatever two lists are, Compare says nothing only when they are the same, and what it says lies in them.
func TestCompareLocatesInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []tlog.Hash {
			list := rapid.SliceOfN(rapid.ByteRange(0, 3), 0, 9).Draw(t, name)
			out := make([]tlog.Hash, len(list))
			for i, b := range list {
				out[i][0] = b
			}
			return out
		}
		a, b := draw("promised"), draw("found")
		fault := logbook.Compare(a, b)
		if (fault == nil) != slices.Equal(a, b) {
			t.Fatalf("%v", fault)
		}
		if fault != nil && (fault.First < 0 || fault.End <= fault.First && fault.Kind != logbook.Edited || fault.End > int64(max(len(a), len(b)))) {
			t.Fatalf("%v of %d and %d leaves", fault, len(a), len(b))
		}
	})
}
