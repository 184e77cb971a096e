package site_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/demo"
	"tirage/internal/covers"
	"tirage/web/webtest"
)

// tabTo moves the focus by the Tab key alone, until it is on an element that an expression of `el` describes.
func tabTo(b *webtest.Browser, what, expression string) {
	b.Helper()
	for range 120 {
		if webtest.Eval[bool](b, `(el => !!(`+expression+`))(document.activeElement)`) {
			if !webtest.Eval[bool](b, `document.activeElement.matches(":focus-visible")`) {
				b.Errorf("the focus on %s does not show", what)
			}
			return
		}
		b.Press("Tab")
	}
	b.Fatalf("the Tab key does not reach %s on %s; it is on %s", what, b.Path(), webtest.Eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
}

// says is the expression of an element whose text contains another.
func says(text string) string {
	return fmt.Sprintf(`el.matches("button, a") && el.innerText.includes(%q)`, text)
}

// packOf is a pack of a game that is on sale.
func (h *house) packOf(game string) (draw, kind string) {
	h.Helper()
	h.view(func(snap central.Snapshot) error {
		c, err := central.ReadCatalogue(h.Context(), snap, time.Now())
		if err != nil {
			return err
		}
		for _, g := range c.Games {
			for _, d := range g.Draws {
				for _, p := range d.Packs {
					if g.Game == game && p.OnSale && p.Stock.Largest >= 2 && draw == "" {
						draw, kind = d.Draw, p.Type
					}
				}
			}
		}
		return nil
	})
	if draw == "" {
		h.Fatalf("no pack of %s is on sale", game)
	}
	return draw, kind
}

// Two shares of a pack of Euro Millions by the keyboard alone: everything is shown before, « Modifier » keeps the choice, the contents come after, the history has them.
func TestByKeyboard(t *testing.T) {
	covers.Covers(t, "P70", "P71", "P72", "P75", "P76")
	h, b := browse(t)
	login(b, demo.Players()[1].Name)
	draw, kind := h.packOf("euromillions")
	b.Go("/packs/" + draw + "/" + kind)
	choose := func() {
		tabTo(b, "the formulas", `el.name === "shares"`)
		if webtest.Eval[string](b, `document.activeElement.value`) == "1" {
			b.Press("ArrowRight")
		}
		if n := webtest.Eval[string](b, `document.querySelector("[name=shares]:checked").value`); n != "2" {
			t.Fatalf("%s shares are chosen", n)
		}
		tabTo(b, "the summary", says("Voir le récapitulatif"))
		b.Press("Enter")
		b.Waits("Relisez avant de confirmer")
	}
	choose()
	for _, item := range []string{"pack.type", "pack.combinations", "pack.codes.mymillion", "pack.multiples", "shares", "draw.day", "cents", "debit"} {
		if !webtest.Eval[bool](b, fmt.Sprintf(`!!document.querySelector('[data-item^="%s"]')`, item)) {
			t.Errorf("the recap does not say %s", item)
		}
	}
	b.Sees("seront débités de vos disponibilités (solde ", "Vérifiez votre jeu")
	tabTo(b, "« Modifier »", `el.tagName === "BUTTON" && el.innerText.trim() === "Modifier"`)
	b.Press("Enter")
	b.Waits("Combien de parts")
	choose()
	tabTo(b, "the confirmation", says("Confirmer et débiter"))
	b.Press("Enter")
	b.Waits("C’est enregistré")
	b.Sees("Les 10 grilles", "codes My Million", "Vos parts sur la planche")
	receipt := strings.TrimSuffix(b.Path(), "?new=1")
	tabTo(b, "the history", `el.getAttribute("href") === "/plays" && el.closest("main")`)
	b.Press("Enter")
	b.Waits("Mes jeux")
	tabTo(b, "the play", fmt.Sprintf(`el.getAttribute("href") === %q`, receipt))
	b.Press("Enter")
	b.Waits("Tirage à venir")
	b.Sees("Les 10 grilles", "codes My Million", "2 sur 330")
}

// Without a network the page says so, nothing is sent, and what was filled in stays; a sale that is no longer followed says it.
func TestOffline(t *testing.T) {
	h, b := browse(t)
	login(b, demo.Players()[1].Name)
	draw, kind := h.packOf("loto")
	b.Go("/packs/" + draw + "/" + kind)
	b.Offline(true)
	b.Waits("Vous êtes hors ligne : rien n’est envoyé ni débité")
	b.Accessible("offline")
	b.Shoot("offline-fr-1280")
	b.Click("Voir le récapitulatif")
	b.Sees("Combien de parts", "hors ligne")
	b.Offline(false)
	for range 100 {
		if !strings.Contains(b.Text("body"), "hors ligne") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Click("Voir le récapitulatif")
	b.Waits("Relisez avant de confirmer")
}
