package api

import (
	"context"
	"net/http"

	"tirage/central"
)

// StaffLoginBody is what a member of the staff logs in with.
type StaffLoginBody struct {
	Name     string `json:"name" maxLength:"40"`
	Password string `json:"password" maxLength:"256"`
}

// StaffMe is the account of the staff that asks, and what its role may do.
type StaffMe struct {
	Name     string       `json:"name"`
	Role     central.Role `json:"role"`
	Commands []string     `json:"commands"`
	Views    []string     `json:"views"`
}

// HireBody opens an account of the staff.
type HireBody struct {
	Name     string `json:"name" maxLength:"40"`
	Role     string `json:"role" maxLength:"40"`
	Password string `json:"password" maxLength:"256"`
}

// WhyBody says why.
type WhyBody struct {
	Why string `json:"why" minLength:"1" maxLength:"500"`
}

// NamePath names a member of the staff.
type NamePath struct {
	Name string `path:"name" maxLength:"40"`
}

// ProgramGiven is the access of a program with its token, which is told this once.
type ProgramGiven struct {
	central.ProgramChanged
	Token string `json:"token"`
}

func (a *API) addStaff() {
	addLogin(a, Route{Method: http.MethodPost, Path: "/staff/sessions", ID: "staff-login", Tag: "staff", Summary: "Log in as a member of the staff", Public: true, Status: 201}, a.staffLogin)
	add(a, Route{Method: http.MethodGet, Path: "/staff/me", ID: "staff-me", Tag: "staff", Summary: "The account that asks, and what its role may do", Public: true}, a.staffMe)
	add(a, Route{Method: http.MethodGet, Path: "/staff/accounts", ID: "staff-accounts", Tag: "staff", Summary: "Accounts of the staff", View: "staff"}, a.staffAccounts)
	add(a, Route{Method: http.MethodPost, Path: "/staff/accounts", ID: "add-staff", Tag: "staff", Summary: "Open an account of the staff", Command: "add_staff", Status: 201}, a.hire)
	add(a, Route{Method: http.MethodPut, Path: "/staff/accounts/{name}/role", ID: "set-staff-role", Tag: "staff", Summary: "Give another role", Command: "set_staff_role"}, a.setRole)
	add(a, Route{Method: http.MethodPost, Path: "/staff/accounts/{name}/password", ID: "reset-staff-password", Tag: "staff", Summary: "Give a new password", Command: "reset_staff_password"}, a.resetStaff)
	add(a, Route{Method: http.MethodPost, Path: "/staff/accounts/{name}/end", ID: "end-staff", Tag: "staff", Summary: "End an account of the staff", Command: "end_staff"}, a.endStaff)
	add(a, Route{Method: http.MethodGet, Path: "/staff/programs", ID: "programs", Tag: "staff", Summary: "Programs that have access", View: "staff"}, a.programs)
	add(a, Route{Method: http.MethodPost, Path: "/staff/programs", ID: "add-program", Tag: "staff", Summary: "Give a program access; its token is told this once", Command: "add_program", Status: 201}, a.addProgram)
	add(a, Route{Method: http.MethodPost, Path: "/staff/programs/{program}/revoke", ID: "revoke-program", Tag: "staff", Summary: "End the access of a program", Command: "revoke_program"}, a.revokeProgram)
}

func (a *API) staffLogin(ctx context.Context, _ *Caller, in *sized[StaffLoginBody]) (*LoggedIn, string, error) {
	session, err := a.Desk.LoginStaff(ctx, in.Body.Name, in.Body.Password)
	if err != nil {
		return nil, "", err
	}
	return &LoggedIn{Staff: session.Name, Session: central.PlayID(session.Session), Token: session.Token}, session.Token, nil
}

func (a *API) staffMe(_ context.Context, who *Caller, _ *nothing) (*StaffMe, error) {
	if !central.Permitted.Staff(who.Role) {
		return nil, errLogin
	}
	commands, views := central.Permitted.Of(who.Role)
	return &StaffMe{who.Name, who.Role, commands, views}, nil
}

func (a *API) staffAccounts(ctx context.Context, _ *Caller, _ *nothing) (*List[central.StaffView], error) {
	var views []central.StaffView
	err := a.view(ctx, func(snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.StaffRows}}, func(r central.Row) error {
			views = append(views, r.(*central.Staff).View())
			return nil
		})
	})
	return list(views), err
}

func (a *API) hire(ctx context.Context, who *Caller, in *sized[HireBody]) (*central.StaffChanged, error) {
	receipt, err := a.Desk.Hire(ctx, who.Principal, key(ctx), in.Body.Name, in.Body.Role, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return result[central.StaffChanged](receipt)
}

func (a *API) setRole(ctx context.Context, who *Caller, in *struct {
	NamePath
	Body struct {
		Role string `json:"role" maxLength:"40"`
		WhyBody
	}
}) (*central.StaffChanged, error) {
	return do[central.StaffChanged](ctx, a, who, central.SetStaffRole{Name: in.Name, Role: in.Body.Role, Why: in.Body.Why})
}

func (a *API) resetStaff(ctx context.Context, who *Caller, in *struct {
	NamePath
	Body struct {
		Password string `json:"password" maxLength:"256"`
		WhyBody
	}
}) (*central.StaffChanged, error) {
	receipt, err := a.Desk.ResetStaff(ctx, who.Principal, key(ctx), in.Name, in.Body.Why, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return result[central.StaffChanged](receipt)
}

func (a *API) endStaff(ctx context.Context, who *Caller, in *struct {
	NamePath
	Body WhyBody
}) (*central.StaffChanged, error) {
	return do[central.StaffChanged](ctx, a, who, central.EndStaff{Name: in.Name, Why: in.Body.Why})
}

func (a *API) programs(ctx context.Context, _ *Caller, _ *nothing) (*List[central.ProgramView], error) {
	var views []central.ProgramView
	err := a.view(ctx, func(snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Programs}}, func(r central.Row) error {
			views = append(views, r.(*central.Program).View())
			return nil
		})
	})
	return list(views), err
}

func (a *API) addProgram(ctx context.Context, who *Caller, in *sized[struct {
	Name string `json:"name" maxLength:"100"`
	Role string `json:"role" maxLength:"40"`
}]) (*ProgramGiven, error) {
	made, token, err := a.Desk.AddProgram(ctx, who.Principal, in.Body.Name, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return &ProgramGiven{*made, token}, nil
}

func (a *API) revokeProgram(ctx context.Context, who *Caller, in *struct {
	Program string `path:"program" maxLength:"40"`
	Body    WhyBody
}) (*central.ProgramChanged, error) {
	return do[central.ProgramChanged](ctx, a, who, central.RevokeProgram{Program: in.Program, Why: in.Body.Why})
}
