package logbook

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Kind says what was done to a log.
type Kind string

const (
	Edited    Kind = "edited"    // leaves hold something else
	Deleted   Kind = "deleted"   // leaves are gone from the middle
	Truncated Kind = "truncated" // leaves are gone from the end
	Inserted  Kind = "inserted"  // leaves stand in the middle that nobody promised
	Appended  Kind = "appended"  // the same at the end
	Reordered Kind = "reordered" // the same leaves, in another order
)

// Fault is a place where a log is not what it promised: leaves First to End−1 of the promised log, or, of leaves that were added, where they stand
// now. It is an error.
type Fault struct {
	Kind       Kind
	First, End int64
	Why        string // "" where the kind says it all
}

// Error returns "leaf 12 is edited", "leaves 12 to 14 are reordered: …".
func (f *Fault) Error() string {
	s := fmt.Sprintf("leaf %d is %s", f.First, f.Kind)
	if f.End > f.First+1 {
		s = fmt.Sprintf("leaves %d to %d are %s", f.First, f.End-1, f.Kind)
	}
	if f.Why != "" {
		s += ": " + f.Why
	}
	return s
}

// Compare finds what was done to a log, from the hashes of its leaves as they were promised and as they are found: nil when they are the same.
// One run of leaves that was edited, deleted, inserted or moved is located exactly; of several, the run from the first to the last.
func Compare(promised, found []tlog.Hash) *Fault {
	least := min(len(promised), len(found))
	head, tail := 0, 0
	for head < least && promised[head] == found[head] {
		head++
	}
	if head == len(promised) && head == len(found) {
		return nil
	}
	for tail < least-head && promised[len(promised)-1-tail] == found[len(found)-1-tail] {
		tail++
	}
	lost, new := promised[head:len(promised)-tail], found[head:len(found)-tail]
	f := &Fault{Kind: Edited, First: int64(head), End: int64(head + len(lost))}
	switch {
	case len(new) == 0 && tail == 0:
		f.Kind = Truncated
	case len(new) == 0:
		f.Kind = Deleted
	case len(lost) == 0:
		f.End = int64(head + len(new))
		if f.Kind = Inserted; tail == 0 {
			f.Kind = Appended
		}
	case len(lost) != len(new):
		f.Why = fmt.Sprintf("%d leaves stand in their place", len(new))
	case sameHashes(lost, new):
		f.Kind = Reordered
	}
	return f
}

// sameHashes reports whether both lists hold the same hashes, each as often.
func sameHashes(a, b []tlog.Hash) bool {
	count := make(map[tlog.Hash]int, len(a))
	for _, h := range a {
		count[h]++
	}
	for _, h := range b {
		count[h]--
		if count[h] < 0 {
			return false
		}
	}
	return true
}

// Check proves that a log still holds what it promised in an earlier checkpoint, from the hashes that it publishes: their proofs lead to both roots.
// A *Fault is proof that the log was changed; any other error says that nothing can be told. Whoever kept more than the checkpoint, the published
// hashes themselves, finds the leaf with [Compare].
func Check(earlier, later Checkpoint, published tlog.HashReader) error {
	switch {
	case earlier.Origin != later.Origin:
		return fmt.Errorf("checkpoints of two logs, %q and %q", earlier.Origin, later.Origin)
	case earlier.Size > later.Size:
		return &Fault{Truncated, later.Size, earlier.Size, fmt.Sprintf("%d leaves were promised, %d are left", earlier.Size, later.Size)}
	case earlier.Size == 0:
		return nil
	case earlier.Size == later.Size:
		if earlier.Root != later.Root {
			return &Fault{Edited, 0, earlier.Size, "the same size was promised with another root"}
		}
		return nil
	}
	proof, err := tlog.ProveTree(later.Size, earlier.Size, published)
	if err != nil {
		return err
	}
	return CheckProof(earlier, later, proof)
}

// CheckProof is [Check] with a proof that was made before.
func CheckProof(earlier, later Checkpoint, proof tlog.TreeProof) error {
	if earlier.Origin != later.Origin {
		return fmt.Errorf("checkpoints of two logs, %q and %q", earlier.Origin, later.Origin)
	}
	if tlog.CheckTree(proof, later.Size, later.Root, earlier.Size, earlier.Root) != nil {
		return &Fault{Edited, 0, earlier.Size, fmt.Sprintf("the log of %d leaves does not hold them any more", later.Size)}
	}
	return nil
}

// Broken is a published tile that does not belong to the tree that its log promised. It is an error.
type Broken struct {
	Tile tlog.Tile
	Why  string
}

// Error names the tile by its path.
func (b *Broken) Error() string { return TilePath(b.Tile) + ": " + b.Why }

// ReadLeafHashes reads the hash of every leaf from the tiles of level 0, and checks every tile of every level against the checkpoint. The first
// tile that is wrong is the error, a [*Broken].
func ReadLeafHashes(c Checkpoint, read func(tlog.Tile) ([]byte, error)) ([]tlog.Hash, error) {
	var leaves []tlog.Hash
	var below []tlog.Hash // roots of the full tiles of the level below
	var tree Tree
	for level := 0; c.Size>>(TileHeight*level) > 0; level++ {
		hashes, err := readLevel(c.Size, level, read)
		if err != nil {
			return nil, err
		}
		if level == 0 {
			leaves = hashes
			for _, h := range leaves {
				tree.Add(h)
			}
		}
		for i := range below {
			if hashes[i] != below[i] {
				return nil, blame(c, &tree, level, i)
			}
		}
		below = below[:0]
		for ; len(hashes) >= TileWidth; hashes = hashes[TileWidth:] {
			below = append(below, tilesRoot(hashes[:TileWidth]))
		}
	}
	if tree.Root() != c.Root {
		return nil, &Broken{tlog.Tile{H: TileHeight, N: 0, W: int(min(c.Size, TileWidth))}, fmt.Sprintf("the hashes of the %d leaves do not give the promised root", c.Size)}
	}
	return leaves, nil
}

func tilesRoot(hashes []tlog.Hash) tlog.Hash {
	data := make([]byte, 0, TileWidth*tlog.HashSize)
	for _, h := range hashes {
		data = append(data, h[:]...)
	}
	return TileRoot(data)
}

// blame tells which of two tiles is wrong when the i-th hash of a level is not the root of its tile below: the upper one where the leaves give the
// promised root.
func blame(c Checkpoint, leaves *Tree, level, i int) error {
	b := &Broken{tlog.Tile{H: TileHeight, L: level - 1, N: int64(i), W: TileWidth}, "it does not give the hash that stands above it"}
	if leaves.Root() == c.Root {
		b.Tile = tlog.Tile{H: TileHeight, L: level, N: int64(i) / TileWidth}
		b.Tile.W = int(min(c.Size>>(TileHeight*level)-b.Tile.N*TileWidth, TileWidth))
		b.Why = fmt.Sprintf("its hash %d is not the root of the tile below", i%TileWidth)
	}
	return b
}

// readLevel reads all hashes of a level.
func readLevel(size int64, level int, read func(tlog.Tile) ([]byte, error)) ([]tlog.Hash, error) {
	n := size >> (TileHeight * level)
	hashes := make([]tlog.Hash, 0, n)
	for int64(len(hashes)) < n {
		t := tlog.Tile{H: TileHeight, L: level, N: int64(len(hashes)) / TileWidth}
		t.W = int(min(n-int64(len(hashes)), TileWidth))
		data, err := read(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", TilePath(t), err)
		}
		if len(data) != t.W*tlog.HashSize {
			return nil, &Broken{t, fmt.Sprintf("%d bytes found, %d are needed", len(data), t.W*tlog.HashSize)}
		}
		hashes = append(hashes, ReadTile(data)...)
	}
	return hashes, nil
}
