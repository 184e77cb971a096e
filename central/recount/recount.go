// Package recount is a control that runs inside the process, until an independent system takes its place: it reads the sealed rows by itself and works everything
// out by another way than package central.
//
// Every multiple is expanded into its simple combinations and each of them is looked at alone; each winning combination of a pack is split with exact
// rationals; each code is turned into its ordinal and compared with the drawn ones. What is shared is what the two must agree on beforehand: the papers and
// the prize rules (unit gains from winners), where the codes of a play stand, and the form of a slice of credits.
package recount

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
	"tirage/fairness"
	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// Recounter counts by brute force and signs as the control.
type Recounter struct {
	Store  central.Reader
	Signer note.Signer // of role control
	Secret func(*central.Draw) (fairness.Secret, error)
}

// CountSales counts the sealed plays of a draw.
func (r *Recounter) CountSales(ctx context.Context, draw string) (string, error) {
	d, err := r.read(ctx, draw)
	if err != nil {
		return "", err
	}
	sales, err := d.sales()
	if err != nil {
		return "", err
	}
	return central.SignPaper(sales, r.Signer)
}

// CountResult works out the drawn result.
func (r *Recounter) CountResult(ctx context.Context, draw string) (string, error) {
	d, err := r.read(ctx, draw)
	if err != nil {
		return "", err
	}
	c, err := d.count(ctx, r)
	if err != nil {
		return "", err
	}
	return central.SignPaper(c, r.Signer)
}

// sealed is everything sealed of a draw, in memory.
type sealed struct {
	draw     string
	types    map[string]*central.PackType
	packs    map[string]*central.Pack // "type/n"
	contents []*central.PackContent
	addOns   map[int64][]*central.AddOnRow // by play
	plays    []*central.Play
	receipts map[int64][]*central.GroupReceipt // by play
	digest   []byte
}

func packName(typ string, n int64) string { return fmt.Sprintf("%s/%d", typ, n) }

// read takes the sealed rows of a draw from the store, table by table, and hashes them as they come.
func (r *Recounter) read(ctx context.Context, draw string) (*sealed, error) {
	snap, err := r.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	s := &sealed{draw: draw, types: map[string]*central.PackType{}, packs: map[string]*central.Pack{}, addOns: map[int64][]*central.AddOnRow{}, receipts: map[int64][]*central.GroupReceipt{}}
	h := sha256.New()
	for _, t := range []central.TableID{central.PackTypes, central.Packs, central.PackContents, central.AddOnRows, central.Receipts, central.Plays} {
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: t, S: draw}, Prefix: 1}, func(row central.Row) error {
			h.Write(append(line(row), '\n'))
			switch row := row.(type) {
			case *central.PackType:
				s.types[row.Type] = row
			case *central.Pack:
				s.packs[packName(row.Type, row.N)] = row
			case *central.PackContent:
				s.contents = append(s.contents, row)
			case *central.AddOnRow:
				s.addOns[row.Play] = append(s.addOns[row.Play], row)
			case *central.GroupReceipt:
				s.receipts[row.Play] = append(s.receipts[row.Play], row)
			case *central.Play:
				s.plays = append(s.plays, row)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	s.digest = h.Sum(nil)
	return s, nil
}

// line writes a row in the row encoding of the log.
func line(row central.Row) []byte {
	return logbook.AppendRow(nil, logbook.Row{Table: central.Schema[row.Table()].Name, Fields: row.Fields()})
}

// sales adds up plays and packs. A pack without a type is an error: it cannot be counted.
func (s *sealed) sales() (*central.Sales, error) {
	if err := s.checkAdded(); err != nil {
		return nil, err
	}
	out := &central.Sales{Draw: s.draw, Digest: s.digest, Packs: int64(len(s.packs))}
	kinds := map[string]central.KindCount{}
	rules := map[string]central.RulesCount{}
	sold := map[string]int64{}
	for _, p := range s.plays {
		k := kinds[p.Kind]
		kinds[p.Kind] = central.KindCount{Kind: p.Kind, Plays: k.Plays + 1, Cents: k.Cents + p.Stake}
		out.Stakes += p.Stake
		for _, a := range s.addOns[p.ID] {
			k, r := kinds[a.Game], rules[a.SaleRules]
			kinds[a.Game] = central.KindCount{Kind: a.Game, Plays: k.Plays + 1, Cents: k.Cents + a.Stake}
			rules[a.SaleRules] = central.RulesCount{Rules: a.SaleRules, Cents: r.Cents + a.Stake}
			out.Stakes += a.Stake
		}
		if p.Kind == central.KindPack {
			sold[packName(p.PackType, p.Pack)] += p.Shares
			continue
		}
		r := rules[p.SaleRules]
		rules[p.SaleRules] = central.RulesCount{Rules: p.SaleRules, Combos: r.Combos + p.Combos, Cents: r.Cents + p.Stake}
	}
	// The shares of the packs are counted on the plays, not read from the packs.
	for name := range s.packs {
		typ, _, _ := strings.Cut(name, "/")
		t := s.types[typ]
		if t == nil {
			return nil, fmt.Errorf("pack %s of draw %s has no type", name, s.draw)
		}
		unsold := t.Shares - sold[name]
		out.UnsoldShares += unsold
		out.UnsoldCents += t.SharePrice * money.Cents(unsold)
		r := rules[t.Rules]
		rules[t.Rules] = central.RulesCount{Rules: t.Rules, Combos: r.Combos + t.Combos, Cents: r.Cents + t.SharePrice*money.Cents(t.Shares)}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		out.Kinds = append(out.Kinds, kinds[name])
	}
	for _, r := range rules {
		out.Rules = append(out.Rules, r)
	}
	slices.SortFunc(out.Rules, func(a, b central.RulesCount) int { return strings.Compare(a.Rules, b.Rules) })
	out.Stakes += out.UnsoldCents
	return out, nil
}

// simples expands grids into simple combinations, one by one.
func simples(m combin.Matrix, packed []byte, yield func(main, extra []int)) {
	for ; len(packed) > 0; packed = packed[8:] {
		c := combin.Combination(binary.BigEndian.Uint64(packed))
		choose(c.Main(), m.Main, nil, func(main []int) {
			choose(c.Extra(), m.Extra, nil, func(extra []int) { yield(main, extra) })
		})
	}
}

// choose calls yield for every choice of k numbers.
func choose(from []int, k int, chosen []int, yield func([]int)) {
	if k == 0 {
		yield(chosen)
		return
	}
	for i := 0; i+k <= len(from); i++ {
		choose(from[i+1:], k-1, append(chosen[:len(chosen):len(chosen)], from[i]), yield)
	}
}

// rankOf returns the rank of one simple combination of a game by looking through its table, 0 for none.
func rankOf(book *rulebook.Rulebook, res *central.Result, main, extra []int) int {
	k, h := common(main, res.Main), common(extra, res.Extra)
	for _, r := range book.Prizes.Ranks {
		for _, hits := range r.Hits {
			if hits.Main == k && hits.Extra == h {
				return r.Number
			}
		}
	}
	return 0
}

func common(a, b []int) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// share is one of the equal parts of a gain: gain/shares, half up, with exact rationals.
func share(gain money.Cents, shares int64) money.Cents {
	x := new(big.Rat).SetFrac64(int64(gain), shares)
	x.Add(x, big.NewRat(1, 2))
	return money.Cents(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
}
