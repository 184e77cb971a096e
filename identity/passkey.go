package identity

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"tirage/central"
)

const (
	// ceremonyFor is how long a ceremony may take between its two halves.
	ceremonyFor = 5 * time.Minute
	// ceremoniesMax bounds the ceremonies that wait for their second half.
	ceremoniesMax = 10_000
	// responseMax bounds the answer of a device, in bytes.
	responseMax = 64 << 10
)

// Passkeys registers and checks passkeys (WebAuthn). A login names nobody: the device says whose key it is, and only that player's keys are looked at. The
// device must have recognised its user (PIN, finger, face). The first half of a ceremony is kept in memory: both halves go to the same node.
type Passkeys struct {
	desk  *Desk
	web   *webauthn.WebAuthn
	clock central.Clock

	mu      sync.Mutex
	waiting map[string]ceremony
}

type ceremony struct {
	player  int64 // 0 for a login
	session webauthn.SessionData
	until   time.Time
}

// NewPasskeys returns the passkeys of a site: its domain, its name as devices show it, and the origins of its pages.
func NewPasskeys(desk *Desk, clock central.Clock, domain, name string, origins ...string) (*Passkeys, error) {
	web, err := webauthn.New(&webauthn.Config{RPID: domain, RPDisplayName: name, RPOrigins: origins})
	if err != nil {
		return nil, fmt.Errorf("passkeys of %s: %w", domain, err)
	}
	return &Passkeys{desk: desk, web: web, clock: clock, waiting: map[string]ceremony{}}, nil
}

// BeginAdd begins to add a passkey to a player's account: options is what navigator.credentials.create takes, as JSON.
func (p *Passkeys) BeginAdd(ctx context.Context, player int64) (id string, options []byte, err error) {
	holder, err := p.holder(ctx, player)
	if err != nil {
		return "", nil, err
	}
	var have []protocol.CredentialDescriptor
	for _, c := range holder.credentials {
		have = append(have, c.Descriptor())
	}
	creation, session, err := p.web.BeginRegistration(holder, webauthn.WithExclusions(have), webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
		ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
	}))
	if err != nil {
		return "", nil, fmt.Errorf("passkey of player %d: %w", player, err)
	}
	return p.wait(player, session, creation)
}

// FinishAdd adds the passkey that a device has made, under the player's name for it.
func (p *Passkeys) FinishAdd(ctx context.Context, player int64, id, name string, response []byte) error {
	c, ok := p.take(id)
	if !ok || c.player != player || len(response) > responseMax {
		return central.WrongPasskey()
	}
	holder, err := p.holder(ctx, player)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return central.WrongPasskey()
	}
	made, err := p.web.CreateCredential(holder, c.session, parsed)
	if err != nil {
		return central.WrongPasskey()
	}
	record, err := json.Marshal(made)
	if err != nil {
		return err
	}
	_, err = p.desk.do(ctx, central.AddPasskey{Player: player, Name: name, Record: record, Had: holder.had})
	return err
}

// BeginLogin begins a login: options is what navigator.credentials.get takes, as JSON.
func (p *Passkeys) BeginLogin() (id string, options []byte, err error) {
	assertion, session, err := p.web.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return "", nil, fmt.Errorf("login by passkey: %w", err)
	}
	return p.wait(0, session, assertion)
}

// FinishLogin opens a session for the player whose passkey a device has used.
func (p *Passkeys) FinishLogin(ctx context.Context, id string, response []byte) (*LoggedIn, error) {
	c, ok := p.take(id)
	if !ok || c.player != 0 || len(response) > responseMax {
		return nil, central.WrongPasskey()
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return nil, central.WrongPasskey()
	}
	var holder *holder
	find := func(_, handle []byte) (webauthn.User, error) {
		if len(handle) != 8 {
			return nil, errHandle
		}
		h, err := p.holder(ctx, int64(binary.BigEndian.Uint64(handle)))
		holder = h
		return h, err
	}
	_, used, err := p.web.ValidatePasskeyLogin(find, c.session, parsed)
	if err != nil || used.Authenticator.CloneWarning {
		return nil, central.WrongPasskey()
	}
	record, err := json.Marshal(used)
	if err != nil {
		return nil, err
	}
	return p.desk.open(ctx, holder.credential, "", passkeyUse{holder.ids[string(used.ID)], record})
}

var errHandle = errors.New("the user handle is not that of a player")

// passkeyUse is a passkey that was used, and its record after that.
type passkeyUse struct {
	id     int64
	record []byte
}

// wait keeps the first half of a ceremony.
func (p *Passkeys) wait(player int64, session *webauthn.SessionData, options any) (string, []byte, error) {
	b, err := json.Marshal(options)
	if err != nil {
		return "", nil, err
	}
	id := rand.Text()
	now := p.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) >= ceremoniesMax {
		for k, c := range p.waiting {
			if !now.Before(c.until) {
				delete(p.waiting, k)
			}
		}
		if len(p.waiting) >= ceremoniesMax {
			return "", nil, fmt.Errorf("%d ceremonies are waiting already", ceremoniesMax)
		}
	}
	p.waiting[id] = ceremony{player, *session, now.Add(ceremonyFor)}
	return id, b, nil
}

// take returns the first half of a ceremony, once.
func (p *Passkeys) take(id string) (ceremony, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.waiting[id]
	delete(p.waiting, id)
	return c, ok && p.clock.Now().Before(c.until)
}

// holder is a player with the passkeys in use, as the library asks for them.
type holder struct {
	person      *central.Person
	credential  *central.Credential
	credentials []webauthn.Credential
	ids         map[string]int64 // by credential id
	had         int64            // passkeys, removed ones included
}

func (h *holder) WebAuthnID() []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(h.person.Player))
}
func (h *holder) WebAuthnName() string                       { return h.person.Email }
func (h *holder) WebAuthnDisplayName() string                { return h.person.Given + " " + h.person.Family }
func (h *holder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// holder reads a player.
func (p *Passkeys) holder(ctx context.Context, player int64) (*holder, error) {
	snap, err := p.desk.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	h := &holder{ids: map[string]int64{}}
	if h.person, err = get[*central.Person](ctx, snap, central.Key{Table: central.Persons, N: player}); err != nil {
		return nil, err
	}
	if h.credential, err = get[*central.Credential](ctx, snap, central.Key{Table: central.Credentials, N: player}); err != nil {
		return nil, err
	}
	if h.person == nil || h.credential == nil {
		return nil, central.WrongPasskey()
	}
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Passkeys, N: player}, Prefix: 1}, func(r central.Row) error {
		k := r.(*central.Passkey)
		h.had++
		if k.Removed != 0 {
			return nil
		}
		var c webauthn.Credential
		if err := json.Unmarshal(k.Record, &c); err != nil {
			return fmt.Errorf("passkey %d of player %d cannot be read: %w", k.ID, player, err)
		}
		h.credentials = append(h.credentials, c)
		h.ids[string(c.ID)] = k.ID
		return nil
	})
	return h, err
}
