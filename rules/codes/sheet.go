package codes

import "fmt"

// Place is one position of a zone.
type Place struct {
	Zone     Zone
	Position int64 // from 0
}

// Sheet is the list of all codes that one draw may issue: it turns places into ordinals and back.
type Sheet struct {
	Series Series
	random Permutation
}

// NewSheet returns the sheet of a draw, whose key orders the random zone (package fairness makes it from the secret of the
// draw).
func NewSheet(s Series, key [32]byte) (Sheet, error) {
	p, err := NewPermutation(key, s.Random.Len())
	if err != nil {
		return Sheet{}, fmt.Errorf("codes %q: random zone: %w", s.ID, err)
	}
	return Sheet{Series: s, random: p}, nil
}

// Ordinal returns the code at a place.
func (sh Sheet) Ordinal(at Place) (int64, error) {
	zone := sh.Series.Zone(at.Zone)
	if at.Position < 0 || at.Position >= zone.Len() {
		return 0, fmt.Errorf("codes %q: position %d of the %v zone, accepted 0 to %d", sh.Series.ID, at.Position, at.Zone, zone.Len()-1)
	}
	if at.Zone == RandomZone {
		return zone.First + sh.random.At(at.Position), nil
	}
	return zone.First + at.Position, nil
}

// Place returns the place of a code, the inverse of Ordinal; false for a code of neither zone (F WBB 00000).
func (sh Sheet) Place(ordinal int64) (Place, bool) {
	switch s := sh.Series; {
	case s.Random.Contains(ordinal):
		return Place{RandomZone, sh.random.Index(ordinal - s.Random.First)}, true
	case s.Sequential.Contains(ordinal):
		return Place{SequentialZone, ordinal - s.Sequential.First}, true
	}
	return Place{}, false
}

// Printed returns the printed codes of a run, in its order.
func (sh Sheet) Printed(run Run) ([]string, error) {
	zone := sh.Series.Zone(run.Zone)
	if run.Start < 0 || run.Count < 0 || run.Start > zone.Len() || run.Count > zone.Len()-run.Start {
		return nil, fmt.Errorf("codes %q: run of %d from position %d on, accepted within the %d of the %v zone", sh.Series.ID, run.Count, run.Start, zone.Len(), run.Zone)
	}
	printed := make([]string, run.Count)
	for i := range printed {
		ordinal, err := sh.Ordinal(Place{run.Zone, run.Start + int64(i)})
		if err != nil {
			return nil, err
		}
		printed[i] = sh.Series.Format(ordinal)
	}
	return printed, nil
}
