package identity_test

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/internal/softkey"
	"tirage/store/mem"
)

const (
	domain = "loterie.example"
	origin = "https://loterie.example"
)

// newDevice is a device at the site.
func newDevice(t *testing.T) *softkey.Device { return softkey.New(t, domain, origin) }

func (o *office) passkeys() *identity.Passkeys {
	o.Helper()
	p, err := identity.NewPasskeys(o.Desk, o.Clock, domain, "Loterie", origin)
	if err != nil {
		o.Fatal(err)
	}
	return p
}

func add(p *identity.Passkeys, d *softkey.Device, player int64) error {
	id, options, err := p.BeginAdd(d.Context(), player)
	if err != nil {
		return err
	}
	return p.FinishAdd(d.Context(), player, id, "my phone", d.Create(options))
}

func use(p *identity.Passkeys, d *softkey.Device) (*identity.LoggedIn, error) {
	id, options, err := p.BeginLogin()
	if err != nil {
		return nil, err
	}
	return p.FinishLogin(d.Context(), id, d.Get(options))
}

func TestPasskeys(t *testing.T) {
	o := open(t, &mem.Store{})
	player, p := o.join(), o.passkeys()
	d := newDevice(t)
	if err := add(p, d, player); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		in, err := use(p, d)
		if err != nil || in.Player != player || !in.Play {
			t.Fatalf("%v, %v", in, err)
		}
		if s, err := o.Sessions.Check(t.Context(), in.Token); err != nil || s.Player != player {
			t.Errorf("%+v, %v", s, err)
		}
	}
	second := newDevice(t)
	if err := add(p, second, player); err != nil {
		t.Fatal(err)
	}
	if _, err := use(p, second); err != nil {
		t.Error(err)
	}
	// The ban list is asked as after a password.
	o.list.banned = true
	if in, err := use(p, d); err != nil || in.Play || in.Why.Reason != "player.banned" {
		t.Errorf("%v, %v", in, err)
	}
	o.list.banned = false
	// A passkey that was removed opens nothing, the other one still does.
	var first *central.Passkey
	snap, err := o.Desk.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	err = snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Passkeys, N: player}, Prefix: 1, Limit: 1}, func(r central.Row) error {
		first = r.(*central.Passkey)
		return nil
	})
	if err != nil || first.Name != "my phone" || first.Used == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	remove := central.RemovePasskey{Player: player, Passkey: first.ID}
	o.Why("principal.other", "player/999", remove)
	o.Do(central.PlayerPrincipal(player), remove)
	o.Why("passkey.unknown", central.PlayerPrincipal(player), remove)
	if _, err := use(p, d); reason(err) != "passkey.failed" {
		t.Errorf("a removed passkey: %v", err)
	}
	if _, err := use(p, second); err != nil {
		t.Error(err)
	}
}

// A ceremony counts once, in time, for its player, and for what the device has signed here and with its user.
func TestPasskeysRefuse(t *testing.T) {
	o := open(t, &mem.Store{})
	player, p := o.join(), o.passkeys()
	d := newDevice(t)
	if err := add(p, d, player); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(d *softkey.Device){
		"another origin":  func(d *softkey.Device) { d.Origin = "https://loterie.example.net" },
		"another domain":  func(d *softkey.Device) { d.Domain = "example.net" },
		"nobody there":    func(d *softkey.Device) { d.Flags = 0 },
		"user unverified": func(d *softkey.Device) { d.Flags = softkey.Present },
	} {
		bad := newDevice(t)
		spoil(bad)
		if err := add(p, bad, player); reason(err) != "passkey.failed" {
			t.Errorf("add, %s: %v", name, err)
		}
		worse := *d
		spoil(&worse)
		if _, err := use(p, &worse); reason(err) != "passkey.failed" {
			t.Errorf("use, %s: %v", name, err)
		}
	}
	stranger := newDevice(t)
	stranger.Handle = d.Handle
	if _, err := use(p, stranger); reason(err) != "passkey.failed" {
		t.Errorf("a key that was never added: %v", err)
	}
	impostor := *d
	impostor.Key = stranger.Key
	if _, err := use(p, &impostor); reason(err) != "passkey.failed" {
		t.Errorf("another key under the same id: %v", err)
	}
	for _, handle := range [][]byte{nil, []byte("x"), make([]byte, 8), binary.BigEndian.AppendUint64(nil, uint64(player+1))} {
		lost := *d
		lost.Handle = base64.RawURLEncoding.EncodeToString(handle)
		if _, err := use(p, &lost); reason(err) != "passkey.failed" {
			t.Errorf("handle %x: %v", handle, err)
		}
	}
	// A copy of the device counts its signatures from where it was made.
	clone := *d
	d.Count += 10
	if _, err := use(p, d); err != nil {
		t.Fatal(err)
	}
	if _, err := use(p, &clone); reason(err) != "passkey.failed" {
		t.Errorf("a copy: %v", err)
	}
	// Answers that come twice, late, to another ceremony, for another player, or are none.
	id, options, err := p.BeginLogin()
	if err != nil {
		t.Fatal(err)
	}
	answer := d.Get(options)
	if _, err := p.FinishLogin(t.Context(), id, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := p.FinishLogin(t.Context(), id, answer); reason(err) != "passkey.failed" {
		t.Errorf("twice: %v", err)
	}
	if id, _, err = p.BeginLogin(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.FinishLogin(t.Context(), id, answer); reason(err) != "passkey.failed" {
		t.Errorf("an answer to another ceremony: %v", err)
	}
	if id, options, err = p.BeginLogin(); err != nil {
		t.Fatal(err)
	}
	o.Clock.Set(o.Clock.Now().Add(5 * time.Minute))
	if _, err := p.FinishLogin(t.Context(), id, d.Get(options)); reason(err) != "passkey.failed" {
		t.Errorf("late: %v", err)
	}
	for _, junk := range []string{"", "{}", "[]", "\x00", strings.Repeat("x", 70_000)} {
		if id, _, err = p.BeginLogin(); err != nil {
			t.Fatal(err)
		}
		if _, err := p.FinishLogin(t.Context(), id, []byte(junk)); reason(err) != "passkey.failed" {
			t.Errorf("%.20q: %v", junk, err)
		}
		if id, _, err = p.BeginAdd(t.Context(), player); err != nil {
			t.Fatal(err)
		}
		if err := p.FinishAdd(t.Context(), player, id, "x", []byte(junk)); reason(err) != "passkey.failed" {
			t.Errorf("%.20q: %v", junk, err)
		}
	}
	id, options, err = p.BeginAdd(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.FinishAdd(t.Context(), player+1, id, "x", newDevice(t).Create(options)); reason(err) != "passkey.failed" {
		t.Errorf("for another player: %v", err)
	}
	if _, _, err := p.BeginAdd(t.Context(), 999); reason(err) != "passkey.failed" {
		t.Errorf("for nobody: %v", err)
	}
}

func TestPasskeyCommandsRefuse(t *testing.T) {
	o := open(t, &mem.Store{})
	player := o.join()
	good := central.AddPasskey{Player: player, Name: "phone", Record: []byte("{}")}
	o.Why("principal.system", central.PlayerPrincipal(player), good)
	for want, change := range map[string]func(c *central.AddPasskey){
		"player.unknown": func(c *central.AddPasskey) { c.Player = 999 },
		"passkey.name":   func(c *central.AddPasskey) { c.Name = " " },
		"passkey.record": func(c *central.AddPasskey) { c.Record = nil },
		"passkey.many":   func(c *central.AddPasskey) { c.Had = 50 },
	} {
		c := good
		change(&c)
		o.Why(want, "system", c)
	}
	open := o.Session(player, false)
	open.Passkey = 12345
	o.Why("passkey.unknown", "system", open)
}
