package central

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"tirage/games"
)

const (
	// partMax bounds a given or family name, in bytes.
	partMax = 100
	// emailMax bounds an address (RFC 5321, 4.5.3.1.3), in bytes; its local part is bounded by 64.
	emailMax, localMax = 254, 64
	// evidenceMax bounds what player care notes of the papers that it saw, in bytes.
	evidenceMax = 200
	// adultYears is the age from which one may play (Art. L320-7 of the Code de la sécurité intérieure).
	adultYears = 18
	// PasswordMin bounds a password from below, in characters; PasswordMax from above, in bytes: what is longer only costs time.
	PasswordMin, PasswordMax = 10, 256
	// oldestYears bounds the age of a player: a birth date before is a slip of the pen.
	oldestYears = 120
)

// RegisterPlayer opens an account for a person of 18 or more. Nothing can be staked or deposited before the identity is confirmed and limits are
// chosen. The result is a [PlayerCreated].
type RegisterPlayer struct {
	Given    string `json:"given"`
	Family   string `json:"family"`
	Birth    string `json:"birth"` // YYYY-MM-DD
	Email    string `json:"email"`
	Password Hidden `json:"password"` // PHC string of Argon2id, made where the password was typed
}

func (RegisterPlayer) Kind() string  { return "register_player" }
func (c RegisterPlayer) Keys() []Key { return []Key{loginKey(LoginName(c.Email))} }

func (c RegisterPlayer) Plan(p *Plan) (any, error) {
	id := p.ID()
	person := &Person{Player: id, Given: tidyName(c.Given), Family: tidyName(c.Family), Birth: c.Birth}
	var err error
	if person.Email, err = NormalEmail(c.Email); err != nil {
		return nil, err
	}
	if err := checkPerson(person, p.Now); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(c.Password), "$argon2id$") {
		return nil, refuse(Invalid, "account.password", "password", "the hash of a password is needed")
	}
	name := LoginName(c.Email)
	l := edit[Login](p, loginKey(name))
	switch {
	case l == nil:
		p.insert(&Login{Name: name, Player: id})
	case l.Player != 0:
		return nil, refuse(Conflict, "account.email_taken", "email", "an account has this address already: log in, or ask for a new password")
	default:
		*l = Login{Name: name, Player: id}
	}
	p.insert(&Player{ID: id, PlayFrom: never, Stakes: newAllowance()})
	p.insert(&Profile{ID: id, Name: person.Given + " " + person.Family, Created: p.Now.UnixMicro()})
	p.insert(&Guard{Player: id, State: StateOpen, Interval: CheckMax, Deposits: newAllowance()})
	p.insert(person)
	p.insert(&Credential{Player: id, Version: 1, Password: string(c.Password)})
	return PlayerCreated{id}, nil
}

func checkPerson(n *Person, now time.Time) error {
	for _, part := range [][2]string{{"given", n.Given}, {"family", n.Family}} {
		if !isName(part[1]) {
			return refuse(Invalid, "account.name", part[0], "a name of 1 to %d bytes is needed: letters, spaces, hyphens and apostrophes", partMax)
		}
	}
	birth, err := time.Parse(time.DateOnly, n.Birth)
	if err != nil {
		return refuse(Invalid, "account.birth", "birth", "a date of birth as YYYY-MM-DD is needed")
	}
	switch age := AgeOn(birth, now); {
	case age < adultYears:
		return refuse(Forbidden, "account.minor", "birth", "one must be %d to play", adultYears)
	case age > oldestYears:
		return refuse(Invalid, "account.birth", "birth", "a date of birth as YYYY-MM-DD is needed")
	}
	return nil
}

// CheckPassword refuses a password that is too short or too long, or that is the address. It asks for no kinds of characters: they make passwords
// that people forget and programs guess. The refusal does not repeat it.
func CheckPassword(password, email string) error {
	if utf8.RuneCountInString(password) < PasswordMin || len(password) > PasswordMax || !utf8.ValidString(password) {
		return refuse(Invalid, "password.length", "password", "a password of at least %d characters and at most %d bytes is needed", PasswordMin, PasswordMax)
	}
	if email != "" && LoginName(password) == LoginName(email) {
		return refuse(Invalid, "password.email", "password", "the password may not be the address")
	}
	return nil
}

// AgeOn returns the age of a person at an instant, in whole years, by the calendar day in Paris. Who was born on 29 February is a year older on
// 1 March of a common year: assumed.
func AgeOn(birth, now time.Time) int {
	y, m, d := now.In(games.Paris).Date()
	age := y - birth.Year()
	if m < birth.Month() || m == birth.Month() && d < birth.Day() {
		age--
	}
	return age
}

// tidyName writes a name in composed characters with single spaces.
func tidyName(s string) string {
	if len(s) > 4*partMax { // too long in any form
		return s
	}
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

func isName(s string) bool {
	if s == "" || len(s) > partMax || !storable(s) {
		return false
	}
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsMark(r) && !strings.ContainsRune(" -'’.", r):
			return false
		}
	}
	return letters > 0
}

// NormalEmail returns an address in the form that tells players apart: without spaces around it, in small letters. That the part before the @ does not
// tell capitals apart is assumed: no provider of note does otherwise.
func NormalEmail(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	local, domain, _ := strings.Cut(s, "@")
	if len(s) > emailMax || len(local) > localMax || !utf8.ValidString(s) || !isLocal(local) || !isDomain(domain) {
		return "", refuse(Invalid, "account.email", "email", "an e-mail address such as name@example.org is needed")
	}
	return s, nil
}

func isLocal(s string) bool {
	if s == "" || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".!#$%&'*+-/=?^_`{|}~", r)
	})
}

func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(l, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return false
		}
	}
	return len(labels) > 1
}

// LoginName names an address in the guard rows: its SHA-256, so that a list of them gives no addresses away.
func LoginName(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	return hex.EncodeToString(sum[:])
}

// Digest names a person to the ban list, whatever accents, capitals, hyphens and spaces the names are written with: SHA-256 of
// "FAMILY;GIVEN;YYYY-MM-DD".
func (r *Person) Digest() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s;%s;%s", plainName(r.Family), plainName(r.Given), r.Birth))
	return hex.EncodeToString(sum[:])
}

// plainName keeps the letters of a name, without accents, in capitals, its words apart by one space.
func plainName(s string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsMark(r):
			return -1
		case unicode.IsLetter(r):
			return unicode.ToUpper(r)
		}
		return ' '
	}, norm.NFD.String(s))
	return strings.Join(strings.Fields(plain), " ")
}

// VerifyIdentity notes that player care has seen the papers of a player.
type VerifyIdentity struct {
	Player   int64  `json:"player,string"`
	Evidence string `json:"evidence"` // what was seen, for the log
}

// Identity is the result of a command on an identity.
type Identity struct {
	State string `json:"state"`
}

func (VerifyIdentity) Kind() string  { return "verify_identity" }
func (c VerifyIdentity) Keys() []Key { return []Key{playerKey(c.Player), guardKey(c.Player)} }

func (c VerifyIdentity) Plan(p *Plan) (any, error) {
	if e := strings.TrimSpace(c.Evidence); e == "" || len(e) > evidenceMax || !storable(e) {
		return nil, refuse(Invalid, "identity.evidence", "evidence", "say in 1 to %d bytes which papers were seen", evidenceMax)
	}
	return p.identity(c.Player, StateOpen, StateVerified)
}

// ConfirmIdentity opens a verified account for play, if the ban list does not name the player.
type ConfirmIdentity struct {
	Player    int64  `json:"player,string"`
	Clearance string `json:"-"` // signed answer of the ban list
}

func (ConfirmIdentity) Kind() string { return "confirm_identity" }
func (c ConfirmIdentity) Keys() []Key {
	return []Key{playerKey(c.Player), guardKey(c.Player), personKey(c.Player)}
}

func (c ConfirmIdentity) Plan(p *Plan) (any, error) {
	_, g, err := p.guarded(c.Player)
	if err != nil {
		return nil, err
	}
	if err := p.asked(c.Clearance, g); err != nil {
		return nil, err
	}
	if g.Banned == 1 {
		return nil, refuse(Forbidden, "player.banned", "", "the list of banned players names the player; nothing can be staked")
	}
	return p.identity(c.Player, StateVerified, StateConfirmed)
}

// identity takes an identity from one state to the next.
func (p *Plan) identity(player int64, from, to string) (any, error) {
	pl, g, err := p.guarded(player)
	if err != nil {
		return nil, err
	}
	if g.State != from {
		return nil, refuse(Conflict, "identity.state", "", "the identity is %s, accepted %s", g.State, from)
	}
	g.State = to
	pl.PlayFrom = g.playFrom()
	return Identity{g.State}, nil
}
