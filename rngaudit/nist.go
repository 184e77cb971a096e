package rngaudit

import "math"

// The tests of NIST SP 800-22 rev. 1a that are used here on the bits of final outcomes, under their names there. Bits are 0 or 1.

// monobit is test 2.1: as many ones as zeros.
func monobit(bits []byte) float64 {
	s := 0
	for _, b := range bits {
		s += 2*int(b) - 1
	}
	return math.Erfc(math.Abs(float64(s)) / math.Sqrt(float64(len(bits))) / math.Sqrt2)
}

// blockFrequency is test 2.2: as many ones as zeros in every block of m bits.
func blockFrequency(bits []byte, m int) float64 {
	blocks := len(bits) / m
	var sum float64
	for i := range blocks {
		ones := 0
		for _, b := range bits[i*m : (i+1)*m] {
			ones += int(b)
		}
		d := float64(ones)/float64(m) - 0.5
		sum += d * d
	}
	return igamc(float64(blocks)/2, 4*float64(m)*sum/2)
}

// bitRuns is test 2.3: the number of runs of equal bits.
func bitRuns(bits []byte) float64 {
	n, ones := float64(len(bits)), 0.0
	runs := 1.0
	for i, b := range bits {
		ones += float64(b)
		if i > 0 && b != bits[i-1] {
			runs++
		}
	}
	pi := ones / n
	if math.Abs(pi-0.5) >= 2/math.Sqrt(n) {
		return 0
	}
	return math.Erfc(math.Abs(runs-2*n*pi*(1-pi)) / (2 * math.Sqrt(2*n) * pi * (1 - pi)))
}

// cumulativeSums is test 2.13: the largest excursion of the random walk of the bits, forward or backward.
func cumulativeSums(bits []byte, backward bool) float64 {
	s, z := 0, 0
	for i := range bits {
		b := bits[i]
		if backward {
			b = bits[len(bits)-1-i]
		}
		s += 2*int(b) - 1
		z = max(z, s, -s)
	}
	n, zf := len(bits), float64(z)
	root := math.Sqrt(float64(n))
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	var first, second float64
	for k := (-n/z + 1) / 4; k <= (n/z-1)/4; k++ {
		first += phi(float64(4*k+1)*zf/root) - phi(float64(4*k-1)*zf/root)
	}
	for k := (-n/z - 3) / 4; k <= (n/z-1)/4; k++ {
		second += phi(float64(4*k+3)*zf/root) - phi(float64(4*k+1)*zf/root)
	}
	return 1 - first + second
}

// patterns counts the overlapping patterns of m bits, the sequence taken as a circle.
func patterns(bits []byte, m int) []int64 {
	counts := make([]int64, 1<<m)
	at, mask := 0, 1<<m-1
	for i := range len(bits) + m - 1 {
		at = (at<<1 | int(bits[i%len(bits)])) & mask
		if i >= m-1 {
			counts[at]++
		}
	}
	return counts
}

// serial is test 2.11: every overlapping pattern of m bits as often as any other. It has two values.
func serial(bits []byte, m int) (p1, p2 float64) {
	psi := func(m int) float64 {
		if m < 1 {
			return 0
		}
		var sum float64
		for _, c := range patterns(bits, m) {
			sum += float64(c) * float64(c)
		}
		n := float64(len(bits))
		return sum*math.Exp2(float64(m))/n - n
	}
	a, b, c := psi(m), psi(m-1), psi(m-2)
	return igamc(math.Exp2(float64(m-2)), (a-b)/2), igamc(math.Exp2(float64(m-3)), (a-2*b+c)/2)
}

// approximateEntropy is test 2.12: patterns of m and of m+1 bits beside each other.
func approximateEntropy(bits []byte, m int) float64 {
	phi := func(m int) float64 {
		var sum float64
		for _, c := range patterns(bits, m) {
			if c > 0 {
				x := float64(c) / float64(len(bits))
				sum += x * math.Log(x)
			}
		}
		return sum
	}
	apen := phi(m) - phi(m+1)
	return igamc(math.Exp2(float64(m-1)), float64(len(bits))*(math.Ln2-apen))
}
