package pack_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/pack"
)

// stock plays orders through the policy, as a seller with a number of packs does.
type stock struct {
	shares, max  int64
	left         []int64 // of the packs with shares left, the oldest first
	made, sold   int64
	mostOpen     int   // packs with shares left at a time
	refused      int64 // orders
	ordersBySize map[int64]int64
}

func (s *stock) order(n int64) {
	more := s.made < s.max
	i := pack.Choose(s.left, n, more)
	switch i {
	case pack.NoPack:
		s.refused++
		return
	case pack.NewPack:
		s.made++
		s.left = append(s.left, s.shares)
		i = len(s.left) - 1
	}
	s.left[i] -= n
	if s.left[i] == 0 {
		s.left = slices.Delete(s.left, i, i+1)
	}
	s.sold += n
	if s.ordersBySize == nil {
		s.ordersBySize = map[int64]int64{}
	}
	s.ordersBySize[n]++
	s.mostOpen = max(s.mostOpen, len(s.left))
}

// 10 000 random orders of 1, 2, 5 and 10 shares on packs of 200, 100 times over: what stays unsold at the close is the least that anybody could do who
// knew all orders beforehand.
func TestUnsoldAgainstTheOptimum(t *testing.T) {
	covers.Covers(t, "P20", "P22")
	const seeds, orders, shares = 100, 10_000, 200
	best, over, open := 0, int64(0), 0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 200))
		s := &stock{shares: shares, max: 1_000_000}
		for range orders {
			s.order([]int64{1, 2, 5, 10}[rng.IntN(4)])
		}
		low, high := pack.Fewest(shares, s.ordersBySize)
		if low != high {
			t.Fatalf("seed %d: the optimum is not known, %d to %d packs", seed, low, high)
		}
		if s.refused > 0 {
			t.Errorf("seed %d: %d orders refused", seed, s.refused)
		}
		if s.made == low {
			best++
		}
		over, open = max(over, s.made-low), max(open, s.mostOpen)
	}
	t.Logf("unsold shares equal to the offline optimum in %d of %d seeds, at most %d packs above it, at most %d packs open at a time", best, seeds, over, open)
	if best < 95 || over > 1 || open > pack.OpenMax {
		t.Errorf("accepted: 95 seeds, 1 pack, %d open packs", pack.OpenMax)
	}
}

// Whatever the orders and formulas: an order is refused only when no pack can hold it and no further one can be made, at most one pack could hold the
// largest order, and while nothing is set aside no pack too many is made.
func TestChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.Int64Range(1, 40).Draw(t, "shares")
		formulas := rapid.SliceOfNDistinct(rapid.Int64Range(1, shares), 1, min(5, int(shares)), rapid.ID[int64]).Draw(t, "formulas")
		largest := slices.Max(formulas)
		s := &stock{shares: shares, max: rapid.Int64Range(1, 12).Draw(t, "packs")}
		for _, n := range rapid.SliceOfN(rapid.SampledFrom(formulas), 0, 120).Draw(t, "orders") {
			before, made := slices.Clone(s.left), s.made
			refused := s.refused
			s.order(n)
			holds := slices.ContainsFunc(before, func(left int64) bool { return left >= n })
			if s.refused > refused && (made < s.max || holds) {
				t.Fatalf("an order of %d is refused after %d of %d packs with %v left", n, made, s.max, before)
			}
			if s.made > made && slices.ContainsFunc(before[max(0, len(before)-pack.OpenMax):], func(left int64) bool { return left >= n }) {
				t.Fatalf("a pack is made for %d shares beside open packs with %v left", n, before)
			}
			large := 0
			for _, left := range s.left {
				if left >= largest {
					large++
				}
			}
			if large > 1 {
				t.Fatalf("%v are left: orders of %d are scattered", s.left, largest)
			}
			if low, _ := pack.Fewest(shares, s.ordersBySize); s.mostOpen <= pack.OpenMax && s.made > low {
				t.Fatalf("%d packs are made, %d hold the orders %v", s.made, low, s.ordersBySize)
			}
		}
	})
}

// A pack that nobody's order fits is set aside, not sold from, until a younger one is full or no further pack can be made.
func TestChooseSetsAside(t *testing.T) {
	for _, c := range []struct {
		left  []int64
		order int64
		more  bool
		want  int
	}{
		{nil, 5, true, pack.NewPack},
		{nil, 5, false, pack.NoPack},
		{[]int64{7}, 5, true, 0},
		{[]int64{4}, 5, true, pack.NewPack},
		{[]int64{4, 195}, 5, true, 1},
		{[]int64{4, 195}, 2, true, 0},
		{[]int64{5, 5}, 5, true, 0},
		{[]int64{4, 3}, 5, true, pack.NewPack},
		{[]int64{4, 3, 195}, 4, true, 2}, // the first is set aside
		{[]int64{4, 3}, 4, true, 0},      // open again: the third is full
		{[]int64{4, 3, 8}, 4, false, 0},  // no further pack: all are open
		{[]int64{4, 3, 8}, 9, false, pack.NoPack},
	} {
		if got := pack.Choose(c.left, c.order, c.more); got != c.want {
			t.Errorf("%v left, an order of %d, more %v: pack %d, want %d", c.left, c.order, c.more, got, c.want)
		}
	}
}

// The fewest packs are those of a search through all ways to share the orders out.
func TestFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.Int64Range(1, 20).Draw(t, "shares")
		list := rapid.SliceOfN(rapid.Int64Range(1, shares), 0, 9).Draw(t, "orders")
		orders := map[int64]int64{}
		for _, n := range list {
			orders[n]++
		}
		low, high := pack.Fewest(shares, orders)
		if want := bruteFewest(list, nil, shares); low != want || high != want {
			t.Fatalf("%v in packs of %d: %d to %d packs, a search finds %d", list, shares, low, high, want)
		}
	})
}

func bruteFewest(orders, packs []int64, shares int64) int64 {
	if len(orders) == 0 {
		return int64(len(packs))
	}
	best := bruteFewest(orders[1:], append(slices.Clip(packs), shares-orders[0]), shares)
	for i, left := range packs {
		if left >= orders[0] {
			next := slices.Clone(packs)
			next[i] -= orders[0]
			best = min(best, bruteFewest(orders[1:], next, shares))
		}
	}
	return best
}

// For the formulas that are sold the optimum is the sum of the orders over the shares of a pack, rounded up.
func TestFewestOfTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := 10 * rapid.Int64Range(1, 50).Draw(t, "tens")
		orders, sum := map[int64]int64{}, int64(0)
		for _, n := range []int64{1, 2, 5, 10} {
			orders[n] = rapid.Int64Range(0, 300).Draw(t, "orders")
			sum += n * orders[n]
		}
		if low, high := pack.Fewest(shares, orders); low != high || low != (sum+shares-1)/shares {
			t.Fatalf("%v in packs of %d: %d to %d packs of %d shares", orders, shares, low, high, sum)
		}
	})
	// Where orders do not fit together the sum says too little: 3 + 3 in packs of 5, and a search is needed beyond the order of size.
	for _, c := range []struct {
		shares int64
		orders map[int64]int64
		want   int64
	}{{5, map[int64]int64{3: 2}, 2}, {10, map[int64]int64{4: 2, 3: 4}, 2}, {12, map[int64]int64{6: 2, 4: 2, 5: 1, 3: 1}, 3}, {9, map[int64]int64{}, 0}} {
		if low, high := pack.Fewest(c.shares, c.orders); low != c.want || high != c.want {
			t.Errorf("%v in packs of %d: %d to %d, want %d", c.orders, c.shares, low, high, c.want)
		}
	}
}

func TestFormulas(t *testing.T) {
	for _, f := range []pack.Formulas{{1, 2, 5, 10}, {7}, {1, 200}} {
		if got, err := pack.ParseFormulas(f.String()); err != nil || !slices.Equal(got, f) || f.Check(200) != nil {
			t.Errorf("%v is read as %v, %v, and checked with %v", f, got, err, f.Check(200))
		}
	}
	for _, f := range []pack.Formulas{nil, {0, 1}, {2, 1}, {1, 1}, {1, 201}, make(pack.Formulas, pack.FormulasMax+1)} {
		if f.Check(200) == nil {
			t.Errorf("formulas %v of 200 shares are accepted", f)
		}
	}
	if got := (pack.Formulas{1, 2, 5, 10}).UpTo(5); !slices.Equal(got, pack.Formulas{1, 2, 5}) {
		t.Errorf("up to 5: %v", got)
	}
	if got := (pack.Formulas{1, 2, 5, 10}).UpTo(9); !slices.Equal(got, pack.Formulas{1, 2, 5}) {
		t.Errorf("up to 9: %v", got)
	}
}

// Whatever is read as formulas is written the same way.
func FuzzFormulas(f *testing.F) {
	f.Add("1, 2, 5, 10")
	f.Add("1,2")
	f.Add("01")
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := pack.ParseFormulas(s); err == nil && got.String() != s {
			t.Errorf("%q is read as %v", s, got)
		}
	})
}
