package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"sort"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// page shows the contract to people: one document without a script, a style of its own and nothing from elsewhere.
type page struct {
	body, zipped []byte
}

// operationView is an operation on the page.
type operationView struct {
	ID, Method, Path, Summary, Description string
	Body, Answer                           string
	Parameters                             []string
}

type tagView struct {
	Name, About string
	Operations  []operationView
}

// pageStyle is the style of the page; the policy of the page names its hash, so no other is taken.
const pageStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font:.95em ui-monospace,monospace}h2{margin-top:2.5rem;border-bottom:1px solid;text-transform:capitalize}
article{margin:1.25rem 0}h3{margin:0;font-size:1rem}p{margin:.2rem 0}b{display:inline-block;min-width:4.5rem}`

var pagePolicy = func() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tirage API</title>
<style>{{.Style}}</style>
<main><h1>tirage API</h1><p>{{.About}}</p><p>The contract for programs: <a href="{{.Prefix}}/openapi.json">{{.Prefix}}/openapi.json</a> (OpenAPI 3.1), <a href="{{.Prefix}}/openapi.yaml">YAML</a>.</p>
<nav>{{range .Tags}}<a href="#{{.Name}}">{{.Name}}</a> {{end}}</nav>
{{range .Tags}}<section id="{{.Name}}"><h2>{{.Name}}</h2><p>{{.About}}</p>
{{range .Operations}}<article id="{{.ID}}"><h3><b>{{.Method}}</b> <code>{{.Path}}</code></h3><p>{{.Summary}}. {{.Description}}</p>
{{range .Parameters}}<p><code>{{.}}</code></p>{{end}}{{if .Body}}<p>Takes <code>{{.Body}}</code></p>{{end}}{{if .Answer}}<p>Answers <code>{{.Answer}}</code></p>{{end}}</article>
{{end}}</section>{{end}}</main></html>
`))

func newPage(a *API) (*page, error) {
	doc := a.huma.OpenAPI()
	byTag := map[string]*tagView{}
	var tags []*tagView
	for _, t := range doc.Tags {
		v := &tagView{Name: t.Name, About: t.Description}
		byTag[t.Name], tags = v, append(tags, v)
	}
	for _, r := range a.routes {
		op := operationOf(doc, r)
		v := operationView{ID: r.ID, Method: r.Method, Path: Prefix + r.Path, Summary: r.Summary, Description: op.Description}
		for _, p := range op.Parameters {
			v.Parameters = append(v.Parameters, strings.TrimSpace(fmt.Sprintf("%s (%s) %s", p.Name, p.In, p.Description)))
		}
		if op.RequestBody != nil {
			v.Body = schemaName(op.RequestBody.Content["application/json"])
		}
		for status, answer := range op.Responses {
			if strings.HasPrefix(status, "2") {
				v.Answer = schemaName(answer.Content["application/json"])
			}
		}
		byTag[r.Tag].Operations = append(byTag[r.Tag].Operations, v)
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{"About": doc.Info.Description, "Prefix": Prefix, "Tags": tags, "Style": template.CSS(pageStyle)})
	if err != nil {
		return nil, err
	}
	p := &page{body: b.Bytes()}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(p.body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	p.zipped = z.Bytes()
	return p, nil
}

func operationOf(doc *huma.OpenAPI, r Route) *huma.Operation {
	item := doc.Paths[r.Path]
	switch r.Method {
	case http.MethodPost:
		return item.Post
	case http.MethodPut:
		return item.Put
	case http.MethodDelete:
		return item.Delete
	}
	return item.Get
}

func schemaName(m *huma.MediaType) string {
	if m == nil || m.Schema == nil {
		return ""
	}
	return strings.TrimPrefix(m.Schema.Ref, "#/components/schemas/")
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "public, max-age=300")
	body := p.body
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
		body = p.zipped
	}
	_, _ = w.Write(body) // who is gone needs no answer
}

func sortTags(tags []*huma.Tag) {
	sort.Slice(tags, func(i, j int) bool { return tags[i].Name < tags[j].Name })
}
