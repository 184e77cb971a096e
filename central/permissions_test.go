package central_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tirage/central"
	"tirage/docs"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// selling makes a register as a server has it: nothing bare, nothing reconstructed.
func selling(c *central.Config) { c.AllowReconstructed = false }

// hired opens an account of the staff for each role, named after it.
func hired(w *storetest.World) {
	w.Helper()
	for _, r := range central.Permitted.StaffRoles() {
		w.Do(central.SystemPrincipal, central.AddStaff{Name: string(r), Role: string(r), Password: "$argon2id$test"})
	}
}

// The table of docs/permissions.md is what the register goes by: each command of each role goes through or is refused before it is planned.
func TestPermissions(t *testing.T) {
	table, err := central.ParsePermissions(docs.Permissions)
	if err != nil {
		t.Fatal(err)
	}
	w := storetest.NewWorld(t, &mem.Store{}, selling)
	hired(w)
	principals := map[central.Role][]string{
		central.RoleVisitor: {"visitor"}, central.RolePlayer: {"player/999"}, central.RoleProvider: {"provider/test"}, central.RoleSystem: {"system"},
	}
	for _, r := range table.StaffRoles() {
		principals[r] = []string{central.StaffPrincipal(string(r))}
		var made central.ProgramChanged
		receipt, err := w.Try("staff/admin", central.AddProgram{Name: "exports", Role: string(r), Hash: make([]byte, 32)})
		switch r {
		case central.RoleAdmin, central.RoleEnterer, "officer":
			if reason(err) != "program.role" {
				t.Errorf("a program with the role %s: %v", r, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		storetest.Result(w, receipt, &made)
		principals[r] = append(principals[r], "program/"+made.Program)
	}
	n := 0
	for kind, allowed := range table.Commands {
		for _, role := range table.Roles {
			for _, principal := range principals[role] {
				n++
				_, err := w.Try(principal, central.Probe{Name: kind})
				if may := slices.Contains(allowed, role); may != (err == nil) || !may && central.CodeOf(err) != central.Forbidden {
					t.Errorf("%s as %s: %v, the table says %v", kind, principal, err, may)
				}
			}
		}
	}
	t.Logf("%d commands, %d tried by roles", len(table.Commands), n)
}

// Every command that there is has a row, and every row a command.
func TestEveryCommandHasARow(t *testing.T) {
	var kinds []string
	for _, c := range central.Commands() {
		kinds = append(kinds, c.Kind())
	}
	for kind := range central.Permitted.Commands {
		if !slices.Contains(kinds, kind) && kind != (central.Unlawful{}).Kind() {
			t.Errorf("docs/permissions.md has a row %s, which is no command", kind)
		}
	}
	for _, kind := range kinds {
		if _, ok := central.Permitted.Commands[kind]; !ok {
			t.Errorf("command %s has no row in docs/permissions.md", kind)
		}
	}
}

func TestPermissionsPageIsReadStrictly(t *testing.T) {
	good := docs.Permissions
	for name, change := range map[string][2]string{
		"no admin":     {"| admin ", "| boss  "},
		"maybe":        {"| yes ", "| may "},
		"twice":        {"| `buy_shares` ", "| `buy_play` "},
		"cell missing": {"| `buy_shares`", "| | `buy_shares`"},
		"views differ": {"| view ", "| view | x"},
	} {
		if !strings.Contains(good, change[0]) {
			t.Fatalf("%s: the page has no %q", name, change[0])
		}
		if _, err := central.ParsePermissions(strings.Replace(good, change[0], change[1], 1)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := central.ParsePermissions(""); err == nil {
		t.Error("an empty page is read")
	}
}

func reason(err error) string {
	if r := new(central.Refusal); errors.As(err, &r) {
		return r.Reason
	}
	return ""
}

// Nobody who is not known does anything, whatever the name looks like.
func TestUnknownPrincipals(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, selling)
	hired(w)
	for principal, want := range map[string]string{
		"staff/nobody": "staff.unknown", "staff/": "staff.unknown", "staff": "staff.unknown", "program/0-99": "program.unknown", "program/x": "program.unknown",
		"program/": "program.unknown", "root": "principal.unknown", "Staff/admin": "principal.unknown", "admin": "principal.unknown",
	} {
		w.Why(want, principal, central.EndStaff{Name: "care", Why: "test"})
	}
}

func TestStaffAccounts(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, selling)
	hired(w)
	const admin = "staff/admin"
	w.Why("staff.exists", admin, central.AddStaff{Name: "care", Role: "care", Password: "$argon2id$x"})
	w.Why("account.password", admin, central.AddStaff{Name: "zoe", Role: "care", Password: "secret"})
	for _, bad := range []string{"", "Zoe", "zoé", "z/e", "9", "a@b", strings.Repeat("a", 41)} {
		w.Why("staff.name", admin, central.AddStaff{Name: bad, Role: "care", Password: "$argon2id$x"})
	}
	for _, bad := range []string{"", "player", "system", "visitor", "boss"} {
		w.Why("staff.role", admin, central.AddStaff{Name: "zoe", Role: bad, Password: "$argon2id$x"})
		w.Why("staff.role", admin, central.SetStaffRole{Name: "care", Role: bad, Why: "test"})
	}
	// Nobody raises themselves, so that an admin is always left.
	w.Why("staff.self", admin, central.SetStaffRole{Name: "admin", Role: "officer", Why: "test"})
	w.Why("staff.self", admin, central.EndStaff{Name: "admin", Why: "test"})
	w.Why("staff.why", admin, central.EndStaff{Name: "care", Why: " "})
	w.Why("staff.none", admin, central.EndStaff{Name: "nobody", Why: "test"})
	w.Why("role.forbidden", "staff/finance", central.EndStaff{Name: "care", Why: "test"})

	// A new role holds from the next command on, and the leaf tells who gave it, why, and what was before.
	var changed central.StaffChanged
	r := w.Do(admin, central.SetStaffRole{Name: "care", Role: "operator", Why: "moves to the evening"})
	storetest.Result(w, r, &changed)
	if changed.Before != "care" || changed.Role != "operator" {
		t.Errorf("%+v", changed)
	}
	body := string(storetest.Get[central.LeafRow](w, central.Key{Table: central.Leaves, N: r.Node, M: r.Index}).Body)
	for _, want := range []string{admin, "moves to the evening", `"before":"care"`, `"role":"operator"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the leaf does not hold %q: %s", want, body)
		}
	}
	w.Why("role.forbidden", "staff/care", central.VerifyIdentity{Player: 1, Evidence: "passport"})

	// What ends is over, and its name is not given again.
	w.Do(admin, central.EndStaff{Name: "care", Why: "left"})
	w.Why("staff.ended", "staff/care", central.WithdrawGame{Game: "donuts", Why: "test"})
	w.Why("staff.over", admin, central.EndStaff{Name: "care", Why: "left"})
	w.Why("staff.exists", admin, central.AddStaff{Name: "care", Role: "care", Password: "$argon2id$x"})
	w.Why("staff.ended", central.SystemPrincipal, central.OpenStaffSession{Name: "care", Credential: 2, Hash: make([]byte, 32)})
}

func TestStaffSessions(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, selling)
	hired(w)
	open := central.OpenStaffSession{Name: "officer", Credential: 1, Hash: make([]byte, 32)}
	for range 5 {
		w.Do("system", central.TryLogin{Name: central.StaffLogin("officer")})
	}
	w.Why("login.locked", "system", central.TryLogin{Name: central.StaffLogin("officer")})
	w.Do("system", open) // the password was right: the count begins anew
	w.Do("system", central.TryLogin{Name: central.StaffLogin("officer")})
	w.Why("session.hash", "system", central.OpenStaffSession{Name: "officer", Credential: 1})
	w.Why("staff.none", "system", central.OpenStaffSession{Name: "nobody", Credential: 1, Hash: make([]byte, 32)})
	w.Do("staff/admin", central.ResetStaffPassword{Name: "officer", Why: "forgotten", Password: "$argon2id$new"})
	w.Why("session.credential", "system", open)
	if s := storetest.Get[central.Staff](w, central.Key{Table: central.StaffRows, S: "officer"}); s.View().Ended != nil || s.View().Role != "officer" {
		t.Errorf("%+v", s.View())
	}
}

func TestPrograms(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, selling)
	hired(w)
	w.Why("program.name", "staff/admin", central.AddProgram{Role: "auditor", Hash: make([]byte, 32)})
	w.Why("session.hash", "staff/admin", central.AddProgram{Name: "x", Role: "auditor"})
	var made central.ProgramChanged
	storetest.Result(w, w.Do("staff/admin", central.AddProgram{Name: "till", Role: "operator", Hash: make([]byte, 32)}), &made)
	withdraw := central.WithdrawGame{Game: "donuts", Why: "test"}
	w.Do("program/"+made.Program, withdraw)
	w.Why("staff.why", "staff/admin", central.RevokeProgram{Program: made.Program})
	w.Why("program.id", "staff/admin", central.RevokeProgram{Program: "x", Why: "test"})
	w.Why("program.none", "staff/admin", central.RevokeProgram{Program: "0-9999", Why: "test"})
	w.Do("staff/admin", central.RevokeProgram{Program: made.Program, Why: "lost"})
	w.Why("program.revoked", "program/"+made.Program, withdraw)
	w.Why("program.over", "staff/admin", central.RevokeProgram{Program: made.Program, Why: "lost"})
	for _, r := range rows(t, w.Store, central.Programs) {
		if v := r.(*central.Program).View(); v.Revoked == nil || v.By != "staff/admin" {
			t.Errorf("%+v", v)
		}
	}
	// Whatever is changed in these rows, the books say so.
	for _, table := range []central.TableID{central.StaffRows, central.Programs} {
		for _, r := range rows(t, w.Store, table) {
			findEveryChange(t, w.Store, &central.Schema[table], r)
		}
	}
}
