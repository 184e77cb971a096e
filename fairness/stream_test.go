package fairness

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// scripted is a source of uniform numbers that a test has chosen.
type scripted struct{ numbers []int64 }

func (s *scripted) Uniform(n int64) int64 {
	x := s.numbers[0]
	s.numbers = s.numbers[1:]
	if x >= n {
		panic("the script is out of range")
	}
	return x
}

// Over all sequences of numbers that an even source can give, each set comes equally often: the method adds no bias of its own.
func TestSubsetIsExactlyEven(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for k := 0; k <= n; k++ {
			counts := map[uint64]int{}
			script := make([]int64, k)
			for more := true; more; {
				set := subset(&scripted{slices.Clone(script)}, n, k)
				if bits.OnesCount64(set) != k || set >= 1<<n {
					t.Fatalf("%v gives %b, no set of %d of %d", script, set, k, n)
				}
				counts[set]++
				more = false
				for i := range script { // the i-th number is below n−k+i+1
					if script[i]++; script[i] < int64(n-k+i+1) {
						more = true
						break
					}
					script[i] = 0
				}
			}
			sets, sequences := 1, 1 // C(n, k) and n·(n−1)·…·(n−k+1)
			for i := range k {
				sets, sequences = sets*(n-i)/(i+1), sequences*(n-i)
			}
			if len(counts) != sets {
				t.Errorf("%d of %d: %d different sets, want %d", k, n, len(counts), sets)
			}
			for set, c := range counts {
				if c != sequences/sets {
					t.Errorf("%d of %d: the set %b comes %d times of %d, want %d", k, n, set, c, sequences, sequences/sets)
				}
			}
		}
	}
}

// Case 36: a word that would favour small numbers is dropped. For each n the words kept are a whole number of times n, and
// fewer than n are dropped.
func TestCase36RejectsWordsThatFavourSmallNumbers(t *testing.T) {
	word := func(w uint64, size int) [32]byte { // a block that starts with word w, then word 7
		var b [32]byte
		for i := range size {
			b[i] = byte(w >> (8 * (size - 1 - i)))
		}
		b[2*size-1] = 7
		return b
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(8, 1<<32), rapid.Int64Range(8, math.MaxInt64), rapid.Int64Range(8, 300)).Draw(t, "n")
		size, top := 4, uint64(math.MaxUint32)
		if n > 1<<32 {
			size, top = 8, math.MaxUint64
		}
		dropped := top % uint64(n)
		if dropped++; dropped == uint64(n) {
			dropped = 0
		}
		kept := top - dropped // the last word kept: kept + 1 is a multiple of n
		s := Stream{block: word(kept, size)}
		if got := s.Uniform(n); got != n-1 || s.used != size {
			t.Fatalf("Uniform(%d) of the last good word %d = %d after %d bytes, want %d after %d", n, kept, got, s.used, n-1, size)
		}
		if dropped > 0 {
			bad := kept + 1 + rapid.Uint64Range(0, dropped-1).Draw(t, "bad")
			s = Stream{block: word(bad, size)}
			if got := s.Uniform(n); got != 7 || s.used != 2*size {
				t.Fatalf("Uniform(%d) of the bad word %d = %d after %d bytes, want the next word's 7", n, bad, got, s.used)
			}
		}
	})
}

// chiSquare returns in thousandths how far the counts of numbers are from even, after draws of k different ones of them each:
// Σ(o−e)²/e · (N−1)/(N−k), which follows the chi-square of N−1 degrees when the draws are fair.
func chiSquare(counts []int64, draws, k int64) int64 {
	cells, total, squares := int64(len(counts)), draws*k, int64(0)
	for _, c := range counts {
		squares += c * c
	}
	return (1000*squares*cells/total - 1000*total) * (cells - 1) / (cells - k)
}

// critical is what a fair chi-square exceeds once in a hundred, in thousandths, by its number of cells.
var critical = map[int]int64{10: 21_666, 12: 24_725, 49: 73_683, 50: 74_919}

// exceeding runs 50 tests of 4000 draws each and returns how many of them say that the generator is not fair, at 99 %.
func exceeding(cells, k int, generator func(test, draw int) uint64) int {
	n := 0
	for test := range 50 {
		counts := make([]int64, cells)
		for draw := range 4000 {
			for set := generator(test, draw); set != 0; set &= set - 1 {
				counts[bits.TrailingZeros64(set)]++
			}
		}
		if chiSquare(counts, 4000, int64(k)) > critical[cells] {
			n++
		}
	}
	return n
}

// Fair generators fail about one test in a hundred, so 4 of 50 are more than happens in 5000 runs; biased ones fail nearly all.
const (
	fairAtMost    = 4
	biasedAtLeast = 45
)

// Case 36: our quick picks pass the statistics, main and extra numbers of both games.
func TestCase36QuickPicksPass(t *testing.T) {
	for _, c := range []struct {
		name     string
		cells, k int
		generate func(test, draw int) uint64
	}{
		{"Loto numbers", 49, 5, func(test, draw int) uint64 {
			return uint64(QuickPick(secret(test), "loto", int64(draw), 0, 0, loto, plain)) & (1<<49 - 1)
		}},
		{"Loto Chance", 10, 1, func(test, draw int) uint64 {
			return uint64(QuickPick(secret(test), "loto", int64(draw), 0, 0, loto, plain)) >> 50
		}},
		{"Euro Millions numbers", 50, 5, func(test, draw int) uint64 {
			return uint64(QuickPick(secret(test), "euro", 1, draw, 0, euro, euroPlain)) & (1<<50 - 1)
		}},
		{"Euro Millions stars", 12, 2, func(test, draw int) uint64 {
			return uint64(QuickPick(secret(test), "euro", 1, 0, draw, euro, euroPlain)) >> 50
		}},
		{"one long stream", 49, 5, longStream()},
	} {
		got := exceeding(c.cells, c.k, c.generate)
		t.Logf("%s: %d of 50 tests fail at 99 %%", c.name, got)
		if got > fairAtMost {
			t.Errorf("%s: %d of 50 tests fail at 99 %%, accepted at most %d", c.name, got, fairAtMost)
		}
	}
}

func longStream() func(test, draw int) uint64 {
	s := NewStream(secret(36), "long")
	return func(int, int) uint64 { return subset(s, 49, 5) }
}

// Case 36: generators with the faults seen elsewhere fail the same statistics, though their source of bytes is ours.
func TestCase36BiasedGeneratorsFail(t *testing.T) {
	s := NewStream(secret(36), "biased")
	for _, c := range []struct {
		name     string
		generate func(test, draw int) uint64
	}{
		{"byte modulo 49, again while taken", func(int, int) uint64 {
			var set uint64
			for bits.OnesCount64(set) < 5 {
				set |= 1 << (s.word(1) % 49)
			}
			return set
		}},
		{"byte modulo the length of the list that is left", func(int, int) uint64 {
			var list []int
			for i := range 49 {
				list = append(list, i)
			}
			var set uint64
			for range 5 {
				i := int(s.word(1)) % len(list)
				set |= 1 << list[i]
				list = slices.Delete(list, i, i+1)
			}
			return set
		}},
		{"never the last number", func(int, int) uint64 { return subset(s, 48, 5) }},
		{"Floyd one step short", func(int, int) uint64 { return subset(s, 48, 4) | 1<<48 }},
	} {
		got := exceeding(49, 5, c.generate)
		t.Logf("%s: %d of 50 tests fail at 99 %%", c.name, got)
		if got < biasedAtLeast {
			t.Errorf("%s: only %d of 50 tests fail at 99 %%, want at least %d", c.name, got, biasedAtLeast)
		}
	}
}

// Numbers of seven digits: every digit comes at every place, the 9 too (in 2006 and 2007 numbers given online never held one).
func TestDigitsAreEven(t *testing.T) {
	digits := func(uniform func() int64) (worst int64) {
		var counts [7][10]int64
		for range 20_000 {
			x := uniform()
			for place := range counts {
				counts[place][x%10]++
				x /= 10
			}
		}
		for _, c := range counts {
			worst = max(worst, chiSquare(c[:], 20_000, 1))
		}
		return worst
	}
	s := NewStream(secret(7), "digits")
	const limit = 33_720 // exceeded once in ten thousand, by each of 7 places
	if got := digits(func() int64 { return s.Uniform(10_000_000) }); got > limit {
		t.Errorf("chi-square of a digit %d thousandths, accepted at most %d", got, limit)
	}
	withoutNine := func() (x int64) {
		for range 7 {
			x = 10*x + s.Uniform(9)
		}
		return x
	}
	if got := digits(withoutNine); got <= limit {
		t.Errorf("without a 9 the chi-square is %d thousandths, want more than %d", got, limit)
	}
}

func TestSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(0, 64), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "n")
		k := rapid.Int64Range(0, min(n, 100)).Draw(t, "k")
		got, err := NewStream(secret(1), "sample").Sample(n, k)
		if err != nil || int64(len(got)) != k {
			t.Fatalf("Sample(%d, %d) = %v, %v", n, k, got, err)
		}
		var set uint64
		for i, x := range got {
			if x < 0 || x >= n || i > 0 && x <= got[i-1] {
				t.Fatalf("Sample(%d, %d) = %v: not ascending below %d", n, k, got, n)
			}
			set |= 1 << (x % 64)
		}
		if n <= 64 {
			if same := subset(NewStream(secret(1), "sample"), int(n), int(k)); same != set {
				t.Fatalf("Sample(%d, %d) = %b, the mask is %b", n, k, set, same)
			}
		}
	})
	for _, c := range []struct {
		n, k int64
		want string
	}{
		{4, 5, "5 of 4 numbers asked for: accepted 0 to 4"},
		{-1, 0, "0 of -1 numbers asked for: accepted 0 to 0"},
		{4, -1, "-1 of 4 numbers asked for: accepted 0 to 4"},
		{math.MaxInt64, MaxSample + 1, "1048577 of 9223372036854775807 numbers asked for: accepted 0 to 1048576"},
	} {
		if _, err := NewStream(secret(1), "").Sample(c.n, c.k); err == nil || err.Error() != c.want {
			t.Errorf("Sample(%d, %d): %v, want %s", c.n, c.k, err, c.want)
		}
	}
}

func TestUniformOfNothingPanics(t *testing.T) {
	for _, n := range []int64{0, -1, math.MinInt64} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Uniform(%d) returns a number", n)
				}
			}()
			NewStream(secret(1), "").Uniform(n)
		}()
	}
}

func BenchmarkUniform(b *testing.B) {
	s := NewStream(secret(1), "bench")
	for b.Loop() {
		s.Uniform(10_000_000)
	}
}
