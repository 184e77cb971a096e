package fairness_test

import (
	"fmt"

	"tirage/fairness"
	"tirage/rules/combin"
)

// A player checks a quick pick after the draw, with what was published before and after it.
func Example() {
	secret := fairness.Secret{1, 2, 3} // made by a source of true randomness
	commitment := fairness.Commit(secret, "loto-2020-06-22")
	published := secret.Reveal() // after the draw

	revealed, err := fairness.ParseSecret(published)
	if err != nil {
		fmt.Println(err)
		return
	}
	matrix := combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	grid := fairness.QuickPick(revealed, "loto-2020-06-22", 4711, 0, 0, matrix, combin.Format{Main: 6, Extra: 2})
	fmt.Println(fairness.CheckCommit(commitment, revealed, "loto-2020-06-22"), grid, revealed)
	// Output: true 2-5-12-30-38-48+4-10 [secret]
}
