package office

import (
	"fmt"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/web/kit"
)

func (o *office) room(v *kit.Visit) error {
	d, err := o.readDraw(v, v.R.PathValue("draw"))
	if err != nil {
		return err
	}
	if d.Room == nil {
		return v.Go(Path + "draws/" + d.Draw)
	}
	return v.Show(page(v.T("Salle du tirage", "Draw room"), "draws"), roomPage(v, d))
}

// enter seals what an enterer typed.
func enter(_ *office, v *kit.Visit, id string) error {
	version, round, err := standing(v)
	if err != nil {
		return err
	}
	e := central.EntryBody{Joker: v.Form("joker"), Codes: map[string][]string{}}
	if e.Main, e.Extra, err = balls(v); err != nil {
		return err
	}
	for name := range v.R.Form {
		if series, ok := strings.CutPrefix(name, "codes."); ok {
			e.Codes[series] = strings.Split(strings.ReplaceAll(v.R.Form.Get(name), "\r", ""), "\n")
		}
	}
	for i := 1; v.R.Form.Has(fmt.Sprintf("winners.%d", i)); i++ {
		n, err := optional(v, fmt.Sprintf("winners.%d", i))
		if err != nil {
			return err
		}
		e.Winners = append(e.Winners, n)
	}
	return v.Do(central.EnterResult{Draw: id, Version: version, Round: round, Entry: e}, nil)
}

// standing reads which version and round a form is about.
func standing(v *kit.Visit) (version, round int64, err error) {
	if version, err = number(v, "version"); err != nil {
		return 0, 0, err
	}
	round, err = number(v, "round")
	return version, round, err
}

// balls reads the fields of the balls, those that are left out at the end being not drawn.
func balls(v *kit.Visit) (main, extra []int, err error) {
	if err := v.R.ParseForm(); err != nil {
		return nil, nil, err
	}
	read := func(name string) (list []int, err error) {
		for i := 1; v.R.Form.Has(fmt.Sprintf("%s.%d", name, i)); i++ {
			field := fmt.Sprintf("%s.%d", name, i)
			text := v.Form(field)
			if text == "" {
				continue
			}
			n, err := strconv.Atoi(text)
			if err != nil || len(text) > 2 {
				return nil, wrong(field, "a number is expected here", "un numéro est attendu ici")
			}
			list = append(list, n)
		}
		return list, nil
	}
	if main, err = read("main"); err != nil {
		return nil, nil, err
	}
	extra, err = read("extra")
	return main, extra, err
}

func number(v *kit.Visit, field string) (int64, error) {
	n, err := strconv.ParseInt(v.Form(field), 10, 64)
	if err != nil || n < 0 {
		return 0, wrong(field, "a whole number is expected here", "un nombre entier est attendu ici")
	}
	return n, nil
}

// optional is [number], 0 for nothing.
func optional(v *kit.Visit, field string) (int64, error) {
	if v.Form(field) == "" {
		return 0, nil
	}
	return number(v, field)
}

// euros reads an amount such as "1 320,50", 0 for nothing.
func euros(v *kit.Visit, field string) (money.Cents, error) {
	text := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "€", "", ",", ".").Replace(v.Form(field))
	if text == "" {
		return 0, nil
	}
	whole, cents, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole+(cents + "00")[:2], 10, 64)
	if err != nil || len(cents) > 2 || n < 0 || len(whole) > 12 {
		return 0, wrong(field, "an amount in euros is expected here", "un montant en euros est attendu ici")
	}
	return money.Cents(n), nil
}

// lifeOf is the life of a draw up to where it stands.
func lifeOf(v *kit.Visit, d *drawPage) []kit.Step {
	order := []struct {
		state drawing.State
		name  string
		when  string
	}{
		{drawing.Open, v.T("Ouvert", "Open"), v.ShortDay(d.OpensAt.Format("2006-01-02"))},
		{drawing.Closed, v.T("Clos", "Closed"), v.Time(d.ClosesAt)},
		{drawing.Sealed, v.T("Scellé", "Sealed"), ""},
		{drawing.Balanced, v.T("Recompté", "Balanced"), ""},
		{drawing.Drawn, v.T("Tiré", "Drawn"), v.Time(d.DrawsAt)},
		{drawing.Approved, v.T("Réglé", "Settled"), ""},
		{drawing.Published, v.T("Publié", "Published"), ""},
	}
	reached := rank(drawing.State(d.State))
	if d.Resume != "" {
		reached = rank(drawing.State(d.Resume))
	}
	steps := make([]kit.Step, len(order))
	here := false
	for i, s := range order {
		steps[i] = kit.Step{Name: s.name, When: s.when}
		switch {
		case rank(s.state) <= reached:
			steps[i].State, steps[i].Said = "done", v.T("fait", "done")
		case !here:
			here = true
			steps[i].State, steps[i].Said = "here", v.T("en cours", "now")
		}
	}
	return steps
}

// rank orders the states of a draw.
func rank(s drawing.State) int {
	switch s {
	case drawing.Counted:
		s = drawing.Drawn
	case drawing.Settled:
		s = drawing.Approved
	}
	for i, other := range drawing.All {
		if other == s {
			return i
		}
	}
	return -1
}

// place names a position of an entry: "main.4" is the fourth ball.
func place(v *kit.Visit, name string) string {
	of, n, _ := strings.Cut(name, ".")
	switch of {
	case "main":
		return v.T("boule ", "ball ") + n
	case "extra":
		return v.T("complémentaire ", "extra number ") + n
	case "joker":
		return "Joker+"
	case "codes":
		series, at, _ := strings.Cut(n, ".")
		return v.T("code ", "code ") + series + " " + at
	case "winners":
		return v.T("gagnants du rang ", "winners of rank ") + n
	}
	return name
}

// statement is what the officer states, in words.
func statement(v *kit.Visit, name string) string {
	switch name {
	case central.StatementSeen:
		return v.T("J'ai vu sortir ces boules, dans cet ordre.", "I saw these balls drawn, in this order.")
	case central.StatementQuiet:
		return v.T("Aucun incident n'a été constaté.", "No incident was noticed.")
	case central.StatementIncident:
		return v.T("L'incident est décrit, et le tirage complémentaire n'a porté que sur les boules manquantes.", "The incident is described, and the complementary draw supplied the missing balls only.")
	case central.StatementOwn:
		return v.T("Je n'ai saisi aucun résultat.", "I typed no result.")
	}
	return name
}

// roles of whoever asks, in the draw room.
func enters(v *kit.Visit) bool   { return v.Caller.Role == central.RoleEnterer }
func controls(v *kit.Visit) bool { return may(v, "sign_result") }

// seals lists the positions of the form for a number of balls.
func seals(name string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s.%d", name, i+1)
	}
	return list
}

// kept is the number that stands of an interrupted draw at a position, "" for none.
func (d *drawPage) kept(name string) string {
	if d.Room == nil || d.Room.Kept == nil {
		return ""
	}
	of, at, _ := strings.Cut(name, ".")
	list := d.Room.Kept.Main
	if of == "extra" {
		list = d.Room.Kept.Extra
	}
	if n, err := strconv.Atoi(at); err == nil && n <= len(list) {
		return strconv.Itoa(list[n-1])
	}
	return ""
}

// typed is what stands in a field of a refused form, else what is kept.
func (d *drawPage) typed(name string) string {
	if t, ok := d.Typed[name]; ok {
		return t
	}
	return d.kept(name)
}

// differs says whether the two entries of the round before differed at a position.
func (d *drawPage) differs(name string) bool {
	for _, n := range d.Room.Differs {
		if n == name {
			return true
		}
	}
	return false
}

// stars says whether the extra numbers are stars.
func (d *drawPage) stars() bool { return d.Book.Matrix.Extra > 1 }
