package central

import (
	"encoding/binary"
	"fmt"

	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// RoundID is the number of a round: that of the leaf that holds its stake, as [Plan.ID] gives it. As text: "0-12", node and index.
type RoundID int64

func (id RoundID) String() string { return PlayID(int64(id)) }

// MarshalText writes the id.
func (id RoundID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the id.
func (id *RoundID) UnmarshalText(text []byte) error {
	n, ok := parseID(string(text))
	if !ok {
		return fmt.Errorf("round %.40q: accepted node and index, such as 0-12", text)
	}
	*id = RoundID(n)
	return nil
}

// Bytes returns the id as the fairness of its series names it: 16 bytes, big-endian.
func (id RoundID) Bytes() (b [16]byte) {
	binary.BigEndian.PutUint64(b[8:], uint64(id))
	return b
}

func (id RoundID) series(n int64) fairness.LadderSeries {
	return fairness.LadderSeries{Round: id.Bytes(), N: uint16(n)}
}

// Game says whether a ladder game, or the service of the packs ([ServicePacks]), is offered, and what players are told. Its row is written by its first round or its first withdrawal,
// whichever comes first; every start holds it until the commit, so that a withdrawal and a start exclude each other, on whatever nodes.
type Game struct {
	ID              string
	Withdrawn       int64 // 1: nothing new starts; open rounds finish
	Why             string
	French, English string // message to the players while it is withdrawn
	At              int64  // microseconds, of the first round or the last change
	// The day of effect is put off: see [PutOff].
	PutOff                  int64  // 1: not on sale before Until
	Until                   string // new day, YYYY-MM-DD; "": not known yet
	LateFrench, LateEnglish string // message to the players meanwhile
}

func (*Game) Table() TableID { return Games }
func (r *Game) Fields() []any {
	return []any{&r.ID, &r.Withdrawn, &r.Why, &r.French, &r.English, &r.At, &r.PutOff, &r.Until, &r.LateFrench, &r.LateEnglish}
}

// Seat is the place of a player at a ladder game: at most one round is open there, whatever the device. The player's row guards it.
type Seat struct {
	Game    string
	Player  int64
	Open    RoundID // 0: none
	Last    RoundID // the last one that started
	Started int64   // microseconds, of the last one
}

func (*Seat) Table() TableID { return Seats }
func (r *Seat) Fields() []any {
	return []any{&r.Game, &r.Player, (*int64)(&r.Open), (*int64)(&r.Last), &r.Started}
}

// Round is one round of a ladder: the stake, how far it came and what became of it. It belongs to the player, not to a device.
type Round struct {
	Game     string
	ID       RoundID
	Player   int64
	Previous RoundID // the player's round before, 0 for the first: the history is a chain, which takes no index
	Rules    string  // rulebook version, from the stake to the end
	State    string  // replay.State
	EndedBy  string  // Ended…, "" while it is open
	Stake    money.Cents
	Gain     money.Cents // paid
	Started  int64       // microseconds
	Due      int64       // microseconds: closed by the operator when it is still open then
	Ended    int64       // microseconds, 0 while it is open
	Step     int64       // series drawn
	Sum      money.Cents // values of the items on the pile
	Stars    int64       // in the gauge

	// Secret of the next series, sealed with a key that is not in the database, and its commitment, shown with the decision. A round that has
	// ended has neither: what would have come is not known to anybody any more.
	Secret, Commitment []byte
}

// What ended a round.
const (
	EndedByPlayer   = "player"   // « J'arrête »
	EndedByTop      = "top"      // the last level was passed
	EndedByCollapse = "collapse" // an item fell
	EndedByDelay    = "delay"    // still open after the stated delay
	EndedByOperator = "operator" // blocked before a payment that could not be right, and released
)

func (*Round) Table() TableID { return Rounds }
func (r *Round) Fields() []any {
	return []any{&r.Game, (*int64)(&r.ID), &r.Player, (*int64)(&r.Previous), &r.Rules, &r.State, &r.EndedBy, (*int64)(&r.Stake), (*int64)(&r.Gain),
		&r.Started, &r.Due, &r.Ended, &r.Step, (*int64)(&r.Sum), &r.Stars, &r.Secret, &r.Commitment}
}

// open reports whether the player may act.
func (r *Round) open() bool { return r.State == string(replay.Open) }

// ladder returns where the round stands on its ladder.
func (r *Round) ladder() ladder.State {
	s := ladder.State{Level: int(r.Step), Sum: r.Sum, Stars: int(r.Stars), Collapsed: r.State == string(replay.Lost)}
	if s.Collapsed {
		s.Level--
	}
	return s
}

// SeriesRow is one series of a round as it was drawn, stored with its secret before it is shown.
type SeriesRow struct {
	Game                             string
	Round                            RoundID
	N                                int64 // from 1 on
	At                               int64 // microseconds
	Commitment, Contribution, Secret []byte
	Items                            []byte // 8 bytes an item, see packItems
}

func (*SeriesRow) Table() TableID { return RoundSeries }
func (r *SeriesRow) Fields() []any {
	return []any{&r.Game, (*int64)(&r.Round), &r.N, &r.At, &r.Commitment, &r.Contribution, &r.Secret, &r.Items}
}

// packItems stores an item as one number of 8 bytes, big-endian: from the top its value in cents, 8 bits for its kind, one each for stable and
// star. A value is below 2^37 ([ladder.MaxAmount]).
func packItems(s *ladder.Series) []byte {
	b := make([]byte, 0, 8*ladder.MaxItems)
	for _, it := range s.Items() {
		b = binary.BigEndian.AppendUint64(b, uint64(it.Value)<<10|uint64(it.Kind)<<2|uint64(flag(it.Stable))<<1|uint64(flag(it.Star)))
	}
	return b
}

// unpackItems reads what packItems wrote, naming the kinds by the table.
func unpackItems(b []byte, t *ladder.Table) ([]replay.Item, error) {
	kinds := t.Rules().Kinds
	items := make([]replay.Item, 0, ladder.MaxItems)
	for ; len(b) >= 8; b = b[8:] {
		n := binary.BigEndian.Uint64(b)
		it := replay.Item{Value: money.Cents(n >> 10), Stable: n&2 != 0, Star: n&1 != 0}
		if kind := int(n >> 2 & 0xff); kind < len(kinds) {
			it.Kind = kinds[kind].Name
		} else if kind != ladder.NoKind {
			return nil, fmt.Errorf("item of kind %d: the table has %d kinds", kind, len(kinds))
		}
		items = append(items, it)
	}
	if len(b) != 0 {
		return nil, fmt.Errorf("items of %d bytes more than whole ones", len(b))
	}
	return items, nil
}

// Sweep remembers up to which round of a node all are closed.
type Sweep struct {
	Game    string
	Node    int64
	Through RoundID
}

func (*Sweep) Table() TableID  { return Sweeps }
func (r *Sweep) Fields() []any { return []any{&r.Game, &r.Node, (*int64)(&r.Through)} }

func seatKey(game string, player int64) Key { return Key{Table: Seats, S: game, N: player} }
func roundKey(game string, id RoundID) Key  { return Key{Table: Rounds, S: game, N: int64(id)} }
func seriesKey(g string, id RoundID, n int64) Key {
	return Key{Table: RoundSeries, S: g, N: int64(id), M: n}
}
func gameKey(id string) Key                { return Key{Table: Games, S: id} }
func sweepKey(game string, node int64) Key { return Key{Table: Sweeps, S: game, N: node} }
