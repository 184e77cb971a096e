package check

import (
	"cmp"
	"slices"
	"sort"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// This file answers the question of [prize.FundWindow] in the most pedestrian way, so that one can be tested by the other: it knows no
// windows and solves nothing. It pays the draw for a fund by walking down the ranks, and tries one cent of fund after the other.

// trial is a draw to be paid for any fund.
type trial struct {
	table   prize.Table
	first   int // index of the first pooled rank
	last    int // one past the last pooled rank
	winners prize.Winners
	gains   []money.Cents
	top     money.Cents // cap of rank 1; 0: none
	carry   money.Cents
	rate    prize.BP // rank 1's part of the fund
}

func newTrial(t prize.Table, terms prize.Terms, winners prize.Winners, gains []money.Cents) *trial {
	x := &trial{table: t, first: 1, last: len(t.Ranks), winners: winners, gains: gains}
	switch t.Model {
	case prize.SidePool:
		x.first = 0
	case prize.Pool:
		x.last-- // the last rank of Loto is fixed
	case prize.European:
		x.carry, x.rate, x.top = terms.Carry, t.Ranks[0].Share, terms.Cap
		if terms.AfterSuper || terms.Position >= t.Jackpot.LateFrom {
			x.rate = t.Ranks[0].LateShare
		}
		if x.top == 0 {
			x.top = t.Jackpot.Cap
		}
	}
	return x
}

// pay returns the gain at index k for a fund, as it would be printed. Amounts are in ten-thousandths of a cent.
func (x *trial) pay(fund money.Cents, k int, amount []int64) money.Cents {
	step := int64(x.table.GainStep) * 10_000
	for i := x.first; i < x.last; i++ {
		amount[i] = int64(fund) * int64(x.table.Ranks[i].Share)
	}
	if x.winners[k] == 0 {
		if x.table.Model != prize.Pool || x.gains[k] == 0 {
			return 0
		}
		return money.Cents(amount[k]/step) * x.table.GainStep // printed: what the empty rank would have shared
	}
	for i := x.first; i+1 < x.last; i++ {
		if x.winners[i] == 0 {
			amount[i+1] += amount[i]
		}
	}
	sum, n := amount[k], x.winners[k]
	if x.table.MergeInverted {
		sum, n = x.merged(k, amount)
	}
	return money.Cents(sum/n/step) * x.table.GainStep
}

// merged returns the amount and the winners that rank k shares in, once no rank pays less than the one below.
func (x *trial) merged(k int, amount []int64) (int64, int64) {
	type pool struct{ from, to, sum, n int64 }
	var room [16]pool
	pools := room[:0]
	for i := x.first; i < x.last; i++ {
		if x.winners[i] > 0 {
			pools = append(pools, pool{int64(i), int64(i), amount[i], x.winners[i]})
		}
	}
	for again := true; again; {
		again = false
		for i := 0; i+1 < len(pools); i++ {
			a, b := pools[i], pools[i+1]
			if less(a.sum, a.n, b.sum, b.n) {
				pools[i] = pool{a.from, b.to, a.sum + b.sum, a.n + b.n}
				pools = append(pools[:i+1], pools[i+2:]...)
				again = true
				break
			}
		}
	}
	for _, p := range pools {
		if p.from <= int64(k) && int64(k) <= p.to {
			return p.sum, p.n
		}
	}
	return 0, 1
}

// less reports whether a/m < b/n, by whole parts, then remainders.
func less(a, m, b, n int64) bool {
	if a/m != b/n {
		return a/m < b/n
	}
	return (a%m)*n < (b%n)*m
}

// fundMax is above any fund of one draw: 10 000 M€.
const fundMax = 10_000 * million

// span returns the funds for which rank k is paid what is printed: at least from, less than to.
func (x *trial) span(k int, amount []int64) (from, to money.Cents) {
	at := func(g money.Cents) money.Cents {
		return money.Cents(sort.Search(int(fundMax), func(f int) bool { return x.pay(money.Cents(f), k, amount) >= g }))
	}
	return at(x.gains[k]), at(x.gains[k] + 1)
}

// possible reports whether any fund, in whole cents, gives every pooled gain printed. At the cap, where the overflow adds to the first
// lower rank with a winner, that rank may have any gain.
func (x *trial) possible() bool {
	if x.try(-1, 0) {
		return true
	}
	if x.top == 0 {
		return false
	}
	for k := x.first; k < x.last; k++ {
		if x.winners[k] > 0 {
			return x.try(k, x.top)
		}
	}
	return false
}

// try does it without the rank at index skip, for funds that bring rank 1 to least or more. It tries every fund of the rank that leaves the fewest, and
// asks the next choosy rank first.
func (x *trial) try(skip int, least money.Cents) bool {
	type span struct {
		rank     int
		from, to money.Cents
	}
	amount := make([]int64, len(x.table.Ranks))
	spans := []span{{-1, 0, fundMax}}
	for k := x.first; k < x.last; k++ {
		switch {
		case k == skip:
		case x.winners[k] > 0, x.table.Model == prize.Pool && x.gains[k] > 0:
			from, to := x.span(k, amount)
			spans = append(spans, span{k, from, to})
		case x.gains[k] != 0:
			return false // an empty rank pays nothing
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.to-a.from, b.to-b.from) })
	gives := func(fund money.Cents) bool {
		if int64(x.carry)*10_000+int64(fund)*int64(x.rate) < int64(least)*10_000 {
			return false
		}
		for _, s := range spans[1:] {
			if s.rank >= 0 && x.pay(fund, s.rank, amount) != x.gains[s.rank] {
				return false
			}
		}
		return true
	}
	for fund := spans[0].from; fund < spans[0].to; fund++ {
		if gives(fund) {
			return true
		}
	}
	return false
}
