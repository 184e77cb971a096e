// Package vault holds the keys that are not in the database: the key that seals the secrets of the draws, and the keys that sign
// papers, one a role. They are apart, so that losing one does not give away another.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
)

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the time.
func (SystemClock) Now() time.Time { return time.Now() }

// SystemEntropy is the operating system's generator.
type SystemEntropy struct{}

// Read fills p.
func (SystemEntropy) Read(p []byte) (int, error) { return rand.Read(p) }

// Keys are the keys of one operator.
type Keys struct {
	aead              cipher.AEAD
	Operator, Control note.Signer
	verifiers         central.NoteVerifier
	public            map[string]string
}

// roles are the roles that sign, with the name in their key.
var roles = []string{central.RoleOperator, central.RoleControl}

const (
	sealKeyFile = "draws.key"
	sealKeySize = 32
)

// New makes fresh keys that live in memory only.
func New(e central.Entropy) (*Keys, error) {
	return build(func(name string) ([]byte, error) { return fresh(name, e) })
}

// Open reads the keys in a folder, making the folder and the keys that are missing. Files are readable by their owner alone.
func Open(dir string, e central.Entropy) (*Keys, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return build(func(name string) ([]byte, error) {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return b, err
		}
		if b, err = fresh(name, e); err == nil {
			err = os.WriteFile(path, b, 0o600)
		}
		return b, err
	})
}

// fresh makes the content of a key file: the secret key, and for a signing key its public half on a second line.
func fresh(name string, e central.Entropy) ([]byte, error) {
	if name == sealKeyFile {
		b := make([]byte, sealKeySize)
		_, err := e.Read(b)
		return b, err
	}
	private, public, err := note.GenerateKey(reader{e}, "tirage-"+strings.TrimSuffix(name, ".key"))
	return []byte(private + "\n" + public + "\n"), err
}

type reader struct{ e central.Entropy }

func (r reader) Read(p []byte) (int, error) { return r.e.Read(p) }

func build(load func(name string) ([]byte, error)) (*Keys, error) {
	k := &Keys{verifiers: central.NoteVerifier{}, public: map[string]string{}}
	b, err := load(sealKeyFile)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	if len(b) != sealKeySize {
		return nil, fmt.Errorf("keys: %s holds %d bytes, %d are needed", sealKeyFile, len(b), sealKeySize)
	}
	block, err := aes.NewCipher(b)
	if err != nil {
		return nil, err
	}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		return nil, err
	}
	for _, role := range roles {
		b, err := load(role + ".key")
		if err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		if err := k.addSigner(role, string(b)); err != nil {
			return nil, fmt.Errorf("keys: %s.key: %w", role, err)
		}
	}
	return k, nil
}

func (k *Keys) addSigner(role, file string) error {
	private, public, ok := strings.Cut(strings.TrimSpace(file), "\n")
	if !ok {
		return errors.New("two lines are needed, the secret key and the public key")
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return errors.New("the secret key cannot be read")
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return fmt.Errorf("public key: %w", err)
	}
	if role == central.RoleOperator {
		k.Operator = signer
	} else {
		k.Control = signer
	}
	k.verifiers[role], k.public[role] = verifier, public
	return nil
}

// Verifier checks papers against these keys.
func (k *Keys) Verifier() central.Verifier { return k.verifiers }

// Public returns the public key of a role, as golang.org/x/mod/sumdb/note writes it.
func (k *Keys) Public(role string) string { return k.public[role] }

// Seal encrypts a secret for the database; the context is authenticated with it.
func (k *Keys) Seal(secret, nonce []byte, context string) []byte {
	return k.aead.Seal(append([]byte(nil), nonce...), nonce, secret, []byte(context))
}

// Open decrypts what Seal made.
func (k *Keys) Open(sealed []byte, context string) ([]byte, error) {
	n := k.aead.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("sealed secret is too short")
	}
	secret, err := k.aead.Open(nil, sealed[:n], sealed[n:], []byte(context))
	if err != nil {
		return nil, errors.New("sealed secret does not open with this key")
	}
	return secret, nil
}
