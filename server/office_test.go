package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/server"
	"tirage/web/webtest"
)

// hand is a clock that a test moves.
type hand struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hand) set(t *testing.T, paris string) {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04:05", paris, games.Paris)
	if err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = at
}

// person is a member of the staff at a browser.
type person struct {
	*running
	http.Client
	name string
}

// enters has a member of the staff log in.
func (r *running) enters(name string) *person {
	r.Helper()
	return r.entersWith(name, password)
}

func (r *running) entersWith(name, password string) *person {
	r.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.Fatal(err)
	}
	p := &person{r, http.Client{Jar: jar}, name}
	status, text := p.post("/office/login", url.Values{"name": {name}, "password": {password}})
	if status != http.StatusOK || strings.Contains(text, `type="password"`) {
		r.Fatalf("%s logs in: %d", name, status)
	}
	return p
}

func (p *person) get(path string) (int, string) {
	p.Helper()
	res, err := p.Get(p.Base + path)
	return p.read(res, err)
}

func (p *person) post(path string, form url.Values) (int, string) {
	p.Helper()
	res, err := p.PostForm(p.Base+path, form)
	return p.read(res, err)
}

func (p *person) read(res *http.Response, err error) (int, string) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		p.Fatal(err)
	}
	return res.StatusCode, string(b)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z0-9]+)" value="([^"]*)"`)

// sends fills in and sends the form of a page that acts on a draw by a verb.
func (p *person) sends(page, verb string, fields url.Values) (int, string) {
	p.Helper()
	_, text := p.get(page)
	return p.submits(text, "/office/draws/"+evening+"/"+verb, fields)
}

// submits fills in and sends the form of a page that goes to a path.
func (p *person) submits(text, path string, fields url.Values) (int, string) {
	p.Helper()
	at := strings.Index(text, `action="`+path+`"`)
	if at < 0 {
		p.Fatalf("%s sees no form to %s:\n%s", p.name, path, text[max(0, strings.Index(text, "<main")):])
	}
	form, _, _ := strings.Cut(text[at:], "</form>")
	all := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(form, -1) {
		all.Set(m[1], m[2])
	}
	for name, list := range fields {
		all[name] = list
	}
	return p.post(path, all)
}

// sees waits until a page says something.
func (p *person) sees(page, text string) {
	p.Helper()
	var got string
	for range 1500 {
		if _, got = p.get(page); strings.Contains(got, text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Fatalf("%s does not see %q on %s:\n%s", p.name, text, page, got[max(0, strings.Index(got, "<main")):])
}

const (
	evening  = "loto-2020-06-22"
	drawPage = "/office/draws/" + evening
	roomPage = drawPage + "/room"
)

// balls are the fields of an entry.
func balls(extra int, main ...int) url.Values {
	v := url.Values{"extra.1": {fmt.Sprint(extra)}}
	for i, n := range main {
		v.Set(fmt.Sprintf("main.%d", i+1), fmt.Sprint(n))
	}
	return v
}

// An evening is run by hand from the pages alone: close, seal, control, two entries that differ and two that do not, the officer, both counts, the payment, the
// notice. Nobody sees what is not theirs.
func TestEveningByHand(t *testing.T) {
	clock := &hand{}
	clock.set(t, "2020-06-22 20:05:00")
	r := start(t, t.TempDir(), func(c *server.Config) { c.Clock, c.Games = clock, []string{"loto"} })
	defer r.end()
	for _, m := range [][2]string{{"anne", "operator"}, {"odile", "operator"}, {"paul", "enterer"}, {"rose", "enterer"}, {"hugo", "officer"}, {"ada", "auditor"}} {
		if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire "+m[0], m[0], m[1], password); err != nil {
			t.Fatal(err)
		}
	}
	operator, first, second, officer, auditor := r.enters("anne"), r.enters("paul"), r.enters("rose"), r.enters("hugo"), r.enters("ada")
	operator.sees(drawPage, "En vente jusqu")
	clock.set(t, "2020-06-22 20:25:00")
	operator.sees(drawPage, "Le scellement attend les mises et le fonds des autres")
	operator.sends(drawPage, "report", url.Values{"stakes": {"0"}, "fund": {"1000000"}})
	for _, p := range []*person{operator, first, second, officer, auditor} {
		p.sees(drawPage, "recompté")
	}
	clock.set(t, "2020-06-22 20:45:00")
	first.sees(roomPage, "Un opérateur contrôle le programme")
	if status, text := operator.sends(roomPage, "check", url.Values{"checked": {"program", "rules"}}); status != http.StatusConflict || !strings.Contains(text, "La liste n’est pas complète") {
		t.Fatalf("half a list: %d", status)
	}
	operator.sends(roomPage, "check", url.Values{"checked": {"program", "rules", "equipment"}})
	officer.sends(roomPage, "attend", nil)

	if status, text := first.sends(roomPage, "enter", balls(5, 9, 36, 5, 36, 39)); status != http.StatusConflict || !strings.Contains(text, "36 est déjà la boule 2. Relisez la boule 4.") || !strings.Contains(text, `value="39"`) {
		t.Fatalf("a ball twice: %d %s", status, text)
	}
	first.sends(roomPage, "enter", balls(5, 9, 36, 5, 21, 39))
	_, text := second.get(roomPage)
	if strings.Contains(text, `value="36"`) || !strings.Contains(text, "Saisie 1 scellée") {
		t.Error("the second enterer sees what the first typed, or not that it is sealed")
	}
	second.sends(roomPage, "enter", balls(5, 9, 36, 5, 12, 39))
	for _, p := range []*person{first, second} {
		p.sees(roomPage, "Les deux saisies diffèrent\u00a0: boule 4")
		p.sends(roomPage, "enter", balls(5, 9, 36, 5, 21, 39))
	}
	officer.sees(roomPage, "identiques")
	if status, _ := auditor.post(roomPage[:len(roomPage)-5]+"/sign", url.Values{"key": {"a"}, "version": {"1"}, "round": {"2"}}); status != http.StatusConflict {
		t.Errorf("an auditor signs: %d", status)
	}
	officer.sends(roomPage, "sign", url.Values{"statement": {"seen", "no_incident", "typed_nothing"}})
	officer.sees(drawPage, "Approuver le paiement")
	officer.sends(drawPage, "approve", nil)
	operator.sees(drawPage, "Publier cet avis")
	operator.sends(drawPage, "publish", nil)
	operator.sees(drawPage, "L’avis est publié.")
	auditor.sees(drawPage, "Documents signés")
	t.Run("in a browser", func(t *testing.T) { lookAtOffice(t, r.Base) })
}

// lookAtOffice opens the pages of the back office in a browser, in both languages, light and dark, and on a phone.
func lookAtOffice(t *testing.T, base string) {
	b := webtest.Open(t, base)
	b.Wide()
	b.Go("/office/login")
	b.Accessible("login")
	b.Fill("name", "anne")
	b.Fill("password", password)
	b.Press("Enter")
	b.Arrives("/office/dashboard")
	for _, lang := range []string{"en", "fr"} {
		b.Go("/office/choose?lang=" + lang + "&back=/office/draws")
		for i, path := range []string{"/office/dashboard", "/office/draws?published=on", drawPage, roomPage, "/office/funds", "/office/packs", "/office/packs/new"} {
			b.Go(path)
			b.Accessible(lang + " " + path)
			b.Shoot(fmt.Sprintf("office-%d-%s-1280", i, lang))
		}
	}
	b.Phone()
	for i, path := range []string{"/office/dashboard", "/office/draws", drawPage, roomPage, "/office/packs/new"} {
		b.Go(path)
		b.Accessible("phone " + path)
		b.Shoot(fmt.Sprintf("office-%d-390", i))
	}
}

// Who is not logged in sees nothing; a player's session opens nothing here.
func TestOfficeIsForTheStaff(t *testing.T) {
	r := start(t, t.TempDir())
	defer r.end()
	p := &person{r, http.Client{}, "nobody"}
	for _, path := range []string{"/office/", "/office/draws", roomPage, "/office/funds", "/office/staff"} {
		if status, text := p.get(path); status != http.StatusOK || !strings.Contains(text, `type="password"`) {
			t.Errorf("%s: %d", path, status)
		}
	}
}
