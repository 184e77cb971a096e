package kit

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"tirage/central"
)

// Lang is a language of the pages.
type Lang string

const (
	French  Lang = central.French
	English Lang = central.English
)

// T returns the text in the language of the page. The French one gets its spaces: no-break ones before : ; ! ? and inside « », and the apostrophe ’.
func (l Lang) T(fr, en string) string {
	if l == English {
		return strings.ReplaceAll(en, "'", "’")
	}
	return typeset.Replace(fr)
}

// F is [Lang.T] filled as by fmt.Sprintf.
func (l Lang) F(fr, en string, a ...any) string { return fmt.Sprintf(l.T(fr, en), a...) }

// N is [Lang.T] with a text for one and one for any other number, filled with the number where it has a %s; French has one for 0 too.
func (l Lang) N(n int64, frOne, frMany, enOne, enMany string) string {
	text := l.T(frMany, enMany)
	if n == 1 || l == French && n == 0 {
		text = l.T(frOne, enOne)
	}
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, l.Count(n))
}

var typeset = strings.NewReplacer(
	" :", "\u00a0:", " ;", "\u202f;", " !", "\u202f!", " ?", "\u202f?", "« ", "«\u202f", " »", "\u202f»", "'", "’", " €", "\u00a0€",
)

// Other is the other language.
func (l Lang) Other() Lang {
	if l == English {
		return French
	}
	return English
}

// OtherName is the name of the other language in that language.
func (l Lang) OtherName() string {
	if l == English {
		return "Français"
	}
	return "English"
}

// langCookie and themeCookie keep what a person chose.
const (
	langCookie  = "tirage_lang"
	themeCookie = "tirage_theme"
)

// choiceLasts is how long a browser keeps a choice of language or theme.
const choiceLasts = 365 * 24 * time.Hour

// langOf returns the language of a request: the one that was chosen, or else what the browser asks for first, French unless that is English.
func langOf(r *http.Request) Lang {
	if c, err := r.Cookie(langCookie); err == nil && (c.Value == central.English || c.Value == central.French) {
		return Lang(c.Value)
	}
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	if first = strings.ToLower(strings.TrimSpace(first)); first == "en" || strings.HasPrefix(first, "en-") || strings.HasPrefix(first, "en;") {
		return English
	}
	return French
}

// themeOf returns "light" or "dark" where that was chosen, "" where the system decides.
func themeOf(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

// Choose keeps the language (?lang=) or the theme (?theme=light, dark, system) that a link asks for, and goes back to the page it came from
// (?back=). GET /choose of the player site.
func (u *UI) Choose(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	set := func(name, value string, ok bool) {
		if ok {
			http.SetCookie(w, &http.Cookie{
				Name: name, Value: value, Path: "/", MaxAge: int(choiceLasts / time.Second), HttpOnly: true, Secure: u.Host.Secure(), SameSite: http.SameSiteLaxMode,
			})
		}
	}
	lang, theme := q.Get("lang"), q.Get("theme")
	set(langCookie, lang, lang == central.French || lang == central.English)
	set(themeCookie, theme, theme == "light" || theme == "dark" || theme == "system")
	http.Redirect(w, r, Local(q.Get("back")), http.StatusSeeOther)
}

// Local returns a path of this server to go to, "/" for anything that is none.
func Local(to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t\x00") {
		return "/"
	}
	return to
}
