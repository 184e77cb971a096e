// Package check tests published results against the rules: for each draw it asks whether one value of the fund (pools), or the
// fixed table, explains every gain printed from the winners printed, and follows the jackpot from draw to draw.
//
//	f, err := archive.Open("loto_201911_to_202112.csv")
//	report := check.Files([]*archive.File{f}, games.InForce)
//	report.Files[0].Explained // 338 of 338 draws
//
// A draw is
//
//   - explained: the rules give every main gain printed, and its jackpot is what the cycle leads to or what is announced above it;
//   - contradicted: no fund, or not the table, gives them, or the jackpot is not what the funds since the last win make;
//   - untestable: no rulebook was in force, no winners are printed, or an overflow stands in a gain while the carry is unknown.
//
// Main ranks decide. Étoile+ is a pool of its own, counted apart. The second draw of Loto has no rule here and is not checked.
//
// What the fund of a draw was is not published. It is known to a window, from the gains; so is then the jackpot that Euro Millions
// carries from draw to draw, as a window that widens by some euros a draw. The two ends are settled by the engine itself
// ([prize.Settle]), so that carry, late rates, guarantees, cap and overflow are those that a real draw is paid by.
//
// Amounts announced from outside the rules are events and never contradictions: a Loto jackpot topped up, a super jackpot, a cycle taken
// over by a Super Loto. A jackpot that falls without a win is an event only when it falls to the first of a new cycle.
package check

import (
	"fmt"
	"slices"
	"strings"

	"tirage/archive"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// Rules returns the rulebook of a game in force on a day (YYYY-MM-DD), an error where there is none.
type Rules func(game, day string) (*rulebook.Rulebook, error)

// Verdict is what the check says of a draw.
type Verdict string

const (
	Explained    Verdict = "explained"
	Contradicted Verdict = "contradicted"
	Untestable   Verdict = "untestable"
)

// Report is the outcome for files given together: their draws are followed in one order of dates, whatever the file they stand in.
type Report struct {
	Files []*File
}

// File is the outcome for one file.
type File struct {
	Name, Game  string
	First, Last string // days of the oldest and the newest draw, YYYY-MM-DD
	Tally
	Faults   []Fault // draws that are not explained, oldest first
	Events   []Event // oldest first
	Jackpots []Jackpot
	Side     Tally   // Étoile+; no draws where the file has none
	SideWhy  []Fault // its draws that are not explained
	Second   int     // second draws read and kept: no rule, not checked

	draws []*draw
}

// Tally counts draws by verdict. Draws = Explained + Contradicted + Untestable.
type Tally struct{ Draws, Explained, Contradicted, Untestable int }

func (t *Tally) add(v Verdict) {
	t.Draws++
	switch v {
	case Explained:
		t.Explained++
	case Contradicted:
		t.Contradicted++
	case Untestable:
		t.Untestable++
	}
}

// Fault says why a draw is not explained.
type Fault struct {
	Date    string
	Line    int
	Verdict Verdict
	Why     string
}

// Event is something announced or done by rule to a jackpot.
type Event struct {
	Date string
	Kind EventKind
	Text string
}

// EventKind names an [Event].
type EventKind string

const (
	TopUp    EventKind = "top-up"    // a Loto jackpot announced above what the cycle leads to
	Start    EventKind = "guarantee" // Euro Millions: first draw of a cycle, raised to its least amount
	Super    EventKind = "super jackpot"
	TakeOver EventKind = "take-over" // a Super Loto or Grand Loto takes the running jackpot of Loto over
	Reset    EventKind = "reset"     // a jackpot that starts again although no draw of these files won it
	Capped   EventKind = "cap"       // Euro Millions: at the cap, overflow, fifth capped draw, cap raised
	Gap      EventKind = "gap"       // draws are missing from the files
	Oddity   EventKind = "oddity"    // printed facts at odds that no gain depends on
)

// Jackpot is a won jackpot of Euro Millions beside what the funds since the last win give for each winner.
type Jackpot struct {
	Date      string
	Winners   int64
	Printed   money.Cents // each
	Low, High money.Cents // each, predicted; 0 and 0: the carry was not known
	Why       string      // why it was not known
}

// Predicted reports whether the printed gain is one that the funds give.
func (j Jackpot) Predicted() bool { return j.High > 0 && j.Low <= j.Printed && j.Printed <= j.High }

// Contradicted reports whether any draw is.
func (r *Report) Contradicted() bool {
	return slices.ContainsFunc(r.Files, func(f *File) bool { return f.Tally.Contradicted > 0 })
}

// draw is a draw under test.
type draw struct {
	*archive.Draw
	file    *File
	rules   *rulebook.Rulebook // nil: none
	winners prize.Winners
	gains   []money.Cents
	terms   prize.Terms // what was known of the draw before it, for [prize.FundWindow]
	verdict Verdict     // "" until judged
	why     string
}

// Files checks archives together.
func Files(archives []*archive.File, rules Rules) *Report {
	r := &Report{}
	first := make(map[archive.Key]*draw)
	var loto, euro []*draw
	for _, a := range archives {
		f := newFile(a, rules)
		r.Files = append(r.Files, f)
		for _, d := range f.draws {
			switch other, twice := first[d.Key()]; {
			case twice:
				f.compare(d, other)
			case a.Game == archive.EuroMillions:
				euro = append(euro, d)
			default:
				loto = append(loto, d)
			}
			if first[d.Key()] == nil {
				first[d.Key()] = d
			}
		}
	}
	followLoto(byDate(loto))
	followEuro(byDate(euro))
	for _, f := range r.Files {
		f.side(rules)
		f.close(first)
	}
	return r
}

func byDate(ds []*draw) []*draw {
	slices.SortStableFunc(ds, func(a, b *draw) int { return strings.Compare(a.Date, b.Date) })
	return ds
}

func newFile(a *archive.File, rules Rules) *File {
	f := &File{Name: a.Name, Game: a.Game}
	for _, d := range a.ByDate() {
		t := &draw{Draw: d, file: f}
		for _, r := range d.Ranks {
			t.winners = append(t.winners, r.Winners)
			t.gains = append(t.gains, r.Gain)
		}
		t.rules, t.why = inForce(rules, d, len(d.Ranks))
		if d.Second != nil {
			f.Second++
		}
		if c := d.Codes; len(c.List) > 0 && c.Count != int64(len(c.List)) {
			f.event(d.Date, Oddity, "%d codes counted, %d listed", c.Count, len(c.List))
		}
		f.draws = append(f.draws, t)
	}
	f.First, f.Last = f.draws[0].Date, f.draws[len(f.draws)-1].Date
	return f
}

// poolsFrom is the day from which Loto pays pools. What Super Loto and Grand Loto de Noël pay from then on is in no source at hand, so that their
// later draws can't be tested by the tables of before.
const poolsFrom = "2019-11-04"

// inForce returns the rulebook by which a draw is tested, nil and why where there is none.
func inForce(rules Rules, d *archive.Draw, ranks int) (*rulebook.Rulebook, string) {
	if (d.Game == archive.SuperLoto || d.Game == archive.GrandLoto) && d.Date >= poolsFrom {
		return nil, "the rule of " + d.Game + " from " + poolsFrom + " on is not known"
	}
	b, err := rules(d.Game, d.Date)
	switch {
	case err != nil:
		return nil, err.Error()
	case b.Prizes == nil || len(b.Prizes.Ranks) != ranks:
		return nil, fmt.Sprintf("the rulebook %s has not the %d ranks of the file", b.Header.Version(), ranks)
	}
	return b, ""
}

func (f *File) event(date string, kind EventKind, format string, a ...any) {
	f.Events = append(f.Events, Event{date, kind, fmt.Sprintf(format, a...)})
}

// compare notes what a second file says otherwise of a draw.
func (f *File) compare(d, other *draw) {
	for k := range d.Ranks {
		if k < len(other.Ranks) && d.Ranks[k] != other.Ranks[k] {
			f.event(d.Date, Oddity, "rank %d: %d winners of %v here, %d of %v in %s",
				k+1, d.winners[k], d.gains[k], other.winners[k], other.gains[k], other.file.Name)
			return
		}
	}
}

// close judges what no order of dates reached and adds up.
func (f *File) close(first map[archive.Key]*draw) {
	for _, d := range f.draws {
		if d.verdict == "" { // a draw that another file gave before
			d.terms = first[d.Key()].terms
			d.judge()
		}
		f.Tally.add(d.verdict)
		if d.verdict != Explained {
			f.Faults = append(f.Faults, Fault{d.Date, d.Line, d.verdict, d.why})
		}
	}
	slices.SortStableFunc(f.Events, func(a, b Event) int { return strings.Compare(a.Date, b.Date) })
}
