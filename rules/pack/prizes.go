package pack

import (
	"errors"
	"fmt"

	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// ErrPooled is what [FixedPrizes] wraps for a table whose gains depend on the winners of each draw.
var ErrPooled = errors.New("gains are known only with a fund and winners")

// FixedPrizes returns the prizes of the ranks that the rulebook itself gives, each with its chance: the fixed gains, the base gains of
// Grand Loto de Noël. Rank 1 stands among them when a jackpot is given: what its ONE winner would receive.
func FixedPrizes(book *rulebook.Rulebook, jackpot money.Cents) ([]Prize, error) {
	table := book.Prizes
	if table.Model != prize.Fixed && table.Model != prize.Spread {
		return nil, fmt.Errorf("%s: %w", book.Header.Version(), ErrPooled)
	}
	var prizes []Prize
	for _, r := range table.Ranks {
		gain := r.Fixed
		if r.Number == 1 {
			gain = jackpot
		}
		if gain > 0 {
			prizes = append(prizes, Prize{Rank: r.Number, Hits: r.Hits, Gain: gain, Chance: odds.Chance(r.Ways, table.Matrix.Total())})
		}
	}
	return prizes, nil
}

// DrawPrizes returns the prizes of the ranks under the unit gains of one draw, rank 1 first. A gain of 0 is a rank without winner, which
// is left out. No chance is claimed: in another draw the gains would be others.
func DrawPrizes(book *rulebook.Rulebook, unit []money.Cents) ([]Prize, error) {
	ranks := book.Prizes.Ranks
	if len(unit) != len(ranks) {
		return nil, fmt.Errorf("unit gains of %d ranks: %s has %d", len(unit), book.Header.Version(), len(ranks))
	}
	var prizes []Prize
	for i, r := range ranks {
		if unit[i] < 0 || unit[i] > money.Limit {
			return nil, fmt.Errorf("unit gain of rank %d is %v €: accepted 0.00 to %v €", r.Number, unit[i], money.Limit)
		}
		if unit[i] > 0 {
			prizes = append(prizes, Prize{Rank: r.Number, Hits: r.Hits, Gain: unit[i]})
		}
	}
	return prizes, nil
}

// CodePrize returns the prize of a code of a series that has `issued` codes in the draw, 0 when that is not known: every issued code is
// as likely to be drawn as any other, so one wins with probability winners/issued.
func CodePrize(source Source, p rulebook.CodePrize, issued int64) (Prize, error) {
	z := Prize{Source: source, Gain: p.Gain}
	switch {
	case issued == 0:
	case issued < p.Winners:
		return Prize{}, fmt.Errorf("%d codes issued: accepted at least the %d that are drawn among them", issued, p.Winners)
	default:
		z.Chance = odds.Chance(p.Winners, issued)
	}
	return z, nil
}
