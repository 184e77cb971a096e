package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/central/events"
	"tirage/identity"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/web/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// list is a ban list that names nobody.
type list struct{ w *storetest.World }

func (l list) Ask(_ context.Context, p *central.Person) (string, error) {
	return central.SignPaper(central.Clearance{Person: p.Digest(), List: "list", At: l.w.Clock.Now().UnixMicro()}, l.w.Keys.BanList)
}

// provider takes every order.
type provider struct{}

func (provider) Collect(_ context.Context, o central.PaymentOrder) (string, error) {
	return "https://pay.example/" + o.Payment, nil
}
func (provider) PayOut(context.Context, central.PaymentOrder) error { return nil }

// office is an operator behind the API.
type office struct {
	*storetest.World
	desk   *identity.Desk
	api    *api.API
	server *httptest.Server
}

func open(t testing.TB, change ...func(*api.Config)) *office {
	t.Helper()
	store := &mem.Store{}
	feed := events.NewFeed(store)
	o := &office{desk: &identity.Desk{Store: store, Entropy: &storetest.Entropy{Seed: 5}, Passwords: identity.NewPasswords(identity.Params{Time: 1, Memory: 64, Threads: 1})}}
	o.World = storetest.NewWorld(t, store, func(c *central.Config) {
		c.AllowReconstructed, c.QuotesOnly = false, true
		o.desk.Sessions = identity.NewSessions(store, c.Clock)
		c.OnCommit = func(done []central.Done) {
			o.desk.Sessions.Committed(done)
			feed.Committed(done)
		}
	})
	o.desk.Register, o.desk.BanList = o.Register, list{o.World}
	passkeys, err := identity.NewPasskeys(o.desk, o.Clock, "localhost", "tirage", "http://localhost")
	if err != nil {
		t.Fatal(err)
	}
	cfg := api.Config{
		Register: o.Register, Store: store, Clock: o.Clock, Entropy: &storetest.Entropy{Seed: 6}, Sealer: o.Keys, Desk: o.desk, Passkeys: passkeys,
		Croupier: &central.Croupier{Register: o.Register, Store: store, Clock: o.Clock}, Operator: o.Operator, Payments: provider{}, Feed: feed,
		Logs: &central.Log{Store: store, Signer: o.Keys.Log, Operator: "tirage.example"},
	}
	for _, f := range change {
		f(&cfg)
	}
	if o.api, err = api.New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { feed.Run(ctx) })
	o.server = httptest.NewServer(o.api.Handler())
	t.Cleanup(func() { o.api.Stop(); o.server.Close(); cancel(); running.Wait() })
	return o
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) problem(t testing.TB) *api.Problem {
	t.Helper()
	p := &api.Problem{}
	if err := json.Unmarshal(a.body, p); err != nil || a.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%d %s: %s", a.status, a.header.Get("Content-Type"), a.body)
	}
	return p
}

// ask sends a request; the body is JSON text or a value.
func (o *office) ask(method, path, token, key string, body any) answer {
	o.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			o.Fatal(err)
		}
		r = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(o.Context(), method, o.server.URL+api.Prefix+path, r)
	if err != nil {
		o.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		o.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, text}
}

// must reads the answer to a request that succeeds.
func must[O any](o *office, method, path, token, key string, body any) *O {
	o.Helper()
	a := o.ask(method, path, token, key, body)
	if a.status/100 != 2 {
		o.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	out := new(O)
	if err := json.Unmarshal(a.body, out); err != nil {
		o.Fatalf("%s %s: %v in %s", method, path, err, a.body)
	}
	return out
}

const password = "correct horse battery"

// staff opens an account of the staff named after its role and logs in.
func (o *office) staff(role string) string {
	o.Helper()
	if _, err := o.desk.Hire(o.Context(), central.SystemPrincipal, "hire-"+role, role, role, password); err != nil {
		o.Fatal(err)
	}
	return must[api.LoggedIn](o, "POST", "/staff/sessions", "", "", map[string]string{"name": role, "password": password}).Token
}

// join registers a player through the API, has the identity confirmed, chooses limits, logs in and deposits.
func (o *office) join(name string, deposit money.Cents) (player string, token string) {
	o.Helper()
	created := must[central.PlayerCreated](o, "POST", "/players", "", "join-"+name, map[string]string{
		"given": "Player", "family": name, "birth": "1980-02-29", "email": name + "@example.org", "password": password,
	})
	player = fmt.Sprint(created.Player)
	care, operator := o.staff("care"), o.staff("operator")
	must[central.Identity](o, "POST", "/staff/players/"+player+"/verify", care, "", map[string]string{"evidence": "passport"})
	must[central.Identity](o, "POST", "/staff/players/"+player+"/confirm", operator, "", nil)
	token = must[api.LoggedIn](o, "POST", "/sessions", "", "", map[string]string{"email": name + "@example.org", "password": password}).Token
	for _, of := range []string{"stakes", "deposits"} {
		must[central.Limit](o, "PUT", "/me/limits/"+of, token, "", map[string]int{"cents": 1_000_000})
	}
	if deposit > 0 {
		asked := must[api.DepositAsked](o, "POST", "/deposits", token, "deposit-"+name, map[string]any{"cents": deposit})
		o.World.Do("provider/test", storetest.Settled(o.World, asked.PaymentState, true))
	}
	return player, token
}

// sale puts a Loto draw with packs on sale.
func (o *office) sale() string {
	o.Helper()
	return o.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: o.Clock.Now(), ClosesAt: o.Clock.Now().Add(10 * time.Minute), Packs: []central.PackOffer{
		{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3},
	}})
}

// The contract is what is committed.
func TestContract(t *testing.T) {
	o := open(t)
	a := o.ask("GET", "/openapi.json", "", "", nil)
	var doc map[string]any
	if err := json.Unmarshal(a.body, &doc); err != nil || doc["openapi"] != "3.1.0" {
		t.Fatalf("%v, %.200s", err, a.body)
	}
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile("openapi.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(golden, text) {
		t.Error("openapi.json is not the contract of the code: look at the difference after go test ./web/api -run TestContract -update")
	}
}
