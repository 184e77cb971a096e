package central

import (
	"strings"
	"time"
)

// enter compares the opening with the calendar; a draw that does not stand in it is entered.
func (c OpenDraw) enter(p *Plan) error {
	id, draws := DrawID(c.Game, c.Day), c.DrawsAt
	date := edit[DrawDate](p, dateKey(id))
	if draws.IsZero() {
		if draws = c.ClosesAt; date != nil {
			draws = time.UnixMicro(date.DrawsAt)
		}
	}
	if err := checkHours(c.Day, c.OpensAt, c.ClosesAt, draws); err != nil {
		return err
	}
	opened := DrawDate{
		Game: c.Game, Day: c.Day, State: DateOpened, OpensAt: c.OpensAt.UnixMicro(), ClosesAt: c.ClosesAt.UnixMicro(),
		DrawsAt: draws.UnixMicro(), FirstAt: draws.UnixMicro(), Exceptional: flag(c.Exceptional),
	}
	if date == nil {
		p.insert(&opened)
		return nil
	}
	switch {
	case date.State == DateSkipped:
		return refuse(Conflict, "calendar.skipped", "day", "draw %s was taken out of the calendar", id)
	case date.OpensAt != opened.OpensAt || date.ClosesAt != opened.ClosesAt || date.DrawsAt != opened.DrawsAt || date.Exceptional != opened.Exceptional:
		return refuse(Conflict, "calendar.hours", "closes_at", "draw %s stands in the calendar with other hours: on sale from %v to %v, drawn at %v", id, moment(date.OpensAt), moment(date.ClosesAt), moment(date.DrawsAt))
	}
	date.State = DateOpened
	return nil
}

// LateAfter is how long after the announced instant a result is recorded without a word on why it is late (assumed).
const LateAfter = time.Hour

// onTime refuses a result that is known before the instant for which the draw is announced, and one that is late without a reason; no draw is ever too
// late. A reconstructed draw of the past has its result when it is wanted.
func onTime(date *DrawDate, d *Draw, r *Result, known time.Time) error {
	if date == nil || d.Reconstructed == 1 {
		return nil
	}
	if len(r.Late) > whyMax {
		return refuse(Invalid, "result.late", "result", "%d bytes, accepted at most %d", len(r.Late), whyMax)
	}
	announced := time.UnixMicro(date.DrawsAt)
	if known.Before(announced) {
		return refuse(Conflict, "result.early", "", "draw %s is announced for %v: a result is accepted from then on", d.ID, moment(date.DrawsAt))
	}
	first := time.UnixMicro(date.FirstAt)
	if late := known.Sub(first); late > LateAfter && strings.TrimSpace(r.Late) == "" {
		return refuse(Invalid, "result.late", "result", "draw %s is recorded %d minutes after %v, for which it was announced: accepted with the reason", d.ID, int64(late/time.Minute), moment(date.FirstAt))
	}
	return nil
}
