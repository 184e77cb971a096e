package pack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OpenMax is the number of packs of one type that are open at a time, as long as further ones may be made.
const OpenMax = 2

// NewPack and NoPack are what [Choose] returns beside the index of a pack.
const (
	NewPack = -1 // no open pack holds the order: a new one is made for it
	NoPack  = -2 // no pack holds it and none can be made: the order is refused whole
)

// Choose returns the pack that an order takes its shares from, all of them from the same one. left holds the shares left of the packs of a
// type that have some, the oldest pack first; more says whether a further pack may be made. The order is at most what a new pack holds.
//
// Open are the two youngest packs. The order goes to the one that it leaves with the fewest shares, and a new pack is made only when
// neither holds it. What this gives:
//
//   - of all packs at most one has as many shares left as the largest order: shares are not scattered;
//   - a pack is opened beside one older pack only when the order is larger than what is left of that, so the two together have less than a whole pack
//     unsold: as few packs are made as the orders need, see [Fewest];
//   - when neither of two open packs holds an order, a new one is made all the same, since a buyer who would take less may never come. The older of the two, which
//     every order since has passed by, is set aside with fewer shares than the order asked for. It is open again when a younger one is full, and when
//     no further pack can be made: then every pack with shares left is open.
//
// So an order is refused if and only if the type has all its packs and none of them has so many shares left.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« ces parts sont toutes issues du même Pack »). How packs follow each other is ours
// (assumed): the text does not say.
func Choose(left []int64, order int64, more bool) int {
	first := 0
	if more {
		first = max(0, len(left)-OpenMax)
	}
	best := NoPack
	if more {
		best = NewPack
	}
	for i := first; i < len(left); i++ {
		if left[i] >= order && (best < 0 || left[i] < left[best]) {
			best = i
		}
	}
	return best
}

// Formulas are the numbers of shares that a type is sold in, ascending: 1, 2, 5, 10. An order of another size is refused.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« formules de prises de jeu (1 part, 2 parts, 5 parts …) »).
type Formulas []int64

// FormulasMax bounds the formulas of one type.
const FormulasMax = 16

// Check refuses formulas that are none, too many, not ascending, or more than a pack has shares.
func (f Formulas) Check(shares int64) error {
	if len(f) < 1 || len(f) > FormulasMax {
		return fmt.Errorf("%d formulas: accepted 1 to %d", len(f), FormulasMax)
	}
	for i, n := range f {
		if n < 1 || n > shares || i > 0 && n <= f[i-1] {
			return fmt.Errorf("formulas of %v shares: accepted numbers of shares in ascending order, from 1 to the %d of a pack", f, shares)
		}
	}
	return nil
}

// UpTo returns the formulas of at most n shares.
func (f Formulas) UpTo(n int64) Formulas {
	i, found := slices.BinarySearch(f, n)
	if found {
		i++
	}
	return f[:i:i]
}

// String returns "1, 2, 5, 10". [ParseFormulas] reads it.
func (f Formulas) String() string {
	ss := make([]string, len(f))
	for i, n := range f {
		ss[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(ss, ", ")
}

// ParseFormulas reads what [Formulas.String] writes.
func ParseFormulas(s string) (Formulas, error) {
	var f Formulas
	for piece := range strings.SplitSeq(s, ", ") {
		n, err := strconv.ParseInt(piece, 10, 64)
		if err != nil || len(f) == FormulasMax {
			return nil, fmt.Errorf("formulas %.60q: accepted at most %d numbers of shares, such as 1, 2, 5, 10", s, FormulasMax)
		}
		f = append(f, n)
	}
	if f.String() != s {
		return nil, fmt.Errorf("formulas %.60q: accepted as 1, 2, 5, 10", s)
	}
	return f, nil
}
