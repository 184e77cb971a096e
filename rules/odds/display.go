package odds

import (
	"fmt"
	"math/big"
	"strings"
)

// DecimalsMax bounds the decimals of a display: beyond it a reader wants the exact fraction.
const DecimalsMax = 30

// Decimal returns r rounded half-up to the given number of decimals, with a point and an ASCII minus, for reports and
// files that programs read: "86676.55", "-26.40". A value that rounds to zero has no sign.
func Decimal(r *big.Rat, decimals int) string { return write(r, decimals, "-", "", ".") }

// French returns the chance as French pages print it, x rounded half-up: "1 chance sur 86 676,55". A whole x stands
// without decimals; a chance of zero is "aucune chance". It panics unless 0 ≤ p ≤ 1.
func French(p *big.Rat, decimals int) string {
	x := inverse(p)
	if x == nil {
		return "aucune chance"
	}
	return "1 chance sur " + FrenchNumber(x, wholeOr(x, decimals))
}

// English is [French] for English pages: "1 in 86,676.55", "no chance".
func English(p *big.Rat, decimals int) string {
	x := inverse(p)
	if x == nil {
		return "no chance"
	}
	return "1 in " + EnglishNumber(x, wholeOr(x, decimals))
}

// FrenchNumber returns r rounded half-up as French pages print numbers: U+202F between thousands, a decimal comma,
// U+2212 as the minus sign.
func FrenchNumber(r *big.Rat, decimals int) string { return write(r, decimals, "−", "\u202f", ",") }

// EnglishNumber returns r rounded half-up as English pages print numbers: commas between thousands, a decimal point,
// U+2212 as the minus sign.
func EnglishNumber(r *big.Rat, decimals int) string { return write(r, decimals, "−", ",", ".") }

// FrenchPercent returns r as a percentage: "54,75 %", with U+202F before the sign.
func FrenchPercent(r *big.Rat, decimals int) string {
	return FrenchNumber(hundredfold(r), decimals) + "\u202f%"
}

// Percent returns r as a percentage: "54.75%".
func Percent(r *big.Rat, decimals int) string { return EnglishNumber(hundredfold(r), decimals) + "%" }

func hundredfold(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, big.NewRat(100, 1)) }

// inverse returns 1/p, nil for 0.
func inverse(p *big.Rat) *big.Rat {
	switch {
	case p.Sign() < 0 || p.Cmp(one) > 0:
		panic("odds: " + p.RatString() + " is no probability")
	case p.Sign() == 0:
		return nil
	}
	return new(big.Rat).Inv(p)
}

func wholeOr(x *big.Rat, decimals int) int {
	if x.IsInt() {
		return 0
	}
	return decimals
}

// write rounds |r| half-up on the exact fraction, so that no second rounding can creep in: ⌊(2·n·10^d + m) / 2·m⌋ for n/m.
func write(r *big.Rat, decimals int, minus, thousands, point string) string {
	if decimals < 0 || decimals > DecimalsMax {
		panic(fmt.Sprintf("odds: %d decimals", decimals))
	}
	scaled := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	scaled.Mul(scaled, new(big.Int).Abs(r.Num())).Lsh(scaled, 1).Add(scaled, r.Denom())
	scaled.Quo(scaled, new(big.Int).Lsh(r.Denom(), 1))

	digits := scaled.String()
	if short := decimals + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	whole, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]

	var b strings.Builder
	if r.Sign() < 0 && scaled.Sign() > 0 {
		b.WriteString(minus)
	}
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(thousands)
		}
		b.WriteRune(d)
	}
	if decimals > 0 {
		b.WriteString(point + fraction)
	}
	return b.String()
}
