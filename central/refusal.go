package central

import (
	"errors"
	"fmt"
)

// Code tells a caller what kind of refusal it met. Programs branch on it; people read the text.
type Code string

const (
	Invalid      Code = "invalid"      // the request itself is wrong
	NotFound     Code = "not_found"    // what it names does not exist
	Conflict     Code = "conflict"     // same key, other request; or the state does not allow it
	Forbidden    Code = "forbidden"    // this principal may not do that
	Insufficient Code = "insufficient" // available balance below the amount
	Closed       Code = "closed"       // outside the hours of sale
	SoldOut      Code = "sold_out"     // no share, code or pack left for the whole order
	Unavailable  Code = "unavailable"  // try again later: nothing was done
	Internal     Code = "internal"     // a fault of the program: nothing was done
)

// Refusal is a command refused: nothing was written. Its text says what was found and what is accepted.
type Refusal struct {
	Code    Code
	Field   string // of the command, "" when it is about no field
	Text    string // English, for logs and programs; people read [Refusal.In]
	Reason  string // stable name of the refusal: "pack.sold_out"
	Article string // the article that orders it, "" for none
	French  string // Text for French pages, where it is a message to players and not in the catalogue
	Current any    // for a conflict: what stands now, such as a [RoundAnswer]; nil otherwise
	args    []any  // what fills the texts of the catalogue
}

func (r *Refusal) Error() string {
	s := r.Text
	if r.Field != "" {
		s = r.Field + ": " + s
	}
	if r.Article != "" {
		s += " (art. " + r.Article + ")"
	}
	return s
}

func refuse(code Code, reason, field, format string, a ...any) *Refusal {
	return &Refusal{Code: code, Reason: reason, Field: field, Text: fmt.Sprintf(format, a...), args: a}
}

// CodeOf returns the code of a refusal inside err, Internal for any other error, "" for nil.
func CodeOf(err error) Code {
	var r *Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &r):
		return r.Code
	}
	return Internal
}

// ErrInDoubt marks a commit whose outcome is unknown: the connection was lost while it ran.
var ErrInDoubt = errors.New("the outcome of the commit is unknown")

// ErrDown marks a store that cannot be reached or written at all, whatever the commands are.
var ErrDown = errors.New("the store is down")

// ErrRetry marks a transaction that the database gave up for a reason that a new attempt may not meet: a deadlock, a serialization failure,
// a row that another node inserted first.
var ErrRetry = errors.New("the database asks to try again")
