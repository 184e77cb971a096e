package evening_test

import (
	"testing"

	"tirage/evening"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/store/mem"
)

// expanded returns what grids win, every simple combination of them looked at alone, and how many there are.
func expanded(t *testing.T, m combin.Matrix, grids []string, drawn string, gain func(main, extra int) money.Cents) (won money.Cents, n int64) {
	t.Helper()
	d, err := combin.Parse(drawn)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range grids {
		c, err := combin.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for main := range choices(c.Main(), m.Main) {
			for extra := range choices(c.Extra(), m.Extra) {
				simple, err := combin.Of(main, extra)
				if err != nil {
					t.Fatal(err)
				}
				hits := (simple & d).Format()
				won += gain(hits.Main, hits.Extra)
				n++
			}
		}
	}
	return won, n
}

// choices yields every choice of k of the numbers.
func choices(from []int, k int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		var choose func(chosen []int, at int) bool
		choose = func(chosen []int, at int) bool {
			if len(chosen) == k {
				return yield(chosen)
			}
			for i := at; i < len(from); i++ {
				if !choose(append(chosen[:len(chosen):len(chosen)], from[i]), i+1) {
					return false
				}
			}
			return true
		}
		choose(nil, 0)
	}
}

// sold lists the grids and what they won, those of plays and those of packs.
func sold(r *evening.Report) (plays, packs []string, playGains, packGains money.Cents) {
	for _, p := range r.Players {
		for _, play := range p.Plays {
			plays = append(plays, play.Grids...)
			for _, c := range play.Credits {
				if play.Pack == "" {
					playGains += c.Cents
				}
			}
		}
	}
	for _, p := range r.Packs {
		packs = append(packs, p.Grids...)
		packGains += p.Gains
	}
	return plays, packs, playGains, packGains
}

func TestEveryMultipleOfLoto(t *testing.T) {
	covers.Covers(t, "P16", "P17")
	// 2018: 4 + C 1 000, 4 500, 3 + C 50, 3 20, 2 + C 10, 2 5, 1 or 0 + C 2.20; 5 100 000; the jackpot over its three winners.
	r := run(t, scenario(t, "loto-multiples.txt"), &mem.Store{})
	if n := r.Notice.Ranks[0].Winners; n != 3 {
		t.Fatalf("%d winners of rank 1, three multiples hold it", n)
	}
	table := [6][2]money.Cents{{0, 2_20}, {0, 2_20}, {5_00, 10_00}, {20_00, 50_00}, {500_00, 1_000_00}, {100_000_00, 1_000_000_00}} // 3 M€ over three
	all(t, r, combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, "7-14-21-28-35+7", 50, 11_550, func(main, extra int) money.Cents { return table[main][extra] })
}

func TestEveryMultipleOfEuroMillions(t *testing.T) {
	covers.Covers(t, "P47", "P48")
	r := run(t, scenario(t, "euromillions-multiples.txt"), &mem.Store{})
	rank := map[[2]int]int{
		{5, 2}: 1, {5, 1}: 2, {5, 0}: 3, {4, 2}: 4, {4, 1}: 5, {3, 2}: 6, {4, 0}: 7, {2, 2}: 8, {3, 1}: 9, {3, 0}: 10, {1, 2}: 11, {2, 1}: 12, {2, 0}: 13,
	}
	gains := published(r)
	all(t, r, combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}, "10-20-30-40-50+4-8", 66, 132_132, func(main, extra int) money.Cents {
		if k := rank[[2]int{main, extra}]; k > 0 {
			return gains[k-1]
		}
		return 0
	})
}

// all compares what plays and packs won with the sum over all their simple combinations, and checks that every format is there once.
func all(t *testing.T, r *evening.Report, m combin.Matrix, drawn string, formats int, combinations int64, gain func(main, extra int) money.Cents) {
	t.Helper()
	plays, packs, playGains, packGains := sold(r)
	played, n := expanded(t, m, plays, drawn, gain)
	pooled, k := expanded(t, m, packs, drawn, gain)
	if played != playGains || pooled != packGains || playGains == 0 || packGains == 0 {
		t.Errorf("plays won %v, packs %v; combination by combination %v and %v", playGains, packGains, played, pooled)
	}
	if n+k != combinations {
		t.Errorf("%d + %d simple combinations, want %d", n, k, combinations)
	}
	seen := map[combin.Format]bool{}
	for _, g := range append(plays, packs...) {
		c, err := combin.Parse(g)
		if err != nil {
			t.Fatal(err)
		}
		seen[c.Format()] = true
	}
	if len(seen) != formats || len(plays)+len(packs) != formats {
		t.Errorf("%d grids of %d formats, want %d of each", len(plays)+len(packs), len(seen), formats)
	}
	for _, p := range r.Packs {
		for _, c := range p.Codes {
			if c.Count != p.Combos {
				t.Errorf("pack %s: %d combinations, %d codes %s", p.Pack, p.Combos, c.Count, c.Series)
			}
		}
	}
}
