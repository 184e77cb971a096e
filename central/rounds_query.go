package central

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tirage/fairness/replay"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// RoundState is a round as its player sees it.
type RoundState struct {
	Round      RoundID      `json:"round"`
	Game       string       `json:"game"`
	Rules      string       `json:"rules"`
	State      replay.State `json:"state"`
	EndedBy    string       `json:"ended_by,omitempty"`
	Stake      money.Cents  `json:"stake"`
	Gain       money.Cents  `json:"gain"`       // paid
	Step       int64        `json:"step"`       // to send with the next action
	Level      int          `json:"level"`      // passed
	Items      int          `json:"items"`      // fallen so far
	Sum        money.Cents  `json:"sum"`        // of the values on the pile
	Stars      int          `json:"stars"`      // in the gauge
	Multiplier string       `json:"multiplier"` // that the gauge shows: "4", "3/2"
	Sure       money.Cents  `json:"sure"`       // what « J'arrête » pays now
	Next       *NextLevel   `json:"next,omitempty"`
	StartedAt  time.Time    `json:"started_at"`
	ClosesAt   time.Time    `json:"closes_at"` // still open then, it is closed by the operator
	EndedAt    *time.Time   `json:"ended_at,omitempty"`
}

// NextLevel is the level ahead of an open round.
type NextLevel struct {
	Level      int        `json:"level"`
	Items      int        `json:"items"`      // its number on the ladder: those on the pile when it is passed
	Chance     string     `json:"chance"`     // exact, "81450625/100000000" reduced
	French     string     `json:"french"`     // "1 chance sur 1,23"
	English    string     `json:"english"`    // "1 in 1.23"
	Commitment replay.Hex `json:"commitment"` // to the secret of the series
}

// state returns how a round stands.
// Art. donuts@2019-06-25:3.2.4 (the player decides, and may decide again while the pile holds).
func (l *ladderRules) state(r *Round) RoundState {
	at := r.ladder()
	s := RoundState{
		Round: r.ID, Game: r.Game, Rules: r.Rules, State: replay.State(r.State), EndedBy: r.EndedBy, Stake: r.Stake, Gain: r.Gain, Step: r.Step,
		Level: at.Level, Sum: at.Sum, Stars: at.Stars, Multiplier: l.multiplier(at.Stars), StartedAt: time.UnixMicro(r.Started).UTC(), ClosesAt: time.UnixMicro(r.Due).UTC(),
	}
	if r.Step < int64(len(l.items)) {
		s.Items = l.items[r.Step]
	}
	if r.Ended != 0 {
		ended := time.UnixMicro(r.Ended).UTC()
		s.EndedAt = &ended
	}
	if r.open() && at.Level < len(l.next) && l.breach(at) == "" {
		s.Sure = l.table.Gain(at)
		next := l.next[at.Level]
		next.Commitment = r.Commitment
		s.Next = &next
	}
	return s
}

// multiplier returns what the gauge shows.
func (l *ladderRules) multiplier(stars int) string {
	gauge := l.table.Rules().Gauge
	if stars < 0 || stars >= len(gauge) {
		return "1"
	}
	if m := gauge[stars]; m.Den != 1 {
		return m.String()
	}
	return strconv.FormatInt(gauge[stars].Num, 10)
}

// PastRound is a round of the history: what was stored when it was played, to be shown again. Nothing in it is drawn anew.
type PastRound struct {
	Replay bool            `json:"replay"` // always true: this is no play
	Round  RoundState      `json:"round"`
	Series []replay.Series `json:"series"`
}

// CurrentRound returns the player's open round of a game with its series, nil when none is open. It is the same from every device.
func CurrentRound(ctx context.Context, snap Snapshot, game string, player int64) (*PastRound, error) {
	row, err := snap.Get(ctx, seatKey(game, player))
	if err != nil || row == nil || row.(*Seat).Open == 0 {
		return nil, err
	}
	r, rules, err := readRound(ctx, snap, game, row.(*Seat).Open)
	if err != nil {
		return nil, err
	}
	past, err := rules.past(ctx, snap, r)
	if err == nil {
		past.Replay = false
	}
	return past, err
}

// maxHistory bounds a page of the history.
const maxHistory = 100

// RoundHistory returns the player's rounds of a game, the latest first: at most limit, those before a round when one is given (0: from the latest on).
func RoundHistory(ctx context.Context, snap Snapshot, game string, player int64, before RoundID, limit int) ([]*PastRound, error) {
	if limit < 1 || limit > maxHistory {
		return nil, refuse(Invalid, "history.limit", "limit", "%d rounds, accepted 1 to %d", limit, maxHistory)
	}
	id, err := historyFrom(ctx, snap, game, player, before)
	if err != nil {
		return nil, err
	}
	list := []*PastRound{}
	for id != 0 && len(list) < limit {
		r, rules, err := readRound(ctx, snap, game, id)
		if err != nil {
			return nil, err
		}
		past, err := rules.past(ctx, snap, r)
		if err != nil {
			return nil, err
		}
		list = append(list, past)
		id = r.Previous
	}
	return list, nil
}

// historyFrom returns the first round of a page.
func historyFrom(ctx context.Context, snap Snapshot, game string, player int64, before RoundID) (RoundID, error) {
	if before != 0 {
		r, _, err := readRound(ctx, snap, game, before)
		if err == nil && r.Player != player {
			err = refuse(NotFound, "round.unknown", "round", "player %d has no round %v of %.40q", player, before, game)
		}
		if err != nil {
			return 0, err
		}
		return r.Previous, nil
	}
	row, err := snap.Get(ctx, seatKey(game, player))
	if err != nil || row == nil {
		return 0, err
	}
	return row.(*Seat).Last, nil
}

func readRound(ctx context.Context, snap Snapshot, game string, id RoundID) (*Round, *ladderRules, error) {
	row, err := snap.Get(ctx, roundKey(game, id))
	if err != nil {
		return nil, nil, err
	}
	if row == nil {
		return nil, nil, refuse(NotFound, "round.unknown", "round", "there is no round %v of %.40q", id, game)
	}
	rules, err := ladderUnder(row.(*Round).Rules)
	return row.(*Round), rules, err
}

func readSeries(ctx context.Context, snap Snapshot, r *Round) (rows []*SeriesRow, err error) {
	err = snap.Scan(ctx, Range{From: seriesKey(r.Game, r.ID, 0), Prefix: 2}, func(row Row) error {
		rows = append(rows, row.(*SeriesRow))
		return nil
	})
	return rows, err
}

func (l *ladderRules) past(ctx context.Context, snap Snapshot, r *Round) (*PastRound, error) {
	rows, err := readSeries(ctx, snap, r)
	if err != nil {
		return nil, err
	}
	file, err := l.file(r, rows)
	if err != nil {
		return nil, err
	}
	return &PastRound{Replay: true, Round: l.state(r), Series: file.Series}, nil
}

// ExportRound returns a player's round as the file that `tirage verify round` reads.
func ExportRound(ctx context.Context, snap Snapshot, game string, player int64, id RoundID) (*replay.Round, error) {
	r, rules, err := readRound(ctx, snap, game, id)
	if err == nil && r.Player != player {
		err = refuse(NotFound, "round.unknown", "round", "player %d has no round %v of %.40q", player, id, game)
	}
	if err != nil {
		return nil, err
	}
	rows, err := readSeries(ctx, snap, r)
	if err != nil {
		return nil, err
	}
	return rules.file(r, rows)
}

// FormatRound writes the file of a round.
func FormatRound(r *replay.Round) ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	return append(b, '\n'), err
}

// shown returns a series as its player sees it, and as anybody checks it.
func (s *SeriesRow) shown(t *ladder.Table) (replay.Series, error) {
	items, err := unpackItems(s.Items, t)
	if err != nil {
		err = fmt.Errorf("series %d of round %v: %w", s.N, s.Round, err)
	}
	return replay.Series{N: int(s.N), Commitment: s.Commitment, Contribution: s.Contribution, Secret: s.Secret, Items: items}, err
}

// file returns what it takes to compute a round again.
func (l *ladderRules) file(r *Round, rows []*SeriesRow) (*replay.Round, error) {
	id := r.ID.Bytes()
	f := &replay.Round{
		Format: replay.Format, Game: r.Game, Rules: r.Rules, Digest: l.book.Digest[:], Round: id[:], State: replay.State(r.State),
		Stake: r.Stake, Gain: r.Gain, Series: []replay.Series{},
	}
	for n, row := range rows {
		if row == nil {
			return nil, fmt.Errorf("series %d of round %v is missing", n+1, r.ID)
		}
		s, err := row.shown(l.table)
		if err != nil {
			return nil, err
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}
