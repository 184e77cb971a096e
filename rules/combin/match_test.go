package combin_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/combin"
)

// someSimples returns n simple combinations of m, a third of them near the draw so that the high ranks are met.
func someSimples(rng *rand.Rand, m combin.Matrix, drawn combin.Combination, n int) []combin.Combination {
	near := drawn | m.At(rng.Int64N(m.Total()))
	list := make([]combin.Combination, n)
	for i := range list {
		list[i] = m.At(rng.Int64N(m.Total()))
		if i%3 == 0 {
			list[i] = combin.Unrank(m, near, rng.Int64N(near.Count(m)))
		}
	}
	return list
}

func someRanks(rng *rand.Rand) (ranks combin.RankTable) {
	for k := range ranks {
		for h := range ranks[k] {
			ranks[k][h] = uint8(max(0, rng.IntN(400)-144)) // none for a third, up to 255
		}
	}
	return ranks
}

// Both kernels against the hits of each combination, around the lengths at which they change their way.
func TestKernelsAgreeWithOneByOne(t *testing.T) {
	lengths := rapid.OneOf(
		rapid.IntRange(0, 40),
		rapid.IntRange(4090, 4110),
		rapid.IntRange(4600, 4612),
		rapid.IntRange(0, 9000),
	)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]combin.Matrix{loto, euro}).Draw(t, "matrix")
		drawn := simples(m).Draw(t, "drawn")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		list := someSimples(rng, m, drawn, lengths.Draw(t, "length"))
		ranks := someRanks(rng)

		got, want := combin.Tally{0: {1, 1, 1}}, combin.Tally{0: {1, 1, 1}}
		winners := []combin.Winner{0xabcd01, 0xabcd02}
		wanted := slices.Clone(winners)
		for i, c := range list {
			k, h := c.Hits(drawn)
			want[k][h]++
			if r := ranks[k][h]; r != 0 {
				wanted = append(wanted, combin.Winner(i)<<8|combin.Winner(r))
			}
		}
		if combin.CountHits(drawn, list, &got); got != want {
			t.Fatalf("draw %v, %d combinations: %v, want %v", drawn, len(list), got, want)
		}
		if winners = combin.ListWinners(drawn, list, ranks, winners); !slices.Equal(winners, wanted) {
			t.Fatalf("draw %v, %d combinations: %d winners listed, want %d", drawn, len(list), len(winners)-2, len(wanted)-2)
		}
		for _, w := range winners[2:] {
			if k, h := list[w.Index()].Hits(drawn); int(ranks[k][h]) != w.Rank() {
				t.Fatalf("draw %v: %v listed at rank %d", drawn, list[w.Index()], w.Rank())
			}
		}
	})
}

// Everybody wins and nobody wins: the ends of a block of the list.
func TestListWinnersAllAndNone(t *testing.T) {
	drawn := grid("1-2-3-4-5+1")
	list := slices.Repeat([]combin.Combination{drawn}, 10_240)
	all := combin.ListWinners(drawn, list, lotoRanks, nil)
	if len(all) != len(list) {
		t.Fatalf("%d winners of %d", len(all), len(list))
	}
	for i, w := range all {
		if w.Index() != i || w.Rank() != 1 {
			t.Fatalf("winner %d has index %d and rank %d", i, w.Index(), w.Rank())
		}
	}
	if none := combin.ListWinners(drawn, list, combin.RankTable{}, nil); len(none) != 0 {
		t.Errorf("%d winners without ranks", len(none))
	}
}

// A decomposed multiple counted by the kernel gives what the closed form says.
func TestKernelCountsADecomposedMultiple(t *testing.T) {
	multiple, drawn := grid("1-5-9-15-17-22-30-37-44-50+1-2-3-4-7-8-9-10-11-12"), grid("5-15-17-37-44+7-11")
	var got combin.Tally
	list := slices.Collect(multiple.Decompose(euro))
	combin.CountHits(drawn, list, &got)
	if want := combin.Winners(euro, multiple, drawn); got != want || len(list) != 252*45 {
		t.Errorf("%d combinations: %v, want %v", len(list), got, want)
	}
	winners := int64(0)
	for k, row := range got {
		for h, n := range row {
			if euroRanks[k][h] != 0 {
				winners += n
			}
		}
	}
	if listed := combin.ListWinners(drawn, list, euroRanks, nil); int64(len(listed)) != winners {
		t.Errorf("%d winners listed, want %d", len(listed), winners)
	}
}

func TestKernelsRefuseTooLargeADraw(t *testing.T) {
	for _, s := range []string{"1-2-3-4-5-6+1", "1-2-3-4-5+1-2-3"} {
		mustPanic(t, "CountHits "+s, func() { combin.CountHits(grid(s), nil, new(combin.Tally)) })
		mustPanic(t, "ListWinners "+s, func() { combin.ListWinners(grid(s), nil, lotoRanks, nil) })
	}
}
