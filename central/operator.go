package central

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"tirage/fairness"
	"tirage/rules/drawing"
	"tirage/rules/prize"
)

// Control is the independent control system: it reads the sealed plays by itself and signs what it counts.
type Control interface {
	// CountSales counts the sealed plays of a draw and returns a signed [Sales].
	CountSales(ctx context.Context, draw string) (signed string, err error)
	// CountResult works out the drawn result and returns a signed [Count].
	CountResult(ctx context.Context, draw string) (signed string, err error)
}

// reasonNoControl is the refusal where a system has no independent control.
const reasonNoControl = "control.missing"

// NoControl is the control of a system that has none installed: nothing is balanced or counted, every draw waits.
type NoControl struct{}

// CountSales refuses.
func (NoControl) CountSales(context.Context, string) (string, error) { return "", noControl() }

// CountResult refuses.
func (NoControl) CountResult(context.Context, string) (string, error) { return "", noControl() }

func noControl() *Refusal {
	return refuse(Unavailable, "control.missing", "", "the independent control is not installed: build it and name it to the server")
}

// Operator takes draws through their life on behalf of the operator: it reads what is sealed, has the control read it too, signs the papers
// and sends the commands. It keeps nothing: every step starts from the store, so another process can go on where one died.
type Operator struct {
	Register  *Register
	Store     Reader
	Sealer    Sealer
	Signer    note.Signer // of role operator
	Control   Control
	Archive   Archive                            // of the sealed files; nil: the control reads the store
	Beacon    Beacon                             // of draws by the generator; nil: its values are brought by hand
	Principal string                             // of its commands, "system"
	Progress  func(step string, done, all int64) // may be nil
}

// do sends a command of the operator. The key names the step, so a step done twice is done once.
func (o *Operator) do(ctx context.Context, key string, c Command) (Receipt, error) {
	return o.Register.Do(ctx, Request{Principal: o.Principal, Key: key, Command: c})
}

func (o *Operator) snapshot(ctx context.Context, f func(Snapshot) error) error {
	snap, err := o.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	return f(snap)
}

// Draw returns a draw, or a refusal when there is none.
func (o *Operator) Draw(ctx context.Context, id string) (*Draw, error) {
	var d *Draw
	err := o.snapshot(ctx, func(snap Snapshot) (err error) {
		d, err = readDraw(ctx, snap, id)
		return err
	})
	return d, err
}

func readDraw(ctx context.Context, snap Snapshot, id string) (*Draw, error) {
	row, err := snap.Get(ctx, drawKey(id))
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", id)
	}
	return row.(*Draw), nil
}

// Open puts a draw of the calendar on sale with packs, at the hours of the calendar and with a fresh secret. Its receipt holds a [DrawOpened].
func (o *Operator) Open(ctx context.Context, e Entropy, draw string, packs []PackOffer) (Receipt, error) {
	var date *DrawDate
	err := o.snapshot(ctx, func(snap Snapshot) (err error) {
		date, err = readDate(ctx, snap, draw)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	if date == nil {
		return Receipt{}, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	return o.open(ctx, e, date, packs)
}

func (o *Operator) open(ctx context.Context, e Entropy, date *DrawDate, packs []PackOffer) (Receipt, error) {
	c := OpenDraw{
		Game: date.Game, Day: date.Day, OpensAt: utc(date.OpensAt), ClosesAt: utc(date.ClosesAt), DrawsAt: utc(date.DrawsAt),
		Exceptional: date.Exceptional == 1, Packs: packs,
	}
	var err error
	if c.Sealed, c.Commitment, err = NewDrawSecret(e, o.Sealer, date.ID()); err != nil {
		return Receipt{}, err
	}
	return o.do(ctx, "open/"+date.ID(), c)
}

// Close ends the sales of a draw.
func (o *Operator) Close(ctx context.Context, draw string) error {
	var types []string
	err := o.snapshot(ctx, func(snap Snapshot) error {
		return snap.Scan(ctx, Range{From: Key{Table: PackTypes, S: draw}, Prefix: 1}, func(r Row) error {
			types = append(types, r.(*PackType).Type)
			return nil
		})
	})
	if err != nil {
		return err
	}
	_, err = o.do(ctx, "close/"+draw, CloseDraw{Draw: draw, Types: types})
	return err
}

// Seal fixes the plays of a closed draw with its terms, and has the control agree. It returns an error when the draw is held. On a draw that is
// sealed already it goes on with what is missing, if the terms are those of that seal.
func (o *Operator) Seal(ctx context.Context, draw string, terms prize.Terms) error {
	d, err := o.Draw(ctx, draw)
	if err != nil {
		return err
	}
	switch drawing.State(d.State) {
	case drawing.Planned, drawing.Open, drawing.Closed:
		err = o.seal(ctx, draw, terms)
	case drawing.Sealed:
		err = o.sameTerms(ctx, draw, terms)
	case drawing.Held, drawing.Postponed:
		return refuse(Conflict, "draw.state", "", "draw %s is %s: resume it first", draw, d.State)
	default:
		return o.sameTerms(ctx, draw, terms) // balanced long ago
	}
	if err != nil {
		return err
	}
	if err := o.keep(ctx, draw, 0, DocManifest); err != nil {
		return err
	}
	sales, err := o.Control.CountSales(ctx, draw)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	return o.agree(ctx, draw, "balance/"+draw, BalanceDraw{Draw: draw, Sales: sales}, drawing.Balanced, sales)
}

// sameTerms refuses other terms than those with which a draw was sealed.
func (o *Operator) sameTerms(ctx context.Context, draw string, terms prize.Terms) error {
	return o.snapshot(ctx, func(snap Snapshot) error {
		m, err := readDoc[Manifest](ctx, snap, draw, DocManifest, 0)
		if err == nil && !sameJSON(m.Terms, terms) {
			err = refuse(Conflict, "seal.other", "terms", "draw %s is sealed with other terms", draw)
		}
		return err
	})
}

// sameJSON says whether two values are written alike.
func sameJSON(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// agree sends a command that holds the draw when two counts differ. Its key names the step and the papers, so that it is done once, and can be done again with
// other papers after the draw was resumed.
func (o *Operator) agree(ctx context.Context, draw, step string, c Command, want drawing.State, papers ...string) error {
	h := sha256.New()
	for _, p := range papers {
		fmt.Fprintf(h, "%d %s", len(p), p)
	}
	r, err := o.do(ctx, fmt.Sprintf("%s/%x", step, h.Sum(nil)[:8]), c)
	if err != nil {
		return err
	}
	var s State
	if err := json.Unmarshal(r.Result, &s); err != nil {
		return err
	}
	if s.State != string(want) {
		return refuse(Conflict, "draw.held", "", "with these counts draw %s is %s: %s", draw, s.State, s.Why)
	}
	return nil
}

// seal counts, signs and seals.
func (o *Operator) seal(ctx context.Context, draw string, terms prize.Terms) error {
	m := Manifest{Terms: terms}
	err := o.snapshot(ctx, func(snap Snapshot) error {
		sales, err := CountSales(ctx, snap, draw)
		if err != nil {
			return err
		}
		m.Sales = *sales
		if m.Logs, err = LogSizes(ctx, snap); err != nil {
			return err
		}
		return o.writeSealed(ctx, snap, draw, &m)
	})
	if err != nil {
		return err
	}
	signed, err := SignPaper(m, o.Signer)
	if err != nil {
		return err
	}
	_, err = o.do(ctx, "seal/"+draw, SealDraw{Draw: draw, Manifest: signed})
	return err
}

// Record records the next version of a result. Draw and Version of both papers are filled in. What is recorded already as the version that stands is not
// recorded again.
func (o *Operator) Record(ctx context.Context, draw string, r Result, out Outside) error {
	d, err := o.Draw(ctx, draw)
	if err != nil {
		return err
	}
	return o.recordAfter(ctx, d, r, out)
}

// recordAfter records the result that follows the one that d has. Of two that record after the same one, the second is refused: it is no correction.
func (o *Operator) recordAfter(ctx context.Context, d *Draw, r Result, out Outside) error {
	draw := d.ID
	r.Draw, out.Draw = draw, draw
	r.Version, out.Version = d.Version, d.Version
	if same, err := o.recorded(ctx, &r, &out); same || err != nil {
		return err
	}
	r.Version, out.Version = d.Version+1, d.Version+1
	result, err := SignPaper(r, o.Signer)
	if err != nil {
		return err
	}
	outside, err := SignPaper(out, o.Signer)
	if err != nil {
		return err
	}
	_, err = o.do(ctx, fmt.Sprintf("result/%s/%d", draw, r.Version), RecordResult{Draw: draw, Result: result, Outside: outside})
	return err
}

// RecordSigned records the result that the officer has signed in the draw room, nothing while there is none that is not yet recorded.
func (o *Operator) RecordSigned(ctx context.Context, d *Draw) (recorded bool, err error) {
	var result *Result
	var out *Outside
	err = o.snapshot(ctx, func(snap Snapshot) error {
		row, err := snap.Get(ctx, roomKey(d.ID))
		r, _ := row.(*Room)
		if err != nil || r == nil || !r.signed(d.Version+1) {
			return err
		}
		entry, err := snap.Get(ctx, entryKey(d.ID, r.Version, 2*r.Round))
		if err != nil || entry == nil {
			return errors.Join(err, fmt.Errorf("draw %s: what was signed is not there", d.ID))
		}
		body, err := ReadEntry(entry.(*RoomEntry).Body)
		if err != nil {
			return err
		}
		result, out = body.papers(d.ID, r.Version)
		result.Late, result.Claims = r.Late, r.Claims
		return nil
	})
	if err != nil || result == nil {
		return false, err
	}
	return true, o.recordAfter(ctx, d, *result, *out)
}

// recorded says whether a result of its version stands, the same to the letter.
func (o *Operator) recorded(ctx context.Context, r *Result, out *Outside) (same bool, err error) {
	if r.Version == 0 {
		return false, nil
	}
	err = o.snapshot(ctx, func(snap Snapshot) error {
		result, err1 := readDoc[Result](ctx, snap, r.Draw, DocResult, r.Version)
		outside, err2 := readDoc[Outside](ctx, snap, r.Draw, DocOutside, r.Version)
		same = sameJSON(result, r) && sameJSON(outside, out)
		return errors.Join(err1, err2)
	})
	return same, err
}

// OpenSecret opens the sealed secret of a draw.
func (o *Operator) OpenSecret(d *Draw) (fairness.Secret, error) {
	return openSecret(o.Sealer, d.Secret, d.ID)
}

// Count works out the result of a drawn draw, has the control do the same, and records both.
func (o *Operator) Count(ctx context.Context, draw string) (*Count, error) {
	var count *Count
	err := o.snapshot(ctx, func(snap Snapshot) error {
		c, err := NewCounting(ctx, snap, draw, o.OpenSecret)
		if err != nil {
			return err
		}
		if count, err = c.CountResult(ctx, snap); err == nil && o.Archive != nil {
			count.File, err = o.Archive.Gains(ctx, snap, c)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	ours, err := SignPaper(count, o.Signer)
	if err == nil && o.Archive != nil {
		err = errors.Join(o.keep(ctx, draw, count.Version, DocResult, DocOutside), o.Archive.Paper(draw, DocCount, count.Version, ours))
	}
	if err != nil {
		return nil, err
	}
	control, err := o.Control.CountResult(ctx, draw)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	step := fmt.Sprintf("count/%s/%d", draw, count.Version)
	return count, o.agree(ctx, draw, step, CountDraw{Draw: draw, Count: ours, Control: control}, drawing.Counted, ours, control)
}

func (o *Operator) progress(step string, done, all int64) {
	if o.Progress != nil {
		o.Progress(step, done, all)
	}
}

// Approve is the officer's approval of the counted version of a result.
func (o *Operator) Approve(ctx context.Context, draw string, version int64, officer string) error {
	_, err := o.Register.Do(ctx, Request{Principal: officer, Key: fmt.Sprintf("approve/%s/%d", draw, version), Command: ApproveDraw{Draw: draw, Version: version}})
	return err
}
