package central_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tirage/central"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// A purchase that lacks funds, a deposit, the purchase again under the same key: bought once, and until then visibly not bought.
func TestCase06TopUpInTheMiddle(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 10_000, 100)
	buy := central.Request{Principal: central.PlayerPrincipal(id), Key: "purchase", Command: play(id, draw, 1)}
	if _, err := w.Register.Do(t.Context(), buy); central.CodeOf(err) != central.Insufficient {
		t.Fatal(err)
	}
	if got := w.Balance(id); got != 100 {
		t.Errorf("balance %v after the refusal, want 1.00", got)
	}
	w.Deposit(id, 900)
	first, err := w.Register.Do(t.Context(), buy)
	if err != nil || first.Replayed {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := w.Register.Do(t.Context(), buy)
	if err != nil || !again.Replayed || string(again.Result) != string(first.Result) {
		t.Errorf("%+v, %v", again, err)
	}
	w.CheckBooks()
	if got := w.Balance(id); got != 780 {
		t.Errorf("balance %v, want 7.80", got)
	}
}

// Amounts and ids above 2³¹ keep every digit: ids travel as text, and no amount is accepted that a double could not hold.
func TestCase29LargeNumbers(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, func(c *central.Config) { c.Node = central.MaxNodes - 1 })
	r := w.Do("system", central.CreatePlayer{Name: "one"})
	var created central.PlayerCreated
	storetest.Result(w, r, &created)
	if created.Player < 1<<31 || !strings.Contains(string(r.Result), `"player":"`) {
		t.Errorf("%s", r.Result)
	}
	const cents = money.Limit - 1
	w.Do("system", central.Deposit{Player: created.Player, Cents: cents})
	if got := w.Balance(created.Player); got != cents || money.Limit > 1<<53 {
		t.Errorf("balance %v, want %v", got, cents)
	}
	var asked central.PaymentState
	storetest.Result(w, w.Do(central.PlayerPrincipal(created.Player), central.RequestWithdrawal{Player: created.Player, Cents: cents}), &asked)
	player, id, err := central.ParsePaymentName(asked.Payment)
	if err != nil || player != created.Player || id>>48 != central.MaxNodes-1 {
		t.Errorf("%s is read as %d, %d, %v", asked.Payment, player, id, err)
	}
	w.Do("provider/test", storetest.Settled(w, asked, true))
	if got := w.Balance(created.Player); got != 0 {
		t.Errorf("balance %v, want 0.00", got)
	}
}

// What is no amount of cents is refused before it is a command, whatever the field.
func TestCase30Amounts(t *testing.T) {
	for _, text := range []string{"1e-12", "NaN", "1e18", "1,5", "1.5", `"1,5"`, `"1"`, "Infinity", "0x10", "9223372036854775808", "null5", "+1", "01", "{}", "[1]", "true"} {
		for _, c := range []any{new(central.RequestDeposit), new(central.RequestWithdrawal), new(central.SetLimit), new(central.SettlePayment)} {
			if err := json.Unmarshal([]byte(`{"player":"1","cents":`+text+`}`), c); err == nil {
				t.Errorf("%s is read as %+v", text, c)
			}
		}
		if c, err := money.Parse(text); err == nil && text != "1,5" && text != "1.5" && text != "01" {
			t.Errorf("%s is read as %v", text, c)
		}
	}
	w, _ := shop(t)
	id := w.Registered("one", 10_000, 0)
	for _, cents := range []money.Cents{-1, 0, 1_000_000_000_000_000_000} {
		w.Why("amount", central.PlayerPrincipal(id), central.RequestDeposit{Player: id, Cents: cents})
		w.Why("amount", central.PlayerPrincipal(id), central.RequestWithdrawal{Player: id, Cents: cents})
	}
	w.Why("limit.amount", central.PlayerPrincipal(id), central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 1_000_000_000_000_000_000})
}

func FuzzParsePaymentName(f *testing.F) {
	f.Add("1-0-1")
	f.Add("281474976710657-15-9")
	f.Add("-1-0-1")
	f.Fuzz(func(t *testing.T, s string) {
		if player, id, err := central.ParsePaymentName(s); err == nil && central.PaymentName(player, id) != s {
			t.Errorf("%q is read as %d, %d", s, player, id)
		}
	})
}

func FuzzNormalEmail(f *testing.F) {
	f.Add("Zoe@Example.org")
	f.Add("a..b@example.org")
	f.Add("é@exämple.fr")
	f.Fuzz(func(t *testing.T, s string) {
		email, err := central.NormalEmail(s)
		if err != nil {
			return
		}
		again, err := central.NormalEmail(email)
		if err != nil || again != email || central.LoginName(s) != central.LoginName(email) || strings.ContainsAny(email, " \r\n\t,;<>\"") {
			t.Errorf("%q becomes %q, then %q, %v", s, email, again, err)
		}
	})
}
