package central

import (
	"encoding/binary"
	"fmt"
	"slices"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
)

// BuyShares buys shares of one pack of a type: all from the same pack, for one draw (Art. loto@2018-10-29:3, Art. loto@2018-10-29:14.8,
// Art. euromillions@2018-10-29:3.4.2.6: « Un même Pack ne peut pas participer à plusieurs tirages »). The result is a [Bought].
type BuyShares struct {
	Player int64  `json:"player,string"`
	Draw   string `json:"draw"`
	Type   string `json:"type"`
	Shares int64  `json:"shares"`

	Channel Channel `json:"channel,omitempty"`

	// What may be asked for with a play and is refused with a pack: see exclusions.go.
	AddOns  []AddOn  `json:"add_ons,omitempty"`
	Further []string `json:"further,omitempty"`
}

func (BuyShares) Kind() string { return "buy_shares" }

func (c BuyShares) Keys() []Key   { return []Key{typeKey(c.Draw, c.Type), playerKey(c.Player)} }
func (c BuyShares) Shared() []Key { return []Key{cappedKey, drawKey(c.Draw), gameKey(ServicePacks)} }

func (c BuyShares) Plan(p *Plan) (any, error) {
	sale, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	t := edit[PackType](p, typeKey(c.Draw, c.Type))
	if t == nil {
		return nil, refuse(NotFound, "pack.unknown", "type", "draw %s has no pack type %q", c.Draw, c.Type)
	}
	if err := p.packsOffered(); err != nil {
		return nil, err
	}
	if err := sale.sells(t); err != nil {
		return nil, err
	}
	if err := sale.excluded(c); err != nil {
		return nil, err
	}
	if err := sale.formula(t, c.Shares); err != nil {
		return nil, err
	}
	pk, content, err := p.choosePack(sale, t, c.Shares)
	if err != nil {
		return nil, err
	}
	pk.Sold += c.Shares
	t.Sold += c.Shares
	t.Open = withLeft(t.Open, pk.N, t.Shares-pk.Sold)
	play, err := p.play(sale, c.Player, c.Channel)
	if err != nil {
		return nil, err
	}
	play.Kind, play.Stake = KindPack, money.Mul(t.SharePrice, c.Shares)
	play.Combos, play.CodeAt, play.CodeAt2 = content.Combos, content.CodeAt, content.CodeAt2
	play.PackType, play.Pack, play.Shares = c.Type, pk.N, c.Shares
	if err := p.sell(&ticket{play: play}); err != nil {
		return nil, err
	}
	out := Bought{
		Play: PlayID(play.ID), Cents: play.Stake, Rules: play.SaleRules, Combos: content.Combos,
		Pack: fmt.Sprintf("%s/%d", t.Type, pk.N), Shares: c.Shares,
	}
	for _, l := range Grids(content.Lines) {
		out.Grids = append(out.Grids, l.String())
	}
	out.Codes, err = sale.codeRuns(content.Combos, content.CodeAt, content.CodeAt2)
	return out, err
}

// sells refuses a type that the version in force at the sale would not sell, or at another price: packs came in on 29 October 2018 at 00:00:00.
//
// Art. packs@2018-10-29:1 (« à compter du lundi 29 octobre 2018 »).
func (s *saleOf) sells(t *PackType) error {
	version := s.book.Header.Version()
	if s.book.Pack == nil {
		return refuse(Closed, "pack.not_on_sale", "type", "%s has no packs; nothing is debited", version)
	}
	if version == t.Rules {
		return nil
	}
	comp, err := parseComposition(t.Composition)
	if err != nil {
		return err
	}
	now, err := pack.New(s.book, comp, t.Shares)
	if err != nil || now.SharePrice != t.SharePrice || now.Combinations != t.Combos {
		return refuse(Closed, "pack.rules", "type", "pack type %s was opened under %s and is not the same under %s; nothing is debited", t.Type, t.Rules, version)
	}
	return nil
}

// formula refuses an order of another size than the type is sold in.
func (s *saleOf) formula(t *PackType, shares int64) error {
	formulas, err := pack.ParseFormulas(t.Formulas)
	if err != nil {
		return fmt.Errorf("pack type %s: %w", t.Type, err)
	}
	if slices.Contains(formulas, shares) {
		return nil
	}
	r := refuse(Invalid, "pack.shares", "shares", "%d shares, pack type %s is sold in %v; nothing is debited", shares, t.Type, formulas)
	r.Article = s.book.Pack.Article
	return r
}

// choosePack returns the pack that the order takes its shares from, see [pack.Choose]; it is made when the order needs a new one. An order is never split over
// two packs, and no pack exists without a sold share (Art. loto@2018-10-29:14.8, « ces parts sont toutes issues du même Pack »).
func (p *Plan) choosePack(s *saleOf, t *PackType, shares int64) (*Pack, *PackContent, error) {
	open := packsLeft(t.Open)
	left, most := make([]int64, len(open)), int64(0)
	for i, o := range open {
		left[i], most = o.left, max(most, o.left)
	}
	switch i := pack.Choose(left, shares, t.Opened < t.MaxPacks); i {
	case pack.NewPack:
		return p.openPack(s, t)
	case pack.NoPack:
		r := refuse(SoldOut, "pack.sold_out", "shares", "%d shares, but no pack of type %s has more than %d left and no further one is made; nothing is debited", shares, t.Type, most)
		r.Article = s.book.Pack.Article
		return nil, nil, r
	default:
		k, c := packKey(t, open[i].n), Key{Table: PackContents, S: t.Draw, U: t.Type, N: open[i].n}
		p.Need(k, c)
		return edit[Pack](p, k), get[PackContent](p, c), nil
	}
}

// openPack makes the next pack of a type: its grids by quick pick from the draw's secret, its codes in a row.
func (p *Plan) openPack(s *saleOf, t *PackType) (*Pack, *PackContent, error) {
	n := t.Opened
	lines, err := p.packLines(s, t, n)
	if err != nil {
		return nil, nil, err
	}
	content := &PackContent{Draw: t.Draw, Type: t.Type, N: n, Lines: lines, Combos: t.Combos}
	// The zone goes by the number of codes of the PACK, whatever number of shares is bought.
	if content.CodeAt, content.CodeAt2, err = p.reserveCodes(s, t.Combos); err != nil {
		return nil, nil, err
	}
	t.Opened++
	pk := &Pack{Draw: t.Draw, Type: t.Type, N: n}
	p.insert(pk)
	p.insert(content)
	p.count("packs/"+t.Draw, 1)
	return pk, content, nil
}

// packLines draws the grids of pack n of a type (Système Flash); the first pack of a reconstructed draw may be given. What a pack plays counts once among
// the identical combinations of the draw, whoever holds its shares.
func (p *Plan) packLines(s *saleOf, t *PackType, n int64) ([]byte, error) {
	k, err := p.picking(s)
	if err != nil {
		return nil, err
	}
	if n == 0 && len(t.Given) > 0 {
		for i, grid := range Grids(t.Given) {
			if full := k.take(grid, i, 0); full != 0 {
				return nil, k.soldOut(full, "type")
			}
		}
		return t.Given, nil
	}
	formats, m, err := t.formats()
	if err != nil {
		return nil, err
	}
	lines := make([]combin.Combination, len(formats))
	for i, f := range formats {
		if lines[i], err = k.packLine(t, n, i, m, f); err != nil {
			return nil, err
		}
	}
	k.note(t.Type, n)
	return packLines(lines), nil
}

// packLine draws grid i of pack n of a type until none of its combinations is sold out.
func (k *picking) packLine(t *PackType, n int64, i int, m combin.Matrix, f combin.Format) (combin.Combination, error) {
	var full combin.Combination
	for attempt := range maxPickAttempts {
		grid := t.pick(k.sale.secret, n, i, attempt, m, f)
		if full = k.take(grid, i, attempt); full == 0 {
			return grid, nil
		}
	}
	return 0, k.soldOut(full, "type")
}

// pick draws grid i of pack n of the type.
func (t *PackType) pick(s fairness.Secret, n int64, i, attempt int, m combin.Matrix, f combin.Format) combin.Combination {
	return fairness.QuickPick(s, t.Draw+"/"+t.Type, n, i, attempt, m, f)
}

// formats lists the format of each grid of a pack of the type, in the matrix of the version that it was opened under.
func (t *PackType) formats() ([]combin.Format, combin.Matrix, error) {
	comp, err := parseComposition(t.Composition)
	if err != nil {
		return nil, combin.Matrix{}, err
	}
	book, err := games.Version(t.Rules)
	if err != nil {
		return nil, combin.Matrix{}, err
	}
	return packFormats(comp, book.Matrix), book.Matrix, nil
}

// packFormats lists the format of each grid of a composition: the multiples, then the loose simples.
func packFormats(c pack.Composition, m combin.Matrix) []combin.Format {
	var fs []combin.Format
	for _, multiple := range c.Multiples {
		for range multiple.Count {
			fs = append(fs, multiple.Format)
		}
	}
	for range c.Simples {
		fs = append(fs, combin.Format{Main: m.Main, Extra: m.Extra})
	}
	return fs
}

// packLeft is a pack that has shares left. PackType.Open holds them in the order of their numbers, 8 bytes each: the number << leftBits | shares left. So
// the best one is found without a look at the packs themselves.
type packLeft struct{ n, left int64 }

const (
	leftBits = 20 // enough for pack.SharesMax
	// packsListed bounds the packs of a type that are listed as having shares left. Two are there as a rule; only where the orders hardly fit together does a
	// list become so long, and the shares left of its oldest pack are then given up.
	packsListed = 64
)

func packsLeft(b []byte) []packLeft {
	ps := make([]packLeft, len(b)/8)
	for i := range ps {
		v := int64(binary.BigEndian.Uint64(b[8*i:]))
		ps[i] = packLeft{v >> leftBits, v & (1<<leftBits - 1)}
	}
	return ps
}

// withLeft returns the open packs, in bytes of their own, after a sale that leaves so many shares of pack n.
func withLeft(open []byte, n, left int64) []byte {
	out := make([]byte, 0, len(open)+8)
	known := false
	for _, o := range packsLeft(open) {
		if o.n == n {
			known, o.left = true, left
		}
		out = appendLeft(out, o)
	}
	if !known {
		out = appendLeft(out, packLeft{n, left})
	}
	return out[max(0, len(out)-8*packsListed):]
}

// appendLeft writes a pack unless it is full.
func appendLeft(b []byte, o packLeft) []byte {
	if o.left == 0 {
		return b
	}
	return binary.BigEndian.AppendUint64(b, uint64(o.n<<leftBits|o.left))
}
