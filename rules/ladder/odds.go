package ladder

import (
	"fmt"
	"math/big"

	"tirage/rules/odds"
)

// Odds are the exact chances of one level: a line of the table of Art. donuts@2019-06-25:3.2.5.
type Odds struct {
	Level int
	Items int      // on the pile when the level is passed
	Each  *big.Rat // an item holds; nil with an urn, where the chance moves from ball to ball
	Pass  *big.Rat // this level is passed, once one is there
	Reach *big.Rat // all levels up to this one are passed, by a player who always goes on
}

// Odds returns the chances of each level, in order.
func (t *Table) Odds() []Odds {
	table := make([]Odds, len(t.levels))
	reach, items := big.NewRat(1, 1), 0
	for n := range t.levels {
		l := &t.levels[n]
		pass := big.NewRat(1, 1)
		for _, s := range l.slots {
			pass.Mul(pass, big.NewRat(int64(s.holds), int64(s.radix/uint64(s.faces))))
		}
		reach.Mul(reach, pass)
		items += len(l.slots)
		table[n] = Odds{Level: n + 1, Items: items, Pass: pass, Reach: new(big.Rat).Set(reach)}
		if t.rules.Urn == nil {
			table[n].Each = t.rules.Levels[n].Stable.Rat()
		}
	}
	return table
}

// Of returns the chance of a column; nil for Each with an urn.
func (o Odds) Of(c Column) *big.Rat {
	switch c {
	case Each:
		return o.Each
	case Pass:
		return o.Pass
	case Reach:
		return o.Reach
	}
	return nil
}

// Of returns the printed figure of a column.
func (p *Printed) Of(c Column) string {
	switch c {
	case Each:
		return p.Each
	case Pass:
		return p.Pass
	case Reach:
		return p.Reach
	}
	return ""
}

// Columns lists the figures of a printed line in their order.
var Columns = []Column{Each, Pass, Reach}

// OneIn returns the x of « 1 chance sur x » rounded half-up to the hundredth, once, from the exact chance
// (Art. donuts@2019-06-25:3.2.5, « arrondi arithmétique au centième près »): "1.05".
func OneIn(p *big.Rat) string { return odds.Decimal(new(big.Rat).Inv(p), 2) }

// checkPrinted refuses a table whose printed figures are not those of its model. A figure that the source misprints is
// declared; a declared one that the model does give is refused too.
func (t *Table) checkPrinted() Faults {
	var faults Faults
	for n, o := range t.Odds() {
		printed := t.rules.Levels[n].Printed
		if printed == nil {
			continue
		}
		refuse := func(field, format string, args ...any) {
			faults = append(faults, Fault{fmt.Sprintf("levels.%d.%s", o.Level, field), fmt.Sprintf(format, args...)})
		}
		if m := printed.Misprint; m != "" && o.Of(m) == nil {
			refuse("misprint", "a misprint in column %.20q; accepted: %q", m, Columns)
		}
		for _, c := range Columns {
			p := o.Of(c)
			if p == nil {
				refuse("printed", "printed odds of each ball of an urn; accepted: none, for they are not the same")
				continue
			}
			given, exact := printed.Of(c), OneIn(p)
			if (given == exact) == (c == printed.Misprint) {
				refuse("printed", "column %q is printed %.20q, the model gives %s; accepted: the same figure, or another one declared as a misprint", c, given, exact)
			}
		}
	}
	return faults
}
