package prize_test

import (
	"fmt"

	"tirage/rules/prize"
)

// Loto, 10 M€ announced, three winners at rank 1.
func ExampleSettle() {
	s, err := prize.Settle(loto2017(), prize.Terms{
		Cycle:  prize.Cycle{Position: 9, Jackpot: 10 * million},
		Stakes: 7_000_000_00, Codes: 200_000_00,
	}, prize.Winners{3, 0, 48, 424, 2668, 22864, 43244, 347123, 561341})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("rank 1:", s.Unit[0], "each; next jackpot:", s.Next.Jackpot)
	for _, m := range s.Moves {
		fmt.Println(m.From, "→", m.To, m.Cents, m.Why)
	}
	// Output:
	// rank 1: 3333334.00 each; next jackpot: 2000000.00
	// stakes → prizes 3832500.00 winners-share
	// stakes → counterpart 17500.00 endowment
	// stakes → operator 3150000.00 rest
	// counterpart → prizes 2.00 round-up
	// counterpart → prizes 10621185.20 difference
}

// The draw of 4 February 2020: any fund of the window gives every gain of ranks 2–13.
func ExampleFundWindow() {
	winners := prize.Winners{0, 4, 9, 47, 659, 1573, 1461, 22081, 32479, 61757, 116314, 473901, 910511}
	gains := euros("0 155596.4 16162.4 963.9 126.6 56.0 42.4 14.0 10.6 10.4 6.7 5.1 4.3")
	fmt.Println(prize.FundWindow(euromillions2020(), prize.Terms{Cycle: prize.Cycle{Position: 1}}, winners, gains))
	gains[4] += 10
	_, _, err := prize.FundWindow(euromillions2020(), prize.Terms{Cycle: prize.Cycle{Position: 1}}, winners, gains)
	fmt.Println(err)
	// Output:
	// 23846191.58 23846206.89 <nil>
	// rank 5: 659 winners of 126.70: needs a fund of 23855800.00 to 23874628.57, the ranks above allow a fund of 23846191.58 to 23846206.89; without rank 5 the others agree
}
