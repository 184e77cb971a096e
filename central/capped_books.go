package central

import (
	"context"
	"errors"
	"fmt"

	"tirage/fairness"
	"tirage/rules/combin"
)

// checkCapped makes sure that attempts are noted for quick picks of a capped draw alone. That no combination takes part too often was seen as contents and
// plays were read.
func (b *drawCheck) checkCapped() error {
	return b.snap.Scan(b.ctx, Range{From: Key{Table: Attempts, S: b.draw.ID}, Prefix: 1}, func(r Row) error {
		row := r.(*PickAttempts)
		if err := b.checkAttempts(row); err != nil {
			return fmt.Errorf("attempts %q of %s %d: %w", row.Attempts, row.Type, row.N, err)
		}
		return nil
	})
}

func (b *drawCheck) checkAttempts(row *PickAttempts) error {
	noted, err := parsePicks(row.Attempts)
	if err != nil {
		return err
	}
	if b.tally == nil {
		return errors.New("the draw has no limit on identical combinations")
	}
	if row.Type != "" {
		if pk := b.packs[packID{row.Type, row.N}]; pk == nil || noted[len(noted)-1].line >= len(pk.content.Lines)/8 {
			return errors.New("no pack has such lines")
		}
		return nil
	}
	r, err := b.snap.Get(b.ctx, Key{Table: Plays, S: b.draw.ID, N: row.N})
	if err != nil {
		return err
	}
	for _, a := range noted {
		if p, _ := r.(*Play); p == nil || a.line >= len(p.Lines)/8 || p.Quick>>a.line&1 == 0 {
			return fmt.Errorf("no play has a quick pick in line %d", a.line)
		}
	}
	return nil
}

// CheckPicks draws every quick pick of a draw again from its secret, those of packs too, and compares it with what was sold. Where a grid was drawn more than
// once, each one passed over must hold a combination that was sold out.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« générées par Système Flash »).
func CheckPicks(ctx context.Context, snap Snapshot, draw string, secret fairness.Secret) error {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return err
	}
	c := &pickCheck{draw: d, secret: secret, types: map[string]*PackType{}, noted: map[Key]picks{}}
	book, err := drawBook(d)
	if err != nil {
		return err
	}
	c.matrix = book.Matrix
	if c.tally, err = newTally(d); err == nil && c.tally != nil {
		err = c.tally.read(ctx, snap)
	}
	if err != nil {
		return err
	}
	err = snap.Scan(ctx, Range{From: Key{Table: Attempts, S: draw}, Prefix: 1}, func(r Row) error {
		row := r.(*PickAttempts)
		c.noted[KeyOf(row)], err = parsePicks(row.Attempts)
		return err
	})
	if err != nil {
		return err
	}
	return SealedRows(ctx, snap, draw, c.read)
}

// pickCheck is what the quick picks of one draw are drawn again from.
type pickCheck struct {
	draw   *Draw
	secret fairness.Secret
	matrix combin.Matrix
	tally  *tally // as the sales left it; nil: no limit
	types  map[string]*PackType
	noted  map[Key]picks
}

func (c *pickCheck) read(r Row) error {
	switch r := r.(type) {
	case *PackType:
		c.types[r.Type] = r
	case *PackContent:
		return c.pack(r)
	case *Play:
		noted := c.noted[Key{Table: Attempts, S: r.Draw, N: r.ID}]
		for i, grid := range Grids(r.Lines) {
			if r.Quick>>i&1 == 0 {
				continue
			}
			err := c.same(grid, noted.of(i), func(attempt int) combin.Combination {
				return fairness.QuickPick(c.secret, c.draw.ID, r.ID, i, attempt, c.matrix, grid.Format())
			})
			if err != nil {
				return fmt.Errorf("play %s, line %d: %w", PlayID(r.ID), i, err)
			}
		}
	}
	return nil
}

// pack checks the grids of a pack; the first pack of a reconstructed draw may have been given.
func (c *pickCheck) pack(r *PackContent) error {
	t := c.types[r.Type]
	if r.N == 0 && len(t.Given) > 0 {
		return nil
	}
	formats, m, err := t.formats()
	if err != nil {
		return err
	}
	noted := c.noted[Key{Table: Attempts, S: r.Draw, U: r.Type, N: r.N}]
	for i, grid := range Grids(r.Lines) {
		err := c.same(grid, noted.of(i), func(attempt int) combin.Combination { return t.pick(c.secret, r.N, i, attempt, m, formats[i]) })
		if err != nil {
			return fmt.Errorf("pack %s/%d, line %d: %w", r.Type, r.N, i, err)
		}
	}
	return nil
}

// same compares a grid with what is drawn under its attempt, and makes sure that what was drawn before was sold out. Counts only grow during the sales, so
// what was sold out then is so at the end.
func (c *pickCheck) same(grid combin.Combination, attempt int, drawn func(attempt int) combin.Combination) error {
	if want := drawn(attempt); grid != want {
		return fmt.Errorf("%v was sold, attempt %d gives %v", grid, attempt, want)
	}
	for earlier := range attempt {
		if passed := drawn(earlier); c.tally == nil || !c.tally.holdsFull(passed) {
			return fmt.Errorf("attempt %d gives %v, of which nothing was sold out", earlier, passed)
		}
	}
	return nil
}

// holdsFull says whether a combination of the grid takes part as often as the draw allows.
func (t *tally) holdsFull(grid combin.Combination) bool {
	for at := range t.matrix.Indexes(grid) {
		if t.counts.of(at) == t.max {
			return true
		}
	}
	return false
}
