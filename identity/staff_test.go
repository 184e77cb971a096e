package identity_test

import (
	"strings"
	"testing"

	"tirage/central"
	"tirage/identity"
	"tirage/store/mem"
)

// The staff logs in as players do: one answer for a wrong name and a wrong password, a lock, sessions that a new password ends; and is no player.
func TestStaffLogin(t *testing.T) {
	o := open(t, &mem.Store{})
	ctx := t.Context()
	const password = "officers' correct horse"
	if _, err := o.Hire(ctx, central.SystemPrincipal, "k", "olga", "officer", "short"); reason(err) != "password.length" {
		t.Error(err)
	}
	for range 2 { // the same request is the same account
		if _, err := o.Hire(ctx, central.SystemPrincipal, "k", "olga", "officer", password); err != nil {
			t.Fatal(err)
		}
	}
	_, known := o.LoginStaff(ctx, "olga", "wrong password")
	_, unknown := o.LoginStaff(ctx, "oscar", "wrong password")
	if reason(known) != "login.failed" || known.Error() != unknown.Error() {
		t.Errorf("%v and %v", known, unknown)
	}
	in, err := o.LoginStaff(ctx, "olga", password)
	if err != nil {
		t.Fatal(err)
	}
	s, err := o.Sessions.Check(ctx, in.Token)
	if err != nil {
		t.Fatal(err)
	}
	m, err := o.Sessions.Member(ctx, s.Player)
	if err != nil || m == nil || m.Name != "olga" || m.Role != "officer" || s.Play != 0 {
		t.Errorf("%+v of %+v, %v", m, s, err)
	}
	// A player is no member, and the login of players knows no staff.
	if m, err := o.Sessions.Member(ctx, o.join()); m != nil || err != nil {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := o.Desk.Login(ctx, "staff/olga", password); central.CodeOf(err) != central.NotFound {
		t.Errorf("staff logs in as a player: %v", err)
	}
	if _, err := o.ResetStaff(ctx, central.SystemPrincipal, "r", "olga", "forgotten", "another long password"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Sessions.Check(ctx, in.Token); reason(err) != "session.none" {
		t.Errorf("after the new password: %v", err)
	}
	o.CheckBooks()
}

func TestProgramTokens(t *testing.T) {
	o := open(t, &mem.Store{})
	ctx := t.Context()
	made, token, err := o.AddProgram(ctx, "staff/admin", "till", "operator")
	if err != nil || !identity.IsProgram(token) {
		t.Fatal(err)
	}
	p, err := o.Program(ctx, token)
	if err != nil || p.Role != "operator" || central.PlayID(p.ID) != made.Program {
		t.Errorf("%+v, %v", p, err)
	}
	for _, bad := range []string{"", "x", token + "A", token[:len(token)-2], strings.TrimPrefix(token, "tirage_program_"), strings.Replace(token, "program_A", "program_B", 1)} {
		if _, err := o.Program(ctx, bad); reason(err) != "session.none" {
			t.Errorf("%d characters: %v", len(bad), err)
		}
	}
	o.Do("staff/admin", central.RevokeProgram{Program: made.Program, Why: "lost"})
	if _, err := o.Program(ctx, token); reason(err) != "session.none" {
		t.Error(err)
	}
}
