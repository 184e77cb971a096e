package demo

import (
	"context"
	"fmt"
	"slices"

	"tirage/central"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// What other points of sale and countries report of every draw of the demo: stakes, and the pool of Loto.
const (
	lotoElsewhere money.Cents = 12_000_000_00
	lotoPool      money.Cents = 3_200_000_00
	euroElsewhere money.Cents = 60_000_000_00
	// elsewherePrice is the common stake of one combination, of either game.
	elsewherePrice money.Cents = 2_20
)

// Elsewhere is what others report of a closed draw, for a [central.Schedule].
func Elsewhere(_ context.Context, d *central.DrawDate) (*central.ReportOutside, error) {
	switch d.Game {
	case "loto":
		return &central.ReportOutside{Stakes: lotoElsewhere, Fund: lotoPool}, nil
	case "euromillions":
		return &central.ReportOutside{Stakes: euroElsewhere}, nil
	}
	return nil, nil
}

// winnersElsewhere counts as many winners of each rank among the combinations staked elsewhere as chance gives, none of the first.
func winnersElsewhere(d *central.Draw, book *rulebook.Rulebook) prize.Winners {
	stakes := map[string]money.Cents{"loto": lotoElsewhere, "euromillions": euroElsewhere}[d.Game]
	combinations, all := int64(stakes/elsewherePrice), book.Matrix.Total()
	winners := make(prize.Winners, len(book.Prizes.Ranks))
	for i, r := range book.Prizes.Ranks[1:] {
		winners[i+1] = combinations * r.Ways / all
	}
	return winners
}

// drawn is what people copy of a past draw: numbers near what the players hold, so that there is something to see.
func (s *seeder) drawn(ctx context.Context, d *central.Draw) (*central.EntryBody, error) {
	book, err := games.InForce(d.Game, d.Day)
	if err != nil {
		return nil, err
	}
	record, err := s.somebodys(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	near, err := combin.Parse(favourite[d.Game])
	if record != nil && s.drawing.Uniform(2) == 0 {
		near, err = combin.Parse(record.Grids[0].Grid)
	}
	if err != nil {
		return nil, err
	}
	r := &central.EntryBody{
		Main:  s.numbers(near.Main(), 2+s.drawing.Uniform(3), book.Matrix.Main, book.Matrix.MainOf),
		Extra: s.numbers(near.Extra(), s.drawing.Uniform(2), book.Matrix.Extra, book.Matrix.ExtraOf),
		Joker: fmt.Sprintf("%07d", s.drawing.Uniform(jokerNumbers)),
		Codes: map[string][]string{}, Winners: winnersElsewhere(d, book),
	}
	return r, s.codes(r, book, d.Day, record)
}

// jokerNumbers is how many numbers Joker+ has.
const jokerNumbers = 10_000_000

// somebodys returns a play of shares for a draw, nil when there is none.
func (s *seeder) somebodys(ctx context.Context, draw string) (*central.PlayRecord, error) {
	s.mu.Lock()
	h, ok := s.shares[draw]
	s.mu.Unlock()
	if !ok {
		return nil, nil
	}
	return s.register.ReadPlay(ctx, h.player, draw, h.play)
}

// numbers draws n of the numbers 1 to of: hits of them, or as many as it takes, among the given ones.
func (s *seeder) numbers(given []int, hits int64, n, of int) (drawn []int) {
	hits = max(hits, int64(n-(of-len(given)))) // a multiple may hold them all
	for int64(len(drawn)) < hits {
		if c := given[s.drawing.Uniform(int64(len(given)))]; !slices.Contains(drawn, c) {
			drawn = append(drawn, c)
		}
	}
	for len(drawn) < n {
		if c := 1 + int(s.drawing.Uniform(int64(of))); !slices.Contains(drawn, c) && !slices.Contains(given, c) {
			drawn = append(drawn, c)
		}
	}
	return drawn
}

// codes draws the winning codes of a draw and of the games sold with it: one of the pack that somebody holds, the others held elsewhere.
func (s *seeder) codes(r *central.EntryBody, book *rulebook.Rulebook, day string, record *central.PlayRecord) error {
	books := []*rulebook.Rulebook{book}
	for _, with := range book.Sale.With {
		b, err := games.InForce(with, day)
		if err != nil {
			return err
		}
		books = append(books, b)
	}
	for _, b := range books {
		for _, series := range b.Codes {
			prize, ok := b.CodePrize(series.ID)
			if !ok || series.Exceptional {
				continue
			}
			var drawn []string
			if record != nil && prize.Winners > 1 {
				drawn = append(drawn, firstCode(record, series.ID))
			}
			zone := series.Zone(codes.RandomZone)
			for int64(len(drawn)) < prize.Winners {
				if c := series.Format(zone.First + s.drawing.Uniform(zone.Len())); !slices.Contains(drawn, c) {
					drawn = append(drawn, c)
				}
			}
			r.Codes[series.ID] = drawn
		}
	}
	return nil
}

func firstCode(record *central.PlayRecord, series string) string {
	i := slices.IndexFunc(record.Codes, func(c central.CodeRun) bool { return c.Series == series })
	return record.Codes[i].First // every play has its codes
}
