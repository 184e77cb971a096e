package logbook

import (
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// Tree is a hash tree that only grows: its size and the hashes of the complete subtrees along its right edge,
// largest first. The zero value is the empty tree.
type Tree struct {
	Size int64
	Edge []tlog.Hash
}

// Add appends a leaf's hash.
func (t *Tree) Add(h tlog.Hash) {
	for n := t.Size; n&1 == 1; n >>= 1 {
		last := len(t.Edge) - 1
		h = tlog.NodeHash(t.Edge[last], h)
		t.Edge = t.Edge[:last]
	}
	t.Edge = append(t.Edge, h)
	t.Size++
}

// Clone returns an independent copy.
func (t *Tree) Clone() Tree { return Tree{t.Size, append([]tlog.Hash(nil), t.Edge...)} }

// emptyRoot is SHA-256 of nothing, the root of the empty tree in RFC 6962.
var emptyRoot = tlog.Hash{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55}

// Root returns the root hash, that of [tlog.TreeHash].
func (t *Tree) Root() tlog.Hash {
	if len(t.Edge) == 0 {
		return emptyRoot
	}
	h := t.Edge[len(t.Edge)-1]
	for i := len(t.Edge) - 2; i >= 0; i-- {
		h = tlog.NodeHash(t.Edge[i], h)
	}
	return h
}

// AppendEdge writes the right edge to b, 32 bytes a hash.
func (t *Tree) AppendEdge(b []byte) []byte {
	for _, h := range t.Edge {
		b = append(b, h[:]...)
	}
	return b
}

// ParseTree reads what [Tree.AppendEdge] wrote for a tree of the given size.
func ParseTree(size int64, edge []byte) (Tree, error) {
	if size < 0 {
		return Tree{}, fmt.Errorf("right edge: a log has no %d leaves", size)
	}
	n := bits.OnesCount64(uint64(size))
	if len(edge) != n*tlog.HashSize {
		return Tree{}, fmt.Errorf("right edge of a log of %d leaves: %d bytes found, %d are needed", size, len(edge), n*tlog.HashSize)
	}
	t := Tree{Size: size, Edge: make([]tlog.Hash, n)}
	for i := range t.Edge {
		copy(t.Edge[i][:], edge[i*tlog.HashSize:])
	}
	return t, nil
}
