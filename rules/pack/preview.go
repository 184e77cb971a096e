package pack

import (
	"math/big"

	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/prize"
)

// Prize is one thing that a simple combination or a code of a pack can win.
type Prize struct {
	Source Source
	Rank   int          // rank of the game; 0 for a code
	Hits   []prize.Hits // none for a code
	Gain   money.Cents  // unit gain
	Chance *big.Rat     // that ONE combination, or ONE code, wins it; nil where none is claimed
}

// Row shows what the rounding makes of one winning combination or code when all the shares are sold.
type Row struct {
	Prize
	Part     money.Cents // of one share
	Paid     money.Cents // by all the shares: Part × Shares
	Rounding money.Cents // Gain − Paid
}

// Preview is what an operator must see before a pack type opens: the split of each gain, and what the rounding costs or brings
// on average.
type Preview struct {
	Type Type
	Rows []Row // in the order of the prizes
}

// NewPreview splits each prize between the shares of the type.
func NewPreview(t Type, prizes []Prize) Preview {
	p := Preview{Type: t}
	for _, z := range prizes {
		part := Part(z.Gain, t.Shares)
		paid := money.Mul(part, t.Shares)
		p.Rows = append(p.Rows, Row{z, part, paid, money.Add(z.Gain, -paid)})
	}
	return p
}

// Expectation is what one pack wins on average, what its shares are paid, and the difference, all in exact cents.
type Expectation struct {
	Gain, Paid, Rounding *big.Rat
}

// Expected returns the average of one pack over the rows that keep selects. A row without a chance counts for nothing: ask
// [Prize.Claimed] first.
//
// An expectation is linear: however much the combinations of a multiple share their numbers, and so their luck, each has the
// chance of a simple combination, and each gain is rounded on its own. So a pack of n simple combinations is
// expected to win n times what one wins.
func (p Preview) Expected(keep func(Row) bool) Expectation {
	var gain, paid odds.Distribution
	for _, r := range p.Rows {
		if !r.Claimed() || !keep(r) {
			continue
		}
		gain = append(gain, odds.Outcome{Chance: r.Chance, Value: r.Gain.Rat()})
		paid = append(paid, odds.Outcome{Chance: r.Chance, Value: r.Paid.Rat()})
	}
	n := new(big.Rat).SetInt64(p.Type.Combinations) // as many codes as combinations
	e := Expectation{Gain: gain.Mean(), Paid: paid.Mean()}
	e.Gain.Mul(e.Gain, n)
	e.Paid.Mul(e.Paid, n)
	e.Rounding = new(big.Rat).Sub(e.Gain, e.Paid)
	return e
}

// Claimed reports whether the prize has a chance, and so a part in an expectation.
func (p Prize) Claimed() bool { return p.Chance != nil }

// Lower selects the ranks below the jackpot.
func Lower(r Row) bool { return r.Source == Rank && r.Rank > 1 }

// Top selects rank 1.
func Top(r Row) bool { return r.Source == Rank && r.Rank == 1 }

// Of selects the rows of one source.
func (s Source) Of(r Row) bool { return r.Source == s }
