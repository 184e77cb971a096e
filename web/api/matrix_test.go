package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"tirage/central"
	"tirage/docs"
)

// Every route, asked for by every role: let through where docs/permissions.md says yes, refused as not permitted everywhere else.
func TestPermissionMatrix(t *testing.T) {
	table, err := central.ParsePermissions(docs.Permissions)
	if err != nil {
		t.Fatal(err)
	}
	o := open(t)
	tokens := o.tokens()
	fill := strings.NewReplacer("{game}", "donuts", "{round}", "0-1", "{draw}", "loto-2020-06-22", "{play}", "0-1", "{player}", "999", "{name}", "nobody", "{program}", "0-1",
		"{session}", "0-1", "{passkey}", "0-1", "{of}", "stakes", "{service}", "packs", "{node}", "0", "{index}", "0", "{design}", "0-1", "{group}", "0-1", "{subscription}", "0-1")
	tried := 0
	for _, r := range o.api.Routes() {
		if r.ID == "events" || r.ID == "logout" { // a stream without end; an end of the session that asks
			continue
		}
		var allowed []central.Role
		switch {
		case r.Public:
			allowed = table.Roles
		case r.Command != "":
			allowed = table.Commands[r.Command]
		case r.View != "":
			allowed = table.Views[r.View]
		case r.Own:
			allowed = []central.Role{central.RolePlayer}
		}
		if len(allowed) == 0 {
			t.Errorf("%s %s is for nobody: its command or view has no row in docs/permissions.md", r.Method, r.Path)
		}
		for role, token := range tokens {
			tried++
			// A body that no route accepts: who is let through is told what is wrong with it, and nothing is done.
			var body any
			if r.Method != http.MethodGet && r.Method != http.MethodDelete {
				body = `{"no such field":1}`
			}
			if r.Method == http.MethodDelete || r.ID == "ack-check" || r.ID == "start-round" {
				body = nil // there is nothing of the kind to end, acknowledge or pay
			}
			a := o.ask(r.Method, fill.Replace(r.Path), token, "k-"+string(role), body)
			refused := a.status == http.StatusForbidden || a.status == http.StatusUnauthorized
			if refused {
				reason := a.problem(t).Reason
				// principal.other says whose it is, which comes after what a role may do.
				refused = reason == "role.forbidden" || reason == "staff.plays" || strings.HasPrefix(reason, "principal.") && reason != "principal.other"
			}
			// The account that asks is shown to the staff alone, whatever its role.
			if r.ID == "staff-me" {
				if refused == table.Staff(role) {
					t.Errorf("%s as %s: %d", r.Path, role, a.status)
				}
				continue
			}
			if refused == slices.Contains(allowed, role) {
				t.Errorf("%s %s as %s: %d %s, the page says %v", r.Method, r.Path, role, a.status, a.body, allowed)
			}
			if a.status >= 500 {
				t.Errorf("%s %s as %s: %d %s", r.Method, r.Path, role, a.status, a.body)
			}
		}
	}
	t.Logf("%d routes, %d requests", len(o.api.Routes()), tried)
	o.CheckBooks()
}
