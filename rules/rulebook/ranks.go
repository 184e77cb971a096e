package rulebook

import (
	"tirage/rules/combin"
	"tirage/rules/prize"
)

// RankTable gives the rank of a simple combination by its hits.
type RankTable struct {
	extras int // columns: 0 … extra numbers of the matrix
	ranks  []uint8
}

func newRankTable(t *prize.Table) *RankTable {
	r := &RankTable{extras: t.Matrix.Extra + 1}
	r.ranks = make([]uint8, (t.Matrix.Main+1)*r.extras)
	for _, rank := range t.Ranks {
		for _, h := range rank.Hits {
			r.ranks[h.Main*r.extras+h.Extra] = uint8(rank.Number)
		}
	}
	return r
}

// RankOf returns the rank that a simple combination wins with so many numbers and extra numbers drawn, 0 when it wins
// nothing. A combination wins its best rank only. RankOf panics when the hits are outside the matrix or r has not passed Check.
func (r *Rulebook) RankOf(main, extra int) int {
	if r.ranks == nil {
		panic("rulebook: RankOf of a game without ranks, or before Check")
	}
	if main < 0 || extra < 0 || extra >= r.ranks.extras {
		panic("rulebook: hits outside the matrix")
	}
	return int(r.ranks.ranks[main*r.ranks.extras+extra])
}

// Ways returns how many simple combinations of matrix m have exactly the hits h with a given draw.
func Ways(m combin.Matrix, h prize.Hits) int64 {
	return combin.Choose(m.Main, h.Main) * combin.Choose(m.MainOf-m.Main, m.Main-h.Main) *
		combin.Choose(m.Extra, h.Extra) * combin.Choose(m.ExtraOf-m.Extra, m.Extra-h.Extra)
}
