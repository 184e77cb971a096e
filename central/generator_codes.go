package central

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// DrawCodes brings the winning codes of a draw by the generator: drawn among those that were issued, from the secret and the value from which the numbers came. They
// hang on every play of the draw, more than a command reads: the system derives them, and whoever has the published draw does so again (package verify). The
// result is an [EntryBody], all that was drawn.
type DrawCodes struct {
	Draw  string              `json:"draw"`
	Codes map[string][]string `json:"codes"` // by series, all of the draw
}

func (DrawCodes) Kind() string  { return "draw_codes" }
func (c DrawCodes) Keys() []Key { return drawingKeys(c.Draw) }

func (c DrawCodes) Plan(p *Plan) (any, error) {
	d, g := get[Draw](p, drawKey(c.Draw)), edit[Generator](p, generatorKey(c.Draw))
	if d == nil || g == nil || g.Numbers == "" {
		return nil, refuse(Conflict, "generator.undrawn", "", "the numbers of draw %s are not drawn yet", c.Draw)
	}
	drawn, err := ReadEntry(g.Numbers)
	if err != nil {
		return nil, err
	}
	if len(drawn.Codes) > 0 {
		return nil, refuse(Conflict, "generator.drawn", "", "the numbers of draw %s are drawn", c.Draw)
	}
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	if err != nil {
		return nil, err
	}
	if len(series) != len(c.Codes) {
		return nil, refuse(Invalid, "generator.codes", "codes", "codes of %d series: accepted those of the %d of draw %s", len(c.Codes), len(series), d.ID)
	}
	drawn.Codes = c.Codes
	result, out := drawn.papers(d.ID, 1)
	if err := checkResult(result, out, book, d); err != nil {
		return nil, err
	}
	body, err := json.Marshal(drawn)
	if err != nil {
		return nil, err
	}
	g.Numbers = string(body)
	return drawn, nil
}

// lacksCodes says whether codes are still to be drawn of a draw whose numbers are.
func lacksCodes(d *Draw, drawn *EntryBody) (bool, error) {
	if len(drawn.Codes) > 0 {
		return false, nil
	}
	book, err := drawBook(d)
	if err != nil {
		return false, err
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	return len(series) > 0, err
}

// jokerDrawn derives the number of Joker+ for a game to which it is added, "" for others.
func jokerDrawn(g fairness.Generator, book *rulebook.Rulebook, day string) (string, error) {
	if !slices.Contains(book.Sale.AddOns, jokerGame) {
		return "", nil
	}
	joker, err := games.InForce(jokerGame, day)
	if err != nil {
		return "", err
	}
	return prize.FormatDigits(g.Digits(jokerGame, joker.Digits.Length)), nil
}

// DrawCodes draws the codes of a draw whose numbers the generator has drawn; it does nothing where there are none to draw.
func (o *Operator) DrawCodes(ctx context.Context, draw string) error {
	var drawn map[string][]string
	err := o.snapshot(ctx, func(snap Snapshot) error {
		row, err := snap.Get(ctx, generatorKey(draw))
		g, _ := row.(*Generator)
		if g == nil || g.Numbers == "" || err != nil {
			return err
		}
		d, err := readDraw(ctx, snap, draw)
		if err != nil {
			return err
		}
		numbers, err := ReadEntry(g.Numbers)
		if err != nil {
			return err
		}
		if lacks, err := lacksCodes(d, numbers); !lacks || err != nil {
			return err
		}
		secret, err := o.OpenSecret(d)
		if err != nil {
			return err
		}
		drawn, err = deriveCodes(ctx, snap, d, fairness.Generator{Secret: secret, Draw: d.ID, Public: g.Public()})
		return err
	})
	if err != nil || drawn == nil {
		return err
	}
	_, err = o.do(ctx, "codes/"+draw, DrawCodes{Draw: draw, Codes: drawn})
	return err
}

// deriveCodes draws the codes of every series of a draw: as many as its rulebook says, all of them where fewer were issued.
func deriveCodes(ctx context.Context, snap Snapshot, d *Draw, g fairness.Generator) (map[string][]string, error) {
	book, err := drawBook(d)
	if err != nil {
		return nil, err
	}
	series, err := drawSeries(book, d.Day, d.Exceptional == 1)
	if err != nil {
		return nil, err
	}
	drawn := map[string][]string{}
	for i, s := range series {
		issued, err := issuedCodes(ctx, snap, d.ID, s.Series, i)
		if err != nil {
			return nil, fmt.Errorf("codes %s of draw %s: %w", s.ID, d.ID, err)
		}
		prize, _ := s.book.CodePrize(s.ID) // drawSeries has asked
		won, err := g.Codes(s.ID, issued, prize.Winners)
		if err != nil {
			return nil, err
		}
		sheet, err := codes.NewSheet(*s.Series, fairness.CodeKey(g.Secret, s.ID))
		if err != nil {
			return nil, err
		}
		drawn[s.ID] = []string{}
		for _, w := range won {
			ordinal, err := sheet.Ordinal(w.At)
			if err != nil {
				return nil, err
			}
			drawn[s.ID] = append(drawn[s.ID], s.Format(ordinal))
		}
	}
	return drawn, nil
}

// issuedCodes numbers the codes of the n-th series of a draw: those of the packs by type and number, then those of the plays in the order of the logs, as they
// stand in the published draw.
func issuedCodes(ctx context.Context, snap Snapshot, draw string, s *codes.Series, n int) (*codes.Issued, error) {
	var runs []codes.Run
	add := func(combos, at, at2 int64) {
		runs = append(runs, PlaceOf(s, combos, []int64{at, at2}[n]))
	}
	err := snap.Scan(ctx, Range{From: Key{Table: PackContents, S: draw}, Prefix: 1}, func(r Row) error {
		c := r.(*PackContent)
		add(c.Combos, c.CodeAt, c.CodeAt2)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = snap.Scan(ctx, Range{From: Key{Table: Plays, S: draw}, Prefix: 1}, func(r Row) error {
		if p := r.(*Play); p.Kind != KindPack {
			add(p.Combos, p.CodeAt, p.CodeAt2)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return codes.NewIssued(runs)
}
