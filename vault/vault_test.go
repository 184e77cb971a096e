package vault_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
	"tirage/vault"
)

// stream is entropy for tests: another byte string for each seed.
type stream struct{ seed, n uint64 }

func (s *stream) Read(p []byte) (int, error) {
	for i := range p {
		h := sha256.Sum256(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, s.seed), s.n))
		s.n++
		p[i] = h[0]
	}
	return len(p), nil
}

func open(t *testing.T, dir string, seed uint64) *vault.Keys {
	t.Helper()
	k, err := vault.Open(dir, &stream{seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var nonce = []byte("twelve bytes")

// same fails the test unless both open what the other sealed and verify what the other signed.
func same(t *testing.T, a, b *vault.Keys) {
	t.Helper()
	secret, err := b.Open(a.Seal([]byte("a secret"), nonce, "draw"), "draw")
	if err != nil || string(secret) != "a secret" {
		t.Errorf("sealed with one, opened with the other: %q, %v", secret, err)
	}
	for role, signer := range map[string]note.Signer{central.RoleOperator: a.Operator, central.RoleControl: a.Control, central.RoleBanList: a.BanList, central.RoleLog: a.Log} {
		paper, err := central.SignPaper(map[string]int{"n": 1}, signer)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Verifier().Verify(paper, role); err != nil {
			t.Error(err)
		}
		if a.Public(role) == "" || a.Public(role) != b.Public(role) {
			t.Errorf("public keys of %s: %q and %q", role, a.Public(role), b.Public(role))
		}
	}
}

func TestOpenTwiceGivesTheSameKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "keys")
	same(t, open(t, dir, 1), open(t, dir, 2))
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	open(t, dir, 1)
	want := map[string]fs.FileMode{".": fs.ModeDir | 0o700, "draws.key": 0o600, "quotes.key": 0o600, "operator.key": 0o600, "control.key": 0o600, "banlist.key": 0o600, "log.key": 0o600}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if mode, ok := want[name]; !ok || info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
		}
		delete(want, name)
		return err
	})
	if err != nil || len(want) > 0 {
		t.Errorf("%v, missing %v", err, want)
	}
}

// Many programs that start on an empty folder end up with the same keys: nobody overwrites a key that another has begun to use.
func TestOpenAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	keys := make([]*vault.Keys, 8)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = vault.Open(dir, &stream{seed: uint64(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	for _, k := range keys[1:] {
		same(t, keys[0], k)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 6 {
		t.Errorf("%d files are left: %v, %v", len(files), files, err)
	}
}

// A damaged file is refused in words that say which and why, and repeat nothing of what it holds.
func TestDamagedFilesAreRefused(t *testing.T) {
	whole := t.TempDir()
	open(t, whole, 1)
	other := t.TempDir()
	open(t, other, 2)
	content := func(dir, name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	lines := func(dir string) [][]byte { return bytes.SplitAfter(content(dir, "operator.key"), []byte("\n")) }
	for name, c := range map[string]struct {
		file string
		to   []byte
		want string
	}{
		"short seal key":     {"draws.key", content(whole, "draws.key")[:31], "draws.key holds 31 bytes, 32 are needed"},
		"long seal key":      {"draws.key", append(content(whole, "draws.key"), '\n'), "draws.key holds 33 bytes, 32 are needed"},
		"empty seal key":     {"draws.key", nil, "draws.key holds 0 bytes"},
		"short stamp key":    {"quotes.key", content(whole, "quotes.key")[:31], "quotes.key holds 31 bytes, 32 are needed"},
		"empty stamp key":    {"quotes.key", nil, "quotes.key holds 0 bytes"},
		"huge file":          {"operator.key", make([]byte, 5000), "operator.key holds more than 4096 bytes"},
		"empty signing key":  {"operator.key", nil, "operator.key: two lines are needed"},
		"no public key":      {"operator.key", lines(whole)[0], "operator.key: two lines are needed"},
		"broken secret key":  {"operator.key", bytes.Replace(content(whole, "operator.key"), []byte("PRIVATE"), []byte("PRIVATF"), 1), "the secret key cannot be read"},
		"truncated secret":   {"operator.key", append(content(whole, "operator.key")[:60:60], "\nx\n"...), "the secret key cannot be read"},
		"broken public key":  {"operator.key", append(bytes.Clone(lines(whole)[0]), "tirage-operator+00000000+AAAA\n"...), "the public key cannot be read"},
		"key of another":     {"operator.key", append(bytes.Clone(lines(whole)[0]), lines(other)[1]...), "the public key is not that of the secret key"},
		"key of the control": {"operator.key", content(whole, "control.key"), "it holds another key than tirage-operator"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{"draws.key", "quotes.key", "operator.key", "control.key", "banlist.key", "log.key"} {
				if err := os.Chmod(filepath.Join(dir, f), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, c.file), c.to, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := vault.Open(dir, &stream{seed: 3})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			for _, secret := range append(bytes.Split(c.to, []byte("+")), c.to) {
				if len(secret) > 8 && !bytes.HasPrefix([]byte("tirage-operator tirage-control"), secret) && strings.Contains(err.Error(), string(secret)) {
					t.Errorf("the error repeats the file: %v", err)
				}
			}
			if got := content(dir, c.file); !bytes.Equal(got, c.to) {
				t.Error("the damaged file was changed")
			}
		})
	}
}

func TestFilesThatOthersCanReadAreRefused(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, 1)
	path := filepath.Join(dir, "control.key")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := vault.Open(dir, &stream{}); err == nil || !strings.Contains(err.Error(), "control.key has mode -rw-r-----: accepted a file that its owner alone can read") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := vault.Open(dir, &stream{}); err == nil || !strings.Contains(err.Error(), "control.key has mode d") {
		t.Errorf("%v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

// Without entropy no key is made up.
func TestNoEntropyNoKeys(t *testing.T) {
	dir := t.TempDir()
	if _, err := vault.Open(dir, broken{}); err == nil {
		t.Error("keys without entropy")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files are left: %v, %v", files, err)
	}
	if _, err := vault.New(broken{}); err == nil {
		t.Error("keys without entropy")
	}
}

// What is sealed opens with the same key and the same context, whole, and in no other way.
func TestSealBindsKeyAndContext(t *testing.T) {
	keys, other := open(t, t.TempDir(), 1), open(t, t.TempDir(), 2)
	secret := []byte("thirty-two bytes of true entropy")
	sealed := keys.Seal(secret, nonce, "loto-2020-06-22")
	if bytes.Contains(sealed, secret) {
		t.Fatal("the secret stands in what is sealed")
	}
	if got, err := keys.Open(sealed, "loto-2020-06-22"); err != nil || !bytes.Equal(got, secret) {
		t.Errorf("%q, %v", got, err)
	}
	for name, try := range map[string]func() ([]byte, error){
		"another draw":    func() ([]byte, error) { return keys.Open(sealed, "loto-2020-06-24") },
		"no context":      func() ([]byte, error) { return keys.Open(sealed, "") },
		"another key":     func() ([]byte, error) { return other.Open(sealed, "loto-2020-06-22") },
		"shorter":         func() ([]byte, error) { return keys.Open(sealed[:len(sealed)-1], "loto-2020-06-22") },
		"nonce alone":     func() ([]byte, error) { return keys.Open(sealed[:12], "loto-2020-06-22") },
		"less than nonce": func() ([]byte, error) { return keys.Open(sealed[:11], "loto-2020-06-22") },
		"nothing":         func() ([]byte, error) { return keys.Open(nil, "loto-2020-06-22") },
	} {
		if got, err := try(); err == nil {
			t.Errorf("%s opens: %q", name, got)
		}
	}
	for i := range sealed {
		flipped := bytes.Clone(sealed)
		flipped[i] ^= 1
		if _, err := keys.Open(flipped, "loto-2020-06-22"); err == nil {
			t.Errorf("opens with bit %d flipped", 8*i)
		}
	}
}

// A stamp is that of one text under one key.
func TestStamp(t *testing.T) {
	dir := t.TempDir()
	keys, again, other := open(t, dir, 1), open(t, dir, 2), open(t, t.TempDir(), 3)
	stamp := keys.Stamp([]byte("a quote"))
	if len(stamp) != 32 || !bytes.Equal(stamp, again.Stamp([]byte("a quote"))) {
		t.Errorf("stamps %x and %x of one text", stamp, again.Stamp([]byte("a quote")))
	}
	if bytes.Equal(stamp, keys.Stamp([]byte("a quota"))) || bytes.Equal(stamp, other.Stamp([]byte("a quote"))) {
		t.Error("another text or another key has the same stamp")
	}
}

// A paper counts for the role that signed it and for no other.
func TestRolesAreApart(t *testing.T) {
	keys := open(t, t.TempDir(), 1)
	paper, err := central.SignPaper("count", keys.Operator)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Verifier().Verify(paper, central.RoleControl); err == nil {
		t.Error("the operator signed as the control")
	}
	if _, err := keys.Verifier().Verify(paper, "officer"); err == nil {
		t.Error("a role without a key verifies")
	}
	if _, err := keys.Verifier().Verify(strings.Replace(paper, "count", "coumt", 1), central.RoleOperator); err == nil {
		t.Error("a changed paper verifies")
	}
}

func TestSystem(t *testing.T) {
	var e vault.SystemEntropy
	a, b := make([]byte, 32), make([]byte, 32)
	if _, err := e.Read(a); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Read(b); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(a, b) {
		t.Error("the same bytes twice")
	}
	if (vault.SystemClock{}).Now().Year() < 2020 {
		t.Error("the clock of the machine stands before this program was written")
	}
}
