package prize_test

import (
	"math/big"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// The reference computes unit gains a second time, with rationals and rank by rank, from the restated rules alone.

func rat(c money.Cents) *big.Rat { return c.Rat() }

func percent(p prize.BP, of *big.Rat) *big.Rat {
	return new(big.Rat).Mul(of, big.NewRat(int64(p), 10_000))
}

func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func div(a *big.Rat, n int64) *big.Rat {
	return new(big.Rat).Quo(a, new(big.Rat).SetInt64(n))
}

// down and up round to a multiple of step.
func down(a *big.Rat, step money.Cents) money.Cents {
	q := div(a, int64(max(step, 1)))
	return money.Cents(new(big.Int).Quo(q.Num(), q.Denom()).Int64()) * max(step, 1)
}

func up(a *big.Rat, step money.Cents) money.Cents {
	d := down(a, step)
	if rat(d).Cmp(a) < 0 {
		d += max(step, 1)
	}
	return d
}

// referenceUnits returns the gain of each rank with winners, and the carry of Euro Millions.
func referenceUnits(t prize.Table, terms prize.Terms, winners prize.Winners) (units []money.Cents, carry money.Cents) {
	n := len(t.Ranks)
	units = make([]money.Cents, n)
	amounts := make([]*big.Rat, n)
	for k := range amounts {
		amounts[k] = new(big.Rat)
	}
	first, fall := 1, new(big.Rat) // fall goes to the best rank below the first with a winner
	fund := rat(terms.Fund)
	switch t.Model {
	case prize.European:
		fall, carry = referenceRankOne(t, terms, winners, units)
	case prize.SidePool:
		first = 0
		if terms.Fund == 0 {
			fund = rat(down(percent(t.WinnersShare, rat(terms.Stakes)), 1))
		}
	case prize.Spread:
		fund = new(big.Rat)
		if winners[0] == 0 {
			fund = rat(terms.Jackpot)
		}
		fallthrough
	default:
		if winners[0] > 0 {
			units[0] = up(div(rat(terms.Jackpot), winners[0]), money.Euro)
		}
	}
	for k := first; k < n; k++ {
		amounts[k] = percent(t.Ranks[k].Share, fund)
	}
	for k := first; k < n-1; k++ {
		if winners[k] == 0 {
			amounts[k+1] = add(amounts[k+1], amounts[k])
		}
	}
	for k := 1; k < n; k++ {
		if winners[k] > 0 {
			amounts[k] = add(amounts[k], fall)
			break
		}
	}
	if t.MergeInverted {
		referenceMerge(t, winners, amounts)
	}
	for k := first; k < n; k++ {
		if winners[k] > 0 {
			units[k] = t.Ranks[k].Fixed + down(div(amounts[k], winners[k]), t.GainStep)
		}
	}
	return units, carry
}

// referenceMerge replaces inverted amounts by what each rank receives after the sharing, until nothing is inverted.
func referenceMerge(t prize.Table, winners prize.Winners, amounts []*big.Rat) {
	for again := true; again; {
		again = false
		last := -1
		for k := 1; k < len(winners); k++ {
			if winners[k] == 0 || t.Ranks[k].Fixed > 0 {
				continue
			}
			if last > 0 && div(amounts[last], winners[last]).Cmp(div(amounts[k], winners[k])) < 0 {
				// Everything that already pays the same above shares too.
				from := last
				for j := last; j > 0; j-- {
					if winners[j] > 0 && div(amounts[j], winners[j]).Cmp(div(amounts[last], winners[last])) == 0 {
						from = j
					}
				}
				sum, heads := new(big.Rat), int64(0)
				for j := from; j <= k; j++ {
					if winners[j] > 0 {
						sum, heads = add(sum, amounts[j]), heads+winners[j]
					}
				}
				for j := from; j <= k; j++ {
					amounts[j] = new(big.Rat).Mul(div(sum, heads), new(big.Rat).SetInt64(winners[j]))
				}
				again = true
			}
			last = k
		}
	}
}

// referenceRankOne follows « how a draw pays » for rank 1 of Euro Millions.
func referenceRankOne(t prize.Table, terms prize.Terms, winners prize.Winners, units []money.Cents) (fall *big.Rat, carry money.Cents) {
	j := t.Jackpot
	rate := t.Ranks[0].Share
	if terms.Position >= j.LateFrom || terms.AfterSuper {
		rate = t.Ranks[0].LateShare
	}
	pot := add(rat(terms.Carry), percent(rate, rat(terms.Fund)))
	least := terms.Super
	if terms.Position == 1 && least == 0 {
		least = j.Start
	}
	if rat(least).Cmp(pot) > 0 {
		pot = rat(least)
	}
	limit := j.Cap
	if terms.Cap > 0 {
		limit = terms.Cap
	}
	fall = new(big.Rat)
	capped := pot.Cmp(rat(limit)) >= 0
	if capped {
		fall, pot = sub(pot, rat(limit)), rat(limit)
	}
	switch {
	case winners[0] > 0:
		units[0] = up(div(pot, winners[0]), j.RoundUp)
	case capped && terms.Capped+1 >= j.CapDraws:
		fall = add(fall, pot)
	default:
		carry = down(pot, 1)
	}
	return fall, carry
}

// reporter is what *testing.T and *rapid.T share.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// audit adds the moves up account by account and compares them with what the settlement says.
func audit(t reporter, table prize.Table, terms prize.Terms, winners prize.Winners, s prize.Settlement) {
	t.Helper()
	net := map[prize.Account]money.Cents{}
	var crumbs money.Cents
	for _, m := range s.Moves {
		if m.Cents <= 0 || m.From == m.To || m.Why == "" {
			t.Errorf("move %+v", m)
		}
		net[m.From] -= m.Cents
		net[m.To] += m.Cents
		if m.To == prize.Crumbs {
			crumbs += m.Cents
		}
	}
	due, heads := terms.Codes, int64(0)
	for k, w := range winners {
		due += s.Unit[k] * money.Cents(w)
		heads += w
		if w == 0 && s.Unit[k] != 0 {
			t.Errorf("rank %d pays %v to nobody", k+1, s.Unit[k])
		}
	}
	if net[prize.Prizes] != due || s.Due() != due {
		t.Errorf("prizes hold %v, winners are due %v, the settlement says %v", net[prize.Prizes], due, s.Due())
	}
	if net[prize.Stakes] != -terms.Stakes {
		t.Errorf("stakes of %v, %v placed", terms.Stakes, -net[prize.Stakes])
	}
	if net[prize.Carry] != s.Next.Carry-terms.Carry {
		t.Errorf("carry moves by %v, from %v to %v", net[prize.Carry], terms.Carry, s.Next.Carry)
	}
	if net[prize.Crumbs] != 0 {
		t.Errorf("crumbs keep %v", net[prize.Crumbs])
	}
	// Each floor leaves less than a step per winner; at most four other amounts leave less than a cent each.
	if most := max(table.GainStep, 1)*money.Cents(heads) + 4; crumbs > most {
		t.Errorf("crumbs of %v, at most %v", crumbs, most)
	}
}

func checkReference(t reporter, table prize.Table, terms prize.Terms, winners prize.Winners, s prize.Settlement) {
	t.Helper()
	units, carry := referenceUnits(table, terms, winners)
	for k := range units {
		if s.Unit[k] != units[k] {
			t.Fatalf("terms %+v, winners %v: rank %d: %v, reference %v", terms, winners, k+1, s.Unit[k], units[k])
		}
	}
	if s.Next.Carry != carry {
		t.Fatalf("terms %+v, winners %v: carry %v, reference %v", terms, winners, s.Next.Carry, carry)
	}
}
