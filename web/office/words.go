package office

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/drawing"
	"tirage/web"
	"tirage/web/kit"
)

// stateWords names a state of a draw.
func stateWords(v *kit.Visit, state string) string {
	words := map[string][2]string{
		central.DatePlanned: {"prévu", "planned"}, central.DateSkipped: {"retiré", "skipped"}, "open": {"ouvert", "open"}, "closed": {"clos", "closed"},
		"sealed": {"scellé", "sealed"}, "balanced": {"recompté", "balanced"}, "drawn": {"tiré", "drawn"}, "counted": {"compté", "counted"},
		"approved": {"approuvé", "approved"}, "settled": {"réglé", "settled"}, "published": {"publié", "published"}, "held": {"suspendu", "held"},
		"postponed": {"reporté", "postponed"},
	}
	w, ok := words[state]
	if !ok {
		return state
	}
	return v.T(w[0], w[1])
}

func stateKind(state string) string {
	switch drawing.State(state) {
	case drawing.Held, drawing.Postponed:
		return "bad"
	case drawing.Published, drawing.Settled:
		return "ok"
	}
	return ""
}

// waits says what a draw waits for, and who does it.
func waits(v *kit.Visit, d *drawPage) string {
	switch drawing.State(d.State) {
	case central.DatePlanned:
		return v.F("Ouvre le %s.", "Opens on %s.", v.DateTime(d.OpensAt))
	case central.DateSkipped:
		return v.T("Ce tirage a été retiré du calendrier.", "This draw was taken out of the calendar.")
	case drawing.Open:
		return v.F("En vente jusqu'au %s. Le système clôt et scelle alors.", "On sale until %s. The system closes and seals then.", v.DateTime(d.ClosesAt))
	case drawing.Closed:
		if slices.Contains(d.Missing, central.MissingBefore) {
			return v.T("Le scellement attend l'approbation du tirage précédent.", "The seal waits for the approval of the draw before.")
		}
		if len(d.Missing) > 0 {
			return v.T("Le scellement attend les mises et le fonds des autres opérateurs.", "The seal waits for the stakes and the fund of the others.")
		}
		return v.T("Le système scelle les jeux.", "The system is sealing the plays.")
	case drawing.Sealed:
		return waitsForControl(v, d)
	case drawing.Balanced:
		return waitsInRoom(v, d)
	case drawing.Drawn:
		if d.Counts != web.ControlReady {
			return waitsForControl(v, d)
		}
		return v.T("Les deux moteurs comptent les gagnants et les gains.", "Both engines count winners and gains.")
	case drawing.Counted:
		return v.T("Un officier approuve le paiement.", "An officer approves the payment.")
	case drawing.Approved:
		return v.F("Les gains sont crédités : %s tranches sur %s.", "Gains are being credited: %s slices of %s.", v.Count(d.Paid), v.Count(d.Slices))
	case drawing.Settled:
		return v.T("Une personne relit et publie l'avis.", "A person reads the notice and publishes it.")
	case drawing.Published:
		return v.T("L'avis est publié.", "The notice is published.")
	case drawing.Held:
		return v.T("Un officier examine, puis laisse repartir le tirage.", "An officer looks into it, then lets the draw go on.")
	case drawing.Postponed:
		return v.F("Reporté au %s.", "Postponed to %s.", v.DateTime(d.DrawsAt))
	}
	return stateWords(v, d.State)
}

// waitsForControl says how the independent control stands, without which no draw goes on.
func waitsForControl(v *kit.Visit, d *drawPage) string {
	switch d.Counts {
	case web.ControlBuilding:
		return v.T("Le contrôle indépendant est en construction, ce qui prend une à deux minutes : le tirage attend.", "The independent control is being built, which takes a minute or two: the draw waits.")
	case web.ControlMissing:
		return v.T("Le contrôle indépendant n'est pas installé : installez g++ (sous Debian : apt install g++), construisez-le (make control) et redémarrez. Le tirage attend, les jeux sont gardés.", "The independent control is not installed: install g++ (on Debian: apt install g++), build it (make control) and start again. The draw waits, all plays are kept.")
	}
	return v.T("Le contrôle indépendant recompte.", "The independent control is counting.")
}

// waitsInRoom says what the draw room waits for.
func waitsInRoom(v *kit.Visit, d *drawPage) string {
	switch r := d.Room; {
	case r.Signer != "":
		return v.T("Le résultat est signé : le système l'enregistre.", "The result is signed: the system is recording it.")
	case r.Checker == "":
		return v.T("Un opérateur contrôle le programme, les règlements et le matériel.", "An operator looks at the program, the rulebooks and the equipment.")
	case r.Officer == "":
		return v.T("L'officier signale sa présence.", "The officer says that they are there.")
	case v.Now.Before(d.DrawsAt):
		return v.F("Le tirage est annoncé pour %s.", "The draw is announced for %s.", v.DateTime(d.DrawsAt))
	case d.generated() && d.Generator.Numbers == nil:
		return v.T("Le générateur tire les numéros.", "The generator draws the numbers.")
	case !r.Equal():
		return v.F("Deux personnes saisissent le résultat : %s sur 2.", "Two people type the result: %s of 2.", strconv.Itoa(len(r.Sealed)))
	}
	return v.T("L'officier compare et signe.", "The officer compares and signs.")
}

// closedFor says why an enterer cannot type now, "" when they can.
func closedFor(v *kit.Visit, d *drawPage) string {
	r := d.Room
	switch {
	case !r.Open || d.State != string(drawing.Balanced) && r.Signer != "" && r.Version > d.Version:
		return waits(v, d)
	case d.generated() && d.Generator.Numbers == nil || r.Checker == "" || r.Officer == "" || v.Now.Before(d.DrawsAt) || r.Equal() && r.Version > d.Version:
		return waitsInRoom(v, d)
	}
	return ""
}

// nextVersion and nextRound are what an entry is of.
func nextVersion(d *drawPage) int64 { return d.Version + 1 }

func nextRound(d *drawPage) int64 {
	if d.Room.Version <= d.Version {
		return 1
	}
	return d.Room.Round
}

func holdable(state string) bool { return drawing.Check(drawing.State(state), drawing.Held) == nil }

func postponable(state string) bool {
	return drawing.Check(drawing.State(state), drawing.Postponed) == nil || state == string(drawing.Postponed)
}

// rank2 is the rank of the state of a draw, of a paused one where it was paused.
func rank2(d *drawPage) int {
	if d.Resume != "" {
		return rank(drawing.State(d.Resume))
	}
	return rank(drawing.State(d.State))
}

// by says who did something and when.
func by(v *kit.Visit, who string, at *time.Time) string {
	if who == "" || at == nil {
		return ""
	}
	return strings.TrimPrefix(who, "staff/") + ", " + v.Clock(*at)
}

func controlWords(v *kit.Visit, d *drawPage) string {
	if d.Control == nil {
		return ""
	}
	return v.F("%s, 0 centime d'écart", "%s, not one cent apart", v.Money(d.Control.Stakes))
}

func differing(v *kit.Visit, names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = place(v, n)
	}
	return strings.Join(words, ", ")
}

func ordinal(v *kit.Visit, n int) string {
	if v.Lang == kit.English {
		return strconv.Itoa(n)
	}
	if n == 1 {
		return "1re"
	}
	return strconv.Itoa(n) + "e"
}

func ballsLegend(v *kit.Visit, d *drawPage, name string, count, of int) string {
	n, m := strconv.Itoa(count), strconv.Itoa(of)
	switch {
	case name == "main":
		return v.F("%s numéros, de 1 à %s", "%s numbers, 1 to %s", n, m)
	case d.stars():
		return v.F("%s étoiles, de 1 à %s", "%s stars, 1 to %s", n, m)
	}
	return v.F("%s numéro Chance, de 1 à %s", "%s Chance number, 1 to %s", n, m)
}

// seriesIn lists the series of codes of which the draw has winners.
func seriesIn(d *drawPage) (list []string) {
	for i := range d.Book.Codes {
		if s := &d.Book.Codes[i]; !s.Exceptional || d.Exceptional {
			list = append(list, s.ID)
		}
	}
	return append(list, d.Book.Sale.With...)
}

// typedCodes is what stands in the field of a series: what was typed, else what the generator drew.
func (d *drawPage) typedCodes(series string) string {
	if t, ok := d.Typed["codes."+series]; ok || d.Generator == nil || d.Generator.Numbers == nil {
		return t
	}
	return strings.Join(d.Generator.Numbers.Codes[series], "\n")
}

// typedJoker is what stands in the field of the number of Joker+, likewise.
func (d *drawPage) typedJoker() string {
	if t, ok := d.Typed["joker"]; ok || d.Generator == nil || d.Generator.Numbers == nil {
		return t
	}
	return d.Generator.Numbers.Joker
}

func paperDigest(p *central.Doc) string {
	sum := sha256.Sum256([]byte(p.Body))
	return digest(sum[:])
}

func outsideOf(c *central.Count, rank int) int64 {
	if rank < len(c.Outside) {
		return c.Outside[rank]
	}
	return 0
}

func playsOf(s *central.Sales) (n int64) {
	for _, k := range s.Kinds {
		if !k.Added() {
			n += k.Plays
		}
	}
	return n
}

func combosOf(s *central.Sales) (n int64) {
	for _, r := range s.Rules {
		n += r.Combos
	}
	return n
}

// comparedLines are both entries position by position.
func comparedLines(v *kit.Visit, d *drawPage) (lines [][3]string) {
	a, b := d.Room.Sealed[0].Body, d.Room.Sealed[1].Body
	add := func(name string, x, y []int) {
		for i := range x {
			lines = append(lines, [3]string{place(v, name+"."+strconv.Itoa(i+1)), strconv.Itoa(x[i]), strconv.Itoa(y[i])})
		}
	}
	add("main", a.Main, b.Main)
	add("extra", a.Extra, b.Extra)
	for series, codes := range a.Codes {
		for i, c := range codes {
			lines = append(lines, [3]string{place(v, "codes."+series+"."+strconv.Itoa(i+1)), c, b.Codes[series][i]})
		}
	}
	if a.Joker != "" {
		lines = append(lines, [3]string{"Joker+", a.Joker, b.Joker})
	}
	for i, n := range a.Winners {
		lines = append(lines, [3]string{place(v, "winners."+strconv.Itoa(i+1)), v.Count(n), v.Count(b.Winners[i])})
	}
	return lines
}

// roomClass lays out the draw room: the officer has two columns, everybody else three.
func roomClass(v *kit.Visit) string {
	if controls(v) {
		return "g2 off"
	}
	return "room"
}

// generated says whether the numbers of the draw come from the generator.
func (d *drawPage) generated() bool { return d.Generator != nil && d.Generator.Confirmer != "" }

// generatorState says how far the generator is.
func generatorState(v *kit.Visit, d *drawPage) string {
	switch g := d.Generator; {
	case g.Confirmer == "" && d.State == central.DatePlanned:
		return v.T("à confirmer par un officier", "to be confirmed by an officer")
	case g.Confirmer == "":
		return v.T("non confirmé : boules", "not confirmed: balls")
	case g.Numbers != nil && len(g.People) == 2:
		return v.T("tirés par deux personnes", "drawn by two people")
	case g.Numbers != nil:
		return v.T("tirés", "drawn")
	case v.Now.Before(g.Appears):
		return v.F("attend le tour de %s", "waits for the round of %s", v.Clock(g.Appears))
	}
	return v.T("attend la valeur de la balise", "waits for the value of the beacon")
}

func beforeWords(v *kit.Visit, d *drawPage) string {
	if d.generated() {
		return v.T("Avant la saisie", "Before the typing")
	}
	return v.T("Avant les boules", "Before the balls")
}

func equipmentWords(v *kit.Visit, d *drawPage) string {
	if d.generated() {
		return v.T("L'horloge et l'accès à la balise sont en ordre", "The clock and the way to the beacon are in order")
	}
	return v.T("Les sphères et les boules sont en ordre", "The machines and the balls are in order")
}

func compareWords(v *kit.Visit, d *drawPage) string {
	if d.generated() {
		return v.T("Comparez avec les numéros du générateur.", "Compare with the numbers of the generator.")
	}
	return v.T("Comparez avec les boules que vous avez sous les yeux.", "Compare with the balls before your eyes.")
}

func copyWords(v *kit.Visit, d *drawPage) string {
	if d.generated() {
		return v.T("Recopiez les numéros du générateur.", "Copy the numbers of the generator.")
	}
	return v.T("Recopiez les boules dans l'ordre de sortie.", "Copy the balls in the order of drawing.")
}
