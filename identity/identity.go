// Package identity is the desk where people register, log in and are checked: it does what a command cannot, because it takes time, chance or somebody
// else's answer, and hands the outcome to the [central.Register].
//
//   - Passwords become Argon2id hashes here ([Passwords]); the domain never sees one. An attempt is counted before the password is looked at, an address
//     that nobody has takes as long as a wrong password and gets the same answer.
//   - The ban list is asked here and its signed answer put beside the command; the domain refuses what needs one and has none.
//   - Passkeys ([Passkeys]) are registered and checked here; the domain keeps what the next check needs.
//   - A session ([Sessions]) is proved by a token whose secret is stored as its SHA-256 alone.
//
// A player who may not play, because of an exclusion or the ban list, still gets a session that is not for play: to read the account, to withdraw, and
// to end an open round.
//
//	in, err := desk.Login(ctx, "zoe@example.org", password)
//	session, err := desk.Sessions.Check(ctx, in.Token)
package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tirage/central"
)

// Desk is the desk of one operator.
type Desk struct {
	Register  *central.Register
	Store     central.Store
	Entropy   central.Entropy
	BanList   central.BanList
	Passwords *Passwords
	Sessions  *Sessions
}

// Form is what a person fills in to register.
type Form struct {
	Given, Family string
	Birth         string // YYYY-MM-DD
	Email         string
	Password      string
}

// Format keeps the password out of what is printed.
func (f Form) Format(s fmt.State, _ rune) { fmt.Fprint(s, "(form)") }

// SignUp opens an account under an idempotency key. The receipt's result is a [central.PlayerCreated].
func (d *Desk) SignUp(ctx context.Context, key string, f Form) (central.Receipt, error) {
	if err := central.CheckPassword(f.Password, f.Email); err != nil {
		return central.Receipt{}, err
	}
	name := central.LoginName(f.Email)
	hash, err := d.Passwords.Hash(ctx, f.Password, key+"\n"+name)
	if err != nil {
		return central.Receipt{}, err
	}
	return d.Register.Do(ctx, central.Request{Principal: "visitor/" + name[:16], Key: key, Command: central.RegisterPlayer{
		Given: f.Given, Family: f.Family, Birth: f.Birth, Email: f.Email, Password: hash,
	}})
}

// Confirm confirms a verified identity for a member of the staff, after asking the ban list.
func (d *Desk) Confirm(ctx context.Context, staff, key string, player int64) (central.Receipt, error) {
	return d.Register.Do(ctx, central.Request{Principal: staff, Key: key, Command: central.ConfirmIdentity{Player: player, Clearance: d.ask(ctx, player)}})
}

// Acknowledge acknowledges the reality check of a player, after asking the ban list.
func (d *Desk) Acknowledge(ctx context.Context, key string, player int64) (central.Receipt, error) {
	return d.Register.Do(ctx, central.Request{
		Principal: central.PlayerPrincipal(player), Key: key, Command: central.AckCheck{Player: player, Clearance: d.ask(ctx, player)},
	})
}

// ask returns the ban list's answer about a player, or none: the domain refuses then what needs one.
func (d *Desk) ask(ctx context.Context, player int64) string {
	person, err := read[*central.Person](ctx, d.Store, central.Key{Table: central.Persons, N: player})
	if err != nil || person == nil {
		return ""
	}
	answer, err := d.BanList.Ask(ctx, person)
	if err != nil {
		return ""
	}
	return answer
}

// LoggedIn is a session that was opened.
type LoggedIn struct {
	Player  int64
	Session int64
	Token   string // for the player alone
	Play    bool
	Why     *central.Refusal // why it is not for play, nil when it is
}

// Format keeps the token out of what is printed.
func (l LoggedIn) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "(session %d of player %d)", l.Session, l.Player)
}

// Login opens a session for the player who has this address and this password.
func (d *Desk) Login(ctx context.Context, email, password string) (*LoggedIn, error) {
	name := central.LoginName(email)
	// Counted before the password is looked at; the session takes the count back.
	if _, err := d.do(ctx, central.TryLogin{Name: name}); err != nil {
		return nil, err
	}
	cred, err := d.credential(ctx, name)
	if err != nil {
		return nil, err
	}
	ok, err := d.Passwords.Check(ctx, cred.Password, password)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, central.WrongLogin()
	}
	return d.open(ctx, cred, name, passkeyUse{})
}

// credential returns the credential of the player who has an address, an empty one when nobody has it.
func (d *Desk) credential(ctx context.Context, name string) (*central.Credential, error) {
	snap, err := d.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	login, err := get[*central.Login](ctx, snap, central.Key{Table: central.Logins, S: name})
	if err != nil {
		return nil, err
	}
	// Both reads are made for everyone: they take the same time.
	var player int64
	if login != nil {
		player = login.Player
	}
	cred, err := get[*central.Credential](ctx, snap, central.Key{Table: central.Credentials, N: player})
	if cred == nil {
		cred = &central.Credential{}
	}
	return cred, err
}

// open opens a session for play, or one that is not for play where play is not allowed, after a password or a passkey.
func (d *Desk) open(ctx context.Context, cred *central.Credential, name string, used passkeyUse) (*LoggedIn, error) {
	secret := make([]byte, secretSize)
	if _, err := d.Entropy.Read(secret); err != nil {
		return nil, fmt.Errorf("entropy: %w", err)
	}
	hash := sha256.Sum256(secret)
	c := central.OpenSession{
		Player: cred.Player, Name: name, Credential: cred.Version, Hash: hash[:], Play: true, Passkey: used.id, Record: used.record, Clearance: d.ask(ctx, cred.Player),
	}
	in := &LoggedIn{Player: cred.Player, Play: true}
	receipt, err := d.do(ctx, c)
	if why := new(central.Refusal); errors.As(err, &why) && noPlay[why.Reason] {
		in.Play, in.Why = false, why
		c.Play = false
		if why.Reason != "player.banned" && why.Reason != "player.excluded" {
			c.Clearance = "" // it was no answer
		}
		receipt, err = d.do(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	var out central.SessionOpened
	if err := json.Unmarshal(receipt.Result, &out); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	in.Session, in.Token = out.Session, newToken(cred.Player, out.Session, secret)
	return in, nil
}

// noPlay are the refusals of a session for play that leave one which is not for play.
var noPlay = map[string]bool{
	"player.banned": true, "player.excluded": true,
	"banlist.unavailable": true, "banlist.stale": true, "banlist.person": true, "paper.signature": true, "paper.form": true,
}

// Logout ends the session of a token. A token of no open session has nothing to end.
func (d *Desk) Logout(ctx context.Context, token string) error {
	s, err := d.Sessions.Check(ctx, token)
	if central.CodeOf(err) == central.Forbidden {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = d.do(ctx, central.CloseSession{Player: s.Player, Session: s.ID})
	return err
}

// ChangePassword replaces a password by a new one, which ends all sessions, and opens a new session.
func (d *Desk) ChangePassword(ctx context.Context, email, old, password string) (*LoggedIn, error) {
	if err := central.CheckPassword(password, email); err != nil {
		return nil, err
	}
	name := central.LoginName(email)
	in, err := d.Login(ctx, email, old)
	if err != nil {
		return nil, err
	}
	cred, err := d.credential(ctx, name)
	if err != nil {
		return nil, err
	}
	hash, err := d.Passwords.Hash(ctx, password, fmt.Sprintf("%d\n%d", in.Session, cred.Version))
	if err != nil {
		return nil, err
	}
	if _, err := d.do(ctx, central.SetPassword{Player: cred.Player, Credential: cred.Version, Password: hash}); err != nil {
		return nil, err
	}
	if cred, err = d.credential(ctx, name); err != nil {
		return nil, err
	}
	return d.open(ctx, cred, name, passkeyUse{})
}

// do does a command of the desk itself under a fresh key.
func (d *Desk) do(ctx context.Context, c central.Command) (central.Receipt, error) {
	var key [16]byte
	if _, err := d.Entropy.Read(key[:]); err != nil {
		return central.Receipt{}, fmt.Errorf("entropy: %w", err)
	}
	return d.Register.Do(ctx, central.Request{Principal: central.SystemPrincipal, Key: hex.EncodeToString(key[:]), Command: c})
}

// get returns a row, or nil.
func get[R central.Row](ctx context.Context, snap central.Snapshot, k central.Key) (r R, err error) {
	row, err := snap.Get(ctx, k)
	if row == nil || err != nil {
		return r, err
	}
	return row.(R), nil
}

// read returns a row as it stands now, or nil.
func read[R central.Row](ctx context.Context, store central.Reader, k central.Key) (r R, err error) {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return r, err
	}
	defer snap.Close()
	return get[R](ctx, snap, k)
}

func sortTouches(rows []*central.Touch) {
	slices.SortFunc(rows, func(a, b *central.Touch) int {
		return cmp.Or(cmp.Compare(a.Player, b.Player), cmp.Compare(a.Session, b.Session))
	})
}

func sortListed(list []Listed) {
	slices.SortFunc(list, func(a, b Listed) int { return cmp.Compare(b.Session.ID, a.Session.ID) })
}
