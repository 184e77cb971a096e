// Package money holds amounts as whole cents of a euro and the few operations the two regulations need on them.
//
// Invariant: no amount is ever a floating-point number, and no operation wraps around. Arithmetic that leaves
// the int64 range is broken mathematics, not bad input, so it panics with [Overflow]; every amount that comes from outside is
// bounded by [Limit] at the edge, far below that range.
//
//	part := money.Share(500, 200)      // 5,00 € over 200 shares: 0,03 € each (2.5 cents go up)
//	diff := money.Cents(500) - part*200 // −1,00 €: the shares are paid more than the pack won
package money

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// Cents is an amount in hundredths of a euro. It may be negative.
type Cents int64

// Limit is the largest absolute amount accepted from outside: 10 000 000 000 000,00 €. It is below 2^53, so that a
// program that reads a JSON number as a double still reads it exactly.
const Limit Cents = 1_000_000_000_000_000

// Euro is one euro in cents.
const Euro Cents = 100

// Overflow is the panic value of arithmetic that leaves the int64 range.
type Overflow struct{ Op string }

func (o Overflow) Error() string { return "money: overflow in " + o.Op }

// Add returns a + b.
func Add(a, b Cents) Cents {
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		panic(Overflow{fmt.Sprintf("%d + %d", a, b)})
	}
	return s
}

// Mul returns a × n.
func Mul(a Cents, n int64) Cents {
	if a == 0 || n == 0 {
		return 0
	}
	p := a * Cents(n)
	if p/Cents(n) != a || (n == -1 && a == p) {
		panic(Overflow{fmt.Sprintf("%d × %d", a, n)})
	}
	return p
}

// Sum returns the sum of the amounts.
func Sum(amounts ...Cents) Cents {
	var s Cents
	for _, a := range amounts {
		s = Add(s, a)
	}
	return s
}

// Share returns the part of a gain that one of n equal shares receives, rounded to the cent on the third decimal:
// a thousandth of 5 or more goes up, 1 to 4 down; a thousandth of 0 followed by more decimals goes down
// (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6). It panics if gain < 0 or n < 1.
func Share(gain Cents, n int64) Cents {
	if gain < 0 || n < 1 {
		panic(fmt.Sprintf("money: share of %d over %d", gain, n))
	}
	q, r := int64(gain)/n, int64(gain)%n
	// r/n ≥ 1/2 exactly when the thousandth is 5 or more.
	if r >= n-r {
		q++
	}
	return Cents(q)
}

// FloorTo returns the largest multiple of step that is ≤ a. It panics if a < 0 or step < 1.
func FloorTo(a, step Cents) Cents {
	if a < 0 || step < 1 {
		panic(fmt.Sprintf("money: floor of %d to %d", a, step))
	}
	return a - a%step
}

// CeilDiv returns a/n rounded up to a multiple of step: each part of a jackpot shared by n winners, to the whole euro.
// It panics if a < 0, n < 1 or step < 1, or if the result leaves the int64 range.
func CeilDiv(a Cents, n int64, step Cents) Cents {
	if a < 0 || n < 1 || step < 1 {
		panic(fmt.Sprintf("money: %d over %d by steps of %d", a, n, step))
	}
	// ⌈⌈a/n⌉/step⌉ = ⌈a/(n·step)⌉, and no product leaves the range on the way.
	return Mul(ceil(ceil(a, Cents(n)), step), int64(step))
}

// ceil returns ⌈a/b⌉ for a ≥ 0 and b ≥ 1.
func ceil(a, b Cents) Cents {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// MulDiv returns ⌊a·num/den⌋ without intermediate overflow. It panics if a < 0, num < 0, den < 1 or the result
// leaves the int64 range.
func MulDiv(a Cents, num, den int64) Cents {
	if a < 0 || num < 0 || den < 1 {
		panic(fmt.Sprintf("money: %d × %d / %d", a, num, den))
	}
	hi, lo := bits.Mul64(uint64(a), uint64(num))
	if hi >= uint64(den) {
		panic(Overflow{fmt.Sprintf("%d × %d / %d", a, num, den)})
	}
	q, _ := bits.Div64(hi, lo, uint64(den))
	if q > 1<<63-1 {
		panic(Overflow{fmt.Sprintf("%d × %d / %d", a, num, den)})
	}
	return Cents(q)
}

// Rat returns the amount in cents as an exact rational.
func (c Cents) Rat() *big.Rat { return new(big.Rat).SetInt64(int64(c)) }

// String returns the amount with a decimal point and two decimals, for logs and scenario files: "1320.00", "-0.05".
func (c Cents) String() string {
	sign, u := "", uint64(c)
	if c < 0 {
		sign, u = "-", -u
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}

// minus is the sign that pages print; logs and scenario files keep the ASCII hyphen.
const minus = "\u2212"

// French returns the amount as French pages print it: "1 320,00 €", with U+202F between thousands, U+00A0 before €
// and U+2212 as the minus sign.
func (c Cents) French() string {
	sign, u := "", uint64(c)
	if c < 0 {
		sign, u = minus, -u
	}
	return fmt.Sprintf("%s%s,%02d\u00a0€", sign, group(u/100, "\u202f"), u%100)
}

// English returns the amount as English pages print it: "€1,320.00", "−€13.20".
func (c Cents) English() string {
	sign, u := "", uint64(c)
	if c < 0 {
		sign, u = minus, -u
	}
	return fmt.Sprintf("%s€%s.%02d", sign, group(u/100, ","), u%100)
}

func group(u uint64, sep string) string {
	s := fmt.Sprint(u)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(sep)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// ErrSyntax is what [Parse] wraps for text that is no amount.
var ErrSyntax = errors.New("accepted: euros with at most two decimals after a point or a comma, such as 6.60 or 6,60, from 0 to 10000000000000")

// Parse reads an amount in euros: digits, then at most one point or comma with one or two decimals.
// No sign, exponent, space or currency sign is accepted, and nothing above [Limit].
func Parse(s string) (Cents, error) {
	whole, frac, hasFrac := strings.Cut(strings.Replace(s, ",", ".", 1), ".")
	if whole == "" || len(whole) > 14 || (hasFrac && (frac == "" || len(frac) > 2)) {
		return 0, fmt.Errorf("amount %.40q: %w", s, ErrSyntax)
	}
	var c Cents
	for _, d := range whole + (frac + "00")[:2] {
		if d < '0' || d > '9' {
			return 0, fmt.Errorf("amount %.40q: %w", s, ErrSyntax)
		}
		c = c*10 + Cents(d-'0')
	}
	if c > Limit {
		return 0, fmt.Errorf("amount %.40q: %w", s, ErrSyntax)
	}
	return c, nil
}
