package site_test

import (
	"net/url"
	"strings"
	"testing"

	"tirage/demo"
)

// hidden are the hidden fields of a page's form, by name.
func (v *visitor) hidden(p *sight, names ...string) url.Values {
	v.Helper()
	form := url.Values{}
	for _, name := range names {
		form.Set(name, v.field(p, name))
	}
	return form
}

// A subscription from the board to the list: the recap says what it will debit and when, nothing is taken, and it stops once.
func TestSubscription(t *testing.T) {
	h := open(t)
	v := h.player(demo.Players()[1].Name)
	v.says(v.get("/play/loto"), "S’abonner (Abo+)")
	v.says(v.get("/play/loto/recap?"+gridsOfTwo), "/play/loto/subscribe?")
	v.says(v.get("/play/loto/subscribe?n=5"), "La grille n’est pas complète")

	choice := v.get("/play/loto/subscribe?" + gridsOfTwo + "&count=1&quick=5x1&on=monday")
	v.says(choice, "Abo+ Loto", "Les 3 grilles", "Système Flash, 5 × 1", "Ce qui sera débité", "pour le tirage du lundi", "Rien n’est débité à cette étape")
	if strings.Contains(choice.body, "pour le tirage du samedi") {
		t.Error("a subscription to Mondays lists the debit of a Saturday")
	}
	before := h.stakes()
	recap := v.get("/play/loto/subscribe/recap?" + gridsOfTwo + "&on=monday")
	v.says(recap, "Relisez avant de confirmer", "Mise par tirage", "24 heures avant sa clôture", "M’abonner, à ", "Aux tirages de : lundi")
	if back := v.modified(recap); !strings.HasPrefix(back.path, "/play/loto/subscribe?") || !strings.Contains(back.body, `value="monday" checked`) || strings.Contains(back.body, `value="saturday" checked`) {
		t.Errorf("« Modifier » leads to %s", back.path)
	}
	at := v.confirmed(v.get("/play/loto/subscribe/recap?" + gridsOfTwo + "&on=monday"))
	list := v.get(at)
	v.says(list, "C’est enregistré", "En cours", "Aux tirages de : lundi", "Ce qui sera débité", "pour le tirage du lundi", "Arrêter cet abonnement")
	if !strings.HasPrefix(at, "/subscriptions?new=") || h.stakes() != before || strings.Count(v.get("/subscriptions").body, "En cours") != 1 {
		t.Errorf("one subscription, confirmed four times, leads to %s; stakes %v, before %v", at, h.stakes(), before)
	}
	paused := v.post("/subscriptions/pause", v.hidden(list, "key", "subscription"))
	v.says(paused, "En pause : rien n’est débité", "Reprendre, à ")
	if strings.Contains(paused.body, "pour le tirage du lundi") {
		t.Error("a subscription that is paused lists debits")
	}
	list = v.post("/subscriptions/resume", v.hidden(paused, "key", "subscription", "cents"))
	v.says(list, "En cours", "pour le tirage du lundi")
	form := v.hidden(list, "key", "subscription")
	ended := v.post("/subscriptions/end", form)
	v.says(ended, "Arrêté")
	v.says(v.post("/subscriptions/end", form), "Arrêté")
	form.Set("key", "another-tab-2")
	if p := v.post("/subscriptions/end", form); p.status != 409 || !strings.Contains(p.body, `role="alert"`) {
		t.Errorf("stopped in another tab: %d", p.status)
	}
	if p := h.player(demo.Players()[0].Name).post("/subscriptions/end", form); p.status != 409 {
		t.Errorf("another player stops it: %d", p.status)
	}
}
