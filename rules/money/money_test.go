package money_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tirage/internal/covers"
	"tirage/rules/money"
)

const (
	lowest  = money.Cents(math.MinInt64)
	highest = money.Cents(math.MaxInt64)
)

// amounts draws from the whole int64 range, its ends and zero more often than the rest.
func amounts() *rapid.Generator[money.Cents] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64(), func(i int64) money.Cents { return money.Cents(i) }),
		rapid.SampledFrom([]money.Cents{lowest, lowest + 1, -1, 0, 1, highest - 1, highest}),
	)
}

func gains() *rapid.Generator[money.Cents] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64Min(0), func(i int64) money.Cents { return money.Cents(i) }),
		rapid.Map(rapid.Int64Range(0, 20_000_000_00), func(i int64) money.Cents { return money.Cents(i) }),
	)
}

func counts() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Min(1), rapid.Int64Range(1, 2000))
}

func integer(i int64) *big.Int { return big.NewInt(i) }

// overflows reports whether f panics with [money.Overflow]; any other panic goes on.
func overflows(f func()) (overflow bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, overflow = p.(money.Overflow); !overflow {
				panic(p)
			}
		}
	}()
	f()
	return false
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// The thousandth of a euro alone decides: 5–9 up, 1–4 down whatever follows, 0 down even when more decimals follow.
func TestShareRoundsOnTheThousandth(t *testing.T) {
	covers.Covers(t, "P27", "P28", "P59", "P60")
	for _, c := range []struct {
		why    string
		gain   money.Cents
		shares int64
		want   money.Cents
	}{
		{"thousandth 0, nothing after", 1230, 10, 123},
		{"thousandth 1", 1231, 10, 123},
		{"thousandth 2", 1232, 10, 123},
		{"thousandth 3", 1233, 10, 123},
		{"thousandth 4", 1234, 10, 123},
		{"thousandth 5", 1235, 10, 124},
		{"thousandth 6", 1236, 10, 124},
		{"thousandth 7", 1237, 10, 124},
		{"thousandth 8", 1238, 10, 124},
		{"thousandth 9", 1239, 10, 124},
		{"0 then more: 1.23099", 123_099, 1000, 123},
		{"0 then more: 0.0001", 1, 100, 0},
		{"4 then more: 1.23499", 123_499, 1000, 123},
		{"5 and nothing after: 1.23500", 123_500, 1000, 124},
		{"5 then more: 1.23501", 123_501, 1000, 124},
		{"carries into the euro: 1.995", 1995, 10, 200},
		{"8 000 000 over 200", 8_000_000_00, 200, 40_000_00},
		{"12 914.50 over 200: 64.5725", 12_914_50, 200, 64_57},
		{"577.80 over 200: 2.889", 577_80, 200, 2_89},
		{"389.50 over 200: 1.9475", 389_50, 200, 1_95},
		{"5.00 over 200: 0.025", 5_00, 200, 3},
		{"2.20 over 200: 0.011", 2_20, 200, 1},
		{"1.00 over 200: 0.005", 1_00, 200, 1},
		{"0.99 over 200: 0.00495", 99, 200, 0},
		{"2.00 over 420: 0.00476", 2_00, 420, 0},
		{"2.10 over 420: 0.005", 2_10, 420, 1},
		{"190 000 000 over 420: 452 380.952", 190_000_000_00, 420, 452_380_95},
		{"a code of 1 000 000 over 330: 3 030.303", 1_000_000_00, 330, 3_030_30},
		{"one share", 12_34, 1, 12_34},
		{"nothing", 0, 7, 0},
	} {
		if got := money.Share(c.gain, c.shares); got != c.want {
			t.Errorf("%s: Share(%v, %d) = %v, want %v", c.why, c.gain, c.shares, got, c.want)
		}
	}
}

// Share against the words of the article, digit by digit on exact rationals.
func TestShareIsTheArticle(t *testing.T) {
	covers.Covers(t, "P27", "P28", "P59", "P60")
	rapid.Check(t, func(t *rapid.T) {
		gain, shares := gains().Draw(t, "gain"), counts().Draw(t, "shares")
		part := new(big.Rat).Mul(gain.Rat(), big.NewRat(1, shares)) // in cents
		tenths := new(big.Rat).Mul(part, big.NewRat(10, 1))
		digits := new(big.Int).Quo(tenths.Num(), tenths.Denom()) // thousandths of a euro, the rest cut off
		want, thousandth := new(big.Int).QuoRem(digits, integer(10), new(big.Int))
		if thousandth.Int64() >= 5 {
			want.Add(want, integer(1))
		}
		if got := money.Share(gain, shares); int64(got) != want.Int64() {
			t.Fatalf("Share(%v, %d) = %v, want %v cents", gain, shares, got, want)
		}
	})
}

func ExampleShare() {
	gain := 5 * money.Euro
	part := money.Share(gain, 200)
	fmt.Println(part, money.Sum(gain, -money.Mul(part, 200)))
	// Output: 0.03 -1.00
}

func TestFloorTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, step := gains().Draw(t, "a"), money.Cents(counts().Draw(t, "step"))
		want := new(big.Int).Quo(integer(int64(a)), integer(int64(step)))
		want.Mul(want, integer(int64(step)))
		if got := money.FloorTo(a, step); int64(got) != want.Int64() {
			t.Fatalf("FloorTo(%v, %v) = %v, want %v cents", a, step, got, want)
		}
	})
	if got := money.FloorTo(12_914_57, 10); got != 12_914_50 {
		t.Errorf("FloorTo = %v", got)
	}
}

func TestCeilDiv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, n, step := gains().Draw(t, "a"), counts().Draw(t, "n"), counts().Draw(t, "step")
		unit := new(big.Int).Mul(integer(n), integer(step))
		want := new(big.Int).Add(integer(int64(a)), unit)
		want.Sub(want, integer(1)).Quo(want, unit).Mul(want, integer(step))
		var got money.Cents
		overflow := overflows(func() { got = money.CeilDiv(a, n, money.Cents(step)) })
		if overflow == want.IsInt64() || (!overflow && int64(got) != want.Int64()) {
			t.Fatalf("CeilDiv(%v, %d, %d) = %v (overflow %v), want %v cents", a, n, step, got, overflow, want)
		}
	})
	// A jackpot of 10 M€ shared by three: 3 333 334 € each.
	if got := money.CeilDiv(10_000_000*money.Euro, 3, money.Euro); got != 3_333_334*money.Euro {
		t.Errorf("CeilDiv = %v", got)
	}
	if got := money.CeilDiv(1, math.MaxInt64, money.Euro); got != money.Euro {
		t.Errorf("CeilDiv of a cent over the largest count = %v", got)
	}
}

func TestMulDiv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, num, den := gains().Draw(t, "a"), gains().Draw(t, "num"), counts().Draw(t, "den")
		want := new(big.Int).Mul(integer(int64(a)), integer(int64(num)))
		want.Quo(want, integer(den))
		var got money.Cents
		overflow := overflows(func() { got = money.MulDiv(a, int64(num), den) })
		if overflow == want.IsInt64() || (!overflow && int64(got) != want.Int64()) {
			t.Fatalf("MulDiv(%v, %d, %d) = %v (overflow %v), want %v cents", a, num, den, got, overflow, want)
		}
	})
	if !overflows(func() { money.MulDiv(highest, 2, 1) }) || money.MulDiv(highest, math.MaxInt64, math.MaxInt64) != highest {
		t.Error("MulDiv at the end of the range")
	}
}

func TestAddAndMulPanicOutOfRange(t *testing.T) {
	type operation struct {
		name  string
		ours  func(a, b money.Cents) money.Cents
		exact func(z, a, b *big.Int) *big.Int
	}
	for _, op := range []operation{
		{"Add", money.Add, (*big.Int).Add},
		{"Sum", func(a, b money.Cents) money.Cents { return money.Sum(a, b) }, (*big.Int).Add},
		{"Mul", func(a, b money.Cents) money.Cents { return money.Mul(a, int64(b)) }, (*big.Int).Mul},
	} {
		check := func(t rapid.TB, a, b money.Cents) {
			want := op.exact(new(big.Int), integer(int64(a)), integer(int64(b)))
			var got money.Cents
			overflow := overflows(func() { got = op.ours(a, b) })
			if overflow == want.IsInt64() || (!overflow && int64(got) != want.Int64()) {
				t.Errorf("%s(%d, %d) = %d (overflow %v), want %v", op.name, int64(a), int64(b), int64(got), overflow, want)
			}
		}
		t.Run(op.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { check(t, amounts().Draw(t, "a"), amounts().Draw(t, "b")) })
			ends := []money.Cents{lowest, lowest + 1, lowest / 2, -2, -1, 0, 1, 2, highest / 2, highest - 1, highest}
			for _, a := range ends {
				for _, b := range ends {
					check(t, a, b)
				}
			}
		})
	}
	if money.Sum() != 0 {
		t.Error("the sum of nothing is not 0")
	}
}

// The rounded parts together differ from the gain, either way, by at most half a cent for each share.
func TestShareLeavesAtMostHalfACentAShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gain := money.Cents(rapid.Int64Range(0, int64(money.Limit)).Draw(t, "gain"))
		shares := rapid.Int64Range(1, 2000).Draw(t, "shares")
		diff := gain - money.Mul(money.Share(gain, shares), shares)
		if 2*max(diff, -diff) > money.Cents(shares) {
			t.Fatalf("%v over %d shares leaves %v", gain, shares, diff)
		}
	})
}

func TestBrokenArgumentsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"share of a debt":      func() { money.Share(-1, 2) },
		"no share":             func() { money.Share(1, 0) },
		"floor of a debt":      func() { money.FloorTo(-1, 10) },
		"floor to nothing":     func() { money.FloorTo(1, 0) },
		"debt divided":         func() { money.CeilDiv(-1, 1, 1) },
		"divided by none":      func() { money.CeilDiv(1, 0, 1) },
		"no step":              func() { money.CeilDiv(1, 1, 0) },
		"part of a debt":       func() { money.MulDiv(-1, 1, 1) },
		"negative part":        func() { money.MulDiv(1, -1, 1) },
		"part over nothing":    func() { money.MulDiv(1, 1, 0) },
		"part over a negative": func() { money.MulDiv(1, 1, -1) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestPrinting(t *testing.T) {
	for _, c := range []struct {
		cents                 money.Cents
		text, french, english string
	}{
		{0, "0.00", "0,00\u00a0€", "€0.00"},
		{5, "0.05", "0,05\u00a0€", "€0.05"},
		{-5, "-0.05", "\u22120,05\u00a0€", "\u2212€0.05"},
		{99_999, "999.99", "999,99\u00a0€", "€999.99"},
		{132_000, "1320.00", "1\u202f320,00\u00a0€", "€1,320.00"},
		{-1_320, "-13.20", "\u221213,20\u00a0€", "\u2212€13.20"},
		{190_000_000_00, "190000000.00", "190\u202f000\u202f000,00\u00a0€", "€190,000,000.00"},
		{-123_456_78, "-123456.78", "\u2212123\u202f456,78\u00a0€", "\u2212€123,456.78"},
		{
			lowest, "-92233720368547758.08", "\u221292\u202f233\u202f720\u202f368\u202f547\u202f758,08\u00a0€",
			"\u2212€92,233,720,368,547,758.08",
		},
	} {
		if got := c.cents.String(); got != c.text {
			t.Errorf("String(%d) = %q, want %q", int64(c.cents), got, c.text)
		}
		if got := c.cents.French(); got != c.french {
			t.Errorf("French(%d) = %q, want %q", int64(c.cents), got, c.french)
		}
		if got := c.cents.English(); got != c.english {
			t.Errorf("English(%d) = %q, want %q", int64(c.cents), got, c.english)
		}
	}
}

// What pages print is the amount: without its spaces and signs it is the text of the same cents.
func TestPagesPrintTheSameCents(t *testing.T) {
	french := strings.NewReplacer("\u202f", "", "\u00a0€", "", ",", ".", "\u2212", "-")
	english := strings.NewReplacer(",", "", "€", "", "\u2212", "-")
	rapid.Check(t, func(t *rapid.T) {
		c := amounts().Draw(t, "cents")
		if got := french.Replace(c.French()); got != c.String() {
			t.Fatalf("French %q says %q, want %q", c.French(), got, c)
		}
		if got := english.Replace(c.English()); got != c.String() {
			t.Fatalf("English %q says %q, want %q", c.English(), got, c)
		}
	})
}

func TestParse(t *testing.T) {
	for s, want := range map[string]money.Cents{
		"0": 0, "6": 600, "6.6": 660, "6.60": 660, "6,60": 660, "0.05": 5, "007": 700,
		"13000000,00": 13_000_000_00, "29272,9": 29_272_90, "10000000000000.00": money.Limit,
	} {
		if got, err := money.Parse(s); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", ".", ",", ".5", "5.", "5,", "1.234", "1,234.50", "1.2.3", "1,2,3", "1,.2", "-1", "+1", "−1", "1e-12", "1e18", "NaN", "Inf", "0x10", "1_000",
		" 1", "1 ", "1 320,00", "1\u202f320,00", "6,60 €", "٣", "1.é", "1.\xff", "10000000000000.01", "99999999999999", "100000000000000", strings.Repeat("0", 15),
	} {
		if got, err := money.Parse(s); !errors.Is(err, money.ErrSyntax) {
			t.Errorf("Parse(%q) = %v, %v, want a refusal", s, got, err)
		}
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := money.Cents(rapid.Int64Range(0, int64(money.Limit)).Draw(t, "cents"))
		for _, s := range []string{c.String(), strings.Replace(c.String(), ".", ",", 1)} {
			if got, err := money.Parse(s); err != nil || got != c {
				t.Fatalf("Parse(%q) = %v, %v", s, got, err)
			}
		}
	})
}

// What Parse accepts is the amount that exact arithmetic reads; what it refuses is no plain amount within the limit.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "6,60", "6.6", "13000000,00", "10000000000000", "-1", "1e3", "1/2", "0b1", "1.234", "1..", "é", "00000000000000.99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := money.Parse(s)
		if err != nil {
			if !errors.Is(err, money.ErrSyntax) || len(err.Error()) > 500 {
				t.Fatalf("Parse(%q): error %v", s, err)
			}
			return
		}
		if strings.Trim(s, "0123456789.,") != "" || got < 0 || got > money.Limit {
			t.Fatalf("Parse(%q) = %v accepted", s, got)
		}
		euros, ok := new(big.Rat).SetString(strings.Replace(s, ",", ".", 1))
		if !ok || euros.Mul(euros, big.NewRat(100, 1)).Cmp(got.Rat()) != 0 {
			t.Fatalf("Parse(%q) = %v", s, got)
		}
	})
}
