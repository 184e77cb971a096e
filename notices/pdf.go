package notices

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"tirage/central"
)

// PDF writes a notice as a document of A4 pages, in one language. The same notice gives the same bytes.
func PDF(n *central.Notice, lang Lang) ([]byte, error) {
	v, err := newView(n, lang)
	if err != nil {
		return nil, err
	}
	p := newPage(v.W.Title+" "+v.Game, string(lang), n.Day)
	p.line(16, "B", v.W.Title+" "+v.Game)
	p.line(12, "", v.Day)
	p.gap()
	for _, pair := range [][2]string{{v.W.Numbers, v.Ascending}, {v.ExtraName, v.Extra}, {v.W.InOrder, v.Drawn}, {v.W.Joker, v.Joker}} {
		if pair[1] != "" {
			p.pair(pair[0], pair[1])
		}
	}
	p.gap()
	rows := [][]string{{v.W.Rank, v.W.Hits, v.W.Winners, v.W.Gain}}
	for _, r := range v.Ranks {
		rows = append(rows, []string{r.Rank, r.Hits, r.Winners, r.Gain})
	}
	p.table([]float64{20, 40, 55, 65}, rows)
	for _, c := range v.Codes {
		p.line(12, "B", v.W.Codes+" – "+c.Title)
		p.pair(v.W.CodeGain, c.Gain)
		p.text(strings.Join(c.List, ", "))
	}
	for _, a := range v.AddOns {
		p.line(12, "B", a.Title)
		rows := [][]string{{v.W.Stake, v.W.Rank, v.W.Winners, v.W.Gain}}
		for _, r := range a.Ranks {
			rows = append(rows, []string{r.Stake, r.Rank, r.Winners, r.Gain})
		}
		p.table([]float64{30, 30, 55, 65}, rows)
	}
	p.gap()
	p.text(v.W.Packs)
	p.text(fmt.Sprintf("%s %s. %s %s. %s %d.", v.W.Claims, v.Claims, v.W.Rules, v.Rules, v.W.Version, v.Version))
	return p.bytes()
}

// page is a document being written, in the fonts that every reader has: their encoding holds all of French.
type page struct {
	doc *fpdf.Fpdf
	tr  func(string) string
}

// newPage begins a document. Its date is that of the draw: nothing of the machine stands in it.
func newPage(title, lang, day string) *page {
	doc := fpdf.New("P", "mm", "A4", "")
	p := &page{doc, doc.UnicodeTranslatorFromDescriptor("")}
	doc.SetTitle(title, true)
	doc.SetLang(lang)
	doc.SetCatalogSort(true)
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		doc.SetError(err)
	}
	doc.SetCreationDate(date)
	doc.SetModificationDate(date)
	doc.SetMargins(15, 15, 15)
	doc.AddPage()
	return p
}

func (p *page) line(size float64, style, text string) {
	p.doc.SetFont("Helvetica", style, size)
	p.doc.CellFormat(0, size*0.6, p.tr(text), "", 1, "L", false, 0, "")
}

func (p *page) gap() { p.doc.Ln(3) }

func (p *page) pair(name, value string) {
	p.doc.SetFont("Helvetica", "", 10)
	p.doc.CellFormat(55, 6, p.tr(name), "", 0, "L", false, 0, "")
	p.doc.SetFont("Helvetica", "B", 11)
	p.doc.CellFormat(0, 6, p.tr(value), "", 1, "L", false, 0, "")
}

func (p *page) text(text string) {
	p.doc.SetFont("Helvetica", "", 10)
	p.doc.MultiCell(0, 5, p.tr(text), "", "L", false)
}

// table writes rows under a head; all columns but the first are numbers.
func (p *page) table(widths []float64, rows [][]string) {
	for i, row := range rows {
		style := ""
		if i == 0 {
			style = "B"
		}
		p.doc.SetFont("Helvetica", style, 10)
		for j, cell := range row {
			p.doc.CellFormat(widths[j], 6, p.tr(cell), "B", 0, map[bool]string{true: "L", false: "R"}[j == 0], false, 0, "")
		}
		p.doc.Ln(-1)
	}
	p.doc.Ln(2)
}

func (p *page) bytes() ([]byte, error) {
	var b bytes.Buffer
	err := p.doc.Output(&b)
	return b.Bytes(), err
}
