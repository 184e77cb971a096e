package prize_test

import (
	"slices"
	"testing"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// What a history prints of a draw, and which account answers for it.
func TestEventsAndTheirAccounts(t *testing.T) {
	euro := euromillions2016()
	lower := counts("0 0 2 38 569 1174 1489 17937 29325 68260 96546 468942 1114658")
	top := prize.Cycle{Position: 9, Carry: 180 * million}
	for _, c := range []struct {
		name    string
		t       prize.Table
		terms   prize.Terms
		winners prize.Winners
		events  []prize.Event
		why     prize.Why
		moves   []prize.Move
	}{
		{
			"super jackpot", euro, prize.Terms{Cycle: prize.Cycle{Position: 3, Carry: 20 * million}, Super: 130 * million, Fund: 30 * million}, lower,
			[]prize.Event{{prize.EventSuper, 1, 0, 130 * million}, {prize.EventEmpty, 2, 3, 1_185_000_00}},
			prize.WhySuper, []prize.Move{{prize.Super, prize.Prizes, 97_040_000_00, prize.WhySuper}},
		},
		{
			"a super jackpot below what stands at rank 1", euro, prize.Terms{Cycle: prize.Cycle{Position: 3, Carry: 20 * million}, Super: 30 * million, Fund: 30 * million}, lower,
			[]prize.Event{{prize.EventSuper, 1, 0, 30 * million}, {prize.EventEmpty, 2, 3, 1_185_000_00}},
			prize.WhyCarryOut, []prize.Move{{prize.Prizes, prize.Carry, 32_960_000_00, prize.WhyCarryOut}},
		},
		{
			"first draw topped up", euro, prize.Terms{Cycle: prize.Cycle{Position: 1}, Fund: 30 * million}, lower,
			[]prize.Event{{prize.EventTopUp, 1, 0, 17 * million}, {prize.EventEmpty, 2, 3, 1_185_000_00}},
			prize.WhyTopUp, []prize.Move{{prize.Reserve, prize.Prizes, 4_040_000_00, prize.WhyTopUp}},
		},
		{
			"overflow past an empty rank", euro, prize.Terms{Cycle: top, Fund: 50 * million}, lower,
			[]prize.Event{{prize.EventCapReached, 1, 0, 190 * million}, {prize.EventOverflow, 1, 3, 3_500_000_00}, {prize.EventEmpty, 2, 3, 1_975_000_00}},
			prize.WhyBooster, []prize.Move{{prize.Prizes, prize.Super, 10_500_000_00, prize.WhyBooster}},
		},
		{
			"exactly at the cap", euro, prize.Terms{Cycle: prize.Cycle{Position: 9, Carry: 176_500_000_00}, Fund: 50 * million}, lower,
			[]prize.Event{{prize.EventCapReached, 1, 0, 190 * million}, {prize.EventEmpty, 2, 3, 1_975_000_00}},
			prize.WhyCarryOut, []prize.Move{{prize.Prizes, prize.Carry, 190 * million, prize.WhyCarryOut}},
		},
		{
			"must be won", grandLoto2017(), prize.Terms{Cycle: prize.Cycle{Jackpot: 20 * million}}, counts("0 0 74 663 3459 31769 51260 471623 678474"),
			[]prize.Event{{prize.EventSpread, 1, 0, 20 * million}, {prize.EventEmpty, 2, 3, 256_000_00}}, "", nil,
		},
		{
			"won, rounded up out of the reserve", euro, prize.Terms{Cycle: prize.Cycle{Position: 3, Carry: 20*million + 1}, Fund: 10 * million}, counts("1 1 1 1 1 1 1 1 1 1 1 1 1"),
			[]prize.Event{{prize.EventWon, 1, 0, 24_320_000_01}},
			prize.WhyRoundUp, []prize.Move{{prize.Reserve, prize.Prizes, 99, prize.WhyRoundUp}},
		},
		{
			"equal ranks are not merged", loto2019(), prize.Terms{Cycle: prize.Cycle{Jackpot: 2 * million}, Fund: million}, counts("0 1 206 743 1000 10000 10000 100000 1"),
			nil, prize.WhyEmptyLast, nil,
		},
		{
			"the last rank of the Loto pool empty", loto2019(), prize.Terms{Cycle: prize.Cycle{Jackpot: 2 * million}, Fund: million}, counts("0 1 10 100 100 1000 1000 0 0"),
			[]prize.Event{{prize.EventEmpty, 8, 9, 492_200_00}, {prize.EventEmpty, 9, 0, 492_200_00}},
			prize.WhyEmptyLast, []prize.Move{{prize.Prizes, prize.Reserve, 492_200_00, prize.WhyEmptyLast}},
		},
	} {
		s := settle(t, c.t, c.terms, c.winners)
		audit(t, c.t, c.terms, c.winners, s)
		if !slices.Equal(s.Events, c.events) {
			t.Errorf("%s: events %v, want %v", c.name, s.Events, c.events)
		}
		if got := find(s.Moves, c.why); !slices.Equal(got, c.moves) {
			t.Errorf("%s: %v, want %v", c.name, got, c.moves)
		}
	}
}

// What the notice prints where nobody won: the announced jackpot, the fixed gain, the pool of Loto 2019, nothing for Euro Millions.
func TestPublishedWithoutWinners(t *testing.T) {
	nobody := make(prize.Winners, 9)
	for _, c := range []struct {
		t    prize.Table
		fund money.Cents
		want string
	}{
		{loto2017(), 0, "3000000 100000 1000 500 50 20 10 5 2.2"},
		{grandLoto2017(), 0, "3000000 200000 5000 2500 200 100 30 15 5"},
		{loto2019(), million, "3000000 84400 20600 74300 44400 159800 124300 492200 2.2"},
	} {
		s := settle(t, c.t, prize.Terms{Cycle: prize.Cycle{Jackpot: 3 * million}, Fund: c.fund}, nobody)
		if !slices.Equal(s.Published, euros(c.want)) {
			t.Errorf("%s: %v, want %s", c.t.Model, s.Published, c.want)
		}
	}
	terms := prize.Terms{Cycle: prize.Cycle{Position: 2}, Fund: million}
	if s := settle(t, euromillions2016(), terms, make(prize.Winners, 13)); slices.Max(s.Published) != 0 {
		t.Errorf("Euro Millions: %v", s.Published)
	}
}
