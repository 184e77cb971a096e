package site

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/odds"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// gameOdds are the chances of a game under the version in force, from its rulebook.
type gameOdds struct {
	Book   *rulebook.Rulebook
	Ranks  []rankOdds
	Any    *big.Rat // of a gain at some rank
	Return *big.Rat // part of the stakes that goes to the winners, nil where the version states none
	Levels []ladder.Odds

	Lots    *lots  // what a hundred grids bring, nil where the gains are not known
	LotsDay string // of the draw that they are of, "" for those of the rulebook
}

// rankOdds is the chance of one rank.
type rankOdds struct {
	prize.Rank
	Chance *big.Rat
}

// tabled are the games that have a table of chances, in the order of the page.
var tabled = []string{"loto", "superloto", "grandloto", "euromillions", "etoileplus", "donuts"}

func (s *site) odds(v *kit.Visit) error {
	var list []gameOdds
	for _, game := range tabled {
		book, err := games.At(game, v.Now)
		if err != nil {
			continue // not in force yet
		}
		o := gameOdds{Book: book}
		switch {
		case book.Prizes != nil:
			o.Any = new(big.Rat)
			for _, r := range book.Prizes.Ranks {
				p := odds.Chance(r.Ways, book.Matrix.Total())
				o.Ranks = append(o.Ranks, rankOdds{r, p})
				o.Any.Add(o.Any, p)
			}
			if book.Prizes.WinnersShare > 0 {
				o.Return = big.NewRat(int64(book.Prizes.WinnersShare), 10_000)
			}
		case book.Ladder != nil:
			o.Levels = book.Ladder.Odds()
		default:
			continue
		}
		list = append(list, o)
	}
	err := v.View(func(snap central.Snapshot) (err error) {
		for i := range list {
			if o := &list[i]; o.Book.Prizes != nil && o.Book.Sale.Price > 0 && err == nil {
				o.Lots, o.LotsDay, err = gridLots(v, snap, o.Book)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Probabilités et retours", "Odds and returns"), kit.NavDraws, ""), oddsPage(v, list))
}

// decades is the length of the plots: a chance of one in so many powers of ten fills them.
const decades = 9

// bar is the length of a chance in a plot of a thousand, a power of ten as long as the next. It goes beside the figure, which is exact.
func bar(p *big.Rat) string {
	var f big.Float
	x, _ := f.SetRat(p).Float64()
	return strconv.Itoa(int(min(1, -math.Log10(x)/decades) * 1000))
}

// printed is the figure of the regulation where it differs from the exact one, "" where it does not.
//
// Art. donuts@2019-06-25:3.2.5 prints one figure that its own table does not give.
func (o gameOdds) printed(level int, c ladder.Column) string {
	p := o.Book.Ladder.Rules().Levels[level-1].Printed
	if p == nil {
		return ""
	}
	exact := ladder.OneIn(o.Levels[level-1].Of(c))
	if said := p.Of(c); said != "" && said != exact {
		return said
	}
	return ""
}

// rules lists the versions of all games.
func (s *site) rules(v *kit.Visit) error {
	var list []*rulebook.Rulebook
	for _, game := range games.Games() {
		versions, err := games.Versions(game)
		if err != nil {
			return err
		}
		list = append(list, versions...)
	}
	return v.Show(page(v.T("Règlements et articles", "Rules and articles"), kit.NavDraws, ""), rulesPage(v, list))
}

// rulebook shows one version, value by value, with article and confidence.
func (s *site) rulebook(v *kit.Visit) error {
	book, err := games.Version(v.R.PathValue("version"))
	if err != nil {
		return v.NotFound()
	}
	return v.Show(page(gameName(book.Header.Title)+", "+book.Header.Effective, kit.NavDraws, tint(book.Header.Game)), rulebookPage(v, book))
}

// confidenceWords says how well a value is known.
func confidenceWords(v *kit.Visit, c rulebook.Confidence) string {
	switch c {
	case rulebook.Text:
		return v.T("texte", "text")
	case rulebook.Verified:
		return v.T("vérifié", "verified")
	case rulebook.Press:
		return v.T("presse", "press")
	case rulebook.Inferred:
		return v.T("notre lecture", "our reading")
	}
	return v.T("hypothèse", "assumed")
}

func confidenceTag(c rulebook.Confidence) string {
	switch c {
	case rulebook.Text, rulebook.Verified:
		return "ok"
	case rulebook.Assumed:
		return "warn"
	}
	return ""
}

// gainWords says what a rank pays.
func gainWords(v *kit.Visit, r prize.Rank) string {
	switch {
	case r.Fixed > 0:
		return v.Money(r.Fixed)
	case r.Number == 1 && r.Share == 0:
		return v.T("jackpot", "jackpot")
	case r.Share > 0:
		return v.F("%s des gains", "%s of the prizes", v.Percent(big.NewRat(int64(r.Share), 10_000), 2))
	}
	return v.T("à partager", "to share")
}

// oneIn writes the odds of a level as the regulation prints them.
func oneIn(v *kit.Visit, p *big.Rat) string {
	if v.Lang == kit.French {
		return "1 sur\u00a0" + strings.ReplaceAll(ladder.OneIn(p), ".", ",")
	}
	return "1 in " + ladder.OneIn(p)
}

// meter is the length of a chance in a plot of a thousand: as long as it is likely.
func meter(p *big.Rat) string {
	n := new(big.Rat).Mul(p, big.NewRat(1000, 1))
	return new(big.Int).Quo(n.Num(), n.Denom()).String()
}
