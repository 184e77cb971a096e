package codes_test

import (
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/codes"
)

func permutation(t testing.TB, key byte, n int64) codes.Permutation {
	t.Helper()
	p, err := codes.NewPermutation([32]byte{key}, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every domain from 1 to 300, then every 17th to 3000: At takes each number once, and Index undoes it.
func TestPermutationOfSmallDomains(t *testing.T) {
	for n := int64(1); n <= 3000; n++ {
		if n > 300 && n%17 != 0 {
			continue
		}
		p := permutation(t, byte(n), n)
		seen := make([]bool, n)
		for i := range n {
			x := p.At(i)
			if x < 0 || x >= n || seen[x] {
				t.Fatalf("permutation of %d: At(%d) = %d, out of range or given before", n, i, x)
			}
			seen[x] = true
			if got := p.Index(x); got != i {
				t.Fatalf("permutation of %d: Index(At(%d)) = %d", n, i, got)
			}
		}
	}
}

func TestPermutationOfLargeDomains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(1, codes.MaxSize), rapid.Int64Range(1, 1<<20), rapid.Just(int64(codes.MaxSize)),
			rapid.Custom(func(t *rapid.T) int64 { // around squares, where the halves change
				a := rapid.Int64Range(2, 1<<28-1).Draw(t, "a")
				return a*a + rapid.Int64Range(-1, 1).Draw(t, "d")
			})).Draw(t, "n")
		var key [32]byte
		copy(key[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		p, err := codes.NewPermutation(key, n)
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.Int64Range(0, n-1).Draw(t, "i")
		if x := p.At(i); x < 0 || x >= n || p.Index(x) != i {
			t.Fatalf("permutation of %d: At(%d) = %d, Index of that %d", n, i, x, p.Index(x))
		}
		if x := p.Index(i); x < 0 || x >= n || p.At(x) != i {
			t.Fatalf("permutation of %d: Index(%d) = %d, At of that %d", n, i, x, p.At(x))
		}
	})
}

// Another key, or another length, is another order.
func TestPermutationDependsOnKeyAndLength(t *testing.T) {
	const n = 1_000_000
	a, b, c := permutation(t, 1, n), permutation(t, 2, n), permutation(t, 1, n-1)
	var sameKey, sameLength int
	for i := range int64(1000) {
		if a.At(i) == b.At(i) {
			sameLength++
		}
		if a.At(i) == c.At(i) {
			sameKey++
		}
	}
	if sameKey > 2 || sameLength > 2 { // 0.001 expected
		t.Errorf("of 1000 positions %d are equal under another key, %d under another length", sameLength, sameKey)
	}
}

func TestPermutationRefuses(t *testing.T) {
	for n, want := range map[int64]string{
		0:                 "permutation of 0 numbers: accepted 1 to 72057594037927936",
		-1:                "permutation of -1 numbers: accepted 1 to 72057594037927936",
		codes.MaxSize + 1: "permutation of 72057594037927937 numbers: accepted 1 to 72057594037927936",
	} {
		if _, err := codes.NewPermutation([32]byte{}, n); err == nil || err.Error() != want {
			t.Errorf("NewPermutation of %d: %v, want %s", n, err, want)
		}
	}
	p := permutation(t, 1, 10)
	for _, i := range []int64{-1, 10, 11, 16, 1 << 60} {
		if p.At(i) != -1 || p.Index(i) != -1 {
			t.Errorf("position %d of 10: At = %d, Index = %d, want -1", i, p.At(i), p.Index(i))
		}
	}
}

func BenchmarkPermutation(b *testing.B) {
	for _, s := range all(b) {
		p := permutation(b, 1, s.Random.Len())
		b.Run("At/"+s.ID, func(b *testing.B) {
			i := int64(0)
			for b.Loop() {
				p.At(i)
				i++
			}
		})
		b.Run("Index/"+s.ID, func(b *testing.B) {
			i := int64(0)
			for b.Loop() {
				p.Index(i)
				i++
			}
		})
	}
}
