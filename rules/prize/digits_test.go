package prize_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// The rank is what counting the equal digits from the right gives.
func TestDigitRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "length")
		number := rapid.StringMatching(fmt.Sprintf("[0-9]{%d}", n))
		drawn, played := number.Draw(t, "drawn"), number.Draw(t, "played")
		if keep := rapid.IntRange(0, n).Draw(t, "keep"); keep > 0 {
			played = played[:n-keep] + drawn[n-keep:]
		}
		right := 0
		for right < n && drawn[n-1-right:] == played[n-1-right:] {
			right++
		}
		want := n - right + 1
		if right == 0 {
			want = 0
		}
		if got, err := prize.DigitRank(drawn, played); got != want || err != nil {
			t.Fatalf("%s against %s: rank %d, %v, want %d", played, drawn, got, err, want)
		}
	})
}

func TestFormatDigits(t *testing.T) {
	for digits, want := range map[string]string{"5697395": "5 697 395", "0000000": "0 000 000", "12": "12", "123": "123", "1234": "1 234", "": ""} {
		if got := prize.FormatDigits(digits); got != want {
			t.Errorf("%q is printed %q, want %q", digits, got, want)
		}
		if got, err := prize.ParseDigits(want, len(digits)); got != digits || err != nil {
			t.Errorf("%q is read as %q, %v", want, got, err)
		}
	}
	for _, bad := range []string{"", "569739", "56973955", "569739x", "-697395", "5697395\x00", "５697395", "5.697.395", "+697395", "1e-0012"} {
		if got, err := prize.ParseDigits(bad, 7); err == nil || !strings.Contains(err.Error(), "1 234 567") {
			t.Errorf("%q is read as %q, %v", bad, got, err)
		}
	}
}

func FuzzParseDigits(f *testing.F) {
	for _, s := range []string{"5 697 395", "5697395", "", " ", "1 2 3 4 5 6 7", "5\u00a0697\u00a0395"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		digits, err := prize.ParseDigits(s, 7)
		if err != nil {
			return
		}
		if again, err := prize.ParseDigits(prize.FormatDigits(digits), 7); again != digits || err != nil || len(digits) != 7 {
			t.Errorf("%q is read as %q, printed and read as %q, %v", s, digits, again, err)
		}
	})
}

// No cent of a game of digits is lost or made: the stakes are placed, the prizes hold what is due.
func TestSettleDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := prize.BP(rapid.Int64Range(0, 10_000).Draw(t, "share"))
		endowment := prize.BP(rapid.Int64Range(0, int64(10_000-share)).Draw(t, "endowment"))
		stakes := money.Cents(rapid.Int64Range(0, int64(prize.Bound)).Draw(t, "stakes"))
		due := money.Cents(rapid.Int64Range(0, int64(prize.Bound)).Draw(t, "due"))
		moves, err := prize.SettleDigits(share, endowment, stakes, due)
		if err != nil {
			t.Fatal(err)
		}
		balance := map[prize.Account]money.Cents{prize.Stakes: stakes}
		for _, m := range moves {
			balance[m.From] -= m.Cents
			balance[m.To] += m.Cents
		}
		if balance[prize.Stakes] != 0 || balance[prize.Prizes] != due || balance[prize.Operator] < 0 {
			t.Fatalf("stakes of %v and gains of %v leave %v", stakes, due, balance)
		}
	})
	for _, c := range []struct {
		share, endowment prize.BP
		stakes, due      money.Cents
	}{{-1, 0, 1, 1}, {0, -1, 1, 1}, {9_000, 1_001, 1, 1}, {1, 1, -1, 0}, {1, 1, 0, -1}, {1, 1, prize.Bound + 1, 0}, {1, 1, 0, prize.Bound + 1}} {
		if moves, err := prize.SettleDigits(c.share, c.endowment, c.stakes, c.due); err == nil {
			t.Errorf("%+v: %v", c, moves)
		}
	}
}
