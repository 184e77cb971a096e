package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"tirage/web"
	"tirage/web/office"
	"tirage/web/opendata"
	"tirage/web/site"
	"tirage/web/tower"
	"tirage/web/verify"
)

// page is a package of pages and the path below which it answers: a path without a slash at its end is answered itself, too.
type page struct {
	path string
	open func(*web.Host) (http.Handler, error)
}

// pages stand beside the API. The one at "/" gets what no other path takes.
var pages = []page{
	{"/", site.New},
	{tower.Path, tower.New},
	{office.Path, office.New},
	{"/avis/", opendata.New},
	{"/verify/", verify.New},
}

// maxForm bounds what a page is sent, in bytes: several times the largest order.
const maxForm = 64 << 10

// mount opens the pages and gives each its path.
func (s *Server) mount(mux *http.ServeMux, host *web.Host) error {
	for _, p := range pages {
		h, err := p.open(host)
		if err != nil {
			return fmt.Errorf("pages at %s: %w", p.path, err)
		}
		h = s.guard(h)
		mux.Handle(p.path, h)
		if !strings.HasSuffix(p.path, "/") {
			mux.Handle(p.path+"/", h)
		}
	}
	return nil
}

// guard puts around pages what none goes without.
func (s *Server) guard(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // until the page says more
		if r.ContentLength > maxForm {
			h.Set("Connection", "close")
			plain(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("too long: accepted at most %d bytes", maxForm))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		defer s.survive(w, r)
		next.ServeHTTP(w, r)
	})
}

// survive answers for a page that panics, where nothing was answered yet.
func (s *Server) survive(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	s.cfg.Log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("path", r.URL.Path), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
	if rec, ok := w.(*recorder); !ok || rec.status == 0 {
		plain(w, http.StatusInternalServerError, "something went wrong here; nothing was done twice")
	}
}
