package kit

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/odds"
)

// Money writes an amount with its cents: "1 320,00 €", "€1,320.00".
func (l Lang) Money(c money.Cents) string {
	if l == English {
		return c.English()
	}
	return c.French()
}

// Signed writes a movement: "+8,00 €", "−13,20 €", "0,00 €".
func (l Lang) Signed(c money.Cents) string {
	if c > 0 {
		return "+" + l.Money(c)
	}
	return l.Money(c)
}

// Bare writes an amount for a column whose caption says that it is in euros: "−13,20".
func (l Lang) Bare(c money.Cents) string {
	return strings.TrimSuffix(strings.Replace(l.Money(c), "€", "", 1), "\u00a0")
}

// BareSigned is [Lang.Bare] with a + before what comes in.
func (l Lang) BareSigned(c money.Cents) string {
	if c > 0 {
		return "+" + l.Bare(c)
	}
	return l.Bare(c)
}

// Whole writes an amount without its cents where it has none, for titles: "2 000 000 €".
func (l Lang) Whole(c money.Cents) string {
	if c%100 != 0 {
		return l.Money(c)
	}
	return strings.NewReplacer(",00\u00a0€", "\u00a0€", ".00", "").Replace(l.Money(c))
}

// Short writes a large amount in millions, for lists: "51 M€", "€51m"; what is not a whole tenth of a million is written whole.
func (l Lang) Short(c money.Cents) string {
	const tenth = 10_000_000
	if c < 10*tenth || c%tenth != 0 {
		return l.Whole(c)
	}
	text := odds.FrenchNumber(big.NewRat(int64(c/tenth), 10), min(1, int(c/tenth%10)))
	if l == English {
		text = odds.EnglishNumber(big.NewRat(int64(c/tenth), 10), min(1, int(c/tenth%10)))
		return "€" + text + "m"
	}
	return text + "\u00a0M€"
}

// Count writes a whole number: "19 068 840", "19,068,840".
func (l Lang) Count(n int64) string { return l.Number(big.NewRat(n, 1), 0) }

// Number writes a number with so many decimals.
func (l Lang) Number(r *big.Rat, decimals int) string {
	if l == English {
		return odds.EnglishNumber(r, decimals)
	}
	return odds.FrenchNumber(r, decimals)
}

// Percent writes a part of one: "62,40 %", "62.40%".
func (l Lang) Percent(r *big.Rat, decimals int) string {
	if l == English {
		return odds.Percent(r, decimals)
	}
	return odds.FrenchPercent(r, decimals)
}

// Odds writes a chance: "1 chance sur 19 068 840", "1 in 19,068,840".
func (l Lang) Odds(p *big.Rat, decimals int) string {
	if l == English {
		return odds.English(p, decimals)
	}
	return strings.Replace(odds.French(p, decimals), "sur ", "sur\u00a0", 1)
}

// Places writes a number without rounding it where it ends within so many decimals, for columns that show a division: "64,5725", "2,889".
func (l Lang) Places(r *big.Rat, least, most int) string {
	d := least
	for d < most && !new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil))).IsInt() {
		d++
	}
	return l.Number(r, d)
}

var (
	weekdaysFR = [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}
	monthsFR   = [...]string{"", "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}
	shortFR    = [...]string{"dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."}
)

// first writes the day of a month: "1er" in French, else the number.
func (l Lang) first(day int) string {
	if day == 1 && l == French {
		return "1er"
	}
	return strconv.Itoa(day)
}

// Date writes the day of an instant in Paris: "mercredi 24 juin 2020", "Wednesday 24 June 2020".
func (l Lang) Date(t time.Time) string {
	t = t.In(games.Paris)
	if l == English {
		return t.Format("Monday 2 January 2006")
	}
	return fmt.Sprintf("%s %s %s %d", weekdaysFR[t.Weekday()], l.first(t.Day()), monthsFR[t.Month()], t.Year())
}

// Day writes a day of the calendar, YYYY-MM-DD, like [Lang.Date]; what is no day stays as it is.
func (l Lang) Day(day string) string { return l.day(day, l.Date) }

// DayMonth writes "24 juin", "24 June".
func (l Lang) DayMonth(t time.Time) string {
	t = t.In(games.Paris)
	if l == English {
		return t.Format("2 January")
	}
	return l.first(t.Day()) + " " + monthsFR[t.Month()]
}

// Weekday writes "mercredi", "Wednesday".
func (l Lang) Weekday(t time.Time) string {
	t = t.In(games.Paris)
	if l == English {
		return t.Weekday().String()
	}
	return weekdaysFR[t.Weekday()]
}

// ShortWeekday writes "mer.", "Wed".
func (l Lang) ShortWeekday(t time.Time) string {
	t = t.In(games.Paris)
	if l == English {
		return t.Format("Mon")
	}
	return shortFR[t.Weekday()]
}

// ShortDay writes a day of the calendar, YYYY-MM-DD: "mer. 24 juin", "Wed 24 June".
func (l Lang) ShortDay(day string) string {
	return l.day(day, func(t time.Time) string { return l.ShortWeekday(t) + "\u00a0" + l.DayMonth(t) })
}

func (l Lang) day(day string, write func(time.Time) string) string {
	t, err := time.ParseInLocation(time.DateOnly, day, games.Paris)
	if err != nil {
		return day
	}
	return write(t)
}

// Time writes the hour in Paris: "20 h 15", "8:15 pm".
func (l Lang) Time(t time.Time) string {
	t = t.In(games.Paris)
	if l == English {
		return t.Format("3:04\u00a0pm")
	}
	return fmt.Sprintf("%d\u00a0h\u00a0%02d", t.Hour(), t.Minute())
}

// DateTime writes an instant in Paris: "mer. 24 juin, 20 h 15", "Wed 24 June, 8:15 pm".
func (l Lang) DateTime(t time.Time) string {
	return l.ShortWeekday(t) + "\u00a0" + l.DayMonth(t) + ", " + l.Time(t)
}

// Stamp writes an instant in Paris to the second, for receipts: "24 juin 2020, 18:03:22".
func (l Lang) Stamp(t time.Time) string {
	return l.DayMonth(t) + t.In(games.Paris).Format(" 2006, 15:04:05")
}

// Clock writes the time of day in Paris: "18:01:13".
func (l Lang) Clock(t time.Time) string { return t.In(games.Paris).Format(time.TimeOnly) }

// Left writes a time that is left: "2 h 13 min 47 s", from two days on "3 jours 4 h". Nothing is left below zero.
func (l Lang) Left(d time.Duration) string {
	s := max(0, int64(d/time.Second))
	days, h, m := s/86400, s/3600%24, s/60%60
	switch {
	case days >= 2:
		return l.F("%d jours %d h", "%d days %d h", days, h)
	case s >= 3600:
		return fmt.Sprintf("%d\u00a0h %02d\u00a0min %02d\u00a0s", s/3600, m, s%60)
	case s >= 60:
		return fmt.Sprintf("%d\u00a0min %02d\u00a0s", m, s%60)
	}
	return fmt.Sprintf("%d\u00a0s", s)
}

// LeftWords is [Lang.Left] to the minute in words that are read aloud: "2 heures 13 minutes".
func (l Lang) LeftWords(d time.Duration) string {
	s := max(0, int64(d/time.Second))
	days, m := s/86400, s/60%60
	switch {
	case days >= 2:
		return l.N(days, "%s jour", "%s jours", "%s day", "%s days")
	case s >= 3600:
		return l.N(s/3600, "%s heure", "%s heures", "%s hour", "%s hours") + " " + l.N(m, "%s minute", "%s minutes", "%s minute", "%s minutes")
	}
	return l.N(m, "%s minute", "%s minutes", "%s minute", "%s minutes")
}

// Minutes writes how long something has lasted: "18 min", "1 h 05".
func (l Lang) Minutes(d time.Duration) string {
	m := max(0, int64(d/time.Minute))
	if m >= 60 {
		return fmt.Sprintf("%d\u00a0h\u00a0%02d", m/60, m%60)
	}
	return fmt.Sprintf("%d\u00a0min", m)
}
