package pack_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
)

func of(simples int, multiples ...string) pack.Composition {
	c := pack.Composition{Simples: simples}
	for _, s := range multiples {
		m, err := pack.ParseMultiple(s)
		if err != nil {
			panic(err)
		}
		c.Multiples = append(c.Multiples, m)
	}
	return c
}

// The packs that were sold, and a few more: combinations, codes, price, price of a share.
func TestNew(t *testing.T) {
	covers.Covers(t, "P16", "P17", "P19", "P23", "P47", "P48", "P52", "P56")
	for _, c := range []struct {
		book         *rulebook.Rulebook
		composition  pack.Composition
		shares       int64
		combinations int64
		price, share money.Cents
	}{
		{loto(), of(0, "6x10*10"), 200, 600, 1_320_00, 6_60},                                                  // 22 June 2020
		{loto(), of(100), 50, 100, 220_00, 4_40},                                                              // a pack of 100, simples only
		{loto(), of(40, "6x10"), 100, 100, 220_00, 2_20},                                                      // multiples and simples
		{loto(), of(1), 1, 1, 2_20, 2_20},                                                                     // the smallest
		{loto(), of(0, "9x10*2"), 2_772, 2_520, 5_544_00, 2_00},                                               // the largest format
		{euromillions(), of(0, "6x12", "6x9*1", "5x4*8"), 330, 396 + 216 + 48, 1_650_00, 5_00},                // 660 combinations, 2025
		{euromillions(), of(0, "10x3", "6x12*1", "7x2*5", "5x2*3"), 420, 756 + 396 + 105 + 3, 3_150_00, 7_50}, // 1 260
		{euromillions(), of(0, "10x12"), 16_632, 16_632, 41_580_00, 2_50},                                     // as large as a pack may be
	} {
		got, err := pack.New(c.book, c.composition, c.shares)
		if err != nil {
			t.Errorf("%v in %d shares: %v", c.composition, c.shares, err)
			continue
		}
		if got.Combinations != c.combinations || got.Codes != c.combinations || got.Price != c.price || got.SharePrice != c.share {
			t.Errorf("%v in %d shares: %d combinations, %d codes, %v €, %v € a share; want %d, as many, %v €, %v €", c.composition,
				c.shares, got.Combinations, got.Codes, got.Price, got.SharePrice, c.combinations, c.price, c.share)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	none := loto()
	none.Pack, none.Header.Effective = nil, "2017-03-06"
	codesAlone := euromillions()
	codesAlone.Header.Game, codesAlone.Matrix = "mymillion", combin.Matrix{}
	for name, c := range map[string]struct {
		book        *rulebook.Rulebook
		composition pack.Composition
		shares      int64
		want        []string
	}{
		"no packs":         {none, of(10), 10, []string{"loto@2017-03-06 has no packs", "2018-10-29"}},
		"codes alone":      {codesAlone, of(10), 10, []string{"mymillion@2018-10-29 has no combinations"}},
		"format of Loto":   {loto(), of(0, "10x1"), 1, []string{"10x1", "5x1-10, 6x1-10, 7x1-10, 8x1-10, 9x1-10", "loto@2018-10-29:14.8"}},
		"eleven Chance":    {loto(), of(0, "6x11"), 1, []string{"6x11", "6x1-10"}},
		"format too small": {loto(), of(0, "4x10"), 1, []string{"4x10"}},
		"one star":         {euromillions(), of(0, "5x1"), 1, []string{"5x1", "5x2-12", "euromillions@2018-10-29:3.4.2.6"}},
		"eleven numbers":   {euromillions(), of(0, "11x2"), 1, []string{"11x2", "10x2-12"}},
		"empty":            {loto(), of(0), 10, []string{"empty pack", "at least 1 simple combination"}},
		"negative":         {loto(), of(-1), 10, []string{"-1 simple", "0 to 16632"}},
		"no multiple":      {loto(), pack.Composition{Multiples: []pack.Multiple{{combin.Format{Main: 6, Extra: 10}, 0}}}, 10, []string{"0 multiples of format 6x10", "at least 1"}},
		"too many simples": {loto(), of(16_633), 10, []string{"16633 simple", "at most 16632"}},
		"too many":         {loto(), of(1, "6x10*277", "5x1*11", "5x2"), 10, []string{"at most 16632"}},
		"a flood":          {loto(), of(0, "9x10*9223372036854775807"), 10, []string{"at most 16632"}},
		"no share":         {loto(), of(10), 0, []string{"0 shares", "1 to 100000"}},
		"too many shares":  {loto(), of(10), 100_001, []string{"100001 shares", "1 to 100000"}},
		"negative shares":  {loto(), of(10), -3, []string{"-3 shares"}},
		"fraction":         {loto(), of(0, "6x10*10"), 7, []string{"1320.00 € over 7 shares", "6 (220.00 €) and 8 (165.00 €)"}},
		"below a cent":     {loto(), of(1), 221, []string{"2.20 € over 221 shares", "the nearest 220 (0.01 €)"}},
	} {
		_, err := pack.New(c.book, c.composition, c.shares)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

// The normal form merges what is equal and calls a simple combination simple.
func TestNormal(t *testing.T) {
	got, err := pack.New(loto(), of(3, "7x2", "6x10*2", "5x1*4", "6x10*3", "6x2"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Composition.String(); s != "6x2*1 + 6x10*5 + 7x2*1 + 7 simple" {
		t.Errorf("normal form %q", s)
	}
	if n := got.Composition.MultipleCount(); n != 7 {
		t.Errorf("%d multiples, want 7", n)
	}
}

// Decomposition, price and shares agree with counting one by one, for every composition and number of shares.
func TestNewCounts(t *testing.T) {
	covers.Covers(t, "P16", "P17", "P23", "P47", "P48", "P56")
	rapid.Check(t, func(t *rapid.T) {
		book := rapid.SampledFrom([]*rulebook.Rulebook{loto(), euromillions()}).Draw(t, "book")
		c := pack.Composition{Simples: rapid.IntRange(0, 50).Draw(t, "simples")}
		want := c.Simples
		for range rapid.IntRange(0, 4).Draw(t, "kinds") {
			r := rapid.SampledFrom(book.Pack.Formats).Draw(t, "numbers")
			m := pack.Multiple{
				Format: combin.Format{Main: r.Main, Extra: rapid.IntRange(r.ExtraMin, min(r.ExtraMax, 5)).Draw(t, "extra")},
				Count:  rapid.IntRange(1, 3).Draw(t, "count"),
			}
			c.Multiples = append(c.Multiples, m)
			want += m.Count * subsets(m.Format.Main, book.Matrix.Main) * subsets(m.Format.Extra, book.Matrix.Extra)
		}
		shares := rapid.Int64Range(1, 500).Draw(t, "shares")
		price := book.Sale.Price * money.Cents(want)
		got, err := pack.New(book, c, shares)
		switch accepted := want > 0 && want <= pack.CombinationsMax && int64(price)%shares == 0; {
		case accepted != (err == nil):
			t.Fatalf("%v, %d combinations, %v € in %d shares: error %v", c, want, price, shares, err)
		case accepted && (got.Combinations != int64(want) || got.Codes != int64(want) || got.Price != price || got.SharePrice*money.Cents(shares) != price):
			t.Fatalf("%v in %d shares: %+v, want %d combinations at %v €", c, shares, got, want, price)
		}
	})
}

// subsets counts the subsets of k of n by walking through them all.
func subsets(n, k int) int {
	count := 0
	for set := range 1 << n {
		ones := 0
		for ; set != 0; set &= set - 1 {
			ones++
		}
		if ones == k {
			count++
		}
	}
	return count
}

// What the refusal recommends is accepted, and nothing nearer is.
func TestNearestSharesDivide(t *testing.T) {
	const price = 1_320_00
	for shares := int64(1); shares <= 1_000; shares++ {
		_, err := pack.SharePrice(price, shares)
		if (price%shares == 0) != (err == nil) {
			t.Fatalf("%d shares: %v", shares, err)
		}
	}
	if _, err := pack.SharePrice(price, 199); !strings.Contains(err.Error(), "nearest 176 (7.50 €) and 200 (6.60 €)") {
		t.Error(err)
	}
}

// A play is one or more shares of one pack: 1 to all of them, at the price of a share each.
func TestStake(t *testing.T) {
	covers.Covers(t, "P14", "P45")
	typ, err := pack.New(loto(), of(0, "6x10*10"), 200)
	if err != nil {
		t.Fatal(err)
	}
	for n := int64(-1); n <= 202; n++ {
		got, err := typ.Stake(n)
		if sold := 1 <= n && n <= 200; sold != (err == nil) || sold && got != money.Cents(n)*6_60 {
			t.Errorf("%d shares cost %v €, error %v", n, got, err)
		}
	}
}

func TestParseMultiple(t *testing.T) {
	for s, want := range map[string]pack.Multiple{
		"6x10*10": {combin.Format{Main: 6, Extra: 10}, 10},
		"6x10":    {combin.Format{Main: 6, Extra: 10}, 1},
		"5x2*1":   {combin.Format{Main: 5, Extra: 2}, 1},
	} {
		if got, err := pack.ParseMultiple(s); err != nil || got != want {
			t.Errorf("ParseMultiple(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "x", "6", "6x", "x10", "6x10*", "6x10*0", "0x10*1", "6x-1", "+6x10", "06x10", "6X10", "6x10x2", "6 x 10", "6x10*1*1", "6x1e1", "99999999999999999999x1"} {
		if _, err := pack.ParseMultiple(s); err == nil || !strings.Contains(err.Error(), "6x10*10") {
			t.Errorf("ParseMultiple(%q): %v", s, err)
		}
	}
}

func FuzzParseMultiple(f *testing.F) {
	for _, s := range []string{"6x10*10", "6x10", "5x2*1", "6x10*", "x*", "-1x2*3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := pack.ParseMultiple(s)
		if err != nil {
			return
		}
		if back := m.String(); back != s && back != s+"*1" {
			t.Errorf("%q reads as %v and prints as %q", s, m, back)
		}
	})
}
