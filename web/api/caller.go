package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tirage/central"
	"tirage/web"
)

// Caller is who asks.
type Caller struct {
	web.Caller
	err error // why the token is worth nothing
}

type callerKey struct{}

var visitor = &Caller{Caller: web.Visitor}

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

// authenticate finds out who asks, by the bearer token or else by the cookie.
func (a *API) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			token = web.Token(r)
		}
		if token != "" {
			caller := &Caller{Caller: web.Visitor}
			who, err := web.Who(r.Context(), a.Desk, token)
			if err == nil {
				caller.Caller = *who
			}
			caller.err = err
			r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller))
		}
		next.ServeHTTP(w, r)
	})
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
