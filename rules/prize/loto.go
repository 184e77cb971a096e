package prize

import "tirage/rules/money"

// loto settles the models whose jackpot is an announced amount: Fixed, Spread and Pool.
//
// The winners' share and what is due seldom agree: the counterpart fund (fonds de contrepartie) absorbs the difference, in both directions. So an
// announced jackpot that is not won binds no money; the next one is announced instead.
func (d *draw) loto() {
	jackpot, j := d.terms.Jackpot, d.t.Jackpot
	share := d.share() + d.outsideShare()
	d.s.Next = Cycle{Position: 1, Jackpot: j.AfterWin}
	if j.AfterWin == 0 {
		d.s.Next.Jackpot = j.Start
	}

	fund := d.terms.Fund // 0 but in the Pool model
	due := money.Add(d.fixedDue(), money.Add(fund, d.terms.Codes))
	rolled := false
	switch {
	case d.won():
		due += jackpot
		d.event(EventWon, 1, 0, jackpot)
		d.s.Unit[0] = d.jackpotPart(cents(jackpot), d.winners[0], Counterpart)
	case d.t.Model == Spread:
		due += jackpot
		fund = jackpot
		d.event(EventSpread, 1, 0, jackpot)
	case j.MaxRolls > 0 && d.terms.Position > j.MaxRolls:
		due += jackpot
		rolled = true
	default:
		d.s.Next = Cycle{Position: d.terms.Position, Jackpot: jackpot + j.Step}
		if d.terms.Position > 0 {
			d.s.Next.Position++
		}
	}
	d.move(Counterpart, Prizes, due-share, WhyDifference)
	d.lower(1, fund, 0)
	if rolled {
		d.rollDown(jackpot)
	}
	for k, r := range d.t.Ranks {
		d.s.Published[k] = r.Fixed
		if d.t.Model == Pool && k > 0 {
			d.s.Published[k] += floorUnit(r.Share.of(fund), 1, d.t.GainStep)
		}
	}
	d.s.Published[0] = jackpot
}

// outsideShare books what the stakes taken at other points of sale contribute.
func (d *draw) outsideShare() money.Cents {
	share := d.t.WinnersShare.of(d.terms.OutsideStakes).floor()
	d.move(Outside, Prizes, share, WhyOutside)
	d.move(Outside, Counterpart, d.t.Endowment.of(d.terms.OutsideStakes).floor(), WhyEndowment)
	return share
}

// fixedDue returns the fixed gains of all ranks below the first.
func (d *draw) fixedDue() money.Cents {
	var due money.Cents
	for k, r := range d.t.Ranks[1:] {
		due = money.Add(due, money.Mul(r.Fixed, d.winners[k+1]))
	}
	return due
}

// rollDown gives a jackpot that may not roll over again to the next lower rank with winners, on top of its gain and in parts rounded like
// those of rank 1 (never reached: the rounding is assumed, and the reserve when no rank has a winner).
func (d *draw) rollDown(jackpot money.Cents) {
	for k := 1; k < len(d.winners); k++ {
		if d.winners[k] > 0 {
			d.event(EventRollDown, 1, d.t.Ranks[k].Number, jackpot)
			d.s.Unit[k] += d.jackpotPart(cents(jackpot), d.winners[k], Counterpart)
			return
		}
	}
	d.event(EventRollDown, 1, 0, jackpot)
	d.move(Prizes, Reserve, jackpot, WhyEmptyLast)
}
