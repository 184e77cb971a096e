package replay

import (
	"bytes"
	"fmt"
	"slices"

	"tirage/fairness"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// Finding is what the check says of one series, or of the round as a whole.
type Finding struct {
	N   int   // number of the series; 0: the round
	Err error // nil: it is right
}

// String returns "series 1: OK", "series 2: KO: why", "round: OK".
func (f Finding) String() string {
	what := "round"
	if f.N > 0 {
		what = fmt.Sprintf("series %d", f.N)
	}
	if f.Err != nil {
		return fmt.Sprintf("%s: KO: %v", what, f.Err)
	}
	return what + ": OK"
}

// Draw draws one series of a round, as the server does it and anyone may do it again.
// Art. donuts@2019-06-25:3.2.2.
func Draw(t *ladder.Table, s ladder.State, of fairness.LadderSeries, secret fairness.Secret, c fairness.Contribution) (ladder.State, ladder.Series) {
	var d fairness.LadderDraw
	d.Start(secret, of, c)
	return ladder.Step(t, s, &d)
}

// Check computes the round again under its rulebook: a finding for each series, in order, then one for the round.
func (r *Round) Check(book *rulebook.Rulebook) []Finding {
	if err := r.wellFormed(); err != nil {
		return []Finding{{0, err}}
	}
	if err := r.checkRules(book); err != nil {
		return []Finding{{0, err}}
	}
	state, findings := r.Play(book.Ladder)
	err := r.checkEnd(book.Ladder, state)
	if wrong := slices.ContainsFunc(findings, func(f Finding) bool { return f.Err != nil }); err == nil && wrong {
		err = fmt.Errorf("a series is wrong")
	}
	return append(findings, Finding{0, err})
}

// Play draws the series of the round again and returns where they lead, with a finding for each; of a round whose fields have a wrong size,
// with that finding alone.
func (r *Round) Play(t *ladder.Table) (state ladder.State, findings []Finding) {
	if err := r.wellFormed(); err != nil {
		return state, []Finding{{0, err}}
	}
	for i := range r.Series {
		var err error
		state, err = r.checkSeries(t, state, i)
		findings = append(findings, Finding{i + 1, err})
	}
	return state, findings
}

// checkSeries returns the state that the series gives, whatever the file says of its items.
func (r *Round) checkSeries(t *ladder.Table, state ladder.State, i int) (ladder.State, error) {
	s := &r.Series[i]
	if s.N != i+1 {
		return state, fmt.Errorf("numbered %d", s.N)
	}
	if t.Ended(state) {
		return state, fmt.Errorf("drawn after the end of the round")
	}
	of := fairness.LadderSeries{Round: [16]byte(r.Round), N: uint16(s.N)}
	next, drawn := Draw(t, state, of, fairness.Secret(s.Secret), fairness.Contribution(s.Contribution))
	if !of.CheckCommit([32]byte(s.Commitment), fairness.Secret(s.Secret)) {
		return next, fmt.Errorf("the secret is not the one that was committed to")
	}
	for j, want := range Items(t, &drawn) {
		if j >= len(s.Items) || s.Items[j] != want {
			return next, fmt.Errorf("item %d: the secret and the contribution give %s", j+1, want)
		}
	}
	if len(s.Items) != len(drawn.Items()) {
		return next, fmt.Errorf("%d items; accepted: %d", len(s.Items), len(drawn.Items()))
	}
	return next, nil
}

// String returns "plain of 0.02, stable", "golden of 0.10, star, fallen".
func (it Item) String() string {
	s := it.Kind
	if s == "" {
		s = "item"
	}
	s += " of " + it.Value.String()
	if it.Star {
		s += ", star"
	}
	if it.Stable {
		return s + ", stable"
	}
	return s + ", fallen"
}

func (r *Round) checkRules(book *rulebook.Rulebook) error {
	switch {
	case r.Game != book.Header.Game || r.Rules != book.Header.Version():
		return fmt.Errorf("a round of %.40s under %.60s, the rulebook is %s", r.Game, r.Rules, book.Header.Version())
	case !bytes.Equal(r.Digest, book.Digest[:]):
		return fmt.Errorf("the rulebook %s has the digest %x, the round was played under %x", r.Rules, book.Digest, []byte(r.Digest))
	case r.Stake != book.Sale.Price:
		return fmt.Errorf("a stake of %v, the price is %v", r.Stake, book.Sale.Price)
	}
	return nil
}

// checkEnd compares state and gain with what the series give.
func (r *Round) checkEnd(t *ladder.Table, s ladder.State) error {
	gain := money.Cents(0)
	accepted := []State{Open, Blocked}
	switch {
	case s.Collapsed:
		accepted = []State{Lost}
	case s.Level == 0:
		accepted = append(accepted, Refunded)
	case t.Ended(s): // Art. donuts@2019-06-25:3.1.1: the tenth level is the last one
		accepted = []State{Won, Blocked}
	default:
		accepted = append(accepted, Won)
	}
	if !slices.Contains(accepted, r.State) {
		return fmt.Errorf("%s after %d levels passed, collapsed %t; accepted: %q", r.State, s.Level, s.Collapsed, accepted)
	}
	if r.State == Won {
		gain = t.Gain(s)
	}
	if r.Gain != gain {
		return fmt.Errorf("a gain of %v, the series give %v", r.Gain, gain)
	}
	return nil
}
