package site

import (
	"math/big"
	"slices"
	"strings"

	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/odds"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// tint is the ink of a game.
func tint(game string) string {
	switch game {
	case "euromillions", "mymillion", "etoileplus":
		return "tint-em"
	case "donuts":
		return "tint-donut"
	}
	return "tint-loto"
}

// stars reports whether the second numbers of a game are stars; a Chance number otherwise.
func stars(game string) bool { return tint(game) == "tint-em" }

// gameName is the name of a game without the mark beside it, as headings and sentences have it.
func gameName(title string) string { return strings.NewReplacer("®", "", "  ", " ").Replace(title) }

// nameOf is the name of a game by its key, the key itself for one that no rulebook has.
func nameOf(game string) string {
	versions, err := games.Versions(game)
	if err != nil {
		return game
	}
	return gameName(versions[len(versions)-1].Header.Title)
}

// topChance is the chance of a simple combination at rank 1.
func topChance(book *rulebook.Rulebook) *big.Rat {
	if book == nil || book.Prizes == nil || len(book.Prizes.Ranks) == 0 {
		return new(big.Rat)
	}
	return odds.Chance(book.Prizes.Ranks[0].Ways, book.Matrix.Total())
}

// oddsOf writes the chance of rank 1 under a version, "" where it has none.
func oddsOf(v *kit.Visit, version string) string {
	book, err := games.Version(version)
	if err != nil || book.Prizes == nil {
		return ""
	}
	return v.Odds(topChance(book), 2)
}

// hitsWords says what wins a rank: "4 numéros et le Chance".
func hitsWords(v *kit.Visit, game string, hits []prize.Hits) string {
	var each []string
	if len(hits) == 2 && hits[0].Extra == hits[1].Extra { // « 1 ou 0 numéro et le Chance »
		return v.F("%d ou ", "%d or ", hits[0].Main) + hitsWords(v, game, hits[1:])
	}
	for _, h := range hits {
		text := v.N(int64(h.Main), "%s numéro", "%s numéros", "%s number", "%s numbers")
		switch {
		case h.Extra == 0:
		case stars(game):
			text += v.N(int64(h.Extra), " et %s étoile", " et %s étoiles", " and %s star", " and %s stars")
		default:
			text += v.T(" et le Chance", " and the Chance")
		}
		each = append(each, text)
	}
	return strings.Join(each, v.T(" ou ", " or "))
}

// balls reads a grid as it is stored.
func balls(game, grid, size string) kit.Balls {
	c, err := combin.Parse(grid)
	if err != nil {
		return kit.Balls{Stars: stars(game), Size: size}
	}
	return kit.Balls{Main: c.Main(), Extra: c.Extra(), Stars: stars(game), Size: size}
}

// against marks what a draw has found in a grid.
func against(b kit.Balls, main, extra []int) kit.Balls {
	b.Played = true
	for _, n := range b.Main {
		if slices.Contains(main, n) {
			b.Hits = append(b.Hits, n)
		}
	}
	for _, n := range b.Extra {
		if slices.Contains(extra, n) {
			b.HitsExtra = append(b.HitsExtra, n)
		}
	}
	return b
}
