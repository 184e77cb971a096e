package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"tirage/central"
	"tirage/rules/drawing"
)

// DrawResult is a published draw.
type DrawResult struct {
	central.Notice
	Paper string `json:"paper" doc:"The signed notice (golang.org/x/mod/sumdb/note)"`
}

// ResultsPage is a page of published draws.
type ResultsPage struct {
	Draws []DrawResult `json:"draws"`
	Next  string       `json:"next,omitempty"`
}

// ResultsQuery asks for published draws, the latest first.
type ResultsQuery struct {
	Game string `query:"game" maxLength:"40"`
	PageQuery
}

func (a *API) addDraws() {
	add(a, Route{Method: http.MethodGet, Path: "/results", ID: "results", Tag: "draws", Summary: "Published draws, the latest first", Public: true}, a.results)
	add(a, Route{Method: http.MethodGet, Path: "/results/{draw}", ID: "result", Tag: "draws", Summary: "One published draw", Public: true}, a.result)
}

// results lists by day and game, the latest first; the cursor is the last draw of the page before.
func (a *API) results(ctx context.Context, _ *Caller, in *ResultsQuery) (*ResultsPage, error) {
	out := &ResultsPage{Draws: []DrawResult{}}
	err := a.view(ctx, func(snap central.Snapshot) error {
		var draws []*central.Draw
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Draws}}, func(r central.Row) error {
			d := r.(*central.Draw)
			if d.State == string(drawing.Published) && (in.Game == "" || d.Game == in.Game) {
				draws = append(draws, d)
			}
			return nil
		})
		if err != nil {
			return err
		}
		later := func(x, y *central.Draw) int {
			if c := strings.Compare(y.Day, x.Day); c != 0 {
				return c
			}
			return strings.Compare(x.Game, y.Game)
		}
		slices.SortFunc(draws, later)
		if in.After != "" {
			i := slices.IndexFunc(draws, func(d *central.Draw) bool { return d.ID == in.After })
			if i < 0 {
				return errCursor
			}
			draws = draws[i+1:]
		}
		if len(draws) > in.Limit {
			draws = draws[:in.Limit]
			out.Next = draws[in.Limit-1].ID
		}
		for _, d := range draws {
			r, err := readResult(ctx, snap, d)
			if err != nil {
				return err
			}
			out.Draws = append(out.Draws, *r)
		}
		return nil
	})
	return out, err
}

func readResult(ctx context.Context, snap central.Snapshot, d *central.Draw) (*DrawResult, error) {
	doc, err := get[*central.Doc](ctx, snap, central.Key{Table: central.Docs, S: d.ID, U: central.DocNotice, N: d.Version})
	if err != nil || doc == nil {
		return nil, err
	}
	notice, err := central.ReadPaper[central.Notice](doc.Body)
	if err != nil {
		return nil, err
	}
	return &DrawResult{*notice, doc.Body}, nil
}

// DrawPath names a draw.
type DrawPath struct {
	Draw string `path:"draw" maxLength:"60" example:"loto-2018-10-29"`
}

func (a *API) result(ctx context.Context, _ *Caller, in *DrawPath) (out *DrawResult, err error) {
	err = a.view(ctx, func(snap central.Snapshot) error {
		d, err := get[*central.Draw](ctx, snap, central.Key{Table: central.Draws, S: in.Draw})
		if err != nil {
			return err
		}
		if d != nil && d.State == string(drawing.Published) {
			if out, err = readResult(ctx, snap, d); out != nil || err != nil {
				return err
			}
		}
		return &central.Refusal{
			Code: central.NotFound, Reason: "draw.unpublished", Field: "draw", Text: "no result of such a draw is published", French: "Aucun résultat de ce tirage n’est publié.",
		}
	})
	return out, err
}
