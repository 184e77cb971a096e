package central

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"

	"tirage/games"
	"tirage/rules/drawing"
)

// RoleEnterer copies what is drawn: see [EnterResult].
const RoleEnterer Role = "enterer"

// Room is the draw room of one draw: where its result is made, by four people or more of whom none can make it alone.
//
//	CheckRoom     an operator has the program and the rulebooks compared with those that were released, and looks at the equipment
//	AttendDraw    the officer is there
//	EnterResult   twice, by two people, neither of whom sees what the other types; what differs is told to both and they begin again
//	InterruptDraw the officer lists the balls that were validly drawn; a complementary draw supplies the missing ones
//	SignResult    the officer has compared both with the balls; from then on the result stands and is recorded
//
// Nobody who typed a version of a result signs or approves one, whatever role they have been given since: [Room.Hands] remembers them. A draw that was
// opened by a register with [Config.DrawRoom] has a room, and no register records its result otherwise.
// Art. loto@2018-10-29:7.1.1, Art. loto@2018-10-29:7.2.2, Art. euromillions@2018-10-29:4.1.4, Art. euromillions@2018-10-29:4.1.5 (« sous le contrôle »).
type Room struct {
	Draw      string
	Version   int64  // of the result that is being made, or was made last
	Round     int64  // of the typing, from 1: two entries that differ, or an incident, begin another
	Entries   int64  // sealed in this round: 0, 1, 2; 2 are equal
	Differs   string // what the entries of the round before differed in: "main.4 extra.1"
	Kept      string // numbers that stand of an interrupted draw, as an [EntryBody]; "": none
	Incident  string // what happened, in the officer's words; "": nothing
	Program   string // SHA-256 of the program and of the rulebooks that were compared, in hex
	Rules     string
	Checker   string // principal who compared them
	CheckedAt int64  // microseconds
	Officer   string // principal who is there
	CameAt    int64
	Hands     string // principals who have typed a result of this draw, with spaces between
	Signer    string // officer who signed the version; "": nobody yet
	SignedAt  int64
	Late      string // why the draw was not held when it was announced
	Claims    string // last day of payment; "": that of the rulebook
}

func (*Room) Table() TableID { return Rooms }
func (r *Room) Fields() []any {
	return []any{&r.Draw, &r.Version, &r.Round, &r.Entries, &r.Differs, &r.Kept, &r.Incident, &r.Program, &r.Rules, &r.Checker, &r.CheckedAt, &r.Officer, &r.CameAt,
		&r.Hands, &r.Signer, &r.SignedAt, &r.Late, &r.Claims}
}

func roomKey(draw string) Key { return Key{Table: Rooms, S: draw} }

// typed says whether a principal has typed a result of the draw.
func (r *Room) typed(principal string) bool {
	return slices.Contains(strings.Fields(r.Hands), principal)
}

// touch notes that a principal had a hand in the result.
func (r *Room) touch(principal string) {
	if !r.typed(principal) {
		r.Hands = strings.TrimSpace(r.Hands + " " + principal)
	}
}

// signed says whether the officer has signed that version.
func (r *Room) signed(version int64) bool { return r.Signer != "" && r.Version == version }

// begin starts another round of typing.
func (r *Room) begin(differs string) { r.Round, r.Entries, r.Differs = r.Round+1, 0, differs }

// forVersion makes room for the next version when the one before is recorded. What was compared before the draw, and who is there, stands.
func (r *Room) forVersion(version int64) {
	if r.Version == version {
		return
	}
	r.Version, r.Round, r.Entries, r.Differs = version, 1, 0, ""
	r.Kept, r.Incident, r.Signer, r.SignedAt, r.Late, r.Claims = "", "", "", 0, "", ""
}

// RulesDigest is the SHA-256 of all rulebooks of the program, in hex: of a line for each version and the digest of its file.
var RulesDigest = sync.OnceValue(func() string {
	h := sha256.New()
	for _, b := range games.All() {
		h.Write([]byte(b.Header.Version() + " " + hex.EncodeToString(b.Digest[:]) + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
})

// RoomChecks are what an operator looks at before a draw (assumed: no source at hand lists it).
var RoomChecks = []string{"program", "rules", "equipment"}

// CheckRoom says that what is needed for a draw was looked at before it: the digests of the running program and of its rulebooks are those that the operator
// has before their eyes, and the equipment is in order. Another program or other rulebooks than those compared sign no result. The result is a [RoomState].
type CheckRoom struct {
	Draw    string   `json:"draw"`
	Program string   `json:"program"`
	Rules   string   `json:"rules"`
	Checked []string `json:"checked"` // all of RoomChecks
}

// RoomState is the result of the acts in the draw room.
type RoomState struct {
	Draw    string   `json:"draw"`
	Version int64    `json:"version"`
	Round   int64    `json:"round"`
	Entries int64    `json:"entries"`
	Differs []string `json:"differs,omitempty"`
	Signed  bool     `json:"signed,omitempty"`
}

func (r *Room) state() RoomState {
	return RoomState{r.Draw, r.Version, r.Round, r.Entries, strings.Fields(r.Differs), r.Signer != ""}
}

func (CheckRoom) Kind() string  { return "check_room" }
func (c CheckRoom) Keys() []Key { return []Key{drawKey(c.Draw), roomKey(c.Draw)} }

func (c CheckRoom) Plan(p *Plan) (any, error) {
	_, r, err := p.room(c.Draw)
	if err != nil {
		return nil, err
	}
	if !sameWords(c.Checked, RoomChecks) {
		return nil, refuse(Invalid, "room.checks", "checked", "%s: accepted all of %s, each once", strings.Join(c.Checked, ", "), strings.Join(RoomChecks, ", "))
	}
	program, rules := p.reg.cfg.Program, RulesDigest()
	if c.Program != program || c.Rules != rules {
		return nil, refuse(Conflict, "room.digests", "program", "program %s and rulebooks %s run here: accepted a draw by those that were compared", program, rules)
	}
	r.Program, r.Rules, r.Checker, r.CheckedAt = program, rules, p.Principal, p.Now.UnixMicro()
	return r.state(), nil
}

// sameWords says whether two lists name the same words, each once.
func sameWords(got, want []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// AttendDraw says that the officer is there. Another officer who comes takes over. The result is a [RoomState].
type AttendDraw struct {
	Draw string `json:"draw"`
}

func (AttendDraw) Kind() string  { return "attend_draw" }
func (c AttendDraw) Keys() []Key { return []Key{drawKey(c.Draw), roomKey(c.Draw)} }

func (c AttendDraw) Plan(p *Plan) (any, error) {
	_, r, err := p.room(c.Draw)
	if err != nil {
		return nil, err
	}
	if r.typed(p.Principal) {
		return nil, refuse(Forbidden, "room.hands", "", "who typed a result of draw %s does not control it", c.Draw)
	}
	r.Officer, r.CameAt = p.Principal, p.Now.UnixMicro()
	return r.state(), nil
}

// room returns a draw that may get a result, and its room for writing, with the version that comes next. A draw whose plays are not balanced has none to make.
func (p *Plan) room(draw string) (*Draw, *Room, error) {
	if err := p.person(); err != nil {
		return nil, nil, err
	}
	d := get[Draw](p, drawKey(draw))
	if d == nil {
		return nil, nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	if err := drawing.Check(drawing.State(d.State), drawing.Drawn); err != nil {
		return nil, nil, refuse(Conflict, "draw.state", "", "draw %s: %v", d.ID, err)
	}
	r := edit[Room](p, roomKey(draw))
	if r == nil {
		r = &Room{Draw: draw, Version: 1, Round: 1}
		p.insert(r)
	}
	r.forVersion(d.Version + 1)
	if r.Signer != "" {
		return nil, nil, refuse(Conflict, "room.signed", "", "result %d of draw %s is signed: it is being recorded", r.Version, draw)
	}
	return d, r, nil
}

// Statements of the officer who signs: what was seen, that nothing happened or what happened is told, and who did not type.
const (
	StatementSeen     = "seen"
	StatementQuiet    = "no_incident"
	StatementIncident = "incident_told" // in place of the one before, where there was one
	StatementOwn      = "typed_nothing"
)

// Statements lists what the officer states of a version.
func (r *Room) Statements() []string {
	if r.Incident != "" {
		return []string{StatementSeen, StatementIncident, StatementOwn}
	}
	return []string{StatementSeen, StatementQuiet, StatementOwn}
}

// SignResult is the officer's signature under two equal entries: from then on they are the result of the draw, and the system records it. The result is a
// [RoomState].
type SignResult struct {
	Draw       string   `json:"draw"`
	Version    int64    `json:"version"`
	Round      int64    `json:"round"`
	Statements []string `json:"statements"`
	Late       string   `json:"late,omitempty"`   // why the draw was not held when it was announced
	Claims     string   `json:"claims,omitempty"` // last day of payment, YYYY-MM-DD; "": that of the rulebook
}

func (SignResult) Kind() string { return "sign_result" }
func (c SignResult) Keys() []Key {
	return []Key{drawKey(c.Draw), dateKey(c.Draw), roomKey(c.Draw), docKey(c.Draw, DocManifest, 0)}
}

func (c SignResult) Plan(p *Plan) (any, error) {
	d, r, err := p.room(c.Draw)
	if err != nil {
		return nil, err
	}
	if err := r.stands(c.Version, c.Round); err != nil {
		return nil, err
	}
	switch {
	case r.typed(p.Principal):
		return nil, refuse(Forbidden, "room.hands", "", "who typed a result of draw %s does not control it", c.Draw)
	case r.Officer != p.Principal:
		return nil, refuse(Forbidden, "room.officer", "", "the officer who is there signs, say first that you are")
	case r.Entries < 2:
		return nil, refuse(Conflict, "room.entries", "", "%d of 2 equal entries are sealed for draw %s", r.Entries, c.Draw)
	case r.Program != p.reg.cfg.Program || r.Rules != RulesDigest():
		return nil, refuse(Conflict, "room.digests", "program", "program %s and rulebooks %s run here: accepted a draw by those that were compared", p.reg.cfg.Program, RulesDigest())
	}
	if want := r.Statements(); !sameWords(c.Statements, want) {
		return nil, refuse(Invalid, "room.statements", "statements", "%s: accepted all of %s, each once", strings.Join(c.Statements, ", "), strings.Join(want, ", "))
	}
	entry, err := p.entry(r)
	if err != nil {
		return nil, err
	}
	result, out := entry.papers(d.ID, c.Version)
	result.Late, result.Claims = c.Late, c.Claims
	if err := p.checkDrawn(d, result, out); err != nil {
		return nil, err
	}
	if err := onTime(get[DrawDate](p, dateKey(d.ID)), d, result, p.Now); err != nil {
		return nil, err
	}
	r.Signer, r.SignedAt, r.Late, r.Claims = p.Principal, p.Now.UnixMicro(), c.Late, c.Claims
	return r.state(), nil
}

// stands refuses an act on what does not stand any more.
func (r *Room) stands(version, round int64) error {
	if r.Version != version || r.Round != round {
		return refuse(Conflict, "room.round", "round", "round %d of version %d, now is round %d of version %d: look again", round, version, r.Round, r.Version)
	}
	return nil
}

// roomAgrees refuses a result that the room of its draw has not signed, and returns when it was signed, zero for a draw without a room. A reconstructed draw of
// the past has none.
func (p *Plan) roomAgrees(d *Draw, result *Result, out *Outside) (time.Time, error) {
	r := get[Room](p, roomKey(d.ID))
	if d.Reconstructed == 1 || r == nil && !p.reg.cfg.DrawRoom {
		return p.Now, nil
	}
	if r == nil || !r.signed(result.Version) {
		return p.Now, refuse(Forbidden, "result.room", "", "the result of draw %s is made in the draw room: two equal entries, signed by the officer", d.ID)
	}
	entry, err := p.entry(r)
	if err != nil {
		return p.Now, err
	}
	wantResult, wantOut := entry.papers(d.ID, r.Version)
	wantResult.Late, wantResult.Claims = r.Late, r.Claims
	if !sameJSON(result, wantResult) || !sameJSON(out, wantOut) {
		return p.Now, refuse(Conflict, "result.signed", "result", "result %d of draw %s is not the one that was signed", r.Version, d.ID)
	}
	return time.UnixMicro(r.SignedAt).UTC(), nil
}
