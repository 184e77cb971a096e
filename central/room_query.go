package central

import (
	"context"
	"strings"
	"time"

	"tirage/rules/drawing"
)

// RoomView is the draw room of one draw as one principal sees it: what was typed is shown when two entries are equal and to nobody who types.
type RoomView struct {
	Draw      string      `json:"draw"`
	Version   int64       `json:"version"` // that is made, or was made last
	Round     int64       `json:"round"`
	Sealed    []EntryView `json:"sealed"` // of this round
	Differs   []string    `json:"differs,omitempty"`
	Kept      *EntryBody  `json:"kept,omitempty"` // of an interrupted draw
	Incident  string      `json:"incident,omitempty"`
	Program   string      `json:"program,omitempty"`
	Rules     string      `json:"rules,omitempty"`
	Checker   string      `json:"checker,omitempty"`
	CheckedAt *time.Time  `json:"checked_at,omitempty"`
	Officer   string      `json:"officer,omitempty"`
	CameAt    *time.Time  `json:"came_at,omitempty"`
	Signer    string      `json:"signer,omitempty"`
	SignedAt  *time.Time  `json:"signed_at,omitempty"`
	Late      string      `json:"late,omitempty"`
	States    []string    `json:"statements"` // what the officer states
	Typed     bool        `json:"typed"`      // by the principal, in some version
	Open      bool        `json:"open"`       // a result can be made: the plays are balanced, nothing is signed
}

// Program is the SHA-256 of the running program that the draw room compares, in hex.
func (r *Register) Program() string { return r.cfg.Program }

// EntryView is one sealed entry; its body is shown to the officer and the auditor alone, when both exist.
type EntryView struct {
	Enterer string     `json:"enterer"`
	At      time.Time  `json:"at"`
	Body    *EntryBody `json:"body,omitempty"`
}

// Equal says whether two equal entries are sealed.
func (v *RoomView) Equal() bool { return len(v.Sealed) == 2 }

// Mine says whether the principal sealed an entry of this round.
func (v *RoomView) Mine(principal string) bool {
	for _, e := range v.Sealed {
		if e.Enterer == principal {
			return true
		}
	}
	return false
}

// ReadRoom reads the draw room of a draw as a principal sees it.
func ReadRoom(ctx context.Context, snap Snapshot, draw, principal string) (*RoomView, error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	row, err := snap.Get(ctx, roomKey(draw))
	if err != nil {
		return nil, err
	}
	r := &Room{Draw: draw, Version: 1, Round: 1}
	if row != nil {
		r = row.(*Room)
	}
	open := drawing.Check(drawing.State(d.State), drawing.Drawn) == nil
	recorded := r.Version <= d.Version
	v := &RoomView{
		Draw: draw, Version: r.Version, Round: r.Round, Differs: strings.Fields(r.Differs), Incident: r.Incident, Program: r.Program, Rules: r.Rules, Checker: r.Checker,
		CheckedAt: instantOrNil(r.CheckedAt), Officer: r.Officer, CameAt: instantOrNil(r.CameAt), Signer: r.Signer, SignedAt: instantOrNil(r.SignedAt), Late: r.Late,
		States: r.Statements(), Typed: r.typed(principal), Open: open && (recorded || r.Signer == ""),
	}
	if r.Kept != "" {
		if v.Kept, err = ReadEntry(r.Kept); err != nil {
			return nil, err
		}
	}
	return v, v.readSealed(ctx, snap, r, principal)
}

// readSealed reads the entries of the round; what they say is for who did not type, once both are there.
func (v *RoomView) readSealed(ctx context.Context, snap Snapshot, r *Room, principal string) error {
	for i := range r.Entries {
		row, err := snap.Get(ctx, entryKey(r.Draw, r.Version, 2*r.Round-1+i))
		if err != nil {
			return err
		}
		e := row.(*RoomEntry)
		view := EntryView{Enterer: e.Enterer, At: time.UnixMicro(e.At).UTC()}
		if r.Entries == 2 && !r.typed(principal) {
			if view.Body, err = ReadEntry(e.Body); err != nil {
				return err
			}
		}
		v.Sealed = append(v.Sealed, view)
	}
	return nil
}
