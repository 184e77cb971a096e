package rulebook

import (
	"fmt"

	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// FormatRange is a set of formats: grids of Main numbers and between ExtraMin and ExtraMax extra numbers.
type FormatRange struct{ Main, ExtraMin, ExtraMax int }

// Holds reports whether format f is one of the range.
func (r FormatRange) Holds(f combin.Format) bool {
	return f.Main == r.Main && f.Extra >= r.ExtraMin && f.Extra <= r.ExtraMax
}

// Largest returns the format of the range with the most combinations.
func (r FormatRange) Largest() combin.Format { return combin.Format{Main: r.Main, Extra: r.ExtraMax} }

// String returns "7x1-8", "9x1".
func (r FormatRange) String() string {
	if r.ExtraMin == r.ExtraMax {
		return fmt.Sprintf("%dx%d", r.Main, r.ExtraMin)
	}
	return fmt.Sprintf("%dx%d-%d", r.Main, r.ExtraMin, r.ExtraMax)
}

// SaleFormat reports whether a grid of format f, simple or multiple, is sold as an ordinary play.
func (r *Rulebook) SaleFormat(f combin.Format) bool { return holds(r.Sale.Formats, f) }

// PackFormat reports whether a grid of format f, simple or multiple, may stand in a pack. It is false where the version has
// no packs.
func (r *Rulebook) PackFormat(f combin.Format) bool { return r.Pack != nil && holds(r.Pack.Formats, f) }

func holds(ranges []FormatRange, f combin.Format) bool {
	for _, r := range ranges {
		if r.Holds(f) {
			return true
		}
	}
	return false
}

// Series returns the series of codes with this id.
func (r *Rulebook) Series(id string) (codes.Series, bool) {
	for _, s := range r.Codes {
		if s.ID == id {
			return s, true
		}
	}
	return codes.Series{}, false
}

// CodePrize returns what a drawn code of the series wins.
func (r *Rulebook) CodePrize(series string) (CodePrize, bool) {
	for _, p := range r.CodePrizes {
		if p.Series == series {
			return p, true
		}
	}
	return CodePrize{}, false
}

// PriceOf returns the price of grid c: its number of simple combinations times the price of one, codes included. It is 0 for
// a grid too small for the matrix, and does not ask whether the format is sold.
func (r *Rulebook) PriceOf(c combin.Combination) money.Cents {
	return money.Mul(r.Sale.Price, c.Count(r.Matrix))
}
