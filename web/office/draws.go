package office

import (
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/drawing"
	"tirage/rules/rulebook"
	"tirage/web"
	"tirage/web/kit"
)

// drawPage is what the pages of one draw show.
type drawPage struct {
	*central.DrawView
	Book      *rulebook.Rulebook
	Room      *central.RoomView
	Generator *central.GeneratorView // nil: balls
	Missing   []central.Missing      // of the terms
	Manifest  *central.Manifest      // sealed
	Control   *central.Sales         // the control's own count of it
	Count     *central.Count         // of the result that stands
	Result    *central.Result
	Notice    *central.Notice // drafted or published
	Papers    []*central.Doc
	Refused   form
	Typed     map[string]string // fields of a refused form
	Program   string            // digest of the program that runs here
	Counts    web.ControlState  // whether the independent control can count
}

func (d *drawPage) title(v *kit.Visit) string {
	return d.Book.Header.Title + v.T(" du ", " of ") + v.Day(d.Draw[len(d.Draw)-len(time.DateOnly):])
}

// draws shows the calendar.
func (o *office) draws(v *kit.Visit) error {
	var views []*central.DrawView
	q := central.DrawQuery{Game: v.Form("game"), Open: v.Form("all") == ""}
	err := v.View(func(snap central.Snapshot) (err error) {
		views, err = central.ReadDrawViews(v.Context(), snap, q)
		return err
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Tirages", "Draws"), "draws"), drawsPage(v, q, views))
}

// readDraw reads what the pages of one draw show.
func (o *office) readDraw(v *kit.Visit, id string) (*drawPage, error) {
	d := &drawPage{Program: o.host.Register.Program(), Counts: o.host.Control()}
	err := v.View(func(snap central.Snapshot) (err error) {
		if d.DrawView, err = central.ReadDrawView(v.Context(), snap, id); err != nil {
			return err
		}
		at := len(id) - len(time.DateOnly)
		if d.Book, err = games.InForce(id[:at-1], id[at:]); err != nil {
			return err
		}
		if d.Generator, err = central.ReadGenerator(v.Context(), snap, id); err != nil {
			return err
		}
		if d.OnPaper() {
			if d.Room, err = central.ReadRoom(v.Context(), snap, id, v.Caller.Principal); err != nil {
				return err
			}
		}
		if d.State == string(drawing.Closed) {
			p, err := central.ProposeTerms(v.Context(), snap, id)
			if err != nil {
				return err
			}
			d.Missing = p.Missing
		}
		return d.readPapers(v, snap)
	})
	return d, err
}

// OnPaper says whether the draw is on sale or was: before that it is a date of the calendar.
func (d *drawPage) OnPaper() bool {
	return d.State != central.DatePlanned && d.State != central.DateSkipped
}

// readPapers reads the signed papers of the draw; those of the result that stands.
func (d *drawPage) readPapers(v *kit.Visit, snap central.Snapshot) error {
	return snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Docs, S: d.Draw}, Prefix: 1}, func(r central.Row) (err error) {
		doc := r.(*central.Doc)
		d.Papers = append(d.Papers, doc)
		if doc.Version != 0 && doc.Version != d.Version {
			return nil
		}
		switch doc.Kind {
		case central.DocManifest:
			d.Manifest, err = central.ReadPaper[central.Manifest](doc.Body)
		case central.DocSales:
			d.Control, err = central.ReadPaper[central.Sales](doc.Body)
		case central.DocResult:
			d.Result, err = central.ReadPaper[central.Result](doc.Body)
		case central.DocCount:
			d.Count, err = central.ReadPaper[central.Count](doc.Body)
		case central.DocNotice:
			d.Notice, err = central.ReadPaper[central.Notice](doc.Body)
		case central.DocDraft:
			var draft *central.NoticeDraft
			if draft, err = central.ReadPaper[central.NoticeDraft](doc.Body); err == nil && d.Notice == nil {
				d.Notice = &draft.Notice
			}
		}
		return err
	})
}

func (o *office) draw(v *kit.Visit) error {
	d, err := o.readDraw(v, v.R.PathValue("draw"))
	if err != nil {
		return err
	}
	return v.Show(page(d.title(v), "draws"), onePage(v, d))
}

// acting is the act of a form on a draw.
type acting struct {
	verb string
	back string // page that the form stands on: "", or "/room"
	do   func(*office, *kit.Visit, string) error
}

// act does the act of a form. What is refused is said on the page that the form came from.
func (o *office) act(a acting) kit.Handler {
	return func(v *kit.Visit) error {
		id := v.R.PathValue("draw")
		err := a.do(o, v, id)
		if err == nil {
			return v.Go(Path + "draws/" + id + a.back)
		}
		r := kit.Refused(err)
		if r == nil || r.Code == central.NotFound {
			return err
		}
		d, err := o.readDraw(v, id)
		if err != nil {
			return err
		}
		d.Refused, d.Typed = form{a.verb, r.Field, v.Said(r)}, map[string]string{}
		for name := range v.R.Form {
			d.Typed[name] = v.R.Form.Get(name)
		}
		delete(d.Typed, "value") // of one of two people: shown to nobody, not even again
		body := onePage(v, d)
		if a.back != "" {
			body = roomPage(v, d)
		}
		return v.Status(http.StatusConflict).Show(page(d.title(v), "draws"), body)
	}
}

// acts are the acts on a draw. Each is a command of whoever sends the form, but for the publication, whose notice the operator signs.
var acts = []acting{
	{"check", "/room", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.CheckRoom{Draw: id, Program: v.Form("program"), Rules: v.Form("rules"), Checked: v.R.Form["checked"]}, nil)
	}},
	{"attend", "/room", func(o *office, v *kit.Visit, id string) error { return v.Do(central.AttendDraw{Draw: id}, nil) }},
	{"enter", "/room", enter},
	{"interrupt", "/room", func(o *office, v *kit.Visit, id string) error {
		main, extra, err := balls(v)
		if err != nil {
			return err
		}
		return v.Do(central.InterruptDraw{Draw: id, Why: v.Form("why"), Main: main, Extra: extra}, nil)
	}},
	{"generator", "", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.UseGenerator{Draw: id, Why: v.Form("why")}, nil)
	}},
	{"generator-confirm", "", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.ConfirmGenerator{Draw: id}, nil)
	}},
	{"numbers", "/room", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.DrawNumbers{Draw: id, Signature: strings.ToLower(strings.Join(strings.Fields(v.Form("signature")), ""))}, nil)
	}},
	{"contribute", "/room", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.ContributeDraw{Draw: id, Value: strings.Join(strings.Fields(v.Form("value")), ""), Why: v.Form("why")}, nil)
	}},
	{"sign", "/room", func(o *office, v *kit.Visit, id string) error {
		version, round, err := standing(v)
		if err != nil {
			return err
		}
		c := central.SignResult{Draw: id, Version: version, Round: round, Statements: v.R.Form["statement"], Late: v.Form("late"), Claims: v.Form("claims")}
		return v.Do(c, nil)
	}},
	{"approve", "", func(o *office, v *kit.Visit, id string) error {
		version, err := number(v, "version")
		if err != nil {
			return err
		}
		return o.host.Operator.Approve(v.Context(), id, version, v.Caller.Principal) // its key names the draw and the version: pressed twice, done once
	}},
	{"hold", "", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.HoldDraw{Draw: id, Why: v.Form("why")}, nil)
	}},
	{"resume", "", func(o *office, v *kit.Visit, id string) error {
		return v.Do(central.ResumeDraw{Draw: id, Why: v.Form("why")}, nil)
	}},
	{"postpone", "", func(o *office, v *kit.Visit, id string) error {
		until, err := time.ParseInLocation("2006-01-02T15:04", v.Form("until"), games.Paris)
		if err != nil {
			return wrong("until", "give the new day and hour in Paris", "indiquez le nouveau jour et l’heure de Paris")
		}
		return v.Do(central.PostponeDraw{Draw: id, Until: until.UTC(), Why: v.Form("why"), Published: v.Form("published")}, nil)
	}},
	{"report", "", func(o *office, v *kit.Visit, id string) error {
		stakes, err := euros(v, "stakes")
		if err != nil {
			return err
		}
		fund, err := euros(v, "fund")
		if err != nil {
			return err
		}
		return v.Do(central.ReportOutside{Draw: id, Stakes: stakes, Fund: fund}, nil)
	}},
	{"publish", "", func(o *office, v *kit.Visit, id string) error {
		_, err := o.host.Operator.Publish(v.Context(), id, v.Caller.Principal)
		return err
	}},
}

// wrong is a refusal of a form before it becomes a command.
func wrong(field, en, fr string) error {
	return &central.Refusal{Code: central.Invalid, Reason: "form.field", Field: field, Text: en, French: fr}
}

// digest writes bytes in groups of four digits, for people to compare.
func digest(b []byte) string { return groups(hex.EncodeToString(b)) }

func groups(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s[i:min(i+4, len(s))])
	}
	return b.String()
}
