package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"tirage/central"
)

// Problem is the body of every answer that is no success (RFC 9457). It holds nothing of what was sent, but where and how it was wrong.
type Problem struct {
	Type     string         `json:"type" doc:"Address of what the reason means"`
	Title    string         `json:"title" doc:"The code in words"`
	Status   int            `json:"status"`
	Code     string         `json:"code" doc:"What programs branch on: invalid, not_found, conflict, forbidden, insufficient, closed, sold_out, unavailable, internal"`
	Reason   string         `json:"reason" doc:"Stable name of the refusal, such as balance.insufficient"`
	Detail   string         `json:"detail" doc:"The text for people in the language of the request"`
	Texts    Texts          `json:"texts" doc:"The text for people in both languages"`
	Field    string         `json:"field,omitempty" doc:"What the refusal is about"`
	Said     string         `json:"said,omitempty" doc:"For programs and logs, in English: what was found and what is accepted"`
	Found    string         `json:"found,omitempty" doc:"What was found there, described"`
	Accepted string         `json:"accepted,omitempty" doc:"What is accepted there"`
	Errors   []FieldProblem `json:"errors,omitempty" doc:"Every field at fault"`
	Article  string         `json:"article,omitempty" doc:"The article that orders it"`
	Current  any            `json:"current,omitempty" doc:"For a conflict: what stands now"`
	Instance string         `json:"instance,omitempty" doc:"Names this request in the logs"`
}

// Texts are words for people.
type Texts struct {
	French  string `json:"fr"`
	English string `json:"en"`
}

// FieldProblem is one field at fault.
type FieldProblem struct {
	Field    string `json:"field"`
	Found    string `json:"found,omitempty"`
	Accepted string `json:"accepted,omitempty"`
	Texts    Texts  `json:"texts"`
}

// Error, GetStatus and ContentType make it an error of huma.
func (p *Problem) Error() string             { return p.Reason }
func (p *Problem) GetStatus() int            { return p.Status }
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

// titles are the codes in words.
var titles = map[central.Code]Texts{
	central.Invalid:      {"Demande refusée", "Request refused"},
	central.NotFound:     {"Introuvable", "Not found"},
	central.Conflict:     {"Contradiction", "Conflict"},
	central.Forbidden:    {"Non permis", "Not permitted"},
	central.Insufficient: {"Disponibilités insuffisantes", "Available balance too low"},
	central.Closed:       {"Hors vente", "Not on sale"},
	central.SoldOut:      {"Épuisé", "Sold out"},
	central.Unavailable:  {"Momentanément indisponible", "Unavailable for the moment"},
	central.Internal:     {"Erreur du système", "Fault of the system"},
}

// statusOf is the status of a refusal.
func statusOf(r *central.Refusal) int {
	switch r.Reason {
	case "principal.none", "session.none", "login.failed", "passkey.failed":
		return http.StatusUnauthorized
	case "login.locked", "rate.limit":
		return http.StatusTooManyRequests
	case "body.large":
		return http.StatusRequestEntityTooLarge
	case "body.json", "key.missing", "key.length":
		return http.StatusBadRequest
	case "method.unknown":
		return http.StatusMethodNotAllowed
	}
	switch r.Code {
	case central.Invalid:
		return http.StatusUnprocessableEntity
	case central.NotFound:
		return http.StatusNotFound
	case central.Conflict, central.Insufficient, central.Closed, central.SoldOut:
		return http.StatusConflict
	case central.Forbidden:
		return http.StatusForbidden
	case central.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

var errInternal = &central.Refusal{
	Code: central.Internal, Reason: "internal", Text: "a fault of the system: the same request under the same key tells what became of it",
	French: "Le système a rencontré une erreur\u00a0: la même demande avec la même clé dira ce qu’il en est.",
}

var errCancelled = &central.Refusal{
	Code: central.Unavailable, Reason: "request.cancelled", Text: "the request ended before its answer: ask again under the same key, it is done only once",
	French: "La demande s’est interrompue avant sa réponse\u00a0: répétez-la avec la même clé, elle ne sera faite qu’une fois.",
}

// problem makes a [Problem] of an error. What is no refusal is told to the operator alone.
func (a *API) problem(ctx context.Context, err error) *Problem {
	req := requestOf(ctx)
	r := new(central.Refusal)
	switch {
	case errors.As(err, &r):
		if r.Code == central.Internal || r.Code == central.Unavailable {
			a.Log.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("request", req.id), slog.String("error", err.Error()))
		}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		r = errCancelled
	default:
		a.Log.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("request", req.id), slog.String("error", err.Error()))
		r = errInternal
	}
	return newProblem(req, r)
}

func newProblem(req request, r *central.Refusal) *Problem {
	title := titles[r.Code]
	p := &Problem{
		Type: "/api/#" + r.Reason, Title: title.in(req.lang), Status: statusOf(r), Code: string(r.Code), Reason: r.Reason, Detail: r.In(req.lang),
		Texts: Texts{r.In(central.French), r.In(central.English)}, Field: r.Field, Said: r.Text, Article: r.Article, Instance: req.id,
	}
	switch current := r.Current.(type) {
	case nil:
	case central.Receipt:
		p.Current = current.Result
	default:
		p.Current = current
	}
	if r.Code == central.Internal {
		p.Said = ""
	}
	return p
}

func (t Texts) in(lang string) string {
	if lang == central.English {
		return t.English
	}
	return t.French
}

// write answers with the problem, outside huma.
func (p *Problem) write(w http.ResponseWriter) {
	b, err := json.Marshal(p)
	if err != nil {
		b = []byte(`{}`) // what stands now cannot be shown: the status tells
	}
	w.Header().Set("Content-Type", problemType)
	if p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests {
		if w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", "1")
		}
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(b, '\n')) // who is gone needs no answer
}

// refuse answers with a refusal.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	a.problem(r.Context(), err).write(w)
}

// ownErrors makes huma's errors ours: its own repeat what was sent.
func ownErrors() {
	huma.ValidateStrictCasing = true // the domain reads what was validated, not another spelling
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return fromHuma(requestOf(ctx.Context()), status, errs)
	}
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return fromHuma(request{lang: central.French}, status, errs)
	}
}

var (
	errBody = &central.Refusal{
		Code: central.Invalid, Reason: "body.json", Field: "body", Text: "the body is no JSON of this request; nothing was done",
		French: "Le corps de la demande n’est pas le JSON attendu\u00a0: rien n’a été fait.",
	}
	errTooLarge = &central.Refusal{
		Code: central.Invalid, Reason: "body.large", Field: "body", Text: "the body is above the limit of 65536 bytes: it was not read, nothing was done",
		French: "Le corps de la demande dépasse la limite de 65536 octets\u00a0: il n’a pas été lu, rien n’a été fait.",
	}
	errMedia = &central.Refusal{
		Code: central.Invalid, Reason: "body.type", Field: "Content-Type", Text: "accepted: application/json; nothing was done",
		French: "Le type accepté est application/json\u00a0: rien n’a été fait.",
	}
	errNoRoute = &central.Refusal{
		Code: central.NotFound, Reason: "route.unknown", Text: "there is nothing at this address: /api/ lists what there is",
		French: "Il n’y a rien à cette adresse\u00a0: /api/ dit ce qu’il y a.",
	}
	errMethod = &central.Refusal{
		Code: central.Invalid, Reason: "method.unknown", Text: "this method is not accepted at this address: the header Allow lists those that are",
		French: "Cette méthode n’est pas acceptée à cette adresse\u00a0: l’en-tête Allow les indique.",
	}
	errForeign = &central.Refusal{
		Code: central.Forbidden, Reason: "origin.other", Text: "the request comes from a page of another site; nothing was done",
		French: "La demande vient de la page d’un autre site\u00a0: rien n’a été fait.",
	}
	errRate = &central.Refusal{
		Code: central.Unavailable, Reason: "rate.limit", Text: "too many requests: the header Retry-After says when to go on; nothing was done",
		French: "Trop de demandes\u00a0: l’en-tête Retry-After dit quand reprendre. Rien n’a été fait.",
	}
)

// fromHuma makes a problem of what huma found wrong with a request.
func fromHuma(req request, status int, errs []error) *Problem {
	for _, err := range errs {
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			return newProblem(req, errTooLarge)
		}
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return newProblem(req, errTooLarge)
	case http.StatusUnsupportedMediaType:
		return newProblem(req, errMedia)
	case http.StatusBadRequest:
		return newProblem(req, errBody)
	case http.StatusRequestTimeout:
		return newProblem(req, errCancelled)
	case http.StatusUnprocessableEntity:
	default:
		return newProblem(req, errInternal)
	}
	var fields []FieldProblem
	for _, err := range errs {
		fields = append(fields, fieldProblem(err))
	}
	if len(fields) == 0 {
		return newProblem(req, errBody)
	}
	first := fields[0]
	p := newProblem(req, &central.Refusal{Code: central.Invalid, Reason: "request.invalid", Field: first.Field, Text: first.Texts.English, French: first.Texts.French})
	p.Errors, p.Found, p.Accepted = fields, first.Found, first.Accepted
	return p
}

// fieldName turns the location of huma into the name of a field: "body.cents" into "cents".
func fieldName(location string) string {
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		if name, ok := strings.CutPrefix(location, part); ok {
			return name
		}
	}
	return location
}
