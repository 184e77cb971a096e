package prize

import "tirage/rules/money"

// european settles Euro Millions (Art. euromillions@2016-09-27:4.2.3 and those that follow it; the algorithm is what the operator's published
// results obey).
//
//	late     = position in cycle ≥ LateFrom, or an earlier draw of this cycle was a super jackpot
//	rank 1   = carry + rate(late)·fund; first draw of a cycle: at least Start; super jackpot: at least the guaranteed amount
//	overflow = what rank 1 holds above the cap → the first lower rank with a winner, same draw
//	booster  = its rate(late)·fund → Fonds de Super Cagnotte
//
// Unwon, rank 1 is carried over; but after CapDraws draws at the cap it goes whole to the first lower rank with a winner.
func (d *draw) european() {
	d.move(Super, Prizes, d.terms.Codes, WhyCodes)
	if d.terms.Official != nil && d.terms.Fund == 0 {
		d.unknownFund()
		return
	}
	fund := d.commonFund()
	d.move(Carry, Prizes, d.terms.Carry, WhyCarryIn)
	pot, late := d.t.pot(d.terms, fund), d.t.late(d.terms)
	pot = d.guarantee(pot)
	booster := d.t.Booster
	if late {
		booster = d.t.BoosterLate
	}
	d.out(Super, booster.of(fund), WhyBooster)
	d.lower(1, fund, d.rankOne(pot))
}

// late reports whether the late rates hold.
func (t Table) late(terms Terms) bool {
	return terms.AfterSuper || (t.Jackpot.LateFrom > 0 && terms.Position >= t.Jackpot.LateFrom)
}

// pot returns what carry and fund put at rank 1, before any guarantee and cap.
func (t Table) pot(terms Terms, fund money.Cents) exact {
	rate := t.Ranks[0].Share
	if t.late(terms) {
		rate = t.Ranks[0].LateShare
	}
	return cents(terms.Carry) + rate.of(fund)
}

// cap returns the cap in force, 0 when there is none.
func (t Table) cap(terms Terms) money.Cents {
	if terms.Cap > 0 {
		return terms.Cap
	}
	return t.Jackpot.Cap
}

// guarantee tops rank 1 up: the first draw of a cycle from the Fonds de réserve (Art. euromillions@2018-10-29:4.3), a super jackpot from the Fonds
// de Super Cagnotte. A guarantee below what rank 1 holds takes nothing away (inferred).
func (d *draw) guarantee(pot exact) exact {
	from, why, kind, least := Reserve, WhyTopUp, EventTopUp, money.Cents(0)
	switch {
	case d.terms.Super > 0:
		from, why, kind, least = Super, WhySuper, EventSuper, d.terms.Super
	case d.terms.Position == 1:
		least = d.t.Jackpot.Start
	}
	missing := max(0, cents(least)-pot)
	if missing > 0 || d.terms.Super > 0 {
		d.event(kind, 1, 0, least)
	}
	d.move(from, Prizes, missing.ceil(), why)
	d.crumbs += cents(missing.ceil()) - missing
	return pot + missing
}

// rankOne caps rank 1, pays or carries it, sets the next cycle and returns what falls to the lower ranks.
func (d *draw) rankOne(pot exact) (extra exact) {
	j, top, capped := d.t.Jackpot, d.t.cap(d.terms), d.terms.Capped
	atCap := top > 0 && pot >= cents(top)
	if atCap {
		capped++
		d.event(EventCapReached, 1, 0, top)
		extra = pot - cents(top)
		pot -= extra
	}
	if extra > 0 {
		d.event(EventOverflow, 1, d.firstLower(), extra.floor())
	}
	d.s.Next = Cycle{Position: 1, Jackpot: j.Start, Cap: d.terms.Cap}
	switch {
	case d.won():
		d.event(EventWon, 1, 0, pot.floor())
		// Published to the whole euro. On 27/12/2016 and 24/04/2018 the gain is above what every fund of the window gives, by less than one
		// euro, so it is rounded up (verified on all 86 won jackpots). What that takes comes from the reserve (assumed).
		d.s.Unit[0] = d.jackpotPart(pot, d.winners[0], Reserve)
		if raised := min(top+j.CapStep, j.CapMax); atCap && raised > top {
			d.s.Next.Cap = raised
			d.event(EventCapRaised, 1, 0, raised)
		}
	case atCap && j.CapDraws > 0 && capped >= j.CapDraws:
		d.event(EventRollDown, 1, d.firstLower(), pot.floor())
		extra += pot
	default:
		d.out(Carry, pot, WhyCarryOut)
		d.s.Next = Cycle{
			Position: d.terms.Position + 1, Jackpot: pot.floor(), Carry: pot.floor(), Cap: d.terms.Cap, Capped: capped,
			AfterSuper: d.terms.AfterSuper || d.terms.Super > 0,
		}
	}
	return extra
}

// firstLower returns the number of the best rank below the first with a winner, 0 when there is none.
func (d *draw) firstLower() int {
	for k := 1; k < len(d.winners); k++ {
		if d.winners[k] > 0 {
			return d.t.Ranks[k].Number
		}
	}
	return 0
}

// unknownFund settles a reconstructed draw of which only the gains are known: this operator's share, and the carry when rank 1 is won, go to the
// operators together, who pay the official gains. An unwon carry stays what it was.
func (d *draw) unknownFund() {
	ours := d.share()
	d.event(EventUnknown, 1, 0, 0)
	if d.won() {
		d.move(Carry, Prizes, d.terms.Carry, WhyCarryIn)
		ours = money.Add(ours, d.terms.Carry)
		d.s.Next = Cycle{Position: 1, Jackpot: d.t.Jackpot.Start, Cap: d.terms.Cap}
	} else {
		d.s.Next = d.terms.Cycle
		d.s.Next.Position++
		d.s.Next.AfterSuper = d.terms.AfterSuper || d.terms.Super > 0
	}
	d.move(Prizes, Outside, ours, WhyOutside)
}
