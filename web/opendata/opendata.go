// Package opendata serves what is published of the draws to everybody: an index of the notices, each notice in its forms, and the archive of each game in
// the operator's own format.
//
//	GET /avis/                 the notices, the newest first; ?lang=en, ?game=loto
//	GET /avis/index.json       the same for programs
//	GET /avis/DRAW             one notice as a page
//	GET /avis/DRAW.pdf  .json  .csv
//	GET /avis/GAME.csv         the archive of a game: a row a draw
//
//	pages, err := opendata.New(host)
//	mux.Handle("/avis/", pages)
//
// Nothing here asks who reads it; what is not yet published does not exist here. Pages hold no script.
package opendata

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/notices"
	"tirage/web"
)

// New returns the pages, which stand below /avis/.
func New(h *web.Host) (http.Handler, error) {
	p := &pages{store: h.Store, log: h.Log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /avis/{$}", p.index)
	mux.HandleFunc("GET /avis/index.json", p.list)
	mux.HandleFunc("GET /avis/{file}", p.file)
	return mux, nil
}

type pages struct {
	store central.Reader
	log   *slog.Logger
}

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8888}td.n{text-align:right}
nav a{margin-right:1rem}a{display:inline-block;min-height:24px}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}ul.codes{columns:12rem}`

var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

type words struct{ Lang, Other, OtherLang, Title, Draw, Claims, None, Archive, All, Forms string }

var texts = map[notices.Lang]words{
	notices.French:  {"fr", "English", "en", "Avis de résultats", "Tirage", "Gains payables jusqu’au", "Aucun avis n’est publié.", "Archives par jeu (CSV)", "Tous les avis", "Formats"},
	notices.English: {"en", "Français", "fr", "Notices of results", "Draw", "Gains payable through", "No notice is published.", "Archives by game (CSV)", "All notices", "Formats"},
}

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="{{.W.Lang}}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tirage – {{.W.Title}}</title><style>{{.Style}}</style>
<nav><a href="/avis/?lang={{.W.Lang}}">{{.W.All}}</a><a href="?lang={{.W.OtherLang}}" lang="{{.W.OtherLang}}" hreflang="{{.W.OtherLang}}">{{.W.Other}}</a></nav>
<main><h1>{{.W.Title}}</h1>
{{if .Notice}}{{.Notice}}<p>{{.W.Forms}}: <a href="{{.Draw}}.pdf?lang={{.W.Lang}}">PDF</a> <a href="{{.Draw}}.json">JSON</a> <a href="{{.Draw}}.csv">CSV</a></p>
{{else}}{{with .Games}}<p>{{$.W.Archive}}: {{range .}}<a href="{{.}}.csv">{{.}}</a> {{end}}</p>{{end}}
{{with .List}}<table><thead><tr><th scope="col">{{$.W.Draw}}</th><th scope="col">{{$.W.Claims}}</th></tr></thead>
<tbody>{{range .}}<tr><td><a href="{{.Draw}}?lang={{$.W.Lang}}">{{.Draw}}</a></td><td>{{.Claims}}</td></tr>
{{end}}</tbody></table>{{else}}<p>{{.W.None}}</p>{{end}}{{end}}
</main></html>
`))

type pageView struct {
	W      words
	Style  template.CSS
	Notice template.HTML
	Draw   string
	Games  []string
	List   []*central.Notice
}

// lang is the language that a request asks for: French unless it says English.
func lang(r *http.Request) notices.Lang {
	if r.URL.Query().Get("lang") == string(notices.English) {
		return notices.English
	}
	return notices.French
}

func (p *pages) published(ctx context.Context) (list []*central.Notice, err error) {
	snap, err := p.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	return notices.Published(ctx, snap)
}

// index lists the notices.
func (p *pages) index(w http.ResponseWriter, r *http.Request) {
	list, err := p.published(r.Context())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	v := pageView{Games: gamesOf(list)}
	if game := r.URL.Query().Get("game"); game != "" {
		list = slices.DeleteFunc(list, func(n *central.Notice) bool { return n.Game != game })
	}
	v.List = list
	p.page(w, r, &v)
}

func gamesOf(list []*central.Notice) (names []string) {
	for _, n := range list {
		names = append(names, n.Game)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// entry is one notice in the index for programs.
type entry struct {
	Draw    string            `json:"draw"`
	Game    string            `json:"game"`
	Day     string            `json:"day"`
	Version int64             `json:"version"`
	Claims  string            `json:"claims_until"`
	Files   map[string]string `json:"files"` // by form
}

// list is the index for programs: the notices, and the archive of each game.
func (p *pages) list(w http.ResponseWriter, r *http.Request) {
	list, err := p.published(r.Context())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	out := struct {
		Notices  []entry           `json:"notices"`
		Archives map[string]string `json:"archives"` // by game
	}{[]entry{}, map[string]string{}}
	for _, n := range list {
		at := "/avis/" + n.Draw
		out.Notices = append(out.Notices, entry{n.Draw, n.Game, n.Day, n.Version, n.Claims, map[string]string{"html": at, "pdf": at + ".pdf", "json": at + ".json", "csv": at + ".csv"}})
		out.Archives[n.Game] = "/avis/" + n.Game + ".csv"
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		p.fail(w, r, err)
		return
	}
	send(w, "application/json", append(text, '\n'))
}

// file serves one notice in one form, or the archive of a game.
func (p *pages) file(w http.ResponseWriter, r *http.Request) {
	list, err := p.published(r.Context())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	name, form, _ := strings.Cut(r.PathValue("file"), ".")
	if form == "csv" && slices.Contains(gamesOf(list), name) {
		text, err := notices.CSV(name, list)
		p.answer(w, r, "text/csv", text, err)
		return
	}
	i := slices.IndexFunc(list, func(n *central.Notice) bool { return n.Draw == name })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	n := list[i]
	switch form {
	case "":
		v := pageView{Draw: n.Draw}
		if v.Notice, err = notices.HTML(n, lang(r)); err != nil {
			p.fail(w, r, err)
			return
		}
		p.page(w, r, &v)
	case "pdf":
		text, err := notices.PDF(n, lang(r))
		p.answer(w, r, "application/pdf", text, err)
	case "json":
		text, err := notices.JSON(n)
		p.answer(w, r, "application/json", text, err)
	case "csv":
		text, err := notices.Row(n, list)
		p.answer(w, r, "text/csv", text, err)
	default:
		http.NotFound(w, r)
	}
}

func (p *pages) page(w http.ResponseWriter, r *http.Request, v *pageView) {
	v.W, v.Style = texts[lang(r)], style
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", policy)
	send(w, "text/html; charset=utf-8", b.Bytes())
}

func (p *pages) answer(w http.ResponseWriter, r *http.Request, kind string, text []byte, err error) {
	if err != nil {
		p.fail(w, r, err)
		return
	}
	send(w, kind, text)
}

func send(w http.ResponseWriter, kind string, text []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(text) // who asked has gone
}

// fail answers for a fault of ours: what it was is the operator's to see.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	p.log.Error("open data", "path", r.URL.Path, "error", fmt.Sprint(err))
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}
