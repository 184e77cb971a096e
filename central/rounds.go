package central

import (
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/ledger"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// A round of a ladder lives on the server from its stake to its end:
//
//	StartRound « Jouez 0,50 € »  the stake is debited, the secret of the first series made, its commitment shown
//	PlaySeries « Go », « Je continue »  one series is drawn and stored with the secret of the next one, then shown
//	StopRound  « J'arrête »  the gain of the level is paid
//
// A collapse ends it lost, the last level won, both inside PlaySeries; [CloseAbandoned] ends what nobody goes on with. Each command is one
// transaction, so a kill leaves the round before it or after it, with the money and the outcome that belong together. Each action carries the
// step that the player saw: of two at once the server's order lets one through, and tells the other what stands.

// StartRound debits the stake of a round and opens it. The result is a [RoundAnswer].
type StartRound struct {
	Player int64  `json:"player,string"`
	Game   string `json:"game"`
}

// RoundAnswer is the result of an action on a round: how the round stands after it and, where one has been drawn, its last series.
type RoundAnswer struct {
	Round   RoundState     `json:"round"`
	Series  *replay.Series `json:"series,omitempty"`
	Balance money.Cents    `json:"balance"`
}

func (StartRound) Kind() string { return "start_round" }
func (c StartRound) Keys() []Key {
	return []Key{playerKey(c.Player), seatKey(c.Game, c.Player)}
}
func (c StartRound) Shared() []Key { return []Key{gameKey(c.Game)} }

// Plan debits the available balance. Exclusion and limits bear on the stake alone: a round that is open when they are reached may be ended.
// Art. donuts@2019-06-25:annex.2 (« La mise est débitée sur les disponibilités »).
func (c StartRound) Plan(p *Plan) (any, error) {
	if err := p.mine(c.Player); err != nil {
		return nil, err
	}
	rules, err := p.offered(c.Game)
	if err != nil {
		return nil, err
	}
	seat, err := p.takeSeat(c, rules)
	if err != nil {
		return nil, err
	}
	now := p.Now.UnixMicro()
	r := &Round{
		Game: c.Game, ID: RoundID(p.ID()), Player: c.Player, Previous: seat.Last, Rules: rules.version, State: string(replay.Open),
		Stake: rules.table.Rules().Price, Started: now, Due: p.Now.AddDate(0, 0, int(rules.book.Rounds.AbandonDays)).UnixMicro(),
	}
	if err := p.stake(c.Player, r.Stake); err != nil {
		return nil, err
	}
	if err := p.post(ledger.Player(c.Player), ledger.Stakes(c.Game), r.Stake); err != nil {
		return nil, err
	}
	if err := p.commit(r); err != nil {
		return nil, err
	}
	seat.Open, seat.Last, seat.Started = r.ID, r.ID, now
	p.insert(r)
	return p.answer(r, rules, nil)
}

// mine refuses another player: a round is played by nobody else.
func (p *Plan) mine(player int64) error {
	if p.Principal != PlayerPrincipal(player) {
		return refuse(Forbidden, "round.principal", "player", "player %d alone plays for this account", player)
	}
	return nil
}

// takeSeat returns the seat of the player for writing, when a round may start there now: none is open on any device, and the floor between two
// plays has passed by the server's clock (assumed: no article says so).
func (p *Plan) takeSeat(c StartRound, rules *ladderRules) (*Seat, error) {
	seat := edit[Seat](p, seatKey(c.Game, c.Player))
	if seat == nil {
		seat = &Seat{Game: c.Game, Player: c.Player}
		p.insert(seat)
		return seat, nil
	}
	if seat.Open != 0 {
		current, err := p.current(c.Game, seat.Open)
		if err != nil {
			return nil, err
		}
		r := refuse(Conflict, "round.open", "", "round %v is open; end it before another one starts", seat.Open)
		r.Current = current
		return nil, r
	}
	const second = 1_000_000
	if wait := seat.Started + rules.book.Rounds.FloorSeconds*second - p.Now.UnixMicro(); wait > 0 {
		return nil, refuse(Conflict, "round.floor", "", "%d seconds lie between two plays; wait %d more", rules.book.Rounds.FloorSeconds, (wait+second-1)/second)
	}
	return seat, nil
}

// PlaySeries drops the next series of a round: « Go » for the first one, « Je continue » for the others, which takes no new stake and gives up the
// gain of the level passed. The result is a [RoundAnswer].
type PlaySeries struct {
	Player       int64      `json:"player,string"`
	Game         string     `json:"game"`
	Round        RoundID    `json:"round"`
	Step         int64      `json:"step"`         // series drawn so far, as the player saw it: 0 for « Go »
	Contribution replay.Hex `json:"contribution"` // 16 fresh bytes of the player's device
}

func (PlaySeries) Kind() string { return "play_series" }
func (c PlaySeries) Keys() []Key {
	return []Key{playerKey(c.Player), seatKey(c.Game, c.Player), roundKey(c.Game, c.Round)}
}

// Plan draws one series, from the secret that was committed to when the decision was shown and from what the device adds now.
// Art. donuts@2019-06-25:3.2.1 (« Go »), Art. donuts@2019-06-25:3.2.2 (a draw for each series), Art. donuts@2019-06-25:3.2.3 (a collapse ends the
// round, lost), Art. donuts@2019-06-25:3.2.4.b (« Je continue » debits nothing and gives up the gain of the level passed).
func (c PlaySeries) Plan(p *Plan) (any, error) {
	if len(c.Contribution) != len(fairness.Contribution{}) {
		return nil, refuse(Invalid, "round.contribution", "contribution", "%d bytes of the player's device, accepted %d", len(c.Contribution), len(fairness.Contribution{}))
	}
	r, rules, err := p.act(c.Player, c.Game, c.Round, c.Step)
	if err != nil {
		return nil, err
	}
	if p.Now.UnixMicro() >= r.Due {
		return nil, refuse(Closed, "round.due", "", "round %v was to be ended by %s: it is being closed, and its last level paid or its stake refunded", r.ID, paris(r.Due))
	}
	secret, err := p.openSecret(r)
	if err != nil {
		return nil, err
	}
	n := r.Step + 1
	state, series := replay.Draw(rules.table, r.ladder(), r.ID.series(n), secret, fairness.Contribution(c.Contribution))
	drawn := &SeriesRow{
		Game: r.Game, Round: r.ID, N: n, At: p.Now.UnixMicro(), Commitment: r.Commitment, Contribution: c.Contribution, Secret: secret[:], Items: packItems(&series),
	}
	p.insert(drawn)
	r.Step, r.Sum, r.Stars = n, state.Sum, int64(state.Stars)
	switch {
	case state.Collapsed:
		err = p.lose(r)
	case rules.table.Ended(state):
		err = p.win(r, rules, EndedByTop)
	default:
		err = p.commit(r)
	}
	if err != nil {
		return nil, err
	}
	return p.answer(r, rules, drawn)
}

// StopRound ends a round at the level passed and pays its gain. The result is a [RoundAnswer].
type StopRound struct {
	Player int64   `json:"player,string"`
	Game   string  `json:"game"`
	Round  RoundID `json:"round"`
	Step   int64   `json:"step"` // series drawn so far, as the player saw it
}

func (StopRound) Kind() string { return "stop_round" }
func (c StopRound) Keys() []Key {
	return []Key{playerKey(c.Player), seatKey(c.Game, c.Player), roundKey(c.Game, c.Round), seriesKey(c.Game, c.Round, c.Step)}
}

// Plan pays the gain of the level.
// Art. donuts@2019-06-25:3.1.1, Art. donuts@2019-06-25:3.2.4.a (« J'arrête »: over and won, with the gain of the level reached).
func (c StopRound) Plan(p *Plan) (any, error) {
	if err := p.mine(c.Player); err != nil {
		return nil, err
	}
	// The last level pays by itself. Whoever presses « J'arrête » there, too, did nothing wrong and gets the same answer.
	if r := get[Round](p, roundKey(c.Game, c.Round)); r != nil && r.Player == c.Player && r.EndedBy == EndedByTop && r.Step == c.Step {
		return p.current(r.Game, r.ID)
	}
	r, rules, err := p.act(c.Player, c.Game, c.Round, c.Step)
	if err != nil {
		return nil, err
	}
	if r.Step == 0 {
		return nil, refuse(Conflict, "round.not_started", "step", "no level is passed: there is no gain to take")
	}
	if err := p.win(r, rules, EndedByPlayer); err != nil {
		return nil, err
	}
	last, err := p.series(r)
	if err != nil {
		return nil, err
	}
	return p.answer(r, rules, last)
}

// act returns an open round for writing, when the action is the owner's and follows on what its player saw. What it refuses comes with what
// stands now, so that the player who came second is told.
func (p *Plan) act(player int64, game string, id RoundID, step int64) (*Round, *ladderRules, error) {
	if err := p.mine(player); err != nil {
		return nil, nil, err
	}
	r := edit[Round](p, roundKey(game, id))
	if r == nil || r.Player != player {
		return nil, nil, refuse(NotFound, "round.unknown", "round", "player %d has no round %v of %.40q", player, id, game)
	}
	if !r.open() || r.Step != step {
		current, err := p.current(game, id)
		if err != nil {
			return nil, nil, err
		}
		refused := refuse(Conflict, "round.step", "step", "step %d of round %v, which is %s at step %d", step, id, r.State, r.Step)
		refused.Current = current
		return nil, nil, refused
	}
	rules, err := ladderUnder(r.Rules)
	if err != nil {
		return nil, nil, err
	}
	if why := rules.breach(r.ladder()); why != "" {
		return nil, nil, r.refuseBreach(why)
	}
	if rules.table.Ended(ladder.State{Level: int(r.Step)}) {
		return nil, nil, r.refuseBreach("it is open above its last level")
	}
	return r, rules, nil
}

// current returns the answer that tells how a round stands, its last series included.
func (p *Plan) current(game string, id RoundID) (*RoundAnswer, error) {
	r := get[Round](p, roundKey(game, id))
	if r == nil {
		return nil, refuse(NotFound, "round.unknown", "round", "there is no round %v of %.40q", id, game)
	}
	rules, err := ladderUnder(r.Rules)
	if err != nil {
		return nil, err
	}
	last, err := p.series(r)
	if err != nil {
		return nil, err
	}
	return p.answer(r, rules, last)
}

// series returns the last series of a round, nil when none is drawn.
func (p *Plan) series(r *Round) (*SeriesRow, error) {
	if r.Step == 0 {
		return nil, nil
	}
	last := get[SeriesRow](p, seriesKey(r.Game, r.ID, r.Step))
	if last == nil {
		return nil, r.refuseBreach("its last series is missing")
	}
	return last, nil
}

// answer tells how a round stands, with a series of it.
func (p *Plan) answer(r *Round, rules *ladderRules, s *SeriesRow) (*RoundAnswer, error) {
	a := &RoundAnswer{Round: rules.state(r), Balance: get[Player](p, playerKey(r.Player)).Balance}
	if s != nil {
		shown, err := s.shown(rules.table)
		if err != nil {
			return nil, err
		}
		a.Series = &shown
	}
	return a, nil
}
