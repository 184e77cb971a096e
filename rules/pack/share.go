package pack

import (
	"fmt"

	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// Source says what in a pack wins a gain. It decides which reserve fund receives the part of unsold shares.
type Source int

const (
	Rank     Source = iota // a simple combination, at a rank
	Code                   // a code of Loto or My Million
	EuroCode               // a code Euro Millions, at an exceptional draw
	sources
)

// String returns "rank", "code" or "euro code".
func (s Source) String() string { return [...]string{"rank", "code", "euro code"}[s] }

// Fund returns the reserve fund of the rulebook that receives the gains of unsold shares from this source: Loto 10.2 for
// all, Euro Millions 4.3 for ranks and My Million 5.3.2 for its codes. That a code Euro Millions goes to 4.3 is our
// reading.
func (s Source) Fund(p *rulebook.Pack) string {
	// Art. loto@2018-10-29:14.8: « versés au Fonds de Reserve prévu à l'article 10.2 ».
	// Art. euromillions@2018-10-29:3.4.2.6: « aux Fonds de Reserve prévus aux articles 4.3 et 5.3.2 ».
	switch s {
	case Rank:
		return p.ReserveRanks
	case Code:
		return p.ReserveCode
	default:
		return p.ReserveEuroCode
	}
}

// Gain is a number of winning simple combinations, or of winning codes, with the same unit gain.
type Gain struct {
	Source Source
	Unit   money.Cents
	Count  int64
}

// Total returns Unit × Count.
func (g Gain) Total() money.Cents { return money.Mul(g.Unit, g.Count) }

// Part returns what each of the equal shares receives of ONE gain: the gain divided by the number of shares, rounded to the cent on
// the thousandth. It is never applied to a sum of gains. It panics if gain < 0 or shares < 1.
//
//	Part(500, 200) = 3     // 5.00 € over 200 shares: 0.03 € each
//	Part(220, 200) = 1     // 2.20 €: 0.01 €
func Part(gain money.Cents, shares int64) money.Cents {
	// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « arrondie au centième d'euro supérieur si elle
	// comporte un millième d'euro supérieur ou égal à 5 », « inférieur » for 1, 2, 3 or 4.
	return money.Share(gain, shares)
}

// Line is the split of one [Gain]. Gain.Total() = Holders + Reserve + Rounding.
type Line struct {
	Gain
	Part     money.Cents // of one share in one winning combination or code
	PerShare money.Cents // Part × Count
	Holders  money.Cents // PerShare × sold shares
	Reserve  money.Cents // PerShare × unsold shares
	Rounding money.Cents // what is left; negative when the shares receive more than the pack won
}

// ShareOut is the split of all gains of one pack. Gains = Holders + Σ Reserve + Rounding, to the cent, always.
type ShareOut struct {
	Shares, Sold int64
	Lines        []Line // in the order of the gains
	PerShare     money.Cents
	Gains        money.Cents
	Holders      money.Cents          // paid to the holders of shares
	Reserve      [sources]money.Cents // parts of the unsold shares, by [Source]
	Rounding     money.Cents          // books on rounding/<draw>
}

// Split splits the gains of one pack, unit gains as the notice publishes them, between its shares, of which `sold` were sold:
// « ensuite à répartir entre les différentes parts d'un Pack » (Art. loto@2018-10-29:11, Art. euromillions@2018-10-29:7). The pack plays in
// full whether or not it sold out, and no pack exists without a sold share: it is made with its first. One [Line] a gain.
func Split(gains []Gain, shares, sold int64) (ShareOut, error) {
	if shares < 1 || shares > SharesMax {
		return ShareOut{}, fmt.Errorf("%d shares: accepted 1 to %d", shares, SharesMax)
	}
	if sold < 1 || sold > shares {
		return ShareOut{}, fmt.Errorf("%d shares sold: accepted 1 to %d", sold, shares)
	}
	out := ShareOut{Shares: shares, Sold: sold}
	for i, g := range gains {
		if err := g.check(); err != nil {
			return ShareOut{}, fmt.Errorf("gain %d of the pack: %w", i+1, err)
		}
		if out.add(split(g, shares, sold)); out.Gains > money.Limit {
			return ShareOut{}, fmt.Errorf("gains of %v €: accepted at most %v € in all", out.Gains, money.Limit)
		}
	}
	return out, nil
}

// check keeps every product of a gain far below the range of int64.
func (g Gain) check() error {
	switch {
	case g.Source < 0 || g.Source >= sources:
		return fmt.Errorf("source %d: accepted rank, code, euro code", g.Source)
	case g.Count < 0 || g.Count > CombinationsMax:
		return fmt.Errorf("%d winners: accepted 0 to %d", g.Count, CombinationsMax)
	case g.Unit < 0 || g.Count > 0 && g.Unit > money.Limit/money.Cents(g.Count):
		return fmt.Errorf("%d × %v €: accepted 0.00 to %v € in all", g.Count, g.Unit, money.Limit)
	}
	return nil
}

func split(g Gain, shares, sold int64) Line {
	// The rounding falls on each part of each gain, then the parts are added up: « Une fois cet arrondi arithmétique
	// effectué, chaque part de gain […] viennent s'additionner » (Art. loto@2018-10-29:14.8,
	// Art. euromillions@2018-10-29:3.4.2.6).
	part := Part(g.Unit, shares)
	perShare := money.Mul(part, g.Count)
	return Line{
		Gain:     g,
		Part:     part,
		PerShare: perShare,
		Holders:  money.Mul(perShare, sold),
		Reserve:  money.Mul(perShare, shares-sold),
		Rounding: money.Add(g.Total(), -money.Mul(perShare, shares)),
	}
}

func (o *ShareOut) add(l Line) {
	o.Lines = append(o.Lines, l)
	o.PerShare = money.Add(o.PerShare, l.PerShare)
	o.Gains = money.Add(o.Gains, l.Total())
	o.Holders = money.Add(o.Holders, l.Holders)
	o.Reserve[l.Source] = money.Add(o.Reserve[l.Source], l.Reserve)
	o.Rounding = money.Add(o.Rounding, l.Rounding)
}
