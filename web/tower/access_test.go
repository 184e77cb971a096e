package tower_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"tirage/web/webtest"
)

// Every page and state of the game, in both languages, light and dark: axe-core finds no violation, and the browser complains of nothing.
func TestAccessible(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: no browser with -short")
	}
	f := fresh(t)
	p := f.join("marie", 5_000)
	b := webtest.Open(t, f.server.URL)
	show := func(who person, lang, path, name string) {
		t.Helper()
		q := url.Values{"token": {who.token}, "tirage_lang": {lang}, "to": {path}}
		b.Go("/enter?" + q.Encode())
		b.Accessible(name + "-" + lang)
		b.Shoot("donuts-" + name + "-" + lang)
	}
	both := func(who person, path, name string) {
		t.Helper()
		for _, lang := range []string{"fr", "en"} {
			show(who, lang, path, name)
		}
	}
	post := func(action, stable string) {
		t.Helper()
		form := f.form(p, "/donuts", action)
		form.Set("device", "1")
		if stable != "" {
			form.Set("contribution", f.fate(p.id, stable == "stands"))
		}
		path := map[string]string{"start": "/donuts/start", "go": "/donuts/series", "stop": "/donuts/stop"}[action]
		if a := f.ask(p, path, form); a.status != 200 {
			t.Fatalf("%s: %d", action, a.status)
		}
	}
	both(person{}, "/donuts", "visitor")
	both(person{}, "/donuts/practice", "practice")
	both(person{}, "/donuts/chances", "chances")
	both(p, "/donuts/rounds", "no-rounds")
	both(p, "/donuts", "ready")
	post("start", "")
	both(p, "/donuts", "started")
	post("go", "stands")
	post("go", "stands")
	both(p, "/donuts", "choice")
	b.Phone()
	show(p, "fr", "/donuts", "choice-phone")
	b.Wide()
	post("go", "falls")
	lost := f.round(p.id).ID.String()
	both(p, "/donuts?round="+lost, "lost")
	both(p, "/donuts/rounds/"+lost, "past")
	f.wait(5 * time.Second)
	post("start", "")
	post("go", "stands")
	post("stop", "")
	both(p, "/donuts?round="+f.round(p.id).ID.String(), "won")
	both(p, "/donuts/rounds", "rounds")
	b.Sees("My rounds")
	if strings.Contains(b.Text("body"), "%!") {
		t.Error("a text was filled with the wrong things")
	}
}
