package site

import (
	"maps"
	"slices"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// resultsShown is how many draws the page of results lists.
const resultsShown = 30

// results lists the published draws, the latest first.
func (s *site) results(v *kit.Visit) error {
	var list []*central.Notice
	game := v.Form("game")
	err := v.View(func(snap central.Snapshot) error {
		var draws []*central.Draw
		err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Draws}}, func(r central.Row) error {
			if d := r.(*central.Draw); d.State == string(drawing.Published) && (game == "" || d.Game == game) {
				draws = append(draws, d)
			}
			return nil
		})
		if err != nil {
			return err
		}
		slices.SortFunc(draws, func(a, b *central.Draw) int { return strings.Compare(b.Day+a.Game, a.Day+b.Game) })
		for _, d := range draws[:min(resultsShown, len(draws))] {
			n, err := noticeOf(v, snap, d)
			if err != nil {
				return err
			}
			if n != nil {
				list = append(list, n)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Résultats", "Results"), kit.NavDraws, ""), resultsPage(v, list))
}

// outcome is a published draw as its page shows it.
type outcome struct {
	*central.Notice
	Book    *rulebook.Rulebook
	Checked *checked
	Wrong   string
	Flow    *flow  // where its money went
	Story   []step // its life
}

// checked is what the checker found in a grid.
type checked struct {
	Balls kit.Balls
	Rank  int // the best, 0 for none
	Wins  []win
}

// result shows a published draw, and checks a grid or code against it.
//
// Art. loto@2018-10-29:11, Art. euromillions@2018-10-29:7.
func (s *site) result(v *kit.Visit) error {
	o := &outcome{}
	var money *central.Flow
	var moments []central.Moment
	err := v.View(func(snap central.Snapshot) error {
		d, err := kit.Get[*central.Draw](v.Context(), snap, central.Key{Table: central.Draws, S: v.R.PathValue("draw")})
		if err != nil || d == nil || d.State != string(drawing.Published) {
			return err
		}
		if o.Notice, err = noticeOf(v, snap, d); o.Notice == nil || err != nil {
			return err
		}
		if money, err = central.ReadFlow(v.Context(), snap, d.ID); err != nil {
			return err
		}
		moments, err = central.ReadStory(v.Context(), snap, d.ID)
		return err
	})
	if err != nil {
		return err
	}
	if o.Notice == nil {
		return unpublished()
	}
	if o.Book, err = games.Version(o.Rules); err != nil {
		return err
	}
	o.draw(v, money)
	o.tell(v, moments)
	if v.Form("check") != "" {
		o.check(v)
	}
	return v.Show(page(v.F("%s du %s", "%s of %s", nameOf(o.Game), v.Day(o.Day)), kit.NavDraws, tint(o.Game), "htmx.js"), resultPage(v, o))
}

// check reads a grid from the address: numbers apart by anything, the Chance number or the stars in a field of their own.
func (o *outcome) check(v *kit.Visit) {
	main, extra := read(v.Form("n")), read(v.Form("c"))
	grid, err := combin.Of(main, extra)
	if err == nil {
		err = o.Book.Matrix.Check(grid)
	}
	if err != nil {
		o.Wrong = v.F("Une grille a au moins %d numéros de 1 à %d, et %d de 1 à %d dans le second champ.", "A grid has at least %d numbers from 1 to %d, and %d from 1 to %d in the second field.",
			o.Book.Matrix.Main, o.Book.Matrix.MainOf, o.Book.Matrix.Extra, o.Book.Matrix.ExtraOf)
		return
	}
	drawn, err := combin.Of(o.Main, o.Extra)
	if err != nil {
		o.Wrong = err.Error()
		return
	}
	r := &receipt{PlayRecord: &central.PlayRecord{Grids: []central.GridRecord{{Grid: grid.String()}}}, Notice: o.Notice}
	tally := combin.Winners(o.Book.Matrix, grid, drawn)
	c := &checked{Balls: against(kit.Balls{Main: grid.Main(), Extra: grid.Extra(), Stars: stars(o.Game)}, o.Main, o.Extra)}
	for _, rank := range o.Ranks {
		var n int64
		for _, h := range o.Book.Prizes.Ranks[rank.Rank-1].Hits {
			n += tally[h.Main][h.Extra]
		}
		if n > 0 {
			if c.Rank == 0 {
				c.Rank = rank.Rank
			}
			r.add(v.F("Rang %d, %s", "Rank %d, %s", rank.Rank, hitsWords(v, o.Game, o.Book.Prizes.Ranks[rank.Rank-1].Hits)), n, rank.Gain)
		}
	}
	c.Wins = r.Wins
	o.Checked = c
}

// read takes the numbers out of a text, whatever stands between them.
func read(text string) (list []int) {
	n, in := 0, false
	for _, r := range text + " " {
		if r >= '0' && r <= '9' && n < 1000 {
			n, in = n*10+int(r-'0'), true
			continue
		}
		if in {
			list = append(list, n)
		}
		n, in = 0, false
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// seriesOf lists the series of codes that a notice has, in order.
func seriesOf(n *central.Notice) []string { return slices.Sorted(maps.Keys(n.Codes)) }
