package combin_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tirage/rules/combin"
)

const (
	benchWords = 52 << 20 // 436 MB, far beyond every cache
	benchPool  = 1 << 20  // different combinations, repeated: more than any predictor remembers
)

// BenchmarkMatch compares the kernels with the mere reading of the same words: rounds of read, count and list on one core,
// and the median over the rounds of the speed of each kernel divided by that of the read beside it.
func BenchmarkMatch(b *testing.B) {
	words := make([]combin.Combination, benchWords)
	list := make([]combin.Winner, 0, benchWords)
	for _, g := range []struct {
		name  string
		m     combin.Matrix
		ranks combin.RankTable
	}{{"loto", loto, lotoRanks}, {"euromillions", euro, euroRanks}} {
		b.Run(g.name, func(b *testing.B) {
			drawn := fill(words, g.m)
			var read, count, found, countRatio, listRatio []float64
			for b.Loop() {
				for round := range 9 {
					r := speed(func() { sink += sum(words) })
					c := speed(func() { combin.CountHits(drawn, words, new(combin.Tally)) })
					l := speed(func() { list = combin.ListWinners(drawn, words, g.ranks, list[:0]) })
					if round == 0 {
						continue // pages, clock and predictors warm up
					}
					read, count, found = append(read, r), append(count, c), append(found, l)
					countRatio, listRatio = append(countRatio, c/r), append(listRatio, l/r)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(read)*8/1e9, "read-GB/s")
			b.ReportMetric(median(count), "counted/s")
			b.ReportMetric(median(countRatio), "counted/read")
			b.ReportMetric(median(found), "listed/s")
			b.ReportMetric(median(listRatio), "listed/read")
		})
	}
}

// BenchmarkMatchMultiples counts the winners of a million multiples in closed form.
func BenchmarkMatchMultiples(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, g := range []struct {
		name string
		m    combin.Matrix
	}{{"loto", loto}, {"euromillions", euro}} {
		b.Run(g.name, func(b *testing.B) {
			multiples := multiplesOf(rng, g.m, 1_000_000)
			drawn := g.m.At(g.m.Total() / 3)
			for b.Loop() {
				combin.TallyMultiples(g.m, drawn, multiples, new(combin.Tally))
			}
			b.ReportMetric(float64(b.N)*float64(len(multiples))/b.Elapsed().Seconds(), "multiples/s")
		})
	}
}

var sink combin.Combination

// fill writes random simple combinations of m and returns a draw.
func fill(words []combin.Combination, m combin.Matrix) combin.Combination {
	rng := rand.New(rand.NewPCG(49, 10))
	for i := range words[:benchPool] {
		words[i] = m.At(rng.Int64N(m.Total()))
	}
	for n := benchPool; n < len(words); n *= 2 {
		copy(words[n:], words[:n])
	}
	return m.At(rng.Int64N(m.Total()))
}

// sum is the reference: it reads every word once, in four independent sums.
func sum(words []combin.Combination) combin.Combination {
	var s0, s1, s2, s3 combin.Combination
	for w := words; len(w) >= 4; w = w[4:] {
		s0 += w[0]
		s1 += w[1]
		s2 += w[2]
		s3 += w[3]
	}
	return s0 + s1 + s2 + s3
}

// speed returns the words per second of one pass over them.
func speed(pass func()) float64 {
	start := time.Now()
	pass()
	return benchWords / time.Since(start).Seconds()
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
