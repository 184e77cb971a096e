package central

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tirage/rules/drawing"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// EntryBody is what one person copies of a draw: numbers in the order of drawing, codes, the number of Joker+, and what others report of their winners.
type EntryBody struct {
	Main    []int                    `json:"main"`
	Extra   []int                    `json:"extra"`
	Codes   map[string][]string      `json:"codes,omitempty"`   // by series, in the order of drawing
	Joker   string                   `json:"joker,omitempty"`   // number of Joker+ of the evening
	Winners prize.Winners            `json:"winners,omitempty"` // elsewhere, by rank
	AddOns  map[string]prize.Winners `json:"add_ons,omitempty"` // elsewhere, of pools of games added to plays
}

// RoomEntry is a sealed entry. Nobody changes it; the number of the round in which it was made tells which stand.
type RoomEntry struct {
	Draw       string
	Version, N int64 // n counts the entries of a version from 1: those of round r are 2r−1 and 2r
	Enterer    string
	At         int64  // microseconds
	Body       string // EntryBody as JSON
}

func (*RoomEntry) Table() TableID { return EntryRows }
func (r *RoomEntry) Fields() []any {
	return []any{&r.Draw, &r.Version, &r.N, &r.Enterer, &r.At, &r.Body}
}

func entryKey(draw string, version, n int64) Key {
	return Key{Table: EntryRows, S: draw, N: version, M: n}
}

// ReadEntry reads the body of an entry.
func ReadEntry(body string) (*EntryBody, error) {
	e := new(EntryBody)
	if err := json.Unmarshal([]byte(body), e); err != nil {
		return nil, fmt.Errorf("entry: %w", err)
	}
	return e, nil
}

// papers returns the papers that an entry becomes.
func (e *EntryBody) papers(draw string, version int64) (*Result, *Outside) {
	return &Result{Draw: draw, Version: version, Main: e.Main, Extra: e.Extra, Codes: e.Codes, Joker: e.Joker},
		&Outside{Draw: draw, Version: version, Winners: e.Winners, AddOns: e.AddOns}
}

// normal writes an entry so that two that say the same are equal to the letter.
func (e EntryBody) normal() EntryBody {
	codes := map[string][]string{}
	for series, list := range e.Codes {
		for _, c := range list {
			if c = strings.Join(strings.Fields(strings.ToUpper(c)), " "); c != "" {
				codes[series] = append(codes[series], c)
			}
		}
	}
	e.Codes, e.Joker = codes, strings.ReplaceAll(e.Joker, " ", "")
	if e.Joker != "" {
		e.Joker = prize.FormatDigits(e.Joker)
	}
	if !slices.ContainsFunc(e.Winners, func(n int64) bool { return n != 0 }) {
		e.Winners = nil
	}
	return e
}

// differs names what two entries differ in: "main.4" is the fourth ball, "codes.loto.2" the second code of that series.
func (e *EntryBody) differs(o *EntryBody) []string {
	var list []string
	list = append(list, places("main", e.Main, o.Main)...)
	list = append(list, places("extra", e.Extra, o.Extra)...)
	for _, series := range keysOf(e.Codes, o.Codes) {
		list = append(list, places("codes."+series, e.Codes[series], o.Codes[series])...)
	}
	if e.Joker != o.Joker {
		list = append(list, "joker")
	}
	list = append(list, places("winners", e.Winners, o.Winners)...)
	for _, game := range keysOf(e.AddOns, o.AddOns) {
		list = append(list, places(game, e.AddOns[game], o.AddOns[game])...)
	}
	return list
}

// places names the positions, from 1 on, at which two lists differ.
func places[T comparable](name string, a, b []T) (list []string) {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			list = append(list, fmt.Sprintf("%s.%d", name, i+1))
		}
	}
	return list
}

// keysOf lists the keys of two maps, sorted.
func keysOf[V any](a, b map[string]V) (keys []string) {
	for _, m := range []map[string]V{a, b} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// EnterResult seals what one person copied. The second person's entry of a round must say the same: what it differs in is told to both, and both begin
// again, for nobody knows which of them is wrong. The result is a [RoomState], which tells nothing of what the other typed.
type EnterResult struct {
	Draw    string    `json:"draw"`
	Version int64     `json:"version"`
	Round   int64     `json:"round"`
	Entry   EntryBody `json:"entry"`
}

func (EnterResult) Kind() string { return "enter_result" }
func (c EnterResult) Keys() []Key {
	return []Key{drawKey(c.Draw), dateKey(c.Draw), roomKey(c.Draw), generatorKey(c.Draw), docKey(c.Draw, DocManifest, 0)}
}

func (c EnterResult) Plan(p *Plan) (any, error) {
	d, r, err := p.room(c.Draw)
	if err != nil {
		return nil, err
	}
	if err := r.stands(c.Version, c.Round); err != nil {
		return nil, err
	}
	if err := p.mayType(d, r); err != nil {
		return nil, err
	}
	e := c.Entry.normal()
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	if err := e.checkBalls(book, r); err != nil {
		return nil, err
	}
	if err := p.generated(d, &e); err != nil {
		return nil, err
	}
	result, out := e.papers(d.ID, c.Version)
	if err := p.checkDrawn(d, result, out); err != nil {
		return nil, err
	}
	var differs []string
	n := 2*r.Round - 1 + r.Entries
	if r.Entries == 1 {
		first := get[RoomEntry](p, entryKey(d.ID, c.Version, n-1))
		if first.Enterer == p.Principal {
			return nil, refuse(Forbidden, "entry.same", "", "your entry of draw %s is sealed: the other one is another person's", d.ID)
		}
		other, err := ReadEntry(first.Body)
		if err != nil {
			return nil, err
		}
		differs = e.differs(other)
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	p.insert(&RoomEntry{Draw: d.ID, Version: c.Version, N: n, Enterer: p.Principal, At: p.Now.UnixMicro(), Body: string(body)})
	if r.Entries++; len(differs) > 0 {
		r.begin(strings.Join(differs, " "))
	}
	r.touch(p.Principal)
	return r.state(), nil
}

// mayType refuses who may not type now: before the draw, before what comes first was done, or who controls it.
func (p *Plan) mayType(d *Draw, r *Room) error {
	date := get[DrawDate](p, dateKey(d.ID))
	switch {
	case date != nil && p.Now.UnixMicro() < date.DrawsAt:
		return refuse(Conflict, "result.early", "", "draw %s is announced for %v: a result is accepted from then on", d.ID, moment(date.DrawsAt))
	case r.Checker == "":
		return refuse(Conflict, "room.unchecked", "", "the program, the rulebooks and the equipment were not looked at for draw %s", d.ID)
	case r.Officer == "":
		return refuse(Conflict, "room.absent", "", "the officer is not yet there for draw %s", d.ID)
	case r.Officer == p.Principal:
		return refuse(Forbidden, "room.controls", "", "who controls draw %s types nothing", d.ID)
	case r.Entries == 2:
		return refuse(Conflict, "room.entered", "", "two equal entries are sealed for draw %s: the officer signs", d.ID)
	}
	return nil
}

// checkBalls refuses an entry whose balls cannot be, and says which: not among those of the game, drawn before, one too few, or not those that stand of an
// interrupted draw.
func (e *EntryBody) checkBalls(book *rulebook.Rulebook, r *Room) error {
	kept := &EntryBody{}
	if r.Kept != "" {
		var err error
		if kept, err = ReadEntry(r.Kept); err != nil {
			return err
		}
	}
	m := book.Matrix
	for _, of := range []struct {
		field       string
		drawn, kept []int
		count, all  int
	}{{"main", e.Main, kept.Main, m.Main, m.MainOf}, {"extra", e.Extra, kept.Extra, m.Extra, m.ExtraOf}} {
		if len(of.drawn) != of.count {
			return refuse(Invalid, "entry.count", of.field, "%d balls, accepted %d", len(of.drawn), of.count)
		}
		for i, ball := range of.drawn {
			field := fmt.Sprintf("%s.%d", of.field, i+1)
			before := slices.Index(of.drawn[:i], ball)
			switch {
			case ball < 1 || ball > of.all:
				return refuse(Invalid, "entry.ball", field, "ball %d is %d, accepted %d to %d", i+1, ball, 1, of.all)
			case before >= 0:
				return refuse(Invalid, "entry.twice", field, "ball %d is %d like ball %d: read it again", i+1, ball, before+1)
			case i < len(of.kept) && of.kept[i] != ball:
				return refuse(Invalid, "entry.kept", field, "ball %d is %d, before the interruption %d was drawn and stands", i+1, ball, of.kept[i])
			}
		}
	}
	return nil
}

// entry returns what both entries of the round say.
func (p *Plan) entry(r *Room) (*EntryBody, error) {
	row := get[RoomEntry](p, entryKey(r.Draw, r.Version, 2*r.Round))
	if row == nil {
		return nil, fmt.Errorf("draw %s has no second entry of round %d", r.Draw, r.Round)
	}
	return ReadEntry(row.Body)
}

// InterruptDraw is the officer's word that something happened: what was typed so far does not count, the balls that were validly drawn stand, and a
// complementary draw supplies the missing ones only (inferred, by analogy with the rule of another game of draws). With no ball it starts the typing again. The
// result is a [RoomState].
type InterruptDraw struct {
	Draw  string `json:"draw"`
	Why   string `json:"why"`
	Main  []int  `json:"main,omitempty"` // validly drawn, in the order of drawing
	Extra []int  `json:"extra,omitempty"`
}

func (InterruptDraw) Kind() string  { return "interrupt_draw" }
func (c InterruptDraw) Keys() []Key { return []Key{drawKey(c.Draw), roomKey(c.Draw)} }

func (c InterruptDraw) Plan(p *Plan) (any, error) {
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	d, r, err := p.room(c.Draw)
	if err != nil {
		return nil, err
	}
	if r.Officer != p.Principal {
		return nil, refuse(Forbidden, "room.officer", "", "the officer who is there signs, say first that you are")
	}
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	if err := checkKept(c.Main, c.Extra, book); err != nil {
		return nil, err
	}
	kept, err := json.Marshal(EntryBody{Main: c.Main, Extra: c.Extra})
	if err != nil {
		return nil, err
	}
	r.begin("")
	r.Incident, r.Kept = c.Why, ""
	if len(c.Main)+len(c.Extra) > 0 {
		r.Kept = string(kept)
	}
	return r.state(), nil
}

// checkKept refuses balls that cannot have been drawn so far.
func checkKept(main, extra []int, book *rulebook.Rulebook) error {
	for _, of := range []struct {
		field      string
		drawn      []int
		count, all int
	}{{"main", main, book.Matrix.Main, book.Matrix.MainOf}, {"extra", extra, book.Matrix.Extra, book.Matrix.ExtraOf}} {
		if len(of.drawn) > of.count {
			return refuse(Invalid, "entry.count", of.field, "%d balls, accepted %d", len(of.drawn), of.count)
		}
		for i, ball := range of.drawn {
			if ball < 1 || ball > of.all || slices.Contains(of.drawn[:i], ball) {
				return refuse(Invalid, "entry.ball", fmt.Sprintf("%s.%d", of.field, i+1), "ball %d is %d, accepted %d to %d", i+1, ball, 1, of.all)
			}
		}
	}
	return nil
}

// checkDrawn refuses a result, with the winners elsewhere, that no draw can have or that cannot be settled.
func (p *Plan) checkDrawn(d *Draw, r *Result, o *Outside) error {
	book, err := drawBook(d)
	if err != nil {
		return err
	}
	if err := checkResult(r, o, book, d); err != nil {
		return err
	}
	m, err := stored[Manifest](p, d.ID, DocManifest, 0)
	if err != nil {
		return err
	}
	if err := checkAddOns(r, o, m, book, d); err != nil {
		return err
	}
	if err := settles(d, m, r, o); err != nil {
		return refuse(Invalid, "result.outside", "outside", "%v", err)
	}
	return nil
}

// mayApprove refuses the approval of who typed a result of the draw, whatever role they have now, and that of a result which a signed one replaces.
func (p *Plan) mayApprove(draw string, version int64) error {
	switch r := get[Room](p, roomKey(draw)); {
	case r == nil:
	case r.typed(p.Principal):
		return refuse(Forbidden, "room.hands", "", "who typed a result of draw %s does not control it", draw)
	case r.signed(version + 1):
		return refuse(Conflict, "room.signed", "", "result %d of draw %s is signed: it is being recorded", r.Version, draw)
	}
	return nil
}

// openRoom gives a draw that is put on sale its room, where the register demands one.
func (p *Plan) openRoom(d *Draw) {
	if p.reg.cfg.DrawRoom && d.Reconstructed == 0 && d.State == string(drawing.Open) {
		p.insert(&Room{Draw: d.ID, Version: 1, Round: 1})
	}
}
