package tower_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
)

// form reads the hidden fields of a form of a page.
func (f *fair) form(p person, page, action string) url.Values {
	f.Helper()
	body := f.ask(p, page, nil).body
	_, rest, ok := strings.Cut(body, `data-act="`+action+`"`)
	if !ok {
		f.Fatalf("%s has no form %s", page, action)
	}
	inside, _, _ := strings.Cut(rest, "</form>")
	v := url.Values{}
	for _, m := range regexp.MustCompile(`name="([a-z]+)" value="([^"]*)"`).FindAllStringSubmatch(inside, -1) {
		v.Set(m[1], m[2])
	}
	return v
}

// Before the day of effect, and when the day is put off, the message of the regulation stands where the button would be.
func TestMessageBeforeTheDay(t *testing.T) {
	covers.Covers(t, "D5")
	f := fresh(t)
	p := f.join("marie", 1_000)
	now := f.Clock.Now()
	f.Clock.Set(time.Date(2019, 6, 20, 10, 0, 0, 0, time.UTC))
	for lang, want := range map[string]string{"fr": "seront, en principe, possibles à compter du 25 juin 2019", "en": "can be played, in principle, from 25 June 2019 on"} {
		if page := f.ask(person{}, "/donuts", nil, "Accept-Language", lang); !strings.Contains(page.body, want) || strings.Contains(page.body, `data-act="start"`) {
			t.Errorf("%s: before the day of effect the page has no message, or a button", lang)
		}
	}
	f.Clock.Set(now)
	f.Do("staff/operator", central.WithdrawGame{Game: "donuts", Why: "test", French: "Le jeu ne peut pas commencer le 25 juin.", English: "The game cannot begin on 25 June."})
	for lang, want := range map[string]string{"fr": "Le jeu ne peut pas commencer le 25 juin.", "en": "The game cannot begin on 25 June."} {
		page := f.ask(p, "/donuts", nil, "Accept-Language", lang)
		if !strings.Contains(page.body, want) || strings.Contains(page.body, `data-act="start"`) {
			t.Errorf("%s: the page has no message, or a button", lang)
		}
	}
	a := f.ask(p, "/donuts/start", url.Values{"key": {"k-1"}, "device": {"1"}})
	if a.status != http.StatusConflict || !strings.Contains(a.body, "Le jeu ne peut pas commencer le 25 juin.") {
		t.Errorf("a start is answered %d", a.status)
	}
	f.CheckBooks()
}

// Without scripts a device can't add its part: no stake is taken, no series drawn, and the page says why. A gain that was reached can be taken.
func TestWithoutScripts(t *testing.T) {
	covers.Covers(t, "D19")
	f := fresh(t)
	p := f.join("marie", 1_000)
	if page := f.ask(p, "/donuts", nil); !strings.Contains(page.body, "<noscript>") || !strings.Contains(page.body, "Ce jeu a besoin des scripts.") {
		t.Error("the page does not tell that it needs scripts")
	}
	start := f.form(p, "/donuts", "start")
	if a := f.ask(p, "/donuts/start", start); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "Ce jeu a besoin des scripts") {
		t.Errorf("a start without scripts: %d", a.status)
	}
	if got := f.Balance(p.id); got != 1_000 {
		t.Errorf("balance %v", got)
	}
	start.Set("device", "1")
	if a := f.ask(p, "/donuts/start", start); a.status != http.StatusOK || a.path != "/donuts" {
		t.Fatalf("a start: %d at %s", a.status, a.path)
	}
	series := f.form(p, "/donuts", "go")
	if a := f.ask(p, "/donuts/series", series); a.status != http.StatusUnprocessableEntity || f.round(p.id).Step != 0 {
		t.Errorf("a series without scripts: %d at step %d", a.status, f.round(p.id).Step)
	}
	series.Set("contribution", f.fate(p.id, true))
	f.ask(p, "/donuts/series", series)
	a := f.ask(p, "/donuts/stop", f.form(p, "/donuts", "stop"))
	if !strings.Contains(a.path, "/donuts?round=") || !strings.Contains(a.body, "Arrêt au palier 1") {
		t.Errorf("« J'arrête » leads to %s", a.path)
	}
	f.CheckBooks()
}

// Many presses of one form do it once; many forms of one step, too.
func TestManyPresses(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 1_000)
	start := f.form(p, "/donuts", "start")
	start.Set("device", "1")
	at(20, func() { f.ask(p, "/donuts/start", start, "HX-Request", "true") })
	if got := f.Balance(p.id); got != 950 {
		t.Errorf("balance %v after one stake", got)
	}
	part := f.fate(p.id, true)
	at(20, func() {
		one := f.form(p, "/donuts", "go")
		if one.Get("step") == "0" {
			one.Set("contribution", part)
			f.ask(p, "/donuts/series", one, "HX-Request", "true")
		}
	})
	if r := f.round(p.id); r.Step != 1 {
		t.Errorf("%d series are drawn", r.Step)
	}
	stop := f.form(p, "/donuts", "stop")
	at(20, func() { f.ask(p, "/donuts/stop", stop) })
	if r := f.round(p.id); f.Balance(p.id) != 950+r.Gain {
		t.Errorf("balance %v after a gain of %v", f.Balance(p.id), r.Gain)
	}
	f.CheckBooks()
}

func at(n int, do func()) {
	var all sync.WaitGroup
	for range n {
		all.Go(do)
	}
	all.Wait()
}

// What is refused says why, takes nothing, and shows what stands.
func TestRefusals(t *testing.T) {
	f := fresh(t)
	p, other := f.join("marie", 1_000), f.join("paul", 1_000)
	start := f.form(p, "/donuts", "start")
	start.Set("device", "1")
	f.ask(p, "/donuts/start", start)
	mine := f.form(p, "/donuts", "go")
	mine.Set("contribution", f.fate(p.id, true))
	round := mine.Get("round")

	with := func(change func(url.Values)) url.Values {
		v := url.Values{}
		for k, x := range mine {
			v[k] = append([]string(nil), x...)
		}
		change(v)
		return v
	}
	for _, c := range []struct {
		name, path, want string
		who              person
		form             url.Values
		status           int
	}{
		{"another player's round", "/donuts/series", "Cette partie n’existe pas.", other, mine, 404},
		{"another player's page", "/donuts/rounds/" + round, "Cette partie n’existe pas.", other, nil, 404},
		{"another player's file", "/donuts/rounds/" + round + "/file", "Cette partie n’existe pas.", other, nil, 404},
		{"a round that is none", "/donuts/series", "Cette partie n’existe pas.", p, with(func(v url.Values) { v.Set("round", "x") }), 404},
		{"no key", "/donuts/series", "Le formulaire est incomplet", p, with(func(v url.Values) { v.Del("key") }), 422},
		{"no step", "/donuts/series", "Le formulaire est incomplet", p, with(func(v url.Values) { v.Set("step", "") }), 422},
		{"a short part", "/donuts/series", "16 octets", p, with(func(v url.Values) { v.Set("contribution", "ab") }), 422},
		{"a wrong step", "/donuts/series", "La partie a avancé depuis", p, with(func(v url.Values) { v.Set("step", "3") }), 409},
		{"stop before a level", "/donuts/stop", "Aucun palier n’est franchi", p, mine, 409},
		{"a second round", "/donuts/start", "est ouverte", p, url.Values{"key": {"k-9"}, "device": {"1"}}, 409},
		{"a page that is none", "/donuts/nothing", "Cette page n’existe pas.", p, nil, 404},
		{"a practice round that is none", "/donuts/practice?round=p-1", "n’existe plus", p, nil, 404},
	} {
		a := f.ask(c.who, c.path, c.form)
		if a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %d without %q", c.name, a.status, c.want)
		}
	}
	if r := f.round(p.id); r.Step != 0 || f.Balance(p.id) != 950 || f.Balance(other.id) != 1_000 {
		t.Errorf("step %d, balances %v and %v", r.Step, f.Balance(p.id), f.Balance(other.id))
	}
	if a := f.ask(person{}, "/donuts/start", start); !strings.HasPrefix(a.path, "/login") {
		t.Errorf("a visitor's start leads to %s", a.path)
	}

	// The floor between two plays and the limit are told in words.
	mine.Set("contribution", f.fate(p.id, false))
	f.ask(p, "/donuts/series", mine)
	again := f.form(p, "/donuts", "start")
	again.Set("device", "1")
	if a := f.ask(p, "/donuts/start", again); a.status != 409 || !strings.Contains(a.body, "5 secondes séparent deux prises de jeu") {
		t.Errorf("at once after a round: %d", a.status)
	}
	f.wait(5 * time.Second)
	f.Do(central.PlayerPrincipal(p.id), central.SetLimit{Player: p.id, Of: central.LimitStakes, Cents: 60})
	again.Set("key", "k-10")
	if a := f.ask(p, "/donuts/start", again); a.status != 403 || !strings.Contains(a.body, "Rien n’est débité.") {
		t.Errorf("above the limit: %d", a.status)
	}
	f.CheckBooks()
}

// An action that comes again under its key after the round has gone on is answered with what stands, not with an old series.
func TestLateRepeat(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 1_000)
	start := f.form(p, "/donuts", "start")
	start.Set("device", "1")
	f.ask(p, "/donuts/start", start)
	first := f.form(p, "/donuts", "go")
	first.Set("contribution", f.fate(p.id, true))
	f.ask(p, "/donuts/series", first)
	second := f.form(p, "/donuts", "go")
	second.Set("contribution", f.fate(p.id, true))
	f.ask(p, "/donuts/series", second)
	a := f.ask(p, "/donuts/series", first, "HX-Request", "true")
	if a.status != 200 || !strings.Contains(a.body, "Palier 2 franchi") || !strings.Contains(a.body, `data-drop=""`) {
		t.Errorf("%d %.300s", a.status, a.body)
	}
}

// The pages that tell: the chances in both languages, the history.
func TestChancesAndHistory(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 1_000)
	fr, en := f.ask(person{}, "/donuts/chances?level=3", nil).body, f.ask(person{}, "/donuts/chances?level=3", nil, "Accept-Language", "en").body
	for _, want := range []string{"1,90*", "143,30", "Imprimé 1,90 au règlement", "70,72\u202f%", "73,39\u202f%", "66,57\u202f%", "Table d’exemple", "Les gains de qui s’arrête au palier 3"} {
		if !strings.Contains(fr, want) {
			t.Errorf("the French page has no %q", want)
		}
	}
	for _, want := range []string{"1.90*", "143.30", "Printed 1.90 in the regulation", "70.72%", "73.39%", "66.57%", "Sample table", "The gains of who stops at level 3"} {
		if !strings.Contains(en, want) {
			t.Errorf("the English page has no %q", want)
		}
	}
	if body := f.ask(p, "/donuts/rounds", nil).body; !strings.Contains(body, "Aucune partie") {
		t.Error("an empty history does not say so")
	}
	start := f.form(p, "/donuts", "start")
	start.Set("device", "1")
	f.ask(p, "/donuts/start", start)
	if body := f.ask(p, "/donuts/rounds", nil).body; !strings.Contains(body, "ouverte") || !strings.Contains(body, f.round(p.id).ID.String()) {
		t.Error("the history lacks the open round")
	}
	if body := f.ask(p, "/donuts/rounds/"+f.round(p.id).ID.String(), nil).body; !strings.Contains(body, "Aucune série n’a été tirée.") {
		t.Error("a round without a series does not say so")
	}
}
