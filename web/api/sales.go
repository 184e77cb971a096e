package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"tirage/central"
)

// Quote is what a player sees before a play: everything that the regulation orders to be shown, and the text that confirms or drops it.
type Quote struct {
	central.Quote
	Recap map[string]*central.Recap `json:"recap" doc:"The screen « Récapitulatif », by language: fr, en"`
}

// PlayOrder is an order of grids, for one draw or several.
type PlayOrder struct {
	Draw    string          `json:"draw" maxLength:"60" example:"loto-2018-10-29"`
	Further []string        `json:"further,omitempty" maxItems:"30" doc:"Further draws, one play for each"`
	Lines   []string        `json:"lines" minItems:"1" maxItems:"60" doc:"Grids as 5-9-21-36-39+5, quick picks as « quick 6x1 »"`
	AddOns  []central.AddOn `json:"add_ons,omitempty" maxItems:"4"`
	Channel central.Channel `json:"channel,omitempty" enum:"web,app" doc:"web unless said"`
}

// ShareOrder is an order of shares of one pack.
type ShareOrder struct {
	Draw    string          `json:"draw" maxLength:"60"`
	Type    string          `json:"type" maxLength:"40" doc:"Of the pack"`
	Shares  int64           `json:"shares" minimum:"1"`
	Channel central.Channel `json:"channel,omitempty" enum:"web,app" doc:"web unless said"`
}

// ReplayOrder plays the numbers of an earlier play again (« rejouer »).
type ReplayOrder struct {
	Draw    string          `json:"draw" maxLength:"60" doc:"To play at"`
	OfDraw  string          `json:"of_draw" maxLength:"60" doc:"Of the earlier play"`
	OfPlay  string          `json:"of_play" maxLength:"40" example:"0-12" doc:"The earlier play"`
	AddOns  []central.AddOn `json:"add_ons,omitempty" maxItems:"4" doc:"Asked for anew"`
	Channel central.Channel `json:"channel,omitempty" enum:"web,app" doc:"web unless said"`
}

// QuoteBody is the text of a quote.
type QuoteBody struct {
	Quote string `json:"quote" maxLength:"16384"`
}

// Dropped is an order as it was asked for, to be changed.
type Dropped struct {
	Order central.Order `json:"order"`
}

// PlaysPage is a page of a player's history.
type PlaysPage struct {
	Plays []central.PlayRecord `json:"plays"`
	Next  string               `json:"next,omitempty"`
}

// PageQuery asks for a page of a list, the latest first.
type PageQuery struct {
	After string `query:"after" maxLength:"100" doc:"What the page before said is next"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"50"`
}

func (a *API) addSales() {
	add(a, Route{Method: http.MethodGet, Path: "/catalogue", ID: "catalogue", Tag: "sales", Summary: "What is on sale, with what must be shown before a play", Public: true}, a.catalogue)
	add(a, Route{Method: http.MethodPost, Path: "/quotes/play", ID: "quote-play", Tag: "sales", Summary: "Quote a play: nothing is debited or reserved", Command: "buy_play", Own: true}, a.quotePlay)
	add(a, Route{Method: http.MethodPost, Path: "/quotes/shares", ID: "quote-shares", Tag: "sales", Summary: "Quote shares of a pack: nothing is debited or reserved", Command: "buy_shares", Own: true}, a.quoteShares)
	add(a, Route{Method: http.MethodPost, Path: "/quotes/replay", ID: "quote-replay", Tag: "sales", Summary: "« Rejouer »: quote the numbers of an earlier play for another draw, at the price of today", Command: "replay", Own: true}, a.quoteReplay)
	add(a, Route{Method: http.MethodPost, Path: "/quotes/drop", ID: "drop-quote", Tag: "sales", Summary: "« Modifier »: drop a quote; the order comes back, nothing is debited", Command: "drop_quote", Own: true}, a.dropQuote)
	add(a, Route{Method: http.MethodPost, Path: "/plays", ID: "confirm", Tag: "sales", Summary: "Confirm a quote: the stake is debited, the play is irrevocable", Command: "confirm", Own: true, Keyed: true, Status: 201}, a.confirm)
	add(a, Route{Method: http.MethodGet, Path: "/plays", ID: "plays", Tag: "sales", Summary: "The player's plays with their contents and gains, the latest first", Own: true}, a.plays)
	add(a, Route{Method: http.MethodGet, Path: "/plays/{draw}/{play}", ID: "play", Tag: "sales", Summary: "One play", Own: true}, a.play)
}

func (a *API) catalogue(ctx context.Context, _ *Caller, _ *nothing) (out *central.Catalogue, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = central.ReadCatalogue(ctx, snap, a.Clock.Now().UTC())
		return err
	})
	return out, err
}

func (a *API) quotePlay(ctx context.Context, who *Caller, in *sized[PlayOrder]) (*Quote, error) {
	b := in.Body
	order := central.BuyPlay{Player: who.Player, Draw: b.Draw, Further: b.Further, AddOns: b.AddOns, Channel: channel(b.Channel)}
	var err error
	if order.Lines, err = parseLines(b.Lines); err != nil {
		return nil, err
	}
	return a.quote(ctx, order)
}

// parseLines reads grids and quick picks.
func parseLines(texts []string) ([]central.Line, error) {
	lines := make([]central.Line, len(texts))
	for i, text := range texts {
		if lines[i].UnmarshalText([]byte(text)) != nil {
			return nil, &central.Refusal{
				Code: central.Invalid, Reason: "play.line", Field: "lines." + strconv.Itoa(i), Text: "a grid is written 5-9-21-36-39+5, a quick pick « quick 5x1 »; nothing is debited",
				French: "Une grille s’écrit 5-9-21-36-39+5, un Système Flash « quick 5x1 ». Rien n’est débité.",
			}
		}
	}
	return lines, nil
}

// channel is that of an order: the web, unless an app says so.
func channel(c central.Channel) central.Channel {
	if c == "" {
		return central.ChannelWeb
	}
	return c
}

func (a *API) quoteShares(ctx context.Context, who *Caller, in *sized[ShareOrder]) (*Quote, error) {
	b := in.Body
	return a.quote(ctx, central.BuyShares{Player: who.Player, Draw: b.Draw, Type: b.Type, Shares: b.Shares, Channel: channel(b.Channel)})
}

func (a *API) quoteReplay(ctx context.Context, who *Caller, in *sized[ReplayOrder]) (*Quote, error) {
	b := in.Body
	of, err := idOf(b.OfPlay, "replay.unknown", "of_play")
	if err != nil {
		return nil, err
	}
	return a.quote(ctx, central.Replay{Player: who.Player, Draw: b.Draw, OfDraw: b.OfDraw, OfPlay: of, AddOns: b.AddOns, Channel: channel(b.Channel)})
}

func (a *API) quote(ctx context.Context, order central.Sale) (*Quote, error) {
	order, err := a.organise.Ready(ctx, order)
	if err != nil {
		return nil, err
	}
	q, err := a.Register.Quote(ctx, order)
	if err != nil {
		return nil, err
	}
	return &Quote{*q, map[string]*central.Recap{central.French: q.Recap(central.French), central.English: q.Recap(central.English)}}, nil
}

// Confirmed is what a confirmed quote has done: a play, a group play or a subscription, as the register's receipt says.
type Confirmed struct{ result json.RawMessage }

// MarshalJSON writes the result as it stands in the log.
func (c *Confirmed) MarshalJSON() ([]byte, error) { return c.result, nil }

// Schema is one of the results of orders.
func (*Confirmed) Schema(r huma.Registry) *huma.Schema {
	var one []*huma.Schema
	for _, t := range []reflect.Type{reflect.TypeFor[central.Bought](), reflect.TypeFor[central.GroupBought](), reflect.TypeFor[central.SubscriptionState]()} {
		one = append(one, r.Schema(t, true, ""))
	}
	return &huma.Schema{OneOf: one, Description: "What the quote was of: a play or shares, a group play, a subscription"}
}

func (a *API) confirm(ctx context.Context, who *Caller, in *sized[QuoteBody]) (*Confirmed, error) {
	slip, err := central.ParseQuote(in.Body.Quote)
	if err != nil {
		return nil, err
	}
	if slip.Order.Sale, err = a.organise.Ready(ctx, slip.Order.Sale); err != nil {
		return nil, err
	}
	receipt, err := a.Register.Do(ctx, central.Request{Principal: who.Principal, Key: key(ctx), Command: central.Confirm{Quote: *slip}})
	if err != nil {
		return nil, err
	}
	return &Confirmed{receipt.Result}, nil
}

// groupDesk asks the same ban list about the members of a group as the desk does about those who log in.
func groupDesk(cfg *Config) *central.GroupDesk {
	return &central.GroupDesk{Register: cfg.Register, Store: cfg.Store, BanList: cfg.Desk.BanList}
}

func (a *API) dropQuote(ctx context.Context, who *Caller, in *sized[QuoteBody]) (*Dropped, error) {
	slip, err := central.ParseQuote(in.Body.Quote)
	if err != nil {
		return nil, err
	}
	return do[Dropped](ctx, a, who, central.DropQuote{Quote: *slip})
}

func (a *API) plays(ctx context.Context, who *Caller, in *PageQuery) (*PlaysPage, error) {
	before, err := cursor(in.After)
	if err != nil {
		return nil, err
	}
	page, err := a.Register.ReadPlays(ctx, central.PlaysQuery{Player: who.Player, Before: before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &PlaysPage{Plays: page.Plays}
	if page.Before > 0 {
		out.Next = strconv.FormatInt(page.Before, 10)
	}
	return out, nil
}

// cursor reads a numeric cursor, 0 for none.
func cursor(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, errCursor
	}
	return n, nil
}

var errCursor = &central.Refusal{
	Code: central.Invalid, Reason: "page.after", Field: "after", Text: "accepted: what the page before said is next",
	French: "Valeur acceptée\u00a0: celle que la page précédente a indiquée.",
}

func (a *API) play(ctx context.Context, who *Caller, in *PlayPath) (*central.PlayRecord, error) {
	return a.Register.ReadPlay(ctx, who.Player, in.Draw, in.Play)
}
