package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

// Provider is a payment provider for tests and demonstrations, a service of its own: it takes orders, shows a page where a deposit is paid or refused, and
// tells the operator of each outcome until that is answered with 200. It keeps everything in memory. No money moves.
//
//	POST /orders          signed Order → Ordered
//	GET  /pay/{payment}   page with two buttons
//	POST /pay/{payment}   outcome=paid or outcome=refused
type Provider struct {
	key      []byte
	callback string // where notices go
	public   string // its own address as the player's browser sees it
	clock    central.Clock
	faults   Faults
	client   *http.Client
	mux      *http.ServeMux

	mu     sync.Mutex
	orders map[string]*order
	queue  []*delivery
	wake   chan struct{}
}

// Faults are what a provider can do wrong. Each hook may be nil.
type Faults struct {
	// Refuse decides that a withdrawal fails.
	Refuse func(Order) bool
	// Copies is how often each notice is delivered beside once, even after it was answered with 200.
	Copies int
	// Alter changes a notice before a delivery: a wrong amount, another payment.
	Alter func(n *Notice, attempt int)
	// Lose decides that an attempt is not sent, or that its answer does not arrive.
	Lose func(n Notice, attempt int) (request, answer bool)
	// Forge decides that an attempt is signed with another key.
	Forge func(n Notice, attempt int) bool
	// Hurry tells of a withdrawal before its order is answered.
	Hurry bool
}

type order struct {
	Order
	outcome string // "", outcomePaid, outcomeRefused
}

const (
	outcomePaid    = "paid"
	outcomeRefused = "refused"
)

// delivery is a notice on its way.
type delivery struct {
	notice   Notice
	attempts int
	copies   int // deliveries left after the one that succeeds
	due      time.Time
}

const (
	// firstRetry is the pause after a delivery that was not taken; it doubles each time up to longestRetry.
	firstRetry, longestRetry = 200 * time.Millisecond, time.Minute
	// maxAttempts bounds the deliveries of one notice.
	maxAttempts = 20
	// maxOrders bounds the orders that a test provider keeps.
	maxOrders = 100_000
)

// NewProvider returns a provider that tells the address callback of outcomes. Start [Provider.Run].
func NewProvider(key []byte, callback, public string, clock central.Clock, faults Faults) *Provider {
	p := &Provider{
		key: key, callback: callback, public: strings.TrimSuffix(public, "/"), clock: clock, faults: faults,
		client: &http.Client{Timeout: requestTimeout}, mux: http.NewServeMux(), orders: map[string]*order{}, wake: make(chan struct{}, 1),
	}
	p.mux.HandleFunc("POST /orders", p.takeOrder)
	p.mux.HandleFunc("GET /pay/{payment}", p.showPage)
	p.mux.HandleFunc("POST /pay/{payment}", p.takeOutcome)
	return p
}

// ServeHTTP serves the provider's addresses.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

func (p *Provider) takeOrder(w http.ResponseWriter, r *http.Request) {
	o, ok := receive[Order](w, r, p.key, p.clock)
	if !ok {
		return
	}
	deposit := o.Kind == central.PaymentDeposit
	if _, _, err := central.ParsePaymentName(o.Payment); err != nil || o.Cents <= 0 || o.Cents > money.Limit || !deposit && o.Kind != central.PaymentWithdrawal {
		answer(w, http.StatusBadRequest, "an order names a payment, its kind and an amount above zero")
		return
	}
	if err := p.add(o); err != nil {
		answer(w, http.StatusConflict, err.Error())
		return
	}
	if !deposit {
		outcome := outcomePaid
		if p.faults.Refuse != nil && p.faults.Refuse(*o) {
			outcome = outcomeRefused
		}
		p.decide(o.Payment, outcome)
		if p.faults.Hurry {
			p.deliverDue(r.Context())
			p.poke() // Run looks after what is left
		}
	}
	out := `{}`
	if deposit {
		out = fmt.Sprintf(`{"address":%q}`, p.public+"/pay/"+o.Payment)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(out)) // who is gone asks again
}

// add keeps an order; the same order again changes nothing.
func (p *Provider) add(o *Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.orders[o.Payment]; old != nil {
		if old.Order != *o {
			return errors.New("this payment was ordered otherwise")
		}
		return nil
	}
	if len(p.orders) >= maxOrders {
		return fmt.Errorf("%d orders are kept already", maxOrders)
	}
	p.orders[o.Payment] = &order{Order: *o}
	return nil
}

// decide settles an order once, and has the operator told.
func (p *Provider) decide(payment, outcome string) (*order, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.orders[payment]
	if o == nil {
		return nil, false
	}
	if o.outcome == "" {
		o.outcome = outcome
		n := Notice{Payment: payment, Cents: o.Cents, Reference: "test-" + payment, Paid: outcome == outcomePaid}
		p.queue = append(p.queue, &delivery{notice: n, copies: p.faults.Copies})
		p.poke()
	}
	return o, true
}

func (p *Provider) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Pay settles a deposit as the page does: paid, or refused.
func (p *Provider) Pay(payment string, paid bool) bool {
	outcome := outcomeRefused
	if paid {
		outcome = outcomePaid
	}
	_, ok := p.decide(payment, outcome)
	return ok
}

// Run delivers notices until the context ends.
func (p *Provider) Run(ctx context.Context) {
	for {
		pause := p.deliverDue(ctx)
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-time.After(pause):
		}
	}
}

// Waiting returns the number of notices that were not yet taken.
func (p *Provider) Waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue)
}

// deliverDue tries every notice that is due and returns the time until the next one.
func (p *Provider) deliverDue(ctx context.Context) time.Duration {
	p.mu.Lock()
	now := p.clock.Now()
	var due, later []*delivery
	for _, d := range p.queue {
		if d.due.After(now) {
			later = append(later, d)
		} else {
			due = append(due, d)
		}
	}
	p.queue = later
	p.mu.Unlock()
	for _, d := range due {
		again := p.deliver(ctx, d)
		if again {
			p.mu.Lock()
			p.queue = append(p.queue, d)
			p.mu.Unlock()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return longestRetry
	}
	next := slices.MinFunc(p.queue, func(a, b *delivery) int { return cmp.Compare(a.due.UnixNano(), b.due.UnixNano()) })
	return max(next.due.Sub(p.clock.Now()), time.Millisecond)
}

// deliver tries a notice once and reports whether it is to be tried again.
func (p *Provider) deliver(ctx context.Context, d *delivery) (again bool) {
	d.attempts++
	taken := p.send(ctx, d)
	switch {
	case d.attempts >= maxAttempts:
		return false
	case taken && d.copies == 0:
		return false
	case taken:
		d.copies--
		d.due = p.clock.Now()
	default:
		d.due = p.clock.Now().Add(min(firstRetry<<min(d.attempts-1, 16), longestRetry))
	}
	return true
}

// send sends a notice with the faults that apply, and reports whether it was answered with 200.
func (p *Provider) send(ctx context.Context, d *delivery) bool {
	n, key := d.notice, p.key
	if p.faults.Alter != nil {
		p.faults.Alter(&n, d.attempts)
	}
	if p.faults.Forge != nil && p.faults.Forge(n, d.attempts) {
		key = []byte("not the key")
	}
	var loseRequest, loseAnswer bool
	if p.faults.Lose != nil {
		loseRequest, loseAnswer = p.faults.Lose(n, d.attempts)
	}
	if loseRequest {
		return false
	}
	return post(ctx, p.client, p.callback, key, p.clock.Now(), n, nil) == nil && !loseAnswer
}

var page = template.Must(template.New("pay").Parse(`<!doctype html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Prestataire de paiement (essai)</title>
<h1>Prestataire de paiement (essai)</h1>
<p>Aucun argent ne circule. <span lang="en">No money moves.</span></p>
<p>{{.Amount}}</p>
{{if .Outcome}}<p>{{if eq .Outcome "paid"}}Payé. <span lang="en">Paid.</span>{{else}}Refusé. <span lang="en">Refused.</span>{{end}}</p>
{{else}}<form method="post"><button name="outcome" value="paid">Payer <span lang="en">/ Pay</span></button>
<button name="outcome" value="refused">Refuser <span lang="en">/ Refuse</span></button></form>
{{end}}</html>
`))

func (p *Provider) showPage(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	o := p.orders[r.PathValue("payment")]
	var amount, outcome string
	if o != nil {
		amount, outcome = o.Cents.French(), o.outcome
	}
	p.mu.Unlock()
	if o == nil || o.Kind != central.PaymentDeposit {
		answer(w, http.StatusNotFound, "there is no such payment")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'")
	_ = page.Execute(w, map[string]string{"Amount": amount, "Outcome": outcome}) // who is gone needs no page
}

func (p *Provider) takeOutcome(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	outcome := r.PostFormValue("outcome")
	if outcome != outcomePaid && outcome != outcomeRefused {
		answer(w, http.StatusBadRequest, "accepted outcome=paid or outcome=refused")
		return
	}
	if _, ok := p.decide(r.PathValue("payment"), outcome); !ok {
		answer(w, http.StatusNotFound, "there is no such payment")
		return
	}
	http.Redirect(w, r, p.public+"/pay/"+r.PathValue("payment"), http.StatusSeeOther) // its own address: whoever serves it may have cut the path
}
