package site_test

import (
	"strings"
	"testing"

	"tirage/demo"
)

// A group play from the board to the receipts: proposed, joined by invitation, left, joined again, confirmed by its organiser once for all.
func TestGroupPlay(t *testing.T) {
	h := open(t)
	one, two, three := h.player(demo.Players()[0].Name), h.player(demo.Players()[1].Name), h.player(demo.Players()[2].Name)
	v := one
	v.says(v.get("/play/loto"), "Jouer en groupe")
	if strings.Contains(v.get("/play/euromillions").body, "Jouer en groupe") {
		t.Error("Euro Millions offers a group play")
	}
	v.says(v.get("/play/loto/group?n=5"), "La grille n’est pas complète")
	choice := v.get("/play/loto/group?" + gridsOfTwo)
	v.says(choice, "En combien de reçus", "10 reçus, ", "Rien n’est débité")
	before := h.stakes()
	form := v.hidden(choice, "key", "line", "at")
	for name, list := range map[string][]string{"n": {"1", "2", "3", "4", "7", "8"}, "c": {"9"}, "receipts": {"4"}} {
		form[name] = list
	}
	page := v.post("/play/loto/group", form)
	if again := v.post("/play/loto/group", form); again.path != page.path || !strings.HasPrefix(page.path, "/groups/") {
		t.Fatalf("one proposal, sent twice, leads to %s and %s", page.path, again.path)
	}
	v.says(page, "L’invitation", "4 reçus : 0 pris par des participants, 3 encore libres", "En attente de l’organisateur")
	_, invitation, _ := strings.Cut(page.body, "?invitation=")
	invitation, _, _ = strings.Cut(invitation, `"`)
	at := page.path

	if p := two.get(at); p.status != 404 {
		t.Errorf("without the invitation: %d", p.status)
	}
	guest := two.get(at + "?invitation=" + invitation)
	two.says(guest, "Vous êtes invité", "1 reçu", "3 reçus", "sans autre confirmation de votre part")
	if strings.Contains(guest.body, "Adresse de l’invitation") {
		t.Error("a guest is shown the invitation")
	}
	join := two.hidden(guest, "key", "invitation", "part")
	join.Set("receipts", "2")
	two.says(two.post(at+"/join", join), "2 reçus pour vous", "Quitter le groupe")
	two.says(two.post(at+"/join", join), "2 reçus pour vous")
	two.says(two.get("/groups"), "groupe de 4 reçus", "2 reçus pour vous")
	late := three.hidden(three.get(at+"?invitation="+invitation), "key", "invitation", "part")
	late.Set("receipts", "2")
	if p := three.post(at+"/join", late); p.status != 422 || !strings.Contains(p.body, "role=\"alert\"") {
		t.Errorf("more receipts than are left: %d", p.status)
	}

	// A recap holds only while the group stands as it was shown.
	recap := v.get(at + "/recap")
	v.says(recap, "Jeu en groupe", "4 reçus, dont 2 pour vous", "tous, ou personne", "La confirmation est irrévocable")
	two.says(two.post(at+"/leave", two.hidden(two.get(at), "key")), "Vous avez quitté le groupe")
	stale := v.post("/confirm", v.hidden(recap, "key", "quote", "back"))
	if stale.status != 409 || h.stakes() != before {
		t.Errorf("a recap of another group is confirmed: %d", stale.status)
	}
	again := two.hidden(two.get(at+"?invitation="+invitation), "key", "invitation", "part")
	again.Set("receipts", "1")
	two.post(at+"/join", again)
	if back := v.modified(v.get(at + "/recap")); back.path != at {
		t.Errorf("« Modifier » leads to %s", back.path)
	}
	receipt := v.confirmed(v.get(at + "/recap"))
	v.says(v.get(receipt), "C’est enregistré", "jeu en groupe, 3 sur 4 reçus")
	path, _, _ := strings.Cut(receipt, "?")
	two.says(two.get(path), "jeu en groupe, 1 sur 4 reçus")
	two.says(two.get(at), "Enregistré", "Voir mon reçu")
	if p := three.get(path); p.status != 404 {
		t.Errorf("who is no member sees the receipt: %d", p.status)
	}
	if h.stakes() <= before {
		t.Error("nothing was debited")
	}
	v.says(v.get(path+"/again"), "ne se rejoue pas")
}
