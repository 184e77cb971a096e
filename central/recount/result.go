package recount

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tirage/central"
	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// result is what one recount of a result works with.
type result struct {
	*sealed
	counting *central.Counting // the papers, and the unit gains once the winners are known
	secret   fairness.Secret
	series   []series
	added    []added
}

// series is a series of codes with the drawn ones, as ordinals.
type series struct {
	*codes.Series
	sheet codes.Sheet
	drawn []int64
	ours  int64
	gain  money.Cents
}

// count works out a result.
func (s *sealed) count(ctx context.Context, r *Recounter) (*central.Count, error) {
	snap, err := r.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	c, err := central.NewCounting(ctx, snap, s.draw, r.Secret)
	if err != nil {
		return nil, err
	}
	secret, err := r.Secret(c.Draw)
	if err != nil {
		return nil, err
	}
	res := &result{sealed: s, counting: c, secret: secret}
	if err := res.findSeries(); err != nil {
		return nil, err
	}
	if err := res.findAdded(); err != nil {
		return nil, err
	}
	winners, err := res.winners()
	if err != nil {
		return nil, err
	}
	if err := c.Settle(winners, res.addedWinners()); err != nil {
		return nil, err
	}
	return res.credits(winners)
}

// findSeries lists the codes issued: those of the games sold with the draw, then its own.
func (r *result) findSeries() error {
	book, d := r.counting.Book, r.counting.Draw
	var books []*rulebook.Rulebook
	for _, with := range book.Sale.With {
		b, err := games.InForce(with, d.Day)
		if err != nil {
			return err
		}
		books = append(books, b)
	}
	for _, b := range append(books, book) {
		for i := range b.Codes {
			s := &b.Codes[i]
			if s.Exceptional && d.Exceptional == 0 {
				continue
			}
			sheet, err := codes.NewSheet(*s, fairness.CodeKey(r.secret, s.ID))
			if err != nil {
				return err
			}
			p, _ := b.CodePrize(s.ID)
			x := series{Series: s, sheet: sheet, gain: p.Gain}
			for _, printed := range r.counting.Result.Codes[s.ID] {
				n, err := s.Parse(printed)
				if err != nil {
					return err
				}
				x.drawn = append(x.drawn, n)
			}
			r.series = append(r.series, x)
		}
	}
	return nil
}

// codesOf calls yield for each code of series i that a play or a pack holds.
func (r *result) codesOf(i int, n, at, at2 int64, yield func(int64)) error {
	if i == 1 {
		at = at2
	}
	s := &r.series[i]
	run := central.PlaceOf(s.Series, n, at)
	for j := range n {
		ordinal, err := s.sheet.Ordinal(codes.Place{Zone: run.Zone, Position: run.Start + j})
		if err != nil {
			return err
		}
		yield(ordinal)
	}
	return nil
}

// winners counts the winning simple combinations and codes of plays and packs.
func (r *result) winners() (prize.Winners, error) {
	book := r.counting.Book
	w := make(prize.Winners, len(book.Prizes.Ranks))
	add := func(lines []byte, n, at, at2 int64) error {
		simples(book.Matrix, lines, func(main, extra []int) {
			if rank := rankOf(book, r.counting.Result, main, extra); rank > 0 {
				w[rank-1]++
			}
		})
		for i := range r.series {
			err := r.codesOf(i, n, at, at2, func(code int64) {
				if slices.Contains(r.series[i].drawn, code) {
					r.series[i].ours++
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range r.contents {
		if err := add(c.Lines, c.Combos, c.CodeAt, c.CodeAt2); err != nil {
			return nil, err
		}
	}
	for _, p := range r.plays {
		if p.Kind != central.KindPack {
			if err := add(p.Lines, p.Combos, p.CodeAt, p.CodeAt2); err != nil {
				return nil, err
			}
			for i := range r.added {
				r.added[i].each(r, p, func(rank int) { r.added[i].winners[rank]++ })
			}
		}
	}
	return w, nil
}

// eachGain calls yield for every single winning combination and code, with its component.
func (r *result) eachGain(lines []byte, n, at, at2 int64, yield func(component string, gain money.Cents)) error {
	c := r.counting
	simples(c.Book.Matrix, lines, func(main, extra []int) {
		if rank := rankOf(c.Book, c.Result, main, extra); rank > 0 && c.Unit[rank-1] > 0 {
			yield(central.ComponentRanks, c.Unit[rank-1])
		}
	})
	for i := range r.series {
		err := r.codesOf(i, n, at, at2, func(code int64) {
			if slices.Contains(r.series[i].drawn, code) {
				yield("code/"+r.series[i].ID, r.series[i].gain)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// credits works out what each play is due and adds everything up.
func (r *result) credits(winners prize.Winners) (*central.Count, error) {
	c := r.counting
	out := &central.Count{
		Draw: r.draw, Version: c.Draw.Version, Winners: winners, Outside: c.Outside.Winners, Unit: c.Unit,
		Packs: central.PackTotals{Reserve: map[string]money.Cents{}},
	}
	for _, s := range r.series {
		out.Codes = append(out.Codes, central.CodeCount{Series: s.ID, Drawn: int64(len(s.drawn)), Ours: s.ours, Unit: s.gain})
	}
	for _, a := range r.added {
		out.AddOns = append(out.AddOns, central.AddOnCount{Game: a.game, Winners: a.winners, Outside: c.Outside.AddOns[a.game], Unit: c.AddOnUnit(a.game)})
	}
	shares, err := r.packShares(out)
	if err != nil {
		return nil, err
	}
	var slice []central.Credit
	for _, p := range r.plays {
		credits, err := r.creditsOf(p, shares, out)
		if err != nil {
			return nil, fmt.Errorf("play %s: %w", central.PlayID(p.ID), err)
		}
		for _, c := range credits {
			out.Credits++
			out.Due += c.Cents
			if slice = append(slice, c); len(slice) == central.SliceCredits {
				out.Slices = append(out.Slices, central.SumCredits(slice))
				slice = slice[:0]
			}
		}
	}
	if len(slice) > 0 {
		out.Slices = append(out.Slices, central.SumCredits(slice))
	}
	out.Gains += out.Packs.Gains + out.Groups.Gains
	return out, nil
}

// creditsOf works out what one play is due, in the order of the components and of the receipts of a group.
func (r *result) creditsOf(p *central.Play, shares map[string]map[string]money.Cents, out *central.Count) (list []central.Credit, err error) {
	due := map[string]money.Cents{}
	receipts := []*central.GroupReceipt{nil}
	switch p.Kind {
	case central.KindPack:
		for component, part := range shares[packName(p.PackType, p.Pack)] {
			due[component] = part * money.Cents(p.Shares)
		}
	case central.KindGroup:
		receipts = r.receipts[p.ID]
		if len(receipts) == 0 || int64(len(receipts)) != p.Shares {
			return nil, fmt.Errorf("%d receipts of %d", len(receipts), p.Shares)
		}
		err = r.eachGain(p.Lines, p.Combos, p.CodeAt, p.CodeAt2, func(component string, gain money.Cents) {
			n := money.Cents(len(receipts))
			part := share(gain, int64(n))
			due[component] += part
			out.Groups.Gains += gain
			out.Groups.Holders += part * n
			out.Groups.Rounding += gain - part*n
		})
	default:
		err = r.eachGain(p.Lines, p.Combos, p.CodeAt, p.CodeAt2, func(component string, gain money.Cents) {
			due[component] += gain
			out.Gains += gain
		})
		for i := range r.added {
			a := &r.added[i]
			a.each(r, p, func(rank int) {
				if gain := r.counting.AddOnUnit(a.game)[rank]; gain > 0 {
					due[a.game] += gain
					out.Gains += gain
				}
			})
		}
	}
	for _, component := range slices.Sorted(maps.Keys(due)) {
		if due[component] == 0 {
			continue
		}
		for _, of := range receipts {
			c := central.Credit{Draw: p.Draw, Component: component, Play: p.ID, Version: out.Version, Player: p.Player, Cents: due[component]}
			if of != nil {
				c.Component, c.Player = fmt.Sprintf("%s#%d", component, of.N), of.Player
			}
			if p.Channel == "retail" {
				c.Player = 0 // the gain waits for whoever shows the receipt
			}
			list = append(list, c)
		}
	}
	return list, err
}

// packShares splits each single gain of each pack, and returns what one share of each pack receives by component.
func (r *result) packShares(out *central.Count) (map[string]map[string]money.Cents, error) {
	sold := map[string]int64{}
	for _, p := range r.plays {
		if p.Kind == central.KindPack {
			sold[packName(p.PackType, p.Pack)] += p.Shares
		}
	}
	all := map[string]map[string]money.Cents{}
	for _, content := range r.contents {
		t := r.types[content.Type]
		if t == nil {
			return nil, fmt.Errorf("pack %s of draw %s has no type", packName(content.Type, content.N), r.draw)
		}
		book, err := games.Version(t.Rules)
		if err != nil {
			return nil, err
		}
		name := packName(content.Type, content.N)
		perShare := map[string]money.Cents{}
		err = r.eachGain(content.Lines, content.Combos, content.CodeAt, content.CodeAt2, func(component string, gain money.Cents) {
			part := share(gain, t.Shares)
			out.Packs.Gains += gain
			out.Packs.Holders += part * money.Cents(sold[name])
			out.Packs.Rounding += gain - part*money.Cents(t.Shares)
			if unsold := part * money.Cents(t.Shares-sold[name]); unsold > 0 {
				out.Packs.Reserve[fundOf(book, component)] += unsold
			}
			if part > 0 {
				perShare[component] += part
			}
		})
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		all[name] = perShare
	}
	return all, nil
}

// fundOf names the reserve fund that receives the part of unsold shares: 10.2 of Loto for ranks and codes; 4.3 of Euro Millions for ranks and codes
// Euro Millions, 5.3.2 for codes My Million.
func fundOf(book *rulebook.Rulebook, component string) string {
	switch component {
	case central.ComponentRanks:
		return book.Pack.ReserveRanks
	case "code/euromillions":
		return book.Pack.ReserveEuroCode
	}
	return book.Pack.ReserveCode
}
