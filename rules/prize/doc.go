// Package prize turns the winners of a draw into unit gains and says where every cent of the draw's prize money goes.
//
// It is pure: the [Table] comes from a rulebook, what is announced of the draw comes as [Terms], the winners as counts of
// winning simple combinations over all sources. [Settle] gives the gain of one winning simple combination at each rank, the moves of money
// between the accounts of the draw and the terms that the next draw starts from.
//
//	s, err := prize.Settle(table, prize.Terms{
//		Cycle: prize.Cycle{Position: 3, Jackpot: 1_000_000_000}, // 10 M€
//		Stakes: 7_000_000_00,
//	}, prize.Winners{3, 5, 160, 1300, 6900, 62000, 97000, 868000, 1285000})
//	// s.Unit[0] = 333333400: 10 M€ over three winners, each part rounded up to the whole euro
//
// # Invariant
//
// No cent appears or vanishes. What flows into the account prizes is what the winners are due (unit gain × winners at each rank, and the
// gains of the codes paid from the same money) plus what flows out of it: the jackpot carried over, the Fonds de Super Cagnotte, what falls
// to the reserve, the crumbs of the roundings. [Settle] proves it on every call and panics on a breach, which would be broken
// mathematics and never bad input.
//
// # Exactness
//
// A rank's amount is fund × share, an exact rational. Shares are hundredths of a percent, so amounts are whole numbers of
// ten-thousandths of a cent and int64 holds them. A unit gain is that amount over the winners, floored to the table's step; what the floors
// leave over is counted exactly and adds up to whole cents: the crumbs.
//
// # Sources
//
// No consolidated text of the prize articles is at hand (they are Art. euromillions@2016-09-27:4.2.3 and those that follow it for Euro
// Millions). The models are those which give every gain of the operator's published results. What no source says is marked
// assumed here and by [Why.Assumed]: crumbs → reserve; the rounding up of Loto's rank 1 ← counterpart fund; an
// empty last rank → reserve; an empty rank 3–8 of Loto 2019 → the next lower one.
package prize
