package prize

import (
	"tirage/rules/combin"
	"tirage/rules/money"
)

// Hits is a pair of hits: how many main numbers and how many extra numbers of a simple combination were drawn.
type Hits struct{ Main, Extra int }

// Model is the way in which a table makes gains of winners.
type Model string

const (
	// Fixed: fixed gains below a shared jackpot (Loto 6 March 2017 – 3 November 2019, Super Loto).
	Fixed Model = "fixed"
	// Spread: fixed base gains, and a jackpot that must be won: nobody at rank 1 → it is spread over the lower ranks
	// (Grand Loto de Noël).
	Spread Model = "spread"
	// Pool: fixed jackpot and fixed last rank, the rest of the winners' share pooled (Loto from 4 November 2019).
	Pool Model = "pool"
	// European: one common fund, cycles, cap and overflow (Euro Millions).
	European Model = "european"
	// SidePool: a separate pool of its own stakes, every rank pooled (Étoile+).
	SidePool Model = "sidepool"
)

// BP is a proportion in hundredths of a percent: 4320 is 43.20 %.
type BP int64

// Rank is one prize class (rang de gain).
type Rank struct {
	Number    int         // 1 is the best
	Hits      []Hits      // the pairs of hits that win it
	Ways      int64       // winning simple combinations among all of the matrix
	Fixed     money.Cents // fixed gain, or base gain in the Spread model; 0: none
	Share     BP          // part of the pool (of the jackpot in the Spread model); 0: none
	LateShare BP          // European rank 1: part in a late draw of a cycle
}

// Jackpot holds what the rulebook says of rank 1.
type Jackpot struct {
	Start     money.Cents // first jackpot of a cycle (Loto 2 M€, Super Loto 13 M€), floor of the first draw of a cycle (Euro Millions 17 M€)
	AfterWin  money.Cents // jackpot of the next ordinary draw after a win (2 M€, after a Super Loto or a Grand Loto de Noël too); 0: Start
	Step      money.Cents // added after each draw without a rank-1 winner (Loto, Super Loto 1 M€)
	RoundUp   money.Cents // each winner's part is rounded up to this (1 €, Euro Millions too); 0: not rounded up
	MaxRolls  int         // roll-overs in a row before the sum goes to the next rank with winners; 0: no limit
	LateFrom  int         // European: position in the cycle from which a draw is late; 0: none
	Cap       money.Cents // European: cap of the first capped cycle; 0: none
	CapStep   money.Cents // European: added to the cap each time that a capped jackpot is won
	CapMax    money.Cents // European: highest cap
	CapDraws  int         // European: draws at the cap, the last of which must be won
	MustBeWon bool        // Spread
}

// Table is the prize table of one rulebook version.
type Table struct {
	Model         Model
	Matrix        combin.Matrix
	Ranks         []Rank // rank 1 first
	Jackpot       Jackpot
	GainStep      money.Cents // pooled and spread gains are floored to this (10 cents); 0: no floor
	MergeInverted bool        // a rank that would pay less than the one below is merged with it
	WinnersShare  BP          // part of the stakes that goes to the winners
	Endowment     BP          // part of the stakes that endows the counterpart fund
	Booster       BP          // European: part of the fund that goes to the Fonds de Super Cagnotte
	BoosterLate   BP          // European: the same in a late draw
}
