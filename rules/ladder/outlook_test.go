package ladder_test

import (
	"math/big"
	"testing"

	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// From the start, the average gain of a level times the chance to reach it is the return of « stop at that level », which the analysis counts another way.
func TestOutlookAgreesWithTheAnalysis(t *testing.T) {
	book, err := games.Version("donuts@2019-06-25")
	if err != nil {
		t.Fatal(err)
	}
	table := book.Ladder
	analysis, err := table.Analyse()
	if err != nil {
		t.Fatal(err)
	}
	means := table.Outlook().Means(ladder.State{})
	for n, o := range table.Odds() {
		want := analysis.Stop[n].Mean()
		if got := new(big.Rat).Mul(means[n], o.Reach); got.Cmp(want) != 0 {
			t.Errorf("level %d: %s, the analysis has %s", n+1, got.FloatString(9), want.FloatString(9))
		}
	}
}

// The averages seen from a state are those of the states that the next series leads to.
func TestOutlookStepByStep(t *testing.T) {
	table, err := ladder.New(ladder.Rules{
		Price: 50, Kinds: []ladder.Kind{{Name: "a", Weight: 1}, {Name: "b", Weight: 3}}, Gauge: []ladder.Ratio{{Num: 1, Den: 1}, {Num: 3, Den: 1}},
		Base: ladder.SumOfValues, Rounding: ladder.Exact, Cap: 1000,
		Levels: []ladder.Level{
			{Items: 1, Stable: ladder.Ratio{Num: 1, Den: 2}, Star: ladder.Ratio{Num: 1, Den: 4}, Values: []money.Cents{10, 20}},
			{Items: 1, Stable: ladder.Ratio{Num: 1, Den: 2}, Star: ladder.Ratio{Num: 1, Den: 4}, Values: []money.Cents{10, 20}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	// One item: 10 in one of four, 20 in three, times 3 in one of four: 17.5 × 1.5.
	means := table.Outlook().Means(ladder.State{})
	if want := big.NewRat(105, 4); means[0].Cmp(want) != 0 {
		t.Errorf("level 1: %s, want %s", means[0], want)
	}
	// A full gauge stays full: (20 + 17.5) × 3.
	means = table.Outlook().Means(ladder.State{Level: 1, Sum: 20, Stars: 1})
	if want := big.NewRat(225, 2); len(means) != 1 || means[0].Cmp(want) != 0 {
		t.Errorf("from level 1: %v, want %s", means, want)
	}
	if means := table.Outlook().Means(ladder.State{Level: 2, Sum: 20}); means != nil {
		t.Errorf("after the last level: %v", means)
	}
}
