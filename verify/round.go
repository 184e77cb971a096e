package verify

import (
	"fmt"

	"tirage/fairness/replay"
	"tirage/games"
)

// Round computes a round of a ladder game again from its file (package replay): no key is needed, the secrets and the rules say it all.
func Round(data []byte) *Report {
	report := &Report{Kind: KindRound}
	r, err := replay.Parse(data)
	if !report.add(CheckFile, err) {
		return report
	}
	report.What = fmt.Sprintf("%x", []byte(r.Round))
	book, err := games.Version(r.Rules)
	if err == nil && book.Ladder == nil {
		err = fmt.Errorf("rules %s: accepted a ladder game", r.Rules)
	}
	if !report.add(CheckRules, err) {
		return report
	}
	for _, f := range r.Check(book) {
		report.add(CheckRound, f.Err)
		if f.N > 0 {
			report.Findings[len(report.Findings)-1].Where = fmt.Sprint(f.N)
		}
	}
	return report
}
