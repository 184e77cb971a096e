package central

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"tirage/rules/money"
)

// Person is who a player is: personal data, apart from all that the games need, so that it can be erased.
type Person struct {
	Player        int64
	Given, Family string
	Birth         string // YYYY-MM-DD
	Email         string // normalised
}

func (*Person) Table() TableID  { return Persons }
func (r *Person) Fields() []any { return []any{&r.Player, &r.Given, &r.Family, &r.Birth, &r.Email} }

// Guard is what protects a player: the state of the identity, exclusions, the deposit limit, the reality check. What a stake needs to know of
// it stands in the [Player] row too: the instants between which stakes are accepted, and the stake limit.
type Guard struct {
	Player        int64
	State         string // StateOpen, StateVerified, StateConfirmed
	ExcludedUntil int64  // microseconds; end of a self-exclusion, 0 for none
	Banned        int64  // 1: the last answer of the ban list named the player
	Cleared       int64  // microseconds; when the ban list was last asked
	List          string // digest of the list that answered
	Interval      int64  // of the reality check, minutes
	Since         int64  // microseconds; begin of the stretch of play that the reality check shows
	Deposits      []byte // allowance of deposits; empty: none is needed
}

func (*Guard) Table() TableID { return Guards }
func (r *Guard) Fields() []any {
	return []any{&r.Player, &r.State, &r.ExcludedUntil, &r.Banned, &r.Cleared, &r.List, &r.Interval, &r.Since, &r.Deposits}
}

// Login guards an e-mail address: at most one player has it. It counts the attempts to log in with it, whether or not somebody has it, so
// that the answers to an unknown address and to a wrong password cannot be told apart.
type Login struct {
	Name   string // NameOf the address
	Player int64  // 0: nobody's
	Tries  int64  // attempts since the last success
	Last   int64  // microseconds; the last attempt
	Until  int64  // microseconds; no attempt is accepted before
}

func (*Login) Table() TableID  { return Logins }
func (r *Login) Fields() []any { return []any{&r.Name, &r.Player, &r.Tries, &r.Last, &r.Until} }

// Credential is the password of a player as its hash. Its version grows with each change and each revocation; sessions of an older one are void.
type Credential struct {
	Player   int64
	Version  int64
	Password string // PHC string of Argon2id
}

func (*Credential) Table() TableID  { return Credentials }
func (r *Credential) Fields() []any { return []any{&r.Player, &r.Version, &r.Password} }

// Logged is the row as the log shows it: not even the hash of a password goes to an auditor.
func (r *Credential) Logged() []any {
	digest := Hidden(r.Password).digest()
	return []any{&r.Player, &r.Version, &digest}
}

// Passkey is a key pair of a player's device, by its public half.
type Passkey struct {
	Player, ID int64
	Name       string // the player's name for it
	Record     []byte // what the checks need of it, as the desk writes it
	Added      int64  // microseconds
	Used       int64  // microseconds; the last login with it, 0 for none
	Removed    int64  // microseconds; 0: in use
}

func (*Passkey) Table() TableID { return Passkeys }
func (r *Passkey) Fields() []any {
	return []any{&r.Player, &r.ID, &r.Name, &r.Record, &r.Added, &r.Used, &r.Removed}
}

// Session is a login that lasts until it is closed, revoked or idle for too long. The token that proves it is known to its owner alone.
type Session struct {
	Player, ID int64
	Hash       []byte // SHA-256 of the secret in the token
	Version    int64  // of the credential at the opening
	Opened     int64  // microseconds
	Closed     int64  // microseconds; 0: open
	Play       int64  // 1: for play; 0: account, withdrawals and the end of an open round only
}

func (*Session) Table() TableID { return Sessions }
func (r *Session) Fields() []any {
	return []any{&r.Player, &r.ID, &r.Hash, &r.Version, &r.Opened, &r.Closed, &r.Play}
}

// Touch is when a session was last used, to the minute. It is no command: nothing but the idle timeout hangs on it.
type Touch struct{ Player, Session, At int64 }

func (*Touch) Table() TableID  { return Touches }
func (r *Touch) Fields() []any { return []any{&r.Player, &r.Session, &r.At} }

// Payment is money on its way between a player and the bank.
type Payment struct {
	Player, ID int64
	Kind       string // PaymentDeposit, PaymentWithdrawal
	State      string // PaymentRequested, PaymentConfirmed, PaymentFailed
	Cents      money.Cents
	Reference  string // of the provider, once settled
	At, Done   int64  // microseconds; requested, settled
}

func (*Payment) Table() TableID { return PaymentRows }
func (r *Payment) Fields() []any {
	return []any{&r.Player, &r.ID, &r.Kind, &r.State, (*int64)(&r.Cents), &r.Reference, &r.At, &r.Done}
}

// Reference guards a reference of a payment provider: it settles at most one payment.
type Reference struct {
	Name            string // provider and its reference
	Player, Payment int64
}

func (*Reference) Table() TableID  { return References }
func (r *Reference) Fields() []any { return []any{&r.Name, &r.Player, &r.Payment} }

// Movement is one movement of a player's balance in the history index: before it the balance was After − Cents.
type Movement struct {
	Player, Version int64 // Version counts the player's movements from 1
	At              int64 // microseconds
	Node, Leaf      int64 // the leaf of the log that holds it
	Account         string
	Cents           money.Cents // above zero: to the player
	After           money.Cents
}

func (*Movement) Table() TableID { return Movements }
func (r *Movement) Fields() []any {
	return []any{&r.Player, &r.Version, &r.At, &r.Node, &r.Leaf, &r.Account, (*int64)(&r.Cents), (*int64)(&r.After)}
}

// Progress is how far a job that reads the log has come: the leaves of a node below N are done.
type Progress struct {
	Name    string
	Node, N int64
}

func (*Progress) Table() TableID  { return ProgressRows }
func (r *Progress) Fields() []any { return []any{&r.Name, &r.Node, &r.N} }

func guardKey(id int64) Key             { return Key{Table: Guards, N: id} }
func personKey(id int64) Key            { return Key{Table: Persons, N: id} }
func credentialKey(id int64) Key        { return Key{Table: Credentials, N: id} }
func loginKey(name string) Key          { return Key{Table: Logins, S: name} }
func sessionKey(player, id int64) Key   { return Key{Table: Sessions, N: player, M: id} }
func passkeyKey(player, id int64) Key   { return Key{Table: Passkeys, N: player, M: id} }
func paymentKey(player, id int64) Key   { return Key{Table: PaymentRows, N: player, M: id} }
func progressKey(j string, n int64) Key { return Key{Table: ProgressRows, S: j, N: n} }

// Hidden is a text that is neither printed nor logged: JSON and every format show its SHA-256.
type Hidden string

func (h Hidden) digest() string {
	sum := sha256.Sum256([]byte(h))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// MarshalText writes the digest.
func (h Hidden) MarshalText() ([]byte, error) { return []byte(h.digest()), nil }

// Format writes that something is hidden.
func (h Hidden) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte("(hidden)")) } // a formatter has nobody to tell
