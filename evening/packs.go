package evening

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
)

// PackReport is one pack with its share-out (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6).
type PackReport struct {
	Pack        string                 `json:"pack"` // TYPE/N
	Composition string                 `json:"composition"`
	Combos      int64                  `json:"combinations"`
	Shares      int64                  `json:"shares"`
	SharePrice  money.Cents            `json:"share_price"`
	Sold        int64                  `json:"sold"`
	Unsold      int64                  `json:"unsold"`
	Grids       []string               `json:"grids"`
	Codes       []central.CodeRun      `json:"codes"`
	Split       []SplitLine            `json:"split"`
	PerShare    money.Cents            `json:"per_share"`
	Formulas    []Formula              `json:"formulas"` // what 1, 2, 5, 10 shares receive
	Gains       money.Cents            `json:"gains"`    // of the pack = holders + reserve + rounding
	Holders     money.Cents            `json:"holders"`
	Reserve     map[string]money.Cents `json:"reserve"` // parts of unsold shares, by fund
	Rounding    money.Cents            `json:"rounding"`
}

// SplitLine is the split of the winning combinations of one rank, or of the winning codes of one series: the gain of EACH is divided
// by the shares and rounded, then the parts are added up.
type SplitLine struct {
	Win      string      `json:"win"` // "rank 1", "code loto"
	Count    int64       `json:"count"`
	Gain     money.Cents `json:"gain"`      // of each
	Part     money.Cents `json:"part"`      // of one share in each
	PerShare money.Cents `json:"per_share"` // part × count
}

// Formula is a number of shares sold at once and what they receive.
type Formula struct {
	Shares int64       `json:"shares"`
	Cents  money.Cents `json:"cents"`
}

// readPacks shows the share-out of every pack. It is worked out here a third time, from the grids and codes that the buyers were shown, and must agree
// with what their plays were credited.
func (r *runner) readPacks(ctx context.Context, snap central.Snapshot, out *Report) error {
	out.Packs = []PackReport{}
	types := map[string]*central.PackType{}
	shown := map[string]*central.Bought{} // one play of each pack
	for _, a := range r.order {
		for i := range a.bought {
			if b := &a.bought[i].Bought; b.Pack != "" {
				shown[b.Pack] = b
			}
		}
	}
	return central.SealedRows(ctx, snap, r.draw, func(row central.Row) error {
		switch row := row.(type) {
		case *central.PackType:
			types[row.Type] = row
		case *central.Pack:
			name := fmt.Sprintf("%s/%d", row.Type, row.N)
			b := shown[name]
			if b == nil {
				return fmt.Errorf("pack %s: nobody was shown it", name)
			}
			p, err := r.pack(types[row.Type], row, b)
			if err != nil {
				return fmt.Errorf("pack %s: %w", name, err)
			}
			out.Packs = append(out.Packs, *p)
			return p.agrees(out.Players)
		}
		return nil
	})
}

func (r *runner) pack(t *central.PackType, row *central.Pack, b *central.Bought) (*PackReport, error) {
	sale, err := games.Version(t.Rules)
	if err != nil {
		return nil, err
	}
	gains, wins, err := r.wins(b)
	if err != nil {
		return nil, err
	}
	split, err := pack.Split(gains, t.Shares, row.Sold)
	if err != nil {
		return nil, err
	}
	p := &PackReport{
		Pack: b.Pack, Composition: t.Composition, Combos: t.Combos, Shares: t.Shares, SharePrice: t.SharePrice, Sold: row.Sold, Unsold: t.Shares - row.Sold,
		Grids: b.Grids, Codes: b.Codes, Split: []SplitLine{}, PerShare: split.PerShare, Formulas: []Formula{},
		Gains: split.Gains, Holders: split.Holders, Reserve: map[string]money.Cents{}, Rounding: split.Rounding,
	}
	for i, l := range split.Lines {
		p.Split = append(p.Split, SplitLine{wins[i], l.Count, l.Unit, l.Part, l.PerShare})
		if l.Reserve > 0 {
			fund := l.Source.Fund(sale.Pack)
			p.Reserve[fund] = money.Add(p.Reserve[fund], l.Reserve)
		}
	}
	for _, n := range sale.Pack.Formulas {
		if n <= t.Shares {
			p.Formulas = append(p.Formulas, Formula{n, money.Mul(split.PerShare, n)})
		}
	}
	return p, nil
}

// wins returns the gains of a pack, the best rank first, and a name for each.
func (r *runner) wins(b *central.Bought) (gains []pack.Gain, names []string, err error) {
	book := r.s.book
	drawn, err := combin.Of(r.notice.Main, r.notice.Extra)
	if err != nil {
		return nil, nil, err
	}
	counts := make([]int64, len(r.count.Unit))
	for _, text := range b.Grids {
		grid, err := combin.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		for main, row := range combin.Winners(book.Matrix, grid, drawn) {
			for extra, n := range row {
				if n > 0 && book.RankOf(main, extra) > 0 {
					counts[book.RankOf(main, extra)-1] += n
				}
			}
		}
	}
	for i, n := range counts {
		if n > 0 && r.count.Unit[i] > 0 {
			gains = append(gains, pack.Gain{Source: pack.Rank, Unit: r.count.Unit[i], Count: n})
			names = append(names, fmt.Sprintf("rank %d", i+1))
		}
	}
	for i, run := range b.Codes {
		n, source, err := r.hits(run)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			gains = append(gains, pack.Gain{Source: source, Unit: r.count.Codes[i].Unit, Count: n})
			names = append(names, "code "+run.Series)
		}
	}
	return gains, names, nil
}

// hits counts the drawn codes of a run as it was printed for the buyer: one by one, or from the first to the last.
func (r *runner) hits(run central.CodeRun) (n int64, source pack.Source, err error) {
	i := slices.IndexFunc(r.series(), func(s *codes.Series) bool { return s.ID == run.Series })
	if i < 0 {
		return 0, 0, fmt.Errorf("codes %s: the draw issues none", run.Series)
	}
	s := r.series()[i]
	first, err1 := s.Parse(run.First)
	last, err2 := s.Parse(run.Last)
	for _, printed := range r.notice.Codes[run.Series] {
		drawn, err := s.Parse(printed)
		if err != nil {
			return 0, 0, err
		}
		if slices.Contains(run.All, s.Format(drawn)) || run.All == nil && first <= drawn && drawn <= last {
			n++
		}
	}
	if source = pack.Code; s.Exceptional {
		source = pack.EuroCode
	}
	return n, source, cmp.Or(err1, err2)
}

// series lists the series of the day's rulebooks.
func (r *runner) series() []*codes.Series {
	var list []*codes.Series
	for _, b := range r.s.books {
		for i := range b.Codes {
			list = append(list, &b.Codes[i])
		}
	}
	return list
}

// agrees compares the share-out with the credits of each play of the pack.
func (p *PackReport) agrees(players []PlayerReport) error {
	var holders money.Cents
	for _, pl := range players {
		for _, play := range pl.Plays {
			if play.Pack != p.Pack {
				continue
			}
			var credited money.Cents
			for _, c := range play.Credits {
				credited = money.Add(credited, c.Cents)
			}
			if want := money.Mul(p.PerShare, play.Shares); credited != want {
				return fmt.Errorf("play %s: %v credited for %d shares of pack %s, the share-out gives %v", play.ID, credited, play.Shares, p.Pack, want)
			}
			holders = money.Add(holders, credited)
		}
	}
	if holders != p.Holders {
		return fmt.Errorf("pack %s: %v credited to its holders, the share-out gives %v", p.Pack, holders, p.Holders)
	}
	return nil
}

// composition writes "10 multiples 6x10, 5 simple": what players are told of a pack.
func (p *PackReport) composition() string {
	var parts []string
	for piece := range strings.SplitSeq(p.Composition, "+") {
		if format, n, ok := strings.Cut(piece, "*"); ok {
			parts = append(parts, fmt.Sprintf("%s × %s", n, format))
		} else {
			parts = append(parts, piece+" simple")
		}
	}
	return strings.Join(parts, ", ")
}

// funds lists the funds of a map in order.
func funds(m map[string]money.Cents) []string { return slices.Sorted(maps.Keys(m)) }
