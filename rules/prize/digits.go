package prize

import (
	"fmt"

	"tirage/rules/money"
)

// DigitGain returns the gain of a number of digits that is matched in order from the right (Joker+; table and matching rule are assumed):
// gains[k] is won by exactly len(drawn)−k last digits right, nothing beyond the table.
//
//	DigitGain(gains, "5697395", "1234395") // three digits right: gains[4]
//
// It refuses numbers of different lengths and anything but the digits 0–9.
func DigitGain(gains []money.Cents, drawn, played string) (money.Cents, error) {
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
	if wrong >= len(gains) {
		return 0, nil
	}
	return gains[wrong], nil
}
