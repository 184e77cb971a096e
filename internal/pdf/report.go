package pdf

import "strconv"

// Note writes a name and its value, small, the value over several lines where it is long.
func (p *Page) Note(name, value string) {
	p.doc.SetFont("Helvetica", "", 9)
	p.doc.CellFormat(45, 5, p.tr(name), "", 0, "L", false, 0, "")
	p.doc.MultiCell(0, 5, p.tr(value), "", "L", false)
}

const (
	reportSize  = 8.0 // points
	reportLine  = 5.0 // millimetres
	reportSpace = 2.0 // beside a cell's text
)

// Report writes rows over as many pages as they take, the first row being the head, which stands on each page; last says that the last row holds totals. The
// columns are as wide as what they hold, narrowed alike where that is more than the page; left tells which begin at the left. A page ends with its number.
func (p *Page) Report(rows [][]string, left []bool, last bool) {
	widths := p.fitted(rows)
	_, height := p.doc.GetPageSize()
	_, _, _, bottom := p.doc.GetMargins()
	p.doc.SetAutoPageBreak(false, bottom)
	page := 1
	p.reportRow(rows[0], widths, left, "B")
	for i, row := range rows[1:] {
		if p.doc.GetY()+2*reportLine > height-15 {
			p.number(page, height)
			page++
			p.doc.AddPage()
			p.reportRow(rows[0], widths, left, "B")
		}
		style := ""
		if last && i == len(rows)-2 {
			style = "B"
		}
		p.reportRow(row, widths, left, style)
	}
	p.number(page, height)
	p.doc.SetAutoPageBreak(true, 15)
}

func (p *Page) number(page int, height float64) {
	y := p.doc.GetY()
	p.doc.SetY(height - 12)
	p.doc.SetFont("Helvetica", "", reportSize)
	p.doc.CellFormat(0, reportLine, strconv.Itoa(page), "", 0, "R", false, 0, "")
	p.doc.SetY(y)
}

// reportRow writes one row; a text that is wider than its column is cut, with three dots.
func (p *Page) reportRow(row []string, widths []float64, left []bool, style string) {
	p.doc.SetFont("Helvetica", style, reportSize)
	for i, cell := range row {
		text := p.tr(cell)
		for cut := []rune(cell); len(cut) > 1 && p.doc.GetStringWidth(text) > widths[i]-reportSpace+0.1; {
			cut = cut[:len(cut)-1]
			text = p.tr(string(cut) + "…")
		}
		align := "R"
		if left[i] {
			align = "L"
		}
		p.doc.CellFormat(widths[i], reportLine, text, "B", 0, align, false, 0, "")
	}
	p.doc.Ln(-1)
}

// fitted returns the widths of the columns.
func (p *Page) fitted(rows [][]string) []float64 {
	widths := make([]float64, len(rows[0]))
	p.doc.SetFont("Helvetica", "B", reportSize)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], p.doc.GetStringWidth(p.tr(cell))+reportSpace)
		}
	}
	sum := 0.0
	for _, w := range widths {
		sum += w
	}
	width, _ := p.doc.GetPageSize()
	l, _, r, _ := p.doc.GetMargins()
	if room := width - l - r; sum > room {
		for i := range widths {
			widths[i] *= room / sum
		}
	}
	return widths
}
