package prize_test

import (
	"slices"
	"testing"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// golden is a published Euro Millions draw: winners of all countries, gains, and the funds that give each of them exactly.
type golden struct {
	date    string
	table   prize.Table
	terms   prize.Terms
	lo, hi  string
	winners string
	gains   string
}

func goldens() []golden {
	old, young := euromillions2016(), euromillions2020()
	at := func(position int, carry money.Cents) prize.Terms {
		return prize.Terms{Cycle: prize.Cycle{Position: position, Carry: carry}}
	}
	return []golden{
		{"2016-10-28", old, at(1, 0), "40221594.94", "40221607.59",
			"1 5 8 112 1332 4187 2846 55816 59837 127410 273843 834733 1759886",
			"17375733 317750.6 46254.8 1616.0 144.9 64.3 53.7 12.6 12.4 11.0 7.2 7.1 4.1"},
		{"2018-02-23", old, at(16, 161_121_640_00), "61492050.64", "61492063.29",
			"2 5 16 172 1994 6898 3890 98958 90759 179067 486402 1322556 2594009",
			"88862248 485787.2 35357.9 1608.8 148.0 59.7 60.0 10.8 12.5 12.0 6.2 6.9 4.3"},
		{"2018-10-19", old, at(4, 0), "28459006.17", "28459010.26",
			"0 0 2 38 569 1174 1489 17937 29325 68260 96546 468942 1114658",
			"0 0 692976.8 3370.1 240.0 162.4 72.6 27.7 17.9 14.5 14.5 9.0 4.6"},
		{"2018-11-02", old, at(8, 78_587_093_00), "31237437.98", "31237443.03",
			"1 2 13 49 1055 2091 2164 29872 45644 96543 146471 627533 1369528",
			"87021202 616939.4 22106.4 2868.7 142.1 100.0 54.8 18.2 12.6 11.3 10.5 7.3 4.1"},
		{"2019-09-24", old, at(20, 189_603_712_00), "49868347.83", "49868521.73",
			"0 3 16 52 1068 2515 2566 38002 53715 121412 211329 824779 1862827",
			"0 5012664.0 28674.3 4315.5 224.1 132.8 73.8 22.9 17.1 14.3 11.6 8.9 4.8"},
		{"2020-02-04", young, at(1, 0), "23846191.58", "23846206.89",
			"0 4 9 47 659 1573 1461 22081 32479 61757 116314 473901 910511",
			"0 155596.4 16162.4 963.9 126.6 56.0 42.4 14.0 10.6 10.4 6.7 5.1 4.3"},
		{"2020-04-14", young, at(4, 0), "13690409.97", "13690413.79",
			"0 1 0 11 249 580 630 9521 12558 29444 56431 205136 488245",
			"0 357319.7 0 9956.6 192.4 87.3 56.5 18.6 15.8 12.5 7.9 6.8 4.6"},
	}
}

// The window of funds is the one of the published facts, every fund at its ends gives every gain of ranks 2–13 and none just outside does.
func TestGoldenEuroMillions(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.date, func(t *testing.T) {
			winners, gains := counts(g.winners), euros(g.gains)
			lo, hi, err := prize.FundWindow(g.table, g.terms, winners, gains)
			if err != nil {
				t.Fatal(err)
			}
			if lo.String() != g.lo || hi.String() != g.hi {
				t.Errorf("window %v–%v, published %s–%s", lo, hi, g.lo, g.hi)
			}
			from := 1
			if g.date == "2019-09-24" {
				from = 2 // the overflow is in rank 2
			}
			for fund, want := range map[money.Cents]bool{lo: true, hi: true, (lo + hi) / 2: true, lo - 1: false, hi + 1: false} {
				terms := g.terms
				terms.Fund = fund
				s := settle(t, g.table, terms, winners)
				if slices.Equal(s.Published[from:], gains[from:]) != want {
					t.Errorf("fund %v: gains %v", fund, s.Published)
				}
			}
		})
	}
}

// Rank 1 of the won draws comes out to the euro for the funds of a narrower window, within 10 € at the ends of the wide one.
func TestGoldenJackpots(t *testing.T) {
	for _, g := range goldens() {
		winners, gains := counts(g.winners), euros(g.gains)
		if winners[0] == 0 {
			continue
		}
		lo, hi, err := prize.FundWindow(g.table, g.terms, winners, gains)
		if err != nil {
			t.Fatal(err)
		}
		at := func(fund money.Cents) money.Cents {
			terms := g.terms
			terms.Fund = fund
			s := settle(t, g.table, terms, winners)
			if s.Next.Position != 1 || s.Next.Carry != 0 {
				t.Errorf("%s: next %+v after a won jackpot", g.date, s.Next)
			}
			return s.Unit[0]
		}
		if l, h := at(lo), at(hi); l > gains[0] || h < gains[0] || h-l > 10*money.Euro {
			t.Errorf("%s: rank 1 between %v and %v, published %v", g.date, l, h, gains[0])
		}
	}
}
