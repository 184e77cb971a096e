package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"tirage/central"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
)

// practice holds rounds that are played without money: the same engine, table and proofs as those that are paid for, and nothing kept of them. They live
// in the memory of this process and end with it.
type practice struct {
	clock  central.Clock
	mu     sync.Mutex
	rounds map[string]*practiceRound
}

const (
	// practiceLife is how long a practice round may stand still.
	practiceLife = 30 * time.Minute
	// practiceMax bounds the practice rounds at a time: some 500 bytes each.
	practiceMax = 10_000
)

func newPractice(clock central.Clock) *practice {
	return &practice{clock: clock, rounds: map[string]*practiceRound{}}
}

type practiceRound struct {
	id     [16]byte
	table  *ladder.Table
	rules  string
	state  ladder.State
	step   int64
	secret fairness.Secret // of the next series
	over   bool
	used   time.Time
}

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

var (
	errPracticeGame = &central.Refusal{
		Code: central.NotFound, Reason: "game.unknown", Field: "game", Text: "there is no such game of rounds", French: "Ce jeu n’existe pas, ou n’a pas de parties.",
	}
	errPracticeRound = &central.Refusal{
		Code: central.NotFound, Reason: "round.unknown", Field: "round", Text: "there is no such practice round: they end after half an hour", French: "Cette partie d’entraînement n’existe plus.",
	}
	errPracticeStep = &central.Refusal{
		Code: central.Conflict, Reason: "round.step", Field: "step", Text: "the practice round has gone on or ended", French: "La partie d’entraînement a avancé ou s’est terminée.",
	}
	errPracticeFull = &central.Refusal{
		Code: central.Unavailable, Reason: "practice.full", Text: "too many practice rounds: try again later", French: "Trop de parties d’entraînement\u00a0: réessayez plus tard.",
	}
	errContribution = &central.Refusal{
		Code: central.Invalid, Reason: "round.contribution", Field: "contribution", Text: "accepted: 16 bytes, hexadecimal", French: "La contribution de l’appareil compte 16 octets, en hexadécimal.",
	}
)

func (a *API) startPractice(_ context.Context, _ *Caller, in *GamePath) (*PracticeRound, error) {
	book, err := games.At(in.Game, a.Clock.Now())
	if err != nil || book.Ladder == nil {
		return nil, errPracticeGame
	}
	r := &practiceRound{table: book.Ladder, rules: book.Header.Version()}
	_, _ = rand.Read(r.id[:]) // never fails
	_, _ = rand.Read(r.secret[:])
	p := a.practice
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rounds) >= practiceMax {
		p.sweep()
	}
	if len(p.rounds) >= practiceMax {
		return nil, errPracticeFull
	}
	r.used = p.clock.Now()
	p.rounds[r.name()] = r
	return r.view(nil), nil
}

func (p *practice) sweep() {
	for name, r := range p.rounds {
		if p.clock.Now().Sub(r.used) >= practiceLife {
			delete(p.rounds, name)
		}
	}
}

func (r *practiceRound) name() string { return "p-" + replayHex(r.id[:]) }

func replayHex(b []byte) string {
	text, err := replay.Hex(b).MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}

// with does something to a practice round at a step.
func (p *practice) with(in PracticePath, step int64, f func(*practiceRound) *PracticeRound) (*PracticeRound, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.rounds[in.Round]
	now := p.clock.Now()
	switch {
	case r == nil || now.Sub(r.used) >= practiceLife:
		return nil, errPracticeRound
	case r.over || r.step != step:
		return nil, errPracticeStep
	}
	r.used = now
	return f(r), nil
}

func (a *API) practiceSeries(_ context.Context, _ *Caller, in *struct {
	PracticePath
	Body SeriesBody
}) (*PracticeRound, error) {
	if len(in.Body.Contribution) != len(fairness.Contribution{}) {
		return nil, errContribution
	}
	return a.practice.with(in.PracticePath, in.Body.Step, func(r *practiceRound) *PracticeRound {
		id := fairness.LadderSeries{Round: r.id, N: uint16(r.step + 1)}
		commitment := id.Commit(r.secret)
		state, drawn := replay.Draw(r.table, r.state, id, r.secret, fairness.Contribution(in.Body.Contribution))
		shown := &replay.Series{
			N: int(r.step + 1), Commitment: commitment[:], Contribution: in.Body.Contribution, Secret: append(replay.Hex(nil), r.secret[:]...), Items: replay.Items(r.table, &drawn),
		}
		r.state, r.step = state, r.step+1
		r.over = r.table.Ended(state)
		_, _ = rand.Read(r.secret[:])
		return r.view(shown)
	})
}

func (a *API) practiceStop(_ context.Context, _ *Caller, in *struct {
	PracticePath
	Body StopBody
}) (*PracticeRound, error) {
	if in.Body.Step == 0 {
		return nil, errPracticeStep
	}
	return a.practice.with(in.PracticePath, in.Body.Step, func(r *practiceRound) *PracticeRound {
		r.over = true
		return r.view(nil)
	})
}

// view returns the round as its player sees it.
func (r *practiceRound) view(s *replay.Series) *PracticeRound {
	v := &PracticeRound{
		Practice: true, Round: r.name(), Rules: r.rules, State: replay.Open, Step: r.step, Level: r.state.Level, Sum: r.state.Sum, Stars: r.state.Stars, Series: s,
	}
	switch {
	case r.state.Collapsed:
		v.State = replay.Lost
		return v
	case r.over:
		v.State = replay.Won
	}
	v.Sure = r.table.Gain(r.state)
	if !r.over {
		commitment := fairness.LadderSeries{Round: r.id, N: uint16(r.step + 1)}.Commit(r.secret)
		v.Commitment = commitment[:]
		pass := r.table.Odds()[r.state.Level].Pass
		v.Chance = &Texts{odds.French(pass, 2), odds.English(pass, 2)}
	}
	return v
}
