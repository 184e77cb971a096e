// Package codes holds the raffle codes of the games (codes alphanumériques): alphabets and printed forms, their order,
// and the two zones from which a play receives them.
//
// A code is the ordinal of its printed form in the order of its series: letters, then digits. A play, or a PACK, of at most
// [Series.RandomUpTo] codes draws them from the random zone; a larger one receives a contiguous run of the sequential zone
// (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
package codes

// Range is a closed range of ordinals.
type Range struct{ First, Last int64 }

// Len returns the number of codes in the range.
func (r Range) Len() int64 { return r.Last - r.First + 1 }

// Series is one family of codes.
type Series struct {
	ID          string   // "loto", "mymillion", "euromillions"
	Alphabets   []string // for each position, its characters in their order
	Layout      string   // printed form: '#' is the next position, anything else stands as it is ("# #### ####", "F ### #####")
	RandomUpTo  int64    // plays and packs of at most this many codes use the random zone (10)
	Random      Range
	Sequential  Range
	Exceptional bool // issued for exceptional draws only (codes Euro Millions)
	Free        bool // not counted in the price of the play
}
