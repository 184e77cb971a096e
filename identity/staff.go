package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"tirage/central"
)

// StaffIn is a session that was opened for a member of the staff.
type StaffIn struct {
	Name    string
	Session int64
	Token   string // for its owner alone
}

// Format keeps the token out of what is printed.
func (l StaffIn) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "(session %d of staff/%s)", l.Session, l.Name)
}

// LoginStaff opens a session for the member of the staff who has this name and this password. Attempts are counted as those of players are.
func (d *Desk) LoginStaff(ctx context.Context, name, password string) (*StaffIn, error) {
	login := central.StaffLogin(name)
	if _, err := d.do(ctx, central.TryLogin{Name: login}); err != nil {
		return nil, err
	}
	cred, err := d.credential(ctx, login)
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
	secret := make([]byte, secretSize)
	if _, err := d.Entropy.Read(secret); err != nil {
		return nil, fmt.Errorf("entropy: %w", err)
	}
	hash := sha256.Sum256(secret)
	receipt, err := d.do(ctx, central.OpenStaffSession{Name: name, Credential: cred.Version, Hash: hash[:]})
	if err != nil {
		return nil, err
	}
	var out central.SessionOpened
	if err := json.Unmarshal(receipt.Result, &out); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	return &StaffIn{name, out.Session, newToken(cred.Player, out.Session, secret)}, nil
}

// Hire opens an account of the staff under an idempotency key. The receipt's result is a [central.StaffChanged].
func (d *Desk) Hire(ctx context.Context, principal, key, name, role, password string) (central.Receipt, error) {
	hash, err := d.staffPassword(ctx, name, password, key)
	if err != nil {
		return central.Receipt{}, err
	}
	return d.Register.Do(ctx, central.Request{Principal: principal, Key: key, Command: central.AddStaff{Name: name, Role: role, Password: hash}})
}

// ResetStaff gives a member of the staff a new password under an idempotency key. The receipt's result is a [central.StaffChanged].
func (d *Desk) ResetStaff(ctx context.Context, principal, key, name, why, password string) (central.Receipt, error) {
	hash, err := d.staffPassword(ctx, name, password, key)
	if err != nil {
		return central.Receipt{}, err
	}
	return d.Register.Do(ctx, central.Request{Principal: principal, Key: key, Command: central.ResetStaffPassword{Name: name, Why: why, Password: hash}})
}

func (d *Desk) staffPassword(ctx context.Context, name, password, key string) (central.Hidden, error) {
	if err := central.CheckPassword(password, name); err != nil {
		return "", err
	}
	return d.Passwords.Hash(ctx, password, key+"\n"+central.StaffPrincipal(name))
}

// directory is the staff by number, as it stood a moment ago: tens of rows, asked for with every request.
type directory struct {
	mu      sync.Mutex
	until   time.Time
	members map[int64]*central.Staff
}

// Member returns the member of the staff whose account has a number, nil when it is nobody's.
func (s *Sessions) Member(ctx context.Context, id int64) (*central.Staff, error) {
	d, now := &s.staff, s.clock.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Before(d.until) {
		return d.members[id], nil
	}
	snap, err := s.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	members := map[int64]*central.Staff{}
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.StaffRows}}, func(r central.Row) error {
		members[r.(*central.Staff).ID] = r.(*central.Staff)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.members, d.until = members, now.Add(cacheFor)
	return members[id], nil
}

// programPrefix begins the tokens of programs, so that whoever finds one knows what was lost.
const programPrefix = "tirage_program_"

// AddProgram gives a program access and returns its token, which is told this once.
func (d *Desk) AddProgram(ctx context.Context, principal, name, role string) (*central.ProgramChanged, string, error) {
	secret := make([]byte, secretSize)
	key := make([]byte, 16)
	for _, b := range [][]byte{secret, key} {
		if _, err := d.Entropy.Read(b); err != nil {
			return nil, "", fmt.Errorf("entropy: %w", err)
		}
	}
	hash := sha256.Sum256(secret)
	receipt, err := d.Register.Do(ctx, central.Request{
		Principal: principal, Key: fmt.Sprintf("%x", key), Command: central.AddProgram{Name: name, Role: role, Hash: hash[:]},
	})
	if err != nil {
		return nil, "", err
	}
	made := &central.ProgramChanged{}
	if err := json.Unmarshal(receipt.Result, made); err != nil {
		return nil, "", fmt.Errorf("program: %w", err)
	}
	id, err := central.ParseProgramID(made.Program)
	if err != nil {
		return nil, "", err
	}
	token := binary.BigEndian.AppendUint64(nil, uint64(id))
	return made, programPrefix + base64.RawURLEncoding.EncodeToString(append(token, secret...)), nil
}

// IsProgram tells the token of a program from that of a session.
func IsProgram(token string) bool { return strings.HasPrefix(token, programPrefix) }

// Program returns the program whose token this is. Whatever is wrong with the token, the answer is the same.
func (d *Desk) Program(ctx context.Context, token string) (*central.Program, error) {
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, programPrefix))
	if err != nil || len(b) != 8+secretSize || !IsProgram(token) {
		return nil, central.NoSession()
	}
	p, err := read[*central.Program](ctx, d.Store, central.Key{Table: central.Programs, N: int64(binary.BigEndian.Uint64(b))})
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(b[8:])
	if p == nil || p.Revoked != 0 || subtle.ConstantTimeCompare(p.Hash, hash[:]) != 1 {
		return nil, central.NoSession()
	}
	return p, nil
}
