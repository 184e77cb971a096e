// Package kit is the design system of the pages: their look, their words and what every page needs of a request.
//
//   - [Assets] are files embedded in the program, served compressed under names that change with their contents.
//   - [Lang] is the language of a page. Both texts of a sentence stand side by side, [Lang.T]; money, odds, numbers and dates are written as that
//     language writes them.
//   - [Visit] is one request for a page: who asks, in which language, what stands on the strip above the page. Its methods answer.
//   - The components (*.templ) are the parts of pages: [Site] the frame of the player site, [Document] a bare page, [Planche] a sheet of shares …
//     The page /kit of the player site shows them all.
//
// A package of pages holds a [UI] and gives it functions of a visit:
//
//	ui := kit.New(host, kit.Options{})
//	mux.HandleFunc("GET /packs", ui.Anyone(func(v *kit.Visit) error {
//		return v.Show(kit.Page{Title: v.T("Packs", "Packs"), Nav: kit.NavPacks}, packsPage(v))
//	}))
//	mux.HandleFunc("GET /account", ui.Player(accountPage))
//
// An error that such a function returns becomes a page in words: a refusal says what was found and what is accepted, anything else stays between the
// operator and the log.
//
// # Policy
//
// Nothing is inline and nothing comes from elsewhere: no style attribute, no script but the files of [Assets]. The policy says so to the browser
// ([Policy]). State changes by POST alone, which the server takes from its own pages only (http.CrossOriginProtection); a form that moves money
// carries the key of its request ([Visit.Key]), so that whoever sends it twice has done it once.
package kit

import (
	"embed"
	"net/http"

	"tirage/central"
	"tirage/web"
)

//go:embed assets
var files embed.FS

// Prefix is where the files of the kit are served: by the player site, for all pages.
const Prefix = "/assets/"

// Files are the files of the kit.
var Files = NewAssets(Prefix, files)

// Policy is the Content-Security-Policy of all pages.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// UI makes pages for one host.
type UI struct {
	Host *web.Host
	opts Options
}

// Options say how a package of pages differs from the player site.
type Options struct {
	// Login is where whoever is not logged in is sent, "/login" unless said.
	Login string
	// Policy is the Content-Security-Policy, that of the kit unless said.
	Policy string
	// Cookie gives a browser the token of its session, or with "" takes it away; that of the player site unless said.
	Cookie func(token string, secure bool) *http.Cookie
	// Frame is what an error page stands in, that of the player site unless said.
	Frame Frame
}

// New returns what makes pages for a host.
func New(h *web.Host, o Options) *UI {
	if o.Login == "" {
		o.Login = "/login"
	}
	if o.Policy == "" {
		o.Policy = Policy
	}
	if o.Cookie == nil {
		o.Cookie = web.Cookie
	}
	if o.Frame == nil {
		o.Frame = Site
	}
	return &UI{Host: h, opts: o}
}

// Handler answers a visit. What it returns is shown in words.
type Handler func(*Visit) error

// Anyone serves a page to whoever asks.
func (u *UI) Anyone(f Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := u.visit(w, r)
		if err == nil {
			err = f(v)
		}
		if err != nil {
			v.fail(err)
		}
	}
}

// Staff serves a page to members of the staff who may see a view; whoever is not logged in logs in first and comes back.
func (u *UI) Staff(view string, f Handler) http.HandlerFunc {
	return u.Anyone(func(v *Visit) error {
		if !central.Permitted.Staff(v.Caller.Role) {
			return v.toLogin()
		}
		if err := central.CheckView(v.Caller.Role, view); view != "" && err != nil {
			return err
		}
		return f(v)
	})
}

// Player serves a page to players; whoever is not logged in logs in first and comes back.
func (u *UI) Player(f Handler) http.HandlerFunc {
	return u.Anyone(func(v *Visit) error {
		if v.Caller.Player == 0 {
			return v.toLogin()
		}
		return f(v)
	})
}
