package ladder

import (
	"fmt"

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

// CheckReturns refuses a table that sets a trap or gives too much: the return of each rule « stop at level n » must lie in the
// band, and no way to play may have a return above it, the best adaptive rule included. It names each rule out of
// the band with its return, and is empty for a table that stands.
func (t *Table) CheckReturns(a *Analysis) Faults {
	band := t.Band()
	least, most := odds.Percent(band.Min.Rat(), 2), odds.Percent(band.Max.Rat(), 2)
	var faults Faults
	for n := range a.Stop {
		if r := a.Return(&a.Stop[n]); r.Cmp(band.Min.Rat()) < 0 || r.Cmp(band.Max.Rat()) > 0 {
			faults = append(faults, Fault{fmt.Sprintf("levels.%d", n+1),
				fmt.Sprintf("stopping at level %d returns %s; accepted: %s to %s", n+1, odds.Percent(r, 4), least, most)})
		}
	}
	if r := a.Return(&a.Best.Gains); r.Cmp(band.Max.Rat()) > 0 {
		faults = append(faults, Fault{"levels", fmt.Sprintf("the best adaptive rule returns %s; accepted: at most %s", odds.Percent(r, 4), most)})
	}
	return faults
}
