package codes_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/codes"
)

// Case 39: the random and the sequential space never meet. The last code of the random zone is given by the random zone
// only, the first of the sequential zone by the sequential one only.
func TestCase39ZonesNeverMeet(t *testing.T) {
	for _, c := range []struct {
		s           codes.Series
		last, first string
	}{
		{loto(t), "V 8214 7230", "V 8214 7231"},
		{myMillion(t), "VV 358 2800", "VV 358 2801"},
		{euroMillions(t), "F VZZ 99999", "F WBB 00001"},
	} {
		sheet, err := codes.NewSheet(c.s, [32]byte{39})
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := sheet.Place(ordinal(t, c.s, c.last)); !ok || at.Zone != codes.RandomZone {
			t.Errorf("%s is at %+v, want the random zone", c.last, at)
		}
		if at, ok := sheet.Place(ordinal(t, c.s, c.first)); !ok || at != (codes.Place{Zone: codes.SequentialZone}) {
			t.Errorf("%s is at %+v, want the start of the sequential zone", c.first, at)
		}
		// What the whole random zone gives stays at or below its last code, what the sequential gives above.
		end := c.s.Random.Len()
		for i := range int64(2000) {
			for _, position := range []int64{i, end - 1 - i} {
				if o, err := sheet.Ordinal(codes.Place{Zone: codes.RandomZone, Position: position}); err != nil || !c.s.Random.Contains(o) {
					t.Fatalf("random position %d gives %s, %v", position, c.s.Format(o), err)
				}
			}
		}
		if o, err := sheet.Ordinal(codes.Place{Zone: codes.SequentialZone}); err != nil || c.s.Format(o) != c.first {
			t.Errorf("the sequential zone starts with %s, %v, want %s", c.s.Format(o), err, c.first)
		}
	}
	e := euroMillions(t)
	sheet, _ := codes.NewSheet(e, [32]byte{39})
	if at, ok := sheet.Place(ordinal(t, e, "F WBB 00000")); ok {
		t.Errorf("F WBB 00000 is at %+v, want neither zone", at)
	}
}

// A pack of more than ten codes gets them in a row from its own zone, as does a play; ten or fewer are random.
func TestZoneByNumberOfCodes(t *testing.T) {
	covers.Covers(t, "P18", "P49", "P51")
	for _, c := range []struct {
		s                  codes.Series
		first, eleventh    string
		lastOfZone, random string
	}{
		{loto(t), "V 8214 7231", "V 8214 7241", "Z 9999 9999", "V 8214 7230"},
		{myMillion(t), "VV 358 2801", "VV 358 2811", "ZZ 999 9999", "VV 358 2800"},
		{euroMillions(t), "F WBB 00001", "F WBB 00011", "F ZZZ 99999", "F VZZ 99999"},
	} {
		for n, zone := range map[int64]codes.Zone{1: codes.RandomZone, 10: codes.RandomZone, 11: codes.SequentialZone, 600: codes.SequentialZone} {
			if got := c.s.ZoneFor(n); got != zone {
				t.Errorf("%s: %d codes come from the %v zone, want %v", c.s.ID, n, got, zone)
			}
		}
		sheet, err := codes.NewSheet(c.s, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		run, next, use, err := c.s.Reserve(codes.Pointer{}, codes.DrawUse{}, 11)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := sheet.Printed(run)
		if err != nil {
			t.Fatal(err)
		}
		if len(printed) != 11 || printed[0] != c.first || printed[10] != c.eleventh {
			t.Errorf("%s: eleven codes are %v, want %s to %s", c.s.ID, printed, c.first, c.eleventh)
		}
		if next != (codes.Pointer{Next: 11}) || use.Sequential != 11 || use.Random != 0 {
			t.Errorf("%s: after eleven codes the pointer is %+v, the use %+v", c.s.ID, next, use)
		}
		if o, err := sheet.Ordinal(codes.Place{Zone: codes.SequentialZone, Position: c.s.Sequential.Len() - 1}); err != nil || c.s.Format(o) != c.lastOfZone {
			t.Errorf("%s: the zone ends with %s, %v, want %s", c.s.ID, c.s.Format(o), err, c.lastOfZone)
		}
		run, next, use, err = c.s.Reserve(next, use, 10)
		if err != nil || run != (codes.Run{Zone: codes.RandomZone, Start: 0, Count: 10}) {
			t.Errorf("%s: ten codes are %+v, %v, want random positions 0 to 9", c.s.ID, run, err)
		}
		if next != (codes.Pointer{Next: 11}) || use.Random != 10 {
			t.Errorf("%s: ten random codes moved the pointer to %+v, or the use to %+v", c.s.ID, next, use)
		}
		printed, err = sheet.Printed(run)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range printed {
			if ordinal(t, c.s, p) > ordinal(t, c.s, c.random) {
				t.Errorf("%s: %s is a random code above %s", c.s.ID, p, c.random)
			}
		}
	}
}

// The pointer is the game's: the next draw goes on where the last one stopped, and at the end of the zone it goes back.
func TestPointerRunsOnAndWraps(t *testing.T) {
	s := small(0, 0, 1, 100) // 100 sequential positions, every play is sequential
	var p codes.Pointer
	use := codes.DrawUse{}
	for _, c := range []struct {
		n    int64
		draw string // "new" opens a draw
		want codes.Run
		next codes.Pointer
	}{
		{40, "", codes.Run{Zone: codes.SequentialZone, Start: 0, Count: 40}, codes.Pointer{Next: 40}},
		{30, "new", codes.Run{Zone: codes.SequentialZone, Start: 40, Count: 30}, codes.Pointer{Next: 70}},
		{31, "", codes.Run{Zone: codes.SequentialZone, Start: 0, Count: 31}, codes.Pointer{Next: 31, Laps: 1}}, // skips 70 to 99
		{69, "new", codes.Run{Zone: codes.SequentialZone, Start: 31, Count: 69}, codes.Pointer{Next: 0, Laps: 2}},
		{31, "", codes.Run{Zone: codes.SequentialZone, Start: 0, Count: 31}, codes.Pointer{Next: 31, Laps: 2}},
	} {
		if c.draw == "new" {
			use = codes.DrawUse{Opened: p}
		}
		run, next, after, err := s.Reserve(p, use, c.n)
		if err != nil || run != c.want || next != c.next {
			t.Fatalf("%d codes from %+v: %+v, %+v, %v, want %+v, %+v", c.n, p, run, next, err, c.want, c.next)
		}
		p, use = next, after
	}
	if _, _, _, err := s.Reserve(p, use, 1); !errors.Is(err, codes.ErrExhausted) {
		t.Errorf("the 101st code of a draw: %v, want %v", err, codes.ErrExhausted)
	}
	if run, _, _, err := s.Reserve(p, codes.DrawUse{Opened: p}, 69); err != nil || run.Start != 31 {
		t.Errorf("the next draw gets %+v, %v, want a run from 31 on", run, err)
	}
}

// Case 38: blocks are disjoint and in a row; a reservation that is dropped (rolled back) is given again, once.
func TestCase38BlocksAreDisjoint(t *testing.T) {
	s := loto(t)
	p, use := codes.Pointer{Next: 400_000_000}, codes.DrawUse{Opened: codes.Pointer{Next: 400_000_000}}
	var runs []codes.Run
	for i := range int64(5000) {
		n := 1 + i*i%168
		dropped, _, _, err := s.Reserve(p, use, n)
		if err != nil {
			t.Fatal(err)
		}
		run, next, after, err := s.Reserve(p, use, n)
		if err != nil || run != dropped {
			t.Fatalf("after a dropped reservation of %+v the same state gives %+v, %v", dropped, run, err)
		}
		if run.Zone == codes.SequentialZone && (run.Start != p.Next || next.Next != run.End()) {
			t.Fatalf("a run of %d from %+v is %+v and leaves %+v: a hole", n, p, run, next)
		}
		p, use, runs = next, after, append(runs, run)
	}
	is, err := codes.NewIssued(runs) // refuses runs that meet
	if err != nil {
		t.Fatal(err)
	}
	if is.Total() != use.Random+use.Sequential {
		t.Errorf("%d codes issued, %d used", is.Total(), use.Random+use.Sequential)
	}
}

// small is a series of digits with zones of random and sequential codes, sequential above upTo.
func small(upTo, first, random, sequential int64) codes.Series {
	return codes.Series{ID: "small", Layout: "####", Alphabets: alphabets(4, digits), RandomUpTo: upTo,
		Random:     codes.Range{First: first, Last: first + random - 1},
		Sequential: codes.Range{First: first + random, Last: first + random + sequential - 1}}
}

// naive is the rule of Reserve written down with a set of the draw's positions: the first n in a row that the draw has not
// issued, from the pointer on, then from the start of the zone on.
func naive(issued map[int64]bool, size, from, n int64) (int64, bool) {
	free := func(start int64) bool {
		for i := start; i < start+n; i++ {
			if i >= size || issued[i] {
				return false
			}
		}
		return true
	}
	for k := range size {
		if start := (from + k) % size; free(start) {
			return start, true
		}
	}
	return 0, false
}

// Several draws share one pointer on a tiny zone that they run through many times. Each reservation is the one of the naive
// rule; within a draw no code comes twice; a refusal means that the draw has no such place.
func TestReserveEqualsNaiveSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 40).Draw(t, "size")
		s := small(0, 3, 1, size)
		p := codes.Pointer{Next: rapid.Int64Range(0, size-1).Draw(t, "next"), Laps: rapid.Int64Range(0, 2).Draw(t, "laps")}
		type draw struct {
			use    codes.DrawUse
			runs   []codes.Run
			issued map[int64]bool
		}
		draws := []*draw{{use: codes.DrawUse{Opened: p}, issued: map[int64]bool{}}}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "open") == 0 {
				draws = append(draws, &draw{use: codes.DrawUse{Opened: p}, issued: map[int64]bool{}})
			}
			d := draws[rapid.IntRange(0, len(draws)-1).Draw(t, "draw")]
			n := rapid.Int64Range(1, min(size+1, 12)).Draw(t, "n")
			want, free := naive(d.issued, size, p.Next, n)

			run, next, use, err := s.Reserve(p, d.use, n)
			if errors.Is(err, codes.ErrLapped) { // load what only a lapped draw needs
				d.use.Taken = d.runs
				run, next, use, err = s.Reserve(p, d.use, n)
			}
			if !free {
				if !errors.Is(err, codes.ErrExhausted) {
					t.Fatalf("%d codes where none are free: %+v, %v", n, run, err)
				}
				continue
			}
			if err != nil || run != (codes.Run{Zone: codes.SequentialZone, Start: want, Count: n}) {
				t.Fatalf("%d codes from %+v: %+v, %v, want start %d", n, p, run, err, want)
			}
			if next.Laps*size+next.Next <= p.Laps*size+p.Next || (run.End()-next.Next)%size != 0 {
				t.Fatalf("the pointer went from %+v to %+v over %+v", p, next, run)
			}
			for i := run.Start; i < run.End(); i++ {
				if d.issued[i] {
					t.Fatalf("position %d is issued twice", i)
				}
				d.issued[i] = true
			}
			p, d.use = next, use
			d.runs = append(d.runs, run)
			if d.use.Sequential != int64(len(d.issued)) {
				t.Fatalf("%d codes counted, %d issued", d.use.Sequential, len(d.issued))
			}
		}
	})
}

// A draw of ten random codes per play uses its own counter to the last code, and then is refused.
func TestRandomZoneToTheLastCode(t *testing.T) {
	s := small(10, 0, 25, 5)
	use := codes.DrawUse{}
	for _, c := range []struct{ n, start int64 }{{10, 0}, {10, 10}, {4, 20}, {1, 24}} {
		run, _, after, err := s.Reserve(codes.Pointer{}, use, c.n)
		if err != nil || run != (codes.Run{Zone: codes.RandomZone, Start: c.start, Count: c.n}) {
			t.Fatalf("%d codes: %+v, %v, want a start of %d", c.n, run, err, c.start)
		}
		use = after
	}
	if _, _, _, err := s.Reserve(codes.Pointer{}, use, 1); !errors.Is(err, codes.ErrExhausted) {
		t.Errorf("the 26th code of 25: %v, want %v", err, codes.ErrExhausted)
	}
}

func TestReserveRefuses(t *testing.T) {
	s := small(10, 0, 20, 20)
	for _, c := range []struct {
		p    codes.Pointer
		use  codes.DrawUse
		n    int64
		want string
	}{
		{codes.Pointer{}, codes.DrawUse{}, 0, `codes "small": 0 codes asked for, accepted 1 or more`},
		{codes.Pointer{}, codes.DrawUse{}, math.MinInt64, `codes "small": -9223372036854775808 codes asked for, accepted 1 or more`},
		{codes.Pointer{}, codes.DrawUse{}, math.MaxInt64,
			`codes "small": 9223372036854775807 codes in a row asked for, 0 of 20 used in the sequential zone: the zone is used up for this draw`},
		{codes.Pointer{}, codes.DrawUse{Random: 15}, 6, `codes "small": 6 codes in a row asked for, 15 of 20 used in the random zone: the zone is used up for this draw`},
		{codes.Pointer{}, codes.DrawUse{Random: 21}, 1, `codes "small": 21 codes used of the random zone, accepted 0 to 20`},
		{codes.Pointer{}, codes.DrawUse{Sequential: -1}, 11, `codes "small": -1 codes used of the sequential zone, accepted 0 to 20`},
		{codes.Pointer{Next: 20}, codes.DrawUse{}, 11, `codes "small": pointer at position 20 after 0 laps, accepted 0 to 19 after 0 or more`},
		{codes.Pointer{Laps: math.MaxInt64}, codes.DrawUse{Opened: codes.Pointer{Next: -1}}, 11,
			`codes "small": pointer at position -1 after 0 laps, accepted 0 to 19 after 0 or more`},
		{codes.Pointer{Next: 3}, codes.DrawUse{Opened: codes.Pointer{Next: 4}}, 11,
			`codes "small": the pointer, at 3 after 0 laps, stands before the opening of the draw, at 4 after 0`},
		{codes.Pointer{Laps: math.MaxInt64}, codes.DrawUse{Sequential: 5}, 11,
			`codes "small": 0 of 5 codes known: the pointer has been through the zone: the draw's own runs are needed`},
	} {
		run, p, use, err := s.Reserve(c.p, c.use, c.n)
		if err == nil || err.Error() != c.want {
			t.Errorf("Reserve(%+v, %+v, %d):\n got %v\nwant %s", c.p, c.use, c.n, err, c.want)
		}
		if run != (codes.Run{}) || p != c.p || !reflect.DeepEqual(use, c.use) {
			t.Errorf("a refusal of %d codes moved the state: %+v, %+v, %+v", c.n, run, p, use)
		}
	}
}

func TestZoneString(t *testing.T) {
	for z, want := range map[codes.Zone]string{codes.RandomZone: "random", codes.SequentialZone: "sequential", 0: "zone(0)"} {
		if got := z.String(); got != want {
			t.Errorf("Zone(%d) is printed %q, want %q", uint8(z), got, want)
		}
	}
}

func BenchmarkReserve(b *testing.B) {
	s := loto(b)
	p, use := codes.Pointer{}, codes.DrawUse{}
	for b.Loop() {
		var err error
		if _, p, use, err = s.Reserve(p, use, 11); err != nil {
			p, use = codes.Pointer{}, codes.DrawUse{}
		}
	}
}
