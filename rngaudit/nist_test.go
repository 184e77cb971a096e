package rngaudit

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

func bitsOf(text string) []byte {
	bits := []byte(strings.ReplaceAll(text, " ", ""))
	for i := range bits {
		bits[i] -= '0'
	}
	return bits
}

// The worked examples of NIST SP 800-22 rev. 1a: short ones of section 2, the first 100 bits of π, and the first million bits of e (section 2.11, appendix B).
func TestNISTExamples(t *testing.T) {
	pi := bitsOf("11001001 00001111 11011010 10100010 00100001 01101000 11000010 00110100 11000100 11000110 01100010 10001011 1000")
	if len(pi) != 100 {
		t.Fatalf("%d bits", len(pi))
	}
	e := firstBitsOfE(1_000_000)
	p1, p2 := serial(bitsOf("0011011101"), 3)
	e1, e2 := serial(e, 2)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"2.1.4 frequency", monobit(bitsOf("1011010101")), 0.527089},
		{"2.1.8 frequency, π", monobit(pi), 0.109599},
		{"2.2.4 block frequency", blockFrequency(bitsOf("0110011010"), 3), 0.801252},
		{"2.2.8 block frequency, π", blockFrequency(pi, 10), 0.706438},
		{"2.3.4 runs", bitRuns(bitsOf("1001101011")), 0.147232},
		{"2.3.8 runs, π", bitRuns(pi), 0.500798},
		{"2.11.4 serial 1", p1, 0.808792}, {"2.11.4 serial 2", p2, 0.670320},
		{"2.11.8 serial 1, e", e1, 0.843764}, {"2.11.8 serial 2, e", e2, 0.561915},
		{"2.12.4 approximate entropy", approximateEntropy(bitsOf("0100110101"), 3), 0.261961},
		{"2.12.8 approximate entropy, π", approximateEntropy(pi, 2), 0.235301},
		{"2.13.4 cumulative sums", cumulativeSums(bitsOf("1011010111"), false), 0.4116588},
		{"2.13.8 cumulative sums, π", cumulativeSums(pi, false), 0.219194}, {"2.13.8 backward, π", cumulativeSums(pi, true), 0.114866},
		{"appendix B frequency, e", monobit(e), 0.953749}, {"appendix B block frequency, e", blockFrequency(e, 128), 0.211072},
		{"appendix B runs, e", bitRuns(e), 0.561917}, {"appendix B cumulative sums, e", cumulativeSums(e, false), 0.669887},
		{"appendix B backward, e", cumulativeSums(e, true), 0.724266}, {"appendix B approximate entropy, e", approximateEntropy(e, 10), 0.700073},
	} {
		if math.Abs(c.got-c.want) > 0.0000015 {
			t.Errorf("%s: %.6f, the document has %.6f", c.name, c.got, c.want)
		}
	}
}

// firstBitsOfE are the first n bits of e, 10.1011…, from its series Σ 1/k!, summed by splitting.
func firstBitsOfE(n int) []byte {
	const terms = 90_000 // 1/90000! is far below 2^−1000000
	var split func(a, b int64) (p, q *big.Int)
	split = func(a, b int64) (p, q *big.Int) { // Σ over k in (a, b] of a!/k! is p/q, q = b!/a!
		if b-a == 1 {
			return big.NewInt(1), big.NewInt(b)
		}
		m := (a + b) / 2
		p1, q1 := split(a, m)
		p2, q2 := split(m, b)
		return p1.Mul(p1, q2).Add(p1, p2), q1.Mul(q1, q2)
	}
	p, q := split(0, terms)
	p.Add(p, q) // 1/0!
	p.Lsh(p, uint(n))
	p.Quo(p, q)
	text := p.Text(2)[:n]
	return bitsOf(text)
}

func TestDistributions(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{chiSquareP(3.841459, 1), 0.05}, {chiSquareP(18.307038, 10), 0.05}, {chiSquareP(135.806723, 100), 0.01}, {chiSquareAt(0.01, 100), 135.806723},
		{normalP(1.959964), 0.05}, {igamc(0.5, 0.5), 0.317311}, {igamc(50, 20), 1}, {poissonP(10, 10), 1}, {poissonP(20, 10), 2 * 0.003454}, {poissonP(3, 10), 2 * 0.010336},
		{choose(49, 5), 1906884}, {choose(5, 6), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-6*max(1, c.want) {
			t.Errorf("%.9f, want %.9f", c.got, c.want)
		}
	}
	if p := poissonP(500, 10); p < 0 || p > 1e-100 {
		t.Errorf("500 where 10 are expected: %g", p)
	}
}
