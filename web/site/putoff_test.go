package site_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/web"
	"tirage/web/site"
)

// When the day of effect of the game or of the packs is put off, the pages carry the message of article 1, in both languages, until it is over.
func TestMessageOfArticleOne(t *testing.T) {
	covers.Covers(t, "D5")
	for _, c := range []struct {
		service, until string
		before, after  time.Time
		page           string
	}{
		{"donuts", "2019-07-02", time.Date(2019, 6, 20, 10, 0, 0, 0, time.UTC), time.Date(2019, 7, 2, 10, 0, 0, 0, time.UTC), "/"},
		{central.ServicePacks, "2018-11-05", time.Date(2018, 10, 20, 10, 0, 0, 0, time.UTC), time.Date(2018, 11, 5, 10, 0, 0, 0, time.UTC), "/packs"},
	} {
		t.Run(c.service, func(t *testing.T) {
			store := &mem.Store{}
			w := storetest.NewWorld(t, store)
			w.Clock.Set(c.before)
			w.Do("staff/one", central.PutOff{Service: c.service, Until: c.until, Why: "the application is late"})
			server := serveWorld(t, w)
			message := func(lang string) string {
				snap, err := store.Snapshot(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer snap.Close()
				o, err := central.ReadOffer(t.Context(), snap, c.service, w.Clock.Now())
				if err != nil {
					t.Fatal(err)
				}
				if lang == "fr" {
					return o.French
				}
				return o.English
			}
			// Of a day of effect that is ahead and stands, the pages say that plays will be possible in principle.
			planned := message("fr")
			v := &visitor{t, server.URL, &http.Client{}}
			v.says(v.inLanguage(c.page, "fr"), planned)
			w.Do("staff/two", central.ConfirmPutOff{Service: c.service, Until: c.until, Proposer: "staff/one"})
			for _, lang := range []string{"fr", "en"} {
				text := message(lang)
				if text == "" || text == planned {
					t.Fatalf("two people have put off the day, the message is %q", text)
				}
				v.says(v.inLanguage(c.page, lang), text)
			}
			w.Clock.Set(c.after)
			if text := message("fr"); text != "" {
				t.Errorf("the message stands after the day: %q", text)
			}
		})
	}
}

// inLanguage asks for a page in a language, without a cookie.
func (v *visitor) inLanguage(path, lang string) *sight {
	v.Helper()
	jarless := &visitor{v.TB, v.base, &http.Client{Transport: language(lang)}}
	return jarless.get(path)
}

// language sends the language of a browser along.
type language string

func (l language) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Accept-Language", string(l))
	return http.DefaultTransport.RoundTrip(r)
}

// serveWorld serves the site over a world whose clock the test sets.
func serveWorld(t *testing.T, w *storetest.World) *httptest.Server {
	t.Helper()
	public, err := url.Parse("http://localhost")
	if err != nil {
		t.Fatal(err)
	}
	sessions := identity.NewSessions(w.Store, w.Clock)
	entropy := &storetest.Entropy{Seed: 9}
	pages, err := site.New(&web.Host{
		Register: w.Register, Store: w.Store, Clock: w.Clock, Entropy: entropy, Sealer: w.Keys, Sessions: sessions, Public: public, Log: slog.New(slog.DiscardHandler),
		Desk: &identity.Desk{Register: w.Register, Store: w.Store, Entropy: entropy, Passwords: identity.NewPasswords(identity.Params{Time: 1, Memory: 64, Threads: 1}), Sessions: sessions},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	return server
}
