package kit

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Nav is a part of the player site.
type Nav string

const (
	NavDraws   Nav = "draws"
	NavPacks   Nav = "packs"
	NavDonuts  Nav = "donuts"
	NavPlays   Nav = "plays"
	NavAccount Nav = "account"
)

type navItem struct {
	nav                Nav
	path, icon, fr, en string
}

var navs = []navItem{
	{NavDraws, "/", "balls", "Tirages", "Draws"},
	{NavPacks, "/packs", "sheet", "Packs", "Packs"},
	{NavDonuts, "/donuts", "donut", "Donuts", "Donuts"},
	{NavPlays, "/plays", "list", "Mes jeux", "My plays"},
	{NavAccount, "/account", "user", "Compte", "Account"},
}

func icon(name string) string {
	drawing, ok := icons[name]
	if !ok {
		panic("kit: no icon " + name)
	}
	return drawing
}

// Here is the page to come back to: this one when it can be asked for again, else the one that sent the form.
func (v *Visit) Here() string {
	if v.R.Method == "GET" && !v.Fragment() {
		return v.R.URL.RequestURI()
	}
	if from, err := url.Parse(v.R.Referer()); err == nil && from.Path != "" {
		return Local(from.RequestURI())
	}
	return "/"
}

// choose is the link that keeps a choice of language or theme.
func choose(v *Visit, what, value string) templ.SafeURL {
	return templ.SafeURL("/choose?" + what + "=" + value + "&back=" + url.QueryEscape(v.Here()))
}

// Balls are numbers that were drawn or played.
type Balls struct {
	Main, Extra []int
	Stars       bool   // the extras are stars, not a Chance number
	Size        string // "s", "" or "l"
	// Hits, where it is not nil, are the main numbers that were found, HitsExtra the extras; all others are drawn as outlines.
	Hits, HitsExtra []int
	Played          bool // tell hits from the rest
	Outline         bool // draw none filled: nothing is drawn yet
}

func (b Balls) stars() bool       { return b.Stars }
func (b Balls) misses(n int) bool { return b.Outline || b.Played && !slices.Contains(b.Hits, n) }
func (b Balls) missesExtra(n int) bool {
	return b.Outline || b.Played && !slices.Contains(b.HitsExtra, n)
}

func join(numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// ballWords says numbers to whoever does not see them.
func (v *Visit) ballWords(b Balls) string {
	text := join(b.Main)
	if len(b.Extra) > 0 {
		many := len(b.Extra) > 1
		switch {
		case b.Stars && many:
			text += v.T(", étoiles ", ", stars ")
		case b.Stars:
			text += v.T(", étoile ", ", star ")
		case many:
			text += v.T(", numéros Chance ", ", Chance numbers ")
		default:
			text += v.T(", numéro Chance ", ", Chance number ")
		}
		text += join(b.Extra)
	}
	if b.Played {
		found := join(append(slices.Clone(b.Hits), b.HitsExtra...))
		if found == "" {
			found = v.T("aucun", "none")
		}
		text += ". " + v.T("Trouvés : ", "Found: ") + found + "."
	}
	return text
}

// Planche is a sheet of shares: those that others hold first, then the player's, then those that the player would take.
type Planche struct {
	ID               string // on its page
	Total            int64
	Sold, Mine, Want int64
}

// plancheCols and plancheColsWide are the cells of a row, by the size of the sheet.
const (
	plancheCols     = 25
	plancheColsWide = 33
	plancheWideFrom = 300
)

func (p Planche) cols() int64 {
	if p.Total >= plancheWideFrom {
		return plancheColsWide
	}
	return plancheCols
}

func (p Planche) box() string {
	cols := p.cols()
	rows := (p.Total + cols - 1) / cols
	return fmt.Sprintf("-1 -1 %d %d", cols*10+2, rows*10+2)
}

// cells is the outline of cells from (included) to to (excluded), row by row: a part row, whole rows, a part row.
func (p Planche) cells(from, to int64) string {
	from, to = max(0, min(from, p.Total)), max(0, min(to, p.Total))
	cols := p.cols()
	var b strings.Builder
	rect := func(x0, y0, x1, y1 int64) {
		if x1 > x0 && y1 > y0 {
			fmt.Fprintf(&b, "M%d %dh%dv%dh-%dz", x0*10, y0*10, (x1-x0)*10, (y1-y0)*10, (x1-x0)*10)
		}
	}
	first, last := from/cols, to/cols
	if first == last {
		rect(from%cols, first, to%cols, first+1)
		return b.String()
	}
	if from%cols != 0 {
		rect(from%cols, first, cols, first+1)
		first++
	}
	rect(0, first, cols, last)
	rect(0, last, to%cols, last+1)
	return b.String()
}

func (v *Visit) plancheWords(p Planche) string {
	left := p.Total - p.Sold - p.Mine
	text := v.F("%s parts : %s vendues", "%s shares: %s sold", v.Count(p.Total), v.Count(p.Sold+p.Mine))
	if p.Mine > 0 {
		text += v.F(", dont %s à vous", ", %s of them yours", v.Count(p.Mine))
	}
	text += v.F(", %s restantes", ", %s left", v.Count(left))
	if p.Want > 0 {
		text += v.F(", dont %s choisies", ", %s of them chosen", v.Count(p.Want))
	}
	return text
}

// Input is a field of a form.
type Input struct {
	Name, Label, Value string
	Type               string // "text" unless said
	Unit               string // after the field
	Hint, Error        string
	Auto               string // autocomplete
	Mode               string // inputmode
	Required           bool
	Max                int // longest text accepted
	ID                 string
}

func (f Input) id() string {
	if f.ID != "" {
		return f.ID
	}
	return "f-" + f.Name
}

func (f Input) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

func (f Input) attributes() templ.Attributes {
	a := templ.Attributes{}
	set := func(name, value string) {
		if value != "" {
			a[name] = value
		}
	}
	set("autocomplete", f.Auto)
	set("inputmode", f.Mode)
	if f.Required {
		a["required"] = true
	}
	if f.Max > 0 {
		a["maxlength"] = strconv.Itoa(f.Max)
	}
	var about []string
	if f.Hint != "" {
		about = append(about, f.id()+"-hint")
	}
	if f.Error != "" {
		about = append(about, f.id()+"-error")
		a["aria-invalid"] = "true"
	}
	set("aria-describedby", strings.Join(about, " "))
	return a
}

// Step is a step in the life of a draw. State is "done", "here" or "" for what is to come; Said says it in words.
type Step struct{ Name, When, State, Said string }

// meterWidth is the length of a part on a bar of 1000.
func meterWidth(part, whole int64) string {
	if whole <= 0 || part <= 0 {
		return "0"
	}
	return strconv.FormatInt(min(1000, part*1000/whole), 10)
}
