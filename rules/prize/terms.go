package prize

import "tirage/rules/money"

// Cycle is where a draw stands in its jackpot cycle, the draws since the last one whose rank 1 was won.
type Cycle struct {
	Position   int         // 1: first draw of the cycle; 0: not followed (never for Euro Millions)
	Jackpot    money.Cents // announced for rank 1; it decides in the Loto models, Euro Millions has Carry and the fund instead
	Carry      money.Cents // Euro Millions: left at rank 1 by the draws of the cycle (report)
	Cap        money.Cents // Euro Millions: cap of rank 1 once it has been raised; 0: Table.Jackpot.Cap
	Capped     int         // Euro Millions: draws of this cycle that were already made at the cap
	AfterSuper bool        // Euro Millions: an earlier draw of this cycle was a super jackpot
}

// Terms are the terms of one draw: a signed input, fixed when sales are closed and sealed. All amounts are in cents, at least 0 and at most [Bound].
type Terms struct {
	Cycle
	Super         money.Cents   // Euro Millions: guaranteed amount of a super jackpot (super cagnotte) at this draw; 0: none
	Fund          money.Cents   // the fund common to all countries (Euro Millions), the pool of ranks 2–8 (Loto 2019), the pool (Étoile+); 0: see Settle
	Stakes        money.Cents   // stakes of this draw taken by this operator (Euro Millions: the common part of the price alone)
	OutsideStakes money.Cents   // stakes of other points of sale and countries, as far as they are announced
	Codes         money.Cents   // gains of winning codes that the same money pays, over all sources (Loto 10 × 20 000 €; Euro Millions: codes of an exceptional draw)
	Official      []money.Cents // a reconstructed draw: unit gain given for each rank, or Computed; nil: all computed

	// AddOns are the terms of the pools of games that are added to plays of the draw (Étoile+), by game. [Settle] settles one game and leaves them alone.
	AddOns map[string]Terms `json:",omitempty"`
}

// Computed stands in [Terms.Official] for a rank whose gain is not given.
const Computed money.Cents = -1

// Winners counts the winning simple combinations over all sources, rank 1 first.
type Winners []int64

// Limits on what comes from outside; within them no sum leaves the int64 range.
const (
	Bound      money.Cents = 10_000_000_000_000 // 100 000 M€, five hundred times the largest jackpot
	MaxWinners int64       = 1_000_000_000      // seven times the combinations of Euro Millions
)

// Settlement is what a draw gives and what becomes of its money.
type Settlement struct {
	Unit      []money.Cents // gain of one winning simple combination, rank 1 first; 0 at a rank without winner
	Published []money.Cents // the gain column of the notice: Unit, but at an empty rank what is printed there (announced jackpot, fixed gain, …)
	Amount    []money.Cents // due at each rank: Unit × winners
	Codes     money.Cents   // due to winning codes
	Next      Cycle         // what the next draw starts from, unless another jackpot is announced
	Moves     []Move        // in order; each between two different accounts, Cents > 0
	Events    []Event       // what a notice or a history prints about the draw, in order
}

// Due returns what all winners and codes are due: what the moves leave in the account prizes.
func (s Settlement) Due() money.Cents { return money.Add(money.Sum(s.Amount...), s.Codes) }

// Account is an account of the draw or of its game, as the chart of accounts names it.
type Account string

const (
	Stakes      Account = "stakes"      // stakes/<draw>
	Prizes      Account = "prizes"      // prizes/<draw>: what winners are due
	Reserve     Account = "reserve"     // fund/<game>/reserve (Art. loto@2018-10-29:10.2, Art. euromillions@2018-10-29:4.3)
	Carry       Account = "carry"       // fund/<game>/carry
	Counterpart Account = "counterpart" // fund/<game>/counterpart (fonds de contrepartie)
	Super       Account = "super"       // fund/euromillions/super (Fonds de Super Cagnotte)
	Crumbs      Account = "crumbs"      // crumbs/<draw>: what floors leave over
	Operator    Account = "operator"    // operator/<game>
	Outside     Account = "outside"     // other points of sale and countries: what they contribute and what their winners are due
)

// Move is an amount that goes from one account to another.
type Move struct {
	From, To Account
	Cents    money.Cents // > 0
	Why      Why
}

// Why is the reason of a move.
type Why string

const (
	WhyShare      Why = "winners-share" // stakes → prizes: the winners' share
	WhyOutside    Why = "outside-share" // outside → prizes: the share of stakes taken elsewhere, the rest of the common fund
	WhyEndowment  Why = "endowment"     // stakes, outside → counterpart
	WhyRest       Why = "rest"          // stakes → operator: what is neither
	WhyDifference Why = "difference"    // counterpart ↔ prizes: what is due and the winners' share differ
	WhyRoundUp    Why = "round-up"      // counterpart (Loto), reserve (Euro Millions) → prizes: rank 1 rounded up to the whole euro
	WhyCarryIn    Why = "carry-in"      // carry → prizes
	WhyCarryOut   Why = "carry-out"     // prizes → carry
	WhyTopUp      Why = "top-up"        // reserve → prizes: rank 1 of the first draw of a cycle
	WhySuper      Why = "super"         // super → prizes: a super jackpot above what rank 1 holds
	WhyCodes      Why = "codes"         // super → prizes: codes Euro Millions
	WhyBooster    Why = "booster"       // prizes → super: its part of the fund
	WhyEmptyLast  Why = "empty-last"    // prizes → reserve: no rank is left to receive the amount
	WhyCrumbs     Why = "crumbs"        // prizes → crumbs → reserve
	WhyOfficial   Why = "official"      // between prizes and who answers for the draw: official gains differ from computed ones
	WhyElsewhere  Why = "elsewhere"     // prizes → outside: gains of winners elsewhere
)

// Assumed reports whether no source states the move.
func (w Why) Assumed() bool {
	switch w {
	case WhyRoundUp, WhyEmptyLast, WhyCrumbs:
		return true
	}
	return false
}

// Event is one thing that happened to the money of a draw.
type Event struct {
	Kind  EventKind
	Rank  int         // rank it starts from, 0: none
	To    int         // rank it goes to, 0: none
	Cents money.Cents // amount concerned, rounded down to the cent
}

// EventKind names an [Event].
type EventKind string

const (
	EventWon        EventKind = "won"         // rank 1 won: Cents is the jackpot
	EventTopUp      EventKind = "top-up"      // Euro Millions: first draw of a cycle topped up to 17 M€
	EventSuper      EventKind = "super"       // Euro Millions: super jackpot
	EventCapReached EventKind = "cap-reached" // Euro Millions: rank 1 at its cap
	EventOverflow   EventKind = "overflow"    // Euro Millions: above the cap, to the first lower rank with a winner
	EventCapRaised  EventKind = "cap-raised"  // Euro Millions: Cents is the new cap
	EventRollDown   EventKind = "roll-down"   // the whole jackpot to the first lower rank with a winner: last capped draw, last roll-over
	EventSpread     EventKind = "spread"      // Grand Loto: nobody at rank 1, jackpot over the lower ranks
	EventEmpty      EventKind = "empty"       // no winner: the rank's amount goes to rank To, or to the reserve when To is 0
	EventMerge      EventKind = "merge"       // ranks Rank and To added and shared equally
	EventOfficial   EventKind = "official"    // the rank's gain was given and differs from the computed one; Cents is the gain given
	EventUnknown    EventKind = "unknown"     // Euro Millions: without the fund the carry of the next draw is not known
)
