package archive

import "strings"

// rebuild writes the bytes that f was read from. Blank lines are not facts and are lost.
func rebuild(f *File) []byte {
	var b strings.Builder
	end := "\n"
	if f.Text.CRLF {
		end = "\r\n"
	}
	line := func(cells []string, open bool) {
		b.WriteString(strings.Join(cells, ";"))
		if !open {
			b.WriteByte(';')
		}
		b.WriteString(end)
	}
	line(f.Header, f.Text.HeaderEndsOpen)
	for _, d := range f.Draws {
		cells := d.Cells
		if n := len(cells) - 1; d.RowEndsOpen && cells[n] == "" {
			line(cells[:n], false)
		} else {
			line(cells, d.RowEndsOpen)
		}
	}
	text := b.String()
	if f.Text.LastLineOpen {
		text = strings.TrimSuffix(text, end)
	}
	if f.Text.UTF8 {
		if f.Text.BOM {
			text = "\ufeff" + text
		}
		return []byte(text)
	}
	var latin []byte
	if f.Text.BOM {
		latin = append(latin, "\ufeff"...)
	}
	for _, r := range text {
		latin = append(latin, byte(r))
	}
	return latin
}
