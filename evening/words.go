package evening

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
)

var (
	plain     = regexp.MustCompile(`^\d+([.,]\d{1,2})?$`)
	thousands = regexp.MustCompile(`^\d{1,3}( \d{3})+([.,]\d{1,2})?$`)
)

// number joins the words of a number: "8000000.00" and "8 000 000.00" are the same, "80 00" is none.
func number(words []string) (string, bool) {
	text := strings.Join(words, " ")
	return strings.Join(words, ""), plain.MatchString(text) || thousands.MatchString(text)
}

// amount reads euros.
func amount(words []string) (money.Cents, error) {
	text, ok := number(words)
	if !ok {
		return 0, fmt.Errorf("amount %.40q; %w", strings.Join(words, " "), money.ErrSyntax)
	}
	return money.Parse(text)
}

// count reads a whole number from 1 on, at most most.
func count(words []string, what string, most int64) (int64, error) {
	text, ok := number(words)
	n, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%s %.40q; accepted: 1 to %d", what, strings.Join(words, " "), most)
	}
	return n, nil
}

var named = regexp.MustCompile(`^\p{L}[\p{L}\p{N}.-]*$`)

// nameMax bounds names of accounts and pack types, in bytes.
const nameMax = 40

func name(word string) error {
	if len(word) > nameMax || !named.MatchString(word) {
		return fmt.Errorf("name %.60q; accepted: a letter, then letters, digits, points and hyphens, at most %d bytes", word, nameMax)
	}
	return nil
}

// byRank reads "r2 … r3 …", the ranks of the draw each at most once, and hands over the words of each.
func (p *parser) byRank(args []string, read func(rank int, words []string) error) error {
	if len(args) < 2 {
		return errForm
	}
	ranks := len(p.s.book.Prizes.Ranks)
	for len(args) > 0 {
		rank, err := strconv.Atoi(strings.TrimPrefix(args[0], "r"))
		if err != nil || args[0] != fmt.Sprintf("r%d", rank) || rank < 1 || rank > ranks {
			return fmt.Errorf("rank %.20q; accepted: r1 to r%d", args[0], ranks)
		}
		end := 1
		for end < len(args) && args[end][0] != 'r' {
			end++
		}
		if err := read(rank, args[1:end]); err != nil {
			return fmt.Errorf("r%d: %w", rank, err)
		}
		args = args[end:]
	}
	return nil
}

// grid reads a grid of the draw's matrix.
func (p *parser) grid(word string) (combin.Combination, error) {
	c, err := combin.Parse(word)
	if err == nil {
		if err = p.s.book.Matrix.Check(c); err != nil {
			err = fmt.Errorf("grid %.60q: %w", word, err)
		}
	}
	return c, err
}

// numbersOf returns the numbers of a grid that [combin.Parse] accepts, in the order in which they are written.
func numbersOf(word string) (main, extra []int) {
	before, after, _ := strings.Cut(word, "+")
	for _, side := range []struct {
		text string
		to   *[]int
	}{{before, &main}, {after, &extra}} {
		for field := range strings.SplitSeq(side.text, "-") {
			n, _ := strconv.Atoi(field) // combin.Parse has read it
			*side.to = append(*side.to, n)
		}
	}
	return main, extra
}

// seriesOf returns the series with this id among those that the draw issues.
func (p *parser) seriesOf(id string) (*codes.Series, error) {
	s, ok := p.series[id]
	if !ok {
		return nil, fmt.Errorf("codes %.40q; this draw issues: %s", id, strings.Join(slices.Sorted(maps.Keys(p.series)), ", "))
	}
	return s, nil
}

// printedCode returns a code in the printed form of its series, and its ordinal.
func printedCode(s *codes.Series, words string) (string, int64, error) {
	ordinal, err := s.Parse(strings.TrimSpace(words))
	if err != nil {
		return "", 0, err
	}
	return s.Format(ordinal), ordinal, nil
}

// grouped writes digits in groups of three from the right: "5 697 395".
func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// euros writes an amount for the report: "40 684.71 €".
func euros(c money.Cents) string {
	text := c.String()
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, cents, _ := strings.Cut(text, ".")
	return sign + grouped(whole) + "." + cents + " €"
}

// bounded refuses an amount above what the prize rules take.
func bounded(c money.Cents, err error) (money.Cents, error) {
	if err == nil && c > prize.Bound {
		err = fmt.Errorf("%v; accepted: at most %v", c, prize.Bound)
	}
	return c, err
}

// widthOf is the width of a text in characters.
func widthOf(s string) int { return utf8.RuneCountInString(s) }
