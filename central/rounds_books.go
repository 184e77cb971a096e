package central

import (
	"errors"
	"fmt"
	"strings"

	"tirage/fairness/replay"
	"tirage/ledger"
	"tirage/rules/money"
)

// roundBooks adds up the rounds of all ladders beside the money that moved for them.
type roundBooks struct {
	stakes map[string]money.Cents // game → stakes of rounds that are open or blocked
	earned map[string]money.Cents // game → stakes less gains of rounds that have ended
	owed   map[purse]money.Cents  // what the rounds of a player have moved, from the player on
	moved  map[purse]money.Cents  // what the transfers have moved
	open   map[purse]RoundID
}

func newRoundBooks() roundBooks {
	return roundBooks{map[string]money.Cents{}, map[string]money.Cents{}, map[purse]money.Cents{}, map[purse]money.Cents{}, map[purse]RoundID{}}
}

// purse is what a player put into a game.
type purse struct {
	player int64
	game   string
}

// note takes the transfers between a player and the accounts of a game.
func (b *roundBooks) note(t *Transfer) {
	if t.Player == 0 {
		return
	}
	other, sign := ledger.Account(t.To), money.Cents(1)
	if _, ok := other.PlayerID(); ok {
		other, sign = ledger.Account(t.From), -1
	}
	if _, game, _ := strings.Cut(string(other), "/"); other == ledger.Stakes(game) || other == ledger.Prizes(game) {
		b.moved[purse{t.Player, game}] += sign * t.Cents
	}
}

// checkRounds verifies every round: its series are those that its secrets and the contributions give, where it stands and what it paid follow
// from them, at most one is open at a seat, and every cent that moved for a game belongs to one of its rounds, once.
func (b *books) checkRounds() error {
	rounds := &b.rounds
	games := map[string]bool{}
	var chunk []*Round
	err := b.scan(Rounds, func(row Row) error {
		r := row.(*Round)
		games[r.Game] = true
		if len(chunk) == roundsChunk || len(chunk) > 0 && chunk[0].Game != r.Game {
			if err := b.checkChunk(chunk); err != nil {
				return err
			}
			chunk = nil
		}
		chunk = append(chunk, r)
		return nil
	})
	if err == nil {
		err = b.checkChunk(chunk)
	}
	if err != nil {
		return err
	}
	for game := range games {
		stakes, prizes := b.balances[string(ledger.Stakes(game))], b.balances[string(ledger.Prizes(game))]
		earned := b.balances[string(ledger.Operator(game))]
		if stakes != rounds.stakes[game] || prizes != 0 || earned != rounds.earned[game] {
			return fmt.Errorf("%s: stakes of %v, prizes of %v and %v earned; its rounds hold %v, 0.00 and %v", game, stakes, prizes, earned, rounds.stakes[game], rounds.earned[game])
		}
	}
	for _, sums := range []map[purse]money.Cents{rounds.moved, rounds.owed} {
		for who := range sums {
			if moved, owed := rounds.moved[who], rounds.owed[who]; games[who.game] && moved != owed {
				return fmt.Errorf("player %d has put %v into %s, the rounds say %v", who.player, moved, who.game, owed)
			}
		}
	}
	return b.scan(Seats, func(row Row) error {
		s := row.(*Seat)
		if open := rounds.open[purse{s.Player, s.Game}]; open != s.Open {
			return fmt.Errorf("player %d sits at round %v of %s, open is %v", s.Player, s.Open, s.Game, open)
		}
		return nil
	})
}

// roundsChunk is how many rounds have their series read at a time: one query for all of them.
const roundsChunk = 1024

// checkChunk verifies rounds of one game, in the order of their numbers.
func (b *books) checkChunk(rounds []*Round) error {
	if len(rounds) == 0 {
		return nil
	}
	first, last := rounds[0], rounds[len(rounds)-1]
	series := map[RoundID][]*SeriesRow{}
	err := b.snap.Scan(b.ctx, Range{From: seriesKey(first.Game, first.ID, 0), Prefix: 1, After: true}, func(row Row) error {
		s := row.(*SeriesRow)
		if s.Round > last.ID {
			return errEnough
		}
		series[s.Round] = append(series[s.Round], s)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	for _, r := range rounds {
		if err := b.checkRound(r, series[r.ID]); err != nil {
			return fmt.Errorf("round %v of %s: %w", r.ID, r.Game, err)
		}
	}
	return nil
}

func (b *books) checkRound(r *Round, rows []*SeriesRow) error {
	rules, err := ladderUnder(r.Rules)
	if err != nil {
		return err
	}
	file, err := rules.file(r, rows)
	if err != nil {
		return err
	}
	for _, f := range file.Check(rules.book) {
		if f.Err != nil {
			return fmt.Errorf("%v", f)
		}
	}
	// A blocked round is one whose row is in doubt: only its series and its money are held to account.
	if state, _ := file.Play(rules.table); r.State != string(replay.Blocked) && state != r.ladder() || r.Step != int64(len(rows)) {
		return fmt.Errorf("%d series lead to %+v, it stands at step %d, %+v", len(rows), state, r.Step, r.ladder())
	}
	if r.open() != (len(r.Secret) > 0) && r.State != string(replay.Blocked) {
		return fmt.Errorf("%s, and a secret of %d bytes", r.State, len(r.Secret))
	}
	return b.rounds.add(r)
}

// add counts the money of a round.
func (b *roundBooks) add(r *Round) error {
	who := purse{r.Player, r.Game}
	switch replay.State(r.State) {
	case replay.Open, replay.Blocked:
		if b.open[who] != 0 {
			return fmt.Errorf("round %v of the same player is open, too", b.open[who])
		}
		b.open[who] = r.ID
		b.stakes[r.Game] = money.Add(b.stakes[r.Game], r.Stake)
		b.owed[who] += r.Stake
	case replay.Refunded:
	default:
		b.earned[r.Game] += r.Stake - r.Gain
		b.owed[who] += r.Stake - r.Gain
	}
	return nil
}
