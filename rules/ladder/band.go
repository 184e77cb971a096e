package ladder

import (
	"errors"
	"fmt"
	"math/big"

	"tirage/rules/odds"
)

// Band bounds the return of a ladder, as fractions of the stake.
type Band struct{ Min, Max Ratio }

// FrenchBand bounds the return of games of immediate draw in France since 2020 (code de la sécurité intérieure,
// art. D. 322-10). A table that states no band of its own is held to it.
var FrenchBand = Band{Min: Ratio{65, 100}, Max: Ratio{75, 100}}

// Band returns the band that the table is held to.
func (t *Table) Band() Band {
	if t.rules.Band == nil {
		return FrenchBand
	}
	return *t.rules.Band
}

// ErrBand is what [Table.CheckReturns] wraps.
var ErrBand = errors.New("the return leaves its band")

// CheckReturns refuses a table that sets a trap or gives too much: the return of each rule « stop at level n » must lie in the
// band, and no way to play may have a return above it, the best adaptive rule included. It names each rule out of
// the band with its return.
func (t *Table) CheckReturns(a *Analysis) error {
	band := t.Band()
	var errs []error
	refuse := func(who string, r *big.Rat, accepted string) {
		errs = append(errs, fmt.Errorf("%w: %s returns %s, %s", ErrBand, who, odds.Percent(r, 4), accepted))
	}
	for n := range a.Stop {
		if r := a.Return(&a.Stop[n]); r.Cmp(band.Min.Rat()) < 0 || r.Cmp(band.Max.Rat()) > 0 {
			refuse(fmt.Sprintf("stopping at level %d", n+1), r,
				fmt.Sprintf("accepted %s to %s", odds.Percent(band.Min.Rat(), 2), odds.Percent(band.Max.Rat(), 2)))
		}
	}
	if r := a.Return(&a.Best.Gains); r.Cmp(band.Max.Rat()) > 0 {
		refuse("the best adaptive rule", r, "accepted at most "+odds.Percent(band.Max.Rat(), 2))
	}
	return errors.Join(errs...)
}
