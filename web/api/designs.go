package api

import (
	"context"
	"net/http"

	"tirage/central"
)

// DesignPath names the design of a pack type by its printed id.
type DesignPath struct {
	Design string `path:"design" maxLength:"40"`
}

// DesignBody is a pack type as it is drawn up.
type DesignBody struct {
	Game      string   `json:"game" maxLength:"40"`
	From      string   `json:"from" maxLength:"10" doc:"First day of a draw that it is sold with, YYYY-MM-DD"`
	Type      string   `json:"type" maxLength:"40"`
	Multiples []string `json:"multiples,omitempty" maxItems:"100" doc:"Such as 6x10*10"`
	Simples   int      `json:"simples,omitempty" minimum:"0" doc:"Simple combinations that belong to no multiple"`
	Shares    int64    `json:"shares" minimum:"1"`
	MaxPacks  int64    `json:"max_packs" minimum:"1" doc:"For one draw"`
	Formulas  []int64  `json:"formulas,omitempty" maxItems:"16" doc:"How many shares are sold at once; none: those of the rulebook"`
}

func (a *API) addDesigns() {
	const designs = "/staff/pack-designs"
	add(a, Route{Method: http.MethodGet, Path: designs, ID: "pack-designs", Tag: "staff", Summary: "Pack types that were drawn up, the latest first", View: "draws"}, a.designs)
	add(a, Route{Method: http.MethodPost, Path: designs, ID: "propose-pack", Tag: "staff", Summary: "Draw up a pack type", Command: "propose_pack", Status: 201}, a.proposePack)
	add(a, Route{Method: http.MethodPost, Path: designs + "/{design}/activate", ID: "activate-pack", Tag: "staff", Summary: "Put a pack type on sale, as a second person", Command: "activate_pack"}, a.activatePack)
	add(a, Route{Method: http.MethodPost, Path: designs + "/{design}/end", ID: "end-pack", Tag: "staff", Summary: "Withdraw a pack type from the draws that open from now on", Command: "end_pack"}, a.endPack)
}

func (a *API) designs(ctx context.Context, _ *Caller, _ *nothing) (*List[central.DesignView], error) {
	var views []central.DesignView
	err := a.view(ctx, func(snap central.Snapshot) error {
		all, err := central.ReadDesigns(ctx, snap)
		if err != nil {
			return err
		}
		for _, d := range all {
			v, err := d.View()
			if err != nil {
				return err
			}
			views = append(views, v)
		}
		return nil
	})
	return list(views), err
}

func (a *API) proposePack(ctx context.Context, who *Caller, in *sized[DesignBody]) (*central.DesignView, error) {
	b := in.Body
	return do[central.DesignView](ctx, a, who, central.ProposePack{
		Game: b.Game, From: b.From, Type: b.Type, Multiples: b.Multiples, Simples: b.Simples, Shares: b.Shares, MaxPacks: b.MaxPacks, Formulas: b.Formulas,
	})
}

func (a *API) activatePack(ctx context.Context, who *Caller, in *struct {
	DesignPath
	Body struct {
		Draws []string `json:"draws,omitempty" maxItems:"32" doc:"On sale already, to be sold with from now on"`
	}
}) (*central.DesignView, error) {
	return do[central.DesignView](ctx, a, who, central.ActivatePack{Design: in.Design, Draws: in.Body.Draws})
}

func (a *API) endPack(ctx context.Context, who *Caller, in *struct {
	DesignPath
	Body WhyBody
}) (*central.DesignView, error) {
	return do[central.DesignView](ctx, a, who, central.EndPack{Design: in.Design, Why: in.Body.Why})
}
