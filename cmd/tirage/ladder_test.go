package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
)

func TestAnalyseDonuts(t *testing.T) {
	covers.Covers(t, "D24", "D27")
	out := squeeze(must(t, "ladder", "analyse", "donuts"))
	says(t, out,
		"Pile Up Donuts! (donuts@2019-06-25), 0.50 € a play: 22\u202f110 states counted in ",
		"the gains are assumed: a table of our own, no source states it",
		"stop at level 1 67.9850% 81.4506%",
		"stop at level 10 69.4413% 0.6978% 0.347206 € 13.94 € 194.3785 €² 5944 10000.00 € 1 in 946,639",
		"best adaptive 73.3871%",
		"worst adaptive 66.5724%",
		"band 65.00% to 75.00%: each rule that stops at a level lies in it, the best adaptive rule is not above it",
		"returns 2.5050 points of the stake more than the best rule that stops at a level, 4",
		" 1 go on go on go on go on go on go on\n",
		" 2 0.48 0.48 0.49 0.50 0.52 0.53 0.54 0.52 0.49 0.41 stop\n")
	if strings.Contains(out, "*") {
		t.Error("the best adaptive rule is no threshold somewhere")
	}
	says(t, squeeze(must(t, "ladder", "analyse", "donuts", "--level", "1")), "0.34 € 11.03 9.0648e-02", "13.44 € 505,241,836,689 1.9793e-12")
}

// analysed is what a program reads of the report.
type analysed struct {
	States    int     `json:"states"`
	Seconds   float64 `json:"seconds"`
	BestRet   float64 `json:"best_adaptive_return"`
	WorstRet  float64 `json:"worst_adaptive_return"`
	Band      struct{ Kept bool }
	StopRules []struct {
		Level        int
		Return       float64
		ReturnExact  string `json:"return_exact"`
		Distribution struct {
			Total string
			Gains []struct {
				Cents       int64 `json:"gain_cents"`
				Ways        string
				Probability float64
			}
		}
	} `json:"stop_rules"`
	Levels []struct {
		Reach      float64
		ReachExact string `json:"reach_exact"`
	}
	Best struct {
		Decisions []struct {
			Level, Stars int
			Stop         bool
		}
	} `json:"best_adaptive"`
}

func analyseJSON(t *testing.T, game string) (r analysed) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, "ladder", "analyse", game, "--json")), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The exact return, the distribution and the number beside them say the same.
func TestAnalyseJSONIsConsistent(t *testing.T) {
	r := analyseJSON(t, "donuts")
	if r.States != 22_110 || !r.Band.Kept || len(r.StopRules) != 10 || r.Seconds > 3 {
		t.Errorf("%d states, band kept %t, %d rules, %.2f s", r.States, r.Band.Kept, len(r.StopRules), r.Seconds)
	}
	if math.Abs(r.BestRet-0.733871) > 5e-7 || math.Abs(r.WorstRet-0.665724) > 5e-7 {
		t.Errorf("best %v, worst %v", r.BestRet, r.WorstRet)
	}
	for i, s := range r.StopRules {
		total, ok := new(big.Int).SetString(s.Distribution.Total, 10)
		if !ok || s.Level != i+1 {
			t.Fatalf("level %d, total %q", s.Level, s.Distribution.Total)
		}
		ways, cents, probability := new(big.Int), new(big.Int), 0.0
		for _, g := range s.Distribution.Gains {
			n, _ := new(big.Int).SetString(g.Ways, 10)
			ways.Add(ways, n)
			cents.Add(cents, n.Mul(n, big.NewInt(g.Cents)))
			probability += g.Probability
		}
		if ways.Cmp(total) != 0 || math.Abs(probability-1) > 1e-9 {
			t.Errorf("level %d: %v ways of %v, probability %v", s.Level, ways, total, probability)
		}
		back := new(big.Rat).SetFrac(cents, total)
		back.Quo(back, big.NewRat(50, 1))
		if back.RatString() != s.ReturnExact || math.Abs(number(back)-s.Return) > 1e-15 {
			t.Errorf("level %d: the distribution returns %s, the report %s and %v", s.Level, back.RatString(), s.ReturnExact, s.Return)
		}
		if s.Return < 0.65 || s.Return > 0.75 || r.BestRet < s.Return+0.005 {
			t.Errorf("level %d returns %v, the best rule %v", s.Level, s.Return, r.BestRet)
		}
	}
	if len(r.Best.Decisions) == 0 || r.Levels[9].Reach != 0.006978450314586464 {
		t.Errorf("%d decisions, all levels %v", len(r.Best.Decisions), r.Levels[9].Reach)
	}
}

func TestAnalyseSecondLadder(t *testing.T) {
	r := analyseJSON(t, "fortynine")
	if len(r.StopRules) != 38 || r.Levels[0].ReachExact != "435461/998844" {
		t.Errorf("%d rules, six good balls %s", len(r.StopRules), r.Levels[0].ReachExact)
	}
	for _, c := range []struct {
		balls int
		want  float64
	}{{7, 0.375132653}, {10, 0.233314211}, {20, 0.033969268}, {43, 7.151124e-08}} {
		if got := r.Levels[c.balls-6].Reach; math.Abs(got/c.want-1) > 1e-6 {
			t.Errorf("%d good balls: %v, want %v", c.balls, got, c.want)
		}
	}
	says(t, squeeze(must(t, "ladder", "analyse", "fortynine")), "stop at level 1 87.1930% 43.5965% 0.871930 €", "band 86.00% to 88.00%: each rule")
}

// The drawing is well-formed and says what the report says, in both languages.
func TestAnalyseSVG(t *testing.T) {
	for _, c := range []struct {
		game, lang string
		want       []string
	}{
		{"donuts", "fr", []string{"Pile Up Donuts! : ce que rend chaque façon de jouer", "22\u202f110 états comptés", "la meilleure règle adaptative : 73,39\u202f%", "la pire : 66,57\u202f%",
			"bande de 65\u202f% à 75\u202f%", ">70,9<", "10\u202f000 € : 1 sur 946\u202f639", "Table d’exemple"}},
		{"donuts", "en", []string{"Pile Up Donuts!: what each way of playing returns", "the best adaptive rule: 73.39%", ">70.9<", "€10,000: 1 in 946,639", "Sample table"}},
		{"fortynine", "en", []string{"band 86% to 88%", "€12,192,908: 1 in 13,983,816"}},
	} {
		name := filepath.Join(t.TempDir(), "ladder.svg")
		must(t, "ladder", "analyse", c.game, "--svg", name, "--lang", c.lang)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		says(t, strings.ReplaceAll(string(data), "\u00a0", " "), c.want...)
		for d := xml.NewDecoder(strings.NewReader(string(data))); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", c.game, err)
			}
		}
		if strings.Contains(string(data), "NaN") || strings.Contains(string(data), "Inf") {
			t.Errorf("%s: a coordinate is no number", c.game)
		}
	}
}

func TestSimulateDonuts(t *testing.T) {
	covers.Covers(t, "D16", "D23")
	for _, c := range []struct {
		args   []string
		source string
	}{{[]string{"--rounds", "400000", "--seed", "1"}, "chacha8"}, {[]string{"--rounds", "100000", "--seed", "5", "--hmac"}, "hmac-sha256"}} {
		var r struct {
			Rounds   int64
			Source   string
			PerCore  float64 `json:"rounds_per_s_per_core"`
			MaxSigma float64 `json:"max_sigma"`
			Figures  []struct {
				Kind  string
				Level int
				Sigma float64
			}
		}
		if err := json.Unmarshal([]byte(must(t, append([]string{"ladder", "simulate", "donuts", "--json"}, c.args...)...)), &r); err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, f := range r.Figures {
			kinds[f.Kind]++
		}
		if r.Source != c.source || r.MaxSigma > 4 || r.PerCore <= 0 || kinds["pass"] != 10 || kinds["gain"] != 10 || kinds["all"] != 1 || kinds["gains"] < 8 {
			t.Errorf("%+v", r)
		}
	}
	says(t, squeeze(must(t, "ladder", "simulate", "donuts", "--rounds", "400000")),
		"donuts@2019-06-25: 400\u202f000 rounds, seed 1, chacha8", "rounds/s per core", "level pass rate exact σ mean gain exact σ χ² of gains freedom σ",
		"all 10 levels passed: ", "exactly 0.006978450", "σ, within 4 σ")
}

// A run whose figures are too far off exits with 1: among short runs of a ladder with rare gains there are such.
func TestSimulateTellsWhatIsOff(t *testing.T) {
	for seed := range 2000 {
		code, out, errs := tirage("ladder", "simulate", "fortynine", "--rounds", "200", "--seed", big.NewInt(int64(seed)).String())
		if code == 0 {
			continue
		}
		if code != exitContradicted {
			t.Fatalf("exit %d: %s", code, errs)
		}
		says(t, out, "NOT within 4 σ")
		says(t, errs, "standard deviations from the exact one, accepted at most 4")
		return
	}
	t.Error("no seed of a short run is off: the measure sees nothing")
}

func TestLadderRefusesBadInput(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"analyse loto", []string{"game loto is no ladder; accepted: donuts, fortynine"}},
		{"analyse keno", []string{`game "keno"; accepted: donuts`}},
		{"analyse donuts --date 2019-06-24", []string{"donuts has no rulebook for 2019-06-24; accepted: 2019-06-25"}},
		{"analyse donuts --level 11", []string{"--level 11: accepted 1 to 10"}},
		{"analyse donuts --lang de", []string{"--lang", "fr"}},
		{"analyse donuts --svg /nowhere/d.svg", []string{"--svg: ", "/nowhere/d.svg"}},
		{"simulate donuts --rounds 0", []string{"--rounds: 0 rounds: accepted 1 to 20000000000"}},
		{"simulate donuts --rounds 1e6", []string{"--rounds"}},
		{"simulate donuts --seed -1", []string{"--seed"}},
	} {
		refuses(t, append([]string{"ladder"}, strings.Fields(c.args)...), c.want...)
	}
}

// A ladder out of its band is refused with its file and line, and the exit code of bad input.
func TestRulesCheckRefusesALadderOutOfTheBand(t *testing.T) {
	covers.Covers(t, "D27")
	data, err := os.ReadFile(filepath.Join(covers.Root(t), "games", "donuts", "2019-06-25.toml"))
	if err != nil {
		t.Fatal(err)
	}
	good, rich, trap := filepath.Join(t.TempDir(), "good.toml"), filepath.Join(t.TempDir(), "rich.toml"), filepath.Join(t.TempDir(), "trap.toml")
	for name, text := range map[string]string{
		good: string(data),
		rich: strings.Replace(string(data), "v = 0.30", "v = 0.34", 1),
		trap: strings.Replace(string(data), "[0.15, 0.30, 1.00]", "[0.01, 0.02, 0.03]", 1),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says(t, must(t, "rules", "check", good), "donuts@2019-06-25, ")
	code, out, errs := tirage("rules", "check", good, rich, trap)
	if code != exitBadInput {
		t.Errorf("exit %d", code)
	}
	says(t, out, good)
	says(t, errs, "2 of 3 files refused", rich+":", "the best adaptive rule returns 7", "accepted: at most 75.00%",
		trap+":", "ladder.levels.10: stopping at level 10 returns ", "accepted: 65.00% to 75.00%")
}
