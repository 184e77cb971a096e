package central

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// Log is what the world sees of the logs: hashes in tiles, signed checkpoints; and what the owner of a leaf sees, its receipt.
//
//	log := &central.Log{Store: store, Signer: keys.Log, Operator: "tirage.example"}
//	signed, err := log.Checkpoint(ctx, 0)
//	tile, err := log.Tile(ctx, 0, tlog.Tile{H: 8, L: 0, N: 12, W: 256})
//
// A checkpoint promises what the tiles hold, so they can always be checked against each other; both follow the log by the moments that the
// follower of [NewTiler] takes. The key of the checkpoints signs nothing else.
type Log struct {
	Store    Store
	Signer   note.Signer
	Operator string // the first part of each log's name, see [logbook.OriginOf]
}

// Nodes lists the writers that have a log.
func (l *Log) Nodes(ctx context.Context) ([]int64, error) {
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	ws, err := writers(ctx, snap)
	var nodes []int64
	for _, w := range ws {
		nodes = append(nodes, w.Node)
	}
	return nodes, err
}

// Checkpoint signs what is published of the log of a node.
func (l *Log) Checkpoint(ctx context.Context, node int64) (signed string, err error) {
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	c, err := l.checkpoint(ctx, snap, node)
	if err != nil {
		return "", err
	}
	return c.Sign(l.Signer)
}

// errNoLog is the refusal of a log that does not exist.
func errNoLog(node int64) error {
	return refuse(NotFound, "log.unknown", "node", "there is no log of node %d", node)
}

// checkpoint works out the root of the tiles. Where they hold the whole log it must be the one that the sales have left: two trees of one size are
// never signed.
func (l *Log) checkpoint(ctx context.Context, snap Snapshot, node int64) (logbook.Checkpoint, error) {
	c := logbook.Checkpoint{Origin: logbook.OriginOf(l.Operator, node)}
	row, err := snap.Get(ctx, Key{Table: Writers, N: node})
	if err != nil {
		return c, err
	}
	w, _ := row.(*Writer)
	if w == nil {
		return c, errNoLog(node)
	}
	if c.Size, err = progress(ctx, snap, TilesJob, node); err != nil {
		return c, err
	}
	if c.Root, err = tlog.TreeHash(c.Size, logbook.Hashes(c.Size, readTiles(ctx, snap, node))); err != nil {
		return c, err
	}
	if c.Size == w.Size {
		tree, err := logbook.ParseTree(w.Size, w.Edge)
		if err != nil {
			return c, fmt.Errorf("log of node %d: %w", node, err)
		}
		if root := tree.Root(); !bytes.Equal(root[:], c.Root[:]) {
			return c, fmt.Errorf("log of node %d: the tiles give another root than the log of %d leaves: nothing is signed", node, c.Size)
		}
	}
	return c, nil
}

// Tile returns the hashes of a tile that is published.
func (l *Log) Tile(ctx context.Context, node int64, t tlog.Tile) ([]byte, error) {
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	row, err := snap.Get(ctx, Key{Table: Tiles, N: node, M: tilePlace(t)})
	if err != nil {
		return nil, err
	}
	if tile, _ := row.(*Tile); tile != nil && len(tile.Hashes) >= t.W*tlog.HashSize {
		return tile.Hashes[:t.W*tlog.HashSize], nil
	}
	return nil, refuse(NotFound, "log.tile", "tile", "the log of node %d has no %s", node, logbook.TilePath(t))
}
