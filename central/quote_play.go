package central

import "slices"

// Buyer is the player who buys.
func (c BuyPlay) Buyer() int64 { return c.Player }

func (c BuyPlay) terms(p *Plan, result any) (*Terms, error) {
	bought := result.(Bought)
	t := &Terms{Cents: max(bought.Cents, bought.Total)} // of several draws there is a total
	plays := append([]Bought{bought}, bought.Further...)
	for i, draw := range append([]string{c.Draw}, c.Further...) {
		s, err := p.sale(draw)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			t.Rules, t.Lines = s.book.Header.Version(), s.lineTerms(c.Lines)
		}
		t.Draws = append(t.Draws, s.drawTerms())
		t.Combinations += plays[i].Combos
		t.addCodes(s.codeTerms(plays[i].Combos))
	}
	var err error
	t.AddOns, err = addOnTerms(c.AddOns, bought.AddOns)
	return t, err
}

// addCodes counts the codes of one more draw.
func (t *Terms) addCodes(codes []CodeTerms) {
	for _, c := range codes {
		i := slices.IndexFunc(t.Codes, func(have CodeTerms) bool { return have.Series == c.Series })
		if i < 0 {
			t.Codes = append(t.Codes, c)
		} else {
			t.Codes[i].Count += c.Count
		}
	}
}

// lineTerms says what the grids of a play are; what a quick pick draws stays hidden.
func (s *saleOf) lineTerms(lines []Line) []LineTerms {
	out := make([]LineTerms, len(lines))
	for i, l := range lines {
		f := l.Quick
		if l.Grid != 0 {
			f, out[i].Grid = l.Grid.Format(), l.Grid.String()
		}
		out[i].Main, out[i].Extra, out[i].Combinations = f.Main, f.Extra, f.Count(s.book.Matrix)
	}
	return out
}
