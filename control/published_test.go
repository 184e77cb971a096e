package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Draws as the operator published them: winners over all sources and what each winning combination got. A fund is any of the window that its gains allow.
var published = []struct {
	game, day string
	terms     string // position, jackpot, carry, cap, capped, after_super, super, fund, outside_stakes; euros
	winners   string
	gains     string // euros
}{
	{"euromillions", "2016-10-28", "1 0 0 0 0 false 0 40221603.00 0", "1 5 8 112 1332 4187 2846 55816 59837 127410 273843 834733 1759886", "17375733 317750.6 46254.8 1616.0 144.9 64.3 53.7 12.6 12.4 11.0 7.2 7.1 4.1"},
	{"euromillions", "2018-02-23", "16 0 161121640 0 0 false 0 61492055.00 0", "2 5 16 172 1994 6898 3890 98958 90759 179067 486402 1322556 2594009", "88862248 485787.2 35357.9 1608.8 148.0 59.7 60.0 10.8 12.5 12.0 6.2 6.9 4.3"},
	{"euromillions", "2018-10-19", "4 0 0 0 0 false 0 28459008.00 0", "0 0 2 38 569 1174 1489 17937 29325 68260 96546 468942 1114658", "0 0 692976.8 3370.1 240.0 162.4 72.6 27.7 17.9 14.5 14.5 9.0 4.6"},
	{"euromillions", "2018-11-02", "8 0 78587093 0 0 false 0 31237440.00 0", "1 2 13 49 1055 2091 2164 29872 45644 96543 146471 627533 1369528", "87021202 616939.4 22106.4 2868.7 142.1 100.0 54.8 18.2 12.6 11.3 10.5 7.3 4.1"},
	{"euromillions", "2020-02-04", "1 0 0 0 0 false 0 23846200.00 0", "0 4 9 47 659 1573 1461 22081 32479 61757 116314 473901 910511", "0 155596.4 16162.4 963.9 126.6 56.0 42.4 14.0 10.6 10.4 6.7 5.1 4.3"},
	{"euromillions", "2020-04-14", "3 0 0 0 0 false 0 13690412.00 0", "0 1 0 11 249 580 630 9521 12558 29444 56431 205136 488245", "0 357319.7 0 9956.6 192.4 87.3 56.5 18.6 15.8 12.5 7.9 6.8 4.6"},
	{"grandloto", "2017-12-22", "0 20000000 0 0 0 false 0 0 0", "0 0 74 663 3459 31769 51260 471623 678474", "0 0 10540.5 3549.7 275.7 137.5 73.8 36.6 12.3"},
	{"grandloto", "2018-12-25", "0 15000000 0 0 0 false 0 0 0", "0 4 94 713 4107 33375 61901 502554 870296", "0 248000 6228.7 3232.1 247.8 126.7 57.2 30.2 9.2"},
	// Ten million over three winners; fixed gains.
	{"loto", "2018-11-03", "3 10000000 0 0 0 false 0 0 0", "3 0 1 1 1 1 1 1 1", "3333334 0 1000 500 50 20 10 5 2.20"},
	{"superloto", "2018-11-09", "0 13000000 0 0 0 false 0 0 0", "0 1 1 1 1 1 1 1 1", "0 150000 2000 1000 100 50 20 10 3"},
	// The jackpot may not roll over a 35th time: the sum goes to the next lower rank with winners.
	{"loto", "2018-11-03", "35 36000000 0 0 0 false 0 0 0", "0 0 2 5 1 1 1 1 1", "0 0 18001000 500 50 20 10 5 2.20"},
	// Pools: an empty rank 2 goes to rank 3; ranks 3 and 4, inverted, share equally, as at the draw of 14 August 2021.
	{"loto", "2021-08-14", "2 3000000 0 0 0 false 0 1000000 0", "0 0 4 10 100 1000 1000 10000 1", "0 0 26250 7430 444 159.8 124.3 49.2 2.20"},
	{"loto", "2021-08-14", "2 3000000 0 0 0 false 0 1000000 0", "0 1 90 100 1000 10000 10000 100000 1", "0 84400 499.4 499.4 44.4 15.9 12.4 4.9 2.20"},
	// At the cap for the fifth time, unwon: the whole pot to rank 2.
	{"euromillions", "2019-10-08", "30 0 190000000 0 4 false 0 50000000 0", "0 2 10 10 10 10 10 10 10 10 10 10 10", "0 102737500 46000 22500 24000 33500 19000 87500 92500 175000 247500 742500 912500"},
}

// The gains in SQL are those that were published.
func TestPublishedGains(t *testing.T) {
	for _, d := range published {
		t.Run(d.game+" "+d.day, func(t *testing.T) {
			e, err := open(t.Context(), 500)
			if err != nil {
				t.Fatal(err)
			}
			defer e.close()
			got := unitGains(t, e, d.game, d.day, d.terms, d.winners)
			var want []string
			for _, g := range strings.Fields(d.gains) {
				want = append(want, strconv.FormatInt(cents(t, g), 10))
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// unitGains settles a draw in which nothing was sold here.
func unitGains(t *testing.T, e *engine, game, day, terms, winners string) (list []string) {
	t.Helper()
	ctx := t.Context()
	run := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	run(e.script(ctx, "figures.sql"))
	run(e.script(ctx, "papers.sql"))
	run(e.do(ctx, `
		CREATE TABLE plays (node BIGINT, leaf BIGINT, sold_at TIMESTAMP, player VARCHAR, kind VARCHAR, channel VARCHAR, rules VARCHAR, stake_cents BIGINT, combinations BIGINT,
			lines STRUCT(main BIGINT, extra BIGINT, quick BOOLEAN)[], codes STRUCT(series VARCHAR, first VARCHAR, n BIGINT)[],
			added STRUCT(game VARCHAR, stake_cents BIGINT, number VARCHAR, rules VARCHAR)[], receipts STRUCT(n BIGINT, player VARCHAR, cents BIGINT)[], pack_type VARCHAR, pack BIGINT, shares BIGINT, digest BLOB, file_row_number BIGINT);
		CREATE TABLE packs (pack_type VARCHAR, pack BIGINT, rules VARCHAR, composition VARCHAR, shares BIGINT, sold BIGINT, share_price_cents BIGINT, combinations BIGINT,
			lines STRUCT(main BIGINT, extra BIGINT, quick BOOLEAN)[], codes STRUCT(series VARCHAR, first VARCHAR, n BIGINT)[], digest BLOB, file_row_number BIGINT)`))
	f := strings.Fields(terms)
	in := inserter{ctx: ctx, engine: e}
	in.row("draw", game+"-"+day, game, day, false, 1)
	in.row("terms", f[0], cents(t, f[1]), cents(t, f[2]), cents(t, f[3]), f[4], f[5], cents(t, f[6]), cents(t, f[7]), cents(t, f[8]))
	for i, n := range strings.Fields(winners) {
		in.row("outside", i+1, n)
	}
	run(in.err)
	for _, name := range []string{"views.sql", "multiples.sql", "sums.sql", "result.sql"} {
		run(e.script(ctx, name))
	}
	units, err := all(ctx, e, "SELECT cents FROM unit ORDER BY rank", func(n *int64) []any { return []any{n} })
	run(err)
	for _, n := range units {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

// cents reads "12.3" euros.
func cents(t *testing.T, euros string) int64 {
	t.Helper()
	whole, part, _ := strings.Cut(euros, ".")
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
