// Package softkey is an authenticator in software, for tests of passkeys (WebAuthn): it answers what a page hands to navigator.credentials as a device would,
// with a key of its own and without attestation.
//
//	d := softkey.New(t, "loterie.example", "https://loterie.example")
//	response := d.Create(options) // the answer to navigator.credentials.create
//	response = d.Get(options)     // the answer to navigator.credentials.get
package softkey

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"
)

// Device is an authenticator with one ES256 key.
type Device struct {
	testing.TB
	Key    *ecdsa.PrivateKey
	id     []byte
	Handle string // of the user, base64url
	Count  uint32 // signatures so far
	// What tests make it do otherwise than it should.
	Origin, Domain string
	Flags          byte
}

// Flags of what a device has found out about its user.
const (
	Present  = 1 << 0
	Verified = 1 << 2

	attested = 1 << 6
)

// New makes a device that is asked by the pages of an origin, for a domain.
func New(t testing.TB, domain, origin string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return &Device{TB: t, Key: key, id: id, Origin: origin, Domain: domain, Flags: Present | Verified}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data is the authenticator data without the key.
func (d *Device) data(flags byte) []byte {
	d.Count++
	hash := sha256.Sum256([]byte(d.Domain))
	return binary.BigEndian.AppendUint32(append(hash[:], flags), d.Count)
}

func (d *Device) client(typ, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, typ, challenge, d.Origin)
}

// Create answers what navigator.credentials.create is given.
func (d *Device) Create(options []byte) []byte {
	var o struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
	if err := json.Unmarshal(options, &o); err != nil || o.PublicKey.User.ID == "" {
		d.Fatalf("%s: %v", options, err)
	}
	d.Handle = o.PublicKey.User.ID
	data := d.data(d.Flags | attested)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(d.id))), d.id...)
	// COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}
	point, err := d.Key.PublicKey.Bytes()
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

// Get answers what navigator.credentials.get is given.
func (d *Device) Get(options []byte) []byte {
	var o struct{ PublicKey struct{ Challenge string } }
	if err := json.Unmarshal(options, &o); err != nil {
		d.Fatal(err)
	}
	data, client := d.data(d.Flags), d.client("webauthn.get", o.PublicKey.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte(nil), data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.Key, digest[:])
	if err != nil {
		d.Fatal(err)
	}
	return d.response(map[string]string{
		"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": d.Handle,
	})
}

func (d *Device) response(response map[string]string) []byte {
	b, err := json.Marshal(map[string]any{"id": b64(d.id), "rawId": b64(d.id), "type": "public-key", "response": response})
	if err != nil {
		d.Fatal(err)
	}
	return b
}
