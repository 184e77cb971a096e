package central

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// States of a date of the calendar. The draw itself, once it is on sale, has its own ([Draw.State]).
const (
	DatePlanned = "planned" // announced, not yet on sale
	DateOpened  = "opened"  // put on sale: there is a [Draw]
	DateSkipped = "skipped" // taken out of the calendar before it was on sale
)

// DrawDate is one draw of the calendar: when it is sold and held, and what is announced of it before its plays are sealed. The rare things of a
// draw stand here, so that a sale reads none of them.
type DrawDate struct {
	Game, Day                  string // day for which it was first announced; both make the id of the draw
	State                      string
	OpensAt, ClosesAt, DrawsAt int64       // microseconds; no result is recorded before DrawsAt
	FirstAt                    int64       // DrawsAt as it was first announced
	Exceptional                int64       // 1: codes Euro Millions are issued too
	Jackpot                    money.Cents // announced for rank 1, 0: what the sequence gives
	Super                      money.Cents // guaranteed super jackpot (super cagnotte), 0: none
	Reported                   int64       // 1: Stakes and Fund are what the other points of sale and countries report
	Stakes, Fund               money.Cents // see prize.Terms: OutsideStakes, Fund
	Why                        string      // of the last hold or act by hand
	Recorder                   string      // principal who recorded the result that stands
	Lapsed                     int64       // microseconds; when the gains that nobody claimed went to their fund, 0: not yet
}

func (*DrawDate) Table() TableID { return Calendar }
func (r *DrawDate) Fields() []any {
	return []any{&r.Game, &r.Day, &r.State, &r.OpensAt, &r.ClosesAt, &r.DrawsAt, &r.FirstAt, &r.Exceptional, (*int64)(&r.Jackpot), (*int64)(&r.Super),
		&r.Reported, (*int64)(&r.Stakes), (*int64)(&r.Fund), &r.Why, &r.Recorder, &r.Lapsed}
}

// ID returns the id of the draw.
func (r *DrawDate) ID() string { return DrawID(r.Game, r.Day) }

// dateKey is the key of a draw in the calendar. An id that names no day has the key of no row.
func dateKey(draw string) Key {
	game, day := splitDrawID(draw)
	return Key{Table: Calendar, S: game, U: day}
}

// splitDrawID takes an id apart: "loto-2018-10-29" is "loto" and "2018-10-29".
func splitDrawID(draw string) (game, day string) {
	at := len(draw) - len("-"+time.DateOnly)
	if at < 0 || draw[at] != '-' {
		return draw, ""
	}
	return draw[:at], draw[at+1:]
}

// PlanDraw puts a draw into the calendar: one that the days of the week give, or one announced by hand (Super Loto, Grand Loto de Noël, an
// exceptional draw). Hours that are left out are those of the rulebook of the day. The result is a [Planned].
type PlanDraw struct {
	Game        string      `json:"game"`
	Day         string      `json:"day"` // Europe/Paris, YYYY-MM-DD
	OpensAt     time.Time   `json:"opens_at,omitzero"`
	ClosesAt    time.Time   `json:"closes_at,omitzero"`
	DrawsAt     time.Time   `json:"draws_at,omitzero"`
	Exceptional bool        `json:"exceptional,omitempty"`
	Jackpot     money.Cents `json:"jackpot,omitempty"` // announced; 0: what the sequence gives
	Super       money.Cents `json:"super,omitempty"`   // guaranteed super jackpot
}

// Planned is the result of [PlanDraw].
type Planned struct {
	Draw     string    `json:"draw"`
	Rules    string    `json:"rules"`
	OpensAt  time.Time `json:"opens_at"`
	ClosesAt time.Time `json:"closes_at"`
	DrawsAt  time.Time `json:"draws_at"`
}

func (PlanDraw) Kind() string { return "plan_draw" }

// Keys lists the draws of the same jackpot on that day: there is one at most.
func (c PlanDraw) Keys() []Key {
	keys := []Key{dateKey(DrawID(c.Game, c.Day))}
	for _, game := range sameJackpot(c.Game) {
		keys = append(keys, dateKey(DrawID(game, c.Day)))
	}
	return keys
}

// sameJackpot lists the games whose draws follow one another in one sequence of jackpots, the game itself left out: a Super Loto takes over the
// running jackpot of Loto, a Grand Loto de Noël resets it. They are the games of one regulation that have draws of their own.
func sameJackpot(game string) []string { return jackpots()[game] }

var jackpots = sync.OnceValue(func() map[string][]string {
	regulation := map[string]string{}
	for _, book := range games.All() {
		if book.Calendar.Draw != "" {
			regulation[book.Header.Game] = book.Header.Regulation
		}
	}
	same := map[string][]string{}
	for _, game := range games.Games() {
		for _, other := range games.Games() {
			if other != game && regulation[game] != "" && regulation[other] == regulation[game] {
				same[game] = append(same[game], other)
			}
		}
	}
	return same
})

func (c PlanDraw) Plan(p *Plan) (any, error) {
	id := DrawID(c.Game, c.Day)
	if get[DrawDate](p, dateKey(id)) != nil {
		return nil, refuse(Conflict, "calendar.exists", "day", "draw %s stands in the calendar already", id)
	}
	hours, err := games.DrawHours(c.Game, c.Day)
	if err != nil {
		return nil, refuse(Invalid, "draw.game", "game", "%v", err)
	}
	book, err := games.InForce(c.Game, c.Day)
	if err != nil {
		return nil, refuse(Invalid, "draw.game", "game", "%v", err)
	}
	for _, game := range sameJackpot(c.Game) {
		if other := get[DrawDate](p, dateKey(DrawID(game, c.Day))); other != nil && other.State != DateSkipped {
			return nil, refuse(Conflict, "calendar.clash", "day", "draw %s is on the same day and of the same jackpot as %s: skip that one first", other.ID(), id)
		}
	}
	setIfGiven(&hours.Opens, c.OpensAt)
	setIfGiven(&hours.Closes, c.ClosesAt)
	setIfGiven(&hours.Draw, c.DrawsAt)
	if err := checkHours(c.Day, hours.Opens, hours.Closes, hours.Draw); err != nil {
		return nil, err
	}
	if !p.Now.Before(hours.Closes) {
		return nil, refuse(Conflict, "calendar.past", "day", "draw %s would close at %v, which is past", id, moment(hours.Closes.UnixMicro()))
	}
	d := &DrawDate{
		Game: c.Game, Day: c.Day, State: DatePlanned, OpensAt: hours.Opens.UnixMicro(), ClosesAt: hours.Closes.UnixMicro(),
		DrawsAt: hours.Draw.UnixMicro(), FirstAt: hours.Draw.UnixMicro(), Exceptional: flag(c.Exceptional),
	}
	if err := d.announce(book, c.Jackpot, c.Super); err != nil {
		return nil, err
	}
	p.insert(d)
	return Planned{id, book.Header.Version(), hours.Opens, hours.Closes, hours.Draw}, nil
}

func setIfGiven(t *time.Time, given time.Time) {
	if !given.IsZero() {
		*t = given
	}
}

// checkHours refuses hours that do not follow each other, or a close after the day of the draw in Paris.
func checkHours(day string, opens, closes, draws time.Time) error {
	if !opens.Before(closes) || games.Day(closes) > day || draws.Before(closes) {
		return refuse(Invalid, "draw.hours", "closes_at", "opens at %v, closes at %v, is drawn at %v: accepted in this order, the close by the end of %s in Paris", opens, closes, draws, day)
	}
	return nil
}

// announce sets what is announced of a draw: an amount for rank 1 where the jackpot is an announced one, a guarantee where it is a pot.
func (r *DrawDate) announce(book *rulebook.Rulebook, jackpot, super money.Cents) error {
	if jackpot < 0 || super < 0 || jackpot > prize.Bound || super > prize.Bound {
		return refuse(Invalid, "announce.amount", "jackpot", "%v and %v, accepted 0.00 to %v", jackpot, super, prize.Bound)
	}
	european := book.Prizes.Model == prize.European
	if jackpot > 0 && european || super > 0 && !european {
		return refuse(Invalid, "announce.model", "jackpot", "a jackpot of %v and a guaranteed %v for %s: accepted a jackpot for the games of Loto, a guarantee for Euro Millions", jackpot, super, r.ID())
	}
	r.Jackpot, r.Super = jackpot, super
	return nil
}

// SkipDraw takes a draw out of the calendar before it is on sale. The result is a [State].
type SkipDraw struct {
	Draw string `json:"draw"`
	Why  string `json:"why"`
}

func (SkipDraw) Kind() string  { return "skip_draw" }
func (c SkipDraw) Keys() []Key { return []Key{dateKey(c.Draw)} }

func (c SkipDraw) Plan(p *Plan) (any, error) {
	d, err := p.date(c.Draw)
	if err != nil {
		return nil, err
	}
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	if d.State != DatePlanned {
		return nil, refuse(Conflict, "calendar.state", "draw", "draw %s is %s: accepted a draw that is planned and not yet on sale", c.Draw, d.State)
	}
	d.State, d.Why = DateSkipped, c.Why
	return State{State: DateSkipped}, nil
}

// date returns a draw of the calendar for writing.
func (p *Plan) date(draw string) (*DrawDate, error) {
	d := edit[DrawDate](p, dateKey(draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	return d, nil
}

// checkWhy refuses an act by hand without a reason for the record.
func checkWhy(why string) error {
	if strings.TrimSpace(why) == "" || len(why) > whyMax {
		return refuse(Invalid, "draw.why", "why", "say why, in at most %d bytes", whyMax)
	}
	return nil
}

// ReadDates reads the calendar in the order of the closes: the draws of all games, or of one.
func ReadDates(ctx context.Context, snap Snapshot, game string) ([]*DrawDate, error) {
	r := Range{From: Key{Table: Calendar, S: game}}
	if game != "" {
		r.Prefix = 1
	}
	var list []*DrawDate
	err := snap.Scan(ctx, r, func(row Row) error {
		list = append(list, row.(*DrawDate))
		return nil
	})
	slices.SortStableFunc(list, func(a, b *DrawDate) int { return compareDates(a, b) })
	return list, err
}

func compareDates(a, b *DrawDate) int {
	if a.ClosesAt != b.ClosesAt {
		return int(max(-1, min(1, a.ClosesAt-b.ClosesAt)))
	}
	return strings.Compare(a.Game, b.Game)
}

// readDate returns a draw of the calendar, nil when there is none.
func readDate(ctx context.Context, snap Snapshot, draw string) (*DrawDate, error) {
	row, err := snap.Get(ctx, dateKey(draw))
	if row == nil || err != nil {
		return nil, err
	}
	return row.(*DrawDate), nil
}

// checkCalendar compares the calendar with the draws: what is on sale or was stands in it with its hours, and nothing else does. A draw that was opened
// before there was a calendar stands in none.
func (b *books) checkCalendar() error {
	return b.scan(Calendar, func(r Row) error {
		d := r.(*DrawDate)
		row, err := b.snap.Get(b.ctx, drawKey(d.ID()))
		if err != nil {
			return err
		}
		draw, _ := row.(*Draw)
		switch {
		case (draw != nil) != (d.State == DateOpened):
			return fmt.Errorf("draw %s is %s in the calendar, on sale or sold: %v", d.ID(), d.State, draw != nil)
		case draw != nil && (draw.OpensAt != d.OpensAt || draw.ClosesAt != d.ClosesAt || draw.Exceptional != d.Exceptional):
			return fmt.Errorf("draw %s has other hours than in the calendar", d.ID())
		case d.DrawsAt < d.ClosesAt || d.FirstAt > d.DrawsAt:
			return fmt.Errorf("draw %s is to be held before its close, or before it was first announced", d.ID())
		case d.Jackpot < 0 || d.Super < 0 || d.Stakes < 0 || d.Fund < 0:
			return fmt.Errorf("draw %s is announced with an amount below zero", d.ID())
		}
		return nil
	})
}
