package central

import (
	"context"
	"time"

	"tirage/rules/money"
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
	Joker   string              `json:"joker,omitempty"`
	Claims  string              `json:"claims_until"` // last day of payment
}

// NoticeRank is one rank of a notice.
type NoticeRank struct {
	Rank    int         `json:"rank"`
	Winners int64       `json:"winners"`
	Gain    money.Cents `json:"gain"` // of one simple combination; at an empty rank what the notice prints there
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
		Main: r.Main, Extra: r.Extra, Codes: r.Codes, Joker: r.Joker, Claims: r.Claims,
	}
	for i := range winners {
		n.Ranks = append(n.Ranks, NoticeRank{i + 1, winners[i], s.Published[i]})
	}
	for _, code := range c.Codes {
		if n.Gains == nil {
			n.Gains = map[string]int64{}
		}
		n.Gains[code.Series] = int64(code.Unit)
	}
	// The rulebook states the usual number of days; the last one is a datum of each draw.
	if n.Claims == "" {
		day, err := time.Parse(time.DateOnly, d.Day)
		if err != nil {
			return nil, err
		}
		n.Claims = day.AddDate(0, 0, book.Calendar.ClaimDays).Format(time.DateOnly)
	}
	return n, nil
}
