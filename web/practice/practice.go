// Package practice holds rounds of a ladder that are played without money: the same engine, table and proofs as those that are paid for, and
// nothing kept of them. They live in the memory of one process and end with it, or when they have stood still for [Life].
//
//	room := practice.New(clock)
//	round, err := room.Start("donuts")                             // « Jouez », without a stake
//	round, err = room.Series("donuts", round.Name, round.Step, contribution) // « Go », « Je continue »
//	round, err = room.Stop("donuts", round.Name, round.Step)       // « J'arrête »: nothing is paid
//
// As in a round that is paid for, an action carries the step that its player saw, each series has a secret of its own, committed to before the device
// adds its contribution, and the secret is shown with the outcome (Art. donuts@2019-06-25:3.2.2).
package practice

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"tirage/central"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/rulebook"
)

const (
	// Life is how long a practice round may stand still.
	Life = 30 * time.Minute
	// roundsMax bounds the rounds at a time: some 6 KB each at most.
	roundsMax = 10_000
)

// Refusals of a practice round.
var (
	ErrGame = &central.Refusal{
		Code: central.NotFound, Reason: "game.unknown", Field: "game", Text: "there is no such game of rounds", French: "Ce jeu n’existe pas, ou n’a pas de parties.",
	}
	ErrRound = &central.Refusal{
		Code: central.NotFound, Reason: "round.unknown", Field: "round", Text: "there is no such practice round: they end after half an hour", French: "Cette partie d’entraînement n’existe plus.",
	}
	ErrStep = &central.Refusal{
		Code: central.Conflict, Reason: "round.step", Field: "step", Text: "the practice round has gone on or ended", French: "La partie d’entraînement a avancé ou s’est terminée.",
	}
	ErrFull = &central.Refusal{
		Code: central.Unavailable, Reason: "practice.full", Text: "too many practice rounds: try again later", French: "Trop de parties d’entraînement\u00a0: réessayez plus tard.",
	}
	ErrContribution = &central.Refusal{
		Code: central.Invalid, Reason: "round.contribution", Field: "contribution", Text: "accepted: 16 bytes, hexadecimal", French: "La contribution de l’appareil compte 16 octets, en hexadécimal.",
	}
)

// Round is a practice round as its player may see it.
type Round struct {
	Name       string
	Book       *rulebook.Rulebook // under which it is played, to its end
	State      ladder.State
	Over       bool
	Step       int64           // series drawn, to send with the next action
	Series     []replay.Series // drawn so far
	Commitment [32]byte        // to the secret of the next series, while the round goes on
}

// ID is the number under which the series of the round are proved.
func (r *Round) ID() [16]byte {
	var id [16]byte
	_, _ = hex.Decode(id[:], []byte(r.Name[len(prefix):])) // it was made here
	return id
}

// prefix tells the name of a practice round from the number of one that is paid for.
const prefix = "p-"

// Room holds the practice rounds of a process.
type Room struct {
	clock  central.Clock
	mu     sync.Mutex
	rounds map[string]*round
}

// round is a round with what its player may not see.
type round struct {
	Round
	game   string
	secret fairness.Secret // of the next series
	used   time.Time
}

// New returns an empty room.
func New(clock central.Clock) *Room { return &Room{clock: clock, rounds: map[string]*round{}} }

// Start opens a round under the rules of the day.
func (p *Room) Start(game string) (*Round, error) {
	book, err := games.At(game, p.clock.Now())
	if err != nil || book.Ladder == nil {
		return nil, ErrGame
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	r := &round{Round: Round{Name: prefix + hex.EncodeToString(id[:]), Book: book}, game: game}
	r.commit()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rounds) >= roundsMax {
		p.sweep()
	}
	if len(p.rounds) >= roundsMax {
		return nil, ErrFull
	}
	r.used = p.clock.Now()
	p.rounds[r.Name] = r
	return r.seen(), nil
}

// Read returns a round as it stands.
func (p *Room) Read(game, name string) (*Round, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.find(game, name)
	if err != nil {
		return nil, err
	}
	return r.seen(), nil
}

// Series drops the next series of a round.
func (p *Room) Series(game, name string, step int64, contribution []byte) (*Round, error) {
	if len(contribution) != len(fairness.Contribution{}) {
		return nil, ErrContribution
	}
	return p.act(game, name, step, func(r *round) error {
		of := fairness.LadderSeries{Round: r.ID(), N: uint16(r.Step + 1)}
		commitment := r.Commitment
		state, drawn := replay.Draw(r.Book.Ladder, r.State, of, r.secret, fairness.Contribution(contribution))
		r.Step++
		r.Series = append(r.Series, replay.Series{
			N: int(r.Step), Commitment: commitment[:], Contribution: slices.Clone(contribution), Secret: slices.Clone(r.secret[:]), Items: replay.Items(r.Book.Ladder, &drawn),
		})
		r.State, r.Over = state, r.Book.Ladder.Ended(state)
		r.commit()
		return nil
	})
}

// Stop ends a round at the level passed. Nothing is paid.
func (p *Room) Stop(game, name string, step int64) (*Round, error) {
	return p.act(game, name, step, func(r *round) error {
		if step == 0 {
			return ErrStep
		}
		r.Over = true
		return nil
	})
}

// act does something to a round that stands at a step.
func (p *Room) act(game, name string, step int64, do func(*round) error) (*Round, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.find(game, name)
	if err != nil {
		return nil, err
	}
	if r.Over || r.Step != step {
		return nil, ErrStep
	}
	if err := do(r); err != nil {
		return nil, err
	}
	return r.seen(), nil
}

// find returns a round that has not stood still for too long.
func (p *Room) find(game, name string) (*round, error) {
	r, now := p.rounds[name], p.clock.Now()
	if r == nil || r.game != game || now.Sub(r.used) >= Life {
		return nil, ErrRound
	}
	r.used = now
	return r, nil
}

func (p *Room) sweep() {
	now := p.clock.Now()
	for name, r := range p.rounds {
		if now.Sub(r.used) >= Life {
			delete(p.rounds, name)
		}
	}
}

// commit makes the secret of the next series and the commitment to it.
func (r *round) commit() {
	_, _ = rand.Read(r.secret[:])
	r.Commitment = fairness.LadderSeries{Round: r.ID(), N: uint16(r.Step + 1)}.Commit(r.secret)
}

// seen returns a copy that later actions leave alone.
func (r *round) seen() *Round {
	c := r.Round
	c.Series = slices.Clip(c.Series)
	return &c
}
