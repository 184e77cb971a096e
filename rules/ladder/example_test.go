package ladder_test

import (
	"fmt"

	"tirage/rules/ladder"
	"tirage/rules/money"
)

// lowest draws 0 again and again: everything holds, every item is a star of the first kind.
type lowest struct{}

func (lowest) Uniform(uint64) uint64 { return 0 }

func Example() {
	table, err := ladder.New(ladder.Rules{
		Price:    100,
		Base:     ladder.SumOfValues,
		Rounding: ladder.Exact,
		Kinds:    []ladder.Kind{{Name: "silver", Weight: 3}, {Name: "gold", Weight: 1}},
		Gauge:    []ladder.Ratio{{Num: 1, Den: 1}, {Num: 2, Den: 1}}, // a star doubles
		Levels: []ladder.Level{
			{Items: 2, Stable: ladder.Ratio{Num: 3, Den: 4}, Star: ladder.Ratio{Num: 1, Den: 10}, Values: []money.Cents{40, 60}},
			{Items: 2, Stable: ladder.Ratio{Num: 2, Den: 3}, Star: ladder.Ratio{Num: 1, Den: 10}, Values: []money.Cents{40, 60}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, series := ladder.Step(table, ladder.State{}, lowest{}) // « Go »
	fmt.Println(series.Stable(), len(series.Items()), table.Gain(state), table.Ended(state))
	state, _ = ladder.Step(table, state, lowest{}) // « Je continue »
	fmt.Println(state.Level, table.Gain(state), table.Ended(state))

	analysis, err := table.Analyse()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(analysis.Return(&analysis.Stop[0]), analysis.Return(&analysis.Stop[1]), analysis.Return(&analysis.Best.Gains))
	// Output:
	// true 2 1.60 false
	// 2 3.20 true
	// 9639/16000 120951/200000 4023513/6400000
}
