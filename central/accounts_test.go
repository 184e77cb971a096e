package central_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

func applicant(change func(*central.RegisterPlayer)) central.RegisterPlayer {
	c := central.RegisterPlayer{Given: "Zoé", Family: "d’Été-Noël", Birth: "1980-02-29", Email: "zoe@example.org", Password: "$argon2id$v=19$secret"}
	change(&c)
	return c
}

func TestRegisterRefuses(t *testing.T) {
	w, _ := shop(t)
	for _, row := range []struct {
		reason, field string
		change        func(*central.RegisterPlayer)
	}{
		{"account.name", "given", func(c *central.RegisterPlayer) { c.Given = "" }},
		{"account.name", "given", func(c *central.RegisterPlayer) { c.Given = " - " }},
		{"account.name", "family", func(c *central.RegisterPlayer) { c.Family = "<b>" }},
		{"account.name", "family", func(c *central.RegisterPlayer) { c.Family = "a\x00b" }},
		{"account.name", "family", func(c *central.RegisterPlayer) { c.Family = "\xff" }},
		{"account.name", "family", func(c *central.RegisterPlayer) { c.Family = strings.Repeat("a", 101) }},
		{"account.birth", "birth", func(c *central.RegisterPlayer) { c.Birth = "29/02/1980" }},
		{"account.birth", "birth", func(c *central.RegisterPlayer) { c.Birth = "1981-02-29" }},
		{"account.birth", "birth", func(c *central.RegisterPlayer) { c.Birth = "1880-01-01" }},
		{"account.minor", "birth", func(c *central.RegisterPlayer) { c.Birth = "2002-06-21" }},
		{"account.minor", "birth", func(c *central.RegisterPlayer) { c.Birth = "2999-01-01" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "zoe" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "zoe@" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "zoe@localhost" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "zoe@example..org" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "zo e@example.org" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "z@a@example.org" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = "z\r\nBcc: x@example.org" }},
		{"account.email", "email", func(c *central.RegisterPlayer) { c.Email = strings.Repeat("a", 65) + "@example.org" }},
		{"account.password", "password", func(c *central.RegisterPlayer) { c.Password = "correct horse" }},
	} {
		if r := w.Why(row.reason, "visitor", applicant(row.change)); r.Field != row.field {
			t.Errorf("%s: about field %q, want %q", row.reason, r.Field, row.field)
		}
	}
	w.Do("visitor", applicant(func(*central.RegisterPlayer) {}))
	w.Why("account.email_taken", "visitor", applicant(func(c *central.RegisterPlayer) { c.Email, c.Given = "  ZOE@Example.ORG ", "Léa" }))
	w.Why("player.bare", "system", central.CreatePlayer{Name: "bare"})
	w.Why("player.bare", "system", central.Deposit{Player: 1, Cents: 100})
}

// One is 18 on the day in Paris, whatever the day elsewhere: at 22:00 UTC in summer, 23:00 in winter, on the days on which clocks change too.
func TestEighteenOnTheDayInParis(t *testing.T) {
	for _, row := range []struct{ birth, first string }{
		{"2002-06-22", "2020-06-21T22:00:00Z"},
		{"2002-01-10", "2020-01-09T23:00:00Z"},
		{"2002-03-29", "2020-03-28T23:00:00Z"}, // clocks go forward in the night after it began
		{"2002-03-30", "2020-03-29T22:00:00Z"},
		{"2002-10-25", "2020-10-24T22:00:00Z"}, // clocks go back
		{"2002-10-26", "2020-10-25T23:00:00Z"},
		{"2004-02-29", "2022-02-28T23:00:00Z"}, // on 1 March of a common year
		{"2002-01-01", "2019-12-31T23:00:00Z"},
	} {
		w := storetest.NewWorld(t, &mem.Store{})
		first, err := time.Parse(time.RFC3339, row.first)
		if err != nil {
			t.Fatal(err)
		}
		c := applicant(func(c *central.RegisterPlayer) { c.Birth = row.birth })
		w.Clock.Set(first.Add(-time.Microsecond))
		w.Why("account.minor", "visitor", c)
		w.Clock.Set(first)
		w.Do("visitor", c)
	}
}

// The ban list fails closed: no answer, an old one, one from the future, one about another person, one that is not signed by the list.
func TestBanListFailsClosed(t *testing.T) {
	w, draw := shop(t)
	id, other := w.Applicant("one"), w.Applicant("two")
	w.Do(central.SystemPrincipal, central.VerifyIdentity{Player: id, Evidence: "passport"})
	person := storetest.Get[central.Person](w, central.Key{Table: central.Persons, N: id})
	now := w.Clock.Now()
	foreign, err := central.SignPaper(central.Clearance{Person: person.Digest(), At: now.UnixMicro()}, w.Keys.Operator)
	if err != nil {
		t.Fatal(err)
	}
	at := func(d time.Duration) string {
		w.Clock.Set(now.Add(d))
		defer w.Clock.Set(now)
		return w.Clear(id, false)
	}
	for _, row := range []struct{ reason, clearance string }{
		{"banlist.unavailable", ""},
		{"paper.signature", "trust me"},
		{"paper.signature", foreign},
		{"banlist.person", w.Clear(other, false)},
		{"banlist.stale", at(-central.ClearanceAge - time.Microsecond)},
		{"banlist.stale", at(time.Minute + time.Microsecond)},
		{"player.banned", w.Clear(id, true)},
	} {
		w.Why(row.reason, central.SystemPrincipal, central.ConfirmIdentity{Player: id, Clearance: row.clearance})
	}
	w.Do(central.SystemPrincipal, central.ConfirmIdentity{Player: id, Clearance: at(-central.ClearanceAge)})
	me := central.PlayerPrincipal(id)
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 1000})
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitDeposits, Cents: 1000})
	// The same at the login, without which nothing is staked.
	login := w.Session(id, true)
	login.Clearance = ""
	w.Why("banlist.unavailable", "system", login)
	login.Clearance = w.Clear(id, true)
	w.Why("player.banned", "system", login)
	w.Why("session.play", me, play(id, draw, 1))
	w.Login(id)
	w.Deposit(id, 900)
	w.Do(me, play(id, draw, 1))
	// Named later, while a session is open: play ends, money can be withdrawn.
	login.Play = false
	w.Do("system", login)
	w.Why("player.banned", me, play(id, draw, 1))
	w.Why("player.banned", me, central.RequestDeposit{Player: id, Cents: 100})
	w.Do(me, central.RequestWithdrawal{Player: id, Cents: 100})
	// And taken off the list.
	w.Login(id)
	w.Do(me, play(id, draw, 1))
}

// A player's name is the same to the ban list however it is written.
func TestPersonDigest(t *testing.T) {
	a := &central.Person{Given: "Zoé Marie", Family: "D’Été-Noël", Birth: "1980-02-29"}
	for _, b := range []central.Person{
		{Given: "ZOE-MARIE", Family: "d'ete noel", Birth: a.Birth}, {Given: " Zoe\u0301  marie", Family: "D'ÉTÉ NOËL", Birth: a.Birth},
	} {
		if a.Digest() != b.Digest() {
			t.Errorf("%+v and %+v differ", *a, b)
		}
	}
	if b := (central.Person{Given: "Zoé", Family: "D’Été-Noël", Birth: a.Birth}); a.Digest() == b.Digest() {
		t.Error("another given name is the same")
	}
}

// Attempts are counted before the password is looked at: of many at the same time few get through. Waits grow; a success forgets them.
func TestLockOut(t *testing.T) {
	w, _ := shop(t)
	id := w.Applicant("one")
	for _, email := range []string{"one@example.org", "nobody@example.org"} {
		name := central.LoginName(email)
		var wg sync.WaitGroup
		var mu sync.Mutex
		through := 0
		for i := range 100 {
			wg.Go(func() {
				_, err := w.Register.Do(t.Context(), central.Request{Principal: "system", Key: fmt.Sprintf("%.40s%d", name, i), Command: central.TryLogin{Name: name}})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					through++
				} else if r := new(central.Refusal); !errors.As(err, &r) || r.Reason != "login.locked" {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if through != 5 {
			t.Fatalf("%s: %d attempts at the same time got through, want 5", email, through)
		}
		now := w.Clock.Now()
		for _, wait := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
			w.Clock.Set(now.Add(wait - time.Microsecond))
			w.Why("login.locked", "system", central.TryLogin{Name: name})
			now = now.Add(wait)
			w.Clock.Set(now)
			w.Do("system", central.TryLogin{Name: name})
		}
	}
	w.Why("principal.system", "visitor", central.TryLogin{Name: central.LoginName("one@example.org")})
	w.Why("login.name", "system", central.TryLogin{Name: "one@example.org"})
	open := w.Session(id, false)
	open.Name = central.LoginName("nobody@example.org")
	w.Why("login.name", "system", open)
	open.Name = central.LoginName("one@example.org")
	w.Do("system", open)
	w.Do("system", central.TryLogin{Name: open.Name})
	// A day without an attempt forgets them too.
	w.Clock.Set(w.Clock.Now().Add(25 * time.Hour))
	var tried central.Tried
	storetest.Result(w, w.Do("system", central.TryLogin{Name: central.LoginName("nobody@example.org")}), &tried)
	if tried.Tries != 1 {
		t.Errorf("%d tries after a day, want 1", tried.Tries)
	}
	// The address that was tried before can be registered.
	w.Do("visitor", applicant(func(c *central.RegisterPlayer) { c.Email = "nobody@example.org" }))
}

func TestSessions(t *testing.T) {
	w, _ := shop(t)
	id := w.Registered("one", 1000, 0)
	me := central.PlayerPrincipal(id)
	first, stale := w.Login(id), w.Session(id, true)
	w.Why("principal.system", me, stale)
	w.Why("principal.other", "player/999", central.CloseSession{Player: id, Session: first})
	w.Why("session.unknown", me, central.CloseSession{Player: id, Session: first + 100})
	w.Do(me, central.CloseSession{Player: id, Session: first})
	w.Do(me, central.CloseSession{Player: id, Session: first}) // twice is once
	w.Why("principal.other", "player/999", central.RevokeSessions{Player: id})
	w.Do(me, central.RevokeSessions{Player: id})
	w.Why("session.credential", "system", stale)
	w.Why("session.credential", "system", central.SetPassword{Player: id, Credential: 1, Password: "$argon2id$new"})
	w.Do("system", central.SetPassword{Player: id, Credential: 2, Password: "$argon2id$new"})
	short := w.Session(id, false)
	short.Hash = []byte{1}
	w.Why("session.hash", "system", short)
}

// Deposits through a provider: told twice, out of order, with a wrong amount, by somebody else.
func TestDeposits(t *testing.T) {
	w, _ := shop(t)
	id := w.Registered("one", 100_000, 0)
	me := central.PlayerPrincipal(id)
	ask := func(cents money.Cents) (s central.PaymentState) {
		storetest.Result(w, w.Do(me, central.RequestDeposit{Player: id, Cents: cents}), &s)
		return s
	}
	a, b := ask(1000), ask(2000)
	if a.State != central.PaymentRequested || a.Balance != 0 {
		t.Fatalf("%+v", a)
	}
	paid := storetest.Settled(w, a, true)
	w.Why("principal.provider", me, paid)
	w.Why("principal.provider", central.SystemPrincipal, paid)
	early := paid
	early.Payment += 1000
	w.Why("payment.unknown", "provider/test", early)
	for _, cents := range []money.Cents{999, 1001, 0, -1000, 100_000} {
		wrong := paid
		wrong.Cents = cents
		w.Why("payment.amount", "provider/test", wrong)
	}
	w.Do("provider/test", paid)
	w.Do("provider/test", paid) // again, as another message
	if got := w.Balance(id); got != 1000 {
		t.Fatalf("balance %v, want 10.00", got)
	}
	failed := paid
	failed.Paid = false
	w.Why("payment.settled", "provider/test", failed)
	other := paid
	other.Reference = "another"
	w.Why("payment.settled", "provider/test", other)
	stolen := storetest.Settled(w, b, true)
	stolen.Reference = paid.Reference
	w.Why("payment.reference_used", "provider/test", stolen)
	w.Do("provider/other", stolen) // the references of another provider are its own
	c := ask(500)
	w.Do("provider/test", storetest.Settled(w, c, false))
	late := storetest.Settled(w, c, true)
	w.Why("payment.settled", "provider/test", late)
	for _, ref := range []string{"", "\x00", strings.Repeat("r", 101)} {
		late.Reference = ref
		w.Why("payment.reference", "provider/test", late)
	}
	for _, cents := range []money.Cents{0, -1, money.Limit + 1, 1<<62 + 1} {
		w.Why("amount", me, central.RequestDeposit{Player: id, Cents: cents})
		w.Why("amount", me, central.RequestWithdrawal{Player: id, Cents: cents})
	}
	if got := w.Balance(id); got != 3000 {
		t.Errorf("balance %v, want 30.00", got)
	}
}

// Two withdrawals at the same time of all that there is: one is refused, and what was asked for cannot be taken back or staked.
func TestCase26TwoWithdrawals(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 100_000, 10_000)
	me := central.PlayerPrincipal(id)
	var wg sync.WaitGroup
	receipts, errs := make([]central.Receipt, 2), make([]error, 2)
	for i := range 2 {
		wg.Go(func() {
			receipts[i], errs[i] = w.Register.Do(t.Context(), central.Request{Principal: me, Key: fmt.Sprint("w", i), Command: central.RequestWithdrawal{Player: id, Cents: 10_000}})
		})
	}
	wg.Wait()
	w.CheckBooks()
	won := 0
	if errs[0] != nil {
		won = 1
	}
	if errs[won] != nil || central.CodeOf(errs[1-won]) != central.Insufficient || w.Balance(id) != 0 {
		t.Fatalf("%v, balance %v", errs, w.Balance(id))
	}
	w.Why("balance.insufficient", me, play(id, draw, 1))
	var asked central.PaymentState
	storetest.Result(w, receipts[won], &asked)
	failed := storetest.Settled(w, asked, false)
	w.Do("provider/test", failed)
	if w.Balance(id) != 10_000 {
		t.Errorf("balance %v after the failure, want 100.00", w.Balance(id))
	}
	storetest.Result(w, w.Do(me, central.RequestWithdrawal{Player: id, Cents: 4000}), &asked)
	w.Do("provider/test", storetest.Settled(w, asked, true))
	w.Why("principal.other", "player/999", central.RequestWithdrawal{Player: id, Cents: 1})
	if w.Balance(id) != 6000 {
		t.Errorf("balance %v, want 60.00", w.Balance(id))
	}
}

// Twenty equal requests under one key move money once; another amount under that key moves none (P4).
func TestCase23OneRequestOneWithdrawal(t *testing.T) {
	w, _ := shop(t)
	id := w.Registered("one", 100_000, 10_000)
	me := central.PlayerPrincipal(id)
	var wg sync.WaitGroup
	receipts := make([]central.Receipt, 20)
	for i := range receipts {
		wg.Go(func() {
			var err error
			receipts[i], err = w.Register.Do(t.Context(), central.Request{Principal: me, Key: "once", Command: central.RequestWithdrawal{Player: id, Cents: 700}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, r := range receipts {
		if string(r.Result) != string(receipts[0].Result) || r.Index != receipts[0].Index {
			t.Errorf("%s and %s", r.Result, receipts[0].Result)
		}
	}
	_, err := w.Register.Do(t.Context(), central.Request{Principal: me, Key: "once", Command: central.RequestWithdrawal{Player: id, Cents: 800}})
	if central.CodeOf(err) != central.Conflict {
		t.Error(err)
	}
	w.CheckBooks()
	if got := w.Balance(id); got != 9300 {
		t.Errorf("balance %v, want 93.00", got)
	}
}

// 500 buys at the same time on a balance of 10 €: four plays of 2.20 € are sold (P2).
func TestFiveHundredBuys(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 100_000, 1000)
	var wg sync.WaitGroup
	var mu sync.Mutex
	sold := 0
	for i := range 500 {
		wg.Go(func() {
			_, err := w.Register.Do(context.Background(), central.Request{Principal: central.PlayerPrincipal(id), Key: fmt.Sprint("b", i), Command: play(id, draw, 1)})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				sold++
			} else if central.CodeOf(err) != central.Insufficient {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.CheckBooks()
	if sold != 4 || w.Balance(id) != 120 {
		t.Errorf("%d plays sold, %v left; want 4 and 1.20", sold, w.Balance(id))
	}
}

// 500 buys at the same time under a limit of 10 €: four are sold, whatever the balance.
func TestFiveHundredBuysUnderALimit(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 1000, 50_000)
	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			_, err := w.Register.Do(context.Background(), central.Request{Principal: central.PlayerPrincipal(id), Key: fmt.Sprint("b", i), Command: play(id, draw, 1)})
			if r := new(central.Refusal); err != nil && (!errors.As(err, &r) || r.Reason != "limit.stake") {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.CheckBooks()
	if got := w.Balance(id); got != 50_000-880 {
		t.Errorf("balance %v, want 491.20", got)
	}
}

// Nothing that a secret could be is in an error, in the log or in a result: of the hash of a password only its own digest.
func TestCase45SecretsAreHidden(t *testing.T) {
	w, _ := shop(t)
	const secret = "$argon2id$v=19$hunter2"
	c := applicant(func(c *central.RegisterPlayer) { c.Password = secret })
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if s := fmt.Sprintf(format, c); strings.Contains(s, "hunter2") {
			t.Errorf("%s prints %s", format, s)
		}
	}
	b, err := json.Marshal(c)
	if err != nil || strings.Contains(string(b), "hunter2") || !strings.Contains(string(b), `"password":"sha256:`) {
		t.Errorf("%s, %v", b, err)
	}
	r := w.Do("visitor", c)
	_, err = w.Try("visitor", applicant(func(c *central.RegisterPlayer) { c.Password = "hunter2" }))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	leaf := storetest.Get[central.LeafRow](w, central.Key{Table: central.Leaves, N: r.Node, M: r.Index})
	if strings.Contains(string(leaf.Body), "hunter2") || !strings.Contains(string(leaf.Body), `["credentials",`) {
		t.Errorf("leaf %s", leaf.Body)
	}
	// The stored row is whole.
	if cred := storetest.Get[central.Credential](w, central.Key{Table: central.Credentials, N: storetest.Get[central.Login](w, central.Key{Table: central.Logins, S: central.LoginName(c.Email)}).Player}); cred.Password != secret {
		t.Errorf("stored %q", cred.Password)
	}
}
