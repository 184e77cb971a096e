package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/central"
	"tirage/logbook"
)

// receipts is the number of random receipts that are read again after a measurement.
const receipts = 1000

// verify checks the books of a database and the receipts of the purchases: asked again under the same key, each must give the same receipt
// without anything being done, and its leaf must be proved to stand in the log.
func (w *world) verify(ctx context.Context, store central.Store, bought []purchase, done *Checked) error {
	if err := central.CheckBooks(ctx, store); err != nil {
		return err
	}
	done.Databases++
	bought = bought[:min(len(bought), receipts)]
	if err := w.askAgain(ctx, store, bought); err != nil {
		return err
	}
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	logs, err := readLogs(ctx, snap, bought)
	if err != nil {
		return err
	}
	for _, p := range bought {
		if err := logs[p.receipt.Node].prove(ctx, snap, &p); err != nil {
			return fmt.Errorf("receipt %d of node %d: %w", p.receipt.Index, p.receipt.Node, err)
		}
	}
	done.Receipts += len(bought)
	return nil
}

// askAgain sends the requests of the purchases a second time.
func (w *world) askAgain(ctx context.Context, store central.Store, bought []purchase) error {
	r, err := central.NewRegister(w.config(store))
	if err != nil {
		return err
	}
	defer r.Close()
	for _, p := range bought {
		again, err := r.Do(ctx, p.request)
		if err != nil {
			return fmt.Errorf("request of receipt %d asked again: %w", p.receipt.Index, err)
		}
		first := p.receipt // whose time the API does not tell
		if !again.Replayed || again.Node != first.Node || again.Index != first.Index || !first.At.IsZero() && !again.At.Equal(first.At) || !bytes.Equal(again.Result, first.Result) {
			return fmt.Errorf("request asked again: receipt %d of node %d, the first was %d of node %d", again.Index, again.Node, first.Index, first.Node)
		}
	}
	return nil
}

// writerLog is the log of one writer: its tree as stored in full, and the root that the store vouches for.
type writerLog struct {
	size   int64
	root   tlog.Hash
	hashes []tlog.Hash // by tlog.StoredHashIndex
}

// ReadHashes reads stored hashes of the tree.
func (l *writerLog) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x >= int64(len(l.hashes)) {
			return nil, fmt.Errorf("hash %d of %d", x, len(l.hashes))
		}
		out[i] = l.hashes[x]
	}
	return out, nil
}

// readLogs reads the logs in which the purchases stand.
func readLogs(ctx context.Context, snap central.Snapshot, bought []purchase) (map[int64]*writerLog, error) {
	logs := map[int64]*writerLog{}
	for _, p := range bought {
		logs[p.receipt.Node] = &writerLog{}
	}
	sizes, err := central.LogSizes(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, s := range sizes {
		if l := logs[s.Node]; l != nil {
			l.size, l.root = s.Size, tlog.Hash(s.Root)
		}
	}
	for node, l := range logs {
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Leaves, N: node}, Prefix: 1}, func(r central.Row) error {
			leaf := r.(*central.LeafRow)
			more, err := tlog.StoredHashesForRecordHash(leaf.Index, logbook.Hash(leaf.Salt, leaf.Body), l)
			l.hashes = append(l.hashes, more...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("log of node %d: %w", node, err)
		}
	}
	return logs, nil
}

// prove shows that the leaf of a purchase says what its receipt says, and that it stands in the log.
func (l *writerLog) prove(ctx context.Context, snap central.Snapshot, p *purchase) error {
	row, err := snap.Get(ctx, central.Key{Table: central.Leaves, N: p.receipt.Node, M: p.receipt.Index})
	if err != nil {
		return err
	}
	leaf, _ := row.(*central.LeafRow)
	if leaf == nil {
		return fmt.Errorf("there is no such leaf")
	}
	var said struct {
		Principal, Key string
		Result         json.RawMessage
	}
	if err := json.Unmarshal(leaf.Body, &said); err != nil {
		return err
	}
	if said.Principal != p.request.Principal || said.Key != p.request.Key || !bytes.Equal(said.Result, p.receipt.Result) {
		return fmt.Errorf("the leaf is that of key %s of %s", said.Key, said.Principal)
	}
	proof, err := tlog.ProveRecord(l.size, p.receipt.Index, l)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, l.size, l.root, p.receipt.Index, logbook.Hash(leaf.Salt, leaf.Body))
}
