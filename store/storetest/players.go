package storetest

import (
	"strings"

	"tirage/central"
	"tirage/rules/money"
)

// Clear is the ban list's fresh answer about a player, signed.
func (w *World) Clear(player int64, banned bool) string {
	w.Helper()
	person := Get[central.Person](w, central.Key{Table: central.Persons, N: player})
	signed, err := central.SignPaper(central.Clearance{Person: person.Digest(), Banned: banned, List: "list", At: w.Clock.Now().UnixMicro()}, w.Keys.BanList)
	if err != nil {
		w.Fatal(err)
	}
	return signed
}

// Applicant registers a player whose identity is not yet confirmed.
func (w *World) Applicant(name string) int64 {
	w.Helper()
	var created central.PlayerCreated
	Result(w, w.Do("visitor", central.RegisterPlayer{
		Given: "Player", Family: name, Birth: "1980-02-29", Email: name + "@example.org", Password: "$argon2id$test",
	}), &created)
	return created.Player
}

// Confirm takes an applicant's identity to where play is allowed.
func (w *World) Confirm(player int64) {
	w.Helper()
	w.Do(central.SystemPrincipal, central.VerifyIdentity{Player: player, Evidence: "passport"})
	w.Do(central.SystemPrincipal, central.ConfirmIdentity{Player: player, Clearance: w.Clear(player, false)})
}

// Registered registers a player, confirms the identity, chooses both limits, opens a session and deposits, as a person would.
func (w *World) Registered(name string, limit, deposit money.Cents) int64 {
	w.Helper()
	id := w.Applicant(name)
	w.Confirm(id)
	me := central.PlayerPrincipal(id)
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: limit})
	w.Do(me, central.SetLimit{Player: id, Of: central.LimitDeposits, Cents: max(limit, deposit)})
	w.Login(id)
	if deposit > 0 {
		w.Deposit(id, deposit)
	}
	return id
}

// Login opens a session for play.
func (w *World) Login(player int64) int64 {
	w.Helper()
	var out central.SessionOpened
	Result(w, w.Do("system", w.Session(player, true)), &out)
	return out.Session
}

// Session is the command that opens a session.
func (w *World) Session(player int64, play bool) central.OpenSession {
	w.Helper()
	cred := Get[central.Credential](w, central.Key{Table: central.Credentials, N: player})
	return central.OpenSession{Player: player, Credential: cred.Version, Hash: make([]byte, 32), Play: play, Clearance: w.Clear(player, false)}
}

// Deposit asks for a deposit and lets the provider confirm it.
func (w *World) Deposit(player int64, cents money.Cents) {
	w.Helper()
	var asked central.PaymentState
	Result(w, w.Do(central.PlayerPrincipal(player), central.RequestDeposit{Player: player, Cents: cents}), &asked)
	w.Do("provider/test", Settled(w, asked, true))
}

// Settled is the provider's word on a payment.
func Settled(w *World, asked central.PaymentState, paid bool) central.SettlePayment {
	w.Helper()
	player, id, err := central.ParsePaymentName(asked.Payment)
	if err != nil {
		w.Fatal(err)
	}
	return central.SettlePayment{Player: player, Payment: id, Cents: asked.Cents, Reference: "ref-" + asked.Payment, Paid: paid}
}

// Why does a command that must be refused for this reason, and checks the books.
func (w *World) Why(reason, principal string, c central.Command) *central.Refusal {
	w.Helper()
	_, err := w.Try(principal, c)
	r, ok := err.(*central.Refusal)
	if !ok || r.Reason != reason {
		w.Fatalf("%s: %v, want a refusal for %s", c.Kind(), err, reason)
	}
	w.CheckBooks()
	w.checkTexts(r)
	return r
}

// checkTexts makes sure that a refusal says something in both languages, with nothing missing in it.
func (w *World) checkTexts(r *central.Refusal) {
	w.Helper()
	fr, en := r.In(central.French), r.In(central.English)
	if fr == "" || en == "" || fr == en || strings.Contains(fr+en, "%!") {
		w.Errorf("%s says %q and %q", r.Reason, fr, en)
	}
}

// Get returns a row that must exist.
func Get[T any](w *World, k central.Key) *T {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	row, err := snap.Get(w.Context(), k)
	if err != nil {
		w.Fatal(err)
	}
	r, ok := any(row).(*T)
	if !ok {
		w.Fatalf("no row %v", k)
	}
	return r
}
