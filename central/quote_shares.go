package central

import (
	"time"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
)

// Buyer is the player who buys.
func (c BuyShares) Buyer() int64 { return c.Player }

func (c BuyShares) terms(p *Plan, result any) (*Terms, error) {
	s, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	t := get[PackType](p, typeKey(c.Draw, c.Type))
	pack, err := s.packTerms(t)
	if err != nil {
		return nil, err
	}
	return &Terms{
		Rules: s.book.Header.Version(), Draws: []DrawTerms{s.drawTerms()}, Pack: pack, Shares: c.Shares, Combinations: pack.Combinations, Codes: pack.Codes,
		Cents: result.(Bought).Cents,
	}, nil
}

// drawTerms names the draw of a sale.
func (s *saleOf) drawTerms() DrawTerms { return drawTerms(s.draw, s.prizes) }

func drawTerms(d *Draw, prizes *rulebook.Rulebook) DrawTerms {
	return DrawTerms{
		Draw: d.ID, Game: d.Game, Title: prizes.Header.Title, Day: d.Day, ClosesAt: time.UnixMicro(d.ClosesAt).UTC(), Exceptional: d.Exceptional == 1,
		PrizeRules: prizes.Header.Version(),
	}
}

// codeTerms counts the codes of each series that come with n simple combinations.
func (s *saleOf) codeTerms(n int64) []CodeTerms {
	list := make([]CodeTerms, len(s.series))
	for i, series := range s.series {
		list[i] = CodeTerms{Series: series.ID, Count: n, Free: series.Free}
	}
	return list
}

// packTerms says what a pack of a type is.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« communiqués au joueur avant l'enregistrement de sa prise de jeu »).
func (s *saleOf) packTerms(t *PackType) (*PackTerms, error) {
	comp, err := parseComposition(t.Composition)
	if err != nil {
		return nil, err
	}
	book, err := games.Version(t.Rules)
	if err != nil {
		return nil, err
	}
	out := &PackTerms{
		Type: t.Type, Shares: t.Shares, SharePrice: t.SharePrice, Combinations: t.Combos, Codes: s.codeTerms(t.Combos), Simples: int64(comp.Simples),
		Formulas: []Formula{}, Formats: []MultipleTerms{},
	}
	formulas, err := pack.ParseFormulas(t.Formulas)
	if err != nil {
		return nil, err
	}
	for _, n := range formulas {
		out.Formulas = append(out.Formulas, Formula{n, money.Mul(t.SharePrice, n)})
	}
	for _, m := range comp.Multiples {
		out.Multiples += int64(m.Count)
		out.Formats = append(out.Formats, MultipleTerms{int64(m.Count), m.Format.Main, m.Format.Extra, m.Format.Count(book.Matrix)})
	}
	return out, nil
}

// stock says what is sold and left of a type.
func (t *PackType) stock() *Stock {
	s := &Stock{Sold: t.Sold, Left: (t.MaxPacks - t.Opened) * t.Shares, Packs: t.Opened, MaxPacks: t.MaxPacks}
	if t.Opened < t.MaxPacks {
		s.Largest = t.Shares
	}
	for _, o := range packsLeft(t.Open) {
		s.Left += o.left
		s.Largest = max(s.Largest, o.left)
	}
	return s
}
