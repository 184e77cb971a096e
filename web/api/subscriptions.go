package api

import (
	"context"
	"net/http"

	"tirage/central"
	"tirage/rules/money"
)

// SubscriptionBody is an order of a subscription (Abo+).
type SubscriptionBody struct {
	Game    string          `json:"game" maxLength:"40" example:"loto"`
	Lines   []string        `json:"lines" minItems:"1" maxItems:"60" doc:"Grids as 5-9-21-36-39+5, quick picks as « quick 6x1 », drawn anew for each draw"`
	AddOns  []central.AddOn `json:"add_ons,omitempty" maxItems:"4"`
	Days    []string        `json:"days,omitempty" maxItems:"7" doc:"Days of the week, such as monday; none: every draw of the game"`
	Channel central.Channel `json:"channel,omitempty" enum:"web,app" doc:"web unless said"`

	Pack     string `json:"pack,omitempty" maxLength:"40" doc:"Type of a pack: refused, a pack is played once"`
	Receipts int64  `json:"receipts,omitempty" doc:"Of a group play: refused, a group plays once"`
}

// SubscriptionView is a subscription with what it costs today.
type SubscriptionView struct {
	central.SubscriptionState
	Price money.Cents `json:"price" doc:"For each draw as things stand, to be agreed to when it is resumed"`
}

// SubscriptionPath names a subscription.
type SubscriptionPath struct {
	Subscription string `path:"subscription" maxLength:"40" example:"0-12"`
}

// id reads the number of the subscription; one that cannot be read is nobody's.
func (p *SubscriptionPath) id() (central.ID, error) {
	return idOf(p.Subscription, "subscription.unknown", "subscription")
}

func (a *API) addSubscriptions() {
	add(a, Route{Method: http.MethodPost, Path: "/quotes/subscription", ID: "quote-subscription", Tag: "subscriptions", Summary: "Quote a subscription (Abo+): confirmed like any quote, it is debited for each draw from the next one on", Command: "subscribe", Own: true}, a.quoteSubscription)
	add(a, Route{Method: http.MethodGet, Path: "/subscriptions", ID: "subscriptions", Tag: "subscriptions", Summary: "The player's subscriptions", Own: true}, a.subscriptions)
	add(a, Route{Method: http.MethodPost, Path: "/subscriptions/{subscription}/pause", ID: "pause-subscription", Tag: "subscriptions", Summary: "Suspend a subscription until it is resumed: nothing is debited meanwhile", Command: "pause_subscription", Own: true}, a.pauseSubscription)
	add(a, Route{Method: http.MethodPost, Path: "/subscriptions/{subscription}/resume", ID: "resume-subscription", Tag: "subscriptions", Summary: "Make a suspended subscription active again, at the price of today", Command: "resume_subscription", Own: true}, a.resumeSubscription)
	add(a, Route{Method: http.MethodPost, Path: "/subscriptions/{subscription}/end", ID: "end-subscription", Tag: "subscriptions", Summary: "End a subscription; plays that were debited stand", Command: "end_subscription", Own: true}, a.endSubscription)
}

// quoteSubscription quotes the price of today, which is what the player agrees to by confirming.
func (a *API) quoteSubscription(ctx context.Context, who *Caller, in *sized[SubscriptionBody]) (*Quote, error) {
	b := in.Body
	lines, err := parseLines(b.Lines)
	if err != nil {
		return nil, err
	}
	order := central.Subscribe{
		Player: who.Player, Game: b.Game, Lines: lines, AddOns: b.AddOns, Days: b.Days, Channel: channel(b.Channel), Pack: b.Pack, Receipts: b.Receipts,
	}
	if order.Cents, err = order.Price(a.Clock.Now()); err != nil {
		return nil, err
	}
	return a.quote(ctx, order)
}

func (a *API) subscriptions(ctx context.Context, who *Caller, _ *nothing) (*List[SubscriptionView], error) {
	var states []*central.SubscriptionState
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		states, err = central.ReadSubscriptions(ctx, snap, who.Player)
		return err
	})
	if err != nil {
		return nil, err
	}
	var views []SubscriptionView
	for _, s := range states {
		v := SubscriptionView{SubscriptionState: *s, Price: s.Cents}
		// Grids that are no longer sold have no price of today: their subscription cannot be resumed and says so then.
		if price, err := (central.Subscribe{Game: s.Game, Lines: s.Lines, AddOns: s.AddOns}).Price(a.Clock.Now()); err == nil {
			v.Price = price
		}
		views = append(views, v)
	}
	return list(views), nil
}

func (a *API) resumeSubscription(ctx context.Context, who *Caller, in *struct {
	SubscriptionPath
	Body struct {
		Cents Cents `json:"cents" doc:"What the player agrees to be debited for each draw"`
	}
}) (*central.SubscriptionState, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.SubscriptionState](ctx, a, who, central.ResumeSubscription{Player: who.Player, Subscription: id, Cents: in.Body.Cents.money()})
}

func (a *API) pauseSubscription(ctx context.Context, who *Caller, in *SubscriptionPath) (*central.SubscriptionState, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.SubscriptionState](ctx, a, who, central.PauseSubscription{Player: who.Player, Subscription: id})
}

func (a *API) endSubscription(ctx context.Context, who *Caller, in *SubscriptionPath) (*central.SubscriptionState, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.SubscriptionState](ctx, a, who, central.EndSubscription{Player: who.Player, Subscription: id})
}
