package prize

import (
	"fmt"
	"strings"

	"tirage/rules/money"
)

// DigitRank returns the rank of a number of digits that is matched in order from the right (Joker+; the matching rule is assumed): 1 when
// all digits are right, one more for each that is not, 0 when the last one is wrong.
//
//	DigitRank("5697395", "1234395") // three digits right: rank 5
//
// It refuses numbers of different lengths and anything but the digits 0–9.
func DigitRank(drawn, played string) (int, error) {
	if len(drawn) == 0 || len(played) != len(drawn) {
		return 0, fmt.Errorf("number %.20q: %d characters, accepted %d digits and at least one", played, len(played), len(drawn))
	}
	wrong, counting := len(drawn), true
	for i := len(drawn) - 1; i >= 0; i-- {
		for _, s := range []string{drawn, played} {
			if s[i] < '0' || s[i] > '9' {
				return 0, fmt.Errorf("number %.20q: accepted %d digits", s, len(drawn))
			}
		}
		if counting = counting && drawn[i] == played[i]; counting {
			wrong = i
		}
	}
	if wrong == len(drawn) {
		return 0, nil
	}
	return wrong + 1, nil
}

// DigitGain returns the gain of a number of digits (Joker+; the table is assumed): gains[k] is that of rank k+1, nothing beyond the table.
//
//	DigitGain(gains, "5697395", "1234395") // three digits right: gains[4]
//
// It refuses what [DigitRank] refuses.
func DigitGain(gains []money.Cents, drawn, played string) (money.Cents, error) {
	rank, err := DigitRank(drawn, played)
	if err != nil || rank == 0 || rank > len(gains) {
		return 0, err
	}
	return gains[rank-1], nil
}

// ParseDigits reads a number of n digits as people write it, blanks between the digits or none, and returns the digits alone.
func ParseDigits(s string, n int) (string, error) {
	digits := strings.ReplaceAll(s, " ", "")
	if len(digits) != n || strings.Trim(digits, "0123456789") != "" {
		return "", fmt.Errorf("number %.20q: accepted %d digits, such as %s", s, n, FormatDigits(strings.Repeat("1234567890", n/10+1)[:n]))
	}
	return digits, nil
}

// FormatDigits prints a number as notices do, in groups of three from the right: "5 697 395".
func FormatDigits(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// SettleDigits says where the stakes of a game of digits go and where its gains come from: the winners' share to the prizes, the endowment to
// the counterpart fund, the rest to the operator; what is due above or below the winners' share, from or to the counterpart fund, as for the
// fixed gains of Loto. After the moves prizes holds what is due. Amounts are 0 to [Bound].
func SettleDigits(share, endowment BP, stakes, due money.Cents) ([]Move, error) {
	if share < 0 || endowment < 0 || share+endowment > whole {
		return nil, fmt.Errorf("winners' share %v and endowment %v, accepted from 0, together at most 100 %%", share, endowment)
	}
	if stakes < 0 || stakes > Bound || due < 0 || due > Bound {
		return nil, fmt.Errorf("stakes of %v and gains of %v, accepted 0 to %v", stakes, due, Bound)
	}
	d := &draw{t: Table{WinnersShare: share, Endowment: endowment}, terms: Terms{Stakes: stakes}}
	own := d.share()
	d.move(Counterpart, Prizes, due-own, WhyDifference)
	return d.s.Moves, nil
}
