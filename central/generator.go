package central

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"tirage/fairness"
	"tirage/fairness/beacon"
	"tirage/rules/drawing"
)

// Generator is how the numbers of one draw come from a generator in place of balls: from the secret of the draw, to which the operator was bound when the sales
// opened, and a value that nobody could know before they closed. Neither the operator, who knows the secret, nor the parties of the beacon, who do not, can
// choose or foresee the numbers, and everybody derives them again afterwards (Art. platform D5; no source at hand has a generator draw balls: assumed).
//
//	UseGenerator      an operator proposes it while the draw is planned; the round of the beacon is fixed: the first one after the announced instant
//	ConfirmGenerator  an officer confirms, before the draw is on sale; without it balls are drawn
//	DrawNumbers       once the round has appeared its signature is brought, by the system or by hand: it is verified, so whoever brings it can change nothing
//	ContributeDraw    where the beacon fails: two people each bring a value of their own, the second without having seen the first
//	DrawCodes         the system draws the codes among those that were issued, from the same secret and value
//
// All of it is then copied, signed and recorded in the draw room like those of balls; an entry with others is refused.
type Generator struct {
	Draw            string
	Chain           string // hash by which the beacon is named
	Key             string // its public key, in hex
	Genesis, Period int64  // seconds
	Round           int64  // fixed before the draw is on sale
	Chooser, Why    string // who proposed it, and why
	ChosenAt        int64  // microseconds
	Confirmer       string // officer; "": not confirmed, balls are drawn
	ConfirmedAt     int64
	Signature       []byte // of the round; none: not yet, or two people instead
	First, Second   string // who brought a value of their own
	FirstValue      []byte
	SecondValue     []byte
	Reason          string // why the beacon was not used
	Drawer          string // who brought the signature, or the second value
	DrawnAt         int64
	Numbers         string // EntryBody as JSON; "": not yet drawn
}

func (*Generator) Table() TableID { return Generators }
func (g *Generator) Fields() []any {
	return []any{&g.Draw, &g.Chain, &g.Key, &g.Genesis, &g.Period, &g.Round, &g.Chooser, &g.Why, &g.ChosenAt, &g.Confirmer, &g.ConfirmedAt, &g.Signature,
		&g.First, &g.Second, &g.FirstValue, &g.SecondValue, &g.Reason, &g.Drawer, &g.DrawnAt, &g.Numbers}
}

func generatorKey(draw string) Key { return Key{Table: Generators, S: draw} }

// Beacon returns the chain from which the value comes.
func (g *Generator) Beacon() *beacon.Chain {
	return &beacon.Chain{Hash: g.Chain, PublicKey: g.Key, Genesis: g.Genesis, Period: g.Period}
}

// Appears is when the value appears.
func (g *Generator) Appears() time.Time { return g.Beacon().Time(g.Round) }

// Public returns the value from which, with the secret, the numbers are derived; "" as long as there is none.
func (g *Generator) Public() string {
	switch {
	case len(g.Signature) > 0:
		return fairness.FromBeacon(g.Chain, g.Round, beacon.Randomness(g.Signature))
	case len(g.SecondValue) > 0:
		return fairness.FromHands([32]byte(g.FirstValue), [32]byte(g.SecondValue))
	}
	return ""
}

// FallbackAfter is how long the beacon is waited for before two people may stand in for it (assumed).
const FallbackAfter = 30 * time.Minute

// UseGenerator proposes that the numbers of a planned draw come from the generator. The result is a [GeneratorChosen].
type UseGenerator struct {
	Draw string `json:"draw"`
	Why  string `json:"why"`
}

// GeneratorChosen is the result of [UseGenerator] and [ConfirmGenerator].
type GeneratorChosen struct {
	Draw      string    `json:"draw"`
	Beacon    string    `json:"beacon"`
	Round     int64     `json:"round"`
	Appears   time.Time `json:"appears"`
	Confirmed bool      `json:"confirmed"`
}

func (g *Generator) chosen() GeneratorChosen {
	return GeneratorChosen{g.Draw, g.Chain, g.Round, g.Appears(), g.Confirmer != ""}
}

func (UseGenerator) Kind() string  { return "use_generator" }
func (c UseGenerator) Keys() []Key { return []Key{generatorKey(c.Draw), dateKey(c.Draw)} }

func (c UseGenerator) Plan(p *Plan) (any, error) {
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	date, err := p.plannedDate(c.Draw)
	if err != nil {
		return nil, err
	}
	if get[Generator](p, generatorKey(c.Draw)) != nil {
		return nil, refuse(Conflict, "generator.exists", "draw", "the generator was proposed for draw %s already", c.Draw)
	}
	chain := p.reg.cfg.beacon()
	g := &Generator{
		Draw: c.Draw, Chain: chain.Hash, Key: chain.PublicKey, Genesis: chain.Genesis, Period: chain.Period, Round: max(1, chain.RoundAfter(time.UnixMicro(date.DrawsAt))),
		Chooser: p.Principal, Why: c.Why, ChosenAt: p.Now.UnixMicro(),
	}
	p.insert(g)
	return g.chosen(), nil
}

// plannedDate returns a draw of the calendar that is not yet on sale.
func (p *Plan) plannedDate(draw string) (*DrawDate, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	date := get[DrawDate](p, dateKey(draw))
	switch {
	case date == nil:
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	case date.State != DatePlanned:
		return nil, refuse(Conflict, "generator.late", "draw", "draw %s is %s: how its numbers are drawn is settled before it is on sale", draw, date.State)
	}
	return date, nil
}

// beacon is the chain of the register: quicknet, unless a test has one of its own.
func (c *Config) beacon() *beacon.Chain {
	if c.Beacon != nil {
		return c.Beacon
	}
	return beacon.Quicknet
}

// ConfirmGenerator is the officer's consent: from the opening of the sales on nothing but the generator draws the numbers. The result is a [GeneratorChosen].
type ConfirmGenerator struct {
	Draw string `json:"draw"`
}

func (ConfirmGenerator) Kind() string  { return "confirm_generator" }
func (c ConfirmGenerator) Keys() []Key { return []Key{generatorKey(c.Draw), dateKey(c.Draw)} }

func (c ConfirmGenerator) Plan(p *Plan) (any, error) {
	if _, err := p.plannedDate(c.Draw); err != nil {
		return nil, err
	}
	g := edit[Generator](p, generatorKey(c.Draw))
	switch {
	case g == nil:
		return nil, refuse(NotFound, "generator.none", "draw", "nobody proposed the generator for draw %s", c.Draw)
	case g.Confirmer != "":
		return nil, refuse(Conflict, "generator.exists", "draw", "the generator is confirmed for draw %s already", c.Draw)
	case g.Chooser == p.Principal:
		return nil, refuse(Forbidden, "generator.same", "", "who proposed the generator for draw %s does not confirm it", c.Draw)
	}
	g.Confirmer, g.ConfirmedAt = p.Principal, p.Now.UnixMicro()
	return g.chosen(), nil
}

// DrawNumbers brings the signature of the round that was fixed: the numbers follow. The result is a [NumbersDrawn].
type DrawNumbers struct {
	Draw      string `json:"draw"`
	Signature string `json:"signature"` // of the round, in hexadecimal digits
}

// NumbersDrawn is the result of [DrawNumbers] and [ContributeDraw]: without numbers as long as the second value is missing.
type NumbersDrawn struct {
	Draw  string `json:"draw"`
	Main  []int  `json:"main,omitempty"` // ascending
	Extra []int  `json:"extra,omitempty"`
	Joker string `json:"joker,omitempty"` // number of Joker+
}

func (DrawNumbers) Kind() string  { return "draw_numbers" }
func (c DrawNumbers) Keys() []Key { return drawingKeys(c.Draw) }

func drawingKeys(draw string) []Key {
	return []Key{generatorKey(draw), drawKey(draw), dateKey(draw), roomKey(draw)}
}

func (c DrawNumbers) Plan(p *Plan) (any, error) {
	d, g, err := p.generator(c.Draw)
	if err != nil {
		return nil, err
	}
	if appears := g.Appears(); p.Now.Before(appears) {
		return nil, refuse(Conflict, "generator.early", "", "round %d appears at %v", g.Round, appears)
	}
	if early := g.early(d); early != nil {
		return nil, early
	}
	signature, err := hex.DecodeString(c.Signature)
	if err == nil {
		err = g.Beacon().Check(g.Round, signature)
	}
	if err != nil {
		return nil, refuse(Invalid, "generator.signature", "signature", "round %d of %s: %v", g.Round, g.Chain, err)
	}
	g.Signature = signature
	return p.drawNumbers(d, g)
}

// early refuses a round whose value was known before the sales closed, as when they closed later than announced: two people stand in for it.
func (g *Generator) early(d *Draw) error {
	if g.Appears().UnixMicro() > d.ClosesAt {
		return nil
	}
	return refuse(Conflict, "generator.known", "", "round %d appeared before the sales of draw %s closed: two people bring values of their own", g.Round, d.ID)
}

// generator returns a draw whose numbers may be drawn now, and its generator for writing.
func (p *Plan) generator(draw string) (*Draw, *Generator, error) {
	d := get[Draw](p, drawKey(draw))
	g := edit[Generator](p, generatorKey(draw))
	r := get[Room](p, roomKey(draw))
	date := get[DrawDate](p, dateKey(draw))
	switch {
	case d == nil:
		return nil, nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	case g == nil || g.Confirmer == "":
		return nil, nil, NoGenerator(draw)
	case g.Numbers != "":
		return nil, nil, refuse(Conflict, "generator.drawn", "", "the numbers of draw %s are drawn", draw)
	case d.State != string(drawing.Balanced):
		return nil, nil, refuse(Conflict, "draw.state", "", "draw %s is %s: its numbers are drawn when its plays are balanced", draw, d.State)
	case date != nil && p.Now.UnixMicro() < date.DrawsAt:
		return nil, nil, refuse(Conflict, "result.early", "", "draw %s is announced for %v: a result is accepted from then on", draw, moment(date.DrawsAt))
	case r == nil || r.Checker == "":
		return nil, nil, refuse(Conflict, "room.unchecked", "", "the program, the rulebooks and the equipment were not looked at for draw %s", draw)
	case r.Officer == "":
		return nil, nil, refuse(Conflict, "room.absent", "", "the officer is not yet there for draw %s", draw)
	}
	return d, g, nil
}

// NoGenerator is the refusal for a draw with balls.
func NoGenerator(draw string) error {
	return refuse(NotFound, "generator.none", "draw", "balls are drawn for draw %s", draw)
}

// drawNumbers derives the numbers.
func (p *Plan) drawNumbers(d *Draw, g *Generator) (any, error) {
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	secret, err := openSecret(p.reg.cfg.Sealer, d.Secret, d.ID)
	if err != nil {
		return nil, err
	}
	by := fairness.Generator{Secret: secret, Draw: d.ID, Public: g.Public()}
	drawn := by.Numbers(book.Matrix)
	out := NumbersDrawn{Draw: d.ID, Main: drawn.Main(), Extra: drawn.Extra()}
	if out.Joker, err = jokerDrawn(by, book, d.Day); err != nil {
		return nil, err
	}
	numbers, err := json.Marshal(EntryBody{Main: out.Main, Extra: out.Extra, Joker: out.Joker})
	if err != nil {
		return nil, err
	}
	g.Numbers, g.Drawer, g.DrawnAt = string(numbers), p.Principal, p.Now.UnixMicro()
	return out, nil
}

// ContributeDraw brings a value of one's own where the beacon has failed: 32 bytes that the person has from dice, or from a device of their own, and has shown to
// nobody. With the second person's the numbers follow. Who brings one has had a hand in the result: they neither sign nor approve it. The result is a [NumbersDrawn].
type ContributeDraw struct {
	Draw  string `json:"draw"`
	Value string `json:"value"` // 64 hexadecimal digits
	Why   string `json:"why"`
}

func (ContributeDraw) Kind() string  { return "contribute_draw" }
func (c ContributeDraw) Keys() []Key { return drawingKeys(c.Draw) }

func (c ContributeDraw) Plan(p *Plan) (any, error) {
	if err := p.person(); err != nil {
		return nil, err
	}
	if err := checkWhy(c.Why); err != nil {
		return nil, err
	}
	d, g, err := p.generator(c.Draw)
	if err != nil {
		return nil, err
	}
	r := edit[Room](p, roomKey(c.Draw))
	if r.Officer == p.Principal {
		return nil, refuse(Forbidden, "room.controls", "", "who controls draw %s types nothing", c.Draw)
	}
	if from := g.Appears().Add(FallbackAfter); p.Now.Before(from) && g.early(d) == nil {
		return nil, refuse(Conflict, "generator.wait", "", "the beacon is waited for until %v", from)
	}
	value, err := hex.DecodeString(c.Value)
	if err != nil || len(value) != 32 {
		return nil, refuse(Invalid, "generator.value", "value", "%d characters: accepted 64 hexadecimal digits", len(c.Value))
	}
	switch g.First {
	case "":
		r.touch(p.Principal)
		g.First, g.FirstValue, g.Reason = p.Principal, value, c.Why
		return NumbersDrawn{Draw: d.ID}, nil
	case p.Principal:
		return nil, refuse(Forbidden, "generator.twice", "", "your value for draw %s is kept: the other one is another person's", d.ID)
	}
	if bytes.Equal(value, g.FirstValue) {
		return nil, refuse(Invalid, "generator.equal", "value", "the value is the other person's: accepted one of your own")
	}
	r.touch(p.Principal)
	g.Second, g.SecondValue = p.Principal, value
	return p.drawNumbers(d, g)
}

// generated refuses an entry of a draw of the generator before its numbers are drawn, and one with other numbers.
func (p *Plan) generated(d *Draw, e *EntryBody) error {
	g := get[Generator](p, generatorKey(d.ID))
	if g == nil || g.Confirmer == "" {
		return nil
	}
	undrawn := refuse(Conflict, "generator.undrawn", "", "the numbers of draw %s are not drawn yet", d.ID)
	if g.Numbers == "" {
		return undrawn
	}
	numbers, err := ReadEntry(g.Numbers)
	if err != nil {
		return err
	}
	lacks, err := lacksCodes(d, numbers)
	switch {
	case err != nil:
		return err
	case lacks:
		return undrawn
	case !sameNumbers(e, numbers):
		return refuse(Invalid, "generator.numbers", "main", "the generator drew other numbers for draw %s: read them again", d.ID)
	case !sameCodes(e, numbers):
		return refuse(Invalid, "generator.others", "codes", "the generator drew other codes, or another number of Joker+, for draw %s: read them again", d.ID)
	}
	return nil
}

// sameCodes says whether two entries hold the same codes, in whatever order, and the same number of Joker+.
func sameCodes(a, b *EntryBody) bool {
	x, y := a.normal(), b.normal()
	for _, list := range []map[string][]string{x.Codes, y.Codes} {
		for series := range list {
			slices.Sort(list[series])
		}
	}
	return x.Joker == y.Joker && maps.EqualFunc(x.Codes, y.Codes, slices.Equal[[]string])
}

// sameNumbers says whether two entries hold the same numbers, in whatever order.
func sameNumbers(a, b *EntryBody) bool {
	same := func(x, y []int) bool {
		return slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
	}
	return same(a.Main, b.Main) && same(a.Extra, b.Extra)
}
