package main

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// ladderCmd is `tirage ladder`: the games that one climbs, taken apart and played by the million.
type ladderCmd struct {
	Analyse  ladderAnalyseCmd  `cmd:"" help:"Count every outcome: the exact return of each way to play."`
	Simulate ladderSimulateCmd `cmd:"" help:"Play rounds with the production step and hold them against the exact figures."`
}

// ladderArgs names a ladder.
type ladderArgs struct {
	Game string `arg:"" help:"Game: donuts, fortynine."`
	Date string `placeholder:"DAY" help:"Day of play, YYYY-MM-DD, Europe/Paris (default: the newest rules)."`
	JSON bool   `name:"json" help:"Print the whole report as JSON."`
}

// book returns the rulebook of the ladder.
func (a *ladderArgs) book() (*rulebook.Rulebook, error) {
	book, err := bookOn(a.Game, a.Date)
	if err != nil {
		return nil, err
	}
	if book.Ladder == nil {
		var ladders []string
		for _, other := range games.All() {
			if other.Ladder != nil {
				ladders = append(ladders, other.Header.Game)
			}
		}
		return nil, fmt.Errorf("game %s is no ladder; accepted: %s", a.Game, strings.Join(slices.Compact(ladders), ", "))
	}
	return book, nil
}

// ladderAnalyseCmd is `tirage ladder analyse`.
type ladderAnalyseCmd struct {
	ladderArgs
	Level int    `placeholder:"N" help:"Print also every gain of stopping at level N, with its chance."`
	SVG   string `name:"svg" placeholder:"FILE" help:"Draw the returns and the distributions into FILE."`
	Lang  string `enum:"fr,en" default:"fr" help:"Language of the drawing: fr or en."`
}

func (c *ladderAnalyseCmd) Help() string {
	return "Rules of play: stop at level n; or the best and the worst of the adaptive rules, which look at the level, the values on the pile and the stars. " +
		"Everything is counted, nothing is sampled; --json holds each gain of each rule with its exact chance."
}

func (c *ladderAnalyseCmd) Run(p *program) error {
	book, err := c.book()
	if err != nil {
		return err
	}
	if c.Level < 0 || c.Level > book.Ladder.Levels() {
		return fmt.Errorf("--level %d: accepted 1 to %d", c.Level, book.Ladder.Levels())
	}
	start := time.Now()
	analysis, err := book.Ladder.Analyse()
	if err != nil {
		return err
	}
	study := &ladderStudy{book: book, analysis: analysis, took: time.Since(start)}
	if c.SVG != "" {
		if err := os.WriteFile(c.SVG, study.draw(drawingWords[c.Lang]), 0o644); err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
	}
	if c.JSON {
		return p.printJSON(study.report())
	}
	study.print(p.out)
	if c.Level > 0 {
		study.printGains(p.out, c.Level)
	}
	return nil
}

// ladderStudy is an analysed ladder.
type ladderStudy struct {
	book     *rulebook.Rulebook
	analysis *ladder.Analysis
	took     time.Duration
}

// bestStop returns the index of the rule « stop at level n » of the highest return.
func (s *ladderStudy) bestStop() int {
	best := 0
	for n := range s.analysis.Stop {
		if s.analysis.Return(&s.analysis.Stop[n]).Cmp(s.analysis.Return(&s.analysis.Stop[best])) > 0 {
			best = n
		}
	}
	return best
}

// gainsConfidence says how well the gains of the ladder are known.
func (s *ladderStudy) gainsConfidence() rulebook.Confidence {
	last := fmt.Sprintf("ladder.levels.%d.", s.book.Ladder.Levels())
	return factOf(s.book, last+"values", last+"pays").Confidence
}

func (s *ladderStudy) print(w io.Writer) {
	h, a := s.book.Header, s.analysis
	fmt.Fprintf(w, "%s (%s), %s a play: %s states counted in %.2f s\n", h.Title, h.Version(), euros(s.book.Sale.Price), odds.FrenchNumber(big.NewRat(int64(a.States), 1), 0), s.took.Seconds())
	if s.gainsConfidence() == rulebook.Assumed {
		fmt.Fprintln(w, "the gains are assumed: a table of our own, no source states it")
	}
	fmt.Fprintln(w)

	t := &table{align: "lrrrrrrrl"}
	t.add("rule", "return", "hit rate", "mean gain", "deviation", "variance", "gains", "highest", "its odds")
	for n := range a.Stop {
		t.add(s.row(fmt.Sprintf("stop at level %d", n+1), &a.Stop[n])...)
	}
	t.add(s.row("best adaptive", &a.Best.Gains)...)
	t.add(s.row("worst adaptive", &a.Worst.Gains)...)
	t.print(w, "")

	s.printBand(w)
	s.printChances(w)
	s.printPolicy(w)
}

// row is the line of one rule of play.
func (s *ladderStudy) row(name string, g *ladder.Gains) []string {
	top, p := g.Highest()
	return []string{
		name, odds.Percent(s.analysis.Return(g), 4), odds.Percent(g.HitRate(), 4), odds.Decimal(inEuros(g.Mean()), 6) + " €",
		fmt.Sprintf("%.2f €", deviation(g)), odds.Decimal(inEuros(inEuros(g.Variance())), 4) + " €²",
		strconv.Itoa(len(g.List) - 1), euros(top), "1 in " + oneIn(p),
	}
}

func (s *ladderStudy) printBand(w io.Writer) {
	band, a := s.book.Ladder.Band(), s.analysis
	least, most := odds.Percent(band.Min.Rat(), 2), odds.Percent(band.Max.Rat(), 2)
	faults := s.book.Ladder.CheckReturns(a)
	if len(faults) == 0 {
		fmt.Fprintf(w, "\nband %s to %s: each rule that stops at a level lies in it, the best adaptive rule is not above it\n", least, most)
	}
	for _, f := range faults {
		fmt.Fprintf(w, "\nOUT OF THE BAND: %s\n", f.Reason)
	}
	best := s.bestStop()
	lead := new(big.Rat).Sub(a.Return(&a.Best.Gains), a.Return(&a.Stop[best]))
	lead.Mul(lead, big.NewRat(100, 1))
	fmt.Fprintf(w, "the best adaptive rule returns %s points of the stake more than the best rule that stops at a level, %d\n", odds.Decimal(lead, 4), best+1)
}

// thresholds are the gains of which the chances are printed, in cents.
var thresholds = []money.Cents{50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000}

// printChances says how likely each rule pays at least some amounts.
func (s *ladderStudy) printChances(w io.Writer) {
	fmt.Fprintln(w, "\nchance of a gain of at least …, 1 in")
	t := &table{align: "l" + "rrrrrrrrrr"}
	head := []string{"rule"}
	for _, at := range thresholds {
		head = append(head, euros(at))
	}
	t.add(head...)
	for n := range s.analysis.Stop {
		t.add(chancesRow(fmt.Sprintf("stop at level %d", n+1), &s.analysis.Stop[n])...)
	}
	t.add(chancesRow("best adaptive", &s.analysis.Best.Gains)...)
	t.print(w, "")
}

func chancesRow(name string, g *ladder.Gains) []string {
	row := []string{name}
	for _, at := range thresholds {
		p := atLeast(g, at)
		if p.Sign() == 0 {
			row = append(row, "–")
			continue
		}
		row = append(row, oneIn(p))
	}
	return row
}

// atLeast returns the chance of a gain of at least so much.
func atLeast(g *ladder.Gains, least money.Cents) *big.Rat {
	ways := new(big.Int)
	for _, o := range g.List {
		if o.Gain >= least {
			ways.Add(ways, o.Ways)
		}
	}
	return new(big.Rat).SetFrac(ways, g.Total)
}

// oneIn writes the x of « 1 in x », in few digits where nobody reads them all.
func oneIn(p *big.Rat) string {
	x := new(big.Rat).Inv(p)
	if x.Cmp(big.NewRat(1_000_000_000_000, 1)) >= 0 {
		return scientific(x)
	}
	decimals := 0
	if x.Cmp(big.NewRat(100, 1)) < 0 {
		decimals = 2
	}
	return odds.EnglishNumber(x, decimals)
}

// printPolicy says when the best adaptive rule stops.
func (s *ladderStudy) printPolicy(w io.Writer) {
	rules := s.book.Ladder.Rules()
	if rules.Base != ladder.SumOfValues {
		return
	}
	fmt.Fprintln(w, "\nbest adaptive rule: after a level, stop where the values on the pile come to at least … with so many stars")
	_, most := s.book.Ladder.Highest(len(rules.Levels))
	t := &table{align: "r"}
	head := []string{"level"}
	for k := range most + 1 {
		t.align += "r"
		head = append(head, strconv.Itoa(k)+" ★")
	}
	t.add(head...)
	for n := 1; n <= len(rules.Levels); n++ {
		row := make([]string, most+2)
		row[0] = strconv.Itoa(n)
		for _, d := range s.analysis.Best.Decisions(n) {
			row[d.Stars+1] = decide(row[d.Stars+1], d)
		}
		t.add(row...)
	}
	t.print(w, "")
}

// decide adds a run of sums to the cell of its stars.
func decide(cell string, d ladder.Decision) string {
	switch {
	case cell == "" && d.Stop:
		return "stop"
	case cell == "":
		return "go on"
	case cell == "go on" && d.Stop:
		return d.From.String()
	}
	return cell + " *" // the rule would go back: shown, never hidden
}

// printGains prints the whole distribution of one rule.
func (s *ladderStudy) printGains(w io.Writer, level int) {
	g := &s.analysis.Stop[level-1]
	fmt.Fprintf(w, "\nevery gain of stopping at level %d, with its chance\n", level)
	t := &table{align: "rrr"}
	t.add("gain", "1 in", "chance")
	for _, o := range g.List {
		p := new(big.Rat).SetFrac(o.Ways, g.Total)
		t.add(euros(o.Gain), oneIn(p), scientific(p))
	}
	t.print(w, "")
}
