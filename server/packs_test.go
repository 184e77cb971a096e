package server_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"tirage/central"
	"tirage/server"
)

// A pack type is drawn up on a page, with price, codes and the exact rounding, proposed by one person and put on sale by another.
func TestPackDesignedByHand(t *testing.T) {
	clock := &hand{}
	clock.set(t, "2019-06-24 10:00:00")
	r := start(t, t.TempDir(), func(c *server.Config) { c.Clock, c.Games = clock, []string{"loto"} })
	defer r.end()
	for _, name := range []string{"anne", "odile"} {
		if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire "+name, name, "operator", password); err != nil {
			t.Fatal(err)
		}
	}
	first, second := r.enters("anne"), r.enters("odile")
	const composition = "/office/packs/new?game=loto&from=2019-06-26&type=M&f1=6x10&n1=10&simples=0&max=5&formulas=1,+2&shares="
	for shares, want := range map[string]string{
		"7":   "ne tombe pas juste au centime",
		"0":   "ne peut pas être proposé",
		"x":   "un nombre entier est attendu ici",
		"200": "85613/3243",
	} {
		if _, text := first.get(composition + shares); !strings.Contains(strings.ReplaceAll(text, "\u00a0", " "), want) {
			t.Errorf("%s shares: no %q", shares, want)
		}
	}
	_, text := first.get(composition + "200")
	for _, want := range []string{"6,60\u00a0€", "600 codes", "V 8214 7231", "+26,40\u00a0€", "0,011"} {
		if !strings.Contains(text, want) {
			t.Errorf("the preview does not say %q", want)
		}
	}
	_, page := first.submits(text, "/office/packs", nil)
	id := regexp.MustCompile(`/office/packs/([0-9]+-[0-9]+)/end`).FindStringSubmatch(page)
	if id == nil || !strings.Contains(page, "une autre personne donne son accord") || strings.Contains(page, "/activate") {
		t.Fatalf("proposed: %s", page[strings.Index(page, "<main"):])
	}
	if status, _ := first.post("/office/packs/"+id[1]+"/activate", url.Values{"key": {"mine"}}); status != http.StatusConflict {
		t.Errorf("one person activates what they proposed: %d", status)
	}
	second.sees("/office/packs/"+id[1], `name="draw"`) // the schedule opens draws beside us
	_, page = second.get("/office/packs/" + id[1])
	draw := regexp.MustCompile(`name="draw" value="([^"]+)"`).FindStringSubmatch(page)
	if draw == nil {
		t.Fatal("no draw on sale is offered")
	}
	if _, page = second.submits(page, "/office/packs/"+id[1]+"/activate", url.Values{"draw": {draw[1]}}); !strings.Contains(page, "Mis en vente par") {
		t.Errorf("not on sale: %s", page[strings.Index(page, "<main"):])
	}
	if _, text := first.get("/packs/" + draw[1] + "/M"); !strings.Contains(text, "6,60") {
		t.Errorf("players are not offered the pack: %s", text[max(0, strings.Index(text, "<main")):])
	}
}
