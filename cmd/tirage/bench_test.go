package main

import (
	"encoding/json"
	"strings"
	"testing"

	"tirage/bench"
)

func TestBenchSettle(t *testing.T) {
	args := []string{"bench", "settle", "--db", t.TempDir(), "--players", "5", "--plays", "60"}
	says(t, squeeze(must(t, args...)),
		"sqlite, 60 plays with 600 simple combinations,", "settle ÷ bulk", "targets:\n settle_over_bulk", "peak_mib",
		"books of 1 databases hold; 60 receipts read again by their key and proved in the log")
	var r bench.SettleReport
	if err := json.Unmarshal([]byte(must(t, append(args, "--json")...)), &r); err != nil || r.Plays != 60 || r.Checked.Receipts != 60 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBenchKernel(t *testing.T) {
	says(t, squeeze(must(t, "bench", "kernel", "--words", "4096")), "on one core read GB/s counted/s", "\n loto ", "\n euromillions ")
	var r []bench.KernelReport
	if err := json.Unmarshal([]byte(must(t, "bench", "kernel", "--words", "4096", "--json")), &r); err != nil || len(r) != 2 || r[1].Words != 4096 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The tables of the longer measurements, from figures that are given.
func TestBenchPrints(t *testing.T) {
	var b strings.Builder
	targets := []bench.Target{{Name: "fast", Value: 2.5, Bound: 2, Pass: true}, {Name: "small", Value: 9, Bound: 8, Most: true}}
	printSale(&b, &bench.SaleReport{Engine: "sqlite", Clients: 7, Accepted: 12_345, NaiveP99: 1.5, OverCeiling: 0.75, Commits: 42, Targets: targets})
	printRounds(&b, &bench.RoundsReport{Engine: "postgres", Clients: 7, Players: 70, Floor: 5, Steps: 1234, NaiveP50: 2.5, OverNaive: 8, Commits: 41})
	printGrowth(&b, []bench.GrowthPoint{{Plays: 10, Cost: 50, Ratio: 1}, {Plays: 100, Cost: 60, Ratio: 1.2, After: 333, Targets: targets}})
	says(t, squeeze(b.String()), "sqlite, 7 clients", "accepted 12345 0 0 through the register, one draw for all; 42 commits", "naive 0 0 1.5 one purchase",
		"accepted ÷ ceiling 0.75",
		"postgres, 7 clients walk over 70 players, 5 s between two plays", "steps 1234 0 0 through the register: stakes, series, stops; 41 commits", "naive 0 2.5 0 one step", "steps ÷ naive 8", "fast 2.5 ≥ 2 reached\n small 9 ≤ 8 MISSED", "\n 100 60 1.2 0 333\n")
}

func TestBenchRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"sale --engine oracle":            `engine "oracle": accepted [sqlite postgres]`,
		"sale --seconds 0":                "0s for each thing measured: accepted 30ms to 1h0m0s",
		"sale --clients 0":                "0 clients: accepted 1 to 4096",
		"rounds --players 5 --clients 6":  "5 players for 6 clients: accepted at least one each",
		"growth --plays 5,4":              "[5 4] plays: accepted ascending numbers",
		"settle --plays 1":                "1 plays: accepted 10 to",
		"kernel --words=-5":               "-5 words: accepted 1 to",
		"sale --engine postgres --db ://": "how to reach PostgreSQL",
	} {
		refuses(t, append([]string{"bench"}, strings.Fields(args)...), want)
	}
}
