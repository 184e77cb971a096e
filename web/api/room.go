package api

import (
	"context"
	"net/http"

	"tirage/central"
)

// RoomAnswer is the draw room of a draw, with the digests of what runs here.
type RoomAnswer struct {
	*central.RoomView
	Running RoomDigests `json:"running"`
}

// RoomDigests name a program and its rulebooks.
type RoomDigests struct {
	Program string `json:"program" maxLength:"64" doc:"SHA-256 of the program, in hex"`
	Rules   string `json:"rules" maxLength:"64" doc:"SHA-256 of its rulebooks, in hex"`
}

// RoundBody says which round of typing is meant: that of the room when it was looked at.
type RoundBody struct {
	Version int64 `json:"version" minimum:"1"`
	Round   int64 `json:"round" minimum:"1"`
}

func (a *API) addRoom() {
	const room = "/staff/draws/{draw}/room"
	add(a, Route{Method: http.MethodGet, Path: room, ID: "room", Tag: "staff", Summary: "The draw room of a draw, as who asks may see it", View: "draws"}, a.room)
	add(a, Route{Method: http.MethodPost, Path: room + "/check", ID: "check-room", Tag: "staff", Summary: "Say that program, rulebooks and equipment were looked at before the draw", Command: "check_room"}, a.checkRoom)
	add(a, Route{Method: http.MethodPost, Path: room + "/attend", ID: "attend-draw", Tag: "staff", Summary: "Say that the officer is there", Command: "attend_draw"}, a.attendDraw)
	add(a, Route{Method: http.MethodPost, Path: room + "/entries", ID: "enter-result", Tag: "staff", Summary: "Seal what one person copied of the draw", Command: "enter_result"}, a.enterResult)
	add(a, Route{Method: http.MethodPost, Path: room + "/interrupt", ID: "interrupt-draw", Tag: "staff", Summary: "List what was validly drawn before an incident", Command: "interrupt_draw"}, a.interruptDraw)
	const generator = "/staff/draws/{draw}/generator"
	add(a, Route{Method: http.MethodGet, Path: generator, ID: "generator", Tag: "staff", Summary: "How the numbers come from a generator, where no balls are drawn", View: "draws"}, a.generator)
	add(a, Route{Method: http.MethodPost, Path: generator, ID: "use-generator", Tag: "staff", Summary: "Propose the generator for a draw that is not yet on sale: the round of the beacon is fixed", Command: "use_generator"}, a.useGenerator)
	add(a, Route{Method: http.MethodPost, Path: generator + "/confirm", ID: "confirm-generator", Tag: "staff", Summary: "Confirm the generator before the sales", Command: "confirm_generator"}, a.confirmGenerator)
	add(a, Route{Method: http.MethodPost, Path: generator + "/numbers", ID: "draw-numbers", Tag: "staff", Summary: "Bring the signature of the round: it is verified, and the numbers follow", Command: "draw_numbers"}, a.drawNumbers)
	add(a, Route{Method: http.MethodPost, Path: generator + "/contribute", ID: "contribute-draw", Tag: "staff", Summary: "Bring a value of your own where the beacon has failed, as the first or the second of two people", Command: "contribute_draw"}, a.contributeDraw)
	add(a, Route{Method: http.MethodPost, Path: room + "/sign", ID: "sign-result", Tag: "staff", Summary: "Sign two equal entries: they are the result", Command: "sign_result"}, a.signResult)
}

func (a *API) room(ctx context.Context, who *Caller, in *DrawPath) (*RoomAnswer, error) {
	out := &RoomAnswer{Running: RoomDigests{a.Register.Program(), central.RulesDigest()}}
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		out.RoomView, err = central.ReadRoom(ctx, snap, in.Draw, who.Principal)
		return err
	})
	return out, err
}

func (a *API) checkRoom(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		RoomDigests
		Checked []string `json:"checked" maxItems:"10" doc:"Each of program, rules, equipment"`
	}
}) (*central.RoomState, error) {
	return do[central.RoomState](ctx, a, who, central.CheckRoom{Draw: in.Draw, Program: in.Body.Program, Rules: in.Body.Rules, Checked: in.Body.Checked})
}

func (a *API) attendDraw(ctx context.Context, who *Caller, in *DrawPath) (*central.RoomState, error) {
	return do[central.RoomState](ctx, a, who, central.AttendDraw{Draw: in.Draw})
}

func (a *API) enterResult(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		RoundBody
		Entry central.EntryBody `json:"entry"`
	}
}) (*central.RoomState, error) {
	return do[central.RoomState](ctx, a, who, central.EnterResult{Draw: in.Draw, Version: in.Body.Version, Round: in.Body.Round, Entry: in.Body.Entry})
}

func (a *API) interruptDraw(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		WhyBody
		Main  []int `json:"main,omitempty" maxItems:"10" doc:"Validly drawn, in the order of drawing"`
		Extra []int `json:"extra,omitempty" maxItems:"5"`
	}
}) (*central.RoomState, error) {
	return do[central.RoomState](ctx, a, who, central.InterruptDraw{Draw: in.Draw, Why: in.Body.Why, Main: in.Body.Main, Extra: in.Body.Extra})
}

func (a *API) signResult(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		RoundBody
		Statements []string `json:"statements" maxItems:"10" doc:"Each that the room lists"`
		Late       string   `json:"late,omitempty" maxLength:"500" doc:"Why the draw was not held when it was announced"`
		Claims     string   `json:"claims,omitempty" maxLength:"10" doc:"Last day of payment; that of the rulebook unless said"`
	}
}) (*central.RoomState, error) {
	b := in.Body
	return do[central.RoomState](ctx, a, who, central.SignResult{Draw: in.Draw, Version: b.Version, Round: b.Round, Statements: b.Statements, Late: b.Late, Claims: b.Claims})
}

func (a *API) generator(ctx context.Context, _ *Caller, in *DrawPath) (*central.GeneratorView, error) {
	var v *central.GeneratorView
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		v, err = central.ReadGenerator(ctx, snap, in.Draw)
		return err
	})
	if v == nil && err == nil {
		return nil, central.NoGenerator(in.Draw)
	}
	return v, err
}

func (a *API) useGenerator(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body WhyBody
}) (*central.GeneratorChosen, error) {
	return do[central.GeneratorChosen](ctx, a, who, central.UseGenerator{Draw: in.Draw, Why: in.Body.Why})
}

func (a *API) confirmGenerator(ctx context.Context, who *Caller, in *DrawPath) (*central.GeneratorChosen, error) {
	return do[central.GeneratorChosen](ctx, a, who, central.ConfirmGenerator{Draw: in.Draw})
}

func (a *API) drawNumbers(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		Signature string `json:"signature" maxLength:"96" doc:"Of the round, 96 hexadecimal digits"`
	}
}) (*central.NumbersDrawn, error) {
	return do[central.NumbersDrawn](ctx, a, who, central.DrawNumbers{Draw: in.Draw, Signature: in.Body.Signature})
}

func (a *API) contributeDraw(ctx context.Context, who *Caller, in *struct {
	DrawPath
	Body struct {
		WhyBody
		Value string `json:"value" maxLength:"64" doc:"64 hexadecimal digits of your own, shown to nobody"`
	}
}) (*central.NumbersDrawn, error) {
	return do[central.NumbersDrawn](ctx, a, who, central.ContributeDraw{Draw: in.Draw, Value: in.Body.Value, Why: in.Body.Why})
}
