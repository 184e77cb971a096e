package api

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"tirage/exports"
)

// ExportQuery says of which days a report is asked for, and in which form.
type ExportQuery struct {
	From   string `query:"from" maxLength:"10" example:"2020-06-01" doc:"First day in Paris; where the report has a period"`
	To     string `query:"to" maxLength:"10" example:"2020-06-30" doc:"Last day, included"`
	Format string `query:"format" enum:"csv,xlsx,pdf,json" default:"csv"`
	Lang   string `query:"lang" enum:"fr,en" default:"fr" doc:"Language of headings in XLSX and PDF"`
}

// export is a report on its way to whoever asked.
type export struct {
	Type   string `header:"Content-Type"`
	Name   string `header:"Content-Disposition"`
	Length string `header:"Content-Length"`
	Cache  string `header:"Cache-Control"`
	Body   func(huma.Context)
}

func (a *API) addExport() {
	for _, report := range exports.Reports() {
		if report.Player {
			addExport(a, report, Route{Path: "/statement/export", ID: "export-statement", Tag: "money", Summary: "The statement as a file: each movement of the balance", Own: true},
				func(who *Caller, in *ExportQuery) (*ExportQuery, int64) { return in, who.Player })
			addExport(a, report, Route{Path: "/staff/players/{player}/statement/export", ID: "export-player-statement", Tag: "staff", Summary: "The statement of a player as a file", View: report.View},
				func(_ *Caller, in *struct {
					PlayerPath
					ExportQuery
				}) (*ExportQuery, int64) {
					return &in.ExportQuery, in.id()
				})
			continue
		}
		addExport(a, report, Route{Path: "/staff/exports/" + report.Name, ID: "export-" + report.Name, Tag: "staff", Summary: report.Title.EN + ", as a file (docs/exports.md)", View: report.View},
			func(_ *Caller, in *ExportQuery) (*ExportQuery, int64) { return in, 0 })
	}
}

// addExport registers a route that answers with a report as a file, written whole before its first byte is sent.
func addExport[I any](a *API, report *exports.Report, r Route, read func(who *Caller, in *I) (*ExportQuery, int64)) {
	r.Method = http.MethodGet
	op := a.operation(&r)
	content := map[string]*huma.MediaType{}
	for _, f := range exports.Formats() {
		content[f.MediaType()] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "The report as a file", Content: content}}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*export, error) {
		q, player := read(callerOf(ctx), in)
		format := exports.Format(q.Format)
		scope := exports.Scope{From: q.From, To: q.To, Player: player, Now: a.Clock.Now()}
		file, err := exports.Spool(ctx, a.Store, report, scope, format, q.Lang)
		if err != nil {
			return nil, a.problem(ctx, err)
		}
		return &export{
			Type: format.MediaType(), Name: fmt.Sprintf("attachment; filename=%q", report.FileName(scope, format)), Length: fmt.Sprint(file.Size), Cache: "private, no-store",
			Body: func(ctx huma.Context) {
				defer file.Close()
				_, _ = io.Copy(ctx.BodyWriter(), file) // who is gone needs no file
			},
		}, nil
	})
	a.routes = append(a.routes, r)
}
