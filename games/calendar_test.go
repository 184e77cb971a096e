package games

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// The close is 20:15 of the clock in Paris on every day of the year, on both sides of each change of hour, and a draw that is on sale across one opens
// at that hour of the clock too.
func TestCase40WallTimeOfParis(t *testing.T) {
	for _, c := range []struct{ game, day, opens, closes, draw string }{
		// In the night to 28 October 2018 summer time ends.
		{"loto", "2018-10-27", "2018-09-22T18:15:00Z", "2018-10-27T18:15:00Z", "2018-10-27T18:45:00Z"},
		{"loto", "2018-10-29", "2018-09-24T18:15:00Z", "2018-10-29T19:15:00Z", "2018-10-29T19:45:00Z"},
		{"euromillions", "2018-10-26", "2018-09-21T18:15:00Z", "2018-10-26T18:15:00Z", "2018-10-26T18:45:00Z"},
		{"superloto", "2018-10-28", "2018-09-23T18:15:00Z", "2018-10-28T19:15:00Z", "2018-10-28T19:45:00Z"},
		// In the night to 31 March 2019 it begins.
		{"loto", "2019-03-30", "2019-02-23T19:15:00Z", "2019-03-30T19:15:00Z", "2019-03-30T19:45:00Z"},
		{"euromillions", "2019-03-31", "2019-02-24T19:15:00Z", "2019-03-31T18:15:00Z", "2019-03-31T18:45:00Z"},
		{"loto", "2019-04-01", "2019-02-25T19:15:00Z", "2019-04-01T18:15:00Z", "2019-04-01T18:45:00Z"},
		// In the night to 27 October 2019 it ends again.
		{"loto", "2019-10-26", "2019-09-21T18:15:00Z", "2019-10-26T18:15:00Z", "2019-10-26T18:45:00Z"},
		{"grandloto", "2019-10-27", "2019-09-22T18:15:00Z", "2019-10-27T19:15:00Z", "2019-10-27T19:45:00Z"},
		{"loto", "2019-10-28", "2019-09-23T18:15:00Z", "2019-10-28T19:15:00Z", "2019-10-28T19:45:00Z"},
	} {
		h, err := DrawHours(c.game, c.day)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []struct {
			what string
			got  time.Time
			want string
		}{{"opens", h.Opens, c.opens}, {"closes", h.Closes, c.closes}, {"is drawn", h.Draw, c.draw}} {
			if got := i.got.UTC().Format(time.RFC3339); got != i.want {
				t.Errorf("%s of %s %s at %s, want %s", c.game, c.day, i.what, got, i.want)
			}
		}
	}
	// Every draw of ten years closes at 20:15 of its own day, sells for 35 days of the calendar, and is drawn after the close.
	for _, game := range []string{"loto", "euromillions"} {
		days, err := DrawDays(game, "2017-03-06", "2026-12-31")
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range days {
			h, err := DrawHours(game, day)
			if err != nil {
				t.Fatal(err)
			}
			date, _ := time.Parse(time.DateOnly, day)
			if got := h.Closes.Format("2006-01-02 15:04:05"); got != day+" 20:15:00" {
				t.Errorf("%s of %s closes at %s", game, day, got)
			}
			if got, want := h.Opens.Format("2006-01-02 15:04:05"), date.AddDate(0, 0, -35).Format(time.DateOnly)+" 20:15:00"; got != want {
				t.Errorf("%s of %s opens at %s, want %s", game, day, got, want)
			}
			if h.Draw.Sub(h.Closes) != 30*time.Minute {
				t.Errorf("%s of %s is drawn %v after the close", game, day, h.Draw.Sub(h.Closes))
			}
		}
	}
}

// Loto on Monday, Wednesday and Saturday, Euro Millions on Tuesday and Friday, the others by announcement.
func TestDrawDays(t *testing.T) {
	for _, c := range []struct{ game, from, to, want string }{
		{"loto", "2018-10-22", "2018-11-04", "2018-10-22 2018-10-24 2018-10-27 2018-10-29 2018-10-31 2018-11-03"},
		{"euromillions", "2018-10-22", "2018-11-04", "2018-10-23 2018-10-26 2018-10-30 2018-11-02"},
		{"loto", "2017-02-27", "2017-03-08", "2017-03-06 2017-03-08"}, // the first version that is at hand
		{"superloto", "2018-10-22", "2018-12-31", ""},
		{"grandloto", "2018-10-22", "2018-12-31", ""},
		{"mymillion", "2018-10-22", "2018-12-31", ""},
		{"loto", "2018-10-24", "2018-10-22", ""},
	} {
		days, err := DrawDays(c.game, c.from, c.to)
		if err != nil || !slices.Equal(days, strings.Fields(c.want)) {
			t.Errorf("%s from %s to %s: %v, %v; want %s", c.game, c.from, c.to, days, err, c.want)
		}
	}
	for _, c := range [][3]string{{"keno", "2018-10-22", "2018-10-23"}, {"loto", "2018-02-30", "2018-03-23"}, {"loto", "x", "2018-03-23"}, {"loto", "1000-01-01", "2018-03-23"}} {
		if _, err := DrawDays(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v: accepted", c)
		}
	}
	for _, c := range [][2]string{{"keno", "2018-10-22"}, {"mymillion", "2018-10-23"}, {"donuts", "2019-06-25"}, {"loto", "2016-01-01"}, {"loto", "2018-02-30"}} {
		if h, err := DrawHours(c[0], c[1]); err == nil {
			t.Errorf("%v: %v", c, h)
		}
	}
}
