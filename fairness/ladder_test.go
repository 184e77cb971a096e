package fairness

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/ladder"
)

var _ ladder.Draw = (*LadderDraw)(nil)

// plainSeries expands a series with crypto/hmac and draws with whole divisions, straight from the specification.
func plainSeries(s Secret, l LadderSeries, c Contribution, below []uint64) []uint64 {
	var bytes []byte
	for block := range 40 {
		h := hmac.New(sha256.New, s[:])
		h.Write([]byte("tirage/1 ladder\x00"))
		h.Write(l.Round[:])
		h.Write(binary.BigEndian.AppendUint16(nil, l.N))
		h.Write(c[:])
		h.Write(binary.BigEndian.AppendUint16(nil, uint16(block)))
		bytes = h.Sum(bytes)
	}
	var numbers []uint64
	for _, n := range below {
		for {
			w := uint64(binary.BigEndian.Uint32(bytes))
			bytes = bytes[4:]
			if w < (1<<32)/n*n {
				numbers = append(numbers, w%n)
				break
			}
		}
	}
	return numbers
}

// A draw that is started again forgets what it was.
func TestLadderDrawIsItsSpecification(t *testing.T) {
	var d LadderDraw
	rapid.Check(t, func(t *rapid.T) {
		var s Secret
		var l LadderSeries
		var c Contribution
		copy(s[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
		copy(l.Round[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "round"))
		copy(c[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "contribution"))
		l.N = rapid.Uint16().Draw(t, "n")
		below := rapid.SliceOfN(rapid.OneOf(rapid.Uint64Range(1, 1<<32), rapid.Just[uint64](1<<31+1), rapid.Just[uint64](100_000)), 1, 30).Draw(t, "below")

		want := plainSeries(s, l, c, below)
		d.Start(s, l, c)
		for i, n := range below {
			if got := d.Uniform(n); got != want[i] {
				t.Fatalf("number %d below %d: %d, want %d", i, n, got, want[i])
			}
		}
	})
}

// The vector was computed with another implementation (Python's hmac); a change of the format would make old rounds unverifiable.
func TestLadderVector(t *testing.T) {
	var s Secret
	l := LadderSeries{N: 3}
	var c Contribution
	for i := range s {
		s[i] = byte(i)
	}
	for i := range c {
		l.Round[i], c[i] = byte(0x40+i), byte(0x80+i)
	}
	commitment := l.Commit(s)
	if got, want := hex.EncodeToString(commitment[:]), "9d064c9daf91d27490e339390eab758b59c6db5a54035be18bb1db989a4d7172"; got != want {
		t.Errorf("commitment %s, want %s", got, want)
	}
	var d LadderDraw
	d.Start(s, l, c)
	for i, want := range []uint64{18362, 78479, 51156, 99006, 85595, 61259, 915, 37413, 52902, 17463} {
		if got := d.Uniform(100_000); got != want {
			t.Errorf("number %d: %d, want %d", i, got, want)
		}
	}
}

func TestLadderDrawRefusesItsBounds(t *testing.T) {
	for _, n := range []uint64{0, 1<<32 + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a number below %d was drawn", n)
				}
			}()
			var d LadderDraw
			d.Start(Secret{}, LadderSeries{}, Contribution{})
			d.Uniform(n)
		}()
	}
}

// Another secret, round, series or contribution gives another outcome; another secret, round or series another commitment, which
// the contribution does not touch.
func TestEachInputOfASeriesCounts(t *testing.T) {
	type input struct {
		s Secret
		l LadderSeries
		c Contribution
	}
	outcome := func(in input) (numbers [16]uint64) {
		var d LadderDraw
		d.Start(in.s, in.l, in.c)
		for i := range numbers {
			numbers[i] = d.Uniform(1 << 32)
		}
		return numbers
	}
	var base input
	for name, change := range map[string]func(*input){
		"secret":       func(in *input) { in.s[31] ^= 1 },
		"round":        func(in *input) { in.l.Round[0] ^= 1 },
		"series":       func(in *input) { in.l.N ^= 1 },
		"contribution": func(in *input) { in.c[15] ^= 1 },
	} {
		other := base
		change(&other)
		a, b := outcome(base), outcome(other)
		for i := range a {
			if a[i] == b[i] {
				t.Errorf("another %s, the same number %d", name, i)
			}
		}
		if opens := other.l.CheckCommit(base.l.Commit(base.s), other.s); opens != (name == "contribution") {
			t.Errorf("another %s opens the old commitment: %t", name, opens)
		}
	}
}

// Case 31: what is published before the decision is no part of the outcome, whatever the contribution, and equal secrets
// in two rounds do not show it.
func TestCase31TheCommitmentIsNotTheOutcome(t *testing.T) {
	s := Secret{1}
	first, second := LadderSeries{N: 1}, LadderSeries{Round: [16]byte{1}, N: 1}
	if first.Commit(s) == second.Commit(s) {
		t.Error("two rounds show the same commitment")
	}
	commitment := first.Commit(s)
	published := map[uint64]bool{}
	for i := 0; i < len(commitment); i += 4 {
		published[uint64(commitment[i])<<24|uint64(commitment[i+1])<<16|uint64(commitment[i+2])<<8|uint64(commitment[i+3])] = true
	}
	var d LadderDraw
	for c := range 1000 {
		d.Start(s, first, Contribution{byte(c), byte(c >> 8)})
		for range 16 {
			if published[d.Uniform(1<<32)] {
				t.Errorf("contribution %d: the outcome holds a word of the commitment", c)
			}
		}
	}
}

func TestLadderDrawDoesNotAllocate(t *testing.T) {
	var d LadderDraw
	if n := testing.AllocsPerRun(100, func() {
		d.Start(Secret{1}, LadderSeries{N: 10}, Contribution{2})
		for range 20 {
			d.Uniform(100_000)
		}
	}); n != 0 {
		t.Errorf("%v allocations a series", n)
	}
}

func BenchmarkLadderSeries(b *testing.B) {
	var d LadderDraw
	s := Secret{1}
	for i := 0; b.Loop(); i++ {
		d.Start(s, LadderSeries{N: uint16(i % 10)}, Contribution{byte(i)})
		for range 5 {
			d.Uniform(100_000)
		}
	}
}
