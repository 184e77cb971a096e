package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"tirage/central"
	"tirage/identity"
	"tirage/rules/money"
	"tirage/web"
)

// RegisterBody is what a person fills in to open an account.
type RegisterBody struct {
	Given    string `json:"given" minLength:"1" maxLength:"100"`
	Family   string `json:"family" minLength:"1" maxLength:"100"`
	Birth    string `json:"birth" maxLength:"10" example:"1980-02-29" doc:"YYYY-MM-DD"`
	Email    string `json:"email" maxLength:"254"`
	Password string `json:"password" maxLength:"256" doc:"10 characters at least"`
}

// LoginBody is what a player logs in with.
type LoginBody struct {
	Email    string `json:"email" maxLength:"254"`
	Password string `json:"password" maxLength:"256"`
}

// LoggedIn is a session that was opened. Programs send its token as « Authorization: Bearer »; browsers get it as a cookie too.
type LoggedIn struct {
	Player  string `json:"player,omitempty"`
	Staff   string `json:"staff,omitempty"`
	Session string `json:"session"`
	Token   string `json:"token"`
	Play    bool   `json:"play" doc:"Stakes are accepted in this session"`
	Why     *Texts `json:"why,omitempty" doc:"Why it is not for play"`
}

// Account is a player's account as its player sees it.
type Account struct {
	Player        string                `json:"player"`
	Given         string                `json:"given"`
	Family        string                `json:"family"`
	Email         string                `json:"email"`
	Identity      string                `json:"identity" doc:"open, verified or confirmed: nothing is staked before"`
	Balance       money.Cents           `json:"balance" doc:"Disponibilités"`
	Limits        []central.Limit       `json:"limits" doc:"Over seven rolling days"`
	ExcludedUntil *time.Time            `json:"excluded_until,omitempty"`
	Interval      int64                 `json:"check_minutes" doc:"Interval of the reality check"`
	Check         *central.CheckFigures `json:"check"`
	Now           time.Time             `json:"now" doc:"The server's clock, which decides"`
}

// SessionView is an open session.
type SessionView struct {
	Session string    `json:"session"`
	Opened  time.Time `json:"opened"`
	Used    time.Time `json:"used" doc:"To the minute"`
	Play    bool      `json:"play"`
	Current bool      `json:"current"`
}

// PasskeyView is a passkey of the account.
type PasskeyView struct {
	Passkey string     `json:"passkey"`
	Name    string     `json:"name"`
	Added   time.Time  `json:"added"`
	Used    *time.Time `json:"used,omitempty"`
}

// Ceremony is the first half of a passkey's ceremony.
type Ceremony struct {
	Ceremony string          `json:"ceremony"`
	Options  json.RawMessage `json:"options" doc:"What navigator.credentials takes"`
}

// CeremonyBody is the second half.
type CeremonyBody struct {
	Ceremony string          `json:"ceremony" maxLength:"64"`
	Name     string          `json:"name,omitempty" maxLength:"100" doc:"The player's name for a new passkey"`
	Response json.RawMessage `json:"response" doc:"What the device answered"`
}

// List is a list that comes whole.
type List[T any] struct {
	Items []T `json:"items"`
}

func list[T any](items []T) *List[T] {
	if items == nil {
		items = []T{}
	}
	return &List[T]{items}
}

// sized is a request with a body alone.
type sized[B any] struct{ Body B }

func (a *API) addAccounts() {
	add(a, Route{Method: http.MethodPost, Path: "/players", ID: "register", Tag: "account", Summary: "Open an account", Public: true, Keyed: true, Status: 201}, a.register)
	addLogin(a, Route{Method: http.MethodPost, Path: "/sessions", ID: "login", Tag: "account", Summary: "Log in", Public: true, Status: 201}, a.login)
	addLogin(a, Route{Method: http.MethodDelete, Path: "/sessions/current", ID: "logout", Tag: "account", Summary: "Log out, of whatever session this is", Public: true}, a.logout)
	add(a, Route{Method: http.MethodGet, Path: "/me", ID: "account", Tag: "account", Summary: "The account, its balance, limits and checks", Own: true}, a.account)
	add(a, Route{Method: http.MethodGet, Path: "/sessions", ID: "sessions", Tag: "account", Summary: "Open sessions", Own: true}, a.sessions)
	add(a, Route{Method: http.MethodDelete, Path: "/sessions/{session}", ID: "close-session", Tag: "account", Summary: "End a session", Command: "close_session", Own: true}, a.closeSession)
	addLogin(a, Route{Method: http.MethodPost, Path: "/me/password", ID: "change-password", Tag: "account", Summary: "Change the password, which ends every session and opens one", Own: true}, a.changePassword)
	add(a, Route{Method: http.MethodGet, Path: "/me/passkeys", ID: "passkeys", Tag: "account", Summary: "Passkeys", Own: true}, a.passkeys)
	add(a, Route{Method: http.MethodPost, Path: "/me/passkeys/options", ID: "begin-passkey", Tag: "account", Summary: "Begin to add a passkey", Own: true}, a.beginPasskey)
	add(a, Route{Method: http.MethodPost, Path: "/me/passkeys", ID: "add-passkey", Tag: "account", Summary: "Add the passkey that a device has made", Own: true, Status: 201}, a.addPasskey)
	add(a, Route{Method: http.MethodDelete, Path: "/me/passkeys/{passkey}", ID: "remove-passkey", Tag: "account", Summary: "Remove a passkey", Command: "remove_passkey", Own: true}, a.removePasskey)
	add(a, Route{Method: http.MethodPost, Path: "/sessions/passkey/options", ID: "begin-passkey-login", Tag: "account", Summary: "Begin to log in with a passkey", Public: true}, a.beginPasskeyLogin)
	addLogin(a, Route{Method: http.MethodPost, Path: "/sessions/passkey", ID: "passkey-login", Tag: "account", Summary: "Log in with a passkey", Public: true, Status: 201}, a.passkeyLogin)
}

// cookied is a body with the cookie of a session.
type cookied[O any] struct {
	Cookie *http.Cookie `header:"Set-Cookie"`
	Body   *O
}

// addLogin registers a route that gives or takes the cookie of a session: its function answers with the token too, "" to take it away.
func addLogin[I, O any](a *API, r Route, f func(ctx context.Context, who *Caller, in *I) (*O, string, error)) {
	op := a.operation(&r)
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*cookied[O], error) {
		out, token, err := f(ctx, callerOf(ctx), in)
		if err != nil {
			return nil, a.problem(ctx, err)
		}
		return &cookied[O]{web.Cookie(token, a.Secure), out}, nil
	})
	a.routes = append(a.routes, r)
}

func (a *API) register(ctx context.Context, _ *Caller, in *sized[RegisterBody]) (*central.PlayerCreated, error) {
	b := in.Body
	receipt, err := a.Desk.SignUp(ctx, key(ctx), identity.Form{Given: b.Given, Family: b.Family, Birth: b.Birth, Email: b.Email, Password: b.Password})
	if err != nil {
		return nil, err
	}
	return result[central.PlayerCreated](receipt)
}

func (a *API) login(ctx context.Context, _ *Caller, in *sized[LoginBody]) (*LoggedIn, string, error) {
	session, err := a.Desk.Login(ctx, in.Body.Email, in.Body.Password)
	if err != nil {
		return nil, "", err
	}
	out, token := loggedIn(session)
	return out, token, nil
}

func loggedIn(in *identity.LoggedIn) (*LoggedIn, string) {
	out := &LoggedIn{Player: strconv.FormatInt(in.Player, 10), Session: central.PlayID(in.Session), Token: in.Token, Play: in.Play}
	if in.Why != nil {
		out.Why = &Texts{in.Why.In(central.French), in.Why.In(central.English)}
	}
	return out, in.Token
}

func (a *API) logout(ctx context.Context, who *Caller, _ *nothing) (*nothing, string, error) {
	if who.Session == nil {
		return &nothing{}, "", nil
	}
	return &nothing{}, "", a.Desk.Logout(ctx, who.Token)
}

func (a *API) account(ctx context.Context, who *Caller, _ *nothing) (*Account, error) {
	now := a.Clock.Now().UTC()
	out := &Account{Player: strconv.FormatInt(who.Player, 10), Limits: []central.Limit{}, Now: now}
	err := a.view(ctx, func(snap central.Snapshot) error {
		pl, err := get[*central.Player](ctx, snap, central.Key{Table: central.Players, N: who.Player})
		if err != nil {
			return err
		}
		g, err := get[*central.Guard](ctx, snap, central.Key{Table: central.Guards, N: who.Player})
		if err != nil {
			return err
		}
		n, err := get[*central.Person](ctx, snap, central.Key{Table: central.Persons, N: who.Player})
		if err != nil {
			return err
		}
		if pl == nil || g == nil {
			return central.NoSession()
		}
		if n != nil {
			out.Given, out.Family, out.Email = n.Given, n.Family, n.Email
		}
		out.Identity, out.Balance, out.Interval = g.State, pl.Balance, g.Interval
		if g.ExcludedUntil > now.UnixMicro() {
			t := time.UnixMicro(g.ExcludedUntil).UTC()
			out.ExcludedUntil = &t
		}
		for _, l := range []struct {
			of     string
			stored []byte
		}{{central.LimitStakes, pl.Stakes}, {central.LimitDeposits, g.Deposits}} {
			limit, needed, err := central.LimitAt(l.of, l.stored, now)
			if err != nil {
				return err
			}
			if needed {
				out.Limits = append(out.Limits, limit)
			}
		}
		out.Check, err = central.ReadCheck(ctx, snap, who.Player, now)
		return err
	})
	return out, err
}

func (a *API) sessions(ctx context.Context, who *Caller, _ *nothing) (*List[SessionView], error) {
	open, err := a.Desk.Sessions.List(ctx, who.Player)
	if err != nil {
		return nil, err
	}
	var views []SessionView
	for _, l := range open {
		s := l.Session
		views = append(views, SessionView{central.PlayID(s.ID), time.UnixMicro(s.Opened).UTC(), l.Used, s.Play == 1, s.ID == who.Session.ID})
	}
	return list(views), nil
}

// numbered reads an id as [central.PlayID] prints it.
func numbered(text, reason, field string) (int64, error) {
	id, err := idOf(text, reason, field)
	return int64(id), err
}

// idOf reads the number of what a command created. One that cannot be read is nobody's.
func idOf(text, reason, field string) (id central.ID, err error) {
	if id.UnmarshalText([]byte(text)) != nil {
		err = &central.Refusal{Code: central.NotFound, Reason: reason, Field: field, Text: "there is none of this number", French: "Ce numéro n’existe pas."}
	}
	return id, err
}

func (a *API) closeSession(ctx context.Context, who *Caller, in *struct {
	Session string `path:"session" maxLength:"40"`
}) (*central.Ended, error) {
	id, err := numbered(in.Session, "session.unknown", "session")
	if err != nil {
		return nil, err
	}
	return do[central.Ended](ctx, a, who, central.CloseSession{Player: who.Player, Session: id})
}

func (a *API) changePassword(ctx context.Context, who *Caller, in *sized[struct {
	Old      string `json:"old" maxLength:"256"`
	Password string `json:"password" maxLength:"256"`
}]) (*LoggedIn, string, error) {
	var email string
	err := a.view(ctx, func(snap central.Snapshot) error {
		n, err := get[*central.Person](ctx, snap, central.Key{Table: central.Persons, N: who.Player})
		if n != nil {
			email = n.Email
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	session, err := a.Desk.ChangePassword(ctx, email, in.Body.Old, in.Body.Password)
	if err != nil {
		return nil, "", err
	}
	out, token := loggedIn(session)
	return out, token, nil
}

func (a *API) passkeys(ctx context.Context, who *Caller, _ *nothing) (*List[PasskeyView], error) {
	var views []PasskeyView
	err := a.view(ctx, func(snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Passkeys, N: who.Player}, Prefix: 1}, func(r central.Row) error {
			k := r.(*central.Passkey)
			if k.Removed != 0 {
				return nil
			}
			v := PasskeyView{Passkey: central.PlayID(k.ID), Name: k.Name, Added: time.UnixMicro(k.Added).UTC()}
			if k.Used != 0 {
				v.Used = ptr(time.UnixMicro(k.Used).UTC())
			}
			views = append(views, v)
			return nil
		})
	})
	slices.Reverse(views)
	return list(views), err
}

func (a *API) beginPasskey(ctx context.Context, who *Caller, _ *nothing) (*Ceremony, error) {
	id, options, err := a.Passkeys.BeginAdd(ctx, who.Player)
	return &Ceremony{id, options}, err
}

func (a *API) addPasskey(ctx context.Context, who *Caller, in *sized[CeremonyBody]) (*nothing, error) {
	return &nothing{}, a.Passkeys.FinishAdd(ctx, who.Player, in.Body.Ceremony, in.Body.Name, in.Body.Response)
}

func (a *API) removePasskey(ctx context.Context, who *Caller, in *struct {
	Passkey string `path:"passkey" maxLength:"40"`
}) (*central.Ended, error) {
	id, err := numbered(in.Passkey, "passkey.unknown", "passkey")
	if err != nil {
		return nil, err
	}
	return do[central.Ended](ctx, a, who, central.RemovePasskey{Player: who.Player, Passkey: id})
}

func (a *API) beginPasskeyLogin(context.Context, *Caller, *nothing) (*Ceremony, error) {
	id, options, err := a.Passkeys.BeginLogin()
	return &Ceremony{id, options}, err
}

func (a *API) passkeyLogin(ctx context.Context, _ *Caller, in *sized[CeremonyBody]) (*LoggedIn, string, error) {
	session, err := a.Passkeys.FinishLogin(ctx, in.Body.Ceremony, in.Body.Response)
	if err != nil {
		return nil, "", err
	}
	out, token := loggedIn(session)
	return out, token, nil
}
