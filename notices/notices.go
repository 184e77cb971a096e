// Package notices gives the notice (avis) of a draw its forms: what is published of a settled draw, for people and for programs, from the one paper that
// two people answer for (central: draft_notice, publish_draw).
//
//	list, err := notices.Published(ctx, snap)      // newest first
//	page, err := notices.HTML(list[0], notices.French)
//	doc, err := notices.PDF(list[0], notices.French)
//	row, err := notices.Row(list[0], list)          // a row of the operator's archive
//	file, err := notices.CSV("loto", list)          // the whole archive
//
// Every form prints the same integer cents as those that were paid, and adds nothing: the same notice gives the same bytes. The rows of the archive are those
// of the operator's own files, byte for byte (package archive).
//
// Art. loto@2018-10-29:11, Art. euromillions@2018-10-29:7: the results and the gain of each winning combination and code by rank are published by notice.
package notices

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/archive"
	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
)

// Published reads the published notices, the newest first; of one day in the order of the games.
func Published(ctx context.Context, snap central.Snapshot) ([]*central.Notice, error) {
	var draws []*central.Draw
	err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Draws}}, func(r central.Row) error {
		if d := r.(*central.Draw); d.State == string(drawing.Published) {
			draws = append(draws, d)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]*central.Notice, 0, len(draws))
	for _, d := range draws {
		row, err := snap.Get(ctx, central.Key{Table: central.Docs, S: d.ID, U: central.DocNotice, N: d.Version})
		if err != nil {
			return nil, err
		}
		doc, ok := row.(*central.Doc)
		if !ok {
			return nil, fmt.Errorf("draw %s is published without a notice", d.ID)
		}
		n, err := central.ReadPaper[central.Notice](doc.Body)
		if err != nil {
			return nil, fmt.Errorf("notice of draw %s: %w", d.ID, err)
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b *central.Notice) int {
		return -strings.Compare(a.Day+b.Game, b.Day+a.Game)
	})
	return list, nil
}

// JSON writes a notice for programs.
func JSON(n *central.Notice) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(n)
	return b.Bytes(), err
}

// Row writes the row of the operator's archive for a notice. The identifier counts the draws of the game in the year: the regular ones by its calendar, those
// that are announced one by one among the published ones (inferred: all 316 draws of 2017 to 2019 agree).
func Row(n *central.Notice, published []*central.Notice) ([]byte, error) {
	d, err := drawOf(n, published)
	if err != nil {
		return nil, err
	}
	return archive.Row(d)
}

// CSV writes the archive of a game: its header and the rows of its notices, the newest first. The notices of one file have one form, that of the newest.
func CSV(game string, published []*central.Notice) ([]byte, error) {
	var draws []*archive.Draw
	for _, n := range published {
		if n.Game != game {
			continue
		}
		d, err := drawOf(n, published)
		if err != nil {
			return nil, err
		}
		draws = append(draws, d)
	}
	return archive.Write(draws)
}

// drawOf gives the facts of a notice their places in the archive.
func drawOf(n *central.Notice, published []*central.Notice) (*archive.Draw, error) {
	day, err := time.Parse(time.DateOnly, n.Day)
	if err != nil {
		return nil, fmt.Errorf("notice of %s: %w", n.Draw, err)
	}
	last, err := time.Parse(time.DateOnly, n.Claims)
	if err != nil {
		return nil, fmt.Errorf("notice of %s: %w", n.Draw, err)
	}
	grid, err := combin.Of(n.Main, n.Extra)
	if err != nil {
		return nil, fmt.Errorf("notice of %s: %w", n.Draw, err)
	}
	number, err := numberOf(n, published)
	if err != nil {
		return nil, err
	}
	d := &archive.Draw{
		Game: n.Game, ID: archive.ID(n.Game, n.Day, number), Weekday: day.Weekday(), Date: n.Day,
		// The archive prints the first day on which nothing is paid any more (forclusion).
		Deadline: last.AddDate(0, 0, 1).Format(time.DateOnly),
		Balls:    n.Main, Extras: n.Extra, Grid: grid, Joker: n.Joker, Currency: "eur",
	}
	for _, r := range n.Ranks {
		rank := archive.Rank{Number: r.Rank, Winners: r.Winners, France: r.Winners, Gain: r.Gain}
		if n.Game == archive.EuroMillions {
			rank.France = archive.NotPrinted // the paper of the winners elsewhere does not tell countries apart
		}
		d.Ranks = append(d.Ranks, rank)
	}
	for _, a := range n.AddOns {
		if a.Game == "etoileplus" {
			for _, r := range a.Ranks {
				d.Side = append(d.Side, archive.Rank{Number: r.Rank, Winners: r.Winners, Gain: r.Gain})
			}
		}
	}
	d.Codes = codesOf(n, seriesOf(n.Game))
	if n.Game == archive.EuroMillions && n.Day < spacedFrom {
		d.Codes.List = joined(d.Codes.List)
	}
	if n.Game == archive.EuroMillions {
		d.EuroCodes = codesOf(n, archive.EuroMillions)
	}
	return d, nil
}

// spacedFrom is the day from which the archive prints the spaces of a code My Million.
const spacedFrom = "2020-02-04"

func joined(codes []string) []string {
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = strings.ReplaceAll(c, " ", "")
	}
	return out
}

// seriesOf names the series of codes of each draw of a game.
func seriesOf(game string) string {
	if game == archive.EuroMillions {
		return "mymillion"
	}
	return game
}

func codesOf(n *central.Notice, series string) archive.Codes {
	list := n.Codes[series]
	return archive.Codes{Count: int64(len(list)), Gain: money.Cents(n.Gains[series]), List: list, Listed: true}
}

// numberOf counts the draws of the game in the year, up to this one.
func numberOf(n *central.Notice, published []*central.Notice) (int, error) {
	book, err := games.InForce(n.Game, n.Day)
	if err != nil {
		return 0, err
	}
	year := n.Day[:4]
	if len(book.Calendar.Weekdays) > 0 {
		return regular(book.Calendar.Weekdays, n.Day), nil
	}
	number := 1
	for _, other := range published {
		if other.Game == n.Game && other.Day[:4] == year && other.Day < n.Day {
			number++
		}
	}
	return number, nil
}

// regular counts the weekdays of a calendar from the first of January to a day. The days of the whole year are those of the rulebook of that day.
func regular(weekdays []string, day string) (number int) {
	last, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	for d := time.Date(last.Year(), time.January, 1, 0, 0, 0, 0, time.UTC); !d.After(last); d = d.AddDate(0, 0, 1) {
		if slices.Contains(weekdays, strings.ToLower(d.Weekday().String())) {
			number++
		}
	}
	return number
}
