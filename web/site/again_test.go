package site_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"tirage/demo"
)

// confirmed presses « Je valide » on a recap, several times at once, and returns where the receipt is.
func (v *visitor) confirmed(recap *sight) string {
	v.Helper()
	form := url.Values{"key": {v.field(recap, "key")}, "quote": {v.field(recap, "quote")}, "back": {v.field(recap, "back")}}
	at := make([]string, 3)
	var pressing sync.WaitGroup
	for i := range at {
		pressing.Go(func() { at[i] = v.post("/confirm", form).path })
	}
	pressing.Wait()
	form.Set("key", "another-tab-"+form.Get("key"))
	at = append(at, v.post("/confirm", form).path)
	for _, path := range at {
		if path != at[0] || strings.HasPrefix(path, "/confirm") {
			v.Fatalf("one confirmation, sent four times, leads to %v", at)
		}
	}
	return at[0]
}

// modified presses « Modifier » on a recap.
func (v *visitor) modified(recap *sight) *sight {
	v.Helper()
	return v.post("/modify", url.Values{"key": {v.field(recap, "key")}, "quote": {v.field(recap, "quote")}, "back": {v.field(recap, "back")}})
}

// gridsOfTwo is a selection of two grids of Loto.
const gridsOfTwo = "line=5-9-21-36-39%2B5&n=1&n=2&n=3&n=4&n=7&n=8&c=9"

// « Rejouer »: the numbers of an earlier play at another draw, at the price of today, once; a pack is not played again.
func TestPlayedAgain(t *testing.T) {
	h := open(t)
	v := h.player(demo.Players()[1].Name)
	first := v.confirmed(v.get("/play/loto/recap?" + gridsOfTwo + "&count=1&quick=5x1"))
	path, _, _ := strings.Cut(first, "?")
	receipt := v.get(path)
	v.says(receipt, "Les 3 grilles", path+"/again")

	choice := v.get(path + "/again")
	v.says(choice, "Rejouer ces numéros", "tirés par le Système Flash alors", "Prix d’aujourd’hui", "Changer les numéros", "Rien n’est débité à cette étape")
	draws := strings.Split(choice.body, `name="draw" value="`)
	if len(draws) < 3 {
		t.Fatalf("%d draws to play again at", len(draws)-1)
	}
	at, _, _ := strings.Cut(draws[2], `"`)
	before := h.stakes()
	recap := v.get(path + "/again/recap?draw=" + at)
	v.says(recap, "Relisez avant de confirmer", "5-9-21-36-39+5", "seront débités de vos disponibilités", "La confirmation est irrévocable")
	if back := v.modified(recap); !strings.HasPrefix(back.path, path+"/again?draw="+at) || !strings.Contains(back.body, `value="`+at+`" checked`) {
		t.Errorf("« Modifier » leads to %s", back.path)
	}
	if h.stakes() != before {
		t.Error("« Modifier » moved money")
	}
	again := v.confirmed(v.get(path + "/again/recap?draw=" + at))
	v.says(v.get(again), "C’est enregistré", "Les 3 grilles")
	if h.stakes() <= before || !strings.HasPrefix(again, "/plays/"+at+"/") || again == first {
		t.Errorf("played again at %s, stakes %v after %v", again, h.stakes(), before)
	}
	v.says(v.get(path+"/again/recap?draw=loto-1999-01-01"), "Rejouer ces numéros", "role=\"alert\"")

	draw, kind := h.pack(1)
	pack, _, _ := strings.Cut(v.confirmed(v.get("/packs/"+draw+"/"+kind+"/recap?shares=1")), "?")
	v.says(v.get(pack+"/again"), "Un pack ou un jeu en groupe ne se rejoue pas")
	if strings.Contains(v.get(pack).body, "/again") {
		t.Error("the receipt of a pack offers to play it again")
	}
	for _, p := range []string{"/again", "/again/recap?draw=" + at} {
		if got := h.player(demo.Players()[0].Name).get(path + p); got.status != 404 {
			t.Errorf("another player sees %s: %d", path+p, got.status)
		}
	}
}
