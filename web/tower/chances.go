package tower

import (
	"fmt"
	"math/big"
	"strconv"

	"tirage/central"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/web/kit"
)

// chances is the page of the odds: the printed table, the sample table of values and stars, the exact return of each rule of play, and how the gains of one
// rule are distributed.
func (t *tower) chances(v *kit.Visit) error {
	s := &scene{Visit: v, offer: &central.Offer{Game: Game}}
	p, err := idle(s)
	if err != nil {
		return err
	}
	s.play = p
	c := &account{scene: s, level: 5}
	if n, err := strconv.Atoi(v.Form("level")); err == nil && n >= 1 && n <= len(p.rules.odds) {
		c.level = n
	}
	return v.Show(s.frame(v.T("Toutes les chances", "All the chances"), ""), chancesPage(c))
}

// account is what the page says.
type account struct {
	*scene
	level int // whose gains are shown
}

// stopRow is the rule « stop at level n ».
type stopRow struct {
	level               int
	hit, top, topChance string
	ratio               *big.Rat
	returnText          string
	barX, barY, barH    string
}

// The plot of the returns: 10 bars over the band of the return, from 60 to 80 %.
const (
	plotLeft, plotTop, plotWide, plotHigh = 46, 10, 640, 180
	plotFrom, plotTo                      = 60, 80
)

// plotY is where a return stands, in the units of the plot.
func plotY(r *big.Rat) int {
	above := new(big.Rat).Sub(new(big.Rat).Mul(r, big.NewRat(100, 1)), big.NewRat(plotFrom, 1))
	return plotTop + plotHigh - int(nearest(above.Mul(above, big.NewRat(plotHigh, plotTo-plotFrom))))
}

func (c *account) stops() []stopRow {
	a := c.rules.analysis()
	var list []stopRow
	for i := range a.Stop {
		g := &a.Stop[i]
		top, chance := g.Highest()
		r := stopRow{level: i + 1, hit: c.Percent(g.HitRate(), 2), top: c.Money(top), topChance: c.Odds(chance, 0), ratio: a.Return(g)}
		r.returnText = c.Percent(r.ratio, 2)
		y := plotY(r.ratio)
		r.barX, r.barY, r.barH = strconv.Itoa(plotLeft+14+i*plotWide/10), strconv.Itoa(y), strconv.Itoa(plotTop+plotHigh-y)
		list = append(list, r)
	}
	return list
}

// adaptive says what the best and the worst rule that may look at the pile return.
func (c *account) adaptive() (best, worst string) {
	a := c.rules.analysis()
	return c.Percent(a.Return(&a.Best.Gains), 2), c.Percent(a.Return(&a.Worst.Gains), 2)
}

// band is the band of the return, top and height on the plot.
func (c *account) band() (y, h string) {
	b := c.rules.table.Band()
	top, bottom := plotY(b.Max.Rat()), plotY(b.Min.Rat())
	return strconv.Itoa(top), strconv.Itoa(bottom - top)
}

func (c *account) bandWords() string {
	b := c.rules.table.Band()
	return c.F("%s à %s", "%s to %s", c.Percent(b.Min.Rat(), 0), c.Percent(b.Max.Rat(), 0))
}

// share is a part of the gains of one rule: those from one amount to another.
type share struct {
	words, percent, odds, width, y string
}

// limits part the gains, in cents: no gain, then up to below each.
var limits = []money.Cents{1, 50, 100, 200, 500, 1_000, 10_000, 1 << 40}

// shares parts the gains of the rule « stop at level n ».
func (c *account) shares() []share {
	g := &c.rules.analysis().Stop[c.level-1]
	ways := make([]*big.Int, len(limits))
	for i := range ways {
		ways[i] = new(big.Int)
	}
	for _, o := range g.List {
		for i, limit := range limits {
			if o.Gain < limit {
				ways[i].Add(ways[i], o.Ways)
				break
			}
		}
	}
	var list []share
	for i, n := range ways {
		p := new(big.Rat).SetFrac(n, g.Total)
		list = append(list, share{
			words: c.partWords(i), percent: c.Percent(p, 4), odds: c.Odds(p, 0), width: strconv.Itoa(int(nearest(new(big.Rat).Mul(p, big.NewRat(440, 1))))), y: strconv.Itoa(i * 26),
		})
	}
	return list
}

func (c *account) partWords(i int) string {
	switch i {
	case 0:
		return c.T("aucun gain", "no gain")
	case 1:
		return c.F("moins de %s", "below %s", c.Money(limits[1]))
	case len(limits) - 1:
		return c.F("%s et plus", "%s and more", c.Money(limits[i-1]))
	}
	return c.F("%s à %s", "%s to %s", c.Money(limits[i-1]), c.Money(limits[i]-1))
}

// value is an amount of the sample table.
func (c *account) values(l ladder.Level) []string {
	var list []string
	for _, v := range l.Values {
		list = append(list, c.Bare(v))
	}
	return list
}

// kindHead is the heading of a kind with its share of the draws.
func (c *account) kindHead(k int) string {
	kinds, total := c.rules.table.Rules().Kinds, int64(0)
	for _, one := range kinds {
		total += one.Weight
	}
	return fmt.Sprintf("%s, %d/%d", c.kind(donut{kind: kinds[k].Name}), kinds[k].Weight, total)
}

func plotTick(percent int64) string { return strconv.Itoa(plotY(big.NewRat(percent, 100))) }

func (c *account) tick(percent int64) string { return c.Percent(big.NewRat(percent, 100), 0) }

// baseWords tells of the first donut.
func (c *account) baseWords() string {
	first := c.rules.table.Rules().First
	if first == nil || first.Value == 0 {
		return ""
	}
	return c.F("Le premier donut, celui qui ne peut pas tomber, vaut %s.", "The first donut, the one that cannot fall, is worth %s.", c.Money(first.Value))
}

// gaugeWords tells what the gauge does.
func (c *account) gaugeWords() string {
	r := c.rules.table.Rules()
	text := c.F("La jauge compte %d étoiles ; chacune double le coefficient, de ×\u00a01 à %s.", "The gauge has %d stars; each doubles the multiplier, from ×\u00a01 to %s.",
		c.rules.stars(), c.times(r.Gauge[c.rules.stars()]))
	if r.FullGauge > 0 {
		text += " " + c.F("Palier %d avec la jauge pleine : %s. Aucune partie ne paie plus de %s.", "Level %d with a full gauge: %s. No round pays more than %s.",
			len(r.Levels), c.Whole(r.FullGauge), c.Whole(r.Cap))
	}
	return text
}

// returnWords sums up the returns.
func (c *account) returnWords() string {
	best, worst := c.adaptive()
	return c.F("S'arrêter toujours au même palier rend %s. Qui choisit au mieux à chaque palier obtient %s, qui choisit au pire %s : aucun choix n'est un piège. La bande visée est de %s.",
		"Always stopping at the same level returns %s. Who chooses best at each level gets %s, who chooses worst %s: no choice is a trap. The band aimed at is %s.",
		c.returns(), best, worst, c.bandWords())
}
