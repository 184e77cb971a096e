package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/docs"
	"tirage/logbook"
	"tirage/web/api"
)

// tokens logs one in for each role, the player with money.
func (o *office) tokens() map[central.Role]string {
	o.Helper()
	_, player := o.join("zoe", 10_000)
	tokens := map[central.Role]string{central.RoleVisitor: "", central.RolePlayer: player}
	for _, role := range central.Permitted.StaffRoles() {
		if role == "care" || role == "operator" { // hired by join
			tokens[role] = must[api.LoggedIn](o, "POST", "/staff/sessions", "", "", map[string]string{"name": string(role), "password": password}).Token
			continue
		}
		tokens[role] = o.staff(string(role))
	}
	return tokens
}

// What has no route: the schedule closes and seals a draw, by hand the command line does.
var noRoute = []string{
	"register_player",          // the desk does it, for the public route
	"create_player", "deposit", // for reconstructed evenings alone
	"close_draw", "seal_draw", // tirage draws
}

// Every command that a person may do has a route, and every route names a command or a view of the page of permissions.
func TestEveryCommandHasARoute(t *testing.T) {
	table, err := central.ParsePermissions(docs.Permissions)
	if err != nil {
		t.Fatal(err)
	}
	routed := map[string]bool{}
	for _, r := range open(t).api.Routes() {
		routed[r.Command] = true
		if r.Command != "" && table.Commands[r.Command] == nil || r.View != "" && table.Views[r.View] == nil {
			t.Errorf("%s names command %q, view %q, which docs/permissions.md does not have", r.ID, r.Command, r.View)
		}
	}
	for kind, roles := range table.Commands {
		people := slices.ContainsFunc(roles, func(r central.Role) bool { return r != central.RoleSystem && r != central.RoleProvider })
		if people && routed[kind] == slices.Contains(noRoute, kind) {
			t.Errorf("%s: may be asked for by %v, has a route: %v", kind, roles, routed[kind])
		}
	}
}

// No route takes a play back. Each one that changes something is asked for by every role, about a play that was sold, before and after the close: the play stands
// as it was sold, and its stake never comes back. Beside the confirmation nothing but reading stands below /plays, and what a route does is a
// command, none of which cancels a play (TestNoCommandCancelsAPlay).
func TestNoRouteCancelsAPlay(t *testing.T) {
	o := open(t)
	draw := o.sale()
	tokens := o.tokens()
	player := tokens[central.RolePlayer]
	bought := buy[central.Bought](o, player, "/quotes/play", "buy", map[string]any{"draw": draw, "lines": []string{"quick 6x1"}, "add_ons": []any{map[string]any{"game": "jokerplus", "stake": 100}}})
	played := must[central.Bought](o, "POST", "/plays", player, "shares", map[string]string{"quote": o.shares(player, draw, 2).Text})
	q := o.shares(player, draw, 1)
	must[central.Bought](o, "POST", "/plays", player, "third", map[string]string{"quote": q.Text})
	sold := o.sold()
	fill := strings.NewReplacer("{game}", "loto", "{round}", bought.Play, "{draw}", draw, "{play}", bought.Play, "{player}", must[api.Account](o, "GET", "/me", player, "", nil).Player,
		"{name}", "nobody", "{program}", bought.Play, "{session}", bought.Play, "{passkey}", bought.Play, "{of}", "stakes", "{service}", "packs", "{node}", "0", "{index}", "0", "{design}", bought.Play,
		"{group}", played.Play, "{subscription}", played.Play)
	why := map[string]any{"why": "a test"}
	bodies := []any{nil, map[string]string{"quote": q.Text}, why, map[string]any{"cents": int64(q.Cents)}, map[string]any{"component": "ranks"}, map[string]any{"version": 1}, map[string]any{"step": 0}}
	tried, accepted := 0, 0
	for _, at := range []time.Time{o.Clock.Now(), o.Clock.Now().Add(10 * time.Minute)} {
		o.Clock.Set(at)
		for _, r := range o.api.Routes() {
			if strings.HasPrefix(r.Path, "/plays") && r.Method != http.MethodGet && r.ID != "confirm" {
				t.Errorf("%s %s changes plays", r.Method, r.Path)
			}
			if r.Method == http.MethodGet || strings.HasSuffix(r.ID, "logout") || r.ID == "change-password" {
				continue
			}
			for role, token := range tokens {
				for i, body := range bodies {
					tried++
					if a := o.ask(r.Method, fill.Replace(r.Path), token, fmt.Sprintf("%s-%s-%d-%d", r.ID, role, i, at.Unix()%1000), body); a.status/100 == 2 {
						accepted++
					}
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was accepted: nothing was tried")
	}
	now := o.sold()
	for i, row := range sold {
		if i >= len(now) || now[i] != row {
			t.Errorf("%s is gone or another", row)
		}
	}
	staked := map[string]int64{}
	for _, l := range rowsOf[*central.LeafRow](o, central.Leaves) {
		leaf, _, err := logbook.ParseLeaf(l.Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range leaf.Postings {
			if strings.HasPrefix(p.From, "stakes/"+draw) && strings.HasPrefix(p.To, "player/") {
				t.Errorf("a stake came back: %s", l.Body)
			}
			staked[p.To]++
		}
	}
	if staked["stakes/"+draw] != 3 {
		t.Errorf("%d postings to the stakes of the draw, want one for each order", staked["stakes/"+draw])
	}
	t.Logf("%d requests, %d accepted", tried, accepted)
	o.CheckBooks()
}

// sold lists the plays of the store and what was added to them.
func (o *office) sold() (list []string) {
	for _, p := range rowsOf[*central.Play](o, central.Plays) {
		list = append(list, fmt.Sprintf("%+v", *p))
	}
	for _, p := range rowsOf[*central.AddOnRow](o, central.AddOnRows) {
		list = append(list, fmt.Sprintf("%+v", *p))
	}
	return list
}

// rowsOf reads a table whole.
func rowsOf[R central.Row](o *office, table central.TableID) (list []R) {
	o.Helper()
	snap, err := o.Store.Snapshot(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	defer snap.Close()
	err = snap.Scan(o.Context(), central.Range{From: central.Key{Table: table}}, func(r central.Row) error {
		list = append(list, r.(R))
		return nil
	})
	if err != nil {
		o.Fatal(err)
	}
	return list
}

// schema is what the test reads of a JSON schema in the contract.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"`
	Properties map[string]schema `json:"properties"`
}

// kind is the type of a value, "" where any is taken.
func (s schema) kind() string {
	switch t := s.Type.(type) {
	case string:
		return t
	case []any: // the second is null
		return fmt.Sprint(t[0])
	}
	return ""
}

// wrong is a value of another kind, with something in it that no answer may repeat.
var wrong = map[string]any{"string": 7.5, "integer": "hunter2", "number": "hunter2", "boolean": "hunter2", "array": "hunter2", "object": "hunter2"}

// Every field of every body refuses a value of another kind: it is named with what was found and what is accepted, in both languages, and what was sent
// is not repeated. A field that does not exist is refused as well.
func TestEveryFieldSaysWhatItAccepts(t *testing.T) {
	o := open(t)
	o.sale()
	tokens := o.tokens()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(o.ask("GET", "/openapi.json", "", "", nil).body, &doc); err != nil {
		t.Fatal(err)
	}
	resolve := func(s schema) schema {
		if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
			return doc.Components.Schemas[name]
		}
		return s
	}
	fill := strings.NewReplacer("{game}", "donuts", "{round}", "0-1", "{draw}", "loto-2020-06-22", "{play}", "0-1", "{player}", "999", "{name}", "nobody", "{program}", "0-1",
		"{of}", "stakes", "{service}", "packs", "{group}", "0-1", "{subscription}", "0-1")
	tried := 0
	for _, r := range o.api.Routes() {
		body := resolve(doc.Paths[r.Path][strings.ToLower(r.Method)].RequestBody.Content["application/json"].Schema)
		token := ""
		if roles := r.Roles(); !r.Public {
			token = tokens[roles[0]]
		}
		for name, field := range body.Properties {
			value, ok := wrong[resolve(field).kind()]
			if !ok {
				continue // any JSON, which the domain reads
			}
			tried++
			a := o.ask(r.Method, fill.Replace(r.Path), token, "k", map[string]any{name: value})
			if a.status != 422 {
				t.Errorf("%s %s of another kind: %d %s", r.ID, name, a.status, a.body)
				continue
			}
			p := a.problem(t)
			i := slices.IndexFunc(p.Errors, func(f api.FieldProblem) bool { return f.Field == name })
			if i < 0 || p.Errors[i].Found == "" || p.Errors[i].Accepted == "" || p.Errors[i].Texts.French == p.Errors[i].Texts.English || strings.Contains(p.Errors[i].Accepted, "not accepted") {
				t.Errorf("%s %s of another kind: %s", r.ID, name, a.body)
			}
			if strings.Contains(string(a.body), "hunter2") || strings.Contains(string(a.body), "7.5") {
				t.Errorf("%s %s is repeated: %s", r.ID, name, a.body)
			}
		}
		if len(body.Properties) > 0 {
			if a := o.ask(r.Method, fill.Replace(r.Path), token, "k", `{"hunter2":1}`); a.status != 422 || strings.Contains(string(a.body), "hunter2") {
				t.Errorf("%s with an unknown field: %d %s", r.ID, a.status, a.body)
			}
		}
	}
	if tried < 80 {
		t.Errorf("%d fields were tried", tried)
	}
	t.Logf("%d fields", tried)
	o.CheckBooks()
}
