package codes

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
)

// rounds is the number of rounds of the Feistel network, that of FF1 in NIST SP 800-38G. Four rounds hide the permutation
// from someone who sees far fewer than √n codes (Luby and Rackoff, 1988); whoever holds many codes of a draw sees more than
// that. Ten cost about a microsecond a code.
const rounds = 10

// Permutation is a keyed permutation of the whole numbers 0 to n−1, for any n from 1 to [MaxSize]: a one-to-one map, so two
// counters never give the same code, whose order nobody can tell without the key. It holds no table.
//
// It is exactly this, so that a verifier in any language can compute it. With a = ⌈√n⌉, a number x below a² is a pair (l, r)
// of numbers below a, x = l·a + r. Ten rounds i = 0 … 9 turn it:
//
//	(l, r) ← (r, (l + F(i, r)) mod a)
//	F(i, r) = the first 8 bytes of SHA-256(key ‖ n ‖ i ‖ r), taken as one number
//
// with n and r written in 8 bytes and i in one, big-endian throughout. When the result is not below n, the ten rounds are
// done again on it, until it is (cycle walking: at most 2√n of the a² numbers are n or more).
//
// Each round can be undone, hence the ten rounds permute the numbers below a², whatever F is; walking on to the next number
// below n on the same cycle permutes those below n. As a ≤ 2²⁸, F mod a is even to 2⁻³⁶.
type Permutation struct {
	key [sha256.Size]byte
	n   int64
	a   uint64 // ⌈√n⌉
}

// NewPermutation returns the permutation of 0 … n−1 under a key.
func NewPermutation(key [32]byte, n int64) (Permutation, error) {
	if n < 1 || n > MaxSize {
		return Permutation{}, fmt.Errorf("permutation of %d numbers: accepted 1 to %d", n, MaxSize)
	}
	a := new(big.Int).Sqrt(big.NewInt(n-1)).Uint64() + 1 // ⌊√(n−1)⌋ + 1 = ⌈√n⌉ for n > 1; 1 for n = 1
	return Permutation{key, n, a}, nil
}

// At returns the number at position i; −1 when i is not in 0 … n−1.
func (p Permutation) At(i int64) int64 {
	if i < 0 || i >= p.n {
		return -1
	}
	x := p.forward(uint64(i))
	for x >= uint64(p.n) {
		x = p.forward(x)
	}
	return int64(x)
}

// Index returns the position of the number x, Index(At(i)) = i; −1 when x is not in 0 … n−1.
func (p Permutation) Index(x int64) int64 {
	if x < 0 || x >= p.n {
		return -1
	}
	i := p.backward(uint64(x))
	for i >= uint64(p.n) {
		i = p.backward(i)
	}
	return int64(i)
}

func (p Permutation) forward(x uint64) uint64 {
	l, r := x/p.a, x%p.a
	block := p.block()
	for i := range byte(rounds) {
		if l += block.f(i, r) % p.a; l >= p.a {
			l -= p.a
		}
		l, r = r, l
	}
	return l*p.a + r
}

func (p Permutation) backward(x uint64) uint64 {
	l, r := x/p.a, x%p.a
	block := p.block()
	for i := byte(rounds); i > 0; i-- {
		f := block.f(i-1, l) % p.a
		if r < f {
			r += p.a
		}
		l, r = r-f, l
	}
	return l*p.a + r
}

// block is the message of F: key, n, i, r. Its 49 bytes fit one block of SHA-256, and their fixed length is what makes a
// plain hash of key and message a keyed function.
type block [sha256.Size + 8 + 1 + 8]byte

func (p Permutation) block() block {
	var b block
	copy(b[:], p.key[:])
	binary.BigEndian.PutUint64(b[sha256.Size:], uint64(p.n))
	return b
}

func (b *block) f(i byte, r uint64) uint64 {
	b[sha256.Size+8] = i
	binary.BigEndian.PutUint64(b[sha256.Size+9:], r)
	sum := sha256.Sum256(b[:])
	return binary.BigEndian.Uint64(sum[:])
}
