package central

import (
	"time"

	"tirage/rules/drawing"
)

// hold stops a draw: the act is accepted and logged, nothing moves until the cause is settled. The reason stands beside the hours of the draw.
func (p *Plan) hold(d *Draw, resume drawing.State, why string) State {
	p.noteWhy(d.ID, why)
	d.State, d.Resume = string(drawing.Held), string(resume)
	return State{State: d.State, Why: why}
}

// HoldDraw stops a draw by hand, from the seal of its plays to the approval of its payment: something is to be looked at, and nothing moves until
// [ResumeDraw]. The result is a [State].
type HoldDraw struct {
	Draw string `json:"draw"`
	Why  string `json:"why"`
}

func (HoldDraw) Kind() string  { return "hold_draw" }
func (c HoldDraw) Keys() []Key { return []Key{drawKey(c.Draw), dateKey(c.Draw)} }

func (c HoldDraw) Plan(p *Plan) (any, error) {
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	d, err := p.draw(c.Draw, drawing.Held)
	if err != nil {
		return nil, err
	}
	return p.hold(d, drawing.State(d.State), c.Why), nil
}

// noteWhy keeps the reason of the last hold or act by hand.
func (p *Plan) noteWhy(draw, why string) {
	if date := edit[DrawDate](p, dateKey(draw)); date != nil {
		date.Why = why
	}
}

// PublishedAfter is how late a draw may be held without a date that was published: what is not held is held within 48 hours under the control of the
// officer, else on a day that is published (inferred, by analogy with the rule of another game of draws).
const PublishedAfter = 48 * time.Hour

// PostponeDraw puts off a draw that cannot take place: it keeps its plays, and its rules, those of the day for which it was announced (inferred). A
// draw that was interrupted is postponed like one that did not begin: the balls that were validly drawn are for the result, a complementary draw supplies
// the missing ones. At the new instant the draw goes on from where it was put off. The result is a [State].
type PostponeDraw struct {
	Draw      string    `json:"draw"`
	Until     time.Time `json:"until"` // new instant of the draw
	Why       string    `json:"why"`
	Published string    `json:"published,omitempty"` // where the new day was published; needed when it is more than PublishedAfter late
}

func (PostponeDraw) Kind() string  { return "postpone_draw" }
func (c PostponeDraw) Keys() []Key { return []Key{drawKey(c.Draw), dateKey(c.Draw)} }

func (c PostponeDraw) Plan(p *Plan) (any, error) {
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	d := edit[Draw](p, drawKey(c.Draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", c.Draw)
	}
	date, err := p.date(c.Draw)
	if err != nil {
		return nil, err
	}
	again := d.State == string(drawing.Postponed)
	if err := drawing.Check(drawing.State(d.State), drawing.Postponed); err != nil && !again {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: %v", d.ID, err)
	}
	if !c.Until.After(p.Now) || c.Until.UnixMicro() <= date.DrawsAt {
		return nil, refuse(Invalid, "postpone.until", "until", "draw %s is announced for %v, put off to %v: accepted a later instant that is to come", d.ID, moment(date.DrawsAt), moment(c.Until.UnixMicro()))
	}
	if late := c.Until.Sub(time.UnixMicro(date.FirstAt)); late > PublishedAfter && c.Published == "" {
		return nil, refuse(Invalid, "postpone.published", "published", "draw %s would be held %d hours late: accepted %d hours, or say where the new day was published", d.ID, int64(late/time.Hour), int64(PublishedAfter/time.Hour))
	}
	if len(c.Published) > whyMax {
		return nil, refuse(Invalid, "postpone.published", "published", "%d bytes, accepted at most %d", len(c.Published), whyMax)
	}
	if !again {
		d.State, d.Resume = string(drawing.Postponed), d.State
	}
	date.DrawsAt, date.Why = c.Until.UnixMicro(), c.Why
	return State{State: d.State, Why: c.Why}, nil
}

// ResumeDraw takes a paused draw back to the state in which it was paused, once the cause is settled: a held draw by an officer, a postponed one also by
// the system when its new instant has come.
type ResumeDraw struct {
	Draw string `json:"draw"`
	Why  string `json:"why"`
}

func (ResumeDraw) Kind() string  { return "resume_draw" }
func (c ResumeDraw) Keys() []Key { return []Key{drawKey(c.Draw), dateKey(c.Draw)} }

func (c ResumeDraw) Plan(p *Plan) (any, error) {
	d := edit[Draw](p, drawKey(c.Draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", c.Draw)
	}
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	if err := drawing.CheckResume(drawing.State(d.State), drawing.State(d.Resume)); err != nil {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: %v", d.ID, err)
	}
	date := get[DrawDate](p, dateKey(c.Draw))
	if p.Principal == SystemPrincipal && (d.State == string(drawing.Held) || date != nil && p.Now.UnixMicro() < date.DrawsAt) {
		return nil, refuse(Forbidden, "resume.person", "", "draw %s is %s: an officer lets it go on", d.ID, d.State)
	}
	p.noteWhy(c.Draw, c.Why)
	d.State, d.Resume = d.Resume, ""
	return State{State: d.State}, nil
}
