package central

import (
	"regexp"
	"strings"
	"time"
)

// Staff is the account of a member of the staff. Its password stands in a [Credential], its sessions in [Session], under the number of the account, as
// those of a player do; it has no balance, and no player has its number.
type Staff struct {
	Name  string
	ID    int64
	Role  string
	Made  int64 // microseconds
	Ended int64 // microseconds; 0: in use
}

func (*Staff) Table() TableID  { return StaffRows }
func (r *Staff) Fields() []any { return []any{&r.Name, &r.ID, &r.Role, &r.Made, &r.Ended} }

func staffKey(name string) Key { return Key{Table: StaffRows, S: name} }

// staffPrefix begins the principals of the operator's staff.
const staffPrefix = "staff/"

// StaffPrincipal is the principal of a member of the staff.
func StaffPrincipal(name string) string { return staffPrefix + name }

// StaffLogin names a member of the staff where attempts to log in are counted. No address of a player has it: there is no @ in it.
func StaffLogin(name string) string { return LoginName(StaffPrincipal(name)) }

var staffName = regexp.MustCompile(`^[a-z][a-z0-9.-]{0,39}$`)

// StaffChanged is the result of the commands on an account of the staff.
type StaffChanged struct {
	Name   string `json:"name"`
	Role   string `json:"role"`
	Before string `json:"before,omitempty"` // the role before
}

// AddStaff opens an account of the staff. The result is a [StaffChanged].
type AddStaff struct {
	Name     string `json:"name"`
	Role     string `json:"role"`
	Password Hidden `json:"password"` // PHC string of Argon2id, made where the password was typed
}

func (AddStaff) Kind() string  { return "add_staff" }
func (c AddStaff) Keys() []Key { return []Key{staffKey(c.Name), loginKey(StaffLogin(c.Name))} }

func (c AddStaff) Plan(p *Plan) (any, error) {
	if !staffName.MatchString(c.Name) {
		return nil, refuse(Invalid, "staff.name", "name", "accepted 1 to 40 small letters, digits, dots and hyphens, a letter first")
	}
	if err := checkStaffRole(c.Role); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(c.Password), "$argon2id$") {
		return nil, refuse(Invalid, "account.password", "password", "the hash of a password is needed")
	}
	if get[Staff](p, staffKey(c.Name)) != nil {
		return nil, refuse(Conflict, "staff.exists", "name", "a member of the staff has this name already, or had it")
	}
	s := &Staff{Name: c.Name, ID: p.ID(), Role: c.Role, Made: p.Now.UnixMicro()}
	if l := edit[Login](p, loginKey(StaffLogin(c.Name))); l != nil {
		l.Player = s.ID
	} else {
		p.insert(&Login{Name: StaffLogin(c.Name), Player: s.ID})
	}
	p.insert(s)
	p.insert(&Credential{Player: s.ID, Version: 1, Password: string(c.Password)})
	return StaffChanged{Name: s.Name, Role: s.Role}, nil
}

func checkStaffRole(role string) error {
	if !Permitted.Staff(Role(role)) {
		return refuse(Invalid, "staff.role", "role", "accepted: %s", joinRoles(Permitted.StaffRoles()))
	}
	return nil
}

// SetStaffRole gives a member of the staff another role. The result is a [StaffChanged].
type SetStaffRole struct {
	Name string `json:"name"`
	Role string `json:"role"`
	Why  string `json:"why"`
}

func (SetStaffRole) Kind() string  { return "set_staff_role" }
func (c SetStaffRole) Keys() []Key { return []Key{staffKey(c.Name)} }

func (c SetStaffRole) Plan(p *Plan) (any, error) {
	if err := checkStaffRole(c.Role); err != nil {
		return nil, err
	}
	s, err := p.member(c.Name, c.Why)
	if err != nil {
		return nil, err
	}
	out := StaffChanged{Name: s.Name, Role: c.Role, Before: s.Role}
	s.Role = c.Role
	return out, nil
}

// EndStaff ends an account of the staff and its sessions, for good: the log names it. The result is a [StaffChanged].
type EndStaff struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

func (EndStaff) Kind() string  { return "end_staff" }
func (c EndStaff) Keys() []Key { return []Key{staffKey(c.Name)} }

func (c EndStaff) Plan(p *Plan) (any, error) {
	s, err := p.member(c.Name, c.Why)
	if err != nil {
		return nil, err
	}
	s.Ended = p.Now.UnixMicro()
	if _, err := p.newCredential(s.ID, nil); err != nil {
		return nil, err
	}
	return StaffChanged{Name: s.Name, Before: s.Role}, nil
}

// ResetStaffPassword gives a member of the staff who has lost the password a new one, and ends all sessions of the account. The result is a
// [StaffChanged].
type ResetStaffPassword struct {
	Name     string `json:"name"`
	Why      string `json:"why"`
	Password Hidden `json:"password"` // PHC string of Argon2id
}

func (ResetStaffPassword) Kind() string  { return "reset_staff_password" }
func (c ResetStaffPassword) Keys() []Key { return []Key{staffKey(c.Name)} }

func (c ResetStaffPassword) Plan(p *Plan) (any, error) {
	if !strings.HasPrefix(string(c.Password), "$argon2id$") {
		return nil, refuse(Invalid, "account.password", "password", "the hash of a password is needed")
	}
	s, err := p.member(c.Name, c.Why)
	if err != nil {
		return nil, err
	}
	_, err = p.newCredential(s.ID, func(cred *Credential) error {
		cred.Password = string(c.Password)
		return nil
	})
	return StaffChanged{Name: s.Name, Role: s.Role}, err
}

// member returns an account of the staff in use, for a change by somebody else: nobody gives themselves a role, and one admin is always left.
func (p *Plan) member(name, why string) (*Staff, error) {
	if why = strings.TrimSpace(why); why == "" || len(why) > whyMax || !storable(why) {
		return nil, refuse(Invalid, "staff.why", "why", "say why, in at most %d bytes", whyMax)
	}
	if p.Principal == StaffPrincipal(name) {
		return nil, refuse(Forbidden, "staff.self", "name", "nobody changes their own account of the staff")
	}
	s := edit[Staff](p, staffKey(name))
	switch {
	case s == nil:
		return nil, refuse(NotFound, "staff.none", "name", "there is no member of the staff of this name")
	case s.Ended != 0:
		return nil, refuse(Conflict, "staff.over", "name", "this account of the staff has ended")
	}
	p.Need(credentialKey(s.ID))
	return s, nil
}

// OpenStaffSession opens a session for a member of the staff whose password was checked against a version of the credential. The result is a
// [SessionOpened], never for play.
type OpenStaffSession struct {
	Name       string `json:"name"`
	Credential int64  `json:"credential"` // version that was checked
	Hash       []byte `json:"hash"`       // SHA-256 of the secret in the token
}

func (OpenStaffSession) Kind() string    { return "open_staff_session" }
func (c OpenStaffSession) Keys() []Key   { return []Key{loginKey(StaffLogin(c.Name))} }
func (c OpenStaffSession) Shared() []Key { return []Key{staffKey(c.Name)} }

func (c OpenStaffSession) Plan(p *Plan) (any, error) {
	s, l := get[Staff](p, staffKey(c.Name)), edit[Login](p, loginKey(StaffLogin(c.Name)))
	if s == nil || l == nil || l.Player != s.ID {
		return nil, refuse(NotFound, "staff.none", "name", "there is no member of the staff of this name")
	}
	if s.Ended != 0 {
		return nil, refuse(Forbidden, "staff.ended", "", "this account of the staff has ended")
	}
	cred := get[Credential](p, credentialKey(s.ID))
	if cred == nil || cred.Version != c.Credential {
		return nil, refuse(Conflict, "session.credential", "", "the password has been changed meanwhile: log in again")
	}
	if err := checkSessionHash(c.Hash); err != nil {
		return nil, err
	}
	l.Tries, l.Until = 0, 0
	session := &Session{Player: s.ID, ID: p.ID(), Hash: c.Hash, Version: cred.Version, Opened: p.Now.UnixMicro()}
	p.insert(session)
	return SessionOpened{Session: session.ID}, nil
}

// StaffView is a member of the staff as the staff sees it.
type StaffView struct {
	Name  string     `json:"name"`
	Role  string     `json:"role"`
	Made  time.Time  `json:"made"`
	Ended *time.Time `json:"ended,omitempty"`
}

// View returns what the staff sees of an account.
func (r *Staff) View() StaffView {
	return StaffView{r.Name, r.Role, time.UnixMicro(r.Made).UTC(), instantOrNil(r.Ended)}
}

// instantOrNil returns an instant in microseconds, nil for zero.
func instantOrNil(micro int64) *time.Time {
	if micro == 0 {
		return nil
	}
	t := time.UnixMicro(micro).UTC()
	return &t
}
