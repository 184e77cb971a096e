package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// fieldProblem says in both languages what is wrong with a field. What was found is described, never repeated: it may be a secret.
func fieldProblem(err error) FieldProblem {
	detail := new(huma.ErrorDetail)
	if !errors.As(err, &detail) {
		return FieldProblem{Field: "body", Texts: Texts{"Cette valeur n’est pas acceptée.", "This value is not accepted."}}
	}
	f := FieldProblem{Field: fieldName(detail.Location), Found: describe(detail.Value)}
	if detail.Message == validation.MsgUnexpectedProperty {
		// The name was sent too: where it stands is enough.
		f.Field, f.Found = parent(detail.Location), "an unknown field"
	}
	accepted := acceptedBy(detail.Message)
	if detail.Location == "body" && f.Found != "" { // decoded, but not into the fields of the request
		f.Found = ""
	}
	f.Accepted = accepted.English
	f.Texts = Texts{fmt.Sprintf("%s\u00a0: %s.", f.Field, accepted.French), fmt.Sprintf("%s: %s.", f.Field, accepted.English)}
	return f
}

// parent is the place in which a field stands.
func parent(location string) string {
	i := strings.LastIndex(location, ".")
	if i < 0 {
		return location
	}
	return fieldName(location[:i])
}

// describe says what kind of value was found, without repeating it.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return fmt.Sprintf("a text of %d characters", utf8.RuneCountInString(v))
	case bool:
		return "true or false"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("an object of %d fields", len(v))
	case float64, json.Number, int, int64, uint64:
		return "a number"
	}
	return "a value of another kind"
}

// acceptance is one kind of message of the validator, and what it means.
type acceptance struct {
	pattern *regexp.Regexp
	fr, en  string
}

func accept(pattern, fr, en string) acceptance {
	return acceptance{regexp.MustCompile(`^` + pattern + `$`), fr, en}
}

// acceptances read the messages of the validator (huma's package validation) and of encoding/json; they name the schema, never the value.
var acceptances = []acceptance{
	accept(`unexpected property`, "ce champ n’existe pas", "there is no such field"),
	accept(`expected required property (\S+) to be present`, "le champ %s est nécessaire", "the field %s is needed"),
	accept(`required .* parameter is missing`, "une valeur est nécessaire", "a value is needed"),
	accept(`expected (?:integer|number)`, "un nombre entier est attendu", "a whole number is expected"),
	accept(`expected string`, "un texte est attendu", "a text is expected"),
	accept(`expected boolean`, "true ou false est attendu", "true or false is expected"),
	accept(`expected array`, "une liste est attendue", "a list is expected"),
	accept(`expected object`, "un objet est attendu", "an object is expected"),
	accept(`expected number >= (\S+)`, "au moins %s est attendu", "at least %s is expected"),
	accept(`expected number <= (\S+)`, "au plus %s est attendu", "at most %s is expected"),
	accept(`expected number > (\S+)`, "plus de %s est attendu", "more than %s is expected"),
	accept(`expected number < (\S+)`, "moins de %s est attendu", "less than %s is expected"),
	accept(`expected length >= (\d+)`, "au moins %s caractères sont attendus", "at least %s characters are expected"),
	accept(`expected length <= (\d+)`, "au plus %s caractères sont attendus", "at most %s characters are expected"),
	accept(`expected array length >= (\d+)`, "au moins %s éléments sont attendus", "at least %s elements are expected"),
	accept(`expected array length <= (\d+)`, "au plus %s éléments sont attendus", "at most %s elements are expected"),
	accept(`expected value to be one of "(.*)"`, "une valeur parmi %s est attendue", "one of %s is expected"),
	accept(`expected string to match pattern (.*)`, "un texte de la forme %s est attendu", "a text of the form %s is expected"),
	accept(`expected string to be RFC 3339 date-time`, "un instant de la forme 2018-10-29T20:15:00Z est attendu", "an instant such as 2018-10-29T20:15:00Z is expected"),
	accept(`expected string to be RFC 3339 date`, "un jour de la forme 2018-10-29 est attendu", "a day such as 2018-10-29 is expected"),
	accept(`expected string to be base64 encoded`, "un texte en base64 est attendu", "a text in base64 is expected"),
	accept(`(?s)json: cannot unmarshal number .*`, "un nombre entier écrit en chiffres est attendu, sans virgule, point ni exposant", "a whole number in digits is expected, without comma, point or exponent"),
}

// acceptedBy says what is accepted, in both languages.
func acceptedBy(message string) Texts {
	for _, a := range acceptances {
		if m := a.pattern.FindStringSubmatch(message); m != nil {
			if len(m) == 1 {
				return Texts{a.fr, a.en}
			}
			arg := strings.ReplaceAll(m[1], `", "`, ", ")
			return Texts{fmt.Sprintf(a.fr, arg), fmt.Sprintf(a.en, arg)}
		}
	}
	return Texts{"cette valeur n’est pas acceptée", "this value is not accepted"}
}
