package fairness

import (
	"fmt"
	"strconv"

	"tirage/rules/codes"
	"tirage/rules/combin"
)

// QuickPick returns the grid that the system chooses (Système Flash) for a line of a play or pack, from the secret of the
// draw: any grid of the format, each with the same probability. attempt counts from 0 the times that the grid was refused
// because it was sold out. A matrix that has no grids of the format gives the empty grid.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« générées par Système Flash »).
func QuickPick(s Secret, draw string, play int64, line, attempt int, m combin.Matrix, f combin.Format) combin.Combination {
	var room [96]byte
	context := append(room[:0], "quick pick/"...)
	context = append(context, draw...)
	for _, n := range [...]int64{play, int64(line), int64(attempt)} {
		context = strconv.AppendInt(append(context, '/'), n, 10)
	}
	return Pick(newStream(derive(s, labelStream, context)), m, f)
}

// Number returns the number that the system gives to a game of digits added to a play (Joker+), from the secret of the draw: any number of
// so many digits, 1 to 18, each with the same probability. It panics for any other length.
func Number(s Secret, draw string, play int64, game string, digits int) string {
	return digitsOf(NewStream(s, fmt.Sprintf("number/%s/%d/%s", draw, play, game)), digits)
}

// digitsOf takes the next number of so many digits.
func digitsOf(s *Stream, digits int) string {
	if digits < 1 || digits > 18 {
		panic(fmt.Sprintf("fairness: a number of %d digits", digits))
	}
	of := int64(1)
	for range digits {
		of *= 10
	}
	return fmt.Sprintf("%0*d", digits, s.Uniform(of))
}

// Pick returns one grid of a format, each with the same probability: the drawn numbers of a game, where no balls are used,
// are the pick of its simple format. A matrix that has no grids of the format gives the empty grid.
func Pick(s *Stream, m combin.Matrix, f combin.Format) combin.Combination {
	if m.Main < 0 || f.Main < m.Main || f.Main > m.MainOf || m.MainOf > combin.MainBits ||
		m.Extra < 0 || f.Extra < m.Extra || f.Extra > m.ExtraOf || m.ExtraOf > combin.ExtraBits {
		return 0
	}
	main := subset(s, m.MainOf, f.Main)
	extra := subset(s, m.ExtraOf, f.Extra)
	return combin.Combination(main | extra<<combin.MainBits)
}

// WinningCode is one drawn code.
type WinningCode struct {
	Number int64       // among the codes issued, from 0
	Run    int         // the run of the play or pack that holds it, by its index in the issued runs
	At     codes.Place // its place on the sheet of the draw
}

// DrawCodes draws n different codes among those issued for a draw, each set with the same probability: a code that nobody
// holds can't win. They come in the order of issue. Asking for more codes than were issued is an error.
func DrawCodes(s *Stream, issued *codes.Issued, n int64) ([]WinningCode, error) {
	numbers, err := s.Sample(issued.Total(), n)
	if err != nil {
		return nil, err
	}
	winners := make([]WinningCode, len(numbers))
	for i, k := range numbers {
		run, at, _ := issued.At(k) // k < Total
		winners[i] = WinningCode{Number: k, Run: run, At: at}
	}
	return winners, nil
}
