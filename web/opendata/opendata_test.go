package opendata_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tirage/evening"
	"tirage/store/mem"
	"tirage/testdata/evenings"
	"tirage/vault"
	"tirage/web"
	"tirage/web/opendata"
)

// The index, each form of a notice and the archive of its game are there once the draw is published, and nothing else is.
func TestOpenData(t *testing.T) {
	store := &mem.Store{}
	pages, err := opendata.New(&web.Host{Store: store, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	if w := get("/avis/"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Aucun avis") {
		t.Errorf("before: %d %s", w.Code, w.Body)
	}
	s, err := evening.Parse(evenings.Loto20200622File, evenings.Loto20200622)
	if err != nil {
		t.Fatal(err)
	}
	o := evening.Options{Store: store, Entropy: &evening.Rehearsal{Seed: 1}}
	if o.Keys, err = vault.New(o.Entropy); err != nil {
		t.Fatal(err)
	}
	if _, err := evening.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][2]string{
		"/avis/":                        {"text/html; charset=utf-8", `href="loto-2020-06-22?lang=fr"`},
		"/avis/?lang=en&game=loto":      {"text/html; charset=utf-8", "Notices of results"},
		"/avis/?game=superloto":         {"text/html; charset=utf-8", "Aucun avis"},
		"/avis/index.json":              {"application/json", `"csv": "/avis/loto-2020-06-22.csv"`},
		"/avis/loto-2020-06-22":         {"text/html; charset=utf-8", "lundi 22 juin 2020"},
		"/avis/loto-2020-06-22?lang=en": {"text/html; charset=utf-8", "Monday 22 June 2020"},
		"/avis/loto-2020-06-22.pdf":     {"application/pdf", "%PDF-1."},
		"/avis/loto-2020-06-22.json":    {"application/json", `"draw": "loto-2020-06-22"`},
		"/avis/loto-2020-06-22.csv":     {"text/csv", "20200075;LUNDI   ;22/06/2020;"},
		"/avis/loto.csv":                {"text/csv", "annee_numero_de_tirage;jour_de_tirage;"},
	} {
		w := get(path)
		if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || kind != want[0] || !strings.Contains(w.Body.String(), want[1]) {
			t.Errorf("%s: %d %s, want %s with %q in\n%.600s", path, w.Code, kind, want[0], want[1], w.Body)
		}
	}
	for _, path := range []string{"/avis/loto-2020-06-23", "/avis/loto-2020-06-22.exe", "/avis/superloto.csv", "/avis/..%2f..%2fetc", "/avis/loto-2020-06-22.csv.pdf"} {
		if w := get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
