package tower

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/web/kit"
)

// rung is a line of the ladder: a level by the number of its last donut.
type rung struct {
	items              int
	state, text, words string
}

// rungs lists the levels from the top down, as the ladder stands: what was passed, where the player is, the next one. Amounts of levels that were not
// reached are averages; after a fall none is shown.
// Art. donuts@2019-06-25:3.1.1 (« une échelle de donuts » of ten levels, 5 to 50, on the left; the donuts fallen and the next level to pass).
func (s *scene) rungs() []rung {
	states, means := s.standing(), s.means()
	var list []rung
	for n := len(s.rules.odds); n >= 1; n-- {
		r := rung{items: s.rules.items(n)}
		switch {
		case s.phase == phaseLost && n == s.state.Level+1:
			r.state, r.text, r.words = "lost", s.T("tombé", "fell"), s.T("la tour est tombée ici", "the tower fell here")
		case s.phase == phaseLost && n <= s.state.Level:
			r.state, r.text, r.words = "done", s.T("franchi", "passed"), s.T("palier franchi", "level passed")
		case n <= s.state.Level:
			r.state, r.text, r.words = "done", s.Money(s.rules.table.Gain(states[n-1])), s.T("palier franchi", "level passed")
			if n == s.state.Level {
				r.state, r.words = "here", s.T("palier franchi, vous êtes ici", "level passed, you are here")
			}
		case s.over() || s.phase == phaseBlocked:
			r.words = s.T("non atteint", "not reached")
		default:
			r.text, r.words = "~ "+s.average(means[n-s.state.Level-1]), s.T("à venir, gain moyen", "to come, average gain")
			if s.phase != phaseOff && n == s.state.Level+1 {
				r.state, r.words = "next", s.T("prochain palier à franchir, gain moyen", "next level to pass, average gain")
			}
		}
		list = append(list, r)
	}
	return list
}

// means are the average gains of the levels ahead, from where the player stands.
func (p *play) means() []*big.Rat {
	if p.ahead == nil && !p.state.Collapsed {
		p.ahead = p.rules.outlook.Means(p.state)
	}
	return p.ahead
}

// average writes an average of cents: "2,05 €".
func (s *scene) average(cents *big.Rat) string { return s.Money(nearest(cents)) }

// nearest rounds an average half-up to the cent.
func nearest(cents *big.Rat) money.Cents {
	twice := new(big.Int).Mul(cents.Num(), big.NewInt(2))
	twice.Add(twice, cents.Denom())
	return money.Cents(twice.Quo(twice, new(big.Int).Mul(cents.Denom(), big.NewInt(2))).Int64())
}

// oneIn writes a chance as the table of art. 3.2.5 does, to the hundredth: "1 sur 1,60".
func (s *scene) oneIn(p *big.Rat) string {
	return s.F("1 sur %s", "1 in %s", s.Number(new(big.Rat).Inv(p), 2))
}

func (s *scene) percent(p *big.Rat) string { return s.Percent(p, 2) }

// times writes a multiplier: "× 4".
func (s *scene) times(m ladder.Ratio) string { return "×\u00a0" + s.Places(m.Rat(), 0, 2) }

// fall is the chance that the next series does not hold.
func (p *play) fall() *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), p.pass()) }

// perMille is a chance as a length on a bar of 1000.
func perMille(p *big.Rat) int {
	return int(nearest(new(big.Rat).Mul(p, big.NewRat(1000, 1))))
}

// goOn is what going on one level is worth on average: its chance times its average gain, in cents.
func (s *scene) goOn() *big.Rat { return new(big.Rat).Mul(s.pass(), s.means()[0]) }

// price writes the stake.
func (s *scene) price() string { return s.Money(s.stake) }

// title is the heading of the panel.
func (s *scene) title() string {
	switch s.phase {
	case phaseStarted:
		if s.practice {
			return s.T("Entraînement : la partie est ouverte", "Practice: the round is open")
		}
		return s.T("La partie est ouverte", "The round is open")
	case phaseChoice:
		return s.F("Palier %d franchi", "Level %d passed", s.state.Level)
	case phaseWon:
		if s.endedBy == central.EndedByTop {
			return s.F("Les %d paliers sont franchis", "All %d levels are passed", s.state.Level)
		}
		return s.F("Arrêt au palier %d", "Stopped at level %d", s.state.Level)
	case phaseLost:
		return s.T("La tour est tombée", "The tower fell")
	case phaseRefunded:
		return s.T("Partie remboursée", "Round refunded")
	case phaseBlocked:
		return s.T("Partie en cours d'examen", "Round under review")
	}
	return "Pile Up Donuts\u202f!"
}

// under is the line below the heading.
func (s *scene) under() string {
	switch s.phase {
	case phaseStarted:
		if s.practice {
			return s.T("Sans argent : rien n'est débité.", "No money: nothing is debited.")
		}
		return s.F("%s débités. « Go » fait tomber les %d premiers donuts.", "%s debited. “Go” drops the first %d donuts.", s.price(), s.rules.items(1))
	case phaseChoice:
		return s.F("Valeur de la tour %s %s", "Value of the tower %s %s", s.Money(s.state.Sum), s.times(s.rules.multiplier(s.state.Stars)))
	case phaseWon:
		if s.practice {
			return s.F("%s fictifs. Rien n'est crédité.", "%s of no money. Nothing is credited.", s.Money(s.gain))
		}
		return s.F("%s crédités pour une mise de %s.", "%s credited for a stake of %s.", s.Money(s.gain), s.price())
	case phaseLost:
		return s.F("Le %s donut n'a pas tenu. La partie est finie.", "The %s donut did not hold. The round is over.", s.ordinal(s.fallen()))
	case phaseRefunded:
		return s.F("%s rendus : la partie n'avait pas commencé.", "%s given back: the round had not begun.", s.price())
	case phaseBlocked:
		return s.T("Rien n'a été payé, votre mise est préservée.", "Nothing was paid, your stake is kept safe.")
	}
	return ""
}

func (s *scene) ordinal(n int) string {
	if s.Lang == kit.French {
		if n == 1 {
			return "1er"
		}
		return strconv.Itoa(n) + "e"
	}
	suffix := "th"
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		suffix = "st"
	case n%10 == 2:
		suffix = "nd"
	case n%10 == 3:
		suffix = "rd"
	}
	return strconv.Itoa(n) + suffix
}

// said is what the live region tells of a state that an action led to: all of it, before anything moves.
func (s *scene) said() string {
	parts := []string{s.note}
	switch s.phase {
	case phaseStarted:
		parts = append(parts, s.title()+".", s.under(), s.chanceSaid())
	case phaseChoice:
		parts = append(parts,
			s.F("%s : %d donuts tombés.", "%s: %d donuts down.", s.title(), s.fallen()),
			s.F("Somme sûre %s.", "Sure amount %s.", s.Money(s.sure())), s.chanceSaid(),
			s.F("« J'arrête » prend %s. « Je continue » les remet en jeu.", "“I stop” takes %s. “I go on” puts it at risk.", s.Money(s.sure())))
	case phaseWon:
		parts = append(parts, s.title()+".", s.under(), s.F("Net de la partie %s.", "Net of the round %s.", s.Signed(s.net())))
	case phaseLost:
		parts = append(parts, s.title()+".", s.under(), s.F("Gain %s.", "Gain %s.", s.Money(0)), s.T("Chaque partie est indépendante.", "Every round is independent."))
	default:
		parts = append(parts, s.title()+".", s.under())
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func (s *scene) chanceSaid() string {
	return s.F("Chance de passer le palier suivant : %s, %s.", "Chance to pass the next level: %s, %s.", s.percent(s.pass()), s.oneIn(s.pass()))
}

func (s *scene) net() money.Cents {
	if s.phase == phaseRefunded {
		return 0
	}
	return s.gain - s.stake
}

// above reports whether a level was just passed whose gain is above the stake. Nothing that is worth the stake or less is ever celebrated.
func (s *scene) above() bool {
	return s.drop != nil && s.drop.Fell < 0 && s.rules.table.Gain(s.state) > s.stake
}

// picture says what the canvas shows.
func (s *scene) picture() string {
	n := s.fallen()
	switch {
	case s.phase == phaseLost:
		return s.F("La tour de donuts s'est écroulée au %s donut : ils sont tombés sur le comptoir.", "The tower of donuts came down at the %s donut: they lie on the counter.", s.ordinal(n))
	case n == 0:
		return s.T("Un présentoir vide sur un comptoir, devant des toits. La place des cinq premiers donuts est tracée en pointillé.",
			"An empty cake stand on a counter, before roofs. Dashes mark where the first five donuts would land.")
	}
	text := s.F("Une tour de %d donuts, légèrement penchée, au-dessus des toits.", "A tower of %d donuts, leaning a little, above the roofs.", n)
	if stars := len(s.starred()); stars > 0 {
		text += " " + s.N(int64(stars), "%s porte une étoile.", "%s portent une étoile.", "%s wears a star.", "%s wear a star.")
	}
	if s.open() {
		text += " " + s.T("La place des cinq suivants est tracée en pointillé.", "Dashes mark where the next five would land.")
	}
	return text
}

// starred lists the numbers of the star donuts.
func (s *scene) starred() []string {
	var list []string
	for i, d := range s.pile() {
		if d.Star {
			list = append(list, strconv.Itoa(i+1))
		}
	}
	return list
}

// flavourNames are in French and English.
var flavourNames = map[string][2]string{
	"sucre": {"sucre", "sugar"}, "framboise": {"framboise", "raspberry"}, "chocolat": {"chocolat", "chocolate"}, "vanille": {"vanille", "vanilla"}, "coco": {"coco", "coconut"},
	"cafe": {"café", "coffee"}, "pistache": {"pistache", "pistachio"}, "myrtille": {"myrtille", "blueberry"}, "menthe": {"menthe", "mint"}, "citron": {"citron", "lemon"},
	"caramel": {"caramel", "caramel"}, "miel": {"miel", "honey"},
}

func (s *scene) flavour(d donut) string {
	n := flavourNames[d.Flavour]
	return s.T(n[0], n[1])
}

// kindNames are those of the rulebook.
var kindNames = map[string][2]string{"": {"de base", "base"}, "plain": {"simple", "plain"}, "glazed": {"glacé", "glazed"}, "golden": {"doré", "golden"}}

func (s *scene) kind(d donut) string {
	n, ok := kindNames[d.kind]
	if !ok {
		return d.kind
	}
	return s.T(n[0], n[1])
}

// lines tells a pile from the first donut of its last series on.
type line struct {
	number                int
	flavour, kind, value  string
	star, holds           bool
	starWords, holdsWords string
}

func (s *scene) lines(from int) []line {
	var list []line
	for i, d := range s.pile() {
		if i < from {
			continue
		}
		l := line{number: i + 1, flavour: s.flavour(d), kind: s.kind(d), value: s.Money(d.value), star: d.Star, holds: d.holds}
		l.starWords, l.holdsWords = s.T("non", "no"), s.T("tient", "holds")
		if d.Star {
			l.starWords = s.T("oui", "yes")
		}
		if !d.holds {
			l.holdsWords = s.T("n'a pas tenu", "did not hold")
		}
		list = append(list, l)
	}
	return list
}

// lastFrom is the index of the first donut of the last series.
func (p *play) lastFrom() int {
	n := 0
	for k := range len(p.series) - 1 {
		n += len(p.series[k].Items)
	}
	return n
}

// twin is the scene in words.
func (s *scene) twin() string {
	n := s.fallen()
	if n == 0 {
		return s.picture()
	}
	text := s.N(int64(n), "%s donut est tombé.", "%s donuts sont tombés.", "%s donut has come down.", "%s donuts have come down.") + " "
	switch stars := s.starred(); len(stars) {
	case 0:
		text += s.T("Aucun ne porte d'étoile.", "None wears a star.")
	case 1:
		text += s.F("Le donut %s porte une étoile.", "Donut %s wears a star.", stars[0])
	default:
		text += s.F("Étoiles aux donuts %s.", "Stars on donuts %s.", strings.Join(stars, ", "))
	}
	if s.phase == phaseLost {
		return text + " " + s.F("Le %s n'a pas tenu et la tour entière est tombée.", "The %s did not hold and the whole tower came down.", s.ordinal(n))
	}
	return text + " " + s.T("Tous tiennent.", "All hold.")
}

// asJSON writes data for a script.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // made of plain fields
	}
	return string(b)
}
