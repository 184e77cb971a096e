package central

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// HistoryJob names the job that fills the history index.
const HistoryJob = "history"

// NewHistorian returns the follower that fills the history index, player by player, so that no sale writes to an index in random order. What it has not
// yet reached is read from the log itself: a statement always holds every movement.
func NewHistorian(s Store) *Follower {
	return &Follower{Name: HistoryJob, Store: s, Take: func(_ context.Context, _ Snapshot, entries []Entry) (rows []Row, err error) {
		for _, e := range entries {
			rows = appendMovements(rows, e.Leaf)
		}
		return rows, nil
	}}
}

func appendMovements(rows []Row, leaf *logbook.Leaf) []Row {
	for i := range leaf.Postings {
		if m := movementOf(leaf, &leaf.Postings[i]); m != nil {
			rows = append(rows, m)
		}
	}
	return rows
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
	err = scanAhead(ctx, snap, HistoryJob, func(body []byte) error {
		leaf, _, err := logbook.ParseLeaf(body)
		if err != nil {
			return err
		}
		for _, r := range appendMovements(nil, leaf) {
			if m := r.(*Movement); m.Player == player {
				all = append(all, m)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
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
