package rngaudit

import (
	"encoding/binary"
	"fmt"
	"io"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/ladder"
	"tirage/rules/rulebook"
)

// The games whose outcomes are looked at, and the day of their rules: the first of the packs, on which all of them but the donuts are sold.
const (
	day       = "2018-10-29"
	donutsDay = "2019-06-25"
)

// Outcomes are final outcomes in the order in which they were made: what reaches a player or a draw.
type Outcomes struct {
	Loto, Euro []combin.Combination // drawn grids, or quick picks: one code makes both
	Codes      []int64              // codes of the random zone of Loto, counted from its first one
	Digits     []int64              // numbers of Joker+, 0 to 9 999 999
	Donuts     []int                // donuts: cells of donutCells
}

// Source makes n fresh outcomes of each kind.
type Source func(n int) (*Outcomes, error)

// book is the rules by which outcomes are made and looked at.
type book struct {
	loto, euro combin.Matrix
	series     codes.Series
	donuts     *ladder.Table
	cells      []float64 // chance of each kind of donut, by kind, star and stability
}

func newBook() (*book, error) {
	b := &book{}
	read := func(game, day string) (*rulebook.Rulebook, error) { return games.InForce(game, day) }
	loto, err := read("loto", day)
	if err != nil {
		return nil, err
	}
	euro, err := read("euromillions", day)
	if err != nil {
		return nil, err
	}
	donuts, err := read("donuts", donutsDay)
	if err != nil {
		return nil, err
	}
	b.loto, b.euro, b.series, b.donuts = loto.Matrix, euro.Matrix, loto.Codes[0], donuts.Ladder
	b.cells = donutCells(b.donuts)
	return b, nil
}

// donutCells are the chances of a donut of the first level that is not its first, cell (kind·2 + star)·2 + falls.
func donutCells(t *ladder.Table) []float64 {
	r := t.Rules()
	var weights int64
	for _, k := range r.Kinds {
		weights += k.Weight
	}
	part := func(q ladder.Ratio, hit bool) float64 {
		if p := float64(q.Num) / float64(q.Den); hit {
			return p
		}
		return 1 - float64(q.Num)/float64(q.Den)
	}
	var cells []float64
	for _, k := range r.Kinds {
		for _, star := range []bool{false, true} {
			for _, falls := range []bool{false, true} {
				cells = append(cells, float64(k.Weight)/float64(weights)*part(r.Levels[0].Star, star)*part(r.Levels[0].Stable, !falls))
			}
		}
	}
	return cells
}

func donutCell(it ladder.Item) int {
	cell := int(it.Kind) * 4
	if it.Star {
		cell += 2
	}
	if !it.Stable {
		cell++
	}
	return cell
}

// Production makes outcomes with the code that sells and draws, each batch from a fresh secret of the generator given (crypto/rand).
func Production(entropy io.Reader) Source {
	return func(n int) (*Outcomes, error) {
		b, err := newBook()
		if err != nil {
			return nil, err
		}
		var secret fairness.Secret
		if _, err := io.ReadFull(entropy, secret[:]); err != nil {
			return nil, fmt.Errorf("generator: %w", err)
		}
		return b.outcomes(secret, n)
	}
}

func (b *book) outcomes(secret fairness.Secret, n int) (*Outcomes, error) {
	o := &Outcomes{}
	sheet, err := codes.NewSheet(b.series, fairness.CodeKey(secret, b.series.ID))
	if err != nil {
		return nil, err
	}
	simple := func(m combin.Matrix) combin.Format { return combin.Format{Main: m.Main, Extra: m.Extra} }
	var draw fairness.LadderDraw
	for i := range int64(n) {
		o.Loto = append(o.Loto, fairness.QuickPick(secret, "loto-audit", i, 0, 0, b.loto, simple(b.loto)))
		o.Euro = append(o.Euro, fairness.QuickPick(secret, "euromillions-audit", i, 0, 0, b.euro, simple(b.euro)))
		code, err := sheet.Ordinal(codes.Place{Zone: codes.RandomZone, Position: i})
		if err != nil {
			return nil, err
		}
		o.Codes = append(o.Codes, code-b.series.Random.First)
		if i%2 == 0 { // each number takes a stream of its own: half as many are enough
			number := fairness.Number(secret, "loto-audit", i, "jokerplus", 7)
			var v int64
			for _, d := range []byte(number) {
				v = v*10 + int64(d-'0')
			}
			o.Digits = append(o.Digits, v)
		}
		if i%4 == 0 { // four donuts a series
			var series fairness.LadderSeries
			binary.BigEndian.PutUint64(series.Round[:], uint64(i))
			series.N = 1
			draw.Start(secret, series, fairness.Contribution{})
			_, fallen := ladder.Step(b.donuts, ladder.State{}, &draw)
			for _, it := range fallen.Items()[1:] {
				o.Donuts = append(o.Donuts, donutCell(it))
			}
		}
	}
	return o, nil
}

// Broken are generators with a fault each, as they were found in the field: an audit that does not refuse them proves nothing.
type Broken struct {
	Name, What string
	Source     Source
}

// BrokenSources returns them, made from what a sound generator gives.
func BrokenSources(sound Source) []Broken {
	change := func(f func(*Outcomes)) Source {
		return func(n int) (*Outcomes, error) {
			o, err := sound(n)
			if err == nil {
				f(o)
			}
			return o, err
		}
	}
	return []Broken{
		{"modulo bias", "a byte modulo the size of the matrix", change(func(o *Outcomes) { o.Loto = drawn(len(o.Loto), moduloPick) })},
		{"shrinking list", "a byte modulo what is left of a list", change(func(o *Outcomes) { o.Loto = drawn(len(o.Loto), shrinkingPick) })},
		{"time-seeded", "a generator seeded with a clock that ticks once in four draws", change(func(o *Outcomes) { o.Loto = timeSeeded(len(o.Loto)) })},
		{"missing digit 9", "no 9 in codes and numbers, an 8 in its place", change(func(o *Outcomes) {
			for _, list := range [][]int64{o.Codes, o.Digits} {
				for i := range list {
					list[i] = withoutNine(list[i])
				}
			}
		})},
		{"repeated draw", "one draw in a hundred is the one before it", change(func(o *Outcomes) {
			for i := 100; i < len(o.Loto); i += 100 {
				o.Loto[i] = o.Loto[i-1]
			}
		})},
	}
}

// bytesOf gives bytes without a fault of their own, the same for a number.
func bytesOf(seed uint64) func() int {
	var s fairness.Secret
	binary.BigEndian.PutUint64(s[:], seed)
	stream := fairness.NewStream(s, "broken generator")
	return func() int { return int(stream.Uniform(256)) }
}

func drawn(n int, pick func(next func() int, of, k int) []int) []combin.Combination {
	next := bytesOf(1)
	list := make([]combin.Combination, n)
	for i := range list {
		list[i] = gridOf(pick(next, 49, 5), pick(next, 10, 1))
	}
	return list
}

// gridOf makes a grid of different numbers.
func gridOf(main, extra []int) combin.Combination {
	c, err := combin.Of(main, extra)
	if err != nil {
		panic("rngaudit: " + err.Error())
	}
	return c
}

func moduloPick(next func() int, of, k int) (numbers []int) {
	taken := map[int]bool{}
	for len(numbers) < k {
		if v := next()%of + 1; !taken[v] {
			taken[v] = true
			numbers = append(numbers, v)
		}
	}
	return numbers
}

func shrinkingPick(next func() int, of, k int) (numbers []int) {
	left := make([]int, of)
	for i := range left {
		left[i] = i + 1
	}
	for range k {
		i := next() % len(left)
		numbers = append(numbers, left[i])
		left = append(left[:i], left[i+1:]...)
	}
	return numbers
}

func timeSeeded(n int) []combin.Combination {
	const start, drawsOfTick = 1_540_838_700, 4
	list := make([]combin.Combination, n)
	for i := range list {
		next := bytesOf(uint64(start + i/drawsOfTick))
		list[i] = gridOf(moduloFree(next, 49, 5), moduloFree(next, 10, 1))
	}
	return list
}

// moduloFree picks without bias: the fault of its caller is the seed alone.
func moduloFree(next func() int, of, k int) []int {
	return moduloPick(func() int {
		for {
			if v := next(); v < 256/of*of {
				return v
			}
		}
	}, of, k)
}

func withoutNine(v int64) (out int64) {
	for at := int64(1); v > 0; at *= 10 {
		out += min(v%10, 8) * at
		v /= 10
	}
	return out
}
