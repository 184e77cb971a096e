package codes

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Zone is one of the two parts of a series. The values are stored in leaves and sealed files: they never change.
type Zone uint8

const (
	RandomZone     Zone = 1 // « de manière aléatoire »: small plays and packs
	SequentialZone Zone = 2 // « de manière séquentielle »: large ones
)

// String returns "random" or "sequential".
func (z Zone) String() string {
	switch z {
	case RandomZone:
		return "random"
	case SequentialZone:
		return "sequential"
	}
	return fmt.Sprintf("zone(%d)", uint8(z))
}

// ZoneFor returns the zone of a play, or of a PACK, of n codes in all: the shares that a player buys of it count for nothing.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« dans la mesure où un Pack sera constitué de plus de
// 10 codes »), which refers to Art. euromillions@2018-10-29:2.2 for My Million and to Art. euromillions@2018-10-29:2.4 for
// the codes Euro Millions of an exceptional draw.
func (s Series) ZoneFor(n int64) Zone {
	if n <= s.RandomUpTo {
		return RandomZone
	}
	return SequentialZone
}

// Zone returns the ordinals of a zone, an empty range for a zone that does not exist.
func (s Series) Zone(z Zone) Range {
	switch z {
	case RandomZone:
		return s.Random
	case SequentialZone:
		return s.Sequential
	}
	return Range{First: 0, Last: -1}
}

// Run is a number of codes issued together to one play or pack: Count positions in a row of a zone, from Start on.
type Run struct {
	Zone  Zone
	Start int64 // position in the zone, from 0
	Count int64
}

// End returns the position after the last one of the run.
func (r Run) End() int64 { return r.Start + r.Count }

// Pointer is where the sequential zone goes on: one per game, which runs on from draw to draw. The zero value is the start
// of the zone.
//
// That it goes back to the start at the end of the zone is assumed: the texts say nothing of it.
type Pointer struct {
	Next int64 // next position of the sequential zone, below its length
	Laps int64 // how often it went back to the start
}

// DrawUse is what one draw has taken of a series. A draw that opens with the game's pointer at p starts with
// DrawUse{Opened: p}.
type DrawUse struct {
	Random     int64   // codes issued from the random zone: its next position
	Sequential int64   // codes issued from the sequential zone
	Opened     Pointer // the game's pointer when the draw opened

	// Taken holds the draw's runs of the sequential zone, in any order. Nobody needs it until the pointer has been through
	// the whole zone since the draw opened, see [ErrLapped].
	Taken []Run
}

var (
	// ErrExhausted means that the draw's own zone is used up: it has no n free codes, or no n in a row.
	ErrExhausted = errors.New("the zone is used up for this draw")

	// ErrLapped means that the pointer has been through the whole zone since the draw opened, so that it may meet the
	// draw's own codes. Load the draw's runs into [DrawUse.Taken] and reserve again.
	ErrLapped = errors.New("the pointer has been through the zone: the draw's own runs are needed")
)

// Reserve gives n codes to a play or pack of one draw. It changes nothing: it returns the run with the pointer and the use
// that follow, and who drops them has reserved nothing.
//
// In the random zone the run is the next n positions of the draw. In the sequential zone it is the first n positions in a
// row, from the game's pointer on and around the zone once, none of which this draw has issued before; a run never goes
// over the end of the zone, so a tail too short for the play is skipped. Other draws may have issued the same codes: a code
// is unique within a draw.
//
// The error is ErrExhausted, ErrLapped, or tells what is wrong with the arguments.
//
// Art. loto@2018-10-29:14.8 and Art. euromillions@2018-10-29:3.4.2.6 (« attribués de manière séquentielle … parmi les codes
// disponibles pour le tirage concerné »).
func (s Series) Reserve(p Pointer, use DrawUse, n int64) (Run, Pointer, DrawUse, error) {
	z := s.ZoneFor(n)
	size := s.Zone(z).Len()
	used := use.Random
	if z == SequentialZone {
		used = use.Sequential
	}
	if n < 1 {
		return Run{}, p, use, fmt.Errorf("codes %q: %d codes asked for, accepted 1 or more", s.ID, n)
	}
	if used < 0 || used > size {
		return Run{}, p, use, fmt.Errorf("codes %q: %d codes used of the %v zone, accepted 0 to %d", s.ID, used, z, size)
	}
	if n > size-used {
		return Run{}, p, use, s.exhausted(z, n, used)
	}
	if z == RandomZone {
		use.Random += n
		return Run{RandomZone, used, n}, p, use, nil
	}
	return s.reserveSequential(p, use, n)
}

func (s Series) exhausted(z Zone, n, used int64) error {
	return fmt.Errorf("codes %q: %d codes in a row asked for, %d of %d used in the %v zone: %w", s.ID, n, used, s.Zone(z).Len(), z, ErrExhausted)
}

func (s Series) reserveSequential(p Pointer, use DrawUse, n int64) (Run, Pointer, DrawUse, error) {
	size := s.Sequential.Len()
	ahead, err := s.since(p, use.Opened)
	if err != nil {
		return Run{}, p, use, err
	}
	start, skipped := p.Next, int64(0)
	if n > size-start {
		start, skipped = 0, size-start
	}
	lapped := ahead > size-n-skipped // without overflow: each term is at most size
	if lapped {
		var taken int64
		for _, r := range use.Taken {
			taken += r.Count
		}
		if taken != use.Sequential {
			return Run{}, p, use, fmt.Errorf("codes %q: %d of %d codes known: %w", s.ID, taken, use.Sequential, ErrLapped)
		}
		if start = firstFree(use.Taken, size, p.Next, n); start < 0 {
			return Run{}, p, use, s.exhausted(SequentialZone, n, use.Sequential)
		}
	}
	run := Run{SequentialZone, start, n}
	if lapped {
		use.Taken = append(slices.Clip(use.Taken), run) // a copy: the caller's runs stay as they are
	}
	use.Sequential += n
	return run, p.after(run, size), use, nil
}

// since returns how many positions the pointer went from opened to p, at most 1 more than the length of the zone.
func (s Series) since(p, opened Pointer) (int64, error) {
	size := s.Sequential.Len()
	for _, q := range []Pointer{p, opened} {
		if q.Next < 0 || q.Next >= size || q.Laps < 0 {
			return 0, fmt.Errorf("codes %q: pointer at position %d after %d laps, accepted 0 to %d after 0 or more", s.ID, q.Next, q.Laps, size-1)
		}
	}
	laps, ahead := p.Laps-opened.Laps, p.Next-opened.Next
	switch {
	case laps < 0 || laps == 0 && ahead < 0:
		return 0, fmt.Errorf("codes %q: the pointer, at %d after %d laps, stands before the opening of the draw, at %d after %d",
			s.ID, p.Next, p.Laps, opened.Next, opened.Laps)
	case laps > 1 || laps == 1 && ahead > 0:
		return size + 1, nil
	}
	return laps*size + ahead, nil
}

// after returns the pointer behind a run given from p on.
func (p Pointer) after(run Run, size int64) Pointer {
	if run.Start < p.Next {
		p.Laps++
	}
	if p.Next = run.End(); p.Next == size {
		p.Next, p.Laps = 0, p.Laps+1
	}
	return p
}

// firstFree returns the first of n positions in a row that no run holds, looked for from position from on and around a zone
// of size positions once; −1 when there are none.
func firstFree(taken []Run, size, from, n int64) int64 {
	taken = slices.SortedFunc(slices.Values(taken), func(a, b Run) int { return cmp.Compare(a.Start, b.Start) })
	taken = append(taken, Run{Start: size}) // the end of the zone ends the last gap
	first, gap := int64(-1), int64(0)       // first free place of all, start of the current gap
	for _, r := range taken {
		if r.Start-gap >= n && first < 0 {
			first = gap
		}
		if start := max(gap, from); r.Start-start >= n {
			return start
		}
		gap = max(gap, r.End())
	}
	return first
}
