package site

import (
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// board is what the play page shows of a game and of what was chosen.
type board struct {
	Game    central.GameOffer
	Book    *rulebook.Rulebook
	Draws   []offer // on sale
	Chosen  selection
	Wrong   string
	Largest combin.Format // most numbers of one grid
}

// selection is an order as the address of the page holds it.
type selection struct {
	Draws       []string // that take part
	Main, Extra []int    // of the grid that is filled in
	Lines       []string // grids that are complete
	Quick       string   // format of the quick picks, "5x1"
	Count       int      // of quick picks
	AddOns      map[string]money.Cents
}

const (
	// linesShown bounds the grids of an order on the page: a longer one is no longer read.
	linesShown = 10
	// quickMax is how many quick picks are ordered at once.
	quickMax = 10
)

func (s *site) play(v *kit.Visit) error {
	b, err := s.board(v)
	if err != nil {
		return err
	}
	if v.Form("add") != "" {
		if line, ok := b.line(); ok && len(b.Chosen.Lines) < linesShown {
			b.Chosen.Lines, b.Chosen.Main, b.Chosen.Extra = append(b.Chosen.Lines, line), nil, nil
			return v.Go("/play/" + b.Game.Game + "?" + b.Chosen.query().Encode())
		}
		b.Wrong = v.F("Une grille a au moins %d numéros et %s.", "A grid has at least %d numbers and %s.", b.Book.Matrix.Main, b.extras(v, b.Book.Matrix.Extra))
	}
	if n := v.Form("drop"); n != "" {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(b.Chosen.Lines) {
			b.Chosen.Lines = slices.Delete(b.Chosen.Lines, i, i+1)
		}
		return v.Go("/play/" + b.Game.Game + "?" + b.Chosen.query().Encode())
	}
	return v.Show(page(gameName(b.Game.Title), kit.NavDraws, tint(b.Game.Game), "grid.js"), playPage(v, b))
}

func (s *site) board(v *kit.Visit) (*board, error) {
	c, err := catalogue(v)
	if err != nil {
		return nil, err
	}
	game := v.R.PathValue("game")
	for _, g := range c.Games {
		if g.Game != game || len(g.Formats) == 0 {
			continue
		}
		b := &board{Game: g}
		if b.Book, err = games.At(game, v.Now); err != nil {
			return nil, err
		}
		for _, d := range g.Draws {
			if d.OnSale {
				b.Draws = append(b.Draws, offer{d, g.Price})
			}
		}
		for _, f := range g.Formats {
			b.Largest.Main, b.Largest.Extra = max(b.Largest.Main, f.Main), max(b.Largest.Extra, f.Extra)
		}
		return b, b.read(v)
	}
	return nil, v.NotFound()
}

// read takes the selection from the address of the page.
func (b *board) read(v *kit.Visit) error {
	if err := v.R.ParseForm(); err != nil {
		return &central.Refusal{Code: central.Invalid, Reason: "form.address", Text: "The address of this page is damaged. Nothing was taken.", French: "L’adresse de cette page est abîmée. Rien n’a été débité."}
	}
	q, c := v.R.Form, &b.Chosen
	c.Draws = q["draw"]
	c.Main, c.Extra = numbers(q["n"], b.Book.Matrix.MainOf), numbers(q["c"], b.Book.Matrix.ExtraOf)
	for _, l := range q["line"] {
		if g, err := combin.Parse(l); err == nil && len(c.Lines) < linesShown {
			c.Lines = append(c.Lines, g.String())
		}
	}
	if c.Count, _ = strconv.Atoi(q.Get("count")); c.Count < 0 || c.Count > quickMax {
		c.Count = 0
	}
	c.Quick = q.Get("quick")
	c.AddOns = addedOf(v, b.Game.AddOns)
	if len(c.Draws) == 0 && len(b.Draws) > 0 {
		c.Draws = []string{b.Draws[0].Draw}
	}
	return nil
}

// numbers reads numbers from 1 to most, each once.
func numbers(list []string, most int) (out []int) {
	for _, text := range list {
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= most && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// query writes the selection as the page takes it.
func (c *selection) query() url.Values {
	q := url.Values{"draw": c.Draws}
	for _, n := range c.Main {
		q.Add("n", strconv.Itoa(n))
	}
	for _, n := range c.Extra {
		q.Add("c", strconv.Itoa(n))
	}
	if len(c.Lines) > 0 {
		q["line"] = c.Lines
	}
	if c.Count > 0 {
		q.Set("count", strconv.Itoa(c.Count))
		q.Set("quick", c.Quick)
	}
	for game, cents := range c.AddOns {
		q.Set("with-"+game, strconv.FormatInt(int64(cents), 10))
	}
	return q
}

// line is the grid that is filled in, false when it is no grid that is sold.
func (b *board) line() (string, bool) {
	g, err := combin.Of(b.Chosen.Main, b.Chosen.Extra)
	if err != nil || !b.Book.SaleFormat(g.Format()) {
		return "", false
	}
	return g.String(), true
}

// order is what the selection asks for.
func (b *board) order(v *kit.Visit) (o central.BuyPlay, err error) {
	o = central.BuyPlay{Player: v.Caller.Player, Channel: central.ChannelWeb, Draw: b.Chosen.Draws[0], Further: b.Chosen.Draws[1:]}
	o.AddOns = addOns(b.Game.AddOns, b.Chosen.AddOns)
	o.Lines, err = b.lines(v)
	return o, err
}

// lines are the grids and quick picks of the selection, at least one.
func (b *board) lines(v *kit.Visit) (list []central.Line, err error) {
	texts := slices.Clone(b.Chosen.Lines)
	if len(b.Chosen.Main)+len(b.Chosen.Extra) > 0 {
		line, ok := b.line()
		if !ok {
			return nil, b.unfinished(v)
		}
		texts = append(texts, line)
	}
	for range b.Chosen.Count {
		texts = append(texts, "quick "+b.Chosen.Quick)
	}
	for _, text := range texts {
		var l central.Line
		if err := l.UnmarshalText([]byte(text)); err != nil {
			return nil, b.unfinished(v)
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		return nil, b.unfinished(v)
	}
	return list, nil
}

// cents is what lines cost for one draw, without added games.
func (b *board) cents(lines []central.Line) money.Cents {
	var n int64
	for _, l := range lines {
		c := l.Quick.Count(b.Book.Matrix)
		if l.Grid != 0 {
			c = l.Grid.Count(b.Book.Matrix)
		}
		n += c
	}
	return money.Mul(b.Game.Price, n)
}

// refusedBoard leads back to the choice, which keeps everything, with what is wrong with it.
func (s *site) refusedBoard(v *kit.Visit, b *board, r *central.Refusal) error {
	b.Wrong = v.Said(r)
	return v.Status(http.StatusUnprocessableEntity).Show(page(gameName(b.Game.Title), kit.NavDraws, tint(b.Game.Game), "grid.js"), playPage(v, b))
}

// unfinished refuses a selection that is no order yet.
func (b *board) unfinished(v *kit.Visit) *central.Refusal {
	m := b.Book.Matrix
	fr, en := kit.French, kit.English
	var formats []string
	for _, r := range b.Book.Sale.Formats {
		formats = append(formats, r.String())
	}
	return &central.Refusal{
		Code: central.Invalid, Reason: "play.unfinished", Field: "lines",
		Text:   en.F("The grid is not complete: %d numbers and %d of the second board at least; formats on sale: %s. Nothing was taken.", "The grid is not complete: %d numbers and %d of the second board at least; formats on sale: %s. Nothing was taken.", m.Main, m.Extra, strings.Join(formats, ", ")),
		French: fr.F("La grille n'est pas complète : au moins %d numéros et %d du second tableau ; formats vendus : %s. Rien n'est débité.", "", m.Main, m.Extra, strings.Join(formats, ", ")),
	}
}

// extras counts numbers of the second board.
func (b *board) extras(v *kit.Visit, n int) string {
	if stars(b.Game.Game) {
		return v.N(int64(n), "%s étoile", "%s étoiles", "%s star", "%s stars")
	}
	return v.N(int64(n), "%s numéro Chance", "%s numéros Chance", "%s Chance number", "%s Chance numbers")
}

// summary is what the selection costs so far, and its chance: what the script says again after each tap.
func (b *board) summary(v *kit.Visit) string {
	g, err := combin.Of(b.Chosen.Main, b.Chosen.Extra)
	if err != nil || !b.Book.SaleFormat(g.Format()) {
		return v.F("Choisissez au moins %d numéros et %s.", "Choose at least %d numbers and %s.", b.Book.Matrix.Main, b.extras(v, b.Book.Matrix.Extra))
	}
	n := g.Count(b.Book.Matrix)
	return v.F("%s, %s. %s au rang 1.", "%s, %s. %s at rank 1.",
		v.N(n, "%s combinaison", "%s combinaisons", "%s combination", "%s combinations"), v.Money(money.Mul(b.Game.Price, n)), capital(v.Odds(b.chance(n), 2)))
}

func (b *board) chance(n int64) *big.Rat { return odds.Chance(n, b.Book.Matrix.Total()) }

// playRecap quotes what was chosen and shows the recap.
func (s *site) playRecap(v *kit.Visit) error {
	b, err := s.board(v)
	if err != nil {
		return err
	}
	back := "/play/" + b.Game.Game + "?" + b.Chosen.query().Encode()
	var order central.BuyPlay
	if len(b.Chosen.Draws) == 0 {
		return v.Go(back)
	}
	if order, err = b.order(v); err == nil {
		err = s.recap(v, order, back)
	}
	if r := kit.Refused(err); r != nil {
		return s.refusedBoard(v, b, r)
	}
	return err
}

// quickFormats are the formats that a quick pick is offered in: the simple one and the first multiples.
func (b *board) quickFormats() (list []central.FormatOffer) {
	for _, f := range b.Game.Formats {
		if f.Extra == b.Book.Matrix.Extra || f.Main == b.Book.Matrix.Main {
			list = append(list, f)
		}
		if len(list) == quickMax {
			break
		}
	}
	return list
}

func (c *selection) plays(draw string) bool { return slices.Contains(c.Draws, draw) }

// sizes writes the formats on sale for the script: "5x1=220,6x1=1320".
func (b *board) sizes() string {
	var list []string
	for _, f := range b.Game.Formats {
		list = append(list, strconv.Itoa(f.Main)+"x"+strconv.Itoa(f.Extra)+"="+strconv.FormatInt(f.Combinations, 10))
	}
	return strings.Join(list, ",")
}

// nearDraws is how many coming draws stand open on the page.
const nearDraws = 3

func (b *board) near() []offer { return b.Draws[:min(nearDraws, len(b.Draws))] }

func (b *board) far() []offer { return b.Draws[min(nearDraws, len(b.Draws)):] }

// playsFar reports whether one of the draws that are folded away is chosen.
func (b *board) playsFar() bool {
	return slices.ContainsFunc(b.far(), func(d offer) bool { return b.Chosen.plays(d.Draw) })
}
