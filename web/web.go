// Package web holds what everything that a browser sees shares: what pages are made of ([Host]), who asks ([Who]) and how a browser proves it
// ([Cookie], [Token]).
//
// A package of pages has one constructor, and a row in the list of the server (server/pages.go) that says below which path it answers:
//
//	// New returns the pages of the player site.
//	func New(h *web.Host) (http.Handler, error)
//
// The handler sees whole paths. Around it the server recovers from panics, refuses what a page of another site sends, bounds what is sent and sets the
// headers that no page goes without; a policy for content (Content-Security-Policy) is each page's own.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"tirage/central"
	"tirage/central/events"
	"tirage/identity"
)

// Host is the part of a server that pages are made of.
type Host struct {
	// Register does commands, Store is read.
	Register *central.Register
	Store    central.Store
	Clock    central.Clock
	Entropy  central.Entropy
	Sealer   central.Sealer

	// Desk registers people and logs them in, Sessions (the desk's) checks their tokens.
	Desk     *identity.Desk
	Sessions *identity.Sessions
	Passkeys *identity.Passkeys

	// Croupier starts rounds of a ladder; Operator steers draws, Schedule opens and closes them; Payments asks for deposits.
	Croupier *central.Croupier
	Operator *central.Operator
	Schedule *central.Schedule
	Payments central.Payments

	// Control says how the independent control stands.
	Control func() ControlState

	// Logs proves what was entered in the log; LogKey is the public key that its checkpoints are signed with.
	Logs   *central.Log
	LogKey string

	// Feed tells what changes, live. Who follows it stops when Stopping is closed.
	Feed     *events.Feed
	Stopping <-chan struct{}

	// Public is the address under which people reach the server; with https the cookie of a session is kept to it.
	Public *url.URL
	Log    *slog.Logger
}

// ControlState says whether the independent control can count the plays of a sealed draw, which waits until it can.
type ControlState string

const (
	ControlReady    ControlState = "ready"
	ControlBuilding ControlState = "building" // from its source, beside the server
	ControlMissing  ControlState = "missing"
)

// Secure says whether people reach the server by https.
func (h *Host) Secure() bool { return h.Public.Scheme == "https" }

// Caller is who asks.
type Caller struct {
	Principal string
	Role      central.Role
	Player    int64            // of a player
	Session   *central.Session // of a player or a member of the staff; nil for others
	Name      string           // of a member of the staff or a program
	Token     string           // that proves it; it is never shown
}

// Visitor is who has not logged in.
var Visitor = Caller{Principal: "visitor", Role: central.RoleVisitor}

// Who returns whose token it is: a player's, a member of the staff's, or a program's. A token that proves nothing is refused, whatever is wrong with it.
func Who(ctx context.Context, desk *identity.Desk, token string) (*Caller, error) {
	if identity.IsProgram(token) {
		p, err := desk.Program(ctx, token)
		if err != nil {
			return nil, err
		}
		return &Caller{Principal: central.ProgramPrincipal(p.ID), Role: central.Role(p.Role), Name: p.Name, Token: token}, nil
	}
	s, err := desk.Sessions.Check(ctx, token)
	if err != nil {
		return nil, err
	}
	member, err := desk.Sessions.Member(ctx, s.Player)
	switch {
	case err != nil:
		return nil, err
	case member != nil && member.Ended != 0:
		return nil, central.NoSession()
	case member != nil:
		return &Caller{Principal: central.StaffPrincipal(member.Name), Role: central.Role(member.Role), Session: s, Name: member.Name, Token: token}, nil
	}
	return &Caller{Principal: central.PlayerPrincipal(s.Player), Role: central.RolePlayer, Player: s.Player, Session: s, Token: token}, nil
}

// CookieName names the cookie that holds the token of a browser's session. No script reads it.
const CookieName = "tirage_session"

// Token returns the token that a browser sends in its cookie, "" without one.
func Token(r *http.Request) string {
	c, err := r.Cookie(CookieName)
	if err != nil {
		return ""
	}
	return c.Value
}

// Cookie gives a browser the token of its session, or with "" takes it away. Pages and API share it.
func Cookie(token string, secure bool) *http.Cookie {
	c := &http.Cookie{
		Name: CookieName, Value: token, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode, MaxAge: int(identity.MaxAge / time.Second),
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}
