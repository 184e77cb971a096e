package payments_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/payments"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/vault"
)

var key = []byte("a key that both sides share")

// street is an operator and a provider, each behind its own address on this machine.
type street struct {
	*storetest.World
	provider *payments.Provider
	client   *payments.Client
	courier  *payments.Courier
	outbox   *central.Outbox // of the courier
	callback string
	player   int64
}

func open(t *testing.T, faults payments.Faults) *street {
	s := &street{outbox: central.NewOutbox(nil)}
	s.World = storetest.NewWorld(t, &mem.Store{}, func(c *central.Config) {
		c.OnCommit = func(d []central.Done) { s.outbox.Committed(d) }
	})
	clock := vault.SystemClock{}
	callbacks := httptest.NewServer(&payments.Callbacks{Provider: "test", Key: key, Register: s.Register, Clock: clock})
	t.Cleanup(callbacks.Close)
	s.callback = callbacks.URL
	mux := http.NewServeMux()
	shop := httptest.NewServer(mux)
	t.Cleanup(shop.Close)
	s.provider = payments.NewProvider(key, callbacks.URL, shop.URL, clock, faults)
	mux.Handle("/", s.provider)
	s.client = payments.NewClient(shop.URL, key, clock)
	s.courier = &payments.Courier{Store: s.Store, Provider: s.client, Clock: clock}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.provider.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	s.player = s.Registered("one", 1_000_000, 0)
	return s
}

func (s *street) request(c central.Command) central.PaymentState {
	s.Helper()
	var asked central.PaymentState
	storetest.Result(s.World, s.Do(central.PlayerPrincipal(s.player), c), &asked)
	return asked
}

// settled waits until a payment is in a state.
func (s *street) settled(asked central.PaymentState, state string) {
	s.Helper()
	player, id, err := central.ParsePaymentName(asked.Payment)
	if err != nil {
		s.Fatal(err)
	}
	for range 2000 {
		if m := storetest.Get[central.Payment](s.World, central.Key{Table: central.PaymentRows, N: player, M: id}); m.State == state {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.Fatalf("payment %s is not %s", asked.Payment, state)
}

// quiet waits until the provider has nothing left to tell.
func (s *street) quiet() {
	s.Helper()
	for range 2000 {
		if s.provider.Waiting() == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.Fatal("notices are left")
}

// deposit asks for a deposit and settles it on the provider's page.
func (s *street) deposit(cents money.Cents, outcome string) central.PaymentState {
	s.Helper()
	asked := s.request(central.RequestDeposit{Player: s.player, Cents: cents})
	address, err := s.client.Collect(s.Context(), central.PaymentOrder{Payment: asked.Payment, Cents: cents})
	if err != nil {
		s.Fatal(err)
	}
	again, err := s.client.Collect(s.Context(), central.PaymentOrder{Payment: asked.Payment, Cents: cents})
	if err != nil || again != address {
		s.Errorf("the same order again: %q, %v", again, err)
	}
	res, err := http.PostForm(address, url.Values{"outcome": {outcome}})
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(text), cents.French()) {
		s.Fatalf("page: %d %s, %v", res.StatusCode, text, err)
	}
	return asked
}

func (s *street) withdraw(cents money.Cents) central.PaymentState {
	s.Helper()
	asked := s.request(central.RequestWithdrawal{Player: s.player, Cents: cents})
	if err := s.courier.Follower().CatchUp(s.Context()); err != nil {
		s.Error(err)
	}
	if err := s.courier.Sweep(s.Context()); err != nil {
		s.Log(err)
	}
	return asked
}

// Whatever goes wrong on the way, each payment is booked once, with the amount that was asked for.
func TestPayments(t *testing.T) {
	for name, faults := range map[string]payments.Faults{
		"no faults":    {},
		"told thrice":  {Copies: 2},
		"hurried":      {Hurry: true, Copies: 1},
		"lost":         {Lose: func(_ payments.Notice, attempt int) (bool, bool) { return attempt == 1, attempt == 2 }},
		"forged first": {Forge: func(_ payments.Notice, attempt int) bool { return attempt <= 2 }},
		"wrong amount first": {Alter: func(n *payments.Notice, attempt int) {
			if attempt <= 2 {
				n.Cents *= 100
			}
		}},
		"another's payment first": {Alter: func(n *payments.Notice, attempt int) {
			if attempt == 1 {
				n.Payment = "999-0-1"
			}
		}},
		"nonsense first": {Alter: func(n *payments.Notice, attempt int) {
			if attempt == 1 {
				n.Payment, n.Cents = "../../etc", -1
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults.Refuse = func(o payments.Order) bool { return o.Cents == 1300 }
			s := open(t, faults)
			s.settled(s.deposit(10_000, "paid"), central.PaymentConfirmed)
			s.settled(s.deposit(5000, "refused"), central.PaymentFailed)
			s.settled(s.withdraw(2500), central.PaymentConfirmed)
			s.settled(s.withdraw(1300), central.PaymentFailed)
			s.quiet()
			s.CheckBooks()
			if got := s.Balance(s.player); got != 7500 {
				t.Errorf("balance %v, want 75.00", got)
			}
		})
	}
}

// The courier takes what the register accepts while it runs, and what was accepted before it ran.
func TestCourier(t *testing.T) {
	s := open(t, payments.Faults{})
	s.settled(s.deposit(10_000, "paid"), central.PaymentConfirmed)
	before := s.request(central.RequestWithdrawal{Player: s.player, Cents: 100})
	stop := s.run()
	s.settled(before, central.PaymentConfirmed)
	s.settled(s.request(central.RequestWithdrawal{Player: s.player, Cents: 200}), central.PaymentConfirmed)
	stop()
	s.CheckBooks()
	if got := s.Balance(s.player); got != 9700 {
		t.Errorf("balance %v, want 97.00", got)
	}
}

// run lets the courier follow the log until stop is called.
func (s *street) run() (stop func()) {
	s.outbox = central.NewOutbox(func(name string, err error) { s.Errorf("%s: %v", name, err) }, s.courier.Follower())
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.outbox.Run(ctx) })
	return func() { cancel(); running.Wait() }
}

// stubborn is a provider that takes an order when it is asked for the nth time.
type stubborn struct {
	central.Payments
	nth   int
	asked map[string]int
}

func (p *stubborn) PayOut(ctx context.Context, o central.PaymentOrder) error {
	if p.asked[o.Payment]++; p.asked[o.Payment] < p.nth {
		return errors.New("not now")
	}
	return p.Payments.PayOut(ctx, o)
}

// An order that the provider does not take holds up no other, and is taken when it does; one that was settled otherwise is not. A process that died
// between the order and the cursor orders again, and the withdrawal is paid once.
func TestDeferredOrders(t *testing.T) {
	s := open(t, payments.Faults{})
	s.settled(s.deposit(10_000, "paid"), central.PaymentConfirmed)
	p := &stubborn{s.client, 3, map[string]int{}}
	s.courier.Provider = p
	one, two := s.request(central.RequestWithdrawal{Player: s.player, Cents: 100}), s.request(central.RequestWithdrawal{Player: s.player, Cents: 200})
	p.asked[two.Payment] = p.nth // this one is taken at once
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.courier.Follower().CatchUp(t.Context()))
	s.settled(two, central.PaymentConfirmed)
	if err := s.courier.Sweep(t.Context()); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Errorf("a sweep that met a refusal: %v", err)
	}
	check(s.courier.Sweep(t.Context()))
	s.settled(one, central.PaymentConfirmed)
	if check(s.courier.Sweep(t.Context())); p.asked[one.Payment] != 3 {
		t.Errorf("the order was given %d times, want 3", p.asked[one.Payment])
	}
	// Settled otherwise: by hand, while it waits.
	three := s.request(central.RequestWithdrawal{Player: s.player, Cents: 300})
	check(s.courier.Follower().CatchUp(t.Context()))
	s.Do("provider/bank", storetest.Settled(s.World, three, false))
	check(s.courier.Sweep(t.Context()))
	if p.asked[three.Payment] != 1 {
		t.Errorf("a settled payment was ordered %d times, want 1", p.asked[three.Payment])
	}
	// Ordered twice, as after a crash, and by a reminder.
	four := s.request(central.RequestWithdrawal{Player: s.player, Cents: 400})
	p.nth = 1
	check(s.courier.Remind(t.Context()))
	check(s.courier.Follower().CatchUp(t.Context()))
	s.settled(four, central.PaymentConfirmed)
	s.quiet()
	s.CheckBooks()
	if got := s.Balance(s.player); got != 9300 {
		t.Errorf("balance %v, want 93.00", got)
	}
}

// Many notices of one outcome at the same time credit it once.
func TestNoticesAtOnce(t *testing.T) {
	s := open(t, payments.Faults{})
	asked := s.request(central.RequestDeposit{Player: s.player, Cents: 700})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if status := s.notice(fmt.Sprintf(`{"payment":%q,"cents":700,"reference":"r","paid":true}`, asked.Payment), key, time.Now()); status != 200 {
				t.Errorf("answered with %d", status)
			}
		})
	}
	wg.Wait()
	s.CheckBooks()
	if got := s.Balance(s.player); got != 700 {
		t.Errorf("balance %v, want 7.00", got)
	}
	for body, want := range map[string]int{
		`{"payment":"%s","cents":700,"reference":"r","paid":false}`:  409,
		`{"payment":"%s","cents":700,"reference":"r2","paid":true}`:  409,
		`{"payment":"%s","cents":70000,"reference":"r","paid":true}`: 409,
		`{"payment":"%s","cents":700,"reference":"","paid":true}`:    400,
		`{"payment":"%s9","cents":700,"reference":"r3","paid":true}`: 404,
		`{"payment":"x%s","cents":700,"reference":"r","paid":true}`:  404,
	} {
		if status := s.notice(fmt.Sprintf(body, asked.Payment), key, time.Now()); status != want {
			t.Errorf("%s: answered with %d, want %d", body, status, want)
		}
	}
	if got := s.Balance(s.player); got != 700 {
		t.Errorf("balance %v, want 7.00", got)
	}
}

func (s *street) notice(body string, key []byte, at time.Time) int {
	s.Helper()
	return s.post(body, payments.Sign(key, []byte(body), at))
}

func (s *street) post(body, signature string) int {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.callback, strings.NewReader(body))
	if err != nil {
		s.Error(err)
		return 0
	}
	req.Header.Set(payments.SignatureHeader, signature)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.Error(err)
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// What is not signed now and with the key is refused before it is looked at.
func TestSignatures(t *testing.T) {
	s := open(t, payments.Faults{})
	asked := s.request(central.RequestDeposit{Player: s.player, Cents: 700})
	body := fmt.Sprintf(`{"payment":%q,"cents":700,"reference":"r","paid":true}`, asked.Payment)
	now := time.Now()
	good := payments.Sign(key, []byte(body), now)
	for name, signature := range map[string]string{
		"none": "", "nonsense": "t=x,v1=y", "no hash": good[:strings.Index(good, ",")], "cut": good[:len(good)-2], "of another time": strings.Replace(good, "t=", "t=1", 1),
		"another key": payments.Sign([]byte("key"), []byte(body), now), "another body": payments.Sign(key, []byte(body+" "), now),
		"old": payments.Sign(key, []byte(body), now.Add(-6*time.Minute)), "early": payments.Sign(key, []byte(body), now.Add(6*time.Minute)),
	} {
		if status := s.post(body, signature); status != http.StatusUnauthorized {
			t.Errorf("%s: answered with %d, want 401", name, status)
		}
	}
	for body, want := range map[string]int{"": 400, "{": 400, `{"cents":1e3}`: 400, `{"cents":"1,5"}`: 400, `{"cents":1.5}`: 400, `{"cents":99999999999999999999}`: 400, `[]`: 400, "{}": 404, strings.Repeat(" ", 20_000): 413} {
		if status := s.notice(body, key, time.Now()); status != want {
			t.Errorf("%.30q: answered with %d, want %d", body, status, want)
		}
	}
	if got := s.Balance(s.player); got != 0 {
		t.Errorf("balance %v, want 0.00", got)
	}
}

// An order says what it is, or is refused; a page is that of a deposit.
func TestOrders(t *testing.T) {
	s := open(t, payments.Faults{})
	for _, o := range []central.PaymentOrder{{Payment: "x", Cents: 1}, {Payment: "1-0-1"}, {Payment: "1-0-1", Cents: -1}, {Payment: "1-0-1", Cents: money.Limit + 1}} {
		if _, err := s.client.Collect(t.Context(), o); err == nil || !strings.Contains(err.Error(), "answered with 400") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := s.client.Collect(t.Context(), central.PaymentOrder{Payment: "1-0-1", Cents: 5}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		func() error {
			_, err := s.client.Collect(t.Context(), central.PaymentOrder{Payment: "1-0-1", Cents: 6})
			return err
		}(),
		s.client.PayOut(t.Context(), central.PaymentOrder{Payment: "1-0-1", Cents: 5}),
	} {
		if err == nil || !strings.Contains(err.Error(), "answered with 409") {
			t.Error(err)
		}
	}
	if err := payments.NewClient(s.callback, []byte("key"), vault.SystemClock{}).PayOut(t.Context(), central.PaymentOrder{Payment: "1-0-2", Cents: 5}); err == nil || !strings.Contains(err.Error(), "answered with 401") {
		t.Error(err)
	}
	shop := httptest.NewServer(s.provider)
	defer shop.Close()
	for path, want := range map[string]int{"/pay/1-0-1": 200, "/pay/1-0-9": 404, "/pay/": 404, "/": 404} {
		res, err := http.Get(shop.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
	for outcome, want := range map[string]int{"": 400, "maybe": 400} {
		res, err := http.PostForm(shop.URL+"/pay/1-0-1", url.Values{"outcome": {outcome}})
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("outcome %q: %d, want %d", outcome, res.StatusCode, want)
		}
	}
	if s.provider.Pay("1-0-9", true) {
		t.Error("an order that nobody gave is paid")
	}
}
