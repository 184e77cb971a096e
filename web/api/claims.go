package api

import (
	"context"
	"net/http"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

// ClaimView is a gain that waits for who shows the receipt, or was paid so.
type ClaimView struct {
	Component string      `json:"component" doc:"Of the play: ranks, a code, a receipt of a group"`
	Cents     money.Cents `json:"cents"`
	Paid      *time.Time  `json:"paid,omitempty" doc:"None: it still waits"`
}

// PlayPath names a play of a draw.
type PlayPath struct {
	Draw string `path:"draw" maxLength:"60"`
	Play string `path:"play" maxLength:"40" example:"0-12" doc:"As printed on the receipt"`
}

func (a *API) addClaims() {
	add(a, Route{Method: http.MethodGet, Path: "/staff/liabilities", ID: "liabilities", Tag: "staff", Summary: "What waits for winners, by draw, the first to lapse at the head", View: "reports"}, a.liabilities)
	add(a, Route{Method: http.MethodGet, Path: "/staff/draws/{draw}/claims/{play}", ID: "claims", Tag: "staff", Summary: "The gains of a play that was sold at a point of sale", View: "reports"}, a.claims)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/claims/{play}/pay", ID: "pay-claim", Tag: "staff", Summary: "Pay a gain to the winner who shows the receipt", Command: "pay_claim", Keyed: true}, a.payClaim)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/lapse", ID: "lapse-claims", Tag: "staff", Summary: "After the last day of payment: send what nobody claimed to the fund of the rulebook", Command: "lapse_claims", Keyed: true}, a.lapseClaims)
	add(a, Route{Method: http.MethodPost, Path: "/staff/rounds/{game}/{round}/release", ID: "release-round", Tag: "staff", Summary: "End a blocked round: what its stored series give is paid", Command: "release_round", Keyed: true}, a.releaseRound)
}

func (a *API) liabilities(ctx context.Context, _ *Caller, _ *nothing) (*List[central.DrawLiability], error) {
	var owed []central.DrawLiability
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		owed, err = central.Liabilities(ctx, snap)
		return err
	})
	return list(owed), err
}

func (a *API) claims(ctx context.Context, _ *Caller, in *PlayPath) (*List[ClaimView], error) {
	id, err := idOf(in.Play, "play.unknown", "play")
	if err != nil {
		return nil, err
	}
	var views []ClaimView
	err = a.view(ctx, func(snap central.Snapshot) error {
		// Of one draw the claims stand by component: those of a play are picked from all of them.
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Claims, S: in.Draw}, Prefix: 1}, func(r central.Row) error {
			c := r.(*central.Claim)
			if c.Play != int64(id) {
				return nil
			}
			v := ClaimView{Component: c.Component, Cents: c.Cents}
			if c.Player != 0 {
				v.Paid = ptr(time.UnixMicro(c.At).UTC())
			}
			views = append(views, v)
			return nil
		})
	})
	return list(views), err
}

func (a *API) payClaim(ctx context.Context, who *Caller, in *struct {
	PlayPath
	Body struct {
		Component string `json:"component" maxLength:"60"`
	}
}) (*ClaimView, error) {
	// The balance of the winner is the winner's affair: the point of sale is told what was paid.
	if _, err := do[central.Balance](ctx, a, who, central.PayClaim{Draw: in.Draw, Component: in.Body.Component, Play: in.Play}); err != nil {
		return nil, err
	}
	all, err := a.claims(ctx, who, &in.PlayPath)
	if err != nil {
		return nil, err
	}
	for _, v := range all.Items {
		if v.Component == in.Body.Component {
			return &v, nil
		}
	}
	return nil, errInternal
}

func (a *API) lapseClaims(ctx context.Context, who *Caller, in *DrawPath) (*central.Lapse, error) {
	return do[central.Lapse](ctx, a, who, central.LapseClaims{Draw: in.Draw})
}

func (a *API) releaseRound(ctx context.Context, who *Caller, in *struct {
	RoundPath
	Body struct {
		Player string `json:"player" maxLength:"20" pattern:"^[0-9]+$"`
		Step   int64  `json:"step" minimum:"0" doc:"Series drawn, as the staff saw it"`
		WhyBody
	}
}) (*central.RoundEnd, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.RoundEnd](ctx, a, who, central.ReleaseRound{
		Player: PlayerPath{in.Body.Player}.id(), Game: in.Game, Round: id, Step: in.Body.Step, Why: in.Body.Why,
	})
}
