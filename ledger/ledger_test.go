package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"tirage/ledger"
	"tirage/rules/money"
)

// The chart of accounts: every constructor, its name, whether its balance may be negative.
func TestChart(t *testing.T) {
	for _, c := range []struct {
		account ledger.Account
		name    string
		kind    string
		mayOwe  bool
	}{
		{ledger.Bank, "bank", "bank", true},
		{ledger.Player(42), "player/42", "player", false},
		{ledger.Withdrawal(7), "withdrawal/7", "withdrawal", false},
		{ledger.Stakes("loto-2020-06-22"), "stakes/loto-2020-06-22", "stakes", false},
		{ledger.Prizes("loto-2020-06-22"), "prizes/loto-2020-06-22", "prizes", false},
		{ledger.Operator("loto"), "operator/loto", "operator", true},
		{ledger.Unsold("loto-2020-06-22"), "unsold/loto-2020-06-22", "unsold", true},
		{ledger.Reserve("mymillion"), "fund/mymillion/reserve", "fund", true},
		{ledger.Carry("euromillions"), "fund/euromillions/carry", "fund", true},
		{ledger.Counterpart("loto"), "fund/loto/counterpart", "fund", true},
		{ledger.Super("euromillions"), "fund/euromillions/super", "fund", true},
		{ledger.Rounding("loto-2020-06-22"), "rounding/loto-2020-06-22", "rounding", true},
		{ledger.Crumbs("loto-2020-06-22"), "crumbs/loto-2020-06-22", "crumbs", false},
		{ledger.Claims("loto-2020-06-22"), "claims/loto-2020-06-22", "claims", false},
		{ledger.Outside("loto-2020-06-22"), "outside/loto-2020-06-22", "outside", true},
		{"another/thing", "another/thing", "another", false},
	} {
		if string(c.account) != c.name || c.account.Kind() != c.kind || c.account.MayOwe() != c.mayOwe {
			t.Errorf("%s of kind %s, may owe %v; want %s, %s, %v", c.account, c.account.Kind(), c.account.MayOwe(), c.name, c.kind, c.mayOwe)
		}
	}
}

func TestPlayerID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64().Draw(t, "id")
		if got, ok := ledger.Player(id).PlayerID(); !ok || got != id {
			t.Fatalf("%s: player %d, %v", ledger.Player(id), got, ok)
		}
	})
	for _, a := range []ledger.Account{"player", "player/", "player/x", "player/+7", "player/007", "player/7/8", "player/9223372036854775808", "stakes/7", ledger.Bank, ""} {
		if id, ok := a.PlayerID(); ok {
			t.Errorf("%q is taken for player %d", a, id)
		}
	}
}

func TestCheck(t *testing.T) {
	a, b := ledger.Player(1), ledger.Stakes("d")
	for _, c := range []struct {
		posting ledger.Posting
		want    string // "": accepted
	}{
		{ledger.Posting{From: a, To: b, Cents: 1}, ""},
		{ledger.Posting{From: a, To: b, Cents: money.Limit}, ""},
		{ledger.Posting{From: a, To: b, Cents: 0}, "posting of 0.00 from player/1 to stakes/d: accepted amounts are above 0"},
		{ledger.Posting{From: a, To: b, Cents: -1}, "posting of -0.01"},
		{ledger.Posting{From: a, To: b, Cents: money.Limit + 1}, "at most " + money.Limit.String()},
		{ledger.Posting{From: a, To: a, Cents: 1}, "two different accounts are needed"},
		{ledger.Posting{To: b, Cents: 1}, `from "" to "stakes/d"`},
		{ledger.Posting{From: a, Cents: 1}, `from "player/1" to ""`},
	} {
		err := c.posting.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.posting, err, c.want)
		}
	}
}

// Whatever its sign, an amount that goes from a to b leaves a with that much less and b with that much more.
func TestSigned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := money.Cents(rapid.Int64Range(-int64(money.Limit), int64(money.Limit)).Draw(t, "cents"))
		p, ok := ledger.Signed("a", "b", cents)
		if !ok {
			if cents != 0 || p != (ledger.Posting{}) {
				t.Fatalf("%v: %+v", cents, p)
			}
			return
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		got := map[ledger.Account]money.Cents{p.From: -p.Cents, p.To: p.Cents}
		if got["a"] != -cents || got["b"] != cents {
			t.Fatalf("%v from a to b: %v", cents, got)
		}
	})
}

func Example() {
	stake := ledger.Posting{From: ledger.Player(42), To: ledger.Stakes("loto-2020-06-22"), Cents: 660}
	fmt.Println(stake.From, stake.To, stake.Cents, stake.Check())
	id, _ := stake.From.PlayerID()
	fmt.Println(id, stake.From.MayOwe(), ledger.Bank.MayOwe())
	// Output:
	// player/42 stakes/loto-2020-06-22 6.60 <nil>
	// 42 false true
}
