package central

import (
	"slices"

	"tirage/games"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// AnnounceDraw announces an amount for rank 1 or a guaranteed super jackpot, until the plays are sealed. Once the draw is on sale what was announced is
// never lowered: players have staked on it (assumed). The result is an [Announced].
type AnnounceDraw struct {
	Draw    string      `json:"draw"`
	Jackpot money.Cents `json:"jackpot,omitempty"`
	Super   money.Cents `json:"super,omitempty"`
	Why     string      `json:"why"`
}

// Announced is the result of [AnnounceDraw] and [ReportOutside]: what stands.
type Announced struct {
	Jackpot money.Cents `json:"jackpot"`
	Super   money.Cents `json:"super"`
	Stakes  money.Cents `json:"stakes_elsewhere"`
	Fund    money.Cents `json:"fund"`
}

func (r *DrawDate) announced() Announced { return Announced{r.Jackpot, r.Super, r.Stakes, r.Fund} }

func (AnnounceDraw) Kind() string  { return "announce_draw" }
func (c AnnounceDraw) Keys() []Key { return []Key{dateKey(c.Draw), drawKey(c.Draw)} }

func (c AnnounceDraw) Plan(p *Plan) (any, error) {
	d, err := p.beforeSeal(c.Draw)
	if err != nil {
		return nil, err
	}
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	book, err := games.InForce(d.Game, d.Day)
	if err != nil {
		return nil, err
	}
	if d.State == DateOpened && (c.Jackpot < d.Jackpot || c.Super < d.Super) {
		return nil, refuse(Conflict, "announce.lower", "jackpot", "%v is announced for rank 1 and %v guaranteed: accepted no less while the draw is on sale", d.Jackpot, d.Super)
	}
	if err := d.announce(book, c.Jackpot, c.Super); err != nil {
		return nil, err
	}
	d.Why = c.Why
	return d.announced(), nil
}

// beforeSeal returns a draw of the calendar to a member of the staff, while its terms may still change.
func (p *Plan) beforeSeal(draw string) (*DrawDate, error) {
	d, err := p.date(draw)
	if err != nil {
		return nil, err
	}
	row := get[Draw](p, drawKey(draw))
	if d.State == DateSkipped || row != nil && !slices.Contains([]string{string(drawing.Planned), string(drawing.Open), string(drawing.Closed)}, row.State) {
		return nil, refuse(Conflict, "announce.sealed", "draw", "the terms of draw %s are settled: accepted until its plays are sealed", draw)
	}
	return d, nil
}

// ReportOutside takes in what the other points of sale and countries report before the draw: their stakes, the fund that is common to all, or the pool
// where it is announced. A later report replaces an earlier one until the plays are sealed. The result is an [Announced].
type ReportOutside struct {
	Draw   string      `json:"draw"`
	Stakes money.Cents `json:"stakes"` // of others, this system's left out
	Fund   money.Cents `json:"fund"`   // 0: it follows from the stakes
}

func (ReportOutside) Kind() string  { return "report_outside" }
func (c ReportOutside) Keys() []Key { return []Key{dateKey(c.Draw), drawKey(c.Draw)} }

func (c ReportOutside) Plan(p *Plan) (any, error) {
	d, err := p.beforeSeal(c.Draw)
	if err != nil {
		return nil, err
	}
	if c.Stakes < 0 || c.Fund < 0 || c.Stakes > prize.Bound || c.Fund > prize.Bound {
		return nil, refuse(Invalid, "announce.amount", "stakes", "%v and %v, accepted 0.00 to %v", c.Stakes, c.Fund, prize.Bound)
	}
	d.Reported, d.Stakes, d.Fund = 1, c.Stakes, c.Fund
	return d.announced(), nil
}
