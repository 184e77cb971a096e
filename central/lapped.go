package central

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tirage/rules/codes"
)

// When the pointer of a game has been through its whole sequential zone while a draw is on sale, it may meet codes of that draw. Which ones it holds
// is then read from its sealed rows, once for each batch. Other games and draws pay nothing for it, and no table of used codes is kept: the pointer
// needs hundreds of millions of codes for a lap.

// issue names the codes of one series of a draw.
type issue struct {
	draw   string
	scope  string // of the sequential zone
	second bool   // Play.CodeAt2
	node   int64  // that asks: its own block is no other's
}

// needIssue is thrown where the runs of a draw are needed; the register reads them and plans the command again.
type needIssue struct {
	issue
	series *codes.Series
}

// taken returns the runs of the sequential zone that a draw may not use again: its own and, since another node may use them for it at any time,
// what other nodes have reserved ahead.
func (p *Plan) taken(of needIssue) []codes.Run {
	runs, ok := p.batch.issued[of.issue]
	if !ok {
		panic(of)
	}
	runs = slices.Clone(runs)
	for k, r := range p.batch.view {
		if k.S == of.draw && !p.batch.stored[k] && (k.Table == Plays || k.Table == PackContents) && r != nil {
			runs = of.of(runs, r)
		}
	}
	return union(runs)
}

// union joins runs that overlap: what another node has reserved ahead may meet codes of the draw.
func union(runs []codes.Run) []codes.Run {
	slices.SortFunc(runs, func(a, b codes.Run) int { return cmp.Compare(a.Start, b.Start) })
	var out []codes.Run
	for _, r := range runs {
		if last := len(out) - 1; last >= 0 && r.Start < out[last].End() {
			out[last].Count = max(out[last].End(), r.End()) - out[last].Start
		} else {
			out = append(out, r)
		}
	}
	return out
}

// of adds the run that a row holds.
func (n *needIssue) of(runs []codes.Run, r Row) []codes.Run {
	var combos, at, at2 int64
	switch r := r.(type) {
	case *PackContent:
		combos, at, at2 = r.Combos, r.CodeAt, r.CodeAt2
	case *Play:
		if r.PackType != "" {
			return runs // its pack holds them
		}
		combos, at, at2 = r.Combos, r.CodeAt, r.CodeAt2
	default:
		return runs
	}
	if n.second {
		at = at2
	}
	if run := PlaceOf(n.series, combos, at); run.Zone == codes.SequentialZone {
		runs = append(runs, run)
	}
	return runs
}

// loadIssue reads what is stored. The pointer is locked by this transaction, so nobody goes beyond it meanwhile.
func (b *batch) loadIssue(ctx context.Context, store Reader, of needIssue) error {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	var runs []codes.Run
	err = sealedRows(ctx, snap, of.draw, betColumns, func(r Row) error {
		runs = of.of(runs, r)
		return nil
	})
	if err != nil {
		return err
	}
	lap := of.series.Sequential.Len()
	err = snap.Scan(ctx, Range{From: Key{Table: CodeBlocks, S: of.scope}, Prefix: 1}, func(r Row) error {
		if block := r.(*CodeBlock); block.Node != of.node && block.Next < block.End {
			runs = append(runs, codes.Run{Zone: codes.SequentialZone, Start: block.Next % lap, Count: block.End - block.Next})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("codes reserved ahead: %w", err)
	}
	b.issued[of.issue] = runs
	return nil
}
