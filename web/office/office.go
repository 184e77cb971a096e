// Package office is the back office: the calendar of draws, one page a draw with its state and what it waits for, and the draw room, from which a whole
// evening is run. Members of the staff log in; the roles of docs/permissions.md decide what each sees and may do.
//
//	pages, err := office.New(host)
//	mux.Handle("/office/", pages)
//
//	/office/dashboard             sales by hour, type and pack, what is owed, the funds
//	/office/draws                 the calendar
//	/office/draws/{draw}          one draw: state, what is missing, who does it, acts, papers
//	/office/draws/{draw}/room     the draw room, as the role of whoever asks sees it
//	/office/packs                 pack types: drawn up, previewed, put on sale by two people
//	/office/players               player care: found by name, play, receipt or QR code; what care may do
//	/office/incidents             holds, postponements, interrupted and late draws, services put off
//	/office/log                   the audit browser: entries, leaves with their proof, all books verified now
//	/office/log/replay            every table rebuilt from the log alone and compared, with its progress
//	/office/rules                 versions of the rulebooks side by side
//	/office/exports/{report}      each report as CSV, XLSX, PDF or JSON
//	/office/funds, /office/staff  what stands in the funds and roundings; accounts and roles
//
// An act is a command of the person in the log ([kit.Visit.Do]): the page keeps nothing. What is refused is said on the page that the form came from, with
// what was typed.
package office

import (
	"embed"
	"net/http"
	"sync"
	"time"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/exports"
	"tirage/identity"
	"tirage/web"
	"tirage/web/kit"
)

//go:embed assets
var files embed.FS

// Path is where the back office stands.
const Path = "/office/"

var assets = kit.NewAssets(Path+"assets/", files, kit.Files)

// office is the back office of one host.
type office struct {
	*kit.UI
	host     *web.Host
	checking sync.Mutex // held while the books are checked
	replay   replaying
}

// Route is a page or form of the back office, in the words of http.ServeMux.
type Route struct {
	Pattern string
	serve   http.Handler
}

// New returns the pages of the back office.
func New(h *web.Host) (http.Handler, error) {
	mux := http.NewServeMux()
	for _, r := range Routes(h) {
		mux.Handle(r.Pattern, r.serve)
	}
	return mux, nil
}

// cookieName names the cookie of a session of the staff: no page of the player site is sent it.
const cookieName = "tirage_office"

func cookie(token string, secure bool) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: token, Path: Path, HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode, MaxAge: int(identity.MaxAge / time.Second),
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}

// Routes lists the pages of the back office: a test visits each.
func Routes(h *web.Host) []Route {
	o := &office{host: h}
	o.UI = kit.New(h, kit.Options{Login: Path + "login", Cookie: cookie, Frame: frame})
	var routes []Route
	add := func(pattern string, serve http.Handler) { routes = append(routes, Route{pattern, serve}) }
	staff := func(pattern, view string, f kit.Handler) { add(pattern, o.Staff(view, f)) }

	add("GET "+Path+"assets/", assets)
	add("GET "+Path+"choose", http.HandlerFunc(o.Choose))
	add(Path, o.Anyone(func(v *kit.Visit) error { return v.NotFound() }))
	add("GET "+Path+"login", o.Anyone(o.showLogin))
	add("POST "+Path+"login", o.Anyone(o.login))
	add("POST "+Path+"logout", o.Anyone(o.logout))

	staff("GET "+Path+"{$}", "", o.home)
	staff("GET "+Path+"dashboard", "reports", o.dashboard)
	staff("GET "+Path+"draws", "draws", o.draws)
	staff("GET "+Path+"draws/{draw}", "draws", o.draw)
	staff("GET "+Path+"draws/{draw}/room", "draws", o.room)
	for _, a := range acts {
		staff("POST "+Path+"draws/{draw}/"+a.verb, "draws", o.act(a))
	}
	staff("GET "+Path+"packs", "draws", o.packs)
	staff("GET "+Path+"packs/new", "draws", o.newPack)
	staff("POST "+Path+"packs", "draws", o.proposePack)
	staff("GET "+Path+"packs/{design}", "draws", o.design)
	staff("POST "+Path+"packs/{design}/activate", "draws", o.decide(activatePack))
	staff("POST "+Path+"packs/{design}/end", "draws", o.decide(endPack))
	staff("GET "+Path+"players", "players", o.players)
	staff("GET "+Path+"players/{player}", "players", o.player)
	staff("POST "+Path+"players/{player}/verify", "players", o.care(verifyIdentity))
	staff("POST "+Path+"players/{player}/revoke", "players", o.care(revokeSessions))
	staff("GET "+Path+"identities", "draws", o.identities)
	staff("POST "+Path+"identities/{player}", "draws", o.confirmIdentity)
	for _, report := range exports.Reports() {
		path := Path + "exports/" + report.Name
		if report.Player {
			path = Path + "players/{player}/" + report.Name
		}
		staff("GET "+path, report.View, o.export(report))
	}
	staff("GET "+Path+"log", "log", o.log)
	staff("POST "+Path+"log/check", "log", o.checkBooks)
	staff("GET "+Path+"log/replay", "log", o.showReplay)
	staff("POST "+Path+"log/replay", "log", o.startReplay)
	staff("GET "+Path+"incidents", "draws", o.incidents)
	staff("GET "+Path+"log/{node}/{index}", "log", o.leaf)
	staff("GET "+Path+"rules", "draws", o.rules)
	staff("GET "+Path+"funds", "reports", o.funds)
	staff("GET "+Path+"staff", "staff", o.staff)
	staff("POST "+Path+"staff/{name}/role", "staff", o.changeStaff(setRole))
	staff("POST "+Path+"staff/{name}/end", "staff", o.changeStaff(endStaff))
	return routes
}

// part is a part of the back office.
type part struct {
	path, icon, fr, en string
	view               string // that one needs
}

var parts = []part{
	{"dashboard", "chart", "Tableau de bord", "Dashboard", "reports"},
	{"draws", "cal", "Tirages", "Draws", "draws"},
	{"incidents", "flag", "Incidents", "Incidents", "draws"},
	{"packs", "sheet", "Packs", "Packs", "draws"},
	{"players", "people", "Joueurs", "Players", "players"},
	{"identities", "user", "Identités", "Identities", "draws"},
	{"funds", "fund", "Fonds et arrondis", "Funds and rounding", "reports"},
	{"log", "seal", "Journal et preuves", "Log and proofs", "log"},
	{"rules", "book", "Règlements", "Rulebooks", "draws"},
	{"staff", "key", "Personnel", "Staff", "staff"},
}

// seen lists the parts that a role sees.
func seen(v *kit.Visit) (list []part) {
	for _, p := range parts {
		if central.Permitted.MaySee(v.Caller.Role, p.view) && (p.path != "identities" || may(v, central.ConfirmIdentity{}.Kind())) {
			list = append(list, p)
		}
	}
	return list
}

// may says whether the role of whoever asks may do a command.
func may(v *kit.Visit, kind string) bool {
	for _, r := range central.Permitted.Commands[kind] {
		if r == v.Caller.Role {
			return true
		}
	}
	return false
}

// page is a page of the back office.
func page(title, nav string) kit.Page {
	return kit.Page{Title: title, Nav: kit.Nav(nav), Styles: []string{assets.Path("bo.css")}}
}

// frame puts the rail and the bar around a body. An error page has no style of its own, so it is given here.
func frame(v *kit.Visit, p kit.Page, body templ.Component) templ.Component {
	if len(p.Styles) == 0 {
		p.Styles = []string{assets.Path("bo.css")}
	}
	p.Title += v.T(", back-office", ", back office")
	return kit.Document(v, p, framed(v, p, body))
}

// roleWords are the roles as the pages name them.
func roleWords(v *kit.Visit, r central.Role) string {
	switch r {
	case "operator":
		return v.T("Opérateur", "Operator")
	case central.RoleEnterer:
		return v.T("Saisie", "Enterer")
	case "officer":
		return v.T("Officier du tirage", "Draw officer")
	case central.RoleAuditor:
		return v.T("Auditeur", "Auditor")
	case "finance":
		return v.T("Finances", "Finance")
	case "care":
		return v.T("Service joueurs", "Player care")
	case central.RoleAdmin:
		return v.T("Administrateur", "Admin")
	}
	return string(r)
}

// home sends everybody to the first part that they see.
func (o *office) home(v *kit.Visit) error {
	if list := seen(v); len(list) > 0 {
		return v.Go(Path + list[0].path)
	}
	return v.Show(page(v.T("Back-office", "Back office"), ""), nothingPage(v))
}

// form is what was typed, and what is wrong with it.
type form struct {
	verb  string // the act that was refused, "" for none
	field string
	wrong string
}

func (o *office) showLogin(v *kit.Visit) error {
	if v.Caller.Session != nil {
		return v.Go(Path)
	}
	return v.Write(kit.Document(v, page(v.T("Entrer", "Log in"), ""), loginPage(v, form{})))
}

func (o *office) login(v *kit.Visit) error {
	in, err := o.host.Desk.LoginStaff(v.Context(), v.Form("name"), v.R.FormValue("password"))
	if r := kit.Refused(err); r != nil {
		return v.Status(http.StatusUnprocessableEntity).Write(kit.Document(v, page(v.T("Entrer", "Log in"), ""), loginPage(v, form{wrong: v.Said(r)})))
	}
	if err != nil {
		return err
	}
	v.SetCookie(cookie(in.Token, o.host.Secure()))
	next := kit.Local(v.Form("next"))
	if len(next) < len(Path) || next[:len(Path)] != Path {
		next = Path
	}
	return v.Go(next)
}

func (o *office) logout(v *kit.Visit) error {
	if v.Caller.Session != nil {
		if err := o.host.Desk.Logout(v.Context(), v.Caller.Token); err != nil {
			return err
		}
	}
	v.SetCookie(cookie("", o.host.Secure()))
	return v.Go(Path + "login")
}
