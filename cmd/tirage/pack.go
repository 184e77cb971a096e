package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
)

// packCmd groups the commands on pack types.
type packCmd struct {
	Preview packPreviewCmd `cmd:"" help:"Show what the shares of a pack type cost and what rounding makes of each gain, before it opens."`
	Unsold  packUnsoldCmd  `cmd:"" help:"Say how many shares of a draw are unsold, beside the best possible for the same orders."`
}

// packPreviewCmd is `tirage pack preview`.
type packPreviewCmd struct {
	Game            string   `required:"" help:"Game of the draw: loto, superloto, grandloto, euromillions."`
	Date            string   `placeholder:"DAY" help:"Day of the sale and of the draw, YYYY-MM-DD, Europe/Paris (default: the newest rules)."`
	Multiple        []string `placeholder:"NxM*K" help:"K multiples of N numbers and M extra numbers: 6x10*10. May be repeated."`
	Simple          int      `placeholder:"N" help:"Simple combinations that belong to no multiple."`
	Shares          int64    `required:"" placeholder:"N" help:"Equal shares of one pack."`
	Jackpot         string   `placeholder:"EUROS" help:"What the one winner of rank 1 would receive; without it rank 1 is not counted."`
	Exceptional     bool     `help:"An exceptional draw of Euro Millions: the pack has codes Euro Millions too."`
	IssuedCodes     int64    `placeholder:"N" help:"Codes issued for the draw (Loto, My Million): their expectation is then shown."`
	IssuedEuroCodes int64    `placeholder:"N" help:"Codes Euro Millions issued in all countries for the exceptional draw."`
	Archive         string   `placeholder:"FILE" help:"Published archive: gains of the draw given by --draw."`
	Draw            string   `placeholder:"DAY" help:"Day of the draw in the archive, YYYY-MM-DD."`
	Fund            string   `placeholder:"FILE" help:"TOML or JSON file with the fund and the winners of a pooled draw."`
	JSON            bool     `name:"json" help:"Print the preview as JSON."`
}

func (c *packPreviewCmd) Help() string {
	return `For EACH winning combination and code the gain is divided by the shares and rounded to the cent, then the parts are added up: the shares receive more or less than the pack won.

Where the rules fix the gains, the average per pack is shown as an exact fraction. Where gains depend on the winners (pools), give those of a draw: --archive FILE --draw DAY, or --fund FILE with, in TOML or JSON,
  fund = 31237440.00     # common fund (Euro Millions), pool of ranks 2 to 8 (Loto from 2019)
  winners = [1, 2, 13]   # winning combinations in all, one count a rank
and, for rank 1, jackpot (Loto) or position, carry, super and after_super (Euro Millions). No average is claimed then.`
}

func (c *packPreviewCmd) Run(p *program) error {
	v, err := c.preview()
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(v)
	}
	v.print(p.out)
	return nil
}

// preview reads the flags, then the gains, and splits them.
func (c *packPreviewCmd) preview() (*previewReport, error) {
	book, err := bookOn(c.Game, c.Date)
	if err != nil {
		return nil, err
	}
	composition := pack.Composition{Simples: c.Simple}
	for _, s := range c.Multiple {
		m, err := pack.ParseMultiple(s)
		if err != nil {
			return nil, fmt.Errorf("--multiple: %w", err)
		}
		composition.Multiples = append(composition.Multiples, m)
	}
	typ, err := pack.New(book, composition, c.Shares)
	if err != nil {
		return nil, err
	}
	prizes, from, err := c.rankPrizes(book)
	if err != nil {
		return nil, err
	}
	codes, err := c.codePrizes(book)
	if err != nil {
		return nil, err
	}
	v := newPreviewReport(book, pack.NewPreview(typ, append(prizes, codes...)), from)
	v.addNotes(book)
	return v, nil
}

// rankPrizes returns what the ranks pay and where that comes from.
func (c *packPreviewCmd) rankPrizes(book *rulebook.Rulebook) (prizes []pack.Prize, from string, err error) {
	var jackpot money.Cents
	if c.Jackpot != "" {
		if jackpot, err = money.Parse(c.Jackpot); err != nil {
			return nil, "", fmt.Errorf("--jackpot: %w", err)
		}
	}
	switch {
	case (c.Archive == "") != (c.Draw == ""):
		return nil, "", errors.New("--archive FILE and --draw DAY go together")
	case c.Archive != "" && c.Fund != "":
		return nil, "", errors.New("--archive and --fund: accepted one of them")
	case c.Archive == "" && c.Fund == "":
		prizes, err = pack.FixedPrizes(book, jackpot)
		if errors.Is(err, pack.ErrPooled) {
			err = fmt.Errorf("%w: give --archive FILE --draw DAY, or --fund FILE", err)
		}
		return prizes, "the rulebook " + book.Header.Version(), err
	}
	var unit []money.Cents
	if c.Archive != "" {
		unit, from, err = archivedGains(book, c.Archive, c.Draw)
	} else {
		unit, err = fundGains(book, c.Fund)
		from = "the fund and the winners of " + c.Fund
	}
	if err != nil {
		return nil, "", err
	}
	if jackpot > 0 && len(unit) > 0 {
		unit[0], from = jackpot, from+", rank 1 as given"
	}
	prizes, err = pack.DrawPrizes(book, unit)
	return prizes, from, err
}

// codePrizes returns what the codes of the pack can win: those of the game and of the games sold with it, codes Euro Millions at an
// exceptional draw only.
func (c *packPreviewCmd) codePrizes(book *rulebook.Rulebook) ([]pack.Prize, error) {
	books := []*rulebook.Rulebook{book}
	for _, game := range book.Sale.With {
		with, err := bookOn(game, c.Date)
		if err != nil {
			return nil, err
		}
		books = append(books, with)
	}
	var prizes []pack.Prize
	for _, b := range books {
		for _, rule := range b.CodePrizes {
			source, issued, flag := pack.Code, c.IssuedCodes, "--issued-codes"
			if s, _ := b.Series(rule.Series); s.Exceptional {
				source, issued, flag = pack.EuroCode, c.IssuedEuroCodes, "--issued-euro-codes"
			}
			if source == pack.EuroCode && !c.Exceptional {
				continue
			}
			z, err := pack.CodePrize(source, rule, issued)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			prizes = append(prizes, z)
		}
	}
	if c.IssuedEuroCodes != 0 && !c.Exceptional {
		return nil, errors.New("--issued-euro-codes: accepted with --exceptional, no other draw has codes Euro Millions")
	}
	if c.Exceptional && !slices.ContainsFunc(prizes, func(z pack.Prize) bool { return z.Source == pack.EuroCode }) {
		return nil, fmt.Errorf("--exceptional: %s has no exceptional draw; accepted for euromillions", book.Header.Version())
	}
	slices.SortStableFunc(prizes, func(a, b pack.Prize) int { return cmp.Compare(a.Source, b.Source) })
	return prizes, nil
}
