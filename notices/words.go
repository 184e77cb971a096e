package notices

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
)

// Lang is a language of the notices.
type Lang string

// The languages, the first being that of the regulations.
const (
	French  Lang = "fr"
	English Lang = "en"
)

// words are the texts of a notice in one language.
type words struct {
	Title, Numbers, InOrder, Chance, Stars, Rank, Hits, Winners, Gain, Stake, Codes, CodeGain, Joker, Claims, Rules, Version, Packs string
}

var texts = map[Lang]words{
	French: {
		Title: "Avis\u00a0: résultat du tirage", Numbers: "Numéros", InOrder: "Dans l’ordre du tirage", Chance: "Numéro Chance", Stars: "Étoiles", Rank: "Rang",
		Hits: "Numéros trouvés", Winners: "Combinaisons gagnantes", Gain: "Gain d’une combinaison simple", Stake: "Mise", Codes: "Codes gagnants",
		CodeGain: "Gain d’un code", Joker: "Joker+", Claims: "Gains payables jusqu’au", Rules: "Règlement", Version: "Version du résultat",
		Packs: "Les gains des Packs et des jeux en groupe sont ensuite répartis entre leurs parts et leurs reçus.",
	},
	English: {
		Title: "Notice: result of the draw", Numbers: "Numbers", InOrder: "In the order of drawing", Chance: "Chance number", Stars: "Stars", Rank: "Rank",
		Hits: "Numbers matched", Winners: "Winning combinations", Gain: "Gain of a simple combination", Stake: "Stake", Codes: "Winning codes",
		CodeGain: "Gain of a code", Joker: "Joker+", Claims: "Gains payable through", Rules: "Rulebook", Version: "Version of the result",
		Packs: "The gains of packs and of group plays are then split between their shares and their receipts.",
	},
}

// view is a notice as it is printed, in one language.
type view struct {
	W                                        words
	Lang                                     Lang
	ID, Game, Day, DayISO, Claims, ClaimsISO string
	Rules                                    string
	Version                                  int64
	Ascending, Drawn, Extra, ExtraName       string
	Ranks                                    []rankView
	Codes                                    []codesView
	Joker                                    string
	AddOns                                   []addOnView
}

type rankView struct{ Rank, Hits, Winners, Gain, Stake string }

type codesView struct {
	Title, Gain string
	List        []string
}

type addOnView struct {
	Title  string
	Staked bool // by stake, too
	Ranks  []rankView
}

// newView puts a notice into words.
func newView(n *central.Notice, lang Lang) (*view, error) {
	w, ok := texts[lang]
	if !ok {
		return nil, fmt.Errorf("language %.10q: accepted fr or en", lang)
	}
	book, err := games.Version(n.Rules)
	if err != nil {
		return nil, err
	}
	day, err1 := time.Parse(time.DateOnly, n.Day)
	claims, err2 := time.Parse(time.DateOnly, n.Claims)
	if err1 != nil || err2 != nil {
		return nil, fmt.Errorf("notice of %s: day %.20q, payable through %.20q; accepted days as YYYY-MM-DD", n.Draw, n.Day, n.Claims)
	}
	v := &view{
		W: w, Lang: lang, ID: n.Draw, Game: book.Header.Title, Day: dayText(day, lang), DayISO: n.Day, Claims: dayText(claims, lang), ClaimsISO: n.Claims,
		Rules: n.Rules, Version: n.Version, Ascending: numbers(sorted(n.Main), " – "), Drawn: numbers(n.Main, " – "), Extra: numbers(sorted(n.Extra), " – "),
		ExtraName: w.Chance, Joker: n.Joker,
	}
	if book.Matrix.Extra > 1 {
		v.ExtraName = w.Stars
	}
	hits := map[int][]string{}
	for _, r := range book.Prizes.Ranks {
		for _, h := range r.Hits {
			hits[r.Number] = append(hits[r.Number], fmt.Sprintf("%d + %d", h.Main, h.Extra))
		}
	}
	for _, r := range n.Ranks {
		v.Ranks = append(v.Ranks, rankView{Rank: strconv.Itoa(r.Rank), Hits: strings.Join(hits[r.Rank], ", "), Winners: whole(r.Winners, lang), Gain: euros(r.Gain, lang)})
	}
	for _, series := range slices.Backward(slices.Sorted(maps.Keys(n.Codes))) { // My Million before Euro Millions
		if list := n.Codes[series]; len(list) > 0 {
			v.Codes = append(v.Codes, codesView{Title: title(series), Gain: euros(money.Cents(n.Gains[series]), lang), List: list})
		}
	}
	for _, a := range n.AddOns {
		out := addOnView{Title: title(a.Game)}
		for _, r := range a.Ranks {
			rank := rankView{Rank: strconv.Itoa(r.Rank), Winners: whole(r.Winners, lang), Gain: euros(r.Gain, lang)}
			if r.Stake > 0 {
				out.Staked, rank.Stake = true, euros(r.Stake, lang)
			}
			out.Ranks = append(out.Ranks, rank)
		}
		v.AddOns = append(v.AddOns, out)
	}
	return v, nil
}

// title is the name of a game or of its codes.
func title(id string) string {
	switch id {
	case "loto":
		return "Loto"
	case "superloto":
		return "Super Loto"
	case "grandloto":
		return "Grand Loto de Noël"
	case "euromillions":
		return "Euro Millions"
	case "mymillion":
		return "My Million"
	case "etoileplus":
		return "Étoile+"
	case "jokerplus":
		return "Joker+"
	}
	return id
}

var months = [...]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}

var days = [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}

func dayText(t time.Time, lang Lang) string {
	if lang == English {
		return t.Format("Monday 2 January 2006")
	}
	number := strconv.Itoa(t.Day())
	if t.Day() == 1 {
		number = "1er"
	}
	return fmt.Sprintf("%s %s %s %d", days[t.Weekday()], number, months[t.Month()-1], t.Year())
}

// whole groups the digits of a count in threes, by a space that does not break or by a comma.
func whole(n int64, lang Lang) string {
	sep := "\u00a0"
	if lang == English {
		sep = ","
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + sep + s[i:]
	}
	return s
}

func euros(c money.Cents, lang Lang) string {
	part := fmt.Sprintf("%02d", c%money.Euro)
	if lang == English {
		return "€" + whole(int64(c/money.Euro), lang) + "." + part
	}
	return whole(int64(c/money.Euro), lang) + "," + part + "\u00a0€"
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

func numbers(list []int, sep string) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, sep)
}
