// Package payments speaks with a payment provider over HTTP, and ships a provider for tests and demonstrations.
//
// # Messages
//
// Both sides send JSON by POST, signed with a key that they share. The signature stands in the header Tirage-Signature:
//
//	t=1593424800,v1=<hex of HMAC-SHA256(key, "1593424800." + body)>
//
// A message whose time is more than five minutes off, or whose signature is another, is refused before its body is looked at.
//
// The operator posts an [Order] to /orders; the same payment twice is one order. The provider posts a [Notice] of the outcome to the operator, again and
// again until it is answered with 200. The operator ([Callbacks]) makes a [central.SettlePayment] of it under a key that follows from the reference, so
// that a notice told twice is done once, even at the same time.
//
//	client := payments.NewClient("http://127.0.0.1:8091", "test", key, clock)
//	mux.Handle("POST /payments/test", &payments.Callbacks{Provider: "test", Key: key, Register: register, Clock: clock})
package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

const (
	// SignatureHeader carries the signature of a message.
	SignatureHeader = "Tirage-Signature"
	// signatureAge is how far the time of a message may be from the clock of who reads it.
	signatureAge = 5 * time.Minute
	// maxBody bounds a message, in bytes.
	maxBody = 16 << 10
)

// Order asks the provider for a payment.
type Order struct {
	Payment string      `json:"payment"` // central.PaymentName
	Kind    string      `json:"kind"`    // central.PaymentDeposit, central.PaymentWithdrawal
	Cents   money.Cents `json:"cents"`
}

// Ordered is the provider's answer to an order.
type Ordered struct {
	Address string `json:"address,omitempty"` // where the player pays a deposit
}

// Notice is the provider's word on the outcome of an order.
type Notice struct {
	Payment   string      `json:"payment"`
	Cents     money.Cents `json:"cents"`
	Reference string      `json:"reference"` // of the provider, one for each outcome
	Paid      bool        `json:"paid"`
}

// sign returns the signature of a body at a time.
func sign(key, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac(key, t, body))
}

func mac(key []byte, t string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(t + "."))
	h.Write(body)
	return h.Sum(nil)
}

var errSignature = errors.New("the signature is missing, old, or not of this key")

// verify checks the signature of a body.
func verify(key, body []byte, signature string, now time.Time) error {
	t, rest, ok := strings.Cut(strings.TrimPrefix(signature, "t="), ",v1=")
	at, err := strconv.ParseInt(t, 10, 64)
	given, herr := hex.DecodeString(rest)
	if !ok || err != nil || herr != nil || !hmac.Equal(given, mac(key, t, body)) {
		return errSignature
	}
	if age := now.Sub(time.Unix(at, 0)); age > signatureAge || age < -signatureAge {
		return errSignature
	}
	return nil
}

// receive reads a signed message; it answers the request itself when there is none.
func receive[T any](w http.ResponseWriter, r *http.Request, key []byte, clock central.Clock) (*T, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body cannot be read, or has more than %d bytes", maxBody))
		return nil, false
	}
	if err := verify(key, body, r.Header.Get(SignatureHeader), clock.Now()); err != nil {
		answer(w, http.StatusUnauthorized, err.Error())
		return nil, false
	}
	m := new(T)
	if err := json.Unmarshal(body, m); err != nil {
		answer(w, http.StatusBadRequest, "the body is not the JSON of this message")
		return nil, false
	}
	return m, true
}

// answer sends a status and a line of text.
func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // who is gone needs no answer
}
