package site_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tirage/demo"
	"tirage/internal/covers"
	"tirage/web/site"
	"tirage/web/webtest"
)

// browse opens a browser on an operator, so that a machine without one skips before anything is made.
func browse(t *testing.T) (*house, *webtest.Browser) {
	t.Helper()
	if webtest.Program() == "" {
		t.Skip("no chromium is installed (Debian: apt-get install chromium): the pages are not seen by a browser")
	}
	h := open(t)
	return h, webtest.Open(t, h.Base)
}

// login logs a player of the demo in.
func login(b *webtest.Browser, email string) {
	b.Helper()
	b.Go("/login")
	b.Fill("email", email)
	b.Fill("password", demo.Password)
	b.Click(".main-action")
}

// From nothing to a receipt on a phone: register, choose limits, deposit through the provider, buy shares, read them again in the history.
func TestFirstEveningOnAPhone(t *testing.T) {
	covers.Covers(t, "P36", "P37", "P38", "P41", "P42")
	h, b := browse(t)
	b.Phone()
	b.Go("/register")
	for name, value := range map[string]string{"given": "Zoé", "family": "Lune", "birth": "1980-02-29", "email": "zoe@example.org", "password": "cheval correct batterie"} {
		b.Fill(name, value)
	}
	b.Click("Ouvrir mon compte")
	b.Sees("Choisissez vos deux limites", "Pas encore choisie")
	for _, of := range []string{"stakes", "deposits"} {
		if !webtest.Eval[bool](b, fmt.Sprintf(`(() => { const el = document.getElementById("limit-%s"); el.value = "60"; el.form.requestSubmit(); return true; })()`, of)) {
			t.Fatal("no limit of", of)
		}
		b.Arrives("/account/limits?first=1&set=" + of)
	}
	b.Sees("Il reste 60,00 € sur 7 jours glissants")
	h.confirm("zoe@example.org")

	b.Go("/account/deposit")
	b.Fill("amount", "50")
	b.Click("Continuer vers le paiement")
	b.Sees("Ce dépôt attend son paiement")
	waiting := b.Path()
	provider := webtest.Eval[string](b, `[...document.querySelectorAll("main a[target]")][0].getAttribute("href")`)
	b.Go(strings.TrimPrefix(provider, h.Base))
	b.Shoot("provider-390")
	b.Click("[value=paid]")
	for range 100 {
		if b.Go(waiting); strings.Contains(b.Text("main"), "sont sur votre compte") {
			break
		}
	}
	b.Sees("50,00 € sont sur votre compte")

	draw, kind := h.pack(2)
	b.Go("/packs/" + draw + "/" + kind)
	b.Sees("Combien de parts", "Prix d’une part", "Formules d’achat", "Nombre de parts du Pack")
	webtest.Eval[bool](b, `(() => { const el = document.querySelector("[name=shares][value='2']"); el.click(); return true; })()`)
	b.Click("Voir le récapitulatif")
	b.Sees("Relisez avant de confirmer", "Rien n’est encore débité", "seront débités de vos disponibilités (solde 50,00 €)", "irrévocable")
	b.Shoot("recap-fr-390")
	b.Click("Modifier mon choix")
	if webtest.Eval[string](b, `document.querySelector("[name=shares]:checked").value`) != "2" {
		t.Error("« Modifier » has not kept the two shares")
	}
	b.Click("Voir le récapitulatif")
	b.Click("Confirmer et débiter")
	b.Sees("C’est enregistré", "Vos parts sur la planche", "Les 10 grilles")
	b.Shoot("receipt-fr-390")
	receipt := b.Path()
	webtest.Eval[bool](b, "history.back(), true")
	b.Go("/plays")
	b.Sees("2 parts")
	if n := webtest.Eval[int](b, `document.querySelectorAll(".playlist li").length`); n != 1 {
		t.Errorf("%d plays after one confirmation", n)
	}
	b.Go(strings.TrimSuffix(receipt, "?new=1"))
	b.Sees("Reçu", "Tirage à venir")
}

// places are where the test goes for each page of the site; a page without one fails.
func places(h *house) map[string]string {
	draw, kind := h.pack(1)
	pack := "/packs/" + draw + "/" + kind
	return map[string]string{
		"GET /{$}": "/", "/": "/nothing-here", "GET /kit": "/kit", "GET /login": "/login?next=/packs", "GET /register": "/register", "GET /check": "/check",
		"GET /packs": "/packs", "GET /packs/{draw}/{type}": pack, "GET /packs/{draw}/{type}/recap": pack + "/recap?shares=1",
		"GET /play/{game}": "/play/loto?n=5&n=9&n=21&n=36&n=39&n=40&c=5", "GET /play/{game}/recap": "/play/loto/recap?" + "n=5&n=9&n=21&n=36&n=39&c=5",
		"GET /play/{game}/subscribe": "/play/loto/subscribe?" + gridsOfTwo, "GET /play/{game}/subscribe/recap": "/play/loto/subscribe/recap?" + gridsOfTwo,
		"GET /subscriptions": "/subscriptions", "GET /play/{game}/group": "/play/loto/group?" + gridsOfTwo, "GET /groups": "/groups", "GET /groups/{draw}/{group}": "",
		"GET /groups/{draw}/{group}/recap": "",
		"GET /plays":                       "/plays", "GET /plays/{draw}/{play}": "", "GET /results": "/results", "GET /results/{draw}": "", "GET /odds": "/odds", "GET /rules": "/rules",
		"GET /rules/{version}": "/rules/loto@2018-10-29", "GET /account": "/account", "GET /account/deposit": "/account/deposit", "GET /account/payments/{payment}": "",
		"GET /account/withdraw": "/account/withdraw", "GET /account/statement": "/account/statement", "GET /account/limits": "/account/limits?first=1",
		"GET /account/pause": "/account/pause", "GET /account/inbox": "/account/inbox", "GET /account/sessions": "/account/sessions",
	}
}

// link is where the first link of a selector leads, "" where the page has none.
func link(b *webtest.Browser, page, selector string) string {
	b.Helper()
	b.Go(page)
	return webtest.Eval[string](b, fmt.Sprintf(`document.querySelector("main " + %q)?.getAttribute("href") ?? ""`, selector))
}

// orderMore subscribes and proposes a group play on the pages, and notes where the group is.
func orderMore(b *webtest.Browser, at map[string]string) {
	b.Helper()
	b.Go(at["GET /play/{game}/subscribe/recap"])
	b.Click("M’abonner, à")
	b.Sees("C’est enregistré", "Ce qui sera débité")
	b.Go(at["GET /play/{game}/group"])
	b.Click("Proposer et obtenir l’invitation")
	b.Sees("Adresse de l’invitation")
	at["GET /groups/{draw}/{group}"], at["GET /groups/{draw}/{group}/recap"] = b.Path(), b.Path()+"/recap"
}

// file matches the routes of files to keep, which are no pages.
var file = regexp.MustCompile(`/(receipt\.|papers/|proof/|export$)`)

// axe-core finds nothing on any page, in both languages, light and dark.
func TestAccessible(t *testing.T) {
	h, b := browse(t)
	at := places(h)
	login(b, demo.Players()[0].Name)
	at["GET /plays/{draw}/{play}"], at["GET /results/{draw}"] = link(b, "/plays", "h2 a"), link(b, "/results", `a[href^="/results/"]`)
	at["GET /plays/{draw}/{play}/again"] = link(b, "/plays", `a[href$="/again"]`)
	at["GET /plays/{draw}/{play}/again/recap"] = at["GET /plays/{draw}/{play}/again"] + "/recap"
	orderMore(b, at)
	b.Go("/account/deposit")
	b.Fill("amount", "10")
	b.Click(".main-action")
	at["GET /account/payments/{payment}"] = b.Path()
	for _, lang := range []string{"fr", "en"} {
		b.Go("/choose?lang=" + lang)
		for _, r := range site.Routes(nil) {
			if file.MatchString(r.Pattern) {
				continue // files to keep
			}
			if strings.HasPrefix(r.Pattern, "POST ") || strings.HasSuffix(r.Pattern, "assets/") || strings.HasSuffix(r.Pattern, "/site/") || r.Pattern == "GET /choose" {
				continue
			}
			place := at[r.Pattern]
			if place == "" {
				t.Errorf("%s is not visited", r.Pattern)
				continue
			}
			b.Wide()
			b.Go(place)
			b.Accessible(lang + " " + place)
			fits(b, lang, place)
		}
		for _, place := range []string{"/verify/", "/donuts", "/donuts/practice", "/donuts/chances"} {
			fits(b, lang, place)
		}
	}
}

// fits fails the test for a page that moves sideways on the smallest phone.
func fits(b *webtest.Browser, lang, place string) {
	b.Helper()
	b.Narrow()
	b.Go(place)
	if wide := b.Wider(); wide > 0 {
		b.Errorf("%s %s: %d pixels do not fit on a phone", lang, place, wide)
	}
}

// The home page and the page of a pack come cold in at most 200 KB, all of it from here.
func TestWeight(t *testing.T) {
	h, b := browse(t)
	const most = 200 << 10
	draw, kind := h.pack(1)
	for _, path := range []string{"/", "/packs/" + draw + "/" + kind, "/play/loto"} {
		fresh := webtest.Open(t, h.Base)
		bytes, elsewhere := fresh.Weight(path)
		t.Logf("%s: %.1f KB over the network, cold", path, float64(bytes)/1024)
		if bytes > most || len(elsewhere) > 0 {
			t.Errorf("%s: %d bytes, accepted %d; from elsewhere %v", path, bytes, most, elsewhere)
		}
	}
	b.Go("/")
}

// The home page, a pack and the game appear, cold, without moving what is already there. How fast depends on the machine: it is printed.
func TestFirstPaint(t *testing.T) {
	h, b := browse(t)
	const most = 0.1
	draw, kind := h.pack(1)
	for _, path := range []string{"/", "/packs/" + draw + "/" + kind, "/play/loto", "/donuts", "/results"} {
		for name, size := range map[string]func(*webtest.Browser){"phone": (*webtest.Browser).Phone, "desk": (*webtest.Browser).Wide} {
			fresh := webtest.Open(t, h.Base)
			size(fresh)
			p := fresh.Paints(path)
			fresh.Close()
			t.Logf("%s, %s: first contentful paint after %.0f ms, layout shift %.3f", path, name, p.First, p.Shift)
			if p.Shift > most {
				t.Errorf("%s, %s: a layout shift of %.3f, accepted %.1f", path, name, p.Shift, most)
			}
		}
	}
	b.Go("/")
}

// Pictures of the key pages for review, where TIRAGE_SHOTS names a folder.
func TestPictures(t *testing.T) {
	if os.Getenv(webtest.Shots) == "" {
		t.Skipf("%s names no folder for pictures", webtest.Shots)
	}
	h, b := browse(t)
	at := places(h)
	login(b, demo.Players()[0].Name)
	orderMore(b, at)
	at["again"] = link(b, "/plays", `a[href$="/again"]`)
	for _, lang := range []string{"fr", "en"} {
		b.Go("/choose?lang=" + lang)
		for name, page := range map[string]string{
			"home": "GET /{$}", "pack": "GET /packs/{draw}/{type}", "recap": "GET /packs/{draw}/{type}/recap", "play": "GET /play/{game}", "account": "GET /account",
			"odds": "GET /odds", "limits": "GET /account/limits", "plays": "GET /plays", "results": "GET /results", "kit": "GET /kit",
			"again": "again", "subscribe": "GET /play/{game}/subscribe", "subscribe-recap": "GET /play/{game}/subscribe/recap", "subscriptions": "GET /subscriptions",
			"group-new": "GET /play/{game}/group", "group": "GET /groups/{draw}/{group}", "group-recap": "GET /groups/{draw}/{group}/recap", "groups": "GET /groups",
		} {
			b.Go(at[page])
			b.Wide()
			b.Shoot(name + "-" + lang + "-1280")
			b.Phone()
			b.Shoot(name + "-" + lang + "-390")
			if lang == "fr" {
				b.Media("dark", true)
				b.Shoot(name + "-dark-390")
				b.Wide()
				b.Shoot(name + "-dark-1280")
				b.Media("light", true)
			}
		}
	}
	b.Go("/choose?lang=fr")
	b.Wide()
	for name, page := range map[string]string{"receipt": "/plays", "result": "/results"} {
		b.Go(link(b, page, fmt.Sprintf(`a[href^="%s/"]`, page)))
		b.Shoot(name + "-fr-1280")
		b.Phone()
		b.Shoot(name + "-fr-390")
		b.Media("dark", true)
		b.Shoot(name + "-dark-390")
		b.Media("light", true)
		b.Wide()
	}
}

// A passkey is added on the page of the account and logs its player in.
func TestPasskey(t *testing.T) {
	h, b := browse(t)
	b.Base = strings.Replace(h.Base, "127.0.0.1", "localhost", 1)
	b.Passkeys()
	login(b, demo.Players()[0].Name)
	b.Go("/account/sessions")
	b.Fill("passkey-name", "the phone of the test")
	b.Click("[data-passkey=add]")
	b.Waits("the phone of the test")
	b.Click("Se déconnecter")
	b.Go("/login?next=/account")
	b.Click("[data-passkey=login]")
	b.Arrives("/account")
	b.Sees("Mon compte")
}
