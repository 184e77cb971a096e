// Package pdf writes plain documents of A4 pages: headings, pairs, paragraphs and tables. The same calls give the same bytes.
package pdf

import (
	"bytes"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Page is a document being written, in the fonts that every reader has: their encoding holds all of French.
type Page struct {
	doc *fpdf.Fpdf
	tr  func(string) string
}

// New begins a document of a day (2018-10-29): nothing of the machine stands in it.
func New(title, lang, day string) *Page { return begin("P", title, lang, day) }

// NewWide begins a document of A4 pages that lie on their side.
func NewWide(title, lang, day string) *Page { return begin("L", title, lang, day) }

func begin(orientation, title, lang, day string) *Page {
	doc := fpdf.New(orientation, "mm", "A4", "")
	p := &Page{doc, doc.UnicodeTranslatorFromDescriptor("")}
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

// Line writes a line of a size in points; style "B" is bold.
func (p *Page) Line(size float64, style, text string) {
	p.doc.SetFont("Helvetica", style, size)
	p.doc.CellFormat(0, size*0.6, p.tr(text), "", 1, "L", false, 0, "")
}

// Gap leaves a little room.
func (p *Page) Gap() { p.doc.Ln(3) }

// Pair writes a name and its value.
func (p *Page) Pair(name, value string) {
	p.doc.SetFont("Helvetica", "", 10)
	p.doc.CellFormat(55, 6, p.tr(name), "", 0, "L", false, 0, "")
	p.doc.SetFont("Helvetica", "B", 11)
	p.doc.CellFormat(0, 6, p.tr(value), "", 1, "L", false, 0, "")
}

// Text writes a paragraph.
func (p *Page) Text(text string) {
	p.doc.SetFont("Helvetica", "", 10)
	p.doc.MultiCell(0, 5, p.tr(text), "", "L", false)
}

// Table writes rows under a head; all columns but the first are numbers.
func (p *Page) Table(widths []float64, rows [][]string) {
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

// Code writes what is copied rather than read, letter for letter.
func (p *Page) Code(text string) {
	p.doc.SetFont("Courier", "", 8)
	p.doc.MultiCell(0, 3.6, p.tr(text), "", "L", false)
}

// Squares draws a square pattern of n × n, dark where it says so, with its upper right corner at the upper right margin, of a side in millimetres.
func (p *Page) Squares(n int, side float64, dark func(x, y int) bool) {
	width, _ := p.doc.GetPageSize()
	_, top, right, _ := p.doc.GetMargins()
	left, unit := width-right-side, side/float64(n)
	p.doc.SetFillColor(0, 0, 0)
	for y := range n {
		for x := range n {
			if dark(x, y) {
				p.doc.Rect(left+float64(x)*unit, top+float64(y)*unit, unit, unit, "F")
			}
		}
	}
}

// Bytes ends the document.
func (p *Page) Bytes() ([]byte, error) {
	var b bytes.Buffer
	err := p.doc.Output(&b)
	return b.Bytes(), err
}
