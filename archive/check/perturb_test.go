package check

import (
	"slices"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// verify fails where the window of funds and the exhaustive search disagree, or where too few changes are noticed: those that escape are steps
// of 0.10 € on gains of thousands, which a fund known to some euros allows.
func verify(t *testing.T, r *Report, changes []Perturbation) {
	t.Helper()
	for i, p := range changes {
		if all := p.All(); p.Disagreed > 0 || all.Detected*100 < all.Tried*90 {
			t.Errorf("%s %s: %v", r.Files[i].Game, r.Files[i].First, p)
		}
		t.Logf("%s %s: %v", r.Files[i].Game, r.Files[i].First, p)
	}
}

// TestPerturbGoldens changes each pooled figure of the published draws.
func TestPerturbGoldens(t *testing.T) {
	var texts []string
	for _, d := range append(slices.Clone(euroGoldens), lotoGoldens[2]) {
		texts = append(texts, csv(d))
	}
	r := checked(t, texts...)
	verify(t, r, r.Perturb(1, nil))
}

// TestPerturbSample does it on one draw of twenty of the archives at hand.
func TestPerturbSample(t *testing.T) {
	r := sharedReport(t)
	verify(t, r, r.Perturb(20, nil))
}

// TestPerturb does it on every pooled draw of the archives at hand.
func TestPerturb(t *testing.T) {
	covers.Soak(t)
	r := sharedReport(t)
	done := 0
	changes := r.Perturb(1, func(n, of int) { done = of - n })
	if done != 0 {
		t.Errorf("progress stops %d draws early", done)
	}
	verify(t, r, changes)
}

// TestExhaustive puts the search itself to a draw whose funds the sheet of facts gives: the cents at both ends pay every gain, those beyond do not.
func TestExhaustive(t *testing.T) {
	d := checked(t, csv(euroGoldens[0])).Files[0].draws[0]
	x := newTrial(*d.rules.Prizes, prize.Terms{}, d.winners, d.gains)
	if !x.possible() {
		t.Fatal("no fund pays the draw of 28 October 2016")
	}
	amount := make([]int64, len(d.gains))
	pays := func(fund money.Cents) bool {
		for k := 1; k < len(d.gains); k++ {
			if x.pay(fund, k, amount) != d.gains[k] {
				return false
			}
		}
		return true
	}
	low, high := money.Cents(40_221_594_94), money.Cents(40_221_607_59)
	if !pays(low) || !pays(high) || pays(low-1) || pays(high+1) {
		t.Error("the funds of 28 October 2016 are not those published")
	}
}
