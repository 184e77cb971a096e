package central

import (
	"slices"
	"time"

	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/rulebook"
)

// RecordResult records what was drawn, and what other points of sale and countries report of it. A second result before the payment is
// approved replaces the first as the next version. Of a draw with a [Room] it is what the officer has signed there, to the letter.
type RecordResult struct {
	Draw    string `json:"draw"`
	Result  string `json:"result"`  // signed by the operator
	Outside string `json:"outside"` // signed by the operator
}

func (RecordResult) Kind() string { return "record_result" }
func (c RecordResult) Keys() []Key {
	return []Key{drawKey(c.Draw), dateKey(c.Draw), roomKey(c.Draw), generatorKey(c.Draw), docKey(c.Draw, DocManifest, 0)}
}

func (c RecordResult) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Drawn)
	if err != nil {
		return nil, err
	}
	r, err := paper[Result](p, c.Result, RoleOperator, "result")
	if err != nil {
		return nil, err
	}
	o, err := paper[Outside](p, c.Outside, RoleOperator, "outside")
	if err != nil {
		return nil, err
	}
	version := d.Version + 1
	if r.Draw != d.ID || o.Draw != d.ID || r.Version != version || o.Version != version {
		return nil, refuse(Conflict, "result.version", "result", "result %d of %s with outside winners %d of %s, accepted version %d of %s", r.Version, r.Draw, o.Version, o.Draw, version, d.ID)
	}
	if err := p.checkDrawn(d, r, o); err != nil {
		return nil, err
	}
	if err := p.generated(d, &EntryBody{Main: r.Main, Extra: r.Extra, Codes: r.Codes, Joker: r.Joker}); err != nil {
		return nil, err
	}
	known, err := p.roomAgrees(d, r, o)
	if err != nil {
		return nil, err
	}
	if date := edit[DrawDate](p, dateKey(d.ID)); date != nil {
		if err := onTime(date, d, r, known); err != nil {
			return nil, err
		}
		date.Recorder = p.Principal
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocResult, Version: version, Body: c.Result})
	p.insert(&Doc{Draw: d.ID, Kind: DocOutside, Version: version, Body: c.Outside})
	d.State, d.Version, d.Slices, d.Paid = string(drawing.Drawn), version, 0, 0
	return State{State: d.State}, nil
}

// checkResult refuses numbers outside the matrix, a wrong number of them, codes that the draw does not issue.
func checkResult(r *Result, o *Outside, book *rulebook.Rulebook, d *Draw) error {
	drawn, err := combin.Of(r.Main, r.Extra)
	if err == nil {
		err = book.Matrix.Check(drawn)
	}
	if err != nil {
		return refuse(Invalid, "result.numbers", "result", "%v", err)
	}
	if len(r.Main) != book.Matrix.Main || len(r.Extra) != book.Matrix.Extra {
		return refuse(Invalid, "result.numbers", "result", "%d + %d numbers, accepted %d + %d", len(r.Main), len(r.Extra), book.Matrix.Main, book.Matrix.Extra)
	}
	if len(o.Winners) != 0 && len(o.Winners) != len(book.Prizes.Ranks) {
		return refuse(Invalid, "result.outside", "outside", "winners of %d ranks, accepted %d", len(o.Winners), len(book.Prizes.Ranks))
	}
	if _, err := time.Parse(time.DateOnly, r.Claims); r.Claims != "" && (err != nil || r.Claims < d.Day) {
		return refuse(Invalid, "result.claims", "result", "last day of payment %.20q, accepted a day as YYYY-MM-DD, not before the draw", r.Claims)
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	if err != nil {
		return err
	}
	for id, drawn := range r.Codes {
		i := slices.IndexFunc(series, func(s *codeSeries) bool { return s.ID == id })
		if i < 0 {
			return refuse(Invalid, "result.codes", "result", "codes %q: this draw issues no such codes", id)
		}
		seen := map[int64]bool{}
		for _, c := range drawn {
			n, err := series[i].Parse(c)
			if err != nil {
				return refuse(Invalid, "result.codes", "result", "%v", err)
			}
			if seen[n] {
				return refuse(Invalid, "result.codes", "result", "code %s stands twice", c)
			}
			seen[n] = true
		}
	}
	return nil
}

// CountDraw takes the winners and gains of a result as the operator and as the control worked them out. Both must be equal, or the
// draw is held. From then on each slice of credits is fixed by its hash.
type CountDraw struct {
	Draw    string `json:"draw"`
	Count   string `json:"count"`   // signed by the operator
	Control string `json:"control"` // signed by the control
}

func (CountDraw) Kind() string  { return "count_draw" }
func (c CountDraw) Keys() []Key { return []Key{drawKey(c.Draw), docKey(c.Draw, DocManifest, 0)} }

func (c CountDraw) Plan(p *Plan) (any, error) {
	d, err := p.draw(c.Draw, drawing.Counted)
	if err != nil {
		return nil, err
	}
	ours, err := paper[Count](p, c.Count, RoleOperator, "count")
	if err != nil {
		return nil, err
	}
	control, err := paper[Count](p, c.Control, RoleControl, "control")
	if err != nil {
		return nil, err
	}
	if ours.Draw != d.ID || ours.Version != d.Version {
		return nil, refuse(Conflict, "count.version", "count", "it counts version %d of %s, the result is version %d of %s", ours.Version, ours.Draw, d.Version, d.ID)
	}
	if err := ours.check(); err != nil {
		return nil, refuse(Invalid, "count.sums", "count", "%v", err)
	}
	if why := ours.Differs(control); why != "" {
		return p.hold(d, drawing.Drawn, why), nil
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocCount, Version: d.Version, Body: c.Count})
	p.insert(&Doc{Draw: d.ID, Kind: DocControl, Version: d.Version, Body: c.Control})
	for i, s := range ours.Slices {
		p.insert(&Slice{Draw: d.ID, Version: d.Version, N: int64(i), Credits: s.Credits, Cents: s.Cents, Hash: s.Hash})
	}
	d.State, d.Slices, d.Paid = string(drawing.Counted), int64(len(ours.Slices)), 0
	return State{State: d.State}, nil
}
