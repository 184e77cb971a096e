package central

import (
	"context"
	"strings"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// Notice (avis) is the published result of a draw: numbers, winners and gain of each winning simple combination at each rank, codes
// (Art. loto@2018-10-29:11, Art. euromillions@2018-10-29:7). What shares of packs receive follows from it by their split.
type Notice struct {
	Draw    string              `json:"draw"`
	Game    string              `json:"game"`
	Day     string              `json:"day"`
	Version int64               `json:"version"`
	Rules   string              `json:"rules"`
	Main    []int               `json:"main"`
	Extra   []int               `json:"extra"`
	Ranks   []NoticeRank        `json:"ranks"`
	Codes   map[string][]string `json:"codes,omitempty"`
	Gains   map[string]int64    `json:"code_gains,omitempty"` // cents of one winning code, by series
	Joker   string              `json:"joker,omitempty"`      // "5 697 395"
	AddOns  []NoticeAddOn       `json:"add_ons,omitempty"`
	Claims  string              `json:"claims_until"` // last day of payment
}

// NoticeRank is one rank of a notice.
type NoticeRank struct {
	Rank    int         `json:"rank"`
	Winners int64       `json:"winners"`
	Gain    money.Cents `json:"gain"`            // of one simple combination; at an empty rank what the notice prints there
	Stake   money.Cents `json:"stake,omitempty"` // of a game of digits: the stake that wins it
}

// NoticeAddOn is the result of a game added to plays. The winners of a game of digits are those of this system: its gains are fixed.
type NoticeAddOn struct {
	Game  string       `json:"game"`
	Rules string       `json:"rules"`
	Ranks []NoticeRank `json:"ranks"`
}

// NewNotice drafts the notice of a counted draw.
func NewNotice(ctx context.Context, snap Snapshot, draw string) (*Notice, error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	m, err := readDoc[Manifest](ctx, snap, draw, DocManifest, 0)
	if err != nil {
		return nil, err
	}
	r, err := readDoc[Result](ctx, snap, draw, DocResult, d.Version)
	if err != nil {
		return nil, err
	}
	c, err := readDoc[Count](ctx, snap, draw, DocCount, d.Version)
	if err != nil {
		return nil, err
	}
	return draft(d, m, r, c)
}

// draft writes the notice of a counted draw.
func draft(d *Draw, m *Manifest, r *Result, c *Count) (*Notice, error) {
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	winners := plus(c.Winners, c.Outside)
	s, err := settle(d, book, m, r, winners)
	if err != nil {
		return nil, err
	}
	n := &Notice{
		Draw: d.ID, Game: d.Game, Day: d.Day, Version: d.Version, Rules: book.Header.Version(),
		Main: r.Main, Extra: r.Extra, Codes: r.Codes, Joker: r.Joker,
	}
	for i := range winners {
		n.Ranks = append(n.Ranks, NoticeRank{Rank: i + 1, Winners: winners[i], Gain: s.Published[i]})
	}
	for _, code := range c.Codes {
		if n.Gains == nil {
			n.Gains = map[string]int64{}
		}
		n.Gains[code.Series] = int64(code.Unit)
	}
	if n.Joker != "" {
		n.Joker = prize.FormatDigits(strings.ReplaceAll(n.Joker, " ", ""))
	}
	for _, a := range c.AddOns {
		added, err := a.notice(d.Day)
		if err != nil {
			return nil, err
		}
		n.AddOns = append(n.AddOns, added)
	}
	// The rulebook states the usual number of days; the last one is a datum of each draw.
	if n.Claims, err = lastDay(d, r); err != nil {
		return nil, err
	}
	return n, nil
}

// notice writes what is published of an added game.
func (a *AddOnCount) notice(day string) (NoticeAddOn, error) {
	book, err := games.InForce(a.Game, day)
	if err != nil {
		return NoticeAddOn{}, err
	}
	out := NoticeAddOn{Game: a.Game, Rules: book.Header.Version()}
	for i, winners := range plus(a.Winners, a.Outside) {
		rank := NoticeRank{Rank: i + 1, Winners: winners, Gain: a.Unit[i]}
		if book.Digits != nil {
			rank.Rank, rank.Stake = i%book.Digits.Length+1, book.Digits.Stakes[i/book.Digits.Length].Stake
		}
		out.Ranks = append(out.Ranks, rank)
	}
	return out, nil
}
