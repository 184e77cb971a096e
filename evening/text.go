package evening

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tirage/rules/money"
)

// maxPlayRows bounds the plays that the text lists one by one; all of them stand in the JSON.
const maxPlayRows = 60

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	p := &printer{w: w}
	r.printDraw(p)
	r.printNotice(p)
	r.printPacks(p)
	r.printPlays(p)
	r.printPlayers(p)
	r.printRefused(p)
	r.printAccounts(p)
	r.printEnd(p)
	return p.err
}

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

// table writes rows in columns two spaces apart, each as wide as its longest cell; align holds l or r for each column. No line ends with a space.
func (p *printer) table(align string, rows [][]string) {
	widths := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], widthOf(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-widthOf(cell))
			if align[i] == 'r' {
				line += "  " + pad + cell
			} else {
				line += "  " + cell + pad
			}
		}
		p.line("%s", strings.TrimRight(line, " "))
	}
}

func (r *Report) printDraw(p *printer) {
	if r.Seed != "" {
		p.line("REHEARSAL: secrets and codes come from seed %s, anyone can predict them", r.Seed)
		p.line("")
	}
	day, err := time.Parse(time.DateOnly, r.Draw.Day)
	if err != nil {
		p.err = err
		return
	}
	p.line("%s, %s, %s%s%s", r.Draw.Title, day.Format("Monday 2 January 2006"), r.Draw.Rules, word(r.Draw.Exceptional, ", exceptional"), word(r.Draw.Reconstructed, ", reconstructed"))
	p.line("on sale from %s until %s", r.Draw.Opens, r.Draw.Closes)
	t := r.Totals
	p.line("%d plays, %s staked", t.Plays, euros(t.Stakes))
	if t.UnsoldShares > 0 {
		p.line("%d shares of packs unsold: the operator's stake of %s", t.UnsoldShares, euros(t.UnsoldStake))
	}
}

func word(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}

func join(ns []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(ns), " ", " - "), "[]") }

func (r *Report) printNotice(p *printer) {
	n := r.Notice
	p.line("")
	p.line("Notice (version %d)", n.Version)
	main, extra := slices.Sorted(slices.Values(n.Main)), slices.Sorted(slices.Values(n.Extra))
	p.line("  numbers %s, %s %s", join(main), n.extras, join(extra))
	if !slices.Equal(main, n.Main) || !slices.Equal(extra, n.Extra) {
		p.line("  drawn in the order %s, then %s", join(n.Main), join(n.Extra))
	}
	rows := [][]string{{"rank", "numbers", "winners", "sold here", "elsewhere", "gain of each"}}
	for _, k := range n.Ranks {
		rows = append(rows, []string{fmt.Sprint(k.Rank), k.Match, thousandsOf(k.Winners), thousandsOf(k.Here), thousandsOf(k.Elsewhere), euros(k.Gain)})
	}
	p.table("rlrrrr", rows)
	for _, c := range n.Codes {
		if len(c.Codes) == 0 {
			p.line("  codes %s: none drawn", c.Series)
			continue
		}
		p.line("  codes %s: %d × %s, %d sold here", c.Series, len(c.Codes), euros(c.Gain), c.Here)
		for chunk := range slices.Chunk(c.Codes, 5) {
			p.line("    %s", strings.Join(chunk, ", "))
		}
	}
	if n.Joker != "" {
		p.line("  Joker+ %s", n.Joker)
	}
	p.line("  payable until %s", n.Claims)
}

func thousandsOf(n int64) string { return grouped(fmt.Sprint(n)) }

func (r *Report) printPacks(p *printer) {
	for i := range r.Packs {
		k := &r.Packs[i]
		p.line("")
		p.line("Pack %s: %s, %d combinations and as many codes; %d shares of %s, %d sold", k.Pack, k.composition(), k.Combos, k.Shares, euros(k.SharePrice), k.Sold)
		for _, c := range k.Codes {
			p.line("  codes %s: %s to %s", c.Series, c.First, c.Last)
		}
		if len(k.Split) == 0 {
			p.line("  nothing won")
			continue
		}
		rows := [][]string{{"win", "number", "gain of each", "one share in each", "one share"}}
		for _, l := range k.Split {
			rows = append(rows, []string{l.Win, fmt.Sprint(l.Count), euros(l.Gain), euros(l.Part), euros(l.PerShare)})
		}
		p.table("lrrrr", rows)
		for _, f := range k.Formulas {
			p.line("  %d %s: %s", f.Shares, "share"+word(f.Shares > 1, "s"), euros(f.Cents))
		}
		p.line("  won %s = holders %s%s + rounding %s", euros(k.Gains), euros(k.Holders), reserves(k.Reserve), euros(k.Rounding))
	}
}

// reserves writes " + fund/loto/reserve 12.00 €" for each fund.
func reserves(m map[string]money.Cents) string {
	text := ""
	for _, f := range funds(m) {
		text += fmt.Sprintf(" + fund/%s %s", f, euros(m[f]))
	}
	return text
}

// printPlays lists the plays of grids.
func (r *Report) printPlays(p *printer) {
	rows := [][]string{{"player", "sold at", "rules", "grid", "combinations", "stake", "gain", "first code"}}
	for _, pl := range r.Players {
		for _, play := range pl.Plays {
			if play.Pack != "" {
				continue
			}
			var gain money.Cents
			for _, c := range play.Credits {
				gain = money.Add(gain, c.Cents)
			}
			var first []string
			for _, c := range play.Codes {
				first = append(first, c.First)
			}
			at := strings.Replace(play.At[:len(time.DateTime)], "T", " ", 1)
			rows = append(rows, []string{pl.Name, at, play.Rules, play.Grids[0], thousandsOf(play.Combos), euros(play.Stake), euros(gain), strings.Join(first, ", ")})
			for _, g := range play.Grids[1:] {
				rows = append(rows, []string{"", "", "", g, "", "", "", ""})
			}
		}
	}
	if len(rows) == 1 {
		return
	}
	p.line("")
	p.line("Plays of grids")
	p.table("llllrrrl", rows[:min(len(rows), maxPlayRows+1)])
	if more := len(rows) - maxPlayRows - 1; more > 0 {
		p.line("  and %d grids more (--json)", more)
	}
}

// printPlayers lists the accounts; neighbours of one crowd with the same figures stand on one line.
func (r *Report) printPlayers(p *printer) {
	if len(r.Players) == 0 {
		return
	}
	var components []string
	for _, pl := range r.Players {
		for _, play := range pl.Plays {
			for _, c := range play.Credits {
				if !slices.Contains(components, c.Component) {
					components = append(components, c.Component)
				}
			}
		}
	}
	slices.Sort(components)
	head := []string{"player", "", "shares", "grids", "staked"}
	align := "lrrrr"
	if len(components) > 1 {
		head = append(head, components...)
		align += strings.Repeat("r", len(components))
	}
	head = append(head, "gain", "available")
	rows := [][]string{head}
	for i := 0; i < len(r.Players); {
		row := r.Players[i].row(components)
		n := 1
		for i+n < len(r.Players) && r.Players[i+n].crowd == r.Players[i].crowd && slices.Equal(r.Players[i+n].row(components), row) {
			n++
		}
		who, times := r.Players[i].Name, ""
		if n > 1 {
			who, times = who+" … "+r.Players[i+n-1].Name, fmt.Sprintf("%d ×", n)
		}
		rows = append(rows, append([]string{who, times}, row...))
		i += n
	}
	p.line("")
	p.line("Players")
	p.table(align+"rr", rows)
}

// row is what the table of players shows of one account after its name.
func (pl *PlayerReport) row(components []string) []string {
	var shares, grids int64
	by := map[string]money.Cents{}
	for _, play := range pl.Plays {
		shares += play.Shares
		grids += int64(len(play.Grids))
		for _, c := range play.Credits {
			by[c.Component] = money.Add(by[c.Component], c.Cents)
		}
	}
	row := []string{fmt.Sprint(shares), fmt.Sprint(grids), euros(pl.Staked)}
	if len(components) > 1 {
		for _, c := range components {
			row = append(row, euros(by[c]))
		}
	}
	return append(row, euros(pl.Gains), euros(pl.Balance))
}

// printRefused lists the refusals; those of one line with the same reason stand together.
func (r *Report) printRefused(p *printer) {
	if len(r.Refused) == 0 {
		return
	}
	p.line("")
	p.line("Refused: nothing was debited")
	for i := 0; i < len(r.Refused); {
		f, n := r.Refused[i], 1
		for i+n < len(r.Refused) && r.Refused[i+n].Line == f.Line && r.Refused[i+n].Text == f.Text {
			n++
		}
		who := f.Player
		if n > 1 {
			who += fmt.Sprintf(" … %s, %d times", r.Refused[i+n-1].Player, n)
		}
		p.line("  line %d, %s (%s): %s: %s", f.Line, f.Command, who, f.Code, f.Text)
		i += n
	}
}

func (r *Report) printAccounts(p *printer) {
	p.line("")
	p.line("Movements")
	rows := [][]string{}
	for _, m := range r.Movements {
		rows = append(rows, []string{string(m.From), "→", string(m.To), euros(m.Cents)})
	}
	p.table("lllr", rows)
	p.line("")
	p.line("Funds and accounts (a fund below zero pays from what it held before, or from stakes taken elsewhere)")
	rows = [][]string{}
	players := money.Cents(0)
	for _, pl := range r.Players {
		players = money.Add(players, pl.Balance)
	}
	for _, a := range r.Accounts {
		rows = append(rows, []string{string(a.Account), euros(a.Cents), a.Title})
	}
	rows = append(rows, []string{"players", euros(players), ""})
	p.table("lrl", rows)
}

func (r *Report) printEnd(p *printer) {
	t := r.Totals
	p.line("")
	p.line("gains %s = players %s%s + rounding %s", euros(t.Gains), euros(t.Due), reserves(t.Reserve), euros(t.Rounding))
	for _, l := range r.Log {
		p.line("log of node %d: %d leaves, root %x", l.Node, l.Leaves, l.Root)
	}
	p.line("books %s", r.Books)
}
