package api

import (
	"context"
	"net/http"

	"tirage/central"
	"tirage/fairness/replay"
)

// RoundPath names a round.
type RoundPath struct {
	Game  string `path:"game" maxLength:"40"`
	Round string `path:"round" maxLength:"40" example:"0-12"`
}

// id reads the number of the round; one that cannot be read is nobody's.
func (p *RoundPath) id() (id central.RoundID, err error) {
	if id.UnmarshalText([]byte(p.Round)) != nil {
		err = &central.Refusal{Code: central.NotFound, Reason: "round.unknown", Field: "round", Text: "there is no such round", French: "Cette partie n’existe pas."}
	}
	return id, err
}

// GamePath names a game.
type GamePath struct {
	Game string `path:"game" maxLength:"40"`
}

// SeriesBody is « Go » or « Je continue ».
type SeriesBody struct {
	Step         int64      `json:"step" minimum:"0" doc:"Series drawn so far, as the player saw it"`
	Contribution replay.Hex `json:"contribution" doc:"16 fresh bytes of the device, hexadecimal"`
}

// StopBody is « J'arrête ».
type StopBody struct {
	Step int64 `json:"step" minimum:"0"`
}

// Current is the open round, if there is one.
type Current struct {
	Open *central.PastRound `json:"open,omitempty"`
}

// RoundsPage is a page of a player's rounds, to be shown again.
type RoundsPage struct {
	Rounds []*central.PastRound `json:"rounds"`
	Next   string               `json:"next,omitempty"`
}

func (a *API) addRounds() {
	add(a, Route{Method: http.MethodGet, Path: "/rounds/{game}/offer", ID: "round-offer", Tag: "rounds", Summary: "Whether a game of rounds can be played, and what players are told when not", Public: true}, a.roundOffer)
	add(a, Route{Method: http.MethodPost, Path: "/rounds/{game}", ID: "start-round", Tag: "rounds", Summary: "« Jouez »: the stake is debited, the round is open", Command: "start_round", Own: true, Keyed: true, Status: 201}, a.startRound)
	add(a, Route{Method: http.MethodGet, Path: "/rounds/{game}/current", ID: "current-round", Tag: "rounds", Summary: "The open round, the same from every device", Own: true}, a.currentRound)
	add(a, Route{Method: http.MethodPost, Path: "/rounds/{game}/{round}/series", ID: "play-series", Tag: "rounds", Summary: "« Go », « Je continue »: one series is drawn", Command: "play_series", Own: true, Keyed: true}, a.playSeries)
	add(a, Route{Method: http.MethodPost, Path: "/rounds/{game}/{round}/stop", ID: "stop-round", Tag: "rounds", Summary: "« J'arrête »: the gain of the level is paid", Command: "stop_round", Own: true, Keyed: true}, a.stopRound)
	add(a, Route{Method: http.MethodGet, Path: "/rounds/{game}", ID: "rounds", Tag: "rounds", Summary: "The player's rounds, each series to be shown again, the latest first", Own: true}, a.rounds)
	add(a, Route{Method: http.MethodGet, Path: "/rounds/{game}/{round}/file", ID: "round-file", Tag: "rounds", Summary: "The file that « tirage verify round » computes again", Own: true}, a.roundFile)
}

func (a *API) roundOffer(ctx context.Context, _ *Caller, in *GamePath) (out *central.Offer, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = central.ReadOffer(ctx, snap, in.Game, a.Clock.Now())
		return err
	})
	return out, err
}

// act does an action on a round through the croupier, who blocks a round that can't be right.
func (a *API) act(ctx context.Context, who *Caller, c central.Command) (*central.RoundAnswer, error) {
	receipt, err := a.Croupier.Do(ctx, central.Request{Principal: who.Principal, Key: key(ctx), Command: c})
	if err != nil {
		return nil, err
	}
	return result[central.RoundAnswer](receipt)
}

func (a *API) startRound(ctx context.Context, who *Caller, in *GamePath) (*central.RoundAnswer, error) {
	return a.act(ctx, who, central.StartRound{Player: who.Player, Game: in.Game})
}

func (a *API) playSeries(ctx context.Context, who *Caller, in *struct {
	RoundPath
	Body SeriesBody
}) (*central.RoundAnswer, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return a.act(ctx, who, central.PlaySeries{Player: who.Player, Game: in.Game, Round: id, Step: in.Body.Step, Contribution: in.Body.Contribution})
}

func (a *API) stopRound(ctx context.Context, who *Caller, in *struct {
	RoundPath
	Body StopBody
}) (*central.RoundAnswer, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return a.act(ctx, who, central.StopRound{Player: who.Player, Game: in.Game, Round: id, Step: in.Body.Step})
}

func (a *API) currentRound(ctx context.Context, who *Caller, in *GamePath) (*Current, error) {
	out := &Current{}
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		out.Open, err = central.CurrentRound(ctx, snap, in.Game, who.Player)
		return err
	})
	return out, err
}

func (a *API) rounds(ctx context.Context, who *Caller, in *struct {
	GamePath
	PageQuery
}) (*RoundsPage, error) {
	var before central.RoundID
	if in.After != "" {
		if err := before.UnmarshalText([]byte(in.After)); err != nil {
			return nil, errCursor
		}
	}
	out := &RoundsPage{}
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		out.Rounds, err = central.RoundHistory(ctx, snap, in.Game, who.Player, before, in.Limit)
		return err
	})
	if n := len(out.Rounds); err == nil && n == in.Limit {
		out.Next = out.Rounds[n-1].Round.Round.String()
	}
	return out, err
}

func (a *API) roundFile(ctx context.Context, who *Caller, in *RoundPath) (out *replay.Round, err error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		out, err = central.ExportRound(ctx, snap, in.Game, who.Player, id)
		return err
	})
	return out, err
}
