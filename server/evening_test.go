package server_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tirage/central"
	"tirage/server"
	"tirage/web/webtest"
)

// desk is the back office in a browser, at which one member of the staff sits after the other.
type desk struct{ *webtest.Browser }

// sits logs a member of the staff in, whoever sat there before.
func (d *desk) sits(name string) {
	d.Helper()
	d.Go("/office/")
	if webtest.Eval[bool](d.Browser, `!document.querySelector("[name=password]")`) {
		d.Click("Sortir")
	}
	d.Fill("name", name)
	d.Fill("password", password)
	d.Press("Enter")
	d.Waits(name)
}

// until opens a page again and again, until it says something: what happens by itself takes its time.
func (d *desk) until(page, text string) {
	d.Helper()
	for range 100 {
		if d.Go(page); strings.Contains(d.Text("body"), text) {
			return
		}
	}
	d.Fatalf("%s does not come to say %q:\n%s", page, text, d.Text("main"))
}

// types has an enterer copy the balls and seal them.
func (d *desk) types(main []int, extra int) {
	d.Helper()
	for i, n := range main {
		d.Fill(fmt.Sprintf("main.%d", i+1), strconv.Itoa(n))
	}
	d.Fill("extra.1", strconv.Itoa(extra))
	d.Click("Sceller ma saisie")
}

// The whole evening by pages alone, in browsers: a player registers on a phone, chooses limits, deposits, buys the last shares of a pack; the draw closes, is sealed,
// agreed with the control, typed twice, signed, paid and published by the people of the back office; the player finds the play in the history and verifies its receipt.
func TestEveningInBrowsers(t *testing.T) {
	if webtest.Program() == "" {
		t.Skip("no chromium is installed (Debian: apt-get install chromium): the evening is not seen by a browser")
	}
	clock := &hand{}
	clock.set(t, "2020-06-22 20:00:00")
	r := start(t, t.TempDir(), func(c *server.Config) {
		c.Clock, c.Games = clock, []string{"loto"}
		c.Packs = func(*central.DrawDate) []central.PackOffer {
			return []central.PackOffer{{Type: "Petit", Multiples: []string{"6x10*1"}, Shares: 20, MaxPacks: 1}}
		}
	})
	defer r.end()
	for _, m := range [][2]string{{"anne", "operator"}, {"odile", "operator"}, {"paul", "enterer"}, {"rose", "enterer"}, {"hugo", "officer"}, {"claire", "care"}} {
		if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire "+m[0], m[0], m[1], password); err != nil {
			t.Fatal(err)
		}
	}
	phone, office := webtest.Open(t, r.Base), &desk{webtest.Open(t, r.Base)}
	phone.Phone()
	office.sits("anne")
	office.until(drawPage, "En vente jusqu")

	registers(phone)
	office.sits("claire")
	office.Go("/office/players?q=zo%C3%A9")
	office.Click("Zoé Lune")
	office.Fill("evidence", "passeport vu")
	office.Click("L’identité est vérifiée")
	office.sits("anne")
	office.Go("/office/identities")
	office.Click("Confirmer")
	office.Sees("Aucune identité n’attend")
	deposits(phone, r.Base)

	// Twenty shares in two orders; then the pack is sold out.
	receipt := buys(phone, 10)
	buys(phone, 10)
	phone.Go("/packs/" + evening + "/Petit")
	phone.Sees("0 parts restantes sur 20")
	phone.Go(receipt)
	main, extra := gridOf(phone)

	clock.set(t, "2020-06-22 20:20:00")
	phone.Go("/packs/" + evening + "/Petit")
	phone.Sees("son tirage est clos")
	office.until(drawPage, "Le scellement attend les mises et le fonds des autres")
	office.Fill("stakes", "0")
	office.Fill("fund", "1000000")
	office.Click("Communiquer mises et fonds")
	office.until(drawPage, "recompté")

	clock.set(t, "2020-06-22 20:45:00")
	office.Go(roomPage)
	webtest.Eval[bool](office.Browser, `document.querySelectorAll("[name=checked]").forEach(e => e.click()), true`)
	office.Click("J’ai contrôlé")
	office.sits("hugo")
	office.Go(roomPage)
	office.Click("présent")
	// Three numbers of the player's multiple, two of none, and one of its Chance numbers: a gain at rank 5 and below.
	drawn := append(main[:3:3], others(main, 2)...)
	for _, name := range []string{"paul", "rose"} {
		office.sits(name)
		office.Go(roomPage)
		office.types(drawn, extra)
		office.Sees("Votre saisie est scellée")
	}
	office.sits("hugo")
	office.until(roomPage, "identiques")
	webtest.Eval[bool](office.Browser, `document.querySelectorAll("[name=statement]").forEach(e => e.click()), true`)
	office.Click("[action$='/sign'] button")
	office.until(drawPage, "Approuver le paiement")
	office.Click("Approuver le paiement")
	office.sits("anne")
	office.until(drawPage, "Publier cet avis")
	office.Click("Publier cet avis")
	office.until(drawPage, "L’avis est publié.")
	office.Shoot("evening-published-1280")

	phone.Go("/plays")
	phone.Sees("10 parts", "crédités pour une mise de")
	phone.Go(receipt)
	phone.Sees("Ce que cette prise de jeu a gagné", "Rang 5")
	phone.Shoot("evening-receipt-390")
	phone.Go("/results/" + evening)
	phone.Sees("Où est allé chaque centime", "Saisi une seconde fois", "Contrôle d’accord", "Ouvert")
	verifies(phone, receipt)
}

func registers(b *webtest.Browser) {
	b.Helper()
	b.Go("/register")
	for name, value := range map[string]string{"given": "Zoé", "family": "Lune", "birth": "1980-02-29", "email": "zoe@example.org", "password": "cheval correct batterie"} {
		b.Fill(name, value)
	}
	b.Click("Ouvrir mon compte")
	b.Sees("Choisissez vos deux limites")
	for _, of := range []string{"stakes", "deposits"} {
		if !webtest.Eval[bool](b, fmt.Sprintf(`(() => { const el = document.getElementById("limit-%s"); el.value = "300"; el.form.requestSubmit(); return true; })()`, of)) {
			b.Fatal("no limit of", of)
		}
		b.Arrives("/account/limits?first=1&set=" + of)
	}
}

func deposits(b *webtest.Browser, base string) {
	b.Helper()
	b.Go("/account/deposit")
	b.Fill("amount", "200")
	b.Click("Continuer vers le paiement")
	waiting := b.Path()
	b.Go(strings.TrimPrefix(webtest.Eval[string](b, `document.querySelector("main a[target]").getAttribute("href")`), base))
	b.Click("[value=paid]")
	for range 100 {
		if b.Go(waiting); strings.Contains(b.Text("main"), "sont sur votre compte") {
			return
		}
	}
	b.Fatal("the deposit does not come")
}

// buys buys shares of the pack of the evening, and returns where the receipt is.
func buys(b *webtest.Browser, shares int) string {
	b.Helper()
	b.Go("/packs/" + evening + "/Petit")
	webtest.Eval[bool](b, fmt.Sprintf(`document.querySelector("[name=shares][value='%d']").click(), true`, shares))
	b.Click("Voir le récapitulatif")
	b.Sees("Relisez avant de confirmer", "irrévocable")
	b.Click("Confirmer et débiter")
	b.Sees("C’est enregistré")
	return strings.TrimSuffix(b.Path(), "?new=1")
}

var number = regexp.MustCompile(`\d+`)

// gridOf reads the first multiple of a receipt: its numbers, and one of its Chance numbers.
func gridOf(b *webtest.Browser) (main []int, extra int) {
	b.Helper()
	words := webtest.Eval[string](b, `document.querySelector(".mults .draw").getAttribute("aria-label")`)
	numbers, chance, _ := strings.Cut(words, "Chance")
	for _, n := range number.FindAllString(numbers, -1) {
		main = append(main, atoi(n))
	}
	extras := number.FindAllString(chance, -1)
	if len(main) != 6 || len(extras) == 0 {
		b.Fatalf("a multiple of 6 numbers is needed, got %q", words)
	}
	return main, atoi(extras[0])
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

// others are n numbers that are not among some.
func others(some []int, n int) (list []int) {
	for x := 1; len(list) < n; x++ {
		if !slices.Contains(some, x) {
			list = append(list, x)
		}
	}
	return list
}

// verifies drops the receipt of a play onto the page that verifies: the browser finds it genuine, and not any more when a cent of it is changed.
func verifies(b *webtest.Browser, receipt string) {
	b.Helper()
	file := b.File(receipt + "/receipt.json")
	b.Go("/verify/")
	b.Waits("Prêt. Le fichier ne quitte pas votre appareil.")
	b.Drop("#verify", "receipt.json", file)
	b.Waits("Ce reçu est authentique.")
	b.Shoot("evening-verified-390")
	b.Drop("#verify", "receipt.json", strings.Replace(file, `"salt": "`, `"salt": "A`, 1))
	b.Waits("n’est PAS authentique")
}
