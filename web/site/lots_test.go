package site

import (
	"math"
	"testing"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/pack"
)

// What one combination brings is what the kernel of the settlement counts for every way it can meet a draw, each as likely as the rulebook says.
func TestLotsOfOneCombination(t *testing.T) {
	book, err := games.Version("loto@2019-11-04")
	if err != nil {
		t.Fatal(err)
	}
	part := map[int]money.Cents{}
	for _, r := range book.Prizes.Ranks {
		part[r.Number] = money.Cents(1) << (20 - 2*r.Number)
	}
	const above = 1 << 22
	for _, f := range []combin.Format{{Main: 5, Extra: 1}, {Main: 6, Extra: 1}, {Main: 6, Extra: 10}, {Main: 7, Extra: 3}} {
		t.Run(f.String(), func(t *testing.T) {
			want := map[money.Cents]float64{}
			grid, err := combin.Of(seqFrom(1, f.Main), seqFrom(1, f.Extra))
			if err != nil {
				t.Fatal(err)
			}
			m := book.Matrix
			for main := range m.Main + 1 {
				for extra := range m.Extra + 1 {
					ways := combin.Choose(f.Main, main) * combin.Choose(m.MainOf-f.Main, m.Main-main) * combin.Choose(f.Extra, extra) * combin.Choose(m.ExtraOf-f.Extra, m.Extra-extra)
					if ways == 0 {
						continue
					}
					drawn, err := combin.Of(append(seqFrom(1, main), seqFrom(m.MainOf-m.Main+main+1, m.Main-main)...), append(seqFrom(1, extra), seqFrom(m.ExtraOf-m.Extra+extra+1, m.Extra-extra)...))
					if err != nil {
						t.Fatal(err)
					}
					var gain money.Cents
					tally := combin.Winners(m, grid, drawn)
					for i := range m.Main + 1 {
						for j := range m.Extra + 1 {
							if rank := book.RankOf(i, j); rank > 0 {
								gain += money.Mul(part[rank], tally[i][j])
							}
						}
					}
					p, _ := odds.Chance(ways, m.Total()).Float64()
					want[min(gain, above)] += p
				}
			}
			got := shareOf(f, book, part, above)
			for gain, p := range want {
				if math.Abs(got[gain]-p) > 1e-12 {
					t.Errorf("%d cents: %g, want %g", gain, got[gain], p)
				}
			}
		})
	}
}

func seqFrom(first, n int) (list []int) {
	for i := range n {
		list = append(list, first+i)
	}
	return list
}

// A hundred shares are a hundred; a pack of ten multiples with all Chance numbers brings its least amount, never nothing.
func TestHundredLots(t *testing.T) {
	book, err := games.Version("loto@2018-10-29")
	if err != nil {
		t.Fatal(err)
	}
	prizes, err := pack.FixedPrizes(book, 0)
	if err != nil {
		t.Fatal(err)
	}
	terms := &central.PackTerms{Shares: 200, SharePrice: 660, Combinations: 600, Multiples: 10, Formats: []central.MultipleTerms{{Count: 10, Main: 6, Extra: 10, Combinations: 60}}}
	l := lotsOf(terms, book, prizes)
	if sum := l.Of[0] + l.Of[1] + l.Of[2] + l.Of[3]; sum != 100 || len(l.dots()) != 100 {
		t.Errorf("%d shares of a hundred", sum)
	}
	t.Logf("%+v", *l)
	if l.Least != 60 || l.Of[lotLeast] == 0 || l.Of[lotWhole] == 0 {
		t.Errorf("%+v", *l)
	}
	terms.Multiples, terms.Formats, terms.Simples = 0, nil, 1
	if l := lotsOf(terms, book, prizes); l.Least != 0 || l.Of[lotLeast] < 80 {
		t.Errorf("one simple combination: %+v", *l)
	}
	if lotsOf(terms, book, prizes[:3]) != nil {
		t.Error("the gains of the last ranks are not known")
	}
}
