package office

import (
	"net/http"

	"tirage/central"
	"tirage/games"
	"tirage/rules/drawing"
	"tirage/web/kit"
)

// packs lists the pack types that were drawn up, and what is on sale.
func (o *office) packs(v *kit.Visit) error {
	var designs []central.DesignView
	err := v.View(func(snap central.Snapshot) error {
		all, err := central.ReadDesigns(v.Context(), snap)
		for _, d := range all {
			view, err := d.View()
			if err != nil {
				return err
			}
			designs = append(designs, view)
		}
		return err
	})
	if err != nil {
		return err
	}
	return v.Show(page("Packs", "packs"), packsPage(v, designs))
}

func (o *office) newPack(v *kit.Visit) error {
	d, err := o.readDesigner(v)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Nouveau type de pack", "New pack type"), "packs"), designPage(v, d, ""))
}

// proposePack proposes what was drawn up.
func (o *office) proposePack(v *kit.Visit) error {
	d, err := o.readDesigner(v)
	if err != nil {
		return err
	}
	said := d.Wrong
	if said == "" {
		var made central.DesignView
		err := v.Do(central.ProposePack{
			Game: d.Game, From: d.Day, Type: d.Offer.Type, Multiples: d.Offer.Multiples, Simples: d.Offer.Simples, Shares: d.Offer.Shares, MaxPacks: d.Offer.MaxPacks, Formulas: d.Offer.Formulas,
		}, &made)
		if err == nil {
			return v.Go(Path + "packs/" + made.Design)
		}
		r := kit.Refused(err)
		if r == nil {
			return err
		}
		said = v.Said(r)
	}
	return v.Status(http.StatusConflict).Show(page(v.T("Nouveau type de pack", "New pack type"), "packs"), designPage(v, d, said))
}

// readDesign reads one design with its preview, and the draws on sale that it may be added to.
func (o *office) readDesign(v *kit.Visit) (*designer, error) {
	d := &designer{}
	err := v.View(func(snap central.Snapshot) error {
		row, err := central.ReadDesign(v.Context(), snap, v.R.PathValue("design"))
		if err != nil {
			return err
		}
		view, err := row.View()
		if err != nil {
			return err
		}
		d.Design, d.Game, d.Day, d.Offer = &view, view.Game, view.From, view.Offer
		if view.State != central.DesignProposed {
			return nil
		}
		views, err := central.ReadDrawViews(v.Context(), snap, central.DrawQuery{Game: view.Game, From: max(view.From, games.Day(v.Now))})
		for _, s := range views {
			if s.State == string(drawing.Open) && v.Now.Before(s.ClosesAt) {
				d.OnSale = append(d.OnSale, s.Draw)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, d.work(v)
}

func (o *office) design(v *kit.Visit) error {
	d, err := o.readDesign(v)
	if err != nil {
		return err
	}
	return v.Show(page(d.title(v), "packs"), designPage(v, d, ""))
}

func (d *designer) title(v *kit.Visit) string {
	return v.F("Pack %s, %s", "Pack %s, %s", d.Offer.Type, gameTitle(d.Game))
}

// decide activates or ends a design.
func (o *office) decide(c func(v *kit.Visit, design string) central.Command) kit.Handler {
	return func(v *kit.Visit) error {
		id := v.R.PathValue("design")
		if err := v.R.ParseForm(); err != nil {
			return err
		}
		err := v.Do(c(v, id), nil)
		if err == nil {
			return v.Go(Path + "packs/" + id)
		}
		r := kit.Refused(err)
		if r == nil || r.Code == central.NotFound {
			return err
		}
		d, err := o.readDesign(v)
		if err != nil {
			return err
		}
		return v.Status(http.StatusConflict).Show(page(d.title(v), "packs"), designPage(v, d, v.Said(r)))
	}
}

func activatePack(v *kit.Visit, design string) central.Command {
	return central.ActivatePack{Design: design, Draws: v.R.Form["draw"]}
}

func endPack(v *kit.Visit, design string) central.Command {
	return central.EndPack{Design: design, Why: v.Form("why")}
}

// designState names the state of a design.
func designState(v *kit.Visit, state string) string {
	switch state {
	case central.DesignProposed:
		return v.T("1 accord sur 2", "1 of 2 agree")
	case central.DesignActive:
		return v.T("en vente", "on sale")
	}
	return v.T("retiré", "ended")
}

func designKind(state string) string {
	switch state {
	case central.DesignProposed:
		return "warn"
	case central.DesignActive:
		return "ok"
	}
	return ""
}
