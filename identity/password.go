package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
	"tirage/central"
)

// Params are the costs of Argon2id.
type Params struct {
	Time    uint32 // passes
	Memory  uint32 // KiB
	Threads uint8
}

// Costs are those of the second recommended option of RFC 9106, section 4: for a server whose memory is shared.
var Costs = Params{Time: 3, Memory: 64 << 10, Threads: 4}

const (
	saltSize = 16 // bytes; RFC 9106, 3.1
	hashSize = 32
	// The costs that are accepted in a stored hash: a damaged one must not take the memory of the machine.
	maxTime, maxMemory, maxThreads = 16, 1 << 20, 16
)

// Passwords hashes and checks passwords, as many at a time as the machine has processors: each takes memory and time on purpose.
type Passwords struct {
	costs Params
	slots chan struct{}
	dummy string // what the password of an unknown player is compared with
}

// NewPasswords returns a hasher with these costs.
func NewPasswords(costs Params) *Passwords {
	p := &Passwords{costs: costs, slots: make(chan struct{}, runtime.NumCPU())}
	p.dummy = p.derive([]byte("nobody's"), make([]byte, saltSize), costs)
	return p
}

// Hash returns the hash of a password as a PHC string. The salt follows from a name of the request and the player, so that a request which is
// sent again gives the same hash and is the same command; salts must differ, they need not be secret (RFC 9106, 3.1).
func (p *Passwords) Hash(ctx context.Context, password, request string) (central.Hidden, error) {
	done, err := p.slot(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	salt := sha256.Sum256([]byte("tirage password salt\n" + request))
	return central.Hidden(p.derive(bytesOf(password), salt[:saltSize], p.costs)), nil
}

// Check reports whether a password is that of a PHC string; "" stands for a player who does not exist, takes as long and is never right.
func (p *Passwords) Check(ctx context.Context, phc, password string) (bool, error) {
	done, err := p.slot(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	known := phc != ""
	if !known {
		phc = p.dummy
	}
	costs, salt, err := parsePHC(phc)
	if err != nil {
		return false, err
	}
	same := subtle.ConstantTimeCompare([]byte(p.derive(bytesOf(password), salt, costs)), []byte(phc)) == 1
	return same && known, nil
}

// slot waits for a place among those that hash at a time.
func (p *Passwords) slot(ctx context.Context) (done func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// bytesOf composes characters, so that a password is the same from every keyboard (RFC 8265, 4.2).
func bytesOf(password string) []byte { return norm.NFC.Bytes([]byte(password)) }

var b64 = base64.RawStdEncoding

// derive returns `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`.
func (p *Passwords) derive(password, salt []byte, c Params) string {
	hash := argon2.IDKey(password, salt, c.Time, c.Memory, c.Threads, hashSize)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, c.Threads, b64.EncodeToString(salt), b64.EncodeToString(hash))
}

// errPHC does not say what was found: it may be half of a secret.
var errPHC = errors.New("a stored hash cannot be read: accepted $argon2id$v=19$m=…,t=…,p=…$salt$hash")

// parsePHC reads the costs and the salt of what derive wrote.
func parsePHC(s string) (c Params, salt []byte, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, errPHC
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Time, &c.Threads); err != nil {
		return c, nil, errPHC
	}
	if c.Time < 1 || c.Time > maxTime || c.Memory < 8*uint32(c.Threads) || c.Memory > maxMemory || c.Threads < 1 || c.Threads > maxThreads {
		return c, nil, errPHC
	}
	salt, err = b64.DecodeString(parts[4])
	if hash, herr := b64.DecodeString(parts[5]); err != nil || herr != nil || len(salt) != saltSize || len(hash) != hashSize {
		return c, nil, errPHC
	}
	return c, salt, nil
}
