package recount

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// added is a game added to plays of the draw: Joker+, Étoile+.
type added struct {
	game    string
	book    *rulebook.Rulebook // in force on the day of the draw
	winners prize.Winners      // by rank; of a game of digits by stake and, within, by rank
}

// findAdded lists the games that were added to a play or that are reported from elsewhere.
func (r *result) findAdded() error {
	names := map[string]bool{}
	for name := range r.counting.Outside.AddOns {
		names[name] = true
	}
	for _, rows := range r.addOns {
		for _, a := range rows {
			names[a.Game] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		book, err := games.InForce(name, r.counting.Draw.Day)
		if err != nil {
			return err
		}
		a := added{game: name, book: book}
		if book.Digits == nil {
			a.winners = make(prize.Winners, len(book.Prizes.Ranks))
		} else {
			for _, s := range book.Digits.Stakes {
				a.winners = append(a.winners, make(prize.Winners, len(s.Gains))...)
			}
		}
		r.added = append(r.added, a)
	}
	return nil
}

func (r *result) addedWinners() map[string]prize.Winners {
	winners := map[string]prize.Winners{}
	for _, a := range r.added {
		winners[a.game] = a.winners
	}
	return winners
}

// each calls yield for every win of a play at the game, by its place among the winners.
func (a *added) each(r *result, p *central.Play, yield func(rank int)) {
	for _, row := range r.addOns[p.ID] {
		switch {
		case row.Game != a.game:
		case a.book.Digits != nil:
			a.digits(strings.ReplaceAll(r.counting.Result.Joker, " ", ""), row, yield)
		default:
			simples(a.book.Matrix, p.Lines, func(main, extra []int) {
				if rank := rankOf(a.book, r.counting.Result, main, extra); rank > 0 {
					yield(rank - 1)
				}
			})
		}
	}
}

// digits tries every ending of the number drawn, the longest first.
func (a *added) digits(drawn string, row *central.AddOnRow, yield func(rank int)) {
	first := 0
	for _, s := range a.book.Digits.Stakes {
		for wrong := range s.Gains {
			if s.Stake == row.Stake && strings.HasSuffix(row.Number, drawn[wrong:]) {
				yield(first + wrong)
				return
			}
		}
		first += len(s.Gains)
	}
}

// checkAdded refuses a game added to a play that is not sealed.
func (s *sealed) checkAdded() error {
	plays := map[int64]bool{}
	for _, p := range s.plays {
		plays[p.ID] = p.Kind != central.KindPack
	}
	for play, rows := range s.addOns {
		if !plays[play] {
			return fmt.Errorf("%s is added to play %s of draw %s, which is none of grids", rows[0].Game, central.PlayID(play), s.draw)
		}
	}
	return nil
}
