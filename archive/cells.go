package archive

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tirage/rules/money"
)

// A cell that cannot be read says what would have been accepted; [reader] adds the place and what was found.

const dayForm = "2006-01-02"

var errDate = errors.New("a day as dd/mm/yyyy, dd/mm/yy or yyyymmdd")

// parseDate reads the three forms of date. A two-digit year is 1969–2068, and the first Loto was drawn in 1976.
func parseDate(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	form := ""
	switch len(s) {
	case len("02/01/2006"):
		form = "02/01/2006"
	case len("20060102"):
		form = "20060102"
		if strings.Contains(s, "/") {
			form = "02/01/06"
		}
	}
	t, err := time.Parse(form, s)
	if form == "" || err != nil || t.Year() < 1900 {
		return time.Time{}, errDate
	}
	return t, nil
}

var weekdays = [...]string{"DIMANCHE", "LUNDI", "MARDI", "MERCREDI", "JEUDI", "VENDREDI", "SAMEDI"}

// parseWeekday reads a French weekday, whole or cut to two letters.
func parseWeekday(s string) (time.Weekday, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	for i, name := range weekdays {
		if s == name || s == name[:2] {
			return time.Weekday(i), nil
		}
	}
	return 0, errors.New("LUNDI to DIMANCHE, whole or cut to two letters")
}

// winnersMax is seven times the combinations of Euro Millions, far above what all nine countries sell for one draw.
const winnersMax = 1_000_000_000

func parseCount(s string) (int64, error) {
	s = strings.TrimSpace(s)
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || n > winnersMax {
		return 0, fmt.Errorf("a number of winners, 0 to %d", int64(winnersMax))
	}
	return int64(n), nil
}

func parseGain(s string) (money.Cents, error) {
	c, err := money.Parse(strings.TrimSpace(s))
	if err != nil {
		return 0, errors.New("euros such as 26429 or 29272,9 or 13000000,00")
	}
	return c, nil
}

// parseBall reads a number of the grid; the range goes by the game.
func parseBall(s string, of int) (int, error) {
	s = strings.TrimSpace(s)
	n, err := strconv.ParseUint(s, 10, 8)
	if err != nil || n < 1 || int(n) > of {
		return 0, fmt.Errorf("a number of 1 to %d", of)
	}
	return int(n), nil
}

const superText = "super jackpot et tirages suivants"

// parseCycle reads the position in the cycle, a numeric column in which words stand for a super jackpot and the draws after it.
func parseCycle(s string) (Cycle, error) {
	text := strings.TrimSpace(s)
	switch {
	case text == "":
		return Cycle{Text: s}, nil
	case strings.ToLower(text) == superText:
		return Cycle{Super: true, Text: s}, nil
	}
	n, err := strconv.ParseUint(text, 10, 10)
	if err != nil {
		return Cycle{}, errors.New("a position in the cycle, « Super Jackpot et tirages suivants » or nothing")
	}
	return Cycle{Position: int(n), Text: s}, nil
}

// codesMax bounds the codes of one cell; the largest draw gives 100.
const codesMax = 10_000

// parseCodes reads the codes of one cell, separated by commas. A code is capital letters, digits and the spaces between its
// groups: "R 3329 7084", "AZ3618164", "IB 051 3569", "F TJX 18583".
func parseCodes(s string) ([]string, error) {
	var list []string
	for c := range strings.SplitSeq(s, ",") {
		c = strings.TrimSpace(c)
		if c == "" {
			continue
		}
		if len(list) == codesMax || !isCode(c) {
			return nil, errors.New("codes of capital letters, digits and spaces, such as R 3329 7084, separated by commas")
		}
		list = append(list, c)
	}
	return list, nil
}

func isCode(c string) bool {
	letters, digits := 0, 0
	for _, r := range c {
		switch {
		case 'A' <= r && r <= 'Z':
			letters++
		case '0' <= r && r <= '9':
			digits++
		case r != ' ':
			return false
		}
	}
	return 1 <= letters && letters <= 4 && 5 <= digits && digits <= 8
}

// numbersOf returns the numbers of an ascending grid as printed: "7-37-38-44-48+7", "-6-9-13-39-41-".
func numbersOf(s string) ([]int, bool) {
	var ns []int
	for f := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '+' || r == ' ' }) {
		n, err := strconv.ParseUint(f, 10, 8)
		if err != nil {
			return nil, false
		}
		ns = append(ns, int(n))
	}
	return ns, true
}
