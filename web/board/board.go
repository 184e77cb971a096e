// Package board is one plain page of what is on sale: coming draws with their jackpots, closes and packs. It holds no script and asks for nothing from
// elsewhere; French first, English by ?lang=en.
//
//	pages, err := board.New(host)
//	mux.Handle("/", pages)
package board

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/web"
)

// New returns the page, which stands at / and nowhere else.
func New(h *web.Host) (http.Handler, error) {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", &board{h.Store, h.Clock})
	return mux, nil
}

type board struct {
	store central.Reader
	clock central.Clock
}

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8888}td.n{text-align:right}
h2{margin:2rem 0 0}nav a{margin-right:1rem}.note{border-left:4px solid;padding-left:1rem}`

var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// words are the texts of the page.
type words struct {
	Lang, Title, Day, Closes, Jackpot, Pack, Share, Left, NoPacks, None, Other, OtherLang, API, Rounds, Price string
}

var (
	french = words{
		"fr", "Tirages et Packs ouverts", "Tirage", "Prises de jeu jusqu’au", "Jackpot", "Pack", "La part", "Parts disponibles", "Aucun Pack", "Aucun tirage n’est ouvert.",
		"English", "en", "API pour les programmes", "Jeux instantanés", "La partie",
	}
	english = words{
		"en", "Open draws and packs", "Draw", "Plays until", "Jackpot", "Pack", "One share", "Shares left", "No pack", "No draw is open.", "Français", "fr", "API for programs",
		"Instant games", "One round",
	}
)

var page = template.Must(template.New("board").Parse(`<!doctype html>
<html lang="{{.Words.Lang}}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tirage – {{.Words.Title}}</title><style>{{.Style}}</style>
<nav><a href="/?lang={{.Words.OtherLang}}" lang="{{.Words.OtherLang}}" hreflang="{{.Words.OtherLang}}">{{.Words.Other}}</a><a href="/api/">{{.Words.API}}</a></nav>
<main><h1>{{.Words.Title}}</h1>{{with .Message}}<p class="note">{{.}}</p>{{end}}
{{range .Games}}<h2>{{.Title}}</h2>{{range .Draws}}
<table><caption>{{$.Words.Day}} {{.Day}} · {{$.Words.Closes}} <time datetime="{{.ClosesAt}}">{{.Closes}}</time>{{with .Jackpot}} · {{$.Words.Jackpot}} {{.}}{{end}}</caption>
<thead><tr><th scope="col">{{$.Words.Pack}}</th><th scope="col">{{$.Words.Share}}</th><th scope="col">{{$.Words.Left}}</th></tr></thead>
<tbody>{{range .Packs}}<tr><td>{{.Type}}</td><td class="n">{{.Share}}</td><td class="n">{{.Left}}</td></tr>{{else}}<tr><td colspan="3">{{$.Words.NoPacks}}</td></tr>{{end}}</tbody></table>{{end}}
{{else}}<p>{{.Words.None}}</p>{{end}}
{{with .Rounds}}<h2>{{$.Words.Rounds}}</h2>{{range .}}<p>{{.Title}}{{with .Price}} · {{$.Words.Price}} {{.}}{{end}}{{with .Message}} · {{.}}{{end}}</p>{{end}}{{end}}
</main></html>
`))

type packView struct{ Type, Share, Left any }

type drawView struct {
	Day, Closes, ClosesAt, Jackpot string
	Packs                          []packView
}

type gameView struct {
	Title string
	Draws []drawView
}

type roundView struct{ Title, Price, Message string }

// ServeHTTP shows what is on sale now.
func (p *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text := french
	if r.URL.Query().Get("lang") == central.English {
		text = english
	}
	snap, err := p.store.Snapshot(r.Context())
	if err != nil {
		http.Error(w, "503", http.StatusServiceUnavailable)
		return
	}
	defer snap.Close()
	offers, err := central.ReadCatalogue(r.Context(), snap, p.clock.Now())
	if err != nil {
		http.Error(w, "503", http.StatusServiceUnavailable)
		return
	}
	var b bytes.Buffer
	if err := page.Execute(&b, text.view(offers)); err != nil {
		http.Error(w, "500", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", text.Lang)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // who is gone needs no answer
}

// view picks from the catalogue what the page shows.
func (t words) view(c *central.Catalogue) map[string]any {
	var list []gameView
	for _, g := range c.Games {
		v := gameView{Title: g.Title}
		for _, d := range g.Draws {
			if d.OnSale {
				v.Draws = append(v.Draws, t.draw(d))
			}
		}
		if len(v.Draws) > 0 {
			list = append(list, v)
		}
	}
	var rounds []roundView
	for _, o := range c.Rounds {
		v := roundView{Title: o.Title, Message: t.pick(o.French, o.English)}
		if o.Price > 0 {
			v.Price = t.euros(o.Price)
		}
		rounds = append(rounds, v)
	}
	return map[string]any{"Words": t, "Style": template.CSS(style), "Games": list, "Rounds": rounds, "Message": t.pick(c.Packs.French, c.Packs.English)}
}

func (t words) draw(d central.DrawOffer) drawView {
	v := drawView{Day: d.Day, Closes: t.instant(d.ClosesAt), ClosesAt: d.ClosesAt.UTC().Format(time.RFC3339)}
	if d.Jackpot > 0 {
		v.Jackpot = t.euros(d.Jackpot)
	}
	for _, p := range d.Packs {
		if p.OnSale {
			v.Packs = append(v.Packs, packView{p.Type, t.euros(p.SharePrice), p.Stock.Left})
		}
	}
	return v
}

func (t words) pick(fr, en string) string {
	if t.Lang == central.French {
		return fr
	}
	return en
}

func (t words) euros(c money.Cents) string { return t.pick(c.French(), c.English()) }

func (t words) instant(at time.Time) string {
	at = at.In(games.Paris)
	return t.pick(at.Format("02/01/2006 à 15:04"), at.Format("2 January 2006 at 15:04"))
}
