package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"tirage/central"
	"tirage/rules/odds"
)

// packUnsoldCmd is `tirage pack unsold`.
type packUnsoldCmd struct {
	drawsDB
	Draw string `arg:"" help:"The draw: loto-2020-06-22."`
}

func (c *packUnsoldCmd) Help() string {
	return `An order takes all its shares from one pack, so packs stay with shares that fit no order. For each pack type of the draw: what is sold and unsold, and beside it what would be unsold if somebody had known all orders beforehand and shared them out in as few packs as possible. Unsold shares are the operator's stake at the close.`
}

// unsoldReport is what the command prints as JSON.
type unsoldReport struct {
	Draw  string           `json:"draw"`
	Types []central.Unsold `json:"types"`
}

func (c *packUnsoldCmd) Run(p *program) error {
	r := &unsoldReport{Draw: c.Draw, Types: []central.Unsold{}}
	err := c.look(func(ctx context.Context, snap central.Snapshot) error {
		types, err := central.ReadUnsold(ctx, snap, c.Draw)
		r.Types = append(r.Types, types...)
		return err
	})
	switch {
	case err != nil:
		return err
	case c.JSON:
		return p.printJSON(r)
	}
	r.print(p.out)
	return nil
}

func (r *unsoldReport) print(w io.Writer) {
	if len(r.Types) == 0 {
		fmt.Fprintf(w, "%s has no packs.\n", r.Draw)
		return
	}
	t := &table{align: "lrrrrrrrl"}
	t.add("pack type", "packs", "sold", "unsold", "÷ sold", "best packs", "unsold", "÷ sold", "orders")
	for _, u := range r.Types {
		best := fmt.Sprint(u.Best.Packs)
		if u.Best.AtMost > u.Best.Packs {
			best = fmt.Sprintf("%d–%d", u.Best.Packs, u.Best.AtMost)
		}
		t.add(u.Type, fmt.Sprint(u.Packs), fmt.Sprint(u.Sold), fmt.Sprint(u.Unsold), ratio(u.Unsold, u.Sold), best, fmt.Sprint(u.Best.Unsold), ratio(u.Best.Unsold, u.Sold), orders(u.Orders))
	}
	fmt.Fprintf(w, "Shares of packs of %s. Best: the fewest packs that hold the same orders, none of them split.\n\n", r.Draw)
	t.print(w, "  ")
}

// orders writes the accepted orders by size: "12 × 1, 3 × 5".
func orders(by map[int64]int64) string {
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, fmt.Sprintf("%d × %d", by[n], n))
	}
	return strings.Join(parts, ", ")
}

// ratio writes a/b in per cent, "–" where nothing is sold.
func ratio(a, b int64) string {
	if b == 0 {
		return "–"
	}
	return odds.Percent(big.NewRat(a, b), 2)
}
