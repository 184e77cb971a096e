package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/rulebook"
)

// KernelOptions are those of [Kernel].
type KernelOptions struct {
	Words int // simple combinations that are matched; 0: 52 × 2²⁰, 436 MB, far beyond every cache
	Seed  uint64
}

const (
	kernelWords     = 52 << 20
	kernelPool      = 1 << 20 // different combinations, repeated: more than any predictor remembers
	kernelRounds    = 9       // the first warms up and is dropped
	kernelMultiples = 1_000_000
	maxWords        = 1 << 30
)

// KernelReport is the speed of the match kernel for one game, on one core, beside the mere reading of the same words.
type KernelReport struct {
	Game      string  `json:"game"`
	Words     int     `json:"words"`
	Machine   Machine `json:"machine"`
	Read      float64 `json:"read_gb_per_s"`
	Counted   float64 `json:"counted_per_s"` // simple combinations tallied by their hits
	Listed    float64 `json:"listed_per_s"`  // simple combinations searched for winners, the winners listed
	CountRead float64 `json:"counted_over_read"`
	ListRead  float64 `json:"listed_over_read"`
	Multiples float64 `json:"multiples_per_s"` // multiple combinations tallied in closed form
}

// kernelBooks are the games whose kernels are measured.
var kernelBooks = []string{"loto@2018-10-29", "euromillions@2018-10-29"}

// Kernel measures the kernel that counts winners.
func Kernel(o KernelOptions) ([]KernelReport, error) {
	if o.Words == 0 {
		o.Words = kernelWords
	}
	if o.Words < 1 || o.Words > maxWords {
		return nil, fmt.Errorf("%d words: accepted 1 to %d", o.Words, maxWords)
	}
	words := make([]combin.Combination, o.Words)
	var reports []KernelReport
	for _, version := range kernelBooks {
		book, err := games.Version(version)
		if err != nil {
			return nil, err
		}
		reports = append(reports, measureKernel(book, words, o.Seed))
	}
	return reports, nil
}

func measureKernel(book *rulebook.Rulebook, words []combin.Combination, seed uint64) KernelReport {
	r := KernelReport{Game: book.Header.Game, Words: len(words), Machine: machine()}
	rng := rand.New(rand.NewPCG(seed, uint64(len(words))))
	m := book.Matrix
	simple := func() combin.Combination { return m.At(rng.Int64N(m.Total())) }
	repeat(words, min(kernelPool, len(words)), simple)
	drawn := simple()
	multiples := make([]combin.Combination, min(kernelMultiples, len(words)))
	repeat(multiples, len(multiples), func() combin.Combination { // two simple combinations make a multiple
		first := simple()
		return first | simple()
	})
	ranks := rankTable(book)
	list := make([]combin.Winner, 0, len(words))
	var read, count, found, closed []float64
	for round := range kernelRounds {
		a := speed(len(words), func() { runtime.KeepAlive(sumWords(words)) })
		b := speed(len(words), func() { combin.CountHits(drawn, words, new(combin.Tally)) })
		c := speed(len(words), func() { list = combin.ListWinners(drawn, words, ranks, list[:0]) })
		d := speed(len(multiples), func() { combin.TallyMultiples(m, drawn, multiples, new(combin.Tally)) })
		if round > 0 {
			read, count, found, closed = append(read, a), append(count, b), append(found, c), append(closed, d)
		}
	}
	const wordBytes = 8
	r.Read, r.Counted, r.Listed = digits(median(read)*wordBytes/1e9, 4), digits(median(count), 4), digits(median(found), 4)
	r.CountRead, r.ListRead = digits(median(ratios(count, read)), 3), digits(median(ratios(found, read)), 3)
	r.Multiples = digits(median(closed), 4)
	r.Machine.After = loadAverage()
	return r
}

// rankTable writes the ranks of a rulebook as the kernel reads them.
func rankTable(book *rulebook.Rulebook) combin.RankTable {
	var t combin.RankTable
	for main := range book.Matrix.Main + 1 {
		for extra := range book.Matrix.Extra + 1 {
			t[main][extra] = uint8(book.RankOf(main, extra))
		}
	}
	return t
}

// repeat fills the words with n different ones, over and over.
func repeat(words []combin.Combination, n int, next func() combin.Combination) {
	for i := range words[:n] {
		words[i] = next()
	}
	for ; n < len(words); n *= 2 {
		copy(words[n:], words[:n])
	}
}

// sumWords is the reference: it reads every word once, in four independent sums.
func sumWords(words []combin.Combination) combin.Combination {
	var s0, s1, s2, s3 combin.Combination
	for w := words; len(w) >= 4; w = w[4:] {
		s0 += w[0]
		s1 += w[1]
		s2 += w[2]
		s3 += w[3]
	}
	return s0 + s1 + s2 + s3
}

// speed returns the words a second of one pass over n words.
func speed(n int, pass func()) float64 {
	start := time.Now()
	pass()
	return float64(n) / time.Since(start).Seconds()
}
