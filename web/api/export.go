package api

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"tirage/central"
)

// PeriodQuery bounds an export.
type PeriodQuery struct {
	From time.Time `query:"from" doc:"From this instant on"`
	To   time.Time `query:"to" doc:"Before this instant"`
}

// statementColumns are those of an exported statement: whole cents, from which the balance of each row follows from the one before.
var statementColumns = []string{"number", "at", "account", "before_cents", "cents", "after_cents"}

// sheet is an answer of comma-separated values (RFC 4180).
type sheet struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body func(huma.Context)
}

func (a *API) addExport() {
	addSheet(a, Route{Method: http.MethodGet, Path: "/statement.csv", ID: "export-statement", Tag: "money", Summary: "The statement as a file: each movement of the balance", Own: true},
		func(ctx context.Context, who *Caller, in *PeriodQuery) (*central.Statement, int64, error) {
			s, err := a.readStatement(ctx, central.StatementQuery{Player: who.Player, From: in.From, To: in.To})
			return s, who.Player, err
		})
	addSheet(a, Route{Method: http.MethodGet, Path: "/staff/players/{player}/statement.csv", ID: "export-player-statement", Tag: "staff", Summary: "The statement of a player as a file", View: "statements"},
		func(ctx context.Context, _ *Caller, in *struct {
			PlayerPath
			PeriodQuery
		}) (*central.Statement, int64, error) {
			s, err := a.readStatement(ctx, central.StatementQuery{Player: in.id(), From: in.From, To: in.To})
			return s, in.id(), err
		})
}

// addSheet registers a route that answers with a statement as a file, named after its player.
func addSheet[I any](a *API, r Route, read func(ctx context.Context, who *Caller, in *I) (*central.Statement, int64, error)) {
	op := a.operation(&r)
	op.Responses = map[string]*huma.Response{"200": {
		Description: "Movements of the balance, oldest first", Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*sheet, error) {
		s, player, err := read(ctx, callerOf(ctx), in)
		if err != nil {
			return nil, a.problem(ctx, err)
		}
		return &sheet{
			Type: "text/csv; charset=utf-8; header=present", Name: fmt.Sprintf(`attachment; filename="statement-%d.csv"`, player),
			Body: func(ctx huma.Context) { writeStatement(ctx, s) },
		}, nil
	})
	a.routes = append(a.routes, r)
}

func writeStatement(ctx huma.Context, s *central.Statement) {
	w := csv.NewWriter(ctx.BodyWriter())
	w.UseCRLF = true
	_ = w.Write(statementColumns) // who is gone needs no file
	for _, m := range s.Movements {
		_ = w.Write([]string{
			strconv.FormatInt(m.Version, 10), time.UnixMicro(m.At).UTC().Format(time.RFC3339Nano), m.Account,
			strconv.FormatInt(int64(m.After-m.Cents), 10), strconv.FormatInt(int64(m.Cents), 10), strconv.FormatInt(int64(m.After), 10),
		})
	}
	w.Flush()
}
