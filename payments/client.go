package payments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"tirage/central"
)

// Client is a provider seen from the operator: it implements [central.Payments].
type Client struct {
	base  string
	key   []byte
	clock central.Clock
	http  *http.Client
}

// requestTimeout bounds an order; the same order may be sent again.
const requestTimeout = 10 * time.Second

// NewClient returns the client of a provider at an address.
func NewClient(base string, key []byte, clock central.Clock) *Client {
	return &Client{strings.TrimSuffix(base, "/"), key, clock, &http.Client{Timeout: requestTimeout}}
}

// Collect asks for a deposit and returns where the player pays it.
func (c *Client) Collect(ctx context.Context, o central.PaymentOrder) (string, error) {
	var out Ordered
	err := c.order(ctx, Order{o.Payment, central.PaymentDeposit, o.Cents}, &out)
	return out.Address, err
}

// PayOut asks for a withdrawal to be paid.
func (c *Client) PayOut(ctx context.Context, o central.PaymentOrder) error {
	return c.order(ctx, Order{o.Payment, central.PaymentWithdrawal, o.Cents}, new(Ordered))
}

func (c *Client) order(ctx context.Context, o Order, out *Ordered) error {
	if err := post(ctx, c.http, c.base+"/orders", c.key, c.clock.Now(), o, out); err != nil {
		return fmt.Errorf("order %s: %w", o.Payment, err)
	}
	return nil
}

// statusError is an answer other than 200.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("answered with %d: %s", e.status, e.text)
}

// post sends a signed message and reads the JSON of the answer, if one is wanted.
func post(ctx context.Context, client *http.Client, url string, key []byte, at time.Time, message, out any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(SignatureHeader, sign(key, body, at))
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return &statusError{res.StatusCode, strings.TrimSpace(string(text))}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}
