package central

import (
	"fmt"
	"strconv"
	"strings"

	"tirage/ledger"
	"tirage/rules/money"
)

// Kinds and states of a payment.
const (
	PaymentDeposit    = "deposit"
	PaymentWithdrawal = "withdrawal"

	PaymentRequested = "requested" // handed to the provider, who will tell
	PaymentConfirmed = "confirmed"
	PaymentFailed    = "failed"
)

// referenceMax bounds a provider's reference, in bytes.
const referenceMax = 100

// ProviderPrincipal is the principal of a payment provider, whose signature was checked where its message came in.
func ProviderPrincipal(name string) string { return "provider/" + name }

// PaymentName prints the id of a payment as a provider is told: player, node, index.
func PaymentName(player, id int64) string {
	return fmt.Sprintf("%d-%d-%d", player, id>>48, id&(1<<48-1)-1)
}

// ParsePaymentName reads what [PaymentName] printed.
func ParsePaymentName(s string) (player, id int64, err error) {
	var parts [3]int64
	fields := strings.Split(s, "-")
	if len(fields) == len(parts) {
		for i, f := range fields {
			if parts[i], err = strconv.ParseInt(f, 10, 64); err != nil || parts[i] < 0 {
				break
			}
		}
	}
	player, id = parts[0], parts[1]<<48|(parts[2]+1)
	if err != nil || PaymentName(player, id) != s {
		return 0, 0, fmt.Errorf("payment %.40q: accepted player-node-index", s)
	}
	return player, id, nil
}

// PaymentState is the result of a command on a payment.
type PaymentState struct {
	Payment string      `json:"payment"` // printed id
	Kind    string      `json:"kind"`
	State   string      `json:"state"`
	Cents   money.Cents `json:"cents"`
	Balance money.Cents `json:"balance"`
}

func (p *Plan) paymentState(m *Payment) PaymentState {
	return PaymentState{PaymentName(m.Player, m.ID), m.Kind, m.State, m.Cents, get[Player](p, playerKey(m.Player)).Balance}
}

// RequestDeposit asks for a deposit; the balance grows when the provider confirms it. The amount counts against the limit of deposits from
// now on, until the provider says that it failed. The result is a [PaymentState].
type RequestDeposit struct {
	Player int64       `json:"player,string"`
	Cents  money.Cents `json:"cents"`
}

func (RequestDeposit) Kind() string  { return "request_deposit" }
func (c RequestDeposit) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c RequestDeposit) Plan(p *Plan) (any, error) {
	_, g, err := p.payer(c.Player, c.Cents)
	if err != nil {
		return nil, err
	}
	if err := p.mayPlay(g); err != nil {
		return nil, err
	}
	if len(g.Deposits) > 0 {
		a, err := readAllowance(g.Deposits)
		if err != nil {
			return nil, err
		}
		a.settle(p.Now)
		switch {
		case a.limit == noLimit:
			return nil, refuse(Forbidden, "limit.deposit_none", "", "choose a limit of deposits over seven days first")
		case a.left() < c.Cents:
			return nil, refuse(Forbidden, "limit.deposit", "cents", "a deposit of %v, but %v are left of your limit of %v over seven days", c.Cents, a.left(), a.limit)
		}
		a.spend(p.Now, c.Cents)
		g.Deposits = a.encode()
	}
	return p.request(PaymentDeposit, c.Player, c.Cents), nil
}

// RequestWithdrawal asks for money to be paid out. It is final: the money leaves the balance at once and waits in withdrawal/<id> for the
// provider. The result is a [PaymentState].
type RequestWithdrawal struct {
	Player int64       `json:"player,string"`
	Cents  money.Cents `json:"cents"`
}

func (RequestWithdrawal) Kind() string  { return "request_withdrawal" }
func (c RequestWithdrawal) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c RequestWithdrawal) Plan(p *Plan) (any, error) {
	if _, _, err := p.payer(c.Player, c.Cents); err != nil {
		return nil, err
	}
	if err := p.post(ledger.Player(c.Player), ledger.Withdrawal(p.ID()), c.Cents); err != nil {
		return nil, err
	}
	return p.request(PaymentWithdrawal, c.Player, c.Cents), nil
}

// payer returns a player who asks for a payment of an amount. Money goes in and out for confirmed identities only: assumed.
func (p *Plan) payer(player int64, cents money.Cents) (*Player, *Guard, error) {
	if err := p.own(player); err != nil {
		return nil, nil, err
	}
	if cents <= 0 || cents > money.Limit {
		return nil, nil, refuse(Invalid, "amount", "cents", "%v found, accepted 0.01 to %v", cents, money.Limit)
	}
	pl, g, err := p.guarded(player)
	if err == nil && g.State != StateConfirmed {
		err = refuse(Forbidden, "player.unconfirmed", "", "your identity is not yet confirmed; nothing is debited")
	}
	return pl, g, err
}

func (p *Plan) request(kind string, player int64, cents money.Cents) PaymentState {
	m := &Payment{Player: player, ID: p.ID(), Kind: kind, State: PaymentRequested, Cents: cents, At: p.Now.UnixMicro()}
	p.insert(m)
	return p.paymentState(m)
}

// SettlePayment is the word of the provider on a payment: paid, or failed. A deposit that is paid is credited, even to a player who is excluded
// meanwhile: the money has arrived. A withdrawal that failed comes back to the balance. Each reference of the provider settles one payment. A
// message that comes before its request is refused as not found, and the provider sends it again. The result is a [PaymentState].
type SettlePayment struct {
	Player    int64       `json:"player,string"`
	Payment   int64       `json:"payment,string"`
	Cents     money.Cents `json:"cents"`
	Reference string      `json:"reference"` // of the provider
	Paid      bool        `json:"paid"`
}

func (SettlePayment) Kind() string { return "settle_payment" }
func (c SettlePayment) Keys() []Key {
	return []Key{playerKey(c.Player), guardKey(c.Player), paymentKey(c.Player, c.Payment)}
}

func (c SettlePayment) Plan(p *Plan) (any, error) {
	if c.Reference == "" || len(c.Reference) > referenceMax || !storable(c.Reference) {
		return nil, refuse(Invalid, "payment.reference", "reference", "a reference of 1 to %d bytes is needed", referenceMax)
	}
	m := edit[Payment](p, paymentKey(c.Player, c.Payment))
	if m == nil {
		return nil, refuse(NotFound, "payment.unknown", "payment", "there is no such payment")
	}
	ref := &Reference{Name: p.Principal + "/" + c.Reference, Player: c.Player, Payment: c.Payment}
	state := PaymentFailed
	if c.Paid {
		state = PaymentConfirmed
	}
	switch used := get[Reference](p, KeyOf(ref)); {
	case used != nil && (used.Player != c.Player || used.Payment != c.Payment):
		return nil, refuse(Conflict, "payment.reference_used", "reference", "this reference has settled another payment")
	case c.Cents != m.Cents:
		return nil, refuse(Conflict, "payment.amount", "cents", "%v found, %v was asked for; nothing is booked", c.Cents, m.Cents)
	case m.State == state && m.Reference == c.Reference:
		return p.paymentState(m), nil // told twice
	case m.State != PaymentRequested:
		return nil, refuse(Conflict, "payment.settled", "", "the payment is %s already", m.State)
	}
	if err := p.settlePayment(m, c.Paid); err != nil {
		return nil, err
	}
	m.State, m.Reference, m.Done = state, c.Reference, p.Now.UnixMicro()
	p.insert(ref)
	return p.paymentState(m), nil
}

// settlePayment moves the money of a payment to where it ends.
func (p *Plan) settlePayment(m *Payment, paid bool) error {
	switch {
	case m.Kind == PaymentWithdrawal && paid:
		return p.post(ledger.Withdrawal(m.ID), ledger.Bank, m.Cents)
	case m.Kind == PaymentWithdrawal:
		return p.post(ledger.Withdrawal(m.ID), ledger.Player(m.Player), m.Cents)
	case paid:
		return p.post(ledger.Bank, ledger.Player(m.Player), m.Cents)
	}
	g := edit[Guard](p, guardKey(m.Player))
	if g == nil || len(g.Deposits) == 0 {
		return nil
	}
	a, err := readAllowance(g.Deposits)
	if err != nil {
		return err
	}
	a.release(m.At, m.Cents)
	g.Deposits = a.encode()
	return nil
}
