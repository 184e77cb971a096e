package verify

import (
	"errors"
	"fmt"
	"time"

	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// checkRules checks that what was sold is what the rules of the day sell: formats, price, as many codes as simple combinations, in the right zone.
func (p *Play) checkRules() error {
	for i := range p.Draws {
		d := &p.Draws[i]
		book, err := games.Version(d.Rules)
		if err != nil {
			return err
		}
		if err := errors.Join(d.checkPrice(book), d.checkCodes(book, p.At)); err != nil {
			return fmt.Errorf("%s: %w", d.Draw, err)
		}
	}
	return nil
}

// checkPrice counts the combinations and works out the stake.
// Art. loto@2018-10-29:14.8 (« le prix d’une part »: the price of all combinations divided by the shares).
func (d *DrawPlay) checkPrice(book *rulebook.Rulebook) error {
	var combos int64
	for _, g := range d.Grids {
		c, err := combin.Parse(g.Grid)
		if err == nil {
			err = book.Matrix.Check(c)
		}
		if err != nil {
			return err
		}
		combos += c.Count(book.Matrix)
	}
	if combos != d.Combinations {
		return fmt.Errorf("the grids decompose into %d simple combinations, %d are written", combos, d.Combinations)
	}
	stake := money.Mul(book.Sale.Price, combos)
	if d.Shares > 0 {
		if d.PackShares <= 0 || int64(stake) != d.SharePrice*d.PackShares {
			return fmt.Errorf("a pack of %v in %d shares, one of them costs %v", stake, d.PackShares, money.Cents(d.SharePrice))
		}
		stake = money.Mul(money.Cents(d.SharePrice), d.Shares)
	}
	if int64(stake) != d.row.Stake {
		return fmt.Errorf("the play costs %v, %v were staked", stake, money.Cents(d.row.Stake))
	}
	for _, a := range d.AddOns {
		stake = money.Add(stake, money.Cents(a.Cents))
	}
	if int64(stake) != d.Cents {
		return fmt.Errorf("the play costs %v with the games added, %v were debited", stake, money.Cents(d.Cents))
	}
	return nil
}

// seriesAt lists the series of codes that a sale under a rulebook may issue, in the order in which a play stores where its codes stand.
func seriesAt(book *rulebook.Rulebook, at time.Time) ([]codes.Series, error) {
	var list []codes.Series
	for _, with := range book.Sale.With {
		b, err := games.At(with, at)
		if err != nil {
			return nil, err
		}
		list = append(list, b.Codes...)
	}
	return append(list, book.Codes...), nil
}

// checkCodes checks the printed codes. Where those of the random zone stand follows from the secret of the draw alone, see [Draw].
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6.
func (d *DrawPlay) checkCodes(book *rulebook.Rulebook, at time.Time) error {
	series, err := seriesAt(book, at)
	if err != nil {
		return err
	}
	told := d.Codes
	for i := range series {
		s := &series[i]
		if len(told) == 0 || told[0].Series != s.ID {
			if s.Exceptional {
				continue
			}
			return fmt.Errorf("no codes of series %s", s.ID)
		}
		position := d.row.CodeAt
		if len(d.Codes)-len(told) == 1 {
			position = d.row.CodeAt2
		}
		if err := checkRun(s, &told[0], d.Combinations, position); err != nil {
			return err
		}
		told = told[1:]
	}
	if len(told) > 0 {
		return fmt.Errorf("codes of a series %.20q that the rules do not issue", told[0].Series)
	}
	return nil
}

func checkRun(s *codes.Series, run *CodeRun, n, position int64) error {
	if run.Count != n {
		return fmt.Errorf("%d codes of series %s for %d simple combinations", run.Count, s.ID, n)
	}
	if s.ZoneFor(n) == codes.SequentialZone {
		first := s.Sequential.First + position%s.Sequential.Len()
		if run.First != s.Format(first) || run.Last != s.Format(first+n-1) || first+n-1 > s.Sequential.Last || len(run.All) > 0 {
			return fmt.Errorf("codes %s to %s, position %d of the sequential zone begins with %s", run.First, run.Last, position, s.Format(first))
		}
		return nil
	}
	seen := map[int64]bool{}
	for _, printed := range run.All {
		ordinal, err := s.Parse(printed)
		switch {
		case err != nil:
			return err
		case !s.Random.Contains(ordinal):
			return fmt.Errorf("code %s is not of the random zone", printed)
		case seen[ordinal]:
			return fmt.Errorf("code %s stands twice", printed)
		}
		seen[ordinal] = true
	}
	if int64(len(run.All)) != n || run.All[0] != run.First || run.All[n-1] != run.Last {
		return fmt.Errorf("%d codes of series %s are printed, %d are needed", len(run.All), s.ID, n)
	}
	return nil
}
