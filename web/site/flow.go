package site

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tirage/central"
	"tirage/rules/money"
	"tirage/web/kit"
)

// Sizes of the drawing of a flow, in its own units.
const (
	flowWide   = 360
	flowBar    = 10 // width of the bars at both sides
	flowTrunk  = 14 // width of the one in the middle
	flowGap    = 3
	flowLeast  = 13 // height of the smallest amount: a line of text
	flowText   = 31 // longest text beside the middle, in characters
	flowDecade = 4  // how much higher ten times the amount is drawn
)

// flow is where the money of a draw came from and went, drawn.
type flow struct {
	*central.Flow
	In, Out []flowPart
	High    int // of the drawing
}

// flowPart is one amount of a flow: its words, and where it is drawn.
type flowPart struct {
	central.FlowPart
	Name string
	Tint string // class
	y, h int    // at its side
	c, d int    // in the middle
}

// draw lays the drawing out.
func (o *outcome) draw(v *kit.Visit, f *central.Flow) {
	o.Flow = &flow{Flow: f}
	o.Flow.In, o.Flow.Out = o.parts(v, f.In), o.parts(v, f.Out)
	left, right := stack(o.Flow.In), stack(o.Flow.Out)
	o.Flow.High = max(left, right)
	for _, side := range [][]flowPart{o.Flow.In, o.Flow.Out} {
		spread(side, o.Flow.High)
	}
}

func (o *outcome) parts(v *kit.Visit, list []central.FlowPart) (parts []flowPart) {
	for _, p := range list {
		parts = append(parts, flowPart{FlowPart: p, Name: o.partWords(v, p), Tint: partTint(p.Kind)})
	}
	return parts
}

// stack puts the parts of a side one below the other, and returns how high they stand.
func stack(parts []flowPart) (high int) {
	for i := range parts {
		parts[i].y, parts[i].h = high, height(parts[i].Cents)
		high += parts[i].h + flowGap
	}
	return high
}

// height grows by the same for each tenfold of an amount, so that one sees a cent beside a jackpot. The figure stands in the table.
func height(c money.Cents) int {
	return flowLeast + int(flowDecade*math.Log10(max(1, float64(c)/100)))
}

// spread centres a side, and divides the middle between its parts.
func spread(parts []flowPart, high int) {
	sum, tall := 0, 0
	for _, p := range parts {
		sum += p.h
		tall += p.h + flowGap
	}
	at := 0
	for i := range parts {
		p := &parts[i]
		p.y += (high - tall) / 2
		p.c = at * high / sum
		at += p.h
		p.d = at * high / sum
	}
}

func (f *flow) box() string { return fmt.Sprintf("0 0 %d %d", flowWide, f.High) }

// ribbon is the way of a part from its side to the middle, or back.
func (p *flowPart) ribbon(left bool) string {
	from, to := flowBar, (flowWide-flowTrunk)/2
	if !left {
		from, to = flowWide-flowBar, (flowWide+flowTrunk)/2
	}
	bend := (from + to) / 2
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %dV%dC%d %d %d %d %d %dZ", from, p.y, bend, p.y, bend, p.c, to, p.c, p.d, bend, p.d, bend, p.y+p.h, from, p.y+p.h)
}

func (p *flowPart) top() string    { return strconv.Itoa(p.y) }
func (p *flowPart) high() string   { return strconv.Itoa(p.h) }
func (p *flowPart) middle() string { return strconv.Itoa(p.y + p.h/2) }

// short are the words of a part in the drawing, where it has room for them: the table has all of them.
func (p *flowPart) short() string {
	if utf8.RuneCountInString(p.Name) <= flowText && p.Kind != central.FlowRank {
		return p.Name
	}
	s, _, _ := strings.Cut(p.Name, ",")
	return s
}

// words say the flow to whoever does not see it.
func (f *flow) words(v *kit.Visit) string {
	return v.F("%s venus de %d sources et répartis entre %d destinations, jusqu'au dernier centime : le tableau ci-dessous dit lesquelles.", "%s from %d sources, divided between %d destinations to the last cent: the table below says which.", v.Money(f.Total), len(f.In), len(f.Out))
}

func partTint(kind string) string {
	switch kind {
	case central.FlowPlayers, central.FlowRank, central.FlowCode, central.FlowAdded:
		return "fl-p"
	case central.FlowUnsold, "operator":
		return "fl-o"
	case "fund":
		return "fl-f"
	}
	return "fl-x"
}

// partWords names a part of a flow.
func (o *outcome) partWords(v *kit.Visit, p central.FlowPart) string {
	switch p.Kind {
	case central.FlowPlayers:
		return v.T("Mises des joueurs", "Stakes of players")
	case central.FlowUnsold:
		return v.T("Mises de l'opérateur, parts invendues", "Stakes of the operator, unsold shares")
	case central.FlowRank:
		return v.F("Rang %d, %s", "Rank %d, %s", p.Rank, hitsWords(v, o.Game, o.Book.Prizes.Ranks[p.Rank-1].Hits))
	case central.FlowCode:
		return v.F("Codes %s", "%s codes", seriesName(p.Of))
	case central.FlowAdded:
		return v.F("Gains de %s", "Gains of %s", nameOf(p.Of))
	case "operator":
		return v.F("Opérateur, %s", "Operator, %s", nameOf(p.Of))
	case "outside":
		return v.T("Autres points de vente et pays", "Other points of sale and countries")
	case "fund":
		return fundWords(v, p.Of)
	}
	return v.T("Centimes arrondis vers le bas", "Cents rounded down")
}

// fundWords names a fund: "Fonds de réserve, Loto".
func fundWords(v *kit.Visit, of string) string {
	game, kind, _ := strings.Cut(of, "/")
	name := v.T("Fonds", "Fund")
	switch kind {
	case "reserve":
		name = v.T("Fonds de réserve", "Reserve fund")
	case "carry":
		name = v.T("Report", "Carry")
	case "counterpart":
		name = v.T("Fonds de contrepartie", "Counterpart fund")
	case "super":
		name = v.T("Fonds de super cagnotte", "Super jackpot fund")
	}
	return name + ", " + nameOf(game)
}
