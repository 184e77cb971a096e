package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tirage/internal/softkey"
	"tirage/web/api"
)

// ceremony is what a browser sends back for the device.
func ceremony(c *api.Ceremony, response []byte, name string) map[string]any {
	body := map[string]any{"ceremony": c.Ceremony, "response": json.RawMessage(response)}
	if name != "" {
		body["name"] = name
	}
	return body
}

// A device is registered by its player, logs in without a password, and no longer once it is removed; each answer of a device counts once.
func TestPasskeysOverHTTP(t *testing.T) {
	o := open(t)
	player, token := o.join("zoe", 1000)
	d := softkey.New(t, "localhost", "http://localhost")
	begun := must[api.Ceremony](o, "POST", "/me/passkeys/options", token, "", nil)
	made := ceremony(begun, d.Create(begun.Options), "my phone")
	must[map[string]any](o, "POST", "/me/passkeys", token, "", made)
	if a := o.ask("POST", "/me/passkeys", token, "", made); a.status != 401 || a.problem(t).Reason != "passkey.failed" {
		t.Errorf("the same answer again: %d %s", a.status, a.body)
	}
	keys := must[api.List[api.PasskeyView]](o, "GET", "/me/passkeys", token, "", nil).Items
	if len(keys) != 1 || keys[0].Name != "my phone" || keys[0].Used != nil {
		t.Fatalf("%+v", keys)
	}
	begun = must[api.Ceremony](o, "POST", "/sessions/passkey/options", "", "", nil)
	answer := ceremony(begun, d.Get(begun.Options), "")
	a := o.ask("POST", "/sessions/passkey", "", "", answer)
	var in api.LoggedIn
	if err := json.Unmarshal(a.body, &in); err != nil || a.status != 201 || in.Player != player || !in.Play || !strings.Contains(a.header.Get("Set-Cookie"), "HttpOnly") {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if me := must[api.Account](o, "GET", "/me", in.Token, "", nil); me.Balance != 1000 {
		t.Errorf("%+v", me)
	}
	if a := o.ask("POST", "/sessions/passkey", "", "", answer); a.status != 401 || a.problem(t).Reason != "passkey.failed" {
		t.Errorf("the same answer again: %d %s", a.status, a.body)
	}
	stranger := softkey.New(t, "localhost", "http://localhost")
	stranger.Handle = d.Handle
	begun = must[api.Ceremony](o, "POST", "/sessions/passkey/options", "", "", nil)
	if a := o.ask("POST", "/sessions/passkey", "", "", ceremony(begun, stranger.Get(begun.Options), "")); a.status != 401 {
		t.Errorf("another device: %d %s", a.status, a.body)
	}
	if keys = must[api.List[api.PasskeyView]](o, "GET", "/me/passkeys", token, "", nil).Items; keys[0].Used == nil {
		t.Errorf("%+v", keys)
	}
	other := friend(o, "max", 100)
	if a := o.ask("DELETE", "/me/passkeys/"+keys[0].Passkey, other, "", nil); a.status != 404 {
		t.Errorf("removed by another player: %d %s", a.status, a.body)
	}
	must[map[string]any](o, "DELETE", "/me/passkeys/"+keys[0].Passkey, token, "", nil)
	begun = must[api.Ceremony](o, "POST", "/sessions/passkey/options", "", "", nil)
	if a := o.ask("POST", "/sessions/passkey", "", "", ceremony(begun, d.Get(begun.Options), "")); a.status != 401 {
		t.Errorf("a removed device: %d %s", a.status, a.body)
	}
	o.CheckBooks()
}
