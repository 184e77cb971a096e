package prize_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// What does not fit together is refused with what was found and what is accepted.
func TestSettleRefuses(t *testing.T) {
	type terms = prize.Terms
	for _, c := range []struct {
		game   string
		change func(*prize.Table, *prize.Terms, *prize.Winners)
		want   string
	}{
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Jackpot = 0 }, "jackpot is missing"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Fund = 1 }, "has no pool"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Carry = 1 }, "go with the model"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Stakes = -1 }, "stakes -0.01, accepted 0 to"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Jackpot = prize.Bound + 1 }, "jackpot 100000000000.01"},
		{"loto 2017", func(_ *prize.Table, _ *terms, w *prize.Winners) { (*w)[3] = -1 }, "winners at rank 4: -1"},
		{"loto 2017", func(_ *prize.Table, _ *terms, w *prize.Winners) { *w = (*w)[:8] }, "8 counts, accepted one for each of the 9 ranks"},
		{"loto 2017", func(_ *prize.Table, _ *terms, w *prize.Winners) { (*w)[1] = prize.MaxWinners }, "in all"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Official = make([]money.Cents, 8) }, "official gains: 8"},
		{"loto 2017", func(_ *prize.Table, m *terms, _ *prize.Winners) {
			m.Official = []money.Cents{0, 0, -2, 0, 0, 0, 0, 0, 0}
		}, "official gain at rank 3"},
		{"loto 2019", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Fund = 0 }, "pool of the lower ranks is missing"},
		{"étoile+ 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Jackpot = 1 }, "have no place"},
		{"étoile+ 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Fund, m.Stakes = 59, 100 }, "accepted at least 0.60"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Position = 0 }, "position 0"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Position = 1 }, "at the first draw of a cycle"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Position = 1 << 40 }, "position"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Carry = 190*million + 1 }, "at most the cap"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, _ *prize.Winners) { m.Capped = 5 }, "accepted at most 4"},
		{"euromillions 2016", func(_ *prize.Table, m *terms, w *prize.Winners) {
			m.Stakes, m.Fund, (*w)[4] = 0, 0, 3
			m.Official = make([]money.Cents, 13)
			m.Official[4] = prize.Computed
		}, "rank 5 is missing"},
		{"euromillions 2016", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Booster++ }, "add up to 100.01 %"},
		{"euromillions 2016", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.BoosterLate-- }, "late shares add up to 99.99 %"},
		{"loto 2019", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Ranks[4].Share = 10_001 }, "rank 5: share"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Ranks[4].Share = 1 }, "add up to 0.01 %"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Ranks[4].Number = 4 }, "rank 4 stands at place 5"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Ranks[4].Fixed = -1 }, "rank 5: fixed gain"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Ranks = p.Ranks[:1] }, "1 ranks"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.WinnersShare = 9_976 }, "at most 100 %"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.GainStep = -1 }, "amount -0.01"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Jackpot.RoundUp = 10_001 }, "rounded to more than"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Jackpot.MustBeWon = true }, "must be won"},
		{"loto 2017", func(p *prize.Table, _ *terms, _ *prize.Winners) { p.Model = "lotto" }, `model "lotto"`},
	} {
		row := named()[c.game]
		winners := make(prize.Winners, len(row.t.Ranks))
		c.change(&row.t, &row.terms, &winners)
		if _, err := prize.Settle(row.t, row.terms, winners); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.game, err, c.want)
		}
	}
}

// Whatever the numbers are, the answer is an error or a settlement that adds up, even at the limits.
func TestSettleAtTheLimits(t *testing.T) {
	settled := 0
	for name, c := range named() {
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			amount := func(name string) money.Cents {
				if rapid.IntRange(0, 30).Draw(r, "absurd?") == 0 {
					return rapid.SampledFrom([]money.Cents{-1, prize.Bound + 1, 1<<63 - 1, -1 << 63}).Draw(r, name)
				}
				return rapid.SampledFrom([]money.Cents{0, 1, 10, 190 * million, prize.Bound - 1, prize.Bound}).Draw(r, name)
			}
			terms := c.terms
			terms.Stakes, terms.OutsideStakes, terms.Codes = amount("stakes"), amount("outside stakes"), amount("codes")
			if terms.Fund > 0 {
				terms.Fund = amount("fund")
			}
			if terms.Jackpot > 0 {
				terms.Jackpot = amount("jackpot")
			} else if terms.Carry > 0 {
				terms.Carry, terms.Cap, terms.Super = amount("carry"), amount("cap"), amount("super")
			}
			winners := make(prize.Winners, len(c.t.Ranks))
			for k := range winners {
				winners[k] = rapid.SampledFrom([]int64{0, 0, 1, 2, 1_000, prize.MaxWinners - 1, prize.MaxWinners}).Draw(r, "winners")
			}
			if rapid.Bool().Draw(r, "official?") {
				for range winners {
					terms.Official = append(terms.Official, amount("official"))
				}
			}
			s, err := prize.Settle(c.t, terms, winners)
			if err != nil {
				return
			}
			settled++
			audit(r, c.t, terms, winners, s)
			// Official gains may contradict each other; that is an answer too.
			_, _, _ = prize.FundWindow(c.t, terms, winners, s.Published)
		}))
	}
	if settled == 0 {
		t.Error("nothing was settled")
	}
}

func TestDigitGain(t *testing.T) {
	gains := euros("500000 100000 10000 2000 200 20 4")
	const drawn = "5697395" // 29 October 2018
	for played, want := range map[string]money.Cents{
		"5697395": 500_000_00, "4697395": 100_000_00, "5597395": 10_000_00, "5687395": 2_000_00, "5696395": 200_00,
		"5697495": 20_00, "5697305": 4_00, "5697394": 0, "9973956": 0, "0000005": 4_00,
	} {
		got, err := prize.DigitGain(gains, drawn, played)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", played, got, err, want)
		}
	}
	for _, bad := range []string{"", "569739", "56973955", "569739x", "5 697395", "５697395", "-697395"} {
		if got, err := prize.DigitGain(gains, drawn, bad); err == nil {
			t.Errorf("%q accepted: %v", bad, got)
		}
	}
	if got, err := prize.DigitGain(gains[:2], drawn, "0000005"); got != 0 || err != nil {
		t.Errorf("beyond the table: %v, %v", got, err)
	}
	if _, err := prize.DigitGain(gains, "", ""); err == nil {
		t.Error("no digits accepted")
	}
}
