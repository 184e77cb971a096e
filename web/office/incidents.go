package office

import (
	"cmp"
	"slices"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/drawing"
	"tirage/web/kit"
)

// incident is something out of the ordinary that stands in the calendar or the draw room of a draw, or a service that is put off.
type incident struct {
	Draw, What, Why string
	Day             string
	State           string
	Open            bool // somebody still has to act
}

// incidents lists them, the latest draw first; each is told whole, with who and when, in the log.
func (o *office) incidents(v *kit.Visit) error {
	var list []incident
	err := v.View(func(snap central.Snapshot) error {
		err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Calendar}}, func(r central.Row) error {
			one, err := o.incidentsOf(v, snap, r.(*central.DrawDate))
			list = append(list, one...)
			return err
		})
		if err != nil {
			return err
		}
		return snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Deferrals}}, func(r central.Row) error {
			d := r.(*central.Deferral)
			what := v.F("Service %s reporté", "Service %s put off", d.Service)
			if d.Until != "" {
				what += v.F(" au %s", " until %s", v.Day(d.Until))
			}
			list = append(list, incident{Day: games.Day(time.UnixMicro(d.At)), What: what, Why: d.Why, Open: d.Until == "" || d.Until > games.Day(v.Now)})
			return nil
		})
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b incident) int { return cmp.Compare(b.Day, a.Day) })
	return v.Show(page("Incidents", "incidents"), incidentsPage(v, list))
}

// incidentsOf lists those of one draw.
func (o *office) incidentsOf(v *kit.Visit, snap central.Snapshot, date *central.DrawDate) (list []incident, err error) {
	add := func(state, why string, open bool, fr, en string) {
		list = append(list, incident{Draw: date.ID(), Day: date.Day, What: v.T(fr, en), Why: why, State: state, Open: open})
	}
	if date.State == central.DateSkipped {
		add(date.State, date.Why, false, "Retiré du calendrier", "Taken out of the calendar")
		return list, nil
	}
	if date.State != central.DateOpened {
		return nil, nil
	}
	d, err := central.ReadDrawView(v.Context(), snap, date.ID())
	if err != nil {
		return nil, err
	}
	late := date.DrawsAt != date.FirstAt
	switch state := drawing.State(d.State); {
	case state == drawing.Held:
		add(d.State, d.Why, true, "Suspendu", "Held")
	case state == drawing.Postponed:
		add(d.State, d.Why, true, "Reporté", "Postponed")
	case late:
		add(d.State, d.Why, false, "A été reporté", "Was postponed")
	case d.Why != "":
		add(d.State, d.Why, false, "A été suspendu ou modifié à la main", "Was held or changed by hand")
	}
	room, err := central.ReadRoom(v.Context(), snap, date.ID(), v.Caller.Principal)
	if err != nil {
		return nil, err
	}
	if room.Incident != "" {
		add(d.State, room.Incident, room.Open, "Incident pendant le tirage", "Incident during the draw")
	}
	if room.Late != "" {
		add(d.State, room.Late, false, "Tiré en retard", "Drawn late")
	}
	g, err := central.ReadGenerator(v.Context(), snap, date.ID())
	if g != nil && g.Reason != "" {
		add(d.State, g.Reason, g.Waits(), "Balise remplacée par deux personnes", "Two people stood in for the beacon")
	}
	return list, err
}

// day names the day.
func (i incident) day(v *kit.Visit) string {
	if _, err := time.Parse(time.DateOnly, i.Day); err != nil {
		return i.Day
	}
	return v.Day(i.Day)
}
