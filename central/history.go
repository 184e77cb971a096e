package central

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// HistoryJob names the job that fills the history index.
const HistoryJob = "history"

// historyLeaves is how many leaves one transaction of the history takes in.
const historyLeaves = 1024

// Historian fills the history index, player by player, from the log: after the commit, so that no sale writes to an index in random order. What it
// has not yet reached is read from the log itself, so that a statement always holds every movement.
type Historian struct {
	Store Store
	wake  chan struct{}
}

// NewHistorian returns the historian of a store.
func NewHistorian(s Store) *Historian { return &Historian{Store: s, wake: make(chan struct{}, 1)} }

// Wake tells that leaves were added; it never blocks.
func (h *Historian) Wake() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// Run catches up after each wake until the context ends. It returns the first error of the store, which a new Run may not meet.
func (h *Historian) Run(ctx context.Context) error {
	for {
		if err := h.CatchUp(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-h.wake:
		}
		// A pause gathers the leaves of several batches into one transaction.
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(historyPause):
		}
	}
}

const historyPause = 100 * time.Millisecond

// CatchUp takes in all leaves of all writers.
func (h *Historian) CatchUp(ctx context.Context) error {
	for {
		n, err := h.step(ctx)
		if n == 0 || err != nil {
			return err
		}
	}
}

// step takes in some leaves of each writer and returns how many. Several nodes may do it at a time: the row of the progress is locked, and who
// comes second finds it moved.
func (h *Historian) step(ctx context.Context) (taken int, err error) {
	snap, err := h.Store.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	defer snap.Close()
	ws, err := writers(ctx, snap)
	if err != nil {
		return 0, err
	}
	for _, w := range ws {
		from, err := progress(ctx, snap, w.Node)
		if err != nil {
			return taken, err
		}
		if from >= w.Size {
			continue
		}
		rows, n, err := readMovements(ctx, snap, w.Node, from, historyLeaves)
		if err != nil {
			return taken, err
		}
		if err := h.write(ctx, w.Node, from, n, rows); err != nil {
			return taken, fmt.Errorf("history of node %d from leaf %d on: %w", w.Node, from, err)
		}
		taken += int(n)
	}
	return taken, nil
}

// write stores movements with the progress that they make.
func (h *Historian) write(ctx context.Context, node, from, n int64, rows []Row) error {
	tx, err := h.Store.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	held, err := tx.Load(ctx, []Key{progressKey(HistoryJob, node)}, nil)
	if err != nil {
		return err
	}
	next := &Progress{Name: HistoryJob, Node: node, N: from + n}
	c := &Changes{New: rows}
	switch {
	case len(held) == 0 && from == 0:
		c.New = append(c.New, next)
	case len(held) == 1 && held[0].(*Progress).N == from:
		c.Put = []Row{next}
	default:
		return nil // another node was faster
	}
	if err := tx.Apply(ctx, c); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func writers(ctx context.Context, snap Snapshot) (list []*Writer, err error) {
	err = snap.Scan(ctx, Range{From: Key{Table: Writers}}, func(r Row) error {
		list = append(list, r.(*Writer))
		return nil
	})
	return list, err
}

// progress returns the number of leaves of a node that the index holds.
func progress(ctx context.Context, snap Snapshot, node int64) (int64, error) {
	r, err := snap.Get(ctx, progressKey(HistoryJob, node))
	if r == nil || err != nil {
		return 0, err
	}
	return r.(*Progress).N, nil
}

// readMovements reads the movements in the leaves of a node from an index on, and returns the number of leaves read, at most limit (0: all).
func readMovements(ctx context.Context, snap Snapshot, node, from int64, limit int) (rows []Row, n int64, err error) {
	at := Range{From: Key{Table: Leaves, N: node, M: from - 1}, Prefix: 1, After: true, Limit: limit}
	err = snap.Scan(ctx, at, func(r Row) error {
		n++
		leaf, _, err := logbook.ParseLeaf(r.(*LeafRow).Body)
		if err != nil {
			return fmt.Errorf("leaf %d of node %d: %w", r.(*LeafRow).Index, node, err)
		}
		for i := range leaf.Postings {
			if m := movementOf(leaf, &leaf.Postings[i]); m != nil {
				rows = append(rows, m)
			}
		}
		return nil
	})
	return rows, n, err
}

// movementOf returns the movement of a player's balance that a posting is, or nil.
func movementOf(leaf *logbook.Leaf, l *logbook.Posting) *Movement {
	if l.Version == 0 {
		return nil
	}
	m := &Movement{Version: l.Version, At: leaf.At, Node: leaf.Node, Leaf: leaf.Index, Account: l.From, Cents: l.Cents, After: l.After}
	if id, ok := ledger.Account(l.To).PlayerID(); ok {
		m.Player = id
		return m
	}
	m.Player, _ = ledger.Account(l.From).PlayerID()
	m.Account, m.Cents = l.To, -l.Cents
	return m
}

// Totals adds up movements of a player by what they are. Net is gains less stakes; opening balance + deposits − withdrawals + net + other is the
// closing balance.
type Totals struct {
	Stakes      money.Cents `json:"stakes"`
	Gains       money.Cents `json:"gains"`
	Net         money.Cents `json:"net"`
	Deposits    money.Cents `json:"deposits"`
	Withdrawals money.Cents `json:"withdrawals"` // less those that came back
	Other       money.Cents `json:"other"`       // corrections
}

func (t *Totals) add(m *Movement) {
	switch ledger.Account(m.Account).Kind() {
	case "stakes":
		t.Stakes = money.Add(t.Stakes, -m.Cents)
	case "prizes", "claims":
		t.Gains = money.Add(t.Gains, m.Cents)
	case "bank":
		t.Deposits = money.Add(t.Deposits, m.Cents)
	case "withdrawal":
		t.Withdrawals = money.Add(t.Withdrawals, -m.Cents)
	default:
		t.Other = money.Add(t.Other, m.Cents)
	}
	t.Net = money.Add(t.Gains, -t.Stakes)
}

// StatementQuery asks for the movements of a player at or after From and before To, a zero time being no bound; of them at most Limit that
// follow movement After (0: all). Opening, closing and totals are always those of the whole period.
type StatementQuery struct {
	Player   int64
	From, To time.Time
	After    int64
	Limit    int
}

// Statement is what happened to a player's balance in a period.
type Statement struct {
	Opening   money.Cents
	Closing   money.Cents
	Totals    Totals
	Movements []*Movement
	More      bool // there are further movements in the period
}

// ReadStatement reads a statement. Movements stand in the order of the balance; where the clocks of two nodes differ, a movement counts as being
// made no earlier than the one before it.
func ReadStatement(ctx context.Context, snap Snapshot, q StatementQuery) (*Statement, error) {
	all, err := movements(ctx, snap, q.Player)
	if err != nil {
		return nil, err
	}
	s := &Statement{}
	var at int64
	for _, m := range all {
		at = max(at, m.At)
		switch {
		case !q.From.IsZero() && at < q.From.UnixMicro():
			s.Opening, s.Closing = m.After, m.After
			continue
		case !q.To.IsZero() && at >= q.To.UnixMicro():
			return s, nil
		}
		s.Totals.add(m)
		s.Closing = m.After
		switch {
		case m.Version <= q.After:
		case q.Limit > 0 && len(s.Movements) == q.Limit:
			s.More = true
		default:
			s.Movements = append(s.Movements, m)
		}
	}
	return s, nil
}

// movements reads all movements of a player in order: those of the index, and those of the leaves that it has not yet reached.
func movements(ctx context.Context, snap Snapshot, player int64) ([]*Movement, error) {
	var all []*Movement
	err := snap.Scan(ctx, Range{From: Key{Table: Movements, N: player}, Prefix: 1}, func(r Row) error {
		all = append(all, r.(*Movement))
		return nil
	})
	if err != nil {
		return nil, err
	}
	ws, err := writers(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, w := range ws {
		from, err := progress(ctx, snap, w.Node)
		if err != nil {
			return nil, err
		}
		if from >= w.Size {
			continue
		}
		tail, _, err := readMovements(ctx, snap, w.Node, from, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range tail {
			if m := r.(*Movement); m.Player == player {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b *Movement) int { return cmp.Compare(a.Version, b.Version) })
	return all, nil
}

// CheckFigures is what the reality check shows: how long the player has played, and what was staked and gained since.
type CheckFigures struct {
	Open    bool      `json:"open"` // to be acknowledged before the next stake
	Due     time.Time `json:"due,omitzero"`
	Since   time.Time `json:"since,omitzero"`
	Minutes int64     `json:"minutes"`
	Totals  Totals    `json:"totals"`
}

// ReadCheck returns the figures of a player's stretch of play as they stand now.
func ReadCheck(ctx context.Context, snap Snapshot, player int64, now time.Time) (*CheckFigures, error) {
	pl, err := snap.Get(ctx, playerKey(player))
	if err != nil {
		return nil, err
	}
	g, err := snap.Get(ctx, guardKey(player))
	if err != nil {
		return nil, err
	}
	if pl == nil || g == nil {
		return nil, refuse(NotFound, "player.unknown", "player", "there is no player %d", player)
	}
	f := &CheckFigures{Due: due(pl.(*Player))}
	since := g.(*Guard).Since
	if f.Due.IsZero() || since == 0 {
		return f, nil
	}
	f.Open = !now.Before(f.Due)
	f.Since = time.UnixMicro(since).UTC()
	f.Minutes = int64(now.Sub(f.Since) / time.Minute)
	s, err := ReadStatement(ctx, snap, StatementQuery{Player: player, From: f.Since})
	if err != nil {
		return nil, err
	}
	f.Totals = s.Totals
	return f, nil
}
