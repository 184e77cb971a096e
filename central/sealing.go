package central

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"strings"

	"tirage/logbook"
	"tirage/rules/money"
)

// The sealed rows of a draw are those of its pack types, packs and pack contents, the games added to its plays, the receipts of its groups, then its
// plays in the order of their leaves, each one line in the row encoding of the log. Their SHA-256 is the digest of the draw.

// appendRow writes a row in the encoding of the log.
func appendRow(b []byte, r Row) []byte {
	return logbook.AppendRow(b, logbook.Row{Table: Schema[r.Table()].Name, Fields: r.Fields()})
}

// SealedRows calls yield for each sealed row of a draw, in order.
func SealedRows(ctx context.Context, snap Snapshot, draw string, yield func(Row) error) error {
	return sealedRows(ctx, snap, draw, nil, yield)
}

// gridColumns are the columns of a play that the winners of a draw depend on, betColumns those that its gains depend on: a play with a pack type holds
// shares, one with shares and no pack type is a group's.
var (
	gridColumns = []string{"draw", "id", "lines", "combos", "code_at", "code_at2", "pack_type"}
	betColumns  = []string{"draw", "id", "player", "lines", "combos", "code_at", "code_at2", "pack_type", "pack", "shares", "channel"}
)

func sealedRows(ctx context.Context, snap Snapshot, draw string, only []string, yield func(Row) error) error {
	for _, t := range []TableID{PackTypes, Packs, PackContents, AddOnRows, Receipts, Plays} {
		r := Range{From: Key{Table: t, S: draw}, Prefix: 1}
		if t == Plays {
			r.Only = only
		}
		if err := snap.Scan(ctx, r, yield); err != nil {
			return fmt.Errorf("sealed %s of draw %s: %w", Schema[t].Name, draw, err)
		}
	}
	return nil
}

// CountSales adds up the sealed rows of a draw.
func CountSales(ctx context.Context, snap Snapshot, draw string) (*Sales, error) {
	c := newSalesCounter(draw)
	if err := SealedRows(ctx, snap, draw, c.add); err != nil {
		return nil, err
	}
	return c.sum(), nil
}

type salesCounter struct {
	sales  Sales
	digest hash.Hash
	line   []byte
	types  map[string]*PackType
	kinds  map[string]*KindCount
	rules  map[string]*RulesCount
}

func newSalesCounter(draw string) *salesCounter {
	return &salesCounter{sales: Sales{Draw: draw}, digest: sha256.New(), types: map[string]*PackType{}, kinds: map[string]*KindCount{}, rules: map[string]*RulesCount{}}
}

func (c *salesCounter) add(r Row) error {
	c.line = append(appendRow(c.line[:0], r), '\n')
	c.digest.Write(c.line)
	switch r := r.(type) {
	case *PackType:
		c.types[r.Type] = r
	case *Pack:
		t := c.types[r.Type]
		if t == nil || r.Sold < 1 || r.Sold > t.Shares {
			return fmt.Errorf("pack %s/%d: %d shares sold", r.Type, r.N, r.Sold)
		}
		// The pack plays in full, whether or not it sold out: its unsold shares are the operator's stake.
		c.sales.Packs++
		c.sales.UnsoldShares += t.Shares - r.Sold
		c.sales.UnsoldCents = money.Add(c.sales.UnsoldCents, money.Mul(t.SharePrice, t.Shares-r.Sold))
		c.sold(t.Rules, t.Combos, money.Mul(t.SharePrice, t.Shares))
	case *AddOnRow:
		c.count(r.Game, r.Stake)
		c.sold(r.SaleRules, 0, r.Stake)
	case *Play:
		c.count(r.Kind, r.Stake)
		if r.Kind != KindPack {
			c.sold(r.SaleRules, r.Combos, r.Stake)
		}
	}
	return nil
}

func (c *salesCounter) count(kind string, stake money.Cents) {
	k := c.kinds[kind]
	if k == nil {
		k = &KindCount{Kind: kind}
		c.kinds[kind] = k
	}
	k.Plays++
	k.Cents = money.Add(k.Cents, stake)
}

func (c *salesCounter) sold(rules string, combos int64, cents money.Cents) {
	r := c.rules[rules]
	if r == nil {
		r = &RulesCount{Rules: rules}
		c.rules[rules] = r
	}
	r.Combos += combos
	r.Cents = money.Add(r.Cents, cents)
}

func (c *salesCounter) sum() *Sales {
	s := &c.sales
	s.Digest = c.digest.Sum(nil)
	for _, k := range c.kinds {
		s.Kinds = append(s.Kinds, *k)
		s.Stakes = money.Add(s.Stakes, k.Cents)
	}
	for _, r := range c.rules {
		s.Rules = append(s.Rules, *r)
	}
	slices.SortFunc(s.Kinds, func(a, b KindCount) int { return strings.Compare(a.Kind, b.Kind) })
	slices.SortFunc(s.Rules, func(a, b RulesCount) int { return strings.Compare(a.Rules, b.Rules) })
	s.Stakes = money.Add(s.Stakes, s.UnsoldCents)
	return s
}

// LogSizes returns the size and the root of every writer's log.
func LogSizes(ctx context.Context, snap Snapshot) ([]LogSize, error) {
	var logs []LogSize
	err := snap.Scan(ctx, Range{From: Key{Table: Writers}}, func(r Row) error {
		w := r.(*Writer)
		tree, err := logbook.ParseTree(w.Size, w.Edge)
		if err != nil {
			return fmt.Errorf("node %d: %w", w.Node, err)
		}
		root := tree.Root()
		logs = append(logs, LogSize{w.Node, w.Size, root[:]})
		return nil
	})
	return logs, err
}
