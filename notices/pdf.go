package notices

import (
	"fmt"
	"strings"

	"tirage/central"
	"tirage/internal/pdf"
)

// PDF writes a notice as a document of A4 pages, in one language. The same notice gives the same bytes.
func PDF(n *central.Notice, lang Lang) ([]byte, error) {
	v, err := newView(n, lang)
	if err != nil {
		return nil, err
	}
	p := pdf.New(v.W.Title+" "+v.Game, string(lang), n.Day)
	p.Line(16, "B", v.W.Title+" "+v.Game)
	p.Line(12, "", v.Day)
	p.Gap()
	for _, pair := range [][2]string{{v.W.Numbers, v.Ascending}, {v.ExtraName, v.Extra}, {v.W.InOrder, v.Drawn}, {v.W.Joker, v.Joker}} {
		if pair[1] != "" {
			p.Pair(pair[0], pair[1])
		}
	}
	p.Gap()
	rows := [][]string{{v.W.Rank, v.W.Hits, v.W.Winners, v.W.Gain}}
	for _, r := range v.Ranks {
		rows = append(rows, []string{r.Rank, r.Hits, r.Winners, r.Gain})
	}
	p.Table([]float64{20, 40, 55, 65}, rows)
	for _, c := range v.Codes {
		p.Line(12, "B", v.W.Codes+" – "+c.Title)
		p.Pair(v.W.CodeGain, c.Gain)
		p.Text(strings.Join(c.List, ", "))
	}
	for _, a := range v.AddOns {
		p.Line(12, "B", a.Title)
		rows := [][]string{{v.W.Stake, v.W.Rank, v.W.Winners, v.W.Gain}}
		for _, r := range a.Ranks {
			rows = append(rows, []string{r.Stake, r.Rank, r.Winners, r.Gain})
		}
		p.Table([]float64{30, 30, 55, 65}, rows)
	}
	p.Gap()
	p.Text(v.W.Packs)
	p.Text(fmt.Sprintf("%s %s. %s %s. %s %d.", v.W.Claims, v.Claims, v.W.Rules, v.Rules, v.W.Version, v.Version))
	return p.Bytes()
}
