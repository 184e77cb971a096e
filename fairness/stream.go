package fairness

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// MaxSample bounds the numbers of one [Stream.Sample]: far above the codes of any draw (100), and small enough for memory.
const MaxSample = 1 << 20

// Stream is an endless sequence of bytes that a secret and a context determine. It is not for two goroutines at once.
type Stream struct {
	input [sha256.Size + 8]byte // key and number of the next block
	next  uint64
	block [sha256.Size]byte
	used  int // bytes of block that are used up
}

// NewStream returns the stream of a secret for a context, which names what the numbers are for: "winning codes/loto-2020-06-22/loto".
func NewStream(s Secret, context string) *Stream { return newStream(derive(s, labelStream, context)) }

func newStream(key [sha256.Size]byte) *Stream {
	s := &Stream{used: sha256.Size}
	copy(s.input[:], key[:])
	return s
}

// word takes the next bytes of the stream as one number.
func (s *Stream) word(size int) uint64 {
	var w uint64
	for range size {
		if s.used == len(s.block) {
			binary.BigEndian.PutUint64(s.input[sha256.Size:], s.next)
			s.block = sha256.Sum256(s.input[:])
			s.next++
			s.used = 0
		}
		w = w<<8 | uint64(s.block[s.used])
		s.used++
	}
	return w
}

// Uniform returns one of the numbers 0 … n−1, each with the same probability. It panics when n < 1: there is no such number.
func (s *Stream) Uniform(n int64) int64 {
	if n < 1 {
		panic(fmt.Sprintf("fairness: Uniform(%d)", n))
	}
	size, last := 4, uint64(math.MaxUint32)
	if n > 1<<32 {
		size, last = 8, math.MaxUint64
	}
	last -= (last%uint64(n) + 1) % uint64(n) // the words up to last are a multiple of n
	for {
		if w := s.word(size); w <= last {
			return int64(w % uint64(n))
		}
	}
}

// Sample returns k different ones of the numbers 0 … n−1, ascending, each set of k with the same probability.
func (s *Stream) Sample(n, k int64) ([]int64, error) {
	if n < 0 || k < 0 || k > n || k > MaxSample {
		return nil, fmt.Errorf("%d of %d numbers asked for: accepted 0 to %d", k, n, max(0, min(n, MaxSample)))
	}
	taken := make(map[int64]bool, k)
	sample := make([]int64, 0, k)
	for j := n - k; j < n; j++ {
		t := s.Uniform(j + 1)
		if taken[t] {
			t = j
		}
		taken[t] = true
		sample = append(sample, t)
	}
	slices.Sort(sample)
	return sample, nil
}

// uniform is what subset draws from: a Stream, or in tests each possible sequence of numbers in turn.
type uniform interface{ Uniform(n int64) int64 }

// subset is Sample for n ≤ 64: bit i of its result says that number i is taken.
func subset[U uniform](u U, n, k int) uint64 {
	var taken uint64
	for j := n - k; j < n; j++ {
		t := uint64(1) << u.Uniform(int64(j)+1)
		if taken&t != 0 {
			t = 1 << j
		}
		taken |= t
	}
	return taken
}
