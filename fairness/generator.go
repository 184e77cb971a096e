package fairness

import (
	"encoding/hex"
	"fmt"

	"tirage/rules/codes"
	"tirage/rules/combin"
)

// Generator draws the numbers of one draw where no balls are used. They follow from the secret of the draw, to which the operator was bound when the sales
// opened, and from a public value that nobody knew then: neither of the two who give it can choose the numbers, and anybody derives them again once the secret is
// published.
type Generator struct {
	Secret Secret
	Draw   string
	Public string // FromBeacon or FromHands
}

// HandsSize is the length of what each of two people contributes where the beacon is silent, in bytes.
const HandsSize = 32

// FromBeacon is the public value of a round of a beacon, whose signature was checked where it came in (package beacon).
func FromBeacon(chain string, round int64, value [32]byte) string {
	return fmt.Sprintf("beacon/%s/%d/%s", chain, round, hex.EncodeToString(value[:]))
}

// FromHands is the value that two people made, each without knowing what the other gives.
func FromHands(first, second [HandsSize]byte) string {
	return "hands/" + hex.EncodeToString(first[:]) + "/" + hex.EncodeToString(second[:])
}

func (g Generator) stream(part string) *Stream {
	return NewStream(g.Secret, "drawn/"+g.Draw+"/"+part+"/"+g.Public)
}

// Numbers draws the simple combination of a matrix, each with the same probability.
func (g Generator) Numbers(m combin.Matrix) combin.Combination {
	return Pick(g.stream("numbers"), m, combin.Format{Main: m.Main, Extra: m.Extra})
}

// Codes draws n codes of a series among those that were issued, all of them where there are fewer.
func (g Generator) Codes(series string, issued *codes.Issued, n int64) ([]WinningCode, error) {
	return DrawCodes(g.stream("codes/"+series), issued, min(n, issued.Total()))
}

// Digits draws the number of a game of digits, 1 to 18 of them, with leading zeros.
func (g Generator) Digits(game string, digits int) string {
	return digitsOf(g.stream("number/"+game), digits)
}
