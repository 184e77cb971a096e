// Package events tells what changes while it changes: of draws and packs to everybody, of a player's balance, plays, rounds and messages to that player
// alone. It reads the log as it grows, so nothing is told that is not committed, and what was told is there to be told again: whoever was away, or comes
// back after a restart, goes on from the [Place] of the last event that arrived.
//
//	feed := events.NewFeed(store)
//	register, err := central.NewRegister(central.Config{…, OnCommit: feed.Committed})
//	go feed.Run(ctx)
//
//	f, err := feed.Follow(ctx, events.Viewer{Player: 42}, nil)
//	defer f.Close()
//	for {
//		told, changed, err := f.Take()   // ErrAway: too much has happened, read anew what you show
//		…
//		<-changed
//	}
//
// Nobody is waited for and nothing is kept for anybody: a follower is a place in the log, which it leaves behind at its own pace. One that falls behind
// what is kept for all is told so, once, and goes on from the present.
package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"tirage/central"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// Event is something that changed. Its JSON form is its contract.
type Event interface {
	// Name is the stable name of its type.
	Name() string
}

// Draw tells where a draw stands.
type Draw struct {
	Draw     string    `json:"draw"`
	Game     string    `json:"game"`
	State    string    `json:"state"`
	OpensAt  time.Time `json:"opens_at"`
	ClosesAt time.Time `json:"closes_at"`
	Version  int64     `json:"version" doc:"Of the result, 0 before there is one"`
	Slices   int64     `json:"slices" doc:"Of credits, once the result is counted"`
	Paid     int64     `json:"paid" doc:"Slices that are credited"`
}

// Pack tells what is sold of a pack type.
type Pack struct {
	Draw     string `json:"draw"`
	Type     string `json:"type"`
	Opened   int64  `json:"opened" doc:"Packs"`
	MaxPacks int64  `json:"max_packs"`
	Shares   int64  `json:"shares" doc:"Of one pack"`
	Sold     int64  `json:"sold" doc:"Shares, over all packs"`
	Left     int64  `json:"left" doc:"Shares, of the packs that are open"`
}

// Balance tells a movement of the player's balance.
type Balance struct {
	Number  int64       `json:"number" doc:"Of the player's movements, from 1"`
	Account string      `json:"account" doc:"Where the money came from or went"`
	Cents   money.Cents `json:"cents" doc:"Above zero: to the player"`
	Balance money.Cents `json:"balance" doc:"That it left"`
}

// Play tells that a play of the player was sold.
type Play struct {
	Play   string      `json:"play"`
	Draw   string      `json:"draw"`
	Kind   string      `json:"kind"`
	Cents  money.Cents `json:"cents" doc:"The stake"`
	Pack   string      `json:"pack,omitempty" doc:"Type and number, for shares"`
	Shares int64       `json:"shares,omitempty"`
}

// Round tells where a round of the player stands.
type Round struct {
	Round string      `json:"round"`
	Game  string      `json:"game"`
	State string      `json:"state"`
	Step  int64       `json:"step" doc:"Series drawn"`
	Gain  money.Cents `json:"gain" doc:"Paid"`
}

// Message tells that a message has come for the player. The inbox has it a moment later.
type Message struct {
	ID    central.MessageID `json:"id"`
	Kind  string            `json:"kind"`
	At    time.Time         `json:"at"`
	Cents money.Cents       `json:"cents"`
	Facts central.Facts     `json:"facts"`
	FR    Words             `json:"fr"`
	EN    Words             `json:"en"`
}

// Words is what a message says in one language.
type Words struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// Done tells that a command of the player was accepted, from whatever device.
type Done struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
}

func (Draw) Name() string    { return "draw" }
func (Pack) Name() string    { return "pack" }
func (Balance) Name() string { return "balance" }
func (Play) Name() string    { return "play" }
func (Round) Name() string   { return "round" }
func (Message) Name() string { return "message" }
func (Done) Name() string    { return "done" }

// All lists an empty event of each type.
func All() []Event {
	return []Event{Draw{}, Pack{}, Balance{}, Play{}, Round{}, Message{}, Done{}}
}

// step is what one leaf tells.
type step struct {
	node, index int64
	public      []Event
	own         map[int64][]Event // by player
	events      int
}

// tell reads a leaf, in the order: what changed of draws and packs, rows of players, movements of balances, messages, the command itself.
func tell(body []byte) (*step, error) {
	leaf, lines, err := logbook.ParseLeaf(body)
	if err != nil {
		return nil, err
	}
	s := &step{node: leaf.Node, index: leaf.Index}
	for _, line := range lines {
		if err := s.row(line); err != nil {
			return nil, err
		}
	}
	for i := range leaf.Postings {
		s.posting(&leaf.Postings[i])
	}
	if err := s.messages(central.Entry{Leaf: leaf, Lines: lines}); err != nil {
		return nil, err
	}
	if id, ok := ledger.Account(leaf.Principal).PlayerID(); ok { // principals of players are written like their accounts
		s.to(id, Done{leaf.Kind, utc(leaf.At)})
	}
	return s, nil
}

func (s *step) to(player int64, e Event) {
	if s.own == nil {
		s.own = map[int64][]Event{}
	}
	s.own[player] = append(s.own[player], e)
	s.events++
}

func (s *step) everybody(e Event) {
	s.public = append(s.public, e)
	s.events++
}

// told are the tables whose rows are told of, as lines of the log open.
var told = func() (prefixes [][]byte) {
	for _, t := range []central.TableID{central.Draws, central.PackTypes, central.Plays, central.Rounds} {
		prefixes = append(prefixes, []byte(`["`+central.Schema[t].Name+`",`))
	}
	return prefixes
}()

func (s *step) row(line []byte) error {
	for _, prefix := range told {
		if !bytes.HasPrefix(line, prefix) {
			continue
		}
		row, err := central.ReadRow(line)
		if err != nil {
			return err
		}
		switch r := row.(type) {
		case *central.Draw:
			s.everybody(Draw{r.ID, r.Game, r.State, utc(r.OpensAt), utc(r.ClosesAt), r.Version, r.Slices, r.Paid})
		case *central.PackType:
			s.everybody(Pack{r.Draw, r.Type, r.Opened, r.MaxPacks, r.Shares, r.Sold, r.Opened*r.Shares - r.Sold})
		case *central.Play:
			e := Play{Play: central.PlayID(r.ID), Draw: r.Draw, Kind: r.Kind, Cents: r.Stake}
			if r.Kind == central.KindPack {
				e.Pack, e.Shares = fmt.Sprintf("%s/%d", r.PackType, r.Pack), r.Shares
			}
			s.to(r.Player, e)
		case *central.Round:
			s.to(r.Player, Round{r.ID.String(), r.Game, r.State, r.Step, r.Gain})
		}
	}
	return nil
}

func (s *step) posting(p *logbook.Posting) {
	if p.Version == 0 {
		return
	}
	e := Balance{p.Version, p.From, p.Cents, p.After}
	player, ok := ledger.Account(p.To).PlayerID()
	if !ok {
		player, _ = ledger.Account(p.From).PlayerID()
		e.Account, e.Cents = p.To, -p.Cents
	}
	s.to(player, e)
}

func (s *step) messages(entry central.Entry) error {
	list, err := central.MessagesOf(entry)
	if err != nil {
		return err
	}
	for _, m := range list {
		e, err := NewMessage(m)
		if err != nil {
			return err
		}
		s.to(m.Player, *e)
	}
	return nil
}

// NewMessage is a message of the inbox as it is told: the same words and cents in both places.
func NewMessage(m *central.Message) (*Message, error) {
	e := &Message{ID: m.ID, Kind: m.Kind, At: utc(m.At), Cents: m.Cents}
	err := json.Unmarshal([]byte(m.Facts), &e.Facts)
	if err == nil {
		e.FR.Subject, e.FR.Text, err = m.In(central.French)
	}
	if err == nil {
		e.EN.Subject, e.EN.Text, err = m.In(central.English)
	}
	return e, err
}

func utc(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
