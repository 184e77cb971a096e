// Package evening reads scenarios of one draw and runs them: the sale, the seal, the draw, two counts, the payment and the
// notice, through the same commands, the same books and the same recount as a draw that is sold for real.
//
// A scenario is a text that a lawyer can read: one command a line, # for comments, three parts in this order.
//
//	draw loto 2020-06-22 reconstructed          # the draw and what is on sale
//	opens  2020-06-20 20:15
//	closes 2020-06-22 20:15
//	pack 600 6x10*10 shares 200 max 1
//	jackpot 8000000
//	official r2 12914.50 r3 577.80 r4 389.50 r5 40.40 r6 20.90 r7 8.00 r8 4.20 r9 2.20
//
//	at 2020-06-21 10:00:00                      # the sales
//	players 72 one deposit 6.60                 # the accounts one-1 to one-72
//	buy one 1 share of 600                      # each of them buys one
//
//	result 9-36-5-21-39+5                       # the outcome
//
// docs/scenarios.md holds the whole grammar. A scenario says what happens, never what should come of it: [Run] works that out and
// the [Report] tells.
//
// # Faults and refusals
//
// What a reader of the file can see to be wrong (a word, a number that the game does not have, a sale after the result) makes
// [Parse] fail with an [*Error] that names each line, what was found and what is accepted; nothing is run. What only the
// operator can refuse (not enough money, no share left, a sale before the opening or at the close) is part of the evening: the
// command is refused without a trace in the books, the report lists it, and the evening goes on.
//
// # Time
//
// The clock stands still but for the lines "at": every command happens at the instant that they set, Europe/Paris. A play at
// 23:59:59 on the eve of an amendment is sold under the old version, one at 00:00:00 under the new one.
package evening

import (
	"fmt"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// Scenario is a scenario that was read and found sound.
type Scenario struct {
	File string // as named in faults

	Game, Day                  string
	Reconstructed, Exceptional bool
	Opens, Closes              time.Time
	Packs                      []central.PackOffer
	FirstCodes                 map[string]string // by series: where the sequential codes start

	Acts []Act // in order

	Terms     prize.Terms
	Result    central.Result
	Elsewhere prize.Winners // of other points of sale and countries, by rank; nil: none

	book  *rulebook.Rulebook   // in force on the day of the draw
	books []*rulebook.Rulebook // it and those of the games sold with it
	lines map[string]int       // word → line on which it stands last
}

// Act is one line of the sales, for one account or for each of a crowd.
type Act struct {
	Line int
	Text string    // as written, without comment
	At   time.Time // where the clock stands
	As   string    // who acts, as written: an account or a crowd; "" for "at"
	Who  []string  // the accounts, in order
	Open bool      // the accounts are opened first

	Deposit money.Cents    // 0: none
	Lines   []central.Line // grids of a play; nil: none
	Type    string         // with Shares: shares of a pack
	Shares  int64
}

// Problem is one fault of a scenario.
type Problem struct {
	Line   int
	Reason string // what was found; what is accepted
}

// maxProblems bounds what one error tells: a text with more faults than that is no scenario.
const maxProblems = 20

// Error lists the faults of a scenario, in the order of its lines. Each line of its text is file:line: reason.
type Error struct {
	File     string
	Problems []Problem
}

func (e *Error) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems[:min(len(e.Problems), maxProblems)] {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", e.File, p.Line, p.Reason))
	}
	if more := len(e.Problems) - maxProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d more", e.File, more))
	}
	return strings.Join(lines, "\n")
}

// fault returns the error of one fault on a line.
func (s *Scenario) fault(line int, format string, a ...any) error {
	return &Error{s.File, []Problem{{line, fmt.Sprintf(format, a...)}}}
}

// about returns the line of the command that a message of the prize rules speaks of, that of the draw when it speaks of none.
func (s *Scenario) about(message string) int {
	for _, subject := range []struct{ says, word string }{
		{"official", "official"}, {"super", "super"}, {"carry", "carry"}, {"fund", "fund"}, {"jackpot", "jackpot"}, {"position", "cycle"},
		{"at the cap", "cycle"}, {"stakes elsewhere", "stakes-elsewhere"}, {"winners", "elsewhere"},
	} {
		if line, ok := s.lines[subject.word]; ok && strings.Contains(message, subject.says) {
			return line
		}
	}
	return s.lines["draw"]
}
