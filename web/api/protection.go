package api

import (
	"context"
	"encoding/json"
	"net/http"

	"tirage/central"
)

// LimitOf names a limit.
type LimitOf struct {
	Of string `path:"of" enum:"stakes,deposits"`
}

func (a *API) addProtection() {
	add(a, Route{Method: http.MethodPut, Path: "/me/limits/{of}", ID: "set-limit", Tag: "protection", Summary: "Choose a limit over seven days: a cut at once, a raise in 48 hours", Command: "set_limit", Own: true}, a.setLimit)
	add(a, Route{Method: http.MethodDelete, Path: "/me/limits/{of}/raise", ID: "cancel-raise", Tag: "protection", Summary: "Drop a raise that waits", Command: "cancel_raise", Own: true}, a.cancelRaise)
	add(a, Route{Method: http.MethodPost, Path: "/me/exclusion", ID: "exclude", Tag: "protection", Summary: "Exclude oneself from play, at once; it is not undone", Command: "exclude_player", Own: true}, a.exclude)
	add(a, Route{Method: http.MethodGet, Path: "/me/check", ID: "check", Tag: "protection", Summary: "The reality check: time, stakes, gains, net", Own: true}, a.check)
	add(a, Route{Method: http.MethodPut, Path: "/me/check", ID: "set-check", Tag: "protection", Summary: "Choose the interval of the reality check", Command: "set_check", Own: true}, a.setCheck)
	add(a, Route{Method: http.MethodPost, Path: "/me/check/ack", ID: "ack-check", Tag: "protection", Summary: "Acknowledge the reality check", Command: "ack_check", Own: true}, a.ackCheck)
}

func (a *API) setLimit(ctx context.Context, who *Caller, in *struct {
	LimitOf
	Body struct {
		Cents Cents `json:"cents"`
	}
}) (*central.Limit, error) {
	return do[central.Limit](ctx, a, who, central.SetLimit{Player: who.Player, Of: in.Of, Cents: in.Body.Cents.money()})
}

func (a *API) cancelRaise(ctx context.Context, who *Caller, in *LimitOf) (*central.Limit, error) {
	return do[central.Limit](ctx, a, who, central.CancelRaise{Player: who.Player, Of: in.Of})
}

func (a *API) exclude(ctx context.Context, who *Caller, in *sized[struct {
	Hours  int64 `json:"hours,omitempty" minimum:"24" maximum:"8784" doc:"From 24 on"`
	Months int64 `json:"months,omitempty" minimum:"1" maximum:"12" doc:"Instead"`
}]) (*central.Excluded, error) {
	return do[central.Excluded](ctx, a, who, central.ExcludePlayer{Player: who.Player, Hours: in.Body.Hours, Months: in.Body.Months})
}

func (a *API) check(ctx context.Context, who *Caller, _ *nothing) (out *central.CheckFigures, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = central.ReadCheck(ctx, snap, who.Player, a.Clock.Now())
		return err
	})
	return out, err
}

func (a *API) setCheck(ctx context.Context, who *Caller, in *sized[struct {
	Minutes int64 `json:"minutes" minimum:"1" maximum:"60"`
}]) (*central.Check, error) {
	return do[central.Check](ctx, a, who, central.SetCheck{Player: who.Player, Minutes: in.Body.Minutes})
}

func (a *API) ackCheck(ctx context.Context, who *Caller, _ *nothing) (*central.Check, error) {
	receipt, err := a.Desk.Acknowledge(ctx, key(ctx), who.Player)
	if err != nil {
		return nil, err
	}
	out := new(central.Check)
	return out, json.Unmarshal(receipt.Result, out)
}
