package central

import (
	"fmt"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/money"
)

// moment is an instant in microseconds that a text shows.
type moment int64

func (m moment) String() string { return paris(int64(m)) }

// Languages of the catalogue.
const (
	French  = "fr"
	English = "en"
)

// In returns what the refusal says to people, in French or English: the text of the catalogue for its reason, filled with what was found and
// accepted. A language that the catalogue does not have gets English.
func (r *Refusal) In(lang string) string {
	t, ok := catalogue[r.Reason]
	switch {
	case r.French != "" && lang == French: // the operator's own words
		return r.French
	case r.French != "" || !ok:
		return r.Text
	}
	text := t.en
	if lang == French {
		text = t.fr
	}
	if !strings.Contains(text, "%") {
		return text
	}
	args := make([]any, len(r.args))
	for i, a := range r.args {
		args[i] = shown(a, lang)
	}
	return fmt.Sprintf(text, args...)
}

// shown writes an argument as pages of the language print it.
func shown(a any, lang string) any {
	switch a := a.(type) {
	case money.Cents:
		if lang == French {
			return a.French()
		}
		return a.English()
	case []money.Cents:
		var each []string
		for _, c := range a {
			each = append(each, fmt.Sprint(shown(c, lang)))
		}
		return strings.Join(each, ", ")
	case moment:
		t := time.UnixMicro(int64(a)).In(games.Paris)
		if lang == French {
			return t.Format("02/01/2006 à 15:04:05")
		}
		return t.Format("2 January 2006 at 15:04:05")
	}
	return a
}

// text is what one reason says to people. Its verbs are numbered after the arguments of the refusal: "%[1]v".
type text struct{ fr, en string }
