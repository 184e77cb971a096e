package central

import (
	"fmt"
	"strings"

	"tirage/fairness/replay"
	"tirage/ledger"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// The money of a round. Its stake stands in stakes/<game> as long as it is open or blocked. When it ends,
//
//	lost      stakes → operator: the stake
//	won       stakes → prizes: the stake; prizes ⇄ operator: what is left or lacks; prizes → player: the gain
//	refunded  stakes → player: the stake
//
// so that stakes/<game> is the stake of all open rounds, prizes/<game> is empty between two commands, and operator/<game> is what the game
// has earned: stakes less gains.

// lose ends a round whose pile collapsed: over, without a gain.
// Art. donuts@2019-06-25:3.2.3.
func (p *Plan) lose(r *Round) error {
	p.close(r, replay.Lost, EndedByCollapse)
	return p.post(ledger.Stakes(r.Game), ledger.Operator(r.Game), r.Stake)
}

// win ends a round with the gain of the level passed, which no table of the game exceeds: what would is not paid, and the round is to be blocked.
// Art. donuts@2019-06-25:3.2.4.a.
func (p *Plan) win(r *Round, rules *ladderRules, by string) error {
	state := r.ladder()
	if why := rules.breach(state); why != "" {
		return r.refuseBreach(why)
	}
	r.Gain = rules.table.Gain(state)
	p.close(r, replay.Won, by)
	if err := p.post(ledger.Stakes(r.Game), ledger.Prizes(r.Game), r.Stake); err != nil {
		return err
	}
	if err := p.postSigned(ledger.Prizes(r.Game), ledger.Operator(r.Game), r.Stake-r.Gain); err != nil {
		return err
	}
	return p.postSigned(ledger.Prizes(r.Game), ledger.Player(r.Player), r.Gain)
}

// refund ends a round that was paid and never started.
func (p *Plan) refund(r *Round, by string) error {
	p.close(r, replay.Refunded, by)
	return p.post(ledger.Stakes(r.Game), ledger.Player(r.Player), r.Stake)
}

// close ends a round and frees the seat. The secret of the series that nobody will draw is dropped.
func (p *Plan) close(r *Round, state replay.State, by string) {
	r.State, r.EndedBy, r.Ended = string(state), by, p.Now.UnixMicro()
	r.Secret, r.Commitment = nil, nil
	if seat := edit[Seat](p, seatKey(r.Game, r.Player)); seat != nil && seat.Open == r.ID {
		seat.Open = 0
	}
}

// breach says why a state can't be right: no play of the table can be in it, or its gain is above the largest one. Nothing is paid on it.
func (l *ladderRules) breach(s ladder.State) string {
	if err := l.table.Check(s); err != nil {
		return err.Error()
	}
	if gain := l.table.Gain(s); gain > l.table.Max() {
		return fmt.Sprintf("a gain of %v, the largest is %v", gain, l.table.Max())
	}
	return ""
}

// reasonBreach is the reason of a refusal to pay what can't be right.
const reasonBreach = "round.breach"

func (r *Round) refuseBreach(why string) error {
	return fmt.Errorf("round %v of %s: %s: %w", r.ID, r.Game, why,
		refuse(Internal, reasonBreach, "", "round %v is being checked by the operator; nothing was drawn or paid, and its stake is kept safe", r.ID))
}

// BlockRound stops a round that can't be right, before anything is paid on it. The result is a [RoundEnd].
type BlockRound struct {
	Player int64   `json:"player,string"`
	Game   string  `json:"game"`
	Round  RoundID `json:"round"`
}

// RoundEnd is the result of what the operator does to a round.
type RoundEnd struct {
	State replay.State `json:"state"`
	Gain  money.Cents  `json:"gain"`
	Why   string       `json:"why,omitempty"`
}

func (BlockRound) Kind() string  { return "block_round" }
func (c BlockRound) Keys() []Key { return []Key{playerKey(c.Player), roundKey(c.Game, c.Round)} }

func (c BlockRound) Plan(p *Plan) (any, error) {
	r, rules, err := p.operated(c.Player, c.Game, c.Round)
	if err != nil {
		return nil, err
	}
	why := rules.breach(r.ladder())
	if !r.open() || why == "" {
		return nil, refuse(Conflict, "round.sound", "round", "round %v is %s and nothing speaks against it", r.ID, r.State)
	}
	r.State = string(replay.Blocked)
	return RoundEnd{State: replay.Blocked, Why: why}, nil
}

// operated returns a round on which the operator acts.
func (p *Plan) operated(player int64, game string, id RoundID) (*Round, *ladderRules, error) {
	r := edit[Round](p, roundKey(game, id))
	if r == nil || r.Player != player {
		return nil, nil, refuse(NotFound, "round.unknown", "round", "player %d has no round %v of %.40q", player, id, game)
	}
	rules, err := ladderUnder(r.Rules)
	return r, rules, err
}

// ReleaseRound ends a blocked round as its stored series say: they are drawn again from their secrets, and the level that they give is paid,
// or the stake refunded when there are none. No amount is typed by anybody. The result is a [RoundEnd].
type ReleaseRound struct {
	Player int64   `json:"player,string"`
	Game   string  `json:"game"`
	Round  RoundID `json:"round"`
	Step   int64   `json:"step"` // series drawn
	Why    string  `json:"why"`
}

func (ReleaseRound) Kind() string { return "release_round" }
func (c ReleaseRound) Keys() []Key {
	keys := []Key{playerKey(c.Player), seatKey(c.Game, c.Player), roundKey(c.Game, c.Round)}
	for n := int64(1); n <= min(c.Step, ladder.MaxLevels); n++ {
		keys = append(keys, seriesKey(c.Game, c.Round, n))
	}
	return keys
}

func (c ReleaseRound) Plan(p *Plan) (any, error) {
	r, rules, err := p.operated(c.Player, c.Game, c.Round)
	switch {
	case err != nil:
		return nil, err
	case strings.TrimSpace(c.Why) == "" || len(c.Why) > whyMax:
		return nil, refuse(Invalid, "round.why", "why", "say what was found and settled, in at most %d bytes", whyMax)
	case r.State != string(replay.Blocked) || r.Step != c.Step:
		return nil, refuse(Conflict, "round.state", "", "round %v is %s at step %d, only a blocked round is released", r.ID, r.State, r.Step)
	}
	var rows []*SeriesRow
	for n := int64(1); n <= c.Step; n++ {
		rows = append(rows, get[SeriesRow](p, seriesKey(r.Game, r.ID, n)))
	}
	state, err := rules.replayed(r, rows)
	if err != nil {
		return nil, refuse(Conflict, "round.series", "", "the stored series don't prove themselves: %v", err)
	}
	r.Sum, r.Stars = state.Sum, int64(state.Stars)
	if c.Step == 0 {
		err = p.refund(r, EndedByOperator)
	} else {
		err = p.win(r, rules, EndedByOperator)
	}
	return RoundEnd{State: replay.State(r.State), Gain: r.Gain}, err
}

// replayed draws the series of a round that is not lost again and returns where they lead.
func (l *ladderRules) replayed(r *Round, rows []*SeriesRow) (ladder.State, error) {
	file, err := l.file(r, rows)
	if err != nil {
		return ladder.State{}, err
	}
	state, findings := file.Play(l.table)
	for _, f := range findings {
		if f.Err != nil {
			return state, fmt.Errorf("%v", f)
		}
	}
	if state.Collapsed != (r.State == string(replay.Lost)) {
		return state, fmt.Errorf("collapsed %t, the round is %s", state.Collapsed, r.State)
	}
	return state, nil
}
