// Package pack holds the rules of the service « Packs MultiChances »: what a pack type is made of, what its shares cost, and
// how the gains of a pack are split between its shares.
//
// A pack is a set of simple and multiple combinations of ONE draw with as many codes as it has simple combinations in all. It is
// divided into a fixed number of equal shares (parts), which players buy. For EACH winning simple combination and EACH
// winning code the gain is divided by the number of shares and rounded to the cent; THEN the rounded parts are added up.
// Rounding never falls on a total. So what the shares receive differs from what the pack won, either way, and the
// difference is a named amount:
//
//	Σ gains = paid to holders + unsold shares × rounded parts (to the reserve funds) + rounding
//
// The pack of ten multiples 6×10 of Loto at 2.20 €, in 200 shares:
//
//	t, err := pack.New(book, pack.Composition{Multiples: []pack.Multiple{{combin.Format{Main: 6, Extra: 10}, 10}}}, 200)
//	t.Combinations, t.SharePrice                                             // 600, 6.60 €
//	out, err := pack.Split([]pack.Gain{{Unit: 500, Count: 3}}, t.Shares, 200) // three times rank 8, 5.00 €
//	out.PerShare, out.Holders, out.Rounding                                  // 0.09 €, 18.00 €, −3.00 €
//
// Source: Art. loto@2018-10-29:14.8 and Art. euromillions@2018-10-29:3.4.2.6.
package pack

import (
	"fmt"
	"strings"

	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// The limits of a pack type are ours (assumed); the text sets none.
const (
	// CombinationsMax is the largest single grid of any game, Euro Millions 10×12. Blocks of codes are reserved ahead for a
	// play of that size, and the codes of a pack are contiguous.
	CombinationsMax = 16_632
	// SharesMax bounds the rows of one pack. The largest packs ever sold had 420 shares.
	SharesMax = 100_000
)

// Type is a pack type on sale: its composition, in how many shares it is divided, and what follows from them.
type Type struct {
	Composition  Composition // in normal form
	Shares       int64       // equal shares of one pack
	Combinations int64       // simple combinations in all
	Codes        int64       // codes of each series issued for the draw
	Price        money.Cents // of the whole pack
	SharePrice   money.Cents
}

// New returns the type of packs with this composition and number of shares, priced by the rulebook in force at the sale. It
// refuses a format that the rulebook does not allow in a pack, an empty pack, and a share that is no whole number of
// cents.
func New(book *rulebook.Rulebook, c Composition, shares int64) (Type, error) {
	if book.Pack == nil {
		return Type{}, fmt.Errorf("%s has no packs: they exist for Loto and Euro Millions draws from 2018-10-29 on", book.Header.Version())
	}
	if book.Matrix == (combin.Matrix{}) {
		return Type{}, fmt.Errorf("%s has no combinations: a pack is of a Loto or Euro Millions draw, its codes come with it", book.Header.Version())
	}
	if err := check(c, book); err != nil {
		return Type{}, err
	}
	n := c.Combinations(book.Matrix)
	price := money.Mul(book.Sale.Price, n)
	sharePrice, err := SharePrice(price, shares)
	if err != nil {
		return Type{}, err
	}
	return Type{
		Composition:  c.Normal(book.Matrix),
		Shares:       shares,
		Combinations: n,
		// Art. loto@2018-10-29:14.8: « Le nombre de codes alphanumériques attribuées dans un Pack correspond au nombre total
		// de Combinaisons Simples ». Art. euromillions@2018-10-29:3.4.2.6 says the same of the codes My Million and, at an
		// exceptional draw, of the codes Euro Millions, which the price does not count.
		Codes:      n,
		Price:      price,
		SharePrice: sharePrice,
	}, nil
}

// check bounds every count before anything is multiplied.
func check(c Composition, book *rulebook.Rulebook) error {
	tooLarge := fmt.Errorf("pack of %v: accepted at most %d simple combinations", c, CombinationsMax)
	if c.Simples < 0 {
		return fmt.Errorf("%d simple combinations: accepted 0 to %d", c.Simples, CombinationsMax)
	}
	if c.Simples > CombinationsMax {
		return tooLarge
	}
	n := int64(c.Simples)
	for _, multiple := range c.Multiples {
		if !book.PackFormat(multiple.Format) {
			return fmt.Errorf("multiple of format %v: accepted in a pack of %s %s (Art. %s:%s)", multiple.Format,
				book.Header.Version(), formats(book.Pack.Formats), book.Header.Version(), book.Pack.Article)
		}
		if multiple.Count < 1 {
			return fmt.Errorf("%d multiples of format %v: accepted at least 1", multiple.Count, multiple.Format)
		}
		if multiple.Count > CombinationsMax {
			return tooLarge
		}
		if n += multiple.Format.Count(book.Matrix) * int64(multiple.Count); n > CombinationsMax {
			return tooLarge
		}
	}
	if n < 1 {
		return fmt.Errorf("empty pack: accepted at least 1 simple combination")
	}
	return nil
}

func formats(ranges []rulebook.FormatRange) string {
	ss := make([]string, len(ranges))
	for i, r := range ranges {
		ss[i] = r.String()
	}
	return strings.Join(ss, ", ")
}

// SharePrice returns the price of one of the equal shares of a pack. A share that is no whole number of cents is refused, with
// the nearest numbers of shares that divide the price (our reading: the text does not say what to do with a
// fraction of a cent).
func SharePrice(price money.Cents, shares int64) (money.Cents, error) {
	if shares < 1 || shares > SharesMax {
		return 0, fmt.Errorf("%d shares: accepted 1 to %d", shares, SharesMax)
	}
	if price < 1 || price > money.Limit {
		return 0, fmt.Errorf("pack at %v €: accepted 0.01 to %v €", price, money.Limit)
	}
	// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « au prix du nombre total des Combinaisons Simples et
	// des codes alphanumériques constituant ce Pack, divisé par le nombre de parts ».
	if int64(price)%shares == 0 {
		return price / money.Cents(shares), nil
	}
	return 0, fmt.Errorf("%v € over %d shares is no whole number of cents a share: accepted a number of shares that divides the price, the nearest %s",
		price, shares, nearest(price, shares))
}

// nearest names the closest numbers of shares below and above that divide the price: one below always exists.
func nearest(price money.Cents, shares int64) string {
	below := shares - 1
	for int64(price)%below != 0 {
		below--
	}
	text := fmt.Sprintf("%d (%v €)", below, price/money.Cents(below))
	for above := shares + 1; above <= min(SharesMax, int64(price)); above++ {
		if int64(price)%above == 0 {
			return text + fmt.Sprintf(" and %d (%v €)", above, price/money.Cents(above))
		}
	}
	return text
}

// Stake returns what n shares of one pack cost. A play holds shares of one pack and nothing else, so n is at most the
// number of shares of a pack.
func (t Type) Stake(n int64) (money.Cents, error) {
	if n < 1 || n > t.Shares {
		return 0, fmt.Errorf("%d shares: accepted 1 to %d, all of the same pack", n, t.Shares)
	}
	return money.Mul(t.SharePrice, n), nil
}
