package ladder

import (
	"tirage/rules/money"
)

// Table is a checked ladder, ready to play: for each item of each level, what a uniform integer means.
type Table struct {
	rules  Rules
	levels []level
	max    money.Cents
	// leftByFallen is 1 with an urn, where each bad ball that was drawn left a good one in, else 0.
	leftByFallen uint32
}

// level is a compiled level.
type level struct {
	slots []slot
	// Highest sum and stars of a pile that passed it.
	sumMax   money.Cents
	starsMax int
}

// slot is the draw of one item: an integer below radix = stabilities × faces. Its quotient by the number of faces says whether
// the item holds, its remainder how it looks.
type slot struct {
	radix uint64
	holds uint32 // the item holds when the quotient is below; with an urn, the good balls left if none was bad
	faces uint32
	*looks
}

// looks says what the faces of an item look like. The looks are few: with one byte a face they stay in the processor's first cache.
type looks struct {
	ofFace []uint8
	items  []Item // Stable is not set
}

// New checks the rules and compiles them. Its error is of type [Faults].
func New(r Rules) (*Table, error) {
	if faults := check(&r); faults != nil {
		return nil, faults
	}
	t := &Table{rules: r, levels: make([]level, len(r.Levels))}
	if r.Urn != nil {
		t.leftByFallen = 1
	}
	var below level
	drawn := int64(0)
	for i := range r.Levels {
		t.levels[i] = r.compile(i, drawn, &below)
		below = t.levels[i]
		drawn += int64(r.Levels[i].Items)
	}
	if faults := append(t.checkGains(), t.checkPrinted()...); faults != nil {
		return nil, faults
	}
	return t, nil
}

// Rules returns what the table was made from. It shares memory: it must not be changed.
func (t *Table) Rules() Rules { return t.rules }

// Levels returns the number of levels.
func (t *Table) Levels() int { return len(t.levels) }

// Max returns the largest gain that a play can reach: a payout above it is a fault.
func (t *Table) Max() money.Cents { return t.max }

// compile makes the level with this index, which stands on another and before which drawn items have held.
func (r *Rules) compile(at int, drawn int64, below *level) level {
	l := level{sumMax: below.sumMax, starsMax: below.starsMax}
	shared := r.looks(at, r.kinds(at))
	for i := range int64(r.Levels[at].Items) {
		s := r.slot(at, drawn+i, shared)
		dearest := money.Cents(0)
		for _, it := range s.items {
			dearest = max(dearest, it.Value)
		}
		l.sumMax = money.Add(l.sumMax, dearest)
		if s.items[0].Star {
			l.starsMax = min(l.starsMax+1, len(r.Gauge)-1)
		}
		l.slots = append(l.slots, s)
	}
	return l
}

// slot makes the draw of an item before which drawn items of the play have held.
func (r *Rules) slot(at int, drawn int64, l *looks) slot {
	stable := r.Levels[at].Stable
	if r.Urn != nil {
		stable = Ratio{r.Urn.Good - drawn, r.Urn.Good + r.Urn.Bad - drawn}
	}
	if drawn == 0 && r.First != nil {
		// Art. donuts@2019-06-25:3.2.5: the printed odds of level 1 are those of four donuts, so the first one cannot fall.
		if r.First.Certain {
			stable = Certain
		}
		if r.First.Value > 0 {
			l = r.looks(at, []weighted{{Item{Value: r.First.Value, Kind: NoKind}, 1}})
		}
	}
	faces := len(l.ofFace)
	return slot{radix: uint64(stable.Den) * uint64(faces), holds: uint32(stable.Num), faces: uint32(faces), looks: l}
}

// weighted is a look with its number of faces.
type weighted struct {
	item   Item
	weight int64
}

// kinds lists what an item of a level may be.
func (r *Rules) kinds(at int) []weighted {
	if len(r.Kinds) == 0 {
		return []weighted{{Item{Kind: NoKind}, 1}}
	}
	list := make([]weighted, len(r.Kinds))
	for k, kind := range r.Kinds {
		list[k] = weighted{Item{Value: r.Levels[at].Values[k], Kind: uint8(k)}, kind.Weight}
	}
	return list
}

// looks makes the faces of an item: first those of the stars, then the others; in each, the kinds in their order.
func (r *Rules) looks(at int, kinds []weighted) *looks {
	l := &looks{}
	stars := r.star(at)
	for _, part := range []struct {
		star  bool
		times int64
	}{{true, stars.Num}, {false, stars.Den - stars.Num}} {
		if part.times == 0 {
			continue
		}
		first := len(l.items)
		for _, k := range kinds {
			k.item.Star = part.star
			l.items = append(l.items, k.item)
		}
		for range part.times {
			for i, k := range kinds {
				for range k.weight {
					l.ofFace = append(l.ofFace, uint8(first+i))
				}
			}
		}
	}
	return l
}

// star returns the chance of a star at a level: none without a gauge.
func (r *Rules) star(at int) Ratio {
	if len(r.Gauge) == 0 {
		return Ratio{0, 1}
	}
	return r.Levels[at].Star
}
