package codes_test

import (
	"fmt"

	"tirage/rules/codes"
)

// A play of twelve simple Loto combinations gets twelve codes in a row, where the game's pointer stands.
func Example() {
	const letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	loto := codes.Series{
		ID:         "loto",
		Layout:     "# #### ####",
		Alphabets:  []string{letters, digits, digits, digits, digits, digits, digits, digits, digits},
		RandomUpTo: 10,
		Random:     codes.Range{First: 0, Last: 2_182_147_230},
		Sequential: codes.Range{First: 2_182_147_231, Last: 2_599_999_999},
	}
	key := [32]byte{1} // made from the secret of the draw
	sheet, err := codes.NewSheet(loto, key)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, pointer, _, err := loto.Reserve(codes.Pointer{}, codes.DrawUse{}, 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	printed, err := sheet.Printed(run)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Zone, printed[0], printed[11], pointer.Next)
	// Output: sequential V 8214 7231 V 8214 7242 12
}
