package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"tirage/games"
	"tirage/rules/rulebook"
)

// rulesCmd is `tirage rules`: the rulebooks of the games.
type rulesCmd struct {
	Show  rulesShowCmd  `cmd:"" help:"Print the rules of a game on a day, each value with its article and its confidence."`
	List  rulesListCmd  `cmd:"" help:"List every version of every game."`
	Check rulesCheckCmd `cmd:"" help:"Check rulebook files, or those of the program."`
}

// rulesShowCmd is `tirage rules show`.
type rulesShowCmd struct {
	Game string `arg:"" help:"Game (tirage rules list names them)."`
	Date string `placeholder:"DAY" help:"Day, YYYY-MM-DD, Europe/Paris: the version in force on it (default: the newest)."`
	JSON bool   `name:"json" help:"Print the rulebook as JSON."`
}

func (c *rulesShowCmd) Help() string {
	return "Confidence: text (stated by a legal text at hand), verified (recomputed on published results), press, inferred, assumed. " +
		"An article « - » is not known: no text at hand states the value."
}

func (c *rulesShowCmd) Run(p *program) error {
	book, err := bookOn(c.Game, c.Date)
	if err != nil {
		return err
	}
	shown := newShownRules(book)
	if c.JSON {
		return p.printJSON(shown)
	}
	shown.print(p)
	return nil
}

// rulesListCmd is `tirage rules list`.
type rulesListCmd struct {
	JSON bool `name:"json" help:"Print the list as JSON."`
}

// listedRules is one version in the list.
type listedRules struct {
	Version   string `json:"version"` // "loto@2018-10-29"
	Title     string `json:"title"`
	Effective string `json:"effective"`       // first day, Europe/Paris
	Until     string `json:"until,omitempty"` // first day of the next version
	Packs     string `json:"packs,omitempty"` // article of the packs
	Values    int    `json:"values"`
	Digest    string `json:"digest"` // SHA-256 of the file, hexadecimal
}

func (c *rulesListCmd) Run(p *program) error {
	var list []listedRules
	for _, book := range games.All() {
		l := listedRules{Version: book.Header.Version(), Title: book.Header.Title, Effective: book.Header.Effective,
			Until: until(book), Values: len(book.Facts), Digest: hex.EncodeToString(book.Digest[:])}
		if book.Pack != nil {
			l.Packs = book.Pack.Article
		}
		list = append(list, l)
	}
	if c.JSON {
		return p.printJSON(list)
	}
	t := &table{align: "lllllrl"}
	t.add("version", "title", "from", "until", "packs", "values", "sha-256")
	for _, l := range list {
		t.add(l.Version, l.Title, l.Effective, dash(l.Until), dash(l.Packs), strconv.Itoa(l.Values), l.Digest[:16])
	}
	t.print(p.out, "")
	return nil
}

// until returns the first day of the version after this one, "" for the newest.
func until(book *rulebook.Rulebook) string {
	for _, other := range games.All() {
		if other.Header.Game == book.Header.Game && other.Header.Effective > book.Header.Effective {
			return other.Header.Effective
		}
	}
	return ""
}

// dash stands for what there is none of.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// rulesCheckCmd is `tirage rules check`.
type rulesCheckCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Rulebook files in TOML (default: every one of the program)."`
}

func (c *rulesCheckCmd) Help() string {
	return "A ladder is also analysed: it is refused when the return of a way to play leaves its band."
}

// Run tells of every file that stands, and refuses the others together, each fault with its file and line.
func (c *rulesCheckCmd) Run(p *program) error {
	if len(c.Files) == 0 {
		for _, book := range games.All() {
			name := book.Header.Game + "/" + book.Header.Effective + ".toml"
			if err := games.CheckReturns(name, book); err != nil {
				return err
			}
			printChecked(p, name, book)
		}
		return nil
	}
	var refused []error
	for _, name := range c.Files {
		book, err := games.LoadFile(name)
		if err == nil {
			err = games.CheckReturns(name, book)
		}
		if err != nil {
			refused = append(refused, err)
			continue
		}
		printChecked(p, name, book)
	}
	if refused != nil {
		return fmt.Errorf("%d of %d files refused\n%w", len(refused), len(c.Files), errors.Join(refused...))
	}
	return nil
}

func printChecked(p *program, name string, book *rulebook.Rulebook) {
	fmt.Fprintf(p.out, "%s: %s, %d values, sha-256 %s\n", name, book.Header.Version(), len(book.Facts), hex.EncodeToString(book.Digest[:]))
}
