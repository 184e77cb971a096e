// Package codes holds the raffle codes of the games (codes alphanumériques): alphabets and printed forms, their order,
// and the two zones from which a play receives them.
//
// A code is the ordinal of its printed form in the order of its series: letters, then digits. A play, or a PACK, of at most
// [Series.RandomUpTo] codes draws them from the random zone; a larger one receives a contiguous run of the sequential zone
// (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
//
//	ordinal   0             …   2 182 147 230 | 2 182 147 231  …   2 599 999 999
//	printed   A 0000 0000   …   V 8214 7230   | V 8214 7231    …   Z 9999 9999
//	zone      random                          | sequential
//
// What a sale records of its codes is a [Run]: a zone, a first position in it and a count. Positions are counted from 0 in
// each zone and are given in order, each at most once per draw ([Series.Reserve]):
//
//   - in the sequential zone, position p is the ordinal Sequential.First + p;
//   - in the random zone, position p is the p-th code of the draw, and its ordinal is Random.First + π(p), where π is a keyed
//     [Permutation] of the zone. Two positions never meet on one code, so no table of used codes is needed.
//
// A [Sheet] turns positions into ordinals and back for one draw; [Issued] numbers all the codes issued for a draw from 0 on,
// so that winning codes can be drawn among them and never over the range.
//
//	run, pointer, use, err := loto.Reserve(pointer, use, 60)   // {SequentialZone, 0, 60}
//	sheet, err := codes.NewSheet(loto, key)
//	printed, err := sheet.Printed(run)                         // "V 8214 7231", "V 8214 7232", …
package codes

import (
	"errors"
	"fmt"
	"strings"
)

// MaxSize is the largest series accepted: ten million times the largest of the regulations. It bounds the halves of a
// [Permutation] to 28 bits.
const MaxSize = int64(1) << 56

// Range is a closed range of ordinals.
type Range struct{ First, Last int64 }

// Len returns the number of codes in the range.
func (r Range) Len() int64 { return r.Last - r.First + 1 }

// Contains says whether the ordinal lies in the range.
func (r Range) Contains(ordinal int64) bool { return r.First <= ordinal && ordinal <= r.Last }

// Series is one family of codes. Its methods other than Check need a series that Check accepts.
type Series struct {
	ID          string   // "loto", "mymillion", "euromillions"
	Alphabets   []string // for each position, its characters in their order
	Layout      string   // printed form: '#' is the next position, anything else stands as it is ("# #### ####", "F ### #####")
	RandomUpTo  int64    // plays and packs of at most this many codes use the random zone (10)
	Random      Range
	Sequential  Range
	Unused      []Range // codes of the series that belong to no zone ("F WBB 00000")
	Exceptional bool    // issued for exceptional draws only (codes Euro Millions)
	Free        bool    // not counted in the price of the play
}

// place is the sign of a Layout that stands for the next position.
const place = '#'

// Size returns the number of codes of the series: 2 600 000 000 for Loto. A series above MaxSize counts MaxSize + 1.
func (s Series) Size() int64 {
	size := int64(1)
	for _, a := range s.Alphabets {
		if n := int64(len(a)); n > 0 && size > MaxSize/n {
			return MaxSize + 1
		}
		size *= int64(len(a))
	}
	return size
}

// Format returns the printed form of an ordinal: "V 8214 7231". An ordinal outside the series has none and is shown as
// "loto(2600000000)", which Parse refuses.
func (s Series) Format(ordinal int64) string {
	if ordinal < 0 || ordinal >= s.Size() {
		return fmt.Sprintf("%s(%d)", s.ID, ordinal)
	}
	printed := []byte(s.Layout)
	pos := len(s.Alphabets)
	for i := len(printed) - 1; i >= 0; i-- {
		if printed[i] == place {
			pos--
			a := s.Alphabets[pos]
			printed[i] = a[ordinal%int64(len(a))]
			ordinal /= int64(len(a))
		}
	}
	return string(printed)
}

// Parse returns the ordinal of a printed code. Spaces count for nothing, as the published archives print a code with them
// or without ("V 8214 7231", "V82147231"); everything else must be exact.
func (s Series) Parse(printed string) (int64, error) {
	form, found := withoutSpaces(s.Layout), []rune(withoutSpaces(printed))
	if len(found) != len(form) {
		return 0, fmt.Errorf("code %.60q: %d characters found, accepted %s", printed, len(found), s.accepted(len(form)))
	}
	ordinal, pos := int64(0), 0
	for i, c := range found {
		if form[i] != place {
			if c != rune(form[i]) {
				return 0, fmt.Errorf("code %.60q: %q found as character %d, accepted %q", printed, c, i+1, form[i])
			}
			continue
		}
		a := s.Alphabets[pos]
		digit := strings.IndexRune(a, c)
		if digit < 0 {
			return 0, fmt.Errorf("code %.60q: %q found as character %d, accepted one of %s", printed, c, i+1, a)
		}
		ordinal = ordinal*int64(len(a)) + int64(digit)
		pos++
	}
	return ordinal, nil
}

func (s Series) accepted(length int) string {
	return fmt.Sprintf("%d, from %s to %s", length, s.Format(0), s.Format(s.Size()-1))
}

// withoutSpaces drops the space and the two no-break spaces of French typography.
func withoutSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\u00a0', '\u202f':
			return -1
		}
		return r
	}, s)
}

// Check returns an error when the series does not add up: a layout that does not use each alphabet once, a character twice
// in an alphabet, a zone outside the series, two zones that meet.
func (s Series) Check() error {
	if err := s.checkForm(); err != nil {
		return fmt.Errorf("codes %q: %w", s.ID, err)
	}
	if err := s.checkZones(); err != nil {
		return fmt.Errorf("codes %q: %w", s.ID, err)
	}
	return nil
}

func (s Series) checkForm() error {
	if s.ID == "" {
		return errors.New("no id, accepted a name such as loto")
	}
	if n := strings.Count(s.Layout, string(place)); n == 0 || n != len(s.Alphabets) {
		return fmt.Errorf("layout %q has %d places #, accepted one for each of its %d alphabets, at least one", s.Layout, n, len(s.Alphabets))
	}
	if i := strings.IndexFunc(s.Layout, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
		return fmt.Errorf("layout %q: accepted are the printable characters of ASCII", s.Layout)
	}
	for i, a := range s.Alphabets {
		if a == "" {
			return fmt.Errorf("alphabet %d is empty", i+1)
		}
		for j, c := range a {
			if c <= ' ' || c > '~' || c == place {
				return fmt.Errorf("alphabet %d holds %q, accepted are the printable characters of ASCII but the space and %c", i+1, c, place)
			}
			if strings.IndexRune(a, c) < j {
				return fmt.Errorf("alphabet %d holds %q twice", i+1, c)
			}
		}
	}
	if s.Size() > MaxSize {
		return fmt.Errorf("more than %d codes, accepted at most that", MaxSize)
	}
	return nil
}

func (s Series) checkZones() error {
	if s.RandomUpTo < 0 {
		return fmt.Errorf("random up to %d codes, accepted 0 or more", s.RandomUpTo)
	}
	for _, z := range []Zone{RandomZone, SequentialZone} {
		r := s.Zone(z)
		if r.First < 0 || r.Last >= s.Size() {
			return fmt.Errorf("%v zone %d–%d leaves the series, accepted 0 (%s) to %d (%s)",
				z, r.First, r.Last, s.Format(0), s.Size()-1, s.Format(s.Size()-1))
		}
		if r.First > r.Last {
			return fmt.Errorf("%v zone is empty: it starts at %s and ends at %s", z, s.Format(r.First), s.Format(r.Last))
		}
	}
	if first, last := max(s.Random.First, s.Sequential.First), min(s.Random.Last, s.Sequential.Last); first <= last {
		return fmt.Errorf("%s–%s is in both zones, accepted in one", s.Format(first), s.Format(last))
	}
	return nil
}
