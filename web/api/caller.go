package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/identity"
)

// Caller is who asks.
type Caller struct {
	Principal string
	Role      central.Role
	Player    int64            // of a player
	Session   *central.Session // of a player or a member of the staff; nil for others
	Name      string           // of a member of the staff or a program
	token     string
	err       error // why the token is worth nothing
}

type callerKey struct{}

var visitor = &Caller{Principal: "visitor", Role: central.RoleVisitor}

// callerOf returns who asks, a visitor when nobody is logged in.
func callerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return visitor
}

// may refuses a caller whose role may not ask for a route.
func (c *Caller) may(r Route) error {
	switch {
	case slices.Contains(r.Roles(), c.Role):
		return nil
	case c.Role == central.RoleVisitor:
		return errLogin
	case r.View != "":
		return central.CheckView(c.Role, r.View)
	}
	return central.NotPermitted(c.Role, r.Roles())
}

var errLogin = &central.Refusal{Code: central.Forbidden, Reason: "principal.none", Text: "log in first", French: "Connectez-vous d’abord."}

// cookie holds the token of a browser's session. No script reads it.
const cookieName = "tirage_session"

// authenticate finds out who asks, by the bearer token or else by the cookie.
func (a *API) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			if c, err := r.Cookie(cookieName); err == nil {
				token = c.Value
			}
		}
		if token != "" {
			who, err := a.who(r.Context(), token)
			if err != nil {
				who = &Caller{Principal: visitor.Principal, Role: visitor.Role, err: err}
			}
			r = r.WithContext(context.WithValue(r.Context(), callerKey{}, who))
		}
		next.ServeHTTP(w, r)
	})
}

// who returns whose token it is.
func (a *API) who(ctx context.Context, token string) (*Caller, error) {
	if identity.IsProgram(token) {
		p, err := a.Desk.Program(ctx, token)
		if err != nil {
			return nil, err
		}
		return &Caller{Principal: central.ProgramPrincipal(p.ID), Role: central.Role(p.Role), Name: p.Name, token: token}, nil
	}
	s, err := a.Desk.Sessions.Check(ctx, token)
	if err != nil {
		return nil, err
	}
	member, err := a.Desk.Sessions.Member(ctx, s.Player)
	switch {
	case err != nil:
		return nil, err
	case member != nil && member.Ended != 0:
		return nil, central.NoSession()
	case member != nil:
		return &Caller{Principal: central.StaffPrincipal(member.Name), Role: central.Role(member.Role), Session: s, Name: member.Name, token: token}, nil
	}
	return &Caller{Principal: central.PlayerPrincipal(s.Player), Role: central.RolePlayer, Player: s.Player, Session: s, token: token}, nil
}

// cookie gives a browser the token of its session, or takes it away.
func (a *API) cookie(token string) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: token, Path: "/", HttpOnly: true, Secure: a.Secure, SameSite: http.SameSiteLaxMode, MaxAge: int(identity.MaxAge / time.Second),
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}

// result reads the result of a receipt.
func result[O any](r central.Receipt) (*O, error) {
	out := new(O)
	if err := json.Unmarshal(r.Result, out); err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	return out, nil
}

// view reads in a snapshot.
func (a *API) view(ctx context.Context, f func(central.Snapshot) error) error {
	snap, err := a.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	return f(snap)
}

// get returns a row, or nil.
func get[R central.Row](ctx context.Context, snap central.Snapshot, k central.Key) (r R, err error) {
	row, err := snap.Get(ctx, k)
	if row == nil || err != nil {
		return r, err
	}
	return row.(R), nil
}
