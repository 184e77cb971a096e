package central

import (
	"math"
	"time"

	"tirage/rules/money"
)

// States of an identity. Nobody stakes before the last.
const (
	StateOpen      = "open"      // registered
	StateVerified  = "verified"  // player care has seen the papers
	StateConfirmed = "confirmed" // an officer has confirmed them, and the ban list does not name the player
)

// never is an instant that does not come.
const never = math.MaxInt64

// RoleBanList signs the answers of the ban list.
const RoleBanList = "banlist"

// ClearanceAge is how old an answer of the ban list may be when a command relies on it.
const ClearanceAge = 10 * time.Minute

// clockSkew is how far the clock that dated an answer may be ahead of the register's.
const clockSkew = time.Minute

// Clearance is an answer of the ban list: whether it names a person. It is asked where the command is made, since a plan asks nobody, and
// travels as a signed paper beside the command: it is no part of what the idempotency key stands for, so that a retry with a newer answer
// is the same request. What it says is stored in the player's [Guard]. A command that needs one and has none, an old one or
// another person's is refused: the list fails closed.
type Clearance struct {
	Person string `json:"person"` // Person.Digest
	Banned bool   `json:"banned"`
	List   string `json:"list"` // digest of the list that answered
	At     int64  `json:"at"`   // microseconds
}

// asked checks an answer of the ban list about a player and stores what it says.
func (p *Plan) asked(signed string, g *Guard) error {
	if signed == "" {
		return refuse(Unavailable, "banlist.unavailable", "", "the list of banned players has not answered; nothing was done, try again later")
	}
	c, err := paper[Clearance](p, signed, RoleBanList, "clearance")
	if err != nil {
		return err
	}
	person := get[Person](p, personKey(g.Player))
	if person == nil || c.Person != person.Digest() {
		return refuse(Forbidden, "banlist.person", "", "the list of banned players has answered about somebody else")
	}
	if age := p.Now.Sub(time.UnixMicro(c.At)); age > ClearanceAge || age < -clockSkew {
		return refuse(Unavailable, "banlist.stale", "", "the list of banned players answered %d minutes ago, accepted at most %d; nothing was done, try again", int64(age/time.Minute), int64(ClearanceAge/time.Minute))
	}
	g.Cleared, g.List, g.Banned = c.At, c.List, 0
	if c.Banned {
		g.Banned = 1
	}
	return nil
}

// stake accepts that a player stakes an amount now, and counts it: the identity is confirmed, no exclusion runs, no reality check is open,
// the limit of seven days holds. Every sale and every round of an instant game goes through here, whatever the channel.
func (p *Plan) stake(player int64, cents money.Cents) error {
	if err := p.own(player); err != nil {
		return err
	}
	pl := edit[Player](p, playerKey(player))
	if pl == nil {
		return refuse(NotFound, "player.unknown", "player", "there is no player %d", player)
	}
	if err := p.plays(pl); err != nil {
		return err
	}
	return p.countStake(pl, cents)
}

// plays accepts that a player plays now: the identity is confirmed, no exclusion runs, no reality check is open.
func (p *Plan) plays(pl *Player) error {
	if now := p.Now.UnixMicro(); now < pl.PlayFrom || now >= pl.PlayUntil {
		return p.whyNot(pl)
	}
	return nil
}

// present accepts that the player who asks agrees to a later stake now: on the conditions of a stake, but that nothing is debited.
func (p *Plan) present(player int64) error {
	if err := p.own(player); err != nil {
		return err
	}
	pl := get[Player](p, playerKey(player))
	if pl == nil {
		return refuse(NotFound, "player.unknown", "player", "there is no player %d", player)
	}
	return p.plays(pl)
}

// standing accepts and counts a stake that the player agreed to before, in an Abo+ or a group. It is no play of a session, so it needs none and no
// reality check stands in its way; identity, exclusion and limit hold as for every stake, and the ban list must have answered just now.
func (p *Plan) standing(clearance string) func(player int64, cents money.Cents) error {
	return func(player int64, cents money.Cents) error {
		pl, g, err := p.guarded(player)
		if err != nil {
			return err
		}
		if get[Person](p, personKey(player)) != nil || p.bare() != nil {
			if err := p.asked(clearance, g); err != nil {
				return err
			}
			pl.PlayFrom = g.playFrom()
		}
		if p.Now.UnixMicro() < pl.PlayFrom {
			return p.whyNot(pl)
		}
		return p.countStake(pl, cents)
	}
}

// countStake counts a stake against the limit of seven days.
func (p *Plan) countStake(pl *Player, cents money.Cents) error {
	if len(pl.Stakes) == 0 {
		return nil
	}
	a, err := readAllowance(pl.Stakes)
	if err != nil {
		return err
	}
	a.settle(p.Now)
	switch {
	case a.limit == noLimit:
		return refuse(Forbidden, "limit.stake_none", "", "choose a limit of stakes over seven days first")
	case a.left() < cents:
		return refuse(Forbidden, "limit.stake", "", "a stake of %v, but %v are left of your limit of %v over seven days; nothing is debited", cents, a.left(), a.limit)
	}
	a.spend(p.Now, cents)
	pl.Stakes = a.encode()
	return nil
}

// whyNot says why no stake is accepted now.
func (p *Plan) whyNot(pl *Player) error {
	g := get[Guard](p, guardKey(pl.ID))
	if g == nil {
		return refuse(NotFound, "player.unknown", "player", "there is no player %d", pl.ID)
	}
	if err := p.mayPlay(g); err != nil {
		return err
	}
	if g.State != StateConfirmed {
		return refuse(Forbidden, "player.unconfirmed", "", "your identity is not yet confirmed; nothing is debited")
	}
	if pl.PlayUntil == 0 {
		return refuse(Forbidden, "session.play", "", "log in to play first; nothing is debited")
	}
	return refuse(Conflict, "check.open", "", "the reality check is open: acknowledge it before you stake again; nothing is debited")
}

// mayPlay refuses a player who is banned or excluded.
func (p *Plan) mayPlay(g *Guard) error {
	switch {
	case g.Banned == 1:
		return refuse(Forbidden, "player.banned", "", "the list of banned players names you; nothing can be staked")
	case p.Now.UnixMicro() < g.ExcludedUntil:
		return refuse(Forbidden, "player.excluded", "", "you are excluded from play until %v, as you asked", moment(g.ExcludedUntil))
	}
	return nil
}

// playFrom is the instant from which a player with this guard may stake.
func (g *Guard) playFrom() int64 {
	if g.State != StateConfirmed || g.Banned == 1 {
		return never
	}
	return g.ExcludedUntil
}

// MayWrite reports whether mail about play may be sent to the player: never during an exclusion.
func (g *Guard) MayWrite(now time.Time) bool {
	return g.Banned == 0 && now.UnixMicro() >= g.ExcludedUntil
}

// guarded returns the player and the guard for writing.
func (p *Plan) guarded(player int64) (*Player, *Guard, error) {
	pl, g := edit[Player](p, playerKey(player)), edit[Guard](p, guardKey(player))
	if pl == nil || g == nil {
		return nil, nil, refuse(NotFound, "player.unknown", "player", "there is no player %d", player)
	}
	return pl, g, nil
}

// own refuses a principal who is neither the player nor the system: [Permitted] says what a role may do, this whose it is.
func (p *Plan) own(player int64) error {
	if p.Principal != PlayerPrincipal(player) && p.Principal != SystemPrincipal {
		return refuse(Forbidden, "principal.other", "", "this account is not yours")
	}
	return nil
}
