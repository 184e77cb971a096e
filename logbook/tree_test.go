package logbook_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// hashes keeps every stored hash of a log, as tlog numbers them.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x >= int64(len(h)) {
			return nil, fmt.Errorf("hash %d is not stored yet", x)
		}
		out[i] = h[x]
	}
	return out, nil
}

// A tree is grown to 200 leaves; at every size its root and its edge are those that tlog works out from all the hashes, and a tree read back
// from its edge goes on as if nothing had happened.
func TestTreeIsThatOfTlog(t *testing.T) {
	var all hashes
	var tree logbook.Tree
	for n := int64(0); n <= 200; n++ {
		want, err := tlog.TreeHash(n, all)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Size != n || tree.Root() != want {
			t.Fatalf("size %d: root %v of %d leaves, tlog says %v", n, tree.Root(), tree.Size, want)
		}
		edge := tree.AppendEdge(nil)
		read, err := logbook.ParseTree(n, edge)
		if err != nil {
			t.Fatalf("size %d: %v", n, err)
		}
		if read.Root() != want || string(read.AppendEdge(nil)) != string(edge) {
			t.Fatalf("size %d: the tree read back is another", n)
		}
		next := []byte(fmt.Sprint("leaf ", n))
		stored, err := tlog.StoredHashesForRecordHash(n, tlog.RecordHash(next), all)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored...)
		before := tree.Root()
		grown := tree.Clone()
		grown.Add(stored[0])
		if tree.Root() != before || tree.Size != n {
			t.Fatalf("size %d: adding to a clone changes the tree", n)
		}
		tree = read
		tree.Add(stored[0])
		if tree.Root() != grown.Root() {
			t.Fatalf("size %d: the tree read back grows otherwise", n)
		}
	}
}

func TestEmptyRoot(t *testing.T) {
	var tree logbook.Tree
	if want := tlog.Hash(sha256.Sum256(nil)); tree.Root() != want {
		t.Errorf("root %v, want %v", tree.Root(), want)
	}
}

func TestParseTreeRefuses(t *testing.T) {
	for _, c := range []struct {
		size  int64
		bytes int
		want  string
	}{
		{0, 32, "right edge of a log of 0 leaves: 32 bytes found, 0 are needed"},
		{1, 0, "right edge of a log of 1 leaves: 0 bytes found, 32 are needed"},
		{1, 33, "33 bytes found, 32 are needed"},
		{6, 32, "32 bytes found, 64 are needed"},
		{8, 64, "64 bytes found, 32 are needed"},
		{-1, 64 * 32, "a log has no -1 leaves"},
	} {
		if _, err := logbook.ParseTree(c.size, make([]byte, c.bytes)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("size %d with %d bytes: %v, want %q", c.size, c.bytes, err, c.want)
		}
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add(int64(3), make([]byte, 64))
	f.Add(int64(-1), []byte{})
	f.Fuzz(func(t *testing.T, size int64, edge []byte) {
		tree, err := logbook.ParseTree(size, edge)
		if err == nil && (tree.Size != size || string(tree.AppendEdge(nil)) != string(edge)) {
			t.Errorf("%d leaves with edge %x read as %v", size, edge, tree)
		}
	})
}
