package events

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"tirage/central"
)

// Place is a place in the logs of all nodes: the leaf of each that comes next. As text: "0:124,1:7", nodes at 0 left out.
type Place [central.MaxNodes]int64

func (p Place) String() string {
	var parts []string
	for node, next := range p {
		if next != 0 {
			parts = append(parts, fmt.Sprintf("%d:%d", node, next))
		}
	}
	if parts == nil {
		return "0:0"
	}
	return strings.Join(parts, ",")
}

// ParsePlace reads a place, in any order of the nodes.
func ParsePlace(text string) (Place, error) {
	var p Place
	var seen [central.MaxNodes]bool
	for part := range strings.SplitSeq(text, ",") {
		node, next, _ := strings.Cut(part, ":")
		n, err1 := strconv.ParseUint(node, 10, 8)
		i, err2 := strconv.ParseInt(next, 10, 64)
		if err1 != nil || err2 != nil || n >= central.MaxNodes || seen[n] || i < 0 {
			return Place{}, fmt.Errorf("place %.40q: accepted nodes with their next leaves, such as 0:124,1:7", text)
		}
		p[n], seen[n] = i, true
	}
	return p, nil
}

const (
	// keptSteps and keptEvents bound what is kept for those who are a little behind; who is further behind reads the log.
	keptSteps  = 8192
	keptEvents = 65_536
	// MostBehind bounds the leaves that one who was away reads of the log; beyond, everything is to be read anew.
	MostBehind = 20_000
	// readers bounds those who read the log for themselves at a time: the others wait.
	readers = 2
	// lookEvery is how often leaves of other nodes are looked for.
	lookEvery = time.Second
	// pageLeaves is how many leaves are read at a time.
	pageLeaves = 256
)

// ErrAway says that more has happened than is told: the follower stands at the present, and what it shows must be read anew.
var ErrAway = errors.New("too much has happened since")

// Feed tells events to followers. It reads the log once for all of them, and not at all while there are none.
type Feed struct {
	store   central.Reader
	wake    chan struct{}
	reading chan struct{} // slots of those who read the log for themselves
	looking sync.Mutex    // one look at a time

	mostSteps, mostEvents int
	mostBehind            int64

	mu        sync.Mutex
	followers int
	low, next Place // the leaves between them are in steps, but for those that tell nothing
	first     int64 // number of the first step
	steps     []*step
	events    int // in steps
	changed   chan struct{}
}

// NewFeed returns the feed of a store.
func NewFeed(store central.Reader) *Feed {
	return &Feed{
		store: store, wake: make(chan struct{}, 1), reading: make(chan struct{}, readers), changed: make(chan struct{}),
		mostSteps: keptSteps, mostEvents: keptEvents, mostBehind: MostBehind,
	}
}

// Committed tells that leaves were added, as the OnCommit of a register; it never blocks.
func (f *Feed) Committed([]central.Done) {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run reads what is added until the context ends. An error of the store is met again, or not, at the next look.
func (f *Feed) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		_ = f.look(ctx) // the next look tries again
		select {
		case <-ctx.Done():
		case <-f.wake:
		case <-tick.C:
		}
	}
}

// look reads the leaves that were added since the last look, when somebody follows.
func (f *Feed) look(ctx context.Context) error {
	f.looking.Lock()
	defer f.looking.Unlock()
	f.mu.Lock()
	from, wanted := f.next, f.followers > 0
	f.mu.Unlock()
	snap, err := f.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	to, err := present(ctx, snap)
	if err != nil {
		return err
	}
	var fresh []*step
	if wanted {
		err := read(ctx, snap, from, to, func(s *step) {
			if s.events > 0 {
				fresh = append(fresh, s)
			}
		})
		if err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case wanted:
		f.keep(fresh, to)
	case f.followers == 0:
		f.low, f.next = to, to
		f.first, f.steps, f.events = f.first+int64(len(f.steps)), nil, 0
	default: // somebody came meanwhile: the next look reads for them
		f.Committed(nil)
	}
	return nil
}

// keep takes steps over and lets the oldest go, then wakes those who wait.
func (f *Feed) keep(fresh []*step, to Place) {
	for _, s := range fresh {
		f.events += s.events
	}
	f.steps, f.next = append(f.steps, fresh...), to
	drop := 0
	for ; len(f.steps)-drop > f.mostSteps || f.events > f.mostEvents && drop < len(f.steps); drop++ {
		s := f.steps[drop]
		f.events -= s.events
		f.low[s.node] = s.index + 1
	}
	if drop > 0 {
		f.first += int64(drop)
		f.steps = append([]*step(nil), f.steps[drop:]...) // what was dropped is let go of
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// present returns the end of all logs.
func present(ctx context.Context, snap central.Snapshot) (p Place, err error) {
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Writers}}, func(r central.Row) error {
		if w := r.(*central.Writer); w.Node < central.MaxNodes {
			p[w.Node] = w.Size
		}
		return nil
	})
	return p, err
}

// read yields what the leaves from a place to another tell, node by node.
func read(ctx context.Context, snap central.Snapshot, from, to Place, yield func(*step)) error {
	for node := range to {
		for at := from[node]; at < to[node]; at += pageLeaves {
			r := central.Range{
				From: central.Key{Table: central.Leaves, N: int64(node), M: at - 1}, Prefix: 1, After: true,
				Limit: int(min(pageLeaves, to[node]-at)), Only: []string{"node", "idx", "body"},
			}
			err := snap.Scan(ctx, r, func(row central.Row) error {
				s, err := tell(row.(*central.LeafRow).Body)
				if err != nil {
					return fmt.Errorf("leaf %d of node %d: %w", row.(*central.LeafRow).Index, node, err)
				}
				yield(s)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
