package rounds

import (
	"maps"
	"testing"

	"tirage/games"
	"tirage/internal/covers"
	"tirage/rules/ladder"
)

func table(t testing.TB, version string) (*ladder.Table, *ladder.Analysis) {
	t.Helper()
	book, err := games.Version(version)
	if err != nil {
		t.Fatal(err)
	}
	analysis, err := book.Ladder.Analyse()
	if err != nil {
		t.Fatal(err)
	}
	return book.Ladder, analysis
}

// What the production step plays is what the analysis counts, drawn both ways.
func TestPlayAgreesWithTheAnalysis(t *testing.T) {
	covers.Covers(t, "D16", "D24")
	for _, c := range []struct {
		version string
		rounds  int64
		hmac    bool
	}{{"donuts@2019-06-25", 600_000, false}, {"donuts@2019-06-25", 200_000, true}, {"fortynine@2019-06-25", 300_000, false}} {
		table, analysis := table(t, c.version)
		p, err := Play(table, Config{Rounds: c.rounds, Seed: 1, HMAC: c.hmac})
		if err != nil {
			t.Fatal(err)
		}
		list := p.Compare(table, analysis)
		for _, c := range list {
			if c.Sigma < -4 || c.Sigma > 4 {
				t.Errorf("%+v", c)
			}
		}
		t.Logf("%s, hmac %t: %d figures, worst %.2f σ, %.0f rounds/s and core", c.version, c.hmac, len(list), MaxSigma(list), p.PerCore())
	}
}

// The counts depend on the seed and not on the number of cores, nor on the block in which a run ends.
func TestPlayIsTheSameOnAnyNumberOfCores(t *testing.T) {
	table, _ := table(t, "donuts@2019-06-25")
	rounds := int64(2*blockRounds + 1000)
	one, err := Play(table, Config{Rounds: rounds, Seed: 7, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	three, err := Play(table, Config{Rounds: rounds, Seed: 7, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	other, err := Play(table, Config{Rounds: rounds, Seed: 8, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 10; n++ {
		if !maps.Equal(one.Gains[n], three.Gains[n]) {
			t.Errorf("level %d: one core and three cores differ", n)
		}
		var total int64
		for _, count := range one.Gains[n] {
			total += count
		}
		if total != rounds {
			t.Errorf("level %d: %d of %d rounds are counted", n, total, rounds)
		}
	}
	if maps.Equal(one.Gains[1], other.Gains[1]) {
		t.Error("two seeds give the same rounds")
	}
}

// Tables that are wrong by little are told: one per cent more stars, one per cent less stability, one cent more on a donut.
func TestWrongTablesAreTold(t *testing.T) {
	right, _ := table(t, "donuts@2019-06-25")
	p, err := Play(right, Config{Rounds: 600_000, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, bend := range map[string]func(*ladder.Rules){
		"stars":     func(r *ladder.Rules) { r.Levels[1].Star.Num++ },
		"stability": func(r *ladder.Rules) { r.Levels[2].Stable.Num-- },
		"value":     func(r *ladder.Rules) { r.Levels[3].Values[0]++ },
		"weights":   func(r *ladder.Rules) { r.Kinds[0].Weight, r.Kinds[1].Weight = 5, 4 },
		"first":     func(r *ladder.Rules) { r.First.Certain = false },
	} {
		rules := right.Rules()
		rules.Levels = append([]ladder.Level{}, rules.Levels...)
		rules.Kinds = append([]ladder.Kind{}, rules.Kinds...)
		first := *rules.First
		rules.First = &first
		for n := range rules.Levels {
			rules.Levels[n].Printed = nil
			rules.Levels[n].Values = append(rules.Levels[n].Values[:0:0], rules.Levels[n].Values...)
		}
		bend(&rules)
		wrong, err := ladder.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		analysis, err := wrong.Analyse()
		if err != nil {
			t.Fatal(err)
		}
		if worst := MaxSigma(p.Compare(wrong, analysis)); worst < 6 {
			t.Errorf("a table with other %s is %.2f σ off only", name, worst)
		}
	}
}

func TestPlayRefusesBadNumbers(t *testing.T) {
	table, _ := table(t, "donuts@2019-06-25")
	for _, rounds := range []int64{-1, 0, MaxRounds + 1} {
		if _, err := Play(table, Config{Rounds: rounds}); err == nil {
			t.Errorf("%d rounds were played", rounds)
		}
	}
}

func TestWilsonHilferty(t *testing.T) {
	// Upper points of χ² at 0.135 % (3 σ): 15.63 with 3 degrees of freedom, 29.79 with 11, 147.62 with 100.
	for _, c := range []struct{ x, freedom float64 }{{15.63, 3}, {29.79, 11}, {147.62, 100}} {
		if z := wilsonHilferty(c.x, c.freedom); z < 2.9 || z > 3.1 {
			t.Errorf("χ² %.2f with %.0f degrees of freedom: %.3f σ", c.x, c.freedom, z)
		}
	}
}

func BenchmarkRounds(b *testing.B) {
	table, _ := table(b, "donuts@2019-06-25")
	for _, c := range []struct {
		name string
		hmac bool
	}{{"chacha8", false}, {"hmac", true}} {
		b.Run(c.name, func(b *testing.B) {
			y, err := newTally(table)
			if err != nil {
				b.Fatal(err)
			}
			y.block(newSource(1, 0), int64(b.N), c.hmac)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
		})
	}
}
