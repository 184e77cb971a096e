package archive

import (
	"path/filepath"
	"strings"

	"tirage/rules/money"
)

// name finds the game of the file and writes it on every draw.
func (r *reader) name() error {
	game := EuroMillions
	if len(r.layout.extras) == 1 {
		if game = lotoGame(r.file.Draws, r.file.Name); game == "" {
			return &Error{r.file.Name, 0, "", "nothing that tells Loto, Super Loto and Grand Loto apart",
				"draws of 10, 50 or 100 codes, a last rank of 2,20, 3 or 5 euros and more, or a file name with loto, superloto or grandloto"}
		}
	}
	r.file.Game = game
	for i := range r.file.Draws {
		r.file.Draws[i].Game = game
	}
	return nil
}

// lotoGame tells the games of the Loto family apart, for they share one header: first by the number of codes drawn, then by the
// gain at the last rank (what a combination costs, at least), each by the majority of the draws, for an event draw may give
// more codes; then by the name of the file.
func lotoGame(draws []Draw, name string) string {
	if g := majority(draws, gameOfCodes); g != "" {
		return g
	}
	if g := majority(draws, gameOfLastRank); g != "" {
		return g
	}
	name = strings.ToLower(filepath.Base(name))
	for _, g := range []string{SuperLoto, GrandLoto, Loto} { // "loto" ends the two others
		if strings.Contains(name, g) {
			return g
		}
	}
	return ""
}

func gameOfCodes(d *Draw) string {
	switch d.Codes.Count {
	case 10:
		return Loto
	case 50:
		return SuperLoto
	case 100:
		return GrandLoto
	}
	return ""
}

func gameOfLastRank(d *Draw) string {
	switch g := d.Ranks[len(d.Ranks)-1].Gain; {
	case g == 220:
		return Loto
	case g == 3*money.Euro:
		return SuperLoto
	case g >= 5*money.Euro:
		return GrandLoto
	}
	return ""
}

// majority returns the game that more than half of the draws show, "" if none does.
func majority(draws []Draw, gameOf func(*Draw) string) string {
	votes := make(map[string]int)
	for i := range draws {
		votes[gameOf(&draws[i])]++
	}
	delete(votes, "")
	for g, n := range votes {
		if 2*n > len(draws) {
			return g
		}
	}
	return ""
}
