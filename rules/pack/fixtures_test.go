package pack_test

import (
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// loto holds what packs need of the rulebook of 29 October 2018, typed from the facts.
func loto() *rulebook.Rulebook {
	book := &rulebook.Rulebook{
		Header: rulebook.Header{Game: "loto", Effective: "2018-10-29"},
		Matrix: combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10},
		Sale:   rulebook.Sale{Price: 220},
		Pack: &rulebook.Pack{
			Article:      "14.8",
			ReserveRanks: "loto/reserve",
			ReserveCode:  "loto/reserve",
		},
	}
	for n := 5; n <= 9; n++ {
		book.Pack.Formats = append(book.Pack.Formats, rulebook.FormatRange{Main: n, ExtraMin: 1, ExtraMax: 10})
	}
	return book
}

func euromillions() *rulebook.Rulebook {
	book := &rulebook.Rulebook{
		Header: rulebook.Header{Game: "euromillions", Effective: "2018-10-29"},
		Matrix: combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12},
		Sale:   rulebook.Sale{Price: 250},
		Pack: &rulebook.Pack{
			Article:         "3.4.2.6",
			ReserveRanks:    "euromillions/reserve",
			ReserveCode:     "mymillion/reserve",
			ReserveEuroCode: "euromillions/reserve",
		},
	}
	for n := 5; n <= 10; n++ {
		book.Pack.Formats = append(book.Pack.Formats, rulebook.FormatRange{Main: n, ExtraMin: 2, ExtraMax: 12})
	}
	return book
}

// fixedRanks are ranks 2 to 9 of Loto from 2017 to 2019.
var fixedRanks = []struct {
	ways  int64
	cents money.Cents
}{
	{9, 100_000_00}, {220, 1_000_00}, {1_980, 500_00}, {9_460, 50_00}, {85_140, 20_00},
	{132_440, 10_00}, {1_191_960, 5_00}, {1_764_763, 2_20},
}
