package site

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// lots says what a hundred shares of a pack, or a hundred grids, bring: how many of them the least that there is, less than half their price, less than it, or all of it.
type lots struct {
	Of    [4]int // shares of a hundred, see the kinds below
	Tiny  [4]bool
	Least money.Cents // what a share of the pack brings at least
	Half  money.Cents
	Price money.Cents
	Grids bool // grids, not shares
}

// Kinds of lots, the smallest first.
const (
	lotLeast = iota
	lotLow
	lotMost
	lotWhole
)

// lotsOf works out the distribution of what one share of a pack brings, codes left out. Each multiple is drawn for itself among all of its format, so whatever
// is drawn at night, what it finds follows the hypergeometric law, and those of one pack are independent of each other: their gains are added by convolution.
// Each gain is divided and rounded first, as it is paid. Probabilities are kept in floats: they are drawn as whole shares of a hundred. nil where a gain of a rank
// is not known.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (the split).
func lotsOf(t *central.PackTerms, book *rulebook.Rulebook, prizes []pack.Prize) *lots {
	l := &lots{Price: t.SharePrice, Half: t.SharePrice / 2}
	if l.Price < 2 || l.Price > lotsPriceMax {
		return nil
	}
	part, ok := partsOf(t, book, prizes)
	if !ok || t.Multiples+t.Simples > lotsMax {
		return nil
	}
	sum := make([]float64, l.Price+1) // by cents; at the price and above it in the last
	sum[0] = 1
	add := func(n int64, f combin.Format) {
		one := shareOf(f, book, part, l.Price)
		l.Least = money.Add(l.Least, money.Mul(least(one), n))
		for range n {
			sum = convolve(sum, one)
		}
	}
	for _, f := range t.Formats {
		add(f.Count, combin.Format{Main: f.Main, Extra: f.Extra})
	}
	add(t.Simples, combin.Format{Main: book.Matrix.Main, Extra: book.Matrix.Extra})
	l.hundred(sum)
	return l
}

// partsOf is what one share receives of a gain at each rank. A rank that no published gain is known of counts as the rank after it, which pays less; a share
// of a jackpot is always more than a share costs.
func partsOf(t *central.PackTerms, book *rulebook.Rulebook, prizes []pack.Prize) (part map[int]money.Cents, ok bool) {
	part = map[int]money.Cents{}
	for _, p := range prizes {
		if p.Source == pack.Rank {
			part[p.Rank] = pack.Part(p.Gain, t.Shares)
		}
	}
	for _, r := range slices.Backward(book.Prizes.Ranks) {
		if _, known := part[r.Number]; !known {
			if r.Number == len(book.Prizes.Ranks) {
				return nil, false
			}
			part[r.Number] = part[r.Number+1]
		}
	}
	part[1] = max(part[1], t.SharePrice)
	return part, true
}

// Bounds of what is worked out while somebody waits for the page.
const (
	lotsMax      = 200    // combinations, multiple and simple
	lotsPriceMax = 10_000 // cents of a share
)

// shareOf is the distribution of what one combination of a format brings to a share, in cents, at most the price.
func shareOf(f combin.Format, book *rulebook.Rulebook, part map[int]money.Cents, price money.Cents) []float64 {
	m := book.Matrix
	out := make([]float64, price+1)
	all := float64(combin.Choose(m.MainOf, f.Main)) * float64(combin.Choose(m.ExtraOf, f.Extra))
	for main := 0; main <= min(f.Main, m.Main); main++ {
		for extra := 0; extra <= min(f.Extra, m.Extra); extra++ {
			ways := float64(combin.Choose(m.Main, main)) * float64(combin.Choose(m.MainOf-m.Main, f.Main-main)) *
				float64(combin.Choose(m.Extra, extra)) * float64(combin.Choose(m.ExtraOf-m.Extra, f.Extra-extra))
			if ways == 0 {
				continue
			}
			var gain money.Cents
			for i := 0; i <= main; i++ {
				for j := 0; j <= extra; j++ {
					n := combin.Choose(main, i) * combin.Choose(f.Main-main, m.Main-i) * combin.Choose(extra, j) * combin.Choose(f.Extra-extra, m.Extra-j)
					if rank := book.RankOf(i, j); rank > 0 && n > 0 {
						gain = min(price, money.Add(gain, money.Mul(part[rank], n)))
					}
				}
			}
			out[gain] += ways / all
		}
	}
	return out
}

// least is the smallest amount that has a chance.
func least(d []float64) money.Cents {
	return money.Cents(slices.IndexFunc(d, func(p float64) bool { return p > 0 }))
}

// convolve adds two independent amounts, both at most the price.
func convolve(a, b []float64) []float64 {
	out, last := make([]float64, len(a)), len(a)-1
	for j, q := range b {
		if q == 0 {
			continue
		}
		for i, p := range a {
			if p > 0 {
				out[min(i+j, last)] += p * q
			}
		}
	}
	return out
}

// hundred divides a hundred shares between the kinds, the largest remainders rounded up, so that they make a hundred.
func (l *lots) hundred(d []float64) {
	var of [4]float64
	for cents, p := range d {
		of[l.kind(money.Cents(cents))] += 100 * p
	}
	rest, order := 100, []int{0, 1, 2, 3}
	for k, x := range of {
		l.Of[k] = int(x)
		rest -= l.Of[k]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of[b]-float64(l.Of[b]), of[a]-float64(l.Of[a])) })
	for _, k := range order[:min(max(0, rest), len(order))] {
		l.Of[k]++
	}
	for k, x := range of {
		l.Tiny[k] = x > 0 && l.Of[k] == 0
	}
}

func (l *lots) kind(c money.Cents) int {
	switch {
	case c >= l.Price:
		return lotWhole
	case c <= l.Least:
		return lotLeast
	case c < l.Half:
		return lotLow
	}
	return lotMost
}

// lotClass is the class of each kind in the drawing.
var lotClass = [4]string{"a", "b", "c", "d"}

// lotRows is how many shares stand in a column of the drawing.
const lotRows = 4

// lot is a share in the drawing.
type lot struct{ Class, X, Y string }

// dots are the hundred shares, column by column.
func (l *lots) dots() (list []lot) {
	for k, n := range l.Of {
		for range n {
			i := len(list)
			list = append(list, lot{lotClass[k], strconv.Itoa(i/lotRows*10 + 5), strconv.Itoa(i%lotRows*10 + 5)})
		}
	}
	return list
}

// lotLine is a line of the key.
type lotLine struct{ Number, Words string }

// lines are the key, in words.
func (l *lots) lines(v *kit.Visit) (list []lotLine) {
	least := v.T("ne rapportent rien", "bring nothing")
	if l.Least > 0 {
		least = v.F("rapportent %s, le minimum", "bring %s, the least there is", v.Money(l.Least))
	}
	for k, words := range [4]string{
		least, v.F("rapportent davantage, mais moins de %s", "bring more, but less than %s", v.Money(l.Half)),
		v.F("rapportent de %s à moins de %s", "bring from %s to less than %s", v.Money(l.Half), v.Money(l.Price)), v.T("rapportent leur prix ou davantage", "bring their price or more"),
	} {
		switch {
		case l.Tiny[k]:
			list = append(list, lotLine{"< 1", words})
		case l.Of[k] > 0:
			list = append(list, lotLine{strconv.Itoa(l.Of[k]), words})
		}
	}
	return list
}

// words say the drawing to whoever does not see it.
func (l *lots) words(v *kit.Visit) string {
	text := v.T("Sur 100 parts", "Of 100 shares")
	if l.Grids {
		text = v.T("Sur 100 grilles", "Of 100 grids")
	}
	for i, line := range l.lines(v) {
		sep := ", "
		if i == 0 {
			sep = v.T(" : ", ": ")
		}
		text += sep + fmt.Sprintf("%s %s", line.Number, line.Words)
	}
	return text
}

// lotsSource says with which gains the lots are worked out.
func (c *choice) lotsSource(v *kit.Visit) string {
	return v.T("Avec les gains du tableau d'arrondi ci-dessous ; un rang qui n'y est pas compte comme le suivant.", "With the gains of the table of roundings below; a rank that is not there counts as the next one.")
}

// gridLots are the lots of a simple grid of one's own, under the gains of the rulebook or of the last published draw, nil where none are known.
func gridLots(v *kit.Visit, snap central.Snapshot, book *rulebook.Rulebook) (l *lots, day string, err error) {
	list, err := pack.FixedPrizes(book, 0)
	if err != nil {
		if list, day, err = publishedGains(v, snap, book.Header.Game); err != nil {
			return nil, "", err
		}
	}
	if l = lotsOf(&central.PackTerms{Shares: 1, SharePrice: book.Sale.Price, Simples: 1}, book, list); l != nil {
		l.Grids = true
	}
	return l, day, nil
}
