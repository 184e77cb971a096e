package central

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/rules/money"
)

// Recap is the screen « Récapitulatif » in one language: what the player reads before « Je valide ». Pages, mail and programs print these words and no
// others, each amount from the same cents as the payment.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« un écran récapitulatif de la prise de jeu du joueur »).
type Recap struct {
	Title   string      `json:"title"`
	Lines   []RecapLine `json:"lines"`
	Notes   []RecapLine `json:"notes"`   // sentences, without a label
	Modify  string      `json:"modify"`  // button that drops the quote and keeps the order
	Confirm string      `json:"confirm"` // button that buys
}

// RecapLine is one item of a recap. Item is its stable name: "draw.day", "pack.shares".
type RecapLine struct {
	Item  string `json:"item"`
	Label string `json:"label,omitempty"`
	Value string `json:"value"`
}

// Line returns the line or note of an item, false when the recap has none.
func (r *Recap) Line(item string) (RecapLine, bool) {
	for _, l := range slices.Concat(r.Lines, r.Notes) {
		if l.Item == item {
			return l, true
		}
	}
	return RecapLine{}, false
}

// Recap says the quote in a language of the catalogue; a language that it does not have gets English.
func (q *Quote) Recap(lang string) *Recap {
	w := wording{lang == French}
	r := &Recap{
		Title:  w.say("Récapitulatif de votre prise de jeu", "Summary of your play"),
		Modify: w.say("Modifier", "Change"), Confirm: w.say("Je valide", "Confirm"),
	}
	r.Lines = w.terms(&q.Terms)
	r.Lines = append(r.Lines, RecapLine{"balance", w.say("Vos disponibilités", "Your available balance"), w.cents(q.Balance)})
	note := func(item, fr, en string) { r.Notes = append(r.Notes, RecapLine{Item: item, Value: w.say(fr, en)}) }
	note("check", "Vérifiez votre jeu avant de le valider.", "Check your play before you confirm it.")
	stake := w.cents(q.Cents)
	if q.Subscription != nil {
		hours := fmt.Sprint(int64(SubscriptionLead / time.Hour))
		note("debit", "Votre mise de "+stake+" sera débitée sur vos disponibilités pour chaque tirage, "+hours+" heures avant sa clôture.",
			"Your stake of "+stake+" will be debited from your available balance for each draw, "+hours+" hours before its sales close.")
		note("irrevocable", "Vous pouvez mettre fin à votre abonnement à tout moment\u00a0; une prise de jeu débitée est irrévocable.",
			"You can end your subscription at any time; a play that was debited is irrevocable.")
	} else {
		note("debit", "Votre mise de "+stake+" sera débitée sur vos disponibilités.", "Your stake of "+stake+" will be debited from your available balance.")
		note("irrevocable", "Une fois validée, votre prise de jeu est irrévocable\u00a0: elle ne peut pas être annulée.", "Once confirmed, your play is irrevocable: it cannot be cancelled.")
	}
	if q.hides() {
		note("hidden", "Les combinaisons et les codes vous seront communiqués une fois votre prise de jeu validée.", "You will see the combinations and codes once your play is confirmed.")
	}
	if q.Hindrance != nil {
		note("hindrance", q.Hindrance.French, q.Hindrance.English)
	}
	return r
}

// hides reports whether something of the order is shown after the confirmation only: what chance gives.
func (t *Terms) hides() bool { return t.Pack != nil || len(t.Codes) > 0 }

// wording writes in one language.
type wording struct{ french bool }

func (w wording) say(fr, en string) string {
	if w.french {
		return fr
	}
	return en
}

// terms lists the items of an order.
func (w wording) terms(t *Terms) (lines []RecapLine) {
	add := func(item, fr, en, value string) { lines = append(lines, RecapLine{item, w.say(fr, en), value}) }
	for _, d := range t.Draws {
		add("draw.day", "Tirage "+d.Title, "Draw of "+d.Title, w.day(d.Day))
		if d.Exceptional {
			add("draw.exceptional", "Tirage exceptionnel", "Exceptional draw", w.say("des codes Euro Millions sont attribués", "Euro Millions codes are given"))
		}
	}
	if t.Subscription != nil {
		add("subscription", "Abo+ "+t.Subscription.Title, "Abo+ "+t.Subscription.Title, w.weekdays(t.Subscription.Days))
	}
	if t.Pack != nil {
		lines = append(lines, w.pack(t.Pack, t.game())...)
		add("shares", "Parts jouées", "Shares played", w.shares(t.Shares))
	} else {
		lines = append(lines, w.play(t)...)
	}
	switch {
	case t.Group != nil:
		add("group.receipts", "Jeu en groupe", "Group play", fmt.Sprintf(w.say("%d reçus, dont %d pour vous", "%d receipts, %d of them yours"), t.Group.Receipts, t.Group.Yours))
		add("group.cents", "Mise du groupe", "Stake of the group", w.cents(t.Group.Cents))
		add("cents", "Votre mise", "Your stake", w.cents(t.Cents))
	case t.Subscription != nil:
		add("cents", "Mise par tirage", "Stake for each draw", w.cents(t.Cents))
	default:
		add("cents", "Mise totale", "Total stake", w.cents(t.Cents))
	}
	return lines
}

// play lists what a play of grids holds.
func (w wording) play(t *Terms) (lines []RecapLine) {
	add := func(item, fr, en, value string) { lines = append(lines, RecapLine{item, w.say(fr, en), value}) }
	for i, l := range t.Lines {
		n := fmt.Sprint(i + 1)
		add("line."+n, "Grille "+n, "Grid "+n, w.line(l, t.game()))
	}
	for _, a := range t.AddOns {
		value := w.cents(a.Cents)
		if a.Number != "" {
			value = a.Number + w.say("\u00a0: ", ": ") + value
		}
		if len(t.Draws) != 1 {
			value += w.say(" par tirage", " for each draw")
		}
		lines = append(lines, RecapLine{"add_on." + a.Game, a.Title, value})
	}
	add("combinations", "Combinaisons Simples", "Simple combinations", w.count(t.Combinations))
	return append(lines, w.codes("codes.", t.Codes)...)
}

// Lines says what a pack type is, in a language of the catalogue: for the catalogue of sales, before anything is chosen.
func (t *PackTerms) Lines(lang, game string) []RecapLine {
	return wording{lang == French}.pack(t, game)
}

func (w wording) pack(t *PackTerms, game string) (lines []RecapLine) {
	add := func(item, fr, en, value string) { lines = append(lines, RecapLine{item, w.say(fr, en), value}) }
	add("pack.type", "Pack", "Pack", t.Type)
	add("pack.combinations", "Combinaisons Simples du Pack", "Simple combinations of the pack", w.count(t.Combinations))
	lines = append(lines, w.codes("pack.codes.", t.Codes)...)
	add("pack.multiples", "Combinaisons Multiples du Pack", "Multiple combinations of the pack", w.multiples(t, game))
	if t.Simples > 0 {
		add("pack.simples", "Combinaisons Simples hors multiples", "Simple combinations outside multiples", w.count(t.Simples))
	}
	add("pack.shares", "Nombre de parts du Pack", "Shares of the pack", w.count(t.Shares))
	add("pack.share_price", "Prix d’une part", "Price of a share", w.cents(t.SharePrice))
	var formulas []string
	for _, f := range t.Formulas {
		formulas = append(formulas, w.shares(f.Shares)+w.say("\u00a0: ", ": ")+w.cents(f.Cents))
	}
	add("pack.formulas", "Formules d’achat", "Ways to buy", strings.Join(formulas, w.say(" ; ", "; ")))
	return lines
}

// line writes a grid: "5-9-21-36-39+5", "Système Flash : 6 numéros et 10 N° Chance".
func (w wording) line(l LineTerms, game string) string {
	s := l.Grid
	if s == "" {
		s = w.say("Système Flash\u00a0: ", "Quick pick: ") + w.format(l.Main, l.Extra, game)
	}
	if l.Combinations > 1 {
		s += w.say(" (Combinaison Multiple, ", " (multiple combination, ") + w.count(l.Combinations) + w.say(" Combinaisons Simples)", " simple combinations)")
	}
	return s
}

// codes counts the codes by series; the item is prefix and series.
func (w wording) codes(prefix string, list []CodeTerms) (lines []RecapLine) {
	for _, c := range list {
		label := "Codes " + c.Series
		switch c.Series {
		case "mymillion":
			label = w.say("Codes My Million", "My Million codes")
		case "euromillions":
			label = w.say("Codes Euro Millions", "Euro Millions codes")
		case "loto":
			label = w.say("Codes Loto®", "Loto® codes")
		case "superloto":
			label = w.say("Codes Super Loto®", "Super Loto® codes")
		case "grandloto":
			label = w.say("Codes Grand Loto de Noël®", "Grand Loto de Noël® codes")
		}
		value := w.count(c.Count)
		if c.Free {
			value += w.say(" (sans supplément)", " (at no extra charge)")
		}
		lines = append(lines, RecapLine{prefix + c.Series, label, value})
	}
	return lines
}

// multiples writes "10, dont 10 de 6 numéros et 10 N° Chance".
func (w wording) multiples(t *PackTerms, game string) string {
	if t.Multiples == 0 {
		return w.say("aucune", "none")
	}
	var formats []string
	for _, m := range t.Formats {
		formats = append(formats, w.count(m.Count)+w.say(" de ", " of ")+w.format(m.Main, m.Extra, game))
	}
	return w.count(t.Multiples) + w.say("\u00a0: ", ": ") + strings.Join(formats, ", ")
}

// format writes the size of a grid: "6 numéros et 10 N° Chance", "7 numéros et 3 Étoiles".
func (w wording) format(main, extra int, game string) string {
	numbers := fmt.Sprintf(w.say("%d numéros et %d ", "%d numbers and %d "), main, extra)
	switch {
	case game == "euromillions":
		return numbers + w.many(int64(extra), "Étoile", "Étoiles", "star", "stars")
	case w.french:
		return numbers + "N°\u00a0Chance"
	}
	return numbers + w.many(int64(extra), "", "", "Chance number", "Chance numbers")
}

func (w wording) shares(n int64) string {
	return w.count(n) + " " + w.many(n, "part", "parts", "share", "shares")
}

// many chooses the form of a word: the plural begins at 2.
func (w wording) many(n int64, fr, frs, en, ens string) string {
	if n < 2 {
		return w.say(fr, en)
	}
	return w.say(frs, ens)
}

func (w wording) cents(c money.Cents) string { return w.say(c.French(), c.English()) }

// count writes a number that is not negative: "12 600", "12,600".
func (w wording) count(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return w.count(n/1000) + w.say("\u202f", ",") + fmt.Sprintf("%03d", n%1000)
}

var frenchWeekdays = strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi")

// weekdays writes days of the week: "lundi, samedi", "tous les tirages".
func (w wording) weekdays(days []string) string {
	if len(days) == 0 {
		return w.say("tous les tirages", "every draw")
	}
	var names []string
	for d := time.Sunday; d <= time.Saturday; d++ {
		if slices.Contains(days, strings.ToLower(d.String())) {
			names = append(names, w.say(frenchWeekdays[d], d.String()))
		}
	}
	return strings.Join(names, ", ")
}

// day writes a calendar day: "lundi 29 octobre 2018", "Monday 29 October 2018".
func (w wording) day(s string) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return s
	}
	return w.say(frenchWeekdays[t.Weekday()]+" "+frenchDay(t), t.Format("Monday 2 January 2006"))
}
