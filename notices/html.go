package notices

import (
	"bytes"
	"html/template"

	"tirage/central"
)

// fragment is a notice as part of a page: it brings no style and no script.
var fragment = template.Must(template.New("notice").Parse(`<article class="notice" id="{{.ID}}" lang="{{.Lang}}">
<h2>{{.Game}} – <time datetime="{{.DayISO}}">{{.Day}}</time></h2>
<dl>
<dt>{{.W.Numbers}}</dt><dd>{{.Ascending}}</dd>
<dt>{{.ExtraName}}</dt><dd>{{.Extra}}</dd>
<dt>{{.W.InOrder}}</dt><dd>{{.Drawn}}</dd>{{with .Joker}}
<dt>{{$.W.Joker}}</dt><dd>{{.}}</dd>{{end}}
</dl>
<table>
<thead><tr><th scope="col">{{.W.Rank}}</th><th scope="col">{{.W.Hits}}</th><th scope="col">{{.W.Winners}}</th><th scope="col">{{.W.Gain}}</th></tr></thead>
<tbody>
{{range .Ranks}}<tr><th scope="row">{{.Rank}}</th><td>{{.Hits}}</td><td class="n">{{.Winners}}</td><td class="n">{{.Gain}}</td></tr>
{{end}}</tbody>
</table>
{{range .Codes}}<h3>{{$.W.Codes}} – {{.Title}}</h3>
<p>{{$.W.CodeGain}}: {{.Gain}}</p>
<ul class="codes">{{range .List}}<li>{{.}}</li>{{end}}</ul>
{{end}}{{range .AddOns}}{{$staked := .Staked}}<h3>{{.Title}}</h3>
<table>
<thead><tr>{{if $staked}}<th scope="col">{{$.W.Stake}}</th>{{end}}<th scope="col">{{$.W.Rank}}</th><th scope="col">{{$.W.Winners}}</th><th scope="col">{{$.W.Gain}}</th></tr></thead>
<tbody>
{{range .Ranks}}<tr>{{if $staked}}<td class="n">{{.Stake}}</td>{{end}}<th scope="row">{{.Rank}}</th><td class="n">{{.Winners}}</td><td class="n">{{.Gain}}</td></tr>
{{end}}</tbody>
</table>
{{end}}<p>{{.W.Packs}}</p>
<p>{{.W.Claims}} <time datetime="{{.ClaimsISO}}">{{.Claims}}</time>. {{.W.Rules}} {{.Rules}}. {{.W.Version}} {{.Version}}.</p>
</article>
`))

// HTML writes a notice as a fragment of a page, in one language.
func HTML(n *central.Notice, lang Lang) (template.HTML, error) {
	v, err := newView(n, lang)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = fragment.Execute(&b, v)
	return template.HTML(b.String()), err
}
