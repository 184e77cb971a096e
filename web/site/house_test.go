package site_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/demo"
	"tirage/server"
	"tirage/store/mem"
	"tirage/vault"
)

// house is a whole operator with some past: the demo's, behind a real server.
type house struct {
	testing.TB
	*server.Server
	store central.Store
	keys  *vault.Keys
}

// open starts an operator of the demo.
func open(t testing.TB) *house {
	t.Helper()
	store := &mem.Store{}
	keys, err := vault.New(vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	list := filepath.Join(dir, "banlist.txt")
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), demo.Config{Store: store, Keys: keys, BanList: list, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Config{
		Store: store, Keys: keys, Clock: vault.SystemClock{}, Entropy: vault.SystemEntropy{}, Listener: listener, Log: slog.New(slog.DiscardHandler), BanList: list,
		ProviderKey: []byte("a key that both sides share"), MailDir: filepath.Join(dir, "mail"), Games: demo.Games, Packs: demo.Packs, Elsewhere: demo.Elsewhere,
		Passwords: demo.Passwords,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
		if err := central.CheckBooks(context.Background(), store); err != nil {
			t.Error(err)
		}
	})
	return &house{t, s, store, keys}
}

// confirm has the identity of a player verified and confirmed, as two members of the staff do.
func (h *house) confirm(email string) {
	h.Helper()
	var player int64
	h.view(func(snap central.Snapshot) error {
		return snap.Scan(h.Context(), central.Range{From: central.Key{Table: central.Persons}}, func(r central.Row) error {
			if p := r.(*central.Person); p.Email == email {
				player = p.Player
			}
			return nil
		})
	})
	if player == 0 {
		h.Fatalf("nobody has the address %s", email)
	}
	_, err := h.Register.Do(h.Context(), central.Request{Principal: central.StaffPrincipal("care"), Key: "verify-" + email, Command: central.VerifyIdentity{Player: player, Evidence: "passport"}})
	if err != nil {
		h.Fatal(err)
	}
	if _, err := h.Desk.Confirm(h.Context(), central.StaffPrincipal("operator"), "confirm-"+email, player); err != nil {
		h.Fatal(err)
	}
}

func (h *house) view(f func(central.Snapshot) error) {
	h.Helper()
	snap, err := h.store.Snapshot(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	defer snap.Close()
	if err := f(snap); err != nil {
		h.Fatal(err)
	}
}

// pack is a pack that is on sale with at least so many shares left: its draw and its type.
func (h *house) pack(shares int64) (draw, kind string) {
	h.Helper()
	h.view(func(snap central.Snapshot) error {
		c, err := central.ReadCatalogue(h.Context(), snap, time.Now())
		if err != nil {
			return err
		}
		for _, g := range c.Games {
			for _, d := range g.Draws {
				for _, p := range d.Packs {
					if p.OnSale && p.Stock.Largest >= shares && time.Until(d.ClosesAt) > time.Hour {
						draw, kind = d.Draw, p.Type
						return nil
					}
				}
			}
		}
		return nil
	})
	if draw == "" {
		h.Fatal("no pack is on sale")
	}
	return draw, kind
}

// visitor is a browser without scripts.
type visitor struct {
	testing.TB
	base   string
	client *http.Client
}

func (h *house) visitor() *visitor {
	h.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.Fatal(err)
	}
	return &visitor{h, h.Base, &http.Client{Jar: jar}}
}

// player logs in.
func (h *house) player(email string) *visitor {
	h.Helper()
	v := h.visitor()
	p := v.post("/login", url.Values{"email": {email}, "password": {demo.Password}})
	if p.path != "/" {
		h.Fatalf("the login leads to %s: %.300s", p.path, p.body)
	}
	return v
}

// sight is a page that came back.
type sight struct {
	status int
	header http.Header
	path   string // where the redirects led, with the query
	body   string
}

func (v *visitor) do(method, path string, form url.Values) *sight {
	v.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(v.Context(), method, v.base+path, body)
	if err != nil {
		v.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		v.Fatal(err)
	}
	return &sight{res.StatusCode, res.Header, res.Request.URL.RequestURI(), plain(string(text))}
}

func (v *visitor) get(path string) *sight { v.Helper(); return v.do("GET", path, nil) }

func (v *visitor) post(path string, form url.Values) *sight {
	v.Helper()
	return v.do("POST", path, form)
}

// says fails the test unless the page says each text.
func (v *visitor) says(p *sight, texts ...string) {
	v.Helper()
	for _, text := range texts {
		if !strings.Contains(p.body, plain(text)) {
			v.Errorf("%s (%d) does not say %q: %.3000s", p.path, p.status, text, p.body)
		}
	}
}

// field is the value of a hidden field of a page.
func (v *visitor) field(p *sight, name string) string {
	v.Helper()
	_, after, ok := strings.Cut(p.body, fmt.Sprintf(`name="%s" value="`, name))
	if !ok {
		v.Fatalf("%s has no field %q: %.2000s", p.path, name, p.body)
	}
	value, _, _ := strings.Cut(after, `"`)
	return value
}

func plain(s string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(s)
}
