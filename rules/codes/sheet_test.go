package codes_test

import (
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/codes"
)

func sheet(t testing.TB, s codes.Series, key byte) codes.Sheet {
	t.Helper()
	sh, err := codes.NewSheet(s, [32]byte{key})
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// Every code of a small series: the sheet lists both zones, each code once, and finds each again.
func TestSheetListsEachCodeOnce(t *testing.T) {
	s := small(10, 100, 700, 150) // 100 codes before the zones and 50 behind belong to neither
	sh := sheet(t, s, 1)
	seen := map[int64]bool{}
	for _, z := range []codes.Zone{codes.RandomZone, codes.SequentialZone} {
		for i := range s.Zone(z).Len() {
			at := codes.Place{Zone: z, Position: i}
			o, err := sh.Ordinal(at)
			if err != nil || seen[o] || !s.Zone(z).Contains(o) {
				t.Fatalf("%+v is code %d, %v: outside its zone or given before", at, o, err)
			}
			seen[o] = true
			if back, ok := sh.Place(o); !ok || back != at {
				t.Fatalf("code %d of %+v is found at %+v, %v", o, at, back, ok)
			}
		}
	}
	for _, o := range []int64{0, 99, 950, 9999, -1} {
		if at, ok := sh.Place(o); ok {
			t.Errorf("code %d of neither zone is found at %+v", o, at)
		}
	}
}

func TestSheetOfTheGames(t *testing.T) {
	for _, s := range all(t) {
		sh := sheet(t, s, 2)
		rapid.Check(t, func(t *rapid.T) {
			zone := codes.Zone(rapid.IntRange(1, 2).Draw(t, "zone"))
			at := codes.Place{Zone: zone, Position: rapid.Int64Range(0, s.Zone(zone).Len()-1).Draw(t, "position")}
			o, err := sh.Ordinal(at)
			if err != nil {
				t.Fatal(err)
			}
			if read, err := s.Parse(s.Format(o)); err != nil || read != o {
				t.Fatalf("%d is printed %s and read %d, %v", o, s.Format(o), read, err)
			}
			if back, ok := sh.Place(o); !ok || back != at {
				t.Fatalf("%s of %+v is found at %+v, %v", s.Format(o), at, back, ok)
			}
		})
	}
}

func TestSheetRefuses(t *testing.T) {
	s := small(10, 0, 20, 30)
	sh := sheet(t, s, 3)
	for at, want := range map[codes.Place]string{
		{Zone: codes.RandomZone, Position: 20}:     `codes "small": position 20 of the random zone, accepted 0 to 19`,
		{Zone: codes.SequentialZone, Position: 30}: `codes "small": position 30 of the sequential zone, accepted 0 to 29`,
		{Zone: codes.RandomZone, Position: -1}:     `codes "small": position -1 of the random zone, accepted 0 to 19`,
		{Zone: 0, Position: 0}:                     `codes "small": position 0 of the zone(0) zone, accepted 0 to -1`,
	} {
		if _, err := sh.Ordinal(at); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", at, err, want)
		}
	}
	for run, want := range map[codes.Run]string{
		{Zone: codes.RandomZone, Start: 15, Count: 6}:            `codes "small": run of 6 from position 15 on, accepted within the 20 of the random zone`,
		{Zone: codes.SequentialZone, Start: 0, Count: 1 << 62}:   `codes "small": run of 4611686018427387904 from position 0 on, accepted within the 30 of the sequential zone`,
		{Zone: codes.SequentialZone, Start: 1<<63 - 1, Count: 1}: `codes "small": run of 1 from position 9223372036854775807 on, accepted within the 30 of the sequential zone`,
		{Zone: codes.SequentialZone, Start: 3, Count: -1}:        `codes "small": run of -1 from position 3 on, accepted within the 30 of the sequential zone`,
		{Zone: codes.SequentialZone, Start: -3, Count: 1}:        `codes "small": run of 1 from position -3 on, accepted within the 30 of the sequential zone`,
		{Zone: codes.Zone(9), Start: 0, Count: 1}:                `codes "small": run of 1 from position 0 on, accepted within the 0 of the zone(9) zone`,
	} {
		if _, err := sh.Printed(run); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", run, err, want)
		}
	}
	s.Random.Last = s.Random.First - 1
	if _, err := codes.NewSheet(s, [32]byte{}); err == nil {
		t.Error("a sheet without random zone is accepted")
	}
}

// Each place of the printed form of the first 50 000 random codes of a draw. A place with a character that never comes (in
// 2006 and 2007 numbers given online never held a 9) stands out at once.
func TestCharactersOfRandomCodesAreEven(t *testing.T) {
	for _, s := range all(t) {
		sh := sheet(t, s, 20)
		const n = 50_000
		counts := make([]map[byte]int64, len(s.Format(0)))
		for i := range counts {
			counts[i] = map[byte]int64{}
		}
		// The last letter of the zone (V of Loto and My Million) ends within the zone: leave it out, what is left is even.
		used := int64(0)
		for i := range int64(n) {
			o, err := sh.Ordinal(codes.Place{Zone: codes.RandomZone, Position: i})
			if err != nil {
				t.Fatal(err)
			}
			printed := s.Format(o)
			if s.ID != "euromillions" && printed[0] == 'V' {
				continue
			}
			used++
			for pos := range counts {
				counts[pos][printed[pos]]++
			}
		}
		for pos, sign := range []byte(s.Layout) {
			if sign != '#' {
				continue
			}
			alphabet := alphabetAt(s, pos)
			switch {
			case pos == 0:
				alphabet = alphabet[:21] // A to U
			case s.ID == "euromillions" && pos == 2:
				alphabet = alphabet[:17] // B to V
			}
			checkEven(t, s.ID, pos, alphabet, counts[pos], used)
		}
	}
}

// The sequential codes: over plays of 11 to 168 codes in a row every last digit comes equally often, and over the zone every
// digit comes at every place.
func TestCharactersOfSequentialCodesAreEven(t *testing.T) {
	for _, s := range all(t) {
		sh := sheet(t, s, 21)
		last := map[byte]int64{}
		p, use := codes.Pointer{}, codes.DrawUse{}
		var total int64
		for n := int64(11); n <= 168; n++ {
			run, next, after, err := s.Reserve(p, use, n)
			if err != nil {
				t.Fatal(err)
			}
			printed, err := sh.Printed(run)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range printed {
				last[c[len(c)-1]]++
			}
			p, use, total = next, after, total+n
		}
		for _, d := range []byte(digits) {
			if low := total / 10; last[d] < low || last[d] > low+1 {
				t.Errorf("%s: the last digit %c comes %d times of %d", s.ID, d, last[d], total)
			}
		}
		seen := make([]map[byte]bool, len(s.Layout))
		for i := range seen {
			seen[i] = map[byte]bool{}
		}
		const steps = 5000
		for i := range int64(steps) {
			run := codes.Run{Zone: codes.SequentialZone, Start: i * (s.Sequential.Len() / steps), Count: 11}
			printed, err := sh.Printed(run)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range printed {
				for pos := range c {
					seen[pos][c[pos]] = true
				}
			}
		}
		for pos, sign := range []byte(s.Layout) {
			if sign == '#' && alphabetAt(s, pos) == digits && len(seen[pos]) != 10 {
				t.Errorf("%s: only %d of ten digits come at character %d", s.ID, len(seen[pos]), pos+1)
			}
		}
	}
}

// A generator whose last digit is never a 9 fails the same test.
func TestCharactersWithoutNineFail(t *testing.T) {
	counts := map[byte]int64{}
	for i := range 50_000 {
		counts[digits[i%9]]++
	}
	if got := chiSquare(digits, counts, 50_000); got < critical[10] {
		t.Errorf("chi-square %d thousandths without a 9, want more than %d", got, critical[10])
	}
}

func alphabetAt(s codes.Series, pos int) string {
	i := 0
	for _, sign := range []byte(s.Layout[:pos]) {
		if sign == '#' {
			i++
		}
	}
	return s.Alphabets[i]
}

// critical is the chi-square that an even place exceeds once in ten thousand, in thousandths, by the size of its alphabet.
var critical = map[int]int64{10: 33_720, 17: 45_925, 20: 50_795, 21: 52_386, 26: 60_140}

func checkEven(t *testing.T, id string, pos int, alphabet string, counts map[byte]int64, n int64) {
	t.Helper()
	if len(counts) != len(alphabet) {
		t.Errorf("%s: %d different characters at %d, want %d", id, len(counts), pos+1, len(alphabet))
	}
	if got, limit := chiSquare(alphabet, counts, n), critical[len(alphabet)]; got > limit {
		t.Errorf("%s: chi-square %d thousandths at character %d, accepted at most %d: %v", id, got, pos+1, limit, counts)
	}
}

// chiSquare returns Σ(o−e)²/e in thousandths over the characters of an alphabet.
func chiSquare(alphabet string, counts map[byte]int64, n int64) int64 {
	squares := int64(0)
	for _, c := range []byte(alphabet) {
		squares += counts[c] * counts[c]
	}
	return 1000*squares*int64(len(alphabet))/n - 1000*n
}
