package payments

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"tirage/central"
)

// Callbacks takes the notices of one provider.
type Callbacks struct {
	Provider string // its name: the principal is provider/<name>
	Key      []byte
	Register *central.Register
	Clock    central.Clock
}

// ServeHTTP answers with 200 once the notice is done, now or before. Any other answer means that nothing was done by this notice: 404 for a payment that
// is not (yet) known and 503 ask for another try, 409 says that it contradicts what was booked.
func (c *Callbacks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, ok := receive[Notice](w, r, c.Key, c.Clock)
	if !ok {
		return
	}
	player, payment, err := central.ParsePaymentName(n.Payment)
	if err != nil {
		answer(w, http.StatusNotFound, "there is no such payment")
		return
	}
	// One key for each reference: a notice told twice at the same time is one command, another content under the same reference a conflict.
	sum := sha256.Sum256([]byte(n.Reference))
	_, err = c.Register.Do(r.Context(), central.Request{
		Principal: central.ProviderPrincipal(c.Provider), Key: hex.EncodeToString(sum[:16]),
		Command: central.SettlePayment{Player: player, Payment: payment, Cents: n.Cents, Reference: n.Reference, Paid: n.Paid},
	})
	refusal := new(central.Refusal)
	switch {
	case err == nil:
		answer(w, http.StatusOK, "done")
	case errors.As(err, &refusal):
		answer(w, statusOf(refusal.Code), refusal.Error())
	default:
		answer(w, http.StatusServiceUnavailable, "the notice could not be taken: try again")
	}
}

// statusOf is the status that a provider understands.
func statusOf(c central.Code) int {
	switch c {
	case central.Invalid:
		return http.StatusBadRequest
	case central.NotFound:
		return http.StatusNotFound
	case central.Conflict:
		return http.StatusConflict
	case central.Forbidden:
		return http.StatusForbidden
	}
	return http.StatusServiceUnavailable
}
