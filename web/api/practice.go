package api

import (
	"context"
	"net/http"

	"tirage/fairness/replay"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/web/practice"
)

// PracticeRound is a practice round as it stands. No money is staked or won.
type PracticeRound struct {
	Practice   bool           `json:"practice" doc:"Always true: no money is staked or won"`
	Round      string         `json:"round"`
	Rules      string         `json:"rules"`
	State      replay.State   `json:"state" enum:"open,won,lost"`
	Step       int64          `json:"step" doc:"To send with the next action"`
	Level      int            `json:"level" doc:"Passed"`
	Sum        money.Cents    `json:"sum"`
	Stars      int            `json:"stars"`
	Sure       money.Cents    `json:"sure" doc:"What « J'arrête » would pay"`
	Chance     *Texts         `json:"chance,omitempty" doc:"To pass the next level"`
	Commitment replay.Hex     `json:"commitment,omitempty" doc:"To the secret of the next series"`
	Series     *replay.Series `json:"series,omitempty" doc:"The one that was just drawn"`

	all []replay.Series
}

func (a *API) addPractice() {
	add(a, Route{Method: http.MethodPost, Path: "/practice/{game}", ID: "start-practice", Tag: "practice", Summary: "Start a practice round: the same odds, no money", Public: true, Status: 201}, a.startPractice)
	add(a, Route{Method: http.MethodPost, Path: "/practice/{game}/{round}/series", ID: "practice-series", Tag: "practice", Summary: "« Go », « Je continue », without money", Public: true}, a.practiceSeries)
	add(a, Route{Method: http.MethodPost, Path: "/practice/{game}/{round}/stop", ID: "practice-stop", Tag: "practice", Summary: "« J'arrête », without money", Public: true}, a.practiceStop)
}

// PracticePath names a practice round.
type PracticePath struct {
	Game  string `path:"game" maxLength:"40"`
	Round string `path:"round" maxLength:"40"`
}

func (a *API) startPractice(_ context.Context, _ *Caller, in *GamePath) (*PracticeRound, error) {
	return viewPractice(a.practice.Start(in.Game))
}

func (a *API) practiceSeries(_ context.Context, _ *Caller, in *struct {
	PracticePath
	Body SeriesBody
}) (*PracticeRound, error) {
	v, err := viewPractice(a.practice.Series(in.Game, in.Round, in.Body.Step, in.Body.Contribution))
	if err == nil {
		v.Series = &v.all[len(v.all)-1]
	}
	return v, err
}

func (a *API) practiceStop(_ context.Context, _ *Caller, in *struct {
	PracticePath
	Body StopBody
}) (*PracticeRound, error) {
	return viewPractice(a.practice.Stop(in.Game, in.Round, in.Body.Step))
}

// viewPractice shows a round to its player.
func viewPractice(r *practice.Round, err error) (*PracticeRound, error) {
	if err != nil {
		return nil, err
	}
	v := &PracticeRound{
		Practice: true, Round: r.Name, Rules: r.Book.Header.Version(), State: replay.Open, Step: r.Step, Level: r.State.Level, Sum: r.State.Sum, Stars: r.State.Stars, all: r.Series,
	}
	switch {
	case r.State.Collapsed:
		v.State = replay.Lost
		return v, nil
	case r.Over:
		v.State = replay.Won
	}
	table := r.Book.Ladder
	v.Sure = table.Gain(r.State)
	if !r.Over {
		v.Commitment = r.Commitment[:]
		pass := table.Odds()[r.State.Level].Pass
		v.Chance = &Texts{odds.French(pass, 2), odds.English(pass, 2)}
	}
	return v, nil
}
