package evening

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/prize"
)

// verbs returns the grammar: every command with where it may stand and its forms. docs/scenarios.md prints the same forms.
func verbs() map[string]verb {
	loto := []prize.Model{prize.Fixed, prize.Spread, prize.Pool}
	european := []prize.Model{prize.European}
	return map[string]verb{
		"draw":       {opening, true, []string{"draw GAME DAY [reconstructed] [exceptional]"}, (*parser).draw},
		"opens":      {opening, true, []string{"opens DAY TIME"}, func(p *parser, a []string) error { return p.instant(a, &p.s.Opens) }},
		"closes":     {opening, true, []string{"closes DAY TIME"}, func(p *parser, a []string) error { return p.instant(a, &p.s.Closes) }},
		"pack":       {opening, false, []string{"pack TYPE COMPOSITION shares N max N", "pack TYPE COMPOSITION shares N max N formulas N,N"}, (*parser).pack},
		"given":      {opening, false, []string{"given TYPE GRID…"}, (*parser).given},
		"first-code": {opening, false, []string{"first-code SERIES CODE"}, (*parser).firstCode},

		"at":      {sales, false, []string{"at DAY TIME"}, (*parser).at},
		"player":  {sales, false, []string{"player NAME [deposit EUROS]"}, (*parser).player},
		"players": {sales, false, []string{"players N NAME [deposit EUROS]"}, (*parser).players},
		"deposit": {sales, false, []string{"deposit NAME EUROS"}, (*parser).deposit},
		"buy":     {sales, false, []string{"buy NAME GRID…", "buy NAME quick FORMAT…", "buy NAME N shares of TYPE"}, (*parser).buy},

		"jackpot":          {anywhere, true, []string{"jackpot EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.Jackpot }, loto...)},
		"cycle":            {anywhere, true, []string{"cycle N [capped N] [after-super]"}, (*parser).cycle},
		"carry":            {anywhere, true, []string{"carry EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.Carry }, european...)},
		"cap":              {anywhere, true, []string{"cap EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.Cap }, european...)},
		"super":            {anywhere, true, []string{"super EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.Super }, european...)},
		"fund":             {anywhere, true, []string{"fund EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.Fund }, prize.Pool, prize.European)},
		"stakes-elsewhere": {anywhere, true, []string{"stakes-elsewhere EUROS"}, term(func(t *prize.Terms) *money.Cents { return &t.OutsideStakes }, append(loto, european...)...)},
		"official":         {anywhere, false, []string{"official rN EUROS…"}, (*parser).official},

		"result":        {outcome, true, []string{"result GRID"}, (*parser).result},
		"winning-codes": {outcome, false, []string{"winning-codes SERIES CODE, CODE…"}, (*parser).winningCodes},
		"joker":         {outcome, true, []string{"joker DIGITS"}, (*parser).joker},
		"elsewhere":     {outcome, false, []string{"elsewhere rN WINNERS…"}, (*parser).elsewhere},
		"claims-until":  {outcome, true, []string{"claims-until DAY"}, (*parser).claims},
	}
}

func (p *parser) instant(args []string, to *time.Time) (err error) {
	if len(args) != 2 {
		return errForm
	}
	*to, err = games.ParseTime(args[0], args[1])
	return err
}

// pack reads "pack TYPE COMPOSITION shares N max N [formulas N,N…]". Whether the rules allow it is checked when the opening is known.
func (p *parser) pack(args []string) error {
	if len(args) != 6 && (len(args) != 8 || args[6] != "formulas") || args[2] != "shares" || args[4] != "max" {
		return errForm
	}
	offer := central.PackOffer{Type: args[0]}
	if strings.ContainsAny(offer.Type, "/\x00") || len(offer.Type) > nameMax {
		return fmt.Errorf("type %.60q; accepted: at most %d bytes without /", offer.Type, nameMax)
	}
	if line, twice := p.packs[offer.Type]; twice {
		return fmt.Errorf("type %q is on sale since line %d; accepted: another name", offer.Type, line)
	}
	for piece := range strings.SplitSeq(args[1], "+") {
		if strings.Contains(piece, "x") {
			if _, err := pack.ParseMultiple(piece); err != nil {
				return err
			}
			offer.Multiples = append(offer.Multiples, piece)
			continue
		}
		n, err := count([]string{piece}, "simple combinations", pack.CombinationsMax)
		if err != nil || offer.Simples > 0 {
			return fmt.Errorf("composition %.60q; accepted: multiples and a number of simple combinations joined by +, such as 6x10*10 or 7x2*3+20", args[1])
		}
		offer.Simples = int(n)
	}
	var err error
	if offer.Shares, err = count(args[3:4], "shares", pack.SharesMax); err != nil {
		return err
	}
	if offer.MaxPacks, err = count(args[5:6], "packs at most", maxPacks); err != nil {
		return err
	}
	if len(args) == 8 {
		for piece := range strings.SplitSeq(args[7], ",") {
			n, err := count([]string{piece}, "shares at once", pack.SharesMax)
			if err != nil {
				return err
			}
			offer.Formulas = append(offer.Formulas, n)
		}
	}
	p.packs[offer.Type] = p.number
	p.s.Packs = append(p.s.Packs, offer)
	return nil
}

// reconstructed refuses what only a reconstructed draw may be given.
func (p *parser) reconstructed() error {
	if !p.s.Reconstructed {
		return fmt.Errorf("contents and codes come from the secret of the draw; accepted: draw %s %s reconstructed", p.s.Game, p.s.Day)
	}
	return nil
}

func (p *parser) offer(typ string) (*central.PackOffer, error) {
	i := slices.IndexFunc(p.s.Packs, func(o central.PackOffer) bool { return o.Type == typ })
	if i >= 0 {
		return &p.s.Packs[i], nil
	}
	var types []string
	for _, o := range p.s.Packs {
		types = append(types, o.Type)
	}
	if types == nil {
		return nil, fmt.Errorf("pack type %.40q; none is on sale: accepted after a line %s", typ, p.forms("pack"))
	}
	return nil, fmt.Errorf("pack type %.40q; accepted: %s", typ, strings.Join(types, ", "))
}

func (p *parser) given(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	if err := p.reconstructed(); err != nil {
		return err
	}
	offer, err := p.offer(args[0])
	if err != nil {
		return err
	}
	for _, word := range args[1:] {
		if _, err := p.grid(word); err != nil {
			return err
		}
		offer.Given = append(offer.Given, word)
	}
	return nil
}

func (p *parser) firstCode(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	if err := p.reconstructed(); err != nil {
		return err
	}
	s, err := p.seriesOf(args[0])
	if err != nil {
		return err
	}
	if _, twice := p.s.FirstCodes[s.ID]; twice {
		return fmt.Errorf("codes %s start already; accepted once a series", s.ID)
	}
	printed, ordinal, err := printedCode(s, strings.Join(args[1:], " "))
	if err != nil {
		return err
	}
	if zone := s.Sequential; !zone.Contains(ordinal) {
		return fmt.Errorf("code %s; accepted: one of the sequential zone, %s to %s", printed, s.Format(zone.First), s.Format(zone.Last))
	}
	p.s.FirstCodes[s.ID] = printed
	return nil
}

// term reads the amount of a term that goes with some models of prizes.
func term(field func(*prize.Terms) *money.Cents, models ...prize.Model) func(*parser, []string) error {
	return func(p *parser, args []string) error {
		if len(args) == 0 {
			return errForm
		}
		if !slices.Contains(models, p.s.book.Prizes.Model) {
			return fmt.Errorf("no term of %s; accepted where the prizes are %v", p.s.book.Header.Version(), models)
		}
		c, err := bounded(amount(args))
		*field(&p.s.Terms) = c
		return err
	}
}

func (p *parser) cycle(args []string) error {
	if len(args) == 0 {
		return errForm
	}
	position, err := count(args[:1], "position", maxDraws)
	if err != nil {
		return err
	}
	t := &p.s.Terms
	t.Position = int(position)
	for rest := args[1:]; len(rest) > 0; {
		switch {
		case rest[0] == "after-super" && !t.AfterSuper:
			t.AfterSuper, rest = true, rest[1:]
		case rest[0] == "capped" && len(rest) > 1 && t.Capped == 0:
			capped, err := count(rest[1:2], "draws at the cap", maxDraws)
			if err != nil {
				return err
			}
			t.Capped, rest = int(capped), rest[2:]
		default:
			return errForm
		}
	}
	return nil
}

func (p *parser) official(args []string) error {
	t := &p.s.Terms
	if t.Official == nil {
		t.Official = slices.Repeat([]money.Cents{prize.Computed}, len(p.s.book.Prizes.Ranks))
	}
	return p.byRank(args, func(rank int, words []string) error {
		if t.Official[rank-1] != prize.Computed {
			return fmt.Errorf("given twice; accepted once")
		}
		c, err := bounded(amount(words))
		t.Official[rank-1] = c
		return err
	})
}

// result reads the numbers drawn, in the order in which they are written.
func (p *parser) result(args []string) error {
	if len(args) != 1 {
		return errForm
	}
	c, err := p.grid(args[0])
	if err != nil {
		return err
	}
	if m := p.s.book.Matrix; c.Format().Main != m.Main || c.Format().Extra != m.Extra {
		return fmt.Errorf("%.60q has %v numbers; accepted: %d numbers + %d", args[0], c.Format(), m.Main, m.Extra)
	}
	p.s.Result.Main, p.s.Result.Extra = numbersOf(args[0])
	return nil
}

func (p *parser) winningCodes(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	s, err := p.seriesOf(args[0])
	if err != nil {
		return err
	}
	if p.s.Result.Codes == nil {
		p.s.Result.Codes = map[string][]string{}
	}
	for words := range strings.SplitSeq(strings.Join(args[1:], " "), ",") {
		printed, _, err := printedCode(s, words)
		if err != nil {
			return err
		}
		if slices.Contains(p.s.Result.Codes[s.ID], printed) {
			return fmt.Errorf("code %s stands twice; accepted once", printed)
		}
		p.s.Result.Codes[s.ID] = append(p.s.Result.Codes[s.ID], printed)
	}
	return nil
}

// joker reads the number of Joker+, one draw for all games of the evening.
func (p *parser) joker(args []string) error {
	book, err := games.InForce("jokerplus", p.s.Day)
	if err != nil {
		return err
	}
	digits := strings.Join(args, "")
	if len(digits) != book.Digits.Length || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("%.40q; accepted: %d digits, such as 5 697 395", strings.Join(args, " "), book.Digits.Length)
	}
	p.s.Result.Joker = grouped(digits)
	return nil
}

// elsewhere reads the winners of other points of sale and countries, this system's left out.
func (p *parser) elsewhere(args []string) error {
	if p.s.Elsewhere == nil {
		p.s.Elsewhere = slices.Repeat(prize.Winners{-1}, len(p.s.book.Prizes.Ranks))
	}
	return p.byRank(args, func(rank int, words []string) error {
		if p.s.Elsewhere[rank-1] >= 0 {
			return fmt.Errorf("given twice; accepted once")
		}
		if len(words) == 1 && words[0] == "0" {
			p.s.Elsewhere[rank-1] = 0
			return nil
		}
		n, err := count(words, "winners", prize.MaxWinners)
		p.s.Elsewhere[rank-1] = n
		return err
	})
}

func (p *parser) claims(args []string) error {
	if len(args) != 1 {
		return errForm
	}
	day, err := time.Parse(time.DateOnly, args[0])
	if err != nil || day.Format(time.DateOnly) < p.s.Day {
		return fmt.Errorf("%.40q; accepted: a day as YYYY-MM-DD, not before the draw", args[0])
	}
	p.s.Result.Claims = args[0]
	return nil
}
