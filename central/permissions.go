package central

import (
	"fmt"
	"slices"
	"strings"

	"tirage/docs"
)

// Role is what a principal is to the operator. What each role may do is the table of docs/permissions.md: people read it, the register goes by it, tests
// walk it.
type Role string

// Roles that code names; the table may have more for the staff.
const (
	RoleVisitor  Role = "visitor"  // who is not logged in
	RolePlayer   Role = "player"   // for the own account alone: each command looks whose it is
	RoleProvider Role = "provider" // of payments, whose signature was checked where its message came in
	RoleSystem   Role = "system"   // the operator's own programs
	RoleAdmin    Role = "admin"
	RoleAuditor  Role = "auditor" // reads everything, changes nothing
)

// noStaff are the roles that no member of the staff has.
var noStaff = []Role{RoleVisitor, RolePlayer, RoleProvider, RoleSystem}

// Permissions says which roles may do what: commands by [Command.Kind], and views of what is not public by their names.
type Permissions struct {
	Roles    []Role // in the order of the columns
	Commands map[string][]Role
	Views    map[string][]Role
}

// Permitted is the table in force.
var Permitted = mustPermissions(docs.Permissions)

func mustPermissions(page string) *Permissions {
	p, err := ParsePermissions(page)
	if err != nil {
		panic("docs/permissions.md: " + err.Error())
	}
	return p
}

// ParsePermissions reads the tables of the page: the one whose first column is headed "command", and the one headed "view". A cell is empty or "yes".
//
//	| command    | player | admin |
//	|------------|--------|-------|
//	| `buy_play` | yes    |       |
func ParsePermissions(page string) (*Permissions, error) {
	p := &Permissions{}
	var into map[string][]Role
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			into = nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch first := cells[0]; {
		case first == "command":
			p.Commands = map[string][]Role{}
			into = p.Commands
			for _, c := range cells[1:] {
				p.Roles = append(p.Roles, Role(c))
			}
		case first == "view":
			p.Views = map[string][]Role{}
			into = p.Views
			if !slices.EqualFunc(cells[1:], p.Roles, func(c string, r Role) bool { return c == string(r) }) {
				return nil, fmt.Errorf("columns of the views: %v, accepted those of the commands, %v", cells[1:], p.Roles)
			}
		case into == nil || strings.HasPrefix(first, "--"):
		default:
			if err := p.row(into, cells); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range slices.Concat(noStaff, []Role{RoleAdmin, RoleAuditor}) {
		if !slices.Contains(p.Roles, r) {
			return nil, fmt.Errorf("there is no column %q", r)
		}
	}
	return p, nil
}

// row reads one row of a table.
func (p *Permissions) row(into map[string][]Role, cells []string) error {
	name := strings.Trim(cells[0], "`")
	if len(cells) != len(p.Roles)+1 {
		return fmt.Errorf("%s has %d cells, accepted %d", name, len(cells), len(p.Roles)+1)
	}
	if _, twice := into[name]; twice {
		return fmt.Errorf("%s stands twice", name)
	}
	into[name] = []Role{}
	for i, cell := range cells[1:] {
		switch cell {
		case "yes":
			into[name] = append(into[name], p.Roles[i])
		case "":
		default:
			return fmt.Errorf("%s: %q for %s, accepted yes or nothing", name, cell, p.Roles[i])
		}
	}
	return nil
}

// Staff says whether a role is one of the staff.
func (p *Permissions) Staff(r Role) bool {
	return slices.Contains(p.Roles, r) && !slices.Contains(noStaff, r)
}

// StaffRoles lists the roles of the staff.
func (p *Permissions) StaffRoles() []Role {
	return slices.DeleteFunc(slices.Clone(p.Roles), func(r Role) bool { return slices.Contains(noStaff, r) })
}

// MaySee says whether a role may see a view.
func (p *Permissions) MaySee(r Role, view string) bool { return slices.Contains(p.Views[view], r) }

// anyStaff stands for every role of the staff: that of a member without an account, where the register takes bare accounts.
const anyStaff Role = "staff"

// allow refuses a command that the role of its principal may not do. Every command comes through here before it is planned.
func (r *Register) allow(b *batch, c *call) error {
	kind := c.req.Command.Kind()
	allowed, ok := Permitted.Commands[kind]
	if !ok {
		return fmt.Errorf("command %s has no row in docs/permissions.md", kind)
	}
	role, err := r.roleOf(b, c)
	if err != nil {
		return err
	}
	if slices.Contains(allowed, role) || role == anyStaff && slices.ContainsFunc(allowed, Permitted.Staff) {
		return nil
	}
	return NotPermitted(role, allowed)
}

// NotPermitted says who may do what a role may not.
func NotPermitted(role Role, allowed []Role) *Refusal {
	isStaff := role == anyStaff || Permitted.Staff(role)
	forPlayers, forStaff := slices.Contains(allowed, RolePlayer), slices.ContainsFunc(allowed, Permitted.Staff)
	switch {
	case isStaff && forPlayers && !forStaff:
		return refuse(Forbidden, "staff.plays", "", "members of the staff do not play")
	case slices.Contains(allowed, RoleProvider):
		return refuse(Forbidden, "principal.provider", "", "the payment provider alone does that")
	case len(allowed) == 1 && allowed[0] == RoleSystem:
		return refuse(Forbidden, "principal.system", "", "the system alone does that")
	case forPlayers && !isStaff:
		return refuse(Forbidden, "principal.player", "", "a player alone does that, for the own account")
	case forStaff && role == RoleSystem:
		return refuse(Forbidden, "principal.person", "", "a member of the staff does that, in person")
	case forStaff && !isStaff:
		return refuse(Forbidden, "principal.staff", "", "a member of the staff is needed")
	}
	return refuse(Forbidden, "role.forbidden", "", "the role %s may not do this; accepted: %s", role, joinRoles(allowed))
}

// CheckView refuses a role that may not see a view.
func CheckView(role Role, view string) error {
	if Permitted.MaySee(role, view) {
		return nil
	}
	return refuse(Forbidden, "role.forbidden", "", "the role %s may not do this; accepted: %s", role, joinRoles(Permitted.Views[view]))
}

func joinRoles(roles []Role) string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	return strings.Join(names, ", ")
}

// roleOf returns the role of the principal of a call: by the form of its name and, for staff and programs, by their row.
func (r *Register) roleOf(b *batch, c *call) (Role, error) {
	name := c.req.Principal
	switch kind, _, _ := strings.Cut(name, "/"); kind {
	case "player":
		return RolePlayer, nil
	case "visitor":
		return RoleVisitor, nil
	case "provider":
		return RoleProvider, nil
	case "system":
		return RoleSystem, nil
	case "staff":
		return r.staffRole(b, name)
	case "program":
		return r.programRole(b, name)
	}
	return "", refuse(Forbidden, "principal.unknown", "", "%.40q is no principal: accepted player/…, staff/…, program/…, provider/…, visitor and system", name)
}

func (r *Register) staffRole(b *batch, principal string) (Role, error) {
	k, _ := principalKey(principal)
	s, _ := b.view[k].(*Staff)
	switch {
	case s == nil && (r.cfg.AllowBare || r.cfg.AllowReconstructed):
		return anyStaff, nil
	case s == nil:
		return "", refuse(Forbidden, "staff.unknown", "", "there is no such member of the staff")
	case s.Ended != 0:
		return "", refuse(Forbidden, "staff.ended", "", "this account of the staff has ended")
	}
	return Role(s.Role), nil
}

func (r *Register) programRole(b *batch, principal string) (Role, error) {
	k, ok := principalKey(principal)
	t, _ := b.view[k].(*Program)
	switch {
	case !ok || t == nil:
		return "", refuse(Forbidden, "program.unknown", "", "there is no such program")
	case t.Revoked != 0:
		return "", refuse(Forbidden, "program.revoked", "", "the access of this program was revoked")
	}
	return Role(t.Role), nil
}

// principalKey returns the key of the row that says which role a principal has, if a row says so.
func principalKey(principal string) (Key, bool) {
	kind, name, _ := strings.Cut(principal, "/")
	switch kind {
	case "staff":
		return staffKey(name), true
	case "program":
		id, err := ParseProgramID(name)
		return programKey(id), err == nil
	}
	return Key{}, false
}

// Of lists what a role may do and see, sorted.
func (p *Permissions) Of(r Role) (commands, views []string) {
	pick := func(from map[string][]Role) []string {
		names := []string{}
		for name, roles := range from {
			if slices.Contains(roles, r) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	return pick(p.Commands), pick(p.Views)
}
