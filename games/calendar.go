package games

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/rules/rulebook"
)

// Hours are the instants of one draw.
type Hours struct {
	Opens  time.Time // on sale from here on …
	Closes time.Time // … until here: a sale is accepted if and only if Opens ≤ now < Closes
	Draw   time.Time // announced: the draw is held no earlier
	Claims string    // last day on which a gain is payable (forclusion), YYYY-MM-DD: a usual value, it is a datum of each draw
}

// DrawHours returns the instants of a draw of a game on a day, YYYY-MM-DD. They are wall time of Europe/Paris under the rulebook of the day of the
// draw: 20:15 is 18:15 UTC in summer and 19:15 in winter, and a draw sold across a change of hour opens and closes at the same hour of the clock.
// An error says that the game has no draw of its own then.
func DrawHours(game, day string) (Hours, error) {
	book, err := InForce(game, day)
	if err != nil {
		return Hours{}, err
	}
	c := book.Calendar
	if c.Draw == "" {
		return Hours{}, fmt.Errorf("%s has no draw of its own", book.Header.Version())
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return Hours{}, err
	}
	return Hours{
		Opens:  wallTime(date.AddDate(0, 0, -c.SaleDays), c.Close),
		Closes: wallTime(date, c.Close),
		Draw:   wallTime(date, c.Draw),
		Claims: date.AddDate(0, 0, c.ClaimDays).Format(time.DateOnly),
	}, nil
}

// ParseTime reads a day and an hour of Europe/Paris, the seconds may be left out. An hour that the change to summer time skips, or that
// the change back repeats, is refused: nobody could tell when it is.
func ParseTime(day, hour string) (time.Time, error) {
	if len(hour) == len("15:04") {
		hour += ":00"
	}
	const layout = time.DateTime
	text := day + " " + hour
	t, err := time.ParseInLocation(layout, text, Paris)
	if err != nil || t.Format(layout) != text {
		return t, fmt.Errorf("%.40q; accepted: a day and an hour of Europe/Paris, such as 2020-06-22 20:15 or 2020-06-22 20:14:59", day+" "+hour)
	}
	for _, shift := range []time.Duration{-time.Hour, time.Hour} {
		if t.Add(shift).Format(layout) == text {
			return t, fmt.Errorf("%q comes twice in the night when clocks go back; accepted: an hour that comes once", text)
		}
	}
	return t, nil
}

// wallTime is an hour of the rulebook, "20:15", on a day in Paris.
func wallTime(day time.Time, hour string) time.Time {
	t, err := time.Parse("15:04", hour)
	if err != nil {
		panic(fmt.Sprintf("games: hour %q of a rulebook that was checked", hour))
	}
	return time.Date(day.Year(), day.Month(), day.Day(), t.Hour(), t.Minute(), 0, 0, Paris)
}

// DrawDays lists the days from one to another, both included, on which a game has a regular draw under the rulebook of that day. Draws announced
// one by one (Super Loto, Grand Loto de Noël, exceptional draws) are not among them.
func DrawDays(game, from, to string) ([]string, error) {
	if _, err := Versions(game); err != nil {
		return nil, err
	}
	var days []string
	first, err1 := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	if err1 != nil || err2 != nil {
		return nil, fmt.Errorf("days %.40q to %.40q; accepted: days that exist, as YYYY-MM-DD", from, to)
	}
	if last.Sub(first) > maxDays*24*time.Hour {
		return nil, fmt.Errorf("%s to %s; accepted: at most %d days", from, to, maxDays)
	}
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		day := d.Format(time.DateOnly)
		if book, err := InForce(game, day); err == nil && regular(book, d) {
			days = append(days, day)
		}
	}
	return days, nil
}

// maxDays bounds the days of one list: far more than a season.
const maxDays = 3700

func regular(book *rulebook.Rulebook, day time.Time) bool {
	return book.Calendar.Draw != "" && slices.Contains(book.Calendar.Weekdays, strings.ToLower(day.Weekday().String()))
}

// Day returns the day in Paris of an instant, YYYY-MM-DD.
func Day(t time.Time) string { return t.In(Paris).Format(time.DateOnly) }
