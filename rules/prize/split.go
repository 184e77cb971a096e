package prize

// part is a set of ranks that share one amount: one rank with winners, with what empty ranks above it left, or several merged ones.
type part struct {
	ranks   []int // indexes in Table.Ranks, best first
	weight  BP    // of the fund
	winners int64
}

// hop is a weight that passes from one rank to another, in rank numbers; to is 0 when no rank is left.
type hop struct {
	from, to int
	weight   BP
}

// split says who shares a fund. It depends on the winners alone, never on the fund: all amounts grow with it in the same proportion.
type split struct {
	groups []part
	hops   []hop // empty ranks
	merges []hop // inverted ranks
	rest   BP    // for no rank
}

// split shares a fund over the ranks from index first on. An empty rank passes its weight, with what it received, to the next rank
// (Euro Millions, Étoile+; Loto 2019 rank 2, assumed for its other ranks). Where the table says so, a rank that would pay
// less than the one below shares with it (seen at the Loto draw of 14 August 2021: ranks 3 and 4 both 403.10).
func (t Table) split(first int, winners Winners) split {
	var s split
	for k := first; k < len(t.Ranks); k++ {
		r := t.Ranks[k]
		s.rest += r.pooled(t.Model)
		switch {
		case winners[k] > 0:
			s.groups = append(s.groups, part{[]int{k}, s.rest, winners[k]})
			s.rest = 0
			if t.MergeInverted {
				s.merge(t)
			}
		case s.rest > 0 && k+1 < len(t.Ranks):
			s.hops = append(s.hops, hop{r.Number, r.Number + 1, s.rest})
		case s.rest > 0:
			s.hops = append(s.hops, hop{r.Number, 0, s.rest})
		}
	}
	return s
}

// pooled returns the rank's part of what is shared below rank 1.
func (r Rank) pooled(m Model) BP {
	if r.Number == 1 && m != SidePool {
		return 0
	}
	return r.Share
}

// merge joins the last group with those above it as long as it would pay more. Ranks with a fixed gain stay out of it.
func (s *split) merge(t Table) {
	for n := len(s.groups); n > 1; n-- {
		up, low := &s.groups[n-2], s.groups[n-1]
		fixed := t.Ranks[up.ranks[0]].Fixed + t.Ranks[low.ranks[0]].Fixed
		// up.weight/up.winners < low.weight/low.winners; a weight is at most 10 000 and winners at most MaxWinners.
		if fixed > 0 || int64(up.weight)*low.winners >= int64(low.weight)*up.winners {
			return
		}
		s.merges = append(s.merges, hop{t.Ranks[up.ranks[0]].Number, t.Ranks[low.ranks[0]].Number, up.weight + low.weight})
		up.ranks = append(up.ranks, low.ranks...)
		up.weight += low.weight
		up.winners += low.winners
		s.groups = s.groups[:n-1]
	}
}
