package rngaudit

import "math"

// chiSquare is Pearson's statistic of counts beside what is expected, in cells that are joined until each expects at least least of them.
func chiSquare(counts []int64, expected []float64) (statistic float64, df int) {
	const least = 8
	var o, e float64
	cells := 0
	add := func() {
		statistic += (o - e) * (o - e) / e
		o, e = 0, 0
		cells++
	}
	rest := 0.0
	for _, x := range expected {
		rest += x
	}
	for i, x := range expected {
		o += float64(counts[i])
		e += x
		rest -= x
		if e >= least && rest >= least {
			add()
		}
	}
	if e > 0 {
		add()
	}
	return statistic, cells - 1
}

// chiSquareP is the chance of a statistic as large or larger.
func chiSquareP(statistic float64, df int) float64 {
	if df < 1 {
		return 1
	}
	return igamc(float64(df)/2, statistic/2)
}

// chiSquareAt is the statistic that is exceeded with a chance p.
func chiSquareAt(p float64, df int) float64 {
	low, high := 0.0, float64(df)+100
	for chiSquareP(high, df) > p {
		high *= 2
	}
	for range 200 {
		if mid := (low + high) / 2; chiSquareP(mid, df) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// igamc is the upper incomplete gamma function Q(a, x), as in NIST SP 800-22: a series below a+1, Lentz's continued fraction above.
func igamc(a, x float64) float64 {
	const steps, small = 100_000, 1e-300
	if x <= 0 {
		return 1
	}
	lg, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - lg)
	if x < a+1 {
		sum, term := 1/a, 1/a
		for n := 1; n < steps && term > sum*1e-17; n++ {
			term *= x / (a + float64(n))
			sum += term
		}
		return max(0, 1-front*sum)
	}
	b := x + 1 - a
	c, d := 1/small, 1/b
	h := d
	for n := 1; n < steps; n++ {
		an := -float64(n) * (float64(n) - a)
		b += 2
		d = 1 / nonZero(an*d+b, small)
		c = nonZero(b+an/c, small)
		h *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return front * h
}

func nonZero(x, small float64) float64 {
	if math.Abs(x) < small {
		return small
	}
	return x
}

// poissonP is the chance of a count at least as far out as n on either side, of a mean: twice the smaller tail.
func poissonP(n int64, mean float64) float64 {
	upper := 1.0 // P(X ≥ n)
	if n > 0 {
		upper = 1 - igamc(float64(n), mean)
		if upper < 1e-12 { // too small to be a difference: bounded by the first term and a geometric rest
			lg, _ := math.Lgamma(float64(n) + 1)
			upper = math.Exp(float64(n)*math.Log(mean)-mean-lg) / max(1e-9, 1-mean/(float64(n)+1))
		}
	}
	lower := igamc(float64(n)+1, mean) // P(X ≤ n)
	return min(1, 2*min(upper, lower))
}

// normalP is the two-sided chance of a standard normal value as far out.
func normalP(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// choose is the number of sets of k out of n.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}
