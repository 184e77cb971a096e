package archive

import (
	"errors"
	"fmt"
	"strings"

	"tirage/rules/combin"
)

// layout says which column holds what; −1 where the file has none.
type layout struct {
	family combin.Matrix
	names  []string // of the header, as they stand

	id, weekday, date, deadline, cycle int
	balls, extras                      []int
	grids                              []int // ascending grids: one column for Loto, two for Euro Millions
	ranks, side                        []rankColumns
	codes                              codeColumns
	euroCodes                          codeColumns
	second                             *secondColumns
	joker, currency                    int
}

type rankColumns struct{ winners, france, gain int }

type codeColumns struct{ count, gain, list int }

type secondColumns struct {
	balls           []int
	promotion, grid int
	ranks           []rankColumns
}

// Matrices of the two families of archives.
var (
	lotoMatrix = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	euroMatrix = combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}
)

// ranksMax bounds the rank columns looked for; no game has more than 13.
const ranksMax = 20

// plain reduces a name of the header to what never varies: case, the accent of « numéro », spaces around, the underscore
// between « rang » and its number.
func plain(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.NewReplacer("é", "e", "É", "e").Replace(name)
	return strings.ReplaceAll(name, "_rang_", "_rang")
}

// finder finds columns by name and keeps the first that a file must have and has not.
type finder struct {
	index map[string]int
	err   error
}

// column returns the index of the first of the names that the header has, −1 if it has none.
func (h *finder) column(names ...string) int {
	for _, n := range names {
		if i, ok := h.index[n]; ok {
			return i
		}
	}
	return -1
}

// must is column for a file that is unreadable without it.
func (h *finder) must(names ...string) int {
	i := h.column(names...)
	if i < 0 && h.err == nil {
		h.err = errors.New("a header with the column " + strings.Join(names, " or "))
	}
	return i
}

// numbered returns the columns name1 … nameN.
func (h *finder) numbered(name string, n int) []int {
	cols := make([]int, n)
	for i := range cols {
		cols[i] = h.must(fmt.Sprintf(name, i+1))
	}
	return cols
}

// rankColumns returns the columns of ranks 1, 2, … as long as the header has their gain. Each pattern takes the number of the rank.
func (h *finder) rankColumns(gain, winners, france []string) []rankColumns {
	var cols []rankColumns
	for r := 1; r <= ranksMax; r++ {
		g := h.column(with(gain, r)...)
		if g < 0 {
			break
		}
		c := rankColumns{winners: h.must(with(winners, r)...), gain: g}
		c.france = h.column(with(france, r)...)
		cols = append(cols, c)
	}
	return cols
}

func with(patterns []string, r int) []string {
	names := make([]string, len(patterns))
	for i, p := range patterns {
		names[i] = fmt.Sprintf(p, r)
	}
	return names
}

// newLayout finds the columns of a header. Its error is what would have been accepted.
func newLayout(header []string) (*layout, error) {
	h := &finder{index: make(map[string]int, len(header))}
	for i, name := range header {
		if _, twice := h.index[plain(name)]; twice {
			return nil, fmt.Errorf("each column once; %.80q stands twice", name)
		}
		h.index[plain(name)] = i
	}
	l := &layout{names: header}
	l.common(h)
	switch {
	case h.column("etoile_1") >= 0:
		l.euro(h)
	case h.column("numero_chance") >= 0:
		l.loto(h)
	default:
		h.must("numero_chance (Loto, Super Loto, Grand Loto)", "etoile_1 (Euro Millions)")
	}
	if len(l.ranks) == 0 {
		h.must("rapport_du_rang1")
	}
	return l, h.err
}

func (l *layout) common(h *finder) {
	l.id = h.must("annee_numero_de_tirage")
	l.weekday = h.must("jour_de_tirage")
	l.date = h.must("date_de_tirage")
	l.deadline = h.column("date_de_forclusion")
	l.cycle = h.column("numero_de_tirage_dans_le_cycle")
	l.balls = h.numbered("boule_%d", 5)
	l.joker = h.column("numero_jokerplus")
	l.currency = h.column("devise")
}

func (l *layout) loto(h *finder) {
	l.family = lotoMatrix
	l.extras = []int{h.must("numero_chance")}
	l.grids = []int{h.column("combinaison_gagnante_en_ordre_croissant")}
	l.ranks = h.rankColumns([]string{"rapport_du_rang%d"}, []string{"nombre_de_gagnant_au_rang%d"}, nil)
	l.codes = codeColumns{
		count: h.column("nombre_de_codes_gagnants"), gain: h.column("rapport_codes_gagnants"), list: h.column("codes_gagnants")}
	l.euroCodes = codeColumns{-1, -1, -1}
	if h.column("boule_1_second_tirage") >= 0 {
		l.second = &secondColumns{
			balls:     h.numbered("boule_%d_second_tirage", 5),
			promotion: h.column("promotion_second_tirage"),
			grid:      h.column("combinaison_gagnant_second_tirage_en_ordre_croissant", "combinaison_gagnante_second_tirage_en_ordre_croissant"),
			ranks:     h.rankColumns([]string{"rapport_du_rang%d_second_tirage"}, []string{"nombre_de_gagnant_au_rang%d_second_tirage"}, nil),
		}
	}
}

func (l *layout) euro(h *finder) {
	l.family = euroMatrix
	l.extras = h.numbered("etoile_%d", 2)
	l.grids = []int{h.column("boules_gagnantes_en_ordre_croissant"), h.column("etoiles_gagnantes_en_ordre_croissant")}
	l.ranks = h.rankColumns(
		[]string{"rapport_du_rang%d_euro_millions", "rapport_du_rang%d"},
		[]string{"nombre_de_gagnant_au_rang%d_euro_millions_en_europe", "nombre_de_gagnant_au_rang%d_en_europe"},
		[]string{"nombre_de_gagnant_au_rang%d_euro_millions_en_france", "nombre_de_gagnant_au_rang%d_en_france"})
	l.side = h.rankColumns([]string{"rapport_du_rang%d_etoile+"}, []string{"nombre_de_gagnant_au_rang%d_etoile+"}, nil)
	l.codes = codeColumns{-1, -1, h.column("numero_my_million")}
	l.euroCodes = codeColumns{-1, -1, h.column(
		"numero_tirage_exceptionnel_euro_millions", "numero_tirage_exceptionnel_euro_million")}
}
