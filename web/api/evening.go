package api

import (
	"context"
	"net/http"
	"time"

	"tirage/central"
	"tirage/rules/prize"
)

// DrawsQuery selects draws of the calendar.
type DrawsQuery struct {
	Game string `query:"game" maxLength:"40"`
	From string `query:"from" maxLength:"10" doc:"Day, YYYY-MM-DD"`
	To   string `query:"to" maxLength:"10" doc:"Day, YYYY-MM-DD, included"`
	Open bool   `query:"open" doc:"Those alone that are not yet published"`
}

// PlanBody puts a draw in the calendar. What is left out is as the rulebook says.
type PlanBody struct {
	Game        string    `json:"game" maxLength:"40"`
	Day         string    `json:"day" maxLength:"10" doc:"YYYY-MM-DD, in Paris"`
	OpensAt     time.Time `json:"opens_at,omitempty"`
	ClosesAt    time.Time `json:"closes_at,omitempty"`
	DrawsAt     time.Time `json:"draws_at,omitempty"`
	Exceptional bool      `json:"exceptional,omitempty"`
	Jackpot     Cents     `json:"jackpot,omitempty"`
	Super       Cents     `json:"super,omitempty"`
}

// OfferBody is a pack type put on sale.
type OfferBody struct {
	Type      string   `json:"type" maxLength:"40"`
	Multiples []string `json:"multiples,omitempty" maxItems:"60" doc:"Multiple combinations, such as 6x10*10: ten of 6 numbers and 10 Chance numbers"`
	Simples   int      `json:"simples,omitempty" minimum:"0"`
	Shares    int64    `json:"shares" minimum:"1" doc:"Of one pack"`
	MaxPacks  int64    `json:"max_packs" minimum:"1"`
	Formulas  []int64  `json:"formulas,omitempty" maxItems:"20" doc:"How many shares are sold at once; those of the rulebook unless said"`
}

// ResultBody is what was drawn.
type ResultBody struct {
	Main    []int               `json:"main" minItems:"1" maxItems:"10" doc:"In the order of drawing"`
	Extra   []int               `json:"extra" maxItems:"5"`
	Codes   map[string][]string `json:"codes,omitempty" doc:"By series, in the order of drawing"`
	Joker   string              `json:"joker,omitempty" maxLength:"20"`
	Claims  string              `json:"claims,omitempty" maxLength:"10" doc:"Last day of payment; that of the rulebook unless said"`
	Winners prize.Winners       `json:"outside,omitempty" doc:"Winners elsewhere, by rank"`
}

// PaperView is a signed paper of a draw.
type PaperView struct {
	Kind    string `json:"kind"`
	Version int64  `json:"version"`
	Paper   string `json:"paper"`
}

// whyOf is a request about a draw with its reason.
type whyOf struct {
	DrawPath
	Body WhyBody
}

func (a *API) addEvening() {
	act := func(verb, id, summary, command string, c func(in *whyOf) central.Command) {
		add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/" + verb, ID: id, Tag: "staff", Summary: summary, Command: command},
			func(ctx context.Context, who *Caller, in *whyOf) (*central.State, error) {
				return do[central.State](ctx, a, who, c(in))
			})
	}
	add(a, Route{Method: http.MethodGet, Path: "/staff/draws", ID: "draws", Tag: "staff", Summary: "The calendar of draws", View: "draws"}, a.draws)
	add(a, Route{Method: http.MethodGet, Path: "/staff/draws/{draw}", ID: "draw", Tag: "staff", Summary: "One draw of the calendar", View: "draws"}, a.draw)
	add(a, Route{Method: http.MethodGet, Path: "/staff/draws/{draw}/papers", ID: "papers", Tag: "staff", Summary: "The signed papers of a draw", View: "draw_papers"}, a.papers)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws", ID: "plan-draw", Tag: "staff", Summary: "Put a draw in the calendar", Command: "plan_draw", Status: 201}, a.planDraw)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/open", ID: "open-draw", Tag: "staff", Summary: "Put a planned draw on sale, with packs", Command: "open_draw", Status: 201}, a.openDraw)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/announce", ID: "announce-draw", Tag: "staff", Summary: "Announce a jackpot", Command: "announce_draw"}, a.announce)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/outside", ID: "report-outside", Tag: "staff", Summary: "Report the stakes and the fund of the others", Command: "report_outside"}, a.reportOutside)
	act("skip", "skip-draw", "Take a planned draw out of the calendar", "skip_draw", func(in *whyOf) central.Command { return central.SkipDraw{Draw: in.Draw, Why: in.Body.Why} })
	act("hold", "hold-draw", "Hold a draw", "hold_draw", func(in *whyOf) central.Command { return central.HoldDraw{Draw: in.Draw, Why: in.Body.Why} })
	act("resume", "resume-draw", "Let a held or postponed draw go on", "resume_draw", func(in *whyOf) central.Command { return central.ResumeDraw{Draw: in.Draw, Why: in.Body.Why} })
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/postpone", ID: "postpone-draw", Tag: "staff", Summary: "Postpone a draw", Command: "postpone_draw"}, a.postpone)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/result", ID: "record-result", Tag: "staff", Summary: "Record what was drawn", Command: "record_result"}, a.recordResult)
	add(a, Route{Method: http.MethodPost, Path: "/staff/draws/{draw}/approve", ID: "approve-draw", Tag: "staff", Summary: "Approve the result that two counts agree on", Command: "approve_draw"}, a.approve)
	a.addNotices()
	a.addRoom()
	a.addDesigns()
	add(a, Route{Method: http.MethodPost, Path: "/staff/games/{game}/withdraw", ID: "withdraw-game", Tag: "staff", Summary: "Stop the sale of a game of rounds", Command: "withdraw_game"}, a.withdrawGame)
	add(a, Route{Method: http.MethodPost, Path: "/staff/games/{game}/resume", ID: "resume-game", Tag: "staff", Summary: "Sell a withdrawn game again", Command: "resume_game"}, a.resumeGame)
	add(a, Route{Method: http.MethodPost, Path: "/staff/services/{service}/put-off", ID: "put-off", Tag: "staff", Summary: "Propose to put off a day of effect", Command: "put_off"}, a.putOff)
	add(a, Route{Method: http.MethodPost, Path: "/staff/services/{service}/put-off/confirm", ID: "confirm-put-off", Tag: "staff", Summary: "Confirm, as a second person, that a day of effect is put off", Command: "confirm_put_off"}, a.confirmPutOff)
}

func (a *API) draws(ctx context.Context, _ *Caller, in *DrawsQuery) (*List[*central.DrawView], error) {
	var views []*central.DrawView
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		views, err = central.ReadDrawViews(ctx, snap, central.DrawQuery{Game: in.Game, From: in.From, To: in.To, Open: in.Open})
		return err
	})
	return list(views), err
}

func (a *API) draw(ctx context.Context, _ *Caller, in *DrawPath) (out *central.DrawView, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = central.ReadDrawView(ctx, snap, in.Draw)
		return err
	})
	return out, err
}

func (a *API) papers(ctx context.Context, _ *Caller, in *DrawPath) (*List[PaperView], error) {
	var views []PaperView
	err := a.view(ctx, func(snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Docs, S: in.Draw}, Prefix: 1}, func(r central.Row) error {
			d := r.(*central.Doc)
			views = append(views, PaperView{d.Kind, d.Version, d.Body})
			return nil
		})
	})
	return list(views), err
}

func (a *API) planDraw(ctx context.Context, who *Caller, in *sized[PlanBody]) (*central.Planned, error) {
	b := in.Body
	return do[central.Planned](ctx, a, who, central.PlanDraw{
		Game: b.Game, Day: b.Day, OpensAt: b.OpensAt, ClosesAt: b.ClosesAt, DrawsAt: b.DrawsAt, Exceptional: b.Exceptional, Jackpot: b.Jackpot.money(), Super: b.Super.money(),
	})
}

func (a *API) openDraw(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Packs []OfferBody `json:"packs,omitempty" maxItems:"20"`
	}
}) (*central.DrawOpened, error) {
	var packs []central.PackOffer
	for _, o := range in.Body.Packs {
		packs = append(packs, central.PackOffer{Type: o.Type, Multiples: o.Multiples, Simples: o.Simples, Shares: o.Shares, MaxPacks: o.MaxPacks, Formulas: o.Formulas})
	}
	receipt, err := a.Operator.As(who.Principal).Open(ctx, a.Entropy, in.Draw, packs)
	if err != nil {
		return nil, err
	}
	return result[central.DrawOpened](receipt)
}

func (a *API) announce(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Jackpot Cents `json:"jackpot,omitempty"`
		Super   Cents `json:"super,omitempty"`
		WhyBody
	}
}) (*central.Announced, error) {
	return do[central.Announced](ctx, a, who, central.AnnounceDraw{Draw: in.Draw, Jackpot: in.Body.Jackpot.money(), Super: in.Body.Super.money(), Why: in.Body.Why})
}

func (a *API) reportOutside(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Stakes Cents `json:"stakes"`
		Fund   Cents `json:"fund,omitempty" doc:"Follows from the stakes unless said"`
	}
}) (*central.Announced, error) {
	return do[central.Announced](ctx, a, who, central.ReportOutside{Draw: in.Draw, Stakes: in.Body.Stakes.money(), Fund: in.Body.Fund.money()})
}

func (a *API) postpone(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Until     time.Time `json:"until"`
		Published string    `json:"published,omitempty" maxLength:"500" doc:"Where the new day was published; needed from 48 hours on"`
		WhyBody
	}
}) (*central.State, error) {
	return do[central.State](ctx, a, who, central.PostponeDraw{Draw: in.Draw, Until: in.Body.Until, Why: in.Body.Why, Published: in.Body.Published})
}

func (a *API) recordResult(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body ResultBody
}) (*central.DrawView, error) {
	b := in.Body
	err := a.Operator.As(who.Principal).Record(ctx, in.Draw, central.Result{Main: b.Main, Extra: b.Extra, Codes: b.Codes, Joker: b.Joker, Claims: b.Claims}, central.Outside{Winners: b.Winners})
	if err != nil {
		return nil, err
	}
	return a.draw(ctx, who, &in.DrawPath)
}

func (a *API) approve(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Version int64 `json:"version" minimum:"1"`
	}
}) (*central.State, error) {
	return do[central.State](ctx, a, who, central.ApproveDraw{Draw: in.Draw, Version: in.Body.Version})
}

func (a *API) withdrawGame(ctx context.Context, who *Caller, in *struct {
	GamePath
	Body struct {
		WhyBody
		French  string `json:"fr,omitempty" maxLength:"500"`
		English string `json:"en,omitempty" maxLength:"500"`
	}
}) (*central.Offer, error) {
	return do[central.Offer](ctx, a, who, central.WithdrawGame{Game: in.Game, Why: in.Body.Why, French: in.Body.French, English: in.Body.English})
}

func (a *API) resumeGame(ctx context.Context, who *Caller, in *struct {
	GamePath
	Body WhyBody
}) (*central.Offer, error) {
	return do[central.Offer](ctx, a, who, central.ResumeGame{Game: in.Game, Why: in.Body.Why})
}

// ServicePath names a game or service whose day of effect may be put off.
type ServicePath struct {
	Service string `path:"service" maxLength:"40"`
}

// PutOffView is a deferral that a second person has yet to confirm.
type PutOffView struct {
	Service  string `json:"service"`
	State    string `json:"state"`
	Until    string `json:"until,omitempty"`
	Proposer string `json:"proposer"`
	Message  Texts  `json:"message"`
}

func (a *API) putOff(ctx context.Context, who *Caller, in *struct {
	ServicePath
	Body struct {
		Until string `json:"until,omitempty" maxLength:"10" doc:"YYYY-MM-DD; none: not yet known"`
		WhyBody
		French  string `json:"fr,omitempty" maxLength:"500"`
		English string `json:"en,omitempty" maxLength:"500"`
	}
}) (*PutOffView, error) {
	b := in.Body
	d, err := do[central.Deferral](ctx, a, who, central.PutOff{Service: in.Service, Until: b.Until, Why: b.Why, French: b.French, English: b.English})
	if err != nil {
		return nil, err
	}
	return &PutOffView{d.Service, d.State, d.Until, d.Proposer, Texts{d.French, d.English}}, nil
}

func (a *API) confirmPutOff(ctx context.Context, who *Caller, in *struct {
	ServicePath
	Body struct {
		Until    string `json:"until,omitempty" maxLength:"10"`
		Proposer string `json:"proposer" maxLength:"60" doc:"As staff/NAME"`
	}
}) (*central.Offer, error) {
	return do[central.Offer](ctx, a, who, central.ConfirmPutOff{Service: in.Service, Until: in.Body.Until, Proposer: in.Body.Proposer})
}
