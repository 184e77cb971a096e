package logbook

import (
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// The hashes of a log are published in tiles, as c2sp.org/tlog-tiles lays them out: tile N of level L holds the roots of the 256ᴸ leaves each, from
// the 256·N-th on.
//
//	tile/0/x001/x234/067      a full tile: 256 hashes of leaves, from leaf 256·1 234 067 on
//	tile/1/004.p/17           the first 17 hashes of a tile that is not full yet
const (
	TileHeight = 8
	TileWidth  = 1 << TileHeight
)

// TilePath returns the path of a tile of height [TileHeight].
func TilePath(t tlog.Tile) string { return "tile/" + strings.TrimPrefix(t.Path(), "tile/8/") }

// ParseTilePath reads what TilePath wrote. Tiles of entries, which other logs have, are not accepted: what a leaf says is its owner's.
func ParseTilePath(path string) (tlog.Tile, error) {
	rest, ok := strings.CutPrefix(path, "tile/")
	t, err := tlog.ParseTilePath("tile/8/" + rest)
	if !ok || err != nil || t.L < 0 || TilePath(t) != path {
		return tlog.Tile{}, fmt.Errorf("tile %.80q: accepted a path such as tile/0/x001/067 or tile/1/004.p/17", path)
	}
	return t, nil
}

// TileRoot returns the root of a full tile, which is a hash of the level above.
func TileRoot(tile []byte) tlog.Hash {
	hashes := ReadTile(tile)
	if len(hashes) != TileWidth {
		panic(fmt.Sprintf("logbook: root of a tile of %d hashes", len(hashes)))
	}
	for len(hashes) > 1 {
		for i := range len(hashes) / 2 {
			hashes[i] = tlog.NodeHash(hashes[2*i], hashes[2*i+1])
		}
		hashes = hashes[:len(hashes)/2]
	}
	return hashes[0]
}

// ReadTile returns the hashes of a tile.
func ReadTile(tile []byte) []tlog.Hash {
	hashes := make([]tlog.Hash, len(tile)/tlog.HashSize)
	for i := range hashes {
		copy(hashes[i][:], tile[i*tlog.HashSize:])
	}
	return hashes
}

// Tiling writes the tiles of a log as it grows. It keeps the last tile of each level, which is not full.
type Tiling struct {
	Size int64
	last [][]byte // by level, fewer than TileWidth hashes each
}

// tilePlace is where a hash of a level stands: its tile, and how many come before it there.
func tilePlace(size int64, level int) (tile int64, before int) {
	n := size >> (TileHeight * level)
	return n / TileWidth, int(n % TileWidth)
}

// NewTiling returns the tiling of a log of some size; read gives its last tiles.
func NewTiling(size int64, read func(tlog.Tile) ([]byte, error)) (*Tiling, error) {
	t := &Tiling{Size: size}
	for level := 0; size>>(TileHeight*level) > 0; level++ {
		var data []byte
		if n, w := tilePlace(size, level); w > 0 {
			tile := tlog.Tile{H: TileHeight, L: level, N: n, W: w}
			stored, err := read(tile)
			if err != nil {
				return nil, err
			}
			if len(stored) != w*tlog.HashSize {
				return nil, fmt.Errorf("%s: %d bytes found, %d are needed", TilePath(tile), len(stored), w*tlog.HashSize)
			}
			data = append(data, stored...)
		}
		t.last = append(t.last, data)
	}
	return t, nil
}

// Add appends the hash of a leaf. It calls full for every tile that this fills.
func (t *Tiling) Add(h tlog.Hash, full func(tlog.Tile, []byte)) {
	for level := 0; ; level++ {
		if level == len(t.last) {
			t.last = append(t.last, nil)
		}
		t.last[level] = append(t.last[level], h[:]...)
		if len(t.last[level]) < TileWidth*tlog.HashSize {
			break
		}
		n, _ := tilePlace(t.Size, level)
		full(tlog.Tile{H: TileHeight, L: level, N: n, W: TileWidth}, t.last[level])
		h, t.last[level] = TileRoot(t.last[level]), nil
	}
	t.Size++
}

// Partial calls yield for the tiles that are not full.
func (t *Tiling) Partial(yield func(tlog.Tile, []byte)) {
	for level, data := range t.last {
		if n, w := tilePlace(t.Size, level); w > 0 {
			yield(tlog.Tile{H: TileHeight, L: level, N: n, W: w}, data)
		}
	}
}

// Hashes reads single hashes out of tiles, as the proofs of package tlog ask for them.
func Hashes(size int64, read func(tlog.Tile) ([]byte, error)) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := tlog.TileForIndex(TileHeight, index)
			n, w := tilePlace(size, t.L)
			switch {
			case t.N < n:
				t.W = TileWidth
			case t.N == n && t.W <= w:
				t.W = w
			default:
				return nil, fmt.Errorf("hash %d stands behind %d leaves", index, size)
			}
			data, err := read(t)
			if err != nil {
				return nil, err
			}
			if out[i], err = tlog.HashFromTile(t, data, index); err != nil {
				return nil, fmt.Errorf("%s: %w", TilePath(t), err)
			}
		}
		return out, nil
	})
}
