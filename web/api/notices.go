package api

import (
	"context"
	"net/http"

	"tirage/central"
)

func (a *API) addNotices() {
	add(a, Route{Method: http.MethodGet, Path: "/staff/draws/{draw}/notice", ID: "notice-draft", Tag: "staff", Summary: "The drafted notice of a settled draw", View: "draws"}, a.noticeDraft)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/notice/draft", ID: "draft-notice", Tag: "staff", Summary: "Draft the notice of a settled draw, unless the schedule has", Command: "draft_notice"}, a.draftNotice)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/notice/publish", ID: "publish-draw", Tag: "staff", Summary: "Publish a drafted notice, as another person than who drafted it or recorded the result", Command: "publish_draw"}, a.publish)
}

func (a *API) noticeDraft(ctx context.Context, _ *Caller, in *DrawPath) (out *central.NoticeDraft, err error) {
	err = a.view(ctx, func(snap central.Snapshot) error {
		out, err = central.ReadDraft(ctx, snap, in.Draw)
		return err
	})
	return out, err
}

func (a *API) draftNotice(ctx context.Context, who *Caller, in *DrawPath) (*central.Notice, error) {
	return a.Operator.As(who.Principal).Draft(ctx, in.Draw)
}

func (a *API) publish(ctx context.Context, who *Caller, in *DrawPath) (*central.Notice, error) {
	return a.Operator.Publish(ctx, in.Draw, who.Principal)
}
