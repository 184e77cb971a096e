package site

import (
	"errors"
	"net/http"
	"net/url"

	"tirage/central"
	"tirage/identity"
	"tirage/web"
	"tirage/web/kit"
)

// form is what was typed, and what is wrong with it. What was typed stays, but for passwords.
type form struct {
	values url.Values
	field  string // that the refusal is about
	wrong  string
}

func (f form) get(name string) string { return f.values.Get(name) }

// error is what is wrong with a field.
func (f form) error(name string) string {
	if f.field == name {
		return f.wrong
	}
	return ""
}

// general is what is wrong with none of the fields that the page shows.
func (f form) general(fields ...string) string {
	for _, name := range fields {
		if f.field == name {
			return ""
		}
	}
	return f.wrong
}

// filled is the form of a request, refused or not; an error that is no refusal comes back.
func filled(v *kit.Visit, err error) (form, error) {
	if parsed := v.R.ParseForm(); parsed != nil {
		return form{}, parsed
	}
	f := form{values: v.R.Form}
	if err == nil {
		return f, nil
	}
	r := kit.Refused(err)
	if r == nil {
		return f, err
	}
	f.field, f.wrong = r.Field, v.Said(r)
	return f, nil
}

func (s *site) showLogin(v *kit.Visit) error {
	if v.Caller.Player != 0 {
		return v.Go(kit.Local(v.Form("next")))
	}
	f, err := filled(v, nil)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Se connecter", "Log in"), kit.NavAccount, "", "passkey.js"), loginPage(v, f))
}

func (s *site) login(v *kit.Visit) error {
	in, err := s.host.Desk.Login(v.Context(), v.Form("email"), v.R.FormValue("password"))
	if err != nil {
		f, err := filled(v, err)
		if err != nil {
			return err
		}
		return v.Status(http.StatusUnprocessableEntity).Show(page(v.T("Se connecter", "Log in"), kit.NavAccount, "", "passkey.js"), loginPage(v, f))
	}
	v.SetCookie(web.Cookie(in.Token, s.host.Secure()))
	return v.Go(v.Form("next"))
}

func (s *site) logout(v *kit.Visit) error {
	if v.Caller.Session != nil {
		if err := s.host.Desk.Logout(v.Context(), v.Caller.Token); err != nil {
			return err
		}
	}
	v.SetCookie(web.Cookie("", s.host.Secure()))
	return v.Go("/")
}

func (s *site) showRegister(v *kit.Visit) error {
	f, err := filled(v, nil)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Ouvrir un compte", "Open an account"), kit.NavAccount, ""), registerPage(v, f))
}

// register opens an account and a session: what comes next is the choice of limits.
func (s *site) register(v *kit.Visit) error {
	password := v.R.FormValue("password")
	_, err := s.host.Desk.SignUp(v.Context(), v.Form("key"), identity.Form{
		Given: v.Form("given"), Family: v.Form("family"), Birth: v.Form("birth"), Email: v.Form("email"), Password: password,
	})
	if err == nil {
		var in *identity.LoggedIn
		if in, err = s.host.Desk.Login(v.Context(), v.Form("email"), password); err == nil {
			v.SetCookie(web.Cookie(in.Token, s.host.Secure()))
			return v.Go("/account/limits?first=1")
		}
	}
	f, err := filled(v, err)
	if err != nil {
		return err
	}
	return v.Status(http.StatusUnprocessableEntity).Show(page(v.T("Ouvrir un compte", "Open an account"), kit.NavAccount, ""), registerPage(v, f))
}

// check is the reality check alone, for a page that is open when it falls due.
func (s *site) check(v *kit.Visit) error {
	switch {
	case !v.Fragment(): // the page shows it where it is due
		return v.Go("/account")
	case !v.Purse.Check.Open:
		return v.Write(nothing())
	}
	return v.Write(kit.CheckDialog(v))
}

// acknowledge notes that the reality check was read; whoever stops is logged out.
func (s *site) acknowledge(v *kit.Visit) error {
	_, err := s.host.Desk.Acknowledge(v.Context(), v.Form("key"), v.Caller.Player)
	var r *central.Refusal
	if err != nil && !(errors.As(err, &r) && r.Code == central.Conflict) { // read in another tab
		return err
	}
	if v.Form("choice") == "stop" {
		return s.logout(v)
	}
	return v.Go(v.Form("back"))
}
