package main

import (
	"fmt"
	"html"
	"math"
	"math/big"
	"slices"
	"strings"

	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// words are the texts and the number formats of a drawing in one language.
type words struct {
	lang, title, subtitle, sample string
	returns, band, best, worst    string
	level, hit                    string
	gains, atLeast, stake, rules  string
	oneIn, top                    string
	percent                       func(*big.Rat, int) string
	whole                         func(*big.Rat, int) string
	euros                         func(money.Cents) string
}

var drawingWords = map[string]words{
	"fr": {
		lang: "fr", title: "%s : ce que rend chaque façon de jouer", subtitle: "%s · mise %s · %s états comptés, rien n’est simulé",
		sample:  "Table d’exemple : les gains sont les nôtres, aucun règlement ne les donne.",
		returns: "Part des mises rendue, si l’on s’arrête au palier…", band: "bande de %s à %s", best: "la meilleure règle adaptative : %s", worst: "la pire : %s",
		level: "palier", hit: "chance de gain", gains: "Chance de gagner au moins…", atLeast: "gain (échelle logarithmique)", stake: "mise",
		rules: "en s’arrêtant au palier", oneIn: "1 sur %s", top: "%s : 1 sur %s",
		percent: odds.FrenchPercent, whole: odds.FrenchNumber, euros: money.Cents.French,
	},
	"en": {
		lang: "en", title: "%s: what each way of playing returns", subtitle: "%s · stake %s · %s states counted, nothing sampled",
		sample:  "Sample table: the gains are ours, no regulation states them.",
		returns: "Part of the stakes returned, stopping at level…", band: "band %s to %s", best: "the best adaptive rule: %s", worst: "the worst: %s",
		level: "level", hit: "hit rate", gains: "Chance of winning at least…", atLeast: "gain (logarithmic scale)", stake: "stake",
		rules: "stopping at level", oneIn: "1 in %s", top: "%s: 1 in %s",
		percent: odds.Percent, whole: odds.EnglishNumber, euros: money.Cents.English,
	},
}

// The drawing is 1200 × 800; its inks are those of the site, light and dark.
const drawingStyle = `
svg { background: #faf7f8; font-family: "Radio Canada", "Segoe UI", Helvetica, "DejaVu Sans", sans-serif }
text { fill: #1c1a3a; font-size: 14px }
.t { font-family: Besley, Rockwell, Georgia, "DejaVu Serif", serif; font-size: 28px; font-weight: 600 }
.h { font-family: Besley, Rockwell, Georgia, "DejaVu Serif", serif; font-size: 18px; font-weight: 600 }
.s { fill: #57547a; font-size: 13px }
.v { font-size: 13px; font-weight: 600 }
.e { text-anchor: end } .m { text-anchor: middle }
.halo { paint-order: stroke; stroke: #faf7f8; stroke-width: 5px; stroke-linejoin: round }
.g { stroke: #e2dbe1 } .x { stroke: #857fa0 }
.b { fill: #fcdce6 } .d { fill: #d13a72 }
.best { stroke: #17907a; stroke-width: 2; stroke-dasharray: 7 5 } .worst { stroke: #857fa0; stroke-width: 2; stroke-dasharray: 2 5 }
.c { fill: none; stroke-width: 2; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
svg { background: #131128 } text { fill: #f4f0f8 } .s { fill: #b9b3d4 } .g { stroke: #353259 } .x { stroke: #827cae } .b { fill: #45193a }
.best { stroke: #63d6bb } .worst { stroke: #b9b3d4 } .halo { stroke: #131128 }
}
`

// drawing collects the elements of an SVG picture.
type drawing struct{ strings.Builder }

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *drawing) text(class string, x, y float64, format string, args ...any) {
	d.add(`<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, html.EscapeString(fmt.Sprintf(format, args...)))
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.add(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

// axis maps a range of values to a range of the picture.
type axis struct{ from, to, start, end float64 }

func (a axis) at(v float64) float64 { return a.start + (v-a.from)/(a.to-a.from)*(a.end-a.start) }

// draw returns the picture: on the left what each rule returns, on the right how likely it pays at least so much.
func (s *ladderStudy) draw(w words) []byte {
	d := &drawing{}
	h, a := s.book.Header, s.analysis
	title := fmt.Sprintf(w.title, h.Title)
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800" role="img" lang="%s" aria-labelledby="t d">`, w.lang)
	d.add(`<title id="t">%s</title>`, html.EscapeString(title))
	d.add(`<desc id="d">%s</desc>`, html.EscapeString(s.described(w)))
	d.add("<style>%s</style>", drawingStyle)
	d.text("t", 48, 56, "%s", title)
	d.text("s", 48, 84, w.subtitle, h.Version(), w.euros(s.book.Sale.Price), w.whole(big.NewRat(int64(a.States), 1), 0))
	if s.gainsConfidence() == rulebook.Assumed {
		d.text("s", 48, 104, "%s", w.sample)
	}
	s.drawReturns(d, w)
	s.drawGains(d, w)
	d.add("</svg>")
	return []byte(d.String())
}

// described says the figures of the picture for who does not see it.
func (s *ladderStudy) described(w words) string {
	parts := make([]string, len(s.analysis.Stop))
	for n := range s.analysis.Stop {
		parts[n] = fmt.Sprintf("%s %d : %s", w.level, n+1, w.percent(s.analysis.Return(&s.analysis.Stop[n]), 2))
	}
	return strings.Join(parts, " ; ") + " ; " + fmt.Sprintf(w.best, w.percent(s.analysis.Return(&s.analysis.Best.Gains), 2))
}

// drawReturns draws a dot for each rule that stops at a level, over the band, between the best and the worst adaptive rule.
func (s *ladderStudy) drawReturns(d *drawing, w words) {
	a, band := s.analysis, s.book.Ladder.Band()
	best, worst := number(a.Return(&a.Best.Gains)), number(a.Return(&a.Worst.Gains))
	low, high := min(number(band.Min.Rat()), worst), max(number(band.Max.Rat()), best)
	y := axis{math.Floor(low*20-0.5) / 20, math.Ceil(high*20+0.5) / 20, 660, 190}
	x := axis{0.5, float64(len(a.Stop)) + 0.5, 148, 572}

	d.text("h", 48, 152, "%s", w.returns)
	d.add(`<rect class="b" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, x.start, y.at(number(band.Max.Rat())), x.end-x.start, y.at(number(band.Min.Rat()))-y.at(number(band.Max.Rat())))
	for v := y.from; v < y.to+0.001; v += 0.05 {
		d.line("g", x.start, y.at(v), x.end, y.at(v))
		d.text("s e", x.start-10, y.at(v)+4, "%s", w.percent(big.NewRat(int64(math.Round(v*100)), 100), 0))
	}
	d.text("s e", x.end-8, y.at(number(band.Max.Rat()))-8, w.band, w.percent(band.Min.Rat(), 0), w.percent(band.Max.Rat(), 0))
	d.line("best", x.start, y.at(best), x.end, y.at(best))
	d.text("v", x.start+8, y.at(best)-8, w.best, w.percent(a.Return(&a.Best.Gains), 2))
	d.line("worst", x.start, y.at(worst), x.end, y.at(worst))
	d.text("v", x.start+8, y.at(worst)+18, w.worst, w.percent(a.Return(&a.Worst.Gains), 2))

	every := 1 // level with a label; there is room for ten short ones, or seven long ones
	if len(a.Stop) > 10 {
		every = (len(a.Stop) + 6) / 7
	}
	for n := range a.Stop {
		back := a.Return(&a.Stop[n])
		cx, cy := x.at(float64(n+1)), y.at(number(back))
		d.add(`<circle class="d" cx="%.1f" cy="%.1f" r="%.1f"/>`, cx, cy, 6.5-min(3, float64(every)))
		if n%every > 0 {
			continue
		}
		if every == 1 {
			d.text("v m", cx, cy-12, "%s", strings.TrimRight(w.percent(back, 1), "%\u202f\u00a0"))
		}
		d.text("v m", cx, 684, "%d", n+1)
		d.text("s m", cx, 706, "%s", hitText(w, a.Stop[n].HitRate()))
	}
	d.line("x", x.start, y.start, x.end, y.start)
	d.text("s e", x.start-10, 684, "%s", w.level)
	d.text("s e", x.start-10, 706, "%s", w.hit)
}

// hitText writes a rate in few characters.
func hitText(w words, p *big.Rat) string {
	switch v := number(p); {
	case v >= 0.1:
		return w.percent(p, 0)
	case v >= 0.01:
		return w.percent(p, 1)
	case v >= 0.0001:
		return w.percent(p, 2)
	}
	return "<" + w.percent(big.NewRat(1, 10_000), 2)
}

// leastChance is where the right-hand side ends: rarer gains are in the report.
const leastChance = 1e-8

// drawGains draws for each rule the chance of at least so much, on logarithmic scales.
func (s *ladderStudy) drawGains(d *drawing, w words) {
	stop := s.analysis.Stop
	lowest, highest := math.Inf(1), 0.0
	for n := range stop {
		lowest = min(lowest, float64(stop[n].List[1].Gain))
		highest = max(highest, float64(stop[n].List[len(stop[n].List)-1].Gain))
	}
	x := axis{math.Log10(lowest * 0.8), math.Log10(highest * 1.4), 720, 1150}
	y := axis{0, math.Log10(leastChance), 190, 660}
	d.text("h", 640, 152, "%s", w.gains)
	for p := 0.0; p >= y.to; p-- {
		d.line("g", x.start, y.at(p), x.end, y.at(p))
		d.text("s e", x.start-10, y.at(p)+4, w.oneIn, w.whole(big.NewRat(int64(math.Pow(10, -p)), 1), 0))
	}
	apart := math.Ceil((x.to - x.from) / 5) // decades between two labels
	for e := math.Ceil(x.from); e <= x.to; e++ {
		d.line("g", x.at(e), y.start, x.at(e), y.end)
		if math.Mod(e-math.Ceil(x.from), apart) == 0 {
			d.text("s m", x.at(e), 684, "%s", wholeEuros(w, money.Cents(math.Pow(10, e))))
		}
	}
	stake := x.at(math.Log10(float64(s.book.Sale.Price)))
	if stake > x.start {
		d.line("worst", stake, y.start, stake, y.end)
		d.text("s m", stake, y.start-8, "%s", w.stake)
	}
	d.line("x", x.start, y.end, x.end, y.end)
	d.text("s m", (x.start+x.end)/2, 706, "%s", w.atLeast)

	shown := spread(len(stop), 10)
	for i, n := range shown {
		ink := inkOf(float64(i) / float64(max(1, len(shown)-1)))
		d.add(`<path class="c" stroke="%s" d="%s"/>`, ink, curve(&stop[n], x, y))
		lx := 725 + float64(i)*42
		d.add(`<rect x="%.1f" y="742" width="34" height="6" fill="%s"/>`, lx, ink)
		d.text("v m", lx+17, 766, "%d", n+1)
	}
	d.text("s e", 710, 754, "%s", w.rules)
	s.drawTop(d, w, x, y)
}

// drawTop marks the largest gain of who never stops, where it is on the picture.
func (s *ladderStudy) drawTop(d *drawing, w words, x, y axis) {
	top, p := s.analysis.Stop[len(s.analysis.Stop)-1].Highest()
	chance := number(p)
	if chance < leastChance {
		return
	}
	cx, cy := x.at(math.Log10(float64(top))), y.at(math.Log10(chance))
	d.add(`<circle class="d" cx="%.1f" cy="%.1f" r="5"/>`, cx, cy)
	d.text("v e halo", cx-10, cy+20, w.top, wholeEuros(w, top), w.whole(new(big.Rat).Inv(p), 0))
}

// wholeEuros writes an amount without decimals where it has none.
func wholeEuros(w words, c money.Cents) string {
	text := w.euros(c)
	for _, cents := range []string{",00", ".00"} {
		if i := strings.LastIndex(text, cents); i >= 0 && !strings.ContainsAny(text[i+len(cents):], "0123456789") {
			return text[:i] + text[i+len(cents):]
		}
	}
	return text
}

// spread picks at most most of n things, evenly, the first and the last included.
func spread(n, most int) []int {
	var picked []int
	for i := range min(n, most) {
		picked = append(picked, i*(n-1)/max(1, min(n, most)-1))
	}
	return slices.Compact(picked)
}

// curve is the path of the chance of at least so much: a step for each gain, where it is wide enough to be seen.
func curve(g *ladder.Gains, x, y axis) string {
	total := new(big.Float).SetInt(g.Total)
	left := new(big.Int).Sub(g.Total, g.List[0].Ways) // the first one is no gain
	if g.List[0].Gain > 0 {
		left.Set(g.Total)
	}
	var path strings.Builder
	px, py := x.start, y.at(math.Log10(quotient(left, total)))
	fmt.Fprintf(&path, "M%.1f %.1f", px, py)
	for _, o := range g.List {
		if o.Gain == 0 {
			continue
		}
		gx := x.at(math.Log10(float64(o.Gain)))
		left.Sub(left, o.Ways)
		chance := quotient(left, total)
		down := y.end
		if chance > leastChance {
			down = y.at(math.Log10(chance))
		}
		if gx-px >= 0.5 || down-py >= 0.5 || chance <= leastChance {
			fmt.Fprintf(&path, "H%.1fV%.1f", gx, down)
			px, py = gx, down
		}
		if chance <= leastChance {
			break
		}
	}
	return path.String()
}

// inkOf runs from the yellow of the site's stars over its pink to its blue.
func inkOf(t float64) string {
	stops := [3][3]float64{{0xf6, 0xb2, 0x1b}, {0xd1, 0x3a, 0x72}, {0x3b, 0x45, 0xd1}}
	i := min(1, int(t*2))
	f := t*2 - float64(i)
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(stops[i][k] + f*(stops[i+1][k]-stops[i][k])))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
