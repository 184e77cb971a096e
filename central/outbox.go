package central

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// What must be told after a commit is told from the log. Each consumer has a cursor of its own over the leaves of each writer, kept in the store: what a
// process did not get to before it died, the next one goes on with.
//
//	rows       that follow from leaves are stored in the transaction that moves the cursor: once, whatever dies when
//	the rest   — a letter, an order to the provider, another command — is done before the cursor moves, so it may be asked for again after a
//	           crash; what is asked for is named by its leaf, and whoever does it does what has that name once
//
// Nothing is told before its leaf is committed, as nobody reads it before. The OnCommit of a register only wakes the followers: a wake that is lost
// costs no more than the time to the next look.

// Entry is a leaf as followers get it.
type Entry struct {
	*logbook.Leaf
	Lines [][]byte // the rows of the leaf, each as it was written: see [ReadRow]
}

// ReadRow reads a line of a leaf.
func ReadRow(line []byte) (Row, error) {
	var row Row
	_, err := logbook.ParseRow(line, func(table string) ([]any, error) {
		id, ok := tableIDs[table]
		if !ok {
			return nil, fmt.Errorf("there is no table %.40q", table)
		}
		row = Schema[id].New()
		return row.Fields(), nil
	})
	return row, err
}

// Follower takes the leaves of the log, in the order of each writer, from its cursor on.
type Follower struct {
	Name  string // of the cursor
	Store Store
	Kinds []string // of the leaves that it takes, which are the only ones read whole; nil: all
	// Own has it follow the writer Node alone, where what it does must be done by one process at a time; otherwise it follows all writers, and
	// several processes may do so: a cursor moves once.
	Own  bool
	Node int64
	// Delay leaves leaves alone until they are so old by the clock.
	Delay time.Duration
	Clock Clock // for Delay
	// Take does what follows from some leaves, in the view in which they were read, and returns rows to store with the cursor; counters are added to,
	// each stands once. After an error the cursor stays and the same leaves come again.
	Take func(ctx context.Context, snap Snapshot, entries []Entry) ([]Row, error)
	// TakeHashes stands for Take where hashes of leaves are all that is needed: those from leaf from on. The rows that it returns may be stored already.
	TakeHashes func(ctx context.Context, snap Snapshot, node, from int64, hashes []tlog.Hash) ([]Row, error)
}

const (
	// followLeaves and followBytes bound what a follower reads at a time. A leaf that pays a slice of winners has some 200 KB.
	followLeaves = 1024
	followBytes  = 4 << 20
)

// CatchUp takes all leaves that are committed.
func (f *Follower) CatchUp(ctx context.Context) error {
	for {
		n, err := f.step(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if n == 0 {
			return nil
		}
	}
}

// step takes some leaves of each writer and returns how many it read.
func (f *Follower) step(ctx context.Context) (read int64, err error) {
	snap, err := f.Store.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	defer snap.Close()
	ws, err := f.writers(ctx, snap)
	if err != nil {
		return 0, err
	}
	for _, w := range ws {
		from, err := progress(ctx, snap, f.Name, w.Node)
		if err != nil {
			return read, err
		}
		if from >= w.Size {
			continue
		}
		n, err := f.take(ctx, snap, w.Node, from)
		if err != nil {
			return read, fmt.Errorf("node %d from leaf %d on: %w", w.Node, from, err)
		}
		read += n
	}
	return read, nil
}

func (f *Follower) writers(ctx context.Context, snap Snapshot) ([]*Writer, error) {
	ws, err := writers(ctx, snap)
	if f.Own {
		ws = slices.DeleteFunc(ws, func(w *Writer) bool { return w.Node != f.Node })
	}
	return ws, err
}

// take takes some leaves of a writer.
func (f *Follower) take(ctx context.Context, snap Snapshot, node, from int64) (int64, error) {
	if f.TakeHashes != nil {
		return f.takeHashes(ctx, snap, node, from)
	}
	entries, n, err := f.read(ctx, snap, node, from)
	if err != nil || n == 0 {
		return 0, err
	}
	var rows []Row
	if len(entries) > 0 {
		if rows, err = f.Take(ctx, snap, entries); err != nil {
			return 0, err
		}
	}
	return n, f.move(ctx, node, from, n, rows)
}

// read returns the next leaves of the kinds that the follower takes, and how many it has read to find them.
func (f *Follower) read(ctx context.Context, snap Snapshot, node, from int64) (entries []Entry, n int64, err error) {
	size := 0
	err = scanLeaves(ctx, snap, node, from, followLeaves, func(body []byte) error {
		if size >= followBytes {
			return errEnough
		}
		head, err := logbook.ParseHead(body)
		switch {
		case err != nil:
			return err
		case f.Delay > 0 && f.Clock.Now().Sub(time.UnixMicro(head.At)) < f.Delay:
			return errEnough
		case f.Kinds == nil || slices.Contains(f.Kinds, head.Kind):
			leaf, lines, err := logbook.ParseLeaf(body)
			if err != nil {
				return err
			}
			entries = append(entries, Entry{leaf, lines})
			size += len(body)
		}
		n++
		return nil
	})
	return entries, n, err
}

// scanLeaves calls yield for the bodies of a node's leaves from an index on, at most limit (0: all), until it returns errEnough.
func scanLeaves(ctx context.Context, snap Snapshot, node, from int64, limit int, yield func(body []byte) error) error {
	at := Range{From: Key{Table: Leaves, N: node, M: from - 1}, Prefix: 1, After: true, Limit: limit, Only: []string{"node", "idx", "body"}}
	err := snap.Scan(ctx, at, func(r Row) error {
		err := yield(r.(*LeafRow).Body)
		if err != nil && !errors.Is(err, errEnough) {
			err = fmt.Errorf("leaf %d of node %d: %w", r.(*LeafRow).Index, node, err)
		}
		return err
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// move stores rows with the cursor that moves past their leaves. Where it has moved already another process was faster: its rows are the same.
func (f *Follower) move(ctx context.Context, node, from, n int64, rows []Row) error {
	tx, err := f.Store.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	cursor := progressKey(f.Name, node)
	keys := []Key{cursor}
	if f.TakeHashes != nil {
		for _, r := range rows {
			keys = append(keys, KeyOf(r))
		}
		slices.SortFunc(keys, compareKeys)
	}
	held, err := tx.Load(ctx, keys, nil)
	if err != nil {
		return err
	}
	passed, stored := int64(0), make(map[Key]bool, len(held))
	for _, r := range held {
		if stored[KeyOf(r)] = true; KeyOf(r) == cursor {
			passed = r.(*Progress).N
		}
	}
	if passed != from {
		return nil
	}
	c := &Changes{}
	for _, r := range append(rows, &Progress{Name: f.Name, Node: node, N: from + n}) {
		switch _, counter := r.(*Counter); {
		case counter:
			c.Add = append(c.Add, r)
		case stored[KeyOf(r)]:
			c.Put = append(c.Put, r)
		default:
			c.New = append(c.New, r)
		}
	}
	if err := tx.Apply(ctx, c); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Behind returns how many leaves a follower has yet to pass, those that it leaves alone for its Delay among them.
func (f *Follower) Behind(ctx context.Context, snap Snapshot) (leaves int64, err error) {
	ws, err := f.writers(ctx, snap)
	for _, w := range ws {
		n, err := progress(ctx, snap, f.Name, w.Node)
		if err != nil {
			return 0, err
		}
		leaves += w.Size - n
	}
	return leaves, err
}

func writers(ctx context.Context, snap Snapshot) (list []*Writer, err error) {
	err = snap.Scan(ctx, Range{From: Key{Table: Writers}}, func(r Row) error {
		list = append(list, r.(*Writer))
		return nil
	})
	return list, err
}

// progress returns the number of leaves of a node that a job has passed.
func progress(ctx context.Context, snap Snapshot, job string, node int64) (int64, error) {
	r, err := snap.Get(ctx, progressKey(job, node))
	if r == nil || err != nil {
		return 0, err
	}
	return r.(*Progress).N, nil
}

const (
	// lookEvery is how often followers look for leaves that nobody woke them for: those of other nodes.
	lookEvery = time.Second
	// wakePause gathers the leaves of several batches into one transaction of a follower.
	wakePause = 50 * time.Millisecond
	// firstRest and longestRest bound the pause of a follower after an error, which doubles from one to the next.
	firstRest, longestRest = 100 * time.Millisecond, 30 * time.Second
)

// Outbox runs followers side by side.
//
//	outbox := central.NewOutbox(onError, central.NewHistorian(store), central.NewInbox(store), …)
//	register, err := central.NewRegister(central.Config{…, OnCommit: outbox.Committed})
//	outbox.Run(ctx)
type Outbox struct {
	OnError   func(follower string, err error) // told of each failure, after which the follower rests and tries again; may be nil
	Followers []*Follower
	wakes     []chan struct{}
}

// NewOutbox returns an outbox of followers.
func NewOutbox(onError func(follower string, err error), followers ...*Follower) *Outbox {
	o := &Outbox{OnError: onError, Followers: followers}
	for range followers {
		o.wakes = append(o.wakes, make(chan struct{}, 1))
	}
	return o
}

// Committed tells that leaves were added, as the OnCommit of a register; it never blocks.
func (o *Outbox) Committed([]Done) {
	for _, wake := range o.wakes {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// Run lets the followers follow until the context ends, and returns when all have stopped.
func (o *Outbox) Run(ctx context.Context) {
	var running sync.WaitGroup
	for i, f := range o.Followers {
		running.Go(func() { o.follow(ctx, f, o.wakes[i]) })
	}
	running.Wait()
}

func (o *Outbox) follow(ctx context.Context, f *Follower, wake <-chan struct{}) {
	for rest := firstRest; ctx.Err() == nil; {
		err := f.CatchUp(ctx)
		switch {
		case err == nil:
			rest = firstRest
			select {
			case <-wake:
			case <-time.After(lookEvery):
				continue
			case <-ctx.Done():
			}
			sleep(ctx, wakePause)
		case ctx.Err() != nil:
		default:
			if o.OnError != nil {
				o.OnError(f.Name, err)
			}
			sleep(ctx, rest)
			rest = min(2*rest, longestRest)
		}
	}
}

// sleep waits, but not beyond the end of the context.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
