package ladder

import (
	"fmt"

	"tirage/rules/money"
)

// Draw is a source of uniform integers. It must be fair: each of 0 … n−1 with the same chance, which a source of bits
// reaches only by rejection, and independent of all that was drawn before.
type Draw interface {
	// Uniform returns an integer of 0 … n−1. The ladder asks for 1 ≤ n ≤ [MaxRadix].
	Uniform(n uint64) uint64
}

// NoKind is the kind of an item that is of none: the first one of a play where its value is fixed, a ball.
const NoKind = 255

// Item is one item of a series as it came down.
type Item struct {
	Value  money.Cents
	Kind   uint8 // index in [Rules.Kinds], or [NoKind]
	Stable bool  // it holds
	Star   bool
}

// Series is what one step dropped, in order.
type Series struct {
	items [MaxItems]Item
	n     int
}

// Items returns the items in the order in which they fall.
func (s *Series) Items() []Item { return s.items[:s.n] }

// Stable reports whether every item holds.
func (s *Series) Stable() bool {
	for _, it := range s.Items() {
		if !it.Stable {
			return false
		}
	}
	return true
}

// State is a play between two decisions. The zero value is a play that was paid and not started.
type State struct {
	Level     int         // levels passed
	Sum       money.Cents // values of the items on the pile
	Stars     int         // stars in the gauge, at most its size
	Collapsed bool        // an item fell: lost and over
}

// Ended reports whether no further step is possible: the pile collapsed, or the last level is passed and the play is won.
func (t *Table) Ended(s State) bool { return s.Collapsed || s.Level == len(t.levels) }

// Check returns an error for a state that no play of this table can be in, such as one that was damaged in a store.
func (t *Table) Check(s State) error {
	switch {
	case s.Level < 0 || s.Level > len(t.levels):
		return fmt.Errorf("ladder: level %d: accepted 0 to %d", s.Level, len(t.levels))
	case s.Level == 0 && (s.Sum != 0 || s.Stars != 0):
		return fmt.Errorf("ladder: sum %s and %d stars at level 0: accepted none", s.Sum, s.Stars)
	case s.Level == 0:
		return nil
	case s.Collapsed && s.Level == len(t.levels):
		return fmt.Errorf("ladder: collapsed above the last level, %d", s.Level)
	}
	l := t.levels[s.Level-1]
	if s.Sum < 0 || s.Sum > l.sumMax || s.Stars < 0 || s.Stars > l.starsMax {
		return fmt.Errorf("ladder: sum %s and %d stars at level %d: accepted 0.00 to %s and 0 to %d", s.Sum, s.Stars, s.Level, l.sumMax, l.starsMax)
	}
	return nil
}

// Step drops the series of the next level and returns the state after it. One uniform integer an item sets whether
// it holds, its kind and whether it is a star, of all the items, those above one that fell included
// (Art. donuts@2019-06-25:3.2.2). A pile that collapses ends the play, lost (Art. donuts@2019-06-25:3.2.3); one that holds passes the
// level (Art. donuts@2019-06-25:3.1.2), and the player may decide, again and again while it holds (Art. donuts@2019-06-25:3.2.4).
//
// What a draw means is part of the table: item by item, u = Uniform(stabilities × faces), where an item has as many faces as
// kind weights × denominator of the star chance; it holds when u / faces is below the numerator of the stability, and u % faces counts
// first the faces of the stars, then the others, in each part kind by kind.
//
// It panics if the play has ended: the caller has refused the action long before.
func Step(t *Table, s State, d Draw) (_ State, series Series) {
	if t.Ended(s) {
		panic(fmt.Sprintf("ladder: step of a play that has ended: %+v", s))
	}
	l := &t.levels[s.Level]
	series.n = len(l.slots)
	sum, stars, fallen := s.Sum, s.Stars, uint32(0)
	for i := range l.slots {
		p := &l.slots[i]
		u := uint32(d.Uniform(p.radix)) // below 2^32: checkRadix
		held, face := u/p.faces, u%p.faces
		look := &p.items[p.ofFace[face]]
		stable := held < p.holds+fallen*t.leftByFallen
		series.items[i] = Item{Value: look.Value, Kind: look.Kind, Star: look.Star, Stable: stable}
		if !stable {
			fallen++
		}
		sum += look.Value
		if look.Star {
			stars++
		}
	}
	if fallen > 0 {
		s.Collapsed = true
		return s, series
	}
	return State{Level: s.Level + 1, Sum: sum, Stars: min(stars, l.starsMax)}, series
}

// Gain returns what stopping in this state pays: nothing before the first level and after a collapse. The text at hand stops before
// its formula (Art. donuts@2019-06-25:3.3): the rulebook says what is assumed.
func (t *Table) Gain(s State) money.Cents {
	if s.Collapsed || s.Level == 0 {
		return 0
	}
	if full := t.rules.FullGauge; full > 0 && s.Level == len(t.levels) && s.Stars == len(t.rules.Gauge)-1 {
		return full
	}
	m := t.multiplier(s.Stars)
	gain := t.base(s.Level-1, s.Sum)
	switch {
	case m.Den == 1:
		gain = money.Mul(gain, m.Num)
	case t.rules.Rounding == Nearest:
		gain = money.MulDiv(gain, 2*m.Num, m.Den)
		gain = (gain + 1) / 2 // ⌊(⌊2x⌋+1)/2⌋ = ⌊x+½⌋
	default:
		gain = money.MulDiv(gain, m.Num, m.Den)
	}
	if top := t.rules.Cap; top > 0 {
		gain = min(gain, top)
	}
	return gain
}

// base returns what the multiplier applies to at the level with this index.
func (t *Table) base(at int, sum money.Cents) money.Cents {
	if t.rules.Base == LevelAmount {
		return t.rules.Levels[at].Pays
	}
	return sum
}

// multiplier returns what the gauge shows.
func (t *Table) multiplier(stars int) Ratio {
	if len(t.rules.Gauge) == 0 {
		return Certain
	}
	return t.rules.Gauge[stars]
}

// Highest returns the highest sum of values and number of stars of a pile that has passed a level, 1 to [Table.Levels].
func (t *Table) Highest(level int) (money.Cents, int) {
	l := &t.levels[level-1]
	return l.sumMax, l.starsMax
}
