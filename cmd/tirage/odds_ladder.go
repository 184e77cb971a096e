package main

import (
	"fmt"
	"io"
	"math/big"
	"strconv"

	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// ladderOdds is what a ladder game gives, level by level, and what each way to play returns.
type ladderOdds struct {
	Levels []levelOdds         `json:"levels"`
	Best   ladderReturn        `json:"best"`  // the adaptive rule of the highest return
	Worst  ladderReturn        `json:"worst"` // of the lowest, among those that take a gain where they stop
	Top    money.Cents         `json:"top_gain_cents"`
	TopFor chance              `json:"top_gain_odds"` // for a player who never stops
	Gains  rulebook.Confidence `json:"gains_confidence"`
}

// levelOdds is a line of the table of Art. donuts@2019-06-25:3.2.5, beside what the regulation prints.
type levelOdds struct {
	Level int          `json:"level"`
	Items int          `json:"items"`
	Each  *figure      `json:"each,omitempty"` // an item holds; none with balls that are not put back
	Pass  *figure      `json:"pass"`           // this level is passed
	Reach *figure      `json:"reach"`          // all levels so far are passed
	Stop  ladderReturn `json:"stop"`           // the rule « stop here »
}

// figure is an exact chance and its printed form.
type figure struct {
	Exact    string `json:"exact"`
	OneIn    string `json:"one_in"` // to the hundredth
	Printed  string `json:"printed,omitempty"`
	Misprint bool   `json:"misprint,omitempty"` // the source prints what the exact chance does not give
	chance   *big.Rat
}

// ladderReturn is the part of the stakes that a rule of play returns.
type ladderReturn struct {
	Exact   string `json:"exact"`
	Percent string `json:"percent"`
}

func newLadderReturn(r *big.Rat) ladderReturn { return ladderReturn{r.RatString(), odds.Percent(r, 3)} }

func newFigure(o ladder.Odds, column ladder.Column, printed *ladder.Printed) *figure {
	p := o.Of(column)
	if p == nil {
		return nil
	}
	f := &figure{Exact: p.RatString(), OneIn: ladder.OneIn(p), chance: p}
	if printed != nil {
		f.Printed, f.Misprint = printed.Of(column), printed.Misprint == column
	}
	return f
}

// addLadder adds the levels of a ladder. Its analysis counts every outcome, a fraction of a second for ten levels.
func (r *oddsReport) addLadder(book *rulebook.Rulebook) error {
	if book.Ladder == nil {
		return nil
	}
	analysis, err := book.Ladder.Analyse()
	if err != nil {
		return fmt.Errorf("%s: %w", r.Version, err)
	}
	rules := book.Ladder.Rules()
	lastLevel := fmt.Sprintf("ladder.levels.%d.", len(rules.Levels))
	never := analysis.Stop[len(analysis.Stop)-1]
	top, p := never.Highest()
	l := &ladderOdds{
		Best:   newLadderReturn(analysis.Return(&analysis.Best.Gains)),
		Worst:  newLadderReturn(analysis.Return(&analysis.Worst.Gains)),
		Top:    top,
		TopFor: newChance(p),
		Gains:  factOf(book, lastLevel+"values", lastLevel+"pays").Confidence,
	}
	for i, o := range book.Ladder.Odds() {
		printed := rules.Levels[i].Printed
		l.Levels = append(l.Levels, levelOdds{
			Level: o.Level, Items: o.Items,
			Each: newFigure(o, ladder.Each, printed), Pass: newFigure(o, ladder.Pass, printed), Reach: newFigure(o, ladder.Reach, printed),
			Stop: newLadderReturn(analysis.Return(&analysis.Stop[i])),
		})
	}
	if first := rules.First; first != nil && first.Certain {
		r.note("the first item of a play cannot fall (%s): level 1 is passed when the %d others hold", factOf(book, "ladder.first.certain").Confidence, rules.Levels[0].Items-1)
	}
	// What the rulebook notes of the article that prints the odds.
	article := factOf(book, "ladder.levels.1.printed").Article
	for i, note := range book.Header.Notes {
		if article != "" && factOf(book, fmt.Sprintf("header.notes.%d.text", i+1)).Article == article {
			r.note("%s", note)
		}
	}
	r.Ladder = l
	return nil
}

func (l *ladderOdds) print(w io.Writer, price money.Cents) {
	fmt.Fprintf(w, "stake %s\n", euros(price))
	fmt.Fprintln(w, "\n1 chance sur …, exact and [as the regulation prints it]; * where the two differ")
	t := &table{align: "rrrrrr"}
	t.add("level", "on the pile", "each holds", "this level", "all so far", "return of stopping here, "+string(l.Gains))
	for _, v := range l.Levels {
		t.add(strconv.Itoa(v.Level), strconv.Itoa(v.Items), v.Each.cell(), v.Pass.cell(), v.Reach.cell(), v.Stop.Percent)
	}
	t.print(w, "")
	l.printMisprints(w)
	last := l.Levels[len(l.Levels)-1]
	fmt.Fprintf(w, "all levels: %s…, exactly %s\n", last.Reach.decimal(), last.Reach.Exact)
	fmt.Fprintf(w, "best rule of play %s, worst %s; largest gain %s for who never stops: %s%s\n", l.Best.Percent, l.Worst.Percent, euros(l.Top), l.TopFor.French, mark(l.Gains))
}

// printMisprints says how many of the printed figures are those of the exact chances, and which are not.
func (l *ladderOdds) printMisprints(w io.Writer) {
	printed := 0
	var differ []string
	for _, v := range l.Levels {
		for _, f := range []*figure{v.Each, v.Pass, v.Reach} {
			if f == nil || f.Printed == "" {
				continue
			}
			printed++
			if f.Misprint {
				differ = append(differ, fmt.Sprintf("* level %d is printed %s, the exact chance %s gives %s", v.Level, f.Printed, f.Exact, f.OneIn))
			}
		}
	}
	if printed > 0 {
		fmt.Fprintf(w, "%d of the %d printed figures are those of the exact chances, rounded once\n", printed-len(differ), printed)
	}
	for _, line := range differ {
		fmt.Fprintln(w, line)
	}
}

// decimal returns the first eighteen decimals of the chance, cut and not rounded: more follow.
func (f *figure) decimal() string {
	const decimals = 18
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	digits := scale.Mul(scale, f.chance.Num())
	return fmt.Sprintf("0.%0*d", decimals, digits.Quo(digits, f.chance.Denom()))
}

func (f *figure) cell() string {
	if f == nil {
		return "–"
	}
	text := f.OneIn
	if f.Printed != "" {
		text += " [" + f.Printed + "]"
	}
	if f.Misprint {
		return text + "*"
	}
	return text
}
