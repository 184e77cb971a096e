package central

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/pack"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// OpenDraw puts a draw on sale with its pack types. The result is a [DrawOpened].
type OpenDraw struct {
	Game          string            `json:"game"`
	Day           string            `json:"day"` // of the draw, Europe/Paris, YYYY-MM-DD
	OpensAt       time.Time         `json:"opens_at"`
	ClosesAt      time.Time         `json:"closes_at"`
	DrawsAt       time.Time         `json:"draws_at,omitzero"` // announced; zero: that of the calendar, or the close of a draw that does not stand in it
	Exceptional   bool              `json:"exceptional,omitempty"`
	Reconstructed bool              `json:"reconstructed,omitempty"`
	Packs         []PackOffer       `json:"packs,omitempty"`
	Codes         map[string]string `json:"codes,omitempty"` // Reconstructed: by series, the first code that the sequential zone gives
	Sealed        []byte            `json:"sealed"`          // the draw's secret, sealed by NewDrawSecret
	Commitment    []byte            `json:"commitment"`
}

// PackOffer is a pack type put on sale.
type PackOffer struct {
	Type      string   `json:"type"`
	Multiples []string `json:"multiples,omitempty"` // "6x10*10"
	Simples   int      `json:"simples,omitempty"`
	Shares    int64    `json:"shares"`
	MaxPacks  int64    `json:"max_packs"`
	Formulas  []int64  `json:"formulas,omitempty"` // how many shares are sold at once, ascending; none: those of the rulebook, up to a whole pack
	Given     []string `json:"given,omitempty"`    // Reconstructed: the grids of the first pack
}

// DrawOpened is the result of [OpenDraw].
type DrawOpened struct {
	Draw       string `json:"draw"`
	Rules      string `json:"rules"`
	Commitment []byte `json:"commitment"`
}

// Limits of an opening, each far above what was ever sold.
const (
	maxPackTypes = 32
	maxPacksEver = 1_000_000
	typeNameMax  = 40
)

// DrawID names the draw of a game on a day: results are keyed on these two, never on the numbers of the archives.
func DrawID(game, day string) string { return game + "-" + day }

// NewDrawSecret makes the secret of a draw's quick picks and codes: sealed for the database, and its public commitment.
func NewDrawSecret(e Entropy, s Sealer, draw string) (sealed, commitment []byte, err error) {
	var secret fairness.Secret
	nonce := make([]byte, 12)
	if _, err = e.Read(secret[:]); err == nil {
		_, err = e.Read(nonce)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("secret of draw %s: %w", draw, err)
	}
	c := fairness.Commit(secret, draw)
	return s.Seal(secret[:], nonce, draw), c[:], nil
}

func (OpenDraw) Kind() string { return "open_draw" }

func (c OpenDraw) Keys() []Key {
	id := DrawID(c.Game, c.Day)
	return []Key{drawKey(id), dateKey(id), roomKey(id)}
}
func (OpenDraw) Shared() []Key { return []Key{gameKey(ServicePacks)} }

func (c OpenDraw) Plan(p *Plan) (any, error) {
	id := DrawID(c.Game, c.Day)
	if get[Draw](p, drawKey(id)) != nil {
		return nil, refuse(Conflict, "draw.exists", "day", "draw %s is open already", id)
	}
	if c.Reconstructed && !p.reg.cfg.AllowReconstructed {
		return nil, refuse(Forbidden, "draw.reconstructed", "reconstructed", "this system sells: it opens no reconstructed draw")
	}
	if !c.Reconstructed && (len(c.Codes) > 0 || hasGiven(c.Packs)) {
		return nil, refuse(Invalid, "draw.given", "given", "contents and codes may be given for a reconstructed draw only")
	}
	book, err := games.InForce(c.Game, c.Day)
	if err != nil {
		return nil, refuse(Invalid, "draw.game", "game", "%v", err)
	}
	if book.Prizes == nil || book.Prizes.Model == prize.SidePool {
		return nil, refuse(Invalid, "draw.game", "game", "%s has no draw of its own", c.Game)
	}
	if err := c.enter(p); err != nil {
		return nil, err
	}
	sale, err := games.At(c.Game, p.Now)
	if err != nil {
		return nil, refuse(Closed, "draw.rules", "game", "%v", err)
	}
	if err := c.checkSecret(p.reg.cfg.Sealer, id); err != nil {
		return nil, err
	}
	d := &Draw{
		ID: id, Game: c.Game, Day: c.Day, State: string(drawing.Open), OpensAt: c.OpensAt.UnixMicro(), ClosesAt: c.ClosesAt.UnixMicro(),
		Exceptional: flag(c.Exceptional), Reconstructed: flag(c.Reconstructed), Secret: c.Sealed, Commitment: c.Commitment,
	}
	if err := c.openPointers(p, d, sale); err != nil {
		return nil, err
	}
	if err := c.openPacks(p, d, sale); err != nil {
		return nil, err
	}
	p.insert(d)
	p.openRoom(d)
	p.leaseCapped(book)
	return DrawOpened{id, book.Header.Version(), c.Commitment}, nil
}

// checkSecret refuses a secret that this system cannot open, or that was not committed to.
func (c OpenDraw) checkSecret(s Sealer, draw string) error {
	secret, err := openSecret(s, c.Sealed, draw)
	if err != nil {
		return refuse(Invalid, "draw.secret", "sealed", "the secret of the draw cannot be opened")
	}
	if got := fairness.Commit(secret, draw); string(got[:]) != string(c.Commitment) {
		return refuse(Invalid, "draw.commitment", "commitment", "the commitment is not that of the sealed secret")
	}
	return nil
}

// openSecret opens the sealed secret of a draw.
func openSecret(s Sealer, sealed []byte, draw string) (fairness.Secret, error) {
	b, err := s.Open(sealed, draw)
	switch {
	case err != nil:
		return fairness.Secret{}, fmt.Errorf("secret of draw %s: %w", draw, err)
	case len(b) != len(fairness.Secret{}):
		return fairness.Secret{}, fmt.Errorf("secret of draw %s has %d bytes", draw, len(b))
	}
	return fairness.Secret(b), nil
}

// openPacks puts the pack types on sale, under the version in force now or, when packs come in while the draw is on sale, under that of its last
// moment (Art. packs@2018-10-29:1).
func (c OpenDraw) openPacks(p *Plan, d *Draw, sale *rulebook.Rulebook) error {
	if len(c.Packs) > maxPackTypes {
		return refuse(Invalid, "draw.packs", "packs", "%d pack types, accepted at most %d", len(c.Packs), maxPackTypes)
	}
	if last, err := games.At(c.Game, c.ClosesAt.Add(-time.Microsecond)); err == nil && sale.Pack == nil {
		sale = last
	}
	for i, o := range c.Packs {
		field := fmt.Sprintf("packs.%d", i)
		t, err := o.packType(d, sale)
		if err != nil {
			return refuse(Invalid, "pack.type", field, "%v", err)
		}
		if _, twice := p.rows[KeyOf(t)]; twice {
			return refuse(Invalid, "pack.twice", field, "pack type %s stands twice", o.Type)
		}
		p.insert(t)
	}
	p.count("types/"+d.ID, int64(len(c.Packs)))
	// What every sale of shares holds and a deferral changes must exist.
	if len(c.Packs) > 0 && get[Game](p, gameKey(ServicePacks)) == nil {
		p.insert(&Game{ID: ServicePacks, At: p.Now.UnixMicro()})
	}
	return nil
}

func hasGiven(offers []PackOffer) bool {
	for _, o := range offers {
		if len(o.Given) > 0 {
			return true
		}
	}
	return false
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// openPointers notes where the sequential pointers stand when the draw opens: the draw's zone is used up one lap further.
func (c OpenDraw) openPointers(p *Plan, d *Draw, sale *rulebook.Rulebook) error {
	series, err := seriesOf(sale, p.Now, c.Exceptional)
	if err != nil {
		return err
	}
	if c.Exceptional && !slices.ContainsFunc(series, func(s *codes.Series) bool { return s.Exceptional }) {
		return refuse(Invalid, "draw.exceptional", "exceptional", "%s has no codes for exceptional draws", sale.Header.Version())
	}
	for i, s := range series {
		k := Key{Table: CodePointers, S: seqScope(c.Game, s.ID)}
		var next int64
		if r := get[CodePointer](p, k); r != nil {
			next = r.Next
		}
		if given, ok := c.Codes[s.ID]; ok {
			at, err := s.Parse(given)
			if err != nil || at < s.Sequential.First || at > s.Sequential.Last {
				return refuse(Invalid, "draw.codes", "codes", "%q: accepted a code of the sequential zone of %s", given, s.ID)
			}
			// The pointer only runs forward: to the next lap when the given code lies behind it.
			lap := s.Sequential.Len()
			next += (at - s.Sequential.First - next%lap + lap) % lap
			p.insert(&CodePointer{Scope: k.S, Next: next})
		}
		if i == 0 {
			d.SeqFloor = next
		} else {
			d.SeqFloor2 = next
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Codes)) {
		if !slices.ContainsFunc(series, func(s *codes.Series) bool { return s.ID == id }) {
			return refuse(Invalid, "draw.codes", "codes", "series %q: this draw issues no such codes", id)
		}
	}
	return nil
}

// Check refuses an offer that no draw of a game on a day can have: whoever puts packs on sale with draws to come learns it before they do.
func (o PackOffer) Check(game, day string) error {
	book, err := games.InForce(game, day)
	if err != nil {
		return err
	}
	_, err = o.packType(&Draw{}, book)
	return err
}

// packType checks an offer against the rulebook in force (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
func (o PackOffer) packType(d *Draw, sale *rulebook.Rulebook) (*PackType, error) {
	if o.Type == "" || len(o.Type) > typeNameMax || !utf8.ValidString(o.Type) || strings.ContainsFunc(o.Type, func(r rune) bool { return r == '/' || unicode.IsControl(r) }) {
		return nil, fmt.Errorf("name %.40q: accepted 1 to %d bytes of printable UTF-8 without /", o.Type, typeNameMax)
	}
	comp := pack.Composition{Simples: o.Simples}
	for _, m := range o.Multiples {
		multiple, err := pack.ParseMultiple(m)
		if err != nil {
			return nil, err
		}
		comp.Multiples = append(comp.Multiples, multiple)
	}
	t, err := pack.New(sale, comp, o.Shares)
	if err != nil {
		return nil, err
	}
	if o.MaxPacks < 1 || o.MaxPacks > maxPacksEver {
		return nil, fmt.Errorf("%d packs at most: accepted 1 to %d", o.MaxPacks, maxPacksEver)
	}
	row := &PackType{
		Draw: d.ID, Type: o.Type, Composition: formatComposition(t.Composition), Shares: t.Shares, SharePrice: t.SharePrice, Combos: t.Combinations,
		MaxPacks: o.MaxPacks, Rules: sale.Header.Version(),
	}
	formulas := pack.Formulas(o.Formulas)
	if len(formulas) == 0 {
		formulas = pack.Formulas(sale.Pack.Formulas).UpTo(t.Shares)
	}
	if err := formulas.Check(t.Shares); err != nil {
		return nil, err
	}
	row.Formulas = formulas.String()
	if row.Given, err = givenLines(o.Given, t, sale); err != nil {
		return nil, err
	}
	return row, nil
}

// givenLines checks that given grids are the composition of the type, and packs them.
func givenLines(given []string, t pack.Type, sale *rulebook.Rulebook) ([]byte, error) {
	if len(given) == 0 {
		return nil, nil
	}
	var lines []combin.Combination
	for _, g := range given {
		c, err := combin.Parse(g)
		if err == nil {
			err = sale.Matrix.Check(c)
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, c)
	}
	if got, want := formatComposition(compositionOf(lines, sale.Matrix)), formatComposition(t.Composition); got != want {
		return nil, fmt.Errorf("the given grids are %s, the pack is %s", got, want)
	}
	return packLines(lines), nil
}

// compositionOf returns the composition that grids make.
func compositionOf(lines []combin.Combination, m combin.Matrix) pack.Composition {
	var c pack.Composition
	for _, l := range lines {
		c.Multiples = append(c.Multiples, pack.Multiple{Format: l.Format(), Count: 1})
	}
	return c.Normal(m)
}

// formatComposition writes "6x10*10+5": the multiples, then the loose simples. parseComposition reads it.
func formatComposition(c pack.Composition) string {
	var parts []string
	for _, m := range c.Multiples {
		parts = append(parts, m.String())
	}
	if c.Simples > 0 {
		parts = append(parts, fmt.Sprint(c.Simples))
	}
	return strings.Join(parts, "+")
}

func parseComposition(s string) (pack.Composition, error) {
	var c pack.Composition
	for part := range strings.SplitSeq(s, "+") {
		if n, err := strconv.Atoi(part); err == nil {
			c.Simples = n
			continue
		}
		m, err := pack.ParseMultiple(part)
		if err != nil {
			return c, fmt.Errorf("composition %.80q: %w", s, err)
		}
		c.Multiples = append(c.Multiples, m)
	}
	if formatComposition(c) != s {
		return c, fmt.Errorf("composition %.80q: accepted multiples, then a number of simple combinations, such as 6x10*10+5", s)
	}
	return c, nil
}
