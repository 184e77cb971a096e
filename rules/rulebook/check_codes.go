package rulebook

import (
	"cmp"
	"fmt"
	"slices"

	"tirage/rules/codes"
)

func (c *checker) codes() {
	seen := map[string]bool{}
	for i, s := range c.Codes {
		path := fmt.Sprintf("codes.%d", i+1)
		if seen[s.ID] {
			c.refuse(path+".series", "series %.20q stands twice; accepted: once", s.ID)
		}
		seen[s.ID] = true
		if err := s.Check(); err != nil {
			c.refuse(path, "%v", err)
			continue
		}
		if s.RandomUpTo < 1 {
			c.refuse(path+".random_up_to", "random codes up to %d in a play; accepted: at least 1", s.RandomUpTo)
		}
		if s.Free && !s.Exceptional {
			c.refuse(path+".free", "free codes at every draw; accepted: at exceptional draws only")
		}
		c.zones(path, s)
		if p, _ := c.CodePrize(s.ID); p.Winners < 1 || p.Gain < 1 {
			c.refuse(path+".prize", "%d codes drawn win %v € each; accepted: at least one code and 0.01 €", p.Winners, p.Gain)
		}
	}
}

// zones refuses a code of the series that is in no zone and not said to be unused, or that is in two.
func (c *checker) zones(path string, s codes.Series) {
	type zone struct {
		codes.Range
		key string
	}
	zones := []zone{{s.Random, "random"}, {s.Sequential, "sequential"}}
	for _, r := range s.Unused {
		zones = append(zones, zone{r, "unused"})
	}
	slices.SortFunc(zones, func(a, b zone) int { return cmp.Compare(a.First, b.First) })
	next := int64(0)
	for _, z := range zones {
		if z.First != next {
			c.refuse(path+"."+z.key, "the %s codes start at %s; accepted: %s, where the codes before them end", z.key, s.Format(z.First), s.Format(next))
			return
		}
		next = z.Last + 1
	}
	if next != s.Size() {
		c.refuse(path, "the zones end before %s; accepted: each code of the series in one zone, or in unused", s.Format(next))
	}
}
