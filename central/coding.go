package central

import (
	"errors"
	"fmt"
	"time"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/rulebook"
)

// Codes of a play or a pack are stored as one number for each series: the position of the first. In the random zone it is the draw's
// counter; in the sequential zone it is the game's pointer with its laps, laps × length + position, which only grows.

// PlaceOf returns the run that a play or a pack of n codes holds, from its stored position.
func PlaceOf(s *codes.Series, n, at int64) codes.Run {
	z := s.ZoneFor(n)
	if z == codes.SequentialZone {
		at %= s.Sequential.Len()
	}
	return codes.Run{Zone: z, Start: at, Count: n}
}

// codeRuns prints the codes from the positions that a play or a pack stores.
func (s *saleOf) codeRuns(n, at, at2 int64) ([]CodeRun, error) {
	var runs []CodeRun
	for i, series := range s.series {
		if i == 1 {
			at = at2
		}
		run, err := printRun(series, fairness.CodeKey(s.secret, series.ID), n, at)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// printRun prints the first and last code of a run, and all of them when they are few.
func printRun(s *codes.Series, key [32]byte, n, at int64) (CodeRun, error) {
	run := PlaceOf(s, n, at)
	out := CodeRun{Series: s.ID, Count: n}
	if run.Zone == codes.SequentialZone {
		first := s.Sequential.First + run.Start
		out.First, out.Last = s.Format(first), s.Format(first+n-1)
		return out, nil
	}
	sheet, err := codes.NewSheet(*s, key)
	if err != nil {
		return out, err
	}
	if out.All, err = sheet.Printed(run); err != nil {
		return out, err
	}
	out.First, out.Last = out.All[0], out.All[n-1]
	return out, nil
}

// seriesOf lists the codes that a sale under this rulebook issues, in the order of CodeAt, CodeAt2: those of the games sold with it, then its own.
func seriesOf(sale *rulebook.Rulebook, now time.Time, exceptional bool) ([]*codes.Series, error) {
	var list []*codes.Series
	for _, with := range sale.Sale.With {
		book, err := games.At(with, now)
		if err != nil {
			return nil, err
		}
		for i := range book.Codes {
			list = append(list, &book.Codes[i])
		}
	}
	for i := range sale.Codes {
		if s := &sale.Codes[i]; !s.Exceptional || exceptional {
			list = append(list, s)
		}
	}
	if len(list) > maxSeries {
		return nil, fmt.Errorf("%s issues %d series of codes, accepted at most %d", sale.Header.Version(), len(list), maxSeries)
	}
	return list, nil
}

// maxSeries bounds the series of codes of one draw: a play stores where its codes stand in two of them ([Play.CodeAt], [Play.CodeAt2]).
const maxSeries = 2

func seqScope(game, series string) string { return "seq/" + game + "/" + series }
func rndScope(draw, series string) string { return "rnd/" + draw + "/" + series }

// reserveCodes takes n codes of each series of the sale: from the random zone for a play or pack of up to ten, in a row from the
// sequential zone for a larger one (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
func (p *Plan) reserveCodes(s *saleOf, n int64) (at, at2 int64, err error) {
	p.Need(p.codeKeys(s, n)...)
	for i, series := range s.series {
		a, err := p.reserve(s.draw, i, series, n)
		if err != nil {
			return 0, 0, err
		}
		if i == 0 {
			at = a
		} else {
			at2 = a
		}
	}
	return at, at2, nil
}

// codeKeys lists the rows from which n codes of each series are reserved.
func (p *Plan) codeKeys(s *saleOf, n int64) (keys []Key) {
	for _, series := range s.series {
		scope := codeScope(s.draw, series, n)
		keys = append(keys, Key{Table: CodeBlocks, S: scope, N: p.Node})
		if p.reg.cfg.CodeBlock == 0 {
			keys = append(keys, Key{Table: CodePointers, S: scope}) // nothing is reserved ahead
		}
	}
	return keys
}

// needCodes asks for the rows of the codes of several draws at once: a command may ask but a few times, however many draws it plays.
func (p *Plan) needCodes(draws []string, n int64) {
	var sales []*saleOf
	var blocks, used []Key
	for _, draw := range draws {
		if s, err := p.sale(draw); err == nil { // else it is refused where its ticket is planned
			sales = append(sales, s)
			blocks = append(blocks, p.codeKeys(s, n)...)
		}
	}
	p.Need(blocks...)
	for _, s := range sales {
		for _, series := range s.series {
			scope := codeScope(s.draw, series, n)
			if b := get[CodeBlock](p, Key{Table: CodeBlocks, S: scope, N: p.Node}); b == nil || b.Next+n > b.End {
				used = append(append(used, Key{Table: CodePointers, S: scope}), totalKeys(Counters, codesGiven(scope, s.draw.ID))...)
			}
		}
	}
	p.Need(used...)
}

// codesGiven names the counter of the codes of a scope that a draw has had.
func codesGiven(scope, draw string) string { return "codes/" + scope + "/" + draw }

// codeScope names the scope that gives n codes: the game's pointer, or the draw's random counter.
func codeScope(d *Draw, s *codes.Series, n int64) string {
	if s.ZoneFor(n) == codes.RandomZone {
		return rndScope(d.ID, s.ID)
	}
	return seqScope(d.Game, s.ID)
}

// reserve takes n positions in a row of series i. This node's block is used up first, then a new one is taken from the pointer that all nodes
// share: until then the other nodes do not wait for this one.
func (p *Plan) reserve(d *Draw, i int, s *codes.Series, n int64) (int64, error) {
	scope, lap, floor := codeScope(d, s, n), s.Sequential.Len(), d.SeqFloor
	if i == 1 {
		floor = d.SeqFloor2
	}
	if s.ZoneFor(n) == codes.RandomZone {
		lap, floor = s.Random.Len(), 0
	}
	block := edit[CodeBlock](p, Key{Table: CodeBlocks, S: scope, N: p.Node})
	if block == nil {
		block = &CodeBlock{Scope: scope, Node: p.Node}
		p.insert(block)
	}
	// What was reserved before the draw opened is left alone: the draw counts its zone from the opening on.
	if at := block.Next; at >= floor && at+n <= min(block.End, floor+lap) && at%lap+n <= lap {
		block.Next = at + n
		p.count(codesGiven(scope, d.ID), n)
		return at, nil
	}
	pointer := edit[CodePointer](p, Key{Table: CodePointers, S: scope})
	if pointer == nil {
		pointer = &CodePointer{Scope: scope}
		p.insert(pointer)
	}
	at, err := p.next(needIssue{issue{d.ID, scope, i == 1, p.Node}, s}, floor, pointer.Next, n)
	if err != nil {
		return 0, err
	}
	block.Next = at + n
	block.End = max(block.Next, min(at+p.reg.cfg.CodeBlock, at-at%lap+lap))
	pointer.Next = block.End
	p.count(codesGiven(scope, d.ID), n)
	return at, nil
}

// next asks the rule for n positions from the pointer on.
func (p *Plan) next(of needIssue, floor, pointer, n int64) (int64, error) {
	s := of.series
	size := s.Sequential.Len()
	use := codes.DrawUse{Random: pointer, Opened: codes.Pointer{Next: floor % size, Laps: floor / size}}
	use.Sequential = p.total(Counters, codesGiven(of.scope, of.draw))
	from := codes.Pointer{Next: pointer % size, Laps: pointer / size}
	run, _, _, err := s.Reserve(from, use, n)
	if errors.Is(err, codes.ErrLapped) {
		use.Taken, use.Sequential = p.taken(of), 0
		for _, r := range use.Taken {
			use.Sequential += r.Count
		}
		run, _, _, err = s.Reserve(from, use, n)
	}
	switch {
	case errors.Is(err, codes.ErrExhausted):
		return 0, refuse(SoldOut, "codes.exhausted", "", "no %d codes in a row are left for draw %s; nothing is debited", n, of.draw)
	case err != nil:
		return 0, fmt.Errorf("codes of draw %s: %w", of.draw, err)
	case run.Zone == codes.RandomZone:
		return run.Start, nil
	case run.Start < pointer%size: // in the next lap
		return pointer - pointer%size + size + run.Start, nil
	}
	return pointer - pointer%size + run.Start, nil
}
