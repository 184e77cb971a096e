package evening

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/pack"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// check looks at what only the whole scenario shows.
func (p *parser) check() {
	s := p.s
	for _, word := range []string{"opens", "closes", "result"} {
		if s.lines[word] == 0 {
			p.refuse(s.lines["draw"], "the draw has no %s; accepted with a line %s", word, p.forms(word))
		}
	}
	if len(p.problems) > 0 {
		return
	}
	for i := range s.Elsewhere {
		s.Elsewhere[i] = max(s.Elsewhere[i], 0)
	}
	p.checkHours()
	p.checkPacks()
	p.checkTerms()
}

func (p *parser) checkHours() {
	s := p.s
	if !s.Opens.Before(s.Closes) {
		p.refuse(s.lines["closes"], "closes at %s; accepted: after the opening at %s", s.Closes.Format(time.DateTime), s.Opens.Format(time.DateTime))
	}
	if last := s.Closes.Format(time.DateOnly); last > s.Day {
		p.refuse(s.lines["closes"], "closes on %s; accepted: on the day of the draw, %s, or before", last, s.Day)
	}
}

// checkPacks compares the pack types with the version in force when they go on sale.
func (p *parser) checkPacks() {
	book, err := games.At(p.s.Game, p.s.Opens)
	if err != nil {
		p.refuse(p.s.lines["opens"], "%v", err)
		return
	}
	for _, o := range p.s.Packs {
		c := pack.Composition{Simples: o.Simples}
		for _, text := range o.Multiples {
			m, err := pack.ParseMultiple(text)
			if err != nil {
				panic(err) // the line was read
			}
			c.Multiples = append(c.Multiples, m)
		}
		t, err := pack.New(book, c, o.Shares)
		if err != nil {
			p.refuse(p.packs[o.Type], "pack %s: %v", o.Type, err)
			continue
		}
		if formulas := pack.Formulas(o.Formulas); formulas != nil {
			if err := formulas.Check(o.Shares); err != nil {
				p.refuse(p.packs[o.Type], "pack %s: %v", o.Type, err)
			}
		}
		if got := composed(o.Given, book); len(o.Given) > 0 && got.String() != t.Composition.String() {
			p.refuse(p.s.lines["given"], "the grids given for pack %s are %v; accepted: %v", o.Type, got, t.Composition)
		}
	}
}

// composed returns the composition that grids make.
func composed(grids []string, book *rulebook.Rulebook) pack.Composition {
	var c pack.Composition
	for _, g := range grids {
		grid, err := combin.Parse(g)
		if err != nil {
			panic(err) // the line was read
		}
		c.Multiples = append(c.Multiples, pack.Multiple{Format: grid.Format(), Count: 1})
	}
	return c.Normal(book.Matrix)
}

// checkTerms settles the draw without any play: what the prize rules refuse then is a fault of the terms.
func (p *parser) checkTerms() {
	s, table := p.s, p.s.book.Prizes
	if table.Model == prize.Pool && s.Terms.Fund == 0 {
		var missing []string
		for i, r := range table.Ranks {
			if r.Share > 0 && (s.Terms.Official == nil || s.Terms.Official[i] == prize.Computed) {
				missing = append(missing, fmt.Sprintf("r%d", r.Number))
			}
		}
		if missing != nil {
			p.refuse(s.about("official"), "the gains of %s are not known; accepted with a line %s, or with %s for each", strings.Join(missing, ", "), p.forms("fund"), p.forms("official"))
			return
		}
	}
	winners := s.Elsewhere
	if winners == nil {
		winners = make(prize.Winners, len(table.Ranks))
	}
	if _, err := prize.Settle(*table, s.Terms, slices.Clone(winners)); err != nil {
		p.refuse(s.about(err.Error()), "%v", err)
	}
}
