package central

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Program is the access of a program of the operator to the API: a token that its owner alone knows, for one role, until it is revoked.
type Program struct {
	ID      int64
	Name    string
	Role    string
	Hash    []byte // SHA-256 of the secret in the token
	By      string // who gave it
	Made    int64  // microseconds
	Revoked int64  // microseconds; 0: in use
}

func (*Program) Table() TableID { return Programs }
func (r *Program) Fields() []any {
	return []any{&r.ID, &r.Name, &r.Role, &r.Hash, &r.By, &r.Made, &r.Revoked}
}

func programKey(id int64) Key { return Key{Table: Programs, N: id} }

// ProgramPrincipal is the principal of a program.
func ProgramPrincipal(id int64) string { return "program/" + PlayID(id) }

// ParseProgramID reads the id of a program as [PlayID] prints it.
func ParseProgramID(s string) (int64, error) {
	var id RoundID
	if err := id.UnmarshalText([]byte(s)); err != nil {
		return 0, fmt.Errorf("program %.40q: accepted node and index, such as 0-12", s)
	}
	return int64(id), nil
}

// byPeople are the roles that no program has: what they do is an act of a person.
var byPeople = []Role{RoleAdmin, RoleEnterer, "officer"}

// programRole says whether a program may have a role.
func programRole(r Role) bool { return Permitted.Staff(r) && !slices.Contains(byPeople, r) }

// AddProgram gives a program access. The result is a [ProgramChanged].
type AddProgram struct {
	Name string `json:"name"`
	Role string `json:"role"`
	Hash []byte `json:"hash"` // SHA-256 of the secret in the token
}

// ProgramChanged is the result of the commands on the access of a program.
type ProgramChanged struct {
	Program string `json:"program"` // printed id
	Name    string `json:"name"`
	Role    string `json:"role"`
}

func (AddProgram) Kind() string { return "add_program" }
func (AddProgram) Keys() []Key  { return nil }

func (c AddProgram) Plan(p *Plan) (any, error) {
	name := strings.TrimSpace(c.Name)
	if name == "" || len(name) > partMax || !storable(name) {
		return nil, refuse(Invalid, "program.name", "name", "a name of 1 to %d bytes is needed", partMax)
	}
	if !programRole(Role(c.Role)) {
		accepted := slices.DeleteFunc(Permitted.StaffRoles(), func(r Role) bool { return !programRole(r) })
		return nil, refuse(Invalid, "program.role", "role", "accepted for a program: %s", joinRoles(accepted))
	}
	if err := checkSessionHash(c.Hash); err != nil {
		return nil, err
	}
	t := &Program{ID: p.ID(), Name: name, Role: c.Role, Hash: c.Hash, By: p.Principal, Made: p.Now.UnixMicro()}
	p.insert(t)
	return ProgramChanged{PlayID(t.ID), t.Name, t.Role}, nil
}

// RevokeProgram ends the access of a program, at once and for good. The result is a [ProgramChanged].
type RevokeProgram struct {
	Program string `json:"program"` // printed id
	Why     string `json:"why"`
}

func (RevokeProgram) Kind() string { return "revoke_program" }
func (c RevokeProgram) Keys() []Key {
	id, err := ParseProgramID(c.Program)
	if err != nil {
		return nil
	}
	return []Key{programKey(id)}
}

func (c RevokeProgram) Plan(p *Plan) (any, error) {
	if why := strings.TrimSpace(c.Why); why == "" || len(why) > whyMax || !storable(why) {
		return nil, refuse(Invalid, "staff.why", "why", "say why, in at most %d bytes", whyMax)
	}
	id, err := ParseProgramID(c.Program)
	if err != nil {
		return nil, refuse(Invalid, "program.id", "program", "%v", err)
	}
	t := edit[Program](p, programKey(id))
	switch {
	case t == nil:
		return nil, refuse(NotFound, "program.none", "program", "there is no such program")
	case t.Revoked != 0:
		return nil, refuse(Conflict, "program.over", "program", "the access of this program was revoked already")
	}
	t.Revoked = p.Now.UnixMicro()
	return ProgramChanged{PlayID(t.ID), t.Name, t.Role}, nil
}

// ProgramView is the access of a program as the staff sees it: never its token.
type ProgramView struct {
	Program string     `json:"program"`
	Name    string     `json:"name"`
	Role    string     `json:"role"`
	By      string     `json:"by"`
	Made    time.Time  `json:"made"`
	Revoked *time.Time `json:"revoked,omitempty"`
}

// View returns what the staff sees of the access of a program.
func (r *Program) View() ProgramView {
	return ProgramView{PlayID(r.ID), r.Name, r.Role, r.By, time.UnixMicro(r.Made).UTC(), instantOrNil(r.Revoked)}
}
