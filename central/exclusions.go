package central

import (
	"slices"
	"strings"

	"tirage/games"
	"tirage/rules/rulebook"
)

// The text of the packs says what cannot go with one. Each refusal names its article.

// excluded refuses what is asked for with shares of a pack and cannot go with it:
//
//   - a channel on which packs are not sold. Art. loto@2018-10-29:2.1 (« uniquement disponible sur les sites internet et applications »),
//     Art. euromillions@2018-10-29:3.4.2.6 (« Depuis les supports numériques »);
//   - further draws. Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« Un même Pack ne peut … participer à plusieurs tirages »);
//   - Joker+, Étoile+. Art. loto@2018-10-29:14.8 (« Il n'est pas possible de jouer à Joker + en complément d'une prise de jeu incluant le service
//     “Packs MultiChances” »), Art. euromillions@2018-10-29:3.4.2.6 (the same of « Etoile + »).
func (s *saleOf) excluded(c BuyShares) error {
	var r *Refusal
	path := "pack.excludes"
	switch {
	case c.Channel != "" && !slices.Contains(s.book.Pack.Channels, string(c.Channel)):
		path = "pack.channels"
		r = refuse(Forbidden, "pack.channel", "channel", "packs on channel %.20q, accepted %q; nothing is debited", c.Channel, s.book.Pack.Channels)
	case len(c.Further) > 0:
		r = refuse(Invalid, "pack.draws", "further", "%d draws, a pack takes part in one only; nothing is debited", 1+len(c.Further))
	case len(c.AddOns) > 0:
		r = refuse(Invalid, "pack.add_on", "add_ons", "%s with a pack: not possible; nothing is debited", titles(c.AddOns))
	default:
		return nil
	}
	r.Article = articleOf(s.book, path)
	return r
}

// titles names added games as people know them.
func titles(addOns []AddOn) string {
	var list []string
	for _, a := range addOns {
		title := "?"
		if versions, err := games.Versions(a.Game); err == nil {
			title = versions[0].Header.Title
		}
		list = append(list, title)
	}
	return strings.Join(list, ", ")
}

// articleOf returns the article of a value of the rulebook, by its path, "" when none states it.
func articleOf(book *rulebook.Rulebook, path string) string {
	for _, f := range book.Facts {
		if f.Path == path {
			return f.Article
		}
	}
	return ""
}
