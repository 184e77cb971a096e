package rngaudit

import (
	"fmt"
	"html/template"
	"io"
)

// bar is one bar of a histogram, in units of its picture: 100 high, 8 wide a cell; the expected count stands at 50.
type bar struct {
	X, Y, Height float64
	Title        string
}

// bars draws the counts of a test relative to what is expected: the whole height is twice as many.
func bars(t Test) (list []bar) {
	for i, c := range t.Counts {
		e := t.Expected[i]
		if e <= 0 {
			continue
		}
		height := min(100, 50*float64(c)/e)
		list = append(list, bar{float64(8 * i), 100 - height, height, fmt.Sprintf("%d: %d, %.1f expected", i, c, e)})
	}
	return list
}

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"bars": bars, "wide": func(t Test) int { return 8 * len(t.Counts) },
	"chance": func(p float64) string { return fmt.Sprintf("%.2g", p) }, "part": func(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) },
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Audit of the generators</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8888}td.n{text-align:right;font-variant-numeric:tabular-nums}
figure{display:inline-block;margin:.5rem 1rem 1rem 0}svg{height:6rem;background:#8882}rect{fill:#4466aa}line{stroke:#c40;stroke-dasharray:4}.bad{font-weight:700}</style>
<h1>Audit of the generators</h1>
<p>{{if .Passed}}Passed{{else}}<strong>Failed</strong>{{end}}: {{len .Tests}} tests on {{.Outcomes}} final outcomes of each kind, family-wise error {{.Level}} by Holm,
{{.Retested}} tested once more on fresh outcomes.</p>
<h2>Tests</h2>
<table><thead><tr><th scope="col">Outcomes</th><th scope="col">Test</th><th scope="col">Statistic</th><th scope="col">Degrees of freedom</th><th scope="col">Chance</th><th scope="col">By Holm</th><th scope="col">Retest</th>
<th scope="col">Departure found with 99 %</th></tr></thead><tbody>
{{range .Tests}}<tr{{if .Failed}} class="bad"{{end}}><td>{{.On}}</td><td>{{.Name}}</td><td class="n">{{printf "%.2f" .Statistic}}</td><td class="n">{{with .DF}}{{.}}{{end}}</td><td class="n">{{chance .P}}</td>
<td class="n">{{chance .Adjusted}}</td><td class="n">{{with .Retest}}{{chance .}}{{end}}</td><td class="n">{{part .Detects}}</td></tr>
{{end}}</tbody></table>
<h2>Generators with a known fault</h2>
<table><thead><tr><th scope="col">Generator</th><th scope="col">Fault</th><th scope="col">Found by</th><th scope="col">By Holm</th><th scope="col">Retest</th><th scope="col">Tests that reject it</th></tr></thead><tbody>
{{range .Broken}}<tr{{if not .Failed}} class="bad"{{end}}><td>{{.Name}}</td><td>{{.What}}</td><td>{{.On}}: {{.Test}}</td><td class="n">{{chance .Adjusted}}</td><td class="n">{{chance .Retest}}</td><td class="n">{{.Rejected}}</td></tr>
{{end}}</tbody></table>
<h2>Counts beside what is expected</h2>
<p>Each bar is a count; the line is what is expected, the top twice as much. The numbers stand in the tables below each picture.</p>
{{range .Tests}}{{if .Counts}}<figure><figcaption>{{.On}}: {{.Name}}</figcaption>
<svg viewBox="0 0 {{wide .}} 100" preserveAspectRatio="none" role="img" aria-label="{{.On}}: {{.Name}}">{{range bars .}}<rect x="{{.X}}" y="{{.Y}}" width="7" height="{{.Height}}"><title>{{.Title}}</title></rect>{{end}}<line x1="0" x2="{{wide .}}" y1="50" y2="50"/></svg>
<details><summary>Data</summary><table><thead><tr><th scope="col">Cell</th><th scope="col">Count</th><th scope="col">Expected</th></tr></thead><tbody>
{{$e := .Expected}}{{range $i, $c := .Counts}}<tr><td class="n">{{$i}}</td><td class="n">{{$c}}</td><td class="n">{{printf "%.1f" (index $e $i)}}</td></tr>
{{end}}</tbody></table></details></figure>
{{end}}{{end}}</html>
`))

// WriteHTML writes the report as one page that needs nothing else.
func (r *Report) WriteHTML(w io.Writer) error { return page.Execute(w, r) }
