package tower_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/identity"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/web"
	"tirage/web/kit"
	"tirage/web/tower"
)

// fair is an operator with the pages of the game.
type fair struct {
	*storetest.World
	desk   *identity.Desk
	server *httptest.Server
	table  *ladder.Table
	pages  http.Handler
}

// list is a ban list that names nobody.
type list struct{ w *storetest.World }

func (l list) Ask(_ context.Context, p *central.Person) (string, error) {
	return central.SignPaper(central.Clearance{Person: p.Digest(), List: "list", At: l.w.Clock.Now().UnixMicro()}, l.w.Keys.BanList)
}

// open starts a register and its pages over a store; seed is that of the secrets.
func open(t testing.TB, store central.Store, seed uint64) *fair {
	t.Helper()
	f := &fair{desk: &identity.Desk{Store: store, Entropy: &storetest.Entropy{Seed: 500 + seed}, Passwords: identity.NewPasswords(identity.Params{Time: 1, Memory: 64, Threads: 1})}}
	f.World = storetest.NewWorld(t, store, func(c *central.Config) {
		c.Entropy = &storetest.Entropy{Seed: 1_000 + seed}
		f.desk.Sessions = identity.NewSessions(store, c.Clock)
		c.OnCommit = f.desk.Sessions.Committed
	})
	f.desk.Register, f.desk.BanList = f.Register, list{f.World}
	book, err := games.Version("donuts@2019-06-25")
	if err != nil {
		t.Fatal(err)
	}
	f.table = book.Ladder
	public, err := url.Parse("http://localhost")
	if err != nil {
		t.Fatal(err)
	}
	f.pages, err = tower.New(&web.Host{
		Register: f.Register, Store: store, Clock: f.Clock, Entropy: &storetest.Entropy{Seed: 2_000 + seed}, Sealer: f.Keys, Desk: f.desk, Sessions: f.desk.Sessions,
		Croupier: &central.Croupier{Register: f.Register, Store: store, Clock: f.Clock}, Public: public, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/donuts", f.pages)
	mux.Handle("/donuts/", f.pages)
	mux.Handle("/assets/", kit.Files)
	mux.HandleFunc("/enter", func(w http.ResponseWriter, r *http.Request) { // a browser comes in with a session
		http.SetCookie(w, web.Cookie(r.FormValue("token"), false))
		for _, name := range []string{"tirage_lang", "tirage_theme"} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: r.FormValue(name), Path: "/"})
		}
		http.Redirect(w, r, r.FormValue("to"), http.StatusSeeOther)
	})
	f.server = httptest.NewServer(http.NewCrossOriginProtection().Handler(mux))
	t.Cleanup(f.server.Close)
	return f
}

func fresh(t testing.TB) *fair { return open(t, &mem.Store{}, 0) }

const password = "correct horse battery"

// person is a player with a session.
type person struct {
	id    int64
	token string
}

// join registers a player with limits and a deposit.
func (f *fair) join(name string, deposit money.Cents) person {
	f.Helper()
	receipt, err := f.desk.SignUp(f.Context(), "join-"+name, identity.Form{Given: "Player", Family: name, Birth: "1980-02-29", Email: name + "@example.org", Password: password})
	if err != nil {
		f.Fatal(err)
	}
	var created central.PlayerCreated
	storetest.Result(f.World, receipt, &created)
	id := created.Player
	f.Confirm(id)
	for _, of := range []string{central.LimitStakes, central.LimitDeposits} {
		f.Do(central.PlayerPrincipal(id), central.SetLimit{Player: id, Of: of, Cents: 1_000_000})
	}
	p := f.login(name)
	f.Deposit(id, deposit)
	return p
}

// login opens another session of a player: another device.
func (f *fair) login(name string) person {
	f.Helper()
	in, err := f.desk.Login(f.Context(), name+"@example.org", password)
	if err != nil {
		f.Fatal(err)
	}
	return person{in.Player, in.Token}
}

// wait lets time pass.
func (f *fair) wait(d time.Duration) { f.Clock.Set(f.Clock.Now().Add(d)) }

func read[R central.Row](f *fair, k central.Key) (r R) {
	f.Helper()
	snap, err := f.Store.Snapshot(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	defer snap.Close()
	row, err := snap.Get(f.Context(), k)
	if err != nil || row == nil {
		f.Fatalf("row %v: %v", k, err)
	}
	return row.(R)
}

// round is the round that the player has open, or the last one.
func (f *fair) round(player int64) *central.Round {
	f.Helper()
	seat := read[*central.Seat](f, central.Key{Table: central.Seats, S: tower.Game, N: player})
	return read[*central.Round](f, central.Key{Table: central.Rounds, S: tower.Game, N: int64(seat.Last)})
}

// fate finds a part of the device with which the next series stands or falls, at the given item at the earliest. Nobody can do that without the key that
// seals the secrets.
func (f *fair) fate(player int64, stable bool) string {
	return f.fateWhere(player, func(s ladder.Series) bool { return s.Stable() == stable })
}

func (f *fair) fateWhere(player int64, good func(ladder.Series) bool) string {
	f.Helper()
	r := f.round(player)
	of := fairness.LadderSeries{Round: r.ID.Bytes(), N: uint16(r.Step + 1)}
	b, err := f.Keys.Open(r.Secret, fmt.Sprintf("ladder/%x/%d", of.Round, of.N))
	if err != nil {
		f.Fatal(err)
	}
	for n := uint64(0); ; n++ {
		c := fairness.Contribution{8: byte(n >> 56), 9: byte(n >> 48), 10: byte(n >> 40), 11: byte(n >> 32), 12: byte(n >> 24), 13: byte(n >> 16), 14: byte(n >> 8), 15: byte(n)}
		state := ladder.State{Level: int(r.Step), Sum: r.Sum, Stars: int(r.Stars)}
		if _, series := replay.Draw(f.table, state, of, fairness.Secret(b), c); good(series) {
			return hex.EncodeToString(c[:])
		}
	}
}

// page is an answer to a request without a browser.
type page struct {
	status int
	path   string // that it came from, redirects followed
	body   string
}

// ask sends a request as a player; a form is posted.
func (f *fair) ask(p person, path string, form url.Values, header ...string) page {
	f.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	req, err := http.NewRequestWithContext(f.Context(), method, f.server.URL+path, strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if p.token != "" {
		req.AddCookie(web.Cookie(p.token, false))
	}
	client := &http.Client{CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		if p.token != "" {
			next.AddCookie(web.Cookie(p.token, false))
		}
		return nil
	}}
	res, err := client.Do(req)
	if err != nil {
		f.Fatal(err)
	}
	defer res.Body.Close()
	var b strings.Builder
	if _, err := fmt.Fprint(&b, readAll(f, res)); err != nil {
		f.Fatal(err)
	}
	return page{res.StatusCode, res.Request.URL.RequestURI(), b.String()}
}

// shots is the folder for screenshots, "" when none are asked for.
var shots = os.Getenv("TIRAGE_SHOTS")

func shot(t testing.TB, name string, png []byte) {
	t.Helper()
	if shots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(shots, name+".png"), png, 0o600); err != nil {
		t.Fatal(err)
	}
}
