// Package verify serves the page /verify/, on which anybody drops a receipt, a published draw, a round or a checkpoint and reads whether it is genuine. The browser
// checks it: assets/verify.wasm.gz is cmd/verify, the same code as the program, and nothing that is dropped leaves the machine.
//
//	pages, err := verify.New(host)
//	mux.Handle("/verify/", pages)
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
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"tirage/web"
	"tirage/web/kit"
)

//go:embed assets/verify.css assets/verify.js assets/wasm_exec.js
var files embed.FS

//go:embed assets/verify.wasm.gz
var packed []byte

// prefix is where the files of the page are served.
const prefix = "/verify/assets/"

var assets = kit.NewAssets(prefix, files, kit.Files)

// policy is that of the kit, with WebAssembly.
var policy = strings.Replace(kit.Policy, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", 1)

// Module returns the WebAssembly module.
var Module = sync.OnceValues(func() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
})

// shown is what the page is given.
type shown struct{ Key, Digest string }

// New returns the page, which stands below /verify/, with the public key of the operator's log.
func New(h *web.Host) (http.Handler, error) {
	module, err := Module()
	if err != nil {
		return nil, err
	}
	s := shown{h.LogKey, fmt.Sprintf("%x", sha256.Sum256(module))}
	ui := kit.New(h, kit.Options{Policy: policy})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /verify/{$}", ui.Anyone(func(v *kit.Visit) error {
		p := kit.Page{
			Title:  v.T("Vérifier un reçu, un tirage, une partie", "Verify a receipt, a draw, a round"),
			Styles: []string{assets.Path("verify.css")}, Scripts: []string{assets.Path("verify.js")},
		}
		return v.Show(p, verifyPage(v, s))
	}))
	mux.HandleFunc("GET /verify/verify.wasm", serveModule)
	mux.Handle("GET "+prefix, assets)
	mux.HandleFunc("/verify/", ui.Anyone(func(v *kit.Visit) error { return v.NotFound() }))
	return mux, nil
}

// serveModule sends the module packed to whoever takes it so.
func serveModule(w http.ResponseWriter, r *http.Request) {
	head, body := w.Header(), packed
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		head.Set("Content-Encoding", "gzip")
	} else {
		body, _ = Module() // it was unpacked when the page was made
	}
	head.Set("Vary", "Accept-Encoding")
	head.Set("Content-Type", "application/wasm")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-cache")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who hangs up is told nothing
}
