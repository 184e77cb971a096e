package central

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tirage/rules/drawing"
)

// open puts a planned draw on sale, with a fresh secret. Who comes second has another secret under the same key, and is refused.
func (st *step) open(ctx context.Context, date *DrawDate) error {
	var packs []PackOffer
	if st.s.Packs != nil {
		packs = st.s.Packs(date)
	}
	err := st.s.Operator.snapshot(ctx, func(snap Snapshot) (err error) {
		packs, err = withDesigns(ctx, snap, date, packs)
		return err
	})
	if err != nil {
		return err
	}
	_, err = st.s.Operator.open(ctx, st.s.Entropy, date, packs)
	return err
}

// missed takes a draw out of the calendar whose close has passed before it was on sale.
func (st *step) missed(ctx context.Context, draw string) error {
	_, err := st.s.Operator.do(ctx, "skip/"+draw, SkipDraw{Draw: draw, Why: "its close passed before it was on sale"})
	switch CodeOf(err) {
	case "":
		st.done(draw, DateSkipped)
	case Conflict: // another schedule was faster
	default:
		return err
	}
	return nil
}

// move does the next act that is due for a draw, nothing when none is.
func (st *step) move(ctx context.Context, date *DrawDate, d *Draw) error {
	o, now := st.s.Operator, st.now.UnixMicro()
	switch drawing.State(d.State) {
	case drawing.Open:
		if now < d.ClosesAt {
			return st.beforeClose(ctx, date)
		}
		return o.Close(ctx, d.ID)
	case drawing.Closed:
		return st.seal(ctx, date)
	case drawing.Sealed:
		m, err := o.manifest(ctx, d.ID)
		if err != nil {
			return err
		}
		return st.missing(d.ID, o.Seal(ctx, d.ID, m.Terms))
	case drawing.Balanced:
		if now < date.DrawsAt {
			st.due(date.DrawsAt)
			return nil
		}
		if err := st.numbers(ctx, d); err != nil {
			return err
		}
		if err := o.DrawCodes(ctx, d.ID); err != nil && CodeOf(err) != Conflict { // a conflict: another schedule was faster
			return err
		}
		return st.record(ctx, d)
	case drawing.Drawn:
		if corrected, err := o.RecordSigned(ctx, d); corrected || err != nil {
			return err
		}
		_, err := o.Count(ctx, d.ID)
		return st.missing(d.ID, err)
	case drawing.Counted:
		if corrected, err := o.RecordSigned(ctx, d); corrected || err != nil {
			return err
		}
		st.wait(d.ID, WaitApproval, "")
	case drawing.Approved:
		return o.Pay(ctx, d.ID)
	case drawing.Settled:
		return st.draft(ctx, d)
	case drawing.Published:
		return st.lapse(ctx, d)
	case drawing.Held:
		st.wait(d.ID, WaitRelease, date.Why)
	case drawing.Postponed:
		return st.resume(ctx, date)
	}
	return nil
}

// numbers draws the numbers of a draw by the generator once their round has appeared and the draw room is ready. A beacon that does not answer is asked again; it
// keeps no other draw waiting, and two people may stand in for it.
func (st *step) numbers(ctx context.Context, d *Draw) error {
	o := st.s.Operator
	var g *GeneratorView
	ready := false
	err := o.snapshot(ctx, func(snap Snapshot) (err error) {
		if g, err = ReadGenerator(ctx, snap, d.ID); g == nil || err != nil {
			return err
		}
		row, err := snap.Get(ctx, roomKey(d.ID))
		if row != nil {
			ready = row.(*Room).Checker != "" && row.(*Room).Officer != ""
		}
		return err
	})
	if err != nil || g == nil || !g.Waits() || o.Beacon == nil || !ready {
		return err
	}
	if appears := g.Appears.Add(beaconDelay); st.now.Before(appears) {
		st.due(appears.UnixMicro())
		return nil
	}
	err = o.DrawNumbers(ctx, d.ID)
	switch CodeOf(err) {
	case "":
		st.done(d.ID, "numbers")
	case Conflict: // drawn meanwhile, or for two people
		return nil
	default:
		st.due(st.now.Add(beaconAgain).UnixMicro())
	}
	return err
}

const (
	beaconDelay = time.Second      // after a round is due: what its parties and servers take
	beaconAgain = 10 * time.Second // until a beacon that did not answer is asked again
)

func (st *step) wait(draw string, f WaitFor, why string) {
	st.Waits = append(st.Waits, Wait{draw, f, why})
}

// beforeClose runs what is to be done before the close of a draw on sale.
func (st *step) beforeClose(ctx context.Context, date *DrawDate) error {
	st.due(date.ClosesAt)
	for i, b := range st.s.BeforeClose {
		key := fmt.Sprintf("%s/%d", date.ID(), i)
		from := utc(date.ClosesAt).Add(-b.Lead)
		switch {
		case st.s.ran[key]:
		case st.now.Before(from):
			st.due(from.UnixMicro())
		default:
			if err := b.Run(ctx, date); err != nil {
				return err
			}
			if st.s.ran == nil {
				st.s.ran = map[string]bool{}
			}
			st.s.ran[key] = true
		}
	}
	return nil
}

// seal signs the proposed terms with the plays, once the terms are whole.
func (st *step) seal(ctx context.Context, date *DrawDate) error {
	o := st.s.Operator
	p, err := o.Proposed(ctx, date.ID())
	if err != nil {
		return err
	}
	if date.Reported == 0 && st.s.Elsewhere != nil {
		report, err := st.s.Elsewhere(ctx, date)
		if err != nil {
			return err
		}
		if report != nil {
			report.Draw = date.ID()
			if _, err := o.do(ctx, "report/"+date.ID(), *report); err != nil {
				return err
			}
			if p, err = o.Proposed(ctx, date.ID()); err != nil {
				return err
			}
		}
	}
	if len(p.Missing) > 0 {
		st.wait(date.ID(), WaitTerms, p.incomplete().Text)
		return nil
	}
	return st.missing(date.ID(), o.Seal(ctx, date.ID(), p.Terms))
}

// missing turns the error that there is no control into a wait: nothing goes on without one.
func (st *step) missing(draw string, err error) error {
	if r := new(Refusal); errors.As(err, &r) && r.Reason == reasonNoControl {
		st.wait(draw, WaitControl, r.Text)
		return nil
	}
	return err
}

// record records what was signed in the draw room, or what the source of results gives.
func (st *step) record(ctx context.Context, d *Draw) error {
	if signed, err := st.s.Operator.RecordSigned(ctx, d); signed || err != nil {
		return err
	}
	if st.s.Results == nil {
		st.wait(d.ID, WaitResult, "")
		return nil
	}
	r, out, err := st.s.Results(ctx, d)
	if err != nil {
		return err
	}
	if r == nil {
		st.wait(d.ID, WaitResult, "")
		return nil
	}
	if out == nil {
		out = &Outside{}
	}
	return st.s.Operator.recordAfter(ctx, d, *r, *out)
}

// draft drafts the notice of a settled draw, which another person publishes.
func (st *step) draft(ctx context.Context, d *Draw) error {
	o := st.s.Operator
	drafted := false
	err := o.snapshot(ctx, func(snap Snapshot) error {
		row, err := snap.Get(ctx, docKey(d.ID, DocDraft, d.Version))
		drafted = row != nil
		return err
	})
	if err != nil {
		return err
	}
	if !drafted {
		switch _, err := o.Draft(ctx, d.ID); CodeOf(err) {
		case "":
			st.done(d.ID, "drafted")
		case Conflict: // another schedule or a person was faster
		default:
			return err
		}
	}
	st.wait(d.ID, WaitNotice, "")
	return nil
}

// lapse sends the unclaimed gains of a published draw to their fund when their last day is over.
func (st *step) lapse(ctx context.Context, d *Draw) error {
	o := st.s.Operator
	var last string
	err := o.snapshot(ctx, func(snap Snapshot) (err error) {
		last, err = ClaimsUntil(ctx, snap, d.ID)
		return err
	})
	if err != nil {
		return err
	}
	if at := lapsesAt(last); st.now.Before(at) {
		st.due(at.UnixMicro())
		return nil
	}
	switch _, err := o.do(ctx, "lapse/"+d.ID, LapseClaims{Draw: d.ID}); CodeOf(err) {
	case "":
		st.done(d.ID, "lapsed")
	case Conflict: // another schedule was faster
	default:
		return err
	}
	return nil
}

// resume lets a postponed draw go on when its new instant has come.
func (st *step) resume(ctx context.Context, date *DrawDate) error {
	if st.now.UnixMicro() < date.DrawsAt {
		st.due(date.DrawsAt)
		return nil
	}
	key := fmt.Sprintf("resume/%s/%d", date.ID(), date.DrawsAt/1_000_000)
	_, err := st.s.Operator.do(ctx, key, ResumeDraw{Draw: date.ID(), Why: "the instant to which it was put off has come"})
	return err
}

// manifest reads the signed manifest of a sealed draw.
func (o *Operator) manifest(ctx context.Context, draw string) (m *Manifest, err error) {
	err = o.snapshot(ctx, func(snap Snapshot) (err error) {
		m, err = readDoc[Manifest](ctx, snap, draw, DocManifest, 0)
		return err
	})
	return m, err
}

func utc(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
