package central

import (
	"crypto/sha256"
	"strings"
	"time"
)

const (
	// freeTries is how many wrong passwords in a row cost no wait.
	freeTries = 5
	// firstWait is what the next one costs; each further one costs twice as much, up to longestWait.
	firstWait, longestWait = 30 * time.Second, time.Hour
	// forgetTries is after how long without an attempt the count begins anew.
	forgetTries = 24 * time.Hour
)

// TryLogin counts an attempt to log in with an address before its password is looked at, so that attempts at the same time cannot outrun the
// lock; [OpenSession] takes the count back. An address that nobody has is counted and locked alike. The result is a [Tried].
type TryLogin struct {
	Name string `json:"name"` // LoginName of the address
}

// Tried is the result of [TryLogin].
type Tried struct {
	Tries int64 `json:"tries"`
}

func (TryLogin) Kind() string  { return "try_login" }
func (c TryLogin) Keys() []Key { return []Key{loginKey(c.Name)} }

func (c TryLogin) Plan(p *Plan) (any, error) {
	if len(c.Name) != 2*sha256.Size {
		return nil, refuse(Invalid, "login.name", "name", "the name of an address is its SHA-256")
	}
	l := edit[Login](p, loginKey(c.Name))
	if l == nil {
		l = &Login{Name: c.Name}
		p.insert(l)
	}
	now := p.Now.UnixMicro()
	if now < l.Until {
		return nil, refuse(Forbidden, "login.locked", "", "too many attempts: try again at %v", moment(l.Until))
	}
	if p.Now.Sub(time.UnixMicro(l.Last)) >= forgetTries {
		l.Tries = 0
	}
	l.Tries++
	l.Last, l.Until = now, p.Now.Add(waitAfter(l.Tries)).UnixMicro()
	return Tried{l.Tries}, nil
}

// WrongLogin is the one answer to an address that nobody has and to a wrong password.
func WrongLogin() *Refusal {
	return refuse(Forbidden, "login.failed", "", "the address or the password is wrong")
}

// NoSession is the answer to a token of no open session: unknown, closed, revoked or idle for too long.
func NoSession() *Refusal {
	return refuse(Forbidden, "session.none", "", "this session has ended: log in again")
}

// waitAfter is how long no further attempt is accepted after so many in a row.
func waitAfter(tries int64) time.Duration {
	if tries < freeTries {
		return 0
	}
	return min(firstWait<<min(tries-freeTries, 16), longestWait)
}

// OpenSession opens a session for a player whose password or passkey was checked against a version of the credential. For play, the ban list
// must not name the player and no exclusion may run; a session that is not for play serves to read the account, to withdraw and to end an
// open round. The result is a [SessionOpened].
type OpenSession struct {
	Player     int64  `json:"player,string"`
	Name       string `json:"name,omitempty"` // LoginName of the address, whose attempts are forgotten
	Credential int64  `json:"credential"`     // version that was checked
	Hash       []byte `json:"hash"`           // SHA-256 of the secret in the token
	Play       bool   `json:"play"`
	Passkey    int64  `json:"passkey,omitempty,string"` // that was used instead of the password
	Record     []byte `json:"record,omitempty"`         // of the passkey, after its use
	Clearance  string `json:"-"`                        // signed answer of the ban list
}

// SessionOpened is the result of [OpenSession].
type SessionOpened struct {
	Session int64     `json:"session,string"`
	Play    bool      `json:"play"`
	Check   time.Time `json:"check,omitzero"` // when the reality check is due
}

func (OpenSession) Kind() string { return "open_session" }
func (c OpenSession) Keys() []Key {
	keys := []Key{playerKey(c.Player), guardKey(c.Player), personKey(c.Player), credentialKey(c.Player)}
	if c.Name != "" {
		keys = append(keys, loginKey(c.Name))
	}
	if c.Passkey != 0 {
		keys = append(keys, passkeyKey(c.Player, c.Passkey))
	}
	return keys
}

func (c OpenSession) Plan(p *Plan) (any, error) {
	pl, g, err := p.guarded(c.Player)
	if err != nil {
		return nil, err
	}
	cred := get[Credential](p, credentialKey(c.Player))
	if cred == nil || cred.Version != c.Credential {
		return nil, refuse(Conflict, "session.credential", "", "the password has been changed meanwhile: log in again")
	}
	if err := checkSessionHash(c.Hash); err != nil {
		return nil, err
	}
	if c.Name != "" {
		l := edit[Login](p, loginKey(c.Name))
		if l == nil || l.Player != c.Player {
			return nil, refuse(Invalid, "login.name", "name", "the address is not that of the player")
		}
		l.Tries, l.Until = 0, 0
	}
	if c.Passkey != 0 {
		k := edit[Passkey](p, passkeyKey(c.Player, c.Passkey))
		if k == nil || k.Removed != 0 {
			return nil, refuse(NotFound, "passkey.unknown", "passkey", "there is no such passkey")
		}
		k.Record, k.Used = c.Record, p.Now.UnixMicro()
	}
	// An answer that names the player is stored by a session that is not for play.
	if c.Play || c.Clearance != "" {
		if err := p.asked(c.Clearance, g); err != nil {
			return nil, err
		}
		pl.PlayFrom = g.playFrom()
	}
	s := &Session{Player: c.Player, ID: p.ID(), Hash: c.Hash, Version: cred.Version, Opened: p.Now.UnixMicro()}
	out := SessionOpened{Session: s.ID, Play: c.Play}
	if c.Play {
		if err := p.mayPlay(g); err != nil {
			return nil, err
		}
		s.Play = 1
		p.beginStretch(pl, g)
		out.Check = time.UnixMicro(pl.PlayUntil).UTC()
	}
	p.insert(s)
	return out, nil
}

// checkSessionHash refuses what is no SHA-256.
func checkSessionHash(hash []byte) error {
	if len(hash) != sha256.Size {
		return refuse(Invalid, "session.hash", "hash", "%d bytes, accepted the %d of a SHA-256", len(hash), sha256.Size)
	}
	return nil
}

// CloseSession ends a session of a player.
type CloseSession struct {
	Player  int64 `json:"player,string"`
	Session int64 `json:"session,string"`
}

// Ended is the result of a command that ends sessions.
type Ended struct {
	At time.Time `json:"at"`
}

func (CloseSession) Kind() string  { return "close_session" }
func (c CloseSession) Keys() []Key { return []Key{sessionKey(c.Player, c.Session)} }

func (c CloseSession) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	s := edit[Session](p, sessionKey(c.Player, c.Session))
	if s == nil {
		return nil, refuse(NotFound, "session.unknown", "session", "there is no such session")
	}
	if s.Closed == 0 {
		s.Closed = p.Now.UnixMicro()
	}
	return Ended{time.UnixMicro(s.Closed).UTC()}, nil
}

// RevokeSessions ends all sessions of a player at once.
type RevokeSessions struct {
	Player int64 `json:"player,string"`
}

func (RevokeSessions) Kind() string  { return "revoke_sessions" }
func (c RevokeSessions) Keys() []Key { return []Key{credentialKey(c.Player)} }

func (c RevokeSessions) Plan(p *Plan) (any, error) {
	if strings.HasPrefix(p.Principal, playerPrefix) {
		if err := p.own(c.Player); err != nil {
			return nil, err
		}
	}
	return p.newCredential(c.Player, nil)
}

// SetPassword replaces the password of a player and ends all sessions. The version is that of the credential that the player has just shown
// again: the old password, a passkey, a link sent to the address.
type SetPassword struct {
	Player     int64  `json:"player,string"`
	Credential int64  `json:"credential"`
	Password   Hidden `json:"password"` // PHC string of Argon2id
}

func (SetPassword) Kind() string  { return "set_password" }
func (c SetPassword) Keys() []Key { return []Key{credentialKey(c.Player)} }

func (c SetPassword) Plan(p *Plan) (any, error) {
	return p.newCredential(c.Player, func(cred *Credential) error {
		if cred.Version != c.Credential {
			return refuse(Conflict, "session.credential", "", "the password has been changed meanwhile: log in again")
		}
		cred.Password = string(c.Password)
		return nil
	})
}

// newCredential gives the credential its next version, which ends all sessions.
func (p *Plan) newCredential(player int64, change func(*Credential) error) (any, error) {
	cred := edit[Credential](p, credentialKey(player))
	if cred == nil {
		return nil, refuse(NotFound, "player.unknown", "player", "there is no player %d", player)
	}
	if change != nil {
		if err := change(cred); err != nil {
			return nil, err
		}
	}
	cred.Version++
	return Ended{p.Now.UTC()}, nil
}
