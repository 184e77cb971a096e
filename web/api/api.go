// Package api is the public contract of the operator: everything of the domain, for players, staff and programs, as HTTP and JSON under /api/v1.
//
//	a, err := api.New(api.Config{Register: register, Store: store, …})
//	mux.Handle("/api/", a.Handler())
//
// # The contract
//
// openapi.json beside this file is the contract: it is made from the code, committed, and compared by a test. The page /api/ shows it.
//
//   - Amounts are integers, in cents. Ids, codes and grids are strings. Instants are RFC 3339 in UTC, days YYYY-MM-DD in Paris.
//   - Who asks is told by a bearer token (Authorization) or, for browsers, by the cookie that a login sets; a request that changes something and
//     comes from a page of another site is refused.
//   - A request that moves money carries an Idempotency-Key: the same request under the same key is done once and gets the same answer, another one
//     under the same key is a conflict.
//   - A refusal is application/problem+json ([Problem]): a code to branch on, a reason that never changes its name, the field, what was found, what is
//     accepted, and the text for people in French and English. No refusal repeats a secret.
//   - A list comes in pages; "next" asks for the next one.
//   - /api/v1/events tells what changes, live (server-sent events), and goes on after Last-Event-ID.
//
// What a role may do is docs/permissions.md, for the routes as for the register: see [Route].
package api

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"tirage/central"
	"tirage/central/events"
	"tirage/identity"
	"tirage/web/practice"
)

// Prefix is the path of this version of the contract.
const Prefix = "/api/v1"

// Config is what the API speaks for.
type Config struct {
	Register *central.Register
	Store    central.Store
	Clock    central.Clock
	Entropy  central.Entropy
	Sealer   central.Sealer
	Desk     *identity.Desk
	Passkeys *identity.Passkeys
	Croupier *central.Croupier
	Operator *central.Operator
	Payments central.Payments
	Feed     *events.Feed // is run by who runs the API
	Logs     *central.Log // receipts
	Log      *slog.Logger // nil: nothing is logged
	Rates    Rates
	// Secure keeps the cookie of a session to HTTPS.
	Secure bool
}

// API answers requests.
type API struct {
	Config
	huma     huma.API
	mux      *http.ServeMux
	routes   []Route
	handler  http.Handler
	practice *practice.Room
	organise *central.GroupDesk
	streams  atomic.Int64
	stopping chan struct{}
	stop     sync.Once
}

// New returns the API over a register.
func New(cfg Config) (*API, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	ownErrors()
	a := &API{Config: cfg, mux: http.NewServeMux(), practice: practice.New(cfg.Clock), organise: groupDesk(&cfg), stopping: make(chan struct{})}
	a.huma = humago.NewWithPrefix(a.mux, Prefix, contract())
	for _, add := range []func(){a.addAccounts, a.addProtection, a.addMoney, a.addSales, a.addGroups, a.addSubscriptions, a.addInbox, a.addExport, a.addDraws, a.addRounds, a.addPractice, a.addEvents, a.addStaff, a.addPeople, a.addEvening, a.addClaims, a.addReceipts} {
		add()
	}
	finishContract(a.huma.OpenAPI())
	page, err := newPage(a)
	if err != nil {
		return nil, err
	}
	a.mux.HandleFunc("GET /api/{$}", page.ServeHTTP)
	a.mux.HandleFunc("/api/", a.noRoute)
	a.handler = a.chain(a.mux)
	return a, nil
}

// Handler answers everything under /api/.
func (a *API) Handler() http.Handler { return a.handler }

// Stop ends the streams of events, so that a server can stop; their clients come back and go on.
func (a *API) Stop() { a.stop.Do(func() { close(a.stopping) }) }

// Route is one operation of the API, with who may ask for it: the roles of the command or of the view that it names in docs/permissions.md.
type Route struct {
	Method, Path string // as the mux has it, without [Prefix]
	ID           string // of the operation
	Summary      string
	Tag          string
	Command      string // kind of the command that it does
	View         string // that it shows
	Own          bool   // what it shows or does is the player's own
	Public       bool   // for everybody
	Keyed        bool   // moves money: an Idempotency-Key is needed
	Status       int    // of success; 0: 200
}

// Routes lists every operation.
func (a *API) Routes() []Route { return a.routes }

// Roles lists who may ask for a route.
func (r Route) Roles() []central.Role {
	switch {
	case r.Public:
		return central.Permitted.Roles
	case r.Command != "":
		return central.Permitted.Commands[r.Command]
	case r.View != "":
		return central.Permitted.Views[r.View]
	case r.Own:
		return []central.Role{central.RolePlayer}
	}
	return nil
}

// add registers a route. Its function answers with the body, or with an error that becomes a [Problem].
func add[I, O any](a *API, r Route, f func(ctx context.Context, who *Caller, in *I) (*O, error)) {
	op := a.operation(&r)
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*answer[O], error) {
		out, err := f(ctx, callerOf(ctx), in)
		if err != nil {
			return nil, a.problem(ctx, err)
		}
		return &answer[O]{Body: out}, nil
	})
	a.routes = append(a.routes, r)
}

// answer is a body with the cookie that a login sets, if it sets one.
type answer[O any] struct {
	Body *O
}

// nothing is an empty request or answer.
type nothing struct{}

func (a *API) operation(r *Route) huma.Operation {
	if !r.Public && len(r.Roles()) == 0 {
		panic("route " + r.ID + " is for nobody")
	}
	op := huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Tags: []string{r.Tag}, DefaultStatus: r.Status, MaxBodyBytes: maxBody + 1,
		Errors: []int{http.StatusBadRequest, http.StatusTooManyRequests, http.StatusServiceUnavailable}, Middlewares: huma.Middlewares{a.gate(*r)},
	}
	if r.Method != http.MethodGet {
		op.Errors = append(op.Errors, http.StatusConflict)
	}
	if !r.Public {
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden)
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	}
	var roles []string
	for _, role := range r.Roles() {
		roles = append(roles, string(role))
	}
	switch {
	case r.Public:
		op.Description = "For everybody."
	default:
		op.Description = "For " + strings.Join(roles, ", ") + "."
	}
	if r.Keyed {
		op.Description += " Moves money: an Idempotency-Key is needed, and the same request under the same key is done once."
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: keyHeader, In: "header", Required: true, Description: "Names the request: 1 to 64 characters, a UUIDv7 for choice.",
			Schema: &huma.Schema{Type: "string", MinLength: ptr(1), MaxLength: ptr(central.MaxKey)},
		})
	}
	return op
}

func ptr[T any](v T) *T { return &v }

const keyHeader = "Idempotency-Key"

// gate lets those through who may ask for a route, with the key that it needs.
func (a *API) gate(r Route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		who := callerOf(ctx.Context())
		err := who.err
		switch {
		case r.Public:
			err = nil
		case err == nil:
			err = who.may(r)
		}
		if err == nil && r.Keyed && ctx.Header(keyHeader) == "" {
			err = &central.Refusal{
				Code: central.Invalid, Reason: "key.missing", Field: keyHeader, Text: "a request that moves money needs the header Idempotency-Key: none was found; nothing was done",
				French: "Une demande qui déplace de l’argent doit porter l’en-tête Idempotency-Key\u00a0: rien n’a été fait.",
			}
		}
		if err != nil {
			req, w := humago.Unwrap(ctx)
			a.problem(req.Context(), err).write(w)
			return
		}
		next(huma.WithValue(ctx, keyOf{}, ctx.Header(keyHeader)))
	}
}

type keyOf struct{}

// key returns the idempotency key of a request, or a fresh one where none is needed.
func key(ctx context.Context) string {
	if k, _ := ctx.Value(keyOf{}).(string); k != "" {
		return k
	}
	return rand.Text()
}

// do does a command for a caller under the key of the request, and reads its result.
func do[O any](ctx context.Context, a *API, who *Caller, c central.Command) (*O, error) {
	receipt, err := a.Register.Do(ctx, central.Request{Principal: who.Principal, Key: key(ctx), Command: c})
	if err != nil {
		return nil, err
	}
	return result[O](receipt)
}
