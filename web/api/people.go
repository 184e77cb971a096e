package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/logbook"
	"tirage/rules/money"
)

// PlayerFound is a player as player care sees it.
type PlayerFound struct {
	Player        string      `json:"player"`
	Given         string      `json:"given"`
	Family        string      `json:"family"`
	Birth         string      `json:"birth"`
	Email         string      `json:"email"`
	Identity      string      `json:"identity"`
	Banned        bool        `json:"banned" doc:"By the last answer of the ban list"`
	ExcludedUntil *time.Time  `json:"excluded_until,omitempty"`
	Balance       money.Cents `json:"balance"`
	Created       time.Time   `json:"created"`
}

// PlayersQuery looks for players.
type PlayersQuery struct {
	Find string `query:"find" maxLength:"200" doc:"Part of the name, or the whole address or number"`
	PageQuery
}

// PlayersPage is a page of players, by number.
type PlayersPage struct {
	Players []PlayerFound `json:"players"`
	Next    string        `json:"next,omitempty"`
}

// PlayerPath names a player.
type PlayerPath struct {
	Player string `path:"player" maxLength:"20" pattern:"^[0-9]+$"`
}

func (p PlayerPath) id() int64 {
	n, err := strconv.ParseInt(p.Player, 10, 64)
	if err != nil {
		return 0 // nobody's
	}
	return n
}

// AccountBalance is an account of the chart of accounts.
type AccountBalance struct {
	Account string      `json:"account"`
	Cents   money.Cents `json:"cents"`
}

func (a *API) addPeople() {
	add(a, Route{Method: http.MethodGet, Path: "/staff/players", ID: "players", Tag: "staff", Summary: "Find players", View: "players"}, a.players)
	add(a, Route{Method: http.MethodGet, Path: "/staff/players/{player}", ID: "player", Tag: "staff", Summary: "One player", View: "players"}, a.playerFound)
	add(a, Route{Method: http.MethodGet, Path: "/staff/players/{player}/statement", ID: "player-statement", Tag: "staff", Summary: "Movements of a player's balance", View: "statements"}, a.playerStatement)
	add(a, Route{Method: http.MethodPost, Path: "/staff/players/{player}/verify", ID: "verify-identity", Tag: "staff", Summary: "Note that the papers of a player were seen", Command: "verify_identity"}, a.verifyIdentity)
	add(a, Route{Method: http.MethodPost, Path: "/staff/players/{player}/confirm", ID: "confirm-identity", Tag: "staff", Summary: "Confirm a verified identity, after asking the ban list", Command: "confirm_identity"}, a.confirmIdentity)
	add(a, Route{Method: http.MethodPost, Path: "/staff/players/{player}/revoke-sessions", ID: "revoke-sessions", Tag: "staff", Summary: "End every session of a player", Command: "revoke_sessions"}, a.revokeSessions)
	add(a, Route{Method: http.MethodGet, Path: "/staff/balances", ID: "balances", Tag: "staff", Summary: "Balances of all accounts but players'", View: "reports"}, a.balances)
	add(a, Route{Method: http.MethodGet, Path: "/staff/log/{node}/{index}", ID: "leaf", Tag: "staff", Summary: "A leaf of the log, whole", View: "log"}, a.leaf)
}

func (a *API) players(ctx context.Context, _ *Caller, in *PlayersQuery) (*PlayersPage, error) {
	after, err := cursor(in.After)
	if err != nil {
		return nil, err
	}
	want := strings.ToLower(strings.TrimSpace(in.Find))
	out := &PlayersPage{Players: []PlayerFound{}}
	errFull := errors.New("the page is full")
	err = a.view(ctx, func(snap central.Snapshot) error {
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Persons, N: after}, After: true}, func(r central.Row) error {
			n := r.(*central.Person)
			if want != "" && n.Email != want && strconv.FormatInt(n.Player, 10) != want && !strings.Contains(strings.ToLower(n.Given+" "+n.Family), want) {
				return nil
			}
			if len(out.Players) == in.Limit {
				out.Next = out.Players[in.Limit-1].Player
				return errFull
			}
			out.Players = append(out.Players, PlayerFound{Player: strconv.FormatInt(n.Player, 10)})
			return nil
		})
		if err != nil && !errors.Is(err, errFull) {
			return err
		}
		for i, p := range out.Players {
			found, err := findPlayer(ctx, snap, PlayerPath{p.Player}.id(), a.Clock.Now())
			if err != nil {
				return err
			}
			out.Players[i] = *found
		}
		return nil
	})
	return out, err
}

func findPlayer(ctx context.Context, snap central.Snapshot, id int64, now time.Time) (*PlayerFound, error) {
	n, err := get[*central.Person](ctx, snap, central.Key{Table: central.Persons, N: id})
	if err != nil {
		return nil, err
	}
	g, err := get[*central.Guard](ctx, snap, central.Key{Table: central.Guards, N: id})
	if err != nil {
		return nil, err
	}
	pl, err := get[*central.Player](ctx, snap, central.Key{Table: central.Players, N: id})
	if err != nil {
		return nil, err
	}
	profile, err := get[*central.Profile](ctx, snap, central.Key{Table: central.Profiles, N: id})
	if err != nil {
		return nil, err
	}
	if n == nil || g == nil || pl == nil || profile == nil {
		return nil, &central.Refusal{Code: central.NotFound, Reason: "player.unknown", Field: "player", Text: "there is no such player", French: "Ce joueur n’existe pas."}
	}
	f := &PlayerFound{
		Player: strconv.FormatInt(id, 10), Given: n.Given, Family: n.Family, Birth: n.Birth, Email: n.Email, Identity: g.State, Banned: g.Banned == 1, Balance: pl.Balance,
		Created: time.UnixMicro(profile.Created).UTC(),
	}
	if g.ExcludedUntil > now.UnixMicro() {
		f.ExcludedUntil = ptr(time.UnixMicro(g.ExcludedUntil).UTC())
	}
	return f, nil
}

func (a *API) playerFound(ctx context.Context, _ *Caller, in *PlayerPath) (out *PlayerFound, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = findPlayer(ctx, snap, in.id(), a.Clock.Now())
		return err
	})
	return out, err
}

func (a *API) playerStatement(ctx context.Context, _ *Caller, in *struct {
	PlayerPath
	StatementQuery
}) (*Statement, error) {
	return a.statementOf(ctx, in.id(), &in.StatementQuery)
}

func (a *API) verifyIdentity(ctx context.Context, who *Caller, in *struct {
	PlayerPath
	Body struct {
		Evidence string `json:"evidence" minLength:"1" maxLength:"200" doc:"Which papers were seen"`
	}
}) (*central.Identity, error) {
	return do[central.Identity](ctx, a, who, central.VerifyIdentity{Player: in.id(), Evidence: in.Body.Evidence})
}

func (a *API) confirmIdentity(ctx context.Context, who *Caller, in *PlayerPath) (*central.Identity, error) {
	receipt, err := a.Desk.Confirm(ctx, who.Principal, key(ctx), in.id())
	if err != nil {
		return nil, err
	}
	return result[central.Identity](receipt)
}

func (a *API) revokeSessions(ctx context.Context, who *Caller, in *PlayerPath) (*central.Ended, error) {
	return do[central.Ended](ctx, a, who, central.RevokeSessions{Player: in.id()})
}

func (a *API) balances(ctx context.Context, _ *Caller, _ *nothing) (*List[AccountBalance], error) {
	var all []AccountBalance
	err := a.view(ctx, func(snap central.Snapshot) error {
		// One row a node, in the order of the names.
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Accounts}}, func(r central.Row) error {
			row := r.(*central.AccountRow)
			if n := len(all); n > 0 && all[n-1].Account == row.Name {
				all[n-1].Cents = money.Add(all[n-1].Cents, row.Balance)
				return nil
			}
			all = append(all, AccountBalance{row.Name, row.Balance})
			return nil
		})
	})
	return list(all), err
}

// Leaf is a leaf of the log: its hash in the tree is that of salt and body.
type Leaf struct {
	Hash string          `json:"hash"`
	Salt string          `json:"salt"`
	Body json.RawMessage `json:"body"`
}

func (a *API) leaf(ctx context.Context, _ *Caller, in *struct {
	Node  int64 `path:"node" minimum:"0" maximum:"15"`
	Index int64 `path:"index" minimum:"0"`
}) (out *Leaf, err error) {
	err = a.view(ctx, func(snap central.Snapshot) error {
		l, err := get[*central.LeafRow](ctx, snap, central.Key{Table: central.Leaves, N: in.Node, M: in.Index})
		if err != nil {
			return err
		}
		if l == nil {
			return &central.Refusal{Code: central.NotFound, Reason: "leaf.unknown", Field: "index", Text: "the log has no such leaf", French: "Le registre n’a pas cette feuille."}
		}
		out = &Leaf{Hash: logbook.Hash(l.Salt, l.Body).String(), Salt: hex.EncodeToString(l.Salt), Body: l.Body}
		return nil
	})
	return out, err
}
