package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/server"
	"tirage/store/sql"
	"tirage/vault"
)

// running is a server over a fresh SQLite file.
type running struct {
	*testing.T
	*server.Server
	store *sql.Store
	stop  context.CancelFunc
	ended chan error
}

func start(t *testing.T, dir string, change ...func(*server.Config)) *running {
	t.Helper()
	store, err := sql.OpenSQLite(t.Context(), filepath.Join(dir, "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := vault.Open(filepath.Join(dir, "keys"), vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "banlist.txt")
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Config{
		Store: store, Keys: keys, Clock: vault.SystemClock{}, Entropy: vault.SystemEntropy{}, Listener: listener, Log: slog.New(slog.DiscardHandler), BanList: list,
		ProviderKey: []byte("a key that both sides share"), MailDir: filepath.Join(dir, "mail"), Games: []string{"loto", "euromillions"},
		Passwords: identity.Params{Time: 1, Memory: 64, Threads: 1},
	}
	for _, f := range change {
		f(&cfg)
	}
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	r := &running{T: t, Server: s, store: store, stop: stop, ended: make(chan error, 1)}
	go func() { r.ended <- s.Run(ctx) }()
	return r
}

// end stops the server; its books must balance.
func (r *running) end() {
	r.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.Error(err)
	}
	if err := central.CheckBooks(context.Background(), r.store); err != nil {
		r.Error(err)
	}
	if err := r.store.Close(); err != nil {
		r.Error(err)
	}
}

func (r *running) do(method, path, token, key string, body any, out any) int {
	r.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		r.Fatal(err)
	}
	req, err := http.NewRequestWithContext(r.Context(), method, r.Base+path, bytes.NewReader(text))
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		r.Fatal(err)
	}
	if out != nil {
		if err := json.Unmarshal(b, out); err != nil {
			r.Fatalf("%s %s: %d %s", method, path, res.StatusCode, b)
		}
	}
	return res.StatusCode
}

func (r *running) text(path string) (int, string) {
	r.Helper()
	res, err := http.Get(r.Base + path)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		r.Fatal(err)
	}
	return res.StatusCode, string(b)
}

const password = "correct horse battery"

// A player's deposit goes through the provider's page and its signed notice, over HTTP; the server stops with books that balance, and a new one on the
// same file goes on with the same session.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	for range 200 { // until it listens and is ready
		if status, _ := r.text("/readyz"); status == http.StatusOK {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var created central.PlayerCreated
	form := map[string]string{"given": "Zoé", "family": "Noël", "birth": "1980-02-29", "email": "zoe@example.org", "password": password}
	if status := r.do("POST", "/api/v1/players", "", "join", form, &created); status != http.StatusCreated {
		t.Fatal(status)
	}
	for _, c := range []central.Command{central.VerifyIdentity{Player: created.Player, Evidence: "passport"}} {
		if _, err := r.Register.Do(t.Context(), central.Request{Principal: central.SystemPrincipal, Key: "verify", Command: c}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Desk.Confirm(t.Context(), central.SystemPrincipal, "confirm", created.Player); err != nil {
		t.Fatal(err)
	}
	var session struct{ Token string }
	r.do("POST", "/api/v1/sessions", "", "", map[string]string{"email": "zoe@example.org", "password": password}, &session)
	r.do("PUT", "/api/v1/me/limits/deposits", session.Token, "", map[string]int{"cents": 10_000}, nil)
	var asked struct{ Address string }
	if status := r.do("POST", "/api/v1/deposits", session.Token, "deposit", map[string]int{"cents": 5000}, &asked); status != http.StatusCreated || !strings.HasPrefix(asked.Address, r.Base+"/provider/pay/") {
		t.Fatalf("%d %+v", status, asked)
	}
	res, err := http.PostForm(asked.Address, url.Values{"outcome": {"paid"}})
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", res, err)
	}
	res.Body.Close()
	balance := func(r *running) int {
		var me struct{ Balance int }
		r.do("GET", "/api/v1/me", session.Token, "", nil, &me)
		return me.Balance
	}
	for range 500 {
		if balance(r) == 5000 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := balance(r); got != 5000 {
		t.Errorf("balance %d after the provider's notice", got)
	}
	for path, want := range map[string]string{
		"/healthz": "alive", "/readyz": "ready", "/metrics": `tirage_commands_total{kind="settle_payment"} 1`, "/": `lang="fr"`, "/?lang=en": `lang="en"`,
		"/api/": "Idempotency-Key",
	} {
		if status, text := r.text(path); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d, without %q", path, status, want)
		}
	}
	// A stream of events does not keep the server from stopping.
	stream, err := http.Get(r.Base + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	r.end()
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}

	r = start(t, dir)
	for range 200 {
		if status, _ := r.text("/readyz"); status == http.StatusOK {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := balance(r); got != 5000 {
		t.Errorf("balance %d after the restart", got)
	}
	r.end()
}
