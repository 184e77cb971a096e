package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

// AmountBody is an amount of money.
type AmountBody struct {
	Cents Cents `json:"cents" minimum:"1"`
}

// DepositAsked is a deposit that waits for its payment.
type DepositAsked struct {
	central.PaymentState
	Address string `json:"address" doc:"Where it is paid"`
}

// PaymentView is a deposit or a withdrawal.
type PaymentView struct {
	Payment string      `json:"payment"`
	Kind    string      `json:"kind" enum:"deposit,withdrawal"`
	State   string      `json:"state" enum:"requested,confirmed,failed"`
	Cents   money.Cents `json:"cents"`
	At      time.Time   `json:"at"`
	Done    *time.Time  `json:"done,omitempty"`
}

// Movement is a movement of the balance.
type Movement struct {
	Number  int64       `json:"number"`
	At      time.Time   `json:"at"`
	Account string      `json:"account" doc:"What the money came from or went to"`
	Before  money.Cents `json:"before"`
	Cents   money.Cents `json:"cents" doc:"Above zero: to the player"`
	After   money.Cents `json:"after"`
}

// Statement is what happened to a balance in a period.
type Statement struct {
	Opening   money.Cents    `json:"opening"`
	Closing   money.Cents    `json:"closing"`
	Totals    central.Totals `json:"totals"`
	Movements []Movement     `json:"movements"`
	Next      string         `json:"next,omitempty"`
}

// StatementQuery asks for a page of a statement.
type StatementQuery struct {
	From  time.Time `query:"from" doc:"From this instant on"`
	To    time.Time `query:"to" doc:"Before this instant"`
	After string    `query:"after" maxLength:"20" pattern:"^[0-9]*$" doc:"What the page before said is next"`
	Limit int       `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

func (a *API) addMoney() {
	add(a, Route{Method: http.MethodPost, Path: "/deposits", ID: "deposit", Tag: "money", Summary: "Ask for a deposit; it is paid at the address of the provider", Command: "request_deposit", Own: true, Keyed: true, Status: 201}, a.deposit)
	add(a, Route{Method: http.MethodPost, Path: "/withdrawals", ID: "withdraw", Tag: "money", Summary: "Ask for a withdrawal, which is final", Command: "request_withdrawal", Own: true, Keyed: true, Status: 201}, a.withdraw)
	add(a, Route{Method: http.MethodGet, Path: "/payments", ID: "payments", Tag: "money", Summary: "Deposits and withdrawals, the latest first", Own: true}, a.payments)
	add(a, Route{Method: http.MethodGet, Path: "/statement", ID: "statement", Tag: "money", Summary: "Movements of the balance with their totals", Own: true}, a.statement)
}

func (a *API) deposit(ctx context.Context, who *Caller, in *sized[AmountBody]) (*DepositAsked, error) {
	state, err := do[central.PaymentState](ctx, a, who, central.RequestDeposit{Player: who.Player, Cents: in.Body.Cents.money()})
	if err != nil {
		return nil, err
	}
	// The provider takes the same order again for the same order.
	address, err := a.Payments.Collect(ctx, central.PaymentOrder{Payment: state.Payment, Cents: state.Cents})
	if err != nil {
		return nil, &central.Refusal{
			Code: central.Unavailable, Reason: "provider.unavailable", Text: "the payment provider does not answer: ask again under the same key",
			French: "Le prestataire de paiement ne répond pas\u00a0: répétez la demande avec la même clé.",
		}
	}
	return &DepositAsked{*state, address}, nil
}

func (a *API) withdraw(ctx context.Context, who *Caller, in *sized[AmountBody]) (*central.PaymentState, error) {
	return do[central.PaymentState](ctx, a, who, central.RequestWithdrawal{Player: who.Player, Cents: in.Body.Cents.money()})
}

func (a *API) payments(ctx context.Context, who *Caller, _ *nothing) (*List[PaymentView], error) {
	var views []PaymentView
	err := a.view(ctx, func(snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.PaymentRows, N: who.Player}, Prefix: 1}, func(r central.Row) error {
			m := r.(*central.Payment)
			v := PaymentView{Payment: central.PaymentName(m.Player, m.ID), Kind: m.Kind, State: m.State, Cents: m.Cents, At: time.UnixMicro(m.At).UTC()}
			if m.Done != 0 {
				v.Done = ptr(time.UnixMicro(m.Done).UTC())
			}
			views = append(views, v)
			return nil
		})
	})
	slices.Reverse(views)
	return list(views), err
}

func (a *API) statement(ctx context.Context, who *Caller, in *StatementQuery) (*Statement, error) {
	return a.statementOf(ctx, who.Player, in)
}

func (a *API) statementOf(ctx context.Context, player int64, in *StatementQuery) (*Statement, error) {
	after, _ := strconv.ParseInt(in.After, 10, 64) // digits, or nothing: from the start
	s, err := a.readStatement(ctx, central.StatementQuery{Player: player, From: in.From, To: in.To, After: after, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &Statement{Opening: s.Opening, Closing: s.Closing, Totals: s.Totals, Movements: []Movement{}}
	for _, m := range s.Movements {
		out.Movements = append(out.Movements, Movement{m.Version, time.UnixMicro(m.At).UTC(), m.Account, m.After - m.Cents, m.Cents, m.After})
	}
	if s.More {
		out.Next = strconv.FormatInt(s.Movements[len(s.Movements)-1].Version, 10)
	}
	return out, nil
}

func (a *API) readStatement(ctx context.Context, q central.StatementQuery) (s *central.Statement, err error) {
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		s, err = central.ReadStatement(ctx, snap, q)
		return err
	})
	return s, err
}
