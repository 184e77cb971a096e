package central

import (
	"encoding/binary"
	"fmt"

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
}

func (BuyShares) Kind() string { return "buy_shares" }

func (c BuyShares) Keys() []Key   { return []Key{typeKey(c.Draw, c.Type), playerKey(c.Player)} }
func (c BuyShares) Shared() []Key { return []Key{drawKey(c.Draw)} }

func (c BuyShares) Plan(p *Plan) (any, error) {
	sale, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	if sale.book.Pack == nil {
		return nil, refuse(Closed, "pack.not_sold", "type", "%s has no packs", sale.book.Header.Version())
	}
	t := edit[PackType](p, typeKey(c.Draw, c.Type))
	if t == nil {
		return nil, refuse(NotFound, "pack.unknown", "type", "draw %s has no pack type %q", c.Draw, c.Type)
	}
	if c.Shares < 1 || c.Shares > t.Shares {
		return nil, refuse(Invalid, "pack.shares", "shares", "%d shares, accepted 1 to %d", c.Shares, t.Shares)
	}
	pk, err := p.choosePack(sale, t, c.Shares)
	if err != nil {
		return nil, err
	}
	content := get[PackContent](p, Key{Table: PackContents, S: t.Draw, U: t.Type, N: pk.N})
	pk.Sold += c.Shares
	t.Sold += c.Shares
	t.Open = withoutFull(t.Open, pk, t.Shares)
	play := &Play{
		Draw: c.Draw, ID: p.ID(), Player: c.Player, Kind: KindPack, At: p.Now.UnixMicro(), Stake: money.Mul(t.SharePrice, c.Shares),
		SaleRules: sale.book.Header.Version(), PrizeRules: sale.prizes.Header.Version(),
		Combos: content.Combos, CodeAt: content.CodeAt, CodeAt2: content.CodeAt2, PackType: c.Type, Pack: pk.N, Shares: c.Shares,
	}
	if err := p.sell(play); err != nil {
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

// choosePack returns the open pack that the order fills best, or opens a new one. An order is never split over two packs, and
// no pack exists without a sold share (Art. loto@2018-10-29:14.8, « ces parts sont toutes issues du même Pack »).
func (p *Plan) choosePack(s *saleOf, t *PackType, shares int64) (*Pack, error) {
	open := packNumbers(t.Open)
	keys := make([]Key, 0, 2*len(open))
	for _, n := range open {
		keys = append(keys, packKey(t, n), Key{Table: PackContents, S: t.Draw, U: t.Type, N: n})
	}
	p.Need(keys...)
	var best *Pack
	for _, n := range open {
		pk := get[Pack](p, packKey(t, n))
		if left := t.Shares - pk.Sold; left >= shares && (best == nil || left < t.Shares-best.Sold) {
			best = pk
		}
	}
	if best != nil {
		return edit[Pack](p, KeyOf(best)), nil
	}
	if t.Opened >= t.MaxPacks {
		return nil, refuse(SoldOut, "pack.sold_out", "shares", "no pack of type %s has %d shares left and no further one is opened", t.Type, shares)
	}
	return p.openPack(s, t)
}

// openPack makes the next pack of a type: its grids by quick pick from the draw's secret, its codes in a row.
func (p *Plan) openPack(s *saleOf, t *PackType) (*Pack, error) {
	n := t.Opened
	lines, err := s.packLines(t, n)
	if err != nil {
		return nil, err
	}
	content := &PackContent{Draw: t.Draw, Type: t.Type, N: n, Lines: lines, Combos: t.Combos}
	// The zone goes by the number of codes of the PACK, whatever number of shares is bought.
	if content.CodeAt, content.CodeAt2, err = p.reserveCodes(s, t.Combos); err != nil {
		return nil, err
	}
	t.Opened++
	t.Open = binary.BigEndian.AppendUint64(append([]byte(nil), t.Open...), uint64(n))
	pk := &Pack{Draw: t.Draw, Type: t.Type, N: n}
	p.insert(pk)
	p.insert(content)
	p.count("packs/"+t.Draw, 1)
	return pk, nil
}

// packLines draws the grids of pack n of a type (Système Flash); the first pack of a reconstructed draw may be given.
func (s *saleOf) packLines(t *PackType, n int64) ([]byte, error) {
	if n == 0 && len(t.Given) > 0 {
		return t.Given, nil
	}
	comp, err := parseComposition(t.Composition)
	if err != nil {
		return nil, err
	}
	// The matrix is that of the version under which the type was opened.
	book, err := games.Version(t.Rules)
	if err != nil {
		return nil, err
	}
	var lines []combin.Combination
	pick := func(f combin.Format) {
		lines = append(lines, fairness.QuickPick(s.secret, t.Draw+"/"+t.Type, n, len(lines), 0, book.Matrix, f))
	}
	for _, f := range packFormats(comp, book.Matrix) {
		pick(f)
	}
	return packLines(lines), nil
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

func packNumbers(b []byte) []int64 {
	ns := make([]int64, len(b)/8)
	for i := range ns {
		ns[i] = int64(binary.BigEndian.Uint64(b[8*i:]))
	}
	return ns
}

// withoutFull returns the open packs without pk when its last share is sold.
func withoutFull(open []byte, pk *Pack, shares int64) []byte {
	if pk.Sold < shares {
		return open
	}
	var left []byte
	for _, n := range packNumbers(open) {
		if n != pk.N {
			left = binary.BigEndian.AppendUint64(left, uint64(n))
		}
	}
	return left
}
