package codes_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/codes"
)

func issued(t testing.TB, runs ...codes.Run) *codes.Issued {
	t.Helper()
	is, err := codes.NewIssued(runs)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

func TestIssued(t *testing.T) {
	is := issued(t,
		codes.Run{Zone: codes.RandomZone, Start: 0, Count: 2},
		codes.Run{Zone: codes.SequentialZone, Start: 90, Count: 3},
		codes.Run{Zone: codes.RandomZone, Start: 2, Count: 1},
		codes.Run{Zone: codes.SequentialZone, Start: 0, Count: 2}, // after the pointer went back
	)
	if is.Total() != 8 {
		t.Fatalf("Total() = %d, want 8", is.Total())
	}
	for k, want := range []struct {
		run int
		at  codes.Place
	}{
		{0, codes.Place{Zone: codes.RandomZone, Position: 0}}, {0, codes.Place{Zone: codes.RandomZone, Position: 1}},
		{1, codes.Place{Zone: codes.SequentialZone, Position: 90}}, {1, codes.Place{Zone: codes.SequentialZone, Position: 91}},
		{1, codes.Place{Zone: codes.SequentialZone, Position: 92}}, {2, codes.Place{Zone: codes.RandomZone, Position: 2}},
		{3, codes.Place{Zone: codes.SequentialZone, Position: 0}}, {3, codes.Place{Zone: codes.SequentialZone, Position: 1}},
	} {
		run, at, ok := is.At(int64(k))
		if !ok || run != want.run || at != want.at {
			t.Errorf("At(%d) = run %d, %+v, %v, want run %d, %+v", k, run, at, ok, want.run, want.at)
		}
	}
	for _, k := range []int64{-1, 8, math.MaxInt64} {
		if run, at, ok := is.At(k); ok {
			t.Errorf("At(%d) = run %d, %+v, want none", k, run, at)
		}
	}
	for _, at := range []codes.Place{{Zone: codes.RandomZone, Position: 3}, {Zone: codes.SequentialZone, Position: 2}, {Zone: codes.SequentialZone, Position: 89},
		{Zone: codes.SequentialZone, Position: 93}, {Zone: codes.SequentialZone, Position: -1}, {}, {Zone: 3}} {
		if k, run, ok := is.Find(at); ok {
			t.Errorf("Find(%+v) = %d in run %d, want none", at, k, run)
		}
	}
	if none := issued(t); none.Total() != 0 {
		t.Errorf("no runs hold %d codes", none.Total())
	}
}

// Random runs, some of which meet: those that meet are refused, of the others each place is numbered once.
func TestIssuedEqualsList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs []codes.Run
		var list []codes.Place
		seen, meet := map[codes.Place]bool{}, false
		for range rapid.IntRange(0, 8).Draw(t, "runs") {
			r := codes.Run{Zone: codes.Zone(rapid.IntRange(1, 2).Draw(t, "zone")),
				Start: rapid.Int64Range(0, 60).Draw(t, "start"), Count: rapid.Int64Range(1, 9).Draw(t, "count")}
			runs = append(runs, r)
			for i := r.Start; i < r.End(); i++ {
				at := codes.Place{Zone: r.Zone, Position: i}
				meet = meet || seen[at]
				seen[at] = true
				list = append(list, at)
			}
		}
		is, err := codes.NewIssued(runs)
		if meet != (err != nil) {
			t.Fatalf("%+v: runs that meet: %v, error: %v", runs, meet, err)
		}
		if meet {
			return
		}
		if is.Total() != int64(len(list)) {
			t.Fatalf("Total() = %d, want %d", is.Total(), len(list))
		}
		for k, want := range list {
			run, at, ok := is.At(int64(k))
			if !ok || at != want || runs[run].Zone != at.Zone || at.Position < runs[run].Start || at.Position >= runs[run].End() {
				t.Fatalf("At(%d) = run %d, %+v, want %+v", k, run, at, want)
			}
			if back, in, ok := is.Find(at); !ok || back != int64(k) || in != run {
				t.Fatalf("Find(%+v) = %d in run %d, %v, want %d in run %d", at, back, in, ok, k, run)
			}
		}
	})
}

func TestIssuedRefuses(t *testing.T) {
	random := func(start, count int64) codes.Run {
		return codes.Run{Zone: codes.RandomZone, Start: start, Count: count}
	}
	for _, c := range []struct {
		runs []codes.Run
		want string
	}{
		{[]codes.Run{random(5, 2), random(0, 6)}, "runs 1 and 0 of codes both hold position 5 of the random zone"},
		{[]codes.Run{random(0, 0)}, "run 0 of codes: 0 codes from position 0 on, accepted 1 or more from 0 on"},
		{[]codes.Run{random(-1, 1)}, "run 0 of codes: 1 codes from position -1 on, accepted 1 or more from 0 on"},
		{[]codes.Run{random(2, math.MaxInt64)}, "run 0 of codes: 9223372036854775807 codes from position 2 on, accepted 1 or more from 0 on"},
		{[]codes.Run{random(0, 1), {Zone: codes.SequentialZone, Count: math.MaxInt64}},
			"run 1 of codes: 9223372036854775807 codes from position 0 on, accepted 1 or more from 0 on"},
		{[]codes.Run{{Zone: 7, Count: 1}}, "run 0 of codes: zone(7), accepted random and sequential"},
	} {
		if _, err := codes.NewIssued(c.runs); err == nil || err.Error() != c.want {
			t.Errorf("%+v:\n got %v\nwant %s", c.runs, err, c.want)
		}
	}
}

func BenchmarkIssuedAt(b *testing.B) {
	runs := make([]codes.Run, 1_000_000)
	for i := range runs {
		runs[i] = codes.Run{Zone: codes.RandomZone, Start: int64(i) * 3, Count: 3}
	}
	is := issued(b, runs...)
	k := int64(0)
	for b.Loop() {
		is.At(k % is.Total())
		k += 7919
	}
}
