package site

import (
	"cmp"
	"slices"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/web/kit"
)

// offer is a coming draw with the game that it belongs to.
type offer struct {
	central.DrawOffer
	Price money.Cents
}

// stock is a pack type on sale with its draw.
type stock struct {
	central.PackStock
	Draw offer
	Name string // "Loto 600"
}

// path is that of the page of a pack.
func (p stock) path() string { return "/packs/" + p.Draw.Draw + "/" + p.Type }

// front is what the home page shows.
type front struct {
	Messages []string // of art. 1: a day of effect that is put off
	Next     *offer   // the draw that closes first
	Later    []offer
	Packs    []stock
	Donuts   *central.RoundOffer
	Open     *central.RoundState // a round that waits for its player
	Results  []*central.Notice   // the last of each game
	Poster   *central.Notice     // of the game of the next draw
}

// laterShown is how many of the coming draws the home page lists.
const laterShown = 5

func (s *site) home(v *kit.Visit) error {
	f := &front{}
	err := v.View(func(snap central.Snapshot) error {
		c, err := central.ReadCatalogue(v.Context(), snap, v.Now)
		if err != nil {
			return err
		}
		f.fill(v, c)
		if f.Results, err = lastResults(v, snap); err != nil {
			return err
		}
		for _, n := range f.Results {
			if f.Next != nil && n.Game == f.Next.Game || f.Poster == nil {
				f.Poster = n
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if v.Caller.Player != 0 && f.Donuts != nil {
		if f.Open, err = s.openRound(v, f.Donuts.Game); err != nil {
			return err
		}
	}
	return v.Show(page(v.T("Prochains tirages", "Next draws"), kit.NavDraws, "", "live.js"), homePage(v, f))
}

// fill picks from the catalogue what the home page shows.
func (f *front) fill(v *kit.Visit, c *central.Catalogue) {
	f.Messages = messages(v, c)
	draws := offers(c)
	for i := range draws {
		if draws[i].OnSale && f.Next == nil {
			f.Next = &draws[i]
			continue
		}
		if len(f.Later) < laterShown {
			f.Later = append(f.Later, draws[i])
		}
	}
	f.Packs = stocks(c)
	for i := range c.Rounds {
		if c.Rounds[i].Game == "donuts" {
			f.Donuts = &c.Rounds[i]
		}
	}
}

// messages are those to players that a day of effect is put off.
//
// Art. packs@2018-10-29:3, Art. donuts@2019-06-25:1 (« les joueurs en seront informés par un message sur le site »).
func messages(v *kit.Visit, c *central.Catalogue) (list []string) {
	add := func(o central.Offer) {
		if text := v.T(o.French, o.English); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	add(c.Packs)
	for _, r := range c.Rounds {
		add(r.Offer)
	}
	return list
}

// offers lists the coming draws of all games, the first to close first.
func offers(c *central.Catalogue) (list []offer) {
	for _, g := range c.Games {
		for _, d := range g.Draws {
			list = append(list, offer{d, g.Price})
		}
	}
	slices.SortStableFunc(list, func(a, b offer) int { return a.ClosesAt.Compare(b.ClosesAt) })
	return list
}

// stocks lists the packs of all coming draws, those that may be bought first.
func stocks(c *central.Catalogue) (list []stock) {
	for _, o := range offers(c) {
		for _, p := range o.Packs {
			list = append(list, stock{p, o, packName(o.Title, p.Type, p.Combinations)})
		}
	}
	slices.SortStableFunc(list, func(a, b stock) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	return list
}

func rankOf(p stock) int {
	if p.OnSale {
		return 0
	}
	return 1
}

// sheet is the sheet of the pack that is sold now: what is left of all its packs would be more than a sheet holds.
func (p stock) sheet(id string) kit.Planche {
	return kit.Planche{ID: id, Total: p.Shares, Sold: p.soldOnSheet()}
}

// soldOnSheet is how many shares of the pack that is filled now are sold.
func (p stock) soldOnSheet() int64 {
	if p.Stock.Left == 0 {
		return p.Shares
	}
	return p.Shares - p.onSheet()
}

// onSheet is how many shares are left on the sheet that is filled now. With several packs open the emptiest takes the next order.
func (p stock) onSheet() int64 {
	if !p.OnSale && p.Stock.Largest == 0 {
		return 0
	}
	if p.Stock.Packs > 0 {
		if open := p.Stock.Packs*p.Shares - p.Stock.Sold; open > 0 {
			return min(open, p.Shares)
		}
	}
	if p.Stock.Packs < p.Stock.MaxPacks {
		return p.Shares
	}
	return 0
}

// packName is what a pack is called: its game and its simple combinations, and its own name where that says more.
func packName(title, kind string, combinations int64) string {
	return gameName(title) + " " + strings.TrimSpace(kit.Lang("fr").Count(combinations))
}

// lastResults reads the last published draw of each game.
func lastResults(v *kit.Visit, snap central.Snapshot) ([]*central.Notice, error) {
	last := map[string]*central.Draw{}
	err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Draws}}, func(r central.Row) error {
		d := r.(*central.Draw)
		if d.State == string(drawing.Published) && (last[d.Game] == nil || last[d.Game].Day < d.Day) {
			last[d.Game] = d
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []*central.Notice
	for _, game := range games.Games() {
		if last[game] == nil {
			continue
		}
		n, err := noticeOf(v, snap, last[game])
		if err != nil {
			return nil, err
		}
		if n != nil {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b *central.Notice) int { return strings.Compare(b.Day, a.Day) })
	return list, nil
}

// noticeOf reads the notice of a published draw.
func noticeOf(v *kit.Visit, snap central.Snapshot, d *central.Draw) (*central.Notice, error) {
	doc, err := kit.Get[*central.Doc](v.Context(), snap, central.Key{Table: central.Docs, S: d.ID, U: central.DocNotice, N: d.Version})
	if err != nil || doc == nil {
		return nil, err
	}
	return central.ReadPaper[central.Notice](doc.Body)
}

// openRound is the round of a ladder that waits for its player, nil when none does.
func (s *site) openRound(v *kit.Visit, game string) (*central.RoundState, error) {
	var open *central.RoundState
	err := v.View(func(snap central.Snapshot) error {
		r, err := central.CurrentRound(v.Context(), snap, game, v.Caller.Player)
		if r != nil {
			open = &r.Round
		}
		return err
	})
	return open, err
}
