package central

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"tirage/rules/drawing"
)

// A notice is drafted by the settlement and published by a person: nobody both enters and publishes what players are told they have won.
//
//	settled → draft_notice (the system, or an operator) → publish_draw (another person) → published
//
// What is drafted follows from what was counted and paid, and is published to the letter.

// NoticeDraft is a notice that waits for its publication, and who drafted it.
type NoticeDraft struct {
	By     string `json:"by"` // principal
	Notice Notice `json:"notice"`
}

// DraftNotice stores the draft of the notice of a settled draw.
type DraftNotice struct {
	Draw  string `json:"draw"`
	Draft string `json:"draft"` // a [NoticeDraft] signed by the operator
}

func (DraftNotice) Kind() string { return "draft_notice" }

// Keys lists the draw and its papers: version 1 is the usual one, others are asked for.
func (c DraftNotice) Keys() []Key {
	return []Key{
		drawKey(c.Draw), docKey(c.Draw, DocManifest, 0), docKey(c.Draw, DocResult, 1), docKey(c.Draw, DocCount, 1), docKey(c.Draw, DocDraft, 1),
	}
}

// Plan drafts. The result is a [State]: the draw stays settled.
func (c DraftNotice) Plan(p *Plan) (any, error) {
	d, err := p.settled(c.Draw)
	if err != nil {
		return nil, err
	}
	draft, err := paper[NoticeDraft](p, c.Draft, RoleOperator, "draft")
	if err != nil {
		return nil, err
	}
	switch n := &draft.Notice; {
	case draft.By != p.Principal:
		return nil, refuse(Forbidden, "notice.drafter", "draft", "it is signed as drafted by another principal than %s", p.Principal)
	case n.Draw != d.ID || n.Version != d.Version:
		return nil, refuse(Conflict, "notice.version", "draft", "notice of version %d of %s, accepted version %d of %s", n.Version, n.Draw, d.Version, d.ID)
	case get[Doc](p, docKey(d.ID, DocDraft, d.Version)) != nil:
		return nil, refuse(Conflict, "notice.drafted", "", "the notice of draw %s is drafted", d.ID)
	}
	paid, err := p.paidNotice(d)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(&draft.Notice, paid) {
		return nil, refuse(Conflict, "notice.content", "draft", "it does not say what was counted and paid")
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocDraft, Version: d.Version, Body: c.Draft})
	return State{State: d.State}, nil
}

// settled returns a draw whose notice may be published.
func (p *Plan) settled(id string) (*Draw, error) {
	d := get[Draw](p, drawKey(id))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", id)
	}
	if err := drawing.Check(drawing.State(d.State), drawing.Published); err != nil {
		return nil, refuse(Conflict, "draw.state", "", "draw %s: %v", id, err)
	}
	return d, nil
}

// paidNotice writes the notice of what was counted and paid: one outcome, whoever shows it.
func (p *Plan) paidNotice(d *Draw) (*Notice, error) {
	m, err1 := stored[Manifest](p, d.ID, DocManifest, 0)
	r, err2 := stored[Result](p, d.ID, DocResult, d.Version)
	count, err3 := stored[Count](p, d.ID, DocCount, d.Version)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	return draft(d, m, r, count)
}

// PublishDraw publishes the drafted notice of a settled draw (Art. loto@2018-10-29:11, Art. euromillions@2018-10-29:7).
type PublishDraw struct {
	Draw   string `json:"draw"`
	Notice string `json:"notice"` // signed by the operator
}

func (PublishDraw) Kind() string { return "publish_draw" }

// Keys lists the draw, its date, its room and its draft: version 1 is the usual one, others are asked for.
func (c PublishDraw) Keys() []Key {
	return []Key{drawKey(c.Draw), dateKey(c.Draw), roomKey(c.Draw), docKey(c.Draw, DocDraft, 1)}
}

// Plan publishes. The result is a [State].
func (c PublishDraw) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	d, err := p.draw(c.Draw, drawing.Published)
	if err != nil {
		return nil, err
	}
	if get[Doc](p, docKey(d.ID, DocDraft, d.Version)) == nil {
		return nil, refuse(Conflict, "notice.undrafted", "", "the notice of draw %s is not drafted yet", d.ID)
	}
	draft, err := stored[NoticeDraft](p, d.ID, DocDraft, d.Version)
	if err != nil {
		return nil, err
	}
	date := get[DrawDate](p, dateKey(c.Draw))
	if draft.By == p.Principal || date != nil && date.Recorder == p.Principal {
		return nil, refuse(Forbidden, "notice.same", "", "who drafted the notice of draw %s, or recorded its result, does not publish it", d.ID)
	}
	if r := get[Room](p, roomKey(d.ID)); r != nil && r.typed(p.Principal) {
		return nil, refuse(Forbidden, "room.hands", "", "who typed a result of draw %s does not control it", d.ID)
	}
	n, err := paper[Notice](p, c.Notice, RoleOperator, "notice")
	if err != nil {
		return nil, err
	}
	if n.Draw != d.ID || n.Version != d.Version {
		return nil, refuse(Conflict, "notice.version", "notice", "notice of version %d of %s, accepted version %d of %s", n.Version, n.Draw, d.Version, d.ID)
	}
	if !reflect.DeepEqual(n, &draft.Notice) {
		return nil, refuse(Conflict, "notice.content", "notice", "it is not the notice that was drafted")
	}
	p.insert(&Doc{Draw: d.ID, Kind: DocNotice, Version: d.Version, Body: c.Notice})
	d.State = string(drawing.Published)
	return State{State: d.State}, nil
}

// Draft drafts the notice of a settled draw, in the name of the operator's principal, and returns it.
func (o *Operator) Draft(ctx context.Context, draw string) (*Notice, error) {
	draft := NoticeDraft{By: o.Principal}
	err := o.snapshot(ctx, func(snap Snapshot) error {
		n, err := NewNotice(ctx, snap, draw)
		if err == nil {
			draft.Notice = *n
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	signed, err := SignPaper(draft, o.Signer)
	if err != nil {
		return nil, err
	}
	_, err = o.do(ctx, fmt.Sprintf("draft/%s/%d", draw, draft.Notice.Version), DraftNotice{Draw: draw, Draft: signed})
	return &draft.Notice, err
}

// ReadDraft returns the drafted notice of a draw, or a refusal when there is none.
func ReadDraft(ctx context.Context, snap Snapshot, draw string) (*NoticeDraft, error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	row, err := snap.Get(ctx, docKey(draw, DocDraft, d.Version))
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(Conflict, "notice.undrafted", "", "the notice of draw %s is not drafted yet", draw)
	}
	return ReadPaper[NoticeDraft](row.(*Doc).Body)
}

// Publish publishes the drafted notice of a draw in the name of a person, who has neither drafted it nor recorded the result, and returns it.
func (o *Operator) Publish(ctx context.Context, draw, person string) (*Notice, error) {
	var draft *NoticeDraft
	err := o.snapshot(ctx, func(snap Snapshot) (err error) {
		draft, err = ReadDraft(ctx, snap, draw)
		return err
	})
	if err != nil {
		return nil, err
	}
	n := &draft.Notice
	signed, err := SignPaper(n, o.Signer)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("publish/%s/%d", draw, n.Version)
	if _, err := o.Register.Do(ctx, Request{Principal: person, Key: key, Command: PublishDraw{Draw: draw, Notice: signed}}); err != nil {
		return nil, err
	}
	return n, o.keep(ctx, draw, n.Version, DocNotice)
}
