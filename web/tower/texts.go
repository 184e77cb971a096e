package tower

import (
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"sync"

	"tirage/rules/ladder"
	"tirage/web/kit"
)

func hexText(b []byte) string { return hex.EncodeToString(b) }

// nextStar tells what one more star would bring.
func (s *scene) nextStar() string {
	if s.state.Stars >= s.rules.stars() {
		return s.T("jauge pleine", "gauge full")
	}
	next := s.state.Stars + 1
	return s.N(int64(next), "à %s étoile :", "à %s étoiles :", "with %s star:", "with %s stars:") + " " + s.times(s.rules.multiplier(next))
}

// worth compares both choices by their average.
func (s *scene) worth() string {
	return s.F("En moyenne, aller au palier suivant vaut %s × %s = %s ; s'arrêter, %s.", "On average, going on to the next level is worth %s × %s = %s; stopping, %s.",
		s.percent(s.pass()), s.average(s.means()[0]), s.average(s.goOn()), s.Money(s.sure()))
}

// patience tells that nothing hurries.
func (s *scene) patience() string {
	if s.practice {
		return s.T("Aucun minuteur : la partie d'entraînement attend une demi-heure.", "No timer: a practice round waits for half an hour.")
	}
	return s.F("Aucun minuteur : la partie vous attend jusqu'au %s.", "No timer: the round waits for you until %s.", s.DateTime(s.due))
}

// marked is the level to mark in the table of odds.
func (s *scene) marked() int {
	if s.open() {
		return s.state.Level + 1
	}
	return 0
}

// printed is a figure of the table as the regulation prints it.
func printed(v *kit.Visit, r *rules, o ladder.Odds, c ladder.Column) string {
	figure := ladder.OneIn(o.Of(c))
	p := r.table.Rules().Levels[o.Level-1].Printed
	if p != nil {
		figure = p.Of(c)
	}
	if v.Lang == kit.French {
		figure = strings.Replace(figure, ".", ",", 1)
	}
	if p != nil && p.Misprint == c {
		figure += "*"
	}
	return figure
}

// misprint says which printed figure the exact model does not give.
func misprint(v *kit.Visit, r *rules) string {
	for _, o := range r.odds {
		p := r.table.Rules().Levels[o.Level-1].Printed
		if p == nil || p.Misprint == "" {
			continue
		}
		exact, given := ladder.OneIn(o.Of(p.Misprint)), p.Of(p.Misprint)
		if v.Lang == kit.French {
			exact, given = strings.Replace(exact, ".", ",", 1), strings.Replace(given, ".", ",", 1)
		}
		return v.F("* Imprimé %s au règlement ; le calcul exact donne %s.", "* Printed %s in the regulation; the exact figure is %s.", given, exact)
	}
	return ""
}

// analyses keeps the exact account of each version.
var analyses sync.Map // string → func() *ladder.Analysis

// analysis is the exact account of the rules: it takes a fraction of a second once.
func (r *rules) analysis() *ladder.Analysis {
	f, _ := analyses.LoadOrStore(r.version, sync.OnceValue(func() *ladder.Analysis {
		a, err := r.table.Analyse()
		if err != nil {
			panic(err) // the rulebook was checked by it
		}
		return a
	}))
	return f.(func() *ladder.Analysis)()
}

// stopReturns lists the return of each rule « stop at level n ».
func (r *rules) stopReturns() []*big.Rat {
	a := r.analysis()
	var list []*big.Rat
	for i := range a.Stop {
		list = append(list, a.Return(&a.Stop[i]))
	}
	return list
}

// returns is the range of the return over where one stops: "68 à 71 %".
func (s *scene) returns() string {
	list := s.rules.stopReturns()
	least, most := slices.MinFunc(list, (*big.Rat).Cmp), slices.MaxFunc(list, (*big.Rat).Cmp)
	hundred := big.NewRat(100, 1)
	return s.F("%s à %s", "%s to %s", s.Number(new(big.Rat).Mul(least, hundred), 0), s.Percent(most, 0))
}

// topPrize names the largest gain with its odds, in one breath.
func (s *scene) topPrize() string {
	a := s.rules.analysis()
	gain, chance := a.Stop[len(a.Stop)-1].Highest()
	return s.F("Gain le plus haut : %s, %s pour qui va toujours jusqu'au bout.", "Largest gain: %s, %s for who always goes to the end.", s.Money(gain), s.Odds(chance, 0))
}

// conduct says how a round is run.
func (s *scene) conduct() []string {
	rounds := s.rules.book.Rounds
	return []string{
		s.T("Chaque série de cinq est un tirage à part, fait quand vous appuyez : la valeur, l'étoile et la stabilité de chaque donut (art. 3.2.2).", "Each series of five is a draw of its own, made when you press: value, star and stability of every donut (art. 3.2.2)."),
		s.T("Un donut de la série ne tient pas : la tour tombe, la partie est finie, sans gain (art. 3.2.3).", "One donut of the series does not hold: the tower falls, the round is over, without a gain (art. 3.2.3)."),
		s.T("« J'arrête » prend le gain du palier. « Je continue » ne coûte pas de nouvelle mise et y renonce (art. 3.2.4).", "“I stop” takes the gain of the level. “I go on” takes no new stake and gives that gain up (art. 3.2.4)."),
		s.F("Le palier %d franchi, la partie est gagnée.", "Once level %d is passed, the round is won.", len(s.rules.odds)),
		s.F("Une partie laissée ouverte vous attend %d jours, sur tous vos appareils. Ensuite le dernier palier franchi est payé ; une partie non commencée est remboursée. (Hypothèse : le règlement ne le dit pas.)", "A round left open waits for you for %d days, on all your devices. Then the last level passed is paid; a round not begun is refunded. (Assumed: the regulation does not say.)", rounds.AbandonDays),
		s.F("%d secondes au moins séparent deux parties. (Hypothèse.)", "At least %d seconds lie between two rounds. (Assumed.)", rounds.FloorSeconds),
		s.T("Une limite, une pause ou le bilan de jeu arrête la mise suivante, jamais une partie ouverte.", "A limit, a break or the reality check stops the next stake, never an open round."),
	}
}

// drawn lists all the donuts of a series, those above one that fell included: they are part of its proof (Art. donuts@2019-06-25:3.2.2).
func (s *scene) drawn(i int) string {
	var list []string
	for _, it := range s.series[i].Items {
		d := donut{kind: it.Kind, value: it.Value}
		text := s.kind(d) + " " + s.Money(d.value)
		if it.Star {
			text += s.T(", étoile", ", star")
		}
		if !it.Stable {
			text += s.T(", ne tient pas", ", does not hold")
		}
		list = append(list, text)
	}
	return strings.Join(list, " · ")
}
