package site

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tirage/central"
	"tirage/exports"
	"tirage/identity"
	"tirage/ledger"
	"tirage/rules/money"
	"tirage/web"
	"tirage/web/kit"
)

// holder is the account of whoever asks.
type holder struct {
	Given, Family, Email string
	State                string // open, verified, confirmed
	Excluded             time.Time
	Interval             int64 // minutes of the reality check
	Limits               []central.Limit
	Statement            *central.Statement
	Unread               int
	Form                 form
}

// holder reads the account.
func (s *site) holder(v *kit.Visit) (*holder, error) {
	h := &holder{}
	err := v.View(func(snap central.Snapshot) error {
		g, err := kit.Get[*central.Guard](v.Context(), snap, central.Key{Table: central.Guards, N: v.Caller.Player})
		if err != nil {
			return err
		}
		n, err := kit.Get[*central.Person](v.Context(), snap, central.Key{Table: central.Persons, N: v.Caller.Player})
		if err != nil {
			return err
		}
		if n != nil {
			h.Given, h.Family, h.Email = n.Given, n.Family, n.Email
		}
		if g != nil {
			h.State, h.Interval = g.State, g.Interval
			if g.ExcludedUntil > v.Now.UnixMicro() {
				h.Excluded = time.UnixMicro(g.ExcludedUntil)
			}
		}
		h.Statement, err = central.ReadStatement(v.Context(), snap, central.StatementQuery{Player: v.Caller.Player, From: v.Now.AddDate(0, 0, -7)})
		return err
	})
	if err != nil {
		return nil, err
	}
	h.Limits, err = readLimits(v)
	return h, err
}

// readLimits returns the limits of whoever asks: of stakes and of deposits.
func readLimits(v *kit.Visit) (list []central.Limit, err error) {
	err = v.View(func(snap central.Snapshot) error {
		pl, err := kit.Get[*central.Player](v.Context(), snap, central.Key{Table: central.Players, N: v.Caller.Player})
		if err != nil || pl == nil {
			return err
		}
		g, err := kit.Get[*central.Guard](v.Context(), snap, central.Key{Table: central.Guards, N: v.Caller.Player})
		if err != nil || g == nil {
			return err
		}
		for _, of := range []struct {
			name   string
			stored []byte
		}{{central.LimitStakes, pl.Stakes}, {central.LimitDeposits, g.Deposits}} {
			l, needed, err := central.LimitAt(of.name, of.stored, v.Now)
			if err != nil {
				return err
			}
			if needed {
				list = append(list, l)
			}
		}
		return nil
	})
	return list, err
}

func (s *site) account(v *kit.Visit) error {
	h, err := s.holder(v)
	if err != nil {
		return err
	}
	err = v.View(func(snap central.Snapshot) error {
		box, err := central.ReadInbox(v.Context(), snap, central.InboxQuery{Player: v.Caller.Player, Limit: inboxShown})
		if err != nil {
			return err
		}
		for _, m := range box.Messages {
			if m.Read.IsZero() {
				h.Unread++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Mon compte", "My account"), kit.NavAccount, ""), accountPage(v, h))
}

func (s *site) showDeposit(v *kit.Visit) error { return s.moneyForm(v, nil, depositPage) }

func (s *site) showWithdraw(v *kit.Visit) error { return s.moneyForm(v, nil, withdrawPage) }

// moneyForm shows a form about money again with what was typed and what was refused.
func (s *site) moneyForm(v *kit.Visit, refused error, body func(*kit.Visit, *holder) component) error {
	f, err := filled(v, refused)
	if err != nil {
		return err
	}
	h, err := s.holder(v)
	if err != nil {
		return err
	}
	if h.Form = f; refused != nil {
		v.Status(http.StatusUnprocessableEntity)
	}
	return v.Show(page(v.T("Mon compte", "My account"), kit.NavAccount, ""), body(v, h))
}

// amount reads an amount of euros.
func amount(v *kit.Visit, field string) (money.Cents, error) {
	c, err := money.Parse(v.Form(field))
	if err != nil || c <= 0 {
		return 0, &central.Refusal{
			Code: central.Invalid, Reason: "form.amount", Field: field, Text: "Accepted: euros above zero with at most two decimals, such as 20 or 20.50. Nothing was done.",
			French: "Montant accepté\u00a0: des euros au-dessus de zéro, avec deux décimales au plus, comme 20 ou 20,50. Rien n’a été fait.",
		}
	}
	return c, nil
}

// deposit asks the provider for a deposit and leads to its page, where the address of the provider stands: money comes only once it says so.
func (s *site) deposit(v *kit.Visit) error {
	cents, err := amount(v, "amount")
	var state central.PaymentState
	if err == nil {
		err = v.Do(central.RequestDeposit{Player: v.Caller.Player, Cents: cents}, &state)
	}
	if err != nil {
		return s.moneyForm(v, err, depositPage)
	}
	return v.Go("/account/payments/" + state.Payment + "?next=" + url.QueryEscape(kit.Local(v.Form("next"))))
}

func (s *site) withdraw(v *kit.Visit) error {
	cents, err := amount(v, "amount")
	var state central.PaymentState
	if err == nil {
		err = v.Do(central.RequestWithdrawal{Player: v.Caller.Player, Cents: cents}, &state)
	}
	if err != nil {
		return s.moneyForm(v, err, withdrawPage)
	}
	return v.Go("/account/payments/" + state.Payment)
}

// paying is a payment of whoever asks.
type paying struct {
	*central.Payment
	Name    string
	Address string // of the provider, while a deposit waits
	Next    string
}

func (s *site) payment(v *kit.Visit) error {
	name := v.R.PathValue("payment")
	player, id, err := central.ParsePaymentName(name)
	if err != nil || player != v.Caller.Player {
		return v.NotFound()
	}
	p := &paying{Name: name, Next: kit.Local(v.Form("next"))}
	err = v.View(func(snap central.Snapshot) (err error) {
		p.Payment, err = kit.Get[*central.Payment](v.Context(), snap, central.Key{Table: central.PaymentRows, N: player, M: id})
		return err
	})
	switch {
	case err != nil:
		return err
	case p.Payment == nil:
		return v.NotFound()
	case p.Kind == central.PaymentDeposit && p.State == central.PaymentRequested:
		// The provider takes the same order again for the same payment.
		if p.Address, err = s.host.Payments.Collect(v.Context(), central.PaymentOrder{Payment: name, Cents: p.Cents}); err != nil {
			return &central.Refusal{
				Code: central.Unavailable, Reason: "provider.unavailable", Text: "The payment provider does not answer. Nothing was taken; load this page again in a moment.",
				French: "Le prestataire de paiement ne répond pas. Rien n’a été débité\u00a0; rechargez cette page dans un instant.",
			}
		}
	}
	return v.Show(page(v.T("Paiement", "Payment"), kit.NavAccount, ""), paymentPage(v, p))
}

// period is a statement with what it was asked for.
type period struct {
	*central.Statement
	From, To string // days, both included
	Lines    []*central.Movement
}

// statementMax bounds the movements of a page.
const statementMax = 200

func (s *site) statement(v *kit.Visit) error {
	p := &period{From: v.Form("from"), To: v.Form("to")}
	q := central.StatementQuery{Player: v.Caller.Player}
	if t := parseDay(p.From); !t.IsZero() {
		q.From = t
	}
	if t := parseDay(p.To); !t.IsZero() {
		q.To = t.AddDate(0, 0, 1)
	}
	err := v.View(func(snap central.Snapshot) (err error) {
		p.Statement, err = central.ReadStatement(v.Context(), snap, q)
		return err
	})
	if err != nil {
		return err
	}
	for i := len(p.Movements) - 1; i >= 0 && len(p.Lines) < statementMax; i-- {
		p.Lines = append(p.Lines, p.Movements[i])
	}
	return v.Show(page(v.T("Mon relevé", "My statement"), kit.NavAccount, "", "htmx.js"), statementPage(v, p))
}

// exportStatement answers with the statement of some days as a file.
func (s *site) exportStatement(v *kit.Visit) error {
	report, err := exports.Find("statement")
	if err != nil {
		return err
	}
	return v.Export(report, exports.Scope{Player: v.Caller.Player})
}

// movementWords says what a movement was.
func movementWords(v *kit.Visit, m *central.Movement) string {
	account := ledger.Account(m.Account)
	_, of, _ := cut(m.Account)
	switch account.Kind() {
	case "bank":
		return v.T("Dépôt", "Deposit")
	case "withdrawal":
		if m.Cents > 0 {
			return v.T("Retrait revenu", "Withdrawal returned")
		}
		return v.T("Retrait", "Withdrawal")
	case "stakes":
		return v.F("%s, mise", "%s, stake", drawWords(v, of))
	case "prizes", "claims":
		return v.F("%s, gain", "%s, gain", drawWords(v, of))
	}
	return v.T("Correction", "Correction")
}

// drawWords names a draw or a game: "Loto du 22 juin", "Pile Up Donuts!".
func drawWords(v *kit.Visit, of string) string {
	if n := len(of) - len("-2006-01-02"); n > 0 {
		if t := parseDay(of[n+1:]); !t.IsZero() {
			return v.F("%s du %s", "%s of %s", nameOf(of[:n]), v.DayMonth(t))
		}
	}
	return nameOf(of)
}

func (s *site) showLimits(v *kit.Visit) error { return s.moneyForm(v, nil, limitsPage) }

func (s *site) setLimit(v *kit.Visit) error {
	cents, err := money.Parse(v.Form("amount"))
	if err != nil {
		_, err = amount(v, "amount")
	} else {
		err = v.Do(central.SetLimit{Player: v.Caller.Player, Of: v.Form("of"), Cents: cents}, nil)
	}
	if err != nil {
		return s.moneyForm(v, err, limitsPage)
	}
	return v.Go("/account/limits?" + url.Values{"set": {v.Form("of")}, "first": {v.Form("first")}}.Encode())
}

func (s *site) cancelRaise(v *kit.Visit) error {
	if err := v.Do(central.CancelRaise{Player: v.Caller.Player, Of: v.Form("of")}, nil); err != nil {
		return s.moneyForm(v, err, limitsPage)
	}
	return v.Go("/account/limits")
}

func (s *site) setInterval(v *kit.Visit) error {
	minutes, _ := strconv.ParseInt(v.Form("minutes"), 10, 64)
	if err := v.Do(central.SetCheck{Player: v.Caller.Player, Minutes: minutes}, nil); err != nil {
		return s.moneyForm(v, err, limitsPage)
	}
	return v.Go("/account/limits")
}

func (s *site) showPause(v *kit.Visit) error { return s.moneyForm(v, nil, pausePage) }

func (s *site) pause(v *kit.Visit) error {
	hours, _ := strconv.ParseInt(v.Form("hours"), 10, 64)
	months, _ := strconv.ParseInt(v.Form("months"), 10, 64)
	if v.Form("sure") == "" {
		return s.moneyForm(v, &central.Refusal{
			Code: central.Invalid, Reason: "pause.sure", Text: "Tick the box that says that the break cannot be ended early. Nothing has changed.",
			French: "Cochez la case qui dit que la pause ne peut pas être levée. Rien n’a changé.",
		}, pausePage)
	}
	if err := v.Do(central.ExcludePlayer{Player: v.Caller.Player, Hours: hours, Months: months}, nil); err != nil {
		return s.moneyForm(v, err, pausePage)
	}
	return v.Go("/account/pause")
}

// inboxShown is how many messages the inbox lists.
const inboxShown = 50

// inbox lists the messages.
func (s *site) inbox(v *kit.Visit) error {
	var box *central.InboxPage
	err := v.View(func(snap central.Snapshot) (err error) {
		box, err = central.ReadInbox(v.Context(), snap, central.InboxQuery{Player: v.Caller.Player, After: v.Form("after"), Limit: inboxShown})
		return err
	})
	if err != nil {
		return err
	}
	list, unread, err := letters(v, box)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Messages", "Messages"), kit.NavAccount, ""), inboxPage(v, list, unread, box.Next))
}

// readInbox notes that messages were read.
func (s *site) readInbox(v *kit.Visit) error {
	c := central.ReadMessages{Player: v.Caller.Player}
	if err := v.R.ParseForm(); err != nil {
		return v.NotFound()
	}
	for _, text := range v.R.PostForm["message"] {
		var id central.MessageID
		if err := id.UnmarshalText([]byte(text)); err != nil {
			return v.NotFound()
		}
		c.Messages = append(c.Messages, id)
	}
	if err := v.Do(c, nil); err != nil {
		return err
	}
	return v.Go("/account/inbox")
}

func (s *site) sessions(v *kit.Visit) error { return s.showSessions(v, nil) }

func (s *site) showSessions(v *kit.Visit, refused error) error {
	f, err := filled(v, refused)
	if err != nil {
		return err
	}
	open, err := s.host.Sessions.List(v.Context(), v.Caller.Player)
	if err != nil {
		return err
	}
	var keys []*central.Passkey
	err = v.View(func(snap central.Snapshot) error {
		return snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Passkeys, N: v.Caller.Player}, Prefix: 1}, func(r central.Row) error {
			if k := r.(*central.Passkey); k.Removed == 0 {
				keys = append(keys, k)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if refused != nil {
		v.Status(http.StatusUnprocessableEntity)
	}
	return v.Show(page(v.T("Connexion", "Log in"), kit.NavAccount, "", "passkey.js"), sessionsPage(v, open, keys, f))
}

func (s *site) closeSession(v *kit.Visit) error {
	id, err := central.ParseProgramID(v.Form("session")) // sessions are numbered like programs
	if err != nil {
		return v.NotFound()
	}
	if err := v.Do(central.CloseSession{Player: v.Caller.Player, Session: id}, nil); err != nil {
		return err
	}
	return v.Go("/account/sessions")
}

// removePasskey removes a passkey.
func (s *site) removePasskey(v *kit.Visit) error {
	id, err := central.ParseProgramID(v.Form("passkey"))
	if err != nil {
		return v.NotFound()
	}
	if err := v.Do(central.RemovePasskey{Player: v.Caller.Player, Passkey: id}, nil); err != nil {
		return s.showSessions(v, err)
	}
	return v.Go("/account/sessions")
}

// password replaces the password, which ends every session and opens one here.
func (s *site) password(v *kit.Visit) error {
	h, err := s.holder(v)
	if err != nil {
		return err
	}
	var in *identity.LoggedIn
	if in, err = s.host.Desk.ChangePassword(v.Context(), h.Email, v.R.FormValue("old"), v.R.FormValue("password")); err != nil {
		var r *central.Refusal
		if errors.As(err, &r) {
			return s.showSessions(v, err)
		}
		return err
	}
	v.SetCookie(web.Cookie(in.Token, s.host.Secure()))
	return v.Go("/account/sessions?changed=1")
}
