package office

import (
	"errors"
	"net/http"
	"strconv"

	"tirage/central"
	"tirage/web/kit"
)

// identities lists the people whose identity player care has verified: an operator, who is another person, confirms them.
func (o *office) identities(v *kit.Visit) error { return o.showIdentities(v, "") }

func (o *office) showIdentities(v *kit.Visit, refused string) error {
	if !may(v, central.ConfirmIdentity{}.Kind()) {
		return v.NotFound()
	}
	var list []found
	err := v.View(func(snap central.Snapshot) error {
		var ids []int64
		err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Guards}}, func(r central.Row) error {
			if g := r.(*central.Guard); g.State == central.StateVerified {
				ids = append(ids, g.Player)
			}
			if len(ids) == foundMax {
				return errFound
			}
			return nil
		})
		if err != nil && !errors.Is(err, errFound) {
			return err
		}
		for _, id := range ids {
			if err := addFound(v, snap, &list, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Identités à confirmer", "Identities to confirm"), "identities"), identitiesPage(v, list, refused))
}

// confirmIdentity opens a verified account for play, if the ban list, which is asked now, does not name the person.
func (o *office) confirmIdentity(v *kit.Visit) error {
	id, err := strconv.ParseInt(v.R.PathValue("player"), 10, 64)
	if err != nil {
		return v.NotFound()
	}
	_, err = o.host.Desk.Confirm(v.Context(), v.Caller.Principal, v.Form("key"), id)
	if r := kit.Refused(err); r != nil && r.Code != central.NotFound {
		return o.showIdentities(v.Status(http.StatusConflict), v.Said(r))
	}
	if err != nil {
		return err
	}
	return v.Go(Path + "identities")
}
