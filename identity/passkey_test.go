package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/store/mem"
)

const (
	domain = "loterie.example"
	origin = "https://loterie.example"
)

// device is a virtual authenticator with one ES256 key.
type device struct {
	*testing.T
	key    *ecdsa.PrivateKey
	id     []byte
	handle string // of the user, base64url
	count  uint32
	// What it does otherwise than it should.
	origin, domain string
	flags          byte
}

const (
	present  = 1 << 0
	verified = 1 << 2
	attested = 1 << 6
)

func newDevice(t *testing.T) *device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return &device{T: t, key: key, id: id, origin: origin, domain: domain, flags: present | verified}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data is the authenticator data without the key.
func (d *device) data(flags byte) []byte {
	d.count++
	hash := sha256.Sum256([]byte(d.domain))
	return binary.BigEndian.AppendUint32(append(hash[:], flags), d.count)
}

func (d *device) client(typ, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, typ, challenge, d.origin)
}

// create answers what navigator.credentials.create is given.
func (d *device) create(options []byte) []byte {
	var o struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
	if err := json.Unmarshal(options, &o); err != nil || o.PublicKey.User.ID == "" {
		d.Fatalf("%s: %v", options, err)
	}
	d.handle = o.PublicKey.User.ID
	data := d.data(d.flags | attested)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(d.id))), d.id...)
	// COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}
	point, err := d.key.PublicKey.Bytes()
	if err != nil {
		d.Fatal(err)
	}
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32)
	data = append(data, point[1:33]...)
	data = append(data, 0x22, 0x58, 32)
	data = append(data, point[33:]...)
	// Attestation object {"fmt": "none", "attStmt": {}, "authData": data}
	object := []byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59")
	object = append(binary.BigEndian.AppendUint16(object, uint16(len(data))), data...)
	return d.response(map[string]string{"clientDataJSON": b64(d.client("webauthn.create", o.PublicKey.Challenge)), "attestationObject": b64(object)})
}

// get answers what navigator.credentials.get is given.
func (d *device) get(options []byte) []byte {
	var o struct{ PublicKey struct{ Challenge string } }
	if err := json.Unmarshal(options, &o); err != nil {
		d.Fatal(err)
	}
	data, client := d.data(d.flags), d.client("webauthn.get", o.PublicKey.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte(nil), data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	if err != nil {
		d.Fatal(err)
	}
	return d.response(map[string]string{
		"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": d.handle,
	})
}

func (d *device) response(response map[string]string) []byte {
	b, err := json.Marshal(map[string]any{"id": b64(d.id), "rawId": b64(d.id), "type": "public-key", "response": response})
	if err != nil {
		d.Fatal(err)
	}
	return b
}

func (o *office) passkeys() *identity.Passkeys {
	o.Helper()
	p, err := identity.NewPasskeys(o.Desk, o.Clock, domain, "Loterie", origin)
	if err != nil {
		o.Fatal(err)
	}
	return p
}

func add(p *identity.Passkeys, d *device, player int64) error {
	id, options, err := p.BeginAdd(d.Context(), player)
	if err != nil {
		return err
	}
	return p.FinishAdd(d.Context(), player, id, "my phone", d.create(options))
}

func use(p *identity.Passkeys, d *device) (*identity.LoggedIn, error) {
	id, options, err := p.BeginLogin()
	if err != nil {
		return nil, err
	}
	return p.FinishLogin(d.Context(), id, d.get(options))
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
	for name, spoil := range map[string]func(d *device){
		"another origin":  func(d *device) { d.origin = "https://loterie.example.net" },
		"another domain":  func(d *device) { d.domain = "example.net" },
		"nobody there":    func(d *device) { d.flags = 0 },
		"user unverified": func(d *device) { d.flags = present },
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
	stranger.handle = d.handle
	if _, err := use(p, stranger); reason(err) != "passkey.failed" {
		t.Errorf("a key that was never added: %v", err)
	}
	impostor := *d
	impostor.key = stranger.key
	if _, err := use(p, &impostor); reason(err) != "passkey.failed" {
		t.Errorf("another key under the same id: %v", err)
	}
	for _, handle := range []string{"", b64([]byte("x")), b64(make([]byte, 8)), b64(binary.BigEndian.AppendUint64(nil, uint64(player+1)))} {
		lost := *d
		lost.handle = handle
		if _, err := use(p, &lost); reason(err) != "passkey.failed" {
			t.Errorf("handle %q: %v", handle, err)
		}
	}
	// A copy of the device counts its signatures from where it was made.
	clone := *d
	d.count += 10
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
	answer := d.get(options)
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
	if _, err := p.FinishLogin(t.Context(), id, d.get(options)); reason(err) != "passkey.failed" {
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
	if err := p.FinishAdd(t.Context(), player+1, id, "x", newDevice(t).create(options)); reason(err) != "passkey.failed" {
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
