package rulebook

// CheckReturns returns why a ladder must not be activated: the rules of play whose return leaves the band of the table. It
// counts every outcome, which takes a fraction of a second, so it is no part of [Rulebook.Check]. A game of another kind has none.
func (r *Rulebook) CheckReturns() []Problem {
	if r.Ladder == nil {
		return nil
	}
	analysis, err := r.Ladder.Analyse()
	if err != nil {
		return []Problem{{"ladder", err.Error()}}
	}
	var problems []Problem
	for _, f := range r.Ladder.CheckReturns(analysis) {
		problems = append(problems, Problem{"ladder." + f.Path, f.Reason})
	}
	return problems
}
