package central

import (
	"time"

	"tirage/games"
	"tirage/rules/money"
)

const (
	// RaiseDelay is how long a raised limit waits before it takes effect.
	RaiseDelay = 48 * time.Hour
	// LimitMax bounds a limit over seven days: assumed.
	LimitMax = 100_000 * money.Euro
	// CheckMax is the longest interval of the reality check, and the first one, in minutes.
	CheckMax = 60
	// checkRest is how long the reality check must have been open, nothing staked meanwhile, for the next login to begin a new stretch of
	// play: assumed. A shorter pause goes on with the old stretch, so that logging in again never skips a check.
	checkRest = 30 * time.Minute
	// exclusionMin is the shortest self-exclusion, exclusionMonths the longest.
	exclusionMin, exclusionMonths = 24, 12
)

// What a limit bounds.
const (
	LimitStakes   = "stakes"
	LimitDeposits = "deposits"
)

// SetLimit chooses a limit over seven rolling days. The first one and a cut take effect at once, a cut drops a raise that waits; a raise takes
// effect after 48 hours and replaces one that waits. The result is a [Limit].
type SetLimit struct {
	Player int64       `json:"player,string"`
	Of     string      `json:"of"` // LimitStakes, LimitDeposits
	Cents  money.Cents `json:"cents"`
}

// Limit is a limit over seven days and what it leaves.
type Limit struct {
	Of      string       `json:"of"`
	Cents   *money.Cents `json:"cents,omitempty"` // none: not yet chosen
	Used    money.Cents  `json:"used"`
	Left    money.Cents  `json:"left"`
	Raise   *money.Cents `json:"raise,omitempty"` // waits
	RaiseAt time.Time    `json:"raise_at,omitzero"`
}

func (SetLimit) Kind() string  { return "set_limit" }
func (c SetLimit) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c SetLimit) Plan(p *Plan) (any, error) {
	if c.Cents < 0 || c.Cents > LimitMax {
		return nil, refuse(Invalid, "limit.amount", "cents", "a limit of %v, accepted 0.00 to %v", c.Cents, LimitMax)
	}
	return p.changeLimit(c.Player, c.Of, func(a *allowance) error {
		if a.limit == noLimit || c.Cents <= a.limit {
			a.limit, a.raise, a.raiseAt = c.Cents, noLimit, 0
		} else {
			a.raise, a.raiseAt = c.Cents, p.Now.Add(RaiseDelay).UnixMicro()
		}
		return nil
	})
}

// CancelRaise drops a raise before it takes effect. The result is a [Limit].
type CancelRaise struct {
	Player int64  `json:"player,string"`
	Of     string `json:"of"`
}

func (CancelRaise) Kind() string  { return "cancel_raise" }
func (c CancelRaise) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c CancelRaise) Plan(p *Plan) (any, error) {
	return p.changeLimit(c.Player, c.Of, func(a *allowance) error {
		if a.raise == noLimit {
			return refuse(Conflict, "limit.raise_none", "", "no raise of this limit waits")
		}
		a.raise, a.raiseAt = noLimit, 0
		return nil
	})
}

// changeLimit changes a limit of a player, after a raise whose time has come has taken effect.
func (p *Plan) changeLimit(player int64, of string, change func(*allowance) error) (any, error) {
	if err := p.own(player); err != nil {
		return nil, err
	}
	pl, g, err := p.guarded(player)
	if err != nil {
		return nil, err
	}
	stored := &pl.Stakes
	switch of {
	case LimitStakes:
	case LimitDeposits:
		stored = &g.Deposits
	default:
		return nil, refuse(Invalid, "limit.of", "of", "%.20q, accepted %s or %s", of, LimitStakes, LimitDeposits)
	}
	a := &allowance{limit: noLimit, raise: noLimit} // a bare account that chooses a limit has one from then on
	if len(*stored) > 0 {
		if a, err = readAllowance(*stored); err != nil {
			return nil, err
		}
	}
	a.settle(p.Now)
	if err := change(a); err != nil {
		return nil, err
	}
	*stored = a.encode()
	return a.limitOf(of), nil
}

// limitOf describes a settled allowance.
func (a *allowance) limitOf(of string) Limit {
	l := Limit{Of: of, Used: a.used()}
	if a.limit != noLimit {
		l.Cents, l.Left = &a.limit, a.left()
	}
	if a.raise != noLimit {
		l.Raise, l.RaiseAt = &a.raise, time.UnixMicro(a.raiseAt).UTC()
	}
	return l
}

// LimitAt returns a limit as it stands at an instant, from the allowance that a row stores. Nobody needs one when ok is false.
func LimitAt(of string, stored []byte, now time.Time) (l Limit, ok bool, err error) {
	if len(stored) == 0 {
		return Limit{}, false, nil
	}
	a, err := readAllowance(stored)
	if err != nil {
		return Limit{}, false, err
	}
	a.settle(now)
	return a.limitOf(of), true, nil
}

// ExcludePlayer excludes a player from play, at once, for 24 hours to 12 months. It cannot be undone or shortened, only made longer. Stakes, deposits,
// sessions for play and mail are refused meanwhile; an open round may be ended and money withdrawn. The result is an [Excluded].
type ExcludePlayer struct {
	Player int64 `json:"player,string"`
	Hours  int64 `json:"hours,omitempty"`  // from 24 on
	Months int64 `json:"months,omitempty"` // instead, 1 to 12
}

// Excluded is the result of [ExcludePlayer].
type Excluded struct {
	Until time.Time `json:"until"`
}

func (ExcludePlayer) Kind() string  { return "exclude_player" }
func (c ExcludePlayer) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c ExcludePlayer) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	pl, g, err := p.guarded(c.Player)
	if err != nil {
		return nil, err
	}
	until, err := c.until(p.Now)
	if err != nil {
		return nil, err
	}
	if until.UnixMicro() < g.ExcludedUntil {
		return nil, refuse(Conflict, "exclusion.shorter", "", "you are excluded until %v already: an exclusion is never shortened", moment(g.ExcludedUntil))
	}
	g.ExcludedUntil = until.UnixMicro()
	pl.PlayFrom = g.playFrom()
	return Excluded{until.UTC()}, nil
}

// until is the end of the exclusion: hours are elapsed time, months go by the calendar in Paris, the last day of a month at most.
func (c ExcludePlayer) until(now time.Time) (time.Time, error) {
	bad := refuse(Invalid, "exclusion.length", "", "%d hours and %d months, accepted %d hours or more, or 1 to %d months instead", c.Hours, c.Months, exclusionMin, exclusionMonths)
	longest := addMonths(now, exclusionMonths)
	if c.Hours != 0 {
		until := now.Add(time.Duration(c.Hours) * time.Hour)
		if c.Months != 0 || c.Hours < exclusionMin || c.Hours > 366*24 || until.After(longest) {
			return now, bad
		}
		return until, nil
	}
	if c.Months < 1 || c.Months > exclusionMonths {
		return now, bad
	}
	return addMonths(now, int(c.Months)), nil
}

// addMonths returns the same wall time in Paris some months later, on the last day of the month where it has no such day.
func addMonths(t time.Time, months int) time.Time {
	t = t.In(games.Paris)
	later := t.AddDate(0, months, 0)
	if later.Day() != t.Day() {
		later = later.AddDate(0, 0, -later.Day())
	}
	return later
}

// SetCheck chooses the interval of the reality check, 1 to 60 minutes. A shorter one shortens the running interval too. The result is a [Check].
type SetCheck struct {
	Player  int64 `json:"player,string"`
	Minutes int64 `json:"minutes"`
}

// Check is when the reality check is due.
type Check struct {
	Due time.Time `json:"due,omitzero"`
}

func (SetCheck) Kind() string  { return "set_check" }
func (c SetCheck) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c SetCheck) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	pl, g, err := p.guarded(c.Player)
	if err != nil {
		return nil, err
	}
	if c.Minutes < 1 || c.Minutes > CheckMax {
		return nil, refuse(Invalid, "check.minutes", "minutes", "%d minutes, accepted 1 to %d", c.Minutes, CheckMax)
	}
	g.Interval = c.Minutes
	// An open check stays open.
	if pl.PlayUntil > p.Now.UnixMicro() {
		pl.PlayUntil = min(pl.PlayUntil, g.nextCheck(p.Now))
	}
	return Check{due(pl)}, nil
}

// AckCheck acknowledges the reality check that is open: time, stakes, gains and net since the stretch of play began were shown
// ([ReadCheck]). Play goes on if the ban list does not name the player. The result is a [Check].
type AckCheck struct {
	Player    int64  `json:"player,string"`
	Clearance string `json:"-"` // signed answer of the ban list
}

func (AckCheck) Kind() string { return "ack_check" }
func (c AckCheck) Keys() []Key {
	return []Key{playerKey(c.Player), guardKey(c.Player), personKey(c.Player)}
}

func (c AckCheck) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	pl, g, err := p.guarded(c.Player)
	if err != nil {
		return nil, err
	}
	// One that is not yet due cannot be acknowledged: a program would never show any.
	if pl.PlayUntil == 0 || p.Now.UnixMicro() < pl.PlayUntil {
		return nil, refuse(Conflict, "check.none", "", "no reality check is open")
	}
	if err := p.asked(c.Clearance, g); err != nil {
		return nil, err
	}
	if err := p.mayPlay(g); err != nil {
		return nil, err
	}
	pl.PlayFrom, pl.PlayUntil = g.playFrom(), g.nextCheck(p.Now)
	return Check{due(pl)}, nil
}

// beginStretch starts the clock of the reality check at a login, unless it runs.
func (p *Plan) beginStretch(pl *Player, g *Guard) {
	now := p.Now.UnixMicro()
	if pl.PlayUntil == never || now < pl.PlayUntil || pl.PlayUntil > 0 && now < pl.PlayUntil+checkRest.Microseconds() {
		return
	}
	g.Since, pl.PlayUntil = now, g.nextCheck(p.Now)
}

func (g *Guard) nextCheck(now time.Time) int64 {
	return now.Add(time.Duration(g.Interval) * time.Minute).UnixMicro()
}

// due is when the reality check is due; bare accounts have none.
func due(pl *Player) time.Time {
	if pl.PlayUntil == 0 || pl.PlayUntil == never {
		return time.Time{}
	}
	return time.UnixMicro(pl.PlayUntil).UTC()
}
