package kit

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"
	"tirage/central"
)

// Trouble is an error as a page says it: first whether money moved, then what happened and what can be done.
type Trouble struct {
	Status    int
	Title     string
	Text      string
	Reference string // under which the log has it, "" for a refusal
}

var statuses = map[central.Code]int{
	central.Invalid: http.StatusUnprocessableEntity, central.NotFound: http.StatusNotFound, central.Conflict: http.StatusConflict, central.Forbidden: http.StatusForbidden,
	central.Insufficient: http.StatusConflict, central.Closed: http.StatusConflict, central.SoldOut: http.StatusConflict, central.Unavailable: http.StatusServiceUnavailable,
	central.Internal: http.StatusInternalServerError,
}

// Refused returns the refusal inside an error that is one for people to read, nil for any other error.
func Refused(err error) *central.Refusal {
	var r *central.Refusal
	if errors.As(err, &r) && r.Code != central.Internal {
		return r
	}
	return nil
}

// Said is a refusal in the language of the page, "" for nil.
func (v *Visit) Said(r *central.Refusal) string {
	if r == nil {
		return ""
	}
	return r.In(string(v.Lang))
}

// trouble puts an error in words.
func (v *Visit) trouble(err error, r *central.Refusal) Trouble {
	var large *http.MaxBytesError
	switch {
	case r != nil && r.Code == central.NotFound:
		return Trouble{Status: http.StatusNotFound, Title: v.T("Introuvable", "Not found"), Text: v.Said(r)}
	case r != nil && r.Code != central.Internal:
		return Trouble{Status: statuses[r.Code], Title: v.T("Cela n'a pas pu être fait", "This could not be done"), Text: v.Said(r)}
	case errors.As(err, &large):
		return Trouble{
			Status: http.StatusRequestEntityTooLarge, Title: v.T("C'est trop long", "This is too long"),
			Text: v.T("Votre envoi dépasse ce que le site accepte. Rien n'a été fait.", "What you sent is longer than the site accepts. Nothing was done."),
		}
	}
	t := Trouble{Status: http.StatusInternalServerError, Title: v.T("Cette page n'a pas pu être préparée", "This page could not be prepared"), Reference: v.Key()[24:]}
	if errors.Is(err, central.ErrInDoubt) || r != nil {
		t.Text = v.T("Votre demande est reçue, la réponse tarde. Elle ne sera comptée qu'une fois : votre relevé dit ce qui a été fait.",
			"Your request arrived, the answer is late. It will count only once: your statement says what was done.")
		return t
	}
	t.Text = v.T("Rien n'a été fait deux fois. Votre relevé montre chaque mouvement d'argent.", "Nothing was done twice. Your statement shows every movement of money.")
	return t
}

func (t Trouble) body(v *Visit) templ.Component { return troubleBody(v, t) }
