// Package vault holds the keys that are not in the database: the key that seals the secrets of the draws, and the keys that sign
// papers, one a role. They are apart, so that losing one does not give away another.
//
// A folder of keys has three files, each readable by its owner alone and made when it is missing:
//
//	draws.key       32 bytes, AES-256-GCM: seals the secret of each draw, bound to the draw's name; a key made of it names players in sealed files
//	quotes.key      32 bytes, HMAC-SHA-256: stamps the quotes that players confirm
//	operator.key    two lines, secret and public key (golang.org/x/mod/sumdb/note): signs manifests, results, counts, notices
//	control.key     the same for the control: signs its own counts
//	log.key         the same for the log: signs its checkpoints and nothing else
//
//	keys, err := vault.Open("keys", vault.SystemEntropy{})
//	sealed := keys.Seal(secret, nonce, "loto-2020-06-22")
//	secret, err = keys.Open(sealed, "loto-2020-06-22")
//
// A file that is damaged, that others can read, or that holds the key of another role is refused, and no error repeats what a file holds. Who loses
// draws.key can no longer count the draws that were sealed with it: keep a copy apart from the database.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	stamp             []byte // the key of Stamp
	pseudonyms        []byte // key of the players' names in the sealed files, made of the one that seals
	Operator, Control note.Signer
	BanList           note.Signer // of the answers of the ban list
	Log               note.Signer // of the checkpoints of the logs
	verifiers         central.NoteVerifier
	public            map[string]string
}

// roles are the roles that sign, with the name in their key.
var roles = []string{central.RoleOperator, central.RoleControl, central.RoleBanList, central.RoleLog}

const (
	sealKeyFile  = "draws.key"
	stampKeyFile = "quotes.key"
	rawKeySize   = 32 // bytes of either
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
		b, err := read(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return b, err
		}
		if b, err = fresh(name, e); err != nil {
			return nil, err
		}
		if err := store(dir, path, b); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		return read(path) // ours, or that of another process that was faster
	})
}

// read returns the content of a key file that nobody else can read.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() || mode.Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s has mode %v: accepted a file that its owner alone can read (chmod 600)", path, mode)
	}
	b, err := io.ReadAll(io.LimitReader(f, fileMax+1))
	if err == nil && len(b) > fileMax {
		err = fmt.Errorf("%s holds more than %d bytes", path, fileMax)
	}
	return b, err
}

// fileMax bounds a key file, in bytes: two lines of a signing key have some 150.
const fileMax = 4096

// store writes a key file whole or not at all, never over another one, and on the disk before it returns: what is sealed with a key that was lost
// in a crash stays sealed.
func store(dir, path string, b []byte) (err error) {
	f, err := os.CreateTemp(dir, ".new-*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// fresh makes the content of a key file: the secret key, and for a signing key its public half on a second line.
func fresh(name string, e central.Entropy) ([]byte, error) {
	if name == sealKeyFile || name == stampKeyFile {
		b := make([]byte, rawKeySize)
		_, err := e.Read(b)
		return b, err
	}
	private, public, err := note.GenerateKey(reader{e}, keyName(strings.TrimSuffix(name, ".key")))
	return []byte(private + "\n" + public + "\n"), err
}

// keyName is the name that the key of a role bears.
func keyName(role string) string { return "tirage-" + role }

type reader struct{ e central.Entropy }

func (r reader) Read(p []byte) (int, error) { return r.e.Read(p) }

func build(load func(name string) ([]byte, error)) (*Keys, error) {
	k := &Keys{verifiers: central.NoteVerifier{}, public: map[string]string{}}
	raw := func(file string) ([]byte, error) {
		b, err := load(file)
		if err == nil && len(b) != rawKeySize {
			err = fmt.Errorf("%s holds %d bytes, %d are needed", file, len(b), rawKeySize)
		}
		if err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		return b, nil
	}
	seal, err := raw(sealKeyFile)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(seal)
	if err != nil {
		return nil, err
	}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		return nil, err
	}
	k.pseudonyms = mac(seal, "tirage/pseudonyms/1")
	for _, role := range roles {
		b, err := load(role + ".key")
		if err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		if err := k.addSigner(role, string(b)); err != nil {
			return nil, fmt.Errorf("keys: %s.key: %w", role, err)
		}
	}
	k.stamp, err = raw(stampKeyFile)
	return k, err
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
		return errors.New("the public key cannot be read")
	}
	if signer.Name() != keyName(role) {
		return fmt.Errorf("it holds another key than %s", keyName(role))
	}
	if verifier.Name() != signer.Name() || verifier.KeyHash() != signer.KeyHash() {
		return errors.New("the public key is not that of the secret key")
	}
	switch role {
	case central.RoleOperator:
		k.Operator = signer
	case central.RoleControl:
		k.Control = signer
	case central.RoleBanList:
		k.BanList = signer
	case central.RoleLog:
		k.Log = signer
	}
	k.verifiers[role], k.public[role] = verifier, public
	return nil
}

// Verifier checks papers against these keys.
func (k *Keys) Verifier() central.Verifier { return k.verifiers }

// Public returns the public key of a role, as golang.org/x/mod/sumdb/note writes it.
func (k *Keys) Public(role string) string { return k.public[role] }

// Pseudonym returns the name under which a player stands in the sealed files of one draw: 16 hexadecimal digits. Without the key nobody can tell the player, nor
// join the names of two draws.
func (k *Keys) Pseudonym(draw string, player int64) string {
	return hex.EncodeToString(mac(k.pseudonyms, fmt.Sprintf("%s/%d", draw, player))[:8])
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// Seal encrypts a secret for the database; it opens with the same context only. The nonce has 12 bytes and is never used twice.
func (k *Keys) Seal(secret, nonce []byte, context string) []byte {
	return k.aead.Seal(append([]byte(nil), nonce...), nonce, secret, []byte(context))
}

// Stamp returns the HMAC-SHA-256 of a text, which nobody makes without the key.
func (k *Keys) Stamp(text []byte) []byte {
	mac := hmac.New(sha256.New, k.stamp)
	mac.Write(text)
	return mac.Sum(nil)
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
