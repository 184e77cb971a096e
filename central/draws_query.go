package central

import (
	"context"
	"time"

	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// DrawView is a draw as operators see it: where it stands, its hours, what is announced and sold of it, what waits for winners.
type DrawView struct {
	Draw        string      `json:"draw"`
	State       string      `json:"state"`            // that of the draw; before it is on sale DatePlanned or DateSkipped
	Resume      string      `json:"resume,omitempty"` // of a paused draw: the state to go back to
	OpensAt     time.Time   `json:"opens_at"`
	ClosesAt    time.Time   `json:"closes_at"`
	DrawsAt     time.Time   `json:"draws_at"`
	FirstAt     time.Time   `json:"first_at"` // for which it was announced before it was postponed
	Exceptional bool        `json:"exceptional,omitempty"`
	Announced   Announced   `json:"announced"`
	Reported    bool        `json:"reported"` // what the others report is there
	Plays       int64       `json:"plays"`
	Stakes      money.Cents `json:"stakes"`            // of the plays, without those of unsold shares
	Version     int64       `json:"version,omitempty"` // of the result
	Recorder    string      `json:"recorder,omitempty"`
	Slices      int64       `json:"slices,omitempty"` // of credits
	Paid        int64       `json:"paid,omitempty"`
	Until       string      `json:"claims_until,omitempty"` // last day of payment
	Waiting     money.Cents `json:"claims,omitempty"`       // for winners
	Lapsed      bool        `json:"lapsed,omitempty"`       // what nobody claimed went to its fund
	Why         string      `json:"why,omitempty"`          // of the last hold or act by hand
}

// ReadDrawView reads one draw of the calendar.
func ReadDrawView(ctx context.Context, snap Snapshot, draw string) (*DrawView, error) {
	date, err := readDate(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	if date == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	v := &DrawView{
		Draw: draw, State: date.State, OpensAt: utc(date.OpensAt), ClosesAt: utc(date.ClosesAt), DrawsAt: utc(date.DrawsAt), FirstAt: utc(date.FirstAt),
		Exceptional: date.Exceptional == 1, Announced: date.announced(), Reported: date.Reported == 1, Recorder: date.Recorder,
		Lapsed: date.Lapsed != 0, Why: date.Why,
	}
	if date.State != DateOpened {
		return v, nil
	}
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	v.State, v.Resume, v.Version, v.Slices, v.Paid = d.State, d.Resume, d.Version, d.Slices, d.Paid
	if err := v.readSales(ctx, snap); err != nil {
		return nil, err
	}
	switch drawing.State(d.State) {
	case drawing.Settled, drawing.Published:
		v.Until, err = ClaimsUntil(ctx, snap, draw)
	}
	return v, err
}

// readSales adds up what is sold, and what waits for winners.
func (v *DrawView) readSales(ctx context.Context, snap Snapshot) error {
	for _, kind := range soldKinds() {
		plays, err := readCounter(ctx, snap, "plays/"+v.Draw+"/"+kind)
		if err != nil {
			return err
		}
		stakes, err := readCounter(ctx, snap, "cents/"+v.Draw+"/"+kind)
		if err != nil {
			return err
		}
		switch kind {
		case KindSimple, KindMultiple, KindPack, KindGroup:
			v.Plays += plays
		}
		v.Stakes = money.Add(v.Stakes, money.Cents(stakes))
	}
	return snap.Scan(ctx, Range{From: Key{Table: Accounts, S: string(ledger.Claims(v.Draw))}, Prefix: 1}, func(r Row) error {
		v.Waiting = money.Add(v.Waiting, r.(*AccountRow).Balance)
		return nil
	})
}

// readCounter returns a counter over all nodes.
func readCounter(ctx context.Context, snap Snapshot, name string) (n int64, err error) {
	err = snap.Scan(ctx, Range{From: Key{Table: Counters, S: name}, Prefix: 1}, func(r Row) error {
		n += r.(*Counter).N
		return nil
	})
	return n, err
}

// DrawQuery selects draws of the calendar.
type DrawQuery struct {
	Game     string // "": all
	From, To string // days, YYYY-MM-DD, both included; "": no bound
	Open     bool   // those alone that are not yet published
}

// ReadDrawViews reads draws of the calendar in the order of their closes.
func ReadDrawViews(ctx context.Context, snap Snapshot, q DrawQuery) ([]*DrawView, error) {
	dates, err := ReadDates(ctx, snap, q.Game)
	if err != nil {
		return nil, err
	}
	var list []*DrawView
	for _, d := range dates {
		if q.From != "" && d.Day < q.From || q.To != "" && d.Day > q.To {
			continue
		}
		v, err := ReadDrawView(ctx, snap, d.ID())
		if err != nil {
			return nil, err
		}
		if !q.Open || v.State != string(drawing.Published) && v.State != DateSkipped {
			list = append(list, v)
		}
	}
	return list, nil
}
