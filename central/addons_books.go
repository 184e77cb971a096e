package central

import (
	"fmt"
	"slices"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// readAddOns checks the games added to a play: each goes with the game of the play, stands once, costs what its rulebook says and goes by the
// gains of the day of the draw.
func (b *drawCheck) readAddOns(play *Play, book *rulebook.Rulebook) error {
	for _, a := range b.addOns[play.ID] {
		added, err := b.book(a.SaleRules)
		if err != nil {
			return err
		}
		prizes, err := games.InForce(a.Game, b.draw.Day)
		switch {
		case err != nil:
			return err
		case added.Header.Game != a.Game || !slices.Contains(book.Sale.AddOns, a.Game):
			return fmt.Errorf("%s is added to it, which %s does not go with", a.Game, play.SaleRules)
		case a.PrizeRules != prizes.Header.Version():
			return fmt.Errorf("gains of %s, on the day of the draw %s is in force", a.PrizeRules, prizes.Header.Version())
		}
		if err := checkAddOn(a, added, play.Combos); err != nil {
			return err
		}
	}
	delete(b.addOns, play.ID)
	return nil
}

// checkAddOn checks the stake and the number of an added game.
func checkAddOn(a *AddOnRow, book *rulebook.Rulebook, combos int64) error {
	if book.Digits == nil {
		if a.Number != "" || a.Stake != money.Mul(book.Sale.Price, combos) {
			return fmt.Errorf("%s with number %q at %v: %d combinations at %v each", a.Game, a.Number, a.Stake, combos, book.Sale.Price)
		}
		return nil
	}
	digits, err := prize.ParseDigits(a.Number, book.Digits.Length)
	if _, ok := digitStake(book, a.Stake); err != nil || digits != a.Number || !ok {
		return fmt.Errorf("%s with number %q at %v: %v", a.Game, a.Number, a.Stake, err)
	}
	return nil
}

// checkAddOns makes sure that every added game has its play: one of grids, never one of a pack (Art. loto@2018-10-29:14.8,
// Art. euromillions@2018-10-29:3.4.2.6).
func (b *drawCheck) checkAddOns() error {
	for play, rows := range b.addOns {
		return fmt.Errorf("%s is added to play %s, which is none of grids", rows[0].Game, PlayID(play))
	}
	return nil
}
