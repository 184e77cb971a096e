package central

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// TilesJob names the job that writes the tiles of the logs.
const TilesJob = "tiles"

// Tile is a tile of hashes of one writer's log, as it is published: 32 bytes a hash, 256 when it is full. The last tile of each level is written again
// as it grows.
type Tile struct {
	Node   int64
	Place  int64 // level<<48 | number, see [logbook.TilePath]
	Hashes []byte
}

func (*Tile) Table() TableID  { return Tiles }
func (r *Tile) Fields() []any { return []any{&r.Node, &r.Place, &r.Hashes} }

// tilePlace is where a tile stands among those of its log.
func tilePlace(t tlog.Tile) int64 { return int64(t.L)<<48 | t.N }

// pathOf returns the path of the tile of a row.
func (r *Tile) path() string {
	return logbook.TilePath(tlog.Tile{H: logbook.TileHeight, L: int(r.Place >> 48), N: r.Place & (1<<48 - 1), W: len(r.Hashes) / tlog.HashSize})
}

// NewTiler returns the follower that writes the tiles: after the commit, so that no sale waits for them. What is published of a log is what this
// follower has passed.
func NewTiler(s Store) *Follower {
	return &Follower{Name: TilesJob, Store: s, TakeHashes: tiles}
}

// tiles returns the tiles that change when hashes are added to the log of a node.
func tiles(ctx context.Context, snap Snapshot, node, from int64, hashes []tlog.Hash) ([]Row, error) {
	t, err := logbook.NewTiling(from, readTiles(ctx, snap, node))
	if err != nil {
		return nil, err
	}
	var rows []Row
	write := func(at tlog.Tile, data []byte) {
		rows = append(rows, &Tile{Node: node, Place: tilePlace(at), Hashes: slices.Clone(data)})
	}
	for _, h := range hashes {
		t.Add(h, write)
	}
	t.Partial(write)
	return rows, nil
}

// readTiles reads the tiles of a log, each as wide as it is asked for.
func readTiles(ctx context.Context, snap Snapshot, node int64) func(tlog.Tile) ([]byte, error) {
	return func(t tlog.Tile) ([]byte, error) {
		row, err := snap.Get(ctx, Key{Table: Tiles, N: node, M: tilePlace(t)})
		if err != nil {
			return nil, err
		}
		tile, _ := row.(*Tile)
		if tile == nil || len(tile.Hashes) < t.W*tlog.HashSize {
			return nil, fmt.Errorf("log of node %d: %s is not stored", node, logbook.TilePath(t))
		}
		return tile.Hashes[:t.W*tlog.HashSize], nil
	}
}

// takeHashes takes the hashes of some leaves of a writer.
func (f *Follower) takeHashes(ctx context.Context, snap Snapshot, node, from int64) (int64, error) {
	var hashes []tlog.Hash
	at := Range{From: Key{Table: Leaves, N: node, M: from - 1}, Prefix: 1, After: true, Limit: followLeaves}
	err := snap.Scan(ctx, at, func(r Row) error {
		l := r.(*LeafRow)
		if l.Index != from+int64(len(hashes)) {
			return fmt.Errorf("leaf %d of node %d is missing", from+int64(len(hashes)), node)
		}
		hashes = append(hashes, logbook.Hash(l.Salt, l.Body))
		return nil
	})
	if err != nil || len(hashes) == 0 {
		return 0, err
	}
	rows, err := f.TakeHashes(ctx, snap, node, from, hashes)
	if err != nil {
		return 0, err
	}
	return int64(len(hashes)), f.move(ctx, node, from, int64(len(hashes)), rows)
}

// tileBooks rebuilds the tiles of one log as its leaves are read.
type tileBooks struct {
	tiling logbook.Tiling
	size   int64 // leaves that the tiler has passed
}

// noteTiles takes in the hash of a leaf of a node.
func (b *books) noteTiles(node int64, h tlog.Hash) {
	t := b.tilings[node]
	if t == nil || t.tiling.Size >= t.size {
		return
	}
	expect := func(at tlog.Tile, data []byte) {
		r := &Tile{Node: node, Place: tilePlace(at), Hashes: data}
		b.tiles[KeyOf(r)] = rowHash(b.seed, r)
	}
	t.tiling.Add(h, expect)
	if t.tiling.Size == t.size {
		t.tiling.Partial(expect)
	}
}

// checkTiles compares the tiles with the leaves that the tiler has passed.
func (b *books) checkTiles() error {
	for node, t := range b.tilings {
		if t.tiling.Size != t.size {
			return fmt.Errorf("the tiles hold %d leaves of node %d, which has %d", t.size, node, t.tiling.Size)
		}
	}
	stored := 0
	err := b.scan(Tiles, func(r Row) error {
		stored++
		t := r.(*Tile)
		want, ok := b.tiles[KeyOf(t)]
		switch {
		case !ok:
			return fmt.Errorf("log of node %d: %s stands where no tile should", t.Node, t.path())
		case want != rowHash(b.seed, t):
			return fmt.Errorf("log of node %d: %s does not hold the hashes of the leaves", t.Node, t.path())
		}
		return nil
	})
	if err == nil && stored != len(b.tiles) {
		return fmt.Errorf("%d tiles are stored, the leaves make %d", stored, len(b.tiles))
	}
	return err
}
