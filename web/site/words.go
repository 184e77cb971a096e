package site

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/web/kit"
)

// capital begins a text with a capital.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func parseDay(day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, games.Paris)
	if err != nil {
		return time.Time{}
	}
	return t
}

func dayNumber(day string) string { return strconv.Itoa(parseDay(day).Day()) }

func shortWeekday(v *kit.Visit, day string) string { return v.ShortWeekday(parseDay(day)) }

// evening is the hour from which a day is called that.
const evening = 17

// heroTitle is "Ce soir, le Loto" on the day of the draw.
func heroTitle(v *kit.Visit, o *offer) string {
	name := gameName(o.Title)
	if v.Lang == kit.French && strings.Contains(name, "Loto") {
		name = "le " + name
	}
	days := int(parseDay(o.Day).Sub(parseDay(games.Day(v.Now))).Hours()+12) / 24
	switch {
	case days == 0 && o.DrawsAt.In(games.Paris).Hour() >= evening:
		return v.F("Ce soir, %s", "Tonight: %s", name)
	case days == 0:
		return v.F("Aujourd'hui, %s", "Today: %s", name)
	case days == 1:
		return v.F("Demain, %s", "Tomorrow: %s", name)
	}
	return v.F("%s, %s", "%s: %s", capital(v.Weekday(parseDay(o.Day))), name)
}

// shownJackpot is what rank 1 is announced at, with a super jackpot in place of a smaller one; 0 where nothing is known yet.
func shownJackpot(o *offer) money.Cents { return max(o.Jackpot, o.Guaranteed) }

// floor is the least that the jackpot of a draw can be, by the version that it is drawn under; 0 where none is stated.
func floor(o *offer) money.Cents {
	book, err := games.Version(o.PrizeRules)
	if err != nil || book.Prizes == nil {
		return 0
	}
	j := book.Prizes.Jackpot
	if j.AfterWin > 0 {
		return min(j.Start, j.AfterWin)
	}
	return j.Start
}

func playPath(o *offer) templ.SafeURL { return templ.SafeURL("/play/" + o.Game + "?draw=" + o.Draw) }

func resultPath(draw string) templ.SafeURL { return templ.SafeURL("/results/" + draw) }

// packOf is a pack of the next draw that may be bought, nil when there is none.
func packOf(f *front) *stock {
	for i := range f.Packs {
		if p := &f.Packs[i]; p.OnSale && p.Draw.Draw == f.Next.Draw {
			return p
		}
	}
	return nil
}

func firstPacks(list []stock, n int) []stock { return list[:min(n, len(list))] }

// codesWords counts the codes of a pack: "600 codes", "660 codes My Million".
func codesWords(v *kit.Visit, list []central.CodeTerms) string {
	var each []string
	for _, c := range list {
		each = append(each, v.F("%s codes %s", "%s %s codes", v.Count(c.Count), seriesName(c.Series)))
	}
	return strings.Join(each, v.T(" et ", " and "))
}

// seriesName is the game whose codes a series is.
func seriesName(series string) string { return nameOf(series) }

// disc is the place of a number on the poster.
type disc struct {
	x, y, size string
	white      bool
}

var discs = []disc{{"380", "206", "118", true}, {"188", "158", "84", false}, {"132", "320", "96", true}, {"303", "344", "72", false}, {"466", "334", "78", true}}

func posterWords(v *kit.Visit, n *central.Notice) string {
	text := v.F("Dernier tirage de %s, %s : ", "Last draw of %s, %s: ", nameOf(n.Game), v.Day(n.Day))
	for i, x := range n.Main {
		if i > 0 {
			text += ", "
		}
		text += strconv.Itoa(x)
	}
	if len(n.Extra) == 0 {
		return text
	}
	if stars(n.Game) {
		text += v.T(", étoiles ", ", stars ")
	} else {
		text += v.T(", numéro Chance ", ", Chance number ")
	}
	for i, x := range n.Extra {
		if i > 0 {
			text += ", "
		}
		text += strconv.Itoa(x)
	}
	return text
}

// tenLevels says how often all levels of the ladder pass.
func tenLevels(v *kit.Visit, version string) string {
	book, err := games.Version(version)
	if err != nil || book.Ladder == nil {
		return ""
	}
	levels := book.Ladder.Odds()
	return v.F("Les dix paliers passent avec %s.", "All ten levels pass with a chance of %s.", v.Odds(levels[len(levels)-1].Reach, 2))
}

func has(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// component is a part of a page.
type component = templ.Component

// cut takes an account apart: "stakes/loto-2020-06-22" is its kind and what it is of.
func cut(account string) (kind, of string, ok bool) { return strings.Cut(account, "/") }

// limitName names a limit.
func limitName(v *kit.Visit, of string) string {
	if of == central.LimitDeposits {
		return v.T("Dépôts", "Deposits")
	}
	return v.T("Mises", "Stakes")
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

// order writes the numbers as they came out.
func order(n *central.Notice) string {
	var each []string
	for _, x := range n.Main {
		each = append(each, strconv.Itoa(x))
	}
	for _, x := range n.Extra {
		each = append(each, strconv.Itoa(x))
	}
	return strings.Join(each, ", ")
}
