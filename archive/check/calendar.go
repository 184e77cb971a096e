package check

import (
	"strings"
	"time"

	"tirage/rules/rulebook"
)

// missing reports whether the calendar of the rulebook has a day of draw between two draws.
func missing(b *rulebook.Rulebook, before, after string) bool {
	day, err := time.Parse(time.DateOnly, before)
	last, err2 := time.Parse(time.DateOnly, after)
	if err != nil || err2 != nil || len(b.Calendar.Weekdays) == 0 {
		return false
	}
	for day = day.AddDate(0, 0, 1); day.Before(last); day = day.AddDate(0, 0, 1) {
		for _, w := range b.Calendar.Weekdays {
			if strings.EqualFold(w, day.Weekday().String()) {
				return true
			}
		}
	}
	return false
}
