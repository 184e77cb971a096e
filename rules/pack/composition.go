package pack

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tirage/rules/combin"
)

// Multiple is a number of multiple combinations of one format, as a pack type counts them: ten 6x10.
type Multiple struct {
	Format combin.Format
	Count  int
}

// String returns what [ParseMultiple] reads: "6x10*10".
func (m Multiple) String() string { return fmt.Sprintf("%v*%d", m.Format, m.Count) }

// ErrMultiple is what [ParseMultiple] wraps for text that is no multiple.
var ErrMultiple = errors.New("accepted: NUMBERSxEXTRA*COUNT, such as 6x10*10 for ten multiples of 6 numbers and 10 extra numbers, or 6x10 for one")

// ParseMultiple reads "6x10*10", or "6x10" for a single multiple.
func ParseMultiple(s string) (Multiple, error) {
	format, count, many := strings.Cut(s, "*")
	main, extra, ok := strings.Cut(format, "x")
	if !many {
		count = "1"
	}
	var ns [3]int
	for i, field := range []string{main, extra, count} {
		n, err := strconv.Atoi(field)
		// The re-formatted number must be the same: no sign, no leading zero, no space.
		if err != nil || n < 1 || strconv.Itoa(n) != field {
			ok = false
		}
		ns[i] = n
	}
	if !ok {
		return Multiple{}, fmt.Errorf("multiple %.40q: %w", s, ErrMultiple)
	}
	return Multiple{combin.Format{Main: ns[0], Extra: ns[1]}, ns[2]}, nil
}

// Composition is what a pack of a type holds: multiple combinations by format, and simple combinations that belong to no
// multiple. Which numbers they bear is drawn by quick pick (Système Flash) for each pack.
type Composition struct {
	Multiples []Multiple
	Simples   int
}

// Normal returns the composition in its one normal form for matrix m: formats merged and ascending, and a « multiple » of
// the format of a simple combination counted where it belongs, among the simples.
func (c Composition) Normal(m combin.Matrix) Composition {
	normal := Composition{Simples: c.Simples}
	counts := map[combin.Format]int{}
	for _, multiple := range c.Multiples {
		if multiple.Format == (combin.Format{Main: m.Main, Extra: m.Extra}) {
			normal.Simples += multiple.Count
		} else {
			counts[multiple.Format] += multiple.Count
		}
	}
	for format, count := range counts {
		normal.Multiples = append(normal.Multiples, Multiple{format, count})
	}
	slices.SortFunc(normal.Multiples, func(a, b Multiple) int {
		return cmp.Or(a.Format.Main-b.Format.Main, a.Format.Extra-b.Format.Extra)
	})
	return normal
}

// Combinations returns the number of simple combinations: what the multiples decompose into, and the simples that belong to
// no multiple. The composition must have passed [New].
func (c Composition) Combinations(m combin.Matrix) int64 {
	// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « la décomposition des Combinaisons Multiples en
	// Combinaisons Simples, augmenté le cas échéant de Combinaisons Simples ne faisant pas partie d'une Combinaison
	// Multiple ».
	n := int64(c.Simples)
	for _, multiple := range c.Multiples {
		n += multiple.Format.Count(m) * int64(multiple.Count)
	}
	return n
}

// MultipleCount returns the number of multiple combinations, which is told to the player before the sale.
func (c Composition) MultipleCount() int {
	n := 0
	for _, multiple := range c.Multiples {
		n += multiple.Count
	}
	return n
}

// String returns "6x10*10 + 5 simple".
func (c Composition) String() string {
	var parts []string
	for _, multiple := range c.Multiples {
		parts = append(parts, multiple.String())
	}
	if c.Simples > 0 {
		parts = append(parts, fmt.Sprintf("%d simple", c.Simples))
	}
	return strings.Join(parts, " + ")
}
