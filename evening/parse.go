package evening

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// Limits of a scenario, each far above what an evening of one page needs.
const (
	maxFile    = 1 << 20 // bytes
	maxPlayers = 10_000  // accounts, those of crowds included
	maxPacks   = 10_000  // of one type
	maxDraws   = 1_560   // of a jackpot cycle: ten years of three draws a week
)

// part is where in a scenario a command may stand.
type part int

const (
	anywhere part = iota // after the draw
	opening              // the draw and what is on sale
	sales                // from the first of them on nothing more is put on sale
	outcome              // from the first of them on nothing more is sold
)

func (p part) String() string {
	return [...]string{"anywhere", "before the first sale", "before the outcome", "after the sales"}[p]
}

// verb is one command of the grammar.
type verb struct {
	part  part
	once  bool
	usage []string // its forms, as docs/scenarios.md prints them
	parse func(p *parser, args []string) error
}

// errForm is returned by the parse function of a verb when the line has none of its forms.
var errForm = errors.New("form")

// parser reads one scenario.
type parser struct {
	s         *Scenario
	verbs     map[string]verb
	problems  []Problem
	number    int    // of the line being read
	text      string // of the line being read, without comment
	part      part
	began     int // line on which the part began
	clock     time.Time
	who       map[string][]string // account or crowd → accounts
	accounts  int
	deposited money.Cents
	series    map[string]*codes.Series
	packs     map[string]int // pack type → line
}

// Parse reads a scenario; file is how faults name it. The error is an [*Error].
func Parse(file string, data []byte) (*Scenario, error) {
	p := &parser{
		s:     &Scenario{File: file, FirstCodes: map[string]string{}, lines: map[string]int{}},
		verbs: verbs(), who: map[string][]string{}, series: map[string]*codes.Series{}, packs: map[string]int{},
	}
	p.read(data)
	if len(p.problems) == 0 {
		p.check()
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &Error{file, p.problems}
	}
	return p.s, nil
}

func (p *parser) refuse(line int, format string, a ...any) {
	p.problems = append(p.problems, Problem{line, fmt.Sprintf(format, a...)})
}

// read goes through the lines. Without a sound draw nothing else can be judged, so its faults end the reading.
func (p *parser) read(data []byte) {
	if len(data) > maxFile {
		p.refuse(1, "a scenario of more than %d bytes; accepted: at most that", maxFile)
		return
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxFile+1)
	for lines.Scan() {
		p.number++
		if !utf8.Valid(lines.Bytes()) {
			p.refuse(p.number, "bytes that are not UTF-8; accepted: text in UTF-8")
			return
		}
		text, _, _ := strings.Cut(lines.Text(), "#")
		if fields := strings.Fields(text); len(fields) > 0 {
			p.text = strings.Join(fields, " ")
			p.line(fields[0], fields[1:])
		}
		if p.s.book == nil && len(p.problems) > 0 {
			return
		}
	}
	if p.s.book == nil {
		p.refuse(max(1, p.number), "no draw; accepted: %s", p.forms("draw"))
	}
}

// line reads one command.
func (p *parser) line(word string, args []string) {
	v, known := p.verbs[word]
	switch first, again := p.s.lines[word]; {
	case !known:
		p.refuse(p.number, "command %.40q; accepted: %s", word, strings.Join(slices.Sorted(maps.Keys(p.verbs)), ", "))
		return
	case p.s.book == nil && word != "draw":
		p.refuse(p.number, "%s before the draw; accepted first: %s", word, p.forms("draw"))
		return
	case v.once && again:
		p.refuse(p.number, "%s stands on line %d already; accepted once", word, first)
		return
	case v.part != anywhere && v.part < p.part:
		p.refuse(p.number, "%s after line %d; accepted %v", word, p.began, v.part)
		return
	}
	if v.part > p.part {
		p.part, p.began = v.part, p.number
	}
	p.s.lines[word] = p.number
	switch err := v.parse(p, args); {
	case errors.Is(err, errForm):
		p.refuse(p.number, "found %.80q; accepted: %s", p.text, p.forms(word))
	case err != nil:
		p.refuse(p.number, "%s: %v", word, err)
	}
}

func (p *parser) forms(word string) string { return strings.Join(p.verbs[word].usage, ", or ") }

// draw reads "draw GAME DAY" and takes the rulebook of that day.
func (p *parser) draw(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	s := p.s
	for _, option := range args[2:] {
		switch {
		case option == "reconstructed" && !s.Reconstructed:
			s.Reconstructed = true
		case option == "exceptional" && !s.Exceptional:
			s.Exceptional = true
		default:
			return errForm
		}
	}
	if !slices.Contains(drawGames(), args[0]) {
		return fmt.Errorf("game %.40q; accepted: %s", args[0], strings.Join(drawGames(), ", "))
	}
	book, err := games.InForce(args[0], args[1])
	if err != nil {
		return err
	}
	s.Game, s.Day = args[0], args[1]
	if err := p.readSeries(book); err != nil {
		return err
	}
	s.book = book
	return nil
}

// drawGames lists the games that have a draw of their own.
func drawGames() []string {
	var names []string
	for _, b := range games.All() {
		if b.Prizes != nil && b.Prizes.Model != prize.SidePool && !slices.Contains(names, b.Header.Game) {
			names = append(names, b.Header.Game)
		}
	}
	return names
}

// readSeries finds the codes that the draw issues: those of the games sold with it and its own.
func (p *parser) readSeries(book *rulebook.Rulebook) error {
	p.s.books = []*rulebook.Rulebook{book}
	for _, game := range book.Sale.With {
		with, err := games.InForce(game, p.s.Day)
		if err != nil {
			return err
		}
		p.s.books = append(p.s.books, with)
	}
	exceptional := false
	for _, b := range p.s.books {
		for i := range b.Codes {
			series := &b.Codes[i]
			exceptional = exceptional || series.Exceptional
			if !series.Exceptional || p.s.Exceptional {
				p.series[series.ID] = series
			}
		}
	}
	if p.s.Exceptional && !exceptional {
		return fmt.Errorf("exceptional: %s has no exceptional draw; accepted for euromillions", book.Header.Version())
	}
	return nil
}

// Forms lists every form of every command, by command.
func Forms() []string {
	var forms []string
	grammar := verbs()
	for _, word := range slices.Sorted(maps.Keys(grammar)) {
		forms = append(forms, grammar[word].usage...)
	}
	return forms
}
