// Package verify serves the page /verify/, on which anybody drops a receipt, a published draw, a round or a checkpoint and reads whether it is genuine. The browser
// checks it: assets/verify.wasm.gz is cmd/verify, the same code as the program, and nothing that is dropped leaves the machine.
//
//	mux.Handle("/verify/", verify.Handler(keys.Public(central.RoleLog)))
//
// A page can lie about what it runs. Who wants to be sure takes the program, or the module and the key from elsewhere: the page says so, lets the key be
// replaced, and shows the digest of the module that it loads, which anybody makes from the source (go generate ./web/verify).
//
// The Content-Security-Policy lets this page alone run WebAssembly, and lets it load nothing from elsewhere.
package verify

//go:generate go test -run TestWASM -update .

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

// policy is the Content-Security-Policy of the page and of what it loads.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Module returns the WebAssembly module.
var Module = sync.OnceValues(func() ([]byte, error) {
	packed, err := assets.ReadFile("assets/verify.wasm.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
})

// page is what the template is given.
type page struct {
	Lang, Key, Digest string
	French            bool
}

var templates = template.Must(template.ParseFS(assets, "assets/page.html"))

// Handler serves the page under /verify/ with the public key of the operator's log. The language is that of ?lang, or what the browser prefers.
func Handler(key string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /verify/{$}", func(w http.ResponseWriter, r *http.Request) { servePage(w, r, key) })
	mux.HandleFunc("GET /verify/verify.wasm", serveModule)
	for name, mime := range map[string]string{"verify.js": "text/javascript; charset=utf-8", "wasm_exec.js": "text/javascript; charset=utf-8", "verify.css": "text/css; charset=utf-8"} {
		mux.HandleFunc("GET /verify/"+name, func(w http.ResponseWriter, _ *http.Request) {
			data, err := assets.ReadFile("assets/" + name)
			answer(w, mime, data, err)
		})
	}
	return mux
}

func servePage(w http.ResponseWriter, r *http.Request, key string) {
	module, err := Module()
	if err != nil {
		answer(w, "", nil, err)
		return
	}
	p := page{Lang: "en", Key: key, Digest: fmt.Sprintf("%x", sha256.Sum256(module))}
	lang := r.URL.Query().Get("lang")
	if lang == "" {
		lang = r.Header.Get("Accept-Language")
	}
	if lang == "" || strings.HasPrefix(lang, "fr") {
		p.Lang, p.French = "fr", true
	}
	var b bytes.Buffer
	err = templates.ExecuteTemplate(&b, "page.html", p)
	w.Header().Set("Vary", "Accept-Language")
	answer(w, "text/html; charset=utf-8", b.Bytes(), err)
}

// serveModule sends the module packed to whoever takes it so.
func serveModule(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		data, err := assets.ReadFile("assets/verify.wasm.gz")
		if err == nil {
			w.Header().Set("Content-Encoding", "gzip")
		}
		answer(w, "application/wasm", data, err)
		return
	}
	data, err := Module()
	answer(w, "application/wasm", data, err)
}

func answer(w http.ResponseWriter, mime string, body []byte, err error) {
	head := w.Header()
	if err != nil { // the files are part of the program
		http.Error(w, "the page cannot be shown now", http.StatusInternalServerError)
		return
	}
	head.Set("Content-Type", mime)
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cache-Control", "no-cache")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who hangs up is told nothing
}
