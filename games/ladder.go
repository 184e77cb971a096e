package games

import (
	"errors"
	"strings"

	"tirage/rules/ladder"
	"tirage/rules/rulebook"
)

// ladder reads the table of a ladder and compiles it. Its faults are told at their lines, once all its values are readable.
// What Art. donuts@2019-06-25:1 says, the base text with its amendments and the day of effect, stands in the header.
func (f *file) ladder(root *node, s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("base", "rounding", "levels")
	rules := ladder.Rules{
		Price:     r.Sale.Price,
		Base:      ladder.Base(s.oneOf("base", string(ladder.SumOfValues), string(ladder.LevelAmount))),
		Rounding:  ladder.Rounding(s.oneOf("rounding", string(ladder.Exact), string(ladder.Down), string(ladder.Nearest))),
		Gauge:     s.multipliers("gauge"),
		FullGauge: s.euros("full_gauge"),
		Cap:       s.euros("cap"),
	}
	for _, row := range s.rows("kinds") {
		row.need("name", "weight")
		rules.Kinds = append(rules.Kinds, ladder.Kind{Name: row.text("name"), Weight: row.number("weight")})
		row.end()
	}
	if first := s.sub("first"); first != nil {
		rules.First = &ladder.First{Certain: first.flag("certain"), Value: first.euros("value")}
		first.end()
	}
	if urn := s.sub("urn"); urn != nil {
		urn.need("good", "bad")
		rules.Urn = &ladder.Urn{Good: urn.number("good"), Bad: urn.number("bad")}
		urn.end()
	}
	if band := s.sub("band"); band != nil {
		band.need("min", "max")
		rules.Band = &ladder.Band{Min: band.ratio("min"), Max: band.ratio("max")}
		band.end()
	}
	for _, row := range s.rows("levels") {
		rules.Levels = append(rules.Levels, f.level(row))
	}
	s.end()
	f.compile(root, rules, r)
}

func (f *file) level(s *section) ladder.Level {
	s.need("items")
	defer s.end()
	return ladder.Level{
		Items:   s.count("items"),
		Stable:  s.ratio("stable"),
		Star:    s.ratio("star"),
		Values:  s.eurosList("values"),
		Pays:    s.euros("pays"),
		Printed: s.printed(),
	}
}

// printed reads what a regulation prints of a level: its three figures, as they stand there.
func (s *section) printed() *ladder.Printed {
	misprint := s.oneOf("misprint", string(ladder.Each), string(ladder.Pass), string(ladder.Reach))
	figures := s.texts("printed")
	switch {
	case s.get("printed") == nil && misprint == "":
		return nil
	case len(figures) != len(ladder.Columns):
		s.refuse(s.table.line, "%d printed figures; accepted: %d, one chance in … for each item, this level, all levels so far", len(figures), len(ladder.Columns))
		return nil
	}
	return &ladder.Printed{Each: figures[0], Pass: figures[1], Reach: figures[2], Misprint: ladder.Column(misprint)}
}

// compile makes the table of a ladder whose values are all readable.
func (f *file) compile(root *node, rules ladder.Rules, r *rulebook.Rulebook) {
	if len(f.problems) > 0 {
		return
	}
	table, err := ladder.New(rules)
	var faults ladder.Faults
	if errors.As(err, &faults) {
		for _, fault := range faults {
			path := "ladder." + fault.Path
			if fault.Path == "price" {
				path = "sale.price"
			}
			f.refuse(root.place(path), "%s: %s", path, fault.Reason)
		}
		return
	}
	r.Ladder = table
}

// ratio reads a chance: "95/100". The zero value stands for a chance that the ladder does not use.
func (s *section) ratio(key string) ladder.Ratio {
	n := s.get(key)
	if n == nil {
		return ladder.Ratio{}
	}
	r, err := ladder.ParseRatio(s.text(key))
	if err != nil {
		s.refuse(n.line, "%s: %v", join(s.path, key), err)
	}
	return r
}

// multipliers reads what a gauge shows with 0, 1, 2 … stars.
func (s *section) multipliers(key string) []ladder.Ratio {
	var gauge []ladder.Ratio
	for i, text := range s.texts(key) {
		m, err := ladder.ParseMultiplier(text)
		if err != nil {
			s.refuse(s.get(key).line, "%s with %d stars: %v", join(s.path, key), i, err)
		}
		gauge = append(gauge, m)
	}
	return gauge
}

// CheckReturns refuses a ladder whose returns leave their band: before a version may be activated, and in `tirage rules check`.
// It counts every outcome of the game, which takes a fraction of a second; other games pass. The error is an [*Error]; name is
// that of the file of r.
func CheckReturns(name string, r *rulebook.Rulebook) error {
	e := &Error{File: name}
	for _, p := range r.CheckReturns() {
		e.Problems = append(e.Problems, Problem{firstLine(r, p.Path), p.Path + ": " + p.Reason})
	}
	if len(e.Problems) == 0 {
		return nil
	}
	return e
}

// firstLine returns the line of the first value at or below a path.
func firstLine(r *rulebook.Rulebook, path string) int {
	for _, f := range r.Facts {
		if f.Path == path || strings.HasPrefix(f.Path, path+".") {
			return f.Line
		}
	}
	return 1
}
