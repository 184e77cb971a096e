package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tirage/central"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// Feed reads the log as it grows and tells what follows from each leaf: to everybody what changes of draws and packs, to each player what changes of
// their own. An event is named by the place in the log that it ends, so whoever was away goes on from there, on whatever node, after a restart too.
//
//	feed := api.NewFeed(store)
//	register, err := central.NewRegister(central.Config{…, OnCommit: func([]central.Done) { feed.Wake() }})
//	go feed.Run(ctx)
type Feed struct {
	store central.Reader
	wake  chan struct{}

	mu      sync.Mutex
	ready   bool
	next    place  // the leaf of each node that is read next
	first   int64  // number of the first step that is kept
	steps   []step // the latest, in the order in which they were read
	changed chan struct{}
}

// place is a place in the logs of all nodes: the next leaf of each.
type place map[int64]int64

// String writes it as the id of an event: "0:124,1:7".
func (p place) String() string {
	var parts []string
	for _, node := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, fmt.Sprintf("%d:%d", node, p[node]))
	}
	return strings.Join(parts, ",")
}

// parsePlace reads what String wrote.
func parsePlace(text string) (place, error) {
	p := place{}
	for part := range strings.SplitSeq(text, ",") {
		node, next, _ := strings.Cut(part, ":")
		n, err1 := strconv.ParseInt(node, 10, 64)
		i, err2 := strconv.ParseInt(next, 10, 64)
		if err1 != nil || err2 != nil || n < 0 || n >= central.MaxNodes || i < 0 {
			return nil, fmt.Errorf("place %.40q", text)
		}
		p[n] = i
	}
	return p, nil
}

// step is a leaf that tells something.
type step struct {
	node, index int64
	events      []Event
}

// Event is something that happened.
type Event struct {
	Name   string
	Player int64 // whose it is, 0: everybody's
	Data   any
}

const (
	// feedKept bounds the steps that are kept for those who are a little behind; who is further behind reads the log.
	feedKept = 8192
	// feedBehind bounds the leaves that one who was away reads; beyond, everything is to be read anew.
	feedBehind = 20_000
	// feedEvery is how often leaves of other nodes are looked for.
	feedEvery = time.Second
	// feedPage is how many leaves are read at a time.
	feedPage = 1024
)

// NewFeed returns the feed of a store.
func NewFeed(store central.Reader) *Feed {
	return &Feed{store: store, wake: make(chan struct{}, 1), next: place{}, changed: make(chan struct{})}
}

// Wake tells that leaves were added; it never blocks.
func (f *Feed) Wake() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run reads until the context ends. An error of the store is met again, or not, at the next look.
func (f *Feed) Run(ctx context.Context) {
	tick := time.NewTicker(feedEvery)
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

// look reads the leaves that were added since the last look. The first one only notes where the logs stand.
func (f *Feed) look(ctx context.Context) error {
	snap, err := f.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	sizes, err := logSizes(ctx, snap)
	if err != nil {
		return err
	}
	f.mu.Lock()
	from := maps.Clone(f.next)
	ready := f.ready
	f.mu.Unlock()
	var fresh []step
	if ready {
		if fresh, err = readSteps(ctx, snap, from, sizes); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next, f.ready = sizes, true
	if f.steps = append(f.steps, fresh...); len(f.steps) > feedKept {
		drop := len(f.steps) - feedKept
		f.first += int64(drop)
		f.steps = slices.Clone(f.steps[drop:])
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return nil
}

func logSizes(ctx context.Context, snap central.Snapshot) (place, error) {
	sizes := place{}
	err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Writers}}, func(r central.Row) error {
		sizes[r.(*central.Writer).Node] = r.(*central.Writer).Size
		return nil
	})
	return sizes, err
}

// readSteps reads the leaves from a place to another.
func readSteps(ctx context.Context, snap central.Snapshot, from, to place) (steps []step, err error) {
	for _, node := range slices.Sorted(maps.Keys(to)) {
		for at := from[node]; at < to[node]; {
			n := min(feedPage, to[node]-at)
			r := central.Range{From: central.Key{Table: central.Leaves, N: node, M: at - 1}, Prefix: 1, After: true, Limit: int(n), Only: []string{"node", "idx", "body"}}
			err := snap.Scan(ctx, r, func(row central.Row) error {
				l := row.(*central.LeafRow)
				events, err := eventsOf(l.Body)
				if len(events) > 0 {
					steps = append(steps, step{node, l.Index, events})
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			at += n
		}
	}
	return steps, nil
}

// DrawEvent tells where a draw stands.
type DrawEvent struct {
	Draw  string `json:"draw"`
	Game  string `json:"game"`
	State string `json:"state"`
}

// PackEvent tells what is sold of a pack type.
type PackEvent struct {
	Draw     string `json:"draw"`
	Type     string `json:"type"`
	Opened   int64  `json:"opened" doc:"Packs"`
	MaxPacks int64  `json:"max_packs"`
	Shares   int64  `json:"shares" doc:"Of one pack"`
	Sold     int64  `json:"sold" doc:"Shares, over all packs"`
}

// BalanceEvent tells a movement of the player's balance.
type BalanceEvent struct {
	Number  int64       `json:"number"`
	Account string      `json:"account"`
	Cents   money.Cents `json:"cents" doc:"Above zero: to the player"`
	Balance money.Cents `json:"balance"`
}

// DoneEvent tells what the player has done, on whatever device.
type DoneEvent struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
}

// eventsOf returns what follows from a leaf.
func eventsOf(body []byte) (events []Event, err error) {
	leaf, lines, err := logbook.ParseLeaf(body)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		e, err := eventOfRow(line)
		if err != nil {
			return nil, err
		}
		if e != nil {
			events = append(events, *e)
		}
	}
	for _, p := range leaf.Postings {
		if p.Version == 0 {
			continue
		}
		e := BalanceEvent{p.Version, p.From, p.Cents, p.After}
		player, ok := ledger.Account(p.To).PlayerID()
		if !ok {
			player, _ = ledger.Account(p.From).PlayerID()
			e.Account, e.Cents = p.To, -p.Cents
		}
		events = append(events, Event{"balance", player, e})
	}
	if id, ok := ledger.Account(leaf.Principal).PlayerID(); ok { // principals of players are written like their accounts
		events = append(events, Event{"done", id, DoneEvent{leaf.Kind, time.UnixMicro(leaf.At).UTC()}})
	}
	return events, nil
}

// the rows of the log that everybody is told of.
var (
	drawsTable = []byte(`["` + central.Schema[central.Draws].Name + `",`)
	packsTable = []byte(`["` + central.Schema[central.PackTypes].Name + `",`)
)

func eventOfRow(line []byte) (*Event, error) {
	switch {
	case bytes.HasPrefix(line, drawsTable):
		cells, err := cellsOf(line, central.Draws)
		return &Event{Name: "draw", Data: DrawEvent{cells.text("id"), cells.text("game"), cells.text("state")}}, err
	case bytes.HasPrefix(line, packsTable):
		cells, err := cellsOf(line, central.PackTypes)
		return &Event{Name: "pack", Data: PackEvent{
			cells.text("draw"), cells.text("type"), cells.number("opened"), cells.number("max_packs"), cells.number("shares"), cells.number("sold"),
		}}, err
	}
	return nil, nil
}

// cells are the columns of a row by name.
type cells map[string]any

func cellsOf(line []byte, table central.TableID) (cells, error) {
	var values []any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return nil, fmt.Errorf("row of %s: %w", central.Schema[table].Name, err)
	}
	columns := central.Schema[table].Columns
	if len(values) != len(columns)+1 {
		return nil, fmt.Errorf("row of %s: %d values for %d columns", central.Schema[table].Name, len(values)-1, len(columns))
	}
	c := cells{}
	for i, column := range columns {
		c[column.Name] = values[i+1]
	}
	return c, nil
}

func (c cells) text(name string) string {
	s, _ := c[name].(string)
	return s
}

func (c cells) number(name string) int64 {
	n, _ := c[name].(json.Number)
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return i
}

// errAway says that too much has happened to be told.
var errAway = errors.New("too far behind")

// follower goes through the events of the feed, for one caller.
type follower struct {
	feed *Feed
	at   place
	next int64 // number of the next step
	past []step
}

// follow starts from a place, from now on when it is nil. errAway: from now on, and everything is to be read anew.
func (f *Feed) follow(ctx context.Context, from place) (*follower, error) {
	f.mu.Lock()
	w := &follower{feed: f, at: maps.Clone(f.next), next: f.first + int64(len(f.steps))}
	f.mu.Unlock()
	if from == nil {
		return w, nil
	}
	behind := int64(0)
	for node, n := range w.at {
		behind += max(0, n-from[node])
	}
	if behind > feedBehind {
		return w, errAway
	}
	snap, err := f.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	if w.past, err = readSteps(ctx, snap, from, w.at); err != nil {
		return nil, err
	}
	w.at = maps.Clone(from)
	return w, nil
}

// take returns the next steps, and what is closed when there are more; errAway when they are gone already.
func (w *follower) take() (steps []step, changed <-chan struct{}, err error) {
	f := w.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	steps, w.past = w.past, nil
	switch end := f.first + int64(len(f.steps)); {
	case w.next < f.first:
		w.next, w.at = end, maps.Clone(f.next)
		return nil, f.changed, errAway
	default:
		steps = append(steps, f.steps[w.next-f.first:]...)
		w.next = end
	}
	return steps, f.changed, nil
}

// id is the id of the events of a step: where to go on after it.
func (w *follower) id(s step) string {
	w.at[s.node] = max(w.at[s.node], s.index+1)
	return w.at.String()
}
