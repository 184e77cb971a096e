// Package site is the player site: draws and packs, the order from the first number to the receipt, the account, results, odds and rules.
//
//	pages, err := site.New(host)
//	mux.Handle("/", pages)
//
// Pages ask the domain itself, not the API. An order goes through three pages, and nothing is written before the third:
//
//	GET  /play/{game}, /packs/{draw}/{type}            the choice: everything that the articles order to be shown before a play
//	GET  /plays/{draw}/{play}/again                    « rejouer »: the choice of a replay, at the price of today
//	GET  /play/{game}/subscribe, /groups/{draw}/{group} the choice of a subscription (Abo+), of a group play
//	GET  …/recap?…                                     the recap of a quote, which can be asked for again and again
//	POST /confirm                                      irrevocable; answers with the address of the receipt, so that a reload shows it
//	POST /modify                                       « Modifier »: drops the quote and leads back to the choice with all that was chosen
//	GET  /plays/{draw}/{play}                          the receipt, which is the play in the history
//
// The choice stands in the address of the page, so that the back button, a second tab and a link keep it.
package site

import (
	"embed"
	"net/http"

	"tirage/central"
	"tirage/web"
	"tirage/web/kit"
)

//go:embed assets
var files embed.FS

// prefix is where the files of the site are served.
const prefix = "/site/"

var assets = kit.NewAssets(prefix, files, kit.Files)

// site is the player site of one host.
type site struct {
	*kit.UI
	host   *web.Host
	groups *central.GroupDesk
}

// Route is a page or form of the site, in the words of http.ServeMux.
type Route struct {
	Pattern string
	serve   http.Handler
}

// New returns the pages of the player site.
func New(h *web.Host) (http.Handler, error) {
	mux := http.NewServeMux()
	for _, r := range Routes(h) {
		mux.Handle(r.Pattern, r.serve)
	}
	return mux, nil
}

// Routes lists the pages of the site: a test visits each. Without a host they can be listed and not served.
func Routes(h *web.Host) []Route {
	s := &site{UI: kit.New(h, kit.Options{}), host: h}
	if h != nil { // the ban list is asked about the members of a group as about those who log in
		s.groups = &central.GroupDesk{Register: h.Register, Store: h.Store, BanList: h.Desk.BanList}
	}
	var routes []Route
	add := func(pattern string, serve http.Handler) { routes = append(routes, Route{pattern, serve}) }
	anyone := func(pattern string, f kit.Handler) { add(pattern, s.Anyone(f)) }
	player := func(pattern string, f kit.Handler) { add(pattern, s.Player(f)) }

	add("GET "+kit.Prefix, kit.Files)
	add("GET "+prefix, assets)
	add("GET /choose", http.HandlerFunc(s.Choose))
	anyone("/", func(v *kit.Visit) error { return v.NotFound() })
	anyone("GET /{$}", s.home)
	anyone("GET /kit", s.showKit)

	anyone("GET /login", s.showLogin)
	anyone("POST /login", s.login)
	add("POST /logout", s.Anyone(s.logout))
	anyone("GET /register", s.showRegister)
	anyone("POST /register", s.register)
	player("GET /check", s.check)
	player("POST /check", s.acknowledge)

	anyone("GET /packs", s.packs)
	anyone("GET /packs/{draw}/{type}", s.pack)
	player("GET /packs/{draw}/{type}/recap", s.packRecap)
	anyone("GET /play/{game}", s.play)
	player("GET /play/{game}/recap", s.playRecap)
	player("GET /play/{game}/subscribe", s.subscribe)
	player("GET /play/{game}/subscribe/recap", s.subscribeRecap)
	player("GET /subscriptions", s.subscriptions)
	player("POST /subscriptions/pause", s.pauseSubscription)
	player("POST /subscriptions/resume", s.resumeSubscription)
	player("POST /subscriptions/end", s.endSubscription)
	player("GET /play/{game}/group", s.proposal)
	player("POST /play/{game}/group", s.propose)
	player("GET /groups", s.groupList)
	player("GET /groups/{draw}/{group}", s.group)
	player("GET /groups/{draw}/{group}/recap", s.groupRecap)
	player("POST /groups/{draw}/{group}/join", s.joinGroup)
	player("POST /groups/{draw}/{group}/leave", s.leaveGroup)
	player("POST /confirm", s.confirm)
	player("POST /modify", s.modify)
	player("GET /plays", s.plays)
	player("GET /plays/{draw}/{play}", s.receipt)
	player("GET /plays/{draw}/{play}/again", s.again)
	player("GET /plays/{draw}/{play}/again/recap", s.againRecap)
	player("GET /plays/{draw}/{play}/receipt.json", s.receiptFile)
	player("GET /plays/{draw}/{play}/receipt.pdf", s.receiptPDF)

	anyone("GET /results", s.results)
	anyone("GET /results/{draw}", s.result)
	anyone("GET /results/{draw}/papers/{kind}", s.paper)
	anyone("GET /results/{draw}/proof/{leaf}", s.leafProof)
	anyone("GET /odds", s.odds)
	anyone("GET /rules", s.rules)
	anyone("GET /rules/{version}", s.rulebook)

	player("GET /account", s.account)
	player("GET /account/deposit", s.showDeposit)
	player("POST /account/deposit", s.deposit)
	player("GET /account/payments/{payment}", s.payment)
	player("GET /account/withdraw", s.showWithdraw)
	player("POST /account/withdraw", s.withdraw)
	player("GET /account/statement", s.statement)
	player("GET /account/statement/export", s.exportStatement)
	player("GET /account/limits", s.showLimits)
	player("POST /account/limits", s.setLimit)
	player("POST /account/limits/cancel", s.cancelRaise)
	player("POST /account/interval", s.setInterval)
	player("GET /account/pause", s.showPause)
	player("POST /account/pause", s.pause)
	player("GET /account/inbox", s.inbox)
	player("POST /account/inbox", s.readInbox)
	player("GET /account/sessions", s.sessions)
	player("POST /account/sessions/close", s.closeSession)
	player("POST /account/passkeys/remove", s.removePasskey)
	player("POST /account/password", s.password)
	return routes
}

// page is a page of the site with its own files.
func page(title string, nav kit.Nav, tint string, scripts ...string) kit.Page {
	p := kit.Page{Title: title, Nav: nav, Tint: tint, Styles: []string{assets.Path("site.css")}}
	for _, s := range scripts {
		p.Scripts = append(p.Scripts, assets.Path(s))
	}
	return p
}
