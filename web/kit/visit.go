package kit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/web"
)

// Visit is one request for a page.
type Visit struct {
	Lang // of the page
	UI   *UI
	R    *http.Request
	// Now is the server's clock, which decides.
	Now time.Time
	// Theme is "light" or "dark" where that was chosen, "" where the system decides.
	Theme string
	// Caller is who asks, [web.Visitor] for whoever is not logged in.
	Caller *web.Caller
	// Purse is what the strip above the page shows of a player, nil for anybody else.
	Purse *Purse

	w      http.ResponseWriter
	status int // of the page, 0 for 200
}

// Purse is what a player always has in view: the balance (disponibilités), how long this session lasts, what today has brought.
type Purse struct {
	Balance money.Cents
	Opened  time.Time   // the session
	Net     money.Cents // gains less stakes of the day in Paris
	Play    bool        // stakes are accepted in this session
	Check   *central.CheckFigures
}

// visit starts a visit. With an error it is that of a visitor, which can be shown.
func (u *UI) visit(w http.ResponseWriter, r *http.Request) (*Visit, error) {
	visitor := web.Visitor
	v := &Visit{Lang: langOf(r), UI: u, R: r, Now: u.Host.Clock.Now().UTC(), Theme: themeOf(r), Caller: &visitor, w: w}
	token := u.token(r)
	if token == "" {
		return v, nil
	}
	who, err := web.Who(r.Context(), u.Host.Desk, token)
	switch {
	case central.CodeOf(err) == central.Forbidden: // an old session
		http.SetCookie(w, u.opts.Cookie("", u.Host.Secure()))
		return v, nil
	case err != nil:
		return v, err
	}
	v.Caller = who
	if who.Player == 0 {
		return v, nil
	}
	return v, v.View(v.readPurse)
}

// token returns the token that a browser sends in the cookie of these pages, "" without one.
func (u *UI) token(r *http.Request) string {
	c, err := r.Cookie(u.opts.Cookie("", false).Name)
	if err != nil {
		return ""
	}
	return c.Value
}

// View reads in a snapshot.
func (v *Visit) View(f func(central.Snapshot) error) error {
	snap, err := v.UI.Host.Store.Snapshot(v.Context())
	if err != nil {
		return err
	}
	defer snap.Close()
	return f(snap)
}

func (v *Visit) readPurse(snap central.Snapshot) error {
	pl, err := Get[*central.Player](v.Context(), snap, central.Key{Table: central.Players, N: v.Caller.Player})
	if err != nil {
		return err
	}
	if pl == nil {
		return central.NoSession()
	}
	check, err := central.ReadCheck(v.Context(), snap, v.Caller.Player, v.Now)
	if err != nil {
		return err
	}
	today, err := central.ReadStatement(v.Context(), snap, central.StatementQuery{Player: v.Caller.Player, From: midnight(v.Now), Limit: 1})
	if err != nil {
		return err
	}
	s := v.Caller.Session
	v.Purse = &Purse{Balance: pl.Balance, Opened: time.UnixMicro(s.Opened).UTC(), Net: today.Totals.Net, Play: s.Play == 1, Check: check}
	return nil
}

// midnight is the start of the day in Paris.
func midnight(t time.Time) time.Time {
	y, m, d := t.In(games.Paris).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, games.Paris)
}

// Reload reads the purse again, after a command that moved it.
func (v *Visit) Reload() error {
	v.Now = v.UI.Host.Clock.Now().UTC()
	return v.View(v.readPurse)
}

// Get returns a row, or nil.
func Get[R central.Row](ctx context.Context, snap central.Snapshot, k central.Key) (r R, err error) {
	row, err := snap.Get(ctx, k)
	if row == nil || err != nil {
		return r, err
	}
	return row.(R), nil
}

// Context is that of the request.
func (v *Visit) Context() context.Context { return v.R.Context() }

// Form returns a field of a form or of the query, without the space around it.
func (v *Visit) Form(name string) string { return strings.TrimSpace(v.R.FormValue(name)) }

// Fragment reports whether a script of the page asks for a part of it alone.
func (v *Visit) Fragment() bool { return v.R.Header.Get("HX-Request") == "true" }

// Key returns a new key for a request that a form will make: it grows with time, so that the rows under it do.
func (v *Visit) Key() string {
	var b [16]byte
	if _, err := io.ReadFull(v.UI.Host.Entropy, b[6:]); err != nil {
		panic(fmt.Sprintf("entropy: %v", err)) // nothing may go on without it
	}
	ms := uint64(v.UI.Host.Clock.Now().UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6], b[8] = b[6]&0x0f|0x70, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// keyMax bounds the key that a form carries.
const keyMax = 64

// Do does a command of the caller under the key that the form carries in "key": a form that is sent twice does it once. The result is read into out,
// which may be nil.
func (v *Visit) Do(c central.Command, out any) error {
	key := v.Form("key")
	if key == "" || len(key) > keyMax {
		return &central.Refusal{
			Code: central.Invalid, Reason: "form.key", Field: "key", Text: "the form is incomplete: open its page again; nothing was done",
			French: "Le formulaire est incomplet\u00a0: rouvrez sa page. Rien n’a été fait.",
		}
	}
	receipt, err := v.UI.Host.Register.Do(v.Context(), central.Request{Principal: v.Caller.Principal, Key: key, Command: c})
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(receipt.Result, out); err != nil {
		return fmt.Errorf("result of %s: %w", c.Kind(), err)
	}
	return nil
}

// Status sets the status of the page that is shown next.
func (v *Visit) Status(code int) *Visit {
	v.status = code
	return v
}

// SetCookie gives the browser a cookie.
func (v *Visit) SetCookie(c *http.Cookie) { http.SetCookie(v.w, c) }

// Go sends the browser to another page of this server, by GET.
func (v *Visit) Go(to string) error {
	http.Redirect(v.w, v.R, Local(to), http.StatusSeeOther)
	return nil
}

// toLogin sends whoever is not logged in to log in, and back to this page when it can be asked for again.
func (v *Visit) toLogin() error {
	to := v.UI.opts.Login
	if v.R.Method == http.MethodGet && !v.Fragment() {
		to += "?next=" + url.QueryEscape(v.R.URL.RequestURI())
	} else {
		to += "?ended=1"
	}
	return v.Go(to)
}

// Page says what stands around the body of a page.
type Page struct {
	Title string
	Nav   Nav    // the part of the site that it belongs to
	Bare  bool   // without the bar of tabs on a phone: the game
	Tint  string // of the body: "tint-loto" …
	// Styles and Scripts are further files, by path.
	Styles, Scripts []string
}

// Frame puts a page around a body.
type Frame func(v *Visit, p Page, body templ.Component) templ.Component

// Show answers with a page of the player site.
func (v *Visit) Show(p Page, body templ.Component) error { return v.Write(v.UI.opts.Frame(v, p, body)) }

// Write answers with a component as it is: a whole page, or a part that a script asked for. Nothing is sent before it is whole.
func (v *Visit) Write(c templ.Component) error {
	var b bytes.Buffer
	if err := c.Render(v.Context(), &b); err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(v.Lang))
	h.Set("Content-Security-Policy", v.UI.opts.Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store") // a page shows a balance: the back button asks again
	v.send(b.Bytes())
	return nil
}

// File answers with a file to be kept: it is the player's own, so nobody on the way keeps a copy.
func (v *Visit) File(mime, name string, content []byte) error {
	v.attachment(mime, name)
	v.send(content)
	return nil
}

func (v *Visit) attachment(mime, name string) {
	h := v.w.Header()
	h.Set("Content-Type", mime)
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-store")
}

// fail answers with an error in words.
func (v *Visit) fail(err error) {
	var refusal *central.Refusal
	switch {
	case errors.Is(err, context.Canceled):
		return // who is gone needs no answer
	case errors.As(err, &refusal) && refusal.Reason == central.NoSession().Reason:
		if v.toLogin() == nil {
			return
		}
	}
	trouble := v.trouble(err, refusal)
	if refusal == nil || refusal.Code == central.Internal {
		v.UI.Host.Log.LogAttrs(v.Context(), slog.LevelError, "page failed", slog.String("reference", trouble.Reference), slog.String("path", v.R.URL.Path), slog.String("error", err.Error()))
	}
	v.status = trouble.Status
	body := trouble.body(v)
	if v.Fragment() {
		err = v.Write(body)
	} else {
		err = v.Show(Page{Title: trouble.Title}, body)
	}
	if err != nil {
		v.UI.Host.Log.LogAttrs(v.Context(), slog.LevelError, "error page failed", slog.String("error", err.Error()))
		http.Error(v.w, trouble.Title, trouble.Status)
	}
}

// NotFound is the error of a page that does not exist.
func (v *Visit) NotFound() error {
	return &central.Refusal{Code: central.NotFound, Reason: "page.unknown", Text: "There is no such page.", French: "Cette page n’existe pas."}
}
